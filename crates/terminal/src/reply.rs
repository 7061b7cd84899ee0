//! A reply in words: what `campanile ask` prints, and what a person judges.

use std::io::{self, Write};

use campanile_answer::{Answer, AnswerKind, FormKind, FormPart, MissingName, Reply};
use campanile_retrieve::{Correction, LeftOut, Phrasing};

use crate::console;

/// Writes a reply as a reader of a terminal sees it: the answer, and the sources below it. `contact` is whom a refusal
/// sends to; it may be empty.
///
/// # Errors
/// Where nothing can be written.
pub fn write_reply(out: &mut dyn Write, reply: &Reply, contact: &str) -> io::Result<()> {
    write_answer(out, reply, contact)?;
    writeln!(out)?;
    write_sources(out, reply)
}

/// Writes the answer with its reservations and its form, or the refusal.
///
/// # Errors
/// Where nothing can be written.
pub fn write_answer(out: &mut dyn Write, reply: &Reply, contact: &str) -> io::Result<()> {
    match (reply.answer.kind, reply.answer.source) {
        (AnswerKind::Direct | AnswerKind::Qualified, Some(number)) => {
            if reply.answer.kind == AnswerKind::Qualified {
                writeln!(out, "Not sure; this comes nearest:")?;
            }
            if let Some(question) = &reply.answer.question {
                writeln!(out, "The documents answer \"{question}\":")?;
            }
            writeln!(out, "{} [{number}]", reply.answer.text)?;
            // A headline over what may not answer would sound as if it did.
            let headline = reply.exact_words().filter(|_| reply.answer.kind == AnswerKind::Direct);
            if let Some(words) = headline {
                writeln!(out, "In short: {words}")?;
            }
        }
        (AnswerKind::Section | AnswerKind::PossibleSection, Some(number)) => {
            write_section(out, reply, number)?;
        }
        _ if reply.sources.is_empty() => {
            writeln!(out, "{}\nOther words for it may find more.", reply.answer.text)?;
        }
        _ => writeln!(out, "{}\nThe nearest passages are below.", reply.answer.text)?,
    }
    if reply.answer.kind == AnswerKind::Refusal && !contact.is_empty() {
        writeln!(out, "Ask: {contact}")?;
    }
    if let Some(source) = reply.other_page() {
        writeln!(
            out,
            "This is from \"{}\", which is not the page that the question names.",
            source.title
        )?;
    }
    for MissingName { name, is_nowhere } in &reply.missing_names {
        let place =
            if *is_nowhere { "No page mentions" } else { "What was found does not mention" };
        writeln!(out, "{place} \"{name}\".")?;
    }
    if let Some(side) = &reply.missing_side {
        writeln!(out, "No passage near it is about \"{side}\".")?;
    }
    if let Some(language) = reply.asked_in {
        writeln!(
            out,
            "The documents are not in {language}: asked in their language, this may find more."
        )?;
    }
    for Correction { word, instead, .. } in &reply.trace.corrections {
        writeln!(out, "Searched for \"{instead}\": no document has \"{word}\".")?;
    }
    if !reply.unmatched.is_empty() {
        writeln!(out, "No passage near it has: {}", reply.unmatched.join(", "))?;
    }
    for line in choice(reply) {
        writeln!(out, "{line}")?;
    }
    for line in form_lines(reply) {
        writeln!(out, "{line}")?;
    }
    for difference in &reply.differences {
        writeln!(out, "{}", difference.words)?;
    }
    for line in left_out(&reply.left_out) {
        writeln!(out, "{line}")?;
    }
    for phrasing in &reply.trace.phrasings {
        match phrasing {
            Phrasing::Question(words) => writeln!(out, "Also asked as: {words}")?,
            Phrasing::Passage(words) => {
                writeln!(out, "Also compared with, made up: {}", snippet(words))?;
            }
        }
    }
    Ok(())
}

/// Writes the sources, each with its first words.
///
/// # Errors
/// Where nothing can be written.
pub fn write_sources(out: &mut dyn Write, reply: &Reply) -> io::Result<()> {
    for source in &reply.sources {
        let place = std::iter::once(source.title.as_str())
            .chain(source.section.iter().map(String::as_str).filter(|h| *h != source.title))
            .collect::<Vec<_>>()
            .join(" > ");
        let site = source.site.as_ref().map(|site| format!("{}: ", site.name));
        writeln!(out, "[{}] {}{place}", source.number, site.unwrap_or_default())?;
        let page = source.page.as_ref().map(|page| format!(", page {}", page.label));
        let file = source.link.as_deref().unwrap_or(&source.document);
        writeln!(out, "    {file}{}", page.unwrap_or_default())?;
        writeln!(out, "    {}", snippet(&source.text))?;
        for also in &source.also {
            writeln!(
                out,
                "    also in {}: {}",
                also.title,
                also.link.as_ref().unwrap_or(&also.document)
            )?;
        }
    }
    Ok(())
}

/// A passage that covers what was asked, or may, the sentences that come nearest after an arrow.
fn write_section(out: &mut dyn Write, reply: &Reply, number: usize) -> io::Result<()> {
    let Some(source) = number.checked_sub(1).and_then(|index| reply.sources.get(index)) else {
        return Ok(());
    };
    let heading = source.section.last().unwrap_or(&source.title);
    let covers = match reply.answer.kind {
        AnswerKind::Section => "This section covers it",
        _ => "Not sure; this section may cover it",
    };
    writeln!(out, "{covers}: {heading} [{number}]")?;
    writeln!(out, "{}", reply.answer.text)?;
    let marks = &reply.answer.marks;
    // Where most of the passage is marked, pointing to it helps nobody.
    if 2 * marks.iter().map(|mark| mark.len()).sum::<usize>() < reply.answer.text.len() {
        for mark in marks.iter().filter_map(|mark| mark.slice(&source.text)) {
            writeln!(out, "-> {mark}")?;
        }
    }
    Ok(())
}

/// Returns `true` if a part of the form is in the passage that is shown whole above it.
fn stands_above(answer: &Answer, part: &FormPart) -> bool {
    answer.kind.is_section()
        && answer.source == Some(part.source)
        && answer.highlight.is_some_and(|shown| shown.contains(part.span))
}

/// The property that the answer depends on, and how to give it.
fn choice(reply: &Reply) -> Vec<String> {
    let Some(choice) = &reply.choice else { return Vec::new() };
    let mut lines = vec![format!("The answer depends on the {}. For which one?", choice.asks)];
    lines.extend(choice.options.iter().map(|option| {
        format!(
            "    [{}] {}: `--{} \"{}\"`",
            option.source, option.value, choice.asks, option.value
        )
    }));
    lines
}

/// The passages that are not for this visitor, and how to see them.
fn left_out(passages: &[LeftOut]) -> Vec<String> {
    let mut lines = Vec::new();
    if passages.is_empty() {
        return lines;
    }
    let counted = console::count(passages.len(), "passage");
    let is_one = passages.len() == 1;
    let why = match (passages.iter().all(LeftOut::is_only_untimely), is_one) {
        (true, true) => "does not hold today",
        (true, false) => "do not hold today",
        (false, true) => "is not for you",
        (false, false) => "are not for you",
    };
    let them = if is_one { "it" } else { "them" };
    lines.push(format!("{counted} {why}; `--everyone` shows {them}:"));
    for passage in passages {
        let reasons: Vec<String> = passage.reasons.iter().map(ToString::to_string).collect();
        let reasons = reasons.join("; ");
        lines.push(format!("    {} ({}): {reasons}", passage.title, passage.document));
    }
    lines.dedup();
    lines
}

/// The first words of a passage, on one line.
pub fn snippet(text: &str) -> String {
    const WORDS: usize = 24;
    let words: Vec<&str> = text.split_whitespace().collect();
    let ellipsis = if words.len() > WORDS { " …" } else { "" };
    format!("{}{ellipsis}", words.get(..WORDS).unwrap_or(&words).join(" "))
}

/// The form of a reply's answer, a line for each of its parts; nothing where it has none.
fn form_lines(reply: &Reply) -> Vec<String> {
    let Some(form) = &reply.form else { return Vec::new() };
    let text = |part: &FormPart| {
        let source = part.source.checked_sub(1).and_then(|index| reply.sources.get(index));
        let words = source.and_then(|source| part.span.slice(&source.text)).unwrap_or_default();
        words.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let valued = |part: &FormPart| match &part.value {
        Some(value) => format!("{} ({value})", text(part)),
        None => text(part),
    };
    let named = |part: &FormPart| match &part.name {
        Some(name) => format!("{name}: {} [{}]", text(part), part.source),
        None => format!("{} [{}]", text(part), part.source),
    };
    let parts = form.parts.as_slice();
    match (form.kind, parts) {
        (FormKind::DateRange, [from, to]) => {
            vec![format!("Dates: from {} to {} [{}]", valued(from), valued(to), to.source)]
        }
        (FormKind::Date | FormKind::DateRange, parts) => {
            parts.iter().map(|part| format!("Date: {} [{}]", valued(part), part.source)).collect()
        }
        (FormKind::Amount, parts) => {
            parts.iter().map(|part| format!("Amount: {} [{}]", text(part), part.source)).collect()
        }
        (FormKind::Steps | FormKind::List, parts)
            if parts.iter().all(|part| stands_above(&reply.answer, part)) =>
        {
            Vec::new()
        }
        (FormKind::Steps | FormKind::List, parts) => {
            let is_counted = parts.iter().any(|part| part.name.is_some());
            let mark = |(number, part): (usize, &FormPart)| match &part.name {
                // As the document counts: `repeat step 4` means this one.
                Some(name) => name.clone(),
                None if form.kind == FormKind::Steps && !is_counted => format!("{number}."),
                None => "-".to_owned(),
            };
            let line =
                |it: (usize, &FormPart)| format!("{} {} [{}]", mark(it), text(it.1), it.1.source);
            (1..).zip(parts).map(line).collect()
        }
        (FormKind::Permission, [sentence, conditions @ ..]) => {
            let verdict = match sentence.value.as_deref() {
                Some("yes") => "Yes",
                Some("no") => "No",
                _ => "It depends",
            };
            let conditions = conditions.iter().map(|part| format!(": {}", text(part)));
            vec![format!("{verdict}{} [{}]", conditions.collect::<String>(), sentence.source)]
        }
        (FormKind::Permission | FormKind::Comparison | FormKind::Row, parts) => {
            parts.iter().map(named).collect()
        }
    }
}
