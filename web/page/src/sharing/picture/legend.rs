//! The legend of a picture.

use crate::draw::figure::Ink;
use crate::draw::paint::Colours;
use crate::draw::split::{PARTS, Part, WAITING};
use crate::draw::{algorithms, heat, iteration, ranks, spacetime, timeline};
use crate::sharing::Data;
use loggia_model::timeline::Span;

/// A colour and its meaning.
pub(super) type Item = ([u8; 3], &'static str);

pub(super) fn of(data: &Data, colours: &Colours) -> Vec<Item> {
    let mut shown: Vec<(Ink, &'static str)> = Vec::new();
    let mut show = |item: (Ink, &'static str)| {
        if !shown.contains(&item) {
            shown.push(item);
        }
    };
    let activity =
        |span: &Span| (spacetime::ink(span.activity), spacetime::activity(span.activity));
    match data {
        Data::Timeline(timeline) => timeline.spans.iter().map(activity).for_each(show),
        Data::Timelines(all) => {
            all.iter().flat_map(|(_, timeline)| &timeline.spans).map(activity).for_each(show);
        }
        Data::Fastest(seen) => seen.1.winners().into_iter().for_each(|(name, _)| {
            show((heat::ink(seen.0, name), algorithms::name(name)));
        }),
        Data::Record(record) => record.spans.iter().for_each(|span| {
            show((ranks::ink(span.activity), ranks::activity(span.activity)));
        }),
        Data::TimelineData(_) => {
            timeline::ACTIVITIES.into_iter().for_each(|activity| {
                show((timeline::ink(activity), timeline::activity(activity)));
            });
            show((Ink::Idle, WAITING));
        }
        Data::Split(bars) => {
            let is_there = |part: &Part| bars.iter().any(|bar| (part.time)(&bar.mean).0 > 0.0);
            PARTS
                .iter()
                .filter(|part| is_there(part))
                .for_each(|part| show((part.ink, part.words)));
        }
        Data::Plan(_) => iteration::PARTS.iter().for_each(|part| show((part.ink, part.words))),
        Data::Figure(_)
        | Data::Sweep(_)
        | Data::Ratios(_)
        | Data::Curve(_)
        | Data::Bars(_)
        | Data::History(..) => {}
    }
    shown.into_iter().map(|(ink, words)| (colours.of(ink), words)).collect()
}
