//! The width of words, as far as that can be known without a font.

/// The width of a text in units, at a size of letters: a little more than a usual sans serif needs.
pub fn width(text: &str, size: f64) -> f64 {
    text.chars().map(letter).sum::<f64>() * size
}

/// In parts of the size.
fn letter(letter: char) -> f64 {
    match letter {
        'i' | 'j' | 'l' | 'I' | '.' | ',' | ':' | ';' | '\'' | '|' | '!' => 0.33,
        'f' | 'r' | 't' | ' ' | '(' | ')' | '[' | ']' | '-' | '/' => 0.42,
        'm' | 'w' | 'M' | 'W' | '@' | '%' | '—' => 0.97,
        letter if letter.is_ascii_uppercase() || letter == '_' || letter == '+' => 0.70,
        letter if letter.is_ascii() => 0.63,
        // Half of the world's scripts are wider than Latin.
        letter if ('\u{1100}'..'\u{FFFF}').contains(&letter) && letter > '\u{2E7F}' => 1.05,
        _ => 0.66,
    }
}

/// The text, cut with an ellipsis where it would be wider than `most`.
pub fn fitted(text: &str, size: f64, most: f64) -> String {
    if width(text, size) <= most {
        return text.to_owned();
    }
    let mut cut = String::new();
    for letter in text.chars() {
        cut.push(letter);
        if width(&cut, size) + width("…", size) > most {
            cut.pop();
            break;
        }
    }
    format!("{}…", cut.trim_end())
}
