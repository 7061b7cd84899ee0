//! Percent-encoding, brought to one form (RFC 3986, section 6.2.2), so that two spellings of one
//! address are one address, and a rule of `robots.txt` finds both.

/// `text` in one spelling: what need not be escaped is not, what must be is, with upper-case
/// digits. `keep` says which further bytes stand for themselves.
pub(crate) fn normalised(text: &[u8], keep: impl Fn(u8) -> bool) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((&first, tail)) = rest.split_first() {
        rest = tail;
        let escaped = match (first, tail) {
            (b'%', [high, low, after @ ..]) => {
                hex(*high).zip(hex(*low)).map(|(high, low)| (high * 16 + low, after))
            }
            _ => None,
        };
        match escaped {
            Some((byte, after)) => {
                rest = after;
                push(&mut out, byte, is_unreserved(byte));
            }
            None => push(&mut out, first, is_unreserved(first) || keep(first)),
        }
    }
    out
}

/// The bytes that may stand in a path or a query with a meaning of their own.
pub(crate) fn is_delimiter(byte: u8) -> bool {
    matches!(
        byte,
        b'/' | b'?'
            | b':'
            | b'@'
            | b'!'
            | b'$'
            | b'&'
            | b'\''
            | b'('
            | b')'
            | b'*'
            | b'+'
            | b','
            | b';'
            | b'='
    )
}

fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~')
}

fn push(out: &mut String, byte: u8, plain: bool) {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    let digit = |value: u8| char::from(DIGITS.get(usize::from(value)).copied().unwrap_or(b'0'));
    if plain {
        out.push(char::from(byte));
    } else {
        out.extend(['%', digit(byte >> 4), digit(byte & 15)]);
    }
}

fn hex(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).and_then(|value| u8::try_from(value).ok())
}

#[cfg(test)]
mod tests {
    use super::{is_delimiter, normalised};

    #[test]
    fn one_spelling() {
        let cases = [
            ("/a%7Eb/%c3%bc", "/a~b/%C3%BC"),
            ("/ü", "/%C3%BC"),
            ("/%2fa%2Fb", "/%2Fa%2Fb"),
            ("/100%", "/100%25"),
            ("/%4", "/%254"),
            ("/%zz", "/%25zz"),
            ("/a b|c[d]", "/a%20b%7Cc%5Bd%5D"),
            ("/q?a=1&b=%26", "/q?a=1&b=%26"),
        ];
        for (text, expected) in cases {
            assert_eq!(normalised(text.as_bytes(), is_delimiter), expected, "{text}");
        }
    }
}
