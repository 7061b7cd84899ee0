//! Launches that are the same from one step to the next, recorded once and replayed.

use cubecl::client::Graph;

use crate::device::WebGpu;
use crate::error::WebGpuError;

/// A list of launches as burn replays it: kernels looked up, buffers bound and sizes written beforehand.
///
/// `K` tells one list from another, `T` holds the buffers that the launches use.
pub(crate) struct Recording<K, T> {
    taken: Option<Taken<K, T>>,
}

struct Taken<K, T> {
    key: K,
    graph: Graph,
    dispatches: usize,
    /// Dropped after the graph.
    _buffers: T,
}

impl<K, T> Default for Recording<K, T> {
    fn default() -> Self {
        Self { taken: None }
    }
}

impl<K: PartialEq, T> Recording<K, T> {
    /// Runs `launch`, which gives the number of its dispatches; replays it where it was run before with this key.
    ///
    /// All that `launch` reads or writes has to be in `buffers`.
    ///
    /// # Errors
    /// [`WebGpuError::Failed`] where the device is gone or refuses a launch.
    pub(crate) fn run(
        &mut self,
        gpu: &WebGpu,
        key: K,
        buffers: T,
        launch: impl Fn() -> usize,
    ) -> Result<usize, WebGpuError> {
        if let Some(taken) = &self.taken
            && taken.key == key
        {
            // SAFETY: the buffers live as long as the graph, which is what `_buffers` is for; nobody else has them,
            // since they belong to one model; and burn's stream is the thread's, which a model cannot leave.
            #[expect(unsafe_code, reason = "burn cannot see that the buffers are still there")]
            unsafe { taken.graph.replay() }?;
            return Ok(taken.dispatches);
        }
        self.clear();
        // burn wants a run that is not recorded before the one that is: that is this step itself.
        gpu.client.graph_prepare()?;
        let dispatches = launch();
        gpu.client.start_capture()?;
        launch();
        let graph = gpu.client.stop_capture()?;
        self.taken = Some(Taken { key, graph, dispatches, _buffers: buffers });
        Ok(dispatches)
    }

    /// Forgets what was recorded, and lets its buffers go.
    pub(crate) fn clear(&mut self) {
        self.taken = None;
    }
}

impl<K: std::fmt::Debug, T> std::fmt::Debug for Recording<K, T> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let key = self.taken.as_ref().map(|taken| &taken.key);
        formatter.debug_struct("Recording").field("key", &key).finish_non_exhaustive()
    }
}
