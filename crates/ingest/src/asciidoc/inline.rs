//! The marks within a line: bold words, links, notes.
//!
//! A mark that nothing closes is text; that is remembered, so that a line full of marks is still read in one pass.

use super::Reader;
use super::blocks::values;
use crate::html::escaped;
use crate::marked::{address_length, anchor, attribute, formula, link, raw};

/// Marks within marks.
const DEEPEST: usize = 16;
/// The longest name of an entity: `&thetasym;`.
const ENTITY_BYTES: usize = 12;

/// Marks that may stand within a word, and those that may not, with their elements.
const QUOTES: &[(&str, &str)] = &[
    ("**", "strong"),
    ("__", "em"),
    ("``", "code"),
    ("##", "span"),
    ("*", "strong"),
    ("_", "em"),
    ("`", "code"),
    ("#", "span"),
    ("^", "sup"),
    ("~", "sub"),
];

/// Signs that are written with others.
const SIGNS: &[(&str, &str)] = &[
    ("(C)", "©"),
    ("(R)", "®"),
    ("(TM)", "™"),
    ("...", "…"),
    ("->", "→"),
    ("=>", "⇒"),
    ("<-", "←"),
    ("<=", "⇐"),
];

const SCHEMES: &[&str] = &["http://", "https://", "ftp://", "irc://", "mailto:"];

/// What has been found missing in the rest of a line.
#[derive(Default)]
struct Never(Vec<&'static str>);

impl Never {
    fn find(&mut self, text: &str, mark: &'static str) -> Option<usize> {
        if self.0.contains(&mark) {
            return None;
        }
        let found = text.find(mark);
        if found.is_none() {
            self.0.push(mark);
        }
        found
    }
}

impl Reader {
    /// The HTML of a text.
    pub(super) fn inline(&mut self, text: &str) -> String {
        let text = self.attributes.filled(text);
        self.marks(&text, 0)
    }

    fn marks(&mut self, text: &str, depth: usize) -> String {
        if depth > DEEPEST {
            return escaped(text);
        }
        let mut out = String::with_capacity(text.len() * 5 / 4);
        let mut never = Never::default();
        let mut at = 0;
        while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
            let before = text.get(..at).and_then(|before| before.chars().next_back());
            if let Some((html, length)) = self.mark(rest, before, &mut never, depth) {
                out.push_str(&html);
                at += length;
                continue;
            }
            let first = rest.chars().next().map_or(1, char::len_utf8);
            // A word is passed over at once: nothing begins within it.
            let word = rest.len() - rest.trim_start_matches(|c: char| c.is_alphanumeric()).len();
            // Only the mark of a note stands right behind a word.
            let note = rest.get(..word).and_then(|word| word.find("footnote")).filter(|at| *at > 0);
            let length = note.unwrap_or(word).max(first);
            out.push_str(&escaped(rest.get(..length).unwrap_or_default()));
            at += length;
        }
        out
    }

    /// The mark that a text begins with, as HTML, and its length.
    fn mark(
        &mut self,
        rest: &str,
        before: Option<char>,
        never: &mut Never,
        depth: usize,
    ) -> Option<(String, usize)> {
        let first = rest.chars().next()?;
        let is_word_start = before.is_none_or(|before| !before.is_alphanumeric() && before != '_');
        if first.is_alphanumeric() {
            return if is_word_start || rest.starts_with("footnote") {
                self.word(rest, never, depth)
            } else {
                None
            };
        }
        match first {
            '\\' => escape(rest),
            '+' => literal(rest, is_word_start, never),
            '[' => self.bracket(rest, is_word_start, never, depth),
            '<' => self.angle(rest, never, depth).or_else(|| sign(rest)),
            '(' if rest.starts_with("((") => self.index(rest, never, depth),
            '"' | '\'' if rest.get(1..).is_some_and(|rest| rest.starts_with('`')) => {
                self.curly(rest, first, never, depth)
            }
            '&' => entity(rest).map(|entity| (entity.to_owned(), entity.len())),
            ' ' => space(rest),
            '*' | '_' | '`' | '#' | '^' | '~' => {
                let (inner, length, name) = quoted(rest, is_word_start, never)?;
                // Literal signs within code: `+*+`.
                let plain = inner.strip_prefix('+').and_then(|inner| inner.strip_suffix('+'));
                let inner = match plain.filter(|_| name == "code") {
                    Some(plain) => escaped(plain),
                    None => self.marks(inner, depth + 1),
                };
                Some((format!("<{name}>{inner}</{name}>"), length))
            }
            _ => sign(rest),
        }
    }

    /// What begins with a word: an address, or a macro such as `link:fees.adoc[Fees]`.
    fn word(&mut self, rest: &str, never: &mut Never, depth: usize) -> Option<(String, usize)> {
        if SCHEMES.iter().any(|scheme| rest.starts_with(scheme)) {
            return self.address(rest, never, depth);
        }
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric())?;
        let (name, behind) = rest.split_at(end);
        let behind = behind.strip_prefix(':')?;
        let is_known = matches!(
            name,
            "link"
                | "xref"
                | "image"
                | "icon"
                | "kbd"
                | "btn"
                | "menu"
                | "footnote"
                | "footnoteref"
                | "stem"
                | "latexmath"
                | "asciimath"
                | "anchor"
                | "indexterm"
                | "indexterm2"
                | "pass"
        );
        if !is_known || behind.starts_with(':') {
            return None;
        }
        let open = behind.find('[')?;
        let target = behind.get(..open)?;
        if target.contains(char::is_whitespace) && !matches!(name, "menu" | "link")
            || target.contains('\n')
        {
            return None;
        }
        let inner = bracketed(behind.get(open..)?, never)?;
        let length = end + 1 + open + inner.len() + 2;
        let text = inner.replace("\\]", "]");
        let html = match name {
            "link" => self.link(target, &text, depth),
            "xref" => self.reference(target, &text, depth),
            "image" => {
                let words =
                    values(&text).first().map(|words| words.trim_matches('"').trim().to_owned());
                format!("<img alt=\"{}\">", attribute(&words.unwrap_or_default()))
            }
            "kbd" | "btn" => escaped(&text),
            "menu" => escaped(&format!("{target} > {text}")).trim_end_matches(" &gt; ").to_owned(),
            "footnote" | "footnoteref" => self.note(name, target, &text, depth),
            "stem" | "latexmath" => formula(&text),
            "asciimath" => escaped(&text),
            "indexterm2" => self.marks(&text, depth + 1),
            "pass" if target.contains('q') || target.contains('n') => self.marks(&text, depth + 1),
            "pass" if target.contains('c') => escaped(&text),
            "pass" => raw(&[&text]),
            "anchor" => anchor(target),
            _ => String::new(),
        };
        Some((html, length))
    }

    /// `https://www.example.edu[words]`, or the address alone.
    fn address(&mut self, rest: &str, never: &mut Never, depth: usize) -> Option<(String, usize)> {
        let end = address_length(rest);
        let target = rest.get(..end)?;
        let behind = rest.get(end..)?;
        if behind.starts_with('[')
            && let Some(inner) = bracketed(behind, never)
        {
            let text = inner.replace("\\]", "]");
            return Some((self.link(target, &text, depth), end + inner.len() + 2));
        }
        if target.starts_with("mailto:") {
            return None;
        }
        let target = target.trim_end_matches(['.', ',', ';', ':', '!', '?', ')', '\'', '*', '_']);
        let shown = escaped(target);
        Some((link(target, &shown), target.len()))
    }

    fn link(&mut self, target: &str, text: &str, depth: usize) -> String {
        let target = target.trim_matches('+');
        let words = link_words(text);
        let shown = if words.is_empty() {
            escaped(target.strip_prefix("mailto:").unwrap_or(target))
        } else {
            self.marks(&words, depth + 1)
        };
        link(target, &shown)
    }

    /// A reference to a place of this page or another.
    fn reference(&mut self, target: &str, text: &str, depth: usize) -> String {
        let words = link_words(text);
        let plain = target.trim_start_matches('#');
        if plain.contains(".adoc") || plain.contains(".asciidoc") || plain.contains(".html") {
            // `component:module:page.adoc`: where these lie is not known here.
            let page = plain.rsplit(':').next().unwrap_or(plain);
            let name = page.rsplit('/').next().unwrap_or(page).split('.').next().unwrap_or(page);
            let shown = if words.is_empty() {
                escaped(&name.replace(['-', '_'], " "))
            } else {
                self.marks(&words, depth + 1)
            };
            return link(page, &shown);
        }
        let (found, id) = self.references.find(plain);
        let found = found.map(str::to_owned);
        let shown = match found.filter(|_| words.is_empty()) {
            Some(found) => self.marks(&found, depth + 1),
            None if words.is_empty() => escaped(&format!("[{plain}]")),
            None => self.marks(&words, depth + 1),
        };
        format!("<a href=\"#{}\">{shown}</a>", attribute(&id))
    }

    fn note(&mut self, name: &str, target: &str, text: &str, depth: usize) -> String {
        // The older form has the name within: `footnoteref:[name,text]`.
        let (id, text) = match name {
            "footnoteref" => {
                text.split_once(',').map_or((text, ""), |(id, text)| (id, text.trim()))
            }
            _ => (target, text),
        };
        let id = Some(id.trim()).filter(|id| !id.is_empty());
        if text.is_empty() {
            return id.and_then(|id| self.notes.again(id)).unwrap_or_default();
        }
        let text = self.marks(text, depth + 1);
        self.notes.add(id, text)
    }

    /// `[[id]]`, `[[[book]]]`, `[.role]#words#`
    fn bracket(
        &mut self,
        rest: &str,
        is_word_start: bool,
        never: &mut Never,
        depth: usize,
    ) -> Option<(String, usize)> {
        if let Some(inner) = rest.strip_prefix("[[[") {
            let end = never.find(inner, "]]]")?;
            let words = inner.get(..end)?.split(',').next_back()?.trim();
            return Some((escaped(&format!("[{words}]")), end + 6));
        }
        if let Some(inner) = rest.strip_prefix("[[") {
            let end = never.find(inner, "]]")?;
            let id = inner.get(..end)?.split(',').next()?.trim();
            return Some((anchor(id), end + 4));
        }
        let end = never.find(rest, "]")?;
        let roles = rest.get(1..end).filter(|roles| !roles.contains(['\n', '[']))?;
        let (inner, length, name) = quoted(rest.get(end + 1..)?, is_word_start, never)?;
        let inner = self.marks(inner, depth + 1);
        let is_struck =
            roles.split(['.', ' ', '#']).any(|role| matches!(role, "line-through" | "strike"));
        let name = if is_struck { "s" } else { name };
        Some((format!("<{name}>{inner}</{name}>"), end + 1 + length))
    }

    /// `<<place,words>>`, `<https://www.example.edu>`
    fn angle(&mut self, rest: &str, never: &mut Never, depth: usize) -> Option<(String, usize)> {
        if let Some(inner) = rest.strip_prefix("<<") {
            let end = never.find(inner, ">>")?;
            let inner = inner.get(..end)?;
            let (target, words) = inner.split_once(',').unwrap_or((inner, ""));
            let starts = target
                .starts_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '#' | '.' | '/'));
            return starts.then(|| (self.reference(target.trim(), words.trim(), depth), end + 4));
        }
        let inner = rest.strip_prefix('<')?;
        let is_address = SCHEMES.iter().any(|scheme| inner.starts_with(scheme));
        let end = inner.find('>').filter(|_| is_address)?;
        let target = inner.get(..end).filter(|target| !target.contains(char::is_whitespace))?;
        Some((self.link(target, "", depth), end + 2))
    }

    /// `((shown))` and `(((not shown)))`, words of an index.
    fn index(&mut self, rest: &str, never: &mut Never, depth: usize) -> Option<(String, usize)> {
        if let Some(inner) = rest.strip_prefix("(((") {
            let end = never.find(inner, ")))")?;
            return Some((String::new(), end + 6));
        }
        let inner = rest.strip_prefix("((")?;
        let end = never.find(inner, "))")?;
        let words = inner.get(..end)?;
        Some((self.marks(words, depth + 1), end + 4))
    }

    /// ``"`words`"`` with the quotation marks of print.
    fn curly(
        &mut self,
        rest: &str,
        quote: char,
        never: &mut Never,
        depth: usize,
    ) -> Option<(String, usize)> {
        let inner = rest.get(2..)?;
        let end = never.find(inner, if quote == '"' { "`\"" } else { "`'" })?;
        let words = self.marks(inner.get(..end)?, depth + 1);
        let (open, close) = if quote == '"' { ('“', '”') } else { ('‘', '’') };
        Some((format!("{open}{words}{close}"), end + 4))
    }
}

/// The words of a link without what else stands in its brackets: `Fees,role=external`, `Fees^`.
fn link_words(text: &str) -> String {
    let text = text.trim();
    let words = match text.strip_prefix('"').and_then(|text| text.split_once('"')) {
        Some((words, _)) => words,
        None => match text.split_once(',').filter(|(_, more)| more.contains('=')) {
            Some((words, _)) => words,
            None if text.starts_with("role=") || text.starts_with("window=") => "",
            None => text,
        },
    };
    words.trim_end_matches('^').trim().to_owned()
}

/// What stands in the brackets that a text begins with; brackets within them close by themselves.
fn bracketed<'t>(text: &'t str, never: &mut Never) -> Option<&'t str> {
    never.find(text, "]")?;
    let mut open = 0_usize;
    let mut is_escaped = false;
    for (at, character) in text.char_indices() {
        match character {
            '[' if !is_escaped => open += 1,
            ']' if !is_escaped => {
                open -= 1;
                if open == 0 {
                    return text.get(1..at);
                }
            }
            _ => {}
        }
        is_escaped = character == '\\' && !is_escaped;
    }
    // None of the brackets from here on is closed.
    never.0.push("]");
    None
}

/// The text between the marks that a text begins with, the length with them, and the element.
fn quoted<'t>(
    rest: &'t str,
    is_word_start: bool,
    never: &mut Never,
) -> Option<(&'t str, usize, &'static str)> {
    QUOTES.iter().filter(|(mark, _)| rest.starts_with(mark)).find_map(|(mark, name)| {
        let inner = rest.get(mark.len()..)?;
        let is_free = mark.len() == 2 || matches!(*mark, "^" | "~");
        if inner.starts_with(char::is_whitespace) || !is_free && !is_word_start {
            return None;
        }
        let mut from = 0;
        loop {
            let step = never.find(inner.get(from..)?, mark)?;
            let end = from + step;
            let content = inner.get(..end)?;
            let behind = inner.get(end + mark.len()..)?;
            let is_end = match *mark {
                "^" | "~" if content.contains(char::is_whitespace) => return None,
                _ if is_free => !content.is_empty(),
                _ => {
                    !content.is_empty()
                        && !content.ends_with(char::is_whitespace)
                        && !content.ends_with('\\')
                        && !behind.starts_with(|c: char| c.is_alphanumeric() || c == '_')
                }
            };
            if is_end {
                return Some((content, end + 2 * mark.len(), *name));
            }
            from = end + mark.len();
        }
    })
}

/// A backslash in front of what would be a mark.
fn escape(rest: &str) -> Option<(String, usize)> {
    let next = rest.get(1..)?;
    let first = next.chars().next()?;
    if matches!(
        first,
        '*' | '_'
            | '`'
            | '#'
            | '^'
            | '~'
            | '+'
            | '<'
            | '['
            | '('
            | '{'
            | '&'
            | '.'
            | '-'
            | '"'
            | '\''
    ) {
        return Some((escaped(&first.to_string()), 1 + first.len_utf8()));
    }
    let end = next.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(next.len());
    let is_macro = end > 0 && next.get(end..).is_some_and(|rest| rest.starts_with(':'));
    is_macro.then(|| (escaped(next.get(..=end).unwrap_or_default()), end + 2))
}

/// `+words+`, `++words++`, `+++<u>+++`: as they stand.
fn literal(rest: &str, is_word_start: bool, never: &mut Never) -> Option<(String, usize)> {
    if let Some(inner) = rest.strip_prefix("+++") {
        let end = never.find(inner, "+++")?;
        return Some((inner.get(..end)?.to_owned(), end + 6));
    }
    if let Some(inner) = rest.strip_prefix("++") {
        let end = never.find(inner, "++").filter(|end| *end > 0)?;
        return Some((escaped(inner.get(..end)?), end + 4));
    }
    // At the end of a line it breaks the line.
    let inner = rest
        .strip_prefix('+')
        .filter(|inner| is_word_start && !inner.starts_with(char::is_whitespace))?;
    let end = never.find(inner, "+").filter(|end| *end > 0)?;
    let content = inner.get(..end).filter(|content| !content.ends_with(char::is_whitespace))?;
    let is_end = !inner.get(end + 1..)?.starts_with(char::is_alphanumeric);
    is_end.then(|| (escaped(content), end + 2))
}

/// The break of a line (` +` at its end), and a dash between words.
fn space(rest: &str) -> Option<(String, usize)> {
    if rest == " +" || rest.starts_with(" +\n") {
        return Some(("<br>".to_owned(), 2));
    }
    rest.starts_with(" -- ").then(|| (" – ".to_owned(), 4))
}

fn sign(rest: &str) -> Option<(String, usize)> {
    let (written, shown) = SIGNS.iter().find(|(written, _)| rest.starts_with(written))?;
    Some(((*shown).to_owned(), written.len()))
}

/// `&sect;`, `&#167;`
fn entity(rest: &str) -> Option<&str> {
    let near = rest.get(..rest.floor_char_boundary(ENTITY_BYTES))?;
    let end = near.find(';')?;
    let name = near.get(1..end)?.trim_start_matches('#');
    (!name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric()))
        .then(|| near.get(..=end))?
}
