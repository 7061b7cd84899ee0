//! The vectors of x86-64.

use std::arch::x86_64::*;

use super::{Kernel, Vector};

/// Defines the methods of a [`Vector`] that are one expression each: `name(arguments) -> result = expression;`.
macro_rules! operations {
    ($($name:ident($($argument:ident: $type:ty),*) $(-> $result:ty)? = $body:expr;)*) => {$(
        #[inline(always)]
        unsafe fn $name($($argument: $type),*) $(-> $result)? {
            // SAFETY: the caller has the instructions, and its pointers are good for what is read or written.
            unsafe { $body }
        }
    )*};
}

/// AVX2: 8 lanes of 32 bits in 256.
pub(super) struct Avx2;

/// Runs `kernel` with the instructions enabled.
///
/// # Safety
/// The processor must have them.
#[inline(never)]
#[target_feature(enable = "avx2,f16c")]
unsafe fn run_avx2<K: Kernel>(kernel: K) -> K::Output {
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
        unsafe { run_avx2(kernel) }
    }

    operations! {
        load(from: *const u8) -> Self::Int = _mm256_loadu_si256(from.cast());
        store(to: *mut u8, value: Self::Int) = _mm256_storeu_si256(to.cast(), value);
        splat(value: i32) -> Self::Int = _mm256_set1_epi32(value);
        splat_pair(from: *const [i16; 2]) -> Self::Int
            = _mm256_set1_epi32(from.cast::<i32>().read_unaligned());
        and(a: Self::Int, b: Self::Int) -> Self::Int = _mm256_and_si256(a, b);
        subtract(a: Self::Int, b: Self::Int) -> Self::Int = _mm256_sub_epi16(a, b);
        dot_add(sum: Self::Int, a: Self::Int, b: Self::Int) -> Self::Int
            = _mm256_add_epi32(sum, _mm256_madd_epi16(a, b));
        greater(a: Self::Int, b: Self::Int) -> Self::Int = _mm256_max_epi32(a, b);
        add_int(a: Self::Int, b: Self::Int) -> Self::Int = _mm256_add_epi32(a, b);
        bits(value: Self::Float) -> Self::Int = _mm256_castps_si256(value);
        to_float(value: Self::Int) -> Self::Float = _mm256_cvtepi32_ps(value);
        load_float(from: *const f32) -> Self::Float = _mm256_loadu_ps(from);
        load_half(from: *const u8) -> Self::Float = _mm256_cvtph_ps(_mm_loadu_si128(from.cast()));
        store_float(to: *mut f32, value: Self::Float) = _mm256_storeu_ps(to, value);
        splat_float(value: f32) -> Self::Float = _mm256_set1_ps(value);
        multiply(a: Self::Float, b: Self::Float) -> Self::Float = _mm256_mul_ps(a, b);
        add(a: Self::Float, b: Self::Float) -> Self::Float = _mm256_add_ps(a, b);
    }

    #[inline(always)]
    unsafe fn shift_right<const BITS: u32>(value: Self::Int) -> Self::Int {
        // SAFETY: the caller has the instructions.
        unsafe { _mm256_srl_epi16(value, _mm_cvtsi32_si128(BITS as i32)) }
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
}

/// AVX-512 with the integer dot product of VNNI: 16 lanes of 32 bits in 512.
pub(super) struct Avx512;

/// Runs `kernel` with the instructions enabled.
///
/// # Safety
/// The processor must have them.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vnni")]
unsafe fn run_avx512<K: Kernel>(kernel: K) -> K::Output {
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
        unsafe { run_avx512(kernel) }
    }

    operations! {
        load(from: *const u8) -> Self::Int = _mm512_loadu_si512(from.cast());
        store(to: *mut u8, value: Self::Int) = _mm512_storeu_si512(to.cast(), value);
        splat(value: i32) -> Self::Int = _mm512_set1_epi32(value);
        splat_pair(from: *const [i16; 2]) -> Self::Int
            = _mm512_set1_epi32(from.cast::<i32>().read_unaligned());
        and(a: Self::Int, b: Self::Int) -> Self::Int = _mm512_and_si512(a, b);
        subtract(a: Self::Int, b: Self::Int) -> Self::Int = _mm512_sub_epi16(a, b);
        dot_add(sum: Self::Int, a: Self::Int, b: Self::Int) -> Self::Int
            = _mm512_dpwssd_epi32(sum, a, b);
        greater(a: Self::Int, b: Self::Int) -> Self::Int = _mm512_max_epi32(a, b);
        add_int(a: Self::Int, b: Self::Int) -> Self::Int = _mm512_add_epi32(a, b);
        sum(value: Self::Int) -> i32 = _mm512_reduce_add_epi32(value);
        greatest(value: Self::Int) -> i32 = _mm512_reduce_max_epi32(value);
        bits(value: Self::Float) -> Self::Int = _mm512_castps_si512(value);
        to_float(value: Self::Int) -> Self::Float = _mm512_cvtepi32_ps(value);
        load_float(from: *const f32) -> Self::Float = _mm512_loadu_ps(from);
        load_half(from: *const u8) -> Self::Float
            = _mm512_cvtph_ps(_mm256_loadu_si256(from.cast()));
        store_float(to: *mut f32, value: Self::Float) = _mm512_storeu_ps(to, value);
        splat_float(value: f32) -> Self::Float = _mm512_set1_ps(value);
        multiply(a: Self::Float, b: Self::Float) -> Self::Float = _mm512_mul_ps(a, b);
        add(a: Self::Float, b: Self::Float) -> Self::Float = _mm512_add_ps(a, b);
    }

    #[inline(always)]
    unsafe fn shift_right<const BITS: u32>(value: Self::Int) -> Self::Int {
        // SAFETY: the caller has the instructions.
        unsafe { _mm512_srli_epi16::<BITS>(value) }
    }

    #[inline(always)]
    unsafe fn store_narrow(to: *mut i16, first: Self::Int, second: Self::Int) {
        // SAFETY: the caller has the instructions, and the pointer is good for two vectors of halves.
        unsafe {
            _mm256_storeu_si256(to.cast(), _mm512_cvtepi32_epi16(first));
            _mm256_storeu_si256(to.add(16).cast(), _mm512_cvtepi32_epi16(second));
        }
    }
}
