//! The kernels' source, put together from files with a few lines that depend on the case.
//!
//! Lines `//#if name`, `//#else`, `//#endif` keep or drop what is between them, `//#include name`
//! brings another file in, and `{{name}}` stands for a number that is fixed for a model. Sizes
//! that change from step to step are never part of the source: each source is compiled once.
//!
//! Bindings are numbered here, whatever number their line has: burn binds what is read, then what is written, then the one
//! uniform, from 0 on.

use crate::format::Format;

const FILES: [(&str, &str); 19] = [
    ("activation", include_str!("shaders/activation.wgsl")),
    ("attend", include_str!("shaders/attend.wgsl")),
    ("attend_block", include_str!("shaders/attend_block.wgsl")),
    ("best", include_str!("shaders/best.wgsl")),
    ("cache", include_str!("shaders/cache.wgsl")),
    ("combine", include_str!("shaders/combine.wgsl")),
    ("copy", include_str!("shaders/copy.wgsl")),
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
        self.when("scales", format.scale_halves() > 0).when("words_by_four", by_four)
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

    /// A name that no other case has.
    pub(crate) fn key(&self) -> String {
        let constants = self.constants.iter().map(|(name, value)| format!(" {name}={value}"));
        let format = self.format.map(|format| format!(" {format:?}"));
        [self.label()].into_iter().chain(format).chain(constants).collect()
    }

    /// The source in WGSL, and what each of its bindings is for, in the order of their lines.
    pub(crate) fn source(&self) -> (String, Vec<Access>) {
        let mut source = String::new();
        self.expand(self.name, &mut source);
        for (name, value) in &self.constants {
            source = source.replace(&format!("{{{{{name}}}}}"), value);
        }
        // After all lines are in place, since a binding in a line that was dropped must not be counted.
        numbered(&source)
    }

    fn expand(&self, file: &str, source: &mut String) {
        // A name that is none of the files gives an empty source, which the device's compiler refuses by the kernel's
        // name.
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

/// The use that a kernel makes of a binding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Access {
    Read,
    Written,
    /// The uniform of its sizes.
    Sizes,
}

/// The same source with its bindings numbered in the order of [`Access`].
fn numbered(source: &str) -> (String, Vec<Access>) {
    let accesses: Vec<Access> =
        source.lines().filter_map(binding).map(|(access, _)| access).collect();
    let mut next = [Access::Read, Access::Written, Access::Sizes]
        .map(|access| accesses.iter().filter(|&&other| other < access).count());
    let mut text = String::with_capacity(source.len());
    for line in source.lines() {
        match binding(line) {
            Some((access, declaration)) => {
                let number = &mut next[access as usize];
                text.push_str(&format!("@group(0) @binding({number}){declaration}"));
                *number += 1;
            }
            None => text.push_str(line),
        }
        text.push('\n');
    }
    (text, accesses)
}

/// The binding that a line declares: what it is for, and the line behind its number.
fn binding(line: &str) -> Option<(Access, &str)> {
    let (_, declaration) = line.strip_prefix("@group(0) @binding(")?.split_once(')')?;
    let access = match () {
        () if declaration.contains("var<uniform>") => Access::Sizes,
        () if declaration.contains("read_write") => Access::Written,
        () => Access::Read,
    };
    Some((access, declaration))
}

#[cfg(test)]
mod tests {
    use super::{Access, Case, numbered};
    use crate::format::Format;

    #[test]
    fn bindings_are_numbered_as_burn_binds_them() {
        let source = "@group(0) @binding(0) var<uniform> a: A;\n@group(0) @binding(1) var<storage, read_write> b: B;\n@group(0) @binding(7) var<storage, read> c: C;\nfn main() {}\n@group(0) @binding(2) var<storage, read> d: D;\n";
        let (text, accesses) = numbered(source);
        assert_eq!(accesses, [Access::Sizes, Access::Written, Access::Read, Access::Read]);
        let numbers: Vec<&str> = text
            .lines()
            .filter_map(|line| line.split("binding(").nth(1))
            .map(|rest| &rest[..1])
            .collect();
        assert_eq!(numbers, ["3", "2", "0", "1"]);
        assert!(text.contains("fn main() {}\n"));
    }

    /// burn's layout is that of the bindings that a kernel uses: one that it declares and does not use would
    /// shift all others.
    #[test]
    fn every_binding_is_used_and_no_kernel_has_two_uniforms() {
        let product =
            |name| Case::new(name).weights(Format::Int4, name == "matvec").number("lanes", 8);
        let heads = crate::product::Heads {
            heads: 4,
            key_heads: 2,
            width: 64,
            epsilon: 1e-5,
            precision: crate::CachePrecision::Full,
        };
        let mut cases = vec![
            product("matvec"),
            product("matvec").when("norm", true).when("gated", true),
            product("matvec").when("bias", true).when("residual", true),
            product("matmul"),
            product("matmul").when("norm", true).when("gated", true),
            product("matmul").when("bias", true).when("activation", true).when("gelu", true),
            product("embed"),
            Case::new("matvec").weights(Format::Full, true).number("lanes", 8),
            Case::new("matmul").weights(Format::Half, false),
            Case::new("embed").weights(Format::Brain, false),
            Case::new("best").when("first", true),
            Case::new("best"),
            Case::new("copy"),
            Case::new("gate").number("wide", 96),
            Case::new("layer_norm").number("hidden", 384).number("epsilon", "1e-12"),
        ];
        for name in ["attend", "attend_block", "combine", "prepare"] {
            cases.push(heads.case(name));
            cases.push(heads.case(name).when("head_norm", true).when("whole", true));
        }
        for case in cases {
            let (text, accesses) = case.source();
            let uniforms = accesses.iter().filter(|&&access| access == Access::Sizes).count();
            assert!(uniforms <= 1, "{} has {uniforms} uniforms", case.label());
            for line in text.lines().filter(|line| line.starts_with("@group(0)")) {
                let name = line.split('>').nth(1).and_then(|rest| rest.split(':').next());
                let name = name.map_or("", str::trim);
                assert!(!name.is_empty(), "no name in {line}");
                let uses = text
                    .split(|c: char| !c.is_alphanumeric() && c != '_')
                    .filter(|word| *word == name)
                    .count();
                assert!(uses > 1, "{} never uses its binding `{name}`", case.label());
            }
        }
    }
}
