//! Identification of the algorithm of a collective operation that the library was forced to use.

use crate::lab::file::{finished, list};
use crate::lab::mpirun::{Library, Mpirun};
use crate::lab::running::{alone, run};

/// Open MPI's number of a broadcast algorithm, and its possible names.
const BROADCASTS: [(u32, &[&str]); 2] = [(1, &["flat"]), (6, &["binomial"])];

/// The forced algorithm or none is identified (ranks that share a processor allow none), never
/// another.
#[test]
fn only_the_forced_algorithm_is_identified() {
    let Some(mpirun) = Mpirun::of(Library::OpenMpi) else { return };
    let folder = tempfile::tempdir().unwrap();
    let _alone = alone();
    for (number, names) in BROADCASTS {
        let arguments = "collect --only ping-pong,two-processor,flood,collectives --style isend \
                     --max-time 3s -o sig.json --overwrite";
        let mut command = mpirun.command(folder.path(), 4, arguments);
        command.env("OMPI_MCA_coll_tuned_use_dynamic_rules", "1");
        command.env("OMPI_MCA_coll_tuned_bcast_algorithm", number.to_string());
        run(&mut command).good();
        let file = finished(&folder.path().join("sig.json"));
        let forms = list(&file["collectives"]);
        let Some(form) = forms.iter().find(|form| form["op"] == "bcast") else { continue };
        let note = form["note"].as_str().unwrap_or_default();
        let found = note.split_once("algorithm ").map_or("", |(_, found)| found);
        println!("{number}: {found}");
        for part in found.split("; ").filter(|part| part.contains(" (error ")) {
            let named = names.iter().any(|name| part.starts_with(name));
            assert!(named, "algorithm {number} is identified as {part}");
        }
        let settings = file["collection"]["settings"].to_string();
        assert!(settings.contains("coll_tuned_bcast_algorithm"), "{settings}");
    }
}
