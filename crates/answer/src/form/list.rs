//! Finds what stands in a passage one below the other: steps, items, a column of a table.

use campanile_language::answers;
use campanile_text::{Analyzer, Span, enumerator, sentences};

use super::{Form, FormKind, FormPart, Quoted, common};
use crate::answerer::READ_PASSAGES;
use crate::reply::Source;
use crate::table::{Cell, cells, lines};
use crate::words::{Word, has_one_of, terms, words};

/// Finds what to do, in its order: a list, or sentences that tell it, in the passage that answers; else a
/// list under a heading of the same document that names what is asked.
pub(super) fn steps(
    question: &str,
    quoted: &Quoted<'_>,
    sources: &[Source],
    analyzer: &Analyzer,
) -> Option<Form> {
    let asked = terms(question, analyzer);
    let own = listed_steps(quoted.source, Some(quoted.sentence))
        .or_else(|| told_steps(&quoted.source.text, quoted.sentence).map(unnumbered))
        .map(|items| (quoted.source, items));
    let (source, items) = own.or_else(|| {
        let others = sources.iter().take(READ_PASSAGES).filter(|source| {
            source.document == quoted.source.document
                && source.number != quoted.source.number
                && common(&terms(source.heading(), analyzer), &asked) > 0
        });
        others.filter_map(|source| Some((source, listed_steps(source, None)?))).next()
    })?;
    made(FormKind::Steps, source, items)
}

/// All of several things: the list that the answer stands in or leads to, a column of its table, what the words that
/// a reader found enumerate; else the column with the name that is asked for, in another passage of the document.
pub(super) fn items(
    question: &str,
    quoted: &Quoted<'_>,
    sources: &[Source],
    analyzer: &Analyzer,
) -> Option<Form> {
    let asked = terms(question, analyzer);
    let text = &quoted.source.text;
    let in_row = || {
        // Words of one cell answer by themselves.
        let is_whole = quoted.exact.is_none_or(|exact| exact == quoted.sentence);
        column(text, Some(quoted.sentence).filter(|_| is_whole)?, &asked, analyzer)
    };
    let own = listed(quoted.source, quoted.sentence, &asked, analyzer)
        .or_else(|| in_row().or_else(|| enumerated(text, quoted.exact?)).map(unnumbered))
        .map(|items| (quoted.source, items));
    let (source, items) = own.or_else(|| {
        let others = sources.iter().take(READ_PASSAGES).filter(|source| {
            let is_row = cells(quoted.words()).is_some();
            !is_row && source.document == quoted.source.document
        });
        others
            .filter_map(|source| Some((source, named_column(&source.text, &asked, analyzer)?)))
            .map(|(source, spans)| (source, unnumbered(spans)))
            .next()
    })?;
    made(FormKind::List, source, items)
}

fn made(kind: FormKind, source: &Source, items: Vec<Item>) -> Option<Form> {
    let part = |item: Item| {
        let number = item.number.and_then(|number| number.slice(&source.text));
        let name = number.map(str::to_owned);
        FormPart { name, ..FormPart::new(source.number, item.words) }
    };
    let parts: Vec<FormPart> = items.into_iter().map(part).collect();
    // One thing alone is the sentence, which says it better.
    (parts.len() >= 2).then_some(Form { kind, parts })
}

/// The lines of a text that stand right below each other, two at least. A document's text has one block to a line,
/// and an empty line around everything but the items of a list and the rows of a table.
fn runs(text: &str) -> Vec<Vec<Span>> {
    let mut runs: Vec<Vec<Span>> = vec![Vec::new()];
    for line in lines(text) {
        let own = text[line.range()].trim_start();
        match runs.last_mut() {
            Some(run) if !own.is_empty() => {
                run.push(Span::new(line.end - own.len() as u32, line.end));
            }
            _ => runs.push(Vec::new()),
        }
    }
    runs.retain(|run| run.len() >= 2);
    runs
}

fn is_rows(text: &str, run: &[Span]) -> bool {
    run.iter().any(|line| line.slice(text).is_some_and(|line| cells(line).is_some()))
}

/// An item of a list.
pub(crate) struct Item {
    /// The number that its document shows in front of it: `4.`, `(a)`.
    number: Option<Span>,
    /// Its words, without that number or a sign.
    pub(crate) words: Span,
}

impl Item {
    fn of(text: &str, line: Span) -> Self {
        let whole = Self { number: None, words: line };
        let item = &text[line.range()];
        let rest = item.trim_start_matches(['-', '•', '*', '–', '▪', '◦', '·']);
        let mark = if rest.len() == item.len() {
            item.split(' ').next().filter(|word| enumerator(word).is_some()).map_or(0, str::len)
        } else {
            item.len() - rest.len()
        };
        let rest = &item[mark..];
        // Only a mark that stands apart is one: `-5 degrees`, `a.m.`
        if mark == 0 || !rest.starts_with(' ') || rest.trim_start().is_empty() {
            return whole;
        }
        let words = Span::new(line.end - rest.trim_start().len() as u32, line.end);
        let number = Span::new(line.start, line.start + mark as u32);
        let is_number = item.starts_with(|sign: char| sign.is_ascii_alphanumeric() || sign == '(');
        Self { number: Some(number).filter(|_| is_number), words }
    }
}

fn items_of(text: &str, lines: &[Span]) -> Vec<Item> {
    lines.iter().map(|line| Item::of(text, *line)).collect()
}

/// Things that the source does not count.
fn unnumbered(spans: Vec<Span>) -> Vec<Item> {
    spans.into_iter().map(|words| Item { number: None, words }).collect()
}

/// The items of a list that tell what to do: of the one in which a sentence stands, else of the only one.
pub(crate) fn listed_steps(source: &Source, sentence: Option<Span>) -> Option<Vec<Item>> {
    let text = &source.text;
    let is_headed = has_one_of(&words(source.heading()), answers::PROCEDURE_HEADINGS);
    let told = |run: &[Span]| {
        run.iter()
            .filter(|line| is_imperative(&step_words(text, Item::of(text, **line).words)))
            .count()
    };
    let fits = |run: &Vec<Span>| {
        // Half of the lines: steps have remarks among them, and a list of things has an imperative now and then.
        !is_rows(text, run) && (2 * told(run) >= run.len() || is_headed && told(run) > 0)
    };
    let runs: Vec<Vec<Span>> = runs(text).into_iter().filter(fits).collect();
    let near = |run: &&Vec<Span>| {
        sentence.is_some_and(|sentence| run.iter().any(|line| line.overlaps(sentence)))
    };
    let run = runs.iter().find(near).or(match runs.as_slice() {
        [only] => Some(only),
        _ => None,
    })?;
    Some(items_of(text, run))
}

/// Sentences of a paragraph that tell what to do one after the other: those around the one that answers, or right
/// behind it.
fn told_steps(text: &str, sentence: Span) -> Option<Vec<Span>> {
    let of = |run: &[Span], is: fn(&[Word]) -> bool| {
        run.iter().filter(|step| is(&step_words(text, **step))).count()
    };
    // `First …, then …` tells a story as well: without any imperative, three sentences have to say so.
    let tells =
        |run: &[Span]| run.len() >= 2 && (of(run, is_imperative) >= 1 || of(run, is_step) >= 3);
    let mut run: Vec<Span> = Vec::new();
    let mut is_near = false;
    let mut end = 0;
    for span in sentences(text) {
        let is_apart = Span::new(end, span.start).slice(text).is_none_or(|gap| gap.contains('\n'));
        end = span.end;
        let is_step = is_step(&step_words(text, span));
        if is_apart || !is_step {
            if is_near && tells(&run) {
                return Some(run);
            }
            run.clear();
            is_near = false;
        }
        is_near |= span.overlaps(sentence);
        if is_step {
            run.push(span);
        }
    }
    (is_near && tells(&run)).then_some(run)
}

fn step_words(text: &str, span: Span) -> Vec<Word> {
    // `Then please fill in` has its verb among them.
    words(&text[span.range()]).into_iter().take(4).collect()
}

fn is_step(words: &[Word]) -> bool {
    words.first().is_some_and(|word| word.is_one_of(answers::SEQUENCE)) || is_imperative(words)
}

/// `Fill in the form`, `Then send it`, `Füllen Sie …`.
fn is_imperative(words: &[Word]) -> bool {
    let begins = |words: &[Word]| match words {
        [verb, sie, ..] if sie.lower == "sie" => verb.lower.ends_with("en"),
        [verb, ..] => verb.is_one_of(answers::IMPERATIVES),
        [] => false,
    };
    let is_ordered = words.first().is_some_and(|word| word.is_one_of(answers::SEQUENCE));
    begins(words) || is_ordered && begins(&words[1..])
}

/// The list that the answer stands in or leads to; the only one of its passage, where the heading names what is
/// asked.
fn listed(
    source: &Source,
    sentence: Span,
    asked: &[String],
    analyzer: &Analyzer,
) -> Option<Vec<Item>> {
    let text = &source.text;
    let runs: Vec<Vec<Span>> = runs(text).into_iter().filter(|run| !is_rows(text, run)).collect();
    let in_it = |run: &&Vec<Span>| run.iter().any(|line| line.overlaps(sentence));
    let led_to = |run: &&Vec<Span>| {
        let first = run.first().map_or(0, |line| line.start);
        let gap = Span::new(sentence.end, first).slice(text);
        let is_open = sentence.slice(text).is_some_and(|it| !it.ends_with(['.', '!', '?']));
        is_open && sentence.end <= first && gap.is_some_and(|gap| gap.trim().is_empty())
    };
    let headed = || {
        let heading = terms(source.heading(), analyzer);
        match runs.as_slice() {
            [only] if common(&heading, asked) > 0 => Some(only),
            _ => None,
        }
    };
    let run = runs.iter().find(in_it).or_else(|| runs.iter().find(led_to)).or_else(headed)?;
    // A lead-in that is a line of the list's own.
    let is_lead = |line: &Span| line.slice(text).is_some_and(|line| line.ends_with(':'));
    let first = run.iter().take_while(|line| is_lead(line)).count();
    Some(items_of(text, run.get(first..)?))
}

/// A row of a table: its line, the line's place, and its cells.
type Row<'a> = (&'a str, Span, Vec<Cell>);

fn rows<'a>(text: &'a str, run: &[Span]) -> Vec<Row<'a>> {
    let row = |line: &Span| Some((line.slice(text)?, *line, cells(line.slice(text)?)?));
    run.iter().filter_map(row).collect()
}

/// The cells of the column that is asked for, else those that name the rows, of the table in which a line stands;
/// none where one row is meant.
fn column(text: &str, sentence: Span, asked: &[String], analyzer: &Analyzer) -> Option<Vec<Span>> {
    let run = runs(text).into_iter().find(|run| run.iter().any(|it| it.overlaps(sentence)))?;
    let rows = rows(text, &run);
    let (line, _, cells) = rows.iter().find(|(_, place, _)| place.overlaps(sentence))?;
    let first = || cells.iter().find_map(|cell| cell.name)?.slice(line);
    of_column(&rows, asked_name(&rows, asked, analyzer).or_else(first)?, asked, analyzer)
}

/// The cells of a column whose name is asked for.
fn named_column(text: &str, asked: &[String], analyzer: &Analyzer) -> Option<Vec<Span>> {
    runs(text).iter().find_map(|run| {
        let rows = rows(text, run);
        of_column(&rows, asked_name(&rows, asked, analyzer)?, asked, analyzer)
    })
}

/// The name of the first column that is asked for.
fn asked_name<'a>(rows: &[Row<'a>], asked: &[String], analyzer: &Analyzer) -> Option<&'a str> {
    let (line, _, cells) = rows.first()?;
    let mut names = cells.iter().filter_map(|cell| cell.name?.slice(line));
    names.find(|name| common(&terms(name, analyzer), asked) > 0)
}

fn of_column(
    rows: &[Row<'_>],
    name: &str,
    asked: &[String],
    analyzer: &Analyzer,
) -> Option<Vec<Span>> {
    // A cell that holds words of the question singles out rows.
    let singles =
        |line: &str, cell: &Cell| common(&terms(&line[cell.text.range()], analyzer), asked) > 0;
    if rows.iter().any(|(line, _, cells)| cells.iter().any(|cell| singles(line, cell))) {
        return None;
    }
    let cell = |(line, place, cells): &Row<'_>| {
        let named = cells.iter().find(|cell| cell.name.and_then(|it| it.slice(line)) == Some(name));
        Some(named?.text.shifted(place.start))
    };
    Some(rows.iter().filter_map(cell).collect())
}

/// `a form, a transcript and two photographs`: the parts between commas and before the last `and`.
fn enumerated(text: &str, exact: Span) -> Option<Vec<Span>> {
    // A longer part is a clause: `… the form, which the office stamps and sends back`.
    const LONGEST_WORDS: usize = 8;
    let whole = exact.slice(text)?;
    let mut parts = Vec::new();
    let mut start = 0;
    for piece in whole.split(", ") {
        parts.push(Span::from_range(start..start + piece.len()));
        start += piece.len() + 2;
    }
    let last = parts.pop()?;
    let words = last.slice(whole)?;
    let junction = [" and ", " und ", " sowie ", " or ", " oder "]
        .iter()
        .filter_map(|it| words.rfind(it).map(|at| (at, it.len())))
        .max();
    match junction {
        Some((at, length)) => {
            let at = last.start as usize + at;
            parts.push(Span::from_range(last.start as usize..at));
            parts.push(Span::from_range(at + length..last.end as usize));
        }
        None => {
            let bare = ["and ", "und ", "sowie ", "or ", "oder "]
                .iter()
                .find_map(|it| words.starts_with(it).then_some(it.len()))?;
            parts.push(Span::from_range(last.start as usize + bare..last.end as usize));
        }
    }
    let is_item = |part: &Span| {
        let count = whole[part.range()].split_whitespace().count();
        (1..=LONGEST_WORDS).contains(&count)
    };
    let fits = parts.len() >= 2 && parts.iter().all(is_item);
    fits.then(|| parts.into_iter().map(|part| part.shifted(exact.start)).collect())
}
