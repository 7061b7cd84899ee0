//! Reads what a text states in a way that can be checked letter by letter.

use std::fmt;
use std::ops::Range;

use campanile_language::literals::{
    Address, Date, Joined, Kind, Number, Piece, addresses, code, date, day_after_others,
    day_before_others, day_in_number, is_digits, number_in_words, parts, pieces_and_units, zeros,
};
use campanile_text::{Language, Span};

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
        if let Some((date, length)) = date(rest, self.language) {
            return self.days(rest, date, length);
        }
        if let Some((date, length)) = day_in_number(rest) {
            // The number is read in its turn.
            return (vec![(LiteralValue::Date(date), length)], 1);
        }
        if let Some((date, length)) = day_before_others(rest, Joined::ByRange) {
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
        let further = day_after_others(&date, &rest[length..], Joined::ByRange);
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
