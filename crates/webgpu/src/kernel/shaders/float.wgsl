// Values without scales; 32 of them count as a block.
//#if full
const WORDS: u32 = 32u;
//#else
const WORDS: u32 = 16u;
//#endif

//#if half
fn pair(word: u32) -> vec2f {
    return unpack2x16float(word);
}
//#endif
//#if brain
fn pair(word: u32) -> vec2f {
    return vec2f(bitcast<f32>(word << 16u), bitcast<f32>(word & 0xffff0000u));
}
//#endif

//#if words_by_four
// The product of a block with the 32 values of `x`.
fn block_product(block: u32, x: array<vec4f, 8>, total: f32) -> f32 {
    let word = block * (WORDS / 4u);
    var sum = 0.0;
//#if full
    sum += dot(bitcast<vec4f>(words[word]), x[0]);
    sum += dot(bitcast<vec4f>(words[word + 1u]), x[1]);
    sum += dot(bitcast<vec4f>(words[word + 2u]), x[2]);
    sum += dot(bitcast<vec4f>(words[word + 3u]), x[3]);
    sum += dot(bitcast<vec4f>(words[word + 4u]), x[4]);
    sum += dot(bitcast<vec4f>(words[word + 5u]), x[5]);
    sum += dot(bitcast<vec4f>(words[word + 6u]), x[6]);
    sum += dot(bitcast<vec4f>(words[word + 7u]), x[7]);
//#else
    let a = words[word];
    let b = words[word + 1u];
    let c = words[word + 2u];
    let d = words[word + 3u];
    sum += dot(vec4f(pair(a.x), pair(a.y)), x[0]) + dot(vec4f(pair(a.z), pair(a.w)), x[1]);
    sum += dot(vec4f(pair(b.x), pair(b.y)), x[2]) + dot(vec4f(pair(b.z), pair(b.w)), x[3]);
    sum += dot(vec4f(pair(c.x), pair(c.y)), x[4]) + dot(vec4f(pair(c.z), pair(c.w)), x[5]);
    sum += dot(vec4f(pair(d.x), pair(d.y)), x[6]) + dot(vec4f(pair(d.z), pair(d.w)), x[7]);
//#endif
    return sum;
}
//#else
//#if full
fn quad(word: u32) -> vec4f {
    return vec4f(
        bitcast<f32>(words[word]),
        bitcast<f32>(words[word + 1u]),
        bitcast<f32>(words[word + 2u]),
        bitcast<f32>(words[word + 3u]),
    );
}
//#else
fn quad(word: u32) -> vec4f {
    return vec4f(pair(words[word]), pair(words[word + 1u]));
}
//#endif

// Values 4 · part to 4 · part + 3 of a block, and those 16 further on.
fn block_quads(block: u32, part: u32) -> array<vec4f, 2> {
    let word = block * WORDS + part * (WORDS / 8u);
    return array(quad(word), quad(word + WORDS / 2u));
}
//#endif
