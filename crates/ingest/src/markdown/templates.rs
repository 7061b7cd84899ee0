//! Tags of site generators (Liquid, Nunjucks, Hugo, Kramdown) inside Markdown.
//!
//! They are instructions to a program that is not here. What they certainly mean is kept: the
//! address in a link's target, a name given to a tag as its first words. The rest is left out.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::directives::Fence;
use super::tags::{Shortcode, filled, parameter, quoted, target, words};
use crate::front_matter::FrontMatter;
use crate::report::Report;

/// The longest reach of a tag, in bytes. A brace without its partner is text.
// From each brace of a page full of them the rest of the page would be searched for the other.
const LONGEST_TAG: usize = 1_000;

/// The longest reach of Kramdown's `{::comment}`, in bytes, for the same reason.
const LONGEST_COMMENT: usize = 2_000;

/// Shortcodes of tabs. The first words of the outer one are its id.
const TABS: &str = "tabs";
const TAB: &str = "tab";

/// The longest reach of code between backticks, in bytes, so that stray ones cost little.
const LONGEST_CODE: usize = 10_000;

/// The page without template tags. Code is left as it is, but for the marks around raw text.
///
/// `page` is what the page says about itself: `{{ page.title }}` is known.
pub(crate) fn without_templates<'a>(
    source: &'a str,
    page: &FrontMatter,
    report: &mut Report,
) -> Cow<'a, str> {
    if !["{%", "{{", "{:", "){", "]{", "{.", "{ "].iter().any(|open| source.contains(open)) {
        return Cow::Borrowed(source);
    }
    let shielded = shield_raw(source);
    let mut stripper = Stripper {
        source: &shielded,
        page,
        position: 0,
        out: String::with_capacity(shielded.len()),
        fence: None,
        count: 0,
        labels: Vec::new(),
        defined: shielded.lines().filter_map(defined).collect(),
    };
    stripper.run();
    report.template_tags += stripper.count;
    Cow::Owned(with_raw(&stripper.out))
}

/// One `{% name arguments %}`.
pub(super) struct Tag<'a> {
    pub(super) name: &'a str,
    pub(super) arguments: &'a str,
    pub(super) length: usize,
}

impl<'a> Tag<'a> {
    pub(super) fn at(rest: &'a str) -> Option<Self> {
        let (inner, length) = between(rest, "{%", "%}")?;
        let inner = inner.trim_start_matches('-').trim_end_matches('-').trim();
        let end = inner
            .find(|character: char| {
                !(character.is_alphanumeric() || matches!(character, '_' | '-'))
            })
            .unwrap_or(inner.len());
        let (name, arguments) = inner.split_at(end);
        Some(Self { name, arguments: arguments.trim(), length })
    }
}

/// The text between two marks at the start of `rest`, and the length with the marks.
fn between<'a>(rest: &'a str, open: &str, close: &str) -> Option<(&'a str, usize)> {
    let inner = rest.strip_prefix(open)?;
    let window = inner.get(..inner.floor_char_boundary(LONGEST_TAG))?;
    let end = window.find(close)?;
    Some((inner.get(..end)?, open.len() + end + close.len()))
}

struct Stripper<'a> {
    source: &'a str,
    page: &'a FrontMatter,
    position: usize,
    out: String,
    /// The character and length of the code fence that is open.
    fence: Option<(char, usize)>,
    count: usize,
    /// Labels that a shortcode gives to those within it (`{{< tabs items="BSc,MSc" >}}`), the next one last.
    labels: Vec<&'a str>,
    /// The names of links whose addresses stand elsewhere on the page.
    defined: BTreeSet<&'a str>,
}

/// The name in `[name]: address`.
fn defined(line: &str) -> Option<&str> {
    line.trim_start().strip_prefix('[')?.split_once("]:").map(|(name, _)| name)
}

impl<'a> Stripper<'a> {
    fn run(&mut self) {
        while self.position < self.source.len() {
            if self.is_line_start() && self.take_code_line() {
                continue;
            }
            let rest = self.rest();
            let step = rest.find(['{', '`', '\n']).unwrap_or(rest.len());
            self.copy(step);
            match self.rest().chars().next() {
                Some('\n') => self.copy(1),
                Some('`') => self.copy_code_span(),
                Some('{') => self.brace(),
                _ => {}
            }
        }
    }

    fn rest(&self) -> &'a str {
        &self.source[self.position..]
    }

    fn is_line_start(&self) -> bool {
        let before = &self.source[..self.position];
        before.is_empty() || before.ends_with('\n')
    }

    fn copy(&mut self, length: usize) {
        self.out.push_str(&self.rest()[..length]);
        self.position += length;
    }

    /// Copies a line that opens, closes or lies within fenced code.
    fn take_code_line(&mut self) -> bool {
        let line = self.rest().split_inclusive('\n').next().unwrap_or_default();
        // Quotes and items may stand in front of it.
        let fence = Fence::of_code(line.trim_start_matches([' ', '\t', '>']));
        match (self.fence, fence) {
            (None, None) => return false,
            (None, Some(fence)) => self.fence = Some((fence.character, fence.length)),
            (Some(open), Some(fence)) if fence.closes(open) => self.fence = None,
            (Some(_), _) => {}
        }
        self.copy(line.len());
        true
    }

    /// Copies `` `code` ``, or the backticks alone if nothing closes them in this paragraph.
    fn copy_code_span(&mut self) {
        let rest = self.rest();
        let ticks = rest.len() - rest.trim_start_matches('`').len();
        let window = &rest[..rest.floor_char_boundary(LONGEST_CODE)];
        let paragraph = window.split("\n\n").next().unwrap_or_default();
        let mut position = ticks;
        while let Some(step) = paragraph.get(position..).and_then(|tail| tail.find('`')) {
            let start = position + step;
            let tail = &paragraph[start..];
            let run = tail.len() - tail.trim_start_matches('`').len();
            position = start + run;
            if run == ticks {
                self.copy(position);
                return;
            }
        }
        self.copy(ticks);
    }

    fn brace(&mut self) {
        let rest = self.rest();
        // The longer marks first, as each begins with the brace that the last is.
        let taken = if let Some(tag) = Tag::at(rest) {
            self.tag(&tag)
        } else if let Some((inner, length)) = between(rest, "{{", "}}") {
            match Shortcode::of(inner) {
                Some(shortcode) => self.shortcode(&shortcode, length),
                None => self.output(inner.trim(), length),
            }
        } else if let Some((inner, length)) = between(rest, "{:", "}") {
            self.attributes(inner, length)
        } else if let Some((inner, length)) = between(rest, "{", "}") {
            let follows = self.out.ends_with([')', ']', '`', '*', '_']) || self.is_line_start();
            let is_taken = follows && is_attributes(inner);
            if is_taken {
                self.unbracket();
            }
            is_taken.then_some(length)
        } else {
            None
        };
        match taken {
            Some(length) => self.position += length,
            None => self.copy(1),
        }
    }

    /// Kramdown's attributes stand on one line: `{: .class #id}`. Behind a heading, the id is its
    /// anchor.
    fn attributes(&mut self, inner: &str, length: usize) -> Option<usize> {
        if inner.contains('\n') {
            return None;
        }
        // Kramdown's `{::comment}`: what it encloses is shown to nobody.
        if inner.trim() == ":comment" {
            let tail = self.rest();
            let window = tail.get(..tail.floor_char_boundary(LONGEST_COMMENT)).unwrap_or(tail);
            let mut ends = ["{:/comment}", "{:/}"].into_iter();
            let end = ends.find_map(|end| window.find(end).map(|at| at + end.len()));
            self.count += usize::from(end.is_some());
            return Some(end.unwrap_or(length));
        }
        self.unbracket();
        let line = self.out.rsplit('\n').next().unwrap_or_default();
        let id = inner.split_whitespace().find(|word| word.len() > 1 && word.starts_with('#'));
        if let Some(id) = id.filter(|_| line.starts_with('#')) {
            self.out.push_str(&format!("{{{id}}}"));
        } else if let Some(id) = id.filter(|_| line.is_empty()) {
            self.name_heading_above(id);
        }
        Some(length)
    }

    /// Writes an id that stands in a line of its own into the heading of the line above.
    fn name_heading_above(&mut self, id: &str) {
        let above = self.out.strip_suffix('\n').and_then(|text| text.rsplit('\n').next());
        if above.is_some_and(|line| line.starts_with('#') && !line.ends_with('}')) {
            self.out.pop();
            self.out.push_str(&format!(" {{{id}}}\n"));
        }
    }

    /// Takes the brackets of `[words]{.class}` away, which show the reach of the attributes and no link.
    fn unbracket(&mut self) {
        let Some(text) = self.out.strip_suffix(']') else { return };
        let near = text.floor_char_boundary(text.len().saturating_sub(LONGEST_TAG));
        let mut depth = 0_usize;
        let open = text[near..].bytes().rposition(|byte| {
            match byte {
                b']' => depth += 1,
                b'[' if depth == 0 => return true,
                b'[' => depth -= 1,
                _ => {}
            }
            false
        });
        let Some(open) = open.map(|open| near + open) else { return };
        let (before, words) = (&text[..open], &text[open + 1..]);
        // A link, a picture or a note that is defined elsewhere keeps its brackets, and so does the title of `:::tip[Title]`.
        let is_reference = before.ends_with([']', '!'])
            || before.ends_with(char::is_alphanumeric)
            || words.starts_with(['^', '@'])
            || words.contains('\n')
            || self.defined.contains(words);
        if !is_reference {
            self.out.pop();
            self.out.remove(open);
        }
    }

    /// Hugo's `{{< name arguments >}}`.
    fn shortcode(&mut self, shortcode: &Shortcode<'a>, length: usize) -> Option<usize> {
        if let Some(shown) = shortcode.shown {
            self.out.push_str(shown);
            return Some(length);
        }
        if shortcode.closes {
            if shortcode.name == TABS {
                self.labels.clear();
            }
            // What a block encloses is no part of the paragraph behind it.
            let ends_line = self
                .rest()
                .get(length..)
                .is_some_and(|tail| tail.is_empty() || tail.starts_with('\n'));
            self.out.push_str(if ends_line { "\n" } else { "" });
            return Some(length);
        }
        if self.is_in_target() {
            let address = target(shortcode.name, shortcode.arguments);
            self.count += usize::from(address.is_empty());
            self.out.push_str(&address);
            return Some(length);
        }
        let is_alone = self.is_alone(length) || self.is_closed_in_line(shortcode.name);
        if shortcode.name == TABS {
            let items = parameter(shortcode.arguments, "items").unwrap_or_default();
            let items = items.split(',').map(str::trim).filter(|item| !item.is_empty());
            self.labels = items.rev().collect();
            return Some(length);
        }
        let label = self.labels.pop_if(|_| shortcode.name == TAB && shortcode.words().is_none());
        if let Some(label) = label {
            self.out.extend([label, "\n\n"]);
            return Some(length);
        }
        let value = (shortcode.name == "param").then(|| self.value(shortcode.arguments)).flatten();
        match value.or_else(|| shortcode.words().map(str::to_owned)) {
            Some(words) => self.out.push_str(&words),
            None => self.count += 1,
        }
        if is_alone {
            self.out.push('\n');
        }
        Some(length)
    }

    /// Returns the page's own value under a name: `page.title`.
    fn value(&self, name: &str) -> Option<String> {
        let name = name.split('|').next().unwrap_or(name).trim();
        let name = ["page.meta.", "page.", "frontmatter.", "frontMatter."]
            .iter()
            .find_map(|prefix| name.strip_prefix(prefix))
            .unwrap_or(name);
        self.page.value(name)
    }

    /// Returns `true` if nothing else stands on the line of a tag of this length.
    fn is_alone(&self, length: usize) -> bool {
        self.is_line_start()
            && self
                .rest()
                .get(length..)
                .is_some_and(|tail| tail.lines().next().unwrap_or_default().trim().is_empty())
    }

    /// Returns `true` if a shortcode begins a line at whose end what it encloses is closed.
    fn is_closed_in_line(&self, name: &str) -> bool {
        let line = self.rest().lines().next().unwrap_or_default();
        let line = line.get(..line.floor_char_boundary(LONGEST_CODE)).unwrap_or(line).trim_end();
        let closing = line.rfind("{{").and_then(|at| between(&line[at..], "{{", "}}"));
        let closing = closing.and_then(|(inner, _)| Shortcode::of(inner));
        self.is_line_start()
            && line.ends_with("}}")
            && closing.is_some_and(|closing| closing.closes && closing.name == name)
    }

    fn tag(&mut self, tag: &Tag<'_>) -> Option<usize> {
        if tag.name == "comment" {
            self.count += 1;
            let tail = self.rest();
            let end = tail.find("endcomment").unwrap_or(tail.len());
            let close = tail.get(end..).and_then(|tail| tail.find("%}"));
            return Some(close.map_or(tail.len(), |close| end + close + 2));
        }
        if self.is_in_target() {
            let address = target(tag.name, tag.arguments);
            self.count += usize::from(address.is_empty());
            self.out.push_str(&address);
            return Some(tag.length);
        }
        let is_alone = self.is_alone(tag.length);
        match words(tag) {
            Some(words) => self.out.push_str(&words),
            // The end of a block is no loss.
            None => self.count += usize::from(!tag.name.starts_with("end")),
        }
        if is_alone {
            // What a block tag encloses is no part of the paragraph around it.
            self.out.push('\n');
        }
        Some(tag.length)
    }

    /// `{{ … }}` prints a value. A `$` in front makes it another program's, in text to be shown.
    fn output(&mut self, inner: &str, length: usize) -> Option<usize> {
        if self.out.ends_with('$') {
            return None;
        }
        let stated = || self.value(inner);
        // mdBook's `{{#tab name="Winter"}}`: a block, of which the label is shown.
        let is_block = inner.starts_with('#') && self.is_alone(length);
        match quoted(inner).and_then(filled).map(str::to_owned).or_else(stated) {
            Some(text) => self.out.push_str(&text),
            None => self.count += 1,
        }
        self.out.push_str(if is_block { "\n" } else { "" });
        Some(length)
    }

    /// Returns `true` if the text so far breaks off inside a link's address.
    fn is_in_target(&self) -> bool {
        let near = self.out.floor_char_boundary(self.out.len().saturating_sub(LONGEST_TAG));
        let near = &self.out[near..];
        let line = near.rsplit('\n').next().unwrap_or_default();
        let opens = |mark: &str, close: &[char]| {
            line.rfind(mark).is_some_and(|at| {
                line.get(at + mark.len()..).is_some_and(|tail| !tail.contains(close))
            })
        };
        opens("](", &[')', ' ']) || opens("href=\"", &['"']) || opens("href='", &['\''])
    }
}

/// `.button #id target=_blank`, as MkDocs takes it behind a link or below a block.
fn is_attributes(inner: &str) -> bool {
    let is_word = |text: &str| {
        !text.is_empty()
            && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | ':' | '/'))
    };
    let is_attribute = |word: &str| match word.strip_prefix(['.', '#']) {
        Some(name) => is_word(name),
        None => word.split_once('=').is_some_and(|(name, value)| {
            is_word(name) && !value.is_empty() && !value.contains(['{', '}', '(', ')'])
        }),
    };
    !inner.trim().is_empty() && !inner.contains('\n') && inner.split_whitespace().all(is_attribute)
}

/// Stand-ins for the braces of raw text while tags are cut. Noncharacters, so in no real text.
const RAW_OPEN: char = '\u{fdd0}';
const RAW_CLOSE: char = '\u{fdd1}';

/// Hides the braces between `{% raw %}` and `{% endraw %}` and drops the two marks.
fn shield_raw(source: &str) -> String {
    let mut out = String::with_capacity(source.len());
    let mut rest = source;
    let mut is_raw = false;
    while let Some(start) = rest.find("{%") {
        let (before, tail) = rest.split_at(start);
        push_shielded(&mut out, before, is_raw);
        let tag = Tag::at(tail);
        let wanted = if is_raw { "endraw" } else { "raw" };
        match tag.filter(|tag| tag.name == wanted) {
            Some(tag) => {
                is_raw = !is_raw;
                rest = &tail[tag.length..];
            }
            None => {
                push_shielded(&mut out, "{%", is_raw);
                rest = &tail[2..];
            }
        }
    }
    push_shielded(&mut out, rest, is_raw);
    out
}

fn push_shielded(out: &mut String, text: &str, is_raw: bool) {
    if !is_raw {
        out.push_str(text);
        return;
    }
    out.extend(text.chars().map(|character| match character {
        '{' => RAW_OPEN,
        '}' => RAW_CLOSE,
        other => other,
    }));
}

/// The text with its braces back in place.
fn with_raw(text: &str) -> String {
    text.replace(RAW_OPEN, "{").replace(RAW_CLOSE, "}")
}
