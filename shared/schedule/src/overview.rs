//! A timeline at the resolution of a picture: rows of cells of equal width. Activities within a
//! cell are summed, so the size depends only on the picture.

use crate::timeline::{Flight, Recorder, Span};
use std::ops::Range;

/// A part of a run, and the number of rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// Start and end.
    pub between: (u64, u64),
    pub ranks: Range<u32>,
    /// Maximum number of rows; each has the same number of ranks, except the last.
    pub rows: usize,
}

impl Section {
    /// Ranks per row.
    pub fn ranks_a_row(&self) -> u32 {
        (self.ranks.len() as u32).div_ceil(self.rows.max(1) as u32).max(1)
    }

    /// Whether an interval overlaps the part.
    pub fn meets(&self, start: u64, end: u64) -> bool {
        end >= self.between.0 && start <= self.between.1
    }
}

/// Ticks of each activity in each cell, summed over all processors of a row's ranks.
#[derive(Clone, Debug)]
pub struct Overview {
    section: Section,
    width: u64,
    cells: usize,
    busy: Vec<[u64; 4]>,
}

impl Overview {
    /// An overview of a part of a run, with `cells` cells per row.
    pub fn new(section: Section, cells: usize) -> Self {
        let cells = cells.max(1);
        let (from, to) = section.between;
        let width = to.saturating_sub(from).div_ceil(cells as u64).max(1);
        let rows = (section.ranks.len() as u32).div_ceil(section.ranks_a_row()) as usize;
        Overview { width, cells, busy: vec![[0; 4]; rows * cells], section }
    }

    /// Ticks per cell.
    pub fn width(&self) -> u64 {
        self.width
    }

    /// All cells, row by row: ticks of computing, sending, receiving and control messages.
    pub fn busy(&self) -> impl Iterator<Item = [u64; 4]> + '_ {
        self.busy.iter().copied()
    }
}

impl Recorder for Overview {
    fn span(&mut self, span: Span) {
        let Section { between: (from, _), ranks, .. } = &self.section;
        if !ranks.contains(&span.work.rank) {
            return;
        }
        let row = ((span.work.rank - ranks.start) / self.section.ranks_a_row()) as usize;
        let end = from.saturating_add(self.width.saturating_mul(self.cells as u64));
        let (mut at, stop) = (span.start.max(*from), span.end.min(end));
        while at < stop {
            let cell = (at - from) / self.width;
            let until = (from + (cell + 1) * self.width).min(stop);
            let activity = span.work.activity as usize;
            self.busy[row * self.cells + cell as usize][activity] += until - at;
            at = until;
        }
    }

    fn flight(&mut self, _: Flight) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observe::{Activity, Work};

    #[test]
    fn cells_sum_their_activities() {
        let section = Section { between: (10, 20), ranks: 2..7, rows: 2 };
        assert_eq!(section.ranks_a_row(), 3);
        let mut overview = Overview::new(section, 5);
        let span = |rank, start, end| {
            let work = Work { activity: Activity::Send, op: 0, rank, cpu: 0, label: 0 };
            Span { work, start, end }
        };
        for span in [span(1, 10, 20), span(2, 0, 13), span(4, 12, 13), span(5, 19, 99)] {
            overview.span(span);
        }
        let sends: Vec<u64> = overview.busy().map(|busy| busy[1]).collect();
        assert_eq!(sends, [2, 2, 0, 0, 0, 0, 0, 0, 0, 1]);
    }
}
