//! Adapters: the sentence encoder's network as a reader, a reranker and a claim checker.
//!
//! A page has one encoder, of 11 MB or more. An [`Adapter`] of 1 to 3 MB is what another task
//! needs beside it: low-rank changes to the matrices of its layers ([Hu et al.
//! 2021](https://arxiv.org/abs/2106.09685)) and a head. `training/FORMAT.md` defines the file.
//!
//! - [`Reader`] finds spans of a passage that answer a question, or that there are none, as in
//!   SQuAD 2.0 ([Rajpurkar et al. 2018](https://arxiv.org/abs/1806.03822)); and which sentences answer, and
//!   with what kind of answer, where its adapter has heads for that.
//! - [`Reranker`] says how well a passage answers a question, having read both at once
//!   ([Nogueira and Cho 2019](https://arxiv.org/abs/1901.04085)).
//! - [`ClaimChecker`] says whether evidence supports a claim or contradicts it.
//! - A [`SideAdapter`] has no head: the encoder embeds questions with it, or passages.
//!
//! Each but the last borrows the encoder and an adapter; there is nothing to load or to convert between two
//! calls, and the encoder's own vectors stay what they are. Whole models of those kinds, as they are
//! published, go through the same calls.
//!
//! # Two products, not one
//!
//! `W x + s · up (down x)` could be one product with `W + s · up down`. But the sum is another matrix:
//! a page would hold the network once for every task, or unpack, add and quantise ten million weights
//! anew at every switch, which takes as long as five passages, and would lose some of what the change
//! says in the rounding of the weights it is added to. As two thin products it adds 7 to 9 % to a
//! passage's time in a page at rank 16 and 13 to 17 % at rank 32 (`examples/adapter_speed`): merging
//! would pay from forty passages a switch on. They are in single precision, as accurate as the file,
//! since quantising their inputs would eat what integers save.
//!
//! Where the head looks at the first token's vector alone, the last layer computes no other, which
//! takes a seventh of the time away again.

mod decoder;
mod file;
mod judges;
mod low_rank;
mod pair;
mod reader;
mod reading;

pub use decoder::DecoderAdapter;
pub use file::{Adapter, Task};
pub use judges::{ClaimChecker, Reranker, Verdict};
pub(crate) use low_rank::{Change, LayerChange, Low, LowRank};
pub use low_rank::{
    ChangeValues, LayerChangeValues, NetworkChanges, Side, SideAdapter, TokenDirections,
};
pub(crate) use reader::ReaderHeads;
pub use reader::{Pairs, Reader, ReaderHead};
pub use reading::{AnswerKinds, ReadSpan, Reading, TokenEvidence};

/// `1 / (1 + e⁻ˣ)`, the same bits on every platform.
fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + libm::expf(-x))
}

/// The numbers by which logits become probabilities.
#[derive(Clone, Copy)]
struct Calibration {
    /// The number that logits are divided by.
    temperature: f32,
    /// The margin at which an answer is as probable as none; for a checker the probability of support from
    /// which on a claim counts as supported.
    threshold: f32,
}

impl Calibration {
    /// Of a model that says nothing of it.
    // SQuAD 2.0 counts an answer from a margin of 0 on where nobody has fitted another (Rajpurkar et al. 2018).
    const PLAIN: Self = Self { temperature: 1.0, threshold: 0.0 };

    /// Returns the probability of an answer, by the margin between it and none.
    fn probability(self, margin: f32) -> f32 {
        sigmoid((margin - self.threshold) / self.temperature)
    }
}
