//! The example MPI programs: traced and untraced, they compute the same result. Their traces are
//! replayed.

use crate::lab::mpirun::{Mpirun, example, set_environment};
use crate::lab::running::{Run, loggia, run};
use serde_json::Value;
use std::process::Command;

/// Name, arguments of a short run, and number of ranks.
const EXAMPLES: [(&str, &str, u32); 5] = [
    ("halo", "--size 32 --iterations 30", 4),
    ("conjugate_gradient", "--size 256 --iterations 2", 4),
    ("wavefront", "--size 4 --iterations 2", 4),
    ("transpose", "--size 24 --iterations 4", 3),
    ("ring", "--size 24 --iterations 3", 3),
];

fn checksum(run: &Run) -> String {
    let rest = run.out.split_once("checksum ").unwrap().1;
    rest.lines().next().unwrap().trim().to_owned()
}

#[test]
fn traced_programs_compute_the_same_and_are_replayed() {
    let Some(mpirun) = Mpirun::here() else { return };
    for (name, arguments, ranks) in EXAMPLES {
        let Some(example) = example(name) else { return };
        let folder = tempfile::tempdir().unwrap();
        let launched = |mut command: Command| {
            command.args(["-n", &ranks.to_string()]).arg(&example);
            command.args(arguments.split(' ')).current_dir(folder.path());
            command.env("OMPI_MCA_rmaps_base_oversubscribe", "1");
            run(set_environment(&mut command)).good()
        };
        let plain = launched(Command::new(mpirun.program()));
        let mut tracing = loggia(folder.path(), "trace --");
        tracing.arg(mpirun.program());
        let traced = launched(tracing);
        assert_eq!(checksum(&plain), checksum(&traced), "{name}");

        for rules in ["logp", "loggp", "loggps", "loggpo"] {
            let machine = "cray-t3d --set g=1us --set S=1KiB --set O_control=2us --set O_i=5us \
                           --set O_c=5us --set progress=dependent --set transfer=rat";
            let arguments = format!("replay loggia-trace {machine} --rules {rules} --json");
            let replay = run(&mut loggia(folder.path(), &arguments)).good();
            let answer: Value = serde_json::from_str(&replay.out).unwrap();
            assert_eq!(answer["status"], "ok", "{name} by {rules}: {answer:#}");
            assert_eq!(answer["procs"], ranks);
            let [measured, predicted, error] =
                ["measured_us", "predicted_us", "error"].map(|key| answer[key].as_f64().unwrap());
            assert!((error - (predicted - measured) / measured).abs() < 1e-9, "{answer}");
            assert!(predicted > 0.0 && measured > 0.0, "{answer}");
        }
    }
}
