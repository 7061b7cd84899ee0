//! The page's normalisation beside the tables that a site was built with.

use campanile_unicode::{Form, is_combining_mark, lowercase, normalized};
use js_sys::RegExp;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark as is_mark_in_tables;
use wasm_bindgen_test::wasm_bindgen_test;

/// A character that only one of the two knows is left as it is by the other.
#[wasm_bindgen_test]
fn every_character_that_both_know_is_normalised_alike() {
    let unassigned = RegExp::new(r"^\p{Cn}", "u");
    let (mut changed, mut marks) = (0, 0);
    for character in ('\u{80}'..=char::MAX).filter(|it| !is_left_alone(*it)) {
        let text = character.to_string();
        let pairs = [
            (Form::Nfc, text.nfc().collect::<String>()),
            (Form::Nfd, text.nfd().collect()),
            (Form::Nfkc, text.nfkc().collect()),
            (Form::Nfkd, text.nfkd().collect()),
        ];
        for (form, expected) in pairs {
            let found = normalized(&text, form);
            let is_unknown_to_one = found == text || expected == text;
            assert!(found == expected || is_unknown_to_one, "{character:?} as {form:?}: {found:?}");
            changed += usize::from(found != text && found == expected);
        }
        if is_mark_in_tables(character) && !unassigned.test(&text) {
            marks += 1;
            assert!(is_combining_mark(character), "{character:?} is a mark");
        }
    }
    // As counted with the tables of Unicode 18, most of them syllables of Hangul.
    assert!(changed > 36_000, "only {changed} forms were compared");
    assert!(marks > 2_400, "only {marks} marks were compared");
}

/// The compiled tables are those of the standard library, which are in this test alone.
#[wasm_bindgen_test]
fn every_character_that_both_know_is_lowered_alike() {
    let mut changed = 0;
    for character in ('\0'..=char::MAX).filter(|it| !is_left_alone(*it)) {
        let (found, text) = (lowercase(character), character.to_string());
        let expected: String = character.to_lowercase().collect();
        let is_unknown_to_one = found == text || expected == text;
        assert!(found == expected || is_unknown_to_one, "{character:?}: {found:?}");
        changed += usize::from(found != text && found == expected);
    }
    assert!(changed > 1_400, "only {changed} letters were compared");
}

/// Private use and planes without characters, which would take most of the time.
fn is_left_alone(character: char) -> bool {
    matches!(u32::from(character), 0xE000..=0xF8FF | 0x3_4000..=0xE_00FF | 0xE_0200..)
}
