//! Dot products of whole numbers, with the instructions that the processor has.
//!
//! The loop is written once, in plain Rust; it is compiled several times, each time with other
//! instructions allowed, and the compiler makes vectors of it. A sum of whole numbers is the same
//! in any order, so all versions give the same.

/// An instruction set that the loop is compiled for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Isa {
    /// The instructions that the target has in any case: SSE2 on x86-64, 128-bit vectors in a page.
    Plain,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512Vnni,
}

impl Isa {
    /// The widest that this processor has. The answer is remembered by the standard library, so
    /// asking again costs a load.
    #[inline]
    pub(super) fn best() -> Self {
        #[cfg(target_arch = "x86_64")]
        for isa in [Self::Avx512Vnni, Self::Avx2] {
            if isa.is_available() {
                return isa;
            }
        }
        Self::Plain
    }

    /// All that this processor has.
    #[cfg(test)]
    pub(super) fn available() -> Vec<Self> {
        let mut all = vec![
            Self::Plain,
            #[cfg(target_arch = "x86_64")]
            Self::Avx2,
            #[cfg(target_arch = "x86_64")]
            Self::Avx512Vnni,
        ];
        all.retain(|isa| isa.is_available());
        all
    }

    #[cfg(any(test, target_arch = "x86_64"))]
    #[inline]
    fn is_available(self) -> bool {
        match self {
            Self::Plain => true,
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => is_x86_feature_detected!("avx2"),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512Vnni => {
                is_x86_feature_detected!("avx2")
                    // All four, as the function below is compiled with: with one missing it would be undefined
                    // behaviour.
                    && is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512vnni")
            }
        }
    }

    /// The sum of the products; numbers behind the end of the shorter are left out.
    #[inline]
    pub(super) fn dot<T: Copy + Into<i32>>(self, left: &[T], right: &[i8]) -> i32 {
        match self {
            Self::Plain => dot(left, right),
            // SAFETY: it is given out only where the processor has the instructions.
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => unsafe { dot_avx2(left, right) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Self::Avx512Vnni => unsafe { dot_avx512(left, right) },
        }
    }
}

// Into each of the versions below, or all would call the one that is compiled for the plain target.
#[inline(always)]
fn dot<T: Copy + Into<i32>>(left: &[T], right: &[i8]) -> i32 {
    left.iter().zip(right).map(|(&left, &right)| left.into() * i32::from(right)).sum()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn dot_avx2<T: Copy + Into<i32>>(left: &[T], right: &[i8]) -> i32 {
    dot(left, right)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,avx512f,avx512bw,avx512vnni")]
fn dot_avx512<T: Copy + Into<i32>>(left: &[T], right: &[i8]) -> i32 {
    dot(left, right)
}
