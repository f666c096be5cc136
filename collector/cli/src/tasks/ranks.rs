//! Over the ranks of an MPI program: rank 0 has the question and gives pieces of it away; the others
//! ask for more when they are done, for as many as keep them busy for a moment.

use super::cores::{self, begin};
use super::{Answer, Found, Queue, Workers};
use loggia_collect::transport::mpi::Mpi;
use loggia_collect::transport::{Rank, Result, Transport};
use loggia_model::Error;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::sync::mpsc::RecvTimeoutError;
use std::thread::{scope, sleep};
use std::time::{Duration, Instant};

/// A rank asks for what keeps it busy so long: rank 0 answers within a part of it.
const BUSY: Duration = Duration::from_millis(100);
/// … but for no more at once: what it has found is lost if it ends.
const MOST: usize = 64;
/// How long rank 0 sleeps where there is nothing to do but to wait.
const MOMENT: Duration = Duration::from_millis(1);

/// What a rank says to rank 0.
#[derive(Serialize, Deserialize)]
struct Asking {
    found: Vec<Found>,
    /// So many pieces it would take.
    wants: usize,
}

/// Gives the question to all ranks, works on its pieces with them, and tells each that is done.
///
/// # Errors
/// The first that `tell` has; and where a rank says what cannot be understood.
pub(crate) fn lead<'a>(
    mpi: &mut Mpi,
    question: &impl Serialize,
    pieces: &[usize],
    workers: &Workers<impl Fn() -> Answer<'a> + Sync>,
    mut tell: impl FnMut(Found) -> Result<()>,
) -> Result<()> {
    let question = letter_of(question)?;
    for rank in 1..mpi.ranks() {
        mpi.post(rank, &question)?;
    }
    let queue = Queue::new(pieces.iter().copied());
    scope(|scope| {
        let own = begin(scope, &queue, workers, pieces.len());
        let mut others = mpi.ranks() - 1;
        let mut is_working = true;
        let mut led = || {
            while is_working || others > 0 {
                while let Some((rank, letter)) = mpi.letter()? {
                    let Asking { found, wants } = understood(&letter)?;
                    let given = queue.take(wants);
                    others -= Rank::from(given.is_empty());
                    mpi.post(rank, &letter_of(&given)?)?;
                    found.into_iter().try_for_each(&mut tell)?;
                }
                match own.recv_timeout(MOMENT) {
                    Ok(found) => tell(found)?,
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => {
                        is_working = false;
                        sleep(MOMENT);
                    }
                }
            }
            Ok(())
        };
        let led = led();
        queue.close();
        led
    })
}

/// Works on what rank 0 gives, until it gives nothing more.
///
/// # Errors
/// Where rank 0 is gone, or asks what cannot be understood.
pub(crate) fn follow<Q>(
    mpi: &mut Mpi,
    threads: usize,
    answering: impl Fn(&Q) -> Answer<'_> + Sync,
) -> Result<()>
where
    Q: DeserializeOwned + Sync,
{
    let letter = mpi.read(0)?;
    // Where rank 0 found something wrong, there is no question.
    let Some(question) = understood::<Option<Q>>(&letter)? else { return Ok(()) };
    let workers = Workers { threads, begin: || answering(&question) };
    let (mut found, mut wants) = (Vec::new(), threads);
    // A thread alone remembers what it has run for the pieces before.
    let mut alone = (threads == 1).then(|| (workers.begin)());
    loop {
        mpi.post(0, &letter_of(&Asking { found, wants })?)?;
        let given: Vec<usize> = understood(&mpi.read(0)?)?;
        if given.is_empty() {
            return Ok(());
        }
        let start = Instant::now();
        found = match &mut alone {
            Some(answer) => {
                given.iter().map(|at| Found { piece: *at, text: answer(*at) }).collect()
            }
            None => {
                let mut all = Vec::new();
                cores::lead(&given, &workers, |one| {
                    all.push(one);
                    Ok::<_, Error>(())
                })?;
                all
            }
        };
        let each = start.elapsed().as_secs_f64() / given.len() as f64;
        wants = ((BUSY.as_secs_f64() / each) as usize).clamp(threads, MOST.max(threads));
    }
}

/// Tells all ranks that there is no question.
pub(crate) fn dismiss(mpi: &mut Mpi) -> Result<()> {
    (1..mpi.ranks()).try_for_each(|rank| mpi.post(rank, b"null"))
}

fn letter_of(what: &impl Serialize) -> Result<Vec<u8>> {
    serde_json::to_vec(what).map_err(|error| not_understood(&error))
}

fn understood<T: DeserializeOwned>(letter: &[u8]) -> Result<T> {
    serde_json::from_slice(letter).map_err(|error| not_understood(&error))
}

fn not_understood(error: &serde_json::Error) -> Error {
    Error::new(
        format!("ranks do not understand each other: {error}"),
        "mpirun",
        "start the same build of loggia on all ranks",
    )
}
