//! Unicode normalisation, from whoever has the tables, and the one spelling in which words are compared.
//!
//! Natively the tables are compiled in. A browser has them already, behind
//! `String.prototype.normalize`, `toLowerCase` and regular expressions. If they were compiled in there
//! too, every module that looks at a word would be 75 kB larger.
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
    // ASCII is the same in all four forms, and nearly every word is ASCII: in a page this saves a call into JavaScript.
    if text.is_ascii() { text.to_owned() } else { source::normalized(text, form) }
}

/// Returns `true` if a character is a mark (general category M): it belongs to the letter before it.
pub fn is_combining_mark(character: char) -> bool {
    // The comparison answers for most letters without a look into the tables.
    character >= FIRST_MARK && source::is_combining_mark(character)
}

/// A character in lower case, whatever stands beside it: up to three characters.
///
/// ```
/// assert_eq!(campanile_unicode::lowercase('Ł'), "ł");
/// ```
pub fn lowercase(character: char) -> String {
    if character.is_ascii() {
        return character.to_ascii_lowercase().into();
    }
    source::lowercase(character)
}

/// The word in lower case, compatibility-normalised (NFKC), without diacritics.
///
/// Letters that carry no separable mark are written out: `ß` as `ss`, `ø` as `o`. Typographic
/// apostrophes become `'`; soft hyphens and joiners vanish. White space stays as it is.
///
/// ```
/// assert_eq!(campanile_unicode::fold("Universität Łódź"), "universitat lodz");
/// ```
pub fn fold(word: &str) -> String {
    if word.is_ascii() {
        return word.to_ascii_lowercase();
    }
    let mut folded = String::with_capacity(word.len());
    for character in normalized(word, Form::Nfkd).chars() {
        if is_combining_mark(character) {
            continue;
        }
        for lower in lowercase(character).chars() {
            match lower {
                'ß' => folded.push_str("ss"),
                'æ' => folded.push_str("ae"),
                'œ' => folded.push_str("oe"),
                'ø' => folded.push('o'),
                'ł' => folded.push('l'),
                'đ' | 'ð' => folded.push('d'),
                'þ' => folded.push_str("th"),
                'ı' => folded.push('i'),
                '’' | '‘' | 'ʼ' => folded.push('\''),
                '\u{ad}' | '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}' => {}
                // Some capitals lower into a letter and a mark of its own.
                mark if is_combining_mark(mark) => {}
                other => folded.push(other),
            }
        }
    }
    normalized(&folded, Form::Nfkc)
}

/// The tables of `unicode-normalization`.
#[cfg(not(target_arch = "wasm32"))]
mod source {
    use unicode_normalization::UnicodeNormalization;
    pub(crate) use unicode_normalization::char::is_combining_mark;

    use crate::Form;

    pub(crate) fn normalized(text: &str, form: Form) -> String {
        match form {
            Form::Nfc => text.nfc().collect(),
            Form::Nfd => text.nfd().collect(),
            Form::Nfkc => text.nfkc().collect(),
            Form::Nfkd => text.nfkd().collect(),
        }
    }

    pub(crate) fn lowercase(character: char) -> String {
        character.to_lowercase().collect()
    }
}

/// The tables of the page's JavaScript engine.
#[cfg(target_arch = "wasm32")]
mod source {
    use js_sys::{JsString, RegExp};

    use crate::Form;

    thread_local! {
        // Compiled once: a document has tens of thousands of characters that are asked about.
        static MARK: RegExp = RegExp::new(r"^\p{M}", "u");
    }

    pub(crate) fn normalized(text: &str, form: Form) -> String {
        let name = match form {
            Form::Nfc => "NFC",
            Form::Nfd => "NFD",
            Form::Nfkc => "NFKC",
            Form::Nfkd => "NFKD",
        };
        JsString::from(text).normalize(name).into()
    }

    pub(crate) fn is_combining_mark(character: char) -> bool {
        let mut bytes = [0; 4];
        MARK.with(|mark| mark.test(character.encode_utf8(&mut bytes)))
    }

    pub(crate) fn lowercase(character: char) -> String {
        let mut bytes = [0; 4];
        JsString::from(&*character.encode_utf8(&mut bytes)).to_lower_case().into()
    }
}
