//! The view of collective operations.

use crate::browser::{Page, Scheme};
use crate::{address_of, link, loggia, quantity, visit_t3d, wait};
use serde_json::{Value, json};

/// Opens the view of collective operations in this state.
async fn open(page: &Page, sig: &str, set: &[&str]) {
    page.open(&link(sig, "collectives", set)).await;
    page.find("#collectives .answered").await;
}

/// JSON output of the command; each element of `set` becomes an option.
fn command(verb: &[&str], sig: &str, set: &[&str], more: &[&str]) -> Value {
    let options: Vec<String> = set.iter().map(|pair| format!("--{pair}")).collect();
    let mut arguments = verb.to_vec();
    arguments.extend([sig, "--json"]);
    arguments.extend(options.iter().map(String::as_str));
    arguments.extend(more);
    let answer = loggia(&arguments);
    assert_eq!(answer["error"], Value::Null, "{sig} {set:?}");
    answer
}

/// A number as in the page: JSON distinguishes 6 from 6.0.
fn number(value: &Value) -> Value {
    value.as_f64().map_or(value.clone(), |number| json!(number))
}

const PREDICTIONS: [(&str, &[&str]); 14] = [
    ("cray-t3d", &["op=bcast", "procs=64", "bytes=4096", "algorithm=binomial"]),
    ("cray-t3d", &["op=bcast", "procs=24", "bytes=1M", "algorithm=pipelined-chain"]),
    ("cray-t3d", &["op=alltoall", "procs=64", "bytes=512", "algorithm=best"]),
    ("cray-t3d", &["op=allreduce", "procs=33", "bytes=777", "algorithm=best"]),
    ("cray-t3d", &["op=barrier", "procs=12", "bytes=0", "algorithm=dissemination"]),
    ("cray-t3d", &["op=reduce", "procs=16", "bytes=100", "algorithm=rabenseifner"]),
    ("now-sparc", &["op=allgather", "procs=7", "bytes=3KiB", "algorithm=bruck"]),
    ("now-sparc", &["op=reduce_scatter", "procs=8", "bytes=64KiB", "algorithm=best"]),
    (
        "convex-exemplar",
        &["op=allreduce", "procs=16", "bytes=4KiB", "nodes=block:8", "algorithm=best"],
    ),
    (
        "convex-exemplar",
        &["op=bcast", "procs=16", "bytes=64", "nodes=block:4", "algorithm=two-level"],
    ),
    ("ap3000-mpi", &["op=allgather", "procs=8", "bytes=64", "algorithm=gather+bcast"]),
    ("ap3000-mpi", &["op=reduce_scatter", "procs=2", "bytes=480000", "algorithm=best"]),
    ("ibm-sp2", &["op=scatter", "procs=16", "bytes=64KiB", "algorithm=best"]),
    ("intel-paragon", &["op=gather", "procs=32", "bytes=1KiB", "algorithm=closed-form"]),
];

#[test]
fn every_algorithm_has_the_numbers_of_the_command() {
    const KEYS: [&str; 7] =
        ["time_us", "low_us", "high_us", "startup_us", "transmission_us", "compute_us", "formula"];
    visit_t3d(async |page| {
        for (sig, set) in PREDICTIONS {
            let answer = command(&["predict", "collective"], sig, set, &[]);
            open(page, sig, set).await;
            for key in KEYS {
                let path = format!("predict.collective.{key}");
                let shown = format!("!!document.querySelector(\"[data-quantity='{path}']\")");
                let is_required = matches!(key, "time_us" | "startup_us" | "formula");
                if is_required || page.evaluate(&shown).await == json!(true) {
                    let expected = number(&answer[key]);
                    assert_eq!(quantity(page, &path).await, expected, "{sig} {set:?} {key}");
                }
            }
            if answer["algorithm"] != "closed-form" {
                let name = quantity(page, "predict.collective.algorithm").await;
                assert_eq!(name, answer["algorithm"], "{sig} {set:?}");
            }
        }
    });
}

#[test]
fn compositions_and_metrics_equal_those_of_the_command() {
    visit_t3d(async |page| {
        for set in [
            ["op=allgather", "procs=8", "bytes=64"],
            ["op=reduce_scatter", "procs=4", "bytes=480000"],
        ] {
            let answer = command(&["choose"], "ap3000-mpi", &set, &[]);
            open(page, "ap3000-mpi", &set).await;
            let ranking = answer["ranking"].as_array().expect("a ranking");
            for (i, method) in ranking.iter().enumerate() {
                for key in ["time_us", "ratio"] {
                    let path = format!("choose.ranking.{i}.{key}");
                    assert_eq!(quantity(page, &path).await, number(&method[key]), "{set:?} {path}");
                }
            }
            for over in ["bytes", "procs"] {
                let all = answer[format!("crossovers_{over}")].as_array().expect("crossovers");
                for (i, crossover) in all.iter().enumerate() {
                    let path = format!("choose.crossovers_{over}.{i}.at");
                    assert_eq!(quantity(page, &path).await, number(&crossover["at"]), "{path}");
                    let to = crossover["to"].as_str().expect("a name");
                    let to = if to == "closed-form" { "closed form" } else { to };
                    page.evaluate("document.querySelector('#choose').open = true").await;
                    assert!(
                        page.text("#choose").await.contains(&format!("on, {to} is faster than"))
                    );
                }
            }
        }
        for (sig, op) in [("cray-t3d", "alltoall"), ("ap3000-aplib", "bcast")] {
            let set = [format!("op={op}"), "procs=12".to_owned()];
            let set = set.each_ref().map(String::as_str);
            let answer = command(&["metrics"], sig, &set, &[]);
            open(page, sig, &set).await;
            for key in [
                "aggregated_bandwidth_bytes_per_us",
                "peak_aggregated_bandwidth_bytes_per_us",
                "half_length_bytes",
            ] {
                let path = format!("metrics.{key}");
                assert_eq!(quantity(page, &path).await, number(&answer[key]), "{sig} {key}");
            }
        }
    });
}

#[test]
fn a_run_and_its_sensitivities_equal_those_of_the_command() {
    visit_t3d(async |page| {
        for (sig, set) in [
            ("cray-t3d", &["op=bcast", "procs=16", "bytes=512", "algorithm=binomial"][..]),
            ("now-sparc", &["op=allreduce", "procs=8", "bytes=8KiB", "algorithm=ring"]),
            (
                "convex-exemplar",
                &["op=reduce", "procs=16", "bytes=1KiB", "algorithm=two-level", "nodes=block:8"],
            ),
        ] {
            let more = ["--sensitivity", "--critical-path"];
            let answer = command(&["simulate"], sig, set, &more);
            open(page, sig, set).await;
            page.find("#run .spacetime svg").await;
            for key in ["time_us", "d_latency", "d_overhead", "d_gap", "d_gap_per_byte"] {
                let path = format!("simulate.{key}");
                assert_eq!(
                    quantity(page, &path).await,
                    number(&answer[key]),
                    "{sig} {set:?} {key}"
                );
            }
            let terms = answer["critical_path"]["terms"].as_array().expect("terms");
            for (i, term) in terms.iter().enumerate() {
                let path = format!("simulate.critical_path.terms.{i}.time_us");
                assert_eq!(quantity(page, &path).await, number(&term["time_us"]), "{sig} {path}");
            }
            let critical =
                page.evaluate("document.querySelectorAll('#run rect.critical').length").await;
            let steps = answer["critical_path"]["steps"].as_array().expect("steps");
            assert_eq!(critical, json!(steps.len()), "{sig}");
        }
    });
}

/// Columns are sizes 1, 2, 3, 4, 6, 8, 12 …; rows are numbers of ranks, from above 1024, 768, 512 …
#[test]
fn the_map_has_the_colour_of_the_fastest_algorithm() {
    visit_t3d(async |page| {
        for (sig, op) in [("convex-exemplar", "allreduce"), ("cray-t3d", "bcast")] {
            open(page, sig, &[&format!("op={op}"), "procs=16"]).await;
            wait(page, "document.querySelector('.heat canvas')?.dataset.whole == 'true'").await;
            // Read once: browsers warn of repeated reads of a canvas.
            let read = "window.pixels = document.querySelector('.heat canvas').getContext('2d')\
                        .getImageData(0, 0, 49, 19).data, window.pixels.length";
            assert_eq!(page.evaluate(&format!("({read})")).await, json!(4 * 49 * 19));
            for (bytes, procs) in [(3_u32, 2_u32), (14, 5), (23, 6)] {
                let set = [
                    format!("op={op}"),
                    format!("bytes={}", 1 << bytes),
                    format!("procs={}", 1 << procs),
                    "algorithm=best".to_owned(),
                ];
                let set = set.each_ref().map(String::as_str);
                let best = command(&["predict", "collective"], sig, &set, &[]);
                let (column, row) = (2 * bytes - 1, 18 - 2 * (procs - 1));
                let first = 4 * (row * 49 + column);
                let colour =
                    format!("'rgb(' + [...pixels.slice({first}, {first} + 3)].join(', ') + ')'");
                let name = best["algorithm"].as_str().expect("a name");
                let legend = format!(
                    "getComputedStyle(document.querySelector(\
                     '.heat-legend [data-algorithm=\"{name}\"] .swatch > *')).fill"
                );
                assert_eq!(
                    page.evaluate(&colour).await,
                    page.evaluate(&legend).await,
                    "{sig} {set:?}"
                );
            }
        }
        // A click in the middle of the map selects that size and number of ranks.
        let place = "document.querySelector('.heat-area').getBoundingClientRect()";
        page.evaluate("document.querySelector('.heat-area').scrollIntoView({block: 'center'})")
            .await;
        let x = page.evaluate(&format!("{place}.left + {place}.width / 2")).await;
        let y = page.evaluate(&format!("{place}.top + {place}.height / 2")).await;
        let event = json!({"type": "mousePressed", "x": x, "y": y, "button": "left", "buttons": 1,
                           "clickCount": 1});
        page.devtools("Input.dispatchMouseEvent", event).await;
        address_of(page, "procs", &json!(48)).await;
        address_of(page, "bytes", &json!(4096)).await;
    });
}

/// Hwang, Wang & Wang 1997, Section 6: the SP2 is faster than the Paragon on 4 nodes, slower on 8.
#[test]
fn two_machines_swap_ranks() {
    visit_t3d(async |page| {
        for (procs, first) in [(4, "ibm-sp2"), (8, "intel-paragon")] {
            let procs = format!("procs={procs}");
            open(page, "ibm-sp2", &["op=scatter", "bytes=64KiB", &procs, "machines=yes"]).await;
            page.find(".machines-by-time").await;
            let rows = "[...document.querySelectorAll('.machines-by-time [data-machine]')]\
                        .map(row => row.dataset.machine)\
                        .filter(name => ['ibm-sp2', 'intel-paragon'].includes(name))[0]";
            assert_eq!(page.evaluate(rows).await, json!(first), "{procs}");
            for sig in ["ibm-sp2", "intel-paragon"] {
                let answer = command(
                    &["predict", "collective"],
                    sig,
                    &["op=scatter", "bytes=64KiB", &procs],
                    &[],
                );
                let path = format!("compare.collectives.{sig}.time_us");
                assert_eq!(
                    quantity(page, &path).await,
                    number(&answer["time_us"]),
                    "{sig} {procs}"
                );
            }
        }
    });
}

#[test]
fn an_unknown_time_gives_its_reason() {
    visit_t3d(async |page| {
        open(page, "grid5000-dahu", &["op=bcast", "procs=8", "bytes=64"]).await;
        let error = loggia(&[
            "predict",
            "collective",
            "grid5000-dahu",
            "--op",
            "bcast",
            "--procs",
            "8",
            "--bytes",
            "64",
            "--algorithm",
            "best",
            "--json",
        ]);
        let message = error["error"]["message"].as_str().expect("a message");
        assert!(page.text("#collectives").await.contains(message), "{message}");
        open(page, "cray-t3d", &["op=bcast", "procs=8", "bytes=64", "algorithm=zzz"]).await;
        assert!(page.text("#collectives").await.contains("zzz"));
    });
}

/// No content is wider than the window, at every width, light and dark; saves screenshots.
#[test]
fn the_view_fits_every_window() {
    visit_t3d(async |page| {
        for (sig, set) in [
            ("cray-t3d", &["op=bcast", "bytes=4KiB", "beside=binomial,chain", "over=bytes"][..]),
            ("convex-exemplar", &["op=allreduce", "procs=16", "nodes=block:8", "bandwidth=yes"]),
            ("ap3000-mpi", &["op=allgather", "procs=8", "machines=yes"]),
        ] {
            open(page, sig, set).await;
            for (width, height) in [(360, 5200), (1280, 3600), (2560, 3000)] {
                page.resize(width, height).await;
                page.drawn().await;
                let excess =
                    page.evaluate("document.documentElement.scrollWidth - innerWidth").await;
                assert!(excess.as_i64() <= Some(0), "{sig} at {width}: {excess} too wide");
                for scheme in [Scheme::Light, Scheme::Dark] {
                    page.scheme(scheme).await;
                    page.drawn().await;
                    let name = format!("collectives-{sig}-{width}-{scheme:?}").to_lowercase();
                    page.screenshot(&name).await;
                }
            }
        }
    });
}
