//! Variable-length integers (LEB128): seven bits per byte, lowest first; the highest bit is set in
//! all bytes but the last.

/// Appends a number.
#[inline]
pub(crate) fn put(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Reads a number that begins at `at`, and moves `at` behind it.
#[inline]
pub(crate) fn take(bytes: &[u8], at: &mut usize) -> Option<u64> {
    let first = *bytes.get(*at)?;
    *at += 1;
    if first < 0x80 {
        return Some(u64::from(first));
    }
    let mut value = u64::from(first & 0x7f);
    for shift in (7..64).step_by(7) {
        let byte = *bytes.get(*at)?;
        *at += 1;
        value |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            // The tenth byte has room for one bit.
            return (shift < 63 || byte < 2).then_some(value);
        }
    }
    None
}

/// Zigzag encoding of a signed number: 0, −1, 1, −2 … become 0, 1, 2, 3 …
#[inline]
pub(crate) fn fold(value: i64) -> u64 {
    ((value << 1) ^ (value >> 63)) as u64
}

/// The inverse of [`fold`].
#[inline]
pub(crate) fn unfold(value: u64) -> i64 {
    (value >> 1) as i64 ^ -((value & 1) as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_survive_a_round_trip() {
        let mut bytes = Vec::new();
        let numbers = [0, 1, 127, 128, 16_383, 16_384, u64::from(u32::MAX), u64::MAX];
        for number in numbers {
            put(&mut bytes, number);
        }
        let mut at = 0;
        for number in numbers {
            assert_eq!(take(&bytes, &mut at), Some(number));
        }
        assert_eq!((at, take(&bytes, &mut at)), (bytes.len(), None));
        assert_eq!(take(&[0xff; 10], &mut 0), None, "more than 64 bits");
        for number in [0, -1, 1, i64::MIN, i64::MAX] {
            assert_eq!(unfold(fold(number)), number);
        }
    }
}
