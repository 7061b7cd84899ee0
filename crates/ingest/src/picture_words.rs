//! The words that a document gives for a picture, and whether they say something to whoever cannot see it.

use crate::inline::single_spaced;

/// The longest words of a picture in a cell, in characters: longer ones describe it.
const WORDS_CHARS: usize = 80;
/// A picture's words outside of tables are a sentence of the page from so many on.
// "Logo of the university" and "Students in the library" say nothing that anybody asks for; "Site plan: the desk is in
// building H" does. In the handbook of The Carpentries all of six words and more say what the picture shows.
const FEWEST_WORDS: usize = 6;
/// Longer words of a picture, in characters, are not meant to be heard: authors are told to keep to a sentence or two.
const SENTENCE_CHARS: usize = 600;

/// What office programs write into descriptions that they made up themselves, in lower case.
// They are about the picture ("A close-up of a sign") and often wrong, which the programs say in the same place.
const MADE_BY_MACHINES: &[&str] = &[
    "description automatically generated",
    "ai-generated content may be incorrect",
    "automatisch generierte beschreibung",
    "ki-generierte inhalte können fehlerhaft sein",
    "description générée automatiquement",
    "descripción generada automáticamente",
    "descrizione generata automaticamente",
    "automatisch gegenereerde beschrijving",
];

/// What programs call any picture, perhaps with a number behind it, in lower case.
const ANY_PICTURE: &[&str] = &[
    "logo", "image", "icon", "picture", "graphic", "grafik", "bild", "symbol", "icône", "imagen",
    "icono", "immagine", "icona", "afbeelding",
];

/// What a picture says in a cell or a line: `yes` behind a tick.
pub(crate) fn of_a_sign(found: &str) -> Option<String> {
    own_words(found).filter(|found| found.chars().count() <= WORDS_CHARS)
}

/// The sentence that a picture is where it stands by itself outside of tables.
pub(crate) fn sentence(found: &str) -> Option<String> {
    let words = own_words(found)?;
    let count = words.split(' ').count();
    let is_logo = words.split(' ').any(|word| word.to_lowercase() == "logo");
    let fits = count >= FEWEST_WORDS && words.chars().count() <= SENTENCE_CHARS && !is_logo;
    fits.then_some(words)
}

/// Words of a picture that say something: no name of a file, no `logo`, nothing that a program made up.
fn own_words(found: &str) -> Option<String> {
    let found = single_spaced(found);
    let is_file = found.rsplit_once('.').is_some_and(|(_, ending)| {
        matches!(
            ending.to_ascii_lowercase().as_str(),
            "png"
                | "jpg"
                | "jpeg"
                | "gif"
                | "svg"
                | "webp"
                | "emf"
                | "wmf"
                | "tif"
                | "tiff"
                | "bmp"
        )
    });
    let lower = found.to_lowercase();
    let is_made = MADE_BY_MACHINES.iter().any(|mark| lower.contains(mark));
    let says_nothing =
        found.is_empty() || is_file || is_made || ANY_PICTURE.contains(&without_number(&lower));
    (!says_nothing).then_some(found)
}

fn without_number(name: &str) -> &str {
    name.trim_end_matches(|last: char| last.is_ascii_digit()).trim_end()
}

#[cfg(test)]
mod tests {
    use super::{of_a_sign, sentence};

    #[test]
    fn descriptions_that_say_something_are_told_from_the_rest() {
        let cases = [
            ("yes", Some("yes"), None),
            ("not\n step-free ", Some("not step-free"), None),
            ("Logo", None, None),
            ("Picture", None, None),
            ("Grafik 12", None, None),
            ("Image of 12", Some("Image of 12"), None),
            ("C:\\scans\\page 3.PNG", None, None),
            ("", None, None),
            ("A close-up of a sign\n\nDescription automatically generated", None, None),
            (
                "The porter's lodge is left of gate 4.",
                Some("The porter's lodge is left of gate 4."),
                Some("The porter's lodge is left of gate 4."),
            ),
            (
                "The logo of the city of Kiel at night",
                Some("The logo of the city of Kiel at night"),
                None,
            ),
        ];
        for (found, as_sign, as_sentence) in cases {
            assert_eq!(of_a_sign(found).as_deref(), as_sign, "{found}");
            assert_eq!(sentence(found).as_deref(), as_sentence, "{found}");
        }
    }
}
