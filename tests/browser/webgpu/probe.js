// Prints what the test browser's WebGPU adapter can do, as one JSON object; exits with 1 when a small
// kernel does not compute what it should.
import { createServer } from 'node:http';
import { launch } from '../harness/chromium.js';

async function probe() {
  const adapter = await navigator.gpu?.requestAdapter();
  if (!adapter) return { adapter: null };
  const f16 = adapter.features.has('shader-f16');
  const device = await adapter.requestDevice({ requiredFeatures: f16 ? ['shader-f16'] : [] });
  const number = f16 ? 'f16' : 'f32';
  const module = device.createShaderModule({
    code: `${f16 ? 'enable f16;' : ''}
      @group(0) @binding(0) var<storage, read_write> output: array<f32>;
      @compute @workgroup_size(4) fn main(@builtin(global_invocation_id) id: vec3u) {
        output[id.x] = f32(${number}(id.x) * ${number}(1.5));
      }`,
  });
  const pipeline = await device.createComputePipelineAsync({ layout: 'auto', compute: { module } });
  const output = device.createBuffer({ size: 16, usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC });
  const readable = device.createBuffer({ size: 16, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST });
  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  pass.setPipeline(pipeline);
  const entries = [{ binding: 0, resource: { buffer: output } }];
  pass.setBindGroup(0, device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries }));
  pass.dispatchWorkgroups(1);
  pass.end();
  encoder.copyBufferToBuffer(output, 0, readable, 0, 16);
  device.queue.submit([encoder.finish()]);
  await readable.mapAsync(GPUMapMode.READ);
  return {
    adapter: adapter.info.architecture,
    'shader-f16': f16,
    'timestamp-query': adapter.features.has('timestamp-query'),
    computed: [...new Float32Array(readable.getMappedRange())],
  };
}

// WebGPU wants a secure context: a page on loopback is one.
const server = createServer((_, response) => response.setHeader('content-type', 'text/html').end('<!doctype html>'));
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const browser = await launch();
try {
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  const found = await page.evaluate(probe);
  console.log(JSON.stringify(found));
  process.exitCode = found.computed?.join() === '0,1.5,3,4.5' ? 0 : 1;
} finally {
  await browser.close();
  server.close();
}
