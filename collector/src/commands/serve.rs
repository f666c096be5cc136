//! `loggia serve`

use crate::cli::Serve;
use crate::report::{Failure, Output};
use crate::serve::{self, Options};
use crate::source::load;
use loggia_model::state::State;
use loggia_model::{Signature, codec};

pub(crate) fn run(args: &Serve, output: &mut Output) -> Result<(), Failure> {
    let signatures: Vec<Signature> =
        args.sig.iter().map(|sig| load(sig)).collect::<Result<_, _>>()?;
    let fragments = match signatures.is_empty() {
        true => Vec::new(),
        false => vec![codec::encode(&State { signatures, ..State::default() }).0],
    };
    let options = Options { port: args.port, open: args.open, fragments };
    serve::run(&options, output.writer())
}
