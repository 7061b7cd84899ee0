use proptest::prelude::*;

use super::{Form, fold, is_combining_mark, normalized};

#[test]
fn forms_are_those_of_the_standard() {
    // Examples of Annex #15, table 1 and figures 3 to 6.
    let cases = [
        ("Å", "A\u{30a}", "Å", "A\u{30a}"),
        ("\u{212b}", "A\u{30a}", "Å", "A\u{30a}"),
        ("ﬁ", "ﬁ", "fi", "fi"),
        ("2⁵", "2⁵", "25", "25"),
        ("ẛ̣", "ſ\u{323}\u{307}", "ṩ", "s\u{323}\u{307}"),
        ("각", "\u{1100}\u{1161}\u{11a8}", "각", "\u{1100}\u{1161}\u{11a8}"),
        ("q\u{307}\u{323}", "q\u{323}\u{307}", "q\u{323}\u{307}", "q\u{323}\u{307}"),
        ("plain", "plain", "plain", "plain"),
        ("", "", "", ""),
    ];
    for (text, nfd, nfkc, nfkd) in cases {
        assert_eq!(normalized(text, Form::Nfd), nfd, "{text}");
        assert_eq!(normalized(text, Form::Nfkc), nfkc, "{text}");
        assert_eq!(normalized(text, Form::Nfkd), nfkd, "{text}");
    }
}

#[test]
fn marks_are_those_of_category_m() {
    for mark in ['\u{300}', '\u{36f}', '\u{20dd}', '\u{903}', '\u{fe0f}', '\u{1d165}'] {
        assert!(is_combining_mark(mark), "{mark:?}");
    }
    for other in ['a', '^', '´', 'é', '\u{200d}', '漢', '\u{2ff}'] {
        assert!(!is_combining_mark(other), "{other:?}");
    }
}

proptest! {
    #[test]
    fn normalising_twice_changes_nothing(text in "\\PC{0,20}") {
        for form in [Form::Nfd, Form::Nfkc, Form::Nfkd] {
            let once = normalized(&text, form);
            prop_assert_eq!(&normalized(&once, form), &once);
        }
    }

    #[test]
    fn folding_twice_changes_nothing(word in "\\PC{0,20}") {
        let folded = fold(&word);
        prop_assert_eq!(fold(&folded), folded);
    }
}
