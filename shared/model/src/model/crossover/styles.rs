//! Crossovers between send modes.

use super::Crossover;
use crate::model::{Model, Route};
use crate::signature::{Curve, Style};
use crate::units::{Bytes, Micros};

/// Sizes of interest: up to a TiB.
const LARGEST: u32 = 40;

/// Crossovers over the size in one tier and model. Between two breakpoints of the parameters, every
/// time is linear, so no crossover is missed.
pub fn between_styles(route: &Route, model: Model) -> Vec<Crossover<Bytes, String>> {
    let of_style = |style| Route { style: Some(style), ..*route };
    let routes: Vec<Route> = route.tier.styles.iter().map(of_style).collect();
    let routes: Vec<Route> = routes.into_iter().filter(|route| model.is_possible(route)).collect();
    let mut found = Vec::new();
    for pair in breakpoints(&routes).windows(2) {
        changes(&routes, model, (pair[0], pair[1]), &mut found);
    }
    found
}

/// Breakpoints of the parameters, and powers of two.
fn breakpoints(routes: &[Route]) -> Vec<u64> {
    let styles = routes.iter().filter_map(|route| route.style);
    let tier = routes.iter().take(1).map(|route| route.tier);
    let progress = tier.clone().filter_map(|tier| tier.progress.as_ref());
    let of_style =
        |style: &Style| points(&style.send_overhead).chain(points(&style.recv_overhead)).collect();
    let limits = routes.iter().filter_map(|route| route.eager_limit().map(|limit| limit.value.0));
    let transfers = progress.clone().flat_map(|p| &p.transfer).map(|transfer| transfer.from.0);
    let mut all: Vec<u64> = styles
        .flat_map(|style| -> Vec<u64> { of_style(style) })
        .chain(tier.flat_map(|tier| points(&tier.gap_by_size)))
        .chain(progress.flat_map(|p| points(&p.initiation).chain(points(&p.copy))))
        .chain(limits)
        .chain(transfers)
        // A jump lies between a size and its neighbour.
        .flat_map(|size| [size.saturating_sub(1), size, size.saturating_add(1)])
        .chain((0..=LARGEST).map(|power| 1 << power))
        .filter(|size| (1..=1 << LARGEST).contains(size))
        .collect();
    all.sort_unstable();
    all.dedup();
    all
}

fn points(curve: &Option<Curve>) -> impl Iterator<Item = u64> {
    curve.iter().flat_map(|curve| &curve.points).map(|point| point.bytes.0)
}

/// The fastest send mode at a size (the first of equal ones), and whether its time is extrapolated.
fn fastest<'a>(routes: &[Route<'a>], model: Model, size: u64) -> Option<(&'a Style, bool)> {
    let time = |route: &Route<'a>| {
        let prediction = model.predict(route, Bytes(size)).ok()?;
        Some((route.style?, prediction.time()?, prediction.is_extrapolated()))
    };
    let all = routes.iter().filter_map(time);
    let least = |best: (&'a Style, Micros, bool), next: (&'a Style, Micros, bool)| {
        if next.1 < best.1 { next } else { best }
    };
    all.reduce(least).map(|(style, _, extrapolated)| (style, extrapolated))
}

/// The changes between two sizes, by bisection.
fn changes(
    routes: &[Route],
    model: Model,
    (low, high): (u64, u64),
    found: &mut Vec<Crossover<Bytes, String>>,
) {
    let (Some((from, _)), Some((to, extrapolated))) =
        (fastest(routes, model, low), fastest(routes, model, high))
    else {
        return;
    };
    if from.name == to.name {
        return;
    }
    if high - low == 1 {
        let (from, to) = (from.name.0.clone(), to.name.0.clone());
        found.push(Crossover { at: Bytes(high), from, to, extrapolated });
        return;
    }
    let middle = low + (high - low) / 2;
    changes(routes, model, (low, middle), found);
    changes(routes, model, (middle, high), found);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library;

    /// Touriño & Doallo 2001, Table 1: Send starts in 69 µs and takes 0.0162 µs per byte, Ssend 75
    /// and 0.0171, Bsend 84 and 0.0213: Send is the fastest at every size.
    #[test]
    fn one_style_may_be_the_fastest_everywhere() {
        let ap3000 = library::load("ap3000-mpi").unwrap();
        let route = Route::of(&ap3000, None, None).unwrap();
        assert_eq!(between_styles(&route, Model::Hockney), []);
    }

    #[test]
    fn a_style_that_starts_slowly_overtakes_where_the_lines_meet() {
        let mut ap3000 = library::load("ap3000-mpi").unwrap();
        let [first, second, ..] = &mut ap3000.tiers[0].styles[..] else { panic!() };
        for (style, startup, each) in [(first, 10.0, 0.02), (second, 30.0, 0.01)] {
            style.startup.as_mut().unwrap().value = Some(Micros(startup));
            style.per_byte.as_mut().unwrap().value = Some(crate::units::MicrosPerByte(each));
        }
        ap3000.tiers[0].styles.truncate(2);
        let route = Route::of(&ap3000, None, None).unwrap();
        let [only] = &between_styles(&route, Model::Hockney)[..] else { panic!() };
        // 30 − 10 = (0.02 − 0.01) n: at 2000 bytes both take 50 µs.
        assert_eq!((only.from.as_str(), only.to.as_str()), ("send", "bsend"));
        assert!((2000..=2001).contains(&only.at.0), "{only:?}");
    }
}
