//! One spelling for what readers type in several.

use campanile_unicode::{Form, is_combining_mark, normalized};

/// The word in lower case, compatibility-normalised (NFKC), without diacritics.
///
/// Letters that carry no separable mark are written out: `ß` as `ss`, `ø` as `o`. Typographic
/// apostrophes become `'`; soft hyphens and joiners vanish. White space stays as it is.
///
/// ```
/// assert_eq!(campanile_text::fold("Universität Łódź"), "universitat lodz");
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
        for lower in character.to_lowercase() {
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
