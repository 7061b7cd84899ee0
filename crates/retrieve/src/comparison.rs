/// Words by which a question asks to compare, folded as terms are before stemming.
const WORDS: &[&str] = &[
    "compare",
    "compared",
    "comparison",
    "differ",
    "difference",
    "differences",
    "differs",
    "versus",
    "vs",
    "unterschied",
    "unterschiede",
    "unterscheiden",
    "unterscheidet",
    "vergleich",
    "vergleiche",
    "verglichen",
];

/// Words that come in pairs, with "and" or "or" between what is compared.
const PAIRED: &[(&str, &[&str])] =
    &[("both", &["and"]), ("between", &["and"]), ("zwischen", &["und"]), ("sowohl", &["als"])];

/// Comparatives that ask which of two, with their "than" or "or".
const THAN: &[&str] = &["than", "or", "als", "oder"];

/// Returns `true` if a question asks about two things beside each other, so that passages about one of them
/// alone answer only half of it.
///
/// ```
/// use campanile_retrieve::compares;
///
/// assert!(compares("What is the difference between a minor and a double major?"));
/// assert!(compares("Which library is open longer, the one in Bridge House or the Heron Library?"));
/// assert!(!compares("When does the library open?"));
/// ```
pub fn compares(question: &str) -> bool {
    let lower = question.to_lowercase();
    let words: Vec<&str> = lower
        .split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let after = |place: usize, wanted: &[&str]| {
        words.iter().skip(place + 1).any(|word| wanted.contains(word))
    };
    words.iter().enumerate().any(|(place, word)| {
        WORDS.contains(word)
            || PAIRED.iter().any(|(first, second)| first == word && after(place, second))
            || (is_comparative(word) && place > 0 && after(place, THAN) && asks_which(&words))
    })
}

/// "longer", "more", "cheaper": an ending that also other words have, which is why the question must
/// ask for a choice as well.
fn is_comparative(word: &str) -> bool {
    matches!(word, "more" | "less" | "fewer" | "better" | "mehr" | "weniger" | "besser")
        || (word.len() > 4 && word.ends_with("er"))
}

fn asks_which(words: &[&str]) -> bool {
    words.iter().any(|word| matches!(*word, "which" | "what" | "is" | "are" | "does" | "do"))
        || words.first().is_some_and(|word| word.starts_with("welch") || *word == "ist")
}

#[cfg(test)]
mod tests {
    use super::compares;

    #[test]
    fn comparisons_are_told_from_other_questions() {
        let cases = [
            ("What is the difference between WEN210 and WEN220?", true),
            ("How do the two programmes differ?", true),
            ("part-time vs. full-time", true),
            ("Compare the fees of both faculties", true),
            ("Is the bachelor thesis longer than the master thesis?", true),
            ("Which canteen is open longer, Bridge House or the Weir Building?", true),
            ("Worin unterscheiden sich Bachelor und Master?", true),
            ("Was ist der Unterschied zwischen Klausur und Hausarbeit?", true),
            ("Does the rule hold for both the bachelor and the master?", true),
            ("When is the paper due?", false),
            ("Who is the teacher of WEN210?", false),
            ("How many credits do I need?", false),
            ("Where do I register?", false),
            ("", false),
        ];
        for (question, expected) in cases {
            assert_eq!(compares(question), expected, "{question}");
        }
    }
}
