//! What a question is about, and its phrases.

use std::ops::Range;

use super::Question;
use crate::words::{Word, is_one_of};

/// Words that a phrase of a place, a time or a purpose begins with.
pub(super) const PREPOSITIONS: &str = "for in on at during after before with without from until by as of to about \
    für im am bei beim während nach vor mit ohne von vom aus zum zur als ab bis";
/// Words that a name for a thing begins with.
pub(super) const ARTICLES: &str = "the a an my our your der die das den dem des ein eine einen einem einer mein meine meinen meiner";
/// Who asks, or anybody.
pub(super) const SUBJECTS: &str = "i you we one somebody someone ich man wir du";
/// Verbs that a question is asked with.
const AUXILIARIES: &str =
    "does do did is are was were can could may must should shall will would has have had";
const GERMAN_MODALS: &str = "kann darf muss soll können dürfen müssen sollen wird werden";
const GERMAN_VERBS: &str = "ist sind kostet kosten dauert beginnt endet läuft schließt öffnet gilt gelten findet \
    funktioniert heißt bedeutet beantrage beantragt bekomme bekommt finde melde gebe brauche braucht";
/// Names of what a thing has: in `the deadline for exchange applications` the applications are meant.
pub(super) const ATTRIBUTES: &str = "deadline fee fees cost costs price requirements requirement duration length \
    number name address phone e-mail email contact room date dates time times hours penalty prerequisites form \
    documents location frist gebühr gebühren kosten preis voraussetzungen dauer länge nummer name adresse telefon \
    kontakt raum termin termine zeiten öffnungszeiten strafe unterlagen formular ort";

/// The words that name what a question is about; none where the rules see no such words.
pub(super) fn topic(question: &Question<'_>) -> Option<Range<usize>> {
    let words = &question.words;
    let is = |list: &'static str| move |word: &Word| is_one_of(&word.lower, list);
    // `Was kostet …` begins with a question word, `Was the …` with a verb.
    let asks = usize::from(words.first().is_some_and(is("was")) && question.is_german());
    let verb = words.iter().skip(asks).position(|word| {
        [AUXILIARIES, GERMAN_MODALS, GERMAN_VERBS].iter().any(|list| is_one_of(&word.lower, list))
    })? + asks;
    let kind = words.get(verb)?.lower.as_str();
    let takes_verb = is_one_of(kind, AUXILIARIES) && !is_one_of(kind, "is are was were");
    let is_modal = is_one_of(kind, GERMAN_MODALS);
    let mut start = verb + 1;
    let end_of = |start: usize| {
        let rest = words.get(start..).unwrap_or_default();
        rest.iter().position(is(PREPOSITIONS)).map_or(words.len(), |at| start + at)
    };
    let mut end;
    if words.get(start).is_some_and(is(SUBJECTS)) {
        // `do I register a thesis`, `do I apply for an extension`: what stands behind the verb.
        start += if takes_verb { 2 } else { 1 };
        start += usize::from(words.get(start).is_some_and(is(PREPOSITIONS)));
        end = end_of(start);
        end -= usize::from(is_modal && end == words.len() && end > start + 1);
    } else {
        end = end_of(start);
        let is_yes_no = verb == 0 && !takes_verb;
        // `does the library close`, `is attendance required`: the last word says something of the rest.
        end -= usize::from((takes_verb || is_yes_no || is_modal) && end > start + 1);
    }
    let behind = |end: usize| {
        let start = end + 1;
        let of = words.get(end).is_some_and(is("for of für von zur zum"));
        (of && start < words.len()).then(|| start..end_of(start))
    };
    let is_attribute =
        |range: &Range<usize>| words.get(range.end.saturating_sub(1)).is_some_and(is(ATTRIBUTES));
    let mut found = start..end;
    if is_attribute(&found)
        && let Some(whole) = behind(end)
    {
        found = whole;
    }
    let named = words.get(found.clone())?;
    let says = |word: &Word| !is_one_of(&word.lower, ARTICLES) && !is_one_of(&word.lower, SUBJECTS);
    let is_plain = named.iter().all(|word| !is_one_of(&word.lower, NO_NAMES));
    (named.iter().any(says) && is_plain && (1..=5).contains(&named.len())).then_some(found)
}

/// Words that no name for a thing holds: where one is found, the rules have read the question wrongly.
const NO_NAMES: &str = "i you we it they there this that have has had been be being is are was were do does did can \
    may must not if when what which who how where why and or passed ich du wir es sie man wenn was wie wo wer und \
    oder nicht habe hat sein";

/// A phrase that begins with a preposition, in words of its question.
pub(super) struct Phrase {
    pub(super) preposition: usize,
    pub(super) end: usize,
}

/// The phrases of a question that begin with a preposition, in its order; not one that the question begins with.
pub(super) fn phrases(words: &[Word]) -> Vec<Phrase> {
    let is_preposition = |(_, word): &(usize, &Word)| is_one_of(&word.lower, PREPOSITIONS);
    let starts: Vec<usize> =
        words.iter().enumerate().skip(1).filter(is_preposition).map(|(at, _)| at).collect();
    let ends = starts.iter().skip(1).copied().chain([words.len()]);
    let phrase = |(start, end): (&usize, usize)| Phrase { preposition: *start, end };
    starts.iter().zip(ends).map(phrase).filter(|it| it.end > it.preposition + 1).collect()
}

/// What a phrase names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    /// People: whom something is for.
    People,
    /// A time of the year or the week.
    Time,
    /// Anything else.
    Thing,
}

/// What some words name.
pub(super) fn class(words: &[Word]) -> Class {
    const PEOPLE: &str = "student students applicant applicants candidate candidates guest guests graduate graduates \
        undergraduate undergraduates postgraduate postgraduates doctoral beginners freshers parents members visitors \
        people somebody someone me us part-timers mich mir uns studierende studierenden studenten studentin student studentinnen gäste \
        absolventen bewerber promovierende promovierenden erstsemester";
    const TIMES: &str = "winter summer autumn spring fall semester term year years month week weekend weekends \
        holidays holiday vacation break period january february march april june july august september october november \
        december monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays \
        fridays saturdays sundays today tomorrow 2025 2026 2027 2028 2029 sommer herbst frühling frühjahr \
        wintersemester sommersemester jahr monat woche wochenende ferien januar februar märz mai juni juli oktober \
        dezember montag dienstag mittwoch donnerstag freitag samstag sonntag montags samstags sonntags";
    let has = |list: &str| words.iter().any(|word| is_one_of(&word.lower, list));
    match (has(PEOPLE), has(TIMES)) {
        (true, _) => Class::People,
        (false, true) => Class::Time,
        (false, false) => Class::Thing,
    }
}

/// Whether a word is a course's code.
pub(super) fn is_code(word: &Word) -> bool {
    let letters = word.lower.bytes().take_while(u8::is_ascii_alphabetic).count();
    let digits = word.lower.bytes().skip(letters).take_while(u8::is_ascii_digit).count();
    (2..=5).contains(&letters) && (2..=4).contains(&digits) && letters + digits == word.lower.len()
}

/// Words of which one takes the place of another, a row for each kind.
const KINDS: &[&str] = &[
    "winter summer autumn spring fall",
    "bachelor's master's bachelor master bsc msc doctoral phd",
    "part-time full-time teilzeit vollzeit",
    "first second third fourth final",
    "monday tuesday wednesday thursday friday saturday sunday weekdays weekends",
    "mondays tuesdays wednesdays thursdays fridays saturdays sundays",
    "january february march april may june july august september october november december",
    "department's faculty's university's",
    "department faculty university",
    "2024 2025 2026 2027 2028 2029 2030",
    "wintersemester sommersemester",
    "montags dienstags mittwochs donnerstags freitags samstags sonntags",
    "bachelorarbeit masterarbeit doktorarbeit",
];

/// Whether two words are of one kind and not the same.
pub(super) fn is_alternative(left: &Word, right: &Word) -> bool {
    let are_codes = is_code(left) && is_code(right);
    let is_kind = |row: &&str| is_one_of(&left.lower, row) && is_one_of(&right.lower, row);
    left.lower != right.lower && (are_codes || KINDS.iter().any(is_kind))
}
