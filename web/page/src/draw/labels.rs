//! Labels at the ends of lines: which have room, and where.

/// Moves positions as little as possible until they are `room` apart, in their order, inside
/// `low..=high`. Returns them in the order of `positions`.
pub(crate) fn spread(positions: &[f64], room: f64, low: f64, high: f64) -> Vec<f64> {
    // For so few values, a sort is no faster, and more code to load.
    let mut order: Vec<usize> = Vec::new();
    for (label, place) in positions.iter().enumerate() {
        let behind = order.partition_point(|before| positions[*before].total_cmp(place).is_le());
        order.insert(behind, label);
    }
    // Groups of labels that touch: start and members.
    let mut groups: Vec<(f64, Vec<usize>)> = Vec::new();
    for label in order {
        let mut group = (positions[label].clamp(low, high.max(low)), vec![label]);
        while let Some((start, members)) =
            groups.pop_if(|(start, members)| *start + members.len() as f64 * room > group.0)
        {
            let count = members.len() as f64;
            let others = group.1.len() as f64;
            // The best start of both groups together, weighted by their sizes.
            let start = (start * count + (group.0 - count * room) * others) / (count + others);
            group = (start, [members, group.1].concat());
        }
        let length = (group.1.len() - 1) as f64 * room;
        group.0 = group.0.min(high - length).max(low);
        groups.push(group);
    }
    let mut places = vec![low; positions.len()];
    for (start, members) in groups {
        for (i, label) in members.into_iter().enumerate() {
            places[label] = start + i as f64 * room;
        }
    }
    places
}

/// Which labels are shown if `room` per label is too much for all of them: the bold ones, and those
/// that touch none of the shown ones.
pub(crate) fn shown(
    positions: &[f64],
    is_bold: impl Fn(usize) -> bool,
    room: f64,
    height: f64,
) -> Vec<bool> {
    let count = positions.len();
    if count as f64 * room <= height + room {
        return vec![true; count];
    }
    let mut shown: Vec<bool> = (0..count).map(is_bold).collect();
    for label in 0..count {
        let is_near =
            |(place, is_shown): (&f64, &bool)| *is_shown && (place - positions[label]).abs() < room;
        if !positions.iter().zip(&shown).any(is_near) {
            shown[label] = true;
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_many_labels_leave_out_those_that_would_touch() {
        let positions = [10.0, 12.0, 30.0, 31.0, 50.0];
        let last_bold = |label| label == 3;
        assert_eq!(shown(&positions, last_bold, 12.0, 60.0), [true; 5]);
        assert_eq!(shown(&positions, last_bold, 12.0, 40.0), [true, false, false, true, true]);
    }

    #[test]
    fn labels_with_room_stay() {
        assert_eq!(spread(&[50.0, 10.0, 90.0], 12.0, 0.0, 100.0), [50.0, 10.0, 90.0]);
    }

    #[test]
    fn labels_at_one_position_are_spread_evenly() {
        assert_eq!(spread(&[50.0, 50.0], 10.0, 0.0, 100.0), [45.0, 55.0]);
        assert_eq!(spread(&[50.0, 50.0, 50.0], 10.0, 0.0, 100.0), [40.0, 50.0, 60.0]);
    }

    #[test]
    fn all_labels_stay_inside() {
        let places = spread(&[99.0, 100.0, 400.0, 98.0], 10.0, 0.0, 100.0);
        assert!(places.iter().all(|y| (0.0..=100.0).contains(y)), "{places:?}");
        let mut sorted = places.clone();
        sorted.sort_by(f64::total_cmp);
        assert!(sorted.windows(2).all(|pair| pair[1] - pair[0] >= 9.999), "{places:?}");
    }

    #[test]
    fn no_labels_have_no_positions() {
        assert!(spread(&[], 10.0, 0.0, 100.0).is_empty());
    }
}
