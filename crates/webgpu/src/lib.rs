//! Campanile's models on WebGPU, in kernels of their own: the language model and the encoder.
//!
//! A decoder on a GPU is bound by two things. One is the memory that holds its weights, each of
//! which is read once a token. The other is the number of dispatches, each of which costs the page
//! some time whatever it computes. So weights stay as small as they were published and are
//! dequantised where they are used. Other steps are fused into the products and into attention: a
//! normalisation into the product that reads its result, rotary positions and the cache into
//! attention, a gate into the product of gate and values. A layer takes five dispatches, six for a
//! long text.
//!
//! Kernels are our own, in WGSL. The device, its memory, the launches and the way back are
//! [burn]'s. Below burn is wgpu, and in a browser the page's own WebGPU. A token is one small
//! write, a graph of launches that was captured once and is replayed, and one small readback. The
//! encoder uses the same products and the same attention.
//!
//! Natively, burn compiles kernels without bounds checks and without clearing workgroup memory; so
//! no kernel relies on either. Nothing here blocks a page: all waiting is asynchronous. Nothing
//! relies on subgroups, which not every browser has.
//!
//! [burn]: https://burn.dev

mod decoder;
mod device;
mod encoder;
mod error;
mod format;
mod kernel;
mod matrix;
mod product;
#[cfg(test)]
#[expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]
mod twin;

pub use decoder::{DecoderLoader, DecoderOptions, WebGpuDecoder};
pub use device::{StartOptions, WebGpu};
pub use encoder::{DeviceChanges, WebGpuEncoder, WebGpuReader};
pub use error::WebGpuError;
pub use product::CachePrecision;
