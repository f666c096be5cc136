//! Numbers of the papers, from the built command: each expected number names its table.

use crate::run::{loggia, number, run_json};

fn close(actual: f64, expected: f64, tolerance: f64) {
    assert!((actual - expected).abs() <= tolerance, "{actual}, expected {expected}");
}

#[test]
fn the_built_in_machines_are_listed() {
    let list = run_json("list");
    let names: Vec<&str> =
        list.as_array().unwrap().iter().map(|entry| entry["name"].as_str().unwrap()).collect();
    assert!(names.len() >= 24, "{names:?}");
    // The machines of the papers are last, in the papers' order.
    assert_eq!(
        names[names.len() - 10..],
        [
            "cray-t3d",
            "now-sparc",
            "convex-exemplar",
            "ibm-sp2",
            "intel-paragon",
            "ap3000-mpi",
            "ap3000-pvm",
            "ap3000-aplib",
            "quadrics-shmem",
            "myrinet-gm"
        ]
    );
    for entry in list.as_array().unwrap() {
        assert!(!entry["title"].as_str().unwrap().is_empty());
        assert!(!entry["source"].as_str().unwrap().is_empty());
        assert!(entry["year"].as_u64().is_some_and(|year| (1993..=2026).contains(&year)));
        assert!(!entry["network"].as_str().unwrap().is_empty());
    }
    let today = |entry: &&serde_json::Value| entry["group"] != "papers";
    assert!(list.as_array().unwrap().iter().filter(today).count() >= 14);
}

#[test]
fn the_list_is_searched_by_words() {
    let found = run_json("list hpc aries");
    let names: Vec<&serde_json::Value> =
        found.as_array().unwrap().iter().map(|entry| &entry["name"]).collect();
    assert_eq!(names, ["piz-daint", "piz-daint-calibrated", "trinitite"]);
    let text = loggia("list hpc aries").out;
    assert!(text.starts_with("Today: HPC\n") && !text.contains("cray-t3d"), "{text}");
    let none = loggia("list moon");
    assert_eq!(none.code, 2);
    assert!(none.err.contains("moon"), "{}", none.err);
}

/// The percentiles of a small message are below the parameters, with their source.
#[test]
fn percentiles_of_a_small_message_are_shown() {
    let text = loggia("show alps").out;
    let row = |name: &str| {
        let label = format!("RTT/2, {name} ");
        let row = text.lines().find_map(|line| line.strip_prefix(&label));
        let row = row.unwrap_or_else(|| panic!("no {name}: {text}"));
        let cells: Vec<&str> = row.split_whitespace().take(3).collect();
        assert!(row.contains("a small message: latency samples"), "{row}");
        cells.join(" ")
    };
    assert_eq!(row("median"), "2.47 µs —");
    assert_eq!(row("95th percentile"), "2.88 µs —");
    assert_eq!(row("99th percentile"), "48.5 µs —");
    assert!(!loggia("show cray-t3d").out.contains("percentile"), "unknown there");
}

/// A new machine: given values are assumed, other values are unknown.
#[test]
fn a_machine_is_made_from_a_few_numbers() {
    let made = run_json("new our-cluster --L 2us --o 0.3us --G 0.08ns --source sheet");
    assert_eq!(made["name"], "our-cluster");
    assert_eq!(made["origin"], serde_json::json!({"kind": "assumption", "from": "sheet"}));
    let tier = &made["tiers"][0];
    close(number(&tier["latency"], "value"), 2.0, 0.0);
    assert!(tier.get("gap").is_none() && made.get("collectives").is_none());

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.json").display().to_string();
    let arguments =
        format!("new mine --L 2us --o_s 0.2us --o_r 400ns --g 1us --G 0.08ns --S 8KiB -o {path}");
    let run = loggia(&arguments);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("is written"), "{}", run.out);
    let answer = run_json(&format!("predict p2p {path} --bytes 1001 --model loggp"));
    // o_s + L + o_r + 1000 G
    close(number(&answer, "time_us"), 0.2 + 2.0 + 0.4 + 0.08, 1e-9);
    assert_eq!(loggia(&arguments).code, 2, "the file is not replaced");
    for (arguments, place) in [
        ("new mine", "--L"),
        ("new mine --L -3us", "--L"),
        ("new Mine! --L 1us", "NAME"),
        ("new mine --L 1us --set Q=3", "--set"),
    ] {
        let run = loggia(&format!("{arguments} --json"));
        let report: serde_json::Value = serde_json::from_str(&run.out).unwrap();
        let actual = report["error"]["where"].as_str().unwrap_or_default();
        assert!(run.code == 2 && actual.contains(place), "{arguments}: {actual}");
    }
}

/// Percentiles of small messages, and the probability that a collective operation exceeds the 99th.
#[test]
fn noise_is_reported_with_its_number_of_messages() {
    let message = run_json("predict p2p alps --bytes 8");
    close(number(&message["noise"], "percentile_99"), 48.5, 0.0);
    assert!(loggia("predict p2p alps --bytes 8").out.contains("99th percentile 48.5 µs"));
    assert!(run_json("predict p2p cray-t3d --bytes 8").get("noise").is_none());
    let arguments = "predict collective alps --op bcast --algorithm binomial --procs 64 --bytes 8";
    let tail = &run_json(arguments)["tail"];
    assert_eq!(tail["messages"], 63);
    close(number(tail, "probability"), 1.0 - 0.99f64.powi(63), 1e-12);
    assert!(loggia(arguments).out.contains("1 − 0.99^63"));
}

/// Hwang, Wang & Wang 1997, Section 8: total exchange of 512 bytes on 64 nodes of the T3D, 2.86 ms.
#[test]
fn total_exchange_on_the_t3d() {
    let answer = run_json("predict collective cray-t3d --op alltoall --procs 64 --bytes 512");
    close(number(&answer, "time_us"), 2856.3, 0.05);
    close(number(&answer, "startup_us"), 1672.6, 1e-9);
    close(number(&answer, "transmission_us"), 2.312 * 512.0, 1e-9);
    close(number(&answer, "compute_us"), 0.0, 0.0);
    assert_eq!(answer["bytes_are"], "per_pair");
    close(number(&answer, "aggregated_message_bytes"), 512.0 * 64.0 * 63.0, 0.0);
    assert_eq!(answer["algorithm"], "closed-form");
    let text = loggia("predict collective cray-t3d --op total-exchange --procs 64 --bytes 512").out;
    assert!(text.contains("2.856 ms"), "{text}");
    assert!(text.contains("(26 p + 8.6) + (0.038 p − 0.12) m"), "{text}");
}

/// Hwang, Wang & Wang 1997, Section 8 (it prints 1.745, 0.818 and 0.879 GB/s; its Table 3 gives
/// these).
#[test]
fn aggregated_bandwidth_of_total_exchange() {
    for (name, expected) in [("cray-t3d", 1744.0), ("ibm-sp2", 813.0), ("intel-paragon", 882.0)] {
        let answer = run_json(&format!("metrics {name} --op alltoall --procs 64"));
        close(number(&answer, "aggregated_bandwidth_bytes_per_us"), expected, 0.5);
    }
}

/// Hwang, Wang & Wang 1997, Section 4: broadcast on 64 nodes of the T3D starts in 150 µs.
#[test]
fn broadcast_startup_on_the_t3d() {
    let answer = run_json("predict collective cray-t3d --op bcast --procs 64 --bytes 0");
    close(number(&answer, "startup_us"), 150.0, 1e-9);
}

/// Touriño & Doallo 2001, Table 5, p = 2.
#[test]
fn the_case_study_on_the_ap3000() {
    let time = |arguments: &str| {
        number(&run_json(&format!("predict collective ap3000-mpi {arguments}")), "time_us")
    };
    close(time("--op reduce_scatter --procs 2 --bytes 480000"), 24414.0, 0.5);
    close(time("--op reduce+scatter --procs 2 --bytes 480000"), 20927.0, 0.5);
    let composed = "--algorithm reduce+scatter";
    close(time(&format!("--op reduce_scatter --procs 2 --bytes 480000 {composed}")), 20927.0, 0.5);
    close(time("--op reduce_scatter --procs 2 --bytes 480000 --algorithm best"), 20927.0, 0.5);
    close(time("--op allgather --procs 2 --bytes 16"), 166.43, 0.005);
    close(time("--op gather+bcast --procs 2 --bytes 16"), 164.54, 0.005);

    let choice = run_json("choose ap3000-mpi --op reduce_scatter --procs 2 --bytes 480000");
    assert_eq!(choice["best"], "reduce+scatter");
    assert_eq!(choice["ranking"][0]["name"], "reduce+scatter");
    assert_eq!(choice["ranking"][1]["name"], "closed-form");
    close(number(&choice["ranking"][1], "time_us"), 24414.0, 0.5);
    let choice = run_json("choose ap3000-mpi --op allgather --procs 8 --bytes 64");
    assert_eq!(choice["crossovers_bytes"][0]["to"], "closed-form");
}

/// Touriño & Doallo 2001, Table 1: Send.
#[test]
fn metrics_of_send_on_the_ap3000() {
    let answer = run_json("metrics ap3000-mpi --style send");
    let mebi = number(&answer, "asymptotic_bandwidth_bytes_per_us") * 1e6 / 1048576.0;
    close(mebi, 58.87, 0.005);
    let kibi = number(&answer, "specific_performance_bytes_per_us") * 1e6 / 1024.0;
    close(kibi, 14.15, 0.005);
    assert_eq!(answer["half_length_bytes"], 4260);
    let text = loggia("metrics ap3000-mpi").out;
    for printed in ["58.87 MiB/s", "14.15 KiB/s", "4260 bytes"] {
        assert!(text.contains(printed), "{text}");
    }
}

/// Touriño & Doallo 2001, Table 2: broadcast.
#[test]
fn metrics_of_broadcast_on_the_ap3000() {
    let answer = run_json("metrics ap3000-mpi --op bcast");
    close(number(&answer, "peak_aggregated_bandwidth_bytes_per_us"), 189.41, 0.005);
    close(number(&answer, "peak_specific_performance_bytes_per_us"), 0.04447, 0.000_005);
    assert_eq!(answer["peak_aggregated_bandwidth_procs"], 12);
    assert_eq!(answer["peak_specific_performance_procs"], 12);
    for (name, half) in [("ap3000-mpi", 4260), ("ap3000-pvm", 2000), ("ap3000-aplib", 2346)] {
        let answer = run_json(&format!("metrics {name} --op bcast"));
        assert_eq!(answer["min_half_length_bytes"], half, "{name}");
    }
    let text = loggia("metrics ap3000-mpi --op bcast").out;
    assert!(text.contains("180.63 MiB/s") && text.contains("43.43 KiB/s"), "{text}");
}

/// Al-Tawil & Moritz 2001, Table 3: o_s + L + o_r + (k−1)G with interpolated overheads.
#[test]
fn loggp_delivery_on_the_t3d_shows_every_term() {
    let answer = run_json("predict p2p cray-t3d --bytes 5008 --style issend --model loggp");
    close(number(&answer, "time_us"), 62.0 + 3.1 + 47.5 + 5007.0 * 0.04, 1e-9);
    assert_eq!(answer["model"], "loggp");
    let terms: Vec<(&str, f64, f64)> = answer["terms"]
        .as_array()
        .unwrap()
        .iter()
        .map(|t| (t["symbol"].as_str().unwrap(), number(t, "count"), number(t, "value_us")))
        .collect();
    assert_eq!(
        terms,
        [("o_s", 1.0, 62.0), ("L", 1.0, 3.1), ("o_r", 1.0, 47.5), ("G", 5007.0, 0.04)]
    );
    assert!(answer["sources"]["o_s"].as_str().unwrap().contains("Table 3"));
    assert!(answer["formula"].as_str().unwrap().starts_with("o_s + L + o_r + (k−1)G = 62 + 3.1"));
}

/// Al-Tawil & Moritz 2001, Table 4 and Equations 8 and 9.
#[test]
fn both_tiers_of_the_convex() {
    let answer = run_json("predict p2p convex-exemplar --bytes 10000");
    assert_eq!(answer["model"], "logh");
    close(number(&answer, "time_us"), 400.0 + 7.0 + 9999.0 * 0.05, 1e-9);
    close(number(&answer, "low_us"), 400.0 + 4.0 + 9999.0 * 0.05, 1e-9);
    close(number(&answer, "high_us"), 400.0 + 10.0 + 9999.0 * 0.05, 1e-9);
    assert_eq!(answer["bounded_by"], serde_json::json!(["L"]));
    let inside = run_json("predict p2p convex-exemplar --bytes 10000 --tier intra-hypernode");
    close(number(&inside, "time_us"), 40.0 + 9999.0 * 0.01, 1e-9);
}

/// Al-Tawil & Moritz 2001, Equations 1–7.
#[test]
fn protocols_on_the_t3d() {
    let (o_s, l, o_r, g) = (30.0, 3.1, 15.0, 15.0 * 0.04);
    for (protocol, sender, delivery) in [
        ("t", o_s, o_s + l + o_r),
        ("ta", 2.0 * (o_s + l + o_r), 2.0 * (o_s + l + o_r)),
        ("rta", 2.0 * o_s + 3.0 * l + 2.0 * o_r + g, 2.0 * o_s + 2.0 * l + o_r + g),
        ("rat", 4.0 * o_s + 3.0 * l + 2.0 * o_r + g, 4.0 * o_s + 4.0 * l + 3.0 * o_r + g),
    ] {
        let answer =
            run_json(&format!("predict protocol cray-t3d --protocol {protocol} --bytes 16"));
        close(number(&answer, "sender_us"), sender, 1e-9);
        close(number(&answer, "delivery_us"), delivery, 1e-9);
    }
}

/// Bell et al. 2003, Section 5.2.
#[test]
fn overlap_potential() {
    for (name, expected) in [("myrinet-gm", 7.8), ("quadrics-shmem", 1.3)] {
        close(
            number(&run_json(&format!("metrics {name}")), "overlap_potential_us"),
            expected,
            1e-12,
        );
    }
    let negative = run_json("metrics quadrics-shmem --set o_r=2us");
    assert!(number(&negative, "overlap_potential_both_sides_us") < 0.0);
    assert!(negative["warnings"][0].as_str().unwrap().contains("contradicts LogP"));
}

/// Chen et al. 2009, Section 2.2.2, first case, as printed: T_r after the request.
#[test]
fn loggpo_overheads() {
    let assumed = "--set S=4KiB --set O_control=2us --set O_i=5us --set O_c=7us --set L=10us \
                   --set G=1ns --set progress=dependent --set transfer=rat";
    let answer = run_json(&format!(
        "predict overlap cray-t3d --bytes 100001 --recv-at 50us --send-compute 18us \
         --recv-compute 1ms {assumed}"
    ));
    // T_sw = 20: O_sw = (T_r − T_sw) + 2O' + L + O_i + G(K−1)
    close(number(&answer, "send_wait_us"), 30.0 + 4.0 + 10.0 + 5.0 + 100.0, 1e-9);
    close(number(&answer, "recv_overhead_us"), 4.0, 1e-9);
    close(number(&answer["as_printed"], "send_wait_us"), 149.0, 1e-9);
    close(number(&answer, "send_overlap_ratio"), 18.0 / (18.0 + 151.0), 1e-12);
}

#[test]
fn a_file_gives_the_same_answer_as_a_name() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mine.json");
    let shown = loggia("show cray-t3d --set L=5us --json");
    std::fs::write(&file, &shown.out).unwrap();
    let path = file.display();
    let by_file = run_json(&format!("predict p2p {path} --bytes 1KiB"));
    let by_name = run_json("predict p2p cray-t3d --bytes 1KiB --set L=5us");
    assert_eq!(by_file, by_name);
    assert_eq!(loggia(&format!("show {path} --json")).out, shown.out, "show prints the file");
    let piped = crate::run::with_input("predict p2p - --bytes 1KiB --json", shown.out.as_bytes());
    assert_eq!(serde_json::from_str::<serde_json::Value>(&piped.out).unwrap(), by_name);
}

#[test]
fn a_link_gives_the_same_answer_as_a_name() {
    let made = run_json("link cray-t3d --view collectives --set procs=64 --set L=5us");
    let link = made["link"].as_str().unwrap();
    assert_eq!(number(&made, "characters") as usize, link.len());
    assert_eq!(made["omitted"], serde_json::json!(["cray-t3d: 7 samples"]));
    let opened = run_json(&format!("open {link}"));
    assert_eq!(opened["view"], "collectives");
    assert_eq!(opened["inputs"]["procs"], 64);
    assert_eq!(opened["signatures"][0]["tiers"][0]["latency"]["value"], 5.0);
    assert_eq!(opened["signatures"][0]["tiers"][0]["latency"]["verdict"], "assumed");
    let by_link = run_json(&format!("predict p2p https://example.org/loggia/{link} --bytes 1KiB"));
    assert_eq!(by_link, run_json("predict p2p cray-t3d --bytes 1KiB --set L=5us"));
}

#[test]
fn many_messages() {
    let answer = run_json("predict messages myrinet-gm --count 100 --bytes 8 --compute 7.8us");
    close(number(&answer["strategies"][0], "time_us"), 100.0 * 16.3, 1e-9);
    close(number(&answer["strategies"][1], "time_us"), 100.0 * 8.5, 1e-9);
    assert!(answer["strategies"][2]["time_us"].is_null());
    assert_eq!(answer["strategies"][2]["missing"], serde_json::json!(["g"]));
}

#[test]
fn the_examples_of_each_help_run() {
    let mut count = 0;
    for verb in [
        "",
        "list",
        "new",
        "show",
        "predict p2p",
        "predict protocol",
        "predict collective",
        "predict overlap",
        "predict messages",
        "metrics",
        "choose",
        "compare",
        "figure",
        "link",
    ] {
        let help = loggia(&format!("{verb} --help"));
        assert_eq!(help.code, 0, "{verb}");
        let continued: Vec<&str> = help.out.split("\\\n").map(str::trim_start).collect();
        let text = continued.join("");
        let examples = text.lines().map(str::trim).filter(|line| line.starts_with("loggia "));
        for example in examples.filter(|line| !line.contains("mine.json") && !line.contains("SIG"))
        {
            let arguments = example.split("    ").next().unwrap().split(" > ").next().unwrap();
            let arguments = arguments.split("   (").next().unwrap().trim_start_matches("loggia ");
            let arguments = arguments.replace('\'', "");
            let run = loggia(&arguments.split_whitespace().collect::<Vec<_>>().join(" "));
            // compare exits with 3 for different machines.
            let is_good = run.code == 0 || (verb == "compare" && run.code == 3);
            assert!(is_good, "{example}: {}", run.err);
            assert!(!run.out.is_empty());
            count += 1;
        }
    }
    assert!(count >= 25, "only {count} examples were found");
}

#[test]
fn completions_and_manual_come_from_the_definitions() {
    for shell in ["bash", "zsh", "fish"] {
        let script = loggia(&format!("completions {shell}")).out;
        assert!(script.contains("choose") && script.contains("bytes-are"), "{shell}");
    }
    let manual = loggia("man").out;
    assert!(manual.starts_with(".ie") && manual.contains("reduce_scatter"), "{manual:.100}");
}

/// Figure 5 of Hwang, Wang & Wang 1997: 64 nodes of the T3D move 1.745 GB/s in a total exchange.
#[test]
fn the_figures_of_the_papers_have_numbers() {
    let listed = run_json("figure");
    assert!(listed.as_array().unwrap().len() >= 30);
    let answer = run_json("figure hwang-5 --at 64");
    let lines = &answer["panels"][1]["lines"];
    assert_eq!(lines[1]["machine"], "cray-t3d");
    close(number(&lines[1], "value"), 1745.0, 2.0);
    assert!(answer["concluded"].as_str().unwrap().contains("1,745"));
    let with_other = run_json("figure hwang-5 --at 8 ap3000-mpi");
    let machines: Vec<&str> = with_other["panels"][0]["lines"]
        .as_array()
        .unwrap()
        .iter()
        .map(|line| line["machine"].as_str().unwrap())
        .collect();
    assert_eq!(machines, ["ibm-sp2", "cray-t3d", "intel-paragon", "ap3000-mpi"]);
    let refused = loggia("figure hwang-33");
    assert_eq!(refused.code, 2);
    assert!(refused.err.contains("hwang-3"), "{}", refused.err);
}

/// Bell et al. 2003, Section 5.2: computation within the overlap potential costs nothing on
/// Myrinet/GM.
#[test]
fn times_of_many_messages_have_formulas() {
    let answer = run_json("predict messages myrinet-gm --count 100 --bytes 8 --compute 7.8us");
    let overlapped = &answer["strategies"][1];
    close(number(overlapped, "time_us"), 850.0, 1e-9);
    assert_eq!(overlapped["formula"], "N max(t(m), o_s + c) = 100 max(8.5, 0.7 + 7.8) = 850 µs");
    assert_eq!(answer["definitions"][0], "t(m) = EEL + max(m−8, 0) G = 8.5 µs");
}

/// T = α + n s / min(R_N, n R_b): Gropp, Olson & Samfass 2016; α and R_b: Touriño & Doallo 2001,
/// Table 1.
#[test]
fn pairs_share_a_network_card() {
    let predict = |pairs: u32| {
        run_json(&format!(
            "predict p2p ap3000-mpi --style send --bytes 100000 --set R_N=200MB/s --pairs {pairs}"
        ))
    };
    for (pairs, time) in [(1, 69.0 + 1620.0), (3, 69.0 + 1620.0), (16, 69.0 + 8000.0)] {
        let answer = predict(pairs);
        close(number(&answer, "time_us"), time, 1e-6);
        let [rank, node] =
            ["rank", "node"].map(|unit| number(&answer, &format!("{unit}_bandwidth_bytes_per_us")));
        close(rank, 100_000.0 / time, 1e-6);
        close(node, f64::from(pairs) * rank, 1e-6);
        close(number(&answer, "card_bandwidth_bytes_per_us"), 200.0, 1e-9);
        assert_eq!(answer["pairs_to_fill_card"], 4);
        // R_N is assumed here; the time of one pair is published.
        assert_eq!(answer["basis"], if pairs == 1 { "published" } else { "modelled" });
    }
    let answer = run_json("predict p2p ap3000-mpi --style send --bytes 100000");
    assert!(answer.get("pairs").is_none(), "{answer}");
    let refused = loggia("predict p2p ap3000-mpi --bytes 8 --pairs 2");
    assert!(refused.err.contains("1/R_N") && refused.err.contains("R_N=10GB/s"), "{}", refused.err);
}

/// RTT/2 of alps was measured at 1 B and from 1025 B on, so 1 KiB is interpolated.
#[test]
fn a_derived_time_is_not_called_measured() {
    for (bytes, basis, word) in [
        ("1", "measured", "error"),
        ("1KiB", "interpolated", "difference"),
        ("64MiB", "extrapolated", "difference"),
    ] {
        let arguments = format!("predict p2p alps --bytes {bytes} --model loggp");
        let answer = run_json(&arguments);
        assert_eq!(answer["measured_basis"], basis, "{answer}");
        let text = loggia(&arguments).out;
        let line = text.lines().nth(2).unwrap();
        assert!(line.starts_with(&format!("{basis}: ")), "{text}");
        assert!(line.contains(&format!("; {word} ")), "{text}");
    }
    assert_eq!(
        run_json("predict p2p cray-t3d --bytes 8 --model loggp").get("measured_basis"),
        None
    );
}

/// The README promises a source for every number.
#[test]
fn every_term_of_a_message_has_a_source() {
    let folder = tempfile::tempdir().unwrap();
    let (table, sig) = (folder.path().join("pairs.csv"), folder.path().join("pairs.json"));
    let rows = "op,pairs,per_node,bytes,time_us\np2p,1,1,8,2\np2p,1,1,65536,40\np2p,4,4,8,3\np2p,4,4,65536,90\n";
    std::fs::write(&table, rows.replace("p2p,4,4", "p2p,4,")).unwrap();
    let (table, sig) = (table.display().to_string(), sig.display().to_string());
    run_json(&format!("import {table} -o {sig} --tier network"));
    for arguments in [
        "predict p2p cray-t3d --bytes 64KiB --set S=8KiB --model loggps".to_owned(),
        "predict p2p alps --bytes 64KiB --model loggps".to_owned(),
        format!("predict p2p {sig} --bytes 8"),
        format!("predict p2p {sig} --bytes 64KiB --pairs 4"),
    ] {
        let answer = run_json(&arguments);
        for term in answer["terms"].as_array().unwrap() {
            let source = &answer["sources"][term["symbol"].as_str().unwrap()];
            assert!(
                source.as_str().is_some_and(|source| !source.is_empty()),
                "{arguments}: {term}"
            );
        }
    }
}
