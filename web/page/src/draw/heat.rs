//! The map of the fastest algorithm over sizes and processes, computed from coarse to fine.

use super::algorithms;
use super::figure::Ink;
use super::steps::Axis;
use loggia_model::model::composition::OWN_FORM;
use loggia_model::signature::Operation;

/// The fastest algorithm; `None` if no time is known.
pub(crate) type Winner = Option<&'static str>;

/// The colour of a method in a map: the machine's own method has the colour of the background.
pub(crate) fn ink(op: Operation, name: &str) -> Ink {
    if name == OWN_FORM { Ink::Idle } else { algorithms::ink(op, name) }
}

/// A map: columns are sizes, rows are processes, the fewest first.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Map {
    pub(crate) columns: Vec<u64>,
    pub(crate) rows: Vec<u64>,
    /// Row by row; `None` until it is computed.
    cells: Vec<Option<Winner>>,
}

/// The first pass computes every eighth cell in both directions, the last one all.
const STRIDES: [usize; 4] = [8, 4, 2, 1];

/// Powers of two, and a value halfway between neighbours.
fn halves(axis: Axis) -> Vec<u64> {
    let is_half = |value: &u64| {
        value.is_power_of_two() || (value.is_multiple_of(3) && (value / 3).is_power_of_two())
    };
    axis.values().filter(is_half).collect()
}

impl Map {
    /// A map without computed cells.
    pub(crate) fn new() -> Self {
        let (columns, rows) = (halves(Axis::Bytes), halves(Axis::Procs));
        let cells = vec![None; columns.len() * rows.len()];
        Map { columns, rows, cells }
    }

    /// All cells as column and row, in the order of computation.
    pub(crate) fn order(&self) -> Vec<(usize, usize)> {
        let mut order = Vec::with_capacity(self.cells.len());
        for (pass, stride) in STRIDES.into_iter().enumerate() {
            let known = |i: usize| pass > 0 && i.is_multiple_of(STRIDES[pass - 1]);
            for row in (0..self.rows.len()).step_by(stride) {
                let columns = (0..self.columns.len()).step_by(stride);
                order.extend(columns.filter(|c| !(known(*c) && known(row))).map(|c| (c, row)));
            }
        }
        order
    }

    /// Sets the fastest algorithm of a cell.
    pub(crate) fn set(&mut self, (column, row): (usize, usize), winner: Winner) {
        let index = row * self.columns.len() + column;
        if let Some(cell) = self.cells.get_mut(index) {
            *cell = Some(winner);
        }
    }

    /// The fastest algorithm of a cell; if that is not computed yet, of the coarser cell around it.
    pub(crate) fn at(&self, column: usize, row: usize) -> Option<Winner> {
        STRIDES.into_iter().rev().find_map(|stride| {
            let (column, row) = (column / stride * stride, row / stride * stride);
            self.cells.get(row * self.columns.len() + column).copied().flatten()
        })
    }

    /// Whether every cell is computed.
    pub(crate) fn is_whole(&self) -> bool {
        self.cells.iter().all(Option::is_some)
    }

    /// The algorithms with their numbers of cells, the largest first.
    pub(crate) fn winners(&self) -> Vec<(&'static str, usize)> {
        let mut found: Vec<(&'static str, usize)> = Vec::new();
        for name in self.cells.iter().copied().flatten().flatten() {
            match found.iter_mut().find(|(known, _)| *known == name) {
                Some((_, count)) => *count += 1,
                None => found.push((name, 1)),
            }
        }
        found.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        found
    }

    /// The cell farthest from the edges of an algorithm's region, and its distance from them.
    pub(crate) fn middle(&self, name: &str) -> Option<((usize, usize), usize)> {
        let is_of_name = |column: usize, row: usize| self.at(column, row) == Some(Some(name));
        let (width, height) = (self.columns.len(), self.rows.len());
        let depth = |column: usize, row: usize| {
            let most = column.min(width - 1 - column).min(row.min(height - 1 - row));
            (1..=most)
                .take_while(|d| {
                    (0..=2 * d).all(|i| {
                        is_of_name(column - d + i, row - d)
                            && is_of_name(column - d + i, row + d)
                            && is_of_name(column - d, row - d + i)
                            && is_of_name(column + d, row - d + i)
                    })
                })
                .count()
        };
        let cells = (0..height).flat_map(|row| (0..width).map(move |column| (column, row)));
        let region = cells.filter(|(column, row)| is_of_name(*column, *row));
        region
            .map(|(column, row)| ((column, row), depth(column, row)))
            .max_by_key(|(_, depth)| *depth)
    }

    /// RGBA pixels, the largest p first; cells that are not computed are transparent.
    pub(crate) fn pixels(&self, colour: impl Fn(&str) -> [u8; 3]) -> Vec<u8> {
        let mut pixels = Vec::with_capacity(4 * self.cells.len());
        for row in (0..self.rows.len()).rev() {
            for column in 0..self.columns.len() {
                let [r, g, b] = self.at(column, row).flatten().map_or([0; 3], &colour);
                let opaque = if self.at(column, row).flatten().is_some() { 255 } else { 0 };
                pixels.extend([r, g, b, opaque]);
            }
        }
        pixels
    }
}

/// Position of a value among increasing ones, interpolated logarithmically.
pub(crate) fn place(values: &[u64], value: u64) -> f64 {
    let after = values.partition_point(|known| *known <= value);
    let Some(before) = after.checked_sub(1) else { return 0.0 };
    match values.get(after) {
        None => before as f64,
        Some(next) => {
            let [low, value, high] = [values[before], value, *next].map(|v| (v.max(1) as f64).ln());
            before as f64 + (value - low) / (high - low)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cell_is_computed_once_and_the_first_pass_is_short() {
        let map = Map::new();
        let mut order = map.order();
        assert_eq!(order.len(), map.cells.len());
        assert_eq!((order[0], order[1]), ((0, 0), (8, 0)));
        order.sort_unstable();
        order.dedup();
        assert_eq!(order.len(), map.cells.len());
    }

    #[test]
    fn a_coarse_cell_covers_cells_not_yet_computed() {
        let mut map = Map::new();
        map.set((0, 0), Some("ring"));
        assert_eq!((map.at(7, 7), map.at(8, 0)), (Some(Some("ring")), None));
        map.set((7, 7), Some("bruck"));
        assert_eq!(map.at(7, 7), Some(Some("bruck")));
        assert_eq!(map.winners(), [("ring", 1), ("bruck", 1)]);
        assert!(!map.is_whole());
    }

    #[test]
    fn a_name_is_at_the_deepest_cell_of_its_region() {
        let mut map = Map::new();
        for (column, row) in map.order() {
            let name = if column < 20 { "flat" } else { "tree" };
            map.set((column, row), Some(name));
        }
        let ((column, row), depth) = map.middle("tree").unwrap();
        assert!(column >= 20 + depth && row >= depth && depth >= 8, "{column} {row} {depth}");
        assert!(map.is_whole() && map.middle("ring").is_none());
        let pixels = map.pixels(|name| [name.len() as u8; 3]);
        assert_eq!(pixels.len(), 4 * map.columns.len() * map.rows.len());
        assert_eq!(pixels[..4], [4, 4, 4, 255]);
    }

    #[test]
    fn values_between_two_columns_are_interpolated() {
        let values = [1, 2, 4, 16];
        assert_eq!((place(&values, 1), place(&values, 8), place(&values, 99)), (0.0, 2.5, 3.0));
        assert_eq!(place(&values, 0), 0.0);
    }
}
