//! The list of built-in machines, without their numbers. The page starts with it.

use serde::Serialize;
use std::fmt;

/// The kind of a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Group {
    /// A current cluster or supercomputer.
    Hpc,
    /// A current cloud machine.
    Cloud,
    /// Messages between GPU memories, or between GPU nodes.
    Gpu,
    /// A machine of the papers.
    Papers,
}

impl Group {
    /// All groups, in the order of the list.
    pub const ALL: [Group; 4] = [Group::Hpc, Group::Cloud, Group::Gpu, Group::Papers];
}

impl fmt::Display for Group {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Group::Hpc => "Today: HPC",
            Group::Cloud => "Today: cloud",
            Group::Gpu => "Today: GPU",
            Group::Papers => "Papers: 1993–2003",
        })
    }
}

/// The origin of the numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Found {
    /// Imported from the output of a benchmark.
    Measured,
    /// Calibrated by hand, such that a simulator reproduces measured times.
    Calibrated,
    /// Derived from published statistics of a benchmark.
    Derived,
    /// Printed in a paper.
    Published,
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Found::Measured => "measured",
            Found::Calibrated => "calibrated for a simulator",
            Found::Derived => "derived from OSU",
            Found::Published => "published",
        })
    }
}

/// A built-in machine in the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The name of the signature.
    pub name: &'static str,
    /// The title of the signature.
    pub title: &'static str,
    /// The kind of a machine.
    pub group: Group,
    /// Year of the measurement; for a machine of the papers, of its first description.
    pub year: u16,
    /// The network, in few words.
    pub network: &'static str,
    /// The origin of the numbers.
    pub found: Found,
}

impl Entry {
    /// Whether the entry contains a word; case is ignored.
    pub fn contains(&self, word: &str) -> bool {
        let Entry { name, title, group, year, network, found } = self;
        let all = format!("{name} {title} {group} {year} {network} {found}").to_ascii_lowercase();
        all.contains(&word.to_ascii_lowercase())
    }
}

/// All entries, by group.
#[rustfmt::skip]
pub const ENTRIES: [Entry; 40] = [
    hpc("alps", "Alps", 2022, "Slingshot", Found::Measured),
    hpc("alps-calibrated", "Alps, calibrated", 2022, "Slingshot", Found::Calibrated),
    hpc("deep-est", "DEEP-EST", 2022, "InfiniBand EDR", Found::Measured),
    hpc("deep-est-calibrated", "DEEP-EST, calibrated", 2022, "InfiniBand EDR", Found::Calibrated),
    hpc("piz-daint", "Piz Daint", 2022, "Cray Aries", Found::Measured),
    hpc("piz-daint-calibrated", "Piz Daint, calibrated", 2022, "Cray Aries", Found::Calibrated),
    hpc("grid5000-dahu", "Grid'5000 dahu", 2021, "Omni-Path", Found::Calibrated),
    hpc("blue-waters", "Blue Waters XE", 2017, "Cray Gemini", Found::Measured),
    hpc("trinitite", "Trinitite XC40", 2016, "Cray Aries", Found::Derived),
    hpc("lanl-omni-path", "LANL cluster, Omni-Path", 2016, "Omni-Path", Found::Derived),
    cloud("azure-hbv2", "Azure HBv2", 2022, "InfiniBand HDR", Found::Measured),
    cloud("azure-hbv2-calibrated", "Azure HBv2, calibrated", 2022, "InfiniBand HDR", Found::Calibrated),
    cloud("azure-hc44rs", "Azure HC44rs", 2022, "InfiniBand EDR", Found::Measured),
    cloud("azure-hc44rs-calibrated", "Azure HC44rs, calibrated", 2022, "InfiniBand EDR", Found::Calibrated),
    cloud("azure-f72s", "Azure F72s v2", 2022, "TCP, 30 Gb/s", Found::Measured),
    cloud("azure-f72s-calibrated", "Azure F72s v2, calibrated", 2022, "TCP, 30 Gb/s", Found::Calibrated),
    cloud("oracle-hpc", "Oracle HPC, bare metal", 2022, "RoCE, 100 Gb/s", Found::Calibrated),
    cloud("oracle-vm", "Oracle VM", 2022, "TCP", Found::Measured),
    cloud("aws-c5n-metal", "AWS c5n.metal", 2022, "EFA, 100 Gb/s", Found::Measured),
    cloud("aws-c5n-metal-calibrated", "AWS c5n.metal, calibrated", 2022, "EFA, 100 Gb/s", Found::Calibrated),
    cloud("aws-c5n-18xlarge", "AWS c5n.18xlarge", 2023, "EFA, 100 Gb/s", Found::Measured),
    cloud("aws-c5-18xlarge", "AWS c5.18xlarge", 2022, "TCP, 25 Gb/s", Found::Measured),
    cloud("aws-c5-18xlarge-calibrated", "AWS c5.18xlarge, calibrated", 2022, "TCP, 25 Gb/s", Found::Calibrated),
    cloud("gcp-c2", "GCP c2-standard-60", 2022, "TCP, gVNIC Tier 1", Found::Measured),
    cloud("gcp-c2-calibrated", "GCP c2-standard-60, calibrated", 2022, "TCP, gVNIC Tier 1", Found::Calibrated),
    gpu("polaris-gpu-mpi", "Polaris, MPI on GPU buffers", 2024, "Slingshot", Found::Measured),
    gpu("polaris-nccl", "Polaris, NCCL", 2024, "NVLink, Slingshot", Found::Measured),
    gpu("alps-gh200-nccl", "Alps GH200, NCCL, calibrated", 2025, "Slingshot-11", Found::Calibrated),
    gpu("olivia-gh200", "Olivia GH200, GPU buffers", 2026, "Slingshot-11", Found::Derived),
    gpu("aws-p5-48xlarge", "AWS p5.48xlarge", 2023, "EFA, 3,200 Gb/s", Found::Measured),
    paper("cray-t3d", "Cray T3D", 1993, "3-D torus"),
    paper("now-sparc", "NOW of SPARCstations", 2001, "Ethernet, 10 Mb/s"),
    paper("convex-exemplar", "Convex Exemplar 1600SP", 1995, "CTI rings"),
    paper("ibm-sp2", "IBM SP2", 1994, "SP2 switch"),
    paper("intel-paragon", "Intel Paragon", 1994, "2-D mesh"),
    paper("ap3000-mpi", "Fujitsu AP3000, MPI/AP", 1997, "AP-Net"),
    paper("ap3000-pvm", "Fujitsu AP3000, PVM/AP", 1997, "AP-Net"),
    paper("ap3000-aplib", "Fujitsu AP3000, APlib", 1997, "AP-Net"),
    paper("quadrics-shmem", "Quadrics, SHMEM", 2003, "Quadrics"),
    paper("myrinet-gm", "Myrinet 2000, GM", 2003, "Myrinet 2000"),
];

/// The entry of the machine with this name.
pub fn entry(name: &str) -> Option<&'static Entry> {
    ENTRIES.iter().find(|entry| entry.name == name)
}

type Text = &'static str;

const fn hpc(name: Text, title: Text, year: u16, network: Text, found: Found) -> Entry {
    Entry { name, title, group: Group::Hpc, year, network, found }
}

const fn cloud(name: Text, title: Text, year: u16, network: Text, found: Found) -> Entry {
    Entry { name, title, group: Group::Cloud, year, network, found }
}

const fn gpu(name: Text, title: Text, year: u16, network: Text, found: Found) -> Entry {
    Entry { name, title, group: Group::Gpu, year, network, found }
}

const fn paper(name: Text, title: Text, year: u16, network: Text) -> Entry {
    Entry { name, title, group: Group::Papers, year, network, found: Found::Published }
}
