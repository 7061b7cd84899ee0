// One token: `output[row] = Σ_column weights[row][column] · input[column]`, dequantised on the way.
//
// A workgroup of 64 has LANES threads for each pair of rows. Lanes of a pair read neighbouring
// blocks, so memory is read in runs. Root-mean-square normalisation costs no pass of its own: it
// is a factor over the whole row, and the sum of squares is gathered along with the products.
//#include step
//#include matrix
@group(0) @binding(0) var<storage, read> words: array<vec4u>;
//#if scales
@group(0) @binding(1) var<storage, read> scales: array<u32>;
//#endif
@group(0) @binding(2) var<uniform> matrix: Matrix;
@group(0) @binding(3) var<storage, read> step: Step;
@group(0) @binding(4) var<storage, read> input: array<vec4f>;
@group(0) @binding(5) var<storage, read_write> output: array<f32>;
//#if norm
@group(0) @binding(6) var<storage, read> gain: array<vec4f>;
//#endif
//#if bias
@group(0) @binding(7) var<storage, read> bias: array<f32>;
//#endif

//#include format

const LANES: u32 = {{lanes}}u;
const SLOTS: u32 = 64u / LANES;

// Products of the two rows, and the sum of squares.
var<workgroup> gathered: array<vec4f, 64>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) thread: u32) {
    let lane = thread % LANES;
    // Beyond the last pair the last one is computed again, and not written.
    let pair = min(group.x * SLOTS + thread / LANES, matrix.pairs - 1u);
    let first = pair * matrix.stride;
    let second = min(first + matrix.pair, matrix.rows - 1u);
    let start = step.row * matrix.blocks * 8u;
    var sums = vec2f();
    var squares = 0.0;
    for (var block = lane; block < matrix.blocks; block += LANES) {
        let at = start + block * 8u;
        var x = array(
            input[at], input[at + 1u], input[at + 2u], input[at + 3u],
            input[at + 4u], input[at + 5u], input[at + 6u], input[at + 7u],
        );
//#if norm
        squares += dot(x[0], x[0]) + dot(x[1], x[1]) + dot(x[2], x[2]) + dot(x[3], x[3])
            + dot(x[4], x[4]) + dot(x[5], x[5]) + dot(x[6], x[6]) + dot(x[7], x[7]);
        let g = block * 8u;
        x = array(
            x[0] * gain[g], x[1] * gain[g + 1u], x[2] * gain[g + 2u], x[3] * gain[g + 3u],
            x[4] * gain[g + 4u], x[5] * gain[g + 5u], x[6] * gain[g + 6u], x[7] * gain[g + 7u],
        );
//#endif
        let total = dot(x[0] + x[1] + x[2] + x[3] + x[4] + x[5] + x[6] + x[7], vec4f(1.0));
        sums += vec2f(
            block_product(first * matrix.blocks + block, x, total),
            block_product(second * matrix.blocks + block, x, total),
        );
    }
    gathered[thread] = vec4f(sums, squares, 0.0);
    workgroupBarrier();

    let mine = group.x * SLOTS + thread;
    if thread >= SLOTS || mine >= matrix.pairs {
        return;
    }
    var sum = vec4f();
    for (var other = 0u; other < LANES; other += 1u) {
        sum += gathered[thread * LANES + other];
    }
//#if norm
    sum *= inverseSqrt(sum.z / f32(matrix.blocks * 32u) + matrix.epsilon);
//#endif
    let row = mine * matrix.stride;
//#if gated
    output[row] = sum.x / (1.0 + exp(min(-sum.x, 80.0))) * sum.y;
//#else
    let at = matrix.offset + row;
//#if bias
    sum.x += bias[at];
    sum.y += bias[min(row + matrix.pair, matrix.rows - 1u) + matrix.offset];
//#endif
//#if residual
    output[at] += sum.x;
    if row + matrix.pair < matrix.rows {
        output[at + matrix.pair] += sum.y;
    }
//#else
    output[at] = sum.x;
    if row + matrix.pair < matrix.rows {
        output[at + matrix.pair] = sum.y;
    }
//#endif
//#endif
}
