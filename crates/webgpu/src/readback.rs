//! Brings numbers from the device to main memory, without ever blocking a page.

use futures_channel::oneshot;
use wgpu::{BufferUsages, CommandEncoder, MapMode};

use crate::device::WebGpu;
use crate::error::WebGpuError;

/// Memory that both the device and the host reach.
#[derive(Debug)]
pub(crate) struct Readback {
    buffer: wgpu::Buffer,
}

impl Readback {
    /// Room for `bytes`, a multiple of 4.
    pub(crate) async fn new(gpu: &WebGpu, bytes: u64) -> Result<Self, WebGpuError> {
        let usage = BufferUsages::MAP_READ | BufferUsages::COPY_DST;
        Ok(Self { buffer: gpu.buffer("results", bytes, usage).await? })
    }

    /// Records the copy of `bytes` from the start of `source`.
    pub(crate) fn copy(&self, encoder: &mut CommandEncoder, source: &wgpu::Buffer, bytes: u64) {
        encoder.copy_buffer_to_buffer(source, 0, &self.buffer, 0, bytes);
    }

    /// Waits for the copy of `bytes`, which has been submitted, and returns it as words.
    ///
    /// # Errors
    /// [`WebGpuError::Failed`] where the device fails before.
    pub(crate) async fn words(&self, gpu: &WebGpu, bytes: u64) -> Result<Vec<u32>, WebGpuError> {
        let slice = self.buffer.slice(..bytes);
        let _mapping = Mapping(&self.buffer);
        let (sender, receiver) = oneshot::channel();
        slice.map_async(MapMode::Read, move |result| {
            // Nobody listens where the future was dropped.
            let _ = sender.send(result);
        });
        wait(gpu)?;
        let mapped = receiver
            .await
            .map_err(|_| WebGpuError::Failed { reason: "it gave no results".to_owned() })?;
        gpu.check()?;
        mapped.map_err(|error| WebGpuError::Failed { reason: error.to_string() })?;
        let words = {
            let view = slice
                .get_mapped_range()
                .map_err(|error| WebGpuError::Failed { reason: error.to_string() })?;
            view.as_chunks::<4>().0.iter().map(|bytes| u32::from_le_bytes(*bytes)).collect()
        };
        Ok(words)
    }
}

/// Ends a mapping, also where the future that waits for it is dropped.
struct Mapping<'a>(&'a wgpu::Buffer);

impl Drop for Mapping<'_> {
    fn drop(&mut self) {
        self.0.unmap();
    }
}

/// Waits until all that was submitted is done.
pub(crate) async fn finished(gpu: &WebGpu) -> Result<(), WebGpuError> {
    let (sender, receiver) = oneshot::channel();
    gpu.queue.on_submitted_work_done(move || {
        let _ = sender.send(());
    });
    wait(gpu)?;
    receiver
        .await
        .map_err(|_| WebGpuError::Failed { reason: "it never finished its work".to_owned() })?;
    gpu.check()
}

/// Natively somebody has to wait for the device; in a browser the page's own loop does.
#[cfg(not(target_arch = "wasm32"))]
fn wait(gpu: &WebGpu) -> Result<(), WebGpuError> {
    gpu.device
        .poll(wgpu::PollType::wait_indefinitely())
        .map(|_| ())
        .map_err(|error| WebGpuError::Failed { reason: error.to_string() })
}

#[cfg(target_arch = "wasm32")]
#[expect(clippy::unnecessary_wraps, reason = "as natively")]
fn wait(_: &WebGpu) -> Result<(), WebGpuError> {
    Ok(())
}
