// The vectors of tokens, out of the quantised table: one thread for 8 of a block's 32 values.
//#include matrix
@group(0) @binding(0) var<storage, read> words: array<u32>;
//#if scales
@group(0) @binding(1) var<storage, read> scales: array<u32>;
//#endif
@group(0) @binding(2) var<uniform> matrix: Matrix;
@group(0) @binding(4) var<storage, read> tokens: array<u32>;
@group(0) @binding(5) var<storage, read_write> output: array<vec4f>;

//#include format

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) thread: u32) {
    let block = group.x * 16u + thread / 4u;
    let part = thread % 4u;
    let token = tokens[group.y];
    // A table in several buffers is read by one dispatch for each, which leaves the others' rows.
    if block >= matrix.blocks || token < matrix.offset || token - matrix.offset >= matrix.rows {
        return;
    }
    let quads = block_quads((token - matrix.offset) * matrix.blocks + block, part);
    let at = (group.y * matrix.blocks + block) * 8u + part;
    output[at] = quads[0];
    output[at + 4u] = quads[1];
}
