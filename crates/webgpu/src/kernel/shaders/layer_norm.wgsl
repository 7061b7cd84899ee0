// Layer normalisation (Ba et al. 2016) of each token's state, in place: grid (tokens).
@group(0) @binding(0) var<storage, read_write> states: array<f32>;
@group(0) @binding(1) var<storage, read> scale_and_shift: array<f32>;

const HIDDEN_SIZE: u32 = {{hidden}}u;

var<workgroup> gathered: array<f32, 64>;

fn total(thread: u32, mine: f32) -> f32 {
    gathered[thread] = mine;
    workgroupBarrier();
    var sum = 0.0;
    for (var i = 0u; i < 64u; i += 1u) {
        sum += gathered[i];
    }
    workgroupBarrier();
    return sum;
}

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) thread: u32) {
    let start = group.x * HIDDEN_SIZE;
    var sum = 0.0;
    for (var i = thread; i < HIDDEN_SIZE; i += 64u) {
        sum += states[start + i];
    }
    let mean = total(thread, sum) / f32(HIDDEN_SIZE);
    var squares = 0.0;
    for (var i = thread; i < HIDDEN_SIZE; i += 64u) {
        let offset = states[start + i] - mean;
        squares += offset * offset;
    }
    let factor = inverseSqrt(total(thread, squares) / f32(HIDDEN_SIZE) + {{epsilon}});
    for (var i = thread; i < HIDDEN_SIZE; i += 64u) {
        states[start + i] = (states[start + i] - mean) * factor * scale_and_shift[i]
            + scale_and_shift[HIDDEN_SIZE + i];
    }
}
