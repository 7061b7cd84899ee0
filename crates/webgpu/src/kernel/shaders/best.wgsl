// The best of each span of 256: a value goes to the place that the number of better ones names.
struct Span {
    // How many there are in all, and how many of each span are kept.
    values: u32,
    keep: u32,
    penalty: f32,
    unused: u32,
}
@group(0) @binding(0) var<uniform> span: Span;
//#if first
@group(0) @binding(1) var<storage, read> logits: array<f32>;
// One bit for each token that was used before.
@group(0) @binding(2) var<storage, read> seen: array<u32>;
//#else
@group(0) @binding(1) var<storage, read> candidates: array<vec2u>;
//#endif
@group(0) @binding(3) var<storage, read_write> kept: array<vec2u>;

const NOTHING: u32 = 0xffffffffu;
const LOWEST: f32 = -3.4e38;

var<workgroup> value: array<vec4f, 64>;
var<workgroup> token: array<vec4u, 64>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) thread: u32) {
    var mine = vec4f(LOWEST);
    var ids = vec4u(NOTHING);
    for (var i = 0u; i < 4u; i += 1u) {
        let at = group.x * 256u + thread * 4u + i;
        if at < span.values {
//#if first
            var logit = logits[at];
            if ((seen[at / 32u] >> (at % 32u)) & 1u) == 1u {
                logit = select(logit * span.penalty, logit / span.penalty, logit > 0.0);
            }
            mine[i] = logit;
            ids[i] = at;
//#else
            ids[i] = candidates[at].x;
            mine[i] = bitcast<f32>(candidates[at].y);
//#endif
        }
    }
    value[thread] = mine;
    token[thread] = ids;
    // A span with fewer values than are kept leaves places empty.
    for (var i = thread; i < span.keep; i += 64u) {
        kept[group.x * span.keep + i] = vec2u(NOTHING, bitcast<u32>(LOWEST));
    }
    workgroupBarrier();
    storageBarrier();
    for (var i = 0u; i < 4u; i += 1u) {
        var better = vec4u();
        for (var j = 0u; j < 64u; j += 1u) {
            let other = value[j];
            let tie = (other == vec4f(mine[i])) & (token[j] < vec4u(ids[i]));
            better += select(vec4u(), vec4u(1u), (other > vec4f(mine[i])) | tie);
        }
        let place = better.x + better.y + better.z + better.w;
        if ids[i] != NOTHING && place < span.keep {
            kept[group.x * span.keep + place] = vec2u(ids[i], bitcast<u32>(mine[i]));
        }
    }
}
