//! The way that numbers and names are written.

use campanile_questions::on_one_line;

use crate::experiment::Loss;

/// The stage that lost an answer, as a word.
pub(crate) fn loss(loss: Loss) -> &'static str {
    match loss {
        Loss::Parsing => "parsing",
        Loss::Retrieval => "retrieval",
        Loss::Filter => "filter",
        Loss::Ranking => "ranking",
        Loss::Cut => "cut",
        Loss::Reading => "reading",
        Loss::Refusal => "refusal",
    }
}

/// Explains what it means that this stage lost the answer.
pub(crate) fn loss_meaning(loss: Loss) -> &'static str {
    match loss {
        Loss::Parsing => "the text that answers is not in the index",
        Loss::Retrieval => "no search put the passage forward",
        Loss::Filter => "the passage was found and filtered out",
        Loss::Ranking => "the passage was ranked below what is shown",
        Loss::Cut => "the passage fell to the limit on passages or tokens",
        Loss::Reading => "the passage was shown, and the answer is another",
        Loss::Refusal => {
            "refused although the passage was shown, or answered although it should have refused"
        }
    }
}

/// The same in a few words.
pub(crate) fn loss_in_short(loss: Loss) -> &'static str {
    match loss {
        Loss::Parsing => "not in the index",
        Loss::Retrieval => "found by no search",
        Loss::Filter => "found, then filtered out",
        Loss::Ranking => "ranked below what is shown",
        Loss::Cut => "fell to the limit on passages or tokens",
        Loss::Reading => "shown, but answered otherwise",
        Loss::Refusal => "refused wrongly, or not refused",
    }
}

/// A score: three decimals, and no sign before nothing.
pub(crate) fn score(value: f64) -> String {
    // A true minus sign below: a hyphen is broken from its number at the end of a line.
    let value = if value.abs() < 0.0005 { 0.0 } else { value };
    format!("{value:.3}").replace('-', "−")
}

/// A score of one question: as short as it is exact to three decimals.
pub(crate) fn brief(value: f64) -> String {
    let text = score(value);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A difference: a sign and three decimals; none before nothing.
pub(crate) fn difference(value: f64) -> String {
    if value.abs() < 0.0005 {
        return score(value);
    }
    format!("{value:+.3}").replace('-', "−")
}

/// A share as a percentage without decimals; no line ends before the sign.
pub(crate) fn percent(value: f64) -> String {
    format!("{:.0}\u{a0}%", value * 100.0).replace('-', "−")
}

/// Milliseconds to two or three digits, without unit.
pub(crate) fn milliseconds(value: f64) -> String {
    match value {
        value if value < 0.995 => format!("{value:.2}"),
        value if value < 9.95 => format!("{value:.1}"),
        value => count(value.round().max(0.0) as usize),
    }
}

/// A probability, as small as it is worth telling.
pub(crate) fn probability(p: f64) -> String {
    match p {
        p if p < 0.001 => "p < 0.001".to_owned(),
        p if p < 0.1 => format!("p = {p:.3}"),
        p => format!("p = {p:.2}"),
    }
}

/// A count with a comma at the thousands.
pub(crate) fn count(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A count with its noun: `1 question`, `2 questions`.
pub(crate) fn counted(number: usize, noun: &str) -> String {
    let ending = if number == 1 { "" } else { "s" };
    format!("{} {noun}{ending}", count(number))
}

/// `a`, `a and b`, `a, b and c`.
pub(crate) fn list(names: &[String]) -> String {
    match names.split_last() {
        None => String::new(),
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
    }
}

/// The beginning of a text in one line, at most so many characters.
pub(crate) fn excerpt(text: &str, characters: usize) -> String {
    let line = on_one_line(text);
    match line.char_indices().nth(characters) {
        Some((cut, _)) => format!("{}…", line[..cut].trim_end()),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_as_they_are_written() {
        let cases = [
            (score(0.66666), "0.667"),
            (score(-0.0001), "0.000"),
            (brief(1.0), "1"),
            (brief(0.0), "0"),
            (brief(0.25), "0.25"),
            (brief(10.0), "10"),
            (difference(-0.0304), "−0.030"),
            (difference(0.0304), "+0.030"),
            (difference(-0.0), "0.000"),
            (percent(0.785), "78\u{a0}%"),
            (milliseconds(0.034), "0.03"),
            (milliseconds(0.999), "1.0"),
            (milliseconds(9.96), "10"),
            (milliseconds(1234.4), "1,234"),
            (probability(0.0004), "p < 0.001"),
            (probability(0.0123), "p = 0.012"),
            (probability(0.5), "p = 0.50"),
            (count(1_234_567), "1,234,567"),
            (counted(1, "question"), "1 question"),
            (counted(1000, "question"), "1,000 questions"),
            (list(&[]), ""),
            (list(&["a".into(), "b".into(), "c".into()]), "a, b and c"),
            (excerpt("one\n  two three", 8), "one two…"),
        ];
        for (written, expected) in cases {
            assert_eq!(written, expected);
        }
    }
}
