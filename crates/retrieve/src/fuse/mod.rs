//! One order of what several searches found.
//!
//! [Ranks](reciprocal_rank_fusion) can be added without knowing what a score means, and they say less:
//! a passage that stands far ahead of all others in one list has one rank to show for it. So the
//! ranks choose the candidates, and a [`Pool`] orders these by their [standard
//! scores](standard_scores) in every search, each with a weight; what looks closer at the
//! candidates later is one signal more.

mod pool;
mod reciprocal;
mod standard;
mod weights;

pub use pool::{Pool, Signal};
pub use reciprocal::{Fused, reciprocal_rank_fusion};
pub use standard::standard_scores;
pub use weights::{Weights, adapted};
