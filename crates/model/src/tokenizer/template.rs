//! Puts special tokens around a text or two, and cuts too long ones.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::TokenSequence;

/// The post-processors that BERT's files ask for.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "type")]
pub(super) enum Template {
    /// Lists of what stands where.
    TemplateProcessing {
        single: Vec<Piece>,
        pair: Vec<Piece>,
        special_tokens: BTreeMap<String, SpecialToken>,
    },
    /// The same lists, fixed: `[CLS] A [SEP]` and `[CLS] A [SEP] B [SEP]`.
    BertProcessing { sep: (String, u32), cls: (String, u32) },
}

/// A place of a template.
#[derive(Clone, Debug, Deserialize)]
pub(super) enum Piece {
    Sequence { id: Text, type_id: u32 },
    SpecialToken { id: String, type_id: u32 },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub(super) enum Text {
    A,
    B,
}

/// The ids that stand for a special token of a template.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct SpecialToken {
    ids: Vec<u32>,
}

impl Template {
    /// Puts the special tokens around one text or two.
    pub(super) fn apply(&self, first: &[u32], second: Option<&[u32]>) -> TokenSequence {
        self.place(first, second).0
    }

    /// As [`Template::apply`], with the place of the second text's first token.
    pub(super) fn place(&self, first: &[u32], second: Option<&[u32]>) -> (TokenSequence, usize) {
        let mut sequence = TokenSequence::default();
        let mut start = 0;
        let push = |sequence: &mut TokenSequence, ids: &[u32], segment: u32| {
            sequence.ids.extend_from_slice(ids);
            sequence.segments.extend(ids.iter().map(|_| segment));
        };
        match self {
            Self::TemplateProcessing { single, pair, special_tokens } => {
                for piece in if second.is_some() { pair } else { single } {
                    match piece {
                        Piece::Sequence { id: Text::A, type_id } => {
                            push(&mut sequence, first, *type_id)
                        }
                        Piece::Sequence { id: Text::B, type_id } => {
                            start = sequence.ids.len();
                            push(&mut sequence, second.unwrap_or_default(), *type_id);
                        }
                        Piece::SpecialToken { id, type_id } => {
                            // That it has an id was checked when the file was read: `unexplained`.
                            push(&mut sequence, &special_tokens[id].ids, *type_id);
                        }
                    }
                }
            }
            Self::BertProcessing { sep, cls } => {
                push(&mut sequence, &[cls.1], 0);
                push(&mut sequence, first, 0);
                push(&mut sequence, &[sep.1], 0);
                if let Some(second) = second {
                    start = sequence.ids.len();
                    push(&mut sequence, second, 1);
                    push(&mut sequence, &[sep.1], 1);
                }
            }
        }
        (sequence, start)
    }

    /// The name of a special token that a list asks for and the file does not explain.
    pub(super) fn unexplained(&self) -> Option<&str> {
        let Self::TemplateProcessing { single, pair, special_tokens } = self else { return None };
        single.iter().chain(pair).find_map(|piece| match piece {
            Piece::SpecialToken { id, .. } if !special_tokens.contains_key(id) => Some(id.as_str()),
            _ => None,
        })
    }
}

/// Returns how many tokens two texts of `first` and `second` tokens keep, where there is `room` for so many
/// in all: the longer one is cut to the shorter one's length, then both.
pub(super) fn longest_first(first: usize, second: usize, room: usize) -> (usize, usize) {
    if first + second <= room {
        return (first, second);
    }
    let shorter = first.min(second);
    // Both are then longer than half of the room, and share it.
    let half = room / 2;
    let (short, long) =
        if shorter <= half { (shorter, room - shorter) } else { (half, room - half) };
    // Of two equally long texts the second keeps the odd token.
    if first > second { (long, short) } else { (short, long) }
}

#[cfg(test)]
mod tests {
    use super::longest_first;

    #[test]
    fn the_longer_text_is_cut_first() {
        assert_eq!(longest_first(3, 4, 7), (3, 4));
        assert_eq!(longest_first(3, 9, 7), (3, 4));
        assert_eq!(longest_first(9, 3, 7), (4, 3));
        assert_eq!(longest_first(9, 8, 7), (4, 3));
        assert_eq!(longest_first(8, 8, 7), (3, 4));
        assert_eq!(longest_first(0, 8, 7), (0, 7));
        assert_eq!(longest_first(8, 8, 0), (0, 0));
        assert_eq!(longest_first(8, 8, 1), (0, 1));
    }
}
