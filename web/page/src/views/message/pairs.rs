//! One message while other pairs of the same two nodes exchange, too.

use super::words;
use crate::notices::reason;
use crate::tables::scroll::Scroll;
use crate::tables::{quantity, table};
use crate::views::Props;
use loggia_model::model::Route;
use loggia_model::model::pairs::{self, Pairs as OfPairs};
use loggia_model::units::words::{rate, time};
use loggia_model::units::{BytesPerMicro, Micros};
use yew::{Html, component, html};

/// Numbers of pairs in the table.
const COUNTS: [u32; 7] = [1, 2, 4, 8, 16, 32, 64];

/// Whether the effect of several pairs is known for this route.
pub(super) fn are_known(route: &Route) -> bool {
    let has_pairs = |table: &loggia_model::signature::Table| table.pairs.is_some();
    route.node_gap_per_byte().is_some() || route.signature.tables.iter().any(has_pairs)
}

#[component]
pub(super) fn Pairs(props: &Props) -> Html {
    let page = &props.page;
    let found = page.route().and_then(|route| {
        let of = |pairs| pairs::predict(&route, page.inputs.model, page.bytes(), pairs);
        COUNTS.map(of).into_iter().collect::<Result<Vec<_>, _>>()
    });
    let body = match &found {
        Err(why) => reason(why),
        Ok(all) => html! {
            <>
                <p class="aside">{ all.first().map(words::card) }</p>
                <Scroll>
                    { table::table(words::PAIRS, &words::PAIRS_COLUMNS, all.iter().map(row).collect()) }
                </Scroll>
            </>
        },
    };
    html! {
        <section class="panel whole" id="pairs" aria-labelledby="pairs-title">
            <h2 id="pairs-title">{ words::PAIRS }</h2>
            { body }
        </section>
    }
}

fn row(of: &OfPairs) -> Vec<Html> {
    let path = |what: &str| format!("predict.p2p.pairs_{}.{what}", of.pairs);
    let at: Option<Micros> = of.prediction.time();
    let bandwidth = |what: &str, value: Option<BytesPerMicro>| {
        let shown = value.map_or_else(|| "—".to_owned(), rate);
        quantity::number(&path(what), "bytes/us", value.map(|value| value.0), shown)
    };
    vec![
        html! { of.pairs },
        quantity::micros(&path("time_us"), at, at.map_or_else(|| "—".to_owned(), time)),
        bandwidth("rank_bandwidth_bytes_per_us", of.of_rank),
        bandwidth("node_bandwidth_bytes_per_us", of.of_node),
        html! { of.prediction.basis.name() },
    ]
}
