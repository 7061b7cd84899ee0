//! A hook between the model and the choice of a token.

/// Changes logits before a token is chosen: `f32::NEG_INFINITY` forbids a token.
///
/// It comes before the repetition penalty and the sampling. With a processor all logits of the
/// vocabulary are brought to main memory for every token: nothing on the CPU, where they are
/// already, but 200 to 600 kB a token on a GPU, which otherwise hands out one number.
pub trait LogitProcessor {
    /// Changes `logits`, one for each token of the vocabulary, for the token that follows
    /// `prompt` and then `answer`.
    fn process(&mut self, prompt: &[u32], answer: &[u32], logits: &mut [f32]);
}

impl<F: FnMut(&[u32], &[u32], &mut [f32])> LogitProcessor for F {
    fn process(&mut self, prompt: &[u32], answer: &[u32], logits: &mut [f32]) {
        self(prompt, answer, logits);
    }
}
