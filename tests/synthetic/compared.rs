//! Comparisons of runs of one synthetic machine: unchanged numbers are the same, and a change is
//! found.

use super::{collected, from_environment, on_two_cores, truth};
use loggia_model::compare::{Comparison, Verdict};
use loggia_model::{Signature, json};
use std::path::Path;
use std::process::Command;

/// Number of pairs of runs of the unchanged machine, and of a machine with a 10% larger G.
fn pairs() -> u64 {
    from_environment("LOGGIA_COMPARE_PAIRS").unwrap_or(4)
}

/// Exit code of `loggia compare` for two runs, given by their seeds.
fn exit_code(folder: &Path, a: u64, b: u64) -> Option<i32> {
    let file = |seed: u64| folder.join(format!("{seed}.json"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_loggia"));
    command.arg("compare").args([file(a), file(b)]).output().unwrap().status.code()
}

/// Quick runs with 5% noise on every cost, and 1% of the costs up to ten times as high; more than a
/// hundred numbers in each comparison.
///
/// The false-positive rate is 0.4% (0.9% on a busy machine), from 6,000 pairs. Two false positives in
/// 4 pairs occur in 1 of 2,000 runs. Few pairs cannot distinguish an error rate of 5% from 0%. So every run is also
/// compared with every other run: these comparisons are not independent, but have the same error
/// rate.
#[test]
fn an_unchanged_machine_is_the_same_and_an_increase_of_g_by_10_percent_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let same = truth(folder, &[]);
    let read = |seed: u64| -> Signature {
        let path = folder.join(format!("{seed}.json"));
        json::from_json(&std::fs::read_to_string(path).unwrap()).unwrap()
    };
    let run = |from: &str, seed: u64| {
        collected(folder, from, seed, &["--noise", "5%"]);
        read(seed)
    };
    let unchanged = on_two_cores(1..=2 * pairs(), |seed| run(&same, seed));
    let larger = truth(folder, &["G=5.5ns"]);
    let changed = on_two_cores(10_001..=10_000 + pairs(), |seed| run(&larger, seed));

    let ends_with = |code: i32| move |(a, b): &(u64, u64)| exit_code(folder, *a, *b) == Some(code);
    let same = (1..=pairs()).map(|i| (2 * i - 1, 2 * i)).filter(ends_with(0)).count();
    let wrong = pairs() as usize - same;
    let found = (1..=pairs()).map(|i| (i, 10_000 + i)).filter(ends_with(3)).count();
    println!("of {} pairs of the unchanged machine, {same} are the same", pairs());
    println!("of {} pairs with a 10% larger G, {found} are changed", pairs());
    let most = (pairs() / 20).max(1) as usize;
    assert!(wrong <= most, "{wrong} of {} pairs are not the same", pairs());
    assert!(found + pairs() as usize / 20 >= pairs() as usize, "{found} of {} are found", pairs());

    let verdict = |a: &Signature, b: &Signature| Comparison::of(&[a, b], 0.0).verdict();
    let all_pairs =
        unchanged.iter().enumerate().flat_map(|(i, a)| unchanged[..i].iter().map(move |b| (a, b)));
    let all_pairs: Vec<_> = all_pairs.take(2000).collect();
    let wrong = all_pairs.iter().filter(|(a, b)| verdict(a, b) == Verdict::Changed).count();
    let share = 100.0 * wrong as f64 / all_pairs.len() as f64;
    println!("of all pairs of runs, {}, {share:.1}% are changed", all_pairs.len());
    // A run whose few samples agree by chance differs from several other runs.
    let most = if pairs() >= 50 { 5.0 } else { 10.0 };
    assert!(share <= most, "{share}%");
    let is_found = |(before, after): (&Signature, &Signature)| {
        let all = Comparison::of(&[before, after], 0.0);
        let gap = all.parameters.iter().find(|row| row.subject.symbol == "G").unwrap();
        gap.machines[1].is(Verdict::Changed)
    };
    let all = unchanged.iter().flat_map(|a| changed.iter().map(move |b| (a, b)));
    let all: Vec<_> = all.take(2000).collect();
    let found = all.iter().filter(|pair| is_found(**pair)).count();
    let share = 100.0 * found as f64 / all.len() as f64;
    println!("of {} pairs, G itself is changed in {share:.1}%", all.len());
    assert!(share >= 95.0, "{share}%");
}
