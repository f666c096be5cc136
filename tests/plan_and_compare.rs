//! Many messages and comparison in the page, in a real browser: the numbers equal the command's,
//! and the selection is in the link.

mod browser;

use browser::{Page, link, loggia, visit};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// The page's value of the number at this path of the command's JSON.
async fn quantity(page: &Page, path: &str) -> Value {
    let element = page.find(&format!("[data-quantity='{path}']")).await;
    let value = element.attr("data-value").await.expect("an attribute").expect("a value");
    value.parse::<f64>().map_or(Value::Null, |number| json!(number))
}

#[test]
fn many_messages_take_the_times_of_the_command() {
    visit("", async |page| {
        let set = ["bytes=8", "count=100", "compute=7.8us"];
        for sig in ["myrinet-gm", "quadrics-shmem", "cray-t3d"] {
            // Old links name the view of many messages `plan`.
            page.open(&link(sig, "plan", &set)).await;
            page.find("#overlap").await;
            let options = set.map(|pair| format!("--{pair}"));
            let mut arguments = vec!["predict", "messages", sig, "--json"];
            arguments.extend(options.iter().map(String::as_str));
            let answer = loggia(&arguments);
            for i in 0..5 {
                let path = format!("predict.messages.strategies.{i}.time_us");
                let expected = &answer["strategies"][i]["time_us"];
                assert_eq!(quantity(page, &path).await, *expected, "{sig} {i}");
            }
        }
        page.open(&link("myrinet-gm", "overlap", &["bytes=1KiB", "count=100"])).await;
        assert!(page.text("#messages").await.contains("needs G, which is unknown"));
        page.find("#messages button").await.click().await.expect("a click");
        page.find("[data-quantity='predict.messages.strategies.1.time_us']").await;
    });
}

#[test]
fn selected_machines_are_compared_and_in_the_link() {
    visit("", async |page| {
        let set = ["bytes=64KiB", "op=scatter", "procs=8"];
        page.open(&link("ibm-sp2", "compare", &set)).await;
        for other in ["cray-t3d", "ap3000-mpi", "ap3000-pvm", "ap3000-aplib"] {
            let chip = page.find(&format!("#compare input[value={other}]")).await;
            let click = "chip => chip.click()";
            page.call(click, &[json!(chip)]).await;
        }
        let options = ["--bytes", "64KiB", "--procs", "8", "--json"];
        let machines = ["compare", "ibm-sp2", "intel-paragon"];
        let answer = loggia(&[&machines[..], &options[..]].concat());
        let rows = answer["collectives"].as_array().expect("rows");
        let scatter = rows.iter().position(|row| row["op"] == "scatter").expect("scatter");
        let standings = rows[scatter]["standings"].as_array().expect("standings");
        for (i, standing) in standings.iter().take(2).enumerate() {
            let path = format!("compare.collectives.{scatter}.standings.{i}.time_us");
            assert_eq!(quantity(page, &path).await, standing["time_us"], "{i}");
        }
        let text = page.text("#compare-collectives").await;
        assert!(text.contains("from p = 5 on, Intel Paragon is faster than IBM SP2"), "{text}");
        assert_eq!(in_the_link(page).await, ["ibm-sp2", "intel-paragon"]);
    });
}

/// Machines in the page's address, after its update.
async fn in_the_link(page: &Page) -> Vec<String> {
    let start = Instant::now();
    loop {
        let fragment = page.evaluate("location.hash").await;
        let state = loggia(&["open", fragment.as_str().unwrap_or_default(), "--json"]);
        let signatures = state["signatures"].as_array().cloned().unwrap_or_default();
        let names =
            signatures.iter().filter_map(|signature| signature["name"].as_str().map(str::to_owned));
        let names: Vec<String> = names.collect();
        if names.len() == 2 || start.elapsed() > Duration::from_secs(10) {
            return names;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}
