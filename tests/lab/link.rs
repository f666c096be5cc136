//! Two hosts as network namespaces, joined by a relay in user space with known one-way delay and
//! bandwidth: the true values for a measurement. Needs root, Linux, `ip`, a C compiler and the
//! relay's source next to the repository.
//!
//! Each link has its own namespaces, named after this process. Namespaces of ended processes are
//! removed first.

use super::mpirun::{Library, Mpirun, set_environment, with_loggia};
use super::running::{signal, skip};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};
use tempfile::TempDir;

const RELAY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/netlab/tunrelay.c");

/// The relay's device in each host, and the hosts' addresses. They are private to the namespaces.
const DEVICE: &str = "lgt0";
const NETWORK: &str = "10.78.0.0/24";
pub(crate) const ADDRESSES: [&str; 2] = ["10.78.0.1", "10.78.0.2"];

/// Priority of the measured programs over other programs of this machine.
const FIRST: &str = "nice -n -10";

/// Parameters of the link between the hosts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wire {
    /// One-way delay, in µs.
    pub(crate) delay: u32,
    pub(crate) mbit: u32,
    /// Maximum packet size, in bytes.
    pub(crate) mtu: u32,
}

/// A fast network with large packets.
pub(crate) const fn gigabit(delay: u32) -> Wire {
    Wire { delay, mbit: 1000, mtu: 9000 }
}

/// A slow network with the packets of Ethernet.
pub(crate) const SLOW: Wire = Wire { delay: 200, mbit: 100, mtu: 1500 };

/// The two hosts, until dropped.
pub(crate) struct Link {
    hosts: [String; 2],
    relay: Option<Child>,
    folder: TempDir,
}

impl Link {
    /// Sets the link up; `None`, with a message, if that is impossible.
    pub(crate) fn up(wire: Wire) -> Option<Self> {
        match Self::try_up(wire) {
            Ok(link) => Some(link),
            Err(error) => {
                skip(&format!("no network of known delay and bandwidth: {error}"));
                None
            }
        }
    }

    fn try_up(wire: Wire) -> Result<Self, String> {
        if !fs::exists(RELAY).unwrap_or(false) {
            return Err(format!("{RELAY} does not exist"));
        }
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        remove_stale_namespaces();
        let name = |host: &str| format!("{OURS}{}-{number}{host}", std::process::id());
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let mut link = Link { hosts: [name("a"), name("b")], relay: None, folder };
        let relay = relay_program()?;
        for host in &link.hosts {
            ip(&["netns", "add", host])?;
            ip(&["-n", host, "link", "set", "lo", "up"])?;
        }
        link.relay = Some(link.start_relay(&relay, wire)?);
        for (host, address) in link.hosts.iter().zip(ADDRESSES) {
            let mtu = wire.mtu.to_string();
            ip(&["-n", host, "addr", "add", &format!("{address}/24"), "dev", DEVICE])?;
            ip(&["-n", host, "link", "set", DEVICE, "mtu", &mtu, "txqueuelen", "10000", "up"])?;
        }
        link.write_agent()?;
        Ok(link)
    }

    fn start_relay(&self, relay: &Path, wire: Wire) -> Result<Child, String> {
        let log = self.folder.path().join("relay.log");
        let log_file = fs::File::create(&log).map_err(|error| error.to_string())?;
        // The relay ends with this process, even if that is killed.
        let child = Command::new("setpriv")
            .args(["--pdeathsig", "KILL"])
            .arg(relay)
            .args(&self.hosts)
            .args([wire.delay, wire.mbit, wire.mtu].map(|number| number.to_string()))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log_file)
            .spawn()
            .map_err(|error| format!("setpriv: {error}"))?;
        let begin = Instant::now();
        loop {
            let output = fs::read_to_string(&log).unwrap_or_default();
            if output.contains("ready") {
                return Ok(child);
            }
            if begin.elapsed() > Duration::from_secs(5) {
                signal(child.id(), "KILL");
                return Err(format!("the relay does not start: {output}"));
            }
            sleep(Duration::from_millis(10));
        }
    }

    /// Writes the script that a launcher calls instead of `ssh`, with an address and a command.
    fn write_agent(&self) -> Result<(), String> {
        let [a, b] = &self.hosts;
        let [at_a, at_b] = ADDRESSES;
        let script = format!(
            "#!/bin/sh\n\
             while case $1 in -*) true;; *) false;; esac; do shift; done\n\
             case $1 in {at_a}) host={a};; {at_b}) host={b};; *) exit 255;; esac\n\
             shift\n\
             exec ip netns exec $host unshare --uts {FIRST} \
             sh -c \"echo $host > /proc/sys/kernel/hostname; $*\"\n"
        );
        let path = self.agent();
        fs::write(&path, script).map_err(|error| error.to_string())?;
        let executable = fs::Permissions::from_mode(0o755);
        fs::set_permissions(path, executable).map_err(|error| error.to_string())
    }

    fn agent(&self) -> std::path::PathBuf {
        self.folder.path().join("agent")
    }

    pub(crate) fn hosts(&self) -> &[String; 2] {
        &self.hosts
    }

    /// A folder that both hosts share.
    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Command for a program on one of the two hosts.
    pub(crate) fn on(&self, host: usize, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let name = &self.hosts[host];
        let script = format!("echo {name} > /proc/sys/kernel/hostname; exec \"$@\"");
        let mut command = Command::new("ip");
        command.args(["netns", "exec", name, "unshare", "--uts"]);
        command.args(FIRST.split(' ')).args(["sh", "-c", &script, "sh"]).arg(program);
        command.current_dir(self.folder());
        command
    }

    /// The command under test, with these numbers of ranks on the two hosts, over the link. Two
    /// ranks on one host share memory; `settings` are options of the launcher.
    pub(crate) fn mpirun(
        &self,
        mpirun: &Mpirun,
        ranks: [u32; 2],
        settings: &str,
        arguments: &str,
    ) -> Command {
        let mut command = self.launcher(mpirun, ranks, settings);
        with_loggia(&mut command, arguments);
        command
    }

    /// Like [`Self::mpirun`], for any program; the caller adds it.
    pub(crate) fn launcher(&self, mpirun: &Mpirun, ranks: [u32; 2], settings: &str) -> Command {
        let mut command = self.on(0, mpirun.program());
        let all = ranks.iter().sum::<u32>().to_string();
        let hosts: Vec<String> = (ranks.iter().zip(ADDRESSES))
            .filter(|(ranks, _)| **ranks > 0)
            .map(|(ranks, address)| format!("{address}:{ranks}"))
            .collect();
        let hosts = hosts.join(",");
        match mpirun.library {
            Library::OpenMpi => {
                let btl = match ranks {
                    [0 | 1, 0 | 1] => "tcp,self",
                    [_, 0] => "vader,self",
                    _ => "vader,tcp,self",
                };
                command.args(["--mca", "plm_rsh_agent"]).arg(self.agent());
                command.args(["--mca", "plm_rsh_no_tree_spawn", "1", "--mca", "pml", "ob1"]);
                command.args(["--mca", "btl", btl, "--mca", "btl_tcp_if_include", NETWORK]);
                command.args(["--mca", "oob_tcp_if_include", NETWORK, "--bind-to", "none"]);
                command.args(["-H", &hosts]);
            }
            Library::Mpich => {
                command.args(["-launcher", "rsh", "-launcher-exec"]).arg(self.agent());
                command.args(["-iface", DEVICE, "-hosts", &hosts]);
            }
        }
        command.args(settings.split_whitespace()).args(["-n", &all]);
        set_environment(&mut command);
        command
    }
}

/// The relay, compiled once.
fn relay_program() -> Result<PathBuf, String> {
    static COMPILED: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    let compile = || {
        let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join("tunrelay");
        run(Command::new("cc").args(["-O2", "-o"]).arg(&program).arg(RELAY))?;
        Ok(program)
    };
    COMPILED.get_or_init(compile).clone()
}

impl Drop for Link {
    fn drop(&mut self) {
        if let Some(relay) = &mut self.relay {
            let _ = relay.kill();
            let _ = relay.wait();
        }
        for host in &self.hosts {
            let _ = ip(&["netns", "del", host]);
        }
    }
}

/// Prefix of the names of these namespaces; the process number follows.
const OURS: &str = "loggia-test-";

/// Removes the namespaces of killed tests.
fn remove_stale_namespaces() {
    for entry in fs::read_dir("/run/netns").into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let Some(rest) = name.strip_prefix(OURS) else { continue };
        let pid = rest.split('-').next().unwrap_or_default();
        if !Path::new("/proc").join(pid).exists() {
            let _ = ip(&["netns", "del", &name]);
        }
    }
}

fn ip(arguments: &[&str]) -> Result<(), String> {
    run(Command::new("ip").args(arguments))
}

/// Runs the command; returns its error.
fn run(command: &mut Command) -> Result<(), String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|error| format!("{name}: {error}"))?;
    match output.status.success() {
        true => Ok(()),
        false => {
            let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
            Err(format!("{name}: {}", stderr.lines().next().unwrap_or_default()))
        }
    }
}
