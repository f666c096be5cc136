//! `L=0..20us`: the completion time over a parameter.

use loggia_model::Error;
use loggia_model::units::{Micros, MicrosPerByte};
use loggia_simulate::result::Curve;
use loggia_simulate::{Parameter, Simulation};

#[derive(Clone, Copy, Debug)]
pub(super) struct Range {
    parameter: Parameter,
    from: Micros,
    to: Micros,
}

const EXAMPLE: &str = "write such as L=0..20us or G=0..10ns";

impl Range {
    pub(super) fn parse(text: &str) -> Result<Self, Error> {
        let wrong = |what: String| Error::new(what, "--curve", EXAMPLE);
        let (name, range) =
            text.split_once('=').ok_or_else(|| wrong(format!("`{text}` is not a range")))?;
        let (from, to) =
            range.split_once("..").ok_or_else(|| wrong(format!("`{range}` is not a range")))?;
        let at = |error: Error| error.at("--curve");
        let (parameter, [from, to]) = match name.trim() {
            "L" => {
                let time = |text: &str| text.trim().parse::<Micros>().map_err(at);
                (Parameter::Latency, [time(from)?, time(to)?])
            }
            "G" => {
                let time = |text: &str| {
                    let per_byte = text.trim().parse::<MicrosPerByte>().map_err(at)?;
                    Ok::<_, Error>(per_byte.of(1.0))
                };
                (Parameter::GapPerByte, [time(from)?, time(to)?])
            }
            other => return Err(wrong(format!("unknown parameter `{other}`"))),
        };
        if from.0 > to.0 {
            return Err(wrong(format!("`{range}` ends before it begins")));
        }
        Ok(Range { parameter, from, to })
    }

    pub(super) fn trace(self, simulation: &Simulation, most_events: u64) -> Result<Curve, Error> {
        simulation.curve_over(self.parameter, (self.from, self.to), most_events)
    }
}
