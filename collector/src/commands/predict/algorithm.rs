//! `loggia predict collective --algorithm NAME|best`: an algorithm instead of a published form.

use super::bounded;
use super::collective::Answer;
use crate::cli::Collective;
use crate::commands::nodes::nodes;
use crate::commands::way::Asked;
use crate::report::table::{remarks, table};
use crate::report::{Failure, Output};
use loggia_model::collective::{self, Algorithm, Nodes};
use loggia_model::model::Route;
use loggia_model::model::composition::{COMPOSITIONS, OWN_FORM, Question, Way};
use loggia_model::simulate::algorithm::{By, Field, Modelled, Overtaking};
use loggia_model::simulate::program::reported_compute;
use loggia_model::simulate::{Rules, Setting};
use loggia_model::units::words::{number, size};
use loggia_model::units::{Bytes, Micros, Procs};
use loggia_model::{Error, Signature};
use serde::Serialize;

/// What only an answer by an algorithm says.
#[derive(Serialize)]
struct ByAlgorithm {
    time_us: Micros,
    low_us: Micros,
    high_us: Micros,
    startup_us: Micros,
    transmission_us: Micros,
    compute_us: Micros,
    by: By,
    terms: Vec<Term>,
    formula: &'static str,
    formula_is_exact_for: &'static str,
    warnings: Vec<String>,
}

#[derive(Serialize)]
struct Term {
    symbol: &'static str,
    count: f64,
    value_us: f64,
}

/// By how much it is the best, and where it no longer is.
#[derive(Serialize)]
pub(super) struct Best {
    ranking: Vec<Ranked>,
    /// The next best one's time over this one's.
    ahead: Option<f64>,
    next_over_bytes: Option<Overtaking<Bytes>>,
    next_over_procs: Option<Overtaking<Procs>>,
}

#[derive(Serialize)]
struct Ranked {
    name: &'static str,
    /// `form` for what is published of the machine, `algorithm` for LogGP's time of an algorithm.
    from: &'static str,
    time_us: Micros,
}

/// The signature's own question to an algorithm.
pub(super) struct Ask<'a> {
    args: &'a Collective,
    signature: &'a Signature,
    question: &'a Question,
    nodes: Option<Nodes>,
}

impl<'a> Ask<'a> {
    pub(super) fn new(
        args: &'a Collective,
        signature: &'a Signature,
        question: &'a Question,
    ) -> Result<Self, Error> {
        let place = |text: &String| nodes(text, question.procs.0);
        let nodes = args.nodes.as_ref().map(place).transpose()?;
        Ok(Ask { args, signature, question, nodes })
    }

    fn field(&self) -> Result<Field<'_>, Error> {
        let way = &self.args.way;
        let two_tiers = self.signature.tiers.len() > 1;
        let node_of = self.nodes.as_ref().filter(|_| two_tiers).map(Nodes::of_all);
        let setting =
            Setting::of(self.signature, way.tier.as_deref(), way.style.as_deref(), node_of)?;
        let Question { op, procs, .. } = *self.question;
        let reported = || reported_compute(Some(self.signature), op, procs);
        let compute = self.args.compute.unwrap_or_else(reported);
        let route = Route::of(self.signature, way.tier.as_deref(), way.style.as_deref())?;
        // Without the parameters of any, the error says what LogGP lacks.
        let rules = Rules::richest(&route).ok().filter(|rules| *rules != Rules::LogP);
        let rules = rules.unwrap_or(Rules::LogGp);
        Ok(Field { setting, nodes: self.nodes.as_ref(), compute, rules })
    }

    /// By the algorithm of that name.
    pub(super) fn named(&self, name: &str, output: &mut Output) -> Result<(), Failure> {
        let op = self.question.op;
        let algorithm: &'static Algorithm = collective::named(op, name).map_err(|_| {
            let composed = COMPOSITIONS.iter().filter(|c| c.op == op).map(|c| c.name);
            let algorithms = collective::algorithms(op).iter().map(|algorithm| algorithm.name);
            let new = algorithms.filter(|name| COMPOSITIONS.iter().all(|c| c.name != *name));
            let known = [OWN_FORM, "best"].into_iter().chain(composed).chain(new);
            Error::unknown("algorithm", name, "--algorithm", known)
        })?;
        let field = self.field()?;
        let modelled = field.ask(self.question, algorithm)?;
        self.say(&field, &modelled, None, output)
    }

    /// The fastest of all: by which of the algorithms, unless one of the published ways is faster.
    /// Without parameters for the algorithms there are only those.
    pub(super) fn best(&self, ways: &[Way], output: &mut Output) -> Result<Option<Best>, Failure> {
        let field = self.field();
        let ranking = match &field {
            Ok(field) => field.ranking(self.question),
            Err(error) => Err(error.clone()),
        };
        if ways.is_empty() && ranking.as_ref().map_or(true, Vec::is_empty) {
            return Err(ranking.err().unwrap_or_else(|| self.question.no_way()).into());
        }
        let ranking = ranking.unwrap_or_default();
        let published = ways
            .iter()
            .filter_map(|way| Some(Ranked { name: way.name, from: "form", time_us: way.time()? }));
        let modelled = ranking.iter().map(|modelled| Ranked {
            name: modelled.algorithm.name,
            from: "algorithm",
            time_us: modelled.time.value,
        });
        let mut all: Vec<Ranked> = published.chain(modelled).collect();
        all.sort_by(|a, b| a.time_us.0.total_cmp(&b.time_us.0));
        let ahead = match all.as_slice() {
            [first, second, ..] => Some(second.time_us.0 / first.time_us.0),
            _ => None,
        };
        let first_is_algorithm = all.first().is_some_and(|first| first.from == "algorithm");
        let mut best = Best { ranking: all, ahead, next_over_bytes: None, next_over_procs: None };
        let published = |question: &Question| {
            let first = question.ranking(self.signature).ok()?.into_iter().next()?;
            Some((first.time()?, first.name))
        };
        if let Ok(field) = &field {
            best.next_over_bytes = field.next_over_bytes(self.question, &published);
            best.next_over_procs = field.next_over_procs(self.question, &published);
        }
        if !first_is_algorithm {
            return Ok(Some(best));
        }
        if let (Ok(field), Some(first)) = (&field, ranking.first()) {
            self.say(field, first, Some(best), output)?;
        }
        Ok(None)
    }

    fn say(
        &self,
        field: &Field,
        modelled: &Modelled,
        best: Option<Best>,
        output: &mut Output,
    ) -> Result<(), Failure> {
        let Modelled { algorithm, time, startup, compute, formula, range, by, .. } = *modelled;
        let terms = modelled.terms.iter().map(|term| Term {
            symbol: term.symbol,
            count: term.count,
            value_us: term.time.0 / term.count,
        });
        let mut warnings: Vec<String> = modelled.warnings.iter().map(ToString::to_string).collect();
        let rules = field.rules;
        let elsewhere = match (rules, field.setting.inside) {
            (_, Some(_)) => "the closed form is for one tier, by the rules of loggp".to_owned(),
            (Rules::LogGp, None) => {
                format!("the closed form is exact for {range}, by the rules of loggp")
            }
            _ => "the closed form is by the rules of loggp".to_owned(),
        };
        match by {
            By::ClosedForm => {}
            By::Run => warnings.push(format!("{elsewhere}: this is a run by {}", rules.name())),
            By::Estimate => {
                warnings.push(format!("an estimate: {elsewhere}; `loggia simulate` runs it"));
            }
        }
        let from_forms = |best: &Best| best.ranking.iter().any(|ranked| ranked.from == "form");
        if best.as_ref().is_some_and(from_forms) {
            warnings.push(
                "forms are what was measured of the machine's library, algorithms what LogGP predicts"
                    .to_owned(),
            );
        }
        let answer = Answer {
            asked: Asked::of(self.signature, self.question),
            model: rules.name(),
            algorithm: algorithm.name,
            how: ByAlgorithm {
                time_us: time.value,
                low_us: time.low,
                high_us: time.high,
                startup_us: startup,
                transmission_us: Micros((time.value.0 - startup.0 - compute.0).max(0.0)),
                compute_us: compute,
                by,
                terms: terms.collect(),
                formula,
                formula_is_exact_for: range,
                warnings,
            },
            best,
        };
        output.answer(&answer, || {
            let rows = modelled.terms.iter().map(|term| {
                [term.symbol.to_owned(), number(term.count, 12), number(term.time.0, 8)]
            });
            format!(
                "{} · {} by {} · p = {} · {} {}\n{}\n{}\n\n{formula}\n(exact for {range})\n\n{}{}{}",
                self.signature.title,
                self.question.op.name(),
                algorithm.name,
                self.question.procs.0,
                size(self.question.bytes),
                self.question.bytes_are.words(),
                bounded(Some(time)),
                algorithm.summary,
                table(&["", "count>", "µs>"], rows),
                answer.best.as_ref().map(Best::words).unwrap_or_default(),
                remarks(&answer.how.warnings)
            )
        })
    }
}

impl Best {
    /// The ranking, and where it changes.
    pub(super) fn words(&self) -> String {
        let best = self.ranking.first().map_or(1.0, |first| first.time_us.0);
        let rows = self.ranking.iter().map(|ranked| {
            [
                ranked.name.to_owned(),
                ranked.from.to_owned(),
                number(ranked.time_us.0, 6),
                format!("×{}", number(ranked.time_us.0 / best, 3)),
            ]
        });
        let mut text = format!("\n{}", table(&["", "", "µs>", ">"], rows));
        if let Some(next) = self.next_over_bytes {
            text += &format!("from {} on, {} is the fastest\n", size(next.at), next.algorithm);
        }
        if let Some(next) = self.next_over_procs {
            text += &format!("from p = {} on, {} is the fastest\n", next.at.0, next.algorithm);
        }
        text
    }
}
