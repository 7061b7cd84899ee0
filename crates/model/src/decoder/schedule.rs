//! In which blocks a prompt is read, and how large the cache is.

use super::forward::Block;

/// Whether tensors take the lengths of the text, or one of a few fixed lengths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shapes {
    /// As long as the text: nothing wasted, right for a CPU.
    Exact,
    /// Padded to a few lengths: a GPU compiles its programs once for each.
    Padded,
}

/// Lengths of a block on a GPU, shortest first.
const PADDED_BLOCKS: [usize; 2] = [32, 128];

/// Tokens of a block on a CPU: enough for fast products, and a page stays responsive between two.
const EXACT_BLOCK: usize = 64;

/// The smallest cache on a GPU, in tokens; larger ones double.
const SMALLEST_CAPACITY: usize = 256;

impl Shapes {
    /// Tokens that the cache must hold for a prompt and its answer.
    pub(super) fn capacity(self, prompt: usize, answer: usize) -> usize {
        match self {
            Self::Exact => prompt + answer,
            Self::Padded => {
                let padded = self.lengths(prompt).iter().map(|(length, _)| length).sum();
                let needed = (prompt + answer).max(padded);
                needed.next_power_of_two().max(SMALLEST_CAPACITY)
            }
        }
    }

    /// The blocks that read `prompt`.
    pub(super) fn prompt_blocks(self, prompt: &[u32], capacity: usize) -> Vec<Block> {
        let mut position = 0;
        let mut rest = prompt;
        let lengths = self.lengths(prompt.len());
        lengths
            .into_iter()
            .map(|(length, real)| {
                let (ids, after) = rest.split_at_checked(real).unwrap_or((rest, &[]));
                rest = after;
                let mut ids = ids.to_vec();
                // Any token will do: nothing looks at it before it is written over.
                ids.resize(length, 0);
                let block =
                    Block { ids, real, position, window: self.window(position + length, capacity) };
                position += real;
                block
            })
            .collect()
    }

    /// The block that reads one token of the answer.
    pub(super) fn answer_block(self, id: u32, position: usize, capacity: usize) -> Block {
        Block { ids: vec![id], real: 1, position, window: self.window(position + 1, capacity) }
    }

    /// Padded and real length of each block of a prompt.
    fn lengths(self, prompt: usize) -> Vec<(usize, usize)> {
        let mut rest = prompt;
        let mut lengths = Vec::new();
        while rest > 0 {
            let (length, real) = match self {
                Self::Exact => {
                    let real = rest.min(EXACT_BLOCK);
                    (real, real)
                }
                Self::Padded => {
                    let [short, long] = PADDED_BLOCKS;
                    let length = if rest <= short { short } else { long };
                    (length, rest.min(length))
                }
            };
            lengths.push((length, real));
            rest -= real;
        }
        lengths
    }

    fn window(self, used: usize, capacity: usize) -> usize {
        match self {
            Self::Exact => used,
            Self::Padded => capacity,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Shapes;

    #[test]
    fn blocks_cover_a_prompt_once_and_fit_the_cache() {
        for shapes in [Shapes::Exact, Shapes::Padded] {
            for length in [1, 2, 31, 32, 33, 128, 129, 160, 161, 300, 1000] {
                let prompt: Vec<u32> = (0..length).collect();
                let capacity = shapes.capacity(prompt.len(), 64);
                let blocks = shapes.prompt_blocks(&prompt, capacity);
                let read: Vec<u32> =
                    blocks.iter().flat_map(|block| block.ids[..block.real].to_vec()).collect();
                assert_eq!(read, prompt);
                let mut position = 0;
                for block in &blocks {
                    assert_eq!(block.position, position);
                    assert!(block.position + block.ids.len() <= block.window);
                    assert!(block.window <= capacity);
                    position += block.real;
                }
                assert!(prompt.len() + 64 <= capacity);
            }
        }
    }

    #[test]
    fn a_gpu_meets_few_shapes() {
        let mut shapes: Vec<(usize, usize)> = (1..400)
            .flat_map(|length| {
                let prompt = vec![1; length];
                let capacity = Shapes::Padded.capacity(length, 100);
                let blocks = Shapes::Padded.prompt_blocks(&prompt, capacity);
                blocks.into_iter().map(|b| (b.ids.len(), b.window))
            })
            .collect();
        shapes.sort_unstable();
        shapes.dedup();
        assert_eq!(shapes, [(32, 256), (32, 512), (128, 256), (128, 512)]);
    }
}
