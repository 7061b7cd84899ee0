//! Numbers written as words, from two up: `one` and `ein` are rather articles.

use crate::{Language, Words, numbers};
use campanile_unicode::fold;

use super::pieces::{Kind, Piece};

/// The most pieces of one number; with fewer, the end of a long one would be read as a second number: `nine hundred
/// and ninety-nine thousand nine hundred and ...`.
const MOST_PIECES: usize = 12;

/// The number with which the pieces begin, at least 2, and how many of them it takes.
pub fn number_in_words(pieces: &[Piece<'_>], language: Language) -> Option<(u64, usize)> {
    let first = pieces.first().filter(|piece| piece.kind == Kind::Word)?;
    let pieces = pieces.get(..MOST_PIECES.min(pieces.len()))?;
    let (number, taken) = match language.joins_numbers() {
        true => joined(first, pieces.get(1), language)?,
        false => Apart { pieces, language }.number()?,
    };
    (number >= 2).then_some((number, taken))
}

/// Returns the number of zeros that a word behind digits adds: `5 million`.
pub fn zeros(word: &str, language: Language) -> Option<u32> {
    let [_, scales @ ..] = numbers::scales(language);
    let place = position(scales, &fold(word))?;
    u32::try_from(3 * (place + 1)).ok()
}

/// The row in which a folded word stands, from 0.
fn position(rows: &[Words], word: &str) -> Option<u64> {
    rows.iter().position(|row| row.contains(word)).map(|place| place as u64)
}

/// Reads numbers whose words stand apart, tens before units: `two hundred and twenty-one`.
struct Apart<'a> {
    pieces: &'a [Piece<'a>],
    language: Language,
}

impl Apart<'_> {
    fn number(&self) -> Option<(u64, usize)> {
        let (mut total, mut place) = self.below_thousand(0)?;
        let mut least = u64::MAX;
        if let Some((scale, after)) = self.scale(place) {
            (total, place, least) = (total * scale, after, scale);
        }
        // `two thousand five hundred`: only smaller scales follow.
        while least < u64::MAX {
            let from = self.behind_joint(place);
            let Some((more, after)) = self.below_thousand(from) else { break };
            let (scale, after) = self.scale(after).unwrap_or((1, after));
            if scale >= least {
                break;
            }
            total += more * scale;
            (place, least) = (after, scale);
            if scale == 1 {
                break;
            }
        }
        Some((total, place))
    }

    /// `hundred`, `two hundred and five`, `twenty-one`, and 1 before a scale.
    fn below_thousand(&self, place: usize) -> Option<(u64, usize)> {
        let Some((number, after)) = self.below_hundred(place) else {
            if self.is(numbers::scales(self.language)[0], place) {
                return Some(self.behind_hundred(100, place + 1));
            }
            return self.scale(place).map(|_| (1, place));
        };
        match self.is(numbers::scales(self.language)[0], after) {
            true => Some(self.behind_hundred(number * 100, after + 1)),
            false => Some((number, after)),
        }
    }

    fn behind_hundred(&self, hundreds: u64, place: usize) -> (u64, usize) {
        let more = self.below_hundred(self.behind_joint(place));
        more.map_or((hundreds, place), |(more, after)| (hundreds + more, after))
    }

    fn below_hundred(&self, place: usize) -> Option<(u64, usize)> {
        let word = self.word(place)?;
        if let Some(small) = self.small(&word) {
            return Some((small, place + 1));
        }
        // `twentyfive`
        let together = (2..).zip(numbers::tens(self.language)).find_map(|(tens, row)| {
            let unit = row.iter().find_map(|tens| word.strip_prefix(tens))?;
            Some(tens * 10 + self.unit(unit)?)
        });
        if let Some(number) = together {
            return Some((number, place + 1));
        }
        let tens = (position(numbers::tens(self.language), &word)? + 2) * 10;
        let has_hyphen = self.pieces.get(place + 1).is_some_and(|piece| piece.is_mark('-'));
        let from = place + 1 + usize::from(has_hyphen);
        // `twenty-ten` is twenty and ten.
        match self.word(from).and_then(|word| self.unit(&word)) {
            Some(unit) => Some((tens + unit, from + 1)),
            None => Some((tens, place + 1)),
        }
    }

    fn small(&self, word: &str) -> Option<u64> {
        position(numbers::small(self.language), word)
    }

    fn unit(&self, word: &str) -> Option<u64> {
        self.small(word).filter(|unit| (1..10).contains(unit))
    }

    fn scale(&self, place: usize) -> Option<(u64, usize)> {
        let zeros = zeros(&self.word(place)?, self.language)?;
        Some((10_u64.pow(zeros), place + 1))
    }

    fn behind_joint(&self, place: usize) -> usize {
        place + usize::from(self.is(numbers::joint(self.language)[0], place))
    }

    fn is(&self, words: Words, place: usize) -> bool {
        self.word(place).is_some_and(|word| words.contains(&word))
    }

    fn word(&self, place: usize) -> Option<String> {
        let piece = self.pieces.get(place).filter(|piece| piece.kind == Kind::Word)?;
        Some(fold(piece.text))
    }
}

/// A number in one word, units before tens (`einundzwanzig`), and `Millionen` or the like behind it.
fn joined(first: &Piece<'_>, next: Option<&Piece<'_>>, language: Language) -> Option<(u64, usize)> {
    let word = fold(first.text);
    let joined = Joined(language);
    let scale = next.filter(|piece| piece.kind == Kind::Word);
    // `tausend` stands in one word with what it multiplies, and is read there.
    match scale.and_then(|piece| zeros(piece.text, language)).filter(|&zeros| zeros > 3) {
        Some(zeros) => {
            let times = if numbers::ONE.contains(&word) { 1 } else { joined.number(&word)? };
            Some((times.checked_mul(10_u64.pow(zeros))?, 2))
        }
        None => Some((joined.number(&word)?, 1)),
    }
}

struct Joined(Language);

impl Joined {
    fn number(&self, word: &str) -> Option<u64> {
        self.around(1, word, |part| self.below_thousand(part))
            .unwrap_or_else(|| self.below_thousand(word))
    }

    fn below_thousand(&self, word: &str) -> Option<u64> {
        self.around(0, word, |part| self.below_hundred(part))
            .unwrap_or_else(|| self.below_hundred(word))
    }

    /// Reads what stands around `hundert` (scale 0) or `tausend` (scale 1); none where it is not in the word.
    fn around(
        &self,
        scale: usize,
        word: &str,
        read: impl Fn(&str) -> Option<u64>,
    ) -> Option<Option<u64>> {
        let mut names = numbers::scales(self.0)[scale].iter();
        let (before, after) = names.find_map(|name| word.split_once(name))?;
        let times = if before.is_empty() { Some(1) } else { read(before) };
        // `hundertundeins` is an old way to write `hunderteins`.
        let after = after.strip_prefix(self.joint()).unwrap_or(after);
        let rest = if after.is_empty() { Some(0) } else { read(after) };
        let value = if scale == 0 { 100 } else { 1000 };
        Some(times.zip(rest).map(|(times, rest)| times * value + rest))
    }

    fn below_hundred(&self, word: &str) -> Option<u64> {
        if let Some(small) = position(numbers::small(self.0), word) {
            return Some(small);
        }
        let (tens, before) = (2..).zip(numbers::tens(self.0)).find_map(|(place, row)| {
            Some((place * 10, row.iter().find_map(|tens| word.strip_suffix(tens))?))
        })?;
        if before.is_empty() {
            return Some(tens);
        }
        let unit = position(numbers::small(self.0), before.strip_suffix(self.joint())?)?;
        (1..10).contains(&unit).then_some(tens + unit)
    }

    fn joint(&self) -> &'static str {
        numbers::joint(self.0)[0].first()
    }
}

/// The spellings of a number below 10,000 in words.
pub fn spellings(number: u64, language: Language) -> Vec<String> {
    match language {
        Language::None => Vec::new(),
        _ if !(2..10_000).contains(&number) => Vec::new(),
        _ if language.joins_numbers() => vec![joined_spelling(number, language)],
        _ => spellings_apart(number, language),
    }
}

fn spellings_apart(number: u64, language: Language) -> Vec<String> {
    let (hundreds, rest) = (number / 100, number % 100);
    let rests = spellings_below_hundred(rest, language);
    let [small, scale] = [numbers::small(language).as_slice(), numbers::scales(language)];
    let counted = |count: u64, place: u64| format!("{} {}", word(small, count), word(scale, place));
    let start = match (hundreds / 10, hundreds % 10) {
        (0, 0) => return rests,
        (0, hundreds) => counted(hundreds, 0),
        (thousands, 0) => counted(thousands, 1),
        (thousands, hundreds) => format!("{} {}", counted(thousands, 1), counted(hundreds, 0)),
    };
    if rest == 0 {
        return vec![start];
    }
    let joint = word(numbers::joint(language), 0);
    let joined = |rest: &String| [format!("{start} {joint} {rest}"), format!("{start} {rest}")];
    rests.iter().flat_map(joined).collect()
}

fn spellings_below_hundred(number: u64, language: Language) -> Vec<String> {
    let small = numbers::small(language);
    let Some(tens) = (number / 10).checked_sub(2) else {
        return vec![word(small, number).to_owned()];
    };
    let tens = word(numbers::tens(language), tens);
    match number % 10 {
        0 => vec![tens.to_owned()],
        unit => [' ', '-'].map(|mark| format!("{tens}{mark}{}", word(small, unit))).to_vec(),
    }
}

fn joined_spelling(number: u64, language: Language) -> String {
    let (thousands, hundreds, rest) = (number / 1000, number / 100 % 10, number % 100);
    let small = numbers::small(language);
    // `eins` stands alone, `ein` in a longer number.
    let inside = |count: u64| match count {
        1 => small[1].iter().nth(1).unwrap_or(small[1].first()),
        _ => word(small, count),
    };
    let mut spelled = String::new();
    for (count, scale) in [(thousands, 1), (hundreds, 0)] {
        if count > 0 {
            spelled.push_str(if count > 1 || number >= 200 { inside(count) } else { "" });
            spelled.push_str(word(numbers::scales(language), scale));
        }
    }
    match (rest / 10).checked_sub(2) {
        None if rest == 0 => {}
        None => spelled.push_str(word(small, rest)),
        Some(tens) => {
            if rest % 10 > 0 {
                spelled.push_str(inside(rest % 10));
                spelled.push_str(word(numbers::joint(language), 0));
            }
            spelled.push_str(word(numbers::tens(language), tens));
        }
    }
    spelled
}

/// A word as it is written.
fn word(rows: &[Words], place: u64) -> &'static str {
    rows[place as usize].first()
}

#[cfg(test)]
mod tests {
    use crate::Language;

    use super::super::pieces::pieces;
    use super::{number_in_words, spellings};

    fn read(text: &str, language: Language) -> Option<(u64, usize)> {
        number_in_words(&pieces(text), language)
    }

    #[test]
    fn every_spelling_is_read_as_its_number() {
        for language in [Language::English, Language::German] {
            for number in 2..10_000 {
                let all = spellings(number, language);
                assert!(!all.is_empty());
                for spelled in all {
                    let found = read(&spelled, language);
                    assert_eq!(found, Some((number, pieces(&spelled).len())), "{spelled}");
                }
            }
        }
    }

    #[test]
    fn numbers_are_read_as_they_are_written() {
        use Language::{English, German};
        let cases = [
            (English, "one", None),
            (English, "Twenty-one students", Some((21, 3))),
            (English, "twenty one", Some((21, 2))),
            (English, "Twentyfive", Some((25, 1))),
            (English, "seventyten", None),
            (English, "two three", Some((2, 1))),
            (English, "twenty-ten", Some((20, 1))),
            (English, "hundred and more", Some((100, 1))),
            (English, "one hundred and", Some((100, 2))),
            (English, "two hundred and fifty thousand", Some((250_000, 5))),
            (English, "one million two hundred thousand and six", Some((1_200_006, 7))),
            (English, "five hundred million", Some((500_000_000, 3))),
            (English, "thousand", Some((1000, 1))),
            (English, "tens of thousands", None),
            (English, "acht", None),
            (German, "Acht", Some((8, 1))),
            (German, "ein", None),
            (German, "achten", None),
            (German, "einundzwanzig", Some((21, 1))),
            (German, "FÜNFZIG", Some((50, 1))),
            (German, "fuenfzig", Some((50, 1))),
            (German, "hunderteins", Some((101, 1))),
            (German, "zweihundertfünfzigtausend", Some((250_000, 1))),
            (German, "zwei Millionen", Some((2_000_000, 2))),
            (German, "eine Milliarde", Some((1_000_000_000, 2))),
            (Language::None, "two", None),
        ];
        for (language, text, expected) in cases {
            assert_eq!(read(text, language), expected, "{text}");
        }
    }
}
