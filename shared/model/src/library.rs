//! The published machines that come built in: the papers' tables as signatures.
//!
//! Each is a file of `shared/library`, in the same format that anybody writes; every number in it
//! names the paper and the table that it stands in.

use crate::{Error, Signature, json};

const FILES: [(&str, &str); 10] = [
    ("cray-t3d", include_str!("../library/cray-t3d.json")),
    ("now-sparc", include_str!("../library/now-sparc.json")),
    ("convex-exemplar", include_str!("../library/convex-exemplar.json")),
    ("ibm-sp2", include_str!("../library/ibm-sp2.json")),
    ("intel-paragon", include_str!("../library/intel-paragon.json")),
    ("ap3000-mpi", include_str!("../library/ap3000-mpi.json")),
    ("ap3000-pvm", include_str!("../library/ap3000-pvm.json")),
    ("ap3000-aplib", include_str!("../library/ap3000-aplib.json")),
    ("quadrics-shmem", include_str!("../library/quadrics-shmem.json")),
    ("myrinet-gm", include_str!("../library/myrinet-gm.json")),
];

/// The names, in the order of the papers.
pub fn names() -> impl Iterator<Item = &'static str> {
    FILES.iter().map(|(name, _)| *name)
}

/// The signature of that name.
pub fn load(name: &str) -> Result<Signature, Error> {
    let (_, text) = FILES
        .iter()
        .find(|(known, _)| *known == name)
        .ok_or_else(|| Error::unknown("signature", name, "SIG", names()))?;
    json::from_json(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_machine_loads_and_is_written_as_it_stands() {
        for (name, text) in FILES {
            let signature = load(name).unwrap();
            assert_eq!(signature.name, name);
            assert_eq!(json::to_json(&signature), text, "{name}.json is not as `show` prints it");
        }
    }

    #[test]
    fn every_number_names_its_source() {
        for name in names() {
            let signature = load(name).unwrap();
            for tier in &signature.tiers {
                let parameters = [
                    tier.latency.as_ref().map(|p| &p.source),
                    tier.gap_per_byte.as_ref().map(|p| &p.source),
                    tier.end_to_end_latency.as_ref().map(|p| &p.source),
                ];
                let styles = tier.styles.iter().flat_map(|s| {
                    [
                        s.send_overhead.as_ref().map(|c| &c.source),
                        s.recv_overhead.as_ref().map(|c| &c.source),
                        s.startup.as_ref().map(|p| &p.source),
                        s.per_byte.as_ref().map(|p| &p.source),
                    ]
                });
                for source in parameters.into_iter().chain(styles).flatten() {
                    assert!(source.contains("Table") || source.contains("Section"), "{name}");
                }
            }
            assert!(signature.collectives.iter().all(|c| c.source.contains("Table")), "{name}");
            assert!(signature.samples.iter().all(|s| !s.source.is_empty()), "{name}");
        }
    }
}
