//! `--nodes`, and what reductions cost where nobody says so.

use loggia_model::collective::{self, Nodes};
use loggia_model::model::collective as published;
use loggia_model::signature::Operation;
use loggia_model::units::{MicrosPerByte, Procs};
use loggia_model::{Error, Signature};

/// `block:8`, `cyclic:4` or `0,0,1,1`.
pub(super) fn nodes(text: &str, ranks: u32) -> Result<Nodes, Error> {
    let wrong = |what: String| Error::new(what, "--nodes", "write block:8, cyclic:4 or 0,0,1,1");
    let number = |word: &str| {
        word.trim().parse::<u32>().map_err(|_| wrong(format!("`{word}` is not a number")))
    };
    if ranks > collective::MOST_PROCS {
        return Err(wrong(format!("{ranks} ranks are too many")));
    }
    match text.split_once(':') {
        Some(("block", each)) => Nodes::block(ranks, number(each)?),
        Some(("cyclic", nodes)) => Nodes::cyclic(ranks, number(nodes)?),
        Some((word, _)) => Err(wrong(format!("`{word}` is no way to place ranks"))),
        None => {
            let names: Vec<u32> = text.split(',').map(number).collect::<Result<_, _>>()?;
            if names.len() == ranks as usize {
                return Ok(Nodes::explicit(&names));
            }
            Err(wrong(format!("nodes are given for {} of {ranks} ranks", names.len())))
        }
    }
}

/// t_c as the signature's closed form of the operation has it; else combining costs nothing.
pub(super) fn reported_compute(
    signature: Option<&Signature>,
    op: Operation,
    procs: Procs,
) -> MicrosPerByte {
    let form = signature.and_then(|signature| signature.collective(op));
    let one_byte = form.and_then(|form| published::cost(form, procs, 1.0).compute);
    MicrosPerByte(one_byte.map_or(0.0, |time| time.0))
}
