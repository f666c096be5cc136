//! Output: text tables for people, one JSON object for programs.

pub(crate) mod collected;
pub(crate) mod collectives;
pub(crate) mod parameters;
pub(crate) mod table;

pub(crate) use loggia_collect::progress_bar::remark;
use loggia_collect::run;
use loggia_exchange::error::{ImportError, ScoreError};
use loggia_model::Error;
use loggia_model::error::Input;
use serde::Serialize;
use serde_json::json;
use std::io::{self, StdoutLock, Write};
use std::process::ExitCode;

/// Why a command ends early.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The input is wrong: exit 2.
    Refused(Error),
    /// The input is good but the run failed: exit 1.
    Failed(Error),
    /// Exit with this status; all output is written.
    Ended(u8),
    /// The reading process closed the pipe, as in `loggia list | head -1`.
    Closed,
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Failure::Refused(error)
    }
}

macro_rules! refused {
    ($($mistake:ty)*) => {$(
        impl From<$mistake> for Failure {
            fn from(mistake: $mistake) -> Self {
                Failure::Refused(mistake.into())
            }
        }
    )*};
}

refused! { ImportError ScoreError }

impl From<run::Failure> for Failure {
    fn from(failure: run::Failure) -> Self {
        match failure {
            run::Failure::Refused(error) => Failure::Refused(error),
            run::Failure::Failed(error) => Failure::Failed(error),
        }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::Closed,
            _ => Failure::Failed(Error::new(
                format!("cannot write: {error}"),
                "standard output",
                "check the destination and the free space",
            )),
        }
    }
}

/// Standard output, as text or as JSON.
pub(crate) struct Output {
    json: bool,
    out: io::BufWriter<StdoutLock<'static>>,
}

impl Output {
    pub(crate) fn new(json: bool) -> Self {
        Output { json, out: io::BufWriter::new(io::stdout().lock()) }
    }

    /// The value as JSON with --json, otherwise the text.
    pub(crate) fn print(
        &mut self,
        value: &impl Serialize,
        text: impl FnOnce() -> String,
    ) -> Result<(), Failure> {
        if !self.json {
            return self.text(&text());
        }
        serde_json::to_writer_pretty(&mut self.out, value).map_err(io::Error::from)?;
        Ok(writeln!(self.out)?)
    }

    /// Text with a final newline.
    pub(crate) fn text(&mut self, text: &str) -> Result<(), Failure> {
        self.out.write_all(text.trim_end().as_bytes())?;
        Ok(writeln!(self.out)?)
    }

    pub(crate) fn writer(&mut self) -> &mut impl Write {
        &mut self.out
    }

    pub(crate) fn finish(&mut self) -> Result<(), Failure> {
        Ok(self.out.flush()?)
    }

    pub(crate) fn is_json(&self) -> bool {
        self.json
    }
}

/// An input as its option, with the value if there is one.
fn option(input: Input, value: Option<&str>) -> String {
    let option = match input {
        Input::Format => "--as".to_owned(),
        Input::Operation => "--op".to_owned(),
        Input::Signature => return value.map_or_else(|| "SIG".to_owned(), str::to_owned),
        Input::OverheadPerByte => "--O".to_owned(),
        Input::SingleNumbers => "--L --o --g --G --O --S".to_owned(),
        _ => format!("--{}", input.name()),
    };
    match value {
        None => option,
        // A shell requires quotes around parentheses.
        Some(value) if value.contains('(') => format!("{option} '{value}'"),
        Some(value) => format!("{option} {value}"),
    }
}

/// The same error, with inputs as options.
pub(crate) fn with_options(error: &Error) -> Error {
    error.worded(option).into()
}

/// Prints an error in the input; exit status 2.
pub(crate) fn refuse(error: &Error, json: bool) -> ExitCode {
    print_error(error, json);
    ExitCode::from(2)
}

/// Prints the error of a failed run; exit status 1.
pub(crate) fn fail(error: &Error, json: bool) -> ExitCode {
    print_error(error, json);
    ExitCode::FAILURE
}

fn print_error(error: &Error, json: bool) {
    let error = error.worded(option);
    // If the error cannot be written, the exit status remains.
    let _ = if json {
        writeln!(io::stdout(), "{}", json!({ "error": error }))
    } else {
        writeln!(io::stderr(), "loggia: {error}")
    };
}
