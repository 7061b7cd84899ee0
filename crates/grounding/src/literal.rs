//! Reads what a text states in a way that can be checked letter by letter.

use std::fmt;
use std::ops::{Range, RangeInclusive};

use campanile_text::{Language, Span, fold};

use crate::addresses::{Address, addresses};
use crate::dates::{self, Date, Joined};
use crate::number_words::{number_in_words, zeros};
use crate::numbers::{Number, ordinal, parts};
use crate::pieces::{Kind, Piece, is_digits, pieces_and_units};

/// The kinds of literal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum LiteralKind {
    /// A number in digits or words, a time, an ordinal in digits; a range is two.
    Number,
    /// A day of a month, a month of a year, or both.
    Date,
    /// A course code, or another word with digits in it.
    Code,
    /// An e-mail address.
    Email,
    /// A web address, or the name of a host.
    Url,
}

impl LiteralKind {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Number, Self::Date, Self::Code, Self::Email, Self::Url];

    /// The name in small letters: `number`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Number => "number",
            Self::Date => "date",
            Self::Code => "code",
            Self::Email => "email",
            Self::Url => "url",
        }
    }
}

/// A literal's value, the same for all spellings.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum LiteralValue {
    /// `1,000` and `thousand` are `1000`.
    Number(Number),
    /// `3 May 2024` is `2024-05-03`.
    Date(Date),
    /// `CS 101` is `cs101`.
    Code(String),
    /// An e-mail address in lower case.
    Email(String),
    /// A web address without scheme, `www.` and a closing slash.
    Url {
        /// The host in lower case.
        host: String,
        /// All behind the host; empty where there is nothing.
        path: String,
    },
}

impl fmt::Display for LiteralValue {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(formatter),
            Self::Date(date) => date.fmt(formatter),
            Self::Code(text) | Self::Email(text) => formatter.write_str(text),
            Self::Url { host, path } => write!(formatter, "{host}{path}"),
        }
    }
}

/// A number, a date, a code or an address in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Literal {
    /// The kind of literal.
    pub kind: LiteralKind,
    /// Its bytes in the text. The spans of the two ends of a range share its month: `4–10 May`.
    pub span: Span,
    /// Its value.
    pub value: LiteralValue,
}

impl Literal {
    fn new(value: LiteralValue, start: usize, end: usize) -> Self {
        let kind = match value {
            LiteralValue::Number(_) => LiteralKind::Number,
            LiteralValue::Date(_) => LiteralKind::Date,
            LiteralValue::Code(_) => LiteralKind::Code,
            LiteralValue::Email(_) => LiteralKind::Email,
            LiteralValue::Url { .. } => LiteralKind::Url,
        };
        Self { kind, span: Span::from_range(start..end), value }
    }
}

/// The literals of a text, in its order.
///
/// The language says how numbers are grouped (`1,500` or `1.500`), in which order a date with
/// slashes stands, and which words are numbers; [`Language::None`] has no such words.
pub fn literals(text: &str, language: Language) -> Vec<Literal> {
    let mut found = Vec::new();
    walk(text, language, |_, literals| found.extend(literals));
    found
}

/// Goes through a text from left to right and tells of each step where it began and which literals
/// it found.
pub(crate) fn walk(text: &str, language: Language, mut step: impl FnMut(usize, Vec<Literal>)) {
    // Addresses first: the digits and dots in them are no numbers and no dates.
    let mut start = 0;
    for (range, address) in addresses(text) {
        walk_pieces(text, start..range.start, language, &mut step);
        let value = match address {
            Address::Email(email) => LiteralValue::Email(email),
            Address::Web { host, path } => LiteralValue::Url { host, path },
        };
        step(range.start, vec![Literal::new(value, range.start, range.end)]);
        start = range.end;
    }
    walk_pieces(text, start..text.len(), language, &mut step);
}

fn walk_pieces(
    text: &str,
    range: Range<usize>,
    language: Language,
    step: &mut impl FnMut(usize, Vec<Literal>),
) {
    let offset = range.start;
    let mut pieces = pieces_and_units(&text[range]);
    for piece in &mut pieces {
        piece.start += offset;
        piece.end += offset;
    }
    let mut place = 0;
    while let Some(piece) = pieces.get(place) {
        let (values, taken) = Reader { pieces: &pieces, place, language }.read();
        let literals = values.into_iter().map(|(value, length)| {
            Literal::new(value, piece.start, pieces[place + length - 1].end)
        });
        step(piece.start, literals.collect());
        place += taken;
    }
}

/// Reads what stands at one place.
struct Reader<'a> {
    pieces: &'a [Piece<'a>],
    place: usize,
    language: Language,
}

/// Values with the pieces that each takes.
type Values = Vec<(LiteralValue, usize)>;

impl Reader<'_> {
    /// The values, and how many pieces are done with.
    fn read(&self) -> (Values, usize) {
        let rest = &self.pieces[self.place..];
        let one = |value, length| (vec![(value, length)], length);
        // What takes more pieces is looked for first: `4 October` before `4`, and `412-268-2000` before its numbers.
        if let Some((date, length)) = dates::date(rest, self.language) {
            return self.days(rest, date, length);
        }
        if let Some((date, length)) = dates::day_in_number(rest) {
            // The number is read in its turn.
            return (vec![(LiteralValue::Date(date), length)], 1);
        }
        if let Some((date, length)) = dates::day_before_others(rest, Joined::ByRange) {
            // The last day is read in its turn.
            return (vec![(LiteralValue::Date(date), length)], 1);
        }
        if let Some((code, length)) = code(rest) {
            return one(LiteralValue::Code(code), length);
        }
        if let Some((number, length)) = number_in_words(rest, self.language) {
            return one(LiteralValue::Number(Number::whole(number)), length);
        }
        match self.number(rest) {
            Some((number, length)) => one(LiteralValue::Number(number), length),
            None => (Vec::new(), 1),
        }
    }

    /// A date, and the days behind it that share its month.
    fn days(&self, rest: &[Piece<'_>], date: Date, length: usize) -> (Values, usize) {
        let mut found = vec![(LiteralValue::Date(date), length)];
        let begins_with_month = rest.first().is_some_and(|piece| piece.kind == Kind::Word);
        let further = dates::day_after_others(&date, &rest[length..], Joined::ByRange);
        match further.filter(|_| begins_with_month) {
            Some((last, more)) => {
                found.push((LiteralValue::Date(last), length + more));
                (found, length + more)
            }
            None => (found, length),
        }
    }

    fn number(&self, rest: &[Piece<'_>]) -> Option<(Number, usize)> {
        let first = rest.first()?;
        let number = match first.kind {
            Kind::Number => {
                if let Some(slashed) = slashed(rest) {
                    return Some((slashed, 3));
                }
                Number::new(first, &self.pieces[..self.place], self.language)
            }
            // `10` of `10:30xy`.
            Kind::Word if is_digits(first.text) => Number::new(first, &[], self.language),
            Kind::Word => parts(first).pop()?,
            Kind::Mark => return None,
        };
        let scale = rest.get(1).filter(|piece| piece.kind == Kind::Word);
        match scale.and_then(|piece| zeros(piece.text, self.language)) {
            Some(zeros) => Some((number.times_ten_to(zeros as usize), 2)),
            None => Some((number, 1)),
        }
    }
}

/// `9/11`, `1/2`: neither a date nor a number, but one thing.
fn slashed(rest: &[Piece<'_>]) -> Option<Number> {
    let [first, mark, second, ..] = rest else { return None };
    let is_short = |piece: &Piece<'_>| piece.is_plain_number() && piece.text.len() <= 2;
    let touch = first.touches(mark) && mark.touches(second);
    let short = |piece: &Piece<'_>| piece.text.trim_start_matches('0').to_owned();
    (mark.is_mark('/') && touch && is_short(first) && is_short(second))
        .then(|| Number::written(format!("{}/{}", short(first), short(second))))
}

/// The code with which the pieces begin, in one spelling, and how many of them it takes.
///
/// `CS101`, `B2`, `COMP-1234` and `CS 101A`; and digits that hyphens make one: `15-213`,
/// `412-268-2000`.
fn code(pieces: &[Piece<'_>]) -> Option<(String, usize)> {
    let first = pieces.first()?;
    match first.kind {
        Kind::Word if is_mixed(first) => Some((fold(first.text), 1)),
        Kind::Word => hyphenated(pieces).or_else(|| spaced(pieces)),
        Kind::Number => digits(pieces),
        Kind::Mark => None,
    }
}

/// Letters before a number, in any case and of any length: what a source may mean as a code.
pub(crate) fn code_in_any_case(pieces: &[Piece<'_>]) -> Option<String> {
    let [name, rest @ ..] = pieces else { return None };
    let has_mark = rest.first().is_some_and(is_hyphen);
    let number = rest.get(usize::from(has_mark))?;
    let is_code = name.kind == Kind::Word
        && name.text.chars().all(char::is_alphabetic)
        && name.text.chars().count() <= 6
        && begins_with_digits(number, 1..=5);
    is_code.then(|| fold(name.text) + &fold(number.text))
}

/// Returns `true` if a word is made of digits and something else, or of digits that are not ours.
fn is_mixed(piece: &Piece<'_>) -> bool {
    let is_plain = is_digits(piece.text) || ordinal(piece.text).is_some();
    piece.text.contains(char::is_numeric) && !is_plain
}

/// `COMP-1234`
fn hyphenated(pieces: &[Piece<'_>]) -> Option<(String, usize)> {
    let [name, mark, number, ..] = pieces else { return None };
    let is_code = is_capitals(name, 6)
        && is_hyphen(mark)
        && name.touches(mark)
        && mark.touches(number)
        && begins_with_digits(number, 1..=5);
    is_code.then(|| (fold(name.text) + &fold(number.text), 3))
}

/// `CS 101`; fewer digits are rather a number: `ECTS 30`.
fn spaced(pieces: &[Piece<'_>]) -> Option<(String, usize)> {
    let [name, number, ..] = pieces else { return None };
    let is_code = is_capitals(name, 5)
        && name.text.chars().count() > 1
        // One space at the most, also one that does not break.
        && number.start <= name.end + '\u{a0}'.len_utf8()
        && begins_with_digits(number, 3..=4);
    is_code.then(|| (fold(name.text) + &fold(number.text), 2))
}

/// Three groups and more, or two and three digits; two groups else are a range.
fn digits(pieces: &[Piece<'_>]) -> Option<(String, usize)> {
    let mut groups = vec![pieces.first().filter(|piece| piece.is_plain_number())?.text];
    while let [last, mark, group, ..] = &pieces[groups.len() * 2 - 2..]
        && mark.is_mark('-')
        && last.touches(mark)
        && mark.touches(group)
        && group.is_plain_number()
    {
        groups.push(group.text);
    }
    let is_code = groups.len() > 2
        || matches!(groups[..], [two, three] if (two.len(), three.len()) == (2, 3));
    is_code.then(|| (groups.join("-"), groups.len() * 2 - 1))
}

fn is_capitals(piece: &Piece<'_>, most: usize) -> bool {
    piece.kind == Kind::Word
        && piece.text.chars().all(char::is_uppercase)
        && piece.text.chars().count() <= most
}

fn is_hyphen(piece: &Piece<'_>) -> bool {
    piece.is_mark('-') || piece.is_mark('–') || piece.is_mark('\u{2011}')
}

/// `101`, `101A`
fn begins_with_digits(piece: &Piece<'_>, count: RangeInclusive<usize>) -> bool {
    let digits = piece.text.bytes().take_while(u8::is_ascii_digit).count();
    let letters = &piece.text[digits..];
    count.contains(&digits)
        && letters.len() <= 2
        && letters.bytes().all(|byte| byte.is_ascii_alphabetic())
}
