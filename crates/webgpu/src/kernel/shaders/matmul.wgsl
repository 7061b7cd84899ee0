// Many tokens: `output[token][row] = Σ_column weights[row][column] · input[token][column]`.
//
// A workgroup of 64 computes 64 rows for 32 tokens. Each block of 32 columns is dequantised once
// into workgroup memory and used for all tokens; a thread keeps 8 rows by 4 tokens in registers.
// Four of the eight rows come from the first half of the tile and four from the second, so that a
// gate and the value that it lets through meet in one thread.
//#include matrix
@group(0) @binding(0) var<storage, read> words: array<u32>;
//#if scales
@group(0) @binding(1) var<storage, read> scales: array<u32>;
//#endif
@group(0) @binding(2) var<uniform> matrix: Matrix;
@group(0) @binding(4) var<storage, read> input: array<vec4f>;
@group(0) @binding(5) var<storage, read_write> output: array<f32>;
//#if norm
@group(0) @binding(6) var<storage, read> gain: array<vec4f>;
//#endif
//#if bias
@group(0) @binding(7) var<storage, read> bias: array<f32>;
//#endif

//#include format

//#if activation
//#include activation
//#endif

// What goes to a place of the output.
fn finished(value: f32, place: u32) -> f32 {
    var result = value;
//#if residual
    result += output[place];
//#endif
//#if activation
    result = activation(result);
//#endif
    return result;
}

// [column][quad of rows] and [column][quad of tokens].
var<workgroup> weights: array<vec4f, 512>;
var<workgroup> states: array<vec4f, 256>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) thread: u32) {
    let first = group.x * matrix.stride;
    let token = group.y * 32u;

    // What this thread brings: 8 columns of 4 rows, and 4 columns of 4 tokens.
    let row_quad = thread % 16u;
    let part = thread / 16u;
    let half_start = select(first, first + matrix.pair - 32u, row_quad >= 8u);
    let token_quad = thread % 8u;
    let column_quad = thread / 8u;

    var sums: array<vec4f, 8>;
    var squares = vec4f();
    for (var block = 0u; block < matrix.blocks; block += 1u) {
        var low: mat4x4f;
        var high: mat4x4f;
        for (var i = 0u; i < 4u; i += 1u) {
            let row = min(half_start + row_quad * 4u + i, matrix.rows - 1u);
            let quads = block_quads(row * matrix.blocks + block, part);
            low[i] = quads[0];
            high[i] = quads[1];
        }
        low = transpose(low);
        high = transpose(high);
        var x: mat4x4f;
        for (var i = 0u; i < 4u; i += 1u) {
            x[i] = input[(token + token_quad * 4u + i) * matrix.blocks * 8u + block * 8u + column_quad];
        }
//#if norm
        squares += vec4f(dot(x[0], x[0]), dot(x[1], x[1]), dot(x[2], x[2]), dot(x[3], x[3]));
        let g = gain[block * 8u + column_quad];
        x = mat4x4f(x[0] * g, x[1] * g, x[2] * g, x[3] * g);
//#endif
        x = transpose(x);
        for (var i = 0u; i < 4u; i += 1u) {
            weights[(part * 4u + i) * 16u + row_quad] = low[i];
            weights[(part * 4u + 16u + i) * 16u + row_quad] = high[i];
            states[(column_quad * 4u + i) * 8u + token_quad] = x[i];
        }
        workgroupBarrier();
        for (var column = 0u; column < 32u; column += 1u) {
            let a = weights[column * 16u + column_quad];
            let b = weights[column * 16u + 8u + column_quad];
            let s = states[column * 8u + token_quad];
            sums[0] += a.x * s;
            sums[1] += a.y * s;
            sums[2] += a.z * s;
            sums[3] += a.w * s;
            sums[4] += b.x * s;
            sums[5] += b.y * s;
            sums[6] += b.z * s;
            sums[7] += b.w * s;
        }
        workgroupBarrier();
    }
//#if norm
    states[column_quad * 8u + token_quad] = squares;
    workgroupBarrier();
    squares = vec4f();
    for (var other = 0u; other < 8u; other += 1u) {
        squares += states[other * 8u + token_quad];
    }
    let factor = inverseSqrt(squares / f32(matrix.blocks * 32u) + vec4f(matrix.epsilon));
    for (var i = 0u; i < 8u; i += 1u) {
        sums[i] *= factor;
    }
//#endif
    for (var i = 0u; i < 4u; i += 1u) {
        let row = first + column_quad * 4u + i;
        let other = row + matrix.pair;
        for (var j = 0u; j < 4u; j += 1u) {
            let at = (token + token_quad * 4u + j) * matrix.width + matrix.offset;
            var a = sums[i][j];
            var b = sums[i + 4u][j];
//#if gated
            if row < matrix.pair {
                output[at + row] = a / (1.0 + exp(min(-a, 80.0))) * b;
            }
//#else
//#if bias
            a += bias[matrix.offset + min(row, matrix.rows - 1u)];
            b += bias[matrix.offset + min(other, matrix.rows - 1u)];
//#endif
            if row < matrix.rows {
                output[at + row] = finished(a, at + row);
            }
            if other < matrix.rows {
                output[at + other] = finished(b, at + other);
            }
//#endif
        }
    }
}
