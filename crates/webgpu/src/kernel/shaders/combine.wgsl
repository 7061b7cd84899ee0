// Joins what `attend` found in each tile: grid (heads).
//#include step
//#include heads
@group(0) @binding(0) var<storage, read> step: Step;
@group(0) @binding(1) var<storage, read> parts: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> output: array<vec4f>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) thread: u32) {
    let head = group.x;
    if thread >= QUADS {
        return;
    }
    let start = head * step.tiles * (QUADS + 1u);
    var most = HIDDEN;
    for (var tile = 0u; tile < step.tiles; tile += 1u) {
        most = max(most, parts[start + tile * (QUADS + 1u)].x);
    }
    var sum = vec4f();
    var total = 0.0;
    for (var tile = 0u; tile < step.tiles; tile += 1u) {
        let at = start + tile * (QUADS + 1u);
        let header = parts[at];
        let share = exp(header.x - most);
        total += share * header.y;
        sum += share * parts[at + 1u + thread];
    }
    output[head * QUADS + thread] = sum / total;
}
