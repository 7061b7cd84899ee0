use campanile_text::Analyzer;
use serde::{Deserialize, Serialize};

/// Another way to ask, searched beside the question.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "snake_case")]
pub enum Phrasing {
    /// The same question in other words (multi-query retrieval).
    Question(String),
    /// A passage as it might answer the question, to be compared with real ones by meaning alone
    /// (HyDE: Gao et al., Precise zero-shot dense retrieval without relevance labels, ACL 2023).
    Passage(String),
}

/// Small models follow examples rather than instructions: without these, SmolLM2-135M answers the question
/// more often than it rewords it.
const EXAMPLES: &str = "\
Question: When is the library open?
Other ways to ask:
What are the opening hours of the library?
Until when can the library be used?

Question: How do I sign up for MAT110?
Other ways to ask:
Where can students register for MAT110?
What has to be done to enrol in MAT110?
";

/// The label in front of a question in the examples, and of the next one that a model may go on with.
const NEXT: &str = "Question:";

/// Returns the prompt that asks a language model for `count` phrasings of a question: the instructions and
/// the message.
pub(super) fn phrasings_prompt(question: &str, count: usize) -> (String, String) {
    let system = format!(
        "You reword questions that students ask about their university. Write {count} other ways to \
         ask the question, one on each line, without numbers in front. Keep every name, number, date \
         and course code exactly as it is."
    );
    (system, format!("{EXAMPLES}\n{NEXT} {question}\nOther ways to ask:"))
}

/// Returns the prompt that asks a language model for a passage as it might answer a question: the
/// instructions and the message.
pub(super) fn hypothetical_prompt(question: &str) -> (String, String) {
    let system = "You write for a university's handbook. Write one short paragraph that answers the \
                  question as the handbook would, in plain sentences. Keep every name, number, date \
                  and course code of the question."
        .to_owned();
    (system, format!("Question: {question}"))
}

/// The phrasings in a model's answer, at most `count`: those that say something else than the question and
/// each other, and keep its names. Of a question with its mark, only questions are taken: a
/// small model may answer where it should ask, and what it answers is made up.
pub(super) fn read_phrasings(
    question: &str,
    answer: &str,
    count: usize,
    analyzer: &Analyzer,
) -> Vec<String> {
    let terms = |text: &str| {
        let mut terms: Vec<String> =
            analyzer.analyze(text).into_iter().map(|token| token.term).collect();
        terms.sort_unstable();
        terms.dedup();
        terms
    };
    let asks = |text: &str| text.ends_with('?');
    let mut known = vec![terms(question)];
    let mut found = Vec::new();
    // A small model that has written what it was asked for goes on as the examples do, with a question that it has
    // made up.
    for line in answer.lines().take_while(|line| !line.trim_start().starts_with(NEXT)) {
        // Numbers, bullets and quotation marks come in spite of the prompt.
        let text = line
            .trim()
            .trim_start_matches(|letter: char| {
                letter.is_ascii_digit()
                    || matches!(letter, '.' | ')' | '-' | '*' | '•')
                    || letter.is_whitespace()
            })
            .trim_matches(['"', '“', '”'])
            .trim();
        let own = terms(text);
        let stays_question = asks(text) || !asks(question.trim_end());
        if own.is_empty() || known.contains(&own) || !stays_question || !keeps_names(question, text)
        {
            continue;
        }
        known.push(own);
        found.push(text.to_owned());
        if found.len() == count {
            break;
        }
    }
    found
}

/// Returns `true` if a phrasing has every name, number and code of a question, and no number or code of its
/// own.
///
/// A name is a word with a capital that does not begin the question; a code has a digit. A
/// phrasing without the course code that was asked about finds everything else.
fn keeps_names(question: &str, phrasing: &str) -> bool {
    let has = |text: &str, wanted: &str| words(text).any(|word| word == wanted);
    let kept = words(question)
        .enumerate()
        .filter(|(place, word)| is_code(word) || (*place > 0 && is_name(word)))
        .all(|(_, word)| has(phrasing, word));
    kept && words(phrasing).filter(|word| is_code(word)).all(|word| has(question, word))
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| {
        !(letter.is_alphanumeric() || matches!(letter, '-' | '@' | '.' | '_'))
    })
    .map(|word| word.trim_matches(['.', '-', '_']))
    .filter(|word| !word.is_empty())
}

fn is_code(word: &str) -> bool {
    word.contains(|letter: char| letter.is_ascii_digit() || letter == '@')
}

fn is_name(word: &str) -> bool {
    word.starts_with(char::is_uppercase) && word.chars().count() > 1
}

#[cfg(test)]
mod tests {
    use campanile_text::{Analyzer, Language};

    use super::{keeps_names, read_phrasings};

    #[test]
    fn a_question_stays_one_and_is_not_repeated() {
        let cases: [(&str, &str, &[&str]); 7] = [
            (
                "How can I register for CS101?",
                "1. How do I sign up for CS101?\n2. How do I sign up for CS102?\nHow to register for CS101",
                &["How do I sign up for CS101?"],
            ),
            ("Is there aid?", "There is no aid.\nCan one get aid?", &["Can one get aid?"]),
            (
                "Is there aid?",
                "Who gets aid?\nQuestion: Who gives aid?\nWho aids?",
                &["Who gets aid?"],
            ),
            ("Is there aid?", "\"Is there aid?\"\n- Is there AID", &[]),
            ("aid for rent", "money for rent\naid for rent", &["money for rent"]),
            (
                "Is there aid?",
                "* Who gets aid?\n2) Who gives aid?",
                &["Who gets aid?", "Who gives aid?"],
            ),
            (
                "Is there aid?",
                "Who aids?\nWho pays?\nWho gets aid?\nWho gives aid?",
                &["Who pays?", "Who gets aid?"],
            ),
        ];
        for (question, answer, expected) in cases {
            let found = read_phrasings(question, answer, 2, &Analyzer::new(Language::English));
            assert_eq!(found, expected, "{question} / {answer}");
        }
    }

    #[test]
    fn names_and_codes_stay() {
        let cases = [
            ("When is the WEN210 exam?", "On which day is the examination in WEN210?", true),
            ("When is the WEN210 exam?", "On which day is the examination in WEN220?", false),
            ("When is the WEN210 exam?", "When is the exam?", false),
            ("Who is Dr. Ode?", "What does Dr. Ode do?", true),
            ("Who is Dr. Ode?", "Who is the doctor?", false),
            ("How long is the thesis?", "How many pages has the thesis?", true),
            ("How long is the thesis?", "Has the thesis 60 pages?", false),
            ("Write to a@b.org?", "Can I mail a@b.org?", true),
            ("Write to a@b.org?", "Can I mail c@b.org?", false),
        ];
        for (question, phrasing, expected) in cases {
            assert_eq!(keeps_names(question, phrasing), expected, "{question} / {phrasing}");
        }
    }
}
