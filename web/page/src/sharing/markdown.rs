//! The open view as Markdown.

use super::words::titled;
use crate::browser::saving::Outline;

/// The open view, with a link to the page.
pub(crate) fn markdown(outline: &Outline, link: &str, words: &str) -> String {
    let title = format!("### {}", plain(&titled(&outline.machine, &outline.view)));
    let lines = outline.lines.iter().map(|line| plain(line));
    let tables = outline.tables.iter().map(|rows| table(rows));
    let link = format!("[{words}]({link})");
    let parts = std::iter::once(title).chain(lines).chain(tables).chain([link]);
    let parts: Vec<String> = parts.filter(|part| !part.is_empty()).collect();
    parts.join("\n\n") + "\n"
}

fn table(rows: &[Vec<String>]) -> String {
    let width = rows.iter().map(Vec::len).max().unwrap_or_default();
    let row = |cells: &[String]| {
        let cell = |i: usize| cells.get(i).map(|cell| plain(cell)).unwrap_or_default();
        format!("| {} |", (0..width).map(cell).collect::<Vec<_>>().join(" | "))
    };
    let mut lines: Vec<String> = rows.iter().map(|cells| row(cells)).collect();
    if width > 0 {
        lines.insert(1, format!("|{}", " --- |".repeat(width)));
    }
    lines.join("\n")
}

/// A text in one line, without Markdown's special characters.
fn plain(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut plain = String::new();
    for c in line.chars() {
        if matches!(c, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '|') {
            plain.push('\\');
        }
        plain.push(c);
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markdown_has_the_texts_of_the_page() {
        let texts = |row: &[&str]| row.iter().map(|cell| (*cell).to_owned()).collect::<Vec<_>>();
        let outline = Outline {
            machine: "Cray T3D".to_owned(),
            view: "Message".to_owned(),
            lines: texts(&["for 1 KiB by\n isend", "67.9 µs"]),
            tables: vec![vec![texts(&["Term", "µs"]), texts(&["o_s|r", "40"]), texts(&["L"])]],
        };
        assert_eq!(
            markdown(&outline, "http://h/#1.a", "Open"),
            "### Cray T3D: Message\n\nfor 1 KiB by isend\n\n67.9 µs\n\n\
             | Term | µs |\n| --- | --- |\n| o\\_s\\|r | 40 |\n| L |  |\n\n[Open](http://h/#1.a)\n"
        );
    }
}
