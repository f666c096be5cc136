//! A release holds three builds beside each other: `loggia`, which has no MPI and runs on any Linux,
//! `loggia-openmpi` and `loggia-mpich`. Started by a launcher, the first hands over to the one that
//! fits; it says so once.

use std::env;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

/// A build with an MPI library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Sibling {
    library: &'static str,
    file: &'static str,
    /// How its launchers number the ranks that they start.
    ranks: &'static [&'static str],
}

/// Slurm's `srun --mpi=pmix` numbers ranks as Open MPI expects, `--mpi=pmi2` as MPICH does.
const SIBLINGS: [Sibling; 2] = [
    Sibling {
        library: "Open MPI",
        file: "loggia-openmpi",
        ranks: &["OMPI_COMM_WORLD_RANK", "PMIX_RANK"],
    },
    Sibling { library: "MPICH", file: "loggia-mpich", ranks: &["PMI_RANK"] },
];

/// Chooses a build by its library's name in lower case, whatever the launcher is: `openmpi`, `mpich`.
const CHOICE: &str = "LOGGIA_MPI";

/// Goes on as the build that fits the launcher of this process, if there is one and it lies beside
/// this program. Comes back only if there is none, or it cannot be started: then says why.
pub(crate) fn hand_over() {
    let Some((sibling, rank)) = chosen(|name| env::var_os(name)) else { return };
    let Some(path) = beside(sibling.file) else { return };
    if rank.is_none_or(|rank| rank == "0") {
        eprintln!(
            "loggia: started by a launcher of {}, goes on as {}",
            sibling.library, sibling.file
        );
    }
    let mut command = Command::new(&path);
    command.args(env::args_os().skip(1));
    #[cfg(unix)]
    {
        use std::os::unix::process::CommandExt;
        let error = command.exec();
        eprintln!("loggia: {} cannot be started: {error}; goes on without MPI", path.display());
    }
}

/// The build that fits these variables, and this process's rank where it is known.
fn chosen(variable: impl Fn(&str) -> Option<OsString>) -> Option<(Sibling, Option<OsString>)> {
    let rank = |sibling: &Sibling| sibling.ranks.iter().find_map(|name| variable(name));
    if let Some(choice) = variable(CHOICE) {
        let is_meant = |sibling: &&Sibling| choice == sibling.file.trim_start_matches("loggia-");
        return SIBLINGS.iter().find(is_meant).map(|sibling| (*sibling, rank(sibling)));
    }
    SIBLINGS.iter().find_map(|sibling| Some((*sibling, Some(rank(sibling)?))))
}

/// A file in the folder of this program.
fn beside(file: &str) -> Option<PathBuf> {
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
    fn the_launcher_decides_and_the_user_may_overrule_it() {
        assert_eq!(file_for(&[]), None);
        assert_eq!(file_for(&[("OMPI_COMM_WORLD_RANK", "1")]), Some("loggia-openmpi"));
        assert_eq!(file_for(&[("PMI_RANK", "0"), ("PMI_SIZE", "2")]), Some("loggia-mpich"));
        // Open MPI's own launcher sets PMIX_RANK, too; Slurm's alone sets only that.
        assert_eq!(file_for(&[("PMIX_RANK", "0")]), Some("loggia-openmpi"));
        assert_eq!(file_for(&[("SLURM_PROCID", "0")]), None);
        let both = [("PMIX_RANK", "0"), (CHOICE, "mpich")];
        assert_eq!(file_for(&both), Some("loggia-mpich"));
        assert_eq!(file_for(&[(CHOICE, "other")]), None);
    }
}
