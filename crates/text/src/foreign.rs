//! The language of a question that is not asked in the documents' own.

use campanile_language::function_words::FUNCTION_WORDS;
use campanile_language::{Language, is_stop_word};
use campanile_unicode::fold;

/// Fewer words of a language may be a name or a quotation.
// Measured with two: of 39,004 English questions of public sets, six were taken for another language, for the names
// in them (docs/concepts/answers.md).
const LEAST_WORDS: usize = 2;

/// Scripts, by the first and the last code point of their letters.
const SCRIPTS: &[(&str, char, char)] = &[
    ("Greek", '\u{370}', '\u{3ff}'),
    ("a language in Cyrillic letters", '\u{400}', '\u{52f}'),
    ("Hebrew", '\u{590}', '\u{5ff}'),
    ("a language in Arabic letters", '\u{600}', '\u{77f}'),
    ("a language in Devanagari letters", '\u{900}', '\u{97f}'),
    ("Bengali", '\u{980}', '\u{9ff}'),
    ("Tamil", '\u{b80}', '\u{bff}'),
    ("Thai", '\u{e00}', '\u{e7f}'),
    ("Japanese", '\u{3040}', '\u{30ff}'),
    ("Korean", '\u{ac00}', '\u{d7a3}'),
    ("Chinese", '\u{4e00}', '\u{9fff}'),
];

/// The name in English of the language that a question is asked in, where that is plainly another than `language`; none
/// where the words don't tell, as in two or three of them.
///
/// A language with letters of its own is known by them. Others are known by two or more of their function words that
/// `language` does not have, where these outnumber its own.
pub fn foreign_language(question: &str, language: Language) -> Option<&'static str> {
    let own = language.name()?;
    script(question).or_else(|| {
        let words: Vec<String> = question
            .split(|letter: char| !letter.is_alphabetic())
            .filter(|word| !word.is_empty())
            .map(fold)
            .collect();
        let own_list = FUNCTION_WORDS.iter().find(|(name, _)| *name == own)?.1;
        let is_own = |word: &String| own_list.contains(word) || is_stop_word(language, word);
        let (own_words, other_words): (Vec<&String>, Vec<&String>) =
            words.iter().partition(|word| is_own(word));
        let mut best: Option<(usize, &'static str)> = None;
        for (name, list) in FUNCTION_WORDS.iter().filter(|(name, _)| *name != own) {
            // What both have says nothing, so a language is known by what is left of the question ...
            let left = other_words.iter().filter(|word| list.contains(word)).count();
            // ... and told from its neighbours by all of it.
            let all = words.iter().filter(|word| list.contains(word)).count();
            let own_alone = own_words.iter().filter(|word| !list.contains(word)).count();
            let is_known = left >= LEAST_WORDS && left > own_alone;
            if is_known && best.is_none_or(|(most, _)| all > most) {
                best = Some((all, name));
            }
        }
        best.map(|(_, name)| name)
    })
}

/// The language of a script in which at least half of the letters are.
fn script(question: &str) -> Option<&'static str> {
    let letters: Vec<char> = question.chars().filter(|letter| letter.is_alphabetic()).collect();
    // Japanese is told from Chinese by its syllables, of which any sentence has some.
    let count = |first: char, last: char| {
        letters.iter().filter(|letter| (first..=last).contains(*letter)).count()
    };
    let found = SCRIPTS.iter().find(|(name, first, last)| {
        // A Japanese sentence may be three quarters Chinese characters; one syllable of four tells it.
        let share = if *name == "Japanese" { 4 } else { 2 };
        let own = count(*first, *last);
        own > 0 && share * own >= letters.len()
    });
    found.map(|(name, ..)| *name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_in_another_language_is_known_by_its_function_words_or_its_letters() {
        use Language::{English, German, None as Unknown};
        let cases = [
            (English, "Bis wann muss ich mich zur Prüfung anmelden?", Some("German")),
            (English, "Wie viele Credits brauche ich für den Master?", Some("German")),
            (English, "Quand dois-je payer les frais ?", Some("French")),
            (English, "Combien coûte l'inscription à l'université ?", Some("French")),
            (English, "¿Cuándo es el examen de estadística?", Some("Spanish")),
            (English, "¿Dónde puedo pagar la matrícula?", Some("Spanish")),
            (English, "Quando devo pagare le tasse e come?", Some("Italian")),
            (English, "Qual é o prazo para a inscrição e quanto custa?", Some("Portuguese")),
            (English, "Hoeveel kost het om me in te schrijven voor een vak?", Some("Dutch")),
            (English, "Hur mycket kostar det att anmäla sig till en kurs?", Some("Swedish")),
            (English, "Ile kosztuje i kiedy trzeba zapłacić?", Some("Polish")),
            (English, "Kayıt için ne kadar ve nasıl ödenir?", Some("Turkish")),
            (English, "Когда я должен платить?", Some("a language in Cyrillic letters")),
            (English, "什么时候交学费？", Some("Chinese")),
            (English, "授業料はいつ払いますか", Some("Japanese")),
            (English, "متى يجب أن أدفع الرسوم؟", Some("a language in Arabic letters")),
            (German, "When do I have to register for the exam?", Some("English")),
            (German, "How much is the fee?", Some("English")),
            (German, "Bis wann muss ich mich anmelden?", None),
            (German, "Was kostet die Exkursion im Sommer?", None),
            (German, "Wie lange ist die Bibliothek am Sonntag offen?", None),
            // A name, a title or a loan word is not a language.
            (English, "What does the Prüfungsordnung say?", None),
            (English, "What is the deadline for \"Einführung in die Informatik\"?", None),
            (English, "Is there a fee de facto or a pro rata refund?", None),
            (English, "Who is de la Cruz?", None),
            (English, "What's Thomas Piketty's job?", None),
            (English, "Which shaman's proclamation aided Temüjin's rise?", None),
            (English, "exam date", None),
            (English, "WEN220 vs WEN230", None),
            (English, "how do i no if i can resit in la", None),
            (English, "α and β errors", None),
            (English, "", None),
            (Unknown, "Bis wann muss ich mich zur Prüfung anmelden?", None),
        ];
        for (language, question, expected) in cases {
            assert_eq!(foreign_language(question, language), expected, "{question}");
        }
    }
}
