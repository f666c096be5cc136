//! Reads a lesson from TOML. Errors have line and column.

use crate::error::{LessonError, Toml};
use crate::formula::{Condition, Formula, Quantity};
use crate::lesson::{
    AnswerKind, Choice, Lesson, Let, Picture, QuestionKind, Report, Right, Step, Wrong, WrongAnswer,
};
use crate::machines;
use crate::state_spec::{COMPARE, CURVE, MACHINE, PROGRAM, Setting, StateSpec, VIEW};
use crate::text::Text;
use loggia_link::state::State;
use loggia_model::Error;
use loggia_model::error::{Input, Place};
use loggia_model::signature::symbol_of;
use loggia_plan::toml_text::{Entry, Table, Value};
use std::ops::Range;
use strum::VariantArray;

/// Maximum length of a lesson, in bytes.
const LONGEST: usize = 1 << 16;
const MAX_STEPS: usize = 32;
const MAX_OPTIONS: usize = 5;

const LESSON: [&str; 10] = [
    "loggia-lesson",
    "name",
    "title",
    "goal",
    "minutes",
    "needs",
    "machines",
    "programs",
    "sketches",
    "step",
];
const STEP: [&str; 22] = [
    "text",
    "picture",
    "state",
    "data",
    "free",
    "most_free",
    "ask",
    "question",
    "unit",
    "let",
    "answer",
    "within",
    "options",
    "alike",
    "solution",
    "reveal",
    "show",
    "hints",
    "wrong",
    "vary",
    "cited",
    "source",
];

impl Lesson {
    /// Reads a lesson and its machines.
    ///
    /// # Errors
    /// The mistake, with line and column.
    pub fn read(text: &str) -> Result<Self, Error> {
        if text.len() > LONGEST {
            return Err(LessonError::TooLong.at(Place::at(1, 1)));
        }
        let toml = Toml::new(text);
        let parsed = toml.parse()?;
        let table = parsed.get_ref();
        toml.check_keys(table, &LESSON)?;
        let start = 0..0;
        match table
            .get("loggia-lesson")
            .map(|version| toml.positive_integer(version))
            .transpose()?
        {
            Some(1) => {}
            _ => {
                return Err(LessonError::NotALesson.at(toml.place(0)));
            }
        }
        let title = required(&toml, table, "title", &start).and_then(|value| toml.word(value))?;
        let named = |key: &str| named_texts(&toml, table, key);
        let all = |key: &str| table.get(key).map(|value| toml.in_order(value)).transpose();
        let mut lesson = Lesson {
            name: table.get("name").map_or_else(|| Ok(slug(&title)), |name| toml.word(name))?,
            title,
            goal: required(&toml, table, "goal", &start).and_then(|value| toml.word(value))?,
            minutes: required(&toml, table, "minutes", &start)
                .and_then(|value| toml.positive_integer(value))?,
            needs: table.get("needs").map_or(Ok(Vec::new()), |needs| toml.words(needs))?,
            machines: Vec::new(),
            programs: named("programs")?,
            sketches: named("sketches")?,
            steps: Vec::new(),
            written: text.to_owned(),
        };
        for Entry { name, value, .. } in all("machines")?.unwrap_or_default() {
            let machine = machines::read(&toml, &name, value)?;
            lesson.machines.push((name, machine));
        }
        let steps = toml.list(required(&toml, table, "step", &start)?)?;
        if steps.is_empty() || steps.len() > MAX_STEPS {
            return Err(LessonError::StepCount { most: MAX_STEPS }.at(toml.place(0)));
        }
        for step in steps {
            let step = StepReader::new(&toml, step)?.step()?;
            lesson.steps.push(step);
        }
        Ok(lesson)
    }
}

/// A title as a name: `one-byte-more`.
fn slug(title: &str) -> String {
    let words = title.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect::<Vec<_>>().join("-")
}

fn required<'v, 'a>(
    toml: &Toml<'a>,
    table: &'v Table<'a>,
    key: &str,
    at: &Range<usize>,
) -> Result<&'v Value<'a>, Error> {
    table.get(key).ok_or_else(|| LessonError::Missing(key.to_owned()).at(toml.place(at.start)))
}

/// `5%`
fn percent<'a>(toml: &Toml<'a>, value: &Value<'a>) -> Result<f64, Error> {
    let text = toml.word(value)?;
    let number = text.trim().strip_suffix('%').and_then(|n| n.trim().parse::<f64>().ok());
    number
        .filter(|percent| (0.0..=100.0).contains(percent))
        .map(|percent| percent / 100.0)
        .ok_or_else(|| LessonError::NotAPercentage(text).at(toml.place(value.span().start)))
}

fn named_texts(toml: &Toml, table: &Table, key: &str) -> Result<Vec<(String, String)>, Error> {
    let Some(value) = table.get(key) else { return Ok(Vec::new()) };
    let text = |entry: Entry| Ok((entry.name, toml.word(entry.value)?));
    toml.in_order(value)?.into_iter().map(text).collect()
}

struct StepReader<'v, 'a> {
    toml: &'v Toml<'a>,
    table: &'v Table<'a>,
    span: Range<usize>,
    /// Names that formulas may use.
    names: Vec<String>,
    kind: AnswerKind,
}

impl<'v, 'a> StepReader<'v, 'a> {
    fn new(toml: &'v Toml<'a>, step: &'v Value<'a>) -> Result<Self, Error> {
        let table = toml.table(step)?;
        toml.check_keys(table, &STEP)?;
        let span = step.span();
        let ask = required(toml, table, "ask", &span)?;
        let kind = toml.word(ask)?;
        let kind = kind.parse().map_err(|_| {
            let place = toml.place(ask.span().start);
            let known = AnswerKind::VARIANTS.iter().map(|kind| kind.name());
            Error::unknown("kind of question", &kind, place, known)
        })?;
        Ok(StepReader { toml, table, span, names: Vec::new(), kind })
    }

    fn step(mut self) -> Result<Step, Error> {
        let toml = self.toml;
        let state = self.table.get("state").map(|value| self.state(value)).transpose()?;
        let free = self.table.get("free").map_or(Ok(Vec::new()), |free| toml.words(free))?;
        let is_unknown = |key: &&String| !State::is_input(key) && symbol_of(key).is_none();
        if let (Some(key), Some(value)) = (free.iter().find(is_unknown), self.table.get("free")) {
            return Err(self.unknown_key(key, value));
        }
        let sizes = state.iter().flat_map(|state| &state.0).map(|setting| setting.key.as_str());
        let sizes = sizes.chain(free.iter().map(String::as_str));
        let sizes = sizes.filter(|key| ["bytes", "procs"].contains(key)).map(str::to_owned);
        self.names.extend(sizes);
        if self.kind == AnswerKind::Target {
            self.names.push("moved".to_owned());
            self.names.extend(free.iter().map(|key| moved(key)));
        }
        let lets = self.lets()?;
        self.names.extend(lets.iter().map(|quantity| quantity.name.clone()));
        let ask = self.ask()?;
        let most_free =
            self.table.get("most_free").map(|value| toml.positive_integer(value)).transpose()?;
        let cited = self.table.get("cited").map(|value| self.numbers(value)).transpose()?;
        if cited.is_some() {
            self.required("source")?;
        }
        let wrong = self.table.get("wrong").map(|value| self.wrongs(value, &ask)).transpose()?;
        Ok(Step {
            place: toml.place(self.span.start),
            text: self.table.get("text").map(|value| self.text(value)).transpose()?,
            picture: self.table.get("picture").map(|value| self.picture(value)).transpose()?,
            state,
            data: self.table.get("data").map_or(Ok(Vec::new()), |value| self.data(value))?,
            free,
            most_free,
            question: self.required("question").and_then(|value| self.text(value))?,
            reveal: self.required("reveal").and_then(|value| self.text(value))?,
            show: self.table.get("show").map_or(Ok(Vec::new()), |value| self.settings(value))?,
            hints: match self.table.get("hints") {
                Some(hints) => toml
                    .list(hints)?
                    .iter()
                    .map(|hint| self.text(hint))
                    .collect::<Result<_, _>>()?,
                None => Vec::new(),
            },
            wrong: wrong.unwrap_or_default(),
            vary: self.vary()?,
            cited: cited.unwrap_or_default(),
            ask,
            lets,
        })
    }

    fn required(&self, key: &str) -> Result<&'v Value<'a>, Error> {
        required(self.toml, self.table, key, &self.span)
    }

    fn at(&self, value: &Value<'a>) -> Place {
        self.toml.place(value.span().start)
    }

    fn known(&self, name: &str) -> bool {
        self.names.iter().any(|known| known == name)
    }

    fn text(&self, value: &Value<'a>) -> Result<Text, Error> {
        let text = self.toml.word(value)?;
        Text::parse(&text, &|name| self.known(name)).map_err(|error| error.at(self.at(value)))
    }

    fn formula(&self, value: &Value<'a>) -> Result<Formula, Error> {
        let text = self.toml.word(value)?;
        Formula::parse(&text, &|name| self.known(name)).map_err(|error| error.at(self.at(value)))
    }

    fn condition(&self, value: &Value<'a>) -> Result<Condition, Error> {
        let text = self.toml.word(value)?;
        Condition::parse(&text, &|name| self.known(name)).map_err(|error| error.at(self.at(value)))
    }

    fn numbers(&self, value: &Value<'a>) -> Result<Vec<f64>, Error> {
        self.toml.list(value)?.iter().map(|number| self.toml.number(number)).collect()
    }

    fn picture(&self, value: &Value<'a>) -> Result<Picture, Error> {
        let name = self.toml.word(value)?;
        let names = Picture::ALL.map(Picture::name);
        let found = Picture::ALL.into_iter().find(|picture| picture.name() == name);
        found.ok_or_else(|| Error::unknown("picture", &name, self.at(value), names))
    }

    fn data(&self, value: &Value<'a>) -> Result<Vec<Vec<String>>, Error> {
        self.toml.list(value)?.iter().map(|row| self.toml.words(row)).collect()
    }

    fn state(&self, value: &Value<'a>) -> Result<StateSpec, Error> {
        self.settings(value).map(StateSpec)
    }

    fn settings(&self, value: &Value<'a>) -> Result<Vec<Setting>, Error> {
        let setting = |Entry { name: key, value, .. }: Entry<'_, 'a>| {
            let state_keys = [MACHINE, COMPARE, VIEW, PROGRAM, CURVE];
            if !state_keys.contains(&key.as_str())
                && !State::is_input(&key)
                && symbol_of(&key).is_none()
            {
                return Err(self.unknown_key(&key, value));
            }
            Ok(Setting { key, value: self.toml.word(value)?, place: self.at(value) })
        };
        self.toml.in_order(value)?.into_iter().map(setting).collect()
    }

    fn unknown_key(&self, key: &str, value: &Value<'a>) -> Error {
        let mut state = State::default();
        let error = state.set(key, "1").err();
        let unknown = || Error::unknown("input or parameter", key, Input::Set, []);
        error.unwrap_or_else(unknown).at(self.at(value))
    }

    fn lets(&self) -> Result<Vec<Let>, Error> {
        let Some(value) = self.table.get("let") else { return Ok(Vec::new()) };
        let mut lets: Vec<Let> = Vec::new();
        for entry in self.toml.in_order(value)? {
            let is_name = entry.is_name();
            let Entry { name, value, .. } = entry;
            if !is_name || self.known(&name) {
                return Err(LessonError::InvalidName(name).at(self.toml.place(value.span().start)));
            }
            lets.push(self.quantity(name, value)?);
        }
        Ok(lets)
    }

    fn quantity(&self, name: String, value: &Value<'a>) -> Result<Let, Error> {
        let place = self.at(value);
        let (get, set, report) = match value.get_ref().as_table() {
            None => (value, Vec::new(), None),
            Some(table) => {
                self.toml.check_keys(table, &["get", "set", "of"])?;
                let set = table.get("set").map_or(Ok(Vec::new()), |set| self.settings(set))?;
                let report = table.get("of").map(|report| self.report(report)).transpose()?;
                (required(self.toml, table, "get", &value.span())?, set, report)
            }
        };
        let text = self.toml.word(get)?;
        let known = |name: &str| self.known(name);
        let get = Quantity::parse(&text, &known).map_err(|error| error.at(self.at(get)))?;
        Ok(Let { name, set, report, get, place })
    }

    fn report(&self, value: &Value<'a>) -> Result<Report, Error> {
        match self.toml.word(value)?.as_str() {
            "show" => Ok(Report::Signature),
            "compare" => Ok(Report::Comparison),
            other => Err(Error::unknown("report", other, self.at(value), ["show", "compare"])),
        }
    }

    fn ask(&self) -> Result<QuestionKind, Error> {
        let toml = self.toml;
        let word = |key: &str| self.table.get(key).map(|value| toml.word(value)).transpose();
        Ok(match self.kind {
            AnswerKind::Number => QuestionKind::Number {
                answer: self.required("answer").and_then(|value| self.formula(value))?,
                unit: word("unit")?,
                within: self.required("within").and_then(|value| percent(toml, value))?,
            },
            AnswerKind::Choice => {
                let options = self.options()?;
                let right = self.right(&options)?;
                let alike =
                    self.table.get("alike").map(|value| percent(toml, value)).transpose()?;
                QuestionKind::Choice { options, right, alike }
            }
            AnswerKind::Order => {
                let options = self.options()?;
                if options.iter().any(|option| option.value.is_none()) {
                    return Err(LessonError::OrderWithoutValue.at(toml.place(self.span.start)));
                }
                QuestionKind::Order { options }
            }
            AnswerKind::Target => QuestionKind::Target {
                reached: self.required("answer").and_then(|value| self.condition(value))?,
                solution: self.required("solution").and_then(|value| self.settings(value))?,
            },
            AnswerKind::Say => QuestionKind::Say,
        })
    }

    fn options(&self) -> Result<Vec<Choice>, Error> {
        let value = self.required("options")?;
        let all = self.toml.list(value)?;
        if !(2..=MAX_OPTIONS).contains(&all.len()) {
            let count = LessonError::OptionCount { most: MAX_OPTIONS };
            return Err(count.at(self.toml.place(value.span().start)));
        }
        let option = |value: &Value<'a>| {
            let table = self.toml.table(value)?;
            self.toml.check_keys(table, &["say", "value", "right"])?;
            Ok(Choice {
                say: required(self.toml, table, "say", &value.span())
                    .and_then(|say| self.text(say))?,
                value: table.get("value").map(|value| self.formula(value)).transpose()?,
                right: table.get("right").map(|right| self.condition(right)).transpose()?,
            })
        };
        all.iter().map(option).collect()
    }

    fn right(&self, options: &[Choice]) -> Result<Right, Error> {
        let value = self.required("answer")?;
        let word = self.toml.word(value)?;
        let have_values = options.iter().all(|option| option.value.is_some());
        match word.as_str() {
            "most" if have_values => Ok(Right::Most),
            "least" if have_values => Ok(Right::Least),
            "most" | "least" => {
                Err(LessonError::ChoiceWithoutValue.at(self.toml.place(value.span().start)))
            }
            "right" if options.iter().any(|option| option.right.is_some()) => Ok(Right::Condition),
            word => Ok(Right::Option(self.option(word, options, value)?)),
        }
    }

    /// The option with this formula as value, or with this text.
    fn option(&self, word: &str, options: &[Choice], at: &Value<'a>) -> Result<usize, Error> {
        let is_match = |option: &Choice| {
            option.say.written == word
                || option.value.as_ref().is_some_and(|value| value.to_string() == word)
        };
        options.iter().position(is_match).ok_or_else(|| {
            let known = options.iter().map(|option| option.say.written.as_str());
            Error::unknown("option", word, self.at(at), known)
        })
    }

    fn wrongs(&self, value: &Value<'a>, ask: &QuestionKind) -> Result<Vec<Wrong>, Error> {
        let wrong = |value: &Value<'a>| {
            let table = self.toml.table(value)?;
            self.toml.check_keys(table, &["is", "say"])?;
            let is = required(self.toml, table, "is", &value.span())?;
            Ok(Wrong {
                is: self.wrong_answer(is, ask)?,
                say: required(self.toml, table, "say", &value.span())
                    .and_then(|say| self.text(say))?,
                place: self.at(is),
            })
        };
        self.toml.list(value)?.iter().map(wrong).collect()
    }

    fn wrong_answer(&self, is: &Value<'a>, ask: &QuestionKind) -> Result<WrongAnswer, Error> {
        let word = self.toml.word(is)?;
        match ask {
            QuestionKind::Number { .. } => self.formula(is).map(WrongAnswer::Number),
            QuestionKind::Choice { options, alike: Some(_), .. } if word == "alike" => {
                Ok(WrongAnswer::Option(options.len()))
            }
            QuestionKind::Choice { options, .. } => {
                self.option(&word, options, is).map(WrongAnswer::Option)
            }
            QuestionKind::Order { options } => match word.split_once(": ") {
                Some(("first", name)) => self.option(name, options, is).map(WrongAnswer::First),
                Some(("last", name)) => self.option(name, options, is).map(WrongAnswer::Last),
                _ => Err(LessonError::NotAnOrder(word).at(self.toml.place(is.span().start))),
            },
            QuestionKind::Target { .. } => self.condition(is).map(WrongAnswer::State),
            QuestionKind::Say => {
                Err(LessonError::WrongAnswerOfText.at(self.toml.place(is.span().start)))
            }
        }
    }

    fn vary(&self) -> Result<Vec<(String, Vec<String>)>, Error> {
        let Some(value) = self.table.get("vary") else { return Ok(Vec::new()) };
        let input = |Entry { name: key, value: values, .. }: Entry<'_, 'a>| {
            if !State::is_input(&key) && symbol_of(&key).is_none() {
                return Err(self.unknown_key(&key, values));
            }
            let list = self.toml.words(values)?;
            if list.is_empty() {
                return Err(LessonError::EmptyList.at(self.toml.place(values.span().start)));
            }
            Ok((key, list))
        };
        self.toml.in_order(value)?.into_iter().map(input).collect()
    }
}

/// Name of the quantity that is 1 if a student has changed an input or parameter, else 0.
pub(crate) fn moved(key: &str) -> String {
    let plain: String = key.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
    format!("moved_{plain}")
}
