//! The page's colours, as currently set by its style sheet.

use crate::browser;
use crate::draw::figure::Ink;
use crate::draw::paint::Colours;

pub(crate) fn colours() -> Option<Colours> {
    let inks = Ink::ALL.iter().map(|ink| format!("--ink-{}", ink.name()));
    let names: Vec<String> = inks.chain(["--grid", "--unknown"].map(str::to_owned)).collect();
    let colours = browser::style_colours(&names)?;
    let (inks, [grid, unknown]) = colours.split_last_chunk()?;
    Some(Colours { inks: inks.try_into().ok()?, grid: *grid, unknown: *unknown })
}
