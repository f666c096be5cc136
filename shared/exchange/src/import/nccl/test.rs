//! The tests of nccl-tests, and the meaning of their sizes.

use crate::import::run::{BenchmarkKind, Run, Tool};
use loggia_model::signature::{BytesAre, Operation};
use loggia_model::units::Procs;

/// The test in a command: `all_reduce` in `./build/all_reduce_perf -b 8`.
pub(super) fn in_command(text: &str) -> Option<String> {
    text.split_whitespace().find_map(|word| {
        let program = word.rsplit('/').next()?;
        let name = program.strip_suffix("_mpi").unwrap_or(program).strip_suffix("_perf")?;
        let is_name = !name.is_empty() && name.bytes().all(|b| b.is_ascii_lowercase() || b == b'_');
        is_name.then(|| name.to_owned())
    })
}

/// The meaning of sizes: the larger of a rank's sent and received bytes.
pub(super) fn bytes_are(op: Operation) -> BytesAre {
    match op {
        Operation::Allgather
        | Operation::ReduceScatter
        | Operation::Gather
        | Operation::Scatter => BytesAre::Total,
        Operation::Alltoall => BytesAre::PerRank,
        op => op.bytes_are(),
    }
}

/// The benchmark of a test; `None` if a signature cannot hold it.
fn kind_of(name: Option<&str>) -> Option<BenchmarkKind> {
    let collective = |op: Option<Operation>| BenchmarkKind::Collective {
        op: op.map(|op| op.name().to_owned()),
        bytes_are: op.map(bytes_are),
        is_nonblocking: false,
        on_gpus: true,
    };
    let Some(name) = name else { return Some(collective(None)) };
    let op = match name {
        "sendrecv" => return Some(BenchmarkKind::Exchange { neighbours: 1 }),
        "all_reduce" => Operation::Allreduce,
        "all_gather" => Operation::Allgather,
        "broadcast" => Operation::Bcast,
        "reduce_scatter" | "reduce" | "alltoall" | "gather" | "scatter" => {
            Operation::named(name).ok()?
        }
        _ => return None,
    };
    Some(collective(Some(op)))
}

/// The header of an output.
#[derive(Clone, Debug, Default)]
pub(super) struct OutputHeader {
    pub(super) version: Option<String>,
    pub(super) name: Option<String>,
    pub(super) procs: Option<Procs>,
    pub(super) facts: Vec<(&'static str, String)>,
}

impl OutputHeader {
    /// A run for a datatype, in place or out of place.
    ///
    /// # Errors
    /// The reason if a signature cannot hold the test.
    pub(super) fn run(&self, data: String, in_place: bool) -> Result<Run, String> {
        let name = self.name.as_deref();
        let kind = kind_of(name)
            .ok_or_else(|| format!("a signature cannot hold {}", name.unwrap_or_default()))?;
        let place = if in_place { "in place" } else { "out of place" };
        let benchmark = name.map_or(place.to_owned(), |name| format!("{name}, {place}"));
        let mut facts = self.facts.clone();
        facts.push(("datatype", data));
        let (version, procs) = (self.version.clone(), self.procs);
        Ok(Run { version, procs, facts, ..Run::new(Tool::Nccl, benchmark, kind) })
    }

    /// The version of NCCL, from its code: 22703 is 2.27.3.
    pub(super) fn library(&mut self, code: u32) {
        let (major, rest) = if code >= 10_000 {
            (code / 10_000, code % 10_000)
        } else {
            (code / 1000, code % 1000)
        };
        self.facts.push(("mpi", format!("NCCL {major}.{}.{}", rest / 100, rest % 100)));
    }

    /// Hosts and devices of the ranks.
    pub(super) fn devices(&mut self, hosts: &[String], device: Option<&str>) {
        const MAX: usize = 4;
        let mut host = hosts.iter().take(MAX).cloned().collect::<Vec<_>>().join(", ");
        if hosts.len() > MAX {
            host.push_str(&format!(" and {} more", hosts.len() - MAX));
        }
        self.facts.extend((!host.is_empty()).then_some(("host", host)));
        self.facts.extend(device.map(|device| ("processors", device.to_owned())));
    }
}

/// Datatype and operation: `float sum`.
pub(super) fn data(datatype: &str, operation: &str) -> String {
    match operation {
        "" | "none" | "N/A" => datatype.to_owned(),
        operation => format!("{datatype} {operation}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_name_tests() {
        let test_of = |text: &str| in_command(text);
        assert_eq!(
            test_of("+ mpirun -np 8 ./build/all_reduce_perf -b 8").as_deref(),
            Some("all_reduce")
        );
        assert_eq!(test_of("alltoall_perf_mpi").as_deref(), Some("alltoall"));
        assert_eq!(test_of("n1:4:5 [0] NCCL INFO Bootstrap"), None);
    }
}
