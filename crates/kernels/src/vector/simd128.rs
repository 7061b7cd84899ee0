//! WebAssembly's 128-bit vectors.

use std::arch::wasm32::*;

use super::{Kernel, Vector};

/// 4 lanes.
pub(super) struct Simd128;

impl Vector for Simd128 {
    const LANES: usize = 4;
    const TILE: usize = 4;
    type Int = v128;
    type Float = v128;

    #[inline(never)]
    unsafe fn call<K: Kernel>(kernel: K) -> K::Output {
        // SAFETY: the module is compiled with the instructions enabled.
        unsafe { kernel.run::<Self>() }
    }

    #[inline(always)]
    unsafe fn load(from: *const u8) -> Self::Int {
        // SAFETY: the caller's pointer is good for a vector.
        unsafe { v128_load(from.cast()) }
    }

    #[inline(always)]
    unsafe fn store(to: *mut u8, value: Self::Int) {
        // SAFETY: the caller's pointer is good for a vector.
        unsafe { v128_store(to.cast(), value) }
    }

    #[inline(always)]
    unsafe fn splat(value: i32) -> Self::Int {
        i32x4_splat(value)
    }

    #[inline(always)]
    unsafe fn splat_pair(from: *const [i16; 2]) -> Self::Int {
        // SAFETY: the caller's pointer is good for a pair.
        unsafe { v128_load32_splat(from.cast()) }
    }

    #[inline(always)]
    unsafe fn and(a: Self::Int, b: Self::Int) -> Self::Int {
        v128_and(a, b)
    }

    #[inline(always)]
    unsafe fn shift_right<const BITS: u32>(value: Self::Int) -> Self::Int {
        u16x8_shr(value, BITS)
    }

    #[inline(always)]
    unsafe fn subtract(a: Self::Int, b: Self::Int) -> Self::Int {
        i16x8_sub(a, b)
    }

    #[inline(always)]
    unsafe fn dot_add(sum: Self::Int, a: Self::Int, b: Self::Int) -> Self::Int {
        i32x4_add(sum, i32x4_dot_i16x8(a, b))
    }

    #[inline(always)]
    unsafe fn greater(a: Self::Int, b: Self::Int) -> Self::Int {
        i32x4_max(a, b)
    }

    #[inline(always)]
    unsafe fn add_int(a: Self::Int, b: Self::Int) -> Self::Int {
        i32x4_add(a, b)
    }

    #[inline(always)]
    unsafe fn sum(value: Self::Int) -> i32 {
        let pairs = i32x4_add(value, i64x2_shuffle::<1, 0>(value, value));
        i32x4_extract_lane::<0>(pairs).wrapping_add(i32x4_extract_lane::<1>(pairs))
    }

    #[inline(always)]
    unsafe fn greatest(value: Self::Int) -> i32 {
        let pairs = i32x4_max(value, i64x2_shuffle::<1, 0>(value, value));
        i32x4_extract_lane::<0>(pairs).max(i32x4_extract_lane::<1>(pairs))
    }

    #[inline(always)]
    unsafe fn store_narrow(to: *mut i16, first: Self::Int, second: Self::Int) {
        // SAFETY: the caller's pointer is good for two vectors of halves.
        unsafe { v128_store(to.cast(), i16x8_narrow_i32x4(first, second)) }
    }

    #[inline(always)]
    unsafe fn bits(value: Self::Float) -> Self::Int {
        value
    }

    #[inline(always)]
    unsafe fn to_float(value: Self::Int) -> Self::Float {
        f32x4_convert_i32x4(value)
    }

    #[inline(always)]
    unsafe fn load_float(from: *const f32) -> Self::Float {
        // SAFETY: the caller's pointer is good for a vector.
        unsafe { v128_load(from.cast()) }
    }

    #[inline(always)]
    unsafe fn load_half(from: *const u8) -> Self::Float {
        // The bits of a half, moved to a float's place: see `half`.
        let offset = f32x4_splat(f32::from_bits((127 + 112) << 23));
        // SAFETY: the caller's pointer is good for a vector of halves.
        let bits = i32x4_shl(unsafe { i32x4_load_extend_i16x4(from.cast()) }, 13);
        f32x4_mul(v128_and(bits, u32x4_splat(0x8fff_e000)), offset)
    }

    #[inline(always)]
    unsafe fn store_float(to: *mut f32, value: Self::Float) {
        // SAFETY: the caller's pointer is good for a vector.
        unsafe { v128_store(to.cast(), value) }
    }

    #[inline(always)]
    unsafe fn splat_float(value: f32) -> Self::Float {
        f32x4_splat(value)
    }

    #[inline(always)]
    unsafe fn multiply(a: Self::Float, b: Self::Float) -> Self::Float {
        f32x4_mul(a, b)
    }

    #[inline(always)]
    unsafe fn add(a: Self::Float, b: Self::Float) -> Self::Float {
        f32x4_add(a, b)
    }
}
