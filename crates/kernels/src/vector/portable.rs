//! Plain Rust on arrays, which compilers turn into whatever vectors there are.

use std::array::from_fn;

use super::{Kernel, Vector};
use crate::packed::widen_half;

const LANES: usize = 4;

/// Four lanes without any instruction of their own.
pub(super) struct Portable;

/// The 16-bit integers of a lane.
fn halves(lane: i32) -> [i16; 2] {
    [lane as i16, (lane >> 16) as i16]
}

fn joined([low, high]: [i16; 2]) -> i32 {
    i32::from(low) & 0xffff | i32::from(high) << 16
}

impl Vector for Portable {
    const LANES: usize = LANES;
    const TILE: usize = 4;
    type Int = [i32; LANES];
    type Float = [f32; LANES];

    #[inline(never)]
    unsafe fn call<K: Kernel>(kernel: K) -> K::Output {
        // SAFETY: plain Rust.
        unsafe { kernel.run::<Self>() }
    }

    #[inline(always)]
    unsafe fn load(from: *const u8) -> Self::Int {
        // SAFETY: the caller's pointer is good for a vector.
        unsafe { from.cast::<Self::Int>().read_unaligned() }
    }

    #[inline(always)]
    unsafe fn store(to: *mut u8, value: Self::Int) {
        // SAFETY: the caller's pointer is good for a vector.
        unsafe { to.cast::<Self::Int>().write_unaligned(value) }
    }

    #[inline(always)]
    unsafe fn splat(value: i32) -> Self::Int {
        [value; LANES]
    }

    #[inline(always)]
    unsafe fn splat_pair(from: *const [i16; 2]) -> Self::Int {
        // SAFETY: the caller's pointer is good for a pair.
        [joined(unsafe { from.read() }); LANES]
    }

    #[inline(always)]
    unsafe fn and(a: Self::Int, b: Self::Int) -> Self::Int {
        from_fn(|i| a[i] & b[i])
    }

    #[inline(always)]
    unsafe fn shift_right<const BITS: u32>(value: Self::Int) -> Self::Int {
        value.map(|lane| joined(halves(lane).map(|half| (half as u16 >> BITS) as i16)))
    }

    #[inline(always)]
    unsafe fn subtract(a: Self::Int, b: Self::Int) -> Self::Int {
        from_fn(|i| {
            let (a, b) = (halves(a[i]), halves(b[i]));
            joined([a[0].wrapping_sub(b[0]), a[1].wrapping_sub(b[1])])
        })
    }

    #[inline(always)]
    unsafe fn dot_add(sum: Self::Int, a: Self::Int, b: Self::Int) -> Self::Int {
        from_fn(|i| {
            let (a, b) = (halves(a[i]).map(i32::from), halves(b[i]).map(i32::from));
            sum[i].wrapping_add(a[0] * b[0]).wrapping_add(a[1] * b[1])
        })
    }

    #[inline(always)]
    unsafe fn greater(a: Self::Int, b: Self::Int) -> Self::Int {
        from_fn(|i| a[i].max(b[i]))
    }

    #[inline(always)]
    unsafe fn add_int(a: Self::Int, b: Self::Int) -> Self::Int {
        from_fn(|i| a[i].wrapping_add(b[i]))
    }

    #[inline(always)]
    unsafe fn sum(value: Self::Int) -> i32 {
        value.into_iter().fold(0, i32::wrapping_add)
    }

    #[inline(always)]
    unsafe fn greatest(value: Self::Int) -> i32 {
        value.into_iter().fold(i32::MIN, i32::max)
    }

    #[inline(always)]
    unsafe fn store_narrow(to: *mut i16, first: Self::Int, second: Self::Int) {
        let both: [i16; 2 * LANES] =
            from_fn(|i| if i < LANES { first[i] } else { second[i - LANES] } as i16);
        // SAFETY: the caller's pointer is good for as many.
        unsafe { to.cast::<[i16; 2 * LANES]>().write_unaligned(both) }
    }

    #[inline(always)]
    unsafe fn bits(value: Self::Float) -> Self::Int {
        value.map(|lane| lane.to_bits().cast_signed())
    }

    #[inline(always)]
    unsafe fn to_float(value: Self::Int) -> Self::Float {
        value.map(|lane| lane as f32)
    }

    #[inline(always)]
    unsafe fn load_float(from: *const f32) -> Self::Float {
        // SAFETY: the caller's pointer is good for a vector.
        unsafe { from.cast::<Self::Float>().read() }
    }

    #[inline(always)]
    unsafe fn load_half(from: *const u8) -> Self::Float {
        // SAFETY: the caller's pointer is good for a vector of halves.
        let halves = unsafe { from.cast::<[u16; LANES]>().read_unaligned() };
        halves.map(widen_half)
    }

    #[inline(always)]
    unsafe fn store_float(to: *mut f32, value: Self::Float) {
        // SAFETY: the caller's pointer is good for a vector.
        unsafe { to.cast::<Self::Float>().write(value) }
    }

    #[inline(always)]
    unsafe fn splat_float(value: f32) -> Self::Float {
        [value; LANES]
    }

    #[inline(always)]
    unsafe fn multiply(a: Self::Float, b: Self::Float) -> Self::Float {
        from_fn(|i| a[i] * b[i])
    }

    #[inline(always)]
    unsafe fn add(a: Self::Float, b: Self::Float) -> Self::Float {
        from_fn(|i| a[i] + b[i])
    }
}
