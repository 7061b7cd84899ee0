//! Stands in for the published `inventory` crate in the browser's modules.
//!
//! burn's GPU backend stands on cubecl, and cubecl on pliron, a compiler framework. On WebAssembly,
//! pliron registers its parts through `inventory`, each in a static constructor of its own. All our
//! kernels are WGSL that is written out, so the compiler never runs. But as long as constructors
//! name it, the linker has to keep it, and every call from JavaScript runs all of them. This crate
//! registers nothing, and the linker drops what nobody names.
//!
//! `[patch.crates-io]` in the workspace's `Cargo.toml` puts it in place. burn's own generic
//! operations are not expected to compile their kernels in a module with this crate. Ours have no
//! need of them, and each model's known answer at load would notice. Natively pliron registers by
//! other means, and everything works.
#![no_std]

#[cfg(not(target_family = "wasm"))]
compile_error!("a native crate asks for `inventory`: leave this stand-in out of the native tree, or register nothing");

/// A type whose values may be collected; none ever is.
pub trait Collect: Sync + Sized + 'static {}

/// The registered values of a type: none.
#[must_use]
pub fn iter<T: Collect>() -> core::iter::Empty<&'static T> {
    core::iter::empty()
}

/// Registers nothing.
#[macro_export]
macro_rules! submit {
    ($($tokens:tt)*) => {};
}

/// Lets a type be collected.
#[macro_export]
macro_rules! collect {
    ($type:ty) => {
        impl $crate::Collect for $type {}
    };
}
