//! The machine that was measured, as far as it says so itself.

use std::fs;
use std::thread;

use crate::process::output;
use crate::workspace::Workspace;

/// Instruction sets that decide how fast matrices are multiplied.
const FLAGS: [&str; 7] =
    ["avx2", "fma", "avx_vnni", "avx512f", "avx512_vnni", "avx512_bf16", "amx_int8"];
/// Others' work for each core from which on times mean little.
const BUSY_PER_CORE: f64 = 0.3;

/// The machine, as it is described beside the figures.
pub struct Machine {
    processor: String,
    cores: usize,
    flags: Vec<String>,
    /// Programs that waited for a core in the last minute, before the measuring began.
    load: Option<f64>,
    commit: String,
}

/// Asks the system; what it does not tell is left out.
pub fn describe(workspace: &Workspace) -> Machine {
    let cpuinfo = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let present = field(&cpuinfo, "flags").unwrap_or_default();
    let present: Vec<&str> = present.split_whitespace().collect();
    let commit = output(workspace.program("git").args(["describe", "--always", "--dirty"]));
    Machine {
        processor: field(&cpuinfo, "model name")
            .unwrap_or_else(|| std::env::consts::ARCH.to_owned()),
        cores: thread::available_parallelism().map_or(1, usize::from),
        flags: FLAGS.into_iter().filter(|flag| present.contains(flag)).map(str::to_owned).collect(),
        load: fs::read_to_string("/proc/loadavg").ok().and_then(|text| first_number(&text)),
        commit: commit.map_or_else(|_| "unknown".to_owned(), |text| text.trim().to_owned()),
    }
}

/// Returns `true` if there may be a graphics processor: on Linux its device file tells, elsewhere the
/// driver is asked.
pub fn has_graphics() -> bool {
    !cfg!(target_os = "linux")
        || fs::read_dir("/dev/dri").is_ok_and(|mut files| files.next().is_some())
}

impl Machine {
    /// One line for terminal and document.
    pub fn line(&self) -> String {
        let flags = if self.flags.is_empty() {
            String::new()
        } else {
            format!(" ({})", self.flags.join(", "))
        };
        let load = self.load.map_or_else(String::new, |load| format!(", load {load} before"));
        format!(
            "{}, cores: {}{flags}, {} {}{load}, commit {}",
            self.processor,
            self.cores,
            std::env::consts::OS,
            std::env::consts::ARCH,
            self.commit
        )
    }

    /// A warning where other programs are at work.
    pub fn busy(&self) -> Option<String> {
        let load = self.load.filter(|load| *load > BUSY_PER_CORE * self.cores as f64)?;
        Some(format!(
            "this machine is busy (load {load} on {} cores): wait, or trust the ratios of single threads alone",
            self.cores
        ))
    }
}

fn field(text: &str, name: &str) -> Option<String> {
    let mut pairs = text.lines().filter_map(|line| line.split_once(':'));
    pairs.find(|(key, _)| key.trim() == name).map(|(_, value)| value.trim().to_owned())
}

fn first_number(text: &str) -> Option<f64> {
    text.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_fields_and_load() {
        let cpuinfo = "processor\t: 0\nmodel name\t: Some Processor @ 2 GHz\nflags\t\t: sse avx2\n";
        assert_eq!(field(cpuinfo, "model name").as_deref(), Some("Some Processor @ 2 GHz"));
        assert_eq!(field(cpuinfo, "bogomips"), None);
        assert_eq!(first_number("1.25 0.9 0.1 2/300 77"), Some(1.25));
    }
}
