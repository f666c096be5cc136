//! Every closed form that is marked exact agrees with the simulation of its algorithm.
#![allow(clippy::unwrap_used, reason = "tests")]

use loggia_model::library;
use loggia_model::model::Route;
use loggia_model::placement::Nodes;
use loggia_model::signature::{Operation, Signature};
use loggia_model::simulation_model::SimulationModel;
use loggia_model::units::{Bytes, MicrosPerByte, Procs};
use loggia_simulate::collective::{Shape, algorithms};
use loggia_simulate::loggp_costs::{LogGpCosts, operator_time};
use loggia_simulate::{RunSetting, Simulation};

struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695);
        (self.0 >> 33) % end
    }

    fn of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len() as u64) as usize]
    }
}

/// A machine with overheads that depend on the size, and g below or above them.
fn machine(random: &mut Random) -> Signature {
    let mut machine = library::load("cray-t3d").unwrap();
    let time = |random: &mut Random, below| format!("{}ns", random.below(below));
    let curve = |random: &mut Random| {
        let [a, b] = [random.below(4000), random.below(9000)];
        format!("8:{}ns,10000:{}ns", a.min(b), a.max(b))
    };
    let gap_below = random.of(&[1, 500, 20_000]);
    let per_byte = random.of(&["0", "0.006", "0.0137"]);
    let set = [
        ("L", time(random, 9000)),
        ("o_s", curve(random)),
        ("o_r", curve(random)),
        ("g", time(random, gap_below)),
        ("G", per_byte.to_owned()),
    ];
    for (key, value) in set {
        machine.set(key, &value).unwrap();
    }
    machine
}

fn compare(random: &mut Random, procs: u32) -> (u32, u32) {
    let (mut exact, mut estimates) = (0, 0);
    let machine = machine(random);
    let route = Route::of(&machine, None, None).unwrap();
    let setting = RunSetting::of(&machine, None, None, None).unwrap();
    let per_byte = MicrosPerByte(random.of(&[0.0, 0.0, 0.011]));
    let costs = LogGpCosts::new(route, per_byte).unwrap();
    let nodes = match random.below(3) {
        0 => Nodes::block(procs, 1 + random.below(6) as u32),
        1 => Nodes::cyclic(procs, 1 + random.below(6) as u32),
        _ => Nodes::block(procs, 4),
    };
    let nodes = nodes.unwrap();
    for op in Operation::ALL {
        for algorithm in algorithms(op) {
            let bytes = random.of(&[0, 1, 7, 8, 1000, 4096, 65_536]);
            let shape = Shape::new(Procs(procs), Bytes(bytes))
                .segment(Bytes(random.of(&[1000, 8192])))
                .nodes(&nodes);
            let form = algorithm.form(&shape, &costs).unwrap();
            let terms: u64 = form.terms.iter().map(|term| term.time).sum();
            assert_eq!(terms, form.time, "{op:?} {}", algorithm.name);
            let schedule = algorithm.schedule(&shape, &|k| operator_time(per_byte, k)).unwrap();
            let run = Simulation::new(&schedule, SimulationModel::LogGp, &setting).unwrap().run();
            assert!(run.left.is_empty());
            if form.exact {
                exact += 1;
                assert_eq!(
                    run.end(),
                    form.time,
                    "{} {}: p = {procs}, {bytes} bytes, {machine:?}",
                    op.name(),
                    algorithm.name
                );
            } else {
                estimates += 1;
            }
        }
    }
    (exact, estimates)
}

#[test]
fn closed_forms_agree_with_simulations() {
    let mut random = Random(77);
    let (mut exact, mut estimates) = (0, 0);
    // Fewer rounds in the wasm interpreter.
    let rounds = if cfg!(target_arch = "wasm32") { 1 } else { 4 };
    for round in 0..rounds {
        for procs in (1..=33).chain([48, 64, 100]) {
            if rounds == 1 && procs % 5 != round {
                continue;
            }
            let (more, fewer) = compare(&mut random, procs);
            exact += more;
            estimates += fewer;
        }
    }
    println!("{exact} exact, {estimates} estimates");
    assert!(exact > 3 * estimates);
}

/// At least half of the forms are exact for all p, m and parameters.
#[test]
fn most_forms_are_always_exact() {
    let all: Vec<_> = Operation::ALL.iter().flat_map(|op| algorithms(*op)).collect();
    let machine = library::load("cray-t3d").unwrap();
    let costs = LogGpCosts::new(Route::of(&machine, None, None).unwrap(), MicrosPerByte(0.0));
    let costs = costs.unwrap();
    let nodes = Nodes::block(7, 3).unwrap();
    let always = all.iter().filter(|algorithm| {
        let shape = Shape::new(Procs(7), Bytes(10)).nodes(&nodes);
        algorithm.form(&shape, &costs).unwrap().range.starts_with("any p")
    });
    let always = always.count();
    println!("{always} of {}", all.len());
    assert!(2 * always >= all.len() && all.len() >= 36);
}
