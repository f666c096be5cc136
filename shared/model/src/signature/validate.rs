//! Validation of signatures: every error names the field and the reason.

use super::error::FieldError;
use super::{
    Collection, Collective, Curve, Form, Noise, Parameter, Point, Progress, Quality, Reach,
    Samples, Signature, Table, Tier,
};
use crate::Error;
use crate::units::Magnitude;
use crate::units::words::counted;
use std::collections::HashSet;
use std::fmt::Write;

/// Maximum length of lists, above that of any machine; limits memory and drawing for untrusted
/// files.
const MAX: usize = 256;
const MAX_POINTS: usize = 4096;
const LONGEST_TEXT: usize = 20_000;

/// Collects errors, with the path of the field.
struct Check {
    path: String,
    first: Option<Error>,
    more: usize,
}

impl Signature {
    /// Returns the first error, with its field and reason.
    pub fn validate(&self) -> Result<(), Error> {
        let mut check = Check { path: String::new(), first: None, more: 0 };
        check.signature(self);
        match (check.first, check.more) {
            (None, _) => Ok(()),
            (Some(error), 0) => Err(error),
            (Some(mut error), more) => {
                error.help = error.help.then(format!(" ({})", counted(more, "more error")));
                Err(error)
            }
        }
    }
}

impl Check {
    fn refuse(&mut self, error: FieldError) {
        if self.first.is_some() {
            self.more += 1;
        } else {
            self.first = Some(Error::from(error).at(self.path.clone()));
        }
    }

    /// Runs `body` with the path extended by `step`.
    fn within(&mut self, step: &str, body: impl FnOnce(&mut Self)) {
        let length = self.path.len();
        if length > 0 && !step.is_empty() && !step.starts_with('[') {
            self.path.push('.');
        }
        self.path.push_str(step);
        body(self);
        self.path.truncate(length);
    }

    fn each<T>(&mut self, step: &str, items: &[T], body: impl Fn(&mut Self, &T)) {
        self.within(step, |check| {
            let length = check.path.len();
            for (i, item) in items.iter().enumerate() {
                let _ = write!(check.path, "[{i}]");
                body(check, item);
                check.path.truncate(length);
            }
        });
    }

    fn few<T>(&mut self, step: &str, items: &[T]) {
        if items.len() > MAX {
            self.within(step, |check| {
                check.refuse(FieldError::TooManyEntries(items.len()));
            });
        }
    }

    fn distinct<'a>(&mut self, step: &str, names: impl Iterator<Item = &'a str>) {
        let mut seen = HashSet::new();
        for name in names {
            if !seen.insert(name) {
                self.within(step, |check| {
                    check.refuse(FieldError::Duplicate(name.to_owned()));
                });
            }
        }
    }

    fn text(&mut self, step: &str, text: &str, required: bool) {
        self.within(step, |check| {
            if required && text.trim().is_empty() {
                check.refuse(FieldError::Empty);
            }
            if text.chars().any(|c| c.is_control() && c != '\n' && c != '\t') {
                check.refuse(FieldError::ControlCharacter);
            }
            if text.len() > LONGEST_TEXT {
                check.refuse(FieldError::TooLong);
            }
        });
    }

    fn number(&mut self, step: &str, value: Option<f64>) {
        let Some(value) = value else { return };
        self.within(step, |check| {
            if !value.is_finite() {
                check.refuse(FieldError::NotFinite);
            } else if value < 0.0 {
                check.refuse(FieldError::Negative(value));
            }
        });
    }

    fn bounds(&mut self, low: Option<f64>, value: f64, high: Option<f64>) {
        if low.is_some_and(|low| low > value) || high.is_some_and(|high| high < value) {
            self.refuse(FieldError::NotOrdered);
        }
    }

    fn parameter<U: Magnitude>(&mut self, step: &str, parameter: Option<&Parameter<U>>) {
        let Some(parameter) = parameter else { return };
        self.within(step, |check| {
            let [value, low, high] =
                [parameter.value, parameter.low, parameter.high].map(|v| v.map(U::magnitude));
            check.number("value", value);
            check.number("low", low);
            check.number("high", high);
            match value {
                Some(value) => check.bounds(low, value, high),
                None if parameter.quality != Quality::Unusable => check.refuse(FieldError::NoValue),
                None => {}
            }
            check.text("source", &parameter.source, false);
        });
    }

    fn curve(&mut self, step: &str, curve: Option<&Curve>) {
        let Some(curve) = curve else { return };
        self.within(step, |check| {
            check.number("fixed", curve.fixed.map(|v| v.0));
            check.number("per_byte", curve.per_byte.map(|v| v.0));
            match (curve.points.is_empty(), curve.fixed) {
                (false, Some(_)) => {
                    check.refuse(FieldError::PointsAndFixed);
                }
                (true, None) if curve.quality != Quality::Unusable => {
                    check.refuse(FieldError::EmptyCurve);
                }
                _ => {}
            }
            if curve.fixed.is_none() && curve.per_byte.is_some() {
                check.refuse(FieldError::PerByteAlone);
            }
            check.points(&curve.points);
            check.text("source", &curve.source, false);
        });
    }

    fn points(&mut self, points: &[Point]) {
        if points.len() > MAX_POINTS {
            self.within("points", |check| {
                check.refuse(FieldError::TooManyPoints);
            });
        }
        if !points.is_sorted_by(|a, b| a.bytes < b.bytes) {
            self.within("points", |check| {
                check.refuse(FieldError::BytesNotRising);
            });
        }
        self.each("points", points, |check, point| {
            check.number("value", Some(point.value.0));
            check.number("low", point.low.map(|v| v.0));
            check.number("high", point.high.map(|v| v.0));
            check.bounds(point.low.map(|v| v.0), point.value.0, point.high.map(|v| v.0));
        });
    }

    fn signature(&mut self, signature: &Signature) {
        self.text("name", &signature.name, true);
        let fit = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        if signature.name.len() > 100 || !signature.name.chars().all(fit) {
            self.within("name", |check| {
                check.refuse(FieldError::NotAName);
            });
        }
        self.text("title", &signature.title, true);
        if let Some(collection) = &signature.collection {
            self.within("collection", |check| check.collection(collection));
        }
        self.few("notes", &signature.notes);
        self.each("notes", &signature.notes, |check, note| check.text("", note, false));
        for (step, tiers) in
            [("tiers", &signature.tiers), ("tiers_before_change", &signature.tiers_before_change)]
        {
            self.few(step, tiers);
            self.distinct(step, tiers.iter().map(|t| t.name.as_str()));
            self.each(step, tiers, Check::tier);
        }
        self.few("collectives", &signature.collectives);
        self.distinct("collectives", signature.collectives.iter().map(|c| c.op.name()));
        self.each("collectives", &signature.collectives, Check::collective);
        self.each("tables", &signature.tables, Check::table);
        self.each("samples", &signature.samples, Check::samples);
    }

    fn table(&mut self, table: &Table) {
        self.text("source", &table.source, false);
        if table.op.is_some() && table.procs.is_none_or(|procs| procs.0 == 0) {
            self.refuse(FieldError::NoProcs);
        }
        if table.points.iter().any(|point| point.value.0 <= 0.0) {
            self.refuse(FieldError::TimeNotAbove0);
        }
        let alone = table.op.is_some() || table.procs.is_some();
        if table.pairs.is_some_and(|pairs| pairs < 2 || alone) {
            self.within("pairs", |check| {
                check.refuse(FieldError::NotPairs);
            });
        }
        self.points(&table.points);
    }

    fn collection(&mut self, collection: &Collection) {
        self.text("plan", &collection.plan, false);
        self.number("clock.resolution", Some(collection.clock.resolution.0));
        self.number("clock.overhead", Some(collection.clock.overhead.0));
        self.each("measured", &collection.measured, |check, measured| {
            check.text("name", &measured.name, true);
            check.number("seconds", Some(measured.seconds));
            check.each("remarks", &measured.remarks, |check, text| check.text("", text, false));
        });
    }

    fn tier(&mut self, tier: &Tier) {
        self.text("name", &tier.name, true);
        self.text("path", tier.path.as_deref().unwrap_or_default(), false);
        self.parameter("latency", tier.latency.as_ref());
        self.parameter("gap", tier.gap.as_ref());
        self.parameter("gap_per_byte", tier.gap_per_byte.as_ref());
        self.parameter("node_gap_per_byte", tier.node_gap_per_byte.as_ref());
        self.card(tier);
        self.parameter("end_to_end_latency", tier.end_to_end_latency.as_ref());
        self.few("gap_by_depth", &tier.gap_by_depth);
        if !tier.gap_by_depth.is_sorted_by(|a, b| a.depth < b.depth) {
            self.within("gap_by_depth", |check| {
                check.refuse(FieldError::DepthNotRising);
            });
        }
        self.each("gap_by_depth", &tier.gap_by_depth, |check, point| {
            if point.depth == 0 {
                check.within("depth", |check| {
                    check.refuse(FieldError::Depth0);
                });
            }
            check.parameter("gap", Some(&point.gap));
        });
        self.curve("gap_by_size", tier.gap_by_size.as_ref());
        self.few("styles", &tier.styles);
        self.distinct("styles", tier.styles.iter().map(|s| s.name.0.as_str()));
        self.each("styles", &tier.styles, |check, style| {
            check.text("name", &style.name.0, true);
            check.curve("send_overhead", style.send_overhead.as_ref());
            check.curve("recv_overhead", style.recv_overhead.as_ref());
            check.parameter("startup", style.startup.as_ref());
            check.parameter("per_byte", style.per_byte.as_ref());
            check.parameter("eager_limit", style.eager_limit.as_ref());
        });
        if let Some(progress) = &tier.progress {
            self.within("progress", |check| check.progress(progress));
        }
        if let Some(noise) = &tier.noise {
            self.within("noise", |check| check.noise(noise));
        }
    }

    fn noise(&mut self, noise: &Noise) {
        let percentiles = [Some(noise.median), noise.percentile_95, noise.percentile_99];
        let names = ["median", "percentile_95", "percentile_99"];
        let known = names.into_iter().zip(percentiles);
        for (name, time) in known {
            self.number(name, time.map(|time| time.0));
        }
        if !percentiles.iter().flatten().is_sorted() {
            self.refuse(FieldError::PercentilesNotOrdered);
        }
        self.text("source", &noise.source, false);
    }

    /// A network card is between nodes, and its time per byte is above 0.
    fn card(&mut self, tier: &Tier) {
        let card = tier.node_gap_per_byte.as_ref();
        if card.is_some() && tier.reach == Reach::Intra {
            self.within("node_gap_per_byte", |check| {
                check.refuse(FieldError::CardInsideNode);
            });
        }
        if card.and_then(|card| card.value).is_some_and(|each| each.0 == 0.0) {
            self.within("node_gap_per_byte", |check| {
                check.refuse(FieldError::NotAbove0);
            });
        }
        if tier.ranks_per_node == Some(0) {
            self.within("ranks_per_node", |check| check.refuse(FieldError::Zero));
        }
    }

    fn progress(&mut self, progress: &Progress) {
        self.parameter("eager_limit", progress.eager_limit.as_ref());
        self.parameter("control_overhead", progress.control_overhead.as_ref());
        self.curve("initiation", progress.initiation.as_ref());
        self.curve("copy", progress.copy.as_ref());
        self.few("transfer", &progress.transfer);
        if !progress.transfer.is_sorted_by(|a, b| a.from < b.from) {
            self.within("transfer", |check| {
                check.refuse(FieldError::FromNotRising);
            });
        }
    }

    fn collective(&mut self, collective: &Collective) {
        self.form("startup", Some(&collective.startup));
        self.form("per_byte", collective.per_byte.as_ref());
        self.form("compute_per_byte", collective.compute_per_byte.as_ref());
        self.within("procs", |check| {
            if collective.procs.low.0 < 2 || collective.procs.high < collective.procs.low {
                check.refuse(FieldError::ProcsNotOrdered);
            }
        });
        self.within("bytes", |check| {
            if collective.bytes.is_some_and(|bytes| bytes.high < bytes.low) {
                check.refuse(FieldError::BytesNotOrdered);
            }
        });
        if !collective.op.counts().contains(&collective.bytes_are) {
            self.within("bytes_are", |check| {
                let (bytes_are, op) = (collective.bytes_are, collective.op);
                check.refuse(FieldError::MeaninglessCount { bytes_are, op });
            });
        }
        self.text("source", &collective.source, false);
    }

    fn form(&mut self, step: &str, form: Option<&Form>) {
        let Some(form) = form else { return };
        self.within(step, |check| {
            if form.terms.is_empty() {
                check.refuse(FieldError::NoTerms);
            }
            check.few("terms", &form.terms);
            check.each("terms", &form.terms, |check, term| {
                let all = [Some(term.value), term.low, term.high, Some(term.power)];
                if all.into_iter().flatten().any(|v| !v.is_finite()) {
                    check.refuse(FieldError::TermNotFinite);
                }
                check.bounds(term.low, term.value, term.high);
            });
        });
    }

    fn samples(&mut self, samples: &Samples) {
        let in_rounds: u64 = samples.rounds.iter().map(|round| u64::from(round.count)).sum();
        if !samples.rounds.is_empty() && in_rounds != samples.times.len() as u64 {
            let times = samples.times.len();
            let refusal = FieldError::WrongRoundCounts { in_rounds, times };
            self.within("rounds", |check| check.refuse(refusal));
        }
        // No path per time: a measured file has tens of thousands.
        if let Some(i) = samples.times.iter().position(|t| !t.0.is_finite() || t.0 < 0.0) {
            self.within(&format!("times[{i}]"), |check| {
                check.refuse(FieldError::TimesNotFinite);
            });
        }
        if samples.procs.is_some_and(|p| p.0 == 0) {
            self.within("procs", |check| check.refuse(FieldError::Zero));
        }
    }
}
