//! A release has three builds in one folder: `loggia` without MPI, `loggia-openmpi` and
//! `loggia-mpich`. Started by an MPI launcher, `loggia` executes the matching build.

use std::env;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

/// A build with an MPI library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Sibling {
    library: &'static str,
    file: &'static str,
    /// Environment variables in which its launchers pass the rank.
    ranks: &'static [&'static str],
}

/// Slurm's `srun --mpi=pmix` sets Open MPI's variables, `--mpi=pmi2` MPICH's.
const SIBLINGS: [Sibling; 2] = [
    Sibling {
        library: "Open MPI",
        file: "loggia-openmpi",
        ranks: &["OMPI_COMM_WORLD_RANK", "PMIX_RANK"],
    },
    Sibling { library: "MPICH", file: "loggia-mpich", ranks: &["PMI_RANK"] },
];

/// Overrides the choice: `openmpi` or `mpich`.
const CHOICE: &str = "LOGGIA_MPI";

/// Executes the build that matches the launcher of this process. Returns if no build matches, or if it
/// cannot be started.
pub(crate) fn hand_over() {
    let Some((sibling, rank)) = chosen(|name| env::var_os(name)) else { return };
    let Some(path) = in_own_folder(sibling.file) else { return };
    if rank.is_none_or(|rank| rank == "0") {
        eprintln!(
            "loggia: started by a launcher of {}, continuing as {}",
            sibling.library, sibling.file
        );
    }
    let mut command = Command::new(&path);
    command.args(env::args_os().skip(1));
    #[cfg(unix)]
    {
        use std::os::unix::process::CommandExt;
        let error = command.exec();
        eprintln!("loggia: {} cannot be started: {error}; continuing without MPI", path.display());
    }
}

/// The build that matches these environment variables, and this process's rank if known.
fn chosen(variable: impl Fn(&str) -> Option<OsString>) -> Option<(Sibling, Option<OsString>)> {
    let rank = |sibling: &Sibling| sibling.ranks.iter().find_map(|name| variable(name));
    if let Some(choice) = variable(CHOICE) {
        let is_chosen = |sibling: &&Sibling| choice == sibling.file.trim_start_matches("loggia-");
        return SIBLINGS.iter().find(is_chosen).map(|sibling| (*sibling, rank(sibling)));
    }
    SIBLINGS.iter().find_map(|sibling| Some((*sibling, Some(rank(sibling)?))))
}

/// A file in the folder of this program.
fn in_own_folder(file: &str) -> Option<PathBuf> {
    let path = env::current_exe().ok()?.with_file_name(file);
    path.is_file().then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file_for(variables: &[(&str, &str)]) -> Option<&'static str> {
        let value = |name: &str| {
            let found = variables.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| OsString::from(value))
        };
        chosen(value).map(|(sibling, _)| sibling.file)
    }

    #[test]
    fn the_launcher_decides_unless_overridden() {
        assert_eq!(file_for(&[]), None);
        assert_eq!(file_for(&[("OMPI_COMM_WORLD_RANK", "1")]), Some("loggia-openmpi"));
        assert_eq!(file_for(&[("PMI_RANK", "0"), ("PMI_SIZE", "2")]), Some("loggia-mpich"));
        // Open MPI's own launcher sets PMIX_RANK, too; Slurm's launcher sets only PMIX_RANK.
        assert_eq!(file_for(&[("PMIX_RANK", "0")]), Some("loggia-openmpi"));
        assert_eq!(file_for(&[("SLURM_PROCID", "0")]), None);
        let both = [("PMIX_RANK", "0"), (CHOICE, "mpich")];
        assert_eq!(file_for(&both), Some("loggia-mpich"));
        assert_eq!(file_for(&[(CHOICE, "other")]), None);
    }
}
