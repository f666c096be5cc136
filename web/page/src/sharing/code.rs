//! A link as a QR code.

use qrcodegen::{QrCode, QrCodeEcc};
use std::fmt::Write;

/// Width of the empty border, in modules.
const QUIET: i32 = 4;

/// A QR code as an SVG path of its dark modules.
#[derive(Debug)]
pub(crate) struct Code {
    /// Modules per side, with the border.
    pub(crate) side: i32,
    pub(crate) path: String,
}

/// The code of a link; `None` if the link is too long.
pub(crate) fn of(link: &str) -> Option<Code> {
    let code = QrCode::encode_text(link, QrCodeEcc::Low).ok()?;
    let mut path = String::new();
    for y in 0..code.size() {
        let mut x = 0;
        while x < code.size() {
            let length = (x..code.size()).take_while(|x| code.get_module(*x, y)).count();
            if length > 0 {
                // Writing to a String cannot fail.
                let _ = write!(path, "M{} {}h{length}v1h-{length}z", x + QUIET, y + QUIET);
            }
            x += 1 + length as i32;
        }
    }
    Some(Code { side: code.size() + 2 * QUIET, path })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_link_has_a_small_code_and_a_long_one_none() {
        let code = of("https://example.org/#1.abc").unwrap();
        // Version 2 has 25 modules per side; each corner begins with seven dark ones.
        assert_eq!(code.side, 25 + 8);
        assert!(code.path.starts_with("M4 4h7v1h-7z"));
        assert!(of(&"x".repeat(1900)).is_some());
        assert!(of(&"x".repeat(4000)).is_none());
    }
}
