use proptest::prelude::*;

use super::sentences;

fn split(text: &str) -> Vec<&str> {
    sentences(text).into_iter().filter_map(|span| span.slice(text)).collect()
}

/// Each case: what it shows, the text with `|` where a sentence should end.
const CASES: &[(&str, &str)] = &[
    ("plain", "One two.| Three four!| Five?"),
    ("no end mark", "One two.| Three four"),
    ("title", "Ask Dr. Meyer or Prof. Li.| They know."),
    ("for example", "Bring proof, e.g. Form 12.| Copies, i.e. scans, do."),
    ("section", "See Sect. 5 and No. 3.| Then Fig. 2 and Art. IV apply."),
    ("the word no", "The answer is no.| Students must reapply."),
    ("time goes on", "Open until 5 p.m. Monday to Friday.| Closed at noon."),
    ("time ends", "Open until 5 p.m.| Bring your card."),
    ("time in lower case", "From 9 a.m. to 5 p.m. on weekdays."),
    ("time zone", "Closes at 11:59 p.m. Eastern time.| Late is late."),
    ("decimal", "The fee is 3.50 Euro.| It was 2.75."),
    ("grouped number", "A stipend of 1.500,00 Euro.| Paid monthly."),
    ("address of a page", "Go to https://x.edu/a.html?b=1.c today.| Then log in."),
    ("e-mail", "Write to jane.doe@cs.example.edu today.| She answers."),
    ("e-mail at the end", "Write to jane.doe@cs.example.edu.| She answers."),
    ("initials", "Named after J. R. R. Tolkien.| He wrote."),
    ("country", "The U.S. Code says so.| In the U.S.| The rule differs."),
    ("degree", "A Ph.D. Candidate may apply.| Hold a B.Sc.| The rest follows."),
    ("street", "Near St. Mary on Main St.| The door is green."),
    ("etc", "Pens, paper, etc. are free.| Pens, etc.| Take one."),
    ("quote closes", "He said \"Stop.\"| Then he left."),
    ("quote goes on", "\"Why?\" she asked.| \"Because.\""),
    ("bracket closes", "It holds (see above.)| Then more."),
    ("reference mark", "It is so.[3]| Others disagree."),
    ("ellipsis goes on", "Well... maybe so.| Well...| Then no."),
    ("interrobang", "Really?!| Yes."),
    ("list number", "1. Submit the form.| 2. Wait."),
    ("year ends", "It began in 2024.| The end is near."),
    ("German day", "Am 3. Mai ist frei.| Am 12. Dezember nicht."),
    ("German day and a month cut short", "Am 3. Okt ist frei.| Am 4. Dez. nicht."),
    ("German short forms", "Das gilt z.B. Montags, bzw. Dienstags.| Vgl. Abs. 3 und Nr. 7."),
    (
        "letters with spaces",
        "Das kostet z. B. 30 Kronen, bei Farbe o. Ä. etwa 55.| Mehr, d. h. 60, kostet i. d. R. Papier.",
    ),
    ("narrow spaces", "Es gilt z.\u{202f}B. Montag, u.\u{a0}U. Dienstag.| Sonst nicht."),
    (
        "before a section",
        "Die Frist beträgt gem. § 12 zwölf Wochen; sie gilt i. S. d. § 13 und i. V. m. § 14.",
    ),
    ("letters that may end", "Stifte, Papier u. v. m.| Der Rest folgt."),
    ("letters after a bracket", "Bilder (z. B. Karten) helfen.| Das gilt."),
    ("doctors", "Es lehrt Prof. Dr. med. Ada Kern.| Sie fragt lt. Plan."),
    ("a clause begins with a section", "Das ist zu tun.| § 5 gilt."),
    ("options", "Take option A.| The rest is B."),
    ("file name", "Open syllabus.pdf and README.md first.| Then ask."),
    ("lower case follows", "approx. ten and iPhone vs. Android. done"),
    ("colon keeps", "Bring these: card, form.| Then go."),
    ("East Asian", "これは文です。|次の文です。"),
    ("full stop alone", "."),
    ("accented capital", "Fertig.| Übungen folgen.| Étape deux."),
];

#[test]
fn sentences_end_where_a_reader_would_end_them() {
    for (name, marked) in CASES {
        let text = marked.replace('|', "");
        let expected: Vec<_> = marked.split('|').map(str::trim).collect();
        assert_eq!(split(&text), expected, "{name}");
    }
}

#[test]
fn a_line_is_a_sentence_of_its_own() {
    let text = "Bring\n- a card\n- Dr.\n\nCourse: CS 101; ECTS: 6\r\nlast";
    let expected = ["Bring", "- a card", "- Dr.", "Course: CS 101; ECTS: 6", "last"];
    assert_eq!(split(text), expected);
}

#[test]
fn nothing_comes_of_nothing() {
    assert!(split("").is_empty());
    assert!(split(" \n\t\n ").is_empty());
}

proptest! {
    #[test]
    fn sentences_are_ordered_trimmed_and_lose_nothing(
        text in r#"([A-Za-zäÉ。…\[\]"'(),;:\-0-9 ]{0,12}[.!?\n ]{0,3}){0,20}"#
    ) {
        let mut kept = String::new();
        let mut previous_end = 0;
        for span in sentences(&text) {
            let sentence = span.slice(&text).unwrap_or_default();
            prop_assert!(span.start >= previous_end && !sentence.is_empty());
            prop_assert_eq!(sentence, sentence.trim());
            prop_assert!(!sentence.contains('\n'));
            previous_end = span.end;
            kept.push_str(sentence);
        }
        let solid = |text: &str| text.split_whitespace().collect::<String>();
        prop_assert_eq!(solid(&kept), solid(&text));
    }

    #[test]
    fn any_text_is_split(text in "\\PC*") {
        for span in sentences(&text) {
            prop_assert!(span.slice(&text).is_some());
        }
    }
}
