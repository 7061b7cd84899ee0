/// What a piece of a text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Digits, with `.`, `,` and `:` between digits.
    Number,
    /// Letters, or letters and digits.
    Word,
    /// One other character that is no white space.
    Mark,
}

/// A piece of a text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Piece<'a> {
    pub(super) kind: Kind,
    pub(super) text: &'a str,
    /// Its first byte.
    pub(super) start: usize,
    /// One past its last byte.
    pub(super) end: usize,
}

impl Piece<'_> {
    pub(super) fn is_mark(&self, mark: char) -> bool {
        self.kind == Kind::Mark && self.text.starts_with(mark)
    }
}

/// Cuts a text into pieces, in order.
pub(super) fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut found = Vec::new();
    let mut start = 0;
    while let Some(first) = text.get(start..).and_then(|rest| rest.chars().next()) {
        let rest = text.get(start..).unwrap_or_default();
        let (kind, length) = piece_at(rest, first);
        let end = start + length;
        if !first.is_whitespace() {
            found.push(Piece { kind, text: rest.get(..length).unwrap_or_default(), start, end });
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
    let goes_on = rest.get(number..).is_some_and(|after| after.starts_with(char::is_alphanumeric));
    if number > 0 && !goes_on {
        return (Kind::Number, number);
    }
    (Kind::Word, rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len()))
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
