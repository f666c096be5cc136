//! A picture of a deadlock: ranks as lines, an arrow from each operation to the one that it waits for.

use super::words as text;
use crate::draw::timeline::ink;
use crate::plots::arrow::head;
use loggia_simulate::result::Blocked;
use yew::{Html, html};

/// Longer deadlocks are only listed: arrows would pass behind operations.
const MOST_RANKS: usize = 3;
const MOST_PER_RANK: usize = 3;

/// Sizes in the picture.
const BOX: [f64; 2] = [96.0, 34.0];
const STEP: [f64; 2] = [136.0, 78.0];
const LEFT: f64 = 72.0;

/// The place of an operation: its rank's line and its order in the program.
struct Place<'a> {
    number: usize,
    line: usize,
    column: usize,
    activity: &'a str,
}

impl Place<'_> {
    fn middle(&self) -> [f64; 2] {
        let [x, y] = [self.column, self.line].map(|at| at as f64);
        [LEFT + x * STEP[0] + BOX[0] / 2.0, 8.0 + y * STEP[1] + BOX[1] / 2.0]
    }
}

/// The picture of a short deadlock.
pub(crate) fn picture(cycle: &[Blocked]) -> Option<Html> {
    let (ranks, places) = places(cycle)?;
    let columns = places.iter().map(|place| place.column + 1).max()?;
    let width = LEFT + columns as f64 * STEP[0];
    let height = 16.0 + (ranks.len() - 1) as f64 * STEP[1] + BOX[1];
    let arrows = places.iter().zip(places.iter().cycle().skip(1)).map(|(from, to)| arrow(from, to));
    let lane = |(line, rank): (usize, &u32)| {
        let y = 8.0 + line as f64 * STEP[1] + BOX[1] / 2.0;
        html! { <text class="lane" x="0" y={y.to_string()}>{ text::rank(*rank) }</text> }
    };
    Some(html! {
        <figure class="deadlock">
            // For a screen reader, the list that follows says the same.
            <svg viewBox={format!("0 0 {width} {height}")} aria-hidden="true">
                { head("waits-for") }
                { for ranks.iter().enumerate().map(lane) }
                { for arrows }
                { for places.iter().map(operation) }
            </svg>
            <figcaption>{ text::DEADLOCK_SHOWS }</figcaption>
        </figure>
    })
}

/// The ranks, and the operations in the order of the deadlock; `None` if they are too many, or their
/// order in the program does not follow from the deadlock.
fn places(cycle: &[Blocked]) -> Option<(Vec<u32>, Vec<Place<'_>>)> {
    let mut ranks: Vec<u32> = cycle.iter().map(|blocked| blocked.rank).collect();
    ranks.sort_unstable();
    ranks.dedup();
    // The places where the deadlock enters a rank. An operation waits for an earlier one of its rank.
    let enters = |at: &usize| {
        let before = (at + cycle.len() - 1) % cycle.len();
        cycle[*at].rank != cycle[before].rank
    };
    let entered: Vec<usize> = (0..cycle.len()).filter(enters).collect();
    let first = *entered.first().filter(|_| entered.len() == ranks.len())?;
    let mut columns = vec![0; ranks.len()];
    let mut places = Vec::new();
    for shift in (0..cycle.len()).rev() {
        let number = (first + shift) % cycle.len();
        let blocked = &cycle[number];
        let line = ranks.iter().position(|rank| *rank == blocked.rank)?;
        places.push(Place { number, line, column: columns[line], activity: blocked.activity });
        columns[line] += 1;
    }
    places.sort_by_key(|place| place.number);
    let fits = ranks.len() <= MOST_RANKS && columns.iter().all(|used| *used <= MOST_PER_RANK);
    fits.then_some((ranks, places))
}

fn operation(place: &Place<'_>) -> Html {
    let [x, y] = place.middle();
    let class = format!("ink-{}", ink(place.activity).name());
    let words = format!("{}. {}", place.number + 1, place.activity);
    html! {
        <>
            <rect {class} x={(x - BOX[0] / 2.0).to_string()} y={(y - BOX[1] / 2.0).to_string()} width={BOX[0].to_string()} height={BOX[1].to_string()} rx="3" />
            <text class="on" x={x.to_string()} y={y.to_string()}>{ words }</text>
        </>
    }
}

fn arrow(from: &Place<'_>, to: &Place<'_>) -> Html {
    let [[x1, y1], [x2, y2]] = ends(from, to);
    let d = format!("M{x1:.1} {y1:.1}L{x2:.1} {y2:.1}");
    html! { <path class="waits" marker-end="url(#waits-for)" {d} /> }
}

/// The points where an arrow between two middles crosses the borders of their operations.
fn ends(from: &Place<'_>, to: &Place<'_>) -> [[f64; 2]; 2] {
    let ([x, y], [x2, y2]) = (from.middle(), to.middle());
    let [dx, dy] = [x2 - x, y2 - y];
    let inside = (BOX[0] / 2.0 / dx.abs()).min(BOX[1] / 2.0 / dy.abs());
    [inside, 1.0 - inside].map(|share| [x + dx * share, y + dy * share])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocked(rank: u32, activity: &'static str) -> Blocked {
        Blocked { rank, activity, op: String::new() }
    }

    /// A deadlock of these ranks: each operation waits for the one before it in its rank, and the
    /// first one for another rank.
    fn cycle(ranks: &[u32], activities: &[&'static str]) -> Vec<Blocked> {
        let of_rank = |rank: u32| activities.iter().map(move |activity| blocked(rank, activity));
        ranks.iter().copied().flat_map(of_rank).collect()
    }

    /// Line and column of each operation.
    fn lines_and_columns(cycle: &[Blocked]) -> Option<Vec<(usize, usize)>> {
        let (_, places) = places(cycle)?;
        Some(places.iter().map(|place| (place.line, place.column)).collect())
    }

    /// A receive waits for the send before it, wherever the list begins.
    #[test]
    fn operations_of_a_rank_are_in_the_order_of_the_program() {
        let cycle = cycle(&[4, 7], &["receive", "send"]);
        assert_eq!(lines_and_columns(&cycle), Some(vec![(0, 1), (0, 0), (1, 1), (1, 0)]));
        let turned = [&cycle[1..], &cycle[..1]].concat();
        assert_eq!(lines_and_columns(&turned), Some(vec![(0, 0), (1, 1), (1, 0), (0, 1)]));
    }

    #[test]
    fn only_short_deadlocks_with_a_known_order_are_drawn() {
        let ends = ["receive", "send"];
        assert!(lines_and_columns(&cycle(&[0, 1, 2], &ends)).is_some());
        assert_eq!(lines_and_columns(&cycle(&[0, 1, 2, 3], &ends)), None);
        assert_eq!(lines_and_columns(&cycle(&[0, 1, 0, 2], &["send"])), None);
        assert_eq!(lines_and_columns(&cycle(&[0], &ends)), None);
        assert_eq!(lines_and_columns(&[]), None);
    }

    /// Also between operations that are two columns apart.
    #[test]
    fn arrows_end_at_the_borders_of_operations() {
        let cycle = cycle(&[0, 1], &["send", "compute", "receive"]);
        let (_, places) = places(&cycle).unwrap();
        for (from, to) in places.iter().zip(places.iter().cycle().skip(1)) {
            for (place, [x, y]) in [from, to].into_iter().zip(ends(from, to)) {
                let [dx, dy] = [x - place.middle()[0], y - place.middle()[1]].map(f64::abs);
                let distance = (dx - BOX[0] / 2.0).max(dy - BOX[1] / 2.0);
                assert!(distance.abs() < 1e-9, "{dx}, {dy}");
            }
        }
    }
}
