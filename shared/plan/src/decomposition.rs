//! Decomposition of a grid among ranks, as square as possible.

use super::sketch::{Grid, GridExtent};
use loggia_model::units::Procs;

/// Smallest number of ranks along a dimension that has a first, an inner and a last rank.
pub(super) const ALONG: u32 = 3;

/// A grid on p ranks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decomposition {
    /// Number of ranks along each dimension.
    pub ranks: Vec<u32>,
    /// Cells of the largest block along each dimension.
    pub block: Vec<u64>,
    /// Whether all blocks have the same size.
    pub is_even: bool,
    /// Whether some ranks have no cells, since a dimension has more ranks than cells.
    pub has_idle: bool,
    /// Whether the first rank is a neighbour of the last one, along each dimension.
    pub wraps: Vec<bool>,
}

impl Decomposition {
    /// The decomposition whose largest block has the smallest surface. If all blocks are the same,
    /// the numbers of ranks per dimension are as equal as possible. Among equal ones, the first
    /// dimensions have the most ranks, as with `MPI_Dims_create`.
    #[must_use]
    pub fn new(grid: &Grid, procs: Procs) -> Self {
        let mut best: Option<(f64, Vec<u32>)> = None;
        let mut factorizations = Vec::new();
        factorize(procs.0, grid.sides.len(), &mut Vec::new(), &mut factorizations);
        for ranks in factorizations {
            let cost = match grid.of {
                GridExtent::Global => surface(&blocks(grid, &ranks)),
                GridExtent::Block => ranks.iter().map(|n| f64::from(*n)).sum(),
            };
            let is_better = best
                .as_ref()
                .is_none_or(|(least, known)| cost < *least || cost == *least && ranks > *known);
            if is_better {
                best = Some((cost, ranks));
            }
        }
        let ranks = best.map_or(vec![procs.0], |(_, ranks)| ranks);
        let block = blocks(grid, &ranks);
        let is_global = grid.of == GridExtent::Global;
        let pairs = || grid.sides.iter().zip(&ranks).map(|(side, n)| (*side, u64::from(*n)));
        let is_even = !is_global || pairs().all(|(side, n)| side.is_multiple_of(n));
        let has_idle = is_global && pairs().any(|(side, n)| side < n);
        let wraps = vec![grid.is_periodic; block.len()];
        Decomposition { ranks, block, is_even, has_idle, wraps }
    }

    /// The same blocks, with this number of ranks along the first two dimensions.
    pub(super) fn with_ranks(&self, plane: [u32; 2]) -> Decomposition {
        let rest = self.ranks.iter().skip(2).map(|_| 1);
        Decomposition { ranks: plane.into_iter().chain(rest).collect(), ..self.clone() }
    }

    /// The cells of the largest block.
    #[must_use]
    pub fn cells(&self) -> f64 {
        self.block.iter().map(|side| *side as f64).product()
    }

    /// Cells of the largest block next to a neighbour along a combination of dimensions, one bit
    /// each: a face for one dimension, an edge or a corner for several.
    #[must_use]
    pub fn towards(&self, dimensions: usize) -> f64 {
        let others = self.block.iter().enumerate().filter(|(at, _)| dimensions >> at & 1 == 0);
        others.map(|(_, side)| *side as f64).product()
    }

    /// Cells of the largest block on its face along a dimension.
    #[must_use]
    pub fn face(&self, dimension: usize) -> f64 {
        self.towards(1 << dimension)
    }
}

fn blocks(grid: &Grid, ranks: &[u32]) -> Vec<u64> {
    let block = |(side, n): (&u64, &u32)| match grid.of {
        GridExtent::Global => side.div_ceil(u64::from(*n)),
        GridExtent::Block => *side,
    };
    grid.sides.iter().zip(ranks).map(block).collect()
}

/// The surface of a block.
fn surface(block: &[u64]) -> f64 {
    let cells: f64 = block.iter().map(|side| *side as f64).product();
    block.iter().map(|side| cells / *side as f64).sum()
}

/// All factorizations of p into `count` ordered factors.
fn factorize(p: u32, count: usize, prefix: &mut Vec<u32>, factorizations: &mut Vec<Vec<u32>>) {
    if count <= 1 {
        prefix.push(p);
        factorizations.push(prefix.clone());
        prefix.pop();
        return;
    }
    let mut divisors: Vec<u32> = Vec::new();
    let mut candidate = 1u32;
    while u64::from(candidate) * u64::from(candidate) <= u64::from(p) {
        if p.is_multiple_of(candidate) {
            divisors.extend([candidate, p / candidate]);
        }
        candidate += 1;
    }
    divisors.sort_unstable();
    divisors.dedup();
    for divisor in divisors {
        prefix.push(divisor);
        factorize(p / divisor, count - 1, prefix, factorizations);
        prefix.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn divided(of: GridExtent, sides: &[u64], p: u32) -> Decomposition {
        Decomposition::new(&Grid { sides: sides.to_vec(), of, is_periodic: false }, Procs(p))
    }

    #[test]
    fn blocks_are_as_square_as_possible() {
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
            assert_eq!(divided(GridExtent::Global, sides, p).ranks, ranks, "{sides:?} on {p}");
        }
    }

    /// The result of `MPI_Dims_create`.
    #[test]
    fn equal_blocks_have_equal_dimensions() {
        for (dimensions, p, ranks) in [
            (3, 4096, &[16, 16, 16][..]),
            (3, 12, &[3, 2, 2]),
            (2, 12, &[4, 3]),
            (3, 7, &[7, 1, 1]),
            (1, 12, &[12]),
        ] {
            assert_eq!(divided(GridExtent::Block, &vec![64; dimensions], p).ranks, ranks, "{p}");
        }
    }

    #[test]
    fn faces_edges_and_corners_have_their_cells() {
        let divided = divided(GridExtent::Block, &[2, 3, 5], 8);
        let cells = |dimensions| divided.towards(dimensions);
        assert_eq!([cells(0b001), cells(0b010), cells(0b100)], [15.0, 10.0, 6.0]);
        assert_eq!([cells(0b011), cells(0b101), cells(0b110)], [5.0, 3.0, 2.0]);
        assert_eq!(cells(0b111), 1.0);
    }

    #[test]
    fn more_ranks_than_cells_leave_some_idle() {
        assert!(divided(GridExtent::Global, &[8, 8], 1024).has_idle);
        assert!(!divided(GridExtent::Global, &[32, 32], 1024).has_idle);
    }

    #[test]
    fn the_block_is_the_largest_one() {
        let uneven = divided(GridExtent::Global, &[10, 10], 3);
        assert_eq!((uneven.block.as_slice(), uneven.is_even), (&[4, 10][..], false));
        assert_eq!((uneven.cells(), uneven.face(0), uneven.face(1)), (40.0, 10.0, 4.0));
        let weak = divided(GridExtent::Block, &[10, 10], 3);
        assert_eq!((weak.block.as_slice(), weak.is_even), (&[10, 10][..], true));
    }

    #[test]
    fn a_million_ranks_are_divided_quickly() {
        let divided = divided(GridExtent::Global, &[4096, 4096, 4096], 1 << 20);
        assert_eq!(divided.ranks, [128, 128, 64]);
    }
}
