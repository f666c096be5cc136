//! Layouts without a fixture, according to the tools' sources.

use crate::{import, read};
use loggia_exchange::import::{BenchmarkKind, ImportOptions, Run};
use loggia_model::signature::Quantity;
use loggia_model::signature::Statistic::{
    self, MaximumOverRanks, Mean, Median, Minimum, MinimumOverRanks, Percentile, Raw,
};

pub(crate) type Numbers = Vec<(Option<u64>, Statistic, Vec<f64>)>;

pub(crate) fn runs(text: &str) -> Vec<Run> {
    read("layout.txt", text.as_bytes()).runs
}

pub(crate) fn numbers(run: &Run) -> Numbers {
    let micros = |time: &loggia_model::units::Micros| (time.0 * 1e6).round() / 1e6;
    let all = run.numbers.iter().map(|(condition, numbers)| {
        let bytes = condition.bytes.map(|bytes| bytes.0);
        (bytes, condition.statistic, numbers.times.iter().map(micros).collect())
    });
    all.collect()
}

pub(crate) fn left_out(text: &str) -> String {
    let left = read("layout.txt", text.as_bytes()).left_out;
    let all = left.iter().map(|left| format!("{}: {} ({})", left.line, left.why, left.count));
    all.collect::<Vec<_>>().join("\n")
}

#[test]
fn osu_rates_count_pairs_and_directions() {
    let text = "\
# OSU MPI Multiple Bandwidth / Message Rate Test v7.4
# [ pairs: 2 ] [ window size: 16 ]
# Datatype: MPI_CHAR.
# Size                  MB/s        Messages/s
1                       6.55        4000000.00
1024                    0.00              0.00
";
    let runs = runs(text);
    let kind = BenchmarkKind::Stream { window: Some(16), directions: 1, pairs: 2 };
    assert_eq!(runs[0].kind, kind);
    assert_eq!(numbers(&runs[0]), [(Some(1), Mean, vec![0.5])]);
    assert_eq!(left_out(text), "6: its time is not a positive number (1)");
}

#[test]
fn each_osu_window_is_a_run() {
    let text = "\
# OSU MPI Multiple Bandwidth / Message Rate Test v7.4
# [ pairs: 1 ] [ window size: varied ]

# Uni-directional Bandwidth (MB/sec)
# Datatype: MPI_CHAR.
#               1           2
1            2.00        4.00
2            4.00        8.00

# Message Rate Profile
#               1           2
1      2000000.00  4000000.00
";
    let runs = runs(text);
    assert_eq!(runs.len(), 2);
    let kind = BenchmarkKind::Stream { window: Some(2), directions: 1, pairs: 1 };
    assert_eq!(runs[1].kind, kind);
    let expected = [(Some(1), Mean, vec![0.25]), (Some(2), Mean, vec![0.25])];
    assert_eq!(numbers(&runs[1]), expected);
    assert_eq!(left_out(text), "");
}

#[test]
fn osu_full_output_of_a_non_blocking_operation() {
    let text = "
# OSU MPI-CUDA Non-blocking Alltoall Latency Test v7.4
# Overall = Coll. Init + Compute + MPI_Test + MPI_Wait

# Datatype: MPI_CHAR.
# Size           Overall(us)       Compute(us)    Coll. Init(us)      MPI_Test(us)      MPI_Wait(us)    Pure Comm.(us)     Min Comm.(us)     Max Comm.(us)        Overlap(%)        Validation  P50 Tail Lat(us)  P99 Tail Lat(us)
8                      35.51             12.24              1.00              2.00              3.00             11.07             10.00             12.00              0.00              Pass             10.50             20.00
";
    let runs = runs(text);
    assert_eq!(
        numbers(&runs[0]),
        [
            (Some(8), Mean, vec![11.07]),
            (Some(8), Median, vec![10.5]),
            (Some(8), MaximumOverRanks, vec![12.0]),
            (Some(8), MinimumOverRanks, vec![10.0]),
            (Some(8), Percentile(99), vec![20.0]),
        ]
    );
    let BenchmarkKind::Collective { is_nonblocking, on_gpus, .. } = runs[0].kind else { panic!() };
    assert!(is_nonblocking && on_gpus);
}

#[test]
fn osu_one_sided_and_other_memory() {
    let put = |call: &str| {
        format!(
            "# OSU MPI_Put Latency Test v7.4\n# Window creation: MPI_Win_allocate\n\
             # Synchronization: {call}\n# Datatype: MPI_CHAR.\n\
             # Size          Latency (us)\n1                       2.50\n"
        )
    };
    let put_runs = runs(&put("MPI_Win_flush"));
    assert_eq!((&put_runs[0].kind, numbers(&put_runs[0]).len()), (&BenchmarkKind::Put, 1));
    for call in ["MPI_Win_fence", "MPI_Win_post/start/complete/wait", "MPI_Win_flush_local"] {
        assert_eq!(runs(&put(call)), [], "{call}");
        assert!(left_out(&put(call)).contains(call));
    }
    let gpu = "# OSU MPI-CUDA Latency Test v5.6.2\n\
               # Send Buffer on HOST (H) and Receive Buffer on DEVICE (D)\n\
               # Size          Latency (us)\n0                       9.50\n";
    assert!(runs(gpu)[0].benchmark.contains("DEVICE (D)"));
    let threads = "# OSU MPI Multi-threaded Latency Test v7.4\n# Number of Sender threads: 1 \n\
                   # Number of Receiver threads: 2\n# Datatype: MPI_CHAR.\n\
                   # Size       Avg Latency(us)\n1                       9.50\n";
    assert_eq!(runs(threads), []);
    assert!(left_out(threads).contains("several threads"));
}

const BANNER: &str = "\
#----------------------------------------------------------------
#    Intel(R) MPI Benchmarks 2021.3, NBC part
#----------------------------------------------------------------
";

#[test]
fn imb_groups_streams_and_overlap() {
    let text = format!(
        "{BANNER}
#-----------------------------------------------------------------
# Benchmarking Multi-PingPong
# ( 2 groups of 2 processes each running simultaneous )
# Group  0:     0    1
#
# Group  1:     2    3
#
#-----------------------------------------------------------------
        Group       #bytes #repetitions      t[usec]   Mbytes/sec      defects

            0            4         1000         1.50         2.67         0.00
            1            4         1000         2.50         1.60         0.00

            0            8         1000         1.50         2.67         1.00
            1            8  out-of-mem.; needed X=   1.001 GB; use flag \"-mem X\"

#-----------------------------------------------------------------
# Benchmarking Biband
# #processes = 4 ; rank order (rowwise):
#     0    1
#-----------------------------------------------------------------
       #bytes #repetitions   Mbytes/sec      Msg/sec
            0         1000         0.00      4000000
            8         1000        32.00      4000000

#-----------------------------------------------------------------
# Benchmarking Iallreduce
# #processes = 4
#-----------------------------------------------------------------
       #bytes #repetitions t_ovrl[usec] t_pure[usec]  t_CPU[usec]   overlap[%]
            4         1000         9.50         5.50         6.00        36.36

#-----------------------------------------------------------------
# Benchmarking Unidir_put
# #processes = 2
#-----------------------------------------------------------------
       #bytes #repetitions      t[usec]   Mbytes/sec
            4         1000         9.50         5.50
"
    );
    let runs = runs(&text);
    assert_eq!(runs.len(), 3);
    assert_eq!(runs[0].version.as_deref(), Some("2021.3"));
    assert_eq!(runs[0].kind, BenchmarkKind::ConcurrentMessage { pairs: Some(2) });
    assert_eq!(numbers(&runs[0]), [(Some(4), Mean, vec![1.5, 2.5])]);
    assert_eq!(runs[1].kind, BenchmarkKind::Stream { window: Some(64), directions: 2, pairs: 2 });
    // 4 concurrent messages at 4 million messages per second: 1 µs per message.
    let expected = [(Some(0), Mean, vec![1.0]), (Some(8), Mean, vec![1.0])];
    assert_eq!(numbers(&runs[1]), expected);
    assert_eq!(numbers(&runs[2]), [(Some(4), Mean, vec![5.5])]);
    let left = left_out(&text);
    for reason in
        ["its data validation failed", "did not run this size", "overlap[%]", "IMB Unidir_put"]
    {
        assert!(left.contains(reason), "{left}");
    }
}

#[test]
fn netgauge_prints_a_line_for_each_protocol() {
    let row = |size: u32, gap: f64, per_byte: f64| {
        format!(
            " L=1.5  s={size}  o_s=0.5  o_r=0.6  g={gap}  G={per_byte} (1.0 GiB/s) lsqu(g,G)=0.1 \n"
        )
    };
    let mut text =
        "# Info:   (0): Netgauge v2.4.7 MPI enabled (P=2, threadlevel=0) (netgauge -x loggp )\n"
            .to_owned();
    for (size, gap, per_byte) in [(1, f64::NAN, f64::NAN), (1025, 1.0, 0.01), (2049, 1.0, 0.02)] {
        text.push_str(&row(size, gap, per_byte));
    }
    text.push_str("we detected a protocol change at 1025 bytes:\n");
    text.push_str(&row(2049, 2.0, 0.001));
    text.push_str(&row(2049, -3.0, 0.004));
    text.push_str(&row(3073, -3.0, 0.004));
    let runs = runs(&text);
    let gaps = runs.iter().find(|run| run.kind == BenchmarkKind::Gap).unwrap();
    let actual: Vec<(u64, f64)> =
        numbers(gaps).iter().map(|(bytes, _, times)| (bytes.unwrap(), times[0])).collect();
    assert_eq!(actual, [(1, 2.001), (1025, 3.025), (2049, 5.196), (3073, 9.292)]);
}

/// Sizes and mean times of an operation in a signature.
pub(crate) fn of_op(result: &loggia_exchange::import::ImportResult, op: &str) -> Vec<(u64, f64)> {
    let samples = result.signature.iter().flat_map(|signature| &signature.samples);
    let of_operation =
        samples.filter(|sample| sample.op.as_deref() == Some(op) && sample.statistic == Mean);
    of_operation.map(|sample| (sample.bytes.unwrap().0, sample.times[0].0)).collect()
}

#[test]
fn reprompi_summaries_windows_and_counts() {
    let text = "\
#Command-Line Arguments: mpibenchmark --summary
#@datatype=MPI_INT
#@datatype_extent_bytes=4
#@nprocs=8
                                              test        count total_nrep valid_nrep   mean_sec median_sec    min_sec    max_sec
                                MPI_Reduce_scatter           16         20         20   0.0000200000   0.0000150000   0.0000100000   0.0000900000
                                         Send_Recv           16         20         20   0.0000200000   0.0000150000   0.0000100000   0.0000900000
                         GL_Allgather_as_Allreduce           16         20         20   0.0000200000   0.0000150000   0.0000100000   0.0000900000
";
    let runs = runs(text);
    let expected = |divisor: f64| {
        vec![
            (Some(64), Mean, vec![20.0 / divisor]),
            (Some(64), Median, vec![15.0 / divisor]),
            (Some(64), Minimum, vec![10.0 / divisor]),
        ]
    };
    assert_eq!(numbers(&runs[0]), expected(1.0));
    assert_eq!((&runs[1].kind, numbers(&runs[1])), (&BenchmarkKind::Message, expected(2.0)));
    assert!(left_out(text).contains("GL_Allgather_as_Allreduce"));
    // ReproMPI counts one block; a signature counts the blocks of all ranks.
    let result = import("x.txt", text.as_bytes(), &ImportOptions::default());
    assert_eq!(of_op(&result, "reduce_scatter"), [(512, 20.0)]);
    let windows = "\
#@datatype_extent_bytes=1
#@nprocs=2
          test       nrep        count  errorcode    runtime_sec
     MPI_Bcast          0            8          0   0.0000010000
     MPI_Bcast          1            8          1   0.0000990000
     MPI_Bcast          2            8          0   0.0000020000
";
    let actual = read("x.txt", windows.as_bytes()).runs;
    assert_eq!(numbers(&actual[0]), [(Some(8), Raw, vec![1.0, 2.0])]);
    let verbose = "\
#@datatype_extent_bytes=1
process           test       nrep        count loc_tstart_sec   loc_tend_sec
      0     MPI_Bcast          0            8   0.0000010000   0.0000020000
";
    assert!(left_out(verbose).contains("clock of each rank"));
}

#[test]
fn skampi_without_its_banner() {
    let text = "   begin result \"Pingpong_Ssend_Recv\"
   iterations= 1        4       6.0       0.0      160       5.7       5.7
   end result \"Pingpong_Ssend_Recv\"
# begin result \"MPI_Alltoall-procs-short\"
procs= 4 count= 16       64      10.0       0.1       16      10.0      9.0       ---      10.0
procs= 8 count= 16       64      20.0       0.1       16
# end result \"MPI_Alltoall-procs-short\"
# begin result \"Comm_split\"
procs= 4        0      10.0       0.1       16
# end result \"Comm_split\"
";
    let runs = runs(text);
    assert_eq!((&runs[0].kind, runs[0].style.as_deref()), (&BenchmarkKind::Message, Some("ssend")));
    assert_eq!(numbers(&runs[0]), [(Some(4), Mean, vec![3.0])]);
    let procs: Vec<u32> = runs.iter().map(|run| run.procs.unwrap().0).collect();
    assert_eq!(procs, [2, 4, 8]);
    assert!(left_out(text).contains("Comm_split"));
}

#[test]
fn netpipe_is_recognised_by_its_rows() {
    let console = "Sending output to np.out\n0: node1\nStreaming in one direction only\n\n\
                   Now starting the main loop\n\
                   \x20 0:       8 bytes 307275 times -->     61.04 Mbps in       1.00 usec\n";
    let console_runs = runs(console);
    let stream = BenchmarkKind::Stream { window: None, directions: 1, pairs: 1 };
    assert_eq!((&console_runs[0].kind, left_out(console).as_str()), (&stream, ""));
    // 8 bytes in 1 µs are 61.035156 × 2^20 bits per second.
    let file = "       8 61.035156   0.00000100\n      16 61.035156   0.00000200\n";
    let file_runs = runs(file);
    let expected: Numbers =
        vec![(Some(8), Statistic::Reported, vec![1.0]), (Some(16), Statistic::Reported, vec![2.0])];
    assert_eq!(numbers(&file_runs[0]), expected);
    let samples =
        import("np.out", file.as_bytes(), &ImportOptions::default()).signature.unwrap().samples;
    assert!(samples.iter().all(|sample| sample.quantity == Quantity::EndToEnd));
    // Numbers that do not satisfy rate = bytes / time are not a row.
    assert_eq!(runs("8 61.04 0.001\n"), []);
}

#[test]
fn percentiles_of_a_small_message_give_the_noise() {
    let text = "# OSU MPI Latency Test v7.4\n\
                # Size  Avg Latency(us)  P50 Tail Lat(us)  P95 Tail Lat(us)  P99 Tail Lat(us)\n\
                1  2.60  2.40  2.80  7.10\n8  2.70  2.50  2.90  8.00\n1024  3.00  2.90  3.10  9.00\n";
    let result = crate::import("osu_latency.txt", text.as_bytes(), &ImportOptions::default());
    let signature = result.signature.unwrap();
    let noise = signature.tiers[0].noise.as_ref().unwrap();
    let times = [Some(noise.median), noise.percentile_95, noise.percentile_99];
    assert_eq!(noise.bytes.map(|bytes| bytes.0), Some(8));
    assert_eq!(times.map(|time| time.map(|time| time.0)), [Some(2.5), Some(2.9), Some(8.0)]);
    let plain = "# OSU MPI Latency Test v7.4\n# Size  Avg Latency(us)\n8  2.70\n";
    let result = crate::import("osu_latency.txt", plain.as_bytes(), &ImportOptions::default());
    assert_eq!(result.signature.unwrap().tiers[0].noise, None);
}
