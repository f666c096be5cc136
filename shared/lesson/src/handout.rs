//! A printable page with the questions of a lesson, without answers.

use crate::evaluation::Evaluator;
use crate::grading::{ALIKE, option_text};
use crate::lesson::{Lesson, QuestionKind, Step};
use crate::solution::Names;
use loggia_model::Error;
use std::fmt::Write;

const STYLE: &str = "body{font:11pt/1.45 serif;max-width:40rem;margin:2rem auto;padding:0 1rem}\
                     h1{font-size:1.5rem}li.step{margin:1.2rem 0;break-inside:avoid}ul{list-style:'\u{25a1}  '}\
                     table{border-collapse:collapse}td{border:1px solid;padding:.1rem .6rem}\
                     .line{border-bottom:1px solid;height:1.6rem;max-width:24rem}";

/// A lesson as HTML for printing.
///
/// # Errors
/// If the model has no answer.
pub fn handout(lesson: &Lesson, evaluator: &mut Evaluator) -> Result<String, Error> {
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>{title}</title>\n\
         <style>{STYLE}</style>\n<h1>{title}</h1>\n<p>{goal}</p>\n<p>{minutes} minutes</p>\n<ol>\n",
        title = escaped(&lesson.title),
        goal = escaped(&lesson.goal),
        minutes = lesson.minutes,
    );
    for step in &lesson.steps {
        let names = step.solve(lesson, 0, evaluator)?.names;
        page += &item(step, &names);
    }
    page += "</ol>\n</html>\n";
    Ok(page)
}

fn item(step: &Step, names: &Names) -> String {
    let get = |name: &str| names.get(name);
    let mut item = String::from("<li class=\"step\">");
    if let Some(text) = &step.text {
        let _ = write!(item, "<p>{}</p>", escaped(&text.filled(&get)));
    }
    if !step.data.is_empty() {
        let row = |row: &Vec<String>| {
            let cells: String =
                row.iter().map(|cell| format!("<td>{}</td>", escaped(cell))).collect();
            format!("<tr>{cells}</tr>")
        };
        let rows: String = step.data.iter().map(row).collect();
        let _ = write!(item, "<table>{rows}</table>");
    }
    let _ = write!(item, "<p><b>{}</b></p>", escaped(&step.question.filled(&get)));
    let options = step.ask.options();
    let option_texts = (0..options.len()).map(|at| option_text(options, at, names));
    let alike =
        matches!(step.ask, QuestionKind::Choice { alike: Some(_), .. }).then(|| ALIKE.to_owned());
    let options: String =
        option_texts.chain(alike).map(|option| format!("<li>{}</li>", escaped(&option))).collect();
    item += &match options.as_str() {
        "" => "<p class=\"line\"></p>".to_owned(),
        options => format!("<ul>{options}</ul>"),
    };
    item + "</li>\n"
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
