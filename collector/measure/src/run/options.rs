//! Options of a run, and the effort of each level.

use crate::measure::Effort;
use loggia_model::Error;
use std::path::PathBuf;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// At most ten seconds.
    Quick,
    /// Below a minute for two ranks.
    Default,
    /// Some minutes, for narrower intervals.
    Thorough,
}

/// The kinds of measurements, as in `--only`.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
pub enum MeasurementKind {
    EagerLimit,
    PingPong,
    TwoProcessor,
    Bandwidth,
    CpuOverlap,
    Progress,
    OneSided,
    Collectives,
}

impl MeasurementKind {
    /// All kinds, in the order of a run.
    pub const ALL: [MeasurementKind; 8] = [
        MeasurementKind::EagerLimit,
        MeasurementKind::PingPong,
        MeasurementKind::TwoProcessor,
        MeasurementKind::Bandwidth,
        MeasurementKind::CpuOverlap,
        MeasurementKind::Progress,
        MeasurementKind::OneSided,
        MeasurementKind::Collectives,
    ];

    /// The name on the command line and in files.
    pub fn name(self) -> &'static str {
        match self {
            MeasurementKind::EagerLimit => "eager-limit",
            MeasurementKind::PingPong => "ping-pong",
            MeasurementKind::TwoProcessor => "two-processor",
            MeasurementKind::Bandwidth => "flood",
            MeasurementKind::CpuOverlap => "cpu-overlap",
            MeasurementKind::Progress => "progress",
            MeasurementKind::OneSided => "one-sided",
            MeasurementKind::Collectives => "collectives",
        }
    }

    /// The parameters that this measurement determines, and the paper of the method.
    pub fn words(self) -> &'static str {
        match self {
            MeasurementKind::EagerLimit => "S, by send mode (Chen et al. 2009)",
            MeasurementKind::PingPong => "end-to-end times by size, EEL (Bell et al. 2003)",
            MeasurementKind::TwoProcessor => {
                "o_s and o_r by send mode and size, L (Al-Tawil & Moritz 2001)"
            }
            MeasurementKind::Bandwidth => "g by queue depth, G (Bell et al. 2003)",
            MeasurementKind::CpuOverlap => "o_s and o_r by inserted computation (Bell et al. 2003)",
            MeasurementKind::Progress => "DCP or ICP, RAT or RTA, overlap (Chen et al. 2009)",
            MeasurementKind::OneSided => "put and get times (Bell et al. 2003)",
            MeasurementKind::Collectives => {
                "T(m, p) of collectives (Hwang, Wang & Wang 1997; Touriño & Doallo 2001)"
            }
        }
    }

    /// The measurement of that name.
    pub fn named(name: &str) -> Result<Self, Error> {
        let normalized = name.trim().to_lowercase().replace('_', "-");
        MeasurementKind::ALL.into_iter().find(|kind| kind.name() == normalized).ok_or_else(|| {
            Error::unknown(
                "measurement",
                name,
                "--only",
                MeasurementKind::ALL.map(MeasurementKind::name),
            )
        })
    }
}

#[derive(Clone, Debug)]
pub struct Options {
    pub output: PathBuf,
    pub name: String,
    pub title: String,
    pub level: Level,
    pub sizes: Vec<usize>,
    pub styles: Vec<String>,
    pub only: Vec<MeasurementKind>,
    pub max_seconds: Option<f64>,
    pub resume: bool,
    pub overwrite: bool,
    /// The command line and the date, for the file.
    pub command: String,
    pub date: String,
}

impl Options {
    /// The plan as text: a run can be resumed only with the same text.
    pub(super) fn plan_text(&self) -> String {
        let list = |names: Vec<String>| names.join(" ");
        format!(
            "{}; sizes {}; styles {}; {}",
            self.level.name(),
            list(self.sizes.iter().map(usize::to_string).collect()),
            list(self.styles.clone()),
            list(self.only.iter().map(|kind| kind.name().to_owned()).collect()),
        )
    }
}

impl Level {
    pub fn name(self) -> &'static str {
        match self {
            Level::Quick => "quick",
            Level::Default => "default",
            Level::Thorough => "thorough",
        }
    }

    /// Minimum and maximum number of rounds. Rounds are spread over the run, so that drift is visible
    /// and a few disturbed rounds have little effect.
    pub fn rounds(self) -> (u32, u32) {
        match self {
            Level::Quick => (6, 30),
            Level::Default => (6, 60),
            Level::Thorough => (12, 120),
        }
    }

    /// Seconds for the point-to-point measurements of a tier.
    pub fn seconds(self) -> f64 {
        match self {
            Level::Quick => 6.0,
            Level::Default => 40.0,
            Level::Thorough => 300.0,
        }
    }

    /// The effort of one condition in one of `rounds` rounds, within `seconds`. All rounds together
    /// make the 600 repetitions of Al-Tawil & Moritz 2001.
    pub fn effort(self, rounds: u32, seconds: f64) -> Effort {
        let (all, precision) = match self {
            Level::Quick => (160, 0.03),
            Level::Default => (600, 0.02),
            Level::Thorough => (2400, 0.01),
        };
        let min = u32::div_ceil(all, rounds).max(6);
        // More repetitions in a round do not reduce the variation between rounds.
        Effort { warm_up: 10, min, max: 6 * min, precision, seconds }
    }
}
