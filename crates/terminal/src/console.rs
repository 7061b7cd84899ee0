//! The terminal: error reports, progress bars, a build under way, sizes and durations in words; and files written
//! whole.

use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{fmt, fs, io};

use anyhow::Context as _;
use campanile_build::{Observer, Progress, Stage, Triage};
use campanile_ingest::{Finding, Severity};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use tracing::info;

use crate::log;
pub use crate::{say, tell};

/// The job failed and did nothing, or was undone.
pub const EXIT_FAILURE: u8 = 1;
/// The job is done, but part of the input was left out and named.
pub const EXIT_PARTIAL: u8 = 3;

/// Prints a line as `println!` does. Where nobody reads it any more, as in `campanile lint docs | head`, the job goes on
/// and ends as it would have.
#[macro_export]
macro_rules! say {
    ($($line:tt)*) => { $crate::console::print_line(format_args!($($line)*)) };
}

/// Prints a line to standard error, as [`say`] does to standard output.
#[macro_export]
macro_rules! tell {
    ($($line:tt)*) => { $crate::console::print_remark(format_args!($($line)*)) };
}

/// Prints a line to standard output; only [`say`] calls it.
pub fn print_line(line: fmt::Arguments<'_>) {
    match writeln!(std::io::stdout().lock(), "{line}") {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            tell!("error: cannot print: {error}");
            std::process::exit(EXIT_FAILURE.into());
        }
        _ => {}
    }
}

/// Prints a line to standard error; only [`tell`] calls it.
pub fn print_remark(line: fmt::Arguments<'_>) {
    // There is no other place to complain.
    let _ = writeln!(std::io::stderr().lock(), "{line}");
}

/// Returns `true` if a job was ended because nobody reads what it prints.
pub fn nobody_reads(error: &anyhow::Error) -> bool {
    let cause = error.root_cause().downcast_ref::<std::io::Error>();
    cause.is_some_and(|cause| cause.kind() == ErrorKind::BrokenPipe)
}

/// Prints an error with its chain of causes, each on a line.
pub fn report(error: &anyhow::Error) {
    tell!("error: {error}");
    let mut previous = error.to_string();
    for cause in error.chain().skip(1) {
        let text = cause.to_string();
        // Library errors often carry their source's words already.
        if !previous.contains(&text) {
            tell!("  because: {text}");
        }
        previous = text;
    }
}

/// A bar that counts pieces of work, for example documents.
pub fn counting_bar(total: usize, label: &'static str, unit: &str) -> ProgressBar {
    let template = "{prefix:>10} {bar:32} {pos}/{len} {msg}, {eta} left";
    bar(total as u64, label, template).with_message(unit.to_owned())
}

/// A bar that counts pieces of work that take long, and how many are done in a second.
pub fn rate_bar(total: usize, label: &'static str, unit: &str) -> ProgressBar {
    let template =
        format!("{{prefix:>10}} {{bar:32}} {{pos}}/{{len}} {unit}, {{per_sec}}, {{eta}} left");
    bar(total as u64, label, &template)
}

/// A line that says what is done right now, where nobody knows how much there is.
fn spinner(label: &'static str) -> ProgressBar {
    let style = ProgressStyle::with_template("{prefix:>10} {wide_msg}");
    drawn(ProgressBar::new_spinner())
        .with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()))
        .with_prefix(label)
}

/// A bar that counts bytes.
pub fn bytes_bar(total: u64, label: &'static str) -> ProgressBar {
    bar(total, label, "{prefix:>10} {bar:32} {decimal_bytes}/{decimal_total_bytes}, {eta} left")
}

fn bar(total: u64, label: &'static str, template: &str) -> ProgressBar {
    let style = ProgressStyle::with_template(template)
        .unwrap_or_else(|_| ProgressStyle::default_bar())
        .progress_chars("=> ");
    drawn(ProgressBar::new(total)).with_style(style).with_prefix(label)
}

/// A bar that is drawn where that leaves the log readable.
fn drawn(bar: ProgressBar) -> ProgressBar {
    if log::is_on() {
        bar.set_draw_target(ProgressDrawTarget::hidden());
    }
    bar
}

/// `1234567` as `1.2 MB`: decimal units, as browsers and hosts count.
pub fn bytes(count: u64) -> String {
    const UNITS: [(&str, f64); 3] = [("GB", 1e9), ("MB", 1e6), ("kB", 1e3)];
    for (unit, size) in UNITS {
        if count as f64 >= size {
            return format!("{:.1} {unit}", count as f64 / size);
        }
    }
    format!("{count} bytes")
}

/// A duration as `850 ms`, `12.3 s` or `4 min 05 s`.
pub fn duration(elapsed: Duration) -> String {
    let seconds = elapsed.as_secs_f64();
    if seconds < 1.0 {
        format!("{:.0} ms", seconds * 1000.0)
    } else if seconds < 120.0 {
        format!("{seconds:.1} s")
    } else {
        let whole = elapsed.as_secs();
        format!("{} min {:02} s", whole / 60, whole % 60)
    }
}

/// `1 document`, `2 documents`.
pub fn count(number: usize, singular: &str) -> String {
    match number {
        1 => format!("1 {singular}"),
        _ => format!("{number} {singular}s"),
    }
}

/// Shows a build in the terminal.
pub struct Watching {
    /// The least severe findings that are shown.
    pub from: Severity,
}

/// The program that reads one file for a build: this one, also when its file has been replaced or removed since, as an
/// update or a compiler does under a build of an hour or a watch of a day.
///
/// # Errors
/// Where the system does not say where it lies.
pub fn this_program() -> anyhow::Result<PathBuf> {
    // Linux keeps a running program under this name, whatever became of its file.
    let kept = Path::new("/proc/self/exe");
    if cfg!(target_os = "linux") && kept.exists() {
        return Ok(kept.to_owned());
    }
    std::env::current_exe().context("cannot find this program's own file")
}

impl Observer for Watching {
    /// Says of each file that it is missing, and the rest in few lines: of hundreds, the one that counts is not read.
    fn findings(&self, findings: &[&Finding]) {
        let (failures, others): (Vec<_>, Vec<_>) =
            findings.iter().copied().partition(|finding| finding.is_failure());
        failures.iter().for_each(|finding| tell!("not read: {finding}"));
        let shown = |finding: &&Finding| finding.severity() >= self.from;
        let triage = Triage::new(others.into_iter().filter(shown));
        triage.lines.iter().for_each(|line| tell!("warning: {}", line.message));
        if triage.others > 0 {
            let others = count(triage.others, "more warning");
            tell!("and {others}: the report has them all, and so has `campanile lint`");
        }
    }

    fn remark(&self, line: &str) {
        tell!("{line}");
    }

    fn begin(&self, stage: &Stage<'_>) -> Box<dyn Progress> {
        let Stage { name, total, pieces, is_slow } = *stage;
        let bar = match total {
            None => spinner(name),
            Some(total) if is_slow => rate_bar(total, name, pieces),
            Some(total) => counting_bar(total, name, pieces),
        };
        info!(stage = name, total, pieces, "begun");
        Box::new(Bar { bar, name, begun: Instant::now() })
    }
}

/// A bar that goes away when its stage ends.
struct Bar {
    bar: ProgressBar,
    name: &'static str,
    begun: Instant,
}

impl Progress for Bar {
    fn advance(&self, pieces: usize) {
        self.bar.inc(pieces as u64);
    }

    fn now(&self, what: &str) {
        self.bar.set_message(what.to_owned());
        self.bar.tick();
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
        info!(stage = self.name, done = self.bar.position(), took = ?self.begun.elapsed(), "done");
    }
}

/// Writes a file whole or not at all.
pub fn replace(path: &Path, text: &str) -> io::Result<()> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let part = path.with_file_name(format!("{name}.part"));
    let named = |error: io::Error| {
        io::Error::new(error.kind(), format!("cannot write `{}`: {error}", path.display()))
    };
    // Beside it and renamed, which is done whole or not at all; on the disk first, or a crash could leave the new
    // name with no content.
    let mut file = fs::File::create(&part).map_err(named)?;
    file.write_all(text.as_bytes()).and_then(|()| file.sync_all()).map_err(named)?;
    fs::rename(&part, path).map_err(named)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_durations_read_well() {
        let sizes =
            [(0, "0 bytes"), (999, "999 bytes"), (1_000, "1.0 kB"), (22_712_345, "22.7 MB")];
        for (count, expected) in sizes {
            assert_eq!(bytes(count), expected);
        }
        let durations = [(850, "850 ms"), (12_300, "12.3 s"), (245_000, "4 min 05 s")];
        for (milliseconds, expected) in durations {
            assert_eq!(duration(Duration::from_millis(milliseconds)), expected);
        }
    }

    #[test]
    fn counts_take_the_right_number() {
        assert_eq!(count(1, "document"), "1 document");
        assert_eq!(count(0, "document"), "0 documents");
    }
}
