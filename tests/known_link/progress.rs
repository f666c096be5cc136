//! The measured progress and transfer of large messages.

use crate::judged::check_repeatedly;
use crate::lab::file::{finished, list, tier};
use crate::lab::mpirun::{Library, Mpirun};
use crate::lab::running::{alone, run};
use crate::shared::FAR_LINK;
use serde_json::Value;

/// By Open MPI's documentation, it makes progress only in its calls (no asynchronous thread by default).
/// Over TCP, the sender pushes a large message when the receiver has answered.
#[test]
fn over_tcp_both_processors_move_a_large_message_on() {
    let Some(mpirun) = Mpirun::of(Library::OpenMpi) else { return };
    let _alone = alone();
    FAR_LINK.check(&mpirun, |_, sig| Ok(progress_is(tier(&finished(sig), "network"), &["rat"])?));
}

/// In shared memory, the receiver copies a large message itself if the kernel lets it read the sender's
/// memory (CMA); otherwise both ranks copy it in pieces.
#[test]
fn in_shared_memory_the_receiver_fetches_a_large_message() {
    let Some(mpirun) = Mpirun::of(Library::OpenMpi) else { return };
    let _alone = alone();
    let folder = tempfile::tempdir().unwrap();
    for (mechanism, transfers) in [("cma", &["rta", "rat"][..]), ("none", &["rat"])] {
        check_repeatedly(|| {
            let words = "collect --max-time 6s --only eager-limit,progress --style isend \
                         -o sig.json --overwrite";
            let mut command = mpirun.command(folder.path(), 2, words);
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

/// Checks that progress is dependent, and that the largest messages have one of these transfers.
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
