//! A WebGPU device, started once.

use std::sync::{Arc, Mutex, PoisonError};

use wgpu::{
    BufferDescriptor, BufferUsages, DeviceDescriptor, ErrorFilter, Features, PowerPreference,
    RequestAdapterOptions,
};

use crate::error::WebGpuError;

/// The largest buffer that is asked for, in bytes. Adapters may allow no more in one binding.
pub(crate) const BUFFER_LIMIT: u64 = 128 << 20;

/// Which adapter to take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StartOptions {
    /// Prefer the adapter that uses least power, on a machine with several.
    pub low_power: bool,
}

/// A started device and its queue. Copies of it are the same device.
///
/// A browser's page decides beforehand whether there is WebGPU at all: see the module's start.
#[derive(Clone, Debug)]
pub struct WebGpu {
    pub(crate) adapter: wgpu::Adapter,
    pub(crate) device: wgpu::Device,
    pub(crate) queue: wgpu::Queue,
    /// The first error that nothing was waiting for.
    failure: Arc<Mutex<Option<String>>>,
}

impl WebGpu {
    /// Starts a device with all that its adapter allows.
    ///
    /// # Errors
    /// [`WebGpuError::NoAdapter`] and [`WebGpuError::NoDevice`].
    pub async fn start(options: StartOptions) -> Result<Self, WebGpuError> {
        let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
        let power_preference = if options.low_power {
            PowerPreference::LowPower
        } else {
            PowerPreference::HighPerformance
        };
        let adapter = instance
            .request_adapter(&RequestAdapterOptions { power_preference, ..Default::default() })
            .await
            .map_err(|error| WebGpuError::NoAdapter { reason: error.to_string() })?;
        // Mapping buffers that kernels write is refused by some drivers, and nothing here needs it.
        let features = adapter.features()
            & (Features::SHADER_F16 | Features::TIMESTAMP_QUERY | Features::SUBGROUP);
        let descriptor = DeviceDescriptor {
            label: Some("campanile"),
            required_features: features,
            required_limits: adapter.limits(),
            ..Default::default()
        };
        let (device, queue) = adapter.request_device(&descriptor).await.map_err(|error| {
            WebGpuError::NoDevice { adapter: adapter.get_info().name, reason: error.to_string() }
        })?;
        let failure = Arc::new(Mutex::new(None));
        let seen = Arc::clone(&failure);
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            remember(&seen, error.to_string());
        }));
        let seen = Arc::clone(&failure);
        device.set_device_lost_callback(move |reason, message| {
            remember(&seen, format!("the device was lost ({reason:?}): {message}"));
        });
        Ok(Self { adapter, device, queue, failure })
    }

    /// The adapter's name, for messages.
    pub fn name(&self) -> String {
        self.adapter.get_info().name
    }

    /// Whether kernels may compute with 16-bit floats.
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
        match &*failure {
            Some(reason) => Err(WebGpuError::Failed { reason: reason.clone() }),
            None => Ok(()),
        }
    }

    /// A buffer of `bytes` for `what`, which may be named in an error.
    ///
    /// # Errors
    /// [`WebGpuError::OutOfMemory`] where it is above the device's limits or there is no room.
    pub(crate) async fn buffer(
        &self,
        what: &str,
        bytes: u64,
        usage: BufferUsages,
    ) -> Result<wgpu::Buffer, WebGpuError> {
        let limit = self.buffer_limit();
        let out_of_memory =
            |reason: String| WebGpuError::OutOfMemory { what: what.to_owned(), bytes, reason };
        if bytes > limit {
            return Err(out_of_memory(format!("a buffer holds at most {limit} bytes")));
        }
        let scope = self.device.push_error_scope(ErrorFilter::OutOfMemory);
        let buffer = self.device.create_buffer(&BufferDescriptor {
            label: Some(what),
            // A binding of nothing is refused, and copies go by fours.
            size: bytes.next_multiple_of(4).max(16),
            usage,
            mapped_at_creation: false,
        });
        match scope.pop().await {
            Some(error) => Err(out_of_memory(error.to_string())),
            None => Ok(buffer),
        }
    }

    /// A buffer that kernels read and write.
    pub(crate) async fn storage(
        &self,
        what: &str,
        bytes: u64,
    ) -> Result<wgpu::Buffer, WebGpuError> {
        let usage = BufferUsages::STORAGE | BufferUsages::COPY_SRC | BufferUsages::COPY_DST;
        self.buffer(what, bytes, usage).await
    }

    /// A buffer of 32-bit words that kernels read.
    pub(crate) async fn words(
        &self,
        what: &str,
        words: &[u32],
    ) -> Result<wgpu::Buffer, WebGpuError> {
        let buffer = self.storage(what, 4 * words.len() as u64).await?;
        self.write(&buffer, 0, words);
        Ok(buffer)
    }

    /// A buffer of numbers that kernels read.
    pub(crate) async fn numbers(
        &self,
        what: &str,
        values: &[f32],
    ) -> Result<wgpu::Buffer, WebGpuError> {
        let words: Vec<u32> = values.iter().map(|value| value.to_bits()).collect();
        self.words(what, &words).await
    }

    /// A small buffer of words that are the same for a whole dispatch.
    pub(crate) async fn uniform(
        &self,
        what: &str,
        words: &[u32],
    ) -> Result<wgpu::Buffer, WebGpuError> {
        let usage = BufferUsages::UNIFORM | BufferUsages::COPY_DST;
        let buffer = self.buffer(what, 4 * words.len() as u64, usage).await?;
        self.write(&buffer, 0, words);
        Ok(buffer)
    }

    /// Writes words from word `at` of a buffer on, before all work that is submitted later.
    pub(crate) fn write(&self, buffer: &wgpu::Buffer, at: u64, words: &[u32]) {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        self.queue.write_buffer(buffer, 4 * at, &bytes);
    }
}

fn remember(failure: &Mutex<Option<String>>, reason: String) {
    let mut failure = failure.lock().unwrap_or_else(PoisonError::into_inner);
    failure.get_or_insert(reason);
}
