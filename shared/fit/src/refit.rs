//! Fits a signature to its own samples.

use super::{collective, tables, tier};
use loggia_model::Error;
use loggia_model::signature::Signature;

/// The samples of a signature give no parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooFewSamples;

impl From<TooFewSamples> for Error {
    fn from(_: TooFewSamples) -> Self {
        Error::new(
            "this signature has too few samples for a fit",
            "samples",
            "measure with loggia collect, and open the file that it writes",
        )
    }
}

/// The signature with all parameters that its samples give; other parameters stay. Warnings about
/// the fit are added to its notes.
pub fn refit(signature: &Signature) -> Result<Signature, TooFewSamples> {
    let mut fitted = signature.clone();
    let samples = &signature.samples;
    let has = |name: &str| samples.iter().any(|samples| samples.tier.as_deref() == Some(name));
    let mut remarks = Vec::new();
    let mut is_fitted = false;
    for known in fitted.tiers.iter_mut().filter(|known| has(&known.name)) {
        let result = tier(&known.name, known.reach, samples);
        let path = known.path.take();
        *known = result.tier;
        known.path = path;
        remarks.extend(result.remarks);
        is_fitted = true;
    }
    let forms = collective::collectives(samples);
    for form in forms.collectives {
        is_fitted = true;
        match fitted.collectives.iter_mut().find(|known| known.op == form.op) {
            Some(known) => *known = form,
            None => fitted.collectives.push(form),
        }
    }
    fitted.tables = tables(samples);
    fitted.tiers_before_change.clear();
    if !is_fitted {
        return Err(TooFewSamples);
    }
    remarks.extend(forms.remarks);
    remarks.retain(|remark| !signature.notes.contains(remark));
    fitted.notes.extend(remarks);
    Ok(fitted)
}

#[cfg(test)]
mod tests {
    use super::*;
    use loggia_model::library;
    use loggia_model::signature::{Quantity, Samples};
    use loggia_model::units::{Bytes, Micros};

    fn measured(quantity: Quantity, size: u64, time: f64) -> Samples {
        Samples {
            tier: Some("network".to_owned()),
            style: Some("isend".to_owned()),
            bytes: Some(Bytes(size)),
            times: [0.99, 1.0, 1.0, 1.01, 1.0, 0.99, 1.01, 1.0].map(|n| Micros(n * time)).to_vec(),
            ..Samples::raw(quantity)
        }
    }

    #[test]
    fn fitted_parameters_replace_those_of_the_file() {
        let mut t3d = library::load("cray-t3d").unwrap();
        t3d.samples = vec![
            measured(Quantity::SendOverhead, 8, 20.0),
            measured(Quantity::SendOverhead, 1024, 40.0),
        ];
        t3d.tiers[0].path = Some("torus".to_owned());
        let fitted = refit(&t3d).unwrap();
        let curve = fitted.tiers[0].styles[0].send_overhead.as_ref().unwrap();
        assert_eq!(curve.points.len(), 2);
        assert!((curve.points[1].value.0 - 40.0).abs() < 0.5);
        assert_eq!(fitted.tiers[0].path.as_deref(), Some("torus"));
        assert_eq!(fitted.collectives, t3d.collectives, "no samples of collectives");
    }

    #[test]
    fn without_samples_there_is_no_fit() {
        let mut t3d = library::load("cray-t3d").unwrap();
        t3d.samples.clear();
        assert_eq!(refit(&t3d).unwrap_err(), TooFewSamples);
    }
}
