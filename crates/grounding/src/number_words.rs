//! Numbers written as words, from two up: `one` and `ein` are rather articles.

use campanile_text::{Language, fold};

use crate::pieces::{Kind, Piece};

/// The most pieces of one number; with fewer, the end of a long one would be read as a second number: `nine hundred
/// and ninety-nine thousand nine hundred and ...`.
const MOST_PIECES: usize = 12;

const ENGLISH_SMALL: [&str; 20] = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen",
    "nineteen",
];
const ENGLISH_TENS: [&str; 8] =
    ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
/// The same in German, as `fold` writes them.
const GERMAN_SMALL: [&str; 20] = [
    "null", "ein", "zwei", "drei", "vier", "funf", "sechs", "sieben", "acht", "neun", "zehn",
    "elf", "zwolf", "dreizehn", "vierzehn", "funfzehn", "sechzehn", "siebzehn", "achtzehn",
    "neunzehn",
];
const GERMAN_TENS: [&str; 8] =
    ["zwanzig", "dreissig", "vierzig", "funfzig", "sechzig", "siebzig", "achtzig", "neunzig"];

/// The number with which the pieces begin, at least 2, and how many of them it takes.
pub(crate) fn number_in_words(pieces: &[Piece<'_>], language: Language) -> Option<(u64, usize)> {
    let first = pieces.first().filter(|piece| piece.kind == Kind::Word)?;
    let pieces = pieces.get(..MOST_PIECES.min(pieces.len()))?;
    let (number, taken) = match language {
        Language::English => English(pieces).number()?,
        Language::German => german(first, pieces.get(1))?,
        Language::None => return None,
    };
    (number >= 2).then_some((number, taken))
}

/// Returns the number of zeros that a word behind digits adds: `5 million`.
pub(crate) fn zeros(word: &str, language: Language) -> Option<u32> {
    let word = fold(word);
    match (language, word.as_str()) {
        (Language::English, "thousand") | (Language::German, "tausend") => Some(3),
        (Language::English, "million") => Some(6),
        (Language::German, "million" | "millionen" | "mio") => Some(6),
        (Language::English, "billion") => Some(9),
        (Language::German, "milliarde" | "milliarden" | "mrd") => Some(9),
        (Language::English, "trillion") => Some(12),
        (Language::German, "billion" | "billionen") => Some(12),
        _ => None,
    }
}

/// Reads English, a piece at a time.
struct English<'a>(&'a [Piece<'a>]);

impl English<'_> {
    fn number(&self) -> Option<(u64, usize)> {
        let (mut total, mut place) = self.below_thousand(0)?;
        let mut least = u64::MAX;
        if let Some((scale, after)) = self.scale(place) {
            (total, place, least) = (total * scale, after, scale);
        }
        // `two thousand five hundred`: only smaller scales follow.
        while least < u64::MAX {
            let from = self.behind_and(place);
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
            if self.word(place).as_deref() == Some("hundred") {
                return Some(self.behind_hundred(100, place + 1));
            }
            return self.scale(place).map(|_| (1, place));
        };
        match self.word(after).as_deref() {
            Some("hundred") => Some(self.behind_hundred(number * 100, after + 1)),
            _ => Some((number, after)),
        }
    }

    fn behind_hundred(&self, hundreds: u64, place: usize) -> (u64, usize) {
        let more = self.below_hundred(self.behind_and(place));
        more.map_or((hundreds, place), |(more, after)| (hundreds + more, after))
    }

    fn below_hundred(&self, place: usize) -> Option<(u64, usize)> {
        let word = self.word(place)?;
        if let Some(small) = position(&ENGLISH_SMALL, &word) {
            return Some((small, place + 1));
        }
        if let Some(number) = in_one_word(&word) {
            return Some((number, place + 1));
        }
        let tens = (position(&ENGLISH_TENS, &word)? + 2) * 10;
        let from = place + 1 + usize::from(self.is_hyphen(place + 1));
        let unit = self.word(from).and_then(|word| position(&ENGLISH_SMALL, &word));
        // `twenty-ten` is twenty and ten.
        match unit.filter(|unit| (1..10).contains(unit)) {
            Some(unit) => Some((tens + unit, from + 1)),
            None => Some((tens, place + 1)),
        }
    }

    fn scale(&self, place: usize) -> Option<(u64, usize)> {
        let zeros = zeros(&self.word(place)?, Language::English)?;
        Some((10_u64.pow(zeros), place + 1))
    }

    fn behind_and(&self, place: usize) -> usize {
        place + usize::from(self.word(place).as_deref() == Some("and"))
    }

    fn word(&self, place: usize) -> Option<String> {
        let piece = self.0.get(place).filter(|piece| piece.kind == Kind::Word)?;
        Some(piece.text.to_ascii_lowercase())
    }

    fn is_hyphen(&self, place: usize) -> bool {
        self.0.get(place).is_some_and(|piece| piece.is_mark('-'))
    }
}

/// `twentyfive`
fn in_one_word(word: &str) -> Option<u64> {
    let (tens, unit) = (2..)
        .zip(ENGLISH_TENS)
        .find_map(|(place, tens)| Some((place * 10, word.strip_prefix(tens)?)))?;
    let unit = position(&ENGLISH_SMALL, unit).filter(|unit| (1..10).contains(unit))?;
    Some(tens + unit)
}

/// One word, and `Millionen` or the like behind it.
fn german(first: &Piece<'_>, next: Option<&Piece<'_>>) -> Option<(u64, usize)> {
    let word = fold(first.text);
    let scale = next.filter(|piece| piece.kind == Kind::Word);
    // `tausend` stands in one word with what it multiplies, and is read there.
    let zeros = scale.and_then(|piece| zeros(piece.text, Language::German)).filter(|&n| n > 3);
    // `fold` leaves what is written without marks as it is.
    let spelled = word.replace("fuenf", "funf").replace("zwoelf", "zwolf");
    match zeros {
        Some(zeros) => {
            let times = if spelled == "eine" { 1 } else { german_word(&spelled)? };
            Some((times.checked_mul(10_u64.pow(zeros))?, 2))
        }
        None => Some((german_word(&spelled)?, 1)),
    }
}

fn german_word(word: &str) -> Option<u64> {
    if let Some((before, after)) = word.split_once("tausend") {
        let thousands = if before.is_empty() { 1 } else { german_below_thousand(before)? };
        let rest = if after.is_empty() { 0 } else { german_below_thousand(behind_und(after))? };
        return Some(thousands * 1000 + rest);
    }
    german_below_thousand(word)
}

fn german_below_thousand(word: &str) -> Option<u64> {
    let Some((before, after)) = word.split_once("hundert") else {
        return german_below_hundred(word);
    };
    let hundreds = if before.is_empty() { 1 } else { german_small(before)? };
    let rest = if after.is_empty() { 0 } else { german_below_hundred(behind_und(after))? };
    Some(hundreds * 100 + rest)
}

fn german_below_hundred(word: &str) -> Option<u64> {
    if let Some(small) = german_small(word) {
        return Some(small);
    }
    let (tens, before) = (2..)
        .zip(GERMAN_TENS)
        .find_map(|(place, tens)| Some((place * 10, word.strip_suffix(tens)?)))?;
    if before.is_empty() {
        return Some(tens);
    }
    let unit = german_small(before.strip_suffix("und")?)?;
    (1..10).contains(&unit).then_some(tens + unit)
}

/// `hundertundeins` is an old way to write `hunderteins`.
fn behind_und(word: &str) -> &str {
    word.strip_prefix("und").unwrap_or(word)
}

fn german_small(word: &str) -> Option<u64> {
    match word {
        "eins" => Some(1),
        "zwo" => Some(2),
        _ => position(&GERMAN_SMALL, word),
    }
}

fn position(words: &[&str], word: &str) -> Option<u64> {
    words.iter().position(|one| *one == word).map(|place| place as u64)
}

/// The spellings of a number below 10,000 in words.
pub(crate) fn spellings(number: u64, language: Language) -> Vec<String> {
    match language {
        Language::English if (2..10_000).contains(&number) => english_spellings(number),
        Language::German if (2..10_000).contains(&number) => german_spellings(number),
        _ => Vec::new(),
    }
}

fn english_spellings(number: u64) -> Vec<String> {
    let (hundreds, rest) = (number / 100, number % 100);
    let rests = english_below_hundred(rest);
    let start = match (hundreds / 10, hundreds % 10) {
        (0, 0) => return rests,
        (0, hundreds) => format!("{} hundred", word(&ENGLISH_SMALL, hundreds)),
        (thousands, 0) => format!("{} thousand", word(&ENGLISH_SMALL, thousands)),
        (thousands, hundreds) => {
            let [thousands, hundreds] = [thousands, hundreds].map(|it| word(&ENGLISH_SMALL, it));
            format!("{thousands} thousand {hundreds} hundred")
        }
    };
    if rest == 0 {
        return vec![start];
    }
    let joined = |rest: &String| [format!("{start} and {rest}"), format!("{start} {rest}")];
    rests.iter().flat_map(joined).collect()
}

fn english_below_hundred(number: u64) -> Vec<String> {
    let Some(tens) = (number / 10).checked_sub(2) else {
        return vec![word(&ENGLISH_SMALL, number).to_owned()];
    };
    let tens = word(&ENGLISH_TENS, tens);
    match number % 10 {
        0 => vec![tens.to_owned()],
        unit => {
            let unit = word(&ENGLISH_SMALL, unit);
            [' ', '-'].map(|mark| format!("{tens}{mark}{unit}")).to_vec()
        }
    }
}

fn german_spellings(number: u64) -> Vec<String> {
    let plain = german_spelling(number);
    // The tables are as `fold` writes them; a text is to have the word with its marks.
    let marked = plain.replace("funf", "fünf").replace("zwolf", "zwölf");
    let marked = marked.replace("dreissig", "dreißig");
    if marked == plain { vec![plain] } else { vec![marked] }
}

fn german_spelling(number: u64) -> String {
    let (thousands, hundreds, rest) = (number / 1000, number / 100 % 10, number % 100);
    let mut spelled = String::new();
    for (count, name) in [(thousands, "tausend"), (hundreds, "hundert")] {
        if count > 0 {
            let many = if count > 1 || number >= 2 * 100 { word(&GERMAN_SMALL, count) } else { "" };
            spelled.push_str(many);
            spelled.push_str(name);
        }
    }
    match (rest / 10).checked_sub(2) {
        None if rest == 0 => {}
        None if rest == 1 => spelled.push_str("eins"),
        None => spelled.push_str(word(&GERMAN_SMALL, rest)),
        Some(tens) => {
            if rest % 10 > 0 {
                spelled.push_str(word(&GERMAN_SMALL, rest % 10));
                spelled.push_str("und");
            }
            spelled.push_str(word(&GERMAN_TENS, tens));
        }
    }
    spelled
}

fn word(words: &[&'static str], place: u64) -> &'static str {
    words[place as usize]
}

#[cfg(test)]
mod tests {
    use campanile_text::Language;

    use super::{number_in_words, spellings};
    use crate::pieces::pieces;

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
