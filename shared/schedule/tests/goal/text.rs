//! The grammar: tolerated variants, and each error with its place.

use crate::round_trip::{goal_bytes, round_trip};
use loggia_schedule::goal::{self, text};
use loggia_schedule::schedule::{ANY, Builder, CalcUnit, Kind, Schedule, Step};

fn read(text: &str) -> (Schedule, Vec<String>) {
    let (schedule, warnings) = goal::read(text.as_bytes()).unwrap_or_else(|e| panic!("{e}"));
    round_trip(&schedule);
    (schedule, warnings)
}

/// The schedule of a text without warnings.
fn plain(text: &str) -> Schedule {
    let (schedule, warnings) = read(text);
    assert!(warnings.is_empty(), "{warnings:?}");
    schedule
}

/// A schedule of two ranks, with these statements in rank 0.
fn rank(statements: &str) -> String {
    format!("num_ranks 2\nrank 0 {{\n{statements}\n}}\nrank 1 {{\n}}\n")
}

#[test]
fn every_field_is_read() {
    let schedule = plain(
        "num_ranks 3\n\nrank 0 {\na: send 18446744073709551615b to 2 tag 7 cpu 255 nic 3\n}\n\n\
         rank 1 {\n}\nrank 2 {\nb: recv 0b from 0 tag -1 nic 9\nrecv 1b from -1 cpu 2\ncalc 5 cpu 1\n}\n",
    );
    assert_eq!((schedule.ranks(), schedule.cpus(), schedule.nics()), (3, 256, 10));
    assert_eq!(schedule.calc_unit(), CalcUnit::Nanoseconds);
    let ops: Vec<_> = schedule
        .ops()
        .iter()
        .map(|op| (op.rank, op.kind, op.size, op.peer, op.tag, op.cpu, op.nic))
        .collect();
    assert_eq!(
        ops,
        [
            (0, Kind::Send, u64::MAX, 2, 7, 255, 3),
            (2, Kind::Recv, 0, 0, ANY, 0, 9),
            (2, Kind::Recv, 1, ANY, 0, 2, 0),
            (2, Kind::Calc, 5, 0, 0, 1, 0),
        ]
    );
}

#[test]
fn spaces_comments_and_ends_of_lines_are_free() {
    let strict = plain(&rank("a: send 1b to 1 tag 2 cpu 3 nic 4\nb: calc 7 cpu 1\nb requires a"));
    for loose in [
        "  a: send 1b to 1 tag 2 cpu 3 nic 4\n\tb: calc 7 cpu 1\n b requires a",
        "a:send 1bto1tag2cpu3nic4\nb :calc7cpu1\nb requiresa",
        "a : send 1 b to 1 tag 2 cpu 3 nic 4 // sent\nb: calc 7 cpu 1 /* done */\nb requires a //",
        "a: send 1b to 1 tag 2 cpu 3 nic 4\r\nb: calc 7 cpu 1\r\nb requires a\r",
        "// first\na: /* here */ send /**/ 1b to 1 /* and\n * there\n */ tag 2 cpu 3 nic 4\n\n\n\
         /* ** / */ b: calc 7 cpu 1 /* a line\n ends here */ b requires a",
        "a: send 0001b to 01 tag 02 cpu 003 nic 00000000000000000000000004\nb: calc 7 cpu 1\n\
         b requires a",
        "b requires a\na: send 1b to 1 tag 2 cpu 3 nic 4\nb: calc 7 cpu 1",
    ] {
        assert_eq!(plain(&rank(loose)), strict, "{loose}");
    }
    let one_line = "\u{feff}num_ranks 2 rank 0 { a: send 1b to 1 tag 2 cpu 3 nic 4\n\
                    b: calc 7 cpu 1\nb requires a\n} rank 1 { } // end";
    assert_eq!(plain(one_line), strict);
}

#[test]
fn any_word_but_an_operation_may_be_a_label() {
    let words =
        rank("b: calc 1\nto: calc 2\nrequires: calc 3\nrequires requires b\nto irequires requires");
    let schedule = plain(&words);
    assert_eq!(schedule.after_done(0), [2]);
    assert_eq!(schedule.after_start(2), [1]);
}

#[test]
fn labels_that_look_alike_are_different() {
    let names = [
        "l1",
        "l01",
        "l",
        "L1",
        "l1_",
        "l10",
        "l0",
        "l00",
        "m1",
        "l4294967297",
        "l999999999",
        "l1x",
    ];
    let mut statements: String =
        names.iter().zip(1..).map(|(name, time)| format!("{name}: calc {time}\n")).collect();
    statements += "first: calc 0\n";
    for name in names {
        statements += &format!("{name} requires first\n");
    }
    let schedule = plain(&rank(&statements));
    assert_eq!(schedule.after_done(12), (0..12).collect::<Vec<_>>());
}

#[test]
fn dependencies_keep_the_order_of_their_lines() {
    let schedule = plain(&rank(
        "d requires a\nc irequires a\na: calc 1\nb: calc 2\nc: calc 3\nd: calc 4\n\
         c requires a\nb irequires a\nb requires a\nc requires a\na requires d",
    ));
    assert_eq!(schedule.after_done(0), [3, 2, 1, 2]);
    assert_eq!(schedule.after_start(0), [2, 1]);
    assert_eq!(schedule.after_done(3), [0]);
    assert_eq!([0, 1, 2, 3].map(|op| schedule.needs().of(op)), [1, 2, 3, 1]);
}

#[test]
fn warnings_have_a_place() {
    let (schedule, warnings) =
        read("num_ranks 1\nrank 0 {\n a: calc 1\n a: calc 2\nb: calc 3\nb requires a");
    assert_eq!(schedule.after_done(0), [2]);
    assert_eq!(
        warnings,
        [
            "4:2: label `a` is already defined; it keeps its first operation",
            "6:13: the last `}` is missing: was the file cut off?",
        ]
    );
    let many = format!("num_ranks 1\nrank 0 {{\n{}}}", "a: calc 1\n".repeat(1000));
    let (_, warnings) = read(&many);
    assert_eq!(warnings.len(), 21);
    assert_eq!(warnings.last().unwrap(), "and 979 more such warnings");
}

#[test]
fn zero_ranks_are_a_schedule() {
    assert_eq!(plain("num_ranks 0").ranks(), 0);
}

/// Texts with the place, the message and the help of their errors.
#[test]
fn errors_have_line_and_column() {
    let ranks = "GOAL text is `num_ranks 2`, then `rank 0 { … }` and `rank 1 { … }`";
    let whole = "write numbers as digits only, without sign, point or exponent";
    for (text, place, message, help) in [
        ("", "1:1", "found the end of the file, expected `num_ranks`", ranks),
        ("/* é */ rank 0 {", "1:9", "found `rank`, expected `num_ranks`", ranks),
        ("{\"loggia\": 1}", "1:1", "found `{`, expected `num_ranks`", ranks),
        ("num_ranks2", "1:1", "found `num_ranks2`, expected `num_ranks`", ranks),
        ("\u{7}", "1:1", "found the byte 0x07, expected `num_ranks`", ranks),
        ("num_ranks -2", "1:11", "found `-2`, expected the number of ranks", whole),
        ("num_ranks 1.5", "1:11", "found `1.5`, expected the number of ranks", whole),
        (
            "num_ranks 4294967296",
            "1:11",
            "found `4294967296`, too large for the number of ranks",
            "at most 4294967295",
        ),
        (
            "num_ranks 4294967295\nrank 0 {\n}\n",
            "4:1",
            "found the end of the file, expected `rank 1`",
            "num_ranks is 4294967295: ranks 0 to 4294967294",
        ),
        ("num_ranks 1\nrang 0 {\n}\n", "2:1", "found `rang`, expected `rank 0`", ranks),
        (
            "num_ranks 2\nrank 1 {\n}\n",
            "2:6",
            "found `rank 1`, expected `rank 0`",
            "give the ranks in order from 0, each once",
        ),
        (
            "num_ranks 2\nrank 0 {\n}\nrank 0 {\n}\n",
            "4:6",
            "found `rank 0` a second time, expected `rank 1`",
            "give the ranks in order from 0, each once",
        ),
        ("num_ranks 1\nrank 0\n{\n}", "2:7", "found the end of the line, expected `{`", ranks),
        (
            "num_ranks 1\nrank 0 {\n}\nrank 1 {\n}\n",
            "4:1",
            "found `rank`, expected the end of the file",
            "num_ranks is 1, and all ranks have been read",
        ),
        (
            "num_ranks 2\nrank 0 {\ncalc 1\n",
            "4:1",
            "found the end of the file, expected `send`, `recv`, `calc`, `LABEL requires LABEL` or `}`",
            "was the file cut off? rank 0 is open, and num_ranks is 2",
        ),
        (
            "num_ranks 2\nrank 0 {\nrank 1 {\n",
            "3:1",
            "found `rank`, expected `send`, `recv`, `calc`, `LABEL requires LABEL` or `}`",
            "rank 0 is still open: close it with `}`",
        ),
        (
            "num_ranks 1\n/* never\n closed",
            "2:1",
            "this comment has no end: found the end of the file, expected `*/`",
            "close it, or begin it with `//` if it is one line",
        ),
    ] {
        check(text, place, message, help);
    }
}

/// Statements in line 3 with the column, the message and the help of their errors.
#[test]
fn errors_in_statements_have_line_and_column() {
    let statement = "one statement per line: `a: send 8b to 1 tag 5`, `b: recv 8b from 0 tag 5`, \
                     `c: calc 100`, `c requires a` or `c irequires a`";
    let whole = "write numbers as digits only, without sign, point or exponent";
    let order = "tag, cpu and nic are optional, in this order";
    let calc = "a computation is `calc 100`, or `calc 100 cpu 1`; it has no tag and no nic";
    for (text, column, message, help) in [
        (
            "# comment",
            1,
            "found `#`, expected `send`, `recv`, `calc`, `LABEL requires LABEL` or `}`",
            statement,
        ),
        (
            "sned 8b to 1",
            6,
            "found `8b`, expected `:`, `requires` or `irequires` after `sned`",
            statement,
        ),
        (
            "a:\ncalc 1",
            3,
            "found the end of the line, expected `send`, `recv` or `calc`",
            statement,
        ),
        ("a: b: calc 1", 4, "found `b`, expected `send`, `recv` or `calc`", statement),
        ("a requires", 11, "found the end of the line, expected a label", statement),
        (
            "a: calc 1\nb: calc 1\nb requires a, a",
            13,
            "found `,`, expected the end of the line",
            "one dependency per line: `c requires a`",
        ),
        (
            "a: calc 1\na requires a",
            12,
            "`a` waits for itself, so it never begins",
            "name the operation that it waits for",
        ),
        (
            "a: calc 1\na requires elsewhere",
            12,
            "found label `elsewhere`, which rank 0 does not define",
            "write `elsewhere: ` before an operation of rank 0",
        ),
        ("send b to 1", 6, "found `b`, expected a number of bytes", whole),
        ("send 8 to 1", 8, "found `to`, expected `b` for bytes", "sizes are in bytes: `8b`"),
        ("send 8kb to 1", 7, "found `kb`, expected `b` for bytes", "sizes are in bytes: `8b`"),
        (
            "send 8b from 1",
            9,
            "found `from`, expected `to`",
            "a message goes `to` a rank: `send 8b to 1`",
        ),
        (
            "recv 8b to 1",
            9,
            "found `to`, expected `from`",
            "a message comes `from` a rank, or from any: `recv 8b from -1`",
        ),
        (
            "send 18446744073709551616b to 1",
            6,
            "found `18446744073709551616`, too large for a number of bytes",
            "at most 18446744073709551615",
        ),
        ("send 8b to -1", 12, "found `-1`, expected the destination rank", whole),
        ("recv 8b from -2", 14, "found `-2`, expected the source rank, or -1 for any", whole),
        ("send 8b to 2", 12, "found rank `2`, expected 0 to 1", "num_ranks is 2"),
        (
            "recv 8b from 4294967295",
            14,
            "found rank `4294967295`, expected 0 to 1",
            "num_ranks is 2",
        ),
        (
            "send 8b to 99999999999999999999999999999999999999999999",
            12,
            "found `9999999999999999999999999999999999999999…`, too large for the destination rank",
            "at most 4294967295",
        ),
        ("send 8b to 1 tag -2", 18, "found `-2`, expected a tag, or -1 for any", whole),
        (
            "send 8b to 1 tag 4294967296",
            18,
            "found `4294967296`, too large for a tag, or -1 for any",
            "at most 4294967295",
        ),
        ("send 8b to 1 cpu 256", 18, "found `256`, too large for a cpu", "at most 255"),
        ("send 8b to 1 nic 256", 18, "found `256`, too large for a nic", "at most 255"),
        ("send 8b to 1 cpu -1", 18, "found `-1`, expected a cpu", whole),
        (
            "send 8b to 1 to 1",
            14,
            "found `to`, expected `tag`, `cpu`, `nic` or the end of the line",
            order,
        ),
        (
            "send 8b to 1 tag 1 tag 1",
            20,
            "found `tag`, expected `cpu`, `nic` or the end of the line",
            order,
        ),
        (
            "send 8b to 1 cpu 1 tag 1",
            20,
            "found `tag`, expected `nic` or the end of the line",
            order,
        ),
        ("send 8b to 1 nic 1 cpu 1", 20, "found `cpu`, expected the end of the line", order),
        ("calc 1.5", 6, "found `1.5`, expected a time in nanoseconds", whole),
        ("calc 1e5", 7, "found `e5`, expected `cpu` or the end of the line", calc),
        ("calc 1 nic 1", 8, "found `nic`, expected `cpu` or the end of the line", calc),
        ("calc 1 cpu 1 nic 1", 14, "found `nic`, expected the end of the line", calc),
        ("calc 1 }", 8, "found `}`, expected `cpu` or the end of the line", calc),
        ("calc 1 calc 1", 8, "found `calc`, expected `cpu` or the end of the line", calc),
        ("calc 1 é", 8, "found `é`, expected `cpu` or the end of the line", calc),
        ("calc 1 / 2", 8, "found `/`, expected `cpu` or the end of the line", calc),
    ] {
        let line = 3 + text.matches('\n').count() - usize::from(text.starts_with("a:\n"));
        check(&rank(text), &format!("{line}:{column}"), message, help);
    }
}

fn check(text: &str, place: &str, message: &str, help: &str) {
    goal_bytes(text.as_bytes());
    let error = goal::read(text.as_bytes()).unwrap_err();
    assert_eq!(
        (&*error.place.to_string(), &*error.message, &*error.help.to_string()),
        (place, message, help),
        "{text}"
    );
}

#[test]
fn the_file_precedes_line_and_column() {
    let error = text::read(b"num_ranks x").unwrap_err().in_file("ring.goal");
    assert_eq!(
        error.to_string(),
        "ring.goal:1:11: found `x`, expected the number of ranks\n\
         write numbers as digits only, without sign, point or exponent"
    );
}

#[test]
fn defaults_and_unused_labels_are_omitted() {
    let schedule = plain(&rank(
        "x: send 1b to 1 tag 0 cpu 0 nic 0\ny: recv 1b from -1 tag -1\nz: calc 3\nw: calc 4\n\
         w irequires z\nz requires w",
    ));
    let mut written = String::new();
    assert!(text::write(&schedule, &mut written).unwrap().is_empty());
    assert_eq!(
        written,
        "num_ranks 2\n\nrank 0 {\nsend 1b to 1\nrecv 1b from -1 tag -1\nl2: calc 3\nl3: calc 4\n\
         l3 irequires l2\nl2 requires l3\n}\n\nrank 1 {\n}\n"
    );
}

#[test]
fn dependents_keep_their_order_when_lines_are_reordered() {
    let schedule = plain(&rank(
        "a: calc 1\nb: calc 2\nc: calc 3\nd: calc 4\nd requires a\nb requires a\nc requires a\n\
         b irequires d\na irequires d",
    ));
    let mut written = String::new();
    text::write(&schedule, &mut written).unwrap();
    assert_eq!(
        written,
        "num_ranks 2\n\nrank 0 {\nl0: calc 1\nl1: calc 2\nl2: calc 3\nl3: calc 4\n\
         l3 requires l0\nl1 requires l0\nl2 requires l0\nl1 irequires l3\nl0 irequires l3\n}\n\n\
         rank 1 {\n}\n"
    );
}

#[test]
fn picoseconds_are_written_as_nanoseconds() {
    let mut builder = Builder::counting(CalcUnit::Picoseconds);
    builder.rank();
    builder.push(Step::calc(2_000));
    builder.push(Step::calc(1_500));
    let schedule = builder.finish().unwrap();
    let note =
        "1 of 2 computations rounded to the nearest nanosecond: GOAL counts whole nanoseconds";
    let mut written = String::new();
    assert_eq!(text::write(&schedule, &mut written).unwrap(), [note]);
    assert_eq!(written, "num_ranks 1\n\nrank 0 {\ncalc 2\ncalc 2\n}\n");
    let mut written = Vec::new();
    assert_eq!(goal::binary::write(&schedule, &mut written).unwrap(), [note]);
    assert_eq!(goal::read(&written).unwrap().0.op(loggia_schedule::schedule::OpId(1)).size, 2);
}
