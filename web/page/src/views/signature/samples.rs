//! The distribution of samples by condition.

use super::words;
use crate::draw::scale::Log;
use crate::fields::chips::{Chip, Chips};
use crate::machines::Machine;
use crate::tables::scroll::Scroll;
use crate::tables::table::table;
use crate::views::signature::figure::strip::{Strip, scale, strip};
use loggia_model::Signature;
use loggia_model::signature::{Quantity, Samples, Statistic};
use loggia_model::stats::summary::Summary;
use loggia_model::units::Micros;
use loggia_model::units::words::{number, time};
use yew::{Callback, Html, Properties, component, html, use_memo, use_state};

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) machine: Machine,
}

/// A method of measurement.
#[derive(Clone, Debug, PartialEq)]
struct Method {
    quantity: Quantity,
    tier: Option<String>,
    op: Option<String>,
    style: Option<String>,
    statistic: Statistic,
    /// The tool that printed the numbers, if it was not Loggia.
    tool: Option<String>,
}

impl Method {
    fn of(samples: &Samples) -> Self {
        Method {
            quantity: samples.quantity,
            tier: samples.tier.clone(),
            op: samples.op.clone(),
            style: samples.style.clone(),
            statistic: samples.statistic,
            tool: samples.tool.clone(),
        }
    }

    fn words(&self) -> String {
        let names = [&self.tier, &self.op, &self.style].into_iter().flatten().cloned();
        let parts: Vec<String> =
            names.chain([words::statistic(self.statistic)]).chain(self.tool.clone()).collect();
        parts.join(", ")
    }
}

/// All methods in the order of the samples; single times before statistics.
fn methods(signature: &Signature) -> Vec<Method> {
    let mut methods: Vec<Method> = Vec::new();
    for method in signature.samples.iter().map(Method::of) {
        if !methods.contains(&method) {
            methods.push(method);
        }
    }
    methods.sort_by_key(|method| method.statistic != Statistic::Raw);
    methods
}

/// The first method shown: whole messages, if there are any.
fn default_method(methods: &[Method]) -> Option<Method> {
    let ends = methods.iter().find(|method| method.quantity == Quantity::EndToEnd);
    ends.or(methods.first()).cloned()
}

/// Samples of one condition.
#[derive(Clone, Debug, PartialEq)]
struct SampleSet {
    condition: String,
    summary: Summary,
    /// File and line, or paper; empty for measurements by Loggia.
    source: String,
}

/// Conditions of one method with their summaries, by size.
fn summaries(signature: &Signature, method: &Method) -> Vec<SampleSet> {
    let mut selected: Vec<&Samples> =
        signature.samples.iter().filter(|samples| Method::of(samples) == *method).collect();
    selected.sort_by_key(|samples| (samples.procs, samples.bytes, samples.depth));
    let with_ranks = selected.windows(2).any(|pair| pair[0].ranks != pair[1].ranks);
    let summary = |samples: &Samples| {
        let times: Vec<f64> = samples.times.iter().map(|time| time.0).collect();
        let tick = samples.tick.map_or(0.0, |tick| tick.0);
        let condition = words::condition(samples, with_ranks);
        Some(SampleSet {
            condition,
            summary: Summary::of(&times, tick)?,
            source: samples.source.clone(),
        })
    };
    selected.into_iter().filter_map(summary).collect()
}

#[component]
pub(super) fn Raw(Props { machine }: &Props) -> Html {
    let methods = use_memo(machine.clone(), |machine| methods(machine));
    let chosen = use_state(|| None::<Method>);
    let method = (*chosen)
        .clone()
        .filter(|method| methods.contains(method))
        .or_else(|| default_method(&methods));
    let shown = use_memo((machine.clone(), method.clone()), |(machine, method)| {
        method.as_ref().map(|method| summaries(machine, method)).unwrap_or_default()
    });
    let Some(method) = method else { return html! {} };
    let choose = |all: Vec<Method>| {
        let chosen = chosen.clone();
        Callback::from(move |place: String| {
            chosen.set(place.parse().ok().and_then(|place: usize| all.get(place).cloned()));
        })
    };
    let mut firsts: Vec<Method> = Vec::new();
    for method in methods.iter() {
        if !firsts.iter().any(|first| first.quantity == method.quantity) {
            firsts.push(method.clone());
        }
    }
    let same_quantity: Vec<Method> =
        methods.iter().filter(|w| w.quantity == method.quantity).cloned().collect();
    let quantity_chips =
        chips(&firsts, |w| (words::quantity(w.quantity).to_owned(), w.quantity == method.quantity));
    let method_chips = chips(&same_quantity, |w| (w.words(), *w == method));
    html! {
        <>
            <div class="pickers">
                <Chips name="sampled" legend={words::QUANTITY} chips={quantity_chips} on_choose={choose(firsts)} />
                <Chips name="sampled-how" legend={words::METHOD} chips={method_chips} on_choose={choose(same_quantity)} />
            </div>
            <p class="aside">{ words::STRIPS_SHOW }</p>
            { strips(&shown) }
            <details class="data">
                <summary>{ crate::tables::words::DATA }</summary>
                <Scroll>{ quantiles(&shown) }</Scroll>
            </details>
        </>
    }
}

fn chips(methods: &[Method], of: impl Fn(&Method) -> (String, bool)) -> Vec<Chip> {
    let chip = |(place, method): (usize, &Method)| {
        let (label, is_chosen) = of(method);
        Chip { value: place.to_string(), label, hint: String::new(), is_chosen, is_possible: true }
    };
    methods.iter().enumerate().map(chip).collect()
}

fn strips(shown: &[SampleSet]) -> Html {
    let summaries: Vec<Summary> = shown.iter().map(|set| set.summary).collect();
    let Some(scale) = scale(&summaries) else { return html! {} };
    let row = |SampleSet { condition, summary, .. }: &SampleSet| {
        vec![
            html! { { condition } },
            strip_svg(summary, scale),
            html! { { time(Micros(summary.median)) } },
            html! { { words::outliers(summary.outliers, summary.count) } },
        ]
    };
    let rows = shown.iter().map(row).collect();
    html! { <div class="scroll strips" role="group" tabindex="0" aria-label={crate::text::TABLE}>{ table(words::SAMPLES, &words::STRIP_COLUMNS, rows) }</div> }
}

fn strip_svg(summary: &Summary, scale: Log) -> Html {
    let Strip { all, most, middle, median } = strip(summary, scale);
    let percent = |share: f64| format!("{:.2}%", share * 100.0);
    let line = |class: &'static str, [from, to]: [f64; 2]| {
        html! { <line {class} x1={percent(from)} x2={percent(to)} y1="50%" y2="50%" /> }
    };
    let words = [summary.least, summary.median, summary.largest].map(|value| time(Micros(value)));
    let [least, middle_words, largest] = &words;
    html! {
        <svg class="strip" role="img" aria-label={words::strip(least, middle_words, largest)}>
            { line("all", all) }
            { line("most", most) }
            <rect x={percent(middle[0])} width={percent(middle[1] - middle[0])} y="15%" height="70%" />
            <line class="median" x1={percent(median)} x2={percent(median)} y1="0" y2="100%" />
        </svg>
    }
}

fn quantiles(shown: &[SampleSet]) -> Html {
    let row = |SampleSet { condition, summary, source }: &SampleSet| {
        let Summary { count, outliers, least, low, lower_quartile, median, .. } = *summary;
        let Summary { upper_quartile, high, largest, .. } = *summary;
        let times = [least, low, lower_quartile, median, upper_quartile, high, largest];
        let mut cells = vec![condition.clone(), count.to_string()];
        cells.extend(times.map(|value| number(value, 4)));
        cells.extend([outliers.to_string(), source.clone()]);
        cells.into_iter().map(|words| html! { { words } }).collect()
    };
    table(words::SAMPLES, &words::QUANTILE_COLUMNS, shown.iter().map(row).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use loggia_model::library;
    use loggia_model::units::Bytes;

    #[test]
    fn samples_are_grouped_by_method() {
        let mut t3d = library::load("cray-t3d").unwrap();
        let published = methods(&t3d);
        assert_eq!(published.len(), 6, "bcast on 2 and on 64 processes has one method");
        let bcast = summaries(&t3d, &published[0]);
        let conditions: Vec<&str> = bcast.iter().map(|set| set.condition.as_str()).collect();
        assert_eq!(conditions, ["p = 2", "p = 64"]);
        assert_eq!(bcast[1].summary.median, 150.0);
        t3d.samples = [1024, 8]
            .map(|size| Samples {
                style: Some("send".to_owned()),
                bytes: Some(Bytes(size)),
                times: [5.0, 1.0, 2.0, 3.0, 4.0].map(Micros).to_vec(),
                ..Samples::raw(Quantity::EndToEnd)
            })
            .to_vec();
        let [method] = &methods(&t3d)[..] else { panic!() };
        assert_eq!(method.words(), "send, raw");
        let measured = summaries(&t3d, method);
        assert_eq!([0, 1].map(|i: usize| measured[i].condition.as_str()), ["8 B", "1 KiB"]);
        let first = measured[0].summary;
        assert_eq!((first.median, first.largest), (3.0, 5.0));
        let printed = |tool: &str| Samples {
            tool: Some(tool.to_owned()),
            source: format!("{tool}.txt:4"),
            ..t3d.samples[0].clone()
        };
        t3d.samples = ["OSU 7.4 Latency Test", "IMB PingPong"].map(printed).to_vec();
        let [osu, _] = &methods(&t3d)[..] else { panic!("two tools, two ways") };
        assert_eq!(osu.words(), "send, raw, OSU 7.4 Latency Test");
        assert_eq!(summaries(&t3d, osu)[0].source, "OSU 7.4 Latency Test.txt:4");
    }
}
