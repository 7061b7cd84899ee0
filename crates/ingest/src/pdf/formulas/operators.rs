//! Signs of sums, products and roots, and the limits around them.
//!
//! TeX's font of large signs hangs them from their baseline, so they seem to be on the line above.

use std::ops::Range;

use super::{Formulas, Numbered, text};
use crate::pdf::ink::Glyph;

/// Signs in front of their operand.
const SIGNS: [&str; 10] = ["∑", "∏", "∫", "∮", "√", "⋃", "⋂", "⨁", "⋁", "⋀"];
/// Most signs of one page.
const MOST: usize = 300;
/// From the baseline of a hanging sign down to that of its line, in ems.
// At 1.2 ems there is the next line of text.
const HUNG: Range<f64> = 0.45..1.15;
/// Limits are this share of the size of their line at most.
const LARGEST_LIMIT: f64 = 0.85;
/// From the baseline of the line up to that of an upper limit, beside the sign or above it, in ems.
const UPPER: Range<f64> = 0.25..2.2;
/// The same down to a lower one.
const LOWER: Range<f64> = 0.1..1.8;
/// The widest limit, in ems: `i = 1`, `j ∈ M`.
const WIDEST: f64 = 4.0;

/// The numbers of the signs among the glyphs of a page.
pub(super) fn signs(glyphs: &[Glyph]) -> Vec<usize> {
    let is_sign = |glyph: &Glyph| glyph.turns == 0 && SIGNS.contains(&glyph.text.trim());
    let signs = glyphs.iter().enumerate().filter(|(_, glyph)| is_sign(glyph));
    signs.map(|(at, _)| at).take(MOST).collect()
}

/// Puts signs onto their lines, and the limits of each into its text: `∑_(i = 1)^n`.
pub(super) fn set_operators(page: &mut Formulas, signs: Vec<usize>) {
    for at in signs {
        if let Some((members, glyph)) = on_line(page, at) {
            page.replace(&members, glyph);
        }
    }
}

/// A sign with its limits, and the glyphs that it is made of.
fn on_line(page: &mut Formulas, at: usize) -> Option<(Vec<usize>, Glyph)> {
    let mut sign = page.glyphs.get(at)?.clone()?;
    let size = sign.size;
    let near = page.near(sign.baseline() - 2.5 * size, sign.baseline() + 3.0 * size);
    let drop = drop(&sign, at, &near);
    sign.start.y += drop;
    sign.end.y += drop;
    let mut members = vec![at];
    if sign.text.trim() != "√" {
        let upper = limit(&sign, &near, |glyph| sign.baseline() - glyph.baseline(), UPPER);
        let lower = limit(&sign, &near, |glyph| glyph.baseline() - sign.baseline(), LOWER);
        for (mark, limit) in [('_', lower), ('^', upper)] {
            let text = text(&limit);
            if text.is_empty() {
                continue;
            }
            sign.text.push(mark);
            let is_single = text.chars().all(char::is_alphanumeric);
            sign.text.push_str(&if is_single { text } else { format!("({text})") });
            // Limits beside the sign are before what it works on, wider ones around it too.
            let right = limit.iter().map(|(_, glyph)| glyph.right()).fold(sign.right(), f64::max);
            sign.end.x = right;
            members.extend(limit.iter().map(|(at, _)| *at));
        }
    }
    (drop > 0.0 || members.len() > 1).then_some((members, sign))
}

/// By how much a sign hangs from the line of what follows it; 0 where it is on a line.
fn drop(sign: &Glyph, at: usize, near: &[Numbered<'_>]) -> f64 {
    let size = sign.size;
    let beside = |glyph: &Glyph| (glyph.left() - sign.right()).max(sign.left() - glyph.right());
    let others = || near.iter().filter(|(other, _)| *other != at).map(|(_, glyph)| *glyph);
    let is_large = |glyph: &Glyph| glyph.size > LARGEST_LIMIT * size;
    let is_on_line = others().any(|glyph| {
        is_large(glyph)
            && (glyph.baseline() - sign.baseline()).abs() < 0.15 * size
            && beside(glyph) < 0.6 * size
    });
    if is_on_line {
        return 0.0;
    }
    let follows = |glyph: &&Glyph| {
        is_large(glyph)
            && HUNG.contains(&((glyph.baseline() - sign.baseline()) / size))
            && (-0.25 * size..2.5 * size).contains(&(glyph.left() - sign.right()))
    };
    let next = others().filter(follows).min_by(|a, b| a.left().total_cmp(&b.left()));
    next.map_or(0.0, |next| next.baseline() - sign.baseline())
}

/// The small glyphs above or below a sign, or close behind it, at one height.
fn limit<'g>(
    sign: &Glyph,
    near: &[Numbered<'g>],
    away: impl Fn(&Glyph) -> f64,
    reach: Range<f64>,
) -> Vec<Numbered<'g>> {
    let size = sign.size;
    let is_limit =
        |glyph: &Glyph| glyph.size < LARGEST_LIMIT * size && reach.contains(&(away(glyph) / size));
    let mut small: Vec<Numbered<'g>> =
        near.iter().copied().filter(|(_, glyph)| is_limit(glyph)).collect();
    small.sort_by(|a, b| a.1.left().total_cmp(&b.1.left()));
    // Above or below the sign first, then close behind it.
    let starts = |glyph: &Glyph| {
        glyph.right() > sign.left() - size && glyph.left() < sign.right() + 0.35 * size
    };
    let Some(first) = small.iter().find(|(_, glyph)| starts(glyph)).copied() else {
        return Vec::new();
    };
    let mut right = first.1.right();
    let mut members = Vec::new();
    for (at, glyph) in small {
        let is_level = (glyph.baseline() - first.1.baseline()).abs() < 0.3 * size;
        let is_next = glyph.left() >= first.1.left() && glyph.left() - right < 0.35 * size;
        if is_level && is_next {
            right = right.max(glyph.right());
            members.push((at, glyph));
        }
    }
    let (left, middle) = (first.1.left(), f64::midpoint(sign.left(), sign.right()));
    let is_centred = (f64::midpoint(left, right) - middle).abs() < 0.4 * size;
    let is_behind = (-0.3 * size..0.35 * size).contains(&(left - sign.right()));
    if right - left < WIDEST * size && (is_centred || is_behind) { members } else { Vec::new() }
}
