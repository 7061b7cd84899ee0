// Attention of a block of tokens to what is cached before and among them, or of whole texts, each to
// itself: grid (tokens / QUERIES, heads). Texts lie one behind the other and begin with a tile of QUERIES rows. Scores of QUERIES tokens are kept for one tile of 64 positions at a time, with a running
// maximum and sum (Milakov and Gimelshein 2018, Dao et al. 2022).
//#include step
//#include heads
@group(0) @binding(0) var<storage, read> step: Step;
@group(0) @binding(1) var<storage, read> projected: array<vec4f>;
@group(0) @binding(2) var<storage, read> keys: array<{{cache_type}}>;
@group(0) @binding(3) var<storage, read> values: array<{{cache_type}}>;
@group(0) @binding(4) var<storage, read_write> output: array<vec4f>;
//#if whole
// For each tile of rows, the first row of its text and the row behind its last.
@group(0) @binding(5) var<storage, read> texts: array<vec2u>;
//#endif

//#include cache

const QUERIES: u32 = {{queries}}u;
// Threads that share the quads of one token, and tokens that each of them sums up.
const TEAMS: u32 = {{teams}}u;
const EACH: u32 = QUERIES / TEAMS;

var<workgroup> query: array<vec4f, {{query_quads}}>;
var<workgroup> score: array<f32, {{scores}}>;
var<workgroup> most: array<f32, QUERIES>;
var<workgroup> decay: array<f32, QUERIES>;
var<workgroup> total: array<f32, QUERIES>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) thread: u32) {
    let first = group.x * QUERIES;
    let head = group.y;
    let key_head = head / GROUP;
    for (var i = thread; i < QUERIES * QUADS; i += 64u) {
        let token = min(first + i / QUADS, step.tokens - 1u);
        query[i] = projected[(token * ROW + head * WIDTH) / 4u + i % QUADS];
    }
    if thread < QUERIES {
        most[thread] = HIDDEN;
        total[thread] = 0.0;
    }
    workgroupBarrier();

    let team = thread / QUADS;
    let mine = thread % QUADS;
    var sums: array<vec4f, EACH>;
//#if whole
    let begin = texts[group.x].x;
    let last = texts[group.x].y - 1u;
//#else
    let begin = 0u;
    let last = step.position + min(first + QUERIES, step.tokens) - 1u;
//#endif
    for (var start = begin; start <= last; start += 64u) {
        let position = start + thread;
        // Zeros by name: without them Chromium's compiler clears it once, not in every round.
        var found = array<f32, QUERIES>();
        if position <= last {
            for (var quad = 0u; quad < QUADS; quad += 1u) {
                let key = unpacked(keys[key_place(position, key_head, quad)]);
                for (var i = 0u; i < QUERIES; i += 1u) {
                    found[i] += dot(query[i * QUADS + quad], key);
                }
            }
        }
        for (var i = 0u; i < QUERIES; i += 1u) {
//#if whole
            let is_seen = position <= last;
//#else
            let is_seen = position <= step.position + first + i && position <= last;
//#endif
            score[i * 64u + thread] = select(HIDDEN, found[i] * SCALE, is_seen);
        }
        workgroupBarrier();
        if thread < QUERIES {
            var highest = most[thread];
            for (var i = 0u; i < 64u; i += 1u) {
                highest = max(highest, score[thread * 64u + i]);
            }
            decay[thread] = exp(most[thread] - highest);
            most[thread] = highest;
        }
        workgroupBarrier();
        for (var i = 0u; i < QUERIES; i += 1u) {
            let value = score[i * 64u + thread];
            score[i * 64u + thread] = select(exp(value - most[i]), 0.0, value <= HIDDEN);
        }
        workgroupBarrier();
        if thread < QUERIES {
            var sum = total[thread] * decay[thread];
            for (var i = 0u; i < 64u; i += 1u) {
                sum += score[thread * 64u + i];
            }
            total[thread] = sum;
        }
        if team < TEAMS {
            for (var i = 0u; i < EACH; i += 1u) {
                sums[i] *= decay[team * EACH + i];
            }
            let end = min(64u, last + 1u - start);
            for (var j = 0u; j < end; j += 1u) {
                let value = unpacked(values[value_place(start + j, key_head, mine)]);
                for (var i = 0u; i < EACH; i += 1u) {
                    sums[i] += score[(team * EACH + i) * 64u + j] * value;
                }
            }
        }
        workgroupBarrier();
    }
    if team < TEAMS {
        for (var i = 0u; i < EACH; i += 1u) {
            let token = first + team * EACH + i;
            if token < step.tokens {
                output[(token * HEADS + head) * QUADS + mine] = sums[i] / total[team * EACH + i];
            }
        }
    }
}
