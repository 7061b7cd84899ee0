//! Kernels, what is bound to them, and launches that are recorded once and replayed.

mod source;

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use burn_wgpu::{KernelSource, SourceKernel, SourceTemplate};
use cubecl::client::Graph;
use cubecl::ir::attributes::BufferIOAttr;
use cubecl::prelude::KernelId;
use cubecl::server::{KernelArguments, MetadataBindingInfo};
use cubecl::{CubeCount, CubeDim};
use wgpu::{ErrorFilter, ShaderModuleDescriptor, ShaderSource};

use crate::device::{Buffer, WebGpu};
use crate::error::WebGpuError;
use crate::product::THREADS;
use source::Access;

pub(crate) use source::Case;

/// The most workgroups that copy words.
// A thread copies several words where there are more: WebGPU counts no more than 65,535 groups in a direction.
const COPYING_GROUPS: u32 = 4096;

/// A kernel's source, which burn compiles when it is first launched.
#[derive(Debug)]
pub(crate) struct Kernel {
    /// Tells burn one kernel from another.
    key: Arc<str>,
    source: Arc<str>,
    /// The use of each binding, in the order of the source.
    accesses: Vec<Access>,
}

impl Kernel {
    fn new(case: &Case) -> Self {
        let (source, accesses) = case.source();
        Self { key: case.key().into(), source: source.into(), accesses }
    }
}

/// Our text as burn takes it.
struct Wgsl {
    key: Arc<str>,
    source: Arc<str>,
}

impl KernelSource for Wgsl {
    fn source(&self) -> SourceTemplate {
        SourceTemplate::new(&*self.source)
    }

    fn id(&self) -> KernelId {
        KernelId::new::<Self>().cube_dim(threads().0).info(Arc::clone(&self.key))
    }

    fn lang(&self) -> &'static str {
        "wgsl"
    }
}

/// Every kernel has as many threads a workgroup.
fn threads() -> CubeDim {
    CubeDim::new_1d(THREADS as u32)
}

/// All kernels of a model, each looked at once.
#[derive(Debug, Default)]
pub(crate) struct Kernels {
    known: BTreeMap<Case, Rc<Kernel>>,
}

impl Kernels {
    /// The kernel of that case.
    ///
    /// # Errors
    /// [`WebGpuError::Kernel`] where the device does not take its source.
    pub(crate) async fn get(
        &mut self,
        gpu: &WebGpu,
        case: Case,
    ) -> Result<Rc<Kernel>, WebGpuError> {
        if let Some(kernel) = self.known.get(&case) {
            return Ok(Rc::clone(kernel));
        }
        let kernel = Rc::new(Kernel::new(&case));
        check(gpu, &case, &kernel.source).await?;
        self.known.insert(case, Rc::clone(&kernel));
        Ok(kernel)
    }

    /// Returns the number of kernels.
    pub(crate) fn count(&self) -> usize {
        self.known.len()
    }
}

/// Fails where the device's compiler refuses a source. In a browser burn only logs that, and what
/// was to be written would be read as it was before.
async fn check(gpu: &WebGpu, case: &Case, source: &str) -> Result<(), WebGpuError> {
    let label = case.label();
    let scope = gpu.device.push_error_scope(ErrorFilter::Validation);
    let _module = gpu.device.create_shader_module(ShaderModuleDescriptor {
        label: Some(&label),
        source: ShaderSource::Wgsl(source.into()),
    });
    match scope.pop().await {
        Some(error) => Err(WebGpuError::Kernel { kernel: label, reason: error.to_string() }),
        None => Ok(()),
    }
}

/// The number of workgroups that a dispatch has in one direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// Always as many.
    Fixed(u32),
    /// One for each tile of the cache that is looked at.
    Tiles,
    /// One for so many tokens.
    Tokens(u32),
}

/// The numbers that change from one step to the next, as the kernels know them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Step {
    /// Position of the first token.
    pub(crate) position: u32,
    /// Tokens that are read.
    pub(crate) tokens: u32,
    /// The row of the states whose successor is asked for.
    pub(crate) row: u32,
    /// Tiles of the cache that are looked at.
    pub(crate) tiles: u32,
}

impl Step {
    /// As a kernel reads it.
    pub(crate) fn words(self) -> [u32; 4] {
        [self.position, self.tokens, self.row, self.tiles]
    }
}

/// A kernel with its buffers, ready to run any number of times.
#[derive(Debug)]
pub(crate) struct Dispatch {
    kernel: Rc<Kernel>,
    read: Vec<Buffer>,
    written: Vec<Buffer>,
    sizes: Vec<u32>,
    extent: [Extent; 2],
    /// Skipped where a step looks at one tile of the cache only.
    for_several_tiles: bool,
}

impl Dispatch {
    /// Binds `buffers` in the order of the kernel's bindings, without its uniform.
    pub(crate) fn new(kernel: &Rc<Kernel>, buffers: &[&Buffer], extent: [Extent; 2]) -> Self {
        let bound = kernel.accesses.iter().filter(|&&access| access != Access::Sizes);
        debug_assert_eq!(bound.clone().count(), buffers.len(), "{}", kernel.key);
        let of = |wanted: Access| -> Vec<Buffer> {
            let bound = bound.clone().zip(buffers).filter(|(access, _)| **access == wanted);
            bound.map(|(_, buffer)| (*buffer).clone()).collect()
        };
        Self {
            kernel: Rc::clone(kernel),
            read: of(Access::Read),
            written: of(Access::Written),
            sizes: Vec::new(),
            extent,
            for_several_tiles: false,
        }
    }

    /// The same with the words of the kernel's uniform.
    pub(crate) fn with_sizes(self, sizes: &[u32]) -> Self {
        Self { sizes: sizes.to_vec(), ..self }
    }

    /// The same, skipped where there is one tile only.
    pub(crate) fn for_several_tiles(self) -> Self {
        Self { for_several_tiles: true, ..self }
    }

    /// Launches it; returns whether there was anything to do.
    pub(crate) fn launch(&self, gpu: &WebGpu, step: Step) -> bool {
        if self.for_several_tiles && step.tiles < 2 {
            return false;
        }
        let count = |extent: Extent| match extent {
            Extent::Fixed(count) => count,
            Extent::Tiles => step.tiles,
            Extent::Tokens(each) => step.tokens.div_ceil(each),
        };
        self.launch_groups(gpu, &self.sizes, self.extent.map(count));
        true
    }

    /// Launches it with so many workgroups and these words in its uniform, whatever was said before.
    pub(crate) fn launch_groups(&self, gpu: &WebGpu, sizes: &[u32], [x, y]: [u32; 2]) {
        let mut arguments = KernelArguments::new();
        for buffer in &self.read {
            arguments = arguments.with_buffer_io(buffer.binding(), BufferIOAttr::ReadOnly);
        }
        for buffer in &self.written {
            arguments = arguments.with_buffer_io(buffer.binding(), BufferIOAttr::ReadWrite);
        }
        if !sizes.is_empty() {
            let pair = |words: &[u32]| {
                // burn hands the uniform over in 64-bit words; an odd number of ours is filled up.
                let word = |place: usize| u64::from(words.get(place).copied().unwrap_or(0));
                word(0) | (word(1) << 32)
            };
            let sizes = sizes.chunks(2).map(pair).collect();
            arguments = arguments.with_info(MetadataBindingInfo::custom(sizes));
        }
        let Kernel { key, source, .. } = &*self.kernel;
        let kernel = Wgsl { key: Arc::clone(key), source: Arc::clone(source) };
        let kernel = Box::new(SourceKernel::new(kernel, threads()));
        gpu.client.launch(kernel, CubeCount::Static(x, y, 1), arguments);
    }
}

/// Launches a list; returns how many dispatches there were.
pub(crate) fn launch(gpu: &WebGpu, list: &[Dispatch], step: Step) -> usize {
    list.iter().filter(|dispatch| dispatch.launch(gpu, step)).count()
}

/// Copies the first `words` of `from` to word `at` of `to` and what follows.
pub(crate) fn copy(gpu: &WebGpu, from: &Buffer, to: &Buffer, at: u32, words: u32) {
    if words == 0 {
        return;
    }
    let kernel = Rc::new(Kernel::new(&Case::new("copy")));
    let groups = words.div_ceil(THREADS as u32).min(COPYING_GROUPS);
    let dispatch = Dispatch::new(&kernel, &[from, to], [Extent::Fixed(groups), Extent::Fixed(1)]);
    dispatch.launch_groups(gpu, &[words, at, groups * THREADS as u32, 0], [groups, 1]);
}

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
