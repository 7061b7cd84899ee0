//! 256-bit vectors of x86-64.

use std::arch::x86_64::*;

use super::{Kernel, Vector};

/// 8 lanes.
pub(super) struct Avx2;

/// Runs `kernel` with the instructions enabled.
///
/// # Safety
/// The processor must have them.
#[inline(never)]
#[target_feature(enable = "avx2,f16c")]
unsafe fn run<K: Kernel>(kernel: K) -> K::Output {
    // SAFETY: they are enabled here.
    unsafe { kernel.run::<Avx2>() }
}

impl Vector for Avx2 {
    const LANES: usize = 8;
    const TILE: usize = 4;
    type Int = __m256i;
    type Float = __m256;

    #[inline(always)]
    unsafe fn call<K: Kernel>(kernel: K) -> K::Output {
        // SAFETY: the caller has the instructions.
        unsafe { run(kernel) }
    }

    #[inline(always)]
    unsafe fn load(from: *const u8) -> Self::Int {
        // SAFETY: the caller's pointer is good for a vector.
        unsafe { _mm256_loadu_si256(from.cast()) }
    }

    #[inline(always)]
    unsafe fn store(to: *mut u8, value: Self::Int) {
        // SAFETY: the caller's pointer is good for a vector.
        unsafe { _mm256_storeu_si256(to.cast(), value) }
    }

    #[inline(always)]
    unsafe fn splat(value: i32) -> Self::Int {
        // SAFETY: the caller has the instructions.
        unsafe { _mm256_set1_epi32(value) }
    }

    #[inline(always)]
    unsafe fn splat_pair(from: *const [i16; 2]) -> Self::Int {
        // SAFETY: the caller's pointer is good for a pair.
        unsafe { _mm256_set1_epi32(from.cast::<i32>().read_unaligned()) }
    }

    #[inline(always)]
    unsafe fn and(a: Self::Int, b: Self::Int) -> Self::Int {
        // SAFETY: the caller has the instructions.
        unsafe { _mm256_and_si256(a, b) }
    }

    #[inline(always)]
    unsafe fn shift_right<const BITS: u32>(value: Self::Int) -> Self::Int {
        // SAFETY: the caller has the instructions.
        unsafe { _mm256_srl_epi16(value, _mm_cvtsi32_si128(BITS as i32)) }
    }

    #[inline(always)]
    unsafe fn subtract(a: Self::Int, b: Self::Int) -> Self::Int {
        // SAFETY: the caller has the instructions.
        unsafe { _mm256_sub_epi16(a, b) }
    }

    #[inline(always)]
    unsafe fn dot_add(sum: Self::Int, a: Self::Int, b: Self::Int) -> Self::Int {
        // SAFETY: the caller has the instructions.
        unsafe { _mm256_add_epi32(sum, _mm256_madd_epi16(a, b)) }
    }

    #[inline(always)]
    unsafe fn greater(a: Self::Int, b: Self::Int) -> Self::Int {
        // SAFETY: the caller has the instructions.
        unsafe { _mm256_max_epi32(a, b) }
    }

    #[inline(always)]
    unsafe fn add_int(a: Self::Int, b: Self::Int) -> Self::Int {
        // SAFETY: the caller has the instructions.
        unsafe { _mm256_add_epi32(a, b) }
    }

    #[inline(always)]
    unsafe fn sum(value: Self::Int) -> i32 {
        // SAFETY: the caller has the instructions.
        let lanes: [i32; 8] = unsafe { std::mem::transmute(value) };
        lanes.into_iter().fold(0, i32::wrapping_add)
    }

    #[inline(always)]
    unsafe fn greatest(value: Self::Int) -> i32 {
        // SAFETY: the caller has the instructions.
        let lanes: [i32; 8] = unsafe { std::mem::transmute(value) };
        lanes.into_iter().fold(i32::MIN, i32::max)
    }

    #[inline(always)]
    unsafe fn store_narrow(to: *mut i16, first: Self::Int, second: Self::Int) {
        // SAFETY: the caller has the instructions, and the pointer is good for two vectors of halves.
        unsafe {
            let packed = _mm256_packs_epi32(first, second);
            _mm256_storeu_si256(to.cast(), _mm256_permute4x64_epi64::<0b11_01_10_00>(packed));
        }
    }

    #[inline(always)]
    unsafe fn bits(value: Self::Float) -> Self::Int {
        // SAFETY: the caller has the instructions.
        unsafe { _mm256_castps_si256(value) }
    }

    #[inline(always)]
    unsafe fn to_float(value: Self::Int) -> Self::Float {
        // SAFETY: the caller has the instructions.
        unsafe { _mm256_cvtepi32_ps(value) }
    }

    #[inline(always)]
    unsafe fn load_float(from: *const f32) -> Self::Float {
        // SAFETY: the caller's pointer is good for a vector.
        unsafe { _mm256_loadu_ps(from) }
    }

    #[inline(always)]
    unsafe fn load_half(from: *const u8) -> Self::Float {
        // SAFETY: the caller has the instructions, and the pointer is good for a vector of halves.
        unsafe { _mm256_cvtph_ps(_mm_loadu_si128(from.cast())) }
    }

    #[inline(always)]
    unsafe fn store_float(to: *mut f32, value: Self::Float) {
        // SAFETY: the caller's pointer is good for a vector.
        unsafe { _mm256_storeu_ps(to, value) }
    }

    #[inline(always)]
    unsafe fn splat_float(value: f32) -> Self::Float {
        // SAFETY: the caller has the instructions.
        unsafe { _mm256_set1_ps(value) }
    }

    #[inline(always)]
    unsafe fn multiply(a: Self::Float, b: Self::Float) -> Self::Float {
        // SAFETY: the caller has the instructions.
        unsafe { _mm256_mul_ps(a, b) }
    }

    #[inline(always)]
    unsafe fn add(a: Self::Float, b: Self::Float) -> Self::Float {
        // SAFETY: the caller has the instructions.
        unsafe { _mm256_add_ps(a, b) }
    }
}
