//! Work over all cores natively, and one after the other in a browser's wasm.

use crate::error::ModelError;

/// Cores that take part.
pub(super) fn threads() -> usize {
    #[cfg(not(target_arch = "wasm32"))]
    return rayon::current_num_threads();
    #[cfg(target_arch = "wasm32")]
    return 1;
}

/// `work` on each of the items, in their order; the first error where there is any.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn try_map<T: Sync, R: Send>(
    items: &[T],
    work: impl Fn(&T) -> Result<R, ModelError> + Sync + Send,
) -> Result<Vec<R>, ModelError> {
    use rayon::prelude::*;
    items.par_iter().with_max_len(1).map(work).collect()
}

/// `work` on each of the items, in their order; the first error where there is any.
#[cfg(target_arch = "wasm32")]
pub(crate) fn try_map<T: Sync, R: Send>(
    items: &[T],
    work: impl Fn(&T) -> Result<R, ModelError> + Sync + Send,
) -> Result<Vec<R>, ModelError> {
    items.iter().map(work).collect()
}
