//! Changes of parameters by the user: `L=5us` or `intra.isend.o_s=2us`.

mod key;
mod slot;

use super::{Signature, Style, StyleName, Tier};
use crate::Error;
use crate::error::{Expected, ValueError};
use crate::units::float;
use key::{KEYS, Key};
use slot::{assumed_progress, slot, tier_mut};

/// The parameters that can be set, with their descriptions.
pub fn parameters() -> impl Iterator<Item = (&'static str, &'static str)> {
    KEYS.iter().map(|(_, symbol, description)| (*symbol, *description))
}

/// The symbol of the parameter in a key `[tier.][style.]symbol`.
pub fn symbol_of(key: &str) -> Option<&'static str> {
    Key::named(key).map(|(_, symbol)| symbol)
}

/// The default tier and send mode of a key.
#[derive(Clone, Copy, Debug, Default)]
pub struct Defaults<'a> {
    /// The tier; by default the first.
    pub tier: Option<&'a str>,
    /// The send mode; by default the tier's first.
    pub style: Option<&'a str>,
}

impl Signature {
    /// Sets `[tier.][style.]symbol` to a typed value; after `none` it is unknown.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), Error> {
        self.set_within(Defaults::default(), key, value)
    }

    /// Sets a parameter; a key without tier or send mode refers to the defaults.
    pub fn set_within(&mut self, defaults: Defaults, key: &str, value: &str) -> Result<(), Error> {
        let (parameter, scope) = self.named_by(defaults, key)?;
        let original = self.clone();
        let done = check_unit(parameter, key, value)
            .and_then(|()| self.replace(original.described_tiers(), scope, parameter, value))
            .and_then(|()| self.validate())
            .map_err(|e| if e.place.is_nowhere() { e.at(key) } else { e });
        if done.is_err() {
            *self = original;
        }
        done
    }

    /// The parameter of `[tier.][style.]symbol`, and its tier and send mode.
    fn named_by<'a>(
        &self,
        defaults: Defaults<'a>,
        key: &'a str,
    ) -> Result<(Key, Defaults<'a>), Error> {
        let mut scopes: Vec<&str> = key.split('.').map(str::trim).collect();
        let word = scopes.pop().unwrap_or_default();
        let symbols = KEYS.map(|(_, symbol, _)| symbol);
        let (parameter, _) =
            Key::named(word).ok_or_else(|| Error::unknown("parameter", word, key, symbols))?;
        let mut found = defaults;
        for scope in scopes {
            if self.tiers.iter().any(|t| t.name == scope) {
                found.tier = Some(scope);
            } else if self.styles().any(|name| name.0 == scope)
                || StyleName(scope.to_owned()).mpi().is_some()
            {
                found.style = Some(scope);
            } else {
                let tiers = self.tiers.iter().map(|t| t.name.as_str());
                let known = tiers.chain(self.styles().map(|name| name.0.as_str()));
                return Err(Error::unknown("tier or send mode", scope, key, known));
            }
        }
        Ok((parameter, found))
    }

    /// Replaces a value of a machine with these described tiers. If measurements describe the former value, the tiers before the change are kept;
    /// if the new value is the one that they describe, the machine is as before.
    fn replace(
        &mut self,
        described_tiers: &[Tier],
        Defaults { tier, style }: Defaults,
        key: Key,
        value: &str,
    ) -> Result<(), Error> {
        let mut before = described_tiers.to_vec();
        let described = match before.iter().any(|of| tier.is_none_or(|name| of.name == name)) {
            true => Some(slot(tier_mut(&mut before, tier)?, style, key)?),
            false => None,
        };
        // Unknown means unknown before the change, too.
        let described = described.filter(|slot| value.trim() != "none" && slot.is_described());
        let mut own = slot(tier_mut(&mut self.tiers, tier)?, style, key)?;
        let is_new = own.set(value)?;
        match described {
            Some(described) if own.has_value_of(&described) => {
                own.restore(described);
                self.changed_from(&[]);
            }
            Some(_) if is_new => self.changed_from(described_tiers),
            Some(_) => {}
            // A value assumed for an unknown parameter holds before the change, too.
            None if self.is_changed() => {
                let before = tier_mut(&mut self.tiers_before_change, tier);
                before.and_then(|tier| slot(tier, style, key)?.set(value)).ok();
            }
            None => {}
        }
        Ok(())
    }

    /// Restores a parameter from the original signature.
    pub fn reset_within(&mut self, defaults: Defaults, symbol: &str, original: &Signature) {
        let Some((key, _)) = Key::named(symbol) else { return };
        reset(&mut self.tiers, defaults, key, &original.tiers);
        if self.is_changed() {
            reset(&mut self.tiers_before_change, defaults, key, original.described_tiers());
            self.changed_from(&[]);
        }
    }

    fn styles(&self) -> impl Iterator<Item = &StyleName> {
        self.tiers.iter().flat_map(|tier| tier.styles.iter().map(|style| &style.name))
    }
}

/// Copies a parameter from other tiers, and removes what was added only for it.
fn reset(to: &mut Vec<Tier>, Defaults { tier, style }: Defaults, key: Key, from: &[Tier]) {
    let Ok(tier) = tier_mut(to, tier) else { return };
    let known = from.iter().find(|of| of.name == tier.name);
    let empty = Tier::unknown(&tier.name);
    let from = known.unwrap_or(&empty);
    restore(tier, from, style, key);
    // The eager limit may be the send mode's or the tier's.
    if key == Key::EagerLimit && style.is_some() {
        restore(tier, from, None, key);
    }
    if known.is_none() {
        to.retain(|tier| *tier != empty);
    }
}

/// Copies a parameter of a tier, and removes parts that were added only for it.
fn restore(to: &mut Tier, from: &Tier, style: Option<&str>, key: Key) {
    let mut of = from.clone();
    if let (Ok(own), Ok(of)) = (slot(to, style, key), slot(&mut of, style, key)) {
        own.restore(of);
    }
    let is_added = |style: &Style| from.styles.iter().all(|of| of.name != style.name);
    to.styles.retain(|style| !is_added(style) || *style != Style::unknown(&style.name.0));
    if from.progress.is_none() {
        to.progress = to.progress.take().filter(|progress| *progress != assumed_progress());
    }
}

/// A bare number is not a rate: 12 might be 12 GB/s, or 12 µs per byte.
fn check_unit(parameter: Key, key: &str, value: &str) -> Result<(), Error> {
    let is_rate = parameter == Key::NodeGapPerByte && !key.trim().ends_with("1/R_N");
    match float(value) {
        Some(_) if is_rate => {
            Err(ValueError::Malformed { text: value.to_owned(), expected: Expected::Rate }.into())
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library;
    use crate::signature::{ProgressKind, Quality};
    use crate::units::{Bytes, Micros};

    /// A value assumed for an unknown parameter holds for the measured times, too; another value of a
    /// known parameter does not.
    #[test]
    fn the_tiers_before_a_change_of_a_known_parameter_are_kept() {
        let mut cloud = library::load("aws-c5n-18xlarge").unwrap();
        let assumed = [("L", "5us"), ("o_s", "2us"), ("send.o_r", "2us"), ("O'", "1us")];
        for (key, value) in assumed.into_iter().chain([("L", "4us")]) {
            cloud.set(key, value).unwrap();
            assert!(!cloud.is_changed(), "{key}");
        }
        let original = cloud.clone();
        let same = original.tiers[0].gap_per_byte.as_ref().unwrap().value.unwrap();
        cloud.set("G", &same.0.to_string()).unwrap();
        assert!(!cloud.is_changed(), "the same value");
        cloud.reset_within(Defaults::default(), "G", &original);
        for value in ["0.1ns", "0.2ns"] {
            cloud.set("G", value).unwrap();
            assert_eq!(cloud.before_change().as_ref(), Some(&original));
        }
        cloud.set("o_s", "3us").unwrap();
        assert_eq!(cloud.described_tiers()[0].styles, cloud.tiers[0].styles, "still assumed");
        cloud.set("o_s", "2us").unwrap();
        cloud.reset_within(Defaults::default(), "G", &original);
        assert_eq!(cloud, original);
    }

    /// 12 might be 12 GB/s, or 12 µs per byte; as 1/R_N it is the latter.
    #[test]
    fn a_rate_needs_its_unit() {
        let mut t3d = library::load("cray-t3d").unwrap();
        let error = t3d.set("R_N", "12").unwrap_err();
        assert!(error.help.to_string().contains("12") || error.message.contains("12"), "{error}");
        assert!(error.help.to_string().contains("10GB/s"), "{error}");
        for (key, value) in [("R_N", "100Gb/s"), ("R_N", "12.5GB/s"), ("1/R_N", "0.00008")] {
            t3d.set(key, value).unwrap();
            let card = t3d.tiers[0].node_gap_per_byte.clone().unwrap().value.unwrap().0;
            assert!((card - 8e-5).abs() < 1e-12, "{key}={value}: {card}");
        }
    }

    #[test]
    fn a_parameter_is_set_and_marked_as_assumed() {
        let mut t3d = library::load("cray-t3d").unwrap();
        t3d.set("L", "5us").unwrap();
        let latency = t3d.tiers[0].latency.clone().unwrap();
        assert_eq!((latency.value, latency.quality), (Some(Micros(5.0)), Quality::Assumed));
    }

    #[test]
    fn tier_and_send_mode_can_be_named() {
        let mut convex = library::load("convex-exemplar").unwrap();
        convex.set("intra-hypernode.isend.o_r", "16:1us,1KiB:3us").unwrap();
        let style = &convex.tiers[1].styles[0];
        assert_eq!(style.recv_overhead.as_ref().unwrap().points.len(), 2);
    }

    #[test]
    fn a_machine_can_be_made_from_an_empty_signature() {
        let mut sp2 = library::load("ibm-sp2").unwrap();
        for (key, value) in [("o_s", "1"), ("O'", "2"), ("S", "64KiB"), ("progress", "dcp")] {
            sp2.set(key, value).unwrap();
        }
        assert_eq!(sp2.tiers[0].styles[0].name.0, "send");
        let progress = sp2.tiers[0].progress.as_ref().unwrap();
        assert_eq!(progress.kind, Some(ProgressKind::Dependent));
        assert_eq!(progress.eager_limit.as_ref().unwrap().value, Some(Bytes(65536)));
    }

    #[test]
    fn none_removes_a_parameter() {
        let mut t3d = library::load("cray-t3d").unwrap();
        t3d.set("G", "none").unwrap();
        assert_eq!(t3d.tiers[0].gap_per_byte, None);
    }

    /// The T3D has no progress, the cloud no send modes, the SP2 no tiers.
    #[test]
    fn a_reset_restores_one_parameter_and_no_other() {
        const VALUES: [(&str, &str); 16] = [
            ("L", "1us"),
            ("g", "2us"),
            ("G", "3ns"),
            ("R_N", "4GB/s"),
            ("EEL", "5us"),
            ("g(m)", "1:6us,1KiB:7us"),
            ("o_s", "8us"),
            ("o_r", "9us"),
            ("t_s", "10us"),
            ("t_b", "11ns"),
            ("S", "12KiB"),
            ("O'", "13us"),
            ("O_i", "14us"),
            ("O_c", "15us"),
            ("progress", "independent"),
            ("transfer", "rta"),
        ];
        assert!(
            VALUES.iter().map(|(symbol, _)| *symbol).eq(parameters().map(|(symbol, _)| symbol))
        );
        for (name, style) in [
            ("cray-t3d", None),
            ("cray-t3d", Some("send")),
            ("azure-hbv2-calibrated", None),
            ("azure-hbv2-calibrated", Some("send")),
            ("ibm-sp2", None),
        ] {
            let original = library::load(name).unwrap();
            let defaults = Defaults { style, ..Defaults::default() };
            let changed = |without: &str| {
                let mut machine = original.clone();
                for (symbol, value) in VALUES.iter().filter(|(symbol, _)| *symbol != without) {
                    machine.set_within(defaults, symbol, value).unwrap();
                }
                machine
            };
            let mut all = changed("");
            for (symbol, _) in VALUES {
                let mut one = all.clone();
                one.reset_within(defaults, symbol, &original);
                assert_eq!(one, changed(symbol), "{name}: {symbol}");
            }
            for (symbol, _) in VALUES {
                all.reset_within(defaults, symbol, &original);
            }
            assert_eq!(all, original, "{name}");
        }
    }

    #[test]
    fn a_refusal_changes_nothing() {
        let mut t3d = library::load("cray-t3d").unwrap();
        let original = t3d.clone();
        for (key, value) in [
            ("L", "-1"),
            ("L", "NaN"),
            ("Q", "1"),
            ("moon.L", "1"),
            ("o_s", "16:1us,16:2us"),
            ("o_s", "16-1us,"),
            ("progress", "sideways"),
            ("transfer", "push"),
            ("transfer", "ta"),
        ] {
            let error = t3d.set(key, value).unwrap_err();
            assert!(!error.place.is_nowhere() && !error.help.is_empty(), "{key}: {error:?}");
            assert_eq!(t3d, original, "{key}={value}");
        }
    }
}
