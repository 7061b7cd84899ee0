//! The texts that may be written, letter by letter: the sources themselves, and spellings of what they
//! state.

use std::collections::BTreeMap;

use campanile_text::Language;

use crate::addresses::addresses;
use crate::literal::LiteralValue;
use crate::number_words;
use crate::pieces::Piece;

/// The number of pieces of a source that are looked ahead for the end of a literal that has begun.
const PIECES_AHEAD: usize = 8;

/// Everything that a literal may become.
#[derive(Debug, Clone, Default)]
pub(crate) struct Permitted {
    texts: Vec<Source>,
    /// Spellings of single values, by themselves in lower case.
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
    pub(crate) fn add_text(&mut self, text: &str, pieces: &[Piece<'_>]) {
        let starts = pieces.iter().map(|piece| piece.start).collect();
        let addresses: Vec<_> = addresses(text).into_iter().map(|(range, _)| range).collect();
        let is_inside = |end: usize| addresses.iter().any(|one| one.start < end && end < one.end);
        let ends = pieces.iter().map(|piece| piece.end).filter(|end| !is_inside(*end)).collect();
        self.texts.push(Source { text: text.to_owned(), starts, ends });
    }

    pub(crate) fn add_value(&mut self, value: &LiteralValue, language: Language) {
        let spelled = match value {
            LiteralValue::Number(number) => {
                let mut all = number.spellings(language);
                let words = number.as_whole().map(|whole| number_words::spellings(whole, language));
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

    pub(crate) fn add_spelling(&mut self, spelled: &str) {
        self.spellings.insert(spelled.to_ascii_lowercase(), spelled.to_owned());
    }

    /// Returns what may follow `begun` so that a permitted text or spelling is complete, the shortest of
    /// each place first.
    pub(crate) fn endings<'a>(&'a self, begun: &'a str) -> impl Iterator<Item = &'a str> {
        let spelled = begun.to_ascii_lowercase();
        let is_begun = move |one: &str| {
            one.len() > begun.len()
                && one.get(..begun.len()).is_some_and(|start| start.eq_ignore_ascii_case(begun))
        };
        let spellings = self
            .spellings
            .range(spelled..)
            .map(|(_, one)| one.as_str())
            .take_while(move |one| {
                one.get(..begun.len()).is_some_and(|start| start.eq_ignore_ascii_case(begun))
            })
            .filter(move |one| is_begun(one))
            .filter_map(move |one| one.get(begun.len()..));
        let texts = self.texts.iter().flat_map(move |source| {
            let rest = |start: usize| source.text.get(start..);
            let starts =
                source.starts.iter().filter(move |start| rest(**start).is_some_and(is_begun));
            starts.flat_map(move |start| {
                let from = start + begun.len();
                let first = source.ends.partition_point(|end| *end <= from);
                let ends = source.ends.iter().skip(first).take(PIECES_AHEAD);
                ends.filter_map(move |end| source.text.get(from..*end))
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
