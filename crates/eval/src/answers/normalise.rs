/// The marks that SQuAD takes out: ASCII punctuation, as Python's `string.punctuation` lists it.
fn is_punctuation(character: char) -> bool {
    character.is_ascii_punctuation()
}

/// White space as Python's `str.split` sees it: Unicode's, and the four ASCII separators.
pub(super) fn is_space(character: char) -> bool {
    character.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&character)
}

/// The words between white space, as Python's `str.split` gives them.
pub(super) fn split_spaces(text: &str) -> impl Iterator<Item = &str> {
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

#[cfg(test)]
mod tests {
    use super::normalise;

    #[test]
    fn cases() {
        let cases = [
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
        for (text, expected) in cases {
            assert_eq!(normalise(text), expected, "{text}");
        }
    }
}
