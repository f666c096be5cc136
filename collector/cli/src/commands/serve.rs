//! `loggia serve`

use crate::cli::Serve;
use crate::report::{Failure, Output};
use crate::serve::{self, Options};
use crate::source::load;
use loggia_link::state::State;
use loggia_model::Signature;

pub(crate) fn run(args: &Serve, output: &mut Output) -> Result<(), Failure> {
    let signatures: Vec<Signature> =
        args.sig.iter().map(|sig| load(sig)).collect::<Result<_, _>>()?;
    let state = (!signatures.is_empty()).then(|| State { signatures, ..State::default() });
    let watched = args.watch.clone();
    let options = Options { port: args.port, open: args.open, state, watched };
    serve::run(options, output.writer())
}
