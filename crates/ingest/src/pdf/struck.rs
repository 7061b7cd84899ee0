//! Words that are struck out: by a line drawn through them, or by the note of a viewer.
//!
//! A line strikes out what it crosses between the foot and the middle of its letters, and is as long
//! as the words: it begins and ends with them. An underline lies lower; the rule of a table goes on
//! past its words, or touches an upright one.

use hayro_interpret::kurbo::{Point, Rect};

use super::ink::{Glyph, Ink, Rule};

/// The part of a letter's size, from its baseline up, that such a line crosses.
// Programs draw it at a quarter to a third; double lines lie around that. Lower is an underline that is
// set close, higher the upper edge of small letters.
const CROSSED: std::ops::Range<f64> = 0.14..0.5;
/// Ends of a line, in ems, this near to those of its words are theirs.
// The words of a cell end further from its rules than this in any table that can be read.
const NEAR_END: f64 = 0.25;
/// Pieces of one line lie at most so far apart, in points.
const NEAR_PIECE: f64 = 1.0;
/// Most glyphs that the lines of one page are compared with, all together.
// A page of small print has 10,000 glyphs, 90 of them on a line.
const MOST_COMPARED: usize = 4_000_000;

/// Marks the glyphs that are struck out, by lines of the page or by the areas of a viewer's notes, and
/// takes those lines away, so that they rule no table.
pub(super) fn mark_struck(ink: &mut Ink, noted: &[Rect]) {
    for glyph in &mut ink.glyphs {
        let middle = middle(glyph);
        glyph.is_struck = noted.iter().any(|area| area.contains(middle));
    }
    let mut order: Vec<(f64, usize)> = ink
        .glyphs
        .iter()
        .enumerate()
        .filter(|(_, glyph)| glyph.turns == 0)
        .map(|(at, glyph)| (glyph.baseline(), at))
        .collect();
    order.sort_by(|a, b| a.0.total_cmp(&b.0));
    let largest = ink.glyphs.iter().map(|glyph| glyph.size).fold(0.0, f64::max);
    let mut budget = MOST_COMPARED;
    let mut strikes: Vec<Rule> = Vec::new();
    for line in lines(&ink.rules) {
        let from = order.partition_point(|(baseline, _)| *baseline < line.position);
        let reach = line.position + CROSSED.end * largest;
        let to = order.partition_point(|(baseline, _)| *baseline < reach);
        budget = budget.saturating_sub(to.saturating_sub(from));
        if budget == 0 {
            break;
        }
        let near = order.get(from..to).unwrap_or_default();
        let crossed = crossed(&ink.glyphs, near, line);
        if is_strike(&ink.glyphs, &crossed, line) && !is_framed(&ink.rules, line) {
            strikes.push(line);
            for at in crossed {
                if let Some(glyph) = ink.glyphs.get_mut(at) {
                    glyph.is_struck = true;
                }
            }
        }
    }
    ink.rules.retain(|rule| !strikes.iter().any(|strike| lies_on(*rule, *strike)));
}

/// Level lines, those joined that are drawn word by word.
fn lines(rules: &[Rule]) -> Vec<Rule> {
    let mut level: Vec<Rule> = rules.iter().copied().filter(|rule| rule.is_level).collect();
    // Pieces of one line have one height but for rounding.
    let height = |rule: &Rule| (rule.position * 4.0).round();
    level.sort_by(|a, b| height(a).total_cmp(&height(b)).then(a.start.total_cmp(&b.start)));
    let mut lines: Vec<Rule> = Vec::new();
    for rule in level {
        match lines.last_mut() {
            Some(last)
                if (last.position - rule.position).abs() < 0.3
                    && rule.start - last.end < NEAR_PIECE =>
            {
                last.end = last.end.max(rule.end);
            }
            _ => lines.push(rule),
        }
    }
    lines
}

fn lies_on(rule: Rule, line: Rule) -> bool {
    rule.is_level
        && (rule.position - line.position).abs() < 0.3
        && rule.start >= line.start - 0.1
        && rule.end <= line.end + 0.1
}

fn middle(glyph: &Glyph) -> Point {
    let middle = glyph.start.midpoint(glyph.end);
    Point::new(middle.x, middle.y - 0.3 * glyph.size)
}

/// The glyphs among those at `near` that a line runs through.
fn crossed(glyphs: &[Glyph], near: &[(f64, usize)], line: Rule) -> Vec<usize> {
    let is_crossed = |at: &usize| {
        glyphs.get(*at).is_some_and(|glyph| {
            let height = (glyph.baseline() - line.position) / glyph.size;
            let middle = middle(glyph).x;
            CROSSED.contains(&height) && line.start < middle && middle < line.end
        })
    };
    near.iter().map(|(_, at)| *at).filter(is_crossed).collect()
}

/// Returns `true` if a line begins and ends with the words that it crosses.
fn is_strike(glyphs: &[Glyph], crossed: &[usize], line: Rule) -> bool {
    let inked = || {
        let glyphs = crossed.iter().filter_map(|at| glyphs.get(*at));
        glyphs.filter(|glyph| glyph.has_ink())
    };
    let left = inked().map(Glyph::left).fold(f64::MAX, f64::min);
    let right = inked().map(Glyph::right).fold(f64::MIN, f64::max);
    let size = inked().map(|glyph| glyph.size).fold(0.0, f64::max);
    // With the spaces around its words a line may be longer than they are.
    let all = || crossed.iter().filter_map(|at| glyphs.get(*at));
    let widest_left = all().map(Glyph::left).fold(left, f64::min);
    let widest_right = all().map(Glyph::right).fold(right, f64::max);
    let near = |end: f64, ink: f64, space: f64| {
        (end - ink).abs() < NEAR_END * size || (end - space).abs() < NEAR_END * size
    };
    inked().any(|glyph| glyph.text.contains(char::is_alphanumeric))
        && near(line.start, left, widest_left)
        && near(line.end, right, widest_right)
}

/// Returns `true` if an upright rule touches a line: it is part of a frame.
fn is_framed(rules: &[Rule], line: Rule) -> bool {
    let touches = |rule: &Rule| {
        !rule.is_level
            && rule.start - 1.0 < line.position
            && line.position < rule.end + 1.0
            && [line.start, line.end].iter().any(|end| (rule.position - end).abs() < 1.5)
    };
    rules.iter().any(touches)
}
