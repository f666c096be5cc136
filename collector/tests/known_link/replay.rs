//! Is a program that was traced where nothing is far predicted where everything is?

use crate::judged::{Off, sooner_or_later};
use crate::lab::file::{finished, tier};
use crate::lab::link::{Link, gigabit};
use crate::lab::mpirun::{Library, Mpirun};
use crate::lab::running::{alone, loggia, run, skip};
use serde_json::Value;
use std::path::Path;

/// Rows of numbers as large as this go by a handshake, and computation is longer than their way.
const HALO: &str = "--size 64 --iterations 20 --bytes 200000 --compute 5000us --sleep";
/// In µs.
const FAR: u32 = 1000;

/// A program that overlaps, traced where nothing is far, is predicted where everything is: by
/// LogGPO, whose handshakes wait for calls; LogGP, by which they overlap, is off by more.
#[test]
fn a_trace_without_delay_predicts_the_run_with_one() {
    let Some(mpirun) = Mpirun::of(Library::OpenMpi) else { return };
    let example = Path::new(env!("CARGO_BIN_EXE_loggia")).with_file_name("examples/halo");
    if !example.exists() || std::env::var_os("LOGGIA_UNDER_TEST").is_some() {
        return skip("the examples are not built with this library");
    }
    let _alone = alone();
    let folder = tempfile::tempdir().unwrap();
    let traced = |link: &Link, name: &str| {
        let launcher = link.launcher(&mpirun, [1, 1], "");
        let mut command = loggia(folder.path(), &format!("trace --overwrite -o {name} --"));
        command.arg(launcher.get_program()).args(launcher.get_args());
        command.arg(&example).args(HALO.split(' '));
        command.envs(launcher.get_envs().filter_map(|(key, value)| Some((key, value?))));
        run(&mut command).good();
    };
    sooner_or_later(|| {
        {
            let Some(near) = Link::up(gigabit(0)) else { return Ok(String::new()) };
            traced(&near, "near");
        }
        let Some(far) = Link::up(gigabit(FAR)) else { return Ok(String::new()) };
        traced(&far, "far");
        let words = "collect --max-time 40s --only eager-limit,ping-pong,two-processor,flood,progress \
                     --style isend -o sig.json --overwrite";
        run(&mut far.mpirun(&mpirun, [1, 1], "", words)).good();
        let sig = far.folder().join("sig.json");
        let file = finished(&sig);
        let said = |name: &str, rules: &str| -> Value {
            let mut words = format!("replay {name} {} --json --rules {rules}", sig.display());
            // A few µs beside a millisecond are often too noisy to be told.
            for (symbol, place) in SMALL {
                if tier(&file, "network").pointer(place).is_none_or(|of| !is_known(of)) {
                    words += &format!(" --set {symbol}=5us");
                }
            }
            serde_json::from_str(&run(&mut loggia(folder.path(), &words)).good().out).unwrap()
        };
        let real = said("far", "loggpo")["measured_us"].as_f64().unwrap();
        let error =
            |rules: &str| said("near", rules)["predicted_us"].as_f64().unwrap() / real - 1.0;
        let [loggp, loggpo] = ["loggp", "loggpo"].map(error);
        let words = format!(
            "predicted from a trace without delay, {FAR} µs away: LogGPO {:+.1}%, LogGP {:+.1}%",
            100.0 * loggpo,
            100.0 * loggp
        );
        match loggpo.abs() <= 0.05 && loggp.abs() > loggpo.abs() {
            true => Ok(words),
            false => Err(Off::Wrong(words)),
        }
    });
}

/// Overheads, and where a signature has them.
const SMALL: [(&str, &str); 5] = [
    ("o_s", "/styles/0/send_overhead"),
    ("o_r", "/styles/0/recv_overhead"),
    ("O_control", "/progress/control_overhead"),
    ("O_i", "/progress/initiation"),
    ("O_c", "/progress/copy"),
];

/// Whether there is a number.
fn is_known(of: &Value) -> bool {
    let has_points = of["points"].as_array().is_some_and(|points| !points.is_empty());
    of["verdict"] != "unusable"
        && (of["value"].is_number() || has_points || of["fixed"].is_number())
}
