//! `loggia lesson`

use super::overwrite::Overwrite;
use clap::{Args, Subcommand};
use std::path::PathBuf;

#[derive(Subcommand)]
pub(crate) enum Lesson {
    /// List the built-in lessons
    List,
    /// Check a lesson and print all its answers
    #[command(after_help = "Examples:
  loggia lesson check my-lesson.toml
  loggia lesson check four-numbers --json

The model computes every answer, known wrong answer and text. Exit status: 1 if
the model contradicts the lesson, 2 if the lesson cannot be read.")]
    Check(LessonArg),
    /// Write the page as a single file that opens a lesson and needs no network
    #[command(after_help = "Example:\n  loggia lesson page my-lesson.toml -o lesson.html")]
    Page(LessonOutput),
    /// Write the questions of a lesson, without answers, as HTML for printing
    #[command(after_help = "Example:\n  loggia lesson handout four-numbers -o handout.html")]
    Handout(LessonOutput),
    /// Count the answers of a class, from the codes in a text
    #[command(after_help = "Examples:
  loggia lesson class four-numbers chat.txt
  loggia lesson class my-lesson.toml -                        (codes from standard input)")]
    Class(Class),
}

#[derive(Args)]
pub(crate) struct LessonArg {
    /// A lesson: a file, or the name of a built-in one
    pub(crate) lesson: String,
}

#[derive(Args)]
pub(crate) struct LessonOutput {
    #[command(flatten)]
    pub(crate) of: LessonArg,
    /// Write to this file
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
    #[command(flatten)]
    pub(crate) overwrite: Overwrite,
}

#[derive(Args)]
pub(crate) struct Class {
    #[command(flatten)]
    pub(crate) of: LessonArg,
    /// A text with codes, such as a chat; - for standard input
    pub(crate) codes: String,
}
