//! Chooses the passages that a language model is given, how much of each, and in which order.

use campanile_text::{Span, sentences};

use super::frame::PromptFrame;
use super::plain::plain;
use super::template::{Template, fill};
use crate::reply::{Reply, Source};

/// Passages as a prompt has them, in its order.
pub(super) struct Evidence<'a> {
    passages: Vec<Quoted<'a>>,
}

/// A passage as a prompt has it.
struct Quoted<'a> {
    source: &'a Source,
    title: String,
    /// Its words.
    text: String,
    /// All of it, as the template writes a passage.
    written: String,
}

/// The values of a passage that a template can name.
pub(super) struct PassageValues {
    pub(super) number: usize,
    /// The probability of an answer, or the cosine, in per cent.
    pub(super) score: Option<i32>,
    pub(super) level: String,
    pub(super) section: String,
    pub(super) title: String,
    pub(super) text: String,
}

impl PassageValues {
    /// Writes the passage as the template has it.
    pub(super) fn written(&self, template: &Template<'_>) -> String {
        let value = |name: &str| {
            Some(match name {
                "number" | "rank" => self.number.to_string(),
                "score" => self.score.map_or_else(String::new, |score| score.to_string()),
                "level" => self.level.clone(),
                "section" => self.section.clone(),
                "title" => self.title.clone(),
                "text" => self.text.clone(),
                _ => return None,
            })
        };
        fill(template.passage, &value)
    }
}

impl<'a> Evidence<'a> {
    /// The evidence of a reply: the passage that answers comes first, whatever its rank.
    pub(super) fn of(reply: &'a Reply, template: &Template<'_>, labels: &[&str]) -> Self {
        let PromptFrame { passages, words, by_rank, .. } = reply.prompt;
        let first = reply.answer.source.unwrap_or(1);
        let (answering, others): (Vec<&Source>, Vec<&Source>) =
            reply.sources.iter().partition(|source| source.number == first);
        let mut chosen: Vec<&Source> = answering.into_iter().chain(others).take(passages).collect();
        let lengths: Vec<usize> = chosen.iter().map(|source| count(&source.text)).collect();
        let most = level(&lengths, words);
        if !by_rank && chosen.len() > 2 {
            // Small models read beginning and end best (Liu et al. 2024, "Lost in the middle").
            let second = chosen.remove(1);
            chosen.push(second);
        }
        let written = |source: &'a Source| {
            let title = plain(&source.title, labels);
            let text = plain(cut(&source.text, most, found(reply, source)), labels);
            let values = PassageValues {
                number: source.number,
                score: score(reply, source),
                level: source.level.map_or("course".to_owned(), |level| level.to_string()),
                section: plain(source.heading(), labels),
                title,
                text,
            };
            Quoted {
                source,
                written: values.written(template),
                title: values.title,
                text: values.text,
            }
        };
        Self { passages: chosen.into_iter().map(written).collect() }
    }

    /// Some of the passages, with an empty line between them.
    pub(super) fn passages(&self, are_wanted: fn(&Source) -> bool) -> String {
        let wanted = self.passages.iter().filter(|quoted| are_wanted(quoted.source));
        wanted.map(|quoted| quoted.written.as_str()).collect::<Vec<_>>().join("\n\n")
    }

    /// The numbers of the sources, in order.
    pub(super) fn numbers(&self) -> Vec<usize> {
        self.passages.iter().map(|quoted| quoted.source.number).collect()
    }

    /// Titles and words.
    pub(super) fn quoted(&self) -> impl Iterator<Item = String> {
        self.passages.iter().flat_map(|quoted| [quoted.title.clone(), quoted.text.clone()])
    }
}

/// The words of a source that matter most: those of the answer, of a reader, of the part that was found.
fn found(reply: &Reply, source: &Source) -> Option<Span> {
    let of_answer = reply.answer.highlight.filter(|_| reply.answer.source == Some(source.number));
    let read = || reply.reading(source.number - 1)?.spans.first();
    of_answer.or_else(|| Some(read()?.span)).or(source.found)
}

/// Returns how likely a source holds an answer, in per cent: what a reader says, or how near it is to the
/// question.
fn score(reply: &Reply, source: &Source) -> Option<i32> {
    let read = reply.reading(source.number - 1);
    let share = read.map(|reading| reading.probability);
    let share = share.or(source.scores.dense.map(|dense| dense.score))?;
    Some((share * 100.0) as i32)
}

fn count(text: &str) -> usize {
    text.split_whitespace().count()
}

/// The most words that each of some texts may have, so that they have no more than `budget` together: short
/// ones leave their share to the others.
fn level(lengths: &[usize], budget: usize) -> usize {
    let total = |most: usize| lengths.iter().map(|&length| length.min(most)).sum::<usize>();
    // 0 always fits, so something is found.
    (0..=budget).rev().find(|&most| total(most) <= budget).unwrap_or(0)
}

/// At most `most` words of a text, from the sentence on from which they reach the words at `around`.
fn cut(text: &str, most: usize, around: Option<Span>) -> &str {
    let start = around.map_or(0, |around| {
        let reaches = |start: &u32| {
            let span = Span { start: *start, end: around.end };
            span.slice(text).is_some_and(|words| count(words) <= most)
        };
        let starts = sentences(text).into_iter().map(|sentence| sentence.start);
        let before = std::iter::once(0).chain(starts.take_while(|start| *start <= around.start));
        before.into_iter().find(reaches).unwrap_or(around.start)
    });
    first_words(text.get(start as usize..).unwrap_or(text), most)
}

/// The first words of a text, with what stands between them.
pub(super) fn first_words(text: &str, most: usize) -> &str {
    let text = text.trim_start();
    let mut end = 0;
    for word in text.split_whitespace().take(most) {
        end = text.len() - text[end..].trim_start().len() + word.len();
    }
    &text[..end]
}
