//! Import of outputs of other benchmarks, dropped or pasted: results, questions, and the opened
//! machine.

use crate::browser::{Page, Scheme, visit, visit_at};
use crate::replay::{drop_by_browser, pack};
use crate::sharing::{address, click, one_file};
use crate::{PATIENCE, TIME, address_of, link, loggia, quantity, until, visit_t3d, wait};
use fantoccini::key::Key;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// Output of osu_latency on a machine with 2 µs + 1 ns per byte.
fn latency() -> String {
    let row = |power: u32| format!("{:<10}{:>18.2}\n", 1u64 << power, 2.0 + time_of(power));
    let rows: String = (0..=22).map(row).collect();
    format!(
        "\n# OSU MPI Latency Test v7.4\n# Datatype: MPI_CHAR.\n# Size       Avg Latency(us)\n{rows}"
    )
}

fn time_of(power: u32) -> f64 {
    f64::from(1u32 << power) * 1e-3
}

/// Output of osu_allreduce with `log p` steps of 3 µs + 2 ns per byte.
fn allreduce(ranks: u32) -> String {
    let steps = f64::from(ranks).log2();
    let row = |power: u32| {
        format!("{:<10}{:>18.2}\n", 1u64 << power, steps * (3.0 + 2.0 * time_of(power)))
    };
    let rows: String = (2..=20).map(row).collect();
    format!(
        "\n# OSU MPI Allreduce Latency Test v7.4\n# Datatype: MPI_CHAR.\n\
         # Size       Avg Latency(us)\n{rows}"
    )
}

/// Output of a ping-pong of IMB.
const IMB: &str = "#----------------------------------------------------------------\n\
    #    Intel(R) MPI Benchmarks 2021.11, MPI-1 part\n\
    #----------------------------------------------------------------\n\
    # Date                  : Mon Mar  2 10:00:00 2026\n# Machine               : x86_64\n\n\
    #---------------------------------------------------\n# Benchmarking PingPong \n\
    # #processes = 2 \n#---------------------------------------------------\n       \
    #bytes #repetitions      t[usec]   Mbytes/sec\n            \
    0         1000         1.50         0.00\n            \
    8         1000         1.51         5.30\n         \
    1024         1000         2.50       409.60\n      \
    1048576           40      1050.00       998.64\n\n\
    # All processes entering MPI_Finalize\n\n";

fn named(name: &str, text: &str) -> (String, Vec<u8>) {
    (name.to_owned(), text.as_bytes().to_vec())
}

/// Files of two tools; those of osu_allreduce need a number of ranks.
pub(crate) fn of_two_tools() -> [(String, Vec<u8>); 4] {
    [
        named("osu_latency.txt", &latency()),
        named("osu_allreduce-4p.txt", &allreduce(4)),
        named("osu_allreduce-8p.txt", &allreduce(8)),
        named("imb.txt", IMB),
    ]
}

/// Pastes a text by a paste event.
async fn paste(page: &Page, text: &str) {
    const PASTE: &str = "(text) => {
        const clipboardData = new DataTransfer();
        clipboardData.setData('text/plain', text);
        document.body.dispatchEvent(new ClipboardEvent('paste', { bubbles: true, clipboardData }));
    }";
    page.find("main .panel").await;
    page.call(PASTE, &[json!(text)]).await;
}

/// Opens the imported machine.
async fn open(page: &Page) {
    wait(page, "document.querySelector('#import-open:enabled') !== null").await;
    click(page, "#import-open").await;
    wait(page, "!document.querySelector('.importing')").await;
}

async fn has(page: &Page, selector: &str) -> bool {
    page.evaluate(&format!("document.querySelector(\"{selector}\") !== null")).await == json!(true)
}

/// The signature with this title, decoded by the command from the page's address.
async fn opened(page: &Page, title: &str) -> Value {
    opened_where(page, |signature| signature["title"] == title).await
}

/// The first signature in the page's address that meets this condition.
async fn opened_where(page: &Page, condition: impl Fn(&Value) -> bool) -> Value {
    let start = Instant::now();
    loop {
        let hash = page.evaluate("location.hash").await;
        let hash = hash.as_str().expect("a fragment");
        if hash.len() > 1 {
            let signature = loggia(&["open", hash])["signatures"][0].clone();
            if condition(&signature) {
                return signature;
            }
        }
        assert!(start.elapsed() < PATIENCE, "{hash} holds another machine");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// Every number of the page's report must equal the command's.
async fn compare_report(page: &Page, answer: &Value) {
    const SHOWN: &str = "[...document.querySelectorAll(\"[data-quantity^='import.']\")]
        .map(({ dataset }) => [dataset.quantity, dataset.value])";
    let shown = page.evaluate(SHOWN).await;
    let shown = shown.as_array().expect("a list");
    assert!(shown.len() > 10, "{shown:?}");
    for pair in shown {
        let [path, value] = [0, 1].map(|at| pair[at].as_str().expect("a text"));
        let path = path.trim_start_matches("import.");
        let expected = answer.pointer(&format!("/{}", path.replace('.', "/")));
        let is_same = match expected {
            None | Some(Value::Null) => value.is_empty(),
            Some(Value::String(text)) => text == value,
            Some(number) => value.parse().ok() == number.as_f64(),
        };
        assert!(is_same, "{path}: page {value}, command {expected:?}");
    }
}

/// JSON output of `loggia import` for these files, with these options.
fn imported(files: &[(String, Vec<u8>)], options: &[&str]) -> Value {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |(name, bytes): &(String, Vec<u8>)| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).expect("a file");
        path.display().to_string()
    };
    let paths: Vec<String> = files.iter().map(path).collect();
    let files: Vec<&str> = paths.iter().map(String::as_str).collect();
    loggia(&[&["import", "--json"], options, &files[..]].concat())
}

#[test]
fn an_output_of_osu_becomes_a_machine() {
    visit_t3d(async |page| {
        let file = named("cluster.txt", &latency());
        page.drop_files(std::slice::from_ref(&file)).await;
        let path = "import.files.0.taken.0";
        until(page, &format!("{path}.numbers"), &json!(23.0)).await;
        assert_eq!(quantity(page, &format!("{path}.procs")).await, json!(2.0));
        assert_eq!(quantity(page, &format!("{path}.bytes.high")).await, json!(4_194_304.0));
        assert_eq!(quantity(page, &format!("{path}.tier")).await, json!("network"));
        let gap_per_byte = quantity(page, "import.by_tool.0.gap_per_byte_us").await;
        let listed = "document.querySelector('[data-quantity=\"import.by_tool.0.gap_per_byte_us\"]')\
            .textContent.endsWith(' ns/byte')";
        assert_eq!(page.evaluate(listed).await, json!(true), "a unit that people read");
        let gap_per_byte = gap_per_byte.as_f64().expect("a number");
        assert!((gap_per_byte / 1e-3 - 1.0).abs() < 0.02, "{gap_per_byte}");
        compare_report(page, &imported(&[file], &["--merge", "cray-t3d"])).await;
        let report = page.text(".importing").await;
        assert!(report.contains("is assumed"), "{report}");
        assert!(report.contains("loggia collect"), "no tool for the unknown parameters: {report}");
        open(page).await;
        // The measured time comes first; Hockney's model is shown with its error.
        let time = quantity(page, TIME).await.as_f64().expect("a time");
        assert!((time / 3.02 - 1.0).abs() < 0.05, "{time}");
        assert!(has(page, "input[value=measured]:checked").await);
        assert_eq!(quantity(page, "predict.p2p.basis").await, json!("measured"));
        click(page, "input[name=model][value=hockney] + span").await;
        until(page, "predict.p2p.basis", &json!("modelled")).await;
        assert_eq!(quantity(page, "predict.p2p.measured_us").await, json!(time));
        assert!(page.text(".rests-on").await.contains("error of this answer"));
        click(page, "input[name=model][value=measured] + span").await;
        until(page, "predict.p2p.basis", &json!("measured")).await;
        let signature = opened(page, "cluster").await;
        let origin = &signature["origin"];
        assert!(origin.to_string().contains("OSU 7.4"), "{origin}");
        let notes = page.text(".notes").await;
        assert!(notes.contains("share a node"), "{notes}");
    });
}

#[test]
fn a_missing_number_of_ranks_is_requested_and_never_guessed() {
    visit(&link("cray-t3d", "collectives", &["op=allreduce"]), async |page| {
        let runs = [4, 8, 16].map(|ranks| {
            let (name, text) = (format!("allreduce-{ranks}p.txt"), allreduce(ranks));
            named(&name, &text)
        });
        page.drop_files(&runs).await;
        page.find("#import-question-2").await;
        assert!(!has(page, "#import-open:enabled").await, "three questions are open");
        assert_eq!(quantity(page, "import.files.0.taken.0.procs").await, Value::Null);
        // The file name is only offered as a suggestion.
        let shown = page.text(".importing .question button").await;
        assert!(shown.contains("names"), "{shown}");
        page.find("#import-question-0").await.send_keys("4").await.expect("keys");
        until(page, "import.files.0.taken.0.procs", &json!(4.0)).await;
        assert_eq!(quantity(page, "import.files.1.taken.0.procs").await, Value::Null);
        // Results without a number of ranks can be left out.
        click(page, "#import-leave-out").await;
        wait(page, "document.querySelector('#import-open:enabled') !== null").await;
        click(page, "#import-leave-out").await;
        wait(page, "document.querySelector('#import-open:enabled') === null").await;
        // Or the numbers in the file names are accepted.
        click(page, ".importing .question button").await;
        until(page, "import.files.2.taken.0.procs", &json!(16.0)).await;
        let ranks = ["allreduce-4p=4", "allreduce-8p=8", "allreduce-16p=16"]
            .map(|of| ["--ranks", of])
            .concat();
        let ranks = [&ranks[..], &["--merge", "cray-t3d"]].concat();
        compare_report(page, &imported(&runs, &ranks)).await;
        open(page).await;
        let form = opened(page, "allreduce-4p").await["collectives"][0].clone();
        assert_eq!(form["op"], "allreduce", "{form}");
        let time = quantity(page, "predict.collective.time_us").await;
        assert!(time.as_f64().is_some_and(|time| time > 0.0), "{time}");
    });
}

#[test]
fn results_of_several_tools_become_one_machine() {
    visit_t3d(async |page| {
        let files =
            [named("osu.txt", &latency()), named("imb.txt", IMB), named("notes", "hello\n")];
        page.drop_files(&files).await;
        until(page, "import.files.1.taken.0.numbers", &json!(4.0)).await;
        let report = page.text(".importing").await;
        assert!(report.contains("no benchmark output recognised"), "{report}");
        let each = quantity(page, "import.by_tool.1.end_to_end_latency_us").await;
        assert!(each.as_f64().is_some(), "{each}");
        // The tier of a single file can be changed.
        click(page, ".importing .way summary").await;
        page.find("#import-tier-1 option[value=node]").await.click().await.expect("a choice");
        until(page, "import.files.1.taken.0.tier", &json!("node")).await;
        assert_eq!(quantity(page, "import.files.0.taken.0.tier").await, json!("network"));
        // Further files can be dropped onto the report.
        page.drop_files(&[named("late.txt", &allreduce(8))]).await;
        page.find("#import-question-0").await;
        click(page, "#import-leave-out").await;
        page.find("#import-title").await.send_keys("Our cluster").await.expect("keys");
        open(page).await;
        let signature = opened(page, "Our cluster").await;
        let tiers: Vec<&str> = signature["tiers"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|tier| tier["name"].as_str())
            .collect();
        assert_eq!(tiers, ["network", "node"]);
        // Its samples name their tool, file and line.
        click(page, "input[name=view][value=signature] + span").await;
        page.find("#signature .strips").await;
        let shown = "document.querySelector('#signature').textContent";
        wait(page, &format!("{shown}.includes('OSU 7.4 Latency Test')")).await;
        wait(page, &format!("{shown}.includes('osu.txt:5')")).await;
        click(page, "#signature .refit button").await;
        wait(page, &format!("{shown}.includes('parameters are unchanged')")).await;
    });
}

/// Results can be added to a machine of the reader, but not to a built-in machine.
#[test]
fn an_import_is_added_to_a_machine_of_the_reader() {
    visit(&link("ibm-sp2", "collectives", &[]), async |page| {
        paste(page, &latency()).await;
        until(page, "import.files.0.taken.0.numbers", &json!(23.0)).await;
        assert!(!has(page, "#import-add").await, "a built-in machine is offered");
        click(page, ".importing header button").await;
        wait(page, "!document.querySelector('.importing')").await;
        let mut own = loggia(&["show", "ibm-sp2", "--json"]);
        (own["name"], own["title"]) = (json!("ours"), json!("Our SP2"));
        own["origin"]["citation"] = json!("ourselves");
        page.drop_files(&[named("ours.json", &own.to_string())]).await;
        wait(page, "document.querySelector('.about h2').textContent === 'Our SP2'").await;
        paste(page, &latency()).await;
        until(page, "import.files.0.taken.0.numbers", &json!(23.0)).await;
        wait(page, "document.querySelector('#import-onto')?.length === 1").await;
        let report = page.text(".importing").await;
        assert!(report.contains("Additions to Our SP2"), "{report}");
        click(page, "#import-add").await;
        wait(page, "!document.querySelector('.importing')").await;
        let has_tier =
            |signature: &Value| signature["tiers"].as_array().is_some_and(|tiers| tiers.len() == 1);
        let added = opened_where(page, has_tier).await;
        assert_eq!(added["title"], "Our SP2");
        assert_eq!(added["collectives"].as_array().map(Vec::len), Some(7));
        // A single undo reverts the addition.
        click(page, ".undo button").await;
        wait(page, "!document.querySelector('.notes').textContent.includes('OSU')").await;
    });
}

#[test]
fn unreadable_files_are_refused_with_their_place() {
    visit_t3d(async |page| {
        let comma = latency().replace("2.06", "2,06");
        page.drop_files(&[named("comma.txt", &comma)]).await;
        let problem = page.text(".problem[role=alert]").await;
        assert!(problem.contains("comma.txt:11") && problem.contains("comma"), "{problem}");
        paste(page, "hello").await;
        // The earlier problem goes away first.
        let shown = "(document.querySelector('.problem[role=alert]')?.textContent ?? '')";
        wait(
            page,
            &format!("{shown}.includes('known are signatures, traces, and the outputs of OSU')"),
        )
        .await;
        for (name, bytes, expected) in [
            ("paper.pdf", "%PDF-1.4\n", "this is a PDF document"),
            ("notes.txt", "buy milk\n", "this text holds no measurement"),
        ] {
            page.drop_files(&[named(name, bytes)]).await;
            wait(page, &format!("{shown}.startsWith('{name}: {expected}')")).await;
        }
        paste(page, "{\"loggia\": 99}").await;
        wait(page, &format!("{shown}.includes('newer than this program')")).await;
        // An unreadable file leaves the earlier results in the report.
        page.drop_files(&[named("good.txt", &latency())]).await;
        until(page, "import.files.0.taken.0.numbers", &json!(23.0)).await;
        page.drop_files(&[named("comma.txt", &comma)]).await;
        let shown = "document.querySelector('.importing .refusal')?.textContent";
        wait(page, &format!("{shown}?.includes('comma.txt:11') === true")).await;
        page.drop_files(&[named("imb.txt", IMB)]).await;
        until(page, "import.files.1.taken.0.numbers", &json!(4.0)).await;
        assert!(!has(page, ".importing .refusal").await);
    });
}

/// Tab, digits and Enter suffice, from the first field to the open machine.
#[test]
fn the_keyboard_is_enough() {
    visit_t3d(async |page| {
        page.drop_files(&[named("a.txt", &allreduce(4)), named("b.txt", &allreduce(8))]).await;
        page.find("#import-question-1").await;
        let press = async |keys: &str| {
            page.client.active_element().await.expect("focus").send_keys(keys).await.expect("keys");
        };
        let tab = Key::Tab.to_string();
        let focus = async |id: &str| {
            for _ in 0..30 {
                let focused = page.evaluate("document.activeElement.id").await;
                if focused == json!(id) {
                    return;
                }
                press(&tab).await;
            }
            panic!("{id} was not reached");
        };
        focus("import-question-0").await;
        press("4").await;
        focus("import-question-1").await;
        press("8").await;
        until(page, "import.files.1.taken.0.procs", &json!(8.0)).await;
        assert_eq!(quantity(page, "import.files.0.taken.0.procs").await, json!(4.0));
        focus("import-name").await;
        press("mine").await;
        focus("import-date").await;
        press("2026-11-28").await;
        wait(page, "document.querySelector('#import-open:enabled') !== null").await;
        // Keys of the page do not work in the dialog: R would reset the parameters, 9 open a view.
        focus("import-open").await;
        press("9").await;
        assert!(has(page, "input[value=message]:checked").await);
        press(&Key::Enter.to_string()).await;
        wait(page, "!document.querySelector('.importing')").await;
        opened(page, "mine").await;
        assert!(page.text(".machine:has(:checked)").await.contains("2026-11-28"));
        // Escape closes the dialog without a change.
        page.drop_files(&[named("c.txt", &latency())]).await;
        page.find("#import-open").await;
        press(&Key::Escape.to_string()).await;
        wait(page, "!document.querySelector('.importing')").await;
        opened(page, "mine").await;
    });
}

#[test]
fn folders_and_archives_are_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let inner = folder.path().join("run");
    std::fs::create_dir(&inner).expect("a folder");
    std::fs::write(inner.join("osu.txt"), latency()).expect("a file");
    std::fs::write(inner.join("imb.txt"), IMB).expect("a file");
    visit_t3d(async |page| {
        drop_by_browser(page, folder.path()).await;
        until(page, "import.files.0.taken.0.numbers", &json!(4.0)).await;
        assert!(page.text(".importing").await.contains("run/osu.txt"));
    });
    let elsewhere = tempfile::tempdir().expect("a folder");
    let packed = elsewhere.path().join("results.zip");
    pack(&inner, &packed);
    visit_t3d(async |page| {
        drop_by_browser(page, &packed).await;
        page.find("[data-quantity='import.files.1.taken.0.numbers']").await;
        assert!(page.text(".importing").await.contains("results.zip/osu.txt"));
        open(page).await;
        address_of(page, "bytes", &Value::Null).await;
    });
}

/// The single-file page contains the readers, too.
#[test]
fn the_page_as_one_file_imports() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = one_file(&folder, &["cray-t3d"]);
    visit_at(&address(&path), async |page| {
        page.drop_files(&of_two_tools()).await;
        until(page, "import.files.3.taken.0.numbers", &json!(4.0)).await;
    });
}

/// At every width, light and dark; saves screenshots.
#[test]
fn the_import_dialog_fits_every_window() {
    visit_t3d(async |page| {
        page.drop_files(&of_two_tools()).await;
        page.find("#import-open").await;
        for (width, height) in [(360, 740), (1280, 800), (2560, 1440)] {
            page.resize(width, height).await;
            let excess = "document.querySelector('.importing').scrollWidth \
                          - document.querySelector('.importing').clientWidth";
            assert_eq!(page.evaluate(excess).await, json!(0), "at {width}");
            for scheme in [Scheme::Light, Scheme::Dark] {
                page.scheme(scheme).await;
                page.screenshot(&format!("importing-{width}-{scheme:?}").to_lowercase()).await;
            }
        }
    });
}
