//! Pictures that explain the rounds of collective operations, without times.

use super::arrow::head;
use yew::{Html, classes, html};

const RANKS: usize = 8;
const ROUNDS: usize = 3;
const TREE_SHOWS: &str = "Broadcast by a binomial tree on 8 ranks: in round 1, rank 0 sends to rank 4; in round 2, \
    ranks 0 and 4 send to ranks 2 and 6; in round 3, the four ranks with the data send to the other four.";
const RING_SHOWS: &str = "A ring of 8 ranks: in every round, each rank sends to the next, and the last rank \
    sends to the first.";
const EVERY_ROUND: &str = "each round";

/// A round is a column of the tree, a rank a row.
const COLUMN: f64 = 110.0;
const ROW: f64 = 24.0;
const LEFT: f64 = 90.0;
const TOP: f64 = 40.0;
/// The radius of a rank.
const RANK: f64 = 11.0;
/// The middle and the radius of the ring.
const MIDDLE: [f64; 2] = [115.0, 115.0];
const RADIUS: f64 = 98.0;

/// A broadcast: who has the data sends it to a rank without it.
pub(crate) fn tree() -> Html {
    let x = |round: usize| LEFT + round as f64 * COLUMN;
    let y = |rank: usize| TOP + rank as f64 * ROW;
    let sends = (1..=ROUNDS).flat_map(|round| {
        let distance = RANKS >> round;
        let sender = move |from: usize| (round, from, from + distance);
        (0..RANKS).step_by(2 * distance).map(sender)
    });
    let send = |(round, from, to): (usize, usize, usize)| {
        arrow([x(round - 1), y(from)], [x(round), y(to)])
    };
    let row = |rank: usize| {
        // The round after which the rank has the data: rank 4 after the first, 2 and 6 after the second.
        let has_from = if rank == 0 { 0 } else { ROUNDS - rank.trailing_zeros() as usize };
        html! {
            <>
                <text class="lane" x="4" y={y(rank).to_string()}>{ format!("rank {rank}") }</text>
                <path class="axis" d={format!("M{} {}H{}", x(0), y(rank), x(ROUNDS))} />
                { for (has_from..=ROUNDS).map(|round| disc([x(round), y(rank)], RANK / 2.0)) }
            </>
        }
    };
    let round = |round: usize| {
        let middle = (x(round - 1) + x(round)) / 2.0;
        html! { <text x={middle.to_string()} y="12">{ format!("round {round}") }</text> }
    };
    let height = y(RANKS - 1) + 16.0;
    picture(
        "tree",
        TREE_SHOWS,
        [x(ROUNDS) + 10.0, height],
        html! {
            <>
                { for (1..=ROUNDS).map(round) }
                { for (0..RANKS).map(row) }
                { for sends.map(send) }
            </>
        },
    )
}

/// Every rank sends to the next one.
pub(crate) fn ring() -> Html {
    let place = |rank: usize| {
        let turn = (rank as f64 / RANKS as f64)
            .mul_add(std::f64::consts::TAU, -std::f64::consts::FRAC_PI_2);
        [MIDDLE[0] + RADIUS * turn.cos(), MIDDLE[1] + RADIUS * turn.sin()]
    };
    let rank = |rank: usize| {
        let [x, y] = place(rank);
        html! {
            <>
                { disc([x, y], RANK) }
                <text class="on" x={x.to_string()} y={y.to_string()}>{ rank.to_string() }</text>
            </>
        }
    };
    let send = |rank: usize| arrow(place(rank), place((rank + 1) % RANKS));
    picture(
        "ring",
        RING_SHOWS,
        MIDDLE.map(|middle| 2.0 * middle),
        html! {
            <>
                <text x={MIDDLE[0].to_string()} y={MIDDLE[1].to_string()}>{ EVERY_ROUND }</text>
                { for (0..RANKS).map(send) }
                { for (0..RANKS).map(rank) }
            </>
        },
    )
}

fn picture(
    name: &'static str,
    shows: &'static str,
    [width, height]: [f64; 2],
    parts: Html,
) -> Html {
    html! {
        <svg
            class={classes!("message-picture", name)}
            viewBox={format!("0 0 {width} {height}")}
            role="img"
            aria-label={shows}
        >
            { head("sends-to") }
            { parts }
        </svg>
    }
}

fn disc([x, y]: [f64; 2], radius: f64) -> Html {
    html! { <circle class="ink-send" cx={x.to_string()} cy={y.to_string()} r={radius.to_string()} /> }
}

/// A message between two ranks, from border to border.
fn arrow(from: [f64; 2], to: [f64; 2]) -> Html {
    let [dx, dy] = [to[0] - from[0], to[1] - from[1]];
    let share = (RANK + 3.0) / dx.hypot(dy);
    let [[x1, y1], [x2, y2]] =
        [share, 1.0 - share].map(|at| [from[0] + dx * at, from[1] + dy * at]);
    html! { <path class="sends" marker-end="url(#sends-to)" d={format!("M{x1:.1} {y1:.1}L{x2:.1} {y2:.1}")} /> }
}
