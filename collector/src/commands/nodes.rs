//! `--nodes`

use loggia_model::Error;
use loggia_model::collective::{self, Nodes};

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
