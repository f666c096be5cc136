//! Formulas of the number of ranks, such as `2ns * cells + 1us` and `8 * ny`.

use loggia_model::error::Place;
use loggia_model::units::{Bytes, Micros};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::Range;

/// The dimension of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Kind {
    /// A number without unit: ranks, cells, repetitions. Where a time or a size is expected, µs or
    /// bytes.
    Number,
    /// µs
    Time,
    /// bytes
    Size,
}

impl Kind {
    fn words(self) -> &'static str {
        match self {
            Kind::Number => "a number",
            Kind::Time => "a time",
            Kind::Size => "a size",
        }
    }

    /// The dimension of a sum or of a maximum of both: a number takes that of the other.
    fn common(self, other: Kind) -> Option<Kind> {
        match (self, other) {
            (a, b) if a == b => Some(a),
            (Kind::Number, other) | (other, Kind::Number) => Some(other),
            _ => None,
        }
    }
}

/// A formula.
#[derive(Clone, Debug, PartialEq)]
pub struct Expression {
    text: String,
    root: Node,
    place: Option<Place>,
}

#[derive(Clone, Debug, PartialEq)]
enum Node {
    Number(f64),
    Name(String),
    Negative(Box<Node>),
    Binary(Operator, Box<Node>, Box<Node>),
    Call(Function, Vec<Node>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operator {
    Plus,
    Minus,
    Times,
    Divide,
    Power,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Function {
    Log2,
    Sqrt,
    Ceil,
    Floor,
    Absolute,
    Min,
    Max,
}

impl Function {
    const ALL: [(&'static str, Function, usize); 7] = [
        ("log2", Function::Log2, 1),
        ("sqrt", Function::Sqrt, 1),
        ("ceil", Function::Ceil, 1),
        ("floor", Function::Floor, 1),
        ("abs", Function::Absolute, 1),
        ("min", Function::Min, 2),
        ("max", Function::Max, 2),
    ];
}

/// A mistake in a formula, and its position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// Offset in bytes.
    pub at: usize,
    pub mistake: Mistake,
}

/// A mistake in a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mistake {
    /// Text after the end of the formula.
    UnexpectedText,
    /// The formula has another dimension than expected.
    WrongKind {
        formula: String,
        found: Kind,
        expected: Kind,
    },
    /// A sum of a time and a size.
    Added(Kind, Kind),
    /// A product or quotient without a meaning.
    Multiplied(Kind, Kind),
    /// A power of a time or size.
    PowerOfQuantity,
    TooDeep,
    /// More operators than a formula may have.
    TooLong,
    /// A number or name is missing.
    MissingOperand,
    /// The formula ends with an operator.
    MissingLastOperand,
    UnclosedBracket,
    /// A word that begins with a digit, but is not a quantity.
    NotAQuantity(String),
    UnknownName(String),
    /// A function without arguments.
    MissingArguments,
    /// A function of another number of arguments: it has this many.
    NumberOfArguments(usize),
    /// Arguments of different dimensions.
    MixedArguments(Kind, Kind),
    /// A function of numbers with a time or size.
    FunctionOfQuantity(Kind),
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Mistake::UnexpectedText => f.write_str("unexpected text after the formula"),
            Mistake::WrongKind { formula, found, expected } => {
                write!(f, "`{formula}` is {}, not {}", found.words(), expected.words())
            }
            Mistake::Added(a, b) => write!(f, "{} and {} are added", a.words(), b.words()),
            Mistake::Multiplied(a, b) => {
                write!(f, "{} and {} cannot be multiplied or divided", a.words(), b.words())
            }
            Mistake::PowerOfQuantity => f.write_str("only numbers have powers"),
            Mistake::TooDeep => f.write_str("brackets are nested too deeply"),
            Mistake::TooLong => {
                write!(f, "a formula has at most {MAX_OPERATORS} operators")
            }
            Mistake::MissingOperand => f.write_str("expected a number or a name"),
            Mistake::MissingLastOperand => f.write_str("a number or a name is missing at the end"),
            Mistake::UnclosedBracket => f.write_str("a bracket is not closed"),
            Mistake::NotAQuantity(word) => {
                write!(f, "`{word}` is neither a number nor a time nor a size")
            }
            Mistake::UnknownName(name) => write!(f, "unknown name `{name}`"),
            Mistake::MissingArguments => f.write_str("expected an opening bracket"),
            Mistake::NumberOfArguments(1) => f.write_str("this function has one argument"),
            Mistake::NumberOfArguments(count) => write!(f, "this function has {count} arguments"),
            Mistake::MixedArguments(a, b) => {
                write!(f, "{} and {} cannot be compared", a.words(), b.words())
            }
            Mistake::FunctionOfQuantity(kind) => {
                write!(f, "this function is for numbers, not for {}", kind.words())
            }
        }
    }
}

/// Remedy of every mistake in a formula.
pub const HELP: &str = "write, for example, 2ns * cells + 1us, 8 * ny or 64KiB; known are + - * / ^ ( ), \
                    log2, sqrt, ceil, floor, abs, min and max";

impl Expression {
    /// Parses a formula; `known` returns the dimension of a name, or `None` if the name must not
    /// occur.
    ///
    /// # Errors
    /// The mistake and its position.
    pub fn parse(
        text: &str,
        expected: Kind,
        known: &dyn Fn(&str) -> Option<Kind>,
    ) -> Result<Self, ParseError> {
        let mut reader = Reader { text, at: 0, depth: 0, operators: 0, known };
        let (root, kind) = reader.sum()?;
        reader.blanks();
        if reader.at < text.len() {
            return Err(reader.error(Mistake::UnexpectedText));
        }
        if kind != expected && kind != Kind::Number {
            let formula = text.to_owned();
            let mistake = Mistake::WrongKind { formula, found: kind, expected };
            return Err(ParseError { at: 0, mistake });
        }
        Ok(Expression { text: text.to_owned(), root, place: None })
    }

    /// Sets the place.
    #[must_use]
    pub fn with_place(self, place: Place) -> Self {
        Expression { place: Some(place), ..self }
    }

    /// Line and column, if known.
    #[must_use]
    pub fn place(&self) -> Option<&Place> {
        self.place.as_ref()
    }

    /// The value, from the values of names.
    pub fn at(&self, value: &dyn Fn(&str) -> f64) -> f64 {
        self.root.at(value)
    }

    /// Whether a name occurs in it.
    pub fn has(&self, name: &str) -> bool {
        self.root.has(name)
    }
}

impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Node {
    fn at(&self, value: &dyn Fn(&str) -> f64) -> f64 {
        match self {
            Node::Number(number) => *number,
            Node::Name(name) => value(name),
            Node::Negative(node) => -node.at(value),
            Node::Binary(operator, a, b) => {
                let (a, b) = (a.at(value), b.at(value));
                match operator {
                    Operator::Plus => a + b,
                    Operator::Minus => a - b,
                    Operator::Times => a * b,
                    Operator::Divide => a / b,
                    Operator::Power => libm::pow(a, b),
                }
            }
            Node::Call(function, words) => {
                let word = |at: usize| words.get(at).map_or(f64::NAN, |word| word.at(value));
                match function {
                    Function::Log2 => libm::log2(word(0)),
                    Function::Sqrt => libm::sqrt(word(0)),
                    Function::Ceil => libm::ceil(word(0)),
                    Function::Floor => libm::floor(word(0)),
                    Function::Absolute => word(0).abs(),
                    Function::Min => word(0).min(word(1)),
                    Function::Max => word(0).max(word(1)),
                }
            }
        }
    }

    fn has(&self, name: &str) -> bool {
        match self {
            Node::Number(_) => false,
            Node::Name(own) => own == name,
            Node::Negative(node) => node.has(name),
            Node::Binary(_, a, b) => a.has(name) || b.has(name),
            Node::Call(_, words) => words.iter().any(|word| word.has(name)),
        }
    }
}

/// Maximum depth of nested brackets.
const DEEPEST: usize = 64;

/// Maximum number of operators. Each one nests the expression deeper, and too many would overflow
/// the stack.
pub const MAX_OPERATORS: usize = 256;

struct Reader<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
    operators: usize,
    known: &'a dyn Fn(&str) -> Option<Kind>,
}

type Read = Result<(Node, Kind), ParseError>;

impl Reader<'_> {
    fn error(&self, mistake: Mistake) -> ParseError {
        ParseError { at: self.at, mistake }
    }

    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn blanks(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start().len();
    }

    /// Reads an operator, if one of these is next.
    fn operator(&mut self, signs: &[(char, Operator)]) -> Result<Option<Operator>, ParseError> {
        self.blanks();
        let next = self.rest().chars().next();
        let found = signs.iter().find(|(sign, _)| Some(*sign) == next);
        let Some((sign, operator)) = found else { return Ok(None) };
        self.operators += 1;
        if self.operators > MAX_OPERATORS {
            return Err(self.error(Mistake::TooLong));
        }
        self.at += sign.len_utf8();
        Ok(Some(*operator))
    }

    fn sum(&mut self) -> Read {
        let (mut node, mut kind) = self.product()?;
        while let Some(operator) =
            self.operator(&[('+', Operator::Plus), ('-', Operator::Minus)])?
        {
            let at = self.at;
            let (other, other_kind) = self.product()?;
            let mistake = Mistake::Added(kind, other_kind);
            kind = kind.common(other_kind).ok_or(ParseError { at, mistake })?;
            node = Node::Binary(operator, Box::new(node), Box::new(other));
        }
        Ok((node, kind))
    }

    fn product(&mut self) -> Read {
        let (mut node, mut kind) = self.power()?;
        while let Some(operator) =
            self.operator(&[('*', Operator::Times), ('/', Operator::Divide)])?
        {
            let at = self.at;
            let (other, other_kind) = self.power()?;
            kind = match (kind, operator, other_kind) {
                (kind, _, Kind::Number) => kind,
                (Kind::Number, Operator::Times, other_kind) => other_kind,
                // A time per byte.
                (Kind::Time, Operator::Times, Kind::Size)
                | (Kind::Size, Operator::Times, Kind::Time) => Kind::Time,
                (a, Operator::Divide, b) if a == b => Kind::Number,
                (a, _, b) => {
                    self.at = at;
                    return Err(self.error(Mistake::Multiplied(a, b)));
                }
            };
            node = Node::Binary(operator, Box::new(node), Box::new(other));
        }
        Ok((node, kind))
    }

    fn power(&mut self) -> Read {
        let (node, kind) = self.operand()?;
        let Some(operator) = self.operator(&[('^', Operator::Power)])? else {
            return Ok((node, kind));
        };
        let at = self.at;
        let (other, other_kind) = self.operand()?;
        if (kind, other_kind) != (Kind::Number, Kind::Number) {
            self.at = at;
            return Err(self.error(Mistake::PowerOfQuantity));
        }
        Ok((Node::Binary(operator, Box::new(node), Box::new(other)), Kind::Number))
    }

    fn operand(&mut self) -> Read {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(self.error(Mistake::TooDeep));
        }
        let found = self.bracket_or_word();
        self.depth -= 1;
        found
    }

    fn bracket_or_word(&mut self) -> Read {
        self.blanks();
        match self.rest().chars().next() {
            Some('-') => {
                self.at += 1;
                let (node, kind) = self.operand()?;
                Ok((Node::Negative(Box::new(node)), kind))
            }
            Some('(') => {
                self.at += 1;
                let found = self.sum()?;
                self.close()?;
                Ok(found)
            }
            Some(c) if c.is_ascii_digit() || c == '.' => self.number(),
            Some(c) if c.is_alphabetic() => self.name(),
            Some(_) => Err(self.error(Mistake::MissingOperand)),
            None => Err(self.error(Mistake::MissingLastOperand)),
        }
    }

    fn close(&mut self) -> Result<(), ParseError> {
        self.blanks();
        if !self.rest().starts_with(')') {
            return Err(self.error(Mistake::UnclosedBracket));
        }
        self.at += 1;
        Ok(())
    }

    /// A number with or without unit.
    fn number(&mut self) -> Read {
        let (word, found) = quantity(self.rest());
        let Some((number, kind)) = found else {
            return Err(self.error(Mistake::NotAQuantity(word.to_owned())));
        };
        self.at += word.len();
        Ok((Node::Number(number), kind))
    }

    fn name(&mut self) -> Read {
        let name = word(self.rest()).to_owned();
        let end = name.len();
        if let Some((_, function, words)) = Function::ALL.iter().find(|(known, ..)| *known == name)
        {
            self.at += end;
            return self.call(*function, *words);
        }
        let Some(kind) = (self.known)(&name) else {
            return Err(self.error(Mistake::UnknownName(name)));
        };
        self.at += end;
        Ok((Node::Name(name), kind))
    }

    fn call(&mut self, function: Function, count: usize) -> Read {
        self.blanks();
        if !self.rest().starts_with('(') {
            return Err(self.error(Mistake::MissingArguments));
        }
        self.at += 1;
        let mut arguments = Vec::new();
        let mut kind = Kind::Number;
        loop {
            let at = self.at;
            let (argument, other_kind) = self.sum()?;
            let mistake = Mistake::MixedArguments(kind, other_kind);
            kind = kind.common(other_kind).ok_or(ParseError { at, mistake })?;
            arguments.push(argument);
            self.blanks();
            match self.rest().chars().next() {
                Some(',') => self.at += 1,
                Some(')') if arguments.len() != count => {
                    return Err(self.error(Mistake::NumberOfArguments(count)));
                }
                _ => break,
            }
        }
        self.close()?;
        let takes_quantities = !matches!(function, Function::Log2 | Function::Sqrt);
        if kind != Kind::Number && !takes_quantities {
            return Err(self.error(Mistake::FunctionOfQuantity(kind)));
        }
        Ok((Node::Call(function, arguments), kind))
    }
}

/// The name at the beginning of the text.
fn word(text: &str) -> &str {
    let end = text.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(text.len());
    &text[..end]
}

/// The word at the beginning of the text, and its value if it is a number with or without unit.
fn quantity(text: &str) -> (&str, Option<(f64, Kind)>) {
    let mut end = 0;
    let mut before = ' ';
    for c in text.chars() {
        let is_exponent = matches!(before, 'e' | 'E') && matches!(c, '-' | '+');
        if !(c.is_alphanumeric() || matches!(c, '.' | '_') || is_exponent) {
            break;
        }
        end += c.len_utf8();
        before = c;
    }
    let word = &text[..end];
    let plain = word.replace('_', "").parse::<f64>().ok().filter(|number| number.is_finite());
    let has_unit = word.ends_with(|c: char| c.is_alphabetic());
    let found = match plain {
        Some(number) if !has_unit => Some((number, Kind::Number)),
        _ => match (word.parse::<Micros>(), word.parse::<Bytes>()) {
            (Ok(time), _) => Some((time.0, Kind::Time)),
            (_, Ok(size)) => Some((size.count(), Kind::Size)),
            _ => None,
        },
    };
    (word, found)
}

/// A number in a formula.
#[derive(Clone, Debug, PartialEq)]
pub struct Literal {
    /// Range in bytes of the formula.
    pub at: Range<usize>,
    /// Its value: in µs, bytes, or without unit.
    pub value: f64,
    pub kind: Kind,
}

/// The numbers in a formula, in order.
pub fn literals(formula: &str) -> Vec<Literal> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(c) = formula[at..].chars().next() {
        let rest = &formula[at..];
        at += match c {
            '0'..='9' | '.' => {
                let (word, number) = quantity(rest);
                let at = at..at + word.len();
                found.extend(number.map(|(value, kind)| Literal { at, value, kind }));
                word.len()
            }
            c if c.is_alphabetic() => word(rest).len(),
            c => c.len_utf8(),
        };
    }
    found
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;

    fn known(name: &str) -> Option<Kind> {
        match name {
            "p" | "cells" => Some(Kind::Number),
            "work" => Some(Kind::Time),
            _ => None,
        }
    }

    fn value(text: &str, expected: Kind) -> f64 {
        let expression = Expression::parse(text, expected, &known).unwrap();
        expression.at(&|name| match name {
            "p" => 8.0,
            "cells" => 1000.0,
            _ => 500.0,
        })
    }

    #[test]
    fn times_and_sizes_have_units() {
        assert_eq!(value("2ns * cells + 1us", Kind::Time), 3.0);
        assert_eq!(value("1ms / p + work", Kind::Time), 625.0);
        assert_eq!(value("8 * 64KiB", Kind::Size), 524_288.0);
        assert_eq!(value("1e3 * log2(p) ^ 2", Kind::Number), 9000.0);
        assert_eq!(value("max(64, 4 * sqrt(cells / 10))", Kind::Size), 64.0);
        assert_eq!(value("-2 - -(3 - 4) * 2", Kind::Number), -4.0);
        assert_eq!(value("0.1ns * 10kB", Kind::Time), 1.0);
        assert_eq!(value("abs(1us - work / 100)", Kind::Time), 4.0);
    }

    #[test]
    fn numbers_are_found_in_formulas() {
        let found = |text| {
            let all = literals(text).into_iter();
            all.map(|it| (text[it.at].to_owned(), it.value, it.kind)).collect::<Vec<_>>()
        };
        let literal = |word: &str, value, kind| (word.to_owned(), value, kind);
        assert_eq!(
            found("max(64KiB, 8 * log2(p2)) + 2.5e-1 / 3x"),
            [
                literal("64KiB", 65536.0, Kind::Size),
                literal("8", 8.0, Kind::Number),
                literal("2.5e-1", 0.25, Kind::Number)
            ]
        );
        assert_eq!(found("2ns*cells"), [literal("2ns", 0.002, Kind::Time)]);
        assert!(found("é . µ?").is_empty());
    }

    #[test]
    fn mistakes_have_their_position() {
        use Mistake::*;
        let unit =
            |text: &str, found, expected| WrongKind { formula: text.to_owned(), found, expected };
        for (text, expected, at, mistake) in [
            ("2ns * cell", Kind::Time, 6, UnknownName("cell".to_owned())),
            ("2ns + 8B", Kind::Time, 5, Added(Kind::Time, Kind::Size)),
            ("8B / 2ns", Kind::Time, 4, Multiplied(Kind::Size, Kind::Time)),
            ("2ns ^ 2", Kind::Time, 5, PowerOfQuantity),
            ("(1 + 2", Kind::Number, 6, UnclosedBracket),
            ("1 2", Kind::Number, 2, UnexpectedText),
            ("", Kind::Number, 0, MissingLastOperand),
            ("1 + *", Kind::Number, 4, MissingOperand),
            ("log2 8", Kind::Number, 5, MissingArguments),
            ("max(1)", Kind::Number, 5, NumberOfArguments(2)),
            ("max(1, 2, 3)", Kind::Number, 11, NumberOfArguments(2)),
            ("log2(1, 2)", Kind::Number, 9, NumberOfArguments(1)),
            ("max(1", Kind::Number, 5, UnclosedBracket),
            ("max(1us, 64KiB)", Kind::Time, 8, MixedArguments(Kind::Time, Kind::Size)),
            ("3 parsecs", Kind::Time, 2, UnexpectedText),
            ("64KiB", Kind::Time, 0, unit("64KiB", Kind::Size, Kind::Time)),
            ("1x", Kind::Time, 0, NotAQuantity("1x".to_owned())),
            ("sqrt(1us)", Kind::Time, 9, FunctionOfQuantity(Kind::Time)),
        ] {
            let error = Expression::parse(text, expected, &known).unwrap_err();
            assert_eq!(error, ParseError { at, mistake }, "{text}");
        }
        for deep in ["(", "-", "log2("] {
            let text = deep.repeat(10_000);
            let error = Expression::parse(&text, Kind::Number, &known).unwrap_err();
            assert_eq!(error.mistake, TooDeep, "{deep}");
        }
    }
}
