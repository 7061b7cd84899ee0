//! Slides that are built up in steps: one page for each, of which the last shows all.
//!
//! A step that the next page shows in full, at the same places, is left out. Where steps replace
//! lines, the step keeps its title and what the next page does not show.

use std::collections::BTreeMap;

use super::ink::median;
use super::lines::Piece;
use super::pages::Leaf;

/// Places that differ by less, in points, are the same.
// Programs set a step as they set the last, to a hundredth of a point; some move all by a rounding.
const SAME_PLACE: f64 = 1.5;
/// Type so much larger than most of a page's is its title's.
const LARGE: f64 = 1.12;
/// Fewest pieces of a step that says nothing of itself: a header alone is on every page.
const FEWEST_PIECES: usize = 3;

/// Leaves out the steps of slides, and returns how many pages those are.
pub(super) fn leave_out_steps(leaves: &mut [Leaf], labels: &[Option<String>]) -> usize {
    let label = |page: usize| {
        let own = labels.get(page).cloned().flatten();
        own.unwrap_or_else(|| (page + 1).to_string())
    };
    let mut steps = 0;
    // The next page is looked at before it is cut down itself.
    for page in 1..leaves.len() {
        let is_numbered_alike = label(page - 1) == label(page);
        let (before, after) = leaves.split_at_mut(page);
        if let (Some(step), Some(next)) = (before.last_mut(), after.first()) {
            steps += usize::from(leave_out(step, next, is_numbered_alike));
        }
    }
    steps
}

/// Takes off a page what the next shows again, if it is a step of that.
fn leave_out(step: &mut Leaf, next: &Leaf, is_numbered_alike: bool) -> bool {
    let shown = Shown::of(&next.pieces);
    let count = step.pieces.iter().filter(|piece| shown.has(piece)).count();
    let (all, grows) = (step.pieces.len(), next.pieces.len() > step.pieces.len());
    let is_whole = count == all && step.turned.is_empty();
    // Without a number that says so, only what grows is built up.
    let is_step = if is_numbered_alike { 2 * count >= all } else { is_whole && grows };
    let least = if is_numbered_alike { 1 } else { FEWEST_PIECES };
    if !is_step || all < least {
        return false;
    }
    if is_whole {
        step.pieces.clear();
        step.rules.clear();
    } else {
        let usual = usual_size(&step.pieces);
        step.pieces.retain(|piece| piece.size > LARGE * usual || !shown.has(piece));
    }
    // What is still covered is seen on the next page, or reported there.
    step.hidden.retain(|text| !shown.words(text) && !next.hidden.contains(text));
    true
}

/// The size that most pieces have.
fn usual_size(pieces: &[Piece]) -> f64 {
    median(pieces.iter().map(|piece| piece.size)).unwrap_or(0.0)
}

/// The pieces of a page by their words.
struct Shown(BTreeMap<String, Vec<(f64, f64)>>);

impl Shown {
    fn of(pieces: &[Piece]) -> Self {
        let mut places: BTreeMap<String, Vec<(f64, f64)>> = BTreeMap::new();
        for piece in pieces {
            places.entry(piece.text()).or_default().push(place(piece));
        }
        Self(places)
    }

    fn has(&self, piece: &Piece) -> bool {
        let (x, y) = place(piece);
        let is_here =
            |(u, v): &(f64, f64)| (x - u).abs() < SAME_PLACE && (y - v).abs() < SAME_PLACE;
        self.0.get(&piece.text()).is_some_and(|places| places.iter().any(is_here))
    }

    fn words(&self, text: &str) -> bool {
        self.0.contains_key(text)
    }
}

fn place(piece: &Piece) -> (f64, f64) {
    (piece.bounds.x0, piece.baseline())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slides(pages: &[&[&str]]) -> Vec<Leaf> {
        let leaf = |rows: &&[&str]| {
            let row = |(index, text): (usize, &&str)| {
                let mut piece = Piece::sample(text, 20.0, 40.0 + 20.0 * index as f64);
                let size = if index == 0 { 14.0 } else { 10.0 };
                piece.words.iter_mut().for_each(|word| word.size = size);
                Piece::of_words(piece.words)
            };
            let pieces = rows.iter().enumerate().filter(|(_, text)| !text.is_empty()).map(row);
            Leaf { height: 200.0, pieces: pieces.collect(), ..Leaf::default() }
        };
        pages.iter().map(leaf).collect()
    }

    fn left(leaves: &[Leaf]) -> Vec<String> {
        let texts = |leaf: &Leaf| leaf.pieces.iter().map(Piece::text).collect::<Vec<_>>();
        leaves.iter().map(|leaf| texts(leaf).join("|")).collect()
    }

    fn labels(labels: &[&str]) -> Vec<Option<String>> {
        labels.iter().map(|label| Some((*label).to_owned())).collect()
    }

    #[test]
    fn only_the_last_step_of_a_slide_stays() {
        let mut leaves = slides(&[
            &["Dates", "by May", "", "2 / 3"],
            &["Dates", "by May", "late costs 25", "2 / 3"],
            &["Dates", "by room", "other", "3 / 3"],
        ]);
        leaves[0].hidden = vec!["late costs 25".to_owned(), "white".to_owned()];
        let mut unnumbered = leaves.iter().map(|leaf| leaf.pieces.clone()).collect::<Vec<_>>();
        assert_eq!(leave_out_steps(&mut leaves, &labels(&["2", "2", "3"])), 1);
        let expected = ["", "Dates|by May|late costs 25|2 / 3", "Dates|by room|other|3 / 3"];
        assert_eq!(left(&leaves), expected);
        assert_eq!(leaves[0].hidden, ["white"]);
        // The same of a file whose pages have no labels.
        let leaf = |pieces| Leaf { pieces, ..Leaf::default() };
        let mut leaves: Vec<Leaf> = unnumbered.drain(..).map(leaf).collect();
        assert_eq!(leave_out_steps(&mut leaves, &[]), 1);
        assert_eq!(left(&leaves), expected);
    }

    #[test]
    fn a_step_keeps_the_lines_that_the_next_replaces() {
        let mut leaves =
            slides(&[&["Dates", "by May", "in person", "4"], &["Dates", "by May", "by post", "4"]]);
        assert_eq!(leave_out_steps(&mut leaves, &labels(&["4", "4"])), 1);
        assert_eq!(left(&leaves), ["Dates|in person", "Dates|by May|by post|4"]);
    }

    #[test]
    fn slides_of_one_title_and_copies_of_a_page_stay() {
        let pages: [&[&str]; 3] =
            [&["Dates", "by May", "1"], &["Dates", "by June", "2"], &["Dates", "by June", "2"]];
        let mut leaves = slides(&pages);
        assert_eq!(leave_out_steps(&mut leaves, &[]), 0);
        // Pages of one label may have nothing to do with each other.
        let pages: [&[&str]; 2] = [&["Annex", "Rooms", "Fees"], &["Annex", "Boats", "Keys"]];
        let mut leaves = slides(&pages);
        assert_eq!(leave_out_steps(&mut leaves, &labels(&["A", "A"])), 0);
        assert_eq!(left(&leaves), ["Annex|Rooms|Fees", "Annex|Boats|Keys"]);
    }
}
