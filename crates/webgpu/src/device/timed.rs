//! An adapter that says that it has timestamps.
//!
//! cubecl 0.11 looks at the adapter, not at the device, and panics in WebAssembly where that has no `timestamp-query`,
//! since it could only measure time by blocking. It makes no query before something is to be measured, and nothing here
//! ever is.

use std::pin::Pin;

use wgpu::custom::{AdapterInterface, DispatchSurface, RequestDeviceFuture};
use wgpu::{
    Adapter, AdapterInfo, DeviceDescriptor, DownlevelCapabilities, Features, Limits,
    PresentationTimestamp, TextureFormat, TextureFormatFeatures,
};

/// The same adapter, with timestamps. No device can be had from it.
pub(super) fn with_timestamps(adapter: Adapter) -> Adapter {
    Adapter::from_custom(Timed(adapter))
}

#[derive(Debug)]
struct Timed(Adapter);

impl AdapterInterface for Timed {
    fn request_device(&self, _: &DeviceDescriptor<'_>) -> Pin<Box<dyn RequestDeviceFuture>> {
        // The device is there before burn is shown the adapter.
        Box::pin(std::future::pending())
    }

    fn is_surface_supported(&self, _: &DispatchSurface) -> bool {
        false
    }

    fn features(&self) -> Features {
        self.0.features() | Features::TIMESTAMP_QUERY
    }

    fn limits(&self) -> Limits {
        self.0.limits()
    }

    fn downlevel_capabilities(&self) -> DownlevelCapabilities {
        self.0.get_downlevel_capabilities()
    }

    fn get_info(&self) -> AdapterInfo {
        self.0.get_info()
    }

    fn get_texture_format_features(&self, format: TextureFormat) -> TextureFormatFeatures {
        self.0.get_texture_format_features(format)
    }

    fn get_presentation_timestamp(&self) -> PresentationTimestamp {
        self.0.get_presentation_timestamp()
    }

    fn cooperative_matrix_properties(&self) -> Vec<wgpu::wgt::CooperativeMatrixProperties> {
        self.0.cooperative_matrix_properties()
    }
}
