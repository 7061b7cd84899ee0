//! Which instructions a kernel is built from.

use crate::KernelError;

/// An instruction set that the kernels are written for. All give the same bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Isa {
    /// Plain Rust. A page's module that has vectors is built without it, for its size.
    #[cfg(any(test, not(all(target_arch = "wasm32", target_feature = "simd128"))))]
    Scalar,
    /// WebAssembly's 128-bit vectors.
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    Simd128,
    /// AVX2 of x86-64, and F16C, which comes with it.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// AVX-512 with VNNI of x86-64.
    #[cfg(target_arch = "x86_64")]
    Avx512Vnni,
}

impl Isa {
    /// The fastest that this processor has.
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    pub fn best() -> Self {
        Self::Simd128
    }

    /// The fastest that this processor has.
    #[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
    pub fn best() -> Self {
        #[cfg(target_arch = "x86_64")]
        for isa in [Self::Avx512Vnni, Self::Avx2] {
            if isa.is_available() {
                return isa;
            }
        }
        Self::Scalar
    }

    /// All that this processor has, slowest first.
    pub fn available() -> Vec<Self> {
        let mut all = vec![
            #[cfg(any(test, not(all(target_arch = "wasm32", target_feature = "simd128"))))]
            Self::Scalar,
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Self::Simd128,
            #[cfg(target_arch = "x86_64")]
            Self::Avx2,
            #[cfg(target_arch = "x86_64")]
            Self::Avx512Vnni,
        ];
        all.retain(|isa| isa.is_available());
        all
    }

    fn is_available(self) -> bool {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => is_x86_feature_detected!("avx2") && is_x86_feature_detected!("f16c"),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512Vnni => {
                is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512dq")
                    && is_x86_feature_detected!("avx512vl")
                    && is_x86_feature_detected!("avx512vnni")
            }
            _ => true,
        }
    }

    /// Refuses what this processor lacks.
    pub(crate) fn check(self) -> Result<(), KernelError> {
        if self.is_available() { Ok(()) } else { Err(KernelError::Isa { isa: self }) }
    }
}
