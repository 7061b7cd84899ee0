//! Measures how the code is housed: whether its files are worth opening, and say why.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail, ensure};

use crate::files;

/// The text that `cargo xtask house --help` prints.
pub const HELP: &str = "\
Measures how the code is housed: whether its files are worth opening, and say why

Usage: cargo xtask house [CRATE...]

Without a name: a row for each crate, the largest first, and one for all. With names, such as
`crates/website`: the rows of these crates, and each of their files with its lines.

What the columns say, and what is aimed at:
  files      files of Rust that are not tests
  lines      their lines; code has neither blank lines nor comments nor documentation
  median     lines of the file in the middle. Files are worth opening at 150 to 350: what is always
             read together is one file, and its name says what room it is
  <60        files under 60 lines, which make a reader jump. A few are right: a `main.rs`, a first page
  >800       files over 800 lines, which hold more than one thing
  why        lines of `//` comments for 100 lines of code. A comment says why: which documents,
             measurement or failure chose a number, why an order or an odd form. About 2.5 is aimed at
  asks       of 100 documented items, those that open with What, Whether, How or Where, and so ask
             what they should tell. `The tokens that two duplicates must share`, or a verb, tells

Not counted: `tests.rs` and the like, the part of a file from its `mod tests` on, and the folders
tests, benches, examples, fuzz, pkg and target. `cargo xtask test house` fails where the median of all is under 150,
where fewer than 2 lines of 100 say why, or where 8 items of 100 ask.";

/// Folders in which nothing is counted.
const PASSED_OVER: [&str; 8] =
    ["target", "node_modules", ".git", "tests", "benches", "fuzz", "examples", "pkg"];
/// A file below it is a fragment of what it is read with.
const FEWEST_LINES: usize = 60;
/// A file above it holds more than one thing.
const MOST_LINES: usize = 800;
/// The words with which documentation asks rather than tells.
const QUESTION_WORDS: [&str; 4] = ["What", "Whether", "How", "Where"];

/// Prints the table of the checkout at `root`, or the named crates with their files.
pub fn run(root: &Path, names: &[String]) -> Result<()> {
    let house = House::measure(root)?;
    print!("{}", if names.is_empty() { house.table() } else { house.crates(names)? });
    Ok(())
}

/// The limits that all crates together keep to.
const LEAST_MEDIAN: f64 = 150.0;
const LEAST_WHY_PERCENT: f64 = 2.0;
const MOST_ASKING_PERCENT: f64 = 8.0;

/// Fails where the code of the checkout at `root` is housed worse than it may be.
pub fn check(root: &Path) -> Result<()> {
    let all = Figures::sum(House::measure(root)?.0.values().flatten());
    let why = percent(all.comments, all.code);
    let asking = percent(all.asking, all.documented);
    ensure!(
        all.median() >= LEAST_MEDIAN && why >= LEAST_WHY_PERCENT && asking < MOST_ASKING_PERCENT,
        "of all crates the median file has {:.0} lines (at least {LEAST_MEDIAN}), {why:.2} lines of 100 say why (at least \
         {LEAST_WHY_PERCENT}), {asking:.1} items of 100 ask (less than {MOST_ASKING_PERCENT})\n  way out: `cargo xtask house` \
         names the crates, `cargo xtask house CRATE` its files",
        all.median(),
    );
    Ok(())
}

/// The files of each crate, by the crate's folder relative to the checkout.
struct House(BTreeMap<PathBuf, Vec<(PathBuf, Figures)>>);

/// The figures of one file that is no test, or of several.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
struct Figures {
    /// The lines of each file.
    lines: Vec<usize>,
    /// Lines of code.
    code: usize,
    /// Lines of comments that are no documentation.
    comments: usize,
    /// Documented items.
    documented: usize,
    /// Documented items that open with a question word.
    asking: usize,
}

impl House {
    fn measure(root: &Path) -> Result<Self> {
        let mut house = Self(BTreeMap::new());
        house.enter(root, Path::new(""), Path::new(""))?;
        Ok(house)
    }

    /// Counts the files of `folder`, which belongs to the crate at `home` unless it is one itself.
    fn enter(&mut self, root: &Path, folder: &Path, home: &Path) -> Result<()> {
        let paths = files::list(&root.join(folder))?;
        let is_crate = paths.iter().any(|path| path.ends_with("Cargo.toml"));
        let home = if is_crate { folder } else { home };
        for path in paths {
            let Some(name) = path.file_name().and_then(|name| name.to_str()) else { continue };
            let inside = folder.join(name);
            // A link to a folder would count it twice, or lead out of the checkout.
            if fs::symlink_metadata(&path)?.is_dir() {
                if !PASSED_OVER.contains(&name) {
                    self.enter(root, &inside, home)?;
                }
            } else if name.ends_with(".rs") && !is_test_file(name) {
                let figures = Figures::of(&files::read_text(&path)?);
                self.0.entry(home.to_owned()).or_default().push((inside, figures));
            }
        }
        Ok(())
    }

    /// A row for each crate, the largest first, and one for all.
    fn table(&self) -> String {
        let mut rows: Vec<(String, Figures)> =
            self.0.iter().map(|(home, files)| (name(home), Figures::sum(files))).collect();
        rows.sort_by_key(|(_, figures)| std::cmp::Reverse(figures.total()));
        let all = self.0.values().flatten();
        rows.push(("all".to_owned(), Figures::sum(all)));
        rows.iter().fold(heading(), |table, (name, figures)| table + &figures.row(name))
    }

    /// The named crates, each with its files, the longest first.
    fn crates(&self, names: &[String]) -> Result<String> {
        let mut text = heading();
        for wanted in names {
            let found = self.0.iter().find(|(home, _)| name(home) == wanted.trim_end_matches('/'));
            let Some((home, files)) = found else {
                let known: Vec<String> = self.0.keys().map(|home| name(home)).collect();
                bail!("there is no crate in `{wanted}`; the crates are: {}", known.join(", "));
            };
            text += &Figures::sum(files).row(&name(home));
            let mut files: Vec<&(PathBuf, Figures)> = files.iter().collect();
            files.sort_by_key(|(_, figures)| std::cmp::Reverse(figures.total()));
            for (path, figures) in files {
                let _infallible = writeln!(text, "{:>10}  {}", figures.total(), path.display());
            }
        }
        Ok(text)
    }
}

impl Figures {
    /// The figures of one file's text, up to its tests.
    fn of(text: &str) -> Self {
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        let lines = &lines[..tests_begin(&lines).unwrap_or(lines.len())];
        let mut figures = Self { lines: vec![lines.len()], ..Self::default() };
        let mut in_documentation = false;
        for line in lines {
            let documentation = line.strip_prefix("///").or_else(|| line.strip_prefix("//!"));
            match documentation {
                // The first line of an item's documentation is how it opens.
                Some(opening) if !in_documentation => {
                    figures.documented += 1;
                    figures.asking += usize::from(asks(opening));
                }
                Some(_) => {}
                None if line.starts_with("//") => figures.comments += 1,
                None => figures.code += usize::from(!line.is_empty()),
            }
            in_documentation = documentation.is_some();
        }
        figures
    }

    fn sum<'f>(files: impl IntoIterator<Item = &'f (PathBuf, Figures)>) -> Self {
        files.into_iter().fold(Self::default(), |mut sum, (_, figures)| {
            sum.lines.extend(&figures.lines);
            sum.code += figures.code;
            sum.comments += figures.comments;
            sum.documented += figures.documented;
            sum.asking += figures.asking;
            sum
        })
    }

    fn total(&self) -> usize {
        self.lines.iter().sum()
    }

    /// The middle of the files' lines: of an even number of files, the mean of the two in the middle.
    fn median(&self) -> f64 {
        let mut lines = self.lines.clone();
        lines.sort_unstable();
        let middle = lines.len() / 2;
        match lines.len() {
            0 => 0.0,
            count if count % 2 == 1 => lines[middle] as f64,
            _ => (lines[middle - 1] + lines[middle]) as f64 / 2.0,
        }
    }

    fn row(&self, name: &str) -> String {
        let number_of = |is_meant: fn(usize) -> bool| {
            self.lines.iter().filter(|lines| is_meant(**lines)).count()
        };
        format!(
            "{name:<28} {:>6} {:>8} {:>8} {:>7.1} {:>5} {:>5} {:>6.2} {:>6.1}\n",
            self.lines.len(),
            self.total(),
            self.code,
            self.median(),
            number_of(|lines| lines < FEWEST_LINES),
            number_of(|lines| lines > MOST_LINES),
            percent(self.comments, self.code),
            percent(self.asking, self.documented),
        )
    }
}

fn heading() -> String {
    format!(
        "{:<28} {:>6} {:>8} {:>8} {:>7} {:>5} {:>5} {:>6} {:>6}\n",
        "crate", "files", "lines", "code", "median", "<60", ">800", "why", "asks"
    )
}

/// The name of a crate's row: its folder, and for the package at the root that of its sources.
fn name(home: &Path) -> String {
    if home.as_os_str().is_empty() { "src".to_owned() } else { home.display().to_string() }
}

fn is_test_file(name: &str) -> bool {
    matches!(name, "tests.rs" | "test.rs")
        || name.ends_with("_test.rs")
        || name.ends_with("_tests.rs")
}

/// The place of the line that begins a file's own tests: `#[cfg(test)]` in front of a module with a body. One
/// without is in a file of its own.
fn tests_begin(lines: &[&str]) -> Option<usize> {
    let is_module = |line: &str| {
        let line = line.strip_prefix("pub ").unwrap_or(line);
        line.starts_with("mod ") && line.ends_with('{')
    };
    (0..lines.len()).find(|&place| {
        lines[place] == "#[cfg(test)]"
            // Further attributes may stand between: what the lints are to expect of tests.
            && lines[place..].iter().find(|line| !line.starts_with("#[")).is_some_and(|it| is_module(it))
    })
}

fn asks(opening: &str) -> bool {
    let opening = opening.trim_start();
    let is_word = |character: char| character.is_alphanumeric() || character == '_';
    let word = opening.find(|character| !is_word(character)).map_or(opening, |end| &opening[..end]);
    QUESTION_WORDS.contains(&word)
}

/// A share of `whole`, and 0 of nothing.
fn percent(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { 100.0 * part as f64 / whole as f64 }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

    use super::*;

    #[test]
    fn lines_are_told_apart() {
        let text = "//! Whatever it is.\n//! How so\n\n/// What it is.\n/// More.\nfn a() {\n    // Why.\n    b(); // because\n\
                    }\n\n/// Where.\nfn c() {}\n\n#[cfg(test)]\nmod tests {\n    // no\n}\n";
        let expected = Figures { lines: vec![13], code: 4, comments: 1, documented: 3, asking: 2 };
        assert_eq!(Figures::of(text), expected);
    }

    #[test]
    fn tests_end_what_is_counted() {
        let cases = [
            ("fn a() {}\n#[cfg(test)]\nmod tests {\n}\n", 1),
            ("fn a() {}\n#[cfg(test)]\n#[expect(clippy::unwrap_used)]\npub mod tests {\n}\n", 1),
            ("fn a() {}\n#[cfg(test)]\nmod tests;\n", 3),
            ("#[cfg(test)]\nuse b;\nfn a() {}\n", 3),
            ("", 0),
        ];
        for (text, lines) in cases {
            assert_eq!(Figures::of(text).lines, [lines], "{text}");
        }
    }

    #[test]
    fn the_median_of_an_even_number_lies_between() {
        let median =
            |lines: &[usize]| Figures { lines: lines.to_vec(), ..Figures::default() }.median();
        assert_eq!(median(&[9, 1, 5]), 5.0);
        assert_eq!(median(&[9, 1, 4, 5]), 4.5);
        assert_eq!(median(&[]), 0.0);
    }

    /// A workspace with a crate in a crate's folder, tests, and what is no source.
    fn made_up(root: &Path) {
        let code = |lines: usize| "x\n".repeat(lines);
        let tree = [
            ("Cargo.toml", String::new()),
            ("src/main.rs", code(70)),
            ("target/built.rs", code(9)),
            ("crates/a/Cargo.toml", String::new()),
            ("crates/a/src/lib.rs", "// Why.\n".to_owned() + &code(99)),
            ("crates/a/src/small.rs", code(10)),
            ("crates/a/src/small/tests.rs", code(9)),
            ("crates/a/tests/all.rs", code(9)),
            ("crates/a/notes.txt", code(9)),
            ("crates/a/module/Cargo.toml", String::new()),
            ("crates/a/module/src/lib.rs", code(801)),
        ];
        for (path, text) in tree {
            let path = root.join(path);
            files::make_folder(path.parent().unwrap()).unwrap();
            files::write(&path, text).unwrap();
        }
    }

    #[test]
    fn a_row_for_each_crate_and_one_for_all() {
        let root = std::env::temp_dir().join(format!("campanile-house-{}", std::process::id()));
        files::remove_folder(&root).unwrap();
        made_up(&root);
        let house = House::measure(&root).unwrap();
        let table = house.table();
        let rows: Vec<Vec<&str>> =
            table.lines().skip(1).map(|row| row.split_whitespace().collect()).collect();
        assert_eq!(
            rows,
            [
                ["crates/a/module", "1", "801", "801", "801.0", "0", "1", "0.00", "0.0"],
                ["crates/a", "2", "110", "109", "55.0", "1", "0", "0.92", "0.0"],
                ["src", "1", "70", "70", "70.0", "0", "0", "0.00", "0.0"],
                ["all", "4", "981", "980", "85.0", "1", "1", "0.10", "0.0"],
            ]
        );
        let text = house.crates(&["crates/a/".to_owned()]).unwrap();
        assert!(
            text.contains("       100  crates/a/src/lib.rs\n        10  crates/a/src/small.rs\n"),
            "{text}"
        );
        let error = house.crates(&["crates/b".to_owned()]).unwrap_err();
        assert!(error.to_string().ends_with("crates/a, crates/a/module"), "{error}");
        files::remove_folder(&root).unwrap();
    }
}
