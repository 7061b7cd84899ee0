//! Memory that every layer and every token uses again.

/// The values between two products; nothing is allocated once a block of each length was read.
#[derive(Default)]
pub(super) struct Scratch {
    /// `[tokens, hidden]`.
    pub(super) states: Vec<f32>,
    /// `[tokens, hidden]`.
    pub(super) normed: Vec<f32>,
    /// `[tokens, query heads, head]`, then keys and values of `[tokens, key heads, head]`.
    pub(super) projected: Vec<f32>,
    /// `[tokens, key heads, head]`.
    pub(super) normed_heads: Vec<f32>,
    /// `[tokens, query heads, head]`.
    pub(super) attended: Vec<f32>,
    /// `[tokens, hidden]`: what is added to the states.
    pub(super) output: Vec<f32>,
    /// `[tokens, intermediate]` of gates, then of what they let through.
    pub(super) gated: Vec<f32>,
    /// `[tokens, head / 2]`.
    pub(super) cosines: Vec<f32>,
    /// `[tokens, head / 2]`.
    pub(super) sines: Vec<f32>,
    /// `[vocabulary]`.
    pub(super) logits: Vec<f32>,
    /// `[vocabulary]`.
    pub(super) penalised: Vec<f32>,
}

impl Scratch {
    /// Goes on with the last token alone: its state and its angles.
    pub(super) fn keep_last(&mut self, hidden: usize, angles: usize) {
        keep_end(&mut self.states, hidden);
        keep_end(&mut self.cosines, angles);
        keep_end(&mut self.sines, angles);
    }
}

/// Gives a buffer its length; what is in it is to be written over.
pub(super) fn sized(buffer: &mut Vec<f32>, length: usize) -> &mut [f32] {
    buffer.resize(length, 0.0);
    buffer
}

fn keep_end(buffer: &mut Vec<f32>, length: usize) {
    buffer.drain(..buffer.len().saturating_sub(length));
}
