//! Sharing work out over threads, where there are any.

/// The threads that an operation may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Threads {
    /// The calling thread only.
    One,
    /// The threads of rayon's current pool; in WebAssembly the same as [`Threads::One`].
    All,
}

impl Threads {
    /// Returns the number of threads.
    pub(crate) fn count(self) -> usize {
        match self {
            Self::One => 1,
            #[cfg(not(target_arch = "wasm32"))]
            Self::All => rayon::current_num_threads(),
            #[cfg(target_arch = "wasm32")]
            Self::All => 1,
        }
    }
}

/// Calls `task` with every number below `count`, in any order.
pub(crate) fn for_each(threads: Threads, count: usize, task: impl Fn(usize) + Sync + Send) {
    #[cfg(not(target_arch = "wasm32"))]
    if threads == Threads::All && count > 1 {
        use rayon::prelude::*;
        (0..count).into_par_iter().with_max_len(1).for_each(task);
        return;
    }
    let _ = threads;
    (0..count).for_each(task);
}

/// The memory into which tasks put their results, each in places of its own.
#[derive(Clone, Copy)]
pub(crate) struct Shared(*mut f32);

// SAFETY: only a pointer; those who write through it keep to places that no other task touches.
unsafe impl Send for Shared {}
// SAFETY: as above.
unsafe impl Sync for Shared {}

impl Shared {
    pub(crate) fn new(values: &mut [f32]) -> Self {
        Self(values.as_mut_ptr())
    }

    pub(crate) fn pointer(self) -> *mut f32 {
        self.0
    }
}
