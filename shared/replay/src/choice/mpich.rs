//! Defaults of MPICH 3 (Thakur, Rabenseifner & Gropp, *Optimization of Collective Communication
//! Operations in MPICH*, 2005), as far as the algorithms exist here.

use loggia_model::signature::Operation;

pub(super) fn algorithm(op: Operation, procs: u32, bytes: u64) -> &'static str {
    let power_of_two = procs.is_power_of_two();
    match op {
        Operation::Barrier => "dissemination",
        Operation::Bcast if bytes < 12_288 || procs < 8 => "binomial",
        Operation::Bcast => "scatter+allgather",
        Operation::Gather | Operation::Scatter => "binomial",
        Operation::Reduce if bytes <= 2_048 => "binomial",
        Operation::Reduce => "rabenseifner",
        Operation::Allreduce if bytes <= 2_048 => "recursive-doubling",
        Operation::Allreduce => "rabenseifner",
        Operation::Scan => "recursive-doubling",
        Operation::Allgather => match bytes.saturating_mul(u64::from(procs)) {
            all if all < 524_288 && power_of_two => "recursive-doubling",
            all if all < 81_920 => "bruck",
            _ => "ring",
        },
        Operation::ReduceScatter if bytes < 524_288 => "recursive-halving",
        Operation::ReduceScatter => "pairwise",
        Operation::Alltoall if bytes <= 256 && procs >= 8 => "bruck",
        Operation::Alltoall if bytes <= 32_768 => "linear",
        Operation::Alltoall => "pairwise",
    }
}
