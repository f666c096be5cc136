//! Colours of collective algorithms, and questions along an axis.

use super::figure::Ink;
use super::steps::Axis;
use loggia_model::model::MEASURED;
use loggia_model::model::Route;
use loggia_model::model::composition::{OWN_FORM, Question};
use loggia_model::placement::Nodes;
use loggia_model::signature::{BytesAre, Operation};
use loggia_model::units::{Bytes, Procs};
use loggia_model::{Error, Signature};
use loggia_simulate::request::{BEST, CollectiveRequest, methods};
use std::rc::Rc;

/// A question about a collective operation, for any machine.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct CollectiveQuestion {
    pub(crate) op: Operation,
    pub(crate) procs: Procs,
    pub(crate) bytes: Bytes,
    pub(crate) bytes_are: Option<BytesAre>,
    pub(crate) tier: Option<String>,
    pub(crate) style: Option<String>,
    pub(crate) nodes: Option<String>,
}

impl CollectiveQuestion {
    /// The question at another position on the axis.
    pub(crate) fn at(&self, axis: Axis, value: u64) -> CollectiveQuestion {
        match axis {
            Axis::Procs => CollectiveQuestion { procs: Axis::procs(value), ..self.clone() },
            _ => CollectiveQuestion { bytes: Bytes(value), ..self.clone() },
        }
    }

    /// The question's position on an axis.
    pub(crate) fn along(&self, axis: Axis) -> u64 {
        match axis {
            Axis::Procs => self.procs.0.into(),
            _ => self.bytes.0,
        }
    }

    /// The question, with bytes counted as for this machine.
    pub(crate) fn counted(&self, signature: &Signature) -> CollectiveQuestion {
        let counted = self.of(signature).map(|request| request.question.bytes_are).ok();
        CollectiveQuestion { bytes_are: counted, ..self.clone() }
    }

    /// The question for one machine, without a tier or send mode that it lacks.
    pub(crate) fn of<'a>(
        &'a self,
        signature: &'a Signature,
    ) -> Result<CollectiveRequest<'a>, Error> {
        let CollectiveQuestion { op, procs, bytes, bytes_are, .. } = *self;
        let bytes = if op == Operation::Barrier { Bytes(0) } else { bytes };
        let tier = self.tier.as_deref().filter(|tier| signature.tier(Some(tier)).is_ok());
        let has = |style: &&str| Route::of(signature, tier, Some(style)).is_ok();
        let place = |text: &String| Nodes::parse(text, procs.0);
        let question = Question::of(signature, op, procs, bytes, bytes_are)?;
        let nodes = self.nodes.as_ref().map(place).transpose()?.map(Rc::new);
        Ok(CollectiveRequest {
            tier,
            style: self.style.as_deref().filter(has),
            ..CollectiveRequest::of(signature, question).on(nodes)
        })
    }
}

/// The colour of a method, the same in lines and in the map: the machine's own method is black.
pub(crate) fn ink(op: Operation, name: &str) -> Ink {
    match methods(op).iter().position(|method| *method == name) {
        Some(place) if name != OWN_FORM => Ink::of_machine(place),
        _ => Ink::Total,
    }
}

/// The displayed name of a method.
pub(crate) fn name(method: &str) -> &str {
    match method {
        MEASURED => "as measured",
        OWN_FORM => "closed form",
        BEST => "the best",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_methods_of_an_operation_share_a_colour() {
        for op in Operation::ALL {
            let mut inks: Vec<&str> =
                methods(op).iter().map(|method| ink(op, method).name()).collect();
            let count = inks.len();
            inks.sort_unstable();
            inks.dedup();
            assert_eq!(inks.len(), count, "{op:?}");
        }
    }
}
