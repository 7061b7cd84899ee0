// A matrix `[rows, 32 · blocks]`, or a run of rows of one.
struct Matrix {
    rows: u32,
    blocks: u32,
    // From one pair of rows to the next, and from a pair's first row to its second.
    stride: u32,
    pair: u32,
    // The row of the whole table at which this run begins.
    offset: u32,
    // Values of a row of the output.
    width: u32,
    epsilon: f32,
    // Pairs of rows.
    pairs: u32,
}
