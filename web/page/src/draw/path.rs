//! Clips and dashes lines, in pixels.

/// A point in pixels.
pub(crate) type Pixel = (f64, f64);

/// The point at a fraction of the line from a to b.
fn between(a: Pixel, b: Pixel, share: f64) -> Pixel {
    (a.0 + (b.0 - a.0) * share, a.1 + (b.1 - a.1) * share)
}

/// The parts of a line between two heights.
pub(crate) fn clip(line: &[Pixel], top: f64, bottom: f64) -> Vec<Vec<Pixel>> {
    let mut parts: Vec<Vec<Pixel>> = Vec::new();
    let mut open = false;
    for pair in line.windows(2) {
        let (a, b) = (pair[0], pair[1]);
        let rise = b.1 - a.1;
        let crossing = |height: f64| (height - a.1) / rise;
        let (mut from, mut to) = (0.0_f64, 1.0_f64);
        if rise == 0.0 {
            if a.1 < top || a.1 > bottom {
                open = false;
                continue;
            }
        } else {
            let (first, last) = (crossing(top), crossing(bottom));
            from = from.max(first.min(last));
            to = to.min(first.max(last));
        }
        if from >= to {
            open = false;
            continue;
        }
        if !open || from > 0.0 {
            parts.push(vec![between(a, b, from)]);
        }
        if let Some(part) = parts.last_mut() {
            part.push(between(a, b, to));
        }
        open = to == 1.0;
    }
    parts
}

/// The line in three parts: before `low`, up to `high`, and after it. Some may be empty.
pub(crate) fn split(line: &[Pixel], low: f64, high: f64) -> [Vec<Pixel>; 3] {
    let part = |from: f64, to: f64| {
        let mut part = Vec::new();
        for pair in line.windows(2) {
            let (a, b) = (pair[0], pair[1]);
            if b.0 <= from || a.0 >= to || b.0 <= a.0 {
                continue;
            }
            let share = |x: f64| ((x - a.0) / (b.0 - a.0)).clamp(0.0, 1.0);
            if part.is_empty() {
                part.push(between(a, b, share(from)));
            }
            part.push(between(a, b, share(to)));
        }
        part
    };
    [part(f64::NEG_INFINITY, low), part(low, high), part(high, f64::INFINITY)]
}

/// The line cut into dashes.
pub(crate) fn dashes(line: &[Pixel], dash: f64, space: f64) -> Vec<Vec<Pixel>> {
    let mut dashes: Vec<Vec<Pixel>> = Vec::new();
    let (mut inked, mut left) = (true, dash);
    dashes.extend(line.first().map(|start| vec![*start]));
    for pair in line.windows(2) {
        let mut from = pair[0];
        let end = pair[1];
        loop {
            let length = (end.0 - from.0).hypot(end.1 - from.1);
            let reached = if length <= left { end } else { between(from, end, left / length) };
            if let (true, Some(current)) = (inked, dashes.last_mut()) {
                current.push(reached);
            }
            if length <= left {
                left -= length;
                break;
            }
            from = reached;
            inked = !inked;
            left = if inked { dash } else { space };
            if inked {
                dashes.push(vec![from]);
            }
        }
    }
    dashes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_leaves_is_cut_at_the_edge() {
        let parts = clip(&[(0.0, 150.0), (10.0, 50.0), (20.0, 50.0), (30.0, 150.0)], 0.0, 100.0);
        assert_eq!(parts, [[(5.0, 100.0), (10.0, 50.0), (20.0, 50.0), (25.0, 100.0)]]);
    }

    #[test]
    fn a_line_that_leaves_and_returns_is_two() {
        let parts = clip(&[(0.0, 50.0), (10.0, 150.0), (20.0, 50.0)], 0.0, 100.0);
        assert_eq!(parts, [[(0.0, 50.0), (5.0, 100.0)], [(15.0, 100.0), (20.0, 50.0)]]);
        assert!(clip(&[(0.0, 200.0), (9.0, 200.0)], 0.0, 100.0).is_empty());
    }

    #[test]
    fn a_line_is_split_at_both_ends_of_a_range() {
        let [before, known, after] = split(&[(0.0, 0.0), (10.0, 10.0)], 4.0, 6.0);
        assert_eq!(before, [(0.0, 0.0), (4.0, 4.0)]);
        assert_eq!(known, [(4.0, 4.0), (6.0, 6.0)]);
        assert_eq!(after, [(6.0, 6.0), (10.0, 10.0)]);
        let [before, known, _] = split(&[(0.0, 0.0), (10.0, 10.0)], -1.0, 20.0);
        assert!(before.is_empty() && known.len() == 2);
    }

    #[test]
    fn dashes_go_around_corners() {
        let line = [(0.0, 0.0), (5.0, 0.0), (5.0, 5.0)];
        let expected = vec![vec![(0.0, 0.0), (4.0, 0.0)], vec![(5.0, 1.0), (5.0, 5.0)]];
        assert_eq!(dashes(&line, 4.0, 2.0), expected);
        assert!(dashes(&[], 4.0, 2.0).is_empty());
    }
}
