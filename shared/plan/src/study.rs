//! Studies: plans of a sketch on several machines and at several values of swept inputs. The plans
//! are independent of each other, so that they can be computed in parallel and in any order.

use super::cache::Cache;
use super::error::PlanError;
use super::fit::{FittedSketch, MeasuredRun};
use super::plan::Plan;
use super::request::Request;
use super::sketch::Sketch;
use super::sweep::{Sweep, SweepTarget};
use crc::{CRC_64_XZ, Crc};
use loggia_model::Error;
use loggia_model::error::{Input, Place};
use loggia_model::ranks::parse_procs;
use loggia_model::signature::{Defaults, Signature};
use loggia_model::simulation_model::SimulationModel;
use loggia_model::units::Procs;
use loggia_model::what_if::WhatIf;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::rc::Rc;

/// Maximum number of plans.
pub const MAX_CASES: usize = 20_000;

/// A sketch on several machines, with swept inputs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Study {
    /// Text of the sketch.
    pub sketch: String,
    /// Replaced constants: names and formulas.
    pub lets: Vec<(String, String)>,
    /// The machines.
    pub machines: Vec<Signature>,
    /// Numbers of ranks, ascending.
    pub procs: Vec<Procs>,
    /// The tier; by default the first.
    pub tier: Option<String>,
    /// The send mode; by default the first.
    pub style: Option<String>,
    /// The simulation model; by default the richest of each machine.
    pub rules: Option<SimulationModel>,
    /// Ranks per node; by default those of the sketch.
    pub ranks_per_node: Option<u32>,
    /// Largest p for which the whole program is simulated; by default as in [`Request`].
    pub simulated: Option<u32>,
    pub what_if: WhatIf,
    /// Swept inputs with their values; every combination is planned.
    pub sweeps: Vec<Sweep>,
    /// Values of the sketch's open constants on each machine, if they were fitted.
    pub open: Vec<Vec<(String, f64)>>,
}

/// One plan of a study.
#[derive(Clone, Debug, PartialEq)]
pub struct Case<'a> {
    /// Index of the machine.
    pub machine: usize,
    /// Swept inputs with their values.
    pub with: Vec<(&'a Sweep, &'a str)>,
}

/// Computes plans of a study with a shared cache of simulations.
#[derive(Debug)]
pub struct StudyRunner<'a> {
    study: &'a Study,
    /// The sketch, without values of swept constants.
    sketch: Result<Sketch, Error>,
    cache: Rc<Cache>,
}

impl Study {
    /// Number of plans.
    #[must_use]
    pub fn cases(&self) -> usize {
        let each = self.sweeps.iter().map(|sweep| sweep.values.len());
        each.fold(self.machines.len(), usize::saturating_mul)
    }

    /// The plan with this index: machines vary slowest, the last sweep fastest.
    #[must_use]
    pub fn case(&self, at: usize) -> Case<'_> {
        let mut left = at;
        let mut with = Vec::new();
        for sweep in self.sweeps.iter().rev() {
            with.push((sweep, sweep.values[left % sweep.values.len()].as_str()));
            left /= sweep.values.len();
        }
        with.reverse();
        Case { machine: left, with }
    }

    /// Checks the inputs before any plan is computed.
    ///
    /// # Errors
    /// The first mistake in the sketch, or in a value of a sweep.
    pub fn check(&self) -> Result<(), Error> {
        if self.cases() > MAX_CASES {
            let (count, most) = (self.cases(), MAX_CASES);
            return Err(PlanError::TooManyPlans { count, most }.into());
        }
        let sketch = self.sketch()?;
        for (at, sweep) in self.sweeps.iter().enumerate() {
            if self.sweeps[..at].iter().any(|other| other.name == sweep.name) {
                return Err(PlanError::SweptTwice(sweep.name.clone()).into());
            }
            if self.is_also_set(sweep, &sketch)? {
                return Err(PlanError::SweptAndSet(sweep.name.clone()).into());
            }
            for machine in 0..self.machines.len() {
                for value in &sweep.values {
                    self.with(&sketch, machine, &[(sweep, value)])?;
                }
            }
        }
        Ok(())
    }

    /// Whether a swept input is also set for all plans.
    fn is_also_set(&self, sweep: &Sweep, sketch: &Sketch) -> Result<bool, Error> {
        let (WhatIf { latency, bandwidth, overhead, progress, eager_limit }, none) =
            (self.what_if, WhatIf::default());
        Ok(match sweep.target(sketch)? {
            SweepTarget::Constant => self.lets.iter().any(|(name, _)| *name == sweep.name),
            SweepTarget::Latency => latency != none.latency,
            SweepTarget::Bandwidth => bandwidth != none.bandwidth,
            SweepTarget::Overhead => overhead != none.overhead,
            SweepTarget::Progress => progress.is_some(),
            SweepTarget::EagerLimit => eager_limit.is_some(),
            SweepTarget::RanksPerNode => self.ranks_per_node.is_some(),
            // A set parameter changes the machine itself.
            SweepTarget::Parameter => false,
        })
    }

    /// Fits the open constants of the sketch to runs on a machine.
    ///
    /// # Errors
    /// As [`Request::fit`] and [`Sketch::read_with`].
    pub fn fit(&self, machine: usize, runs: &[MeasuredRun]) -> Result<FittedSketch, Error> {
        let sketch = self.sketch()?;
        self.request(&sketch, &self.machines[machine], Rc::default()).fit(runs)
    }

    /// Computes plans of the study.
    #[must_use]
    pub fn runner(&self) -> StudyRunner<'_> {
        StudyRunner { study: self, sketch: self.sketch(), cache: Rc::default() }
    }

    /// A checksum of the study and the version of Loggia.
    ///
    /// # Errors
    /// If the study cannot be written as JSON.
    pub fn fingerprint(&self) -> Result<String, Error> {
        let text = serde_json::to_string(&(env!("CARGO_PKG_VERSION"), self));
        let text = text.map_err(|error| PlanError::Unwritable(error.to_string()))?;
        let sum = Crc::<u64>::new(&CRC_64_XZ).checksum(text.as_bytes());
        Ok(format!("{sum:016x}"))
    }

    fn sketch(&self) -> Result<Sketch, Error> {
        Ok(Sketch::read_with(&self.sketch, &self.lets)?)
    }

    fn request<'a>(
        &'a self,
        sketch: &'a Sketch,
        machine: &'a Signature,
        cache: Rc<Cache>,
    ) -> Request<'a> {
        Request {
            tier: self.tier.as_deref(),
            style: self.style.as_deref(),
            rules: self.rules,
            ranks_per_node: self.ranks_per_node,
            simulated: self.simulated,
            cache,
            ..Request::of(sketch, machine)
        }
    }

    /// Sketch and machine with swept values.
    fn with<'a>(
        &'a self,
        sketch: &'a Sketch,
        machine: usize,
        with: &[(&Sweep, &str)],
    ) -> Result<CaseInputs<'a>, Error> {
        let mut inputs = CaseInputs {
            sketch: Cow::Borrowed(sketch),
            machine: Cow::Borrowed(&self.machines[machine]),
            ranks_per_node: self.ranks_per_node,
            what_if: self.what_if,
        };
        let mut lets = self.lets.clone();
        for (sweep, value) in with {
            let name = &sweep.name;
            let placed = |error: Error| error.at((Input::Sweep, format!("{name}={value}")));
            match sweep.target(sketch)? {
                SweepTarget::Constant => lets.push((name.clone(), (*value).to_owned())),
                SweepTarget::RanksPerNode => {
                    inputs.ranks_per_node = Some(parse_procs(value).map_err(placed)?.0);
                }
                SweepTarget::Parameter => {
                    let defaults =
                        Defaults { tier: self.tier.as_deref(), style: self.style.as_deref() };
                    let machine = inputs.machine.to_mut();
                    machine.set_within(defaults, name, value).map_err(placed)?;
                }
                what_if => what_if.change(&mut inputs.what_if, value).map_err(placed)?,
            }
        }
        if lets.len() > self.lets.len() {
            let sketch = Sketch::read_with(&self.sketch, &lets).map_err(|error| {
                let error = Error::from(error);
                match error.place.clone() {
                    Place::Input(Input::Let, value) => error.at(Place::Input(Input::Sweep, value)),
                    _ => error,
                }
            })?;
            inputs.sketch = Cow::Owned(sketch);
        }
        Ok(inputs)
    }
}

/// Inputs of one plan of a study.
struct CaseInputs<'a> {
    sketch: Cow<'a, Sketch>,
    machine: Cow<'a, Signature>,
    ranks_per_node: Option<u32>,
    what_if: WhatIf,
}

impl StudyRunner<'_> {
    /// The plan with this index.
    ///
    /// # Errors
    /// If the sketch or the machine lacks a value that the plan needs.
    pub fn plan(&self, at: usize) -> Result<Plan, Error> {
        let study = self.study;
        let Case { machine, with } = study.case(at);
        let sketch = self.sketch.as_ref().map_err(Clone::clone)?;
        let inputs = study.with(sketch, machine, &with)?;
        let is_open = |name: &str| {
            let mut constants = inputs.sketch.constants.iter();
            constants.any(|constant| constant.name == name && constant.value.is_none())
        };
        let open = study.open.get(machine).into_iter().flatten();
        let open: Vec<(String, f64)> = open.filter(|(name, _)| is_open(name)).cloned().collect();
        let request = Request {
            open: &open,
            ranks_per_node: inputs.ranks_per_node,
            what_if: inputs.what_if,
            ..study.request(&inputs.sketch, &inputs.machine, Rc::clone(&self.cache))
        };
        request.over(&study.procs)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;
    use loggia_model::library;

    const SKETCH: &str = "[let]\nn = 512\n[grid]\ncells = [4096]\n[[step]]\nhalo = \"8 * n\"\n\
                          during = \"2us * n / p\"\n[[step]]\nallreduce = 8\n";

    fn study(sweeps: &[&str]) -> Study {
        Study {
            sketch: SKETCH.to_owned(),
            lets: Vec::new(),
            machines: ["cray-t3d", "now-sparc"].map(|name| library::load(name).unwrap()).to_vec(),
            procs: vec![Procs(4), Procs(256)],
            tier: None,
            style: None,
            rules: None,
            ranks_per_node: None,
            simulated: Some(16),
            what_if: WhatIf::default(),
            sweeps: sweeps.iter().map(|sweep| sweep.parse().unwrap()).collect(),
            open: Vec::new(),
        }
    }

    /// Each plan of a study equals the plan of a single request, in any order.
    #[test]
    fn plans_of_a_study_equal_single_plans() {
        let study = study(&["n=256,1024", "scale-latency=1,4", "L=none,9us"]);
        study.check().unwrap();
        assert_eq!(study.cases(), 16);
        let case = study.case(11);
        assert_eq!(case.machine, 1);
        let with = case.with.iter().map(|(sweep, value)| (sweep.name.as_str(), *value));
        assert!(with.eq([("n", "256"), ("scale-latency", "4"), ("L", "9us")]));
        let runner = study.runner();
        let backwards: Vec<_> = (0..16).rev().map(|at| runner.plan(at)).collect();
        for (at, known) in backwards.iter().rev().enumerate() {
            assert_eq!(*known, study.runner().plan(at), "{at}");
        }
        let mut machine = library::load("now-sparc").unwrap();
        machine.set("L", "9us").unwrap();
        let sketch = Sketch::read_with(SKETCH, &[("n".to_owned(), "256".to_owned())]).unwrap();
        let what_if = WhatIf { latency: 4.0, ..WhatIf::default() };
        let own = Request { simulated: Some(16), what_if, ..Request::of(&sketch, &machine) };
        assert_eq!(backwards[4], own.over(&study.procs));
    }

    #[test]
    fn mistakes_in_sweeps_are_found_before_the_first_plan() {
        for (sweep, place, words) in [
            ("m=1,2", "sweep", "unknown name `m`"),
            ("n=1,2furlongs", "sweep n=2furlongs", ""),
            ("scale-latency=1,-1", "sweep scale-latency=-1", "of 0 or more"),
            ("ranks-per-node=0", "sweep ranks-per-node=0", "not a number of ranks"),
            ("L=1us,fast", "sweep L=fast", "fast"),
        ] {
            let error = study(&[sweep]).check().unwrap_err();
            assert_eq!(error.place.to_string(), place);
            assert!(error.message.contains(words), "{error}");
        }
        let mut both = study(&["scale-latency=1,2", "ranks-per-node=1,2", "n=1,2"]);
        both.check().unwrap();
        type Setting = (&'static str, fn(&mut Study));
        let settings: [Setting; 3] = [
            ("scale-latency", |study| study.what_if.latency = 2.0),
            ("ranks-per-node", |study| study.ranks_per_node = Some(4)),
            ("n", |study| study.lets.push(("n".to_owned(), "8".to_owned()))),
        ];
        for (name, set) in settings {
            let before = both.clone();
            set(&mut both);
            let error = PlanError::SweptAndSet(name.to_owned());
            assert_eq!(both.check(), Err(error.into()));
            both = before;
        }
        let twice = PlanError::SweptTwice("n".to_owned());
        assert_eq!(study(&["n=1", "n=2"]).check(), Err(twice.into()));
        let many = study(&["n=1..1024", "L=1us..512us", "g=1us..512us", "G=1ns..512ns"]);
        assert!(many.check().unwrap_err().help.to_string().contains("fewer"));
    }

    #[test]
    fn different_studies_have_different_fingerprints() {
        let of = |sweep: &str| study(&[sweep]).fingerprint().unwrap();
        assert_eq!(of("n=1,2"), of("n=1,2"));
        assert_ne!(of("n=1,2"), of("n=1,3"));
    }
}
