//! Scanner: words and numbers of a text, with their positions.

use crate::goal::error::TextError;
use loggia_model::Error;
use loggia_model::error::Place;

/// Reads a text from its begin to its end.
pub(super) struct Scanner<'a> {
    text: &'a [u8],
    at: usize,
    /// End of the last word or number.
    token_end: usize,
}

impl<'a> Scanner<'a> {
    pub(super) fn new(text: &'a [u8]) -> Self {
        Scanner { text, at: 0, token_end: 0 }
    }

    /// Number of bytes read.
    #[inline]
    pub(super) fn at(&self) -> usize {
        self.at
    }

    #[inline]
    pub(super) fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    /// Skips blanks and comments in the line.
    #[inline]
    pub(super) fn blank(&mut self) -> Result<(), Error> {
        loop {
            match self.peek() {
                Some(b' ' | b'\t' | b'\r') => self.at += 1,
                Some(b'/') if self.comment()? => {}
                _ => return Ok(()),
            }
        }
    }

    /// Skips blanks, comments and ends of lines.
    #[inline]
    pub(super) fn lines(&mut self) -> Result<(), Error> {
        loop {
            self.blank()?;
            match self.peek() {
                Some(b'\n') => self.at += 1,
                _ => return Ok(()),
            }
        }
    }

    /// Skips a comment, if it begins here.
    fn comment(&mut self) -> Result<bool, Error> {
        let rest = &self.text[self.at..];
        let length = match rest.get(1) {
            Some(b'/') => rest.iter().position(|b| *b == b'\n').unwrap_or(rest.len()),
            Some(b'*') => match rest[2..].windows(2).position(|pair| pair == b"*/") {
                Some(inside) => inside + 4,
                None => {
                    return Err(self.error(self.at, TextError::OpenComment));
                }
            },
            _ => return Ok(false),
        };
        self.at += length;
        Ok(true)
    }

    /// Skips `word` if the text continues with it; returns whether it does.
    #[inline]
    pub(super) fn accept(&mut self, word: &[u8]) -> bool {
        let here = self.text[self.at..].starts_with(word);
        if here {
            self.at += word.len();
            self.token_end = self.at;
        }
        here
    }

    /// Reads a name: a letter, then letters, digits and `_`. Empty if there is none.
    #[inline]
    pub(super) fn name(&mut self) -> &'a [u8] {
        let name = self.name_at(self.at);
        self.at += name.len();
        self.token_end = self.at;
        name
    }

    /// The name at a position.
    #[inline]
    pub(super) fn name_at(&self, at: usize) -> &'a [u8] {
        let rest = &self.text[at..];
        let length = match rest.first() {
            Some(first) if first.is_ascii_alphabetic() => rest
                .iter()
                .position(|b| !(b.is_ascii_alphanumeric() || *b == b'_'))
                .unwrap_or(rest.len()),
            _ => 0,
        };
        &rest[..length]
    }

    /// Reads an integer of at most `most`; `quantity` names it in errors.
    #[inline]
    pub(super) fn number(&mut self, quantity: &str, most: u64) -> Result<u64, Error> {
        let start = self.at;
        let mut number = Some(0u64);
        while let Some(digit @ b'0'..=b'9') = self.peek() {
            let digit = u64::from(digit - b'0');
            number = number.and_then(|n| n.checked_mul(10)?.checked_add(digit));
            self.at += 1;
        }
        self.token_end = self.at;
        match number {
            Some(number) if number <= most && self.at > start && self.peek() != Some(b'.') => {
                Ok(number)
            }
            _ => Err(self.no_number(start, quantity, most)),
        }
    }

    #[cold]
    fn no_number(&self, start: usize, quantity: &str, most: u64) -> Error {
        let whole = "write numbers as digits only, without sign, point or exponent";
        if self.at == start {
            return self.unexpected(start, quantity, whole);
        }
        let end = |b: &u8| !(b.is_ascii_alphanumeric() || *b == b'.');
        let rest = &self.text[start..];
        let shown = show(&rest[..rest.iter().position(end).unwrap_or(rest.len())]);
        if self.peek() == Some(b'.') {
            return self.expected(start, format!("`{shown}`"), quantity, whole);
        }
        let number = show(&self.text[start..self.at]);
        self.error(start, TextError::TooLarge { number, quantity: quantity.to_owned(), most })
    }

    /// Skips the end of a statement: the end of its line or of the text, or a multi-line comment.
    #[inline]
    pub(super) fn end(&mut self, expected: &str, help: &str) -> Result<(), Error> {
        self.blank()?;
        match self.peek() {
            None => Ok(()),
            Some(b'\n') => {
                self.at += 1;
                Ok(())
            }
            Some(_) if self.text[self.token_end..self.at].contains(&b'\n') => Ok(()),
            Some(_) => Err(self.unexpected(self.at, expected, help)),
        }
    }

    /// An error about unexpected text at a position.
    #[cold]
    pub(super) fn unexpected(&self, at: usize, expected: &str, help: &str) -> Error {
        self.expected(at, self.found(at), expected, help)
    }

    #[cold]
    fn expected(&self, at: usize, found: String, expected: &str, help: &str) -> Error {
        let (expected, help) = (expected.to_owned(), help.to_owned());
        self.error(at, TextError::Unexpected { found, expected, help })
    }

    /// An error at a byte of the text.
    #[cold]
    pub(super) fn error(&self, at: usize, error: TextError) -> Error {
        error.at(self.place(at))
    }

    /// `line:column` of a byte, both from 1; a character counts one column.
    #[cold]
    pub(super) fn place(&self, at: usize) -> Place {
        let before = &self.text[..at];
        let line = before.iter().filter(|b| **b == b'\n').count() + 1;
        let begin = before.iter().rposition(|b| *b == b'\n').map_or(0, |newline| newline + 1);
        let column = before[begin..].iter().filter(|b| (**b as i8) >= -64).count() + 1;
        Place::at(line as u64, column as u64)
    }

    /// Describes the text at a position.
    fn found(&self, at: usize) -> String {
        let rest = &self.text[at..];
        let word = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_' || *b == b'.';
        match rest.first() {
            None => "the end of the file".to_owned(),
            Some(b'\n') => "the end of the line".to_owned(),
            Some(b'-') => {
                let tail = rest[1..].iter().position(|b| !word(b)).unwrap_or(rest.len() - 1);
                format!("`{}`", show(&rest[..=tail]))
            }
            Some(first) if word(first) => {
                let length = rest.iter().position(|b| !word(b)).unwrap_or(rest.len());
                format!("`{}`", show(&rest[..length]))
            }
            Some(first) if first.is_ascii_graphic() => format!("`{}`", char::from(*first)),
            Some(first) => match std::str::from_utf8(&rest[..rest.len().min(4)])
                .or_else(|e| std::str::from_utf8(&rest[..e.valid_up_to()]))
                .ok()
                .and_then(|text| text.chars().next())
            {
                Some(letter) if !letter.is_control() => format!("`{letter}`"),
                _ => format!("the byte 0x{first:02x}"),
            },
        }
    }
}

/// A word of the text for a quotation, shortened.
pub(super) fn show(word: &[u8]) -> String {
    const LONGEST: usize = 40;
    let shown = String::from_utf8_lossy(&word[..word.len().min(LONGEST)]);
    if word.len() > LONGEST { format!("{shown}…") } else { shown.into_owned() }
}
