//! `loggia figure`

use crate::cli::Figure as Args;
use crate::report::table::{remarks, table};
use crate::report::{Failure, Output};
use crate::source::load;
use loggia_link::figures::{
    self, Bar, Drawn, Figure, FigureContent, Line, Over, PAPERS, Panel, PanelUnit,
};
use loggia_model::model::collective::check_procs;
use loggia_model::units::words::{number, size};
use loggia_model::units::{Bytes, Procs};
use loggia_model::{Signature, library};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

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
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<String>,
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
    if let Some(at) = args.at
        && panels.iter().any(|panel| matches!(panel.over, Over::Procs(..)))
    {
        let procs = Procs(u32::try_from(at.0).unwrap_or(u32::MAX));
        check_procs(procs).map_err(|error| error.at("--at"))?;
    }
    let drawn: Vec<Drawn> = panels.iter().map(|panel| panel.draw(&machines, at)).collect();
    let given = machines.iter().skip(machines.len() - args.sigs.len());
    let warnings = given.filter_map(|machine| left_out(machine, panels, &drawn)).collect();
    let report = Report {
        name: figure.name,
        paper: authors(figure),
        number: figure.number,
        title: figure.title,
        concluded: figure.concluded,
        link: figure.fragment(),
        panels: drawn,
        warnings,
    };
    output.print(&report, || {
        let panels: Vec<String> = report.panels.iter().map(|drawn| panel_text(drawn, at)).collect();
        let panels = match panels.as_slice() {
            [] => "Only the page draws this figure.".to_owned(),
            all => all.join("\n"),
        };
        let Report { paper, number, title, concluded, link, .. } = &report;
        let warnings = match report.warnings.is_empty() {
            true => String::new(),
            false => format!("{}\n", remarks(&report.warnings)),
        };
        format!(
            "{paper}, Figure {number}: {title}\n\n{panels}\n{warnings}{concluded}\nOn the page: {link}"
        )
    })
}

/// The warning if a machine has no line and no bar in a panel.
fn left_out(machine: &Signature, panels: &[Panel], drawn: &[Drawn]) -> Option<String> {
    let name = &machine.name;
    let lacks = |drawn: &Drawn| {
        let names = drawn.lines.iter().map(|line| &line.machine);
        !names.chain(drawn.bars.iter().map(|bar| &bar.machine)).any(|drawn| drawn == name)
    };
    let without = panels.iter().zip(drawn).filter(|(_, drawn)| lacks(drawn));
    let mut lacking: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for (what, of) in without.flat_map(|(panel, _)| panel.what.iter().map(|q| q.lacking(machine))) {
        lacking.entry(what).or_default().insert(of);
    }
    let each = |(what, of): (&str, BTreeSet<String>)| {
        format!("no {what} of {}", of.into_iter().collect::<Vec<_>>().join(", "))
    };
    let lacking: Vec<String> = lacking.into_iter().map(each).collect();
    (!lacking.is_empty()).then(|| {
        let lacking = lacking.join(" and ");
        format!("{name} has {lacking}, so it is left out there; see `loggia show {name}`")
    })
}

/// The values of a panel at one position, or its bars.
fn panel_text(drawn: &Drawn, at: f64) -> String {
    let unit = match drawn.unit {
        PanelUnit::Micros => "µs",
        PanelUnit::BytesPerMicro => "MB/s",
    };
    let shown = |value: Option<f64>| value.map_or("—".to_owned(), |value| number(value, 6));
    let line = |line: &Line| [line.label.clone(), shown(line.value)];
    let bar = |bar: &Bar| [bar.label.clone(), shown(bar.total())];
    let rows = drawn.lines.iter().map(line).chain(drawn.bars.iter().map(bar));
    let place = match drawn.over {
        Over::Bytes(..) => format!(", {}", size(Bytes(at as u64))),
        Over::Procs(..) => format!(", p = {at}"),
        Over::Machines => String::new(),
    };
    table(&[&format!("{}{place}", drawn.title), &format!("{unit}>")], rows)
}
