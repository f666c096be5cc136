//! `loggia validate`: a signature compared with new measurements of its machine.

use crate::lab::file::{finished, list};
use crate::lab::mpirun::Mpirun;
use crate::lab::running::{Run, alone, loggia, run};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

/// The checks of a validation in JSON. Each error must follow from its time.
#[track_caller]
fn checks(run: &Run) -> Vec<Value> {
    let answer: Value = serde_json::from_str(&run.out).unwrap();
    let checks = list(&answer["checks"]).to_vec();
    for check in &checks {
        let measured = check["measured_us"].as_f64().unwrap();
        assert!(measured > 0.0, "{check}");
        for (model, predicted) in check["predictions"].as_object().unwrap() {
            let time = predicted["time_us"].as_f64().unwrap();
            let error = predicted["error"].as_f64().unwrap();
            assert!((error - (time / measured - 1.0)).abs() < 1e-9, "{model}: {check}");
        }
    }
    let scored: usize =
        list(&answer["models"]).iter().map(|s| s["checks"].as_u64().unwrap() as usize).sum();
    let predicted = checks.iter().map(|check| check["predictions"].as_object().unwrap().len());
    assert_eq!(scored, predicted.sum::<usize>());
    checks
}

fn of_kind<'a>(checks: &'a [Value], kind: &str) -> Vec<&'a Value> {
    checks.iter().filter(|check| check["what"] == kind).collect()
}

/// A model's median error in these checks.
#[track_caller]
fn error(checks: &[&Value], model: &str) -> f64 {
    let each = checks.iter().map(|check| check["predictions"][model]["error"].as_f64().unwrap());
    let mut errors: Vec<f64> = each.map(f64::abs).collect();
    errors.sort_by(f64::total_cmp);
    errors[errors.len() / 2]
}

/// Signature for a synthetic machine: T(m, p) of three operations, all other numbers of Cray T3D.
fn write_truth(folder: &Path) {
    let shown = run(&mut loggia(folder, "show cray-t3d --json")).good();
    let mut truth: Value = serde_json::from_str(&shown.out).unwrap();
    let form = |value: f64, times: &str| json!({"terms": [{"value": value, "times": times}]});
    let operation = |op: &str, bytes_are: &str| {
        json!({
            "op": op, "bytes_are": bytes_are, "procs": {"low": 2, "high": 64},
            "startup": form(20.0, "log p"), "per_byte": form(0.02, "p"), "source": "made up",
        })
    };
    let mut reduce = operation("reduce", "vector");
    reduce["compute_per_byte"] = form(0.05, "log p");
    truth["collectives"] =
        json!([operation("bcast", "vector"), operation("alltoall", "per_pair"), reduce]);
    fs::write(folder.join("truth.json"), truth.to_string()).unwrap();
}

#[test]
fn the_fit_of_a_synthetic_machine_has_small_errors() {
    let folder = tempfile::tempdir().unwrap();
    write_truth(folder.path());
    let machine = "--transport synthetic --from truth.json --noise 2% --procs 8";
    let collect = format!("collect {machine} --quick -o sig.json");
    run(&mut loggia(folder.path(), &collect)).good();
    let validate = format!("validate sig.json {machine} --seed 5 --json");
    let checks = checks(&run(&mut loggia(folder.path(), &validate)).good());

    assert!(error(&of_kind(&checks, "ping-pong"), "loggp") < 0.05, "{checks:#?}");
    let collectives = of_kind(&checks, "collective");
    for op in ["bcast", "alltoall", "reduce"] {
        let selected: Vec<&Value> =
            collectives.iter().filter(|check| check["op"] == op).copied().collect();
        assert!(error(&selected, "xu-hwang") < 0.05, "{op}: {selected:#?}");
        // The checks use no fitted size, and one number of ranks that was not fitted.
        assert!(selected.iter().any(|check| check["procs"] == 6), "{op}: {selected:#?}");
        let file: Value =
            serde_json::from_slice(&fs::read(folder.path().join("sig.json")).unwrap()).unwrap();
        for check in &selected {
            let is_fitted = list(&file["samples"])
                .iter()
                .any(|samples| samples["op"] == op && samples["bytes"] == check["bytes"]);
            assert!(!is_fitted, "{op}: {} bytes were fitted", check["bytes"]);
        }
    }

    let text = run(&mut loggia(folder.path(), &format!("validate sig.json {machine}"))).good();
    for heading in ["network, ping-pong", "collective, bcast", "median error", "xu-hwang"] {
        assert!(text.out.contains(heading), "{heading}:\n{}", text.out);
    }
}

/// Two ranks that exchange messages.
const PAIRS: [&str; 3] = ["ping-pong", "sender-computes", "receiver-computes"];

/// The largest error of a model on a machine that follows this very signature without noise.
#[track_caller]
fn error_without_noise(
    folder: &Path,
    (name, settings): (&str, &[&str]),
    model: &str,
    kinds: &[&str],
) -> f64 {
    let set: String = settings.iter().map(|setting| format!(" --set {setting}")).collect();
    let shown = run(&mut loggia(folder, &format!("show {name} --json{set}"))).good();
    fs::write(folder.join("perfect.json"), shown.out).unwrap();
    let machine = "--transport synthetic --from perfect.json --noise 0% --outliers 0%";
    let validate = format!("validate perfect.json {machine} --json");
    let checks = checks(&run(&mut loggia(folder, &validate)).good());
    let errors = kinds.iter().flat_map(|kind| {
        let selected = of_kind(&checks, kind);
        assert!(!selected.is_empty(), "{name} {settings:?}: {kind}");
        selected.into_iter().map(|check| check["predictions"][model]["error"].as_f64().unwrap())
    });
    errors.map(f64::abs).fold(0.0, f64::max)
}

/// The barrier before an exchange is part of its time, whatever the overheads and the gap are.
#[test]
fn a_perfect_machine_is_predicted_without_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let own: &[&str] = &[];
    let short = ["L=10us", "o_s=2us", "o_r=3us", "G=5ns"];
    let sender_is_slow = ["L=10us", "o_s=3us", "o_r=1us", "G=5ns"];
    let with_gap = ["L=10us", "o_s=2us", "o_r=2us", "G=5ns", "g=4us", "EEL=14.035us"];
    for (name, settings) in [
        ("now-sparc", own),
        ("cray-t3d", own),
        ("cray-t3d", &short),
        ("cray-t3d", &sender_is_slow),
        ("cray-t3d", &with_gap),
    ] {
        let error = error_without_noise(folder.path(), (name, settings), "loggp", &PAIRS);
        assert!(error < 1e-3, "{name} {settings:?}: {error}");
    }
    let overlap = ["S=8KiB", "O_control=1us", "O_i=2us", "O_c=2us"];
    for progress in ["dependent", "independent"] {
        for transfer in ["rat", "rta"] {
            // A pull ends with an acknowledgement. It delays a round trip, but not the delivery
            // that LogGPO predicts.
            let first = usize::from(transfer == "rta");
            let progress = format!("progress={progress}");
            let transfer = format!("transfer={transfer}");
            let settings = [&with_gap[..], &overlap, &[&progress, &transfer]].concat();
            let machine = ("cray-t3d", &settings[..]);
            let error = error_without_noise(folder.path(), machine, "loggpo", &PAIRS[first..]);
            assert!(error < 1e-3, "{settings:?}: {error}");
        }
    }
}

mod mpi {
    use super::*;

    /// Each prediction equals that of `loggia predict`, even on a busy machine.
    #[test]
    fn pairs_and_collectives_are_compared() {
        let Some(mpirun) = Mpirun::here() else { return };
        let folder = tempfile::tempdir().unwrap();
        let _alone = alone();
        let collect = "collect --quick --max-time 2s -o sig.json";
        run(&mut mpirun.on_own_processors(folder.path(), 2, collect)).good();
        let file = finished(&folder.path().join("sig.json"));
        let validate = "validate sig.json --json --max-time 1s";
        let validated = run(&mut mpirun.on_own_processors(folder.path(), 2, validate))
            .exited(0, &["! node: the time limit left out "]);
        let checks = checks(&validated);
        let predict = |arguments: &str| {
            let arguments = format!("predict {arguments} --json");
            let answer: Value =
                serde_json::from_str(&run(&mut loggia(folder.path(), &arguments)).out).unwrap();
            answer["time_us"].clone()
        };
        for kind in ["ping-pong", "sender-computes", "receiver-computes", "collective"] {
            let selected = of_kind(&checks, kind);
            // On a busy machine, no form may have been fitted; then none is compared.
            let has_forms = file["collectives"].as_array().is_some_and(|all| !all.is_empty());
            assert_eq!(
                selected.is_empty(),
                kind == "collective" && !has_forms,
                "{kind}: {checks:#?}"
            );
            let Some(check) = selected.last() else { continue };
            let bytes = &check["bytes"];
            for (model, predicted) in check["predictions"].as_object().unwrap() {
                let expected = match kind {
                    "ping-pong" => {
                        predict(&format!("p2p sig.json --model {model} --bytes {bytes}"))
                    }
                    "collective" => {
                        let op = check["op"].as_str().unwrap();
                        let form = "--algorithm closed-form --procs 2";
                        predict(&format!("collective sig.json --op {op} {form} --bytes {bytes}"))
                    }
                    _ => continue,
                };
                assert_eq!(predicted["time_us"], expected, "{model}: {check}");
            }
        }
    }
}
