//! Comparison of all known numbers of several machines with the first one.

use super::ratio::{Change, Number, Strictness, Verdict, is_one_sided, may_err};
use super::subject::{ComparableValue, Subject, known};
use super::{RankedTime, UNKNOWN, UNKNOWN_HERE, UNKNOWN_OF_FIRST, merged};
use crate::model::composition::Question;
use crate::signature::{Collective, Operation, Range, Signature};
use crate::units::words::unsigned_percent;
use crate::units::{Bytes, Interval, Procs};
use serde::Serialize;

/// A comparison of machines, or of runs of one machine.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// The strictness of the verdicts.
    pub strictness: Strictness,
    /// Every number, every point of a curve, and every word.
    pub parameters: Vec<Row>,
}

/// One number on each machine.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    #[serde(flatten)]
    pub subject: Subject,
    /// The values, by machine.
    pub machines: Vec<Cell>,
}

/// One number on one machine.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Cell {
    pub value: Option<f64>,
    /// Lower bound of the 95% interval of this number alone.
    pub low: Option<f64>,
    pub high: Option<f64>,
    /// A word instead of a number.
    pub word: Option<String>,
    /// The change from the first machine; absent on the first.
    #[serde(flatten)]
    pub change: Option<Change>,
    /// The number with the kind of its bounds.
    #[serde(skip)]
    pub(super) number: Option<Number>,
}

/// All rows of one curve, or of one operation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Group<'a> {
    pub rows: &'a [Row],
    /// The row with the largest change.
    pub worst: usize,
}

/// A row before its verdicts, whose confidence depends on the number of rows.
pub(super) struct Raw {
    pub(super) subject: Subject,
    pub(super) numbers: Vec<Option<Number>>,
    words: Vec<Option<(String, bool)>>,
}

impl Comparison {
    /// Compares machines; relative changes up to `at_least` do not count.
    ///
    /// Al-Tawil & Moritz 2001, Table 3: the T3D's L is 3.1 µs, the NOW's 124 µs.
    /// ```
    /// use loggia_model::compare::{Comparison, Verdict};
    /// use loggia_model::library;
    /// let (t3d, now) = (library::load("cray-t3d")?, library::load("now-sparc")?);
    /// let both = Comparison::of(&[&t3d, &now], 0.0);
    /// let latency = both.parameters.iter().find(|row| row.subject.symbol == "L").unwrap();
    /// let change = latency.machines[1].change.as_ref().unwrap();
    /// assert_eq!((change.ratio, change.judged.verdict), (Some(40.0), Verdict::Changed));
    /// assert_eq!(Comparison::of(&[&t3d, &t3d], 0.0).verdict(), Verdict::Same);
    /// # Ok::<(), loggia_model::Error>(())
    /// ```
    pub fn of(machines: &[&Signature], at_least: f64) -> Self {
        let raw = raw(machines);
        let compared = raw.iter().map(Raw::compared).sum();
        let one_sided = raw.iter().map(Raw::one_sided).sum();
        let strictness = Strictness { one_sided, ..Strictness::of(compared, at_least) };
        let parameters = raw.into_iter().map(|row| row.judged(&strictness)).collect();
        Comparison { strictness, parameters }
    }

    /// The verdict on all machines; unknown if too few parameters of the first can be compared.
    pub fn verdict(&self) -> Verdict {
        let machines = self.parameters.first().map_or(0, |row| row.machines.len());
        together((1..machines).map(|machine| self.verdict_of(machine)))
    }

    /// The verdict on one machine: unknown if any point-to-point parameter is unknown, or if at least
    /// half of the closed forms are.
    pub fn verdict_of(&self, machine: usize) -> Verdict {
        let (mut same, mut unknown) = (0, 0);
        for group in groups(&self.parameters) {
            match group.verdict(machine) {
                Some(Verdict::Changed) => return Verdict::Changed,
                Some(Verdict::Same) => same += 1,
                Some(Verdict::Unknown) if group.rows[0].subject.tier.is_some() => {
                    unknown = usize::MAX
                }
                Some(Verdict::Unknown) => unknown = unknown.saturating_add(1),
                None => {}
            }
        }
        if same > unknown { Verdict::Same } else { Verdict::Unknown }
    }

    /// Whether nothing could be compared.
    pub fn is_empty(&self) -> bool {
        let is_compared =
            |change: &Change| change.ratio.is_some() || change.judged.verdict != Verdict::Unknown;
        !self.changes().any(is_compared)
    }

    fn changes(&self) -> impl Iterator<Item = &Change> {
        let cells = self.parameters.iter().flat_map(|row| &row.machines);
        cells.filter_map(|cell| cell.change.as_ref())
    }

    /// Judges times of messages or of an operation against the first machine's. They depend on the
    /// compared numbers, with worst-case bounds, so they do not count as further comparisons.
    pub fn judge(&self, standings: &mut [RankedTime]) {
        let Some((first, others)) = standings.split_first_mut() else { return };
        for other in others {
            other.judged = Some(other.against(first, &self.strictness));
        }
    }
}

/// The combined verdict: changed if any is, the same if all are, otherwise unknown.
pub fn together(verdicts: impl IntoIterator<Item = Verdict>) -> Verdict {
    let (mut any, mut is_known) = (false, true);
    for verdict in verdicts {
        match verdict {
            Verdict::Changed => return Verdict::Changed,
            Verdict::Same => any = true,
            Verdict::Unknown => is_known = false,
        }
    }
    if any && is_known { Verdict::Same } else { Verdict::Unknown }
}

/// Rows known on the first machine and unknown on another: one per curve and operation.
pub fn unknown_rows(rows: &[Row], machine: usize) -> Vec<&Row> {
    let groups = groups(rows).into_iter();
    let groups = groups.filter(|group| group.verdict(machine) == Some(Verdict::Unknown));
    groups.map(|group| group.worst_of(machine)).collect()
}

/// The rows grouped by curve and operation.
pub fn groups(rows: &[Row]) -> Vec<Group<'_>> {
    let group = |rows| Group { rows, worst: worst(rows, |row| &row.machines) };
    rows.chunk_by(|a, b| a.subject.is_same_parameter(&b.subject)).map(group).collect()
}

/// The changes on a machine: the most significant row per curve and operation.
pub fn changed(rows: &[Row], machine: usize) -> Vec<&Row> {
    let groups = groups(rows).into_iter().filter(|group| group.changed(machine) > 0);
    groups.map(|group| group.worst_of(machine)).collect()
}

impl<'a> Group<'a> {
    /// The verdict on a machine; `None` if the first machine lacks the number. Points of only one
    /// machine do not count if other points have a verdict.
    fn verdict(&self, machine: usize) -> Option<Verdict> {
        let is = |verdict: Verdict| self.rows.iter().any(|row| row.machines[machine].is(verdict));
        let has_any = |cell: &Cell| cell.number.is_some() || cell.word.is_some();
        match () {
            () if is(Verdict::Changed) => Some(Verdict::Changed),
            () if is(Verdict::Same) => Some(Verdict::Same),
            () => self.rows.iter().any(|row| has_any(&row.machines[0])).then_some(Verdict::Unknown),
        }
    }

    /// Number of changed points.
    pub fn changed(&self, machine: usize) -> usize {
        let is_changed = |row: &&Row| row.machines[machine].is(Verdict::Changed);
        self.rows.iter().filter(is_changed).count()
    }

    /// The most informative row about one machine.
    pub fn worst_of(&self, machine: usize) -> &'a Row {
        let rows: &'a [Row] = self.rows;
        &rows[worst(rows, |row| std::slice::from_ref(&row.machines[machine]))]
    }

    /// The number of changed points on a machine: `, 2 of 21 points`, or empty.
    pub fn among(&self, machine: usize) -> String {
        match (self.rows.len(), self.changed(machine)) {
            (1, _) => String::new(),
            (all, 0) => format!(", {all} points"),
            (all, changed) => format!(", {changed} of {all} points"),
        }
    }
}

impl Row {
    /// The display unit, and its size in the subject's unit.
    pub fn unit(&self) -> (f64, &'static str) {
        let known = self.machines.iter().find_map(Cell::interval);
        self.subject.unit_for(known.map(|number| number.value))
    }

    /// Name and ratio: `network G ×1.100 (1.075–1.122)`.
    pub fn words(&self, machine: usize) -> String {
        let ratio = self.machines[machine].change.as_ref().map(Change::words).unwrap_or_default();
        format!("{} {ratio}", self.subject.words()).trim_end().to_owned()
    }
}

impl Row {
    /// The change as a sentence: `G is 10% worse than on 2026-05-04`. A longer time is worse;
    /// for other numbers only the direction is given.
    ///
    /// ```
    /// use loggia_model::compare::Comparison;
    /// use loggia_model::library;
    /// let (t3d, now) = (library::load("cray-t3d")?, library::load("now-sparc")?);
    /// let both = Comparison::of(&[&t3d, &now], 0.0);
    /// let gap = both.parameters.iter().find(|row| row.subject.symbol == "G").unwrap();
    /// let sentence = gap.sentence(1, "on the T3D").unwrap();
    /// assert_eq!(sentence, "G is 400% worse than on the T3D");
    /// # Ok::<(), loggia_model::Error>(())
    /// ```
    pub fn sentence(&self, machine: usize, than: &str) -> Option<String> {
        let part = self.machines[machine].change.as_ref()?.ratio? - 1.0;
        let how = match (self.subject.unit.starts_with("µs"), part > 0.0) {
            (true, true) => "worse",
            (true, false) => "better",
            (false, true) => "higher",
            (false, false) => "lower",
        };
        let by = unsigned_percent(part);
        Some(format!("{} is {by} {how} than {than}", self.subject.words_in_tier()))
    }
}

impl Cell {
    /// The number with its bounds.
    pub fn interval(&self) -> Option<Interval<f64>> {
        self.number.map(|number| number.interval)
    }

    /// Whether it has this verdict.
    pub fn is(&self, verdict: Verdict) -> bool {
        self.change.as_ref().is_some_and(|change| change.judged.verdict == verdict)
    }
}

/// The row with the largest change.
fn worst<'a>(rows: &'a [Row], of: impl Fn(&'a Row) -> &'a [Cell]) -> usize {
    // Between numbers without an interval, the ratio decides.
    let key = |row: &'a Row| {
        let changes = || of(row).iter().filter_map(|cell| cell.change.as_ref());
        let is_changed = of(row).iter().any(|cell| cell.is(Verdict::Changed));
        let distance = changes().map(|change| change.judged.distance).fold(0.0, f64::max);
        let ratios = changes().filter_map(|change| change.ratio).filter(|ratio| *ratio > 0.0);
        let ratio = ratios.map(|ratio| libm::log2(ratio).abs()).fold(0.0, f64::max);
        (is_changed, distance, ratio)
    };
    let keys: Vec<(bool, f64, f64)> = rows.iter().map(key).collect();
    let beats = |a: &(bool, f64, f64), b: &(bool, f64, f64)| {
        let order = a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)).then(a.2.total_cmp(&b.2));
        order.is_gt()
    };
    (1..rows.len()).fold(0, |best, i| if beats(&keys[i], &keys[best]) { i } else { best })
}

/// All subjects known on any machine.
pub(super) fn raw(machines: &[&Signature]) -> Vec<Raw> {
    let all: Vec<Vec<(Subject, ComparableValue)>> = machines.iter().map(|one| known(one)).collect();
    let subjects: Vec<Vec<Subject>> =
        all.iter().map(|of| of.iter().map(|(subject, _)| subject.clone()).collect()).collect();
    let of_subject = |subject: Subject| {
        let find = |of: &Vec<(Subject, ComparableValue)>| {
            of.iter().find(|(own, _)| own.is_of(&subject)).map(|(_, known)| known.clone())
        };
        rows(&subject, &all.iter().map(find).collect::<Vec<_>>())
    };
    merged(&subjects, Subject::is_of).into_iter().flat_map(of_subject).collect()
}

/// One row, or one row per point.
fn rows(subject: &Subject, of: &[Option<ComparableValue>]) -> Vec<Raw> {
    let is = |what: fn(&ComparableValue) -> bool| of.iter().flatten().any(what);
    if is(|known| matches!(known, ComparableValue::Form(_))) {
        return on_processes(subject, of);
    }
    if is(|known| matches!(known, ComparableValue::Curve(_))) {
        return at_sizes(subject, of);
    }
    let number = |known: &Option<ComparableValue>| match known {
        Some(ComparableValue::Number(number)) => Some(*number),
        _ => None,
    };
    let word = |known: &Option<ComparableValue>| match known {
        Some(ComparableValue::Word(word, is_certain)) => Some((word.clone(), *is_certain)),
        _ => None,
    };
    vec![Raw {
        subject: subject.clone(),
        numbers: of.iter().map(number).collect(),
        words: of.iter().map(word).collect(),
    }]
}

/// Sizes at which lines are compared.
const OF_LINES: [Bytes; 2] = [Bytes(8), Bytes(1 << 20)];

/// A curve at the sizes of its points. Interpolated only if a machine shares no point with the
/// first.
fn at_sizes(subject: &Subject, of: &[Option<ComparableValue>]) -> Vec<Raw> {
    let sizes: Vec<Vec<Bytes>> = of.iter().flatten().map(ComparableValue::sizes).collect();
    let with_points: Vec<&Vec<Bytes>> = sizes.iter().filter(|sizes| !sizes.is_empty()).collect();
    let share = |one: &[Bytes], other: &[Bytes]| one.iter().any(|size| other.contains(size));
    let is_apart = |of: &&Vec<Bytes>| !share(with_points[0], of);
    let between = with_points.iter().any(is_apart);
    let mut all: Vec<Bytes> = with_points.into_iter().flatten().copied().collect();
    if all.is_empty() {
        all.extend(OF_LINES);
    }
    all.sort_unstable();
    all.dedup();
    let row = |bytes: Bytes| Raw {
        subject: Subject { bytes: Some(bytes), ..subject.clone() },
        numbers: of.iter().map(|known| known.as_ref()?.at(bytes, between)).collect(),
        words: vec![None; of.len()],
    };
    all.into_iter().map(row).collect()
}

/// An operation at the ends of the range to which all its forms were fitted.
fn on_processes(subject: &Subject, of: &[Option<ComparableValue>]) -> Vec<Raw> {
    let form = |known: &'_ Option<ComparableValue>| match known {
        Some(ComparableValue::Form(form)) => Some(form.clone()),
        _ => None,
    };
    let forms: Vec<Option<Collective>> = of.iter().map(form).collect();
    let known: Vec<&Collective> = forms.iter().flatten().collect();
    let Some(first) = known.first() else { return Vec::new() };
    let procs = ends(known.iter().map(|form| Some(form.procs)), first.procs);
    let bytes = match first.bytes {
        Some(range) if first.op != Operation::Barrier => {
            ends(known.iter().map(|form| form.bytes), range)
        }
        _ => vec![Bytes(0)],
    };
    let points = procs.iter().flat_map(|p| bytes.iter().map(move |m| (*p, *m)));
    let row = |(procs, bytes): (Procs, Bytes)| {
        let question =
            Question { op: first.op, procs, bytes, bytes_are: first.bytes_are, per_node: None };
        let on = |form: &Option<Collective>| {
            let form = form.as_ref()?;
            let prediction = question.cost_by(form).prediction;
            let total = prediction.total.filter(|_| !prediction.is_extrapolated())?;
            Some(Number::reported(total.map(|time| time.0), form.quality))
        };
        Raw {
            subject: Subject { bytes: Some(bytes), procs: Some(procs), ..subject.clone() },
            numbers: forms.iter().map(on).collect(),
            words: vec![None; of.len()],
        }
    };
    points.map(row).collect()
}

/// The ends of the intersection of ranges; if empty, of the first range.
fn ends<U: Copy + Ord>(ranges: impl Iterator<Item = Option<Range<U>>>, first: Range<U>) -> Vec<U> {
    let shared = ranges.flatten().fold(first, |shared, range| Range {
        low: shared.low.max(range.low),
        high: shared.high.min(range.high),
    });
    let Range { low, high } = if shared.low <= shared.high { shared } else { first };
    if low == high { vec![low] } else { vec![low, high] }
}

impl Raw {
    /// Whether any machine has a number here.
    pub(super) fn is_number(&self) -> bool {
        self.numbers.iter().any(Option::is_some)
    }

    /// Number of verdicts based on estimates.
    fn compared(&self) -> usize {
        let Some(Some(first)) = self.numbers.first() else { return 0 };
        self.numbers[1..].iter().flatten().filter(|other| may_err(first, other)).count()
    }

    /// The number of pairs with an interval on one side only.
    fn one_sided(&self) -> usize {
        let Some(Some(first)) = self.numbers.first() else { return 0 };
        self.numbers[1..].iter().flatten().filter(|other| is_one_sided(first, other)).count()
    }

    fn judged(self, strictness: &Strictness) -> Row {
        let change = |machine: usize| {
            let (number, word) = (&self.numbers, &self.words);
            match (number[0], number[machine], &word[0], &word[machine]) {
                (Some(a), Some(b), ..) => Change::of(&a, &b, strictness),
                (_, _, Some(a), Some(b)) => Change::of_words((&a.0, a.1), (&b.0, b.1)),
                (Some(_), ..) | (_, _, Some(_), _) => Change::unknown(UNKNOWN_HERE),
                (_, Some(_), ..) | (.., Some(_)) => Change::unknown(UNKNOWN_OF_FIRST),
                _ => Change::unknown(UNKNOWN),
            }
        };
        let cell = |machine: usize| {
            let number = self.numbers[machine];
            let interval = number.map(|number| number.interval);
            let bound = |bound: f64| Some(bound).filter(|bound| bound.is_finite());
            Cell {
                value: interval.map(|of| of.value),
                low: interval.and_then(|of| bound(of.low)),
                high: interval.and_then(|of| bound(of.high)),
                word: self.words[machine].clone().map(|(word, _)| word),
                change: (machine > 0).then(|| change(machine)),
                number,
            }
        };
        Row { machines: (0..self.numbers.len()).map(cell).collect(), subject: self.subject }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library;
    use crate::signature::{Parameter, Point, Quality};
    use crate::units::{Micros, MicrosPerByte};

    fn load(name: &str) -> Signature {
        library::load(name).unwrap()
    }

    fn row<'a>(of: &'a Comparison, symbol: &str, bytes: Option<u64>) -> &'a Row {
        let is = |row: &&Row| row.subject.symbol == symbol && row.subject.bytes == bytes.map(Bytes);
        of.parameters.iter().find(is).unwrap()
    }

    fn judged(row: &Row) -> (Option<f64>, Verdict) {
        let change = row.machines[1].change.as_ref().unwrap();
        (change.ratio, change.judged.verdict)
    }

    /// The T3D with measured G and o_s, with this half-width in percent.
    fn measured(gap: f64, percent: f64) -> Signature {
        let mut t3d = load("cray-t3d");
        let part = percent / 100.0;
        t3d.tiers[0].gap_per_byte = Some(Parameter {
            low: Some(MicrosPerByte(gap * (1.0 - part))),
            high: Some(MicrosPerByte(gap * (1.0 + part))),
            quality: Quality::Good,
            ..Parameter::assumed(MicrosPerByte(gap))
        });
        let sends = t3d.tiers[0].styles[0].send_overhead.as_mut().unwrap();
        sends.quality = Quality::Good;
        for point in &mut sends.points {
            point.low = Some(Micros(point.value.0 * (1.0 - part)));
            point.high = Some(Micros(point.value.0 * (1.0 + part)));
        }
        t3d
    }

    #[test]
    fn a_machine_is_the_same_as_itself() {
        for name in library::names() {
            let machine = load(name);
            let all = Comparison::of(&[&machine, &machine], 0.0);
            assert_eq!(all.verdict(), Verdict::Same, "{name}");
            assert!(!all.is_empty() && all.parameters.iter().all(|row| row.machines.len() == 2));
        }
    }

    #[test]
    fn a_single_changed_number_is_found() {
        let all = Comparison::of(&[&measured(0.04, 1.0), &measured(0.044, 1.0)], 0.0);
        // G and two points of o_s.
        assert_eq!(all.strictness.compared, 3);
        assert_eq!(all.verdict(), Verdict::Changed);
        let (ratio, verdict) = judged(row(&all, "G", None));
        assert!((ratio.unwrap() - 1.1).abs() < 1e-12 && verdict == Verdict::Changed);
        let changed = all.parameters.iter().filter(|row| row.machines[1].is(Verdict::Changed));
        assert_eq!(changed.count(), 1);
        let wide = Comparison::of(&[&measured(0.04, 5.0), &measured(0.044, 5.0)], 0.0);
        assert_eq!(wide.verdict(), Verdict::Same);
    }

    #[test]
    fn an_unknown_number_is_reported_and_is_not_a_change() {
        let (full, mut less) = (measured(0.04, 1.0), measured(0.04, 1.0));
        less.tiers[0].gap_per_byte = None;
        less.collectives.clear();
        let all = Comparison::of(&[&full, &less], 0.0);
        assert_eq!(all.verdict(), Verdict::Unknown);
        let unknown: Vec<String> =
            unknown_rows(&all.parameters, 1).iter().map(|row| row.subject.symbol.clone()).collect();
        assert_eq!(unknown[0], "G");
        // Numbers that the first machine lacks are not compared.
        assert_eq!(Comparison::of(&[&less, &full], 0.0).verdict(), Verdict::Same);
        let reason = |of: &Comparison| {
            let change = row(of, "G", None).machines[1].change.clone().unwrap();
            assert_eq!(change.judged.verdict, Verdict::Unknown);
            change.judged.why.unwrap()
        };
        assert_eq!(reason(&all), UNKNOWN_HERE);
        assert_eq!(reason(&Comparison::of(&[&less, &full], 0.0)), UNKNOWN_OF_FIRST);
    }

    #[test]
    fn machines_without_common_numbers_give_an_empty_comparison() {
        let [t3d, gm] = ["cray-t3d", "myrinet-gm"].map(load);
        let all = Comparison::of(&[&t3d, &gm], 0.0);
        assert!(all.is_empty());
        assert_eq!(all.verdict(), Verdict::Unknown);
    }

    /// Al-Tawil & Moritz 2001, Table 3: o_s of the T3D is 30 µs at 16 bytes and 130 µs at 10,000,
    /// linear between.
    #[test]
    fn curves_are_compared_at_their_points_and_between_only_if_none_is_shared() {
        let (t3d, mut other) = (load("cray-t3d"), load("cray-t3d"));
        let sends = other.tiers[0].styles[0].send_overhead.as_mut().unwrap();
        sends.points.insert(1, Point { bytes: Bytes(64), ..sends.points[0] });
        let all = Comparison::of(&[&t3d, &other], 0.0);
        assert_eq!(judged(row(&all, "o_s", Some(16))), (Some(1.0), Verdict::Same));
        assert_eq!(judged(row(&all, "o_s", Some(64))), (None, Verdict::Unknown));
        let sends = other.tiers[0].styles[0].send_overhead.as_mut().unwrap();
        sends.points =
            vec![Point { bytes: Bytes(5008), value: Micros(160.0), low: None, high: None }];
        let all = Comparison::of(&[&t3d, &other], 0.0);
        assert_eq!(judged(row(&all, "o_s", Some(5008))), (Some(2.0), Verdict::Changed));
        assert_eq!(judged(row(&all, "o_s", Some(16))), (None, Verdict::Unknown));
    }

    #[test]
    fn transfers_are_one_word_and_s_gives_their_sizes() {
        let mut t3d = load("cray-t3d");
        for (key, value) in [("S", "8KiB"), ("progress", "dependent"), ("transfer", "rat")] {
            t3d.set(key, value).unwrap();
        }
        let mut other = t3d.clone();
        other.set("S", "16KiB").unwrap();
        let all = Comparison::of(&[&t3d, &other], 0.0);
        assert_eq!(judged(row(&all, "S", None)), (Some(2.0), Verdict::Changed));
        assert_eq!(judged(row(&all, "transfer", None)).1, Verdict::Same);
        other.set("transfer", "rta").unwrap();
        let all = Comparison::of(&[&t3d, &other], 0.0);
        assert_eq!(judged(row(&all, "transfer", None)).1, Verdict::Changed);
        assert_eq!(row(&all, "transfer", None).machines[1].word.as_deref(), Some("RTA"));
    }

    /// Hwang, Wang & Wang 1997, Table 3: scatter on the SP2 and the Paragon, both from 2 to 128
    /// processes or fewer.
    #[test]
    fn operations_are_compared_where_all_forms_were_fitted() {
        let [sp2, paragon] = ["ibm-sp2", "intel-paragon"].map(load);
        let all = Comparison::of(&[&sp2, &paragon], 0.0);
        let shared = |range: fn(&Collective) -> (u32, u32)| {
            let of = |machine: &Signature| range(machine.collective(Operation::Scatter).unwrap());
            let (a, b) = (of(&sp2), of(&paragon));
            (a.0.max(b.0), a.1.min(b.1))
        };
        let (low, high) = shared(|form| (form.procs.low.0, form.procs.high.0));
        let found: Vec<u32> = all
            .parameters
            .iter()
            .filter(|row| row.subject.symbol == "scatter")
            .filter_map(|row| Some(row.subject.procs?.0))
            .collect();
        assert_eq!((found.first(), found.last()), (Some(&low), Some(&high)));
        let barrier: Vec<&Row> =
            all.parameters.iter().filter(|row| row.subject.symbol == "barrier").collect();
        assert!(barrier.iter().all(|row| row.subject.bytes == Some(Bytes(0))));
        assert_eq!(
            groups(&all.parameters)
                .iter()
                .filter(|g| g.rows[0].subject.symbol == "barrier")
                .count(),
            1
        );
    }

    #[test]
    fn the_worst_point_represents_its_curve() {
        let (before, mut after) = (measured(0.04, 1.0), measured(0.04, 1.0));
        let sends = after.tiers[0].styles[0].send_overhead.as_mut().unwrap();
        let last = sends.points.last_mut().unwrap();
        last.value = last.value * 1.2;
        (last.low, last.high) = (last.low.map(|low| low * 1.2), last.high.map(|high| high * 1.2));
        let all = Comparison::of(&[&before, &after], 0.0);
        let groups = groups(&all.parameters);
        let of = groups.iter().find(|group| group.rows[0].subject.symbol == "o_s").unwrap();
        assert_eq!((of.worst, of.changed(1), of.rows.len()), (1, 1, 2));
        assert_eq!(of.among(1), ", 1 of 2 points");
    }
}
