//! The parts of a mail and the letters in them (RFC 5322, 2045 to 2047, 2231).
//!
//! Mails come from thirty years of programs, so nothing here is an error: a field that cannot be read is left out, and a body whose
//! encoding is unknown is taken as it stands.

use std::borrow::Cow;
use std::collections::BTreeMap;

use base64::Engine as _;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};

use crate::inline::single_spaced;

/// Programs leave the padding out, and some leave stray bits.
const LENIENT: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);
/// Pieces of one parameter that are put together (RFC 2231).
const MOST_PIECES: usize = 100;
/// An encoded word is no longer than this: by the standard it has 75 bytes, and programs write whole subjects into one.
const WORD_BYTES: usize = 4_000;

/// A head with what stands below it: a mail, or a part of one.
#[derive(Debug)]
pub(super) struct Entity<'m> {
    /// Names in lower case, each with its value on one line, as it is written.
    fields: Vec<(String, String)>,
    body: &'m [u8],
}

/// A field with parameters: `text/plain; charset=utf-8`.
#[derive(Debug, Default)]
pub(super) struct Stated {
    /// In lower case.
    pub(super) value: String,
    parameters: BTreeMap<String, String>,
}

impl Stated {
    pub(super) fn parameter(&self, name: &str) -> Option<&str> {
        self.parameters.get(name).map(String::as_str)
    }
}

impl<'m> Entity<'m> {
    pub(super) fn of(bytes: &'m [u8]) -> Self {
        let mut fields: Vec<(String, String)> = Vec::new();
        let mut rest = bytes;
        while let Some((line, below)) = next_line(rest) {
            if line.is_empty() {
                rest = below;
                break;
            }
            let text = letters(line, None);
            if line.starts_with(b" ") || line.starts_with(b"\t") {
                if let Some((_, value)) = fields.last_mut() {
                    // Only the line break goes: the blank in front of the next line stays.
                    value.push_str(&text);
                }
            } else if let Some((name, value)) = field(&text) {
                fields.push((name, value));
            } else if !fields.is_empty() || !(text.starts_with("From ") || text.starts_with('>')) {
                // The head ended without a blank line.
                break;
            }
            rest = below;
        }
        Self { fields, body: rest }
    }

    /// The first field of a name, as it is written.
    pub(super) fn raw(&self, name: &str) -> Option<&str> {
        self.fields.iter().find(|(own, _)| own == name).map(|(_, value)| value.trim())
    }

    /// The first field of a name, its encoded words as letters.
    pub(super) fn text(&self, name: &str) -> Option<String> {
        self.raw(name).map(decoded_words).filter(|text| !text.trim().is_empty())
    }

    /// A field with its parameters; one that is missing has none.
    pub(super) fn stated(&self, name: &str) -> Stated {
        self.raw(name).map(stated).unwrap_or_default()
    }

    /// The body as its sender wrote it.
    pub(super) fn content(&self) -> Cow<'m, [u8]> {
        let encoding = self.raw("content-transfer-encoding").unwrap_or_default();
        match encoding.trim().to_ascii_lowercase().as_str() {
            "base64" => Cow::Owned(base64(self.body)),
            "quoted-printable" => Cow::Owned(quoted_printable(self.body, false)),
            _ => Cow::Borrowed(self.body),
        }
    }

    /// The body as text.
    pub(super) fn body_text(&self) -> String {
        let charset = self.stated("content-type");
        letters(&self.content(), charset.parameter("charset")).replace('\0', "")
    }

    /// The parts between the marks of a body of many parts.
    pub(super) fn parts(&self, boundary: &str) -> Vec<&'m [u8]> {
        let mut parts = Vec::new();
        let mut start = None;
        let (mut at, mut rest) = (0, self.body);
        while let Some((line, below)) = next_line(rest) {
            let next = at + (rest.len() - below.len());
            let mark = line
                .strip_prefix(b"--")
                .and_then(|mark| mark.strip_prefix(boundary.as_bytes()))
                .map(<[u8]>::trim_ascii_end);
            if let Some(end @ (b"" | b"--")) = mark {
                parts.extend(start.and_then(|start: usize| self.body.get(start..at)));
                start = (end == b"").then_some(next);
                if end == b"--" {
                    break;
                }
            }
            (at, rest) = (next, below);
        }
        // A mail that was cut short has no last mark.
        parts.extend(start.and_then(|start| self.body.get(start..)));
        parts
    }
}

/// The first line without its end, and what stands below it.
fn next_line(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    if bytes.is_empty() {
        return None;
    }
    let end = bytes.iter().position(|byte| *byte == b'\n');
    let (line, below) = match end {
        Some(end) => (bytes.get(..end)?, bytes.get(end + 1..)?),
        None => (bytes, &b""[..]),
    };
    Some((line.strip_suffix(b"\r").unwrap_or(line), below))
}

/// `Subject: Fees`
fn field(line: &str) -> Option<(String, String)> {
    let (name, value) = line.split_once(':')?;
    let name = name.trim_end();
    is_field_name(name).then(|| (name.to_ascii_lowercase(), value.to_owned()))
}

/// Returns `true` for what may name a field: letters and signs without blanks.
pub(super) fn is_field_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_graphic())
}

/// The letters that bytes stand for: by their character set, by UTF-8 where they are that, and else by the one of old programs.
fn letters(bytes: &[u8], charset: Option<&str>) -> String {
    let stated = charset.and_then(|name| Encoding::for_label(name.trim().as_bytes()));
    if stated.is_none_or(|encoding| encoding == UTF_8)
        && let Ok(text) = std::str::from_utf8(bytes)
    {
        return text.to_owned();
    }
    let encoding = stated.filter(|encoding| *encoding != UTF_8).unwrap_or(WINDOWS_1252);
    encoding.decode_without_bom_handling(bytes).0.into_owned()
}

fn base64(bytes: &[u8]) -> Vec<u8> {
    let is_letter = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/');
    // What stands behind the padding is a list's footer, or nothing.
    let end = bytes.iter().position(|byte| *byte == b'=').unwrap_or(bytes.len());
    let mut packed: Vec<u8> = bytes.iter().take(end).copied().filter(|b| is_letter(b)).collect();
    // One letter by itself holds no byte: the file was cut short.
    if packed.len() % 4 == 1 {
        packed.pop();
    }
    LENIENT.decode(&packed).unwrap_or_default()
}

/// `=C3=A4` as bytes; `=` at the end of a line joins it to the next. In a head, `_` is a blank.
fn quoted_printable(bytes: &[u8], is_word: bool) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let rest = bytes.get(at + 1..).unwrap_or_default();
        match (byte, rest) {
            (b'=', [first, second, ..]) if hex(*first).is_some() && hex(*second).is_some() => {
                out.push(hex(*first).unwrap_or(0) * 16 + hex(*second).unwrap_or(0));
                at += 3;
            }
            (b'=', _) if is_word => {
                out.push(b'=');
                at += 1;
            }
            (b'=', rest) => {
                // Blanks behind the sign were added on the way.
                let blanks = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
                match rest.get(blanks..) {
                    Some([b'\r', b'\n', ..]) => at += blanks + 3,
                    Some([b'\n', ..]) => at += blanks + 2,
                    Some([]) | None => break,
                    Some(_) => {
                        out.push(b'=');
                        at += 1;
                    }
                }
            }
            (b'_', _) if is_word => {
                out.push(b' ');
                at += 1;
            }
            (byte, _) => {
                out.push(*byte);
                at += 1;
            }
        }
    }
    out
}

fn hex(byte: u8) -> Option<u8> {
    char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok())
}

/// A line of a head with its encoded words (`=?utf-8?q?Pr=C3=BCfung?=`) as letters.
pub(super) fn decoded_words(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    // The bytes of words side by side are put together first: a letter may lie over two of them.
    let mut open: Option<(String, Vec<u8>)> = None;
    let flush = |open: &mut Option<(String, Vec<u8>)>, out: &mut String| {
        if let Some((charset, bytes)) = open.take() {
            out.push_str(&letters(&bytes, Some(&charset)));
        }
    };
    let mut rest = text;
    while let Some(start) = rest.find("=?") {
        let (before, word) = rest.split_at(start);
        let Some((charset, bytes, behind)) = encoded_word(word) else {
            flush(&mut open, &mut out);
            out.push_str(before);
            out.push_str("=?");
            rest = word.get(2..).unwrap_or_default();
            continue;
        };
        // Blanks between two encoded words are no part of the text.
        if open.is_none() || !before.trim().is_empty() {
            flush(&mut open, &mut out);
            out.push_str(before);
        }
        match &mut open {
            Some((own, known)) if own.eq_ignore_ascii_case(charset) => known.extend(bytes),
            other => {
                flush(other, &mut out);
                *other = Some((charset.to_owned(), bytes));
            }
        }
        rest = behind;
    }
    flush(&mut open, &mut out);
    out.push_str(rest);
    single_spaced(&out)
}

/// The character set and the bytes of the encoded word that a text begins with, and what stands behind it.
fn encoded_word(text: &str) -> Option<(&str, Vec<u8>, &str)> {
    let near = text.get(..text.floor_char_boundary(WORD_BYTES))?;
    let (charset, rest) = near.strip_prefix("=?")?.split_once('?')?;
    let (encoding, rest) = rest.split_once('?')?;
    let end = near.len() - rest.len() + rest.find("?=")?;
    let (word, behind) = (rest.split("?=").next()?, text.get(end + 2..)?);
    // A language may follow the set: `utf-8*en`.
    let charset = charset.split('*').next().unwrap_or_default();
    let bytes = match encoding {
        "B" | "b" => base64(word.as_bytes()),
        "Q" | "q" => quoted_printable(word.as_bytes(), true),
        _ => return None,
    };
    (!charset.is_empty() && !charset.contains(' ')).then_some((charset, bytes, behind))
}

/// `attachment; filename="fees 2026.pdf"`
fn stated(field: &str) -> Stated {
    let mut pieces = semicolons(field).into_iter();
    let value = pieces.next().unwrap_or_default().trim().to_ascii_lowercase();
    let mut found = Stated { value, ..Stated::default() };
    // Long values come in numbered pieces, `filename*0*=`, `filename*1*=`.
    let mut long: BTreeMap<String, BTreeMap<usize, (bool, String)>> = BTreeMap::new();
    for piece in pieces {
        let Some((name, value)) = piece.split_once('=') else { continue };
        let name = name.trim().to_ascii_lowercase();
        let value = unquoted(value.trim());
        let (plain, is_packed) = name.strip_suffix('*').map_or((&*name, false), |own| (own, true));
        let (plain, number) = match plain.split_once('*') {
            Some((plain, number)) => (plain, number.parse().unwrap_or(MOST_PIECES)),
            None if is_packed => (plain, 0),
            None => {
                found.parameters.entry(name.clone()).or_insert_with(|| decoded_words(&value));
                continue;
            }
        };
        if number < MOST_PIECES {
            long.entry(plain.to_owned()).or_default().insert(number, (is_packed, value));
        }
    }
    for (name, pieces) in long {
        // What says its character set goes before the plain form beside it.
        found.parameters.insert(name, put_together(pieces.into_values()));
    }
    found
}

/// The parts of a field between its semicolons; those within quotation marks part nothing.
fn semicolons(field: &str) -> Vec<String> {
    let mut pieces = vec![String::new()];
    let (mut is_quoted, mut is_escaped) = (false, false);
    for character in field.chars() {
        if character == ';' && !is_quoted {
            pieces.push(String::new());
            continue;
        }
        is_quoted ^= character == '"' && !is_escaped;
        is_escaped = character == '\\' && !is_escaped;
        if let Some(last) = pieces.last_mut() {
            last.push(character);
        }
    }
    pieces
}

fn unquoted(value: &str) -> String {
    match value.strip_prefix('"') {
        Some(inner) => inner.strip_suffix('"').unwrap_or(inner).replace("\\\"", "\""),
        None => value.to_owned(),
    }
}

/// `utf-8''Geb%C3%BChren` and the pieces behind it.
fn put_together(pieces: impl Iterator<Item = (bool, String)>) -> String {
    let mut charset = None;
    let mut bytes = Vec::new();
    for (number, (is_packed, piece)) in pieces.enumerate() {
        let mut piece = piece.as_str();
        if number == 0
            && is_packed
            && let Some((set, rest)) = piece.split_once('\'')
        {
            charset = Some(set.to_owned());
            piece = rest.split_once('\'').map_or(rest, |(_, rest)| rest);
        }
        // Per cent signs are the same code with another sign in front.
        match is_packed {
            true => {
                let packed = piece.replace('=', "%3D").replace('%', "=");
                bytes.extend(quoted_printable(packed.as_bytes(), true));
            }
            false => bytes.extend(piece.as_bytes()),
        }
    }
    letters(&bytes, charset.as_deref().filter(|set| !set.is_empty()))
}

#[cfg(test)]
mod tests {
    use super::{Entity, base64, decoded_words, quoted_printable, stated};

    #[test]
    fn encoded_words_become_letters() {
        let cases = [
            ("=?utf-8?q?Pr=C3=BCfung_am_Montag?=", "Prüfung am Montag"),
            ("=?UTF-8?B?R2Viw7xocmVu?=", "Gebühren"),
            // A letter over two words, and blanks between words.
            ("=?utf-8?q?Geb=C3?=  =?utf-8?q?=BChren?= 2026", "Gebühren 2026"),
            ("Re: =?iso-8859-1?Q?Caf=E9?= open", "Re: Café open"),
            ("=?iso-8859-1*de?q?=FC?= =?utf-8?q?=C3=BC?=", "üü"),
            ("a =?b", "a =?b"),
            ("=?utf-8?x?a?=", "=?utf-8?x?a?="),
        ];
        for (text, expected) in cases {
            assert_eq!(decoded_words(text), expected, "{text}");
        }
    }

    #[test]
    fn parameters_are_read_in_each_form() {
        let cases = [
            ("attachment; filename=\"a;b.pdf\"", Some("a;b.pdf")),
            ("attachment; FileName=fees.pdf", Some("fees.pdf")),
            ("a; filename*=utf-8''Geb%C3%BChren.pdf; filename=x.pdf", Some("Gebühren.pdf")),
            (
                "a; filename*0*=utf-8''Geb%C3; filename*1*=%BChren; filename*2=.pdf",
                Some("Gebühren.pdf"),
            ),
            ("a; filename=\"=?utf-8?q?Geb=C3=BChren.pdf?=\"", Some("Gebühren.pdf")),
            ("a", None),
            ("a; filename", None),
        ];
        for (field, expected) in cases {
            assert_eq!(stated(field).parameter("filename"), expected, "{field}");
        }
    }

    #[test]
    fn bodies_are_unpacked() {
        assert_eq!(base64(b"R2Vi\r\nw7xo cmVu"), "Gebühren".as_bytes());
        assert_eq!(base64(b"QQ==\n-- list"), b"A");
        assert_eq!(base64(b"QUJDR"), b"ABC");
        assert_eq!(quoted_printable(b"a=C3=BC b= \r\nc=\nd=3", false), "aü bcd=3".as_bytes());
    }

    #[test]
    fn heads_and_parts_are_found() {
        let mail = b"From a@b Mon\nSubject: one\n two\nX-Y : z\n\n--b\n\nfirst\n--b \nA: b\n\nsecond\n--b--\nafter";
        let mail = Entity::of(mail);
        assert_eq!((mail.raw("subject"), mail.raw("x-y")), (Some("one two"), Some("z")));
        let parts = mail.parts("b");
        assert_eq!(parts, [&b"\nfirst\n"[..], b"A: b\n\nsecond\n"]);
        assert_eq!(mail.parts("c"), Vec::<&[u8]>::new());
        assert_eq!(Entity::of(b"just text\nmore").body, b"just text\nmore");
    }
}
