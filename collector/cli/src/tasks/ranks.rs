//! Runs tasks on the ranks of an MPI program. Rank 0 sends the request and hands out tasks. Each
//! other rank returns its outcomes and requests as many tasks as it can run within [`BATCH_TIME`].

use super::cores::{self, begin};
use super::{Outcome, Queue, RunTask, WorkerPool};
use loggia_collect::transport::mpi::Mpi;
use loggia_collect::transport::{Rank, Result, Transport};
use loggia_model::Error;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::sync::mpsc::RecvTimeoutError;
use std::thread::{scope, sleep};
use std::time::{Duration, Instant};

/// Target duration of a batch of tasks. Rank 0 replies in a fraction of it.
const BATCH_TIME: Duration = Duration::from_millis(100);
/// Maximum number of tasks per batch: the outcomes of a batch are lost if its rank ends.
const MAX_BATCH: usize = 64;
const POLL_INTERVAL: Duration = Duration::from_millis(1);

/// A rank's message to rank 0: its outcomes, and the number of tasks that it requests.
#[derive(Serialize, Deserialize)]
struct WorkRequest {
    outcomes: Vec<Outcome>,
    capacity: usize,
}

/// Sends the request to all ranks and runs its tasks on all ranks; `report` gets each outcome.
///
/// # Errors
/// The first error of `report`, or a message that cannot be decoded.
pub(crate) fn lead<'a>(
    mpi: &mut Mpi,
    request: &impl Serialize,
    tasks: &[usize],
    pool: &WorkerPool<impl Fn() -> RunTask<'a> + Sync>,
    mut report: impl FnMut(Outcome) -> Result<()>,
) -> Result<()> {
    let request = encoded(request)?;
    for rank in 1..mpi.ranks() {
        mpi.send_control(rank, &request)?;
    }
    let queue = Queue::new(tasks.iter().copied());
    scope(|scope| {
        let own = begin(scope, &queue, pool, tasks.len());
        let mut other_ranks = mpi.ranks() - 1;
        let mut is_working = true;
        let mut result = || {
            while is_working || other_ranks > 0 {
                while let Some((rank, message)) = mpi.poll_control()? {
                    let WorkRequest { outcomes, capacity } = decoded(&message)?;
                    let batch = queue.take(capacity);
                    other_ranks -= Rank::from(batch.is_empty());
                    mpi.send_control(rank, &encoded(&batch)?)?;
                    outcomes.into_iter().try_for_each(&mut report)?;
                }
                match own.recv_timeout(POLL_INTERVAL) {
                    Ok(outcome) => report(outcome)?,
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => {
                        is_working = false;
                        sleep(POLL_INTERVAL);
                    }
                }
            }
            Ok(())
        };
        let result = result();
        queue.close();
        result
    })
}

/// Runs the tasks that rank 0 hands out, until it sends none.
///
/// # Errors
/// Rank 0 ended, or its message cannot be decoded.
pub(crate) fn follow<Q>(
    mpi: &mut Mpi,
    threads: usize,
    begin: impl Fn(&Q) -> RunTask<'_> + Sync,
) -> Result<()>
where
    Q: DeserializeOwned + Sync,
{
    let message = mpi.recv_control(0)?;
    // After an error on rank 0 there is no request.
    let Some(request) = decoded::<Option<Q>>(&message)? else { return Ok(()) };
    let pool = WorkerPool { threads, begin: || begin(&request) };
    let (mut outcomes, mut capacity) = (Vec::new(), threads);
    // A single thread keeps its cache between batches.
    let mut single_runner = (threads == 1).then(|| (pool.begin)());
    loop {
        mpi.send_control(0, &encoded(&WorkRequest { outcomes, capacity })?)?;
        let batch: Vec<usize> = decoded(&mpi.recv_control(0)?)?;
        if batch.is_empty() {
            return Ok(());
        }
        let start = Instant::now();
        outcomes = match &mut single_runner {
            Some(run) => batch.iter().map(|at| Outcome { task: *at, text: run(*at) }).collect(),
            None => {
                let mut all = Vec::new();
                cores::lead(&batch, &pool, |outcome| {
                    all.push(outcome);
                    Ok::<_, Error>(())
                })?;
                all
            }
        };
        let each = start.elapsed().as_secs_f64() / batch.len() as f64;
        capacity =
            ((BATCH_TIME.as_secs_f64() / each) as usize).clamp(threads, MAX_BATCH.max(threads));
    }
}

/// Notifies all other ranks that there is no request.
pub(crate) fn dismiss(mpi: &mut Mpi) -> Result<()> {
    (1..mpi.ranks()).try_for_each(|rank| mpi.send_control(rank, b"null"))
}

fn encoded(message: &impl Serialize) -> Result<Vec<u8>> {
    serde_json::to_vec(message).map_err(|error| undecodable(&error))
}

fn decoded<T: DeserializeOwned>(message: &[u8]) -> Result<T> {
    serde_json::from_slice(message).map_err(|error| undecodable(&error))
}

fn undecodable(error: &serde_json::Error) -> Error {
    Error::new(
        format!("a message from another rank cannot be decoded: {error}"),
        "mpirun",
        "start the same build of loggia on all ranks",
    )
}
