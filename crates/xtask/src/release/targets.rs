//! The systems that a release has the command for. The workflow of a release, the packages for npm and the script that
//! fetches a release all name them: the tests hold each of these against the list here.

use std::path::PathBuf;

use anyhow::{Context as _, Result};

use crate::process;
use crate::workspace::Workspace;

/// A system that the command is compiled for, in the words of those who pack it.
#[derive(Debug, PartialEq, Eq)]
pub struct Target {
    /// The compiler's name for it.
    pub triple: &'static str,
    /// `process.platform` of Node.js, which is npm's `os`.
    pub os: &'static str,
    /// `process.arch` of Node.js, which is npm's `cpu`.
    pub cpu: &'static str,
    /// npm's `libc`, where a system has several.
    pub libc: Option<&'static str>,
}

/// All of them.
pub const TARGETS: [Target; 5] = [
    Target { triple: "x86_64-unknown-linux-gnu", os: "linux", cpu: "x64", libc: Some("glibc") },
    Target { triple: "aarch64-unknown-linux-gnu", os: "linux", cpu: "arm64", libc: Some("glibc") },
    Target { triple: "x86_64-apple-darwin", os: "darwin", cpu: "x64", libc: None },
    Target { triple: "aarch64-apple-darwin", os: "darwin", cpu: "arm64", libc: None },
    Target { triple: "x86_64-pc-windows-msvc", os: "win32", cpu: "x64", libc: None },
];

impl Target {
    /// The target of this name.
    pub fn named(triple: &str) -> Result<&'static Self> {
        TARGETS.iter().find(|target| target.triple == triple).with_context(|| {
            let known: Vec<_> = TARGETS.iter().map(|target| target.triple).collect();
            format!(
                "a release has nothing for {triple}, only for {}\n  way out: add it to TARGETS in \
                 crates/xtask/src/release/targets.rs; the tests there say what else names the targets",
                known.join(", ")
            )
        })
    }

    /// This machine's, as its compiler tells it.
    pub fn host(workspace: &Workspace) -> Result<&'static Self> {
        let told = process::output(workspace.program("rustc").arg("-vV"))?;
        let line = told.lines().find_map(|line| line.strip_prefix("host: "));
        Self::named(line.context("`rustc -vV` names no host")?)
    }

    /// The command's file.
    pub fn executable(&self) -> &'static str {
        if self.os == "win32" { "campanile.exe" } else { "campanile" }
    }

    /// The command, compiled for this target by its name.
    pub fn compiled(&self, workspace: &Workspace) -> PathBuf {
        workspace.target.join(self.triple).join("release").join(self.executable())
    }

    /// The name of its archive, and of the one folder in it.
    pub fn archive_name(&self) -> String {
        format!("campanile-{}-{}", super::VERSION, self.triple)
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

    use std::path::Path;

    use serde_yaml_ng::Value;

    use super::*;
    use crate::files;

    fn checkout() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
    }

    fn text(path: &str) -> String {
        files::read_text(&checkout().join(path)).unwrap()
    }

    /// A template of `cargo binstall` with its variables' values.
    fn expanded(template: &str, target: &Target) -> String {
        let extension = target.executable().strip_prefix("campanile").unwrap();
        let known = [
            ("repo", env!("CARGO_PKG_REPOSITORY")),
            ("version", env!("CARGO_PKG_VERSION")),
            ("target", target.triple),
            ("bin", "campanile"),
            ("binary-ext", extension),
        ];
        let text = known.iter().fold(template.to_owned(), |text, (name, value)| {
            text.replace(&format!("{{ {name} }}"), value)
        });
        assert!(!text.contains('{'), "a variable is left: {text}");
        text
    }

    #[test]
    fn binstall_looks_where_archives_lie() {
        let workspace = Workspace::locate().unwrap();
        let packages = workspace.packages().unwrap();
        let package = packages.iter().find(|package| package["name"] == "campanile").unwrap();
        let binstall = &package["metadata"]["binstall"];
        assert_eq!(binstall["pkg-fmt"], "tgz");
        let script = text("publish/publish.sh");
        let releases = format!("{}/releases/download", env!("CARGO_PKG_REPOSITORY"));
        assert!(script.contains(&releases), "the script fetches elsewhere");
        for target in &TARGETS {
            let name = target.archive_name();
            assert_eq!(
                expanded(binstall["pkg-url"].as_str().unwrap(), target),
                format!("{releases}/v{}/{name}.tar.gz", super::super::VERSION)
            );
            assert_eq!(
                expanded(binstall["bin-dir"].as_str().unwrap(), target),
                format!("{name}/{}", target.executable())
            );
        }
    }

    #[test]
    fn a_release_is_made_for_each_target() {
        let workflow: Value =
            serde_yaml_ng::from_str(&text(".github/workflows/release.yml")).unwrap();
        let matrix = &workflow["jobs"]["archives"]["strategy"]["matrix"]["include"];
        let made: Vec<&str> =
            matrix.as_sequence().unwrap().iter().map(|it| it["target"].as_str().unwrap()).collect();
        let known: Vec<&str> = TARGETS.iter().map(|target| target.triple).collect();
        assert_eq!(made, known);
        // Both have further words for each, and none for others.
        let script = text("publish/publish.sh");
        let fetched = script.lines().filter(|line| line.contains(") echo ")).count();
        assert_eq!(fetched, TARGETS.len(), "the script knows other systems");
        let checked = text("deny.toml");
        for triple in known {
            assert!(script.contains(&format!(" echo {triple} ;;")), "{triple}");
            assert!(checked.contains(&format!("\"{triple}\"")), "{triple}");
        }
    }

    #[test]
    fn a_target_that_is_none_is_told_with_those_that_are() {
        assert_eq!(Target::named("x86_64-apple-darwin").unwrap(), &TARGETS[2]);
        let error = Target::named("riscv64gc-unknown-linux-gnu").unwrap_err().to_string();
        assert!(error.contains("nothing for riscv64gc-unknown-linux-gnu"), "{error}");
        assert!(error.contains("x86_64-pc-windows-msvc\n  way out: add it"), "{error}");
    }
}
