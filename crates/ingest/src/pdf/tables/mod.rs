//! Tables: by the rules drawn around their cells, or by cells that stand below one another.

mod aligned;
mod cells;
mod grid;
mod rules;

pub(super) use aligned::{Laid, aligned};
pub(super) use cells::{caption, continue_over};
pub(super) use grid::ruled;
