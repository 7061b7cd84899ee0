//! Compiled kernels and what is bound to them.

mod source;

use std::collections::BTreeMap;
use std::rc::Rc;

use wgpu::{
    BindGroupDescriptor, BindGroupEntry, BindGroupLayoutDescriptor, BindGroupLayoutEntry,
    BindingType, BufferBindingType, ComputePass, ComputePipelineDescriptor, ErrorFilter,
    PipelineLayoutDescriptor, ShaderModuleDescriptor, ShaderSource, ShaderStages,
};

pub(crate) use source::Case;

use crate::device::WebGpu;
use crate::error::WebGpuError;

/// A compiled kernel.
#[derive(Debug)]
pub(crate) struct Kernel {
    label: String,
    pipeline: wgpu::ComputePipeline,
    layout: wgpu::BindGroupLayout,
    bindings: Vec<u32>,
}

/// All kernels of a model, each compiled once.
#[derive(Debug, Default)]
pub(crate) struct Kernels {
    compiled: BTreeMap<Case, Rc<Kernel>>,
}

impl Kernels {
    /// The kernel of that case.
    ///
    /// # Errors
    /// [`WebGpuError::Kernel`] where it does not compile.
    pub(crate) async fn get(
        &mut self,
        gpu: &WebGpu,
        case: Case,
    ) -> Result<Rc<Kernel>, WebGpuError> {
        if let Some(kernel) = self.compiled.get(&case) {
            return Ok(Rc::clone(kernel));
        }
        let kernel = Rc::new(compile(gpu, &case).await?);
        self.compiled.insert(case, Rc::clone(&kernel));
        Ok(kernel)
    }

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        self.compiled.len()
    }
}

async fn compile(gpu: &WebGpu, case: &Case) -> Result<Kernel, WebGpuError> {
    let source = case.source();
    let label = case.label();
    let scope = gpu.device.push_error_scope(ErrorFilter::Validation);
    let entries: Vec<BindGroupLayoutEntry> = source.lines().filter_map(binding).collect();
    let layout = gpu.device.create_bind_group_layout(&BindGroupLayoutDescriptor {
        label: Some(&label),
        entries: &entries,
    });
    let module = gpu.device.create_shader_module(ShaderModuleDescriptor {
        label: Some(&label),
        source: ShaderSource::Wgsl(source.into()),
    });
    let pipeline_layout = gpu.device.create_pipeline_layout(&PipelineLayoutDescriptor {
        label: Some(&label),
        bind_group_layouts: &[Some(&layout)],
        immediate_size: 0,
    });
    let pipeline = gpu.device.create_compute_pipeline(&ComputePipelineDescriptor {
        label: Some(&label),
        layout: Some(&pipeline_layout),
        module: &module,
        entry_point: Some("main"),
        compilation_options: Default::default(),
        cache: None,
    });
    if let Some(error) = scope.pop().await {
        return Err(WebGpuError::Kernel { kernel: label, reason: error.to_string() });
    }
    let bindings = entries.iter().map(|entry| entry.binding).collect();
    Ok(Kernel { label, pipeline, layout, bindings })
}

/// The binding that a line of source declares.
fn binding(line: &str) -> Option<BindGroupLayoutEntry> {
    let (number, rest) = line.strip_prefix("@group(0) @binding(")?.split_once(')')?;
    let kind = if rest.contains("var<uniform>") {
        BufferBindingType::Uniform
    } else {
        BufferBindingType::Storage { read_only: !rest.contains("read_write") }
    };
    Some(BindGroupLayoutEntry {
        binding: number.parse().ok()?,
        visibility: ShaderStages::COMPUTE,
        ty: BindingType::Buffer { ty: kind, has_dynamic_offset: false, min_binding_size: None },
        count: None,
    })
}

/// How many workgroups a dispatch has in one direction.
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
    group: wgpu::BindGroup,
    extent: [Extent; 2],
    /// Skipped where a step looks at one tile of the cache only.
    for_several_tiles: bool,
}

impl Dispatch {
    /// Binds `buffers` in the order of the kernel's bindings.
    pub(crate) fn new(
        gpu: &WebGpu,
        kernel: &Rc<Kernel>,
        buffers: &[&wgpu::Buffer],
        extent: [Extent; 2],
    ) -> Self {
        let entries: Vec<BindGroupEntry<'_>> = kernel
            .bindings
            .iter()
            .zip(buffers)
            .map(|(&binding, buffer)| BindGroupEntry {
                binding,
                resource: buffer.as_entire_binding(),
            })
            .collect();
        let group = gpu.device.create_bind_group(&BindGroupDescriptor {
            label: Some(&kernel.label),
            layout: &kernel.layout,
            entries: &entries,
        });
        Self { kernel: Rc::clone(kernel), group, extent, for_several_tiles: false }
    }

    /// The same, skipped where there is one tile only.
    pub(crate) fn for_several_tiles(self) -> Self {
        Self { for_several_tiles: true, ..self }
    }

    /// Records it; returns whether there was anything to do.
    pub(crate) fn record(&self, pass: &mut ComputePass<'_>, step: Step) -> bool {
        if self.for_several_tiles && step.tiles < 2 {
            return false;
        }
        let count = |extent: Extent| match extent {
            Extent::Fixed(count) => count,
            Extent::Tiles => step.tiles,
            Extent::Tokens(each) => step.tokens.div_ceil(each),
        };
        self.record_groups(pass, [count(self.extent[0]), count(self.extent[1])]);
        true
    }

    /// Records it with so many workgroups, whatever was said before.
    pub(crate) fn record_groups(&self, pass: &mut ComputePass<'_>, [x, y]: [u32; 2]) {
        pass.set_pipeline(&self.kernel.pipeline);
        pass.set_bind_group(0, &self.group, &[]);
        pass.dispatch_workgroups(x, y, 1);
    }
}
