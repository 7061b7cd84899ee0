// The cache of keys and values, in tiles of 64 positions. A tile holds, for each head, keys as
// [quad of the head][position], so that threads side by side read positions side by side, and
// values as [position][quad of the head]. A longer cache has more tiles behind the old ones.
//#if half_cache
fn packed(value: vec4f) -> vec2u {
    return vec2u(pack2x16float(value.xy), pack2x16float(value.zw));
}
fn unpacked(value: vec2u) -> vec4f {
    return vec4f(unpack2x16float(value.x), unpack2x16float(value.y));
}
//#else
fn packed(value: vec4f) -> vec4f {
    return value;
}
fn unpacked(value: vec4f) -> vec4f {
    return value;
}
//#endif

fn key_place(position: u32, head: u32, quad: u32) -> u32 {
    return ((position / 64u * KEY_HEADS + head) * QUADS + quad) * 64u + position % 64u;
}

fn value_place(position: u32, head: u32, quad: u32) -> u32 {
    return ((position / 64u * KEY_HEADS + head) * 64u + position % 64u) * QUADS + quad;
}
