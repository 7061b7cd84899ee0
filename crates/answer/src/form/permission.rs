//! A sentence that plainly permits, forbids or obliges, with its condition.

use campanile_text::{Analyzer, Span, sentences};

use super::{Form, FormKind, FormPart, Quoted, common, terms};
use crate::words::{Word, find, has_one_of, is_negated, is_one_of, words};

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
pub(super) fn form(question: &str, quoted: &Quoted<'_>, analyzer: &Analyzer) -> Option<Form> {
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
    let modals = || said.iter().enumerate().filter(|(_, word)| is_one_of(&word.lower, MODALS));
    let modal = modals().next().map_or(said.len(), |(place, _)| place);
    let before = said.get(..modal).unwrap_or_default();
    if modals().count() > 1 || before.iter().any(|word| is_one_of(&word.lower, RELATIVES)) {
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
        while let Some(found) = find(said.get(from..).unwrap_or_default(), phrase) {
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
    let heading = quoted.source.section.last().map_or("", String::as_str);
    let heading = terms(&format!("{} {heading}", quoted.source.title), analyzer);
    let own = common(&asked, &said);
    let held = asked.iter().filter(|it| said.contains(it) || heading.contains(it)).count();
    own >= LEAST_COMMON.min(asked.len().saturating_sub(1)).max(1) && 2 * held >= asked.len()
}

/// Words that make a condition one that does not matter: `even if it rains`.
const REGARDLESS: &str = "even auch selbst sogar";

/// From the word that a condition begins with to the end of its clause, in bytes of the sentence; none of one that does
/// not matter.
pub(super) fn condition(sentence: &str, said: &[Word]) -> Option<Span> {
    let first = (0..said.len()).find(|&start| {
        let here = said.get(start..).unwrap_or_default();
        let before = start.checked_sub(1).and_then(|before| said.get(before));
        !before.is_some_and(|word| is_one_of(&word.lower, REGARDLESS))
            && CONDITIONS.split('|').any(|phrase| find(here, &format!("^{phrase}")).is_some())
    })?;
    let start = said.get(first)?.span.start as usize;
    let rest = sentence.get(start..)?;
    // `only if it rains, and …`, `If it rains, …`: a clause ends at a comma, with `only` at the sentence's end.
    let is_clause = said.get(first).is_some_and(|word| !is_one_of(&word.lower, "only nur"));
    let end = rest.find([',', ';']).filter(|_| is_clause).unwrap_or(rest.len());
    let clause = rest.get(..end)?.trim_end_matches(['.', '!', ' ']);
    Some(Span::from_range(start..start + clause.len()))
}
