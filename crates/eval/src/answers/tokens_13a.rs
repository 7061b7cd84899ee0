//! The tokenizer of NIST's `mteval-v13a`, in the form that sacrebleu gives it.

use super::normalise::split_spaces;

/// The tokens of a text: words, and marks by themselves, but `3.5` and `1,500` whole.
///
/// The four steps run one after the other, since each sees the spaces that the one before has
/// made. Case stays.
pub(super) fn tokens_13a(text: &str) -> Vec<String> {
    let text = text.trim_end_matches(super::normalise::is_space);
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

#[cfg(test)]
mod tests {
    use super::tokens_13a;

    #[test]
    fn cases() {
        let cases: [(&str, &[&str]); 8] = [
            ("", &[]),
            ("It costs 3.50, or 1,500?", &["It", "costs", "3.50", ",", "or", "1,500", "?"]),
            ("8 a.m.", &["8", "a", ".", "m", "."]),
            ("2019-2020 well-known", &["2019", "-", "2020", "well-known"]),
            ("don't", &["don't"]),
            ("&quot;a&amp;b&quot;", &["\"", "a", "&", "b", "\""]),
            ("wait...", &["wait", ".", ".", "."]),
            ("Straße (Nr. 5)", &["Straße", "(", "Nr", ".", "5", ")"]),
        ];
        for (text, expected) in cases {
            assert_eq!(tokens_13a(text), expected, "{text}");
        }
    }
}
