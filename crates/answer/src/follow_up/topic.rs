//! Finds the topic of a question, and its phrases.

use std::ops::Range;

use super::Question;
use crate::words::{Word, is_one_of};

/// Words that a phrase of a place, a time or a purpose begins with.
pub(super) const PREPOSITIONS: &str = "for in on at during after before with without from until by as of to about \
    für im am bei beim während nach vor mit ohne von vom aus zum zur als ab bis";
/// Words that a name for a thing begins with.
pub(super) const ARTICLES: &str = "the a an my our your der die das den dem des ein eine einen einem einer mein meine meinen meiner";
/// Words for who asks, or anybody.
pub(super) const SUBJECTS: &str = "i you we one somebody someone ich man wir du";
/// Returns `true` if a word only leads to a name: a preposition or an article.
pub(super) fn is_small(word: &Word) -> bool {
    word.is_one_of(PREPOSITIONS) || word.is_one_of(ARTICLES)
}

/// Verbs that a question is asked with.
const AUXILIARIES: &str =
    "does do did is are was were am can could may must should shall will would has have had";
const GERMAN_MODALS: &str = "kann darf muss soll können dürfen müssen sollen wird werden";
const GERMAN_VERBS: &str = "ist sind kostet kosten dauert beginnt endet läuft schließt öffnet gilt gelten findet \
    funktioniert heißt bedeutet beantrage beantragt bekomme bekommt finde melde gebe brauche braucht";
/// Names of what a thing has: in `the deadline for exchange applications` the applications are meant.
pub(super) const ATTRIBUTES: &str = "deadline fee fees cost costs price requirements requirement duration length \
    number name address phone e-mail email contact room date dates time times hours penalty prerequisites form \
    documents location frist gebühr gebühren kosten preis voraussetzungen dauer länge nummer name adresse telefon \
    kontakt raum termin termine zeiten öffnungszeiten strafe unterlagen formular ort";

/// Words between a subject and its verb.
const ADVERBS: &str =
    "still also already just even only really actually auch noch schon eigentlich nur";
/// Verbs that another one follows behind `to`.
const LEADS_TO: &str =
    "have need want like wish try plan ought allowed able supposed required permitted entitled";
/// Words at which a name for a thing ends besides prepositions: a clause begins, or a word of a place or a
/// direction.
const ENDS: &str = "that which who whose whether if when while because where so per near under between through into \
    behind against within across via towards toward over along away off down together rather than";
/// Words that `is` says of a thing: `When is tuition due?`
const PREDICATES: &str = "due open closed free available mandatory compulsory possible valid needed worth out \
    taught held given written sent paid sold kept made like back there still also already over pflicht offen";
/// Verbs that may stand far behind their subject: `Does every room in Ferry Court have …`.
const LATE_VERBS: &str = "have has need needs cost costs take takes offer open close start begin end include get \
    give require use count belong work";
/// Words in front of a thing's name that do not say what it is.
const DETERMINERS: &str =
    "the a an my our your every each any all some this that these those no both";

/// Finds the verb that a question is asked with, and returns its place.
pub(super) fn verb(question: &Question<'_>) -> Option<usize> {
    let words = &question.words;
    // `Was kostet …` begins with a question word, `Was the …` with a verb.
    let is_was = words.first().is_some_and(|first| first.lower == "was");
    let asks = usize::from(is_was && question.is_german());
    let verb = words.iter().skip(asks).position(|word| {
        let lists = [AUXILIARIES, GERMAN_MODALS, GERMAN_VERBS];
        is_contracted(word) || lists.iter().any(|list| is_one_of(base(word), list))
    })?;
    Some(verb + asks)
}

/// Question words with `is`, and without their apostrophe.
const CONTRACTED: &str = "what's when's where's who's how's why's whats whens wheres whos hows";

/// Returns `true` if a word is a question word with `is`: `what's`.
pub(super) fn is_contracted(word: &Word) -> bool {
    word.is_one_of(CONTRACTED)
}

/// Returns `true` if a word is a verb that a question is asked with.
pub(super) fn is_auxiliary(word: &Word) -> bool {
    word.is_one_of(AUXILIARIES) || word.is_one_of(GERMAN_MODALS)
}

/// The words that name what a question is about; none where the rules see no such words.
pub(super) fn topic(question: &Question<'_>) -> Option<Range<usize>> {
    let words = &question.words;
    let is = |at: usize, list: &str| words.get(at).is_some_and(|it| it.is_one_of(list));
    let verb = verb(question)?;
    let kind = words.get(verb).map(|word| if is_contracted(word) { "is" } else { base(word) })?;
    let is_be = is_one_of(kind, "is are was were am");
    let is_modal = is_one_of(kind, GERMAN_MODALS);
    let takes_verb = is_one_of(kind, AUXILIARIES) && !is_be;
    let mut found = if is_be && is(verb + 1, "there") {
        // `Is there a …`, `Are there any …`
        let start = verb + 2 + usize::from(is(verb + 2, "any some"));
        start..end_of_name(words, start)
    } else if is(verb + 1, SUBJECTS) {
        // `do I register a thesis`, `do I apply for an extension`: what stands behind the verb.
        let start = behind_verb(words, verb + 2, takes_verb);
        let end = end_of_name(words, start);
        start..end - usize::from(is_modal && end == words.len() && end > start + 1)
    } else {
        let start = verb + 1;
        let end = end_of_name(words, start);
        // `does the library close`, `is attendance required`: the last word says something of the rest.
        let asks_first = verb == 0 && !is(0, CONTRACTED) && !is(end, "the a an");
        let said = match takes_verb || is_modal || asks_first {
            true => usize::from(is_said_of_it(question, start..end)),
            false if is_be => predicates(words, start..end),
            false => 0,
        };
        start..end - said
    };
    let is_attribute = is(found.end.saturating_sub(1), ATTRIBUTES);
    if is_attribute && is(found.end, "for of für von zur zum") && found.end + 1 < words.len() {
        // `the deadline for changing my adviser`
        let is_done = words.get(found.end + 1).is_some_and(|it| it.lower.ends_with("ing"));
        let start = found.end + 1 + usize::from(is_done && is(found.end + 2, DETERMINERS));
        found = start..end_of_name(words, start);
    }
    let named = words.get(found.clone())?;
    let says = |word: &Word| !word.is_one_of(ARTICLES) && !word.is_one_of(SUBJECTS);
    let is_plain = |word: &Word| !word.is_one_of(NO_NAMES) || question.is_acronym(word);
    let is_name = named.iter().any(says) && named.iter().all(is_plain);
    // A longer name has swallowed a clause that the rules did not see.
    (is_name && (1..=5).contains(&named.len())).then_some(found)
}

/// The topic with what it is for or of: `Are there flats for couples in town?` is about `flats for couples`.
pub(super) fn whole_topic(question: &Question<'_>) -> Option<Range<usize>> {
    let words = &question.words;
    let core = topic(question)?;
    let is = |at: usize, list: &str| words.get(at).is_some_and(|it| it.is_one_of(list));
    let verb = verb(question)?;
    let exists = is(verb + 1, "there");
    // `What share does the log of farm work make up?`: a verb ends the question.
    let is_open = is(verb + 1, SUBJECTS) || verb > 0 && is(verb, "is are was were");
    let end = end_of_name(words, core.end + 1);
    let is_plain = |word: &Word| !word.is_one_of(NO_NAMES);
    let goes_on =
        (exists && is(core.end, "for") || is_open && is(core.end, "of")) && end - core.start <= 7;
    let behind = words.get(core.end..end).filter(|behind| behind.len() > 1);
    let is_whole = goes_on && behind.is_some_and(|behind| behind.iter().all(is_plain));
    Some(if is_whole { core.start..end } else { core })
}

/// Returns where the name that begins at a word ends: in front of a preposition, a clause or the article of
/// something else.
fn end_of_name(words: &[Word], start: usize) -> usize {
    let ends = |(at, word): (usize, &Word)| {
        let is_other = at > 0 && (word.is_one_of(ENDS) || word.is_one_of("the a an"));
        is_other || word.is_one_of(PREPOSITIONS)
    };
    let mut rest = words.iter().skip(start).enumerate();
    rest.position(ends).map_or(words.len(), |at| start + at)
}

/// Returns where the words behind a verb begin: `still have to apply for` is passed over. `start` is behind
/// the subject.
fn behind_verb(words: &[Word], mut start: usize, takes_verb: bool) -> usize {
    let is = |at: usize, list: &str| words.get(at).is_some_and(|it| it.is_one_of(list));
    while is(start, ADVERBS) {
        start += 1;
    }
    let leads_on = is(start, LEADS_TO) && is(start + 1, "to");
    start += if leads_on { 3 } else { usize::from(takes_verb) };
    start + usize::from(is(start, PREPOSITIONS) || is(start, "up out off back over"))
}

/// Returns `true` if the last of some words says something of the others, and is not part of their name.
fn is_said_of_it(question: &Question<'_>, range: Range<usize>) -> bool {
    let (words, end) = (&question.words, range.end);
    let Some([front @ .., last]) = words.get(range) else { return false };
    // The verb stands at the end, or what is left would be no name.
    let behind = words.get(end..).unwrap_or_default();
    let is_late = |word: &Word| word.is_one_of(LATE_VERBS);
    let names = front.iter().any(|word| !word.is_one_of(DETERMINERS));
    let is_bound = behind.last().is_some_and(is_late) || !names && behind.iter().any(is_late);
    let may_be_verb = question.is_german() || !question.is_capital(last);
    !front.is_empty() && !is_bound && may_be_verb
}

/// Counts the words at the end of a name that say something of it: `When is tuition due`,
/// `When are the results published`.
fn predicates(words: &[Word], range: Range<usize>) -> usize {
    let named = words.get(range).unwrap_or_default();
    let is_said = |word: &&Word| {
        word.is_one_of(PREDICATES) || word.lower.len() > 4 && word.lower.ends_with("ed")
    };
    let count = named.iter().rev().take_while(is_said).count();
    count.min(named.len().saturating_sub(1))
}

/// A word without what is drawn together with it: `when` of `when's`, `is` of `isn't`.
pub(super) fn base(word: &Word) -> &str {
    let lower = word.lower.as_str();
    match lower {
        "can't" | "cannot" => "can",
        "won't" => "will",
        _ => lower.strip_suffix("n't").or_else(|| Some(lower.split_once('\'')?.0)).unwrap_or(lower),
    }
}

/// Words that no name for a thing holds: where one is found, the rules have read the question wrongly.
const NO_NAMES: &str = "i you we us me two it they there this that have has had been be being is are was were do does did can \
    may must not if when what which who how where why and or passed ich du wir es sie man wenn was wie wo wer und \
    oder nicht habe hat sein";

/// A phrase that begins with a preposition, in words of its question.
pub(super) struct Phrase {
    pub(super) preposition: usize,
    pub(super) end: usize,
}

/// The phrases of a question that begin with a preposition, in its order; not one that the question begins with.
pub(super) fn phrases(words: &[Word]) -> Vec<Phrase> {
    let is_preposition = |(_, word): &(usize, &Word)| word.is_one_of(PREPOSITIONS);
    let starts: Vec<usize> =
        words.iter().enumerate().skip(1).filter(is_preposition).map(|(at, _)| at).collect();
    let ends = starts.iter().skip(1).copied().chain([words.len()]);
    let phrase = |(start, end): (&usize, usize)| Phrase { preposition: *start, end };
    starts.iter().zip(ends).map(phrase).filter(|it| it.end > it.preposition + 1).collect()
}

/// The kind of thing that a phrase names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    /// People: whom something is for.
    People,
    /// A time of the year or the week.
    Time,
    /// Anything else.
    Thing,
}

/// Returns the kind of thing that some words name.
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
    let has = |list: &str| words.iter().any(|word| word.is_one_of(list));
    match (has(PEOPLE), has(TIMES)) {
        (true, _) => Class::People,
        (false, true) => Class::Time,
        (false, false) => Class::Thing,
    }
}

/// Returns `true` if a word is a course's code.
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
    "bachelors masters",
    "undergraduate undergraduates postgraduate postgraduates graduate graduates",
    "first second third fourth final",
    "first-year second-year third-year fourth-year final-year",
    "home domestic international overseas",
    "written oral",
    "schriftliche mündliche schriftlichen mündlichen",
    "morning afternoon evening",
    "today tomorrow",
    "single double",
    "english german french spanish italian portuguese dutch polish russian chinese japanese arabic",
    "monday tuesday wednesday thursday friday saturday sunday weekdays weekends",
    "mondays tuesdays wednesdays thursdays fridays saturdays sundays",
    "january february march april may june july august september october november december",
    "department's faculty's university's",
    "department faculty university",
    "2024 2025 2026 2027 2028 2029 2030",
    "wintersemester sommersemester",
    "montag dienstag mittwoch donnerstag freitag samstag sonntag",
    "montags dienstags mittwochs donnerstags freitags samstags sonntags",
    "bachelorarbeit masterarbeit doktorarbeit",
];

/// Returns `true` if two words are of one kind and not the same.
pub(super) fn is_alternative(left: &Word, right: &Word) -> bool {
    let are_codes = is_code(left) && is_code(right);
    let is_kind = |row: &&str| left.is_one_of(row) && right.is_one_of(row);
    left.lower != right.lower && (are_codes || KINDS.iter().any(is_kind))
}
