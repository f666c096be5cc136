//! Who moves a large message on?

use crate::judged::{collected, sooner_or_later};
use crate::lab::file::{finished, list, tier};
use crate::lab::link::{Link, gigabit};
use crate::lab::mpirun::{Library, Mpirun};
use crate::lab::running::{alone, run};
use serde_json::Value;

const PROGRESS: &str = "--only eager-limit,progress --style isend";

/// Open MPI's documentation: progress is made in its calls only (no asynchronous thread by default);
/// over TCP a large message is pushed by the sender once the receiver answers.
#[test]
fn over_tcp_both_processors_move_a_large_message_on() {
    let Some(mpirun) = Mpirun::of(Library::OpenMpi) else { return };
    let _alone = alone();
    let Some(link) = Link::up(gigabit(200)) else { return };
    sooner_or_later(|| {
        let file = collected(&link, &mpirun, [1, 1], "", PROGRESS);
        Ok(progress_is(tier(&file, "network"), &["rat"])?)
    });
}

/// In shared memory the receiver fetches a large message itself, in one copy, where the kernel lets
/// it read the sender's memory (CMA); otherwise both copy, piece by piece.
#[test]
fn in_shared_memory_the_receiver_fetches_a_large_message() {
    let Some(mpirun) = Mpirun::of(Library::OpenMpi) else { return };
    let _alone = alone();
    let folder = tempfile::tempdir().unwrap();
    for (mechanism, transfers) in [("cma", &["rta", "rat"][..]), ("none", &["rat"])] {
        sooner_or_later(|| {
            let words = format!("collect --max-time 6s {PROGRESS} -o sig.json --overwrite");
            let mut command = mpirun.command(folder.path(), 2, &words);
            command.env("OMPI_MCA_btl", "vader,self").env("OMPI_MCA_pml", "ob1");
            command.env("OMPI_MCA_btl_vader_single_copy_mechanism", mechanism);
            // Ranks that yield are left together on one processor by some kernels (seen with 6.18);
            // then neither ever waits for the other's computation.
            command.env("OMPI_MCA_mpi_yield_when_idle", "0");
            run(&mut command).good();
            let file = finished(&folder.path().join("sig.json"));
            let found = progress_is(tier(&file, "node"), transfers)?;
            Ok(format!("single copy by {mechanism}: {found}"))
        });
    }
}

/// Progress must be dependent, and the transfer of the largest messages one of these.
fn progress_is(tier: &Value, transfers: &[&str]) -> Result<String, String> {
    let progress = &tier["progress"];
    let transfer = list(&progress["transfer"]).last().cloned().unwrap_or_default();
    let words = format!(
        "{} progress, {} from {} bytes on; {}",
        progress["kind"], transfer["transfer"], transfer["from"], progress["source"]
    );
    let is_known = transfers.iter().any(|known| transfer["transfer"] == *known);
    if progress["kind"] == "dependent" && is_known { Ok(words) } else { Err(words) }
}
