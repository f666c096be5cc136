//! LogGOPSim: the command line conforms to LogGOPSim's declared options and has the signature's
//! values.

use crate::machines::{all, all_defaults, export, route};
use loggia_exchange::export::Target;
use loggia_model::library;
use loggia_model::numbers::Numbers;
use loggia_model::signature::{Defaults, Operation, Signature};
use loggia_model::simulation_model::SimulationModel;
use loggia_model::units::{Bytes, Micros, MicrosPerByte, Procs};
use loggia_simulate::ParameterSource;
use loggia_simulate::collective::{self, Shape};
use loggia_simulate::{RunSetting, Simulation};

/// `simulator.ggo`, version 0.1: C `int`s, in nanoseconds, nanoseconds per byte and bytes.
const INTEGERS: [char; 6] = ['L', 'o', 'g', 'G', 'O', 'S'];

/// The options in the last line of the script, in nanoseconds if no comment says picoseconds.
fn parsed(script: &str) -> Numbers {
    let (comments, [line]) = script
        .lines()
        .collect::<Vec<_>>()
        .split_last_chunk()
        .map(|(a, b)| (a.to_vec(), *b))
        .unwrap();
    assert!(comments.iter().all(|line| line.starts_with('#')), "{script}");
    let mut words = line.split(' ');
    assert_eq!(words.next(), Some("LogGOPSim"));
    let mut integers = std::collections::BTreeMap::new();
    let mut file = None;
    while let Some(option) = words.next() {
        let value = words.next().unwrap();
        match option.strip_prefix('-').unwrap().chars().collect::<Vec<_>>()[..] {
            ['f'] => assert_eq!(file.replace(value), None),
            [letter] if INTEGERS.contains(&letter) => {
                let value = value.parse::<i32>().unwrap();
                assert!(value >= 0 && integers.insert(letter, value).is_none(), "{line}");
            }
            _ => panic!("no such option in {line}"),
        }
    }
    assert!(file.is_some() && integers.len() == INTEGERS.len(), "{line}");
    let per_us = if script.contains("# times are in picoseconds") { 1e6 } else { 1e3 };
    let us = |letter| Micros(f64::from(integers[&letter]) / per_us);
    let us_per_byte = |letter| MicrosPerByte(f64::from(integers[&letter]) / per_us);
    Numbers {
        latency: us('L'),
        overhead: us('o'),
        gap: us('g'),
        gap_per_byte: us_per_byte('G'),
        overhead_per_byte: us_per_byte('O'),
        eager_limit: Some(Bytes(integers[&'S'].try_into().unwrap())),
    }
}

/// Completion time of a collective operation under LogGOPSim's simulation model.
fn completion_time(
    line: ParameterSource,
    op: Operation,
    algorithm: &str,
    procs: u32,
    bytes: u64,
) -> Micros {
    let shape = Shape::new(Procs(procs), Bytes(bytes));
    let schedule = collective::named(op, algorithm).unwrap().schedule(&shape, &|_| 0).unwrap();
    let simulation =
        Simulation::new(&schedule, SimulationModel::LogGops, &RunSetting::flat(line)).unwrap();
    simulation.micros(simulation.run().end())
}

const RUNS: [(Operation, &str, u32, u64); 4] = [
    (Operation::Bcast, "binomial", 13, 1000),
    (Operation::Barrier, "dissemination", 16, 1),
    (Operation::Allreduce, "ring", 6, 100_000),
    (Operation::Alltoall, "linear", 5, 5000),
];

/// A machine with o_s = o_r, whose parameters are whole nanoseconds.
fn plain() -> Signature {
    let mut machine = library::load("cray-t3d").unwrap();
    for (key, value) in [
        ("L", "2500ns"),
        ("o_s", "1.5us"),
        ("o_r", "1.5us"),
        ("g", "1us"),
        ("G", "6ns"),
        ("S", "65535"),
    ] {
        machine.set(key, value).unwrap();
    }
    machine
}

#[test]
fn options_simulate_the_same_time_as_the_signature() {
    let machine = plain();
    let script = export(&machine, Target::LogGopSim, &Defaults::default()).unwrap();
    assert!(script.ends_with("-L 2500 -o 1500 -g 1000 -G 6 -O 0 -S 65535\n"), "{script}");
    assert!(!script.contains("rounded"), "{script}");
    let numbers = parsed(&script);
    for (op, algorithm, procs, bytes) in RUNS {
        let completion_time = |line| completion_time(line, op, algorithm, procs, bytes);
        let of_signature =
            completion_time(ParameterSource::Route(route(&machine, &Defaults::default())));
        assert_eq!(completion_time(ParameterSource::Numbers(numbers)), of_signature, "{algorithm}");
    }
}

/// LogGOPSim simulates 77 µs for 16,384 ranks (with its default parameters; see the README).
#[test]
fn loggopsims_defaults_are_exported_exactly() {
    let numbers = parsed(&export(&plain(), Target::LogGopSim, &Defaults::default()).unwrap());
    let completion_time = completion_time(
        ParameterSource::Numbers(numbers),
        Operation::Barrier,
        "dissemination",
        16_384,
        1,
    );
    assert_eq!(completion_time, Micros(77.0));
}

#[test]
fn every_send_mode_is_exported_or_refused_and_rounding_is_noted() {
    let mut lines = 0;
    for machine in all() {
        for defaults in all_defaults(&machine) {
            let script = match export(&machine, Target::LogGopSim, &defaults) {
                Ok(script) => script,
                Err(error) => {
                    assert!(!error.place.is_nowhere() && !error.help.is_empty(), "{error}");
                    continue;
                }
            };
            let numbers = parsed(&script);
            let route = route(&machine, &defaults);
            let gap_per_byte = route.gap_per_byte().unwrap().value;
            let is_near = (numbers.gap_per_byte.0 - gap_per_byte.0).abs() <= 0.5e-3 + 1e-12;
            assert!(is_near, "{script}");
            let is_exact = (numbers.gap_per_byte.0 - gap_per_byte.0).abs() <= 1e-9 * gap_per_byte.0;
            assert!(is_exact || script.contains("# -G "), "{script}");
            let both = [route.send_overhead(Bytes(1)), route.recv_overhead(Bytes(1))];
            let [send, recv] = both.map(|at| at.unwrap().time.value);
            assert!((numbers.overhead.0 * 2.0 - send.0 - recv.0).abs() <= 1e-3, "{script}");
            assert_eq!(script.contains("unknown: g"), route.gap().is_none(), "{script}");
            lines += 1;
        }
    }
    assert!(lines > 20, "{lines}");
}

/// G of a modern network is below a nanosecond per byte: 0 ns would be infinite bandwidth.
#[test]
fn options_are_in_picoseconds_if_rounding_to_nanoseconds_changes_a_time() {
    let mut machine = plain();
    machine.set("G", "0.04ns").unwrap();
    let script = export(&machine, Target::LogGopSim, &Defaults::default()).unwrap();
    assert_eq!(parsed(&script).gap_per_byte, MicrosPerByte(0.04e-3));
    assert!(script.contains("\nLogGOPSim -f SCHEDULE.bin -L 2500000 -o 1500000 -g 1000000 -G 40 "));
    assert!(script.contains("multiply the nanoseconds of each calc in the schedule by 1000"));
    assert!(!script.contains("-G 0"), "{script}");
    let warning =
        loggia_exchange::export::warning(&machine, Target::LogGopSim, Defaults::default());
    let warning = warning.unwrap().unwrap();
    assert!(
        script.contains(&warning) && warning.contains("1 MiB would be 5.5 µs instead of 47.44 µs"),
        "{warning}"
    );
}

#[test]
fn rounding_is_noted_with_a_line_in_picoseconds() {
    let mut machine = plain();
    machine.set("G", "200.1ns").unwrap();
    let script = export(&machine, Target::LogGopSim, &Defaults::default()).unwrap();
    assert_eq!(parsed(&script).gap_per_byte, MicrosPerByte(0.2));
    assert!(script.contains("# -G 200 is rounded from 200.1 ns"), "{script}");
    assert!(
        script.contains("# LogGOPSim -f SCHEDULE.bin -L 2500000 -o 1500000 -g 1000000 -G 200100 ")
    );
    machine.set("G", "5.4ns").unwrap();
    let script = export(&machine, Target::LogGopSim, &Defaults::default()).unwrap();
    assert_eq!(parsed(&script).gap_per_byte, MicrosPerByte(5.4e-3));
    machine.set("L", "3ms").unwrap();
    let script = export(&machine, Target::LogGopSim, &Defaults::default()).unwrap();
    assert_eq!(parsed(&script).latency, Micros(3e3));
    assert!(script.contains("in picoseconds, an option would exceed"), "{script}");
    machine.set("L", "3000000").unwrap();
    let error = export(&machine, Target::LogGopSim, &Defaults::default()).unwrap_err();
    assert!(error.message.contains("2147483647"), "{error}");
}

/// 2 × 426 ns + 1611 ns + 65,535 × 0.094 ns = 8.623 µs.
#[test]
fn simulated_times_are_those_of_the_printed_options() {
    let alps = library::load("alps").unwrap();
    let script = export(&alps, Target::LogGopSim, &Defaults::default()).unwrap();
    assert!(script.contains("\nLogGOPSim -f SCHEDULE.bin -L 1611000 -o 426000 "), "{script}");
    let note = "# message of 64 KiB: LogGOPSim: 8.623 µs; Loggia, interpolated: 16.12 µs\n";
    assert!(script.contains(note), "{script}");
    for machine in all() {
        for defaults in all_defaults(&machine) {
            let Ok(script) = export(&machine, Target::LogGopSim, &defaults) else { continue };
            let gap = route(&machine, &defaults).gap_per_byte().unwrap().value;
            assert!(gap.0 == 0.0 || parsed(&script).gap_per_byte.0 > 0.0, "{script}");
        }
    }
}

#[test]
fn a_hostile_title_stays_a_comment() {
    let mut machine = plain();
    machine.title = "x\nrm -rf /\r\n".to_owned();
    parsed(&export(&machine, Target::LogGopSim, &Defaults::default()).unwrap());
}
