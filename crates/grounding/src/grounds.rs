//! Collects what sources state, and finds what a text states beyond them.

use std::collections::{BTreeMap, BTreeSet};

use campanile_language::calendar;
use campanile_language::literals::{
    Date, Joined, Kind, Number, Piece, addresses, code_in_any_case, date, day_after_others,
    day_before_others, parts, pieces_and_units, spellings,
};
use campanile_text::Language;

use crate::literal::{Literal, LiteralValue, literals};

/// The literals of some sources: what a text about them may state.
///
/// ```
/// use campanile_grounding::Grounds;
/// use campanile_text::Language;
///
/// let mut grounds = Grounds::new(Language::English);
/// grounds.add("CS 101 starts on 4 October 2024 and has 1,000 places.");
/// assert!(grounds.missing("There are 1000 places in CS101 from October 4th.").is_empty());
///
/// let text = "It starts on 5 October.";
/// let missing = grounds.missing(text);
/// assert_eq!(missing[0].span.slice(text), Some("5 October"));
/// ```
#[derive(Debug, Clone)]
pub struct Grounds {
    language: Language,
    numbers: BTreeSet<Number>,
    dates: BTreeSet<Date>,
    codes: BTreeSet<String>,
    emails: BTreeSet<String>,
    hosts: BTreeSet<String>,
    /// Hosts with what stands behind them.
    pages: BTreeSet<(String, String)>,
    permitted: Permitted,
}

impl Grounds {
    /// The grounds of no source: no literal is stated.
    pub fn new(language: Language) -> Self {
        Self {
            language,
            numbers: BTreeSet::new(),
            dates: BTreeSet::new(),
            codes: BTreeSet::new(),
            emails: BTreeSet::new(),
            hosts: BTreeSet::new(),
            pages: BTreeSet::new(),
            permitted: Permitted::default(),
        }
    }

    /// The grounds of several sources.
    pub fn of<'a>(texts: impl IntoIterator<Item = &'a str>, language: Language) -> Self {
        let mut grounds = Self::new(language);
        for text in texts {
            grounds.add(text);
        }
        grounds
    }

    /// Adds a source, such as a passage or the question.
    pub fn add(&mut self, text: &str) {
        // With single spaces, as a model writes: what is permitted is compared letter by letter.
        let text = &text.split_whitespace().collect::<Vec<_>>().join(" ");
        let pieces = pieces_and_units(text);
        self.permitted.add_text(text, &pieces);
        for literal in literals(text, self.language) {
            let range = literal.span.range();
            self.permitted.add_spelling(&text[range.clone()]);
            let inside: Vec<Piece<'_>> = pieces
                .iter()
                .filter(|piece| range.contains(&piece.start) && piece.end <= range.end)
                .copied()
                .collect();
            self.state(literal.value, &inside);
        }
        for place in 0..pieces.len() {
            self.state_lists(&pieces[place..]);
        }
    }

    /// The literals of a finished text that no source states, in its order.
    pub fn missing(&self, text: &str) -> Vec<Literal> {
        let mut all = literals(text, self.language);
        all.retain(|literal| !self.states(&literal.value));
        all
    }

    /// Returns `true` if a source states a value. A date is stated by one that says at least as much, a
    /// host by any address of its.
    pub fn states(&self, value: &LiteralValue) -> bool {
        match value {
            LiteralValue::Number(number) => self.numbers.contains(number),
            LiteralValue::Date(date) => self.dates.iter().any(|other| date.is_said_by(other)),
            LiteralValue::Code(code) => self.codes.contains(code),
            LiteralValue::Email(email) => self.emails.contains(email),
            LiteralValue::Url { host, path } if path.is_empty() => self.hosts.contains(host),
            LiteralValue::Url { host, path } => self.pages.contains(&(host.clone(), path.clone())),
        }
    }

    /// The language that the sources are read in.
    pub fn language(&self) -> Language {
        self.language
    }

    /// Returns what may follow `begun`, the beginning of a literal, as [`Permitted::endings`] has it.
    pub(crate) fn endings<'a>(&'a self, begun: &'a str) -> impl Iterator<Item = &'a str> {
        self.permitted.endings(begun)
    }

    fn state(&mut self, value: LiteralValue, pieces: &[Piece<'_>]) {
        self.permitted.add_value(&value, self.language);
        match value {
            LiteralValue::Number(number) => {
                if number.to_string().contains('/') {
                    self.state_parts(pieces);
                }
                // What is read as a sign may be a dash, and `-5 °C` is told as 5 degrees below zero.
                self.state_number(number.without_sign());
                self.state_number(number);
            }
            LiteralValue::Date(date) => {
                self.state_parts(pieces);
                self.state_date(date);
            }
            LiteralValue::Code(code) => {
                let numbers: Vec<_> =
                    pieces.iter().filter(|piece| piece.kind == Kind::Number).copied().collect();
                // The number of a code is said alone: `CS 101 and 102`.
                self.state_parts(&numbers);
                self.codes.insert(code);
            }
            LiteralValue::Email(email) => {
                self.hosts.extend(email.split_once('@').map(|(_, host)| host.to_owned()));
                self.emails.insert(email);
            }
            LiteralValue::Url { host, path } => {
                self.hosts.insert(host.clone());
                self.pages.insert((host, path));
            }
        }
    }

    /// The numbers that something larger is made of.
    fn state_parts(&mut self, pieces: &[Piece<'_>]) {
        for number in pieces.iter().flat_map(parts) {
            self.state_number(number);
        }
    }

    fn state_number(&mut self, number: Number) {
        self.permitted.add_value(&LiteralValue::Number(number.clone()), self.language);
        self.numbers.insert(number);
    }

    fn state_date(&mut self, date: Date) {
        let (month, day) = date.month_and_day();
        if let Some(day) = day {
            let (first, second) =
                if self.language.has_month_first() { (month, day) } else { (day, month) };
            // `10/4` is read as one thing, a day or a fraction, and not as a date.
            self.numbers.insert(Number::written(format!("{first}/{second}")));
        }
        self.permitted.add_value(&LiteralValue::Date(date), self.language);
        self.dates.insert(date);
    }

    /// Adds what a source may mean as well: `4, 6 and 10 December` as three days, `cs 50` as a code,
    /// `8 a.m.` as `8:00`.
    fn state_lists(&mut self, pieces: &[Piece<'_>]) {
        if let Some((date, _)) = day_before_others(pieces, Joined::ByList) {
            self.state_date(date);
        }
        self.codes.extend(code_in_any_case(pieces));
        self.state_time(pieces);
        let is_month_first = pieces.first().is_some_and(|piece| piece.kind == Kind::Word);
        let mut rest = pieces;
        let mut found = date(pieces, self.language).filter(|_| is_month_first);
        while let Some((last, length)) = found {
            rest = &rest[length..];
            found = day_after_others(&last, rest, Joined::ByList);
            if let Some((date, _)) = found {
                self.state_date(date);
            }
        }
    }

    fn state_time(&mut self, pieces: &[Piece<'_>]) {
        let Some(number) = pieces.first().filter(|piece| piece.kind == Kind::Number) else {
            return;
        };
        let whole = number.text.strip_suffix(":00").and_then(|hour| hour.parse().ok());
        if let Some(hour) = whole {
            self.state_number(Number::whole(hour));
        }
        let (hour, minutes) = number.text.split_once(['.', ':']).unwrap_or((number.text, "00"));
        if is_time_unit(pieces) && (1..=2).contains(&hour.len()) && minutes.len() == 2 {
            let hour = hour.strip_prefix('0').filter(|rest| !rest.is_empty()).unwrap_or(hour);
            self.state_number(Number::written(format!("{hour}:{minutes}")));
        }
    }
}

/// Returns `true` if the second piece says that the first is an hour: `am`, `a.m.`, `Uhr`, `o'clock`.
fn is_time_unit(pieces: &[Piece<'_>]) -> bool {
    let text = |place: usize| pieces.get(place).map_or("", |piece| piece.text);
    let unit = text(1).to_ascii_lowercase();
    calendar::HOUR_UNITS.contains(&unit)
        || (["a", "p"].contains(&unit.as_str()) && text(2) == "." && text(3) == "m")
        || (unit == "o" && text(3) == "clock")
}

/// The number of pieces of a source that are looked ahead for the end of a literal that has begun.
// With fewer, the end of a long literal is not seen, so that a model may not even begin it; `3. bis 5. Mai 2025` has
// seven. Each more is one more ending to try for every token.
const PIECES_AHEAD: usize = 8;

/// Everything that a literal may become.
#[derive(Debug, Clone, Default)]
struct Permitted {
    texts: Vec<Source>,
    /// Spellings of single values, by themselves in lower case.
    // In order, so that those with one beginning lie side by side: a decoder asks for them at every token.
    spellings: BTreeMap<String, String>,
}

#[derive(Debug, Clone)]
struct Source {
    text: String,
    /// The places where pieces begin.
    starts: Vec<usize>,
    /// The places where they end; an address is one.
    ends: Vec<usize>,
}

impl Permitted {
    fn add_text(&mut self, text: &str, pieces: &[Piece<'_>]) {
        let starts = pieces.iter().map(|piece| piece.start).collect();
        let addresses: Vec<_> = addresses(text).into_iter().map(|(range, _)| range).collect();
        let is_inside = |end: usize| addresses.iter().any(|one| one.start < end && end < one.end);
        let ends = pieces.iter().map(|piece| piece.end).filter(|end| !is_inside(*end)).collect();
        self.texts.push(Source { text: text.to_owned(), starts, ends });
    }

    fn add_value(&mut self, value: &LiteralValue, language: Language) {
        let spelled = match value {
            LiteralValue::Number(number) => {
                let mut all = number.spellings(language);
                let words = number.as_whole().map(|whole| spellings(whole, language));
                all.extend(words.unwrap_or_default());
                all
            }
            LiteralValue::Date(date) => date.spellings(language),
            LiteralValue::Code(code) => code_spellings(code),
            LiteralValue::Email(email) => vec![email.clone()],
            LiteralValue::Url { host, path } => {
                ["", "www.", "https://", "https://www.", "http://", "http://www."]
                    .iter()
                    .flat_map(|before| [format!("{before}{host}"), format!("{before}{host}{path}")])
                    .collect()
            }
        };
        spelled.iter().for_each(|one| self.add_spelling(one));
    }

    fn add_spelling(&mut self, spelled: &str) {
        self.spellings.insert(spelled.to_ascii_lowercase(), spelled.to_owned());
    }

    /// Returns what may follow `begun` so that a permitted text or spelling is complete, the shortest of
    /// each place first.
    fn endings<'a>(&'a self, begun: &'a str) -> impl Iterator<Item = &'a str> {
        let spelled = begun.to_ascii_lowercase();
        let begins = move |one: &str| {
            one.get(..begun.len()).is_some_and(|start| start.eq_ignore_ascii_case(begun))
        };
        let is_begun = move |one: &str| one.len() > begun.len() && begins(one);
        let spellings = self
            .spellings
            .range(spelled..)
            .map(|(_, one)| one.as_str())
            .take_while(move |one| begins(one))
            .filter(move |one| is_begun(one))
            .map(move |one| &one[begun.len()..]);
        let texts = self.texts.iter().flat_map(move |source| {
            let rest = |start: usize| source.text.get(start..);
            let starts =
                source.starts.iter().filter(move |start| rest(**start).is_some_and(is_begun));
            starts.flat_map(move |start| {
                let from = start + begun.len();
                let first = source.ends.partition_point(|end| *end <= from);
                let ends = source.ends.iter().skip(first).take(PIECES_AHEAD);
                ends.map(move |end| &source.text[from..*end])
            })
        });
        spellings.chain(texts)
    }
}

/// `CS101`, `CS 101` and `CS-101` where letters are followed by digits.
fn code_spellings(code: &str) -> Vec<String> {
    let letters = code.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(code.len());
    let (name, number) = code.split_at(letters);
    match name.is_empty() || number.is_empty() {
        true => vec![code.to_owned()],
        false => ["", " ", "-"].map(|mark| format!("{}{mark}{number}", name.to_uppercase())).into(),
    }
}
