// Makes a block's queries and keys ready and stores keys and values: grid (tokens, heads + key
// heads). Queries are written back to where they were.
//#include step
//#include heads
@group(0) @binding(0) var<storage, read> step: Step;
@group(0) @binding(1) var<storage, read_write> projected: array<f32>;
@group(0) @binding(2) var<storage, read_write> keys: array<{{cache_type}}>;
@group(0) @binding(3) var<storage, read_write> values: array<{{cache_type}}>;
@group(0) @binding(4) var<storage, read> rotation: array<f32>;
//#if head_norm
@group(0) @binding(5) var<storage, read> head_gains: array<f32>;
//#endif

//#include cache

var<workgroup> turned: array<f32, WIDTH>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) thread: u32) {
    let token = group.x;
    let head = group.y;
    let is_key = head >= HEADS;
    let at = token * ROW + head * WIDTH;
    var factor = 1.0;
//#if head_norm
    var squares = 0.0;
    for (var i = 0u; i < WIDTH; i += 1u) {
        squares += projected[at + i] * projected[at + i];
    }
    factor = inverseSqrt(squares / f32(WIDTH) + EPSILON);
    let gains = select(0u, WIDTH, is_key);
//#endif
    for (var i = thread; i < HALF; i += 64u) {
        let cosine = rotation[token * WIDTH + i];
        let sine = rotation[token * WIDTH + HALF + i];
        var pair = vec2f(projected[at + i], projected[at + HALF + i]) * factor;
//#if head_norm
        pair *= vec2f(head_gains[gains + i], head_gains[gains + HALF + i]);
//#endif
        turned[i] = pair.x * cosine - pair.y * sine;
        turned[HALF + i] = pair.y * cosine + pair.x * sine;
    }
    workgroupBarrier();
    if !is_key {
        for (var i = thread; i < WIDTH; i += 64u) {
            projected[at + i] = turned[i];
        }
        return;
    }
    let position = step.position + token;
    let key_head = head - HEADS;
    if thread < QUADS {
        let i = thread * 4u;
        keys[key_place(position, key_head, thread)] =
            packed(vec4f(turned[i], turned[i + 1u], turned[i + 2u], turned[i + 3u]));
        let v = token * ROW + (HEADS + KEY_HEADS + key_head) * WIDTH + i;
        values[value_place(position, key_head, thread)] =
            packed(vec4f(projected[v], projected[v + 1u], projected[v + 2u], projected[v + 3u]));
    }
}
