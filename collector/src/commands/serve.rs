//! `loggia serve`

use crate::cli::Serve;
use crate::report::{Failure, Output};
use crate::serve::{self, Options};
use crate::source::load;
use loggia_model::state::State;
use loggia_model::{Error, Signature, codec};

pub(crate) fn run(args: &Serve, output: &mut Output) -> Result<(), Failure> {
    if !serve::page_is_built() {
        return Err(Failure::Failed(Error::new(
            "the page is not built into this program",
            "dist/",
            "run `make site`, then build again (`cargo build --release -p loggia`)",
        )));
    }
    let signatures: Vec<Signature> =
        args.sig.iter().map(|sig| load(sig)).collect::<Result<_, _>>()?;
    let fragments = match signatures.is_empty() {
        true => Vec::new(),
        false => vec![codec::encode(&State { signatures, ..State::default() }).0],
    };
    let options = Options { port: args.port, open: args.open, fragments };
    serve::run(&options, output.writer()).map_err(|e| match e.kind() {
        std::io::ErrorKind::AddrInUse => Failure::Failed(Error::new(
            "this port is in use",
            "--port",
            "give another one, or none for any that is free",
        )),
        _ => Failure::from(e),
    })
}
