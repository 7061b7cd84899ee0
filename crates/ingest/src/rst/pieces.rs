//! The parts of a line: text, and what marks it.
//!
//! A sign begins mark-up only where the specification's rules on what stands around it hold
//! ("inline markup recognition rules"). Where nothing closes it, it is text; that is remembered, so
//! that a page full of signs is still read in one pass.

use super::notes::is_number;

/// The name of a role is no longer than this, in bytes.
// From each colon of a page that far is looked.
const LONGEST_ROLE: usize = 60;

/// A part of a line.
pub(super) enum Piece<'a> {
    /// As it stands.
    Text(&'a str),
    /// Marked text, in which backslashes still count.
    Plain(&'a str),
    /// A word that may be a reference: as it stands, and its name.
    Word(&'a str, &'a str),
    Address(&'a str),
    /// The label of a footnote.
    Note(&'a str),
    Reference {
        text: &'a str,
        is_anonymous: bool,
    },
    Role(&'a str, &'a str),
    Substitution {
        name: &'a str,
        is_reference: bool,
    },
}

pub(super) struct Pieces<'a> {
    text: &'a str,
    at: usize,
    /// Marks that nothing closes from here on.
    never_closed: Vec<&'static str>,
}

impl<'a> Pieces<'a> {
    pub(super) fn of(text: &'a str) -> Self {
        Self { text, at: 0, never_closed: Vec::new() }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn before(&self) -> Option<char> {
        self.text[..self.at].chars().next_back()
    }

    /// Takes `length` bytes.
    fn take(&mut self, length: usize) -> &'a str {
        let taken = &self.rest()[..length];
        self.at += taken.len();
        taken
    }

    /// Returns `true` if mark-up may begin here.
    fn may_open(&self) -> bool {
        self.before().is_none_or(opens) && !self.is_quoted()
    }

    /// Returns `true` if the sign stands between quotes, and so for itself: `"*"`.
    fn is_quoted(&self) -> bool {
        let closing = match self.before() {
            Some(quote @ ('"' | '\'')) => quote,
            Some('(') => ')',
            Some('[') => ']',
            Some('<') => '>',
            Some('{') => '}',
            _ => return false,
        };
        self.rest().chars().nth(1) == Some(closing)
    }

    fn marked(&mut self, rest: &'a str, first: char) -> Option<Piece<'a>> {
        match first {
            '*' if rest.starts_with("**") => self.between("**", "**").map(Piece::Plain),
            '*' => self.between("*", "*").map(Piece::Plain),
            '`' if rest.starts_with("``") => self.between("``", "``").map(Piece::Text),
            '`' => self.interpreted(),
            '_' if rest.starts_with("_`") => self.between("_`", "`").map(Piece::Plain),
            // `<|` begins a control token of a language model, which is left out elsewhere.
            '|' if self.before() != Some('<') => {
                let name = self.between("|", "|")?;
                let after = self.rest();
                let marks = after.len() - after.trim_start_matches('_').len();
                self.take(marks.min(2));
                Some(Piece::Substitution { name, is_reference: marks > 0 })
            }
            '[' => self.note(rest),
            ':' => self.role(rest),
            _ => None,
        }
    }

    /// Takes the text between two marks, if the second is there.
    fn between(&mut self, open: &str, close: &'static str) -> Option<&'a str> {
        let rest = self.rest();
        let inner = rest.get(open.len()..)?;
        if inner.starts_with(char::is_whitespace) || self.never_closed.contains(&close) {
            return None;
        }
        let mut from = 0;
        while let Some(step) = inner.get(from..)?.find(close) {
            let end = from + step;
            let content = inner.get(..end)?;
            let after = inner.get(end + close.len()..)?;
            let slashes = content.len() - content.trim_end_matches('\\').len();
            let is_escaped = slashes % 2 == 1 && close != "``";
            let is_end = !content.is_empty()
                && !content.ends_with(char::is_whitespace)
                && !is_escaped
                && closes(after.chars().next(), close);
            if is_end {
                self.take(open.len() + end + close.len());
                return Some(content);
            }
            from = end + 1;
        }
        self.never_closed.push(close);
        None
    }

    /// `` `text` `` with what stands behind it: a role, or the sign of a reference.
    fn interpreted(&mut self) -> Option<Piece<'a>> {
        let text = self.between("`", "`")?;
        let after = self.rest();
        if after.starts_with('_') {
            let is_anonymous = after.starts_with("__");
            self.take(1 + usize::from(is_anonymous));
            return Some(Piece::Reference { text, is_anonymous });
        }
        if let Some(role) = role_name(after) {
            self.take(role.len() + 2);
            return Some(Piece::Role(role, text));
        }
        Some(Piece::Plain(text))
    }

    /// `` :role:`text` ``
    fn role(&mut self, rest: &'a str) -> Option<Piece<'a>> {
        let role = role_name(rest)?;
        let start = self.at;
        self.take(role.len() + 2);
        let is_marked = self.rest().starts_with('`') && !self.rest().starts_with("``");
        match is_marked.then(|| self.between("`", "`")).flatten() {
            Some(text) => Some(Piece::Role(role, text)),
            None => {
                self.at = start;
                None
            }
        }
    }

    /// The number of `[1]_` is left out, as is that of the footnote itself; `[Smith2020]_` is a name.
    fn note(&mut self, rest: &'a str) -> Option<Piece<'a>> {
        let window = rest.get(..rest.floor_char_boundary(LONGEST_ROLE))?;
        let end = window.find("]_")?;
        let label = rest.get(1..end)?;
        if label.is_empty()
            || label.contains(char::is_whitespace)
            || !closes(rest.get(end + 2..)?.chars().next(), "_")
        {
            return None;
        }
        self.take(end + 2);
        Some(if is_number(label) { Piece::Note(label) } else { Piece::Text(rest.get(..=end)?) })
    }

    /// A word with the sign of a reference behind it, or an address.
    fn word(&mut self, rest: &'a str) -> Option<Piece<'a>> {
        if !rest.starts_with(char::is_alphanumeric) {
            return None;
        }
        if ["http://", "https://", "ftp://", "mailto:"]
            .iter()
            .any(|scheme| rest.starts_with(scheme))
        {
            let end =
                rest.find(|c: char| c.is_whitespace() || matches!(c, '<' | '>' | '"' | '`' | '\\'));
            let address = rest.get(..end.unwrap_or(rest.len()))?;
            let address = address
                .trim_end_matches(['.', ',', ';', ':', '!', '?', '\'', '*', ')', ']', '}', '_']);
            return Some(Piece::Address(self.take(address.len())));
        }
        let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '+');
        let end = rest.find(|c| !is_name(c)).unwrap_or(rest.len());
        // A full stop behind a reference ends the sentence.
        let word = rest.get(..end)?.trim_end_matches(['-', '.', '+']);
        let end = word.len();
        let name = word.trim_end_matches('_');
        let marks = word.len() - name.len();
        let is_reference = (1..=2).contains(&marks) && closes(rest.get(end..)?.chars().next(), "_");
        self.take(end);
        Some(if is_reference { Piece::Word(word, name) } else { Piece::Text(word) })
    }
}

impl<'a> Iterator for Pieces<'a> {
    type Item = Piece<'a>;

    fn next(&mut self) -> Option<Piece<'a>> {
        let rest = self.rest();
        let first = rest.chars().next()?;
        if first == '\\' {
            let escaped = rest.get(1..).and_then(|rest| rest.chars().next());
            return Some(Piece::Plain(self.take(1 + escaped.map_or(0, char::len_utf8))));
        }
        if self.may_open() {
            if let Some(piece) = self.marked(rest, first) {
                return Some(piece);
            }
            if let Some(piece) = self.word(rest) {
                return Some(piece);
            }
        }
        // On to the next sign that may mean something, and the next word.
        let ends = |(at, character): &(usize, char)| {
            *at > 0
                && (matches!(character, '\\' | '*' | '`' | '|' | '[' | '_' | ':')
                    || self.text.get(..self.at + at).is_some_and(|text| text.ends_with(opens)))
        };
        let step = rest.char_indices().find(ends).map_or(rest.len(), |(at, _)| at);
        Some(Piece::Text(self.take(step)))
    }
}

/// The name in `:name:`.
fn role_name(text: &str) -> Option<&str> {
    let rest = text.strip_prefix(':')?;
    let window = rest.get(..rest.floor_char_boundary(LONGEST_ROLE))?;
    let end =
        window.find(|c: char| !(c.is_alphanumeric() || matches!(c, '-' | '_' | '+' | '.' | ':')));
    let name = window.get(..end.unwrap_or(window.len()))?.strip_suffix(':')?;
    (!name.is_empty() && !name.contains("::")).then_some(name)
}

/// Returns `true` if mark-up may begin behind a character.
fn opens(character: char) -> bool {
    character.is_whitespace()
        || matches!(character, '\'' | '"' | '(' | '[' | '{' | '<' | '-' | '/' | ':' | '\\')
        || matches!(
            character,
            '–' | '—' | '„' | '“' | '‘' | '‚' | '«' | '»' | '›' | '‹' | '¿' | '¡' | '\u{a0}'
        )
}

/// Returns `true` if mark-up may end in front of a character.
fn closes(next: Option<char>, mark: &str) -> bool {
    match next {
        None => true,
        // A role or the sign of a reference stands right behind it.
        Some('_' | ':') if matches!(mark, "`" | "|") => true,
        Some(next) => !next.is_alphanumeric() && next != '_' && !(mark == "*" && next == '*'),
    }
}
