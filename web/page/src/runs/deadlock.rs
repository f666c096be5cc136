//! A picture of a deadlock: ranks as lines, an arrow from each operation to the one that it waits for.

use super::words as text;
use loggia_simulate::result::{Blocked, BlockedKind};
use yew::{Html, html};

/// Longer deadlocks are only listed.
const MOST_RANKS: usize = 6;
const MOST_PER_RANK: usize = 3;

/// Sizes in the picture.
const BOX: [f64; 2] = [96.0, 34.0];
const STEP: [f64; 2] = [136.0, 78.0];
const LEFT: f64 = 72.0;

/// The place of an operation: its rank's line and its order in the program.
struct Place {
    number: usize,
    line: usize,
    column: usize,
    kind: BlockedKind,
}

impl Place {
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
            <svg viewBox={format!("0 0 {width} {height}")} role="img" aria-label={text::DEADLOCK_SHOWS}>
                <defs>
                    <marker id="waits-for" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto">
                        <path d="M0 0L8 4L0 8Z" />
                    </marker>
                </defs>
                { for ranks.iter().enumerate().map(lane) }
                { for arrows }
                { for places.iter().map(operation) }
            </svg>
            <figcaption>{ text::DEADLOCK_SHOWS }</figcaption>
        </figure>
    })
}

/// The ranks, and the operations in the order of the deadlock; `None` if they are too many.
fn places(cycle: &[Blocked]) -> Option<(Vec<u32>, Vec<Place>)> {
    let mut ranks: Vec<u32> = cycle.iter().map(|blocked| blocked.rank).collect();
    ranks.sort_unstable();
    ranks.dedup();
    // An operation waits for an earlier one of its rank: begin where the deadlock enters a rank.
    let enters = |at: &usize| {
        let before = (at + cycle.len() - 1) % cycle.len();
        cycle[*at].rank != cycle[before].rank
    };
    let first = (0..cycle.len()).find(enters)?;
    let mut columns = vec![0; ranks.len()];
    let mut places = Vec::new();
    for shift in (0..cycle.len()).rev() {
        let number = (first + shift) % cycle.len();
        let blocked = &cycle[number];
        let line = ranks.iter().position(|rank| *rank == blocked.rank)?;
        places.push(Place { number, line, column: columns[line], kind: blocked.kind });
        columns[line] += 1;
    }
    places.sort_by_key(|place| place.number);
    let fits = ranks.len() <= MOST_RANKS && columns.iter().all(|used| *used <= MOST_PER_RANK);
    fits.then_some((ranks, places))
}

fn operation(place: &Place) -> Html {
    let [x, y] = place.middle();
    let class = match place.kind {
        BlockedKind::Compute => "ink-compute",
        BlockedKind::Send => "ink-send",
        BlockedKind::Receive => "ink-recv",
    };
    let words = format!("{}. {}", place.number + 1, text::blocked(place.kind));
    html! {
        <>
            <rect {class} x={(x - BOX[0] / 2.0).to_string()} y={(y - BOX[1] / 2.0).to_string()} width={BOX[0].to_string()} height={BOX[1].to_string()} rx="3" />
            <text class="on" x={x.to_string()} y={y.to_string()}>{ words }</text>
        </>
    }
}

/// From the border of one operation to that of another.
fn arrow(from: &Place, to: &Place) -> Html {
    let ([x1, y1], [x2, y2]) = (from.middle(), to.middle());
    let [dx, dy] = [x2 - x1, y2 - y1];
    let border = |share: f64| [dx * share, dy * share];
    let inside = match dy == 0.0 {
        true => BOX[0] / 2.0 / dx.abs(),
        false => BOX[1] / 2.0 / dy.abs(),
    };
    let ([a, b], [c, d]) = (border(inside), border(1.0 - inside));
    html! {
        <path
            class="waits"
            marker-end="url(#waits-for)"
            d={format!("M{:.1} {:.1}L{:.1} {:.1}", x1 + a, y1 + b, x1 + c, y1 + d)}
        />
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocked(rank: u32, kind: BlockedKind) -> Blocked {
        Blocked { rank, kind, operation: String::new() }
    }

    /// Line and column of each operation.
    fn lines_and_columns(cycle: &[Blocked]) -> Option<Vec<(usize, usize)>> {
        let (_, places) = places(cycle)?;
        Some(places.iter().map(|place| (place.line, place.column)).collect())
    }

    /// A receive waits for the send before it, wherever the list begins.
    #[test]
    fn operations_of_a_rank_are_in_the_order_of_the_program() {
        let ends = [BlockedKind::Receive, BlockedKind::Send];
        let cycle: Vec<Blocked> =
            [4, 7].into_iter().flat_map(|rank| ends.map(|kind| blocked(rank, kind))).collect();
        assert_eq!(lines_and_columns(&cycle), Some(vec![(0, 1), (0, 0), (1, 1), (1, 0)]));
        let turned = [&cycle[1..], &cycle[..1]].concat();
        assert_eq!(lines_and_columns(&turned), Some(vec![(0, 0), (1, 1), (1, 0), (0, 1)]));
    }

    #[test]
    fn a_long_deadlock_and_one_of_a_single_rank_are_only_listed() {
        let ring: Vec<Blocked> = (0..7).map(|rank| blocked(rank, BlockedKind::Send)).collect();
        assert_eq!(lines_and_columns(&ring), None);
        assert!(lines_and_columns(&ring[..6]).is_some());
        assert_eq!(
            lines_and_columns(&[0, 0].map(|rank| blocked(rank, BlockedKind::Compute))),
            None
        );
    }
}
