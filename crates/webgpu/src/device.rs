//! A device of burn's, started once, and its memory.

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests;
#[cfg(target_family = "wasm")]
mod timed;

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};

use burn_wgpu::{MemoryConfiguration, RuntimeOptions, WgpuSetup, try_init_device};
use cubecl::bytes::Bytes;
use cubecl::client::Client;
use cubecl::server::{BufferBinding, Handle, ServerError};
use wgpu::{
    DeviceDescriptor, DeviceType, ErrorFilter, Features, PowerPreference, RequestAdapterOptions,
};

use crate::error::WebGpuError;

/// The largest buffer that is asked for, in bytes. Adapters may allow no more in one binding.
// What WebGPU lets every adapter bind: a large matrix is then cut alike on all of them.
pub(crate) const BUFFER_LIMIT: u64 = 128 << 20;

/// Launches that burn hands to the device at once: a whole token of a model of 40 layers.
// Each submission costs the page some time. Six launches a layer are 240, and a few more find the token.
const LAUNCHES_A_SUBMISSION: usize = 256;

/// The alignment at which a part of a buffer may begin: what WebGPU promises of every device, in bytes.
pub(crate) const PART_ALIGNMENT: u64 = 256;

/// Which adapter to take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StartOptions {
    /// Prefer the adapter that uses least power, on a machine with several.
    pub low_power: bool,
}

/// A started device. Copies of it are the same device.
///
/// The adapter is chosen here and handed to burn, which owns the memory and runs the kernels from then on.
/// A browser's page decides beforehand whether there is WebGPU at all: see the module's start.
#[derive(Clone)]
pub struct WebGpu {
    adapter: wgpu::Adapter,
    /// burn's own device; kept for its limits and its errors.
    pub(crate) device: wgpu::Device,
    queue: wgpu::Queue,
    /// burn's end of the device.
    pub(crate) client: Client,
    failure: Arc<Mutex<Failures>>,
    /// Reads that nobody waits for any more.
    abandoned: Abandoned,
}

/// Bytes on their way to main memory.
type Reading = Pin<Box<dyn Future<Output = Result<Vec<Bytes>, ServerError>> + Send>>;
type Abandoned = Arc<Mutex<Vec<Reading>>>;

/// A read that is kept where the future that waits for it is dropped: burn gives its memory to the next read, while
/// the driver still maps it.
struct Kept {
    reading: Option<Reading>,
    abandoned: Abandoned,
}

impl Kept {
    async fn finished(mut self) -> Result<Vec<Bytes>, ServerError> {
        let Some(reading) = &mut self.reading else { return Ok(Vec::new()) };
        let read = reading.as_mut().await;
        self.reading = None;
        read
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        if let Some(reading) = self.reading.take() {
            self.abandoned.lock().unwrap_or_else(PoisonError::into_inner).push(reading);
        }
    }
}

/// The errors that nothing was waiting for.
#[derive(Debug, Default)]
struct Failures {
    /// The first error of a kernel or a command.
    command: Option<String>,
    /// The last allocation that found no room.
    allocation: Option<String>,
}

/// Memory on the device, or a part of it. Copies are the same memory, which is given back with the last of them.
#[derive(Clone, Debug)]
pub(crate) struct Buffer {
    handle: Handle,
    bytes: u64,
}

impl std::fmt::Debug for WebGpu {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("WebGpu").field("adapter", &self.adapter).finish_non_exhaustive()
    }
}

impl WebGpu {
    /// Starts a device with all that its adapter allows.
    ///
    /// # Errors
    /// [`WebGpuError::NoAdapter`] and [`WebGpuError::NoDevice`].
    pub async fn start(options: StartOptions) -> Result<Self, WebGpuError> {
        let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
        // A phone has one adapter; on a machine with two the faster one is worth its power for the seconds of an
        // answer.
        let power_preference = if options.low_power {
            PowerPreference::LowPower
        } else {
            PowerPreference::HighPerformance
        };
        let adapter = instance
            .request_adapter(&RequestAdapterOptions { power_preference, ..Default::default() })
            .await
            .map_err(|error| WebGpuError::NoAdapter { reason: error.to_string() })?;
        let no_device =
            |reason: String| WebGpuError::NoDevice { adapter: adapter.get_info().name, reason };
        let descriptor = DeviceDescriptor {
            label: Some("campanile"),
            // Mapping buffers that kernels write is refused by some drivers; only this one is of use.
            required_features: adapter.features() & Features::SHADER_F16,
            // All that the adapter has: WebGPU gives the smallest limits to whoever asks for none.
            required_limits: adapter.limits(),
            ..Default::default()
        };
        let (device, queue) = adapter
            .request_device(&descriptor)
            .await
            .map_err(|error| no_device(error.to_string()))?;
        let setup = WgpuSetup {
            instance,
            adapter: shown_to_burn(&adapter),
            backend: adapter.get_info().backend,
            device: device.clone(),
            queue: queue.clone(),
        };
        let options = RuntimeOptions {
            tasks_max: LAUNCHES_A_SUBMISSION,
            // burn's pools keep what they once had; a page has to give memory back to the driver.
            memory_config: MemoryConfiguration::ExclusivePages,
        };
        let burn = try_init_device(setup, options).map_err(|error| no_device(error.to_string()))?;
        let client = cubecl::Device::from(burn).client();
        // Only now: burn installs a handler of its own, which panics.
        let failure = Arc::new(Mutex::new(Failures::default()));
        let seen = Arc::clone(&failure);
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            let mut seen = seen.lock().unwrap_or_else(PoisonError::into_inner);
            if matches!(error, wgpu::Error::OutOfMemory { .. }) {
                seen.allocation = Some(error.to_string());
            } else {
                seen.command.get_or_insert(error.to_string());
            }
        }));
        Ok(Self { adapter, device, queue, client, failure, abandoned: Abandoned::default() })
    }

    /// The adapter's name, for messages.
    pub fn name(&self) -> String {
        self.adapter.get_info().name
    }

    /// Returns the interface through which the adapter is reached, as its makers call it.
    pub fn backend(&self) -> &'static str {
        match self.adapter.get_info().backend {
            wgpu::Backend::Vulkan => "Vulkan",
            wgpu::Backend::Metal => "Metal",
            wgpu::Backend::Dx12 => "DirectX 12",
            wgpu::Backend::Gl => "OpenGL",
            wgpu::Backend::BrowserWebGpu => "WebGPU",
            wgpu::Backend::Noop => "nothing",
        }
    }

    /// Returns `true` if the adapter computes on the processor, which is slower than the processor by
    /// itself.
    pub fn is_software(&self) -> bool {
        self.adapter.get_info().device_type == DeviceType::Cpu
    }

    /// Returns `true` if kernels may compute with 16-bit floats.
    pub fn has_half_floats(&self) -> bool {
        self.device.features().contains(Features::SHADER_F16)
    }

    /// The largest buffer that a kernel may look at, in bytes.
    pub(crate) fn buffer_limit(&self) -> u64 {
        let limits = self.device.limits();
        BUFFER_LIMIT.min(limits.max_storage_buffer_binding_size).min(limits.max_buffer_size)
    }

    /// Fails where the device has failed since it was started.
    pub(crate) fn check(&self) -> Result<(), WebGpuError> {
        let failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
        match failure.command.as_ref().or(failure.allocation.as_ref()) {
            Some(reason) => Err(WebGpuError::Failed { reason: reason.clone() }),
            None => Ok(()),
        }
    }

    /// Memory of `bytes` for `what`, which may be named in an error. It is zero at first.
    ///
    /// Each is a buffer of its own and goes back to the driver as soon as nothing holds it: a kernel may read one
    /// and write another, and a cache that grew leaves nothing behind.
    ///
    /// # Errors
    /// [`WebGpuError::OutOfMemory`] where it is above the device's limits or there is no room.
    pub(crate) async fn storage(&self, what: &str, bytes: u64) -> Result<Buffer, WebGpuError> {
        let limit = self.buffer_limit();
        let out_of_memory =
            |reason: String| WebGpuError::OutOfMemory { what: what.to_owned(), bytes, reason };
        if bytes > limit {
            return Err(out_of_memory(format!("a buffer holds at most {limit} bytes")));
        }
        // A binding of nothing is refused, and copies go by fours.
        let bytes = bytes.next_multiple_of(4).max(16);
        let length = usize::try_from(bytes).map_err(|error| out_of_memory(error.to_string()))?;
        let scope = self.device.push_error_scope(ErrorFilter::OutOfMemory);
        let handle = self.client.memory_dedicated_allocation((), |()| self.client.empty(length));
        // Waits until burn has asked the driver. Natively it does so on a thread of its own, where no scope of ours
        // reaches: there the error is remembered.
        let bound = self.client.check([&handle]);
        if let Some(error) = scope.pop().await {
            return Err(out_of_memory(error.to_string()));
        }
        let remembered = {
            let mut failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
            failure.allocation.take()
        };
        if let Some(reason) = remembered {
            return Err(out_of_memory(reason));
        }
        bound.map_err(|error| out_of_memory(error.to_string()))?;
        Ok(Buffer { handle, bytes })
    }

    /// Memory with these 32-bit words.
    pub(crate) async fn words(&self, what: &str, words: &[u32]) -> Result<Buffer, WebGpuError> {
        let buffer = self.storage(what, 4 * words.len() as u64).await?;
        self.write(&buffer, 0, words);
        Ok(buffer)
    }

    /// Memory with these numbers.
    pub(crate) async fn numbers(&self, what: &str, values: &[f32]) -> Result<Buffer, WebGpuError> {
        let words: Vec<u32> = values.iter().map(|value| value.to_bits()).collect();
        self.words(what, &words).await
    }

    /// Writes words from word `at` of a buffer on, before all work that is launched later. What was launched before
    /// is handed to the device.
    pub(crate) fn write(&self, buffer: &Buffer, at: u64, words: &[u32]) {
        if words.is_empty() {
            return;
        }
        // Copied, because burn hands them over later, when the caller's words are gone.
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let part = buffer.part(4 * at, bytes.len() as u64);
        self.client.write(&part.handle, Bytes::from_elems(bytes));
    }

    /// Hands over what was written: until then it waits in main memory.
    ///
    /// # Errors
    /// [`WebGpuError::Failed`] where the device is gone.
    pub(crate) fn hand_over(&self) -> Result<(), WebGpuError> {
        self.client.flush()?;
        // burn submits where kernels were launched; what was only written it leaves to the next submission.
        self.queue.submit([]);
        Ok(())
    }

    /// Waits for all that was launched and brings the first `bytes` of a buffer to main memory, as words.
    ///
    /// # Errors
    /// [`WebGpuError::Failed`] where the device fails before.
    pub(crate) async fn read(&self, buffer: &Buffer, bytes: u64) -> Result<Vec<u32>, WebGpuError> {
        while let Some(reading) = self.next_abandoned() {
            // Who wanted it is gone, and so is whom an error of it would concern.
            let _ = self.kept(reading).finished().await;
        }
        let (client, handle) = (self.client.clone(), buffer.part(0, bytes).handle);
        let reading = Box::pin(async move { client.read_async(vec![handle]).await });
        let read = self.kept(reading).finished().await;
        self.check()?;
        let read = read?;
        // Whoever asked looks at all of it.
        let found = read.first().filter(|found| found.len() as u64 == bytes).ok_or_else(|| {
            WebGpuError::Failed {
                reason: format!("it did not give back the {bytes} bytes asked for"),
            }
        })?;
        Ok(found.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect())
    }

    fn next_abandoned(&self) -> Option<Reading> {
        self.abandoned.lock().unwrap_or_else(PoisonError::into_inner).pop()
    }

    fn kept(&self, reading: Reading) -> Kept {
        Kept { reading: Some(reading), abandoned: Arc::clone(&self.abandoned) }
    }

    /// Waits until all that was launched is done.
    ///
    /// # Errors
    /// [`WebGpuError::Failed`] where the device fails before.
    pub(crate) async fn finished(&self) -> Result<(), WebGpuError> {
        let done = self.client.sync().await;
        self.check()?;
        Ok(done?)
    }
}

impl Buffer {
    /// `bytes` of it from byte `at` on: the same memory. For a binding, `at` is a multiple of [`PART_ALIGNMENT`].
    pub(crate) fn part(&self, at: u64, bytes: u64) -> Self {
        let after = self.bytes.saturating_sub(at + bytes);
        let handle = self.handle.clone().offset_start(at).offset_end(after);
        Self { handle, bytes }
    }

    /// Returns its size in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Returns the binding by which a launch is told of it.
    pub(crate) fn binding(&self) -> BufferBinding {
        self.handle.clone().binding()
    }
}

impl From<ServerError> for WebGpuError {
    fn from(error: ServerError) -> Self {
        Self::Failed { reason: error.to_string() }
    }
}

/// The adapter as burn is to see it.
#[cfg(not(target_family = "wasm"))]
fn shown_to_burn(adapter: &wgpu::Adapter) -> wgpu::Adapter {
    adapter.clone()
}

/// The adapter as burn is to see it: with timestamps, without which it panics in a browser, although it measures
/// nothing that it is not asked for.
#[cfg(target_family = "wasm")]
fn shown_to_burn(adapter: &wgpu::Adapter) -> wgpu::Adapter {
    match adapter.features().contains(Features::TIMESTAMP_QUERY) {
        true => adapter.clone(),
        false => timed::with_timestamps(adapter.clone()),
    }
}

/// Measures how fast a device reads its memory: what a token is measured against.
#[cfg(not(target_family = "wasm"))]
mod bandwidth {
    use std::time::Instant;

    use super::WebGpu;
    use crate::error::WebGpuError;
    use crate::kernel;

    /// Bytes of the buffer that is copied.
    // Beyond what any cache holds, so that it is the memory that is measured.
    const BYTES: u64 = 64 << 20;
    /// Copies that are timed together, and how often.
    // Together, so that waiting for the device, which is no reading, weighs little.
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
                // The best, since a disturbance only ever makes a copy slower.
                best = best.min(started.elapsed().as_secs_f64());
            }
            // Twice: what is copied is read and written.
            Ok(2.0 * BYTES as f64 * f64::from(COPIES) / best)
        }
    }
}
