//! BERT's own tokenizer (Schuster and Nakajima 2012, Devlin et al. 2019), without the generality
//! that other models' files need: a page that only searches need not carry that.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;

use serde::Deserialize;

use super::TokenSequence;
use super::bert_text::{Cleaning, words};
use super::pieces::WordPieces;
use super::template::{Template, longest_first};
use crate::error::ModelError;

/// The parts of a `tokenizer.json` of this kind.
#[derive(Deserialize)]
struct File {
    added_tokens: Vec<AddedToken>,
    normalizer: Normalizer,
    pre_tokenizer: PreTokenizer,
    post_processor: Template,
    decoder: Decoder,
    model: Model,
}

#[derive(Deserialize)]
struct AddedToken {
    id: u32,
    content: String,
    single_word: bool,
    lstrip: bool,
    rstrip: bool,
    normalized: bool,
    special: bool,
}

impl AddedToken {
    /// Returns `true` if it is found wherever it is written, and nowhere else.
    fn is_literal(&self) -> bool {
        let flags = [self.single_word, self.lstrip, self.rstrip, self.normalized];
        !flags.contains(&true) && !self.content.is_empty()
    }
}

#[derive(Deserialize)]
#[serde(tag = "type")]
enum Normalizer {
    BertNormalizer(Cleaning),
}

#[derive(Deserialize)]
#[serde(tag = "type")]
enum PreTokenizer {
    BertPreTokenizer,
}

#[derive(Deserialize)]
#[serde(tag = "type")]
enum Decoder {
    WordPiece { prefix: String, cleanup: bool },
}

/// Its tag is a field, since serde would copy the vocabulary of a tagged type before it reads it.
#[derive(Deserialize)]
struct Model {
    #[serde(rename = "type")]
    _type: ModelType,
    unk_token: String,
    continuing_subword_prefix: String,
    max_input_chars_per_word: usize,
    vocab: HashMap<Box<str>, u32>,
}

#[derive(Deserialize)]
enum ModelType {
    WordPiece,
}

/// A tokenizer of the kind `BertNormalizer`, `BertPreTokenizer`, `WordPiece`.
#[derive(Clone, Debug)]
pub(super) struct WordPiece {
    cleaning: Cleaning,
    template: Template,
    vocabulary: HashMap<Box<str>, u32>,
    /// The mark of a piece that goes on with a word.
    mark: String,
    /// The pieces that go on with a word, without the prefix that marks them.
    continuations: HashMap<Box<str>, u32>,
    /// Bytes of the longest piece.
    longest: usize,
    unknown: u32,
    word_limit: usize,
    added: BTreeMap<Box<str>, u32>,
    special: BTreeMap<u32, String>,
    prefix: String,
    cleanup: bool,
}

impl WordPiece {
    /// Reads a `tokenizer.json`; nothing where it is another kind of tokenizer, or damaged.
    pub(super) fn from_json(bytes: &[u8]) -> Result<Self, ModelError> {
        let file: File = serde_json::from_slice(bytes).map_err(|e| {
            ModelError::tokenizer(format!("tokenizer.json is no BERT word-piece tokenizer: {e}"))
        })?;
        let refuse = |what: &str| ModelError::tokenizer(format!("tokenizer.json: {what}"));
        let Normalizer::BertNormalizer(cleaning) = file.normalizer;
        let PreTokenizer::BertPreTokenizer = file.pre_tokenizer;
        let Decoder::WordPiece { prefix, cleanup } = file.decoder;
        let Model { unk_token, continuing_subword_prefix, vocab: vocabulary, .. } = file.model;
        if let Some(token) = file.added_tokens.iter().find(|token| !token.is_literal()) {
            return Err(refuse(&format!("the added token \"{}\" is no plain text", token.content)));
        }
        if let Some(name) = file.post_processor.unexplained() {
            return Err(refuse(&format!("the template's token \"{name}\" has no id")));
        }
        let unknown = *vocabulary
            .get(unk_token.as_str())
            .ok_or_else(|| refuse(&format!("the vocabulary has no \"{unk_token}\"")))?;
        let marked = continuing_subword_prefix.as_str();
        let continuations = vocabulary
            .iter()
            .filter_map(|(piece, &id)| Some((piece.strip_prefix(marked)?.into(), id)))
            .collect();
        let longest = vocabulary.keys().map(|piece| piece.len()).max().unwrap_or(0);
        let special = file.added_tokens.iter().filter(|token| token.special);
        Ok(Self {
            special: special.map(|token| (token.id, token.content.clone())).collect(),
            added: file.added_tokens.into_iter().map(|t| (t.content.into(), t.id)).collect(),
            cleaning,
            template: file.post_processor,
            vocabulary,
            mark: continuing_subword_prefix.clone(),
            continuations,
            longest,
            unknown,
            word_limit: file.model.max_input_chars_per_word,
            prefix,
            cleanup,
        })
    }

    pub(super) fn special(&self) -> &BTreeMap<u32, String> {
        &self.special
    }

    /// The ids of a text alone.
    pub(super) fn encode(&self, text: &str) -> Vec<u32> {
        self.pieces_of(text, false).into_iter().map(|(id, _)| id).collect()
    }

    /// The ids of a text alone, each with the bytes of the text that it is made of; without
    /// `exact` with some other range.
    pub(super) fn pieces_of(&self, text: &str, exact: bool) -> Vec<(u32, Range<usize>)> {
        let mut pieces = Vec::new();
        let mut at = 0;
        // An added token is taken as it is written, what stands around it is text.
        while let Some((before, token, id)) = self.next_added(&text[at..]) {
            self.cut(text, at..at + before, exact, &mut pieces);
            at += before + token.len();
            pieces.push((id, at - token.len()..at));
        }
        self.cut(text, at..text.len(), exact, &mut pieces);
        pieces
    }

    /// The first added token in a text, the longest of those that begin there.
    fn next_added(&self, text: &str) -> Option<(usize, &str, u32)> {
        self.added
            .iter()
            .filter_map(|(token, &id)| Some((text.find(&**token)?, &**token, id)))
            .min_by_key(|(at, token, _)| (*at, std::cmp::Reverse(token.len())))
    }

    /// The pieces of a part of a text, which has no added tokens.
    fn cut(&self, text: &str, part: Range<usize>, exact: bool, to: &mut Vec<(u32, Range<usize>)>) {
        let cleaned = self.cleaning.apply(&text[part.clone()]);
        let origins =
            if exact { self.cleaning.origins(text, part, cleaned.len()) } else { Vec::new() };
        // Without `exact` nobody looks at the ranges, and for those each character is cleaned by itself.
        let origin = |at: usize| origins.get(at).cloned().unwrap_or_default();
        let mut pieces = Vec::new();
        for word in words(&cleaned) {
            pieces.clear();
            if word.chars().count() > self.word_limit || !self.cut_word(word, &mut pieces) {
                pieces.clear();
                // As BERT does: a word with one unknown part is unknown as a whole.
                pieces.push((self.unknown, word.len()));
            }
            // `words` gives slices of `cleaned`: the distance is the place.
            let mut start = word.as_ptr().addr() - cleaned.as_ptr().addr();
            for &(id, length) in &pieces {
                let end = start + length;
                to.push((id, origin(start).start..origin(end.saturating_sub(1)).end));
                start = end;
            }
        }
    }

    /// The longest pieces from the left; `false` where one is missing.
    fn cut_word(&self, word: &str, pieces: &mut Vec<(u32, usize)>) -> bool {
        let id = |begins: bool, piece: &str| {
            let pieces = if begins { &self.vocabulary } else { &self.continuations };
            pieces.get(piece).copied()
        };
        longest_pieces(word, self.longest, id, pieces)
    }

    /// The pieces of these ids alone, special tokens and the unknown one left out.
    pub(super) fn word_pieces(&self, ids: &BTreeSet<u32>) -> WordPieces {
        let is_wanted =
            |id: u32| ids.contains(&id) && id != self.unknown && !self.special.contains_key(&id);
        let of = |pieces: &'_ HashMap<Box<str>, u32>| {
            let wanted = pieces.iter().filter(|&(_, &id)| is_wanted(id));
            wanted.map(|(piece, _)| piece.to_string()).collect::<BTreeSet<String>>()
        };
        let continuations = of(&self.continuations);
        let mut beginnings = of(&self.vocabulary);
        // A piece that goes on with a word stands in the vocabulary as well, with its mark.
        let marked = |piece: &String| {
            piece.strip_prefix(self.mark.as_str()).is_some_and(|rest| continuations.contains(rest))
        };
        beginnings.retain(|piece| !marked(piece));
        WordPieces::new(self.cleaning.explicit(), self.word_limit, [beginnings, continuations])
    }

    /// One text or two with the special tokens, `max_tokens` in all.
    pub(super) fn sequence(
        &self,
        first: &str,
        second: Option<&str>,
        max_tokens: usize,
    ) -> TokenSequence {
        let room = max_tokens.saturating_sub(self.special_tokens(second.is_some()));
        let mut first = self.encode(first);
        let mut second = second.map(|text| self.encode(text));
        let length = second.as_ref().map_or(0, Vec::len);
        let (keep, keep_second) = match second {
            Some(_) => longest_first(first.len(), length, room),
            None => (room, 0),
        };
        first.truncate(keep);
        if let Some(second) = &mut second {
            second.truncate(keep_second);
        }
        self.template.apply(&first, second.as_deref())
    }

    /// Two texts' tokens with the special tokens, and the place of the second's first.
    pub(super) fn join(&self, first: &[u32], second: &[u32]) -> (TokenSequence, usize) {
        self.template.place(first, Some(second))
    }

    pub(super) fn special_tokens(&self, pair: bool) -> usize {
        self.template.apply(&[], pair.then_some(&[][..])).ids.len()
    }

    pub(super) fn vocabulary_size(&self) -> usize {
        let further = self.added.keys().filter(|token| !self.vocabulary.contains_key(*token));
        self.vocabulary.len() + further.count()
    }

    pub(super) fn token_id(&self, token: &str) -> Option<u32> {
        self.added.get(token).or_else(|| self.vocabulary.get(token)).copied()
    }

    /// Every token as it is written, by its id; an id that none has is empty.
    pub(super) fn pieces(&self) -> Vec<String> {
        let mut pieces = vec![String::new(); self.vocabulary_size()];
        self.vocabulary.iter().chain(&self.added).for_each(|(piece, &id)| {
            if let Some(place) = pieces.get_mut(id as usize) {
                *place = piece.to_string();
            }
        });
        pieces
    }

    /// The text of `ids`, special tokens left out.
    pub(super) fn decode(&self, ids: &[u32]) -> String {
        let pieces = self.vocabulary.iter().chain(&self.added);
        let pieces: HashMap<u32, &str> = pieces.map(|(piece, &id)| (id, &**piece)).collect();
        let known = ids.iter().filter(|id| !self.special.contains_key(id));
        let mut text = String::new();
        for (index, piece) in known.filter_map(|id| pieces.get(id)).enumerate() {
            let written = match piece.strip_prefix(self.prefix.as_str()) {
                _ if index == 0 => (*piece).to_owned(),
                Some(rest) => rest.to_owned(),
                None => format!(" {piece}"),
            };
            text.push_str(&if self.cleanup { without_gaps(&written) } else { written });
        }
        text
    }
}

/// Appends the ids and the bytes of the longest pieces from the left, none of more than `longest`
/// bytes; `false` where one is missing. `id` is told whether the piece begins the word.
pub(super) fn longest_pieces(
    word: &str,
    longest: usize,
    id: impl Fn(bool, &str) -> Option<u32>,
    pieces: &mut Vec<(u32, usize)>,
) -> bool {
    let mut rest = word;
    while !rest.is_empty() {
        let mut end = rest.floor_char_boundary(longest);
        let found = loop {
            if let Some(id) = id(rest.len() == word.len(), &rest[..end]) {
                break id;
            }
            let Some(last) = rest[..end].chars().next_back() else { return false };
            end -= last.len_utf8();
        };
        // An empty piece would be found again and again.
        if end == 0 {
            return false;
        }
        pieces.push((found, end));
        rest = &rest[end..];
    }
    true
}

/// Takes the space before punctuation out, in the reference's order.
fn without_gaps(piece: &str) -> String {
    let pairs = [
        (" .", "."),
        (" ?", "?"),
        (" !", "!"),
        (" ,", ","),
        (" ' ", "'"),
        (" n't", "n't"),
        (" 'm", "'m"),
        (" do not", " don't"),
        (" 's", "'s"),
        (" 've", "'ve"),
        (" 're", "'re"),
    ];
    pairs.iter().fold(piece.to_owned(), |text, (from, to)| text.replace(from, to))
}
