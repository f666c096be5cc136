//! SimGrid's datatypes.

/// Sizes in bytes of the datatypes 0, 1, 2 …
const SIZES: [u8; 40] = [
    // SimGrid writes MPI_DOUBLE, MPI_INT, MPI_CHAR, MPI_SHORT, MPI_LONG, MPI_FLOAT, MPI_BYTE.
    8, 4, 1, 2, 8, 4, 1, //
    // MPI_LONG_LONG; MPI_SIGNED_CHAR, MPI_UNSIGNED_CHAR, …_SHORT, MPI_UNSIGNED, …_LONG, …_LONG_LONG
    8, 1, 1, 2, 4, 8, 8, //
    // MPI_LONG_DOUBLE, MPI_WCHAR, MPI_C_BOOL
    16, 4, 1, //
    // MPI_INT8_T, 16, 32, 64; MPI_UINT8_T, 16, 32, 64
    1, 2, 4, 8, 1, 2, 4, 8, //
    // MPI_C_FLOAT_COMPLEX, …_DOUBLE_…, …_LONG_DOUBLE_…; MPI_AINT, MPI_OFFSET
    8, 16, 32, 8, 8, //
    // MPI_FLOAT_INT, LONG_INT, DOUBLE_INT, SHORT_INT, 2INT, 2FLOAT, 2DOUBLE, 2LONG
    8, 16, 16, 8, 8, 8, 16, 16, //
    // MPI_REAL, MPI_REAL4
    4, 4,
];

/// Size of a datatype in bytes; −1 is no datatype, of size 0.
pub(super) fn size(number: i64) -> Option<u64> {
    match number {
        -1 => Some(0),
        _ => SIZES.get(usize::try_from(number).ok()?).map(|size| u64::from(*size)),
    }
}
