// Attention of one token: grid (tiles, heads). Each workgroup looks at one tile of 64 positions
// for one head; where there are several tiles, `combine` joins them (Dao et al. 2023, split over
// positions). Queries and the new key are normalised and turned here, and the workgroup of the
// last tile uses the new key and value from where they are while one of each group stores them.
//#include step
//#include heads
@group(0) @binding(0) var<storage, read> step: Step;
@group(0) @binding(1) var<storage, read> projected: array<f32>;
@group(0) @binding(2) var<storage, read_write> keys: array<{{cache_type}}>;
@group(0) @binding(3) var<storage, read_write> values: array<{{cache_type}}>;
@group(0) @binding(4) var<storage, read> rotation: array<f32>;
//#if head_norm
@group(0) @binding(5) var<storage, read> head_gains: array<f32>;
//#endif
@group(0) @binding(6) var<storage, read_write> parts: array<vec4f>;
@group(0) @binding(7) var<storage, read_write> output: array<vec4f>;

//#include cache

const SLOTS: u32 = 64u / QUADS;

var<workgroup> query: array<f32, WIDTH>;
var<workgroup> fresh: array<f32, WIDTH>;
var<workgroup> score: array<f32, 64>;
var<workgroup> weight: array<f32, 64>;
var<workgroup> gathered: array<vec4f, 64>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) thread: u32) {
    let tile = group.x;
    let head = group.y;
    let key_head = head / GROUP;
    let now = step.position;
    let query_at = head * WIDTH;
    let key_at = (HEADS + key_head) * WIDTH;
    let value_at = (HEADS + KEY_HEADS + key_head) * WIDTH;

    var query_factor = 1.0;
    var key_factor = 1.0;
//#if head_norm
    // Every thread adds up all squares: they are few, and it spares two barriers.
    var squares = vec2f();
    for (var i = 0u; i < WIDTH; i += 1u) {
        let both = vec2f(projected[query_at + i], projected[key_at + i]);
        squares += both * both;
    }
    let factors = inverseSqrt(squares / f32(WIDTH) + vec2f(EPSILON));
    query_factor = factors.x;
    key_factor = factors.y;
//#endif
    for (var i = thread; i < HALF; i += 64u) {
        let cosine = rotation[i];
        let sine = rotation[HALF + i];
        var q = vec2f(projected[query_at + i], projected[query_at + HALF + i]) * query_factor;
        var k = vec2f(projected[key_at + i], projected[key_at + HALF + i]) * key_factor;
//#if head_norm
        q *= vec2f(head_gains[i], head_gains[HALF + i]);
        k *= vec2f(head_gains[WIDTH + i], head_gains[WIDTH + HALF + i]);
//#endif
        query[i] = q.x * cosine - q.y * sine;
        query[HALF + i] = q.y * cosine + q.x * sine;
        fresh[i] = k.x * cosine - k.y * sine;
        fresh[HALF + i] = k.y * cosine + k.x * sine;
    }
    workgroupBarrier();

    let is_last = tile == now / 64u;
    if is_last && head % GROUP == 0u && thread < QUADS {
        let i = thread * 4u;
        keys[key_place(now, key_head, thread)] =
            packed(vec4f(fresh[i], fresh[i + 1u], fresh[i + 2u], fresh[i + 3u]));
        let v = value_at + i;
        values[value_place(now, key_head, thread)] =
            packed(vec4f(projected[v], projected[v + 1u], projected[v + 2u], projected[v + 3u]));
    }

    let position = tile * 64u + thread;
    var mine = HIDDEN;
    if position < now {
        var sum = 0.0;
        for (var quad = 0u; quad < QUADS; quad += 1u) {
            let i = quad * 4u;
            let q = vec4f(query[i], query[i + 1u], query[i + 2u], query[i + 3u]);
            sum += dot(q, unpacked(keys[key_place(position, key_head, quad)]));
        }
        mine = sum * SCALE;
    } else if position == now {
        var sum = 0.0;
        for (var i = 0u; i < WIDTH; i += 1u) {
            sum += query[i] * fresh[i];
        }
        mine = sum * SCALE;
    }
    score[thread] = mine;
    workgroupBarrier();
    var most = HIDDEN;
    for (var i = 0u; i < 64u; i += 1u) {
        most = max(most, score[i]);
    }
    weight[thread] = select(0.0, exp(mine - most), position <= now);
    workgroupBarrier();

    let quad = thread % QUADS;
    let slot = thread / QUADS;
    var sum = vec4f();
    if slot < SLOTS {
        let end = min(64u, now - tile * 64u);
        for (var i = slot; i < end; i += SLOTS) {
            sum += weight[i] * unpacked(values[value_place(tile * 64u + i, key_head, quad)]);
        }
        if is_last && slot == 0u {
            let v = value_at + quad * 4u;
            sum += weight[now % 64u]
                * vec4f(projected[v], projected[v + 1u], projected[v + 2u], projected[v + 3u]);
        }
    }
    gathered[thread] = sum;
    workgroupBarrier();
    if thread >= QUADS {
        return;
    }
    sum = vec4f();
    for (var i = 0u; i < SLOTS; i += 1u) {
        sum += gathered[i * QUADS + thread];
    }
    var total = 0.0;
    for (var i = 0u; i < 64u; i += 1u) {
        total += weight[i];
    }
    if step.tiles == 1u {
        output[head * QUADS + thread] = sum / total;
        return;
    }
    let part = (head * step.tiles + tile) * (QUADS + 1u);
    parts[part + 1u + thread] = sum;
    if thread == 0u {
        parts[part] = vec4f(most, total, 0.0, 0.0);
    }
}
