//! Every closed form of the library equals the printed form of its paper.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use loggia_model::library;
use loggia_model::model::collective::words;
use loggia_model::signature::Operation;

fn check(name: &str, forms: &[(Operation, &str)]) {
    let signature = library::load(name).unwrap();
    assert_eq!(signature.collectives.len(), forms.len(), "{name}");
    for (op, printed) in forms {
        assert_eq!(words(signature.collective(*op).unwrap()), *printed, "{name} {}", op.name());
    }
}

use Operation::{
    Allgather, Allreduce, Alltoall, Barrier, Bcast, Gather, Reduce, ReduceScatter, Scan, Scatter,
};

/// Hwang, Wang & Wang 1997, Table 3, column SP2.
#[test]
fn table_3_sp2() {
    check(
        "ibm-sp2",
        &[
            (Barrier, "123 log p − 90"),
            (Bcast, "(55 log p + 30) + (0.014 log p + 0.053) m"),
            (Gather, "(3.7 p + 128) + (0.022 p − 0.011) m"),
            (Scatter, "(5.8 p + 77) + (0.039 p − 0.12) m"),
            (Reduce, "(63 log p + 26) + (0.016 log p + 0.071) m"),
            (Scan, "(100 log p − 43) + (0.001 p + 0.23) m"),
            (Alltoall, "(24 p + 90) + (0.082 p − 0.29) m"),
        ],
    );
}

/// Hwang, Wang & Wang 1997, Table 3, column T3D.
#[test]
fn table_3_t3d() {
    check(
        "cray-t3d",
        &[
            (Barrier, "0.011 log p + 3"),
            (Bcast, "(23 log p + 12) + (0.013 log p − 0.0071) m"),
            (Gather, "(5.3 p + 30) + (0.0047 p + 0.0084) m"),
            (Scatter, "(4.3 p + 67) + (0.0057 p + 0.16) m"),
            (Reduce, "(34 log p + 49) + (0.061 log p − 0.00035) m"),
            (Scan, "(28 log p + 41) + (0.0046 p + 0.12) m"),
            (Alltoall, "(26 p + 8.6) + (0.038 p − 0.12) m"),
        ],
    );
}

/// Hwang, Wang & Wang 1997, Table 3, column Paragon.
#[test]
fn table_3_paragon() {
    check(
        "intel-paragon",
        &[
            (Barrier, "147 log p − 66"),
            (Bcast, "(52 log p + 15) + (0.019 log p − 0.022) m"),
            (Gather, "(48 p + 15) + (0.0081 p + 0.039) m"),
            (Scatter, "(18 p + 78) + (0.0031 p + 0.039) m"),
            (Reduce, "(77 log p + 3.6) + (0.16 log p − 0.028) m"),
            (Scan, "(10 log p + 73) + (0.0033 p + 0.28) m"),
            (Alltoall, "(97 p + 82) + (0.073 p − 0.1) m"),
        ],
    );
}

/// Touriño & Doallo 2001, Tables 2, 3 and 4, MPI/AP.
#[test]
fn tables_of_the_ap3000() {
    check(
        "ap3000-mpi",
        &[
            (Bcast, "(69 log p) + (0.0162 log p) m"),
            (Scatter, "(58 + 53 p) + (0.0209 (log p)^-0.383) m"),
            (Gather, "(1/(0.0135 − 0.00296 log p)) + (0.0252 (log p)^-0.1473) m"),
            (Allgather, "(95 p − 24) + (0.0239 + 0.00279 log p) m"),
            (Alltoall, "(89 p) + (0.0291 + 0.000884 p) m"),
            (Reduce, "(90 log p − 15) + (0.0171 log p + 0.0037) m + (0.0051 log p − 0.0037) m"),
            (Allreduce, "(144 log p + 15) + (0.0344 log p) m + (0.0038 log p − 0.0026) m"),
            (
                ReduceScatter,
                "(279 log p − 57) + (0.0147 log p + 0.0262) m + (0.0046 log p + 0.0049) m",
            ),
            (Scan, "(70 p + 38) + (0.0145 p + 0.0116) m + (0.0071 p − 0.0079) m"),
        ],
    );
}

/// Touriño & Doallo 2001, Table 2, PVM/AP and APlib (46 + 25(p−2) and 0.0162 + 0.0110(p−2),
/// multiplied out).
#[test]
fn broadcasts_of_the_other_libraries() {
    check("ap3000-pvm", &[(Bcast, "(22 p) + (0.011 p) m")]);
    check("ap3000-aplib", &[(Bcast, "(25 p − 4) + (0.011 p − 0.0058) m")]);
}
