//! Reads GOAL text in one pass, in memory proportional to the file's size.

use super::labels::{LabelId, Labels};
use super::scan::{Scanner, show};
use crate::goal::error::TextError;
use crate::schedule::{ANY, Builder, Kind, OpId, Schedule, Step};
use loggia_model::Error;

const STATEMENT: &str = "`send`, `recv`, `calc`, `LABEL requires LABEL` or `}`";
const FILE_HELP: &str = "GOAL text is `num_ranks 2`, then `rank 0 { … }` and `rank 1 { … }`";
const STATEMENT_HELP: &str = "one statement per line: `a: send 8b to 1 tag 5`, \
    `b: recv 8b from 0 tag 5`, `c: calc 100`, `c requires a` or `c irequires a`";
const ORDER_HELP: &str = "tag, cpu and nic are optional, in this order";
const CALC_HELP: &str =
    "a computation is `calc 100`, or `calc 100 cpu 1`; it has no tag and no nic";
/// Maximum number of warnings that are listed; the others are counted.
const LISTED_WARNINGS: usize = 20;

/// Reads GOAL text. Returns the schedule and warnings, each a line that begins with `line:column`.
///
/// ```
/// use loggia_schedule::goal::text;
/// let error = text::read(b"num_ranks 1\nrank 0 {\n  a: calc fast\n}\n").unwrap_err();
/// assert_eq!(error.place.to_string(), "3:11");
/// assert_eq!(error.message, "found `fast`, expected a time in nanoseconds");
/// ```
pub fn read(text: &[u8]) -> Result<(Schedule, Vec<String>), Error> {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let mut reader = Reader {
        scan: Scanner::new(text),
        ranks: 0,
        builder: Builder::default(),
        labels: Labels::default(),
        deferred: Vec::new(),
        warnings: Vec::new(),
        unlisted: 0,
    };
    reader.file()?;
    let Reader { builder, mut warnings, unlisted, .. } = reader;
    if unlisted > 0 {
        warnings.push(format!("and {unlisted} more such warnings"));
    }
    Ok((builder.finish()?, warnings))
}

/// A line `op requires earlier` or `op irequires earlier`.
struct Wait {
    op: LabelId,
    earlier: LabelId,
    kind: After,
}

#[derive(Clone, Copy)]
enum After {
    Done,
    Start,
}

struct Reader<'a> {
    scan: Scanner<'a>,
    ranks: u32,
    builder: Builder,
    labels: Labels<'a>,
    /// Dependencies of the current rank that are not in the schedule yet, in the order of the file.
    deferred: Vec<Wait>,
    warnings: Vec<String>,
    unlisted: usize,
}

impl<'a> Reader<'a> {
    fn file(&mut self) -> Result<(), Error> {
        self.scan.lines()?;
        let at = self.scan.at();
        if self.scan.name() != b"num_ranks" {
            return Err(self.scan.unexpected(at, "`num_ranks`", FILE_HELP));
        }
        self.ranks = self.number("the number of ranks", u64::from(u32::MAX))? as u32;
        for rank in 0..self.ranks {
            self.rank(rank)?;
        }
        self.scan.lines()?;
        let at = self.scan.at();
        match self.scan.peek() {
            None => Ok(()),
            Some(_) => {
                let help = format!("num_ranks is {}, and all ranks have been read", self.ranks);
                Err(self.scan.unexpected(at, "the end of the file", &help))
            }
        }
    }

    fn rank(&mut self, rank: u32) -> Result<(), Error> {
        self.scan.lines()?;
        let at = self.scan.at();
        if self.scan.name() != b"rank" {
            let help = match self.scan.peek() {
                None => format!("num_ranks is {}: ranks 0 to {}", self.ranks, self.ranks - 1),
                _ => FILE_HELP.to_owned(),
            };
            return Err(self.scan.unexpected(at, &format!("`rank {rank}`"), &help));
        }
        self.scan.blank()?;
        let at = self.scan.at();
        let found = self.scan.number("the number of the rank", u64::from(u32::MAX))?;
        if found != u64::from(rank) {
            return Err(self.scan.error(at, TextError::RankOutOfOrder { found, expected: rank }));
        }
        self.keyword(b"{", "`{`", FILE_HELP)?;
        self.builder.rank();
        self.body(rank)?;
        self.link_deferred(rank)
    }

    /// The statements of a rank, up to the closing brace.
    fn body(&mut self, rank: u32) -> Result<(), Error> {
        loop {
            self.scan.lines()?;
            match self.scan.peek() {
                Some(b'}') => {
                    self.scan.accept(b"}");
                    return Ok(());
                }
                None if rank + 1 == self.ranks => {
                    let at = self.scan.at();
                    self.warn(at, "the last `}` is missing: was the file cut off?");
                    return Ok(());
                }
                None => {
                    let help = format!(
                        "was the file cut off? rank {rank} is open, and num_ranks is {}",
                        self.ranks
                    );
                    return Err(self.scan.unexpected(self.scan.at(), STATEMENT, &help));
                }
                Some(_) => self.statement(rank)?,
            }
        }
    }

    #[inline]
    fn statement(&mut self, rank: u32) -> Result<(), Error> {
        let at = self.scan.at();
        match self.scan.name() {
            b"" => Err(self.scan.unexpected(at, STATEMENT, STATEMENT_HELP)),
            b"send" => self.operation(Kind::Send).map(drop),
            b"recv" => self.operation(Kind::Recv).map(drop),
            b"calc" => self.operation(Kind::Calc).map(drop),
            b"rank" | b"num_ranks" => {
                let help = format!("rank {rank} is still open: close it with `}}`");
                Err(self.scan.unexpected(at, STATEMENT, &help))
            }
            label => {
                self.scan.blank()?;
                if self.scan.accept(b":") {
                    self.labelled(label, at)
                } else if self.scan.accept(b"requires") {
                    self.dependency(label, at, After::Done)
                } else if self.scan.accept(b"irequires") {
                    self.dependency(label, at, After::Start)
                } else {
                    let after = show(label);
                    let expected = format!("`:`, `requires` or `irequires` after `{after}`");
                    Err(self.scan.unexpected(self.scan.at(), &expected, STATEMENT_HELP))
                }
            }
        }
    }

    #[inline]
    fn labelled(&mut self, label: &'a [u8], at: usize) -> Result<(), Error> {
        self.scan.blank()?;
        let kind = if self.scan.accept(b"send") {
            Kind::Send
        } else if self.scan.accept(b"recv") {
            Kind::Recv
        } else if self.scan.accept(b"calc") {
            Kind::Calc
        } else {
            let expected = "`send`, `recv` or `calc`";
            return Err(self.scan.unexpected(self.scan.at(), expected, STATEMENT_HELP));
        };
        let op = self.operation(kind)?;
        if !self.labels.define(label, at, op.0) {
            let label = show(label);
            self.warn(
                at,
                &format!("label `{label}` is already defined; it keeps its first operation"),
            );
        }
        Ok(())
    }

    /// The rest of an operation after its keyword.
    #[inline]
    fn operation(&mut self, kind: Kind) -> Result<OpId, Error> {
        let step = match kind {
            Kind::Calc => {
                let step = Step::calc(self.number("a time in nanoseconds", u64::MAX)?);
                let cpu = self.option(b"cpu")?;
                self.scan.end(
                    if cpu.is_some() {
                        "the end of the line"
                    } else {
                        "`cpu` or the end of the line"
                    },
                    CALC_HELP,
                )?;
                step.cpu(cpu.unwrap_or(0))
            }
            Kind::Send | Kind::Ssend | Kind::Recv => self.message(kind)?,
        };
        Ok(self.builder.push(step))
    }

    #[inline]
    fn message(&mut self, kind: Kind) -> Result<Step, Error> {
        let size = self.number("a number of bytes", u64::MAX)?;
        self.keyword(b"b", "`b` for bytes", "sizes are in bytes: `8b`")?;
        let step = if kind == Kind::Send {
            self.keyword(b"to", "`to`", "a message goes `to` a rank: `send 8b to 1`")?;
            Step::send(size, self.peer("the destination rank")?)
        } else {
            let help = "a message comes `from` a rank, or from any: `recv 8b from -1`";
            self.keyword(b"from", "`from`", help)?;
            if self.any()? {
                Step::recv(size, ANY)
            } else {
                Step::recv(size, self.peer("the source rank, or -1 for any")?)
            }
        };
        let tag = self.tag()?;
        let cpu = self.option(b"cpu")?;
        let nic = self.option(b"nic")?;
        let expected = match (tag, cpu, nic) {
            (_, _, Some(_)) => "the end of the line",
            (_, Some(_), None) => "`nic` or the end of the line",
            (Some(_), None, None) => "`cpu`, `nic` or the end of the line",
            (None, None, None) => "`tag`, `cpu`, `nic` or the end of the line",
        };
        self.scan.end(expected, ORDER_HELP)?;
        Ok(step.tag(tag.unwrap_or(0)).cpu(cpu.unwrap_or(0)).nic(nic.unwrap_or(0)))
    }

    #[inline]
    fn dependency(&mut self, op: &'a [u8], at: usize, kind: After) -> Result<(), Error> {
        let op = self.labels.id(op, at);
        self.scan.blank()?;
        let at = self.scan.at();
        let name = self.scan.name();
        if name.is_empty() {
            return Err(self.scan.unexpected(at, "a label", STATEMENT_HELP));
        }
        let earlier = self.labels.id(name, at);
        if earlier == op {
            return Err(self.scan.error(at, TextError::WaitsForItself { label: show(name) }));
        }
        let wait = Wait { op, earlier, kind };
        // After a dependency with an undefined label, all others are deferred too, to keep their
        // order.
        if !self.deferred.is_empty() || !self.link(&wait) {
            self.deferred.push(wait);
        }
        self.scan.end("the end of the line", "one dependency per line: `c requires a`")
    }

    /// Adds a dependency to the schedule if both labels are defined.
    #[inline]
    fn link(&mut self, wait: &Wait) -> bool {
        let (op, earlier) = (self.labels.op(wait.op), self.labels.op(wait.earlier));
        let (Some(op), Some(earlier)) = (op, earlier) else { return false };
        match wait.kind {
            After::Done => self.builder.after(OpId(op), OpId(earlier)),
            After::Start => self.builder.after_start(OpId(op), OpId(earlier)),
        }
        true
    }

    /// Adds the deferred dependencies.
    fn link_deferred(&mut self, rank: u32) -> Result<(), Error> {
        if let Some(at) = self.labels.undefined() {
            let label = show(self.scan.name_at(at));
            return Err(self.scan.error(at, TextError::UndefinedLabel { label, rank }));
        }
        let mut deferred = std::mem::take(&mut self.deferred);
        for wait in deferred.drain(..) {
            self.link(&wait);
        }
        self.deferred = deferred;
        self.labels.clear();
        Ok(())
    }

    #[inline]
    fn number(&mut self, quantity: &str, most: u64) -> Result<u64, Error> {
        self.scan.blank()?;
        self.scan.number(quantity, most)
    }

    #[inline]
    fn keyword(&mut self, word: &[u8], expected: &str, help: &str) -> Result<(), Error> {
        self.scan.blank()?;
        if self.scan.accept(word) {
            return Ok(());
        }
        Err(self.scan.unexpected(self.scan.at(), expected, help))
    }

    /// The number of an existing rank.
    #[inline]
    fn peer(&mut self, quantity: &str) -> Result<u32, Error> {
        self.scan.blank()?;
        let at = self.scan.at();
        let peer = self.scan.number(quantity, u64::from(u32::MAX))? as u32;
        if peer < self.ranks {
            return Ok(peer);
        }
        Err(self.scan.error(at, TextError::NoSuchRank { peer, ranks: self.ranks }))
    }

    /// Whether the next word is `-1`.
    #[inline]
    fn any(&mut self) -> Result<bool, Error> {
        self.scan.blank()?;
        Ok(self.scan.accept(b"-1"))
    }

    #[inline]
    fn tag(&mut self) -> Result<Option<u32>, Error> {
        self.scan.blank()?;
        if !self.scan.accept(b"tag") {
            return Ok(None);
        }
        if self.any()? {
            return Ok(Some(ANY));
        }
        self.number("a tag, or -1 for any", u64::from(u32::MAX)).map(|tag| Some(tag as u32))
    }

    /// An optional processor or network interface.
    #[inline]
    fn option(&mut self, name: &[u8; 3]) -> Result<Option<u8>, Error> {
        self.scan.blank()?;
        if !self.scan.accept(name) {
            return Ok(None);
        }
        let quantity = if name == b"cpu" { "a cpu" } else { "a nic" };
        self.number(quantity, u64::from(u8::MAX)).map(|index| Some(index as u8))
    }

    #[cold]
    fn warn(&mut self, at: usize, message: &str) {
        if self.warnings.len() < LISTED_WARNINGS {
            self.warnings.push(format!("{}: {message}", self.scan.place(at)));
        } else {
            self.unlisted += 1;
        }
    }
}
