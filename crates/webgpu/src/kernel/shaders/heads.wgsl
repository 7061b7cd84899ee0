const WIDTH: u32 = {{width}}u;
const HALF: u32 = {{half_width}}u;
const QUADS: u32 = {{quads}}u;
const HEADS: u32 = {{heads}}u;
const KEY_HEADS: u32 = {{key_heads}}u;
const GROUP: u32 = {{group}}u;
const SCALE: f32 = {{scale}};
// A row of projections: queries, then keys, then values.
const ROW: u32 = {{row}}u;
const EPSILON: f32 = {{epsilon}};
// Below any score, and finite: not every shader language has an infinity.
const HIDDEN: f32 = -1e30;
