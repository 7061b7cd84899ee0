// @ts-check
/**
 * Keeps an eye on the graphics devices that the model's program is handed.
 *
 * A device can be lost at any moment: the driver is reset, the machine slept,
 * another program took the memory. The program does not recover from that, and
 * what it says about it comes late or never; hence the devices are watched from
 * outside, where the browser hands them out.
 */

/** @import { Trouble } from "./messages.js" */

import { formatBytes } from "./sizes.js";

/**
 * @typedef {object} DeviceTrouble
 * @property {Trouble} trouble
 * @property {string} message
 */

/**
 * Watches every device that is requested from now on. To be called before the
 * program starts.
 * @param {(trouble: DeviceTrouble) => void} onTrouble  called at most once for a device
 */
export function watchDevices(onTrouble) {
  if (!("GPUAdapter" in globalThis)) return;
  const adapters = GPUAdapter.prototype;
  const request = adapters.requestDevice;
  adapters.requestDevice = async function requestDevice(descriptor) {
    const device = await request.call(this, descriptor);
    watch(device, onTrouble);
    return device;
  };
}

/**
 * @param {GPUDevice} device
 * @param {(trouble: DeviceTrouble) => void} onTrouble
 */
function watch(device, onTrouble) {
  let told = false;
  /** @param {Trouble} trouble @param {string} message */
  const tell = (trouble, message) => {
    if (!told) onTrouble({ trouble, message });
    told = true;
  };
  const asked = countBytes(device);
  device.lost.then(({ message }) => tell("device-lost", message || "The graphics processor was lost."));
  device.addEventListener("uncapturederror", ({ error }) => {
    if (error instanceof GPUOutOfMemoryError)
      tell("gpu-memory", `The graphics processor had no room: ${formatBytes(asked())} were asked for.`);
    // A kernel that is refused leaves its output as it was: everything after it is wrong.
    else tell("gpu-error", error.message);
  });
}

/**
 * Counts what is asked of a device: an error says that there was no room, but not for how much.
 * @param {GPUDevice} device
 * @returns {() => number}
 */
function countBytes(device) {
  let bytes = 0;
  const createBuffer = device.createBuffer.bind(device);
  device.createBuffer = (descriptor) => {
    bytes += descriptor.size;
    return createBuffer(descriptor);
  };
  return () => bytes;
}
