// `silu(gate) · up` for gates and values that lie side by side: only where the two matrices are
// stored in different ways, so that no product can compute both.
@group(0) @binding(1) var<storage, read> both: array<f32>;
@group(0) @binding(2) var<storage, read_write> output: array<f32>;

const WIDE: u32 = {{wide}}u;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) place: vec3u) {
    if place.x >= WIDE {
        return;
    }
    let at = place.y * 2u * WIDE + place.x;
    let gate = both[at];
    output[place.y * WIDE + place.x] = gate / (1.0 + exp(min(-gate, 80.0))) * both[at + WIDE];
}
