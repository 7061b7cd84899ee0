//! Numbers, words and marks: what a text is made of.

/// The kinds of piece in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Digits, with `.`, `,` and `:` between digits.
    Number,
    /// Letters, or letters and digits.
    Word,
    /// One other character that is no white space.
    Mark,
}

/// A piece of a text.
#[derive(Debug, Clone, Copy)]
pub struct Piece<'a> {
    /// The kind of piece.
    pub kind: Kind,
    /// The letters, as they stand in the text.
    pub text: &'a str,
    /// Its first byte.
    pub start: usize,
    /// One past its last byte.
    pub end: usize,
}

impl Piece<'_> {
    /// Returns `true` if nothing stands between this piece and the one behind it.
    pub fn touches(&self, next: &Self) -> bool {
        self.end == next.start
    }

    /// Returns `true` if it is a number without separators.
    pub fn is_plain_number(&self) -> bool {
        self.kind == Kind::Number && is_digits(self.text)
    }

    /// Returns `true` if it is a mark, and this one.
    pub fn is_mark(&self, mark: char) -> bool {
        self.kind == Kind::Mark && self.text.starts_with(mark)
    }
}

/// Units that are written without a space behind a number: `10am`, `5km`, the `1990s`.
pub const UNITS: [&str; 22] = [
    "am", "cm", "ects", "eur", "gb", "h", "hr", "hrs", "kb", "kg", "km", "mb", "min", "mins", "mm",
    "pm", "pt", "pts", "s", "sec", "uhr", "x",
];

/// Cuts a text into pieces, in order.
pub fn pieces(text: &str) -> Vec<Piece<'_>> {
    cut(text, usize::MAX, piece_at)
}

/// The first pieces of a text, at most so many.
pub(super) fn first_pieces(text: &str, most: usize) -> Vec<Piece<'_>> {
    cut(text, most, piece_at)
}

/// Cuts a text as [`pieces`] does, but a number and the unit that touches it are two.
///
/// Literals are read so, since a text that has `10 am` states what `10am` says. Facts are not: there a word is compared
/// as it stands.
pub fn pieces_and_units(text: &str) -> Vec<Piece<'_>> {
    cut(text, usize::MAX, |rest, first| {
        let number = number_length(rest);
        let after = &rest[number..];
        let unit = &after[..after.find(|c: char| !c.is_alphanumeric()).unwrap_or(after.len())];
        // `2410H` is rather a code.
        let is_unit = UNITS.contains(&unit)
            || (unit.len() > 1 && UNITS.contains(&unit.to_ascii_lowercase().as_str()));
        match number > 0 && is_unit {
            true => (Kind::Number, number),
            false => piece_at(rest, first),
        }
    })
}

fn cut(text: &str, most: usize, piece_at: impl Fn(&str, char) -> (Kind, usize)) -> Vec<Piece<'_>> {
    let mut found = Vec::new();
    let mut start = 0;
    while let Some(first) = text[start..].chars().next().filter(|_| found.len() < most) {
        let (kind, length) = piece_at(&text[start..], first);
        let end = start + length;
        if !first.is_whitespace() {
            found.push(Piece { kind, text: &text[start..end], start, end });
        }
        start = end;
    }
    found
}

fn piece_at(rest: &str, first: char) -> (Kind, usize) {
    if !first.is_alphanumeric() {
        return (Kind::Mark, first.len_utf8());
    }
    let number = number_length(rest);
    if number > 0 && !rest[number..].starts_with(char::is_alphanumeric) {
        return (Kind::Number, number);
    }
    (Kind::Word, rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len()))
}

/// Returns `true` if a text has nothing but the digits 0 to 9.
pub fn is_digits(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Bytes of digits, with single separators between them.
fn number_length(rest: &str) -> usize {
    let bytes = rest.as_bytes();
    let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let mut length = 0;
    while is_digit(length)
        || (length > 0
            && matches!(bytes.get(length), Some(b'.' | b',' | b':'))
            && is_digit(length + 1))
    {
        length += 1;
    }
    length
}
