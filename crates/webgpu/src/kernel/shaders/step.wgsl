// What changes from one step to the next.
struct Step {
    // Position of the first token.
    position: u32,
    // How many tokens are read.
    tokens: u32,
    // The row of the states whose successor is asked for.
    row: u32,
    // Tiles of the cache that are looked at.
    tiles: u32,
}
