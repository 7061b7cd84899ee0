// Blocks of 32 signed bytes.
const WORDS: u32 = 8u;

fn signed_bytes(word: u32) -> vec4f {
    return vec4f(vec4i(vec4u(word) << vec4u(24u, 16u, 8u, 0u)) >> vec4u(24u));
}

// Scales of the first and of the last 16 values of a block.
//#if half_scale
fn step_of(block: u32) -> vec2f {
    return vec2f(unpack2x16float(scales[block / 2u])[block % 2u]);
}
//#endif
//#if scale_for_sixteen
fn step_of(block: u32) -> vec2f {
    return vec2f(bitcast<f32>(scales[2u * block]), bitcast<f32>(scales[2u * block + 1u]));
}
//#endif

//#if words_by_four
// The product of a block with the 32 values of `x`.
fn block_product(block: u32, x: array<vec4f, 8>, total: f32) -> f32 {
    let first = words[2u * block];
    let last = words[2u * block + 1u];
    let step = step_of(block);
    return step.x * (dot(signed_bytes(first.x), x[0]) + dot(signed_bytes(first.y), x[1])
            + dot(signed_bytes(first.z), x[2]) + dot(signed_bytes(first.w), x[3]))
        + step.y * (dot(signed_bytes(last.x), x[4]) + dot(signed_bytes(last.y), x[5])
            + dot(signed_bytes(last.z), x[6]) + dot(signed_bytes(last.w), x[7]));
}
//#else
// Values 4 · part to 4 · part + 3 of a block, and those 16 further on.
fn block_quads(block: u32, part: u32) -> array<vec4f, 2> {
    let word = block * WORDS + part;
    let step = step_of(block);
    return array(signed_bytes(words[word]) * step.x, signed_bytes(words[word + 4u]) * step.y);
}
//#endif
