//! What the terminal shows: error reports, progress bars, sizes and durations in words.

use std::fmt;
use std::io::{ErrorKind, Write as _};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

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

pub use crate::{say, tell};

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

/// Whether a job was ended because nobody reads what it prints.
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
pub fn spinner(label: &'static str) -> ProgressBar {
    let style = ProgressStyle::with_template("{prefix:>10} {wide_msg}");
    ProgressBar::new_spinner()
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
    ProgressBar::new(total).with_style(style).with_prefix(label)
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
