//! Formulas: what is set on several levels, put onto one line.
//!
//! Read line by line, the upper part of a fraction or the limit of a sum would go with the text above.
//! So these become one piece of text on their line, in the form that formulas in TeX are read in.

mod displays;
mod fractions;
mod operators;

use std::collections::BTreeMap;

use super::ink::{Glyph, Ink, median};
use super::lines::Piece;
use super::words::pieces;

pub(super) use displays::join_displays;

/// Most glyphs that the bars and signs of one page are compared with, all together.
// Those at the height of one: some 400 on a page of print.
const MOST_COMPARED: usize = 1_000_000;

/// Puts the formulas of a page onto their lines, and takes the bars of fractions away.
pub(super) fn set_formulas(ink: &mut Ink) {
    let usual = median(ink.glyphs.iter().map(|glyph| glyph.size)).unwrap_or(0.0);
    let bars = fractions::bars(&ink.rules, usual);
    let signs = operators::signs(&ink.glyphs);
    if bars.is_empty() && signs.is_empty() {
        return;
    }
    let mut page = Formulas::of(std::mem::take(&mut ink.glyphs));
    // Before fractions, whose parts hold sums.
    operators::set_operators(&mut page, signs);
    let bars = fractions::set_fractions(&mut page, bars, usual);
    ink.rules.retain(|rule| !bars.contains(rule));
    ink.glyphs = page.glyphs.into_iter().flatten().collect();
}

/// A glyph and its number.
type Numbered<'g> = (usize, &'g Glyph);

/// The glyphs of a page, by height.
struct Formulas {
    /// `None` where a glyph has become part of another.
    glyphs: Vec<Option<Glyph>>,
    /// The numbers of the glyphs on each baseline, in hundredths of a point.
    heights: BTreeMap<i64, Vec<usize>>,
    compared: usize,
}

fn hundredths(height: f64) -> i64 {
    (height * 100.0).clamp(-1e12, 1e12) as i64
}

impl Formulas {
    fn of(glyphs: Vec<Glyph>) -> Self {
        let mut heights: BTreeMap<i64, Vec<usize>> = BTreeMap::new();
        for (at, glyph) in glyphs.iter().enumerate().filter(|(_, glyph)| glyph.turns == 0) {
            heights.entry(hundredths(glyph.baseline())).or_default().push(at);
        }
        Self { glyphs: glyphs.into_iter().map(Some).collect(), heights, compared: 0 }
    }

    /// The glyphs with ink whose baselines are between two heights; none once too many were compared.
    fn near(&mut self, top: f64, bottom: f64) -> Vec<Numbered<'_>> {
        if self.compared > MOST_COMPARED || top > bottom {
            return Vec::new();
        }
        let range = hundredths(top)..=hundredths(bottom);
        let near: Vec<usize> = self.heights.range(range).flat_map(|(_, at)| at).copied().collect();
        self.compared += near.len();
        let inked = near.into_iter().filter_map(|at| {
            let glyph = self.glyphs.get(at)?.as_ref()?;
            glyph.has_ink().then_some((at, glyph))
        });
        inked.collect()
    }

    /// Puts one glyph in the place of others.
    fn replace(&mut self, members: &[usize], glyph: Glyph) {
        for at in members {
            if let Some(glyph) = self.glyphs.get_mut(*at) {
                *glyph = None;
            }
        }
        let height = hundredths(glyph.baseline());
        self.heights.entry(height).or_default().push(self.glyphs.len());
        self.glyphs.push(Some(glyph));
    }
}

/// The text of a part of a formula: of a fraction, or a limit.
fn text(part: &[Numbered<'_>]) -> String {
    let glyphs = part.iter().map(|(_, glyph)| (*glyph).clone()).collect();
    let lines = pieces(glyphs).into_iter().map(|words| Piece::of_words(words).text());
    lines.collect::<Vec<_>>().join(" ")
}
