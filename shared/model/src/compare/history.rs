//! Many runs of one machine, in order of time: changes since the first run, and since the previous
//! run.

use super::changes::{Raw, raw};
use super::ratio::{Change, Number, Strictness, Verdict, is_one_sided, may_err};
use super::selector::Selector;
use super::subject::Subject;
use crate::Error;
use crate::error::Input;
use crate::signature::{Origin, Signature};
use serde::Serialize;

/// Numbers of a machine over time.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct History {
    /// The joint strictness of all verdicts.
    pub strictness: Strictness,
    pub columns: Vec<Subject>,
    /// The runs, in order of time.
    pub runs: Vec<Run>,
    /// Number of runs without a date; they are last, in the given order.
    pub undated: usize,
}

/// One run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Run {
    /// Its index in the given list.
    pub given: usize,
    /// The signature's name.
    pub name: String,
    /// Date of the measurement.
    pub date: Option<String>,
    /// One number per column.
    pub numbers: Vec<RunValue>,
}

/// A number of a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RunValue {
    /// The number.
    pub value: Option<f64>,
    /// Lower bound.
    pub low: Option<f64>,
    /// Upper bound.
    pub high: Option<f64>,
    /// The change since the previous run with this number.
    pub since_last: Option<Change>,
    /// The change since the first run.
    pub since_first: Option<Change>,
}

/// Default columns, of the first tier and send mode.
const USUAL: [(&str, Option<u64>); 8] = [
    ("L", None),
    ("o_s", Some(8)),
    ("o_r", Some(8)),
    ("g", None),
    ("G", None),
    ("EEL", None),
    ("S", None),
    ("O'", None),
];

/// Default size of a curve, if reported; otherwise its smallest.
const SMALL: u64 = 8;

impl History {
    /// The history of signatures, given in any order; `selectors` are the columns, by default the
    /// usual ones.
    pub fn of(given: &[&Signature], selectors: &[Selector], at_least: f64) -> Result<Self, Error> {
        let order = by_date(given);
        let machines: Vec<&Signature> = order.iter().map(|place| given[*place]).collect();
        let rows = raw(&machines);
        let columns = columns(&rows, selectors)?;
        let count = |is_counted: fn(&Number, &Number) -> bool| -> usize {
            columns.iter().flat_map(|row| pairs(row)).filter(|[a, b]| is_counted(a, b)).count()
        };
        let one_sided = count(is_one_sided);
        let strictness = Strictness { one_sided, ..Strictness::of(count(may_err), at_least) };
        let run = |(at, place): (usize, &usize)| Run {
            given: *place,
            name: given[*place].name.clone(),
            date: date(given[*place]).map(str::to_owned),
            numbers: columns.iter().map(|row| against(row, at, &strictness)).collect(),
        };
        Ok(History {
            runs: order.iter().enumerate().map(run).collect(),
            columns: columns.iter().map(|row| row.subject.clone()).collect(),
            undated: given.iter().filter(|signature| date(signature).is_none()).count(),
            strictness,
        })
    }

    /// The verdict on the last run compared with the first, over all columns.
    pub fn verdict(&self) -> Verdict {
        let ([first, ..], [.., last]) = (&self.runs[..], &self.runs[..]) else {
            return Verdict::Unknown;
        };
        let numbers =
            first.numbers.iter().zip(&last.numbers).filter(|(first, _)| first.value.is_some());
        super::together(numbers.map(|(_, last)| {
            let change = last.since_first.as_ref();
            change.map_or(Verdict::Unknown, |change| change.judged.verdict)
        }))
    }
}

/// The parts of each column: the number, its bounds, and two verdicts.
const PARTS: [&str; 5] = ["", " low", " high", " since last", " since first"];

impl History {
    /// A header, and a row per run. `names` are the names of the runs in the given order.
    pub fn table(&self, names: &[String]) -> Vec<Vec<String>> {
        let heading = |column: &Subject| {
            let name = format!("{}, {}", column.words(), column.unit);
            PARTS.map(|part| format!("{name}{part}"))
        };
        let head = ["date".to_owned(), "run".to_owned()];
        let head = head.into_iter().chain(self.columns.iter().flat_map(heading)).collect();
        let row = |run: &Run| {
            let first = [run.date.clone().unwrap_or_default(), names[run.given].clone()];
            first.into_iter().chain(run.numbers.iter().flat_map(RunValue::cells)).collect()
        };
        std::iter::once(head).chain(self.runs.iter().map(row)).collect()
    }
}

impl RunValue {
    fn cells(&self) -> [String; 5] {
        let number = |value: Option<f64>| value.map(|value| value.to_string()).unwrap_or_default();
        let verdict = |change: &Option<Change>| {
            let verdict = change.as_ref().map(|change| change.judged.verdict.name());
            verdict.unwrap_or_default().to_owned()
        };
        let [value, low, high] = [self.value, self.low, self.high].map(number);
        [value, low, high, verdict(&self.since_last), verdict(&self.since_first)]
    }

    /// Arrows of changes, such as `↑(↑)`: since the previous run, and since the first.
    pub fn arrows(&self) -> String {
        let last = arrow(self.since_last.as_ref());
        match arrow(self.since_first.as_ref()) {
            "" => last.to_owned(),
            first => format!("{last:1}({first})"),
        }
    }
}

/// Direction of a change.
fn arrow(change: Option<&Change>) -> &'static str {
    match change.filter(|change| change.judged.verdict == Verdict::Changed) {
        Some(change) if change.ratio.is_some_and(|ratio| ratio < 1.0) => "↓",
        Some(_) => "↑",
        None => "",
    }
}

/// Date of a run in days since 1970, from `2026`, `2026-11-23` or `2026-11-23 01:07 UTC`.
///
/// ```
/// use loggia_model::compare::days;
/// assert_eq!(days("1970-01-02 12:00 UTC"), Some(1.5));
/// assert_eq!(days("2001"), Some(11_323.0));
/// assert_eq!(days("May 2001"), None);
/// ```
pub fn days(date: &str) -> Option<f64> {
    let mut numbers = date.split(|c: char| !c.is_ascii_digit()).filter(|part| !part.is_empty());
    let year: i64 =
        numbers.next().filter(|year| date.starts_with(year) && year.len() == 4)?.parse().ok()?;
    let mut next = |least: i64, most: i64| {
        let number = numbers.next().and_then(|part| part.parse::<i64>().ok());
        number.filter(|number| (least..=most).contains(number)).unwrap_or(least)
    };
    let (month, day, hour, minute) = (next(1, 12), next(1, 31), next(0, 23), next(0, 59));
    // Years start in March, so that the leap day is the last day of a year (400 Gregorian years
    // have 146,097 days).
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let of_year = (153 * month + 2) / 5 + day - 1;
    let days = 365 * year + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    Some((days + of_year - 719_468) as f64 + (hour * 60 + minute) as f64 / 1440.0)
}

/// Date of the measurement, or of the publication.
pub fn date(signature: &Signature) -> Option<&str> {
    let date = match &signature.origin {
        Origin::Measurement { date, .. } => Some(date.as_str()),
        Origin::Citation { date, .. } => date.as_deref(),
        Origin::Assumption { .. } => None,
    };
    // Other formats cannot be ordered.
    date.filter(|date| days(date).is_some())
}

/// The indices of runs by date; runs without a date are last.
fn by_date(given: &[&Signature]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..given.len()).collect();
    let day = |place: &usize| date(given[*place]).and_then(days).unwrap_or(f64::INFINITY);
    order.sort_by(|a, b| day(a).total_cmp(&day(b)));
    order
}

/// The selected rows.
fn columns<'a>(rows: &'a [Raw], selectors: &[Selector]) -> Result<Vec<&'a Raw>, Error> {
    let first = |selector: &Selector| {
        let mut of = rows.iter().filter(|row| selector.holds(&row.subject) && row.is_number());
        let small = of.clone().find(|row| row.subject.bytes.is_some_and(|size| size.0 == SMALL));
        small.or_else(|| of.next())
    };
    if selectors.is_empty() {
        let usual = USUAL.iter().map(|(symbol, bytes)| Selector::parameter(symbol, *bytes));
        return Ok(usual.filter_map(|selector| first(&selector)).collect());
    }
    let subjects: Vec<&Subject> = rows.iter().map(|row| &row.subject).collect();
    let column = |selector: &Selector| {
        first(selector).ok_or_else(|| selector.unknown(&subjects, Input::Columns))
    };
    selectors.iter().map(column).collect()
}

/// The number in the last previous run that has it.
fn previous(row: &Raw, at: usize) -> Option<Number> {
    row.numbers[..at].iter().rev().find_map(|number| *number)
}

/// All compared pairs: with the previous run, and with the first.
fn pairs(row: &Raw) -> impl Iterator<Item = [Number; 2]> + '_ {
    (1..row.numbers.len()).flat_map(|at| {
        let own = row.numbers[at];
        let last = previous(row, at).zip(own);
        let first = row.numbers[0].zip(own).filter(|_| at > 1);
        last.into_iter().chain(first).map(|(a, b)| [a, b])
    })
}

fn against(row: &Raw, at: usize, strictness: &Strictness) -> RunValue {
    let own = row.numbers[at];
    let change = |other: Option<Number>| Some(Change::of(&other?, &own?, strictness));
    let bound = |bound: f64| Some(bound).filter(|bound| bound.is_finite());
    RunValue {
        value: own.map(|own| own.interval.value),
        low: own.and_then(|own| bound(own.interval.low)),
        high: own.and_then(|own| bound(own.interval.high)),
        since_last: change(previous(row, at)),
        since_first: change(row.numbers[0].filter(|_| at > 0)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library;
    use crate::signature::{Parameter, Quality};
    use crate::units::Micros;

    /// A run with this date and this L, ±1%.
    fn run(date: &str, latency: Option<f64>) -> Signature {
        let mut machine = library::load("cray-t3d").unwrap();
        machine.origin = Origin::Measurement {
            tool: "loggia".to_owned(),
            method: String::new(),
            host: "node0".to_owned(),
            command: String::new(),
            date: date.to_owned(),
        };
        machine.tiers[0].latency = latency.map(|latency| Parameter {
            low: Some(Micros(0.99 * latency)),
            high: Some(Micros(1.01 * latency)),
            quality: Quality::Good,
            ..Parameter::assumed(Micros(latency))
        });
        machine
    }

    fn history(runs: &[Signature], selectors: &[&str]) -> History {
        let runs: Vec<&Signature> = runs.iter().collect();
        let selectors: Vec<Selector> =
            selectors.iter().map(|selector| selector.parse().unwrap()).collect();
        History::of(&runs, &selectors, 0.0).unwrap()
    }

    #[test]
    fn runs_are_ordered_by_date_and_undated_ones_are_last() {
        let runs = ["2026-05-02", "undated", "2026-05-01 09:00 UTC", "2026-05-01 08:00 UTC"];
        let history = history(&runs.map(|date| run(date, Some(3.0))), &[]);
        let order: Vec<usize> = history.runs.iter().map(|run| run.given).collect();
        assert_eq!(order, [3, 2, 0, 1]);
        assert_eq!((history.undated, history.runs[3].date.as_deref()), (1, None));
        let symbols: Vec<&str> = history.columns.iter().map(|c| c.symbol.as_str()).collect();
        assert_eq!(symbols, ["L", "G"]);
    }

    /// `date -d … +%s`, over 86,400.
    #[test]
    fn dates_are_days() {
        for (date, expected) in [
            ("1970-01-01", 0.0),
            ("1969-12-31", -1.0),
            ("2000-02-29", 11_016.0),
            ("2000-03-01", 11_017.0),
            ("2024-12-31 18:00 UTC", 20_088.75),
            ("2026-11-23T01:07:59Z", 20_780.0 + 67.0 / 1440.0),
        ] {
            assert_eq!(days(date), Some(expected), "{date}");
        }
        for date in ["undated", "", "11/23/2026", "20261123"] {
            assert_eq!(days(date), None, "{date}");
        }
    }

    #[test]
    fn a_step_is_marked_once_and_then_only_since_the_first() {
        let of = [3.0, 3.01, 3.6, 3.6, 3.0].into_iter().enumerate();
        let runs: Vec<Signature> =
            of.map(|(day, latency)| run(&format!("2026-05-0{}", day + 1), Some(latency))).collect();
        let history = history(&runs, &["L"]);
        // Four with the previous run, and three with the first.
        assert_eq!(history.strictness.compared, 7);
        let verdicts = |of: fn(&RunValue) -> &Option<Change>| -> Vec<bool> {
            let change = |run: &Run| of(&run.numbers[0]).clone();
            let changes = history.runs.iter().filter_map(change);
            changes.map(|change| change.judged.verdict == Verdict::Changed).collect()
        };
        assert_eq!(verdicts(|against| &against.since_last), [false, true, false, true]);
        assert_eq!(verdicts(|against| &against.since_first), [false, true, true, false]);
        assert_eq!(history.verdict(), Verdict::Same);
    }

    #[test]
    fn a_run_without_the_number_is_skipped() {
        let dates = ["2026-05-01", "2026-05-02", "2026-05-03"];
        let latencies = [Some(3.0), None, Some(4.0)];
        let runs: Vec<Signature> =
            dates.into_iter().zip(latencies).map(|(date, latency)| run(date, latency)).collect();
        let history = history(&runs, &["L"]);
        let against = |at: usize| &history.runs[at].numbers[0];
        assert_eq!((against(1).value, &against(1).since_last), (None, &None));
        let last = against(2).since_last.as_ref().unwrap();
        assert_eq!(last.judged.verdict, Verdict::Changed);
    }

    #[test]
    fn selected_columns_are_shown_and_curves_at_a_small_size() {
        let runs = [run("2026-05-01", Some(3.0)), run("2026-05-02", Some(3.0))];
        let columns = |selectors: &[&str]| -> Vec<String> {
            history(&runs, selectors).columns.iter().map(Subject::words).collect()
        };
        assert_eq!(
            columns(&["isend.o_s@10000", "o_r", "scatter"]),
            [
                "network isend o_s at 10000 B",
                "network isend o_r at 16 B",
                "scatter of 4 B on 2 ranks"
            ]
        );
        let wrong = History::of(&[&runs[0], &runs[1]], &["LL".parse().unwrap()], 0.0).unwrap_err();
        assert_eq!(wrong.place, Input::Columns.into());
    }
}
