//! Layouts of several versions of nccl-tests and rccl-tests, according to their sources.

use crate::import;
use crate::layouts::{left_out, numbers, of_op, runs};
use loggia_exchange::import::ImportOptions;
use loggia_exchange::import::options::PerFile;
use loggia_model::signature::Operation;
use loggia_model::signature::Statistic::{Mean, Minimum, Percentile, Raw};

const DEVICES: &str = "\
# Using devices
#  Rank  0 Group  0 Pid   6899 on node1 device  0 [0000:04:00] NVIDIA H100 80GB HBM3
#  Rank  1 Group  0 Pid   6900 on node2 device  0 [0000:05:00] NVIDIA H100 80GB HBM3
#
";

#[test]
fn nccl_layouts() {
    // 2.0 to 2.12: no operation, no root.
    let old = format!(
        "./build/all_gather_perf -b 8 -e 16
# nThread 1 nGpus 1 minBytes 8 maxBytes 16 step: 2(factor) warmup iters: 5 iters: 20 validation: 1
#
{DEVICES}#                                             out-of-place                       in-place
#       size         count    type     time   algbw   busbw  error     time   algbw   busbw  error
#        (B)    (elements)             (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)
node1:1:2 [0] NCCL INFO Channel 00/02 : 0 1
        1024           128   float    10.00    0.10    0.05  0e+00    20.00    0.05    0.03  0e+00
# Out of bounds values : 0 OK
# Avg bus bandwidth    : 0.04
"
    );
    let old_result = import("old.txt", old.as_bytes(), &ImportOptions::default());
    // nccl-tests count the blocks of both ranks; a signature counts one block.
    assert_eq!(of_op(&old_result, "allgather"), [(512, 10.0), (512, 20.0)]);
    assert!(old_result.signature.unwrap().origin.summary().contains("node1"));
    // A header with redop and root, whose cells are blank.
    let blank_cells = old
        .replace("    type     time", "    type   redop    root     time")
        .replace("   float    10.00", "   float                    10.00");
    assert_eq!(
        of_op(&import("blank.txt", blank_cells.as_bytes(), &ImportOptions::default()), "allgather")
            .len(),
        2
    );
    // 2.17, -I and -S.
    let repetitions = format!(
        "# nccl-tests version 2.17.6 nccl-headers=22703 nccl-library=22703
# Collective test starting: alltoall_perf
# nThread 1 nGpus 1 minBytes 8 maxBytes 16 step: 2(factor) warmup iters: 1 iters: 20 agg iters: 1 validation: 1 graph: 0 unalign: 0
#
{DEVICES}#
#       size         count      type   redop    root     time   algbw   busbw  #wrong    i_min    i_max    i_p99    i_cv%     time   algbw   busbw  #wrong    i_min    i_max    i_p99    i_cv%           timestamp
#        (B)    (elements)                               (us)  (GB/s)  (GB/s)             (us)     (us)     (us)      (%)     (us)  (GB/s)  (GB/s)             (us)     (us)     (us)      (%) %Y-%m-%d %H:%M:%S
        2048           256     float    none      -1    10.00    0.20    0.10       0     9.00    12.00    11.00     5.00    20.00    0.10    0.05     N/A    19.00    22.00    21.00     5.00  2026-11-22 10:00:00
        4096           512     float    none      -1    10.00    0.20    0.10       3     9.00    12.00    11.00     5.00    20.00    0.10    0.05     N/A    19.00    22.00    21.00     5.00  2026-11-22 10:00:00
# Collective test concluded: alltoall_perf
"
    );
    let with_repetitions = runs(&repetitions);
    assert_eq!(
        (with_repetitions[0].version.as_deref(), with_repetitions[0].fact("mpi")),
        (Some("2.17.6"), Some("NCCL 2.27.3"))
    );
    assert_eq!(
        numbers(&with_repetitions[0]),
        [
            (Some(2048), Mean, vec![10.0]),
            (Some(2048), Minimum, vec![9.0]),
            (Some(2048), Percentile(99), vec![11.0]),
        ]
    );
    assert!(left_out(&repetitions).contains("its data validation failed (1)"));
    // nccl-tests count the whole buffer of a rank; a signature counts one block.
    let with_repetitions = import("each.txt", repetitions.as_bytes(), &ImportOptions::default());
    assert_eq!(of_op(&with_repetitions, "alltoall"), [(1024, 10.0), (1024, 20.0)]);
    let cpu = repetitions.replace("  time ", "cputime");
    assert!(left_out(&cpu).contains("cputime"), "{}", left_out(&cpu));
    let cube = repetitions.replace("alltoall_perf", "hypercube_perf");
    assert!(left_out(&cube).contains("cannot hold hypercube"));
}

#[test]
fn nccl_without_an_operation_is_a_question() {
    let text = format!(
        "# nThread 1 nGpus 1 minBytes 8 maxBytes 16 step: 2(factor) warmup iters: 1 iters: 20
#
{DEVICES}#       size         count      type   redop    root     time   algbw   busbw #wrong
        2048           256     float     sum      -1    10.00    0.20    0.10       0
"
    );
    let without_op = import("x.txt", text.as_bytes(), &ImportOptions::default());
    assert_eq!(without_op.questions.len(), 1);
    let op = vec![PerFile { file: None, value: Operation::ReduceScatter }];
    let result =
        import("x.txt", text.as_bytes(), &ImportOptions { op, ..ImportOptions::default() });
    assert_eq!(of_op(&result, "reduce_scatter"), [(2048, 10.0)]);
    let op = vec![PerFile { file: None, value: Operation::Gather }];
    let result =
        import("x.txt", text.as_bytes(), &ImportOptions { op, ..ImportOptions::default() });
    assert_eq!(of_op(&result, "gather"), [(1024, 10.0)]);
}

#[test]
fn nccl_json() {
    let text = r#"{"version":3,"start_time":"2026-11-22 10:00:00","args":["./build\/all_reduce_perf","-J","x"],"env":["A=\"b\""],"nccl_version":22703,"config":{"nthreads":1,"ngpus":2,"devices":[{"rank":0,"group":0,"pid":1,"hostname":"node1","device":0,"device_hex":"0000:04:00","device_info":"H100"},{"rank":2,"group":0,"pid":2,"hostname":"node2","device":0,"device_hex":"0000:04:00","device_info":"H100"}]},"results":[{"size":8,"count":2,"type":"float","redop":"sum","root":"    -1","out_of_place":{"time":10.500000,"alg_bw":0.0,"bus_bw":0.0,"nwrong":0.000000},"out_of_place_per_iter":{"min_us":9.0,"times_us":[9.0,12.0]},"in_place":{"time":"nan","alg_bw":0.0,"bus_bw":0.0,"nwrong":null},"actual_iterations":20,"experiment_name":"x"},{"size":16,"count":4,"type":"float","redop":"sum","root":"    -1","out_of_place":null,"in_place":{"time":7.5,"nwrong":2.0}}],"out_of_bounds":{"count":0,"okay":"true"},"average_bus_bandwidth":{"bandwidth":1.0,"okay":"unchecked"},"end_time":"2026-11-22 10:00:01"}"#;
    let all = runs(text);
    assert_eq!(all.len(), 1);
    assert_eq!(all[0].procs.map(|procs| procs.0), Some(4));
    assert_eq!(all[0].fact("host"), Some("node1, node2"));
    let expected = [(Some(8), Raw, vec![9.0, 12.0]), (Some(8), Mean, vec![10.5])];
    assert_eq!(numbers(&all[0]), expected);
    assert_eq!(left_out(text), "1: its data validation failed (1)");
    assert!(left_out(&text[..400]).contains("is damaged"));
    assert!(loggia_exchange::import::is_known(&text[..300]));
    assert!(!loggia_exchange::import::is_known("{\"loggia\": 1, \"name\": \"x\"}"));
}
