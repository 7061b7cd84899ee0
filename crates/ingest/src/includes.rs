//! What a page takes in from other files: `--8<-- "fees.md"`, `{{#include fees.md}}`,
//! `.. include:: fees.rst`, a component that was imported from a Markdown file.
//!
//! A generator puts the words of such a file into the page, and publishes no page of its own for it.
//! So the words are read where they stand, and whoever reads the folder leaves the file out
//! ([`Reading::taken_in`](crate::Reading::taken_in)). Only files of the folder are taken in; the mark
//! of any other stays, and is reported by the page's reader.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::discover::slashed;
use crate::front_matter;
use crate::kind::Kind;
use crate::report::Report;

/// Files within files that are followed.
const DEEPEST: usize = 8;
/// Most bytes that one page takes in, all its files together.
const MOST_BYTES: usize = 2_000_000;
/// Most files that one page takes in.
const MOST_FILES: usize = 500;
/// The signs of the deepest heading of AsciiDoc.
const MOST_SIGNS: usize = 6;

/// A page with what it takes in.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Filled {
    pub(crate) text: String,
    /// The files that stand in it as a whole, or are named as parts of others are (`_fees.md`),
    /// relative to the documents' folder.
    pub(crate) files: BTreeSet<String>,
}

/// The page with the files that it names in their places; `None` where it names none that is there.
pub(crate) fn filled(root: &Path, path: &Path, kind: Kind, text: &str) -> Option<Filled> {
    let root = root.canonicalize().ok()?;
    let page = root.join(path).canonicalize().ok()?;
    let mut filling = Filling { root, kind, files: BTreeSet::new(), count: 0, bytes: 0 };
    let text = filling.fill(&mut vec![page], text);
    (filling.count > 0).then_some(Filled { text, files: filling.files })
}

/// A file that a page names, and the part of it that is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Named<'t> {
    file: &'t str,
    part: Part<'t>,
    /// Levels by which its headings lie deeper on the page (AsciiDoc).
    deeper: i8,
}

impl<'t> Named<'t> {
    fn new(file: &'t str, part: Part<'t>) -> Self {
        Self { file, part, deeper: 0 }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part<'t> {
    Whole,
    /// From one line to another, counted from 1, both included.
    Lines(usize, usize),
    /// Between marks of this name.
    Section(&'t str),
    /// Behind the first of these words, and before the second.
    Between(Option<&'t str>, Option<&'t str>),
}

struct Filling {
    root: PathBuf,
    kind: Kind,
    files: BTreeSet<String>,
    count: usize,
    bytes: usize,
}

impl Filling {
    /// The text with what it names; `open` are the files that are being read, each within the one before.
    fn fill(&mut self, open: &mut Vec<PathBuf>, text: &str) -> String {
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let components = imported(text);
        let mut out = String::with_capacity(text.len());
        let mut fence: Option<&str> = None;
        let mut is_list = false;
        let mut at = 0;
        while let Some(line) = lines.get(at) {
            let inner = line.trim();
            let mark = fence_mark(inner);
            let rest = lines.get(at + 1..).unwrap_or_default();
            let found = if let Some(open) = fence {
                if mark.is_some_and(|mark| mark.starts_with(open) && mark == inner) {
                    fence = None;
                }
                None
            } else if self.kind == Kind::Rst {
                rst_include(inner, rest)
            } else if self.kind == Kind::Asciidoc {
                asciidoc_include(inner).map(|named| (named, 0))
            } else if self.kind == Kind::Org {
                org_include(inner).map(|named| (named, 0))
            } else if let Some(found) = myst_include(inner, mark, rest) {
                Some(found)
            } else if mark.is_some() {
                fence = mark;
                None
            } else if inner.starts_with("--") && inner.trim_matches('-') == "8<" {
                is_list = !is_list;
                None
            } else if is_list {
                snippet(inner).map(|named| (named, 0))
            } else {
                named(inner).or_else(|| component(inner, &components)).map(|named| (named, 0))
            };
            let words = found.and_then(|(named, more)| Some((self.take(open, named)?, more)));
            match words {
                Some((words, more)) => {
                    let margin = line.len() - line.trim_start().len();
                    push_indented(&mut out, &words, line.get(..margin).unwrap_or_default());
                    at += more;
                }
                None => out.push_str(line),
            }
            at += 1;
        }
        out
    }

    /// The words of a file, with what it takes in itself.
    fn take(&mut self, open: &mut Vec<PathBuf>, named: Named<'_>) -> Option<String> {
        let page = open.last()?.clone();
        let file = self.found(&page, named.file)?;
        if open.len() > DEEPEST || self.count >= MOST_FILES || open.contains(&file) {
            return None;
        }
        let text = fs::read_to_string(&file).ok()?;
        self.bytes = self.bytes.saturating_add(text.len());
        if self.bytes > MOST_BYTES {
            return None;
        }
        let text = text.replace("\r\n", "\n");
        let part = named.part.of(&text)?;
        self.count += 1;
        let own = file.strip_prefix(&self.root).ok()?.to_owned();
        let is_part_by_name = own.file_name()?.to_string_lossy().starts_with('_');
        if named.part == Part::Whole || is_part_by_name {
            self.files.insert(slashed(&own));
        }
        open.push(file);
        let text = self.fill(open, &part);
        open.pop();
        Some(if named.deeper == 0 { text } else { deeper(&text, named.deeper) })
    }

    /// The file that a page means: beside it, or from a folder above it on.
    fn found(&self, page: &Path, name: &str) -> Option<PathBuf> {
        // From the top of the site, as Docusaurus and Hugo write it.
        let name = name.strip_prefix("@site/").unwrap_or(name).trim_start_matches('/');
        let (name, family) = antora_name(name);
        // These two take in whatever is text: `fees.inc`, which is no page of its own by that name.
        let takes_any = matches!(self.kind, Kind::Rst | Kind::Asciidoc);
        let is_text = match Kind::of(&name) {
            Some(kind) => {
                matches!(kind, Kind::Markdown | Kind::Text | Kind::Rst | Kind::Asciidoc | Kind::Org)
            }
            None => takes_any,
        };
        if !is_text || name.contains("://") {
            return None;
        }
        let folders = page.ancestors().skip(1).take_while(|folder| folder.starts_with(&self.root));
        let beside = family.unwrap_or("_includes");
        folders
            .flat_map(|folder| [folder.join(&*name), folder.join(beside).join(&*name)])
            .filter_map(|file| file.canonicalize().ok())
            .find(|file| file.starts_with(&self.root) && file.is_file())
    }
}

/// The path of a file that Antora names by its family, and the family's folder: `partial$fees.adoc`, and with its module
/// `rooms:partial$fees.adoc`.
fn antora_name(name: &str) -> (Cow<'_, str>, Option<&str>) {
    const FAMILIES: &[(&str, &str)] =
        &[("partial", "partials"), ("example", "examples"), ("page", "pages")];
    let Some((before, file)) = name.split_once('$') else { return (Cow::Borrowed(name), None) };
    let (module, family) = before.rsplit_once(':').unwrap_or(("", before));
    let Some((_, folder)) = FAMILIES.iter().find(|(own, _)| *own == family) else {
        return (Cow::Borrowed(name), None);
    };
    match module.rsplit(':').next().unwrap_or_default() {
        "" => (Cow::Borrowed(file), Some(folder)),
        module => (Cow::Owned(format!("{module}/{folder}/{file}")), Some(folder)),
    }
}

impl Part<'_> {
    /// The part of a text, without what the file says about itself.
    fn of(self, text: &str) -> Option<String> {
        match self {
            Self::Whole => {
                let (_, body) = front_matter::split(text, &mut Report::default());
                Some(body.trim_matches('\n').to_owned())
            }
            Self::Lines(from, to) => {
                let count = to.checked_sub(from)?.saturating_add(1);
                let lines: Vec<&str> =
                    text.lines().skip(from.saturating_sub(1)).take(count).collect();
                (!lines.is_empty()).then(|| lines.join("\n"))
            }
            Self::Section(name) => section(text, name),
            Self::Between(after, before) => {
                let start = match after {
                    Some(words) => text.find(words)? + words.len(),
                    None => 0,
                };
                let rest = text.get(start..)?;
                let end = before.and_then(|words| rest.find(words)).unwrap_or(rest.len());
                Some(rest.get(..end)?.trim_matches('\n').to_owned())
            }
        }
    }
}

/// The lines between the marks of a name: `[start:fees]` and `[end:fees]`, `ANCHOR: fees` and
/// `ANCHOR_END: fees`, `#region fees` and `#endregion`.
fn section(text: &str, name: &str) -> Option<String> {
    let mut out: Option<Vec<&str>> = None;
    for line in text.lines() {
        let ends = |mark: &str| {
            line.split_once(mark).is_some_and(|(_, rest)| {
                rest.trim().trim_end_matches("-->").trim_end_matches(']').trim() == name
            })
        };
        // AsciiDoc names the part in front of its brackets: `tag::fees[]`.
        let tags = |mark: &str| {
            let found = line.split_once(mark).and_then(|(_, rest)| rest.split_once('['));
            found.is_some_and(|(own, _)| own == name)
        };
        let begins =
            ["[start:", "ANCHOR:", "#region"].iter().any(|mark| ends(mark)) || tags("tag::");
        let stops =
            ["[end:", "ANCHOR_END:", "#endregion"].iter().any(|mark| ends(mark)) || tags("end::");
        match &mut out {
            Some(_) if stops => break,
            Some(lines) => lines.push(line),
            None if begins => out = Some(Vec::new()),
            None => {}
        }
    }
    out.map(|lines| lines.join("\n"))
}

/// The marks that a fence of code or a directive begins with.
fn fence_mark(inner: &str) -> Option<&str> {
    let first = inner.chars().next().filter(|first| matches!(first, '`' | '~'))?;
    let length = inner.len() - inner.trim_start_matches(first).len();
    (length >= 3).then(|| inner.get(..length)).flatten()
}

/// MyST's block `{include}`, and the lines below it up to its end.
fn myst_include<'t>(
    inner: &'t str,
    mark: Option<&'t str>,
    rest: &[&'t str],
) -> Option<(Named<'t>, usize)> {
    let mark = mark.or_else(|| inner.starts_with(":::").then_some(":::"))?;
    let file = inner.trim_start_matches([':', '`', '~']).strip_prefix("{include}")?.trim();
    let end = rest.iter().position(|line| line.trim().starts_with(mark))?;
    let options = rest.get(..end)?;
    Some((Named::new(file, options_part(options)?), end + 1))
}

/// `.. include:: hours.rst`, and its options below.
fn rst_include<'t>(inner: &'t str, rest: &[&'t str]) -> Option<(Named<'t>, usize)> {
    let file = inner.strip_prefix(".. include::")?.trim();
    let options = rest.iter().take_while(|line| line.trim().starts_with(':')).count();
    Some((Named::new(file, options_part(rest.get(..options)?)?), options))
}

/// `include::fees.adoc[]`, `include::fees.adoc[lines=2..5]`, `include::fees.adoc[tag=keys]`. Where the levels of headings are
/// moved, or the folder is an attribute's, the mark stays: the reader does not know either.
fn asciidoc_include(inner: &str) -> Option<Named<'_>> {
    let (file, options) = inner.strip_prefix("include::")?.strip_suffix(']')?.split_once('[')?;
    let option = |name: &str| {
        let mut options = options.split(',').filter_map(|option| option.split_once('='));
        options.find(|(own, _)| own.trim() == name).map(|(_, value)| value.trim().trim_matches('"'))
    };
    // An offset that was set before (`:leveloffset:`) is not known here, so that one without a sign counts as one more.
    let deeper = option("leveloffset").map_or(Some(0), |offset| offset.parse::<i8>().ok())?;
    let section = option("tag").or_else(|| option("tags"));
    let lines = option("lines").map(|lines| {
        let (from, to) = lines.split_once("..").unwrap_or((lines, lines));
        let to = to.parse().unwrap_or(usize::MAX);
        Part::Lines(from.parse().unwrap_or(1), to)
    });
    let part = lines.or(section.map(Part::Section)).unwrap_or(Part::Whole);
    Some(Named { file, part, deeper })
}

/// The text with its headings so many levels deeper, and not above the highest.
fn deeper(text: &str, levels: i8) -> String {
    let mut block: Option<&str> = None;
    let mut out = String::with_capacity(text.len() + 16);
    for line in text.split_inclusive('\n') {
        let inner = line.trim_end();
        let is_fence = ["----", "....", "====", "****", "++++", "////"].iter().any(|fence| {
            inner.starts_with(fence)
                && inner.bytes().all(|byte| fence.as_bytes().first() == Some(&byte))
        });
        if is_fence {
            block = match block {
                Some(open) => Some(open).filter(|open| *open != inner),
                None => Some(inner),
            };
        }
        let signs = inner.len() - inner.trim_start_matches('=').len();
        let is_heading = block.is_none()
            && signs > 0
            && inner.get(signs..).is_some_and(|rest| rest.starts_with(' '));
        match is_heading {
            true => {
                let signs = signs.saturating_add_signed(levels.into()).clamp(1, MOST_SIGNS);
                out.push_str(&"=".repeat(signs));
                out.push_str(line.trim_start_matches('='));
            }
            false => out.push_str(line),
        }
    }
    out
}

/// `#+INCLUDE: "fees.org"`; a file that is shown as code stays a mark.
fn org_include(inner: &str) -> Option<Named<'_>> {
    let name = inner.get(..10).filter(|name| name.eq_ignore_ascii_case("#+include:"))?;
    let rest = inner.get(name.len()..)?.trim();
    let (file, options) = match rest.strip_prefix('"') {
        Some(rest) => rest.split_once('"')?,
        None => rest.split_once(' ').unwrap_or((rest, "")),
    };
    let option = |name: &str| Some(options.split_once(name)?.1.trim().trim_matches('"'));
    let words = options.split_whitespace().next().unwrap_or(":");
    let lines = option(":lines").and_then(|lines| {
        let (from, to) = lines.split('"').next()?.split_once('-')?;
        // The last line is not shown.
        let to = to.parse::<usize>().map_or(usize::MAX, |to| to.saturating_sub(1));
        Some(Part::Lines(from.parse().unwrap_or(1), to))
    });
    words.starts_with(':').then(|| Named::new(file, lines.unwrap_or(Part::Whole)))
}

/// The part that the options of a directive tell; `None` where the file is shown as it is written.
fn options_part<'t>(options: &[&'t str]) -> Option<Part<'t>> {
    let option = |name: &str| {
        options.iter().find_map(|line| {
            let (own, value) = line.trim().strip_prefix(':')?.split_once(':')?;
            (own == name).then(|| value.trim())
        })
    };
    if ["literal", "code", "parser"].iter().any(|name| option(name).is_some()) {
        return None;
    }
    let number = |name: &str| option(name).and_then(|value| value.parse::<usize>().ok());
    if let (from, to) = (number("start-line"), number("end-line"))
        && (from.is_some() || to.is_some())
    {
        return Some(Part::Lines(from.unwrap_or(0) + 1, to.unwrap_or(usize::MAX)));
    }
    let (after, before) = (option("start-after"), option("end-before"));
    let is_part = after.is_some() || before.is_some();
    Some(if is_part { Part::Between(after, before) } else { Part::Whole })
}

/// The file that a line of Markdown consists of.
fn named(inner: &str) -> Option<Named<'_>> {
    let within = |open: &str, close: &str| inner.strip_prefix(open)?.strip_suffix(close);
    if let Some(rest) = inner.trim_start_matches('-').strip_prefix("8<--")
        && inner.starts_with("--")
    {
        return snippet(rest.trim_start_matches('-').trim());
    }
    if let Some(file) = within("{!", "!}") {
        return Some(whole(file));
    }
    if let Some(file) = within("{{#include", "}}") {
        return Some(with_part(file.trim()));
    }
    for (open, close) in [("{{<", ">}}"), ("{{%", "%}}")] {
        let tag = within(open, close).map(str::trim);
        let taken = ["include ", "readfile "].iter().find_map(|name| tag?.strip_prefix(name));
        if let Some(file) = taken {
            let file = file.trim();
            return Some(whole(file.strip_prefix("file=").unwrap_or(file)));
        }
    }
    if let Some(link) = within("[", ")") {
        return of_docsify(link);
    }
    if let Some(file) =
        within("<!--", "-->").and_then(|inner| inner.trim().strip_prefix("@include:"))
    {
        return Some(of_vitepress(file.trim()));
    }
    let tag = within("{%", "%}")?.trim_matches('-').trim();
    let (name, file) = tag.split_once(char::is_whitespace)?;
    let is_include = matches!(name, "include" | "include_relative" | "include-markdown");
    // Without parameters: those would have to be put in.
    let is_single = !file.trim().contains(char::is_whitespace);
    (is_include && is_single).then(|| whole(file))
}

fn whole(file: &str) -> Named<'_> {
    Named::new(file.trim().trim_matches(['"', '\'']), Part::Whole)
}

/// `key](_key.md ':include')`, the inside of a link that docsify fills in; what it is to show as code or in a frame stays.
fn of_docsify(link: &str) -> Option<Named<'_>> {
    let (file, title) = link.split_once("](")?.1.split_once(char::is_whitespace)?;
    let options = title.trim().trim_matches(['"', '\'']).strip_prefix(":include")?;
    let is_text = options.split_whitespace().all(|option| option == ":type=markdown");
    is_text.then(|| whole(file))
}

/// `"fees.md"`, `"fees.md:2:5"`, `"fees.md:keys"`
fn snippet(inner: &str) -> Option<Named<'_>> {
    let file = inner.trim_matches(['"', '\'']);
    // `[start:name]` marks a part for others.
    (!file.is_empty() && !file.starts_with(['[', ';'])).then(|| with_part(file))
}

/// `fees.md`, `fees.md:2:5`, `fees.md:keys`
fn with_part(named: &str) -> Named<'_> {
    let Some((file, part)) = named.split_once(':') else {
        return whole(named);
    };
    let lines = |text: &str| -> Option<Part<'static>> {
        let (from, to) = text.split_once(':').unwrap_or((text, text));
        let from = if from.is_empty() { 1 } else { from.parse().ok()? };
        let to = if to.is_empty() { usize::MAX } else { to.parse().ok()? };
        Some(Part::Lines(from, to))
    };
    let part = lines(part).unwrap_or(Part::Section(part));
    Named::new(file.trim(), part)
}

/// `./fees.md{3,10}`, `./fees.md#keys`
fn of_vitepress(named: &str) -> Named<'_> {
    if let Some((file, lines)) = named.split_once('{') {
        let (from, to) = lines.trim_end_matches('}').split_once(',').unwrap_or((lines, ""));
        let (from, to) =
            (from.trim().parse().unwrap_or(1), to.trim().parse().unwrap_or(usize::MAX));
        return Named::new(file.trim(), Part::Lines(from, to));
    }
    match named.split_once('#') {
        Some((file, name)) => Named::new(file.trim(), Part::Section(name.trim())),
        None => whole(named),
    }
}

/// The Markdown files that a page imports as components, by name: `import Rule from './_rule.mdx';`
fn imported(text: &str) -> BTreeMap<&str, &str> {
    text.lines()
        .filter_map(|line| {
            let (name, rest) = line.trim().strip_prefix("import ")?.split_once(" from ")?;
            let file = rest.trim().trim_end_matches(';').trim_matches(['"', '\'']);
            let name = name.trim();
            let is_name =
                name.starts_with(char::is_uppercase) && name.chars().all(char::is_alphanumeric);
            (is_name && Kind::of(file) == Some(Kind::Markdown)).then_some((name, file))
        })
        .collect()
}

/// The file of the component that a line consists of: `<Rule />`.
fn component<'t>(inner: &str, components: &BTreeMap<&'t str, &'t str>) -> Option<Named<'t>> {
    let rest = inner.strip_prefix('<')?;
    let name = rest.split(|c: char| !c.is_alphanumeric()).next()?;
    let is_alone = inner.ends_with("/>") || inner.ends_with(&format!("></{name}>"));
    let file = components.get(name).filter(|_| is_alone)?;
    Some(Named::new(file, Part::Whole))
}

/// Adds words as paragraphs of their own, each line behind a margin.
fn push_indented(out: &mut String, words: &str, margin: &str) {
    out.push('\n');
    for line in words.lines() {
        if !line.trim().is_empty() {
            out.extend([margin, line]);
        }
        out.push('\n');
    }
    out.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Files by name, and what became of the first.
    fn page(files: &[(&str, &str)]) -> std::io::Result<Option<Filled>> {
        let folder = tempfile::tempdir()?;
        let docs = folder.path().join("docs");
        for (name, text) in files {
            let file = docs.join(name);
            fs::create_dir_all(file.parent().unwrap_or(&docs))?;
            fs::write(file, text)?;
        }
        let Some((name, text)) = files.first() else {
            return Ok(None);
        };
        let kind = Kind::of(name).unwrap_or(Kind::Text);
        Ok(filled(&docs, Path::new(name), kind, text))
    }

    fn words(files: &[(&str, &str)]) -> std::io::Result<(String, Vec<String>)> {
        let Filled { text, files } = page(files)?.unwrap_or_default();
        let words: Vec<&str> = text.split_whitespace().collect();
        Ok((words.join(" "), files.into_iter().collect()))
    }

    #[test]
    fn files_stand_where_pages_take_them_in() -> std::io::Result<()> {
        let part = "---\ntitle: Part\n---\nA key costs\n25 euros.\n";
        for (name, page, file) in [
            ("a.md", "A\n\n--8<-- \"in/p.md\"\n\nZ", "in/p.md"),
            ("a.md", "A\n\n--8<--\nin/p.md\n--8<--\n\nZ", "in/p.md"),
            ("b/a.md", "A\n\n{!in/p.md!}\n\nZ", "in/p.md"),
            ("b/a.md", "A\n\n{{#include ../in/p.md}}\n\nZ", "in/p.md"),
            ("a.qmd", "A\n\n{{< include _p.qmd >}}\n\nZ", "_p.qmd"),
            ("a.md", "A\n\n<!-- @include: ./in/p.md -->\n\nZ", "in/p.md"),
            ("a.md", "A\n\n{% include p.md %}\n\nZ", "_includes/p.md"),
            ("a.md", "A\n\n```{include} in/p.md\n```\n\nZ", "in/p.md"),
            ("a.mdx", "import P from './_p.mdx';\n\nA\n\n<P />\n\nZ", "_p.mdx"),
            ("a.rst", "A\n\n.. include:: in/p.txt\n\nZ", "in/p.txt"),
            ("a.adoc", "A\n\ninclude::in/p.adoc[]\n\nZ", "in/p.adoc"),
            ("a.rst", "A\n\n.. include:: in/p.inc\n\nZ", "in/p.inc"),
            ("m/pages/a.adoc", "A\n\ninclude::partial$p.adoc[]\n\nZ", "m/partials/p.adoc"),
            ("m/pages/a.adoc", "A\n\ninclude::n:partial$b/p.adoc[]\n\nZ", "n/partials/b/p.adoc"),
            ("a.md", "A\n\n[the key](_p.md ':include')\n\nZ", "_p.md"),
            ("b/a.md", "A\n\n{{% readfile \"/in/p.md\" %}}\n\nZ", "in/p.md"),
            ("b/a.md", "A\n\n{{< readfile file=\"in/p.md\" >}}\n\nZ", "in/p.md"),
            ("a.org", "A\n\n#+INCLUDE: \"in/p.org\"\n\nZ", "in/p.org"),
        ] {
            let (found, taken) = words(&[(name, page), (file, part)])?;
            assert!(found.contains("A key costs 25 euros."), "{page}: {found}");
            assert!(found.ends_with('Z') || found.ends_with("--8<-- Z"), "{page}: {found}");
            assert_eq!(taken, [file], "{page}");
        }
        Ok(())
    }

    #[test]
    fn parts_of_files_are_taken_in_and_the_files_stay() -> std::io::Result<()> {
        let part = "one\ntwo\n<!-- ANCHOR: x -->\nthree\n<!-- ANCHOR_END: x -->\n# --8<-- [start:y]\nfour\n# --8<-- [end:y]\n";
        for (page, expected) in [
            ("{{#include p.md:2:2}}", "two"),
            ("{{#include p.md:x}}", "three"),
            ("--8<-- \"p.md:y\"", "four"),
            ("<!--@include: ./p.md{1,2}-->", "one two"),
        ] {
            let found = words(&[("a.md", page), ("p.md", part)])?;
            assert_eq!(found, (expected.to_owned(), Vec::new()), "{page}");
        }
        let tagged = "one\n// tag::x[]\nthree\n// end::x[]\nfour\n";
        for (page, expected) in
            [("lines=1..1", "one Z"), ("tag=x", "three Z"), ("lines=\"5..\"", "four Z")]
        {
            let page = format!("include::p.adoc[{page}]\n\nZ");
            assert_eq!(words(&[("a.adoc", &page), ("p.adoc", tagged)])?.0, expected, "{page}");
        }
        let page = "#+INCLUDE: \"p.org\" :lines \"1-2\"\n\nZ";
        assert_eq!(words(&[("a.org", page), ("p.org", part)])?.0, "one Z");
        let page = ".. include:: p.txt\n   :start-after: one\n   :end-before: <!--\n\nZ";
        assert_eq!(words(&[("a.rst", page), ("p.txt", part)])?.0, "two Z");
        Ok(())
    }

    #[test]
    fn headings_of_included_files_lie_as_deep_as_asciidoc_says() -> std::io::Result<()> {
        let part = "= Keys\n\n----\n= code\n----\n\n== Lost ones\n\n= = A sum\n";
        for (offset, expected) in [
            ("+1", "== Keys ---- = code ---- === Lost ones == = A sum Z"),
            ("2", "=== Keys ---- = code ---- ==== Lost ones === = A sum Z"),
            ("-1", "= Keys ---- = code ---- = Lost ones = = A sum Z"),
            ("+99", "====== Keys ---- = code ---- ====== Lost ones ====== = A sum Z"),
        ] {
            let page = format!("include::p.adoc[leveloffset={offset}]\n\nZ");
            let found = words(&[("a.adoc", &page), ("p.adoc", part)])?;
            assert_eq!(found, (expected.to_owned(), vec!["p.adoc".to_owned()]), "{offset}");
        }
        Ok(())
    }

    #[test]
    fn circles_code_and_files_elsewhere_are_left() -> std::io::Result<()> {
        // Each within the other: what would go round stays a mark.
        let (found, _) = words(&[("a.md", "A\n\n{!b.md!}"), ("b.md", "B\n\n{!a.md!}")])?;
        assert_eq!(found, "A B {!a.md!}");
        for page in [
            "{!../../secret.md!}",
            "{!/etc/hostname!}",
            "{!missing.md!}",
            "```\n{!b.md!}\n```",
            "{% include nav.html %}",
            ".. include:: b.md",
            "[b](b.md ':include :type=code')",
            "[b](b.md 'what to include')",
            "{{< readfile code.py >}}",
        ] {
            assert_eq!(page_of(page)?, None, "{page}");
        }
        Ok(())
    }

    fn page_of(text: &str) -> std::io::Result<Option<Filled>> {
        page(&[("a.md", text), ("b.md", "B"), ("nav.html", "<p>C"), ("../secret.md", "D")])
    }
}
