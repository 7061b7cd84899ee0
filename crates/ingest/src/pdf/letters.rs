//! From glyphs to letters in the order of reading.
//!
//! A page shows Hebrew and Arabic from right to left, with numbers and Latin words among them from
//! left to right. What is seen from left to right is turned back: a simple inverse of the Unicode
//! bidirectional algorithm (UAX #9), without embeddings.

use unicode_normalization::UnicodeNormalization;

use super::ink::Glyph;

/// The text of a glyph: ligatures and shaped Arabic letters taken apart, symbol fonts read.
/// `None` if nobody can say what it shows.
pub(super) fn readable(text: &str) -> Option<String> {
    let mut read = String::new();
    for character in text.chars() {
        match character {
            '\u{FB00}'..='\u{FB4F}' | '\u{FB50}'..='\u{FDFF}' | '\u{FE70}'..='\u{FEFC}' => {
                read.extend(character.nfkc());
            }
            '\u{A0}' | '\u{2000}'..='\u{200A}' | '\u{202F}' | '\t' | '\n' | '\r' => read.push(' '),
            '\u{2011}' => read.push('-'),
            '\u{E000}'..='\u{F8FF}' => read.push(symbol(character)?),
            '\u{FFFD}' | '\0' => return None,
            other if other.is_control() => {}
            other => read.push(other),
        }
    }
    (!read.is_empty()).then_some(read)
}

/// Symbol and Wingdings, whose codes Word writes into the private area.
fn symbol(character: char) -> Option<char> {
    Some(match u32::from(character) & 0xFF {
        0xB7 | 0x6C | 0x9F | 0x76 => '•',
        0xA7 | 0x6E | 0xA8 | 0x71 => '▪',
        0xD8 | 0xE8 | 0xE0 | 0xF0 => '→',
        0xFC | 0xFE => '✓',
        0xFB | 0xFD => '✗',
        0x2D => '–',
        _ => return None,
    })
}

// Old TeX fonts draw an accent as a glyph of its own over the letter: `¨` and `u`, not `ü`.
/// The combining form of an accent that stands alone.
fn combining(text: &str) -> Option<char> {
    let mut characters = text.chars();
    let character = characters.next().filter(|_| characters.next().is_none())?;
    Some(match character {
        '`' | '\u{2CB}' => '\u{300}',
        '´' | '\u{2CA}' => '\u{301}',
        'ˆ' | '^' => '\u{302}',
        '˜' | '~' => '\u{303}',
        '¯' | 'ˉ' => '\u{304}',
        '˘' => '\u{306}',
        '˙' => '\u{307}',
        '¨' => '\u{308}',
        '˚' => '\u{30A}',
        '˝' => '\u{30B}',
        'ˇ' => '\u{30C}',
        '¸' => '\u{327}',
        '˛' => '\u{328}',
        '\u{300}'..='\u{36F}' => character,
        _ => return None,
    })
}

/// Puts every accent onto the letter it stands over. `glyphs` are those of one line, left to right.
pub(super) fn combine(glyphs: &mut Vec<Glyph>) {
    let mut index = 0;
    while let Some(glyph) = glyphs.get(index) {
        let letter =
            combining(&glyph.text).and_then(|accent| Some((accent, under(glyphs, index)?)));
        let Some((accent, letter)) = letter else {
            index += 1;
            continue;
        };
        if let Some(letter) = glyphs.get_mut(letter) {
            letter.text = letter.text.chars().chain([accent]).nfc().collect();
        }
        glyphs.remove(index);
    }
}

/// The neighbour that the glyph at `index` lies over.
fn under(glyphs: &[Glyph], index: usize) -> Option<usize> {
    let accent = glyphs.get(index)?;
    let width = (accent.right() - accent.left()).max(0.1);
    let covers = |other: usize| {
        let letter = glyphs.get(other)?;
        let shared = accent.right().min(letter.right()) - accent.left().max(letter.left());
        let ends_in_letter = letter.text.chars().next_back().is_some_and(char::is_alphabetic);
        // Most of it: `~` between two letters touches both.
        (ends_in_letter && shared > 0.6 * width).then_some(other)
    };
    // TeX draws the accent in front of its letter, other programs behind it.
    covers(index + 1).or_else(|| covers(index.checked_sub(1)?))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    RightToLeft,
    LeftToRight,
    Neutral,
}

/// The direction of a piece of text, by its first letter or digit that has one.
pub(super) fn direction(text: &str) -> Direction {
    let known = text.chars().find_map(|character| match character {
        '\u{590}'..='\u{8FF}' | '\u{FB1D}'..='\u{FDFF}' | '\u{FE70}'..='\u{FEFC}' => {
            let is_digit = matches!(character, '\u{660}'..='\u{669}' | '\u{6F0}'..='\u{6F9}');
            Some(if is_digit { Direction::LeftToRight } else { Direction::RightToLeft })
        }
        _ if character.is_alphanumeric() => Some(Direction::LeftToRight),
        _ => None,
    });
    known.unwrap_or(Direction::Neutral)
}

/// Puts pieces that are seen from left to right into the order of reading.
///
/// Where most of what has a direction runs from right to left, so does the whole.
pub(super) fn into_reading_order<T>(pieces: &mut [T], direction_of: impl Fn(&T) -> Direction) {
    let count =
        |wanted: Direction| pieces.iter().filter(|piece| direction_of(piece) == wanted).count();
    let right_to_left = count(Direction::RightToLeft);
    if right_to_left == 0 {
        return;
    }
    if right_to_left >= count(Direction::LeftToRight) {
        pieces.reverse();
        reverse_runs(pieces, Direction::LeftToRight, &direction_of);
    } else {
        reverse_runs(pieces, Direction::RightToLeft, &direction_of);
    }
}

/// Reverses each run that begins and ends with a piece of this direction, neutral ones inside.
fn reverse_runs<T>(pieces: &mut [T], wanted: Direction, direction_of: &impl Fn(&T) -> Direction) {
    let directions: Vec<Direction> = pieces.iter().map(direction_of).collect();
    let mut start = None;
    let mut end = 0;
    for index in 0..=directions.len() {
        let direction = directions.get(index).copied();
        if direction == Some(wanted) {
            start = start.or(Some(index));
            end = index + 1;
        } else if direction != Some(Direction::Neutral)
            && let Some(start) = start.take()
            && let Some(run) = pieces.get_mut(start..end)
        {
            run.reverse();
        }
    }
}

/// A word from its glyphs as they are seen from left to right.
pub(super) fn word_text(mut glyphs: Vec<&str>) -> String {
    if glyphs.iter().all(|glyph| direction(glyph) != Direction::RightToLeft) {
        return glyphs.concat();
    }
    into_reading_order(&mut glyphs, |glyph| direction(glyph));
    glyphs.concat().chars().map(mirrored).collect()
}

/// A bracket is drawn as its mirror image among letters that run from right to left.
fn mirrored(character: char) -> char {
    match character {
        '(' => ')',
        ')' => '(',
        '[' => ']',
        ']' => '[',
        '«' => '»',
        '»' => '«',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use hayro_interpret::kurbo::Point;

    use super::*;

    #[test]
    fn glyphs_become_letters() {
        let cases = [
            ("ﬁ", Some("fi")),
            ("ﬄ", Some("ffl")),
            ("\u{FEB3}", Some("س")),
            ("\u{F0B7}", Some("•")),
            ("\u{F0FC}", Some("✓")),
            ("\u{E123}", None),
            ("\u{A0}", Some(" ")),
            ("\u{FFFD}", None),
            ("\u{1}", None),
            ("ü", Some("ü")),
            ("²", Some("²")),
        ];
        for (text, expected) in cases {
            assert_eq!(readable(text).as_deref(), expected, "{text:?}");
        }
    }

    #[test]
    fn accents_join_their_letters() {
        let cases = [
            (vec![("f", 0.0, 3.0), ("¨", 3.2, 7.0), ("u", 3.0, 8.0), ("r", 8.0, 11.0)], "für"),
            (vec![("e", 0.0, 5.0), ("´", 0.5, 4.5), ("t", 5.0, 8.0)], "ét"),
            (vec![("a", 0.0, 5.0), ("~", 5.0, 10.0), ("b", 10.0, 15.0)], "a~b"),
            (vec![("¨", 0.0, 5.0)], "¨"),
        ];
        for (drawn, expected) in cases {
            let mut glyphs: Vec<Glyph> = drawn
                .into_iter()
                .map(|(text, left, right)| Glyph {
                    text: text.to_owned(),
                    start: Point::new(left, 0.0),
                    end: Point::new(right, 0.0),
                    ..Glyph::default()
                })
                .collect();
            combine(&mut glyphs);
            let found: String = glyphs.iter().map(|glyph| glyph.text.as_str()).collect();
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn words_are_read_from_their_beginning() {
        // Seen from left to right; a bracket that opens is drawn as the one that closes.
        let cases = [
            ("\u{5DD}\u{5D5}\u{5DC}\u{5E9}", "\u{5E9}\u{5DC}\u{5D5}\u{5DD}"),
            ("(\u{5D1}\u{5D0})", "(\u{5D0}\u{5D1})"),
            ("12\u{5D1}\u{5D0}", "\u{5D0}\u{5D1}12"),
            ("abc", "abc"),
            ("(2024)", "(2024)"),
        ];
        for (seen, read) in cases {
            let glyphs: Vec<String> = seen.chars().map(String::from).collect();
            assert_eq!(word_text(glyphs.iter().map(String::as_str).collect()), read);
        }
    }

    #[test]
    fn lines_are_read_in_the_direction_of_most_words() {
        let cases = [
            ("c b a", "c b a"),
            ("ד ג ב א", "א ב ג ד"),
            ("ד x y ג ב א", "א ב ג x y ד"),
            ("ב 12 - 14 א", "א 12 - 14 ב"),
            ("one two ב א three four", "one two א ב three four"),
        ];
        for (seen, read) in cases {
            let mut words: Vec<&str> = seen.split(' ').collect();
            into_reading_order(&mut words, |word| direction(word));
            assert_eq!(words.join(" "), read);
        }
    }
}
