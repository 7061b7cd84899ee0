//! Fractions: the parts above and below a short rule, at the height of a formula's signs.
//!
//! Line by line, the upper part would be read with the line above and the lower with the one below.
//! Each fraction becomes one piece of text on its line, `(a + b)/c`, as formulas in TeX are read.

use super::{Formulas, Numbered, text};
use crate::pdf::ink::{Glyph, Rule, line_box};
use crate::tex::bracketed;

/// Most rules of a page that are looked at.
// A page of formulas has some thirty; a ruled form has hundreds that are none.
const MOST_BARS: usize = 300;
/// Most letters above and below a rule.
// Each is compared with the others.
const MOST_LETTERS: usize = 300;
/// The longest bar, in ems: about a line of print.
const LONGEST: f64 = 40.0;
/// How far above and below a rule its parts are looked for, in ems of the page's text.
const REACH: f64 = 4.0;
/// The height of a rule above the baseline of its line, in ems of that line.
// Typesetters put it at the middle of a plus sign, a quarter of an em up; browsers a little higher.
const AXIS: std::ops::Range<f64> = 0.1..0.5;
/// From a rule down to the baseline of what is below it, in ems of that.
// At less the rule would run through the letters.
const BELOW: std::ops::Range<f64> = 0.5..1.6;
/// From the baseline of what is above a rule down to it, in ems.
const ABOVE: std::ops::Range<f64> = -0.05..1.3;
/// From a rule to the nearest sign on its line, in ems at most: cells of a table are further apart.
const NEAREST_SIGN: f64 = 1.2;
/// A rule is as long as the longer of its parts, up to so many ems.
const OVERHANG: f64 = 0.9;
/// Each part is centred on its rule, up to so many ems.
const OFF_CENTRE: f64 = 0.4;

/// A fraction, and the glyphs that it is made of.
struct Fraction {
    members: Vec<usize>,
    glyph: Glyph,
}

/// The rules that may be bars of fractions, the shortest first.
pub(super) fn bars(rules: &[Rule], usual: f64) -> Vec<Rule> {
    let is_bar = |rule: &&Rule| {
        let width = rule.end - rule.start;
        rule.is_level && width > 0.2 * usual && width < LONGEST * usual
    };
    let mut bars: Vec<Rule> = rules.iter().filter(is_bar).copied().collect();
    // Inner fractions are shorter than those they are part of.
    bars.sort_by(|a, b| (a.end - a.start).total_cmp(&(b.end - b.start)));
    bars.truncate(MOST_BARS);
    bars
}

/// Puts each fraction onto its line as one glyph, and gives back its bars.
pub(super) fn set_fractions(page: &mut Formulas, bars: Vec<Rule>, usual: f64) -> Vec<Rule> {
    let mut used = Vec::new();
    for bar in bars {
        if let Some(fraction) = page.fraction(bar, REACH * usual) {
            page.replace(&fraction.members, fraction.glyph);
            used.push(bar);
        }
    }
    used
}

impl Formulas {
    /// The fraction of a rule, if it is the bar of one.
    fn fraction(&mut self, bar: Rule, reach: f64) -> Option<Fraction> {
        let inked = self.near(bar.position - reach, bar.position + reach);
        let (inside, beside): (Vec<_>, Vec<_>) =
            inked.into_iter().partition(|(_, glyph)| is_over(glyph, bar));
        let sign = sign(&beside, bar)?;
        let is_struck = || inside.iter().any(|(_, glyph)| is_crossed(glyph, bar));
        if inside.len() > MOST_LETTERS || is_struck() {
            return None;
        }
        let up = |glyph: &Glyph| bar.position - glyph.baseline();
        let above = part(
            &inside,
            |glyph| ABOVE.contains(&(up(glyph) / glyph.size)),
            |glyph| {
                // The nearest is the one that reaches down the furthest.
                up(glyph) - 0.2 * glyph.size
            },
        );
        let below = part(
            &inside,
            |glyph| BELOW.contains(&(-up(glyph) / glyph.size)),
            |glyph| -up(glyph) - 0.75 * glyph.size,
        );
        let above: Vec<_> =
            above.into_iter().filter(|(_, glyph)| up(glyph) > -0.5 * glyph.size).collect();
        if !fit(&above, &below, bar, sign.size) {
            return None;
        }
        let is_only_below = |at: &usize| !above.iter().any(|(own, _)| own == at);
        let members: Vec<usize> = above.iter().chain(&below).map(|(at, _)| *at).collect();
        if !below.iter().all(|(at, _)| is_only_below(at)) {
            return None;
        }
        let text = format!("{}/{}", bracketed(&text(&above)), bracketed(&text(&below)));
        let first = above.iter().chain(&below).map(|(_, glyph)| glyph.order).min()?;
        let glyph = Glyph {
            text,
            start: (bar.start, sign.baseline()).into(),
            end: (bar.end, sign.baseline()).into(),
            order: first,
            is_raised: false,
            ..sign.clone()
        };
        Some(Fraction { members, glyph })
    }
}

/// Returns `true` if a glyph is between the ends of a rule.
fn is_over(glyph: &Glyph, bar: Rule) -> bool {
    let middle = f64::midpoint(glyph.left(), glyph.right());
    bar.start < middle && middle < bar.end
}

/// Returns `true` if a rule runs through a letter, as one does that strikes it out.
fn is_crossed(glyph: &Glyph, bar: Rule) -> bool {
    let height = (glyph.baseline() - bar.position) / glyph.size;
    // Signs of sums and large brackets hang from their baselines.
    glyph.text.contains(char::is_alphanumeric) && (0.08..0.45).contains(&height)
}

/// The nearest sign beside a rule that has it at the height of its middle.
fn sign<'g>(beside: &[Numbered<'g>], bar: Rule) -> Option<&'g Glyph> {
    let gap = |glyph: &Glyph| (bar.start - glyph.right()).max(glyph.left() - bar.end);
    let is_sign = |glyph: &&Glyph| {
        AXIS.contains(&((glyph.baseline() - bar.position) / glyph.size))
            && gap(glyph) < NEAREST_SIGN * glyph.size
    };
    let signs = beside.iter().map(|(_, glyph)| *glyph).filter(is_sign);
    signs.min_by(|a, b| gap(a).total_cmp(&gap(b)))
}

/// The line on one side of a rule: the glyph that is nearest to it and those at its height, raised
/// and lowered ones too.
fn part<'g>(
    inside: &[Numbered<'g>],
    is_near: impl Fn(&Glyph) -> bool,
    distance: impl Fn(&Glyph) -> f64,
) -> Vec<Numbered<'g>> {
    let near = inside.iter().filter(|(_, glyph)| is_near(glyph));
    let Some((_, first)) = near.min_by(|a, b| distance(a.1).total_cmp(&distance(b.1))) else {
        return Vec::new();
    };
    let height = |glyph: &Glyph| line_box(0.0, 1.0, glyph.baseline(), glyph.size);
    let mut reach = height(first);
    let mut members: Vec<Numbered<'g>> = Vec::new();
    // Twice, since the nearest may be an index, which the exponents of its line are far above.
    for _ in 0..2 {
        for member in inside {
            let own = height(member.1);
            let shared = own.y1.min(reach.y1) - own.y0.max(reach.y0);
            let is_new = !members.iter().any(|(at, _)| *at == member.0);
            if is_new && shared > 0.25 * own.height().min(reach.height()) {
                reach = reach.union(own);
                members.push(*member);
            }
        }
    }
    members
}

/// Returns `true` if two parts are centred on a rule that is as long as the longer of them.
fn fit(above: &[Numbered<'_>], below: &[Numbered<'_>], bar: Rule, size: f64) -> bool {
    let extent = |part: &[Numbered<'_>]| {
        let left = part.iter().map(|(_, glyph)| glyph.left()).fold(f64::MAX, f64::min);
        let right = part.iter().map(|(_, glyph)| glyph.right()).fold(f64::MIN, f64::max);
        (left, right)
    };
    if above.is_empty() || below.is_empty() {
        return false;
    }
    let parts = [extent(above), extent(below)];
    let middle = f64::midpoint(bar.start, bar.end);
    let is_centred = |(left, right): &(f64, f64)| {
        (f64::midpoint(*left, *right) - middle).abs() < OFF_CENTRE * size
    };
    let widest = parts.iter().map(|(left, right)| right - left).fold(0.0, f64::max);
    parts.iter().all(is_centred) && (bar.end - bar.start - widest).abs() < OVERHANG * size
}
