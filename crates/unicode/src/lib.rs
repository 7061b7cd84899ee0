//! Unicode normalisation, from whoever has the tables.
//!
//! Natively the tables are compiled in. A browser has them already, behind
//! `String.prototype.normalize` and regular expressions. If they were compiled in there
//! too, every module that looks at a word would be 70 kB larger.
//!
//! Both give the same for every character that both know: how an assigned character is normalised
//! never changes ([stability policy](https://www.unicode.org/policies/stability_policy.html)). They
//! differ at most in characters that are too new for one of them.
//!
//! ```
//! use campanile_unicode::{Form, is_combining_mark, normalized};
//!
//! assert_eq!(normalized("ﬁn de sie\u{300}cle", Form::Nfkc), "fin de siècle");
//! assert!(is_combining_mark('\u{300}'));
//! ```

#[cfg_attr(target_arch = "wasm32", path = "page.rs")]
#[cfg_attr(not(target_arch = "wasm32"), path = "tables.rs")]
mod source;
#[cfg(test)]
mod tests;

/// The first combining mark of all, U+0300.
const FIRST_MARK: char = '\u{300}';

/// A normalisation form (Unicode Standard Annex #15).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Canonical decomposition, canonical composition.
    Nfc,
    /// Canonical decomposition.
    Nfd,
    /// Compatibility decomposition, canonical composition.
    Nfkc,
    /// Compatibility decomposition.
    Nfkd,
}

/// The text in a normalisation form.
pub fn normalized(text: &str, form: Form) -> String {
    if text.is_ascii() { text.to_owned() } else { source::normalized(text, form) }
}

/// Whether a character is a mark (general category M): it belongs to the letter before it.
pub fn is_combining_mark(character: char) -> bool {
    character >= FIRST_MARK && source::is_combining_mark(character)
}
