//! One machine's result as a table cell; the fastest machine as a sentence.

use super::words;
use crate::draw::figure::Ink;
use crate::tables::{quantity, rich};
use crate::text;
use loggia_model::compare::{RankedTime, Verdict, fastest};
use loggia_model::units::words::time;
use yew::{Html, html};

/// Time, rank and ratio; for runs of one machine also the verdict, since different machines have
/// not changed. `path` is the path in the command's JSON.
pub(super) fn cell(path: &str, standing: &RankedTime, of_runs: bool) -> Html {
    let of = path;
    let path = format!("{path}.time_us");
    let (Some(duration), Some(rank)) = (standing.time, standing.rank) else {
        let nothing = if standing.error.is_some() { words::UNKNOWN } else { text::NO_NUMBER };
        return html! {
            <td class="number lacking">{ quantity::micros(&path, None, nothing) }</td>
        };
    };
    let ratio = standing.ratio.map(crate::comparison::words::ratio).unwrap_or_default();
    let judged = standing.judged.as_ref().map(|judged| {
        let path = format!("{of}.verdict");
        let verdict = verdict_words(judged.verdict, of_runs, || judged.outcome());
        let verdict = quantity::words(&path, judged.verdict.name(), html! { { verdict } });
        html! { <>{ " " }{ verdict }</> }
    });
    let mut classes = yew::classes!("number");
    classes.extend((rank == 1).then_some("best"));
    classes.extend((of_runs && standing.is(Verdict::Changed)).then_some("has-changed"));
    classes.extend(standing.extrapolated.then_some("beyond"));
    html! {
        <td class={classes}>
            { quantity::micros(&path, Some(duration), time(duration)) }
            <small>{ crate::comparison::words::rank(rank) }{ " " }{ ratio }{ judged }</small>
        </td>
    }
}

/// A verdict on a run; on another machine, only the reason why it is unknown.
pub(super) fn verdict_words(
    verdict: Verdict,
    of_runs: bool,
    words: impl FnOnce() -> String,
) -> String {
    if of_runs || verdict == Verdict::Unknown { words() } else { String::new() }
}

/// A machine's title with its colour.
pub(super) fn name(index: usize, title: &str) -> Html {
    html! { <>{ rich::swatch(Ink::of_machine(index)) }{ title.to_owned() }</> }
}

/// The fastest machine, and the rank of the selected one. `of` names the question.
pub(super) fn headline(
    path: &str,
    standings: &[RankedTime],
    titles: &[String],
    of: Html,
) -> Option<Html> {
    let winner = fastest(standings)?;
    let duration = standings[winner].time?;
    let path = format!("{path}.standings.{winner}.time_us");
    let count = standings.iter().filter(|standing| standing.time.is_some()).count();
    let first = standings.first().filter(|first| first.rank > Some(1));
    let behind = first.and_then(|first| {
        let times = first.time?.0 / duration.0;
        Some(words::standing(&titles[0], first.rank?, times))
    });
    Some(html! {
        <div class="advice">
            <p class="answer">
                <output>
                    { &titles[winner] }{ ": " }
                    { quantity::micros(&path, Some(duration), time(duration)) }
                </output>
            </p>
            <p class="asked">{ words::fastest_of(count) }{ of }{ behind }</p>
        </div>
    })
}
