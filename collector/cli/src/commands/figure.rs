//! `loggia figure`

use crate::cli::Figure as Args;
use crate::report::table::table;
use crate::report::{Failure, Output};
use crate::source::load;
use loggia_link::figures::{self, Bar, Drawn, Figure, FigureContent, Line, PAPERS, Panel};
use loggia_model::units::Bytes;
use loggia_model::units::words::{number, size};
use loggia_model::{Signature, library};
use serde::Serialize;

#[derive(Serialize)]
struct Listed {
    name: &'static str,
    paper: &'static str,
    number: &'static str,
    title: &'static str,
    /// Why there is no drawing.
    #[serde(skip_serializing_if = "Option::is_none")]
    not_drawn: Option<&'static str>,
}

#[derive(Serialize)]
struct Report {
    name: &'static str,
    paper: &'static str,
    number: &'static str,
    title: &'static str,
    concluded: &'static str,
    /// Opens the figure on the page.
    link: String,
    panels: Vec<Drawn>,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<(), Failure> {
    match &args.name {
        None => list(output),
        Some(name) => show(figures::named(name)?, args, output),
    }
}

fn list(output: &mut Output) -> Result<(), Failure> {
    let of = |figure: &'static Figure| Listed {
        name: figure.name,
        paper: authors(figure),
        number: figure.number,
        title: figure.title,
        not_drawn: match figure.shown {
            FigureContent::Not(why) => Some(why),
            _ => None,
        },
    };
    let all: Vec<Listed> = PAPERS.into_iter().flat_map(|paper| paper.figures).map(of).collect();
    output.print(&all, || {
        let row = |figure: &Listed| {
            let title = match figure.not_drawn {
                None => figure.title.to_owned(),
                Some(why) => format!("{} (not drawn: {why})", figure.title),
            };
            [figure.name.to_owned(), figure.paper.to_owned(), figure.number.to_owned(), title]
        };
        let rows = table(&["name", "paper", "figure", "title"], all.iter().map(row));
        format!("{rows}\n`loggia figure NAME` prints the numbers; the page draws the figure.")
    })
}

fn authors(figure: &Figure) -> &'static str {
    figures::paper_of(figure).map_or("", |paper| paper.authors)
}

fn show(figure: &'static Figure, args: &Args, output: &mut Output) -> Result<(), Failure> {
    let (machines, panels): (&[&str], &[Panel]) = match figure.shown {
        FigureContent::Panels { machines, panels } => (machines, panels),
        FigureContent::View { .. } => (&[], &[]),
        FigureContent::Not(why) => return Err(figure.not_drawn(why).into()),
    };
    let published = machines.iter().map(|name| library::load(name));
    let own = args.sigs.iter().map(|sig| load(sig));
    let machines = published.chain(own).collect::<Result<Vec<Signature>, _>>()?;
    let machines: Vec<&Signature> = machines.iter().collect();
    let default = panels.first().map_or(0.0, |panel| panel.over.usual());
    let at = args.at.map_or(default, Bytes::count);
    let report = Report {
        name: figure.name,
        paper: authors(figure),
        number: figure.number,
        title: figure.title,
        concluded: figure.concluded,
        link: figure.fragment(),
        panels: panels.iter().map(|panel| panel.draw(&machines, at)).collect(),
    };
    output.print(&report, || {
        let panels: Vec<String> = report.panels.iter().map(|drawn| panel_text(drawn, at)).collect();
        let panels = match panels.as_slice() {
            [] => "Only the page draws this figure.".to_owned(),
            all => all.join("\n"),
        };
        let Report { paper, number, title, concluded, link, .. } = &report;
        format!("{paper}, Figure {number}: {title}\n\n{panels}\n{concluded}\nOn the page: {link}")
    })
}

/// The values of a panel at one position, or its bars.
fn panel_text(drawn: &Drawn, at: f64) -> String {
    let unit = if drawn.unit == "us" { "µs" } else { "MB/s" };
    let shown = |value: Option<f64>| value.map_or("—".to_owned(), |value| number(value, 6));
    let line = |line: &Line| [line.label.clone(), shown(line.value)];
    let bar = |bar: &Bar| [bar.label.clone(), shown(bar.total())];
    let rows = drawn.lines.iter().map(line).chain(drawn.bars.iter().map(bar));
    let place = match drawn.over {
        "bytes" => format!(", {}", size(Bytes(at as u64))),
        "procs" => format!(", p = {at}"),
        _ => String::new(),
    };
    table(&[&format!("{}{place}", drawn.title), &format!("{unit}>")], rows)
}
