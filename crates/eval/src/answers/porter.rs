//! Porter's stemmer for English (Porter 1980), with the additions that nltk makes to it.
//!
//! ROUGE and METEOR are defined over it. The stemmer of `campanile-text` is Snowball's English one,
//! a later algorithm with other stems, so it would not do: `registration` is `registr` there and
//! here, but `generously` is `generous` there and `gener` here.

/// A condition on what is left of a word without its ending.
type Condition = fn(&str) -> bool;

/// The stem of a word.
///
/// Letters are put in lower case. Words of one or two letters stay as they are, and a few irregular
/// ones have a stem of their own.
pub(super) fn porter_stem(word: &str) -> String {
    let word = word.to_lowercase();
    if let Some(stem) = irregular(&word) {
        return stem.to_owned();
    }
    if word.chars().count() <= 2 {
        return word;
    }
    let word = past_or_participle(plural(word));
    let word = adjective_suffix(double_suffix(final_y(word)));
    final_letters(bare_suffix(word))
}

fn irregular(word: &str) -> Option<&'static str> {
    Some(match word {
        "sky" | "skies" => "sky",
        "dying" => "die",
        "lying" => "lie",
        "tying" => "tie",
        "news" => "news",
        "innings" | "inning" => "inning",
        "outings" | "outing" => "outing",
        "cannings" | "canning" => "canning",
        "howe" => "howe",
        "proceed" => "proceed",
        "exceed" => "exceed",
        "succeed" => "succeed",
        _ => return None,
    })
}

/// For each letter whether it is a consonant: all but `a`, `e`, `i`, `o`, `u`, and but a `y` behind
/// a consonant.
fn consonants(word: &str) -> Vec<bool> {
    let mut flags: Vec<bool> = Vec::new();
    for letter in word.chars() {
        let behind_consonant = flags.last().copied().unwrap_or(false);
        flags.push(match letter {
            'a' | 'e' | 'i' | 'o' | 'u' => false,
            'y' => !behind_consonant,
            _ => true,
        });
    }
    flags
}

/// Counts how often a consonant follows a vowel: Porter's measure `m`.
fn measure(stem: &str) -> usize {
    consonants(stem).windows(2).filter(|pair| **pair == [false, true]).count()
}

fn has_syllable(stem: &str) -> bool {
    measure(stem) > 0
}

fn has_syllables(stem: &str) -> bool {
    measure(stem) > 1
}

fn has_vowel(stem: &str) -> bool {
    consonants(stem).contains(&false)
}

/// `-tt`, `-ss`: twice the same consonant.
fn ends_in_double_consonant(word: &str) -> bool {
    let mut letters = word.chars().rev();
    letters.next() == letters.next()
        && consonants(word).len() > 1
        && consonants(word).last() == Some(&true)
}

/// `-hop`, `-wil`: consonant, vowel, consonant other than `w`, `x`, `y`; or nothing but a vowel and
/// a consonant.
fn ends_in_short_syllable(word: &str) -> bool {
    match consonants(word).as_slice() {
        [.., true, false, true] => !word.ends_with(['w', 'x', 'y']),
        // nltk's addition: Porter asks for a consonant in front.
        [false, true] => true,
        _ => false,
    }
}

/// The first ending that the word has is replaced if the condition holds for the rest; no other is
/// tried.
fn replaced(word: String, rules: &[(&str, &str)], condition: Condition) -> String {
    let found = rules.iter().find_map(|(ending, replacement)| {
        word.strip_suffix(ending).map(|stem| (stem, replacement))
    });
    match found {
        Some((stem, replacement)) if condition(stem) => format!("{stem}{replacement}"),
        _ => word,
    }
}

/// Step 1a: `caresses` to `caress`, `ponies` to `poni`, `ties` to `tie`, `cats` to `cat`.
fn plural(word: String) -> String {
    // nltk's addition: `dies` and `ties` keep their `e`, so that they meet `die` and `tie`.
    if word.chars().count() == 4
        && let Some(stem) = word.strip_suffix("ies")
    {
        return format!("{stem}ie");
    }
    replaced(word, &[("sses", "ss"), ("ies", "i"), ("ss", "ss"), ("s", "")], |_| true)
}

/// Step 1b: `agreed` to `agree`, `plastered` to `plaster`, `hopping` to `hop`, `filing` to `file`.
fn past_or_participle(word: String) -> String {
    if let Some(stem) = word.strip_suffix("ied") {
        let ending = if word.chars().count() == 4 { "ie" } else { "i" };
        return format!("{stem}{ending}");
    }
    if word.ends_with("eed") {
        return replaced(word, &[("eed", "ee")], has_syllable);
    }
    let endings = ["ed", "ing"].iter();
    let stem = endings.filter_map(|ending| word.strip_suffix(ending)).find(|stem| has_vowel(stem));
    let Some(stem) = stem else { return word };
    if ["at", "bl", "iz"].iter().any(|ending| stem.ends_with(ending)) {
        return format!("{stem}e");
    }
    if ends_in_double_consonant(stem) {
        let mut shorter = stem.to_owned();
        if !stem.ends_with(['l', 's', 'z']) {
            shorter.pop();
        }
        return shorter;
    }
    let is_short = measure(stem) == 1 && ends_in_short_syllable(stem);
    format!("{stem}{}", if is_short { "e" } else { "" })
}

/// Step 1c: `happy` to `happi`; `enjoy` and `by` stay.
fn final_y(word: String) -> String {
    // nltk's condition: Porter asks for a vowel anywhere in the stem, which makes `enjoi` of `enjoy`.
    replaced(word, &[("y", "i")], |stem| {
        let flags = consonants(stem);
        flags.len() > 1 && flags.last() == Some(&true)
    })
}

/// Step 2: `relational` to `relate`, `operator` to `operate`, `archaeology` to `archaeolog`.
fn double_suffix(word: String) -> String {
    const RULES: [(&str, &str); 21] = [
        ("ational", "ate"),
        ("tional", "tion"),
        ("enci", "ence"),
        ("anci", "ance"),
        ("izer", "ize"),
        ("bli", "ble"),
        ("alli", "al"),
        ("entli", "ent"),
        ("eli", "e"),
        ("ousli", "ous"),
        ("ization", "ize"),
        ("ation", "ate"),
        ("ator", "ate"),
        ("alism", "al"),
        ("iveness", "ive"),
        ("fulness", "ful"),
        ("ousness", "ous"),
        ("aliti", "al"),
        ("iviti", "ive"),
        ("biliti", "ble"),
        ("fulli", "ful"),
    ];
    // What `-alli` leaves may end in another of the list: `rationally` is taken apart twice.
    if let Some(stem) = word.strip_suffix("alli").filter(|stem| has_syllable(stem)) {
        return double_suffix(format!("{stem}al"));
    }
    // The `l` counts as part of the stem, so that `geology` loses its ending as `archaeology` does.
    if let Some(stem) = word.strip_suffix("ogi").filter(|stem| stem.ends_with('l')) {
        return if has_syllable(stem) { format!("{stem}og") } else { word };
    }
    replaced(word, &RULES, has_syllable)
}

/// Step 3: `electrical` to `electric`, `hopeful` to `hope`, `goodness` to `good`.
fn adjective_suffix(word: String) -> String {
    const RULES: [(&str, &str); 7] = [
        ("icate", "ic"),
        ("ative", ""),
        ("alize", "al"),
        ("iciti", "ic"),
        ("ical", "ic"),
        ("ful", ""),
        ("ness", ""),
    ];
    replaced(word, &RULES, has_syllable)
}

/// Step 4: `revival` to `reviv`, `adjustment` to `adjust`, `adoption` to `adopt`.
fn bare_suffix(word: String) -> String {
    const ENDINGS: [&str; 19] = [
        "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ion",
        "ou", "ism", "ate", "iti", "ous", "ive", "ize",
    ];
    let found = ENDINGS.iter().find(|ending| word.ends_with(**ending));
    let Some(stem) = found.and_then(|ending| word.strip_suffix(ending)) else { return word };
    let may_lose_ion = !word.ends_with("ion") || stem.ends_with(['s', 't']);
    if has_syllables(stem) && may_lose_ion { stem.to_owned() } else { word }
}

/// Step 5: `probate` to `probat`, `controll` to `control`.
fn final_letters(mut word: String) -> String {
    let loses_e = word.strip_suffix('e').is_some_and(|stem| match measure(stem) {
        0 => false,
        1 => !ends_in_short_syllable(stem),
        _ => true,
    });
    if loses_e {
        word.pop();
    }
    if word.ends_with("ll") && word.strip_suffix('l').is_some_and(has_syllables) {
        word.pop();
    }
    word
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use std::collections::BTreeMap;

    use super::porter_stem;

    #[derive(serde::Deserialize)]
    struct Fixture {
        stems: BTreeMap<String, String>,
    }

    #[test]
    fn stems_equal_those_of_nltk() {
        let fixture = include_str!("../../tests/fixtures/answers.json");
        let Fixture { stems } = serde_json::from_str(fixture).unwrap();
        assert!(stems.len() > 1000);
        for (word, stem) in stems {
            assert_eq!(porter_stem(&word), stem, "{word}");
        }
    }
}
