//! Titles: `# OSU MPI-CUDA Non-blocking All-to-All Latency Test v7.4`.

use crate::import::run::{BenchmarkKind, Run, Tool};

/// Default number of messages in flight in a bandwidth test.
const WINDOW: u32 = 64;

/// The content of a title.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Title {
    pub(super) run: Run,
    /// Why the rows cannot be used.
    pub(super) unused: Option<String>,
}

impl Title {
    /// Reads the first line of an output.
    pub(super) fn read(text: &str) -> Option<Self> {
        const BEGINS: [&str; 3] = ["# OSU ", "# OMB-Py ", "# OMB "];
        let text = text.trim();
        let title = BEGINS.iter().find_map(|begin| text.strip_prefix(begin))?;
        let (library, rest) = title.trim().split_once(' ')?;
        let (name, version) = match rest.rsplit_once(" v") {
            Some((name, version)) if version.starts_with(|c: char| c.is_ascii_digit()) => {
                (name, Some(version.trim().to_owned()))
            }
            _ => (rest, None),
        };
        let name = name.trim();
        let benchmark =
            if library == "MPI" { name.to_owned() } else { format!("{library} {name}") };
        let (kind, style) = match kind_of(library, name) {
            Ok(known) => known,
            Err(reason) => {
                let run = Run::new(Tool::Osu, benchmark, BenchmarkKind::Message);
                return Some(Title { run, unused: Some(reason) });
            }
        };
        let run = Run::new(Tool::Osu, benchmark, kind);
        let facts = vec![("library", library.to_owned())];
        let run = Run { version, facts, style: style.map(str::to_owned), ..run };
        Some(Title { run, unused: None })
    }
}

/// Kind and send mode of a benchmark, or why it cannot be used.
fn kind_of(library: &str, name: &str) -> Result<(BenchmarkKind, Option<&'static str>), String> {
    let (base, memory) = library.split_once('-').unwrap_or((library, ""));
    let spelled = name.to_ascii_lowercase();
    let words: Vec<&str> = spelled.split_whitespace().filter(|word| *word != "test").collect();
    let no_place = || Err(format!("a signature cannot hold OSU {library} {name}"));
    match base {
        "MPI" | "MPI4PY" => {}
        "NCCL" | "RCCL" | "XCCL" | "HCCL" | "MSCCL" => {}
        "MPI_Put" | "MPI_Get" if words == ["latency"] => {
            let kind = if base == "MPI_Put" { BenchmarkKind::Put } else { BenchmarkKind::Get };
            return Ok((kind, None));
        }
        _ => return no_place(),
    }
    let is_persistent = words.contains(&"persistent");
    let words: Vec<&str> = words.into_iter().filter(|word| *word != "persistent").collect();
    let stream = |directions| BenchmarkKind::Stream { window: Some(WINDOW), directions, pairs: 1 };
    let point_to_point = match words.join(" ").as_str() {
        "latency" | "multi-threaded latency" | "multi-process latency" => {
            Some(BenchmarkKind::Message)
        }
        "multi latency" | "multi-pair latency" => {
            Some(BenchmarkKind::ConcurrentMessage { pairs: None })
        }
        "bandwidth" => Some(stream(1)),
        "bi-directional bandwidth" => Some(stream(2)),
        "multiple bandwidth / message rate" => Some(stream(1)),
        _ => None,
    };
    if let Some(kind) = point_to_point {
        return Ok((kind, is_persistent.then_some("persistent")));
    }
    let Some((&"latency", op)) = words.split_last() else { return no_place() };
    if is_persistent || op.contains(&"partitioned") || op.is_empty() {
        return no_place();
    }
    let (is_nonblocking, op) = match op.split_first() {
        Some((&("non-blocking" | "nonblocking"), op)) => (true, op),
        _ => (false, op),
    };
    let op = operation(op);
    let on_gpus = !matches!(memory, "" | "CXL" | "MIC") || base.ends_with("CCL");
    Ok((BenchmarkKind::collective(op, is_nonblocking, on_gpus), None))
}

/// The MPI name of an operation.
fn operation(words: &[&str]) -> String {
    let words: Vec<&str> = words
        .iter()
        .copied()
        .filter(|word| !matches!(*word, "personalized" | "exchange"))
        .collect();
    match words.join("_").replace('-', "_").as_str() {
        "broadcast" => "bcast".to_owned(),
        other => other.replace("all_to_all", "alltoall"),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]
    use super::*;

    /// Titles from the sources of 5.3, 6.1 and 7.4.
    #[test]
    fn titles_give_operations() {
        for (title, op, nonblocking, gpus) in [
            ("MPI Allreduce Latency Test v7.4", "allreduce", false, false),
            ("MPI Broadcast Latency Test v5.3", "bcast", false, false),
            ("MPI All-to-All Personalized Exchange Latency Test v7.4", "alltoall", false, false),
            ("MPI All-to-Allv Personalized Exchange Latency Test v6.1", "alltoallv", false, false),
            ("MPI-CUDA Non-blocking All-to-All Latency Test v7.4", "alltoall", true, true),
            ("MPI Non-Blocking Barrier Latency Test v7.4", "barrier", true, false),
            ("MPI Reduce_scatter Latency Test v7.4", "reduce_scatter", false, false),
            (
                "MPI Neighborhood Allgather Latency Test v7.4",
                "neighborhood_allgather",
                false,
                false,
            ),
            ("NCCL-CUDA Allreduce Latency Test v7.0", "allreduce", false, true),
        ] {
            let title = Title::read(&format!("# OSU {title}")).unwrap();
            let BenchmarkKind::Collective { op: actual, is_nonblocking, on_gpus, .. } =
                title.run.kind
            else {
                panic!("{title:?}");
            };
            assert_eq!((actual.as_deref(), is_nonblocking, on_gpus), (Some(op), nonblocking, gpus));
        }
    }

    #[test]
    fn titles_give_messages() {
        let read = |title: &str| Title::read(&format!("# OSU {title}")).unwrap();
        assert_eq!(read("MPI Latency Test v5.6.2").run.version.as_deref(), Some("5.6.2"));
        assert_eq!(
            read("MPI Multi Latency Test v7.4").run.kind,
            BenchmarkKind::ConcurrentMessage { pairs: None }
        );
        assert_eq!(read("MPI_Put Latency Test v7.4").run.kind, BenchmarkKind::Put);
        let persistent = read("MPI Bandwidth Persistent Test v7.4").run;
        assert_eq!(persistent.style.as_deref(), Some("persistent"));
        for unused in [
            "MPI Init Test v7.4",
            "MPI Hello World Test v7.4",
            "MPI_Accumulate latency Test v7.4",
            "MPI_Put Bandwidth Test v7.4",
            "OpenSHMEM Get Test v5.3",
            "UPC++ Broadcast Latency Test v5.3",
            "MPI Partitioned Latency Test v7.4",
            "MPI Persistent Allreduce Latency Test v7.4",
        ] {
            assert!(read(unused).unused.is_some(), "{unused}");
        }
        assert_eq!(Title::read("# OSU"), None);
    }
}
