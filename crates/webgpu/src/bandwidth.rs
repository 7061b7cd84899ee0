//! Measures how fast a device reads its memory: what a token is measured against.

use std::time::Instant;

use crate::device::WebGpu;
use crate::error::WebGpuError;
use crate::kernel;

/// Bytes of the buffer that is copied.
const BYTES: u64 = 64 << 20;
/// Copies that are timed together, and how often.
const COPIES: u32 = 8;
const ROUNDS: u32 = 5;

impl WebGpu {
    /// The bytes a second that a copy within the device's memory reads and writes, the best of a few rounds.
    ///
    /// # Errors
    /// [`WebGpuError::OutOfMemory`] where there is no room for two buffers of 64 MiB, [`WebGpuError::Failed`].
    pub async fn bytes_a_second(&self) -> Result<f64, WebGpuError> {
        let from = self.storage("bytes to copy", BYTES).await?;
        let to = self.storage("copied bytes", BYTES).await?;
        let words = (BYTES / 4) as u32;
        let copy = || kernel::copy(self, &from, &to, 0, words);
        // Compiles the kernel, and makes the driver find the memory.
        copy();
        self.finished().await?;
        let mut best = f64::INFINITY;
        for _ in 0..ROUNDS {
            let started = Instant::now();
            (0..COPIES).for_each(|_| copy());
            self.finished().await?;
            best = best.min(started.elapsed().as_secs_f64());
        }
        Ok(2.0 * BYTES as f64 * f64::from(COPIES) / best)
    }
}
