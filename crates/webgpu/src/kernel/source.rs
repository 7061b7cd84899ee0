//! The kernels' source, put together from files with a few lines that depend on the case.
//!
//! Lines `//#if name`, `//#else`, `//#endif` keep or drop what is between them, `//#include name`
//! brings another file in, and `{{name}}` stands for a number that is fixed for a model. Sizes
//! that change from step to step are never part of the source: each source is compiled once.

use crate::format::Format;

const FILES: [(&str, &str); 18] = [
    ("activation", include_str!("shaders/activation.wgsl")),
    ("attend", include_str!("shaders/attend.wgsl")),
    ("attend_block", include_str!("shaders/attend_block.wgsl")),
    ("best", include_str!("shaders/best.wgsl")),
    ("cache", include_str!("shaders/cache.wgsl")),
    ("combine", include_str!("shaders/combine.wgsl")),
    ("embed", include_str!("shaders/embed.wgsl")),
    ("float", include_str!("shaders/float.wgsl")),
    ("gate", include_str!("shaders/gate.wgsl")),
    ("heads", include_str!("shaders/heads.wgsl")),
    ("int4", include_str!("shaders/int4.wgsl")),
    ("int8", include_str!("shaders/int8.wgsl")),
    ("layer_norm", include_str!("shaders/layer_norm.wgsl")),
    ("matmul", include_str!("shaders/matmul.wgsl")),
    ("matrix", include_str!("shaders/matrix.wgsl")),
    ("matvec", include_str!("shaders/matvec.wgsl")),
    ("prepare", include_str!("shaders/prepare.wgsl")),
    ("step", include_str!("shaders/step.wgsl")),
];

/// One case of a kernel.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Case {
    name: &'static str,
    format: Option<Format>,
    flags: Vec<&'static str>,
    constants: Vec<(&'static str, String)>,
}

impl Case {
    /// The kernel in the file of that name.
    pub(crate) fn new(name: &'static str) -> Self {
        Self { name, ..Self::default() }
    }

    /// With weights in `format`, read as four words at once or one by one.
    pub(crate) fn weights(mut self, format: Format, by_four: bool) -> Self {
        self.format = Some(format);
        self.flags.push(format.shader().1);
        self.when("words_by_four", by_four)
    }

    /// With `flag` where `is_so`.
    pub(crate) fn when(mut self, flag: &'static str, is_so: bool) -> Self {
        if is_so {
            self.flags.push(flag);
        }
        self
    }

    /// With a number.
    pub(crate) fn number(mut self, name: &'static str, value: impl ToString) -> Self {
        self.constants.push((name, value.to_string()));
        self
    }

    /// A name for messages.
    pub(crate) fn label(&self) -> String {
        let mut label = self.name.to_owned();
        for flag in &self.flags {
            label.push(' ');
            label.push_str(flag);
        }
        label
    }

    /// The source in WGSL.
    pub(crate) fn source(&self) -> String {
        let mut source = String::new();
        self.expand(self.name, &mut source);
        for (name, value) in &self.constants {
            source = source.replace(&format!("{{{{{name}}}}}"), value);
        }
        source
    }

    fn expand(&self, file: &str, source: &mut String) {
        let text = FILES.iter().find(|(name, _)| *name == file).map_or("", |(_, text)| text);
        // For each open condition, whether its lines are kept.
        let mut kept = Vec::new();
        for line in text.lines() {
            if let Some(flag) = line.strip_prefix("//#if ") {
                kept.push(self.flags.contains(&flag));
            } else if line == "//#else" {
                if let Some(last) = kept.last_mut() {
                    *last = !*last;
                }
            } else if line == "//#endif" {
                kept.pop();
            } else if !kept.contains(&false) {
                match line.strip_prefix("//#include ") {
                    Some("format") => {
                        self.expand(self.format.map_or("", |format| format.shader().0), source);
                    }
                    Some(file) => self.expand(file, source),
                    None => {
                        source.push_str(line);
                        source.push('\n');
                    }
                }
            }
        }
    }
}
