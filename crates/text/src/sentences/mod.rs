//! Sentences: the places where one ends and the next begins, and the words that a full stop belongs to.

#[cfg(test)]
mod tests;

use campanile_language::sentences;

use crate::Span;

/// The sentences of a text, in order, trimmed of white space.
///
/// A line break always ends a sentence: a document's text holds one block (paragraph, list item,
/// table row) to a line, never a paragraph wrapped over several. Within a line a sentence ends at
/// `.`, `!`, `?`, `…` or their East Asian forms where a new sentence can begin behind it: not after
/// an abbreviation (`Dr.`, `e.g.`, `Sect. 5`), an initial, a list number, nor within a decimal
/// number, an address or a file name. Where both readings are possible the sentences stay joined:
/// half a sentence misleads a reader more than two do.
///
/// Every character that is not white space lies in exactly one sentence.
///
/// ```
/// use campanile_text::sentences;
///
/// let text = "Ask Dr. Li by 5 p.m. today. The fee is 3.50 Euro.\nBring your card";
/// let found: Vec<_> = sentences(text).into_iter().filter_map(|span| span.slice(text)).collect();
/// assert_eq!(
///     found,
///     ["Ask Dr. Li by 5 p.m. today.", "The fee is 3.50 Euro.", "Bring your card"]
/// );
/// ```
pub fn sentences(text: &str) -> Vec<Span> {
    let mut spans = Vec::new();
    let mut start = 0;
    // Line by line, so that a heading without a full stop never runs into what it heads.
    for line in text.split_inclusive(is_line_break) {
        split_line(line, start, &mut spans);
        start += line.len();
    }
    spans
}

fn is_line_break(character: char) -> bool {
    matches!(character, '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// Adds the sentences of one line, which begins at byte `offset` of the whole text.
fn split_line(line: &str, offset: usize, spans: &mut Vec<Span>) {
    let mut start = 0;
    let mut characters = line.char_indices().peekable();
    while let Some((position, character)) = characters.next() {
        if !is_terminator(character) {
            continue;
        }
        // A run such as `?!` or `...` is one end.
        let mut last = character;
        while let Some(&(_, next)) = characters.peek() {
            if !is_terminator(next) {
                break;
            }
            last = next;
            characters.next();
        }
        let run_end = characters.peek().map_or(line.len(), |&(next, _)| next);
        let end = run_end + closers(&line[run_end..]);
        if ends_here(line, start, position, run_end, end, last) {
            push_trimmed(line, start, end, offset, spans);
            start = end;
            while characters.next_if(|&(next, _)| next < end).is_some() {}
        }
    }
    push_trimmed(line, start, line.len(), offset, spans);
}

fn push_trimmed(line: &str, start: usize, end: usize, offset: usize, spans: &mut Vec<Span>) {
    let piece = &line[start..end];
    let leading = piece.len() - piece.trim_start().len();
    let trimmed = piece.trim();
    if !trimmed.is_empty() {
        let begin = offset + start + leading;
        spans.push(Span::from_range(begin..begin + trimmed.len()));
    }
}

fn is_terminator(character: char) -> bool {
    matches!(character, '.' | '!' | '?' | '…') || is_wide_terminator(character)
}

/// East Asian full stops are followed by no space.
fn is_wide_terminator(character: char) -> bool {
    matches!(character, '。' | '！' | '？' | '．')
}

/// Counts the bytes of closing quotes, brackets and reference marks such as `[3]` that follow an end.
fn closers(rest: &str) -> usize {
    let mut length = 0;
    loop {
        let tail = &rest[length..];
        let step = match tail.chars().next() {
            Some(character) if is_closer(character) => character.len_utf8(),
            Some('[') => reference_mark(tail),
            _ => 0,
        };
        if step == 0 {
            return length;
        }
        length += step;
    }
}

fn is_closer(character: char) -> bool {
    matches!(
        character,
        '"' | '\'' | '”' | '’' | '“' | '»' | '«' | '›' | ')' | ']' | '}' | '」' | '』' | '）'
    )
}

/// The length of `[12]` at the start of `tail`, or 0.
fn reference_mark(tail: &str) -> usize {
    let digits = tail.bytes().skip(1).take_while(u8::is_ascii_digit).take(4).count();
    if digits > 0 && tail.as_bytes().get(digits + 1) == Some(&b']') { digits + 2 } else { 0 }
}

/// Returns `true` if the terminators at `run_start..run_end`, closed at `end`, end the sentence that began
/// at `start`.
fn ends_here(
    line: &str,
    start: usize,
    run_start: usize,
    run_end: usize,
    end: usize,
    last: char,
) -> bool {
    let rest = &line[end..];
    let following = rest.trim_start();
    if following.is_empty() {
        return true;
    }
    if is_wide_terminator(last) {
        return true;
    }
    if following.len() == rest.len() {
        return false; // No space behind it: a decimal, an address, a file name.
    }
    if !starts_like_a_sentence(following) {
        return false;
    }
    let run = &line[run_start..run_end];
    // `!`, `?` and `…` end no abbreviation.
    if run != "." {
        return true;
    }
    let before = &line[start..run_start];
    let word = last_word(before);
    let is_first = before.trim_start().len() == word.len();
    if is_letter(word) {
        // `z. B.` and `i. d. R.` are set with a space after each letter; initials are too.
        if begins_with_dotted_letter(following) {
            return false;
        }
        if let Some(joined) = spaced_letters(before) {
            return !is_open(or_initial(classify(&joined)), following, false);
        }
    }
    !is_open(classify(word), following, is_first)
}

/// A sentence begins with anything but a lower-case letter or a mark that goes on.
fn starts_like_a_sentence(following: &str) -> bool {
    match following.chars().next() {
        Some(character) => {
            !character.is_lowercase() && !matches!(character, ',' | ';' | ':' | '–' | '—' | ')')
        }
        None => true,
    }
}

/// The piece between the last white space (or opening bracket) and the full stop.
fn last_word(before: &str) -> &str {
    before
        .rsplit(|character: char| {
            character.is_whitespace() || matches!(character, '(' | '[' | '"' | '“' | '„' | '/')
        })
        .next()
        .unwrap_or_default()
}

/// One letter, in either case.
fn is_letter(word: &str) -> bool {
    let mut characters = word.chars();
    characters.next().is_some_and(char::is_alphabetic) && characters.next().is_none()
}

/// `B. eines`
fn begins_with_dotted_letter(following: &str) -> bool {
    let mut characters = following.chars();
    characters.next().is_some_and(char::is_alphabetic) && characters.next() == Some('.')
}

/// The letters before a full stop as an abbreviation without spaces: `i.d.R` of `in i. d. R`. `None` for one alone.
fn spaced_letters(before: &str) -> Option<String> {
    let mut letters: Vec<&str> = Vec::new();
    for piece in before.rsplit(char::is_whitespace).take(MOST_LETTERS) {
        let letter = if letters.is_empty() { Some(piece) } else { piece.strip_suffix('.') };
        match letter.map(last_word).filter(|letter| is_letter(letter)) {
            Some(letter) => letters.push(letter),
            None => break,
        }
    }
    letters.reverse();
    (letters.len() > 1).then(|| letters.join("."))
}

/// Longer rows of letters are no abbreviation.
const MOST_LETTERS: usize = 6;

/// Letters with a space after each that no list knows are initials.
fn or_initial(class: Abbreviation) -> Abbreviation {
    if class == Abbreviation::None { Abbreviation::Initial } else { class }
}

/// Returns `true` if a full stop behind a word of this class leaves the sentence open.
fn is_open(class: Abbreviation, following: &str, is_first: bool) -> bool {
    let next = following
        .split(|character: char| character.is_whitespace())
        .next()
        .unwrap_or_default()
        .trim_matches(|character: char| !character.is_alphanumeric());
    match class {
        Abbreviation::None => false,
        Abbreviation::Always => true,
        Abbreviation::BeforeNumber => is_number_like(following),
        Abbreviation::Time => continues_after(next),
        Abbreviation::Initial => !starts_sentence(next),
        Abbreviation::MayEnd => !following.starts_with(char::is_uppercase),
        Abbreviation::Number => is_first || continues_after(next),
    }
}

/// Returns `true` if the text goes on with a number: `5`, `#5`, `§ 5`, `IV`, `B`.
fn is_number_like(following: &str) -> bool {
    let first = following
        .split(char::is_whitespace)
        .next()
        .unwrap_or_default()
        .trim_end_matches(|character: char| !character.is_alphanumeric());
    let roman = !first.is_empty() && first.chars().all(|character| "IVXLC".contains(character));
    let letter = first.len() == 1 && first.chars().all(char::is_uppercase);
    first.starts_with(|character: char| {
        character.is_ascii_digit() || matches!(character, '#' | '§' | '(')
    }) || roman
        || letter
}

/// The kinds of words before a full stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Abbreviation {
    /// An ordinary word.
    None,
    /// Always followed by what it belongs to: `Dr.`, `e.g.`.
    Always,
    /// An abbreviation only when a number follows: `No. 5`, `Sect. 2`.
    BeforeNumber,
    /// `a.m.` and `p.m.`: the sentence goes on with a day, a month or a time zone.
    Time,
    /// Initials, dotted letters, parts of names: `J. Smith`, `U.S. Code`, `St. Andrews`.
    Initial,
    /// May stand at the end of a sentence: `etc.`, `et al.`.
    MayEnd,
    /// A number: a list's `1.` or the day in `3. Mai`.
    Number,
}

/// Classes the word that stands before a full stop, without that stop.
fn classify(word: &str) -> Abbreviation {
    let lower = word.to_lowercase();
    let lower = lower.as_str();
    if sentences::CLOCK.contains(lower) {
        Abbreviation::Time
    } else if sentences::ABBREVIATIONS.contains(lower) {
        Abbreviation::Always
    } else if sentences::BEFORE_NUMBERS.contains(lower) {
        Abbreviation::BeforeNumber
    } else if sentences::MAY_END.contains(lower) {
        Abbreviation::MayEnd
    } else if is_initial(word) || sentences::NAME_PARTS.contains(lower) {
        Abbreviation::Initial
    // Days and list numbers; four digits are a year, which does end sentences.
    } else if !word.is_empty() && word.len() <= 3 && word.bytes().all(|b| b.is_ascii_digit()) {
        Abbreviation::Number
    } else {
        Abbreviation::None
    }
}

/// `J`, `U.S`, `Ph.D`, `B.Sc`: dotted pieces of at most three letters, or one capital.
fn is_initial(word: &str) -> bool {
    let pieces = word.split('.').filter(|piece| !piece.is_empty());
    let short = |piece: &str| {
        piece.chars().count() <= 3
            && piece.chars().all(char::is_alphabetic)
            && piece.starts_with(char::is_uppercase)
    };
    match pieces.clone().count() {
        0 => false,
        1 => word.chars().count() == 1 && word.chars().all(char::is_uppercase),
        _ => pieces.clone().all(short),
    }
}

/// Returns `true` if `next` is a day, a month or a time zone.
fn continues_after(next: &str) -> bool {
    sentences::BEHIND_NUMBERS.contains(&next.to_lowercase())
}

/// Returns `true` if `next`, capitalised, begins a sentence.
fn starts_sentence(next: &str) -> bool {
    sentences::STARTERS.contains(&next.to_lowercase())
}
