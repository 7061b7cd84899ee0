//! Tests of what a device does where something goes wrong.

use futures_lite::future::{block_on, poll_once};

use super::BUFFER_LIMIT;
use crate::error::WebGpuError;
use crate::kernel::{self, Case, Kernels};
use crate::twin::gpu;

#[test]
fn what_does_not_fit_is_refused_with_its_size() {
    let gpu = gpu();
    let bytes = BUFFER_LIMIT + 4;
    let error = block_on(gpu.storage("a large table", bytes)).unwrap_err();
    assert!(matches!(&error, WebGpuError::OutOfMemory { bytes: found, .. } if *found == bytes));
    let text = error.to_string();
    assert!(text.contains("a large table") && text.contains(&bytes.to_string()), "{text}");
    // Nothing is spoilt by it.
    let buffer = block_on(gpu.words("words", &[1, 2, 3])).unwrap();
    assert_eq!(block_on(gpu.read(&buffer, 12)).unwrap(), [1, 2, 3]);
}

#[test]
fn a_kernel_that_the_compiler_refuses_is_named() {
    let gpu = gpu();
    // Without its constants the source is no WGSL.
    let error = block_on(Kernels::default().get(&gpu, Case::new("layer_norm"))).unwrap_err();
    assert!(
        matches!(&error, WebGpuError::Kernel { kernel, .. } if kernel == "layer_norm"),
        "{error}"
    );
    gpu.check().unwrap();
}

#[test]
fn a_lost_device_says_so_and_another_can_be_started() {
    let lost = gpu();
    let buffer = block_on(lost.words("words", &[7; 16])).unwrap();
    lost.device.destroy();
    for _ in 0..2 {
        let error = block_on(lost.read(&buffer, 64)).unwrap_err();
        assert!(matches!(error, WebGpuError::Failed { .. }), "{error}");
    }
    assert!(block_on(lost.finished()).is_err());

    let fresh = gpu();
    let buffer = block_on(fresh.words("words", &[7; 16])).unwrap();
    assert_eq!(block_on(fresh.read(&buffer, 64)).unwrap(), [7; 16]);
}

#[test]
fn memory_is_zero_and_parts_of_it_are_written_copied_and_read() {
    let gpu = gpu();
    let whole = block_on(gpu.storage("words", 4 * 200)).unwrap();
    gpu.write(&whole, 64, &[5, 6, 7]);
    // Another 64 words on: `part` counts bytes.
    let part = whole.part(256, 256);
    assert_eq!(block_on(gpu.read(&part, 16)).unwrap(), [5, 6, 7, 0]);
    let target = block_on(gpu.storage("more words", 4 * 200)).unwrap();
    kernel::copy(&gpu, &part, &target, 100, 3);
    let found = block_on(gpu.read(&target, 4 * 200)).unwrap();
    let set: Vec<(usize, u32)> =
        found.into_iter().enumerate().filter(|(_, word)| *word != 0).collect();
    assert_eq!(set, [(100, 5), (101, 6), (102, 7)]);
}

#[test]
fn a_read_that_nobody_waits_for_spoils_no_other() {
    let gpu = gpu();
    let buffer = block_on(gpu.words("words", &[1, 2, 3, 4])).unwrap();
    for _ in 0..3 {
        // Begun, and dropped at once.
        drop(block_on(poll_once(gpu.read(&buffer, 16))));
        assert_eq!(block_on(gpu.read(&buffer, 16)).unwrap(), [1, 2, 3, 4]);
    }
}
