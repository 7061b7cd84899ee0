// Copies words from one buffer into another.
struct Span {
    words: u32,
    // Where they go.
    at: u32,
    // Threads of all workgroups together.
    threads: u32,
    unused: u32,
}
@group(0) @binding(0) var<storage, read> source: array<u32>;
@group(0) @binding(1) var<storage, read_write> target_words: array<u32>;
@group(0) @binding(2) var<uniform> span: Span;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) place: vec3u) {
    for (var i = place.x; i < span.words; i += span.threads) {
        target_words[span.at + i] = source[i];
    }
}
