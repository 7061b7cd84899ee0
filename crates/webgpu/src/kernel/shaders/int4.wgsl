// Blocks of 32 values of 4 bits: byte i of a block holds value i below and value i + 16 above.
const WORDS: u32 = 4u;

fn nibbles(word: u32) -> vec4f {
    return vec4f((vec4u(word) >> vec4u(0u, 8u, 16u, 24u)) & vec4u(15u));
}

// Scale and minimum of a block.
//#if half_scale
fn step_of(block: u32) -> vec2f {
    let scale = unpack2x16float(scales[block / 2u])[block % 2u];
    return vec2f(scale, -8.0 * scale);
}
//#endif
//#if half_scale_and_minimum
fn step_of(block: u32) -> vec2f {
    return unpack2x16float(scales[block]);
}
//#endif
//#if scale_and_minimum
fn step_of(block: u32) -> vec2f {
    return vec2f(bitcast<f32>(scales[2u * block]), bitcast<f32>(scales[2u * block + 1u]));
}
//#endif

//#if words_by_four
// The product of a block with the 32 values of `x`, whose sum is `total`.
fn block_product(block: u32, x: array<vec4f, 8>, total: f32) -> f32 {
    let low = words[block];
    let high = low >> vec4u(4u);
    let q = dot(nibbles(low.x), x[0]) + dot(nibbles(low.y), x[1])
        + dot(nibbles(low.z), x[2]) + dot(nibbles(low.w), x[3])
        + dot(nibbles(high.x), x[4]) + dot(nibbles(high.y), x[5])
        + dot(nibbles(high.z), x[6]) + dot(nibbles(high.w), x[7]);
    let step = step_of(block);
    return step.x * q + step.y * total;
}
//#else
// Values 4 · part to 4 · part + 3 of a block, and those 16 further on.
fn block_quads(block: u32, part: u32) -> array<vec4f, 2> {
    let word = words[block * WORDS + part];
    let step = step_of(block);
    return array(
        nibbles(word) * step.x + vec4f(step.y),
        nibbles(word >> 4u) * step.x + vec4f(step.y),
    );
}
//#endif
