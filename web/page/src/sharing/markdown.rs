//! An open view as Markdown: its title, its question, its tables and the link to it.

/// What a view says, in plain texts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Outline {
    /// The machine's name and the view's.
    pub(crate) title: String,
    /// What was asked, and the answer to it, a line each.
    pub(crate) lines: Vec<String>,
    /// Tables, each a list of rows, the first its head.
    pub(crate) tables: Vec<Vec<Vec<String>>>,
}

impl Outline {
    /// All of it, with a link to the page.
    pub(crate) fn markdown(&self, link: &str, words: &str) -> String {
        let title = format!("### {}", plain(&self.title));
        let lines = self.lines.iter().map(|line| plain(line));
        let tables = self.tables.iter().map(|rows| table(rows));
        let link = format!("[{words}]({link})");
        let parts = std::iter::once(title).chain(lines).chain(tables).chain([link]);
        let parts: Vec<String> = parts.filter(|part| !part.is_empty()).collect();
        parts.join("\n\n") + "\n"
    }
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

/// A text in one line, with nothing in it that Markdown would take for its own.
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
    fn a_view_reads_as_it_does_on_the_page() {
        let texts = |row: &[&str]| row.iter().map(|cell| (*cell).to_owned()).collect::<Vec<_>>();
        let outline = Outline {
            title: "Cray T3D: One message".to_owned(),
            lines: texts(&["for 1 KiB by\n isend", "67.9 µs"]),
            tables: vec![vec![texts(&["Term", "µs"]), texts(&["o_s|r", "40"]), texts(&["L"])]],
        };
        assert_eq!(
            outline.markdown("http://h/#1.a", "Open"),
            "### Cray T3D: One message\n\nfor 1 KiB by isend\n\n67.9 µs\n\n\
             | Term | µs |\n| --- | --- |\n| o\\_s\\|r | 40 |\n| L |  |\n\n[Open](http://h/#1.a)\n"
        );
    }
}
