//! The files of the library.

macro_rules! files {
    ($($name:literal)*) => {
        [$(($name, include_str!(concat!("../../library/", $name, ".json")))),*]
    };
}

/// All files, in the order of the list.
pub(super) static ALL: [(&str, &str); 40] = files! {
    "alps"
    "alps-calibrated"
    "deep-est"
    "deep-est-calibrated"
    "piz-daint"
    "piz-daint-calibrated"
    "grid5000-dahu"
    "blue-waters"
    "trinitite"
    "lanl-omni-path"
    "azure-hbv2"
    "azure-hbv2-calibrated"
    "azure-hc44rs"
    "azure-hc44rs-calibrated"
    "azure-f72s"
    "azure-f72s-calibrated"
    "oracle-hpc"
    "oracle-vm"
    "aws-c5n-metal"
    "aws-c5n-metal-calibrated"
    "aws-c5n-18xlarge"
    "aws-c5-18xlarge"
    "aws-c5-18xlarge-calibrated"
    "gcp-c2"
    "gcp-c2-calibrated"
    "polaris-gpu-mpi"
    "polaris-nccl"
    "alps-gh200-nccl"
    "olivia-gh200"
    "aws-p5-48xlarge"
    "cray-t3d"
    "now-sparc"
    "convex-exemplar"
    "ibm-sp2"
    "intel-paragon"
    "ap3000-mpi"
    "ap3000-pvm"
    "ap3000-aplib"
    "quadrics-shmem"
    "myrinet-gm"
};
