use crate::RankedPassage;

/// The passages at the top of a ranking that fit into `tokens` together: whole ones, until the
/// first that no longer fits.
///
/// Passages of different lengths are compared fairly by what a reader or a model has to read, and
/// not by their number: five sentences are not five pages. A later, shorter passage does not take
/// the place of one that did not fit, so that a larger budget never shows less.
pub fn within_tokens(passages: &[RankedPassage], tokens: u32) -> &[RankedPassage] {
    let mut left = tokens;
    let fits = |passage: &RankedPassage| {
        let rest = left.checked_sub(passage.tokens);
        left = rest.unwrap_or(left);
        rest.is_some()
    };
    let count = passages.iter().map(fits).take_while(|&fits| fits).count();
    passages.get(..count).unwrap_or_default()
}
