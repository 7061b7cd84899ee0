//! Gathering pieces into chunks.

use std::collections::VecDeque;

use campanile_text::Span;

use super::Room;
use super::pieces::{Grade, Piece, most_fitting};

/// The spans of the chunks that hold these pieces, in order.
pub(super) fn gather(room: &Room<'_>, pieces: Vec<Piece>) -> Vec<Span> {
    let mut runs = runs(room, pieces.into());
    settle_rest(room, &mut runs);
    runs.iter()
        .filter_map(|run| span_of(run))
        .filter(|span| room.slice(*span).contains(char::is_alphanumeric))
        .collect()
}

/// Takes pieces from the front, run by run, until none are left.
fn runs(room: &Room<'_>, mut queue: VecDeque<Piece>) -> Vec<Vec<Piece>> {
    let mut runs = Vec::new();
    while let Some(first) = queue.front().copied() {
        if first.grade == Grade::Block && first.words > room.target_words {
            split_at(room, &mut queue, 0);
        }
        // Words first and tokens second: words are counted already, and a tokenizer is asked only about the runs that
        // words allow.
        let wanted = wanted(room, queue.make_contiguous());
        let fitting = longest_fitting(room, queue.make_contiguous(), wanted);
        if fitting == 0 {
            if split_at(room, &mut queue, 0) {
                continue;
            }
            // A single character beyond the limit: nothing finer is left to cut.
            runs.extend(queue.pop_front().map(|piece| vec![piece]));
        // Rather a block that is cut than a chunk of a few words.
        } else if is_short_beside_a_block(room, &queue, fitting)
            && split_at(room, &mut queue, fitting)
        {
            continue;
        } else {
            runs.push(queue.drain(..fitting).collect());
        }
    }
    runs
}

/// Counts the pieces from the front that make up the words that a chunk should have.
fn wanted(room: &Room<'_>, queue: &[Piece]) -> usize {
    let mut words = 0;
    let mut count = 0;
    let start = queue.first().map_or(0, |piece| piece.span.start);
    for piece in queue {
        let bytes = Span::new(start, piece.span.end).len();
        let limit = if words < room.few_words() {
            // Rather a little too long than a chunk of a few words.
            room.target_words + room.few_words()
        } else {
            room.target_words
        };
        if count > 0 && (words + piece.words > limit || bytes > room.max_bytes) {
            break;
        }
        words += piece.words;
        count += 1;
    }
    let introduces = |piece: &Piece| room.slice(piece.span).ends_with(':');
    if count > 1 && count < queue.len() && queue.get(count - 1).is_some_and(introduces) {
        count -= 1; // What a line introduces should stand beside it.
    }
    count
}

/// The most pieces from the front, up to `wanted`, that fit together; 0 if not even one does.
fn longest_fitting(room: &Room<'_>, queue: &[Piece], wanted: usize) -> usize {
    let fits = |count: usize| {
        let run = queue.get(..count).and_then(span_of);
        run.is_some_and(|span| room.fits(span))
    };
    most_fitting(wanted, fits)
}

/// Returns `true` if the run would be only a few words long because a whole block comes next.
fn is_short_beside_a_block(room: &Room<'_>, queue: &VecDeque<Piece>, count: usize) -> bool {
    let words: usize = queue.iter().take(count).map(|piece| piece.words).sum();
    let is_block = |piece: &Piece| piece.grade == Grade::Block;
    words < room.few_words() && queue.get(count).is_some_and(is_block)
}

/// Replaces the piece at `index` by finer ones; false if there are none.
fn split_at(room: &Room<'_>, queue: &mut VecDeque<Piece>, index: usize) -> bool {
    let finer = queue.get(index).map(|piece| piece.finer(room.text));
    let finer = finer.unwrap_or_default();
    if finer.is_empty() {
        return false;
    }
    // Splits happen near the front, where rotating is cheap.
    let head: Vec<Piece> = queue.drain(..=index).collect();
    for piece in finer.into_iter().rev() {
        queue.push_front(piece);
    }
    for piece in head.into_iter().take(index).rev() {
        queue.push_front(piece);
    }
    true
}

/// Joins a last run of only a few words to the one before it, or evens the two out.
fn settle_rest(room: &Room<'_>, runs: &mut Vec<Vec<Piece>>) {
    let words = |run: &[Piece]| run.iter().map(|piece| piece.words).sum::<usize>();
    if runs.len() < 2 || runs.last().is_some_and(|run| words(run) >= room.few_words()) {
        return;
    }
    let (Some(last), Some(before)) = (runs.pop(), runs.pop()) else {
        return;
    };
    let both: Vec<Piece> = before.iter().chain(&last).copied().collect();
    if span_of(&both).is_some_and(|span| room.fits(span)) {
        runs.push(both);
        return;
    }
    let evened = even_halves(room, &both);
    let (before, last) = evened.unwrap_or((before, last));
    runs.push(before);
    runs.push(last);
}

/// Two runs of about as many words each, cut between sentences at the finest.
fn even_halves(room: &Room<'_>, pieces: &[Piece]) -> Option<(Vec<Piece>, Vec<Piece>)> {
    let pieces: Vec<Piece> = pieces.iter().flat_map(|piece| sentences_of(room, *piece)).collect();
    let total: usize = pieces.iter().map(|piece| piece.words).sum();
    let mut before = 0;
    let mut cuts: Vec<(usize, usize)> = Vec::with_capacity(pieces.len());
    for (index, piece) in pieces.iter().enumerate().take(pieces.len().saturating_sub(1)) {
        before += piece.words;
        cuts.push(((2 * before).abs_diff(total), index + 1));
    }
    let (_, cut) = *cuts.iter().min()?;
    let (left, right) = pieces.split_at_checked(cut)?;
    let fits = |run: &[Piece]| span_of(run).is_some_and(|span| room.fits(span));
    (fits(left) && fits(right)).then(|| (left.to_vec(), right.to_vec()))
}

fn sentences_of(room: &Room<'_>, piece: Piece) -> Vec<Piece> {
    if piece.grade != Grade::Block {
        return vec![piece];
    }
    // Finer than a sentence is not worth it: an even cut in the middle of one reads worse than an uneven one between
    // two.
    let finer = piece.finer(room.text);
    if finer.iter().all(|finer| finer.grade == Grade::Sentence) && !finer.is_empty() {
        finer
    } else {
        vec![piece]
    }
}

fn span_of(run: &[Piece]) -> Option<Span> {
    Some(run.first()?.span.joined(run.last()?.span))
}
