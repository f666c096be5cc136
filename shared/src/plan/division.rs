//! How a grid is divided among ranks: as square as it goes.

use super::sketch::{Grid, GridOf};
use crate::units::Procs;

/// So many ranks along a dimension have all kinds of neighbours.
pub(super) const ALONG: u32 = 3;

/// A grid on so many ranks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Division {
    /// How many ranks stand along each dimension.
    pub ranks: Vec<u32>,
    /// The cells of the largest block along each.
    pub block: Vec<u64>,
    /// Whether all blocks are as large.
    pub is_even: bool,
    /// Whether the last rank's neighbour is the first.
    pub is_periodic: bool,
}

impl Division {
    /// The division whose largest block has the smallest surface; of equal ones, the one with most
    /// ranks along the first dimensions, as `MPI_Dims_create` has them.
    #[must_use]
    pub fn new(grid: &Grid, procs: Procs) -> Self {
        let mut best: Option<(f64, Vec<u32>)> = None;
        let mut ways = Vec::new();
        factors(procs.0, grid.sides.len(), &mut Vec::new(), &mut ways);
        for ranks in ways {
            let surface = surface(&blocks(grid, &ranks));
            let is_better = best.as_ref().is_none_or(|(least, known)| {
                surface < *least || surface == *least && ranks > *known
            });
            if is_better {
                best = Some((surface, ranks));
            }
        }
        let ranks = best.map_or(vec![procs.0], |(_, ranks)| ranks);
        let block = blocks(grid, &ranks);
        let is_even = grid.of == GridOf::Block
            || grid.sides.iter().zip(&ranks).all(|(side, n)| side.is_multiple_of(u64::from(*n)));
        Division { ranks, block, is_even, is_periodic: grid.is_periodic }
    }

    /// The same blocks on few ranks, in the middle of which one has all its neighbours.
    pub(super) fn small(&self) -> Division {
        let ranks = self.ranks.iter().map(|n| (*n).min(ALONG)).collect();
        Division { ranks, ..self.clone() }
    }

    /// The same blocks on a plane of so many ranks.
    pub(super) fn with_ranks(&self, plane: [u32; 2]) -> Division {
        let rest = self.ranks.iter().skip(2).map(|_| 1);
        Division { ranks: plane.into_iter().chain(rest).collect(), ..self.clone() }
    }

    /// The cells of the largest block.
    #[must_use]
    pub fn cells(&self) -> f64 {
        self.block.iter().map(|side| *side as f64).product()
    }

    /// The cells of the largest block on the side that looks along a dimension.
    #[must_use]
    pub fn face(&self, dimension: usize) -> f64 {
        let others = self.block.iter().enumerate().filter(|(other, _)| *other != dimension);
        others.map(|(_, side)| *side as f64).product()
    }
}

fn blocks(grid: &Grid, ranks: &[u32]) -> Vec<u64> {
    let block = |(side, n): (&u64, &u32)| match grid.of {
        GridOf::All => side.div_ceil(u64::from(*n)),
        GridOf::Block => *side,
    };
    grid.sides.iter().zip(ranks).map(block).collect()
}

/// What goes across all sides, where every cell of a face does.
fn surface(block: &[u64]) -> f64 {
    let cells: f64 = block.iter().map(|side| *side as f64).product();
    block.iter().map(|side| cells / *side as f64).sum()
}

/// All ways to write p as a product of so many numbers, in order.
fn factors(p: u32, count: usize, begun: &mut Vec<u32>, ways: &mut Vec<Vec<u32>>) {
    if count <= 1 {
        begun.push(p);
        ways.push(begun.clone());
        begun.pop();
        return;
    }
    let mut divisors: Vec<u32> = Vec::new();
    let mut at = 1u32;
    while u64::from(at) * u64::from(at) <= u64::from(p) {
        if p.is_multiple_of(at) {
            divisors.extend([at, p / at]);
        }
        at += 1;
    }
    divisors.sort_unstable();
    divisors.dedup();
    for divisor in divisors {
        begun.push(divisor);
        factors(p / divisor, count - 1, begun, ways);
        begun.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn divided(of: GridOf, sides: &[u64], p: u32) -> Division {
        Division::new(&Grid { sides: sides.to_vec(), of, is_periodic: false }, Procs(p))
    }

    #[test]
    fn blocks_are_as_square_as_they_can_be() {
        for (sides, p, ranks) in [
            (&[4096, 4096][..], 16, &[4, 4][..]),
            (&[4096, 4096], 8, &[4, 2]),
            (&[8192, 1024], 8, &[8, 1]),
            (&[1024, 8192], 8, &[1, 8]),
            (&[256, 256, 256], 64, &[4, 4, 4]),
            (&[256, 256, 256], 12, &[3, 2, 2]),
            (&[100, 100], 7, &[7, 1]),
            (&[1000], 10, &[10]),
        ] {
            assert_eq!(divided(GridOf::All, sides, p).ranks, ranks, "{sides:?} on {p}");
        }
    }

    #[test]
    fn the_largest_block_counts() {
        let uneven = divided(GridOf::All, &[10, 10], 3);
        assert_eq!((uneven.block.as_slice(), uneven.is_even), (&[4, 10][..], false));
        assert_eq!((uneven.cells(), uneven.face(0), uneven.face(1)), (40.0, 10.0, 4.0));
        let weak = divided(GridOf::Block, &[10, 10], 3);
        assert_eq!((weak.block.as_slice(), weak.is_even), (&[10, 10][..], true));
    }

    #[test]
    fn a_million_ranks_are_divided_quickly() {
        let divided = divided(GridOf::All, &[4096, 4096, 4096], 1 << 20);
        assert_eq!(divided.ranks, [128, 128, 64]);
    }
}
