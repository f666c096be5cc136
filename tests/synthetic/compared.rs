//! Runs of one machine, compared: what has not changed is the same, and a change is found.

use super::{asked, collected, on_two_cores, truth};
use loggia_model::compare::{Comparison, Verdict};
use loggia_model::{Signature, json};
use std::path::Path;
use std::process::Command;

/// How many pairs of runs; and as many again of a machine whose G is a tenth larger.
fn pairs() -> u64 {
    asked("LOGGIA_COMPARE_PAIRS").unwrap_or(4)
}

/// What `loggia compare` ends with, for two runs by their seeds.
fn ended(folder: &Path, a: u64, b: u64) -> Option<i32> {
    let file = |seed: u64| folder.join(format!("{seed}.json"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_loggia"));
    command.arg("compare").args([file(a), file(b)]).output().unwrap().status.code()
}

/// All that a quick run measures, with 5% of noise on every cost and 1% of them up to ten times as
/// high; more than a hundred numbers in each comparison.
///
/// Of 6,000 pairs 0.4% were called changed, on a busy machine 0.9%, so that two of 4 pairs would be in
/// 1 run of 2,000. As few pairs tell one in twenty from none only seldom, every run is compared with
/// every other, too: these comparisons are not independent, but each errs as often.
#[test]
fn an_unchanged_machine_is_the_same_and_a_tenth_more_of_g_is_found() {
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
    let more = truth(folder, &["G=5.5ns"]);
    let changed = on_two_cores(10_001..=10_000 + pairs(), |seed| run(&more, seed));

    let ends_with = |code: i32| move |(a, b): &(u64, u64)| ended(folder, *a, *b) == Some(code);
    let same = (1..=pairs()).map(|i| (2 * i - 1, 2 * i)).filter(ends_with(0)).count();
    let wrong = pairs() as usize - same;
    let found = (1..=pairs()).map(|i| (i, 10_000 + i)).filter(ends_with(3)).count();
    println!("of {} pairs, {same} are the same where nothing has changed", pairs());
    println!("of {} pairs, {found} are changed where G has by a tenth", pairs());
    let most = (pairs() / 20).max(1) as usize;
    assert!(wrong <= most, "{wrong} of {} pairs are not called the same", pairs());
    assert!(found + pairs() as usize / 20 >= pairs() as usize, "{found} of {} are found", pairs());

    let verdict = |a: &Signature, b: &Signature| Comparison::of(&[a, b], 0.0).verdict();
    let every_two =
        unchanged.iter().enumerate().flat_map(|(i, a)| unchanged[..i].iter().map(move |b| (a, b)));
    let every_two: Vec<_> = every_two.take(2000).collect();
    let wrong = every_two.iter().filter(|(a, b)| verdict(a, b) == Verdict::Changed).count();
    let share = 100.0 * wrong as f64 / every_two.len() as f64;
    println!("of every two of them, {}, {share:.1}% are called changed", every_two.len());
    // One run whose few samples agree by chance differs from several others.
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
    println!("of {} pairs, G itself is called changed in {share:.1}%", all.len());
    assert!(share >= 95.0, "{share}%");
}
