//! Text to terms, and one spelling for what visitors type in several.

mod lexer;
#[cfg(test)]
mod tests;

use campanile_language::{Language, is_stop_word};
use campanile_unicode::{Form, fold, is_combining_mark, normalized};
use rust_stemmers::Stemmer;

use crate::Span;
use lexer::{Kind, Lexeme, lexemes};

/// Terms longer than this many characters are cut: nobody types them, and they bloat an index.
// Long runs are base64, hashes and addresses.
const LONGEST_TERM_CHARS: usize = 64;

/// One term of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// The form that is looked up: folded, lower case, stemmed.
    pub term: String,
    /// The words of the text that it stands for.
    pub span: Span,
    /// The place among the text's words, stop words counted. Terms that share a word share it:
    /// `CS 101` yields `cs101` and `cs` at one position and `101` at the next.
    pub position: u32,
}

/// Turns text into terms: the same for a document and for a question, or nothing would match.
///
/// Letters are normalised (NFKC), put in lower case and freed of diacritics; stop words are
/// dropped; the rest is stemmed (Snowball). Some things are kept whole, beside or instead of their
/// parts: course codes (`CS 101`, `CS-101` and `cs101` are one term, `cs101`, and yield their
/// parts too), addresses, dotted abbreviations (`Ph.D.` becomes `phd`), numbers (`1,500` becomes
/// `1500`), and words with a hyphen (`e-mail` yields `email` and `mail`).
///
/// ```
/// use campanile_text::{Analyzer, Language};
///
/// let analyzer = Analyzer::new(Language::English);
/// let terms: Vec<_> = analyzer
///     .analyze("When are the résumés for CS-101 due?")
///     .into_iter()
///     .map(|token| token.term)
///     .collect();
/// assert_eq!(terms, ["resum", "cs101", "cs", "101", "due"]);
/// ```
pub struct Analyzer {
    language: Language,
    stemmer: Option<Stemmer>,
}

impl std::fmt::Debug for Analyzer {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Analyzer").field("language", &self.language).finish_non_exhaustive()
    }
}

impl Analyzer {
    /// An analyzer with the stop words and the stemmer of a language.
    pub fn new(language: Language) -> Self {
        Self { language, stemmer: language.stemmer().map(Stemmer::create) }
    }

    /// The language it was made for.
    pub fn language(&self) -> Language {
        self.language
    }

    /// The terms of a text, in its order.
    pub fn analyze(&self, text: &str) -> Vec<Token> {
        let lexemes = lexemes(text);
        let mut tokens = Vec::with_capacity(lexemes.len());
        for (index, lexeme) in lexemes.iter().enumerate() {
            let word = lexeme.span.cut_from(text);
            let mut sink =
                Sink { tokens: &mut tokens, position: u32::try_from(index).unwrap_or(u32::MAX) };
            // The code goes before its parts, as the whole word goes before those of a hyphen.
            if let Some(code) = self.course_code(text, lexeme, lexemes.get(index + 1)) {
                sink.push(code.0, code.1);
            }
            self.lexeme(word, lexeme, &mut sink);
        }
        tokens
    }

    fn lexeme(&self, word: &str, lexeme: &Lexeme, sink: &mut Sink<'_>) {
        match lexeme.kind {
            Kind::Word => self.word(word, lexeme.span, sink),
            Kind::Alphanumeric => self.alphanumeric(word, lexeme.span, sink),
            Kind::Hyphenated => self.hyphenated(word, lexeme.span, sink),
            Kind::Number => sink.push(number(word), lexeme.span),
            Kind::Dotted => {
                let letters: String = word.chars().filter(|c| *c != '.').collect();
                sink.push(fold(&letters), lexeme.span);
            }
            Kind::Symbol | Kind::Email => sink.push(fold(word), lexeme.span),
            Kind::Url => sink.push(address(word), lexeme.span),
        }
    }

    /// An ordinary word. `IT`, `US` and `WHO` in capitals are no stop words.
    fn word(&self, word: &str, span: Span, sink: &mut Sink<'_>) {
        let folded = fold(word);
        if is_stop_word(self.language, &folded) {
            // The stop words that are abbreviations too have two to four letters; a longer one in capitals is
            // shouted.
            if (2..=4).contains(&letters(word).chars().count())
                && letters(word).chars().all(char::is_uppercase)
            {
                sink.push(folded, span);
            }
            return;
        }
        sink.push(self.stem(&folded), span);
    }

    /// `MATH2410` yields its letters and its number too; `2nd` and `h2o` stay as they are.
    fn alphanumeric(&self, word: &str, span: Span, sink: &mut Sink<'_>) {
        let folded = fold(word);
        sink.push(folded.clone(), span);
        if let Some(split) = code_split(&folded) {
            let (letters, number) = folded.split_at(split);
            sink.push(self.stem(letters), span);
            sink.push(number.to_owned(), span);
        }
    }

    /// `part-time`: the words joined, then each that is longer than one letter.
    fn hyphenated(&self, word: &str, span: Span, sink: &mut Sink<'_>) {
        let folded = fold(word);
        let parts = || folded.split(|c: char| !c.is_alphanumeric() && c != '\'');
        let joined: String = parts().collect();
        sink.push(self.stem(&joined), span);
        for part in parts().filter(|part| part.chars().count() > 1) {
            if !is_stop_word(self.language, part) {
                sink.push(self.stem(part), span);
            }
        }
    }

    /// `CS 101` and `CS-101` as one term, with the span of both words.
    fn course_code(
        &self,
        text: &str,
        lexeme: &Lexeme,
        next: Option<&Lexeme>,
    ) -> Option<(String, Span)> {
        let next = next?;
        let name = lexeme.span.slice(text)?;
        let number = next.span.slice(text)?;
        let gap = text.get(lexeme.span.end as usize..next.span.start as usize)?;
        let digits = number.bytes().take_while(u8::is_ascii_digit).count();
        let suffix = number.get(digits..)?;
        let is_code = lexeme.kind == Kind::Word
            // Any other sign between them makes two things of it: `CS, 101 students`.
            && matches!(gap, " " | "-" | "\u{a0}" | "–" | "\u{2011}")
            && (2..=5).contains(&letters(name).chars().count())
            && letters(name).chars().all(char::is_alphabetic)
            && (2..=4).contains(&digits)
            && suffix.len() <= 2
            && suffix.bytes().all(|byte| byte.is_ascii_alphabetic());
        let folded = fold(name);
        // `IT 101` is a course, `it 101` hardly.
        let is_common = is_stop_word(self.language, &folded);
        if !is_code || (is_common && !letters(name).chars().all(char::is_uppercase)) {
            return None;
        }
        Some((format!("{folded}{}", fold(number)), lexeme.span.joined(next.span)))
    }

    fn stem(&self, folded: &str) -> String {
        // `'s` is the only ending that a language-free reading drops.
        let bare = folded.strip_suffix("'s").unwrap_or(folded);
        match &self.stemmer {
            Some(stemmer) => stemmer.stem(bare).into_owned(),
            None => bare.to_owned(),
        }
    }
}

/// The letters of a word without their marks, the same however the two are put together.
fn letters(word: &str) -> String {
    let mut letters = normalized(word, Form::Nfd);
    letters.retain(|character| !is_combining_mark(character));
    letters
}

struct Sink<'a> {
    tokens: &'a mut Vec<Token>,
    position: u32,
}

impl Sink<'_> {
    fn push(&mut self, mut term: String, span: Span) {
        if let Some((cut, _)) = term.char_indices().nth(LONGEST_TERM_CHARS) {
            term.truncate(cut);
        }
        if !term.is_empty() {
            self.tokens.push(Token { term, span, position: self.position });
        }
    }
}

/// The place at which the number of a code such as `math2410` begins: two to five letters, two to four digits,
/// at most two letters.
fn code_split(folded: &str) -> Option<usize> {
    let letters = folded.bytes().take_while(u8::is_ascii_alphabetic).count();
    let rest = folded.get(letters..)?;
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let suffix = rest.get(digits..)?;
    let is_code = (2..=5).contains(&letters)
        && (2..=4).contains(&digits)
        && suffix.len() <= 2
        && suffix.bytes().all(|byte| byte.is_ascii_alphabetic());
    is_code.then_some(letters)
}

/// A number without its grouping, and without decimals that are all zero: `1,500.00` is `1500`.
fn number(word: &str) -> String {
    let plain: String = fold(word).chars().filter(|c| *c != ',').collect();
    match plain.split_once('.') {
        Some((whole, decimals)) if decimals.bytes().all(|byte| byte == b'0') => whole.to_owned(),
        _ => plain,
    }
}

/// A web address without its scheme, `www.` and closing slash, so that both spellings meet.
fn address(word: &str) -> String {
    let folded = fold(word);
    let bare = folded.split_once("://").map_or(folded.as_str(), |(_, rest)| rest);
    let bare = bare.strip_prefix("www.").unwrap_or(bare);
    bare.trim_end_matches('/').to_owned()
}
