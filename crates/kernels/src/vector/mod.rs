//! Instruction sets, and the few vector operations that the kernels are written in for each of them.

#[cfg(any(test, not(all(target_arch = "wasm32", target_feature = "simd128"))))]
mod portable;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128;
#[cfg(target_arch = "x86_64")]
mod x86_64;

use crate::KernelError;

/// An instruction set's vector of `LANES` lanes of 32 bits.
///
/// Every implementation gives the same bits in every lane; none fuses a multiplication with an
/// addition of floats.
///
/// # Safety
/// The methods may be called only where the processor has the instructions, and pointers must be
/// good for a whole vector (for one value in `splat_pair` and `splat_float`). No pointer needs
/// more alignment than its type.
pub(crate) trait Vector {
    /// Lanes of 32 bits.
    const LANES: usize;
    /// Tokens that a product of two matrices takes at a time: as many as there are registers for.
    const TILE: usize;
    /// Integers: 32-bit, or twice as many 16-bit ones.
    type Int: Copy;
    /// Single-precision floats.
    type Float: Copy;

    /// Calls `kernel` as a function of its own, for which registers are allotted well.
    unsafe fn call<K: Kernel>(kernel: K) -> K::Output;

    unsafe fn load(from: *const u8) -> Self::Int;
    unsafe fn store(to: *mut u8, value: Self::Int);
    unsafe fn splat(value: i32) -> Self::Int;
    /// A pair of 16-bit integers in every lane.
    unsafe fn splat_pair(from: *const [i16; 2]) -> Self::Int;
    /// Bits in both.
    unsafe fn and(a: Self::Int, b: Self::Int) -> Self::Int;
    /// 16-bit integers shifted right, zeros moving in.
    unsafe fn shift_right<const BITS: u32>(value: Self::Int) -> Self::Int;
    /// Difference of 16-bit integers.
    unsafe fn subtract(a: Self::Int, b: Self::Int) -> Self::Int;
    /// `sum + a₀ · b₀ + a₁ · b₁` in each lane, with the lane's two 16-bit integers of `a` and `b`.
    unsafe fn dot_add(sum: Self::Int, a: Self::Int, b: Self::Int) -> Self::Int;
    /// The greater of 32-bit integers.
    unsafe fn greater(a: Self::Int, b: Self::Int) -> Self::Int;
    /// Sum of 32-bit integers.
    unsafe fn add_int(a: Self::Int, b: Self::Int) -> Self::Int;
    /// Sum of all 32-bit integers.
    unsafe fn sum(value: Self::Int) -> i32;
    /// Greatest of all 32-bit integers.
    unsafe fn greatest(value: Self::Int) -> i32;
    /// Writes 32-bit integers that fit into 16 bits as such.
    unsafe fn store_narrow(to: *mut i16, first: Self::Int, second: Self::Int);
    /// The bits of floats.
    unsafe fn bits(value: Self::Float) -> Self::Int;
    /// 32-bit integers, rounded to the nearest float.
    unsafe fn to_float(value: Self::Int) -> Self::Float;

    unsafe fn load_float(from: *const f32) -> Self::Float;
    /// Halves that are finite.
    unsafe fn load_half(from: *const u8) -> Self::Float;
    unsafe fn store_float(to: *mut f32, value: Self::Float);
    unsafe fn splat_float(value: f32) -> Self::Float;
    unsafe fn multiply(a: Self::Float, b: Self::Float) -> Self::Float;
    unsafe fn add(a: Self::Float, b: Self::Float) -> Self::Float;
}

/// Work that is written once and compiled for each instruction set.
pub(crate) trait Kernel {
    type Output;

    /// Does it. Must be `#[inline(always)]`, all the way down, so that it becomes part of a
    /// function that has the instructions enabled.
    ///
    /// # Safety
    /// The processor must have `V`'s instructions.
    unsafe fn run<V: Vector>(self) -> Self::Output;
}

/// Runs `kernel` with the instructions of `isa`, which this processor must have: an [`Isa`] that
/// comes from [`Isa::best`] or passed [`Isa::check`].
#[inline]
pub(crate) fn dispatch<K: Kernel>(isa: Isa, kernel: K) -> K::Output {
    match isa {
        // SAFETY: plain Rust.
        #[cfg(any(test, not(all(target_arch = "wasm32", target_feature = "simd128"))))]
        Isa::Scalar => unsafe { portable::Portable::call(kernel) },
        // SAFETY: the module is compiled with the instructions enabled.
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        Isa::Simd128 => unsafe { simd128::Simd128::call(kernel) },
        // SAFETY: the processor has them, as the caller made sure.
        #[cfg(target_arch = "x86_64")]
        Isa::Avx2 => unsafe { x86_64::Avx2::call(kernel) },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        Isa::Avx512Vnni => unsafe { x86_64::Avx512::call(kernel) },
    }
}

/// Calls `body`, which should be `#[inline(always)]`, so that the compiler makes its loops of the
/// instructions of `isa`.
#[inline]
pub(crate) fn vectorised<A, O>(isa: Isa, body: impl FnOnce(A) -> O, operands: A) -> O {
    struct Loops<F, A>(F, A);
    impl<A, O, F: FnOnce(A) -> O> Kernel for Loops<F, A> {
        type Output = O;

        #[inline(always)]
        unsafe fn run<V: Vector>(self) -> O {
            (self.0)(self.1)
        }
    }
    dispatch(isa, Loops(body, operands))
}

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
