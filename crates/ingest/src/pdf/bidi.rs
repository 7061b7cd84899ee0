//! From the order in which text is seen to the order in which it is read.
//!
//! A page shows Hebrew and Arabic from right to left, with numbers and Latin words among them from
//! left to right. What is seen from left to right is turned back: a simple inverse of the Unicode
//! bidirectional algorithm (UAX #9), without embeddings.

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
pub(super) fn word(mut glyphs: Vec<&str>) -> String {
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
    use super::{direction, into_reading_order, word};

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
            assert_eq!(word(glyphs.iter().map(String::as_str).collect()), read);
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
