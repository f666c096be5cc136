//! A new machine from a few numbers of the user.

use super::error::SignatureError;
use super::{Machine, Origin, Signature, Tier};
use crate::Error;

/// o sets both overheads.
const OVERHEAD: &str = "o";
const OVERHEADS: [&str; 2] = ["o_s", "o_r"];

impl Signature {
    /// A machine with a single tier between nodes, with these parameters: symbols, each with its
    /// typed value. `from` is the origin of the numbers, as text.
    ///
    /// # Errors
    /// For an invalid name, an unknown parameter, an impossible value, and without parameters.
    pub fn assumed<'a>(
        name: &str,
        title: &str,
        from: &str,
        parameters: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Self, Error> {
        let title = if title.trim().is_empty() { name } else { title.trim() };
        let from = if from.trim().is_empty() { "typed by hand" } else { from.trim() };
        let mut signature = Signature {
            loggia: Signature::VERSION,
            name: name.to_owned(),
            title: title.to_owned(),
            origin: Origin::Assumption { from: from.to_owned() },
            machine: Machine::default(),
            collection: None,
            notes: Vec::new(),
            tiers: vec![Tier::unknown("network")],
            collectives: Vec::new(),
            tables: Vec::new(),
            samples: Vec::new(),
            tiers_before_change: Vec::new(),
        };
        signature.validate()?;
        let mut is_any = false;
        for (symbol, value) in parameters {
            let alone = [symbol];
            let symbols = if symbol == OVERHEAD { &OVERHEADS[..] } else { &alone };
            for of in symbols {
                signature.set(of, value).map_err(|error| error.at(symbol))?;
            }
            is_any = true;
        }
        match is_any {
            true => Ok(signature),
            false => Err(SignatureError::NoParameter.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Model, Route};
    use crate::signature::Quality;
    use crate::units::{Bytes, Micros};

    fn made(parameters: &[(&str, &str)]) -> Result<Signature, Error> {
        Signature::assumed("mine", "", "a datasheet", parameters.iter().copied())
    }

    #[test]
    fn only_given_parameters_are_known() {
        let mine = made(&[("L", "2us"), ("o", "0.3us"), ("G", "0.08ns"), ("S", "8KiB")]).unwrap();
        assert_eq!((mine.title.as_str(), mine.tiers.len()), ("mine", 1));
        assert_eq!(mine.origin, Origin::Assumption { from: "a datasheet".to_owned() });
        let tier = &mine.tiers[0];
        assert_eq!(tier.latency.as_ref().map(|l| l.quality), Some(Quality::Assumed));
        assert!(tier.gap.is_none() && tier.end_to_end_latency.is_none());
        assert_eq!(
            tier.progress.as_ref().unwrap().eager_limit.as_ref().unwrap().value,
            Some(Bytes(8192))
        );
        let route = Route::of(&mine, None, None).unwrap();
        // o_s + L + o_r + (k − 1) G
        let time = Model::LogGp.predict(&route, Bytes(1001)).unwrap().time().unwrap();
        assert!((time.0 - Micros(0.3 + 2.0 + 0.3 + 1000.0 * 0.08e-3).0).abs() < 1e-12);
    }

    #[test]
    fn invalid_input_is_refused_with_its_place() {
        assert!(made(&[]).unwrap_err().message.contains("no parameter"));
        assert_eq!(made(&[("L", "-1")]).unwrap_err().place.to_string(), "L");
        assert_eq!(made(&[("o", "fast")]).unwrap_err().place.to_string(), "o");
        let name = Signature::assumed("My Machine", "", "", [("L", "1")]).unwrap_err();
        assert_eq!(name.place.to_string(), "name");
    }
}
