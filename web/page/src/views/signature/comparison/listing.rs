//! A table of parameters: a row per parameter, a column per machine.

use crate::comparison::ComparedMachine;
use crate::draw::figure::Ink;
use crate::tables::{quantity, rich};
use crate::text;
use crate::views::signature::{fitting_unit, in_unit, quality, value_and_bounds};
use loggia_model::compare::merged;
use loggia_model::model::Route;
use loggia_model::signature::listing::{Entry, Value, entries};
use yew::{Html, classes, html};

/// Parameters of a tier, and of the selected send mode.
fn entries_of(route: &Route) -> Vec<Entry> {
    let style = route.style.map(|style| &style.name.0);
    let is_shown = |entry: &Entry| entry.style.is_none() || entry.style.as_ref() == style;
    entries(route.tier).into_iter().filter(is_shown).collect()
}

/// A row: symbol, unit, and whether it belongs to the send mode.
#[derive(Clone, Debug, PartialEq)]
struct Row {
    symbol: String,
    unit: &'static str,
    of_style: bool,
}

impl Row {
    fn of(entry: &Entry) -> Self {
        let (symbol, unit) = (entry.symbol.clone(), entry.unit);
        Row { symbol, unit, of_style: entry.style.is_some() }
    }
}

/// Parameters of any machine.
fn rows(all: &[Vec<Entry>]) -> Vec<Row> {
    let rows: Vec<Vec<Row>> =
        all.iter().map(|entries| entries.iter().map(Row::of).collect()).collect();
    merged(&rows, PartialEq::eq)
}

pub(super) fn listing(known: &[(&ComparedMachine, Route)]) -> Option<Html> {
    let all: Vec<Vec<Entry>> = known.iter().map(|(_, route)| entries_of(route)).collect();
    let head = |(shown, route): &(&ComparedMachine, Route)| {
        let style = route.style.map(|style| html! { <small>{ &style.name.0 }</small> });
        html! { <th scope="col">{ shown.name() }{ style }</th> }
    };
    let row = |row: &Row| {
        let is_shown = |entry: &&Entry| Row::of(entry) == *row;
        // The first machine's value determines the unit of all.
        let first = all.iter().flatten().find(is_shown);
        let (size, unit) = first.map_or((1.0, row.unit), fitting_unit);
        let cells = known.iter().zip(&all).map(|((shown, _), entries)| {
            cell(shown, entries.iter().filter(is_shown).collect(), size)
        });
        html! {
            <tr>
                <th scope="row">
                    { rich::swatch(Ink::of(&row.symbol)) }{ rich::symbol(&row.symbol) }
                    { (!unit.is_empty()).then(|| html! { <span class="unit">{ unit }</span> }) }
                    <small>{ text::parameter(&row.symbol) }</small>
                </th>
                { for cells }
            </tr>
        }
    };
    let rows = rows(&all);
    (!rows.is_empty()).then(|| {
        html! {
            <div class="scroll side-by-side" role="group" tabindex="0" aria-label={crate::comparison::words::OTHER_MACHINES}>
                <table class="parts">
                    <caption class="unseen">{ crate::comparison::words::OTHER_MACHINES }</caption>
                    <thead>
                        <tr><th scope="col">{ text::SIGNATURE_COLUMNS[0] }</th>{ for known.iter().map(head) }</tr>
                    </thead>
                    <tbody>{ for rows.iter().map(row) }</tbody>
                </table>
            </div>
        }
    })
}

/// Value in a unit of that size, bounds and quality; there may be several, such as transfers by size.
fn cell(shown: &ComparedMachine, found: Vec<&Entry>, size: f64) -> Html {
    if found.is_empty() {
        return html! { <td class="lacking">{ crate::tables::words::NOT_REPORTED }</td> };
    }
    let one = |entry: &&Entry| {
        let (value, bounds) = value_and_bounds(&in_unit(&entry.value, size));
        let value = match &entry.value {
            Value::Number(of) => {
                let path = format!("show[{}].{}", shown.machine.name, entry.symbol);
                quantity::number(&path, entry.unit, Some(of.value), value)
            }
            _ => html! { { value } },
        };
        let bounds = (!bounds.is_empty()).then(|| html! { <span class="bounds">{ bounds }</span> });
        let quality = quality(entry.quality);
        html! {
            <div>{ value }{ bounds }<small class={classes!("quality", quality)}>{ quality }</small></div>
        }
    };
    html! { <td>{ for found.iter().map(one) }</td> }
}

#[cfg(test)]
mod tests {
    use super::*;
    use loggia_model::library;

    #[test]
    fn parameters_of_a_later_machine_keep_their_place() {
        let of =
            |name: &str| entries_of(&Route::of(&library::load(name).unwrap(), None, None).unwrap());
        let rows = rows(&[of("cray-t3d"), of("myrinet-gm"), of("ap3000-mpi")]);
        let symbols: Vec<&str> = rows.iter().map(|row| row.symbol.as_str()).collect();
        assert_eq!(symbols, ["L", "G", "EEL", "o_s", "o_r", "t_s", "t_b"]);
    }
}
