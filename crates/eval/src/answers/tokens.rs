//! Cutting texts into words: SQuAD's normalisation, the tokens of BLEU and METEOR, and their n-grams.

use std::collections::BTreeMap;

/// The marks that SQuAD takes out: ASCII punctuation, as Python's `string.punctuation` lists it.
fn is_punctuation(character: char) -> bool {
    character.is_ascii_punctuation()
}

/// White space as Python's `str.split` sees it: Unicode's, and the four ASCII separators.
fn is_space(character: char) -> bool {
    character.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&character)
}

/// The words between white space, as Python's `str.split` gives them.
fn split_spaces(text: &str) -> impl Iterator<Item = &str> {
    text.split(is_space).filter(|word| !word.is_empty())
}

/// A text as SQuAD's evaluation compares it: lower case, without ASCII punctuation, without the
/// articles `a`, `an` and `the`, with single spaces (Rajpurkar et al. 2016, the script for version
/// 2.0).
///
/// Punctuation goes without leaving a space, so `8 a.m.` becomes `8 am` and `3.5` becomes `35`.
/// German articles stay. An article is a word between characters that are neither letters nor
/// numbers; for scripts whose vowel signs stand alone (Devanagari, Thai) Unicode's idea of a letter
/// is a little wider than Python's.
///
/// ```
/// use campanile_eval::answers::normalise;
///
/// assert_eq!(normalise("The  Main-Library, on a hill!"), "mainlibrary on hill");
/// ```
pub fn normalise(text: &str) -> String {
    normalised_words(text).join(" ")
}

/// The words of [`normalise`].
pub(super) fn normalised_words(text: &str) -> Vec<String> {
    let lower = text.to_lowercase();
    let bare: String = lower.chars().filter(|character| !is_punctuation(*character)).collect();
    split_spaces(&without_articles(&bare)).map(str::to_owned).collect()
}

fn without_articles(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while !rest.is_empty() {
        let word = rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len());
        let (run, after) = rest.split_at(word);
        kept.push_str(if matches!(run, "a" | "an" | "the") { " " } else { run });
        let gap = after.find(char::is_alphanumeric).unwrap_or(after.len());
        let (between, following) = after.split_at(gap);
        kept.push_str(between);
        rest = following;
    }
    kept
}

/// The tokens of a text: words, and marks by themselves, but `3.5` and `1,500` whole.
///
/// The four steps run one after the other, since each sees the spaces that the one before has
/// made. Case stays.
pub(super) fn tokens_13a(text: &str) -> Vec<String> {
    let text = text.trim_end_matches(is_space);
    let mut line = text.replace("<skipped>", "").replace("-\n", "").replace('\n', " ");
    for (entity, mark) in [("&quot;", "\""), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">")] {
        line = line.replace(entity, mark);
    }
    line = format!(" {line} ");
    line = spaced_marks(&line);
    line = spaced(&line, |a, b| !a.is_ascii_digit() && is_stop(b), [false, true, true]);
    line = spaced(&line, |a, b| is_stop(a) && !b.is_ascii_digit(), [true, true, false]);
    line = spaced(&line, |a, b| a.is_ascii_digit() && b == '-', [false, true, true]);
    split_spaces(&line).map(str::to_owned).collect()
}

fn is_stop(character: char) -> bool {
    matches!(character, '.' | ',')
}

/// Marks that always stand alone: ASCII punctuation but for `'`, `,`, `-` and `.`.
fn spaced_marks(line: &str) -> String {
    let mut spaced = String::with_capacity(line.len() * 2);
    for character in line.chars() {
        if character.is_ascii_punctuation() && !matches!(character, '\'' | ',' | '-' | '.') {
            spaced.extend([' ', character, ' ']);
        } else {
            spaced.push(character);
        }
    }
    spaced
}

/// Puts spaces before, between and after two neighbours that match, from left to right; no
/// character belongs to two matches.
fn spaced(line: &str, matches: impl Fn(char, char) -> bool, spaces: [bool; 3]) -> String {
    let mut spaced = String::with_capacity(line.len() * 2);
    let mut characters = line.chars().peekable();
    while let Some(first) = characters.next() {
        let Some(second) = characters.next_if(|second| matches(first, *second)) else {
            spaced.push(first);
            continue;
        };
        for (space, character) in spaces.into_iter().zip([Some(first), Some(second), None]) {
            if space {
                spaced.push(' ');
            }
            spaced.extend(character);
        }
    }
    spaced
}

/// The number of times that each run of so many tokens occurs.
pub(super) type Counts<'a> = BTreeMap<&'a [String], usize>;

/// The runs of `length` tokens; `length` is at least 1.
pub(super) fn count_runs(tokens: &[String], length: usize) -> Counts<'_> {
    let mut counts = Counts::new();
    for run in tokens.windows(length.max(1)) {
        *counts.entry(run).or_insert(0) += 1;
    }
    counts
}

/// Counts the runs that both have, each as often as the one that has it less often.
pub(super) fn shared_runs(a: &Counts<'_>, b: &Counts<'_>) -> usize {
    a.iter().map(|(run, count_runs)| b.get(run).map_or(0, |other| *count_runs.min(other))).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cases_of_normalise() {
        let cases_of_normalise = [
            ("", ""),
            ("The", ""),
            ("the theatre, an annex", "theatre annex"),
            ("8 a.m.", "8 am"),
            ("3.5 %", "35"),
            ("Die Bibliothek", "die bibliothek"),
            ("„the“ Straße", "„ “ straße"),
            ("a\u{1f}b", "b"),
            ("AN ÜBUNG", "übung"),
        ];
        for (text, expected) in cases_of_normalise {
            assert_eq!(normalise(text), expected, "{text}");
        }
    }

    #[test]
    fn cases_of_tokens_13a() {
        let cases_of_tokens_13a: [(&str, &[&str]); 8] = [
            ("", &[]),
            ("It costs 3.50, or 1,500?", &["It", "costs", "3.50", ",", "or", "1,500", "?"]),
            ("8 a.m.", &["8", "a", ".", "m", "."]),
            ("2019-2020 well-known", &["2019", "-", "2020", "well-known"]),
            ("don't", &["don't"]),
            ("&quot;a&amp;b&quot;", &["\"", "a", "&", "b", "\""]),
            ("wait...", &["wait", ".", ".", "."]),
            ("Straße (Nr. 5)", &["Straße", "(", "Nr", ".", "5", ")"]),
        ];
        for (text, expected) in cases_of_tokens_13a {
            assert_eq!(tokens_13a(text), expected, "{text}");
        }
    }
}
