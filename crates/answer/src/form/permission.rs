//! Yes, no, or that it depends: as a reader tells it, or by a sentence that plainly permits, forbids or obliges.

use campanile_model::AnswerKinds;
use campanile_text::{Analyzer, Span, sentences};

use super::{Form, FormKind, FormPart, Quoted, common};
use crate::reading::PassageReading;
use crate::reply::Answer;
use crate::words::{Word, find, has_one_of, is_negated, terms, words};

/// Questions for a permission: bound to the beginning, or in any place.
const ASKS_LEAVE: &str = "^may|^can|^could|^am i allowed|^is it allowed|^is it possible|^are we allowed|^darf|\
    ^dürfen|^kann|^können|allowed|permitted|possible|accepted|erlaubt|möglich|gestattet|zulässig|akzeptiert";
/// Questions for an obligation.
const ASKS_DUTY: &str = "^must|^do i have to|^do we have to|^do students have to|^do i need to|^am i required|\
    ^does one have to|^have i to|^muss|^müssen|required|compulsory|mandatory|obligatory|pflicht|verpflichtend|\
    erforderlich|notwendig|nötig";

const PERMITS: &str = "may|can|is allowed|are allowed|is permitted|are permitted|is possible|are possible|\
    is accepted|are accepted|is entitled|are entitled|darf|dürfen|kann|können|ist erlaubt|sind erlaubt|\
    ist möglich|sind möglich|ist zulässig|sind zulässig|ist gestattet|sind gestattet|erlaubt ist";
const FORBIDS: &str = "may not|must not|cannot|can't|can not|is not allowed|are not allowed|not permitted|\
    is not possible|are not possible|not accepted|is forbidden|are forbidden|is prohibited|are prohibited|\
    not entitled|nobody may|nothing is accepted|\
    nicht erlaubt|nicht gestattet|nicht zulässig|nicht möglich|ist verboten|sind verboten|ist untersagt|\
    ist ausgeschlossen|darf nicht|dürfen nicht|kann nicht|können nicht|darf .. nicht|dürfen .. nicht|\
    kann .. nicht|können .. nicht|darf kein|dürfen keine|darf keine";
const OBLIGES: &str = "must|has to|have to|is required|are required|is compulsory|are compulsory|is mandatory|\
    are mandatory|is obligatory|needs to|need to|muss|müssen|ist pflicht|ist verpflichtend|ist erforderlich|\
    sind erforderlich|ist notwendig";
const RELIEVES: &str = "need not|needn't|do not have to|does not have to|don't have to|doesn't have to|\
    not required|not compulsory|not mandatory|no need to|is voluntary|are voluntary|is optional|are optional|\
    muss nicht|müssen nicht|muss .. nicht|müssen .. nicht|nicht erforderlich|nicht verpflichtend|\
    ist freiwillig|keine pflicht|nicht notwendig|braucht nicht|brauchen nicht";

/// Words that a condition begins with.
const CONDITIONS: &str = "if|only|unless|provided|except|as long as|so long as|subject to|wenn|sofern|falls|nur|\
    außer|es sei denn|solange|vorausgesetzt";
/// Verbs that permit, forbid or oblige: where two of them stand in a sentence, rules can't tell which one is meant.
const MODALS: &str =
    "may can cannot can't could must should shall darf dürfen kann können muss müssen soll sollen";
/// Words in front of a verb that speaks of some, not of what is asked: `whoever cannot pay`.
const RELATIVES: &str = "who whoever whom which that whether wer ob";
/// Words of a question that say nothing of what it is about.
const FRAME: &str = "may can could must should allowed permitted possible accepted required compulsory mandatory \
    obligatory have need use get do still without student students darf dürfen kann können muss müssen erlaubt \
    möglich gestattet zulässig pflicht verpflichtend erforderlich";
/// So many of the words that say what a question is about have to stand in the sentence, all but one where there are
/// fewer, and half of them in it or its headings.
const LEAST_COMMON: usize = 2;

/// The sentence with what it means for the question, and its condition behind it.
///
/// What a sentence means is said only where it uses one of the plain words for it, once, and is about what the
/// question is about.
pub(super) fn by_rules(question: &str, quoted: &Quoted<'_>, analyzer: &Analyzer) -> Option<Form> {
    let asked = words(question);
    let first = *sentences(quoted.words()).first()?;
    let sentence = first.slice(quoted.words())?;
    let said = words(sentence);
    if is_negated(&asked)
        || sentence.ends_with('?')
        || !is_about(question, sentence, quoted, analyzer)
    {
        return None;
    }
    let (yes, no) = match (has_one_of(&asked, ASKS_LEAVE), has_one_of(&asked, ASKS_DUTY)) {
        (true, false) => (PERMITS, FORBIDS),
        (false, true) => (OBLIGES, RELIEVES),
        _ => return None,
    };
    let is_yes = match places(&said, no).as_slice() {
        [] if !is_negated(&said) => match places(&said, yes).as_slice() {
            [_] => true,
            _ => return None,
        },
        // What permits stands in what forbids (`may not`), once.
        [_, ..] if places(&said, yes).len() <= 1 => false,
        _ => return None,
    };
    let modals = || said.iter().enumerate().filter(|(_, word)| word.is_one_of(MODALS));
    let modal = modals().next().map_or(said.len(), |(place, _)| place);
    if modals().count() > 1 || said[..modal].iter().any(|word| word.is_one_of(RELATIVES)) {
        return None;
    }
    let condition = condition(sentence, &said);
    let value = match (&condition, is_yes) {
        (Some(_), _) => "conditional",
        (None, true) => "yes",
        (None, false) => "no",
    };
    let mut parts = vec![FormPart { value: Some(value.to_owned()), ..quoted.part(first) }];
    parts.extend(condition.map(|span| quoted.part(span.shifted(first.start))));
    Some(Form { kind: FormKind::Permission, parts })
}

/// The places of phrases in a sentence; one inside of another counts once.
fn places(said: &[Word], phrases: &str) -> Vec<usize> {
    let mut places: Vec<usize> = Vec::new();
    for phrase in phrases.split('|') {
        let mut from = 0;
        while let Some(found) = find(&said[from..], phrase) {
            let start = from + found.start;
            from = start + 1;
            if !places.contains(&start) {
                places.push(start);
            }
        }
    }
    places
}

fn is_about(question: &str, sentence: &str, quoted: &Quoted<'_>, analyzer: &Analyzer) -> bool {
    let frame = terms(FRAME, analyzer);
    let mut asked = terms(question, analyzer);
    asked.retain(|term| !frame.contains(term));
    let said = terms(sentence, analyzer);
    let heading = format!("{} {}", quoted.source.title, quoted.source.heading());
    let heading = terms(&heading, analyzer);
    let own = common(&asked, &said);
    let held = asked.iter().filter(|it| said.contains(it) || heading.contains(it)).count();
    own >= LEAST_COMMON.min(asked.len().saturating_sub(1)).max(1) && 2 * held >= asked.len()
}

/// Words that make a condition one that does not matter: `even if it rains`.
const REGARDLESS: &str = "even auch selbst sogar";

/// Finds a condition, from the word that it begins with to the end of its clause, in bytes of the sentence; none that
/// does not matter.
fn condition(sentence: &str, said: &[Word]) -> Option<Span> {
    let first = (0..said.len()).find(|&start| {
        let is_regardless = start > 0 && said[start - 1].is_one_of(REGARDLESS);
        let begins = |phrase| find(&said[start..], &format!("^{phrase}")).is_some();
        !is_regardless && CONDITIONS.split('|').any(begins)
    })?;
    let start = said[first].span.start as usize;
    let rest = &sentence[start..];
    // `only if it rains, and …`, `If it rains, …`: a clause ends at a comma, with `only` at the sentence's end.
    let is_clause = !said[first].is_one_of("only nur");
    let end = rest.find([',', ';']).filter(|_| is_clause).unwrap_or(rest.len());
    let clause = rest[..end].trim_end_matches(['.', '!', ' ']);
    Some(Span::from_range(start..start + clause.len()))
}

/// A verdict that is less probable than this is not given. On the yes-or-no questions for choosing it speaks on two
/// thirds from here on (`training/cards/reader.md`).
const SURE_FROM: f32 = 0.7;

/// Words with which a sentence that says no begins an exception.
const EXCEPTIONS: [&str; 7] =
    ["unless", "except", "only if", "provided", "außer", "es sei denn", "vorausgesetzt"];

/// The verdict with the sentences that it rests on, and the condition that one of them states.
///
/// A reader is not taken at its word for a yes where a sentence states a condition, nor for a no where one states an
/// exception: one that says `only if` is never yes, one that says `unless` never no.
pub(super) fn by_reader(
    quoted: &Quoted<'_>,
    answer: &Answer,
    reading: &PassageReading,
) -> Option<Form> {
    let AnswerKinds { yes, no, depends, .. } = reading.kinds?;
    let (value, probability) = [("yes", yes), ("no", no), ("conditional", depends)]
        .into_iter()
        .max_by(|left, right| left.1.total_cmp(&right.1))?;
    if probability < SURE_FROM {
        return None;
    }
    let text = quoted.source.text.as_str();
    let grounds: Vec<Span> = match answer.marks.as_slice() {
        [] => sentences(quoted.words())
            .into_iter()
            .map(|span| span.shifted(quoted.sentence.start))
            .collect(),
        marks => marks.to_vec(),
    };
    let conditions = grounds.iter().find_map(|ground| {
        let sentence = ground.slice(text)?;
        Some(condition(sentence, &words(sentence))?.shifted(ground.start))
    });
    let stated = conditions.and_then(|span: Span| span.slice(text)).unwrap_or_default();
    let stated = stated.to_lowercase();
    let is_exception = EXCEPTIONS.iter().any(|phrase| stated.starts_with(phrase));
    let value = match value {
        "yes" if conditions.is_some() => "conditional",
        "no" if is_exception => "conditional",
        value => value,
    };
    let part = |span| FormPart::new(quoted.source.number, span);
    let first = *grounds.first()?;
    let mut parts = vec![FormPart { value: Some(value.to_owned()), ..part(first) }];
    parts.extend(conditions.map(part));
    Some(Form { kind: FormKind::Permission, parts })
}
