//! 512-bit vectors of x86-64, with the integer dot product of VNNI.

use std::arch::x86_64::*;

use super::{Kernel, Vector};

/// 16 lanes.
pub(super) struct Avx512;

/// Runs `kernel` with the instructions enabled.
///
/// # Safety
/// The processor must have them.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vnni")]
unsafe fn run<K: Kernel>(kernel: K) -> K::Output {
    // SAFETY: they are enabled here.
    unsafe { kernel.run::<Avx512>() }
}

impl Vector for Avx512 {
    const LANES: usize = 16;
    const TILE: usize = 12;
    type Int = __m512i;
    type Float = __m512;

    #[inline(always)]
    unsafe fn call<K: Kernel>(kernel: K) -> K::Output {
        // SAFETY: the caller has the instructions.
        unsafe { run(kernel) }
    }

    #[inline(always)]
    unsafe fn load(from: *const u8) -> Self::Int {
        // SAFETY: the caller's pointer is good for a vector.
        unsafe { _mm512_loadu_si512(from.cast()) }
    }

    #[inline(always)]
    unsafe fn store(to: *mut u8, value: Self::Int) {
        // SAFETY: the caller's pointer is good for a vector.
        unsafe { _mm512_storeu_si512(to.cast(), value) }
    }

    #[inline(always)]
    unsafe fn splat(value: i32) -> Self::Int {
        // SAFETY: the caller has the instructions.
        unsafe { _mm512_set1_epi32(value) }
    }

    #[inline(always)]
    unsafe fn splat_pair(from: *const [i16; 2]) -> Self::Int {
        // SAFETY: the caller's pointer is good for a pair.
        unsafe { _mm512_set1_epi32(from.cast::<i32>().read_unaligned()) }
    }

    #[inline(always)]
    unsafe fn and(a: Self::Int, b: Self::Int) -> Self::Int {
        // SAFETY: the caller has the instructions.
        unsafe { _mm512_and_si512(a, b) }
    }

    #[inline(always)]
    unsafe fn shift_right<const BITS: u32>(value: Self::Int) -> Self::Int {
        // SAFETY: the caller has the instructions.
        unsafe { _mm512_srli_epi16::<BITS>(value) }
    }

    #[inline(always)]
    unsafe fn subtract(a: Self::Int, b: Self::Int) -> Self::Int {
        // SAFETY: the caller has the instructions.
        unsafe { _mm512_sub_epi16(a, b) }
    }

    #[inline(always)]
    unsafe fn dot_add(sum: Self::Int, a: Self::Int, b: Self::Int) -> Self::Int {
        // SAFETY: the caller has the instructions.
        unsafe { _mm512_dpwssd_epi32(sum, a, b) }
    }

    #[inline(always)]
    unsafe fn greater(a: Self::Int, b: Self::Int) -> Self::Int {
        // SAFETY: the caller has the instructions.
        unsafe { _mm512_max_epi32(a, b) }
    }

    #[inline(always)]
    unsafe fn add_int(a: Self::Int, b: Self::Int) -> Self::Int {
        // SAFETY: the caller has the instructions.
        unsafe { _mm512_add_epi32(a, b) }
    }

    #[inline(always)]
    unsafe fn sum(value: Self::Int) -> i32 {
        // SAFETY: the caller has the instructions.
        unsafe { _mm512_reduce_add_epi32(value) }
    }

    #[inline(always)]
    unsafe fn greatest(value: Self::Int) -> i32 {
        // SAFETY: the caller has the instructions.
        unsafe { _mm512_reduce_max_epi32(value) }
    }

    #[inline(always)]
    unsafe fn store_narrow(to: *mut i16, first: Self::Int, second: Self::Int) {
        // SAFETY: the caller has the instructions, and the pointer is good for two vectors of halves.
        unsafe {
            _mm256_storeu_si256(to.cast(), _mm512_cvtepi32_epi16(first));
            _mm256_storeu_si256(to.add(16).cast(), _mm512_cvtepi32_epi16(second));
        }
    }

    #[inline(always)]
    unsafe fn bits(value: Self::Float) -> Self::Int {
        // SAFETY: the caller has the instructions.
        unsafe { _mm512_castps_si512(value) }
    }

    #[inline(always)]
    unsafe fn to_float(value: Self::Int) -> Self::Float {
        // SAFETY: the caller has the instructions.
        unsafe { _mm512_cvtepi32_ps(value) }
    }

    #[inline(always)]
    unsafe fn load_float(from: *const f32) -> Self::Float {
        // SAFETY: the caller's pointer is good for a vector.
        unsafe { _mm512_loadu_ps(from) }
    }

    #[inline(always)]
    unsafe fn load_half(from: *const u8) -> Self::Float {
        // SAFETY: the caller has the instructions, and the pointer is good for a vector of halves.
        unsafe { _mm512_cvtph_ps(_mm256_loadu_si256(from.cast())) }
    }

    #[inline(always)]
    unsafe fn store_float(to: *mut f32, value: Self::Float) {
        // SAFETY: the caller's pointer is good for a vector.
        unsafe { _mm512_storeu_ps(to, value) }
    }

    #[inline(always)]
    unsafe fn splat_float(value: f32) -> Self::Float {
        // SAFETY: the caller has the instructions.
        unsafe { _mm512_set1_ps(value) }
    }

    #[inline(always)]
    unsafe fn multiply(a: Self::Float, b: Self::Float) -> Self::Float {
        // SAFETY: the caller has the instructions.
        unsafe { _mm512_mul_ps(a, b) }
    }

    #[inline(always)]
    unsafe fn add(a: Self::Float, b: Self::Float) -> Self::Float {
        // SAFETY: the caller has the instructions.
        unsafe { _mm512_add_ps(a, b) }
    }
}
