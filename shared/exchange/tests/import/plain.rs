//! Plain tables: synthetic tables, and tables of real machines in `shared/truth`.

use crate::{import, read};
use loggia_exchange::import::options::PerFile;
use loggia_exchange::import::{BenchmarkKind, ImportOptions, ImportResult, Importer};
use loggia_model::Error;
use loggia_model::signature::{Operation, Signature, Statistic, Table};
use loggia_model::units::{Bytes, Micros, Procs};
use std::fs;
use std::path::Path;

const TRUTH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/truth");

const TABLE: &str = "\
                     # Cluster of 4 nodes, 8 ranks each
# own measurement, November 2026
op,ranks,per_node,bytes,time_us,low_us,high_us,mode
p2p,2,1,8,2.5,2.4,2.7,send
p2p,2,1,1024,3.25,,,send
p2p,2,1,8,4.5,,,ssend
p2p,2,8,8,0.5,,,
allreduce,8,8,64,5,,,
allreduce,32,8,64,9.5,9,11,
allreduce,32,1,64,12,,,
alltoall,32,8,64,80,,,
barrier,32,8,,7,,,
";

fn signature(text: &str) -> Signature {
    let signature =
        import("table.csv", text.as_bytes(), &ImportOptions::default()).signature.unwrap();
    signature.validate().unwrap();
    signature
}

fn import_error(text: &str) -> Error {
    Importer::default().file("table.csv", text.as_bytes()).unwrap_err()
}

/// Bytes, time, low, high.
type Row = (u64, f64, Option<f64>, Option<f64>);

fn rows(table: &Table) -> Vec<Row> {
    let bound = |bound: Option<Micros>| bound.map(|bound| bound.0);
    table.points.iter().map(|p| (p.bytes.0, p.value.0, bound(p.low), bound(p.high))).collect()
}

fn collective(signature: &Signature, op: Operation, procs: u32, per_node: Option<u32>) -> &Table {
    let is_match = |table: &&Table| {
        (table.op, table.procs, table.per_node) == (Some(op), Some(Procs(procs)), per_node)
    };
    signature.tables.iter().find(is_match).unwrap_or_else(|| panic!("{op:?} on {procs}"))
}

#[test]
fn every_row_is_in_a_table() {
    let signature = signature(TABLE);
    let rows_of = |op, procs, per_node| rows(collective(&signature, op, procs, Some(per_node)));
    assert_eq!(rows_of(Operation::Allreduce, 8, 8), [(64, 5.0, None, None)]);
    assert_eq!(rows_of(Operation::Allreduce, 32, 8), [(64, 9.5, Some(9.0), Some(11.0))]);
    assert_eq!(rows_of(Operation::Allreduce, 32, 1), [(64, 12.0, None, None)]);
    assert_eq!(rows_of(Operation::Alltoall, 32, 8), [(64, 80.0, None, None)]);
    assert_eq!(rows_of(Operation::Barrier, 32, 8), [(0, 7.0, None, None)]);
    let message = |tier: &str, style: &str, bytes| {
        let tier = signature.tier(Some(tier)).unwrap();
        signature.measured_message(tier, Some(style), None, Bytes(bytes)).unwrap().time.value
    };
    assert_eq!(message("network", "send", 1024), Micros(3.25));
    assert_eq!(message("network", "ssend", 8), Micros(4.5));
    assert_eq!(message("node", "send", 8), Micros(0.5));
    let network = signature.tier(Some("network")).unwrap();
    let table = signature.message_table(network, Some("send")).unwrap();
    assert_eq!(rows(table)[0], (8, 2.5, Some(2.4), Some(2.7)));
    assert!(signature.notes.is_empty(), "per_node gives the tiers: {:?}", signature.notes);
}

#[test]
fn comments_become_the_source() {
    let signature = signature(TABLE);
    let origin = format!("{:?}", signature.origin);
    assert!(origin.contains("4 nodes, 8 ranks each; own measurement, November 2026"), "{origin}");
    let table = collective(&signature, Operation::Barrier, 32, Some(8));
    assert!(table.source.contains("Cluster of 4 nodes"), "{}", table.source);
    assert!(read("table.csv", TABLE.as_bytes()).left_out.is_empty());
    // Comments without a table are left out.
    let left = read("x.txt", b"# hello\n\n# there\nyou\n").left_out;
    assert_eq!((left.len(), left[0].line, left[0].count), (1, 1, 3));
}

#[test]
fn tabs_quotes_line_ends_and_the_order_of_columns_do_not_matter() {
    let csv = "time_us,bytes,op,ranks\r\n\"12.5\",64,MPI_Bcast,4\r\n13,128,bcast,4";
    let tsv = "op\tranks\tbytes\ttime_us\nbcast\t4\t64\t12.5\nbcast\t4\t128\t13\n";
    for text in [csv, tsv] {
        let signature = signature(text);
        let table = collective(&signature, Operation::Bcast, 4, None);
        assert_eq!(rows(table), [(64, 12.5, None, None), (128, 13.0, None, None)], "{text}");
    }
}

/// With 8 ranks, a block of 64 bytes per pair is 512 bytes per rank.
#[test]
fn bytes_have_the_meaning_of_osu_or_of_the_table() {
    let text = "op,ranks,bytes,time_us,bytes_are\n\
                alltoall,8,64,10,\nalltoall,8,1024,20,per_rank\nallgather,8,1024,30,total\n";
    let signature = signature(text);
    let rows_of = |op| rows(collective(&signature, op, 8, None));
    let alltoall = rows_of(Operation::Alltoall);
    assert_eq!(alltoall, [(64, 10.0, None, None), (128, 20.0, None, None)]);
    assert_eq!(rows_of(Operation::Allgather), [(128, 30.0, None, None)]);
}

#[test]
fn missing_information_becomes_a_question() {
    let text = "op,bytes,time_us\nbcast,64,12.5\n";
    let ImportResult { questions, signature, .. } =
        import("t.csv", text.as_bytes(), &ImportOptions::default());
    assert_eq!((questions.len(), signature), (1, None));
    let ranks = vec![PerFile { file: None, value: 4 }];
    let options = ImportOptions { ranks, ..ImportOptions::default() };
    let signature = import("t.csv", text.as_bytes(), &options).signature.unwrap();
    assert_eq!(rows(collective(&signature, Operation::Bcast, 4, None)).len(), 1);
}

#[test]
fn a_table_may_follow_another_output() {
    let text = format!("# OSU MPI Latency Test v7.4\n# Size  Avg Latency(us)\n8  1.5\n{TABLE}");
    let read = read("both.txt", text.as_bytes());
    assert_eq!(read.runs[0].kind, BenchmarkKind::Message);
    assert_eq!(read.runs.iter().map(|run| run.count()).sum::<u64>(), 1 + 13);
    assert!(read.left_out.is_empty(), "{:?}", read.left_out);
}

#[test]
fn mistakes_are_refused_with_line_and_column() {
    let header = "op,ranks,per_node,pairs,bytes,time_us,low_us,tier,mode,bytes_are\n";
    for (row, column, message, help) in [
        ("bcst,4,,,8,1.5,,,,", "op", "`bcst`", "bcast"),
        (",4,,,8,1.5,,,,", "op", "no operation", "p2p"),
        ("bcast,1,,,8,1.5,,,,", "ranks", "ranks is 1; bcast needs 2", "delete the row"),
        ("bcast,four,,,8,1.5,,,,", "ranks", "`four` is not a count", "such as 32"),
        ("bcast,4,0,,8,1.5,,,,", "per_node", "`0`", "whole number"),
        ("bcast,4,,,8.5,1.5,,,,", "bytes", "`8.5` is not a size", "4KiB"),
        ("bcast,4,,,,1.5,,,,", "bytes", "no size", "bytes"),
        ("bcast,4,,,8,-1,,,,", "time_us", "`-1` is not a time", "above 0"),
        ("bcast,4,,,8,\"1,5\",,,,", "time_us", "`1,5`", "decimal point"),
        ("bcast,4,,,8,,,,,", "time_us", "no time", "delete the row"),
        ("bcast,4,,,8,1.5,2,,,", "low_us", "outside its interval", "must not exceed"),
        ("bcast,4,,2,8,1.5,,,,", "pairs", "bcast has no pairs", "empty"),
        ("p2p,4,,,8,1.5,,,,", "ranks", "between 2 ranks", "column pairs"),
        ("p2p,2,,,8,1.5,,fast,,", "tier", "`fast`", "NAME:inter"),
        ("p2p,2,,,8,1.5,,,a b,", "mode", "send mode", "ssend"),
        ("bcast,4,,,8,1.5,,,,per_pair", "bytes_are", "no meaning for bcast", "vector"),
    ] {
        let error = import_error(&format!("# my table\n{header}{row}\n"));
        assert_eq!(
            error.place.to_string(),
            format!("table.csv:3, column {column}"),
            "{row}: {error}"
        );
        assert!(
            error.message.contains(message) && error.help.to_string().contains(help),
            "{row}: {error}"
        );
    }
    let error = import_error(&format!("{header}bcast,4,8,1.5\n"));
    assert_eq!(error.place.to_string(), "table.csv:2, column 5");
    assert!(error.message.contains("4 cells") && error.message.contains("10 columns"), "{error}");
    for (header, column) in
        [("op,ranks,bytes,time\n", "time_us"), ("op,time_us,time_us,bytes\n", "time_us")]
    {
        let error = import_error(header);
        assert_eq!(error.place.to_string(), format!("table.csv:1, column {column}"), "{error}");
    }
}

/// Spreadsheets write semicolons where decimals have a comma.
#[test]
fn semicolons_separate_columns() {
    let (comments, rows) = TABLE.split_at(TABLE.find("op,").unwrap());
    let with_semicolons = format!("{comments}{}", rows.replace(',', ";"));
    assert_eq!(signature(&with_semicolons).tables, signature(TABLE).tables);
    let error = import_error("op;bytes;time_us\np2p;8;2,5\n");
    assert_eq!(error.place.to_string(), "table.csv:2, column time_us");
    assert!(error.help.to_string().contains("decimal point"), "{error}");
}

/// A table without results says so, with its line.
#[test]
fn a_table_without_results_names_the_line_and_the_reason() {
    for (text, place, reason) in [
        (
            "# mine\nop,procs,bytes,time\nallreduce,4,8,2\n",
            2,
            "unknown columns procs, time; known: op, ranks",
        ),
        ("op;procs;bytes;time\n", 1, "unknown columns procs, time; known: op, ranks"),
        ("bytes,time\n8,2\n", 1, "unknown column time; known: op, ranks"),
        ("op,bytes\np2p,8\n", 1, "lacks the column time_us"),
        ("\nop,ranks,bytes,time_us\n", 2, "a header, but no row"),
        ("op,ranks,bytes,time_us", 1, "a header, but no row"),
    ] {
        let options = ImportOptions::default();
        let made = import("table.csv", text.as_bytes(), &options);
        let error = Error::from(made.complete(&options).unwrap_err());
        assert_eq!(error.place.to_string(), format!("table.csv:{place}"), "{text}: {error}");
        assert!(error.help.to_string().contains(reason), "{text}: {error}");
    }
    // Prose is no header.
    let options = ImportOptions::default();
    let made = import("a.txt", b"It counts bytes, too.\nbytes, 4\n", &options);
    assert_eq!(Error::from(made.complete(&options).unwrap_err()).place.to_string(), "a.txt");
}

#[test]
fn unknown_columns_are_left_out_and_named() {
    let text = "op,ranks,bytes,time_us,comment\nbcast,4,64,12.5,slow\n";
    let read = read("t.csv", text.as_bytes());
    assert_eq!((read.runs.len(), read.left_out.len()), (1, 1));
    assert!(read.left_out[0].why.contains("comment"));
}

/// All numbers of real tables are in the signatures.
#[test]
fn tables_of_real_machines_are_imported_exactly() {
    let Ok(folder) = Path::new(TRUTH).read_dir() else {
        println!("skipped: {TRUTH} is missing");
        return;
    };
    let paths = folder.map(|entry| entry.unwrap().path());
    for path in paths.filter(|path| path.extension().is_some_and(|extension| extension == "tsv")) {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let text = fs::read_to_string(&path).unwrap();
        assert!(read(&name, text.as_bytes()).left_out.is_empty(), "{name}");
        let result = import(&name, text.as_bytes(), &ImportOptions::default());
        assert!(result.questions.is_empty(), "{name}");
        let signature = result.signature.unwrap();
        signature.validate().unwrap();
        let mut lines = text.lines().filter(|line| !line.starts_with('#'));
        let header: Vec<&str> = lines.next().unwrap().split('\t').collect();
        let mut count = 0;
        for line in lines {
            let cell = |name: &str| {
                let at = header.iter().position(|column| *column == name)?;
                line.split('\t').nth(at)
            };
            let number = |name: &str| cell(name).and_then(|cell| cell.parse::<u32>().ok());
            let bytes = Bytes(cell("bytes").unwrap().parse().unwrap());
            let time = Micros(cell("time_us").unwrap().parse().unwrap());
            check(&signature, cell("op").unwrap_or("p2p"), number, bytes, time);
            count += 1;
        }
        let samples = signature.samples.iter().filter(|s| s.statistic == Statistic::Reported);
        assert_eq!(samples.map(|s| s.times.len()).sum::<usize>(), count, "{name}");
    }
}

/// Checks that a row is in the table for predictions, or for several pairs, in the samples.
fn check(
    signature: &Signature,
    op: &str,
    number: impl Fn(&str) -> Option<u32>,
    bytes: Bytes,
    time: Micros,
) {
    let context = format!("{} {op} {bytes:?}", signature.name);
    if let Some(pairs) = number("pairs").filter(|pairs| *pairs > 1) {
        let is_match = |s: &&loggia_model::signature::Samples| {
            s.procs == Some(Procs(2 * pairs)) && s.bytes == Some(bytes) && s.times == [time]
        };
        assert!(signature.samples.iter().any(|s| is_match(&s)), "{context} {pairs} pairs");
        return;
    }
    let measured = match op {
        "p2p" => {
            let tier = signature.tier(None).unwrap();
            signature.measured_message(tier, Some("send"), None, bytes)
        }
        op => {
            let procs = Procs(number("ranks").unwrap());
            let op = Operation::named(op).unwrap();
            signature.measured_collective(op, procs, number("per_node"), bytes)
        }
    };
    let actual = measured.unwrap().time.value;
    assert!((actual.0 / time.0 - 1.0).abs() < 1e-9, "{context}: {actual:?} for {time:?}");
}
