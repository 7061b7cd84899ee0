//! Half precision, for numbers that it holds exactly.
//!
//! A half's bits, moved to a float's place, are the number times 2⁻¹¹²: the two formats differ
//! in the offset of their exponents.

const OFFSET: f32 = f32::from_bits((127 + 112) << 23);
const BACK: f32 = f32::from_bits((127 - 112) << 23);

/// The half that is exactly `number`, if there is one.
pub(crate) fn narrow(number: f32) -> Option<u16> {
    let bits = (number * BACK).to_bits();
    let half = (bits >> 16 & 0x8000 | bits >> 13 & 0x7fff) as u16;
    // The largest exponent is that of infinity.
    let finite = half & 0x7c00 != 0x7c00;
    (finite && widen(half).to_bits() == number.to_bits()).then_some(half)
}

/// The number that a finite half is.
#[inline(always)]
pub(crate) fn widen(half: u16) -> f32 {
    let half = u32::from(half);
    f32::from_bits((half & 0x8000) << 16 | (half & 0x7fff) << 13) * OFFSET
}

#[cfg(test)]
mod tests {
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    use super::{narrow, widen};

    #[test]
    fn every_half_comes_back() {
        for half in 0..=u16::MAX {
            if half & 0x7c00 != 0x7c00 {
                assert_eq!(narrow(widen(half)), Some(half));
            }
        }
        assert_eq!(widen(0x3c00), 1.0);
        assert_eq!(widen(0x0001), 2f32.powi(-24));
        assert_eq!(widen(0xfbff), -65504.0);
    }

    #[test]
    fn what_a_half_cannot_hold_is_refused() {
        for number in [1.0 + f32::EPSILON, 65536.0, 2f32.powi(-25), f32::NAN, f32::INFINITY] {
            assert_eq!(narrow(number), None);
        }
    }
}
