//! Tells by a question's words what kind of answer it asks for.

use campanile_text::sentences;

use crate::words::{Word, find, has_one_of, is_one_of, words};

/// The kind of answer that a question asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum QuestionType {
    /// A day, a span of days, a time.
    When,
    /// A person or an office.
    Who,
    /// A number of something, a sum, a length of time: how many, how much, how long, how often.
    Amount,
    /// A place.
    Where,
    /// The steps of what to do: how do I.
    Procedure,
    /// Yes or no: may I, do I have to, is there.
    YesNo,
    /// Two things beside each other.
    Comparison,
    /// Several things, all of them.
    List,
    /// The meaning of something, or what it is.
    Definition,
    /// Anything else.
    Other,
}

/// Words that may stand in front of a question without being part of it.
const LEAD_INS: &str = "can you tell me|could you tell me|would you tell me|can you please tell me|\
    could you please tell me|please tell me|tell me|can you explain|could you explain|please explain|explain|\
    can you say|do you know|i would like to know|i'd like to know|i want to know|i wonder|please|hello|hi|hey|\
    and|so|also|können sie mir sagen|kannst du mir sagen|können sie sagen|sagen sie mir|sag mir|wissen sie|\
    weißt du|ich möchte wissen|ich würde gerne wissen|bitte|hallo|und";

/// Words that begin a clause in front of the question itself: `If I fall ill, whom do I tell?`
const CONDITIONS: &str = "if when after before once since because as in for during having wenn falls \
    nachdem bevor sobald da als weil während";

/// Words that begin a question behind such a clause.
const OPENERS: &str = "by until at what when who whom where how why which may can could must do does did am is are will \
    would should was wann wer wen wem wo wie warum welche welcher welches welchen welchem darf kann muss ist \
    sind habe hat gibt soll könnte";

/// The phrases by which a type is known, in the order in which they are looked for. What is bound to the
/// beginning (`^`) is meant as the question's first words.
const PHRASES: &[(QuestionType, &str)] = &[
    (
        QuestionType::Comparison,
        "difference between|differences between|differ from|differs from|differ .. and|different from|\
         compared to|compared with|in comparison|versus|vs|^compare|^vergleiche|unterschied zwischen|\
         unterschiede zwischen|unterscheiden sich|unterscheidet sich|im vergleich|verglichen mit|im unterschied",
    ),
    (
        QuestionType::List,
        "^what do i have to hand|^what do i need to hand|^what do i hand|^what must i hand|^what do i need for|\
         ^what do i have to bring|^what must i bring|^was brauche ich für|^was muss ich mitbringen|\
         ^was muss ich einreichen|^was muss ich abgeben|^list|^name all|^name the|^name every|^give me a list|^show all|^show me all|^which .. are there|\
         ^what .. are there|^what are all|^which are|all the|all of the|^what kinds of|^which kinds of|\
         ^what types of|^liste|^nenne|^zähle|^welche .. gibt es|^was für .. gibt es|^welche sind|^was sind alle",
    ),
    // Before what follows: `Why does it cost so much?` asks for no amount.
    (QuestionType::Other, "^why|^how come|^warum|^weshalb|^wieso"),
    // Before `wie viel`, which asks for an amount.
    (QuestionType::When, "wie viel uhr|wieviel uhr"),
    (
        QuestionType::Amount,
        "how many|how much|how long|how often|how late|how old|how high|how big|how large|how expensive|\
         how soon|how heavy|how far|how few|wie viel|wie viele|wie vielen|wieviel|wieviele|wie hoch|wie lange|\
         wie oft|wie teuer|wie spät|wie weit|wie groß|was kostet|was kosten|^what .. cost|^what .. costs|\
         what percentage|what proportion|what share|^what is the fee|^what is the price|^what is the cost|\
         ^what is the maximum|^what is the minimum|^what is the penalty|set me back|what number of|\
         welcher anteil|welche gebühr|was zahle ich|zu welchem preis",
    ),
    (
        QuestionType::When,
        "^when|by when|until when|till when|since when|from when|what time|what date|what day|which day|\
         which date|which month|what month|which year|what year|which week|which weekday|deadline|due date|\
         opening hours|office hours|wann|welchem tag|welchem datum|welcher woche|\
         welchem jahr|welche frist|die frist|frist für|öffnungszeiten|sprechzeiten|welcher termin",
    ),
    (
        QuestionType::Procedure,
        "how do i|how do you|how do we|how do students|how does one|how does a student|how can i|how can you|\
         how can we|how can one|how can students|how could i|how should i|how would i|how must i|how may i|\
         ^how to|how is it done|how is this done|what do i do|what should i do|what must i do|what can i do|\
         what do i have to do|what do i need to do|what steps|which steps|what is the procedure|\
         what is the process|wie kann ich|wie kann man|wie können|wie muss ich|wie soll ich|wie geht|\
         wie funktioniert|wie läuft|was muss ich tun|was muss ich machen|was soll ich tun|was kann ich tun|\
         was mache ich|welche schritte|wie .. ich|wie .. man",
    ),
    (
        QuestionType::Where,
        "^where|^in which room|^in which building|^in what room|which room|which building|\
         ^wo|^wohin|^woher|welchem raum|welcher raum|welchem gebäude|^at which place",
    ),
    (
        QuestionType::Who,
        "^who|^whom|^whose|^to whom|^with whom|^by whom|^from whom|which person|which office|\
         ^wer|^wen|^wem|^an wen|^bei wem|^von wem|^mit wem|^wessen|welche person|welche stelle|^who's",
    ),
    (
        QuestionType::Definition,
        "^what is meant|^what does .. mean|^what does .. stand for|^what's meant|^what do .. mean|^define|\
         ^what is a|^what is an|meaning of|definition of|^was ist ein|^was ist eine|^was bedeutet|^was heißt|\
         ^was versteht man|bedeutung von|definition von",
    ),
];

/// A question that begins so is answered with yes or no.
const YES_OR_NO: &str = "may can could must should shall will would do does did am is are were has have had \
    need darf dürfen kann können muss müssen soll sollen ist sind war wird werden gibt habe hat haben hätte \
    gilt zählt reicht braucht brauche brauchen bekomme bekommt verliere kostet lässt";

/// Words that weigh one thing against another where an `or` follows.
const COMPARATIVES: &str = "more less better worse longer shorter earlier later higher lower cheaper fewer \
    stricter easier harder larger smaller bigger sooner mehr weniger besser schlechter länger kürzer früher \
    später höher niedriger billiger günstiger strenger leichter schwerer größer kleiner eher";

/// Plural words that are one thing, or end like a plural and are none.
const NO_PLURALS: &str = "is was does has this its us as always class process address access campus status \
    thesis analysis basis business bonus pass happens means hours bus";

/// Returns the kind of answer that a question asks for, found from its words in English and German.
///
/// Where several sentences are typed, the last one that ends in a question mark counts. Nothing is understood
/// here: phrases are looked for in a fixed order, and what holds none of them is [`QuestionType::Other`].
pub(crate) fn question_type(question: &str) -> QuestionType {
    let asked = words(behind_clause(last_question(question)));
    let asked = without_lead_ins(&asked);
    let first = asked.first().map_or("", |word| word.lower.as_str());
    if is_weighed(asked) {
        return QuestionType::Comparison;
    }
    let is_yes_no = is_one_of(first, YES_OR_NO);
    for (kind, phrases) in PHRASES {
        // `Is there a deadline?` and `Do you know the difference …` ask for two different things: only a
        // comparison is one whatever it begins with.
        if (!is_yes_no || *kind == QuestionType::Comparison) && has_one_of(asked, phrases) {
            return *kind;
        }
    }
    if is_yes_no {
        return QuestionType::YesNo;
    }
    if lists(asked) {
        return QuestionType::List;
    }
    match first {
        "what" | "what's" | "was" => definition(asked),
        _ => QuestionType::Other,
    }
}

/// The last sentence that ends in a question mark; the whole where none does.
fn last_question(text: &str) -> &str {
    let sentences = sentences(text).into_iter().map(|span| &text[span.range()]);
    sentences.rev().find(|sentence| sentence.ends_with('?')).unwrap_or(text)
}

fn without_lead_ins(mut words: &[Word]) -> &[Word] {
    while let Some(found) =
        LEAD_INS.split('|').filter_map(|it| find(words, it)).find(|it| it.start == 0)
        && found.end < words.len()
    {
        words = &words[found.end..];
    }
    words
}

/// The question behind a clause that only sets the scene: `If I fall ill, whom do I tell?`
fn behind_clause(question: &str) -> &str {
    let first = words(&question[..question.find(' ').unwrap_or(0)]);
    if !first.first().is_some_and(|word| word.is_one_of(CONDITIONS)) {
        return question;
    }
    let opens = |rest: &&str| {
        // Only the first word counts: the rest of a long question need not be cut into words at every comma.
        let first = words(&rest[..rest.floor_char_boundary(40)]);
        first.first().is_some_and(|word| word.is_one_of(OPENERS))
    };
    let behind = question.match_indices(',').map(|(at, _)| &question[at + 1..]);
    behind.map(str::trim_start).find(opens).unwrap_or(question)
}

/// `Which … more, X or Y?`
fn is_weighed(words: &[Word]) -> bool {
    let or = words.iter().rposition(|word| word.is_one_of("or oder"));
    let weighs = |word: &Word| word.is_one_of(COMPARATIVES);
    let asks = words.iter().take(3).any(|word| {
        word.is_one_of(
            "which where what who when is are does do welche welcher welches welchem wo was \
            wer wann ist sind hat",
        )
    });
    or.is_some_and(|or| asks && words[..or].iter().any(weighs))
}

/// `Which modules …`, `What documents …`, `Welche Unterlagen …`: a question word and a plural soon after it.
fn lists(words: &[Word]) -> bool {
    let place =
        words.iter().take(3).position(|word| word.is_one_of("which what welche welchen what're"));
    let Some(place) = place else { return false };
    let of_german = words[place].lower.starts_with("welche");
    let after = &words[place + 1..];
    let is_article = |word: &&Word| word.is_one_of("the die der das");
    let (are, after) = match after.split_first() {
        Some((are, rest)) if are.is_one_of("are sind") => (true, rest),
        _ => (false, after),
    };
    let after = &after[after.iter().take(1).filter(is_article).count()..];
    if of_german {
        return after
            .iter()
            .take(2)
            .any(|word| word.lower.ends_with("en") && !is_verb(&word.lower));
    }
    // `Which bus goes …`: behind a noun, only what a verb follows is one.
    after.iter().take(3).enumerate().any(|(place, word)| {
        let next = after.get(place + 1).map_or("", |word| word.lower.as_str());
        let stands = are || place == 0 || next.is_empty() || is_verb(next);
        stands && is_plural(&word.lower) && !word.is_one_of(NO_PLURALS)
    })
}

fn is_verb(word: &str) -> bool {
    const VERBS: &str = "are do can must may have should will were count there need i haben müssen werden können \
        dürfen sollen brauchen gelten gehören zählen";
    is_one_of(word, VERBS)
}

fn is_plural(word: &str) -> bool {
    word.len() > 3 && word.ends_with('s') && !word.ends_with("ss") && !word.ends_with("'s")
        || word == "criteria"
}

/// `What is X?` asks what X is where X is short and nothing is said of it.
fn definition(words: &[Word]) -> QuestionType {
    let has_verb = words.get(1).is_some_and(|word| {
        word.is_one_of("is are ist sind") || words.first().is_some_and(|it| it.lower == "what's")
    });
    let rest = words.get(2..).unwrap_or_default();
    let describes = rest.iter().any(|word| {
        word.is_one_of("of in for the at on to with der die das von für im am my mein meine i")
    });
    if has_verb && !describes && (1..=4).contains(&rest.len()) {
        QuestionType::Definition
    } else {
        QuestionType::Other
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may fail")]

    use proptest::prelude::*;

    use super::*;

    /// The types and their questions.
    fn cases() -> Vec<(&'static str, &'static str)> {
        let lines = include_str!("question_types.txt").lines();
        let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
        lines.map(|line| line.split_once(": ").unwrap()).collect()
    }

    #[test]
    fn questions_are_told_apart_by_their_words() {
        let wrong: Vec<String> = cases()
            .into_iter()
            .filter(|(kind, question)| format!("{:?}", question_type(question)) != *kind)
            .map(|(kind, question)| {
                format!("{kind}, not {:?}: {question}", question_type(question))
            })
            .collect();
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    #[test]
    fn there_are_enough_cases_of_every_type() {
        assert!(cases().len() >= 120, "{}", cases().len());
        for kind in [
            "When", "Who", "Amount", "Where", "Procedure", "YesNo", "Comparison", "List",
            "Definition",
        ] {
            let count = cases().iter().filter(|(it, _)| *it == kind).count();
            assert!(count >= 8, "{kind}: {count}");
        }
    }

    proptest! {
        #[test]
        fn case_and_marks_do_not_matter(question in "[a-z]{1,6}( [a-z]{1,6}){0,6}") {
            let kind = question_type(&question);
            prop_assert_eq!(question_type(&question.to_uppercase()), kind);
            prop_assert_eq!(question_type(&format!("  {question} ?")), kind);
        }

        #[test]
        fn any_text_has_a_type(question in "\\PC{0,80}") {
            question_type(&question);
        }
    }
}
