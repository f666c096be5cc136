//! Information that the files lack and the reader adds.

use loggia_exchange::import::TierName;
use loggia_exchange::import::options::{About, ImportOptions, PerFile, Question};
use loggia_model::signature::Operation;
use std::collections::BTreeMap;

/// The reader's answers, as typed.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Answers {
    /// Answers to single questions, by file, line and kind.
    each: BTreeMap<(String, u64, bool), String>,
    /// Number of ranks of all other runs.
    pub(super) ranks: String,
    /// Tier of all messages.
    pub(super) tier: String,
    /// Tiers of single files, and the lines of their runs.
    tiers: BTreeMap<String, String>,
    pub(super) name: String,
    pub(super) title: String,
    pub(super) nodes: String,
    pub(super) date: String,
    /// Whether runs with open questions are left out.
    pub(super) leaves_out: bool,
}

/// A change of the answers.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum AnswerEdit {
    To(Question, String),
    /// Accepts the values that file names suggest.
    ByNames,
    Ranks(String),
    Tier(String),
    TierOf(String, String),
    Name(String),
    Title(String),
    Nodes(String),
    Date(String),
    LeavesOut(bool),
}

fn key(question: &Question) -> (String, u64, bool) {
    (question.file.clone(), question.line, question.about == About::Ranks)
}

/// A positive whole number.
pub(super) fn count(typed: &str) -> Option<u32> {
    typed.trim().parse().ok().filter(|count| *count > 0)
}

/// Whether the text is not empty and no positive whole number.
pub(super) fn is_wrong(typed: &str) -> bool {
    !typed.trim().is_empty() && count(typed).is_none()
}

impl Answers {
    /// Applies a change; `questions` are all open questions.
    pub(super) fn apply(&mut self, answer: AnswerEdit, questions: &[Question]) {
        match answer {
            AnswerEdit::To(question, typed) => {
                self.each.insert(key(&question), typed);
            }
            AnswerEdit::ByNames => {
                let unanswered =
                    questions.iter().filter(|question| self.answer_to(question).is_empty());
                let by_names: Vec<_> = unanswered
                    .filter_map(|question| Some((key(question), question.perhaps.clone()?)))
                    .collect();
                self.each.extend(by_names);
            }
            AnswerEdit::Ranks(typed) => self.ranks = typed,
            AnswerEdit::Tier(name) => self.tier = name,
            AnswerEdit::TierOf(file, name) => {
                self.tiers.insert(file, name);
            }
            AnswerEdit::Name(typed) => self.name = typed,
            AnswerEdit::Title(typed) => self.title = typed,
            AnswerEdit::Nodes(typed) => self.nodes = typed,
            AnswerEdit::Date(typed) => self.date = typed,
            AnswerEdit::LeavesOut(leaves_out) => self.leaves_out = leaves_out,
        }
    }

    /// The answer to a question, as typed.
    pub(super) fn answer_to(&self, question: &Question) -> &str {
        self.each.get(&key(question)).map(String::as_str).unwrap_or_default()
    }

    /// The tier chosen for a file; empty if it is that of all files.
    pub(super) fn tier_of(&self, file: &str) -> &str {
        self.tiers.get(file).map(String::as_str).unwrap_or_default()
    }

    /// Whether a tier was chosen for the file.
    pub(super) fn has_tier_of(&self, file: &str) -> bool {
        !self.tier.is_empty() || !self.tier_of(file).is_empty()
    }

    /// The import options, as the command would receive them; `runs` are file and line of each
    /// benchmark.
    pub(super) fn options<'a>(&self, runs: impl Iterator<Item = (&'a str, u64)>) -> ImportOptions {
        let all = |typed: &str| count(typed).map(|value| PerFile { file: None, value });
        let parse = |name: &str| TierName::parse(name).ok();
        let mut options = ImportOptions {
            ranks: all(&self.ranks).into_iter().collect(),
            tier: parse(&self.tier)
                .map(|value| PerFile { file: None, value })
                .into_iter()
                .collect(),
            nodes: count(&self.nodes),
            name: non_empty(&self.name),
            title: non_empty(&self.title),
            date: non_empty(&self.date),
            leaves_out: self.leaves_out,
            ..ImportOptions::default()
        };
        for ((file, line, is_ranks), typed) in &self.each {
            match is_ranks {
                true => {
                    options.ranks.extend(count(typed).map(|ranks| PerFile::at(file, *line, ranks)))
                }
                false => {
                    let op = Operation::named(typed).ok();
                    options.op.extend(op.map(|op| PerFile::at(file, *line, op)));
                }
            }
        }
        for (file, line) in runs {
            options
                .tier
                .extend(parse(self.tier_of(file)).map(|tier| PerFile::at(file, line, tier)));
        }
        options
    }
}

fn non_empty(typed: &str) -> Option<String> {
    Some(typed.trim().to_owned()).filter(|typed| !typed.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question(about: About, file: &str, perhaps: Option<&str>) -> Question {
        let (file, benchmark) = (file.to_owned(), "OSU".to_owned());
        Question { about, file, line: 2, benchmark, perhaps: perhaps.map(str::to_owned) }
    }

    #[test]
    fn answers_belong_to_their_questions() {
        let ranks = question(About::Ranks, "a.txt", Some("4"));
        let op = question(About::Operation, "a.txt", None);
        let questions = [ranks.clone(), op.clone(), question(About::Ranks, "b.txt", None)];
        let mut answers = Answers::default();
        let nothing = answers.options(std::iter::empty());
        assert_eq!(nothing, ImportOptions::default(), "suggestions are no answers");
        answers.apply(AnswerEdit::ByNames, &questions);
        answers.apply(AnswerEdit::To(op, "bcast".to_owned()), &questions);
        answers.apply(AnswerEdit::Ranks("x".to_owned()), &questions);
        answers.apply(AnswerEdit::TierOf("a.txt".to_owned(), "node".to_owned()), &questions);
        let options = answers.options([("a.txt", 2), ("b.txt", 7)].into_iter());
        assert_eq!(options.ranks, [PerFile::at("a.txt", 2, 4)]);
        assert_eq!(options.op, [PerFile::at("a.txt", 2, Operation::Bcast)]);
        assert_eq!(options.tier, [PerFile::at("a.txt", 2, TierName::parse("node").unwrap())]);
        assert!(answers.has_tier_of("a.txt") && !answers.has_tier_of("b.txt"));
        answers.apply(AnswerEdit::To(ranks.clone(), String::new()), &questions);
        assert_eq!(answers.answer_to(&ranks), "");
    }

    #[test]
    fn a_count_is_a_whole_number() {
        assert_eq!((count(" 16 "), count("0"), count("1.5")), (Some(16), None, None));
        assert!(is_wrong("four") && !is_wrong(" ") && !is_wrong("4"));
    }
}
