//! The machine: a signature, or a set of numbers.

use super::program;
use crate::cli::{Numbers, Simulate};
use crate::source;
use loggia_model::numbers;
use loggia_model::placement;
use loggia_model::simulation_model::SimulationModel;
use loggia_model::{Error, Signature};
use loggia_simulate::ParameterSource;
use loggia_simulate::program::Program;
use loggia_simulate::{RunSetting, Ticks};

pub(super) enum Machine {
    /// A signature, and the warning about assumed costs of messages.
    Signature(Box<Signature>, Option<String>),
    Numbers(numbers::Numbers),
}

impl Machine {
    /// The program and the machine, from the same list of arguments.
    pub(super) fn and_program(args: &Simulate) -> Result<(Program, Self), Error> {
        // "SCHEDULE with SIG" is accepted, too.
        let mut arguments = args.what.iter().filter(|word| *word != "with");
        let file = if args.generated.op.is_none() { arguments.next() } else { None };
        let sig = arguments.next();
        if let Some(word) = arguments.next() {
            return Err(Error::new(
                format!("unexpected argument `{word}`"),
                "SCHEDULE SIG",
                "with --op, give only a signature",
            ));
        }
        let machine = Machine::named(sig, args)?;
        let signature = match &machine {
            Machine::Signature(signature, _) => Some(&**signature),
            Machine::Numbers(_) => None,
        };
        let program = match (program::generated(args, signature)?, file) {
            (Some(program), _) => program,
            (None, Some(file)) => program::from_file(file, args)?,
            (None, None) => {
                return Err(Error::new(
                    "no schedule is given",
                    "SCHEDULE",
                    "name a GOAL file, or use --op, --algorithm and --procs",
                ));
            }
        };
        Ok((program, machine))
    }

    fn named(sig: Option<&String>, args: &Simulate) -> Result<Self, Error> {
        let given = given(&args.numbers);
        match (sig, given) {
            (Some(_), Some(_)) => Err(Error::new(
                "both a signature and a set of numbers are given",
                "SIG",
                "give only the signature or only the numbers; --set L=5us changes a parameter of a signature",
            )),
            (Some(sig), None) => {
                let (signature, warning) =
                    source::load_to_simulate(sig, &args.route, &args.assume.set)?;
                Ok(Machine::Signature(Box::new(signature), warning))
            }
            (None, Some(numbers)) if needs_signature(args) => {
                let mut signature = numbers.signature()?;
                for (key, value) in &args.assume.set {
                    signature.set(key, value)?;
                }
                Ok(Machine::Signature(Box::new(signature), None))
            }
            (None, Some(_)) if !args.assume.set.is_empty() => Err(Error::new(
                "--set has no effect with the simulation model loggops and a set of numbers",
                "--set",
                "add --rules with another simulation model, such as loggpo",
            )),
            (None, Some(numbers)) => Ok(Machine::Numbers(numbers)),
            (None, None) => Err(Error::new(
                "no machine is given",
                "SIG",
                "name a signature (see `loggia list`), or give numbers: --L --o --g --G --O --S",
            )),
        }
    }

    pub(super) fn name(&self) -> &str {
        match self {
            Machine::Signature(signature, _) => &signature.name,
            Machine::Numbers(_) => "numbers",
        }
    }

    pub(super) fn setting<'a>(
        &'a self,
        args: &Simulate,
        node_of: Option<&'a [u32]>,
        exact_curve: bool,
    ) -> Result<RunSetting<'a>, Error> {
        let mut setting = match self {
            Machine::Signature(signature, _) => {
                let (tier, style) = (args.route.tier.as_deref(), args.route.style.as_deref());
                // A two-level algorithm may run on a machine with one tier.
                let has_levels = signature.distinguishes_nodes();
                RunSetting::of(signature, tier, style, node_of.filter(|_| has_levels))?
            }
            Machine::Numbers(numbers) => RunSetting::flat(ParameterSource::Numbers(*numbers)),
        };
        if exact_curve {
            setting.longest_tick = Ticks::Picoseconds;
        }
        Ok(setting)
    }

    /// The warning about assumed costs of messages.
    pub(super) fn assumed(&self, args: &Simulate) -> Option<String> {
        match self {
            Machine::Signature(_, Some(warning)) => Some(warning.clone()),
            _ => not_given(&args.numbers),
        }
    }

    /// A remark if --nodes has no effect.
    pub(super) fn remark_on(&self, nodes: bool) -> Option<String> {
        let one_tier = match self {
            Machine::Signature(signature, _) => !signature.distinguishes_nodes(),
            Machine::Numbers(_) => true,
        };
        (nodes && one_tier).then(|| placement::one_tier(self.name()))
    }

    /// The warning for more ranks than were measured.
    pub(super) fn extrapolated(&self, ranks: u32, has_cards: bool) -> Option<String> {
        let Machine::Signature(signature, _) = self else { return None };
        signature.extrapolated(ranks, has_cards)
    }

    /// A remark on the parameters that the simulation model neglects.
    pub(super) fn remark_on_rules(
        &self,
        rules: SimulationModel,
        setting: &RunSetting,
    ) -> Option<String> {
        let ParameterSource::Route(route) = setting.between else { return None };
        rules.remark(&route)
    }

    pub(super) fn rules(
        &self,
        args: &Simulate,
        setting: &RunSetting,
    ) -> Result<SimulationModel, Error> {
        match (args.rules, setting.between) {
            (Some(rules), _) => Ok(rules),
            (None, ParameterSource::Numbers(_)) => Ok(SimulationModel::LogGops),
            (None, ParameterSource::Route(route)) => SimulationModel::richest(&route),
        }
    }
}

fn needs_signature(args: &Simulate) -> bool {
    args.rules.is_some_and(|rules| rules != SimulationModel::LogGops)
}

/// The warning about missing numbers, if there are any numbers. Without O and S, the model is simpler,
/// but complete.
fn not_given(numbers: &Numbers) -> Option<String> {
    given(numbers)?;
    let Numbers { latency, overhead, gap, gap_per_byte, .. } = numbers;
    let known = [
        ("L", latency.is_some()),
        ("o", overhead.is_some()),
        ("g", gap.is_some()),
        ("G", gap_per_byte.is_some()),
    ];
    let missing: Vec<&str> =
        known.into_iter().filter(|(_, is_given)| !is_given).map(|(symbol, _)| symbol).collect();
    match missing.as_slice() {
        [] => None,
        [one] => Some(format!("{one} is not given; assumed 0")),
        several => Some(format!("{} are not given; assumed 0", several.join(", "))),
    }
}

/// The given numbers; missing ones are 0. `None` if there are none.
fn given(numbers: &Numbers) -> Option<numbers::Numbers> {
    let Numbers { latency, overhead, gap, gap_per_byte, overhead_per_byte, eager_limit } = numbers;
    let times = [latency, overhead, gap].iter().any(|time| time.is_some());
    let per_byte = gap_per_byte.is_some() || overhead_per_byte.is_some();
    (times || per_byte || eager_limit.is_some()).then(|| numbers::Numbers {
        latency: latency.unwrap_or_default(),
        overhead: overhead.unwrap_or_default(),
        gap: gap.unwrap_or_default(),
        gap_per_byte: gap_per_byte.unwrap_or_default(),
        overhead_per_byte: overhead_per_byte.unwrap_or_default(),
        eager_limit: *eager_limit,
    })
}
