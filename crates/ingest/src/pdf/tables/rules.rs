//! Rules that belong together.

use hayro_interpret::kurbo::Rect;

use crate::pdf::ink::Rule;

/// Lines so near, in points, are one.
pub(super) const NEAR: f64 = 3.0;

/// A frame of rules that touch one another.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Frame {
    pub(super) level: Vec<Rule>,
    pub(super) upright: Vec<Rule>,
}

impl Frame {
    pub(super) fn bounds(&self) -> Rect {
        let boxes = self.level.iter().chain(&self.upright).map(bounds);
        boxes.reduce(|all, next| all.union(next)).unwrap_or(Rect::ZERO)
    }

    /// Returns where the columns (`is_level` false) or rows part: positions of rules, and the ends of the
    /// rules across them where a side is open.
    pub(super) fn edges(&self, is_level: bool) -> Vec<f64> {
        let (own, across) =
            if is_level { (&self.level, &self.upright) } else { (&self.upright, &self.level) };
        let mut edges: Vec<f64> = own.iter().map(|rule| rule.position).collect();
        let start = across.iter().map(|rule| rule.start).fold(f64::MAX, f64::min);
        let end = across.iter().map(|rule| rule.end).fold(f64::MIN, f64::max);
        if across.len() >= 2 {
            edges.extend([start, end]);
        }
        edges.sort_by(f64::total_cmp);
        edges.dedup_by(|next, last| *next - *last < 2.0 * NEAR);
        edges
    }
}

fn bounds(rule: &Rule) -> Rect {
    if rule.is_level {
        Rect::new(rule.start, rule.position, rule.end, rule.position)
    } else {
        Rect::new(rule.position, rule.start, rule.position, rule.end)
    }
}

/// Joins pieces of one line: a border drawn cell by cell.
fn joined(rules: &[Rule], is_level: bool) -> Vec<Rule> {
    let mut rules: Vec<Rule> =
        rules.iter().copied().filter(|rule| rule.is_level == is_level).collect();
    rules.sort_by(|a, b| a.position.total_cmp(&b.position));
    // Those that lie on one line first, then along the line.
    let mut lines: Vec<Vec<Rule>> = Vec::new();
    for rule in rules {
        match lines.last_mut() {
            Some(line)
                if line.first().is_some_and(|first| rule.position - first.position < NEAR) =>
            {
                line.push(rule);
            }
            _ => lines.push(vec![rule]),
        }
    }
    let mut joined: Vec<Rule> = Vec::new();
    for mut line in lines {
        line.sort_by(|a, b| a.start.total_cmp(&b.start));
        for rule in line {
            match joined.last_mut() {
                Some(last) if goes_on(last, &rule) => last.end = last.end.max(rule.end),
                _ => joined.push(rule),
            }
        }
    }
    joined
}

fn goes_on(last: &Rule, rule: &Rule) -> bool {
    (rule.position - last.position).abs() < NEAR && rule.start - last.end < NEAR
}

/// Rules that touch, frame by frame.
pub(super) fn frames(rules: &[Rule]) -> Vec<Frame> {
    let level = joined(rules, true);
    let upright = joined(rules, false);
    let mut group: Vec<usize> = (0..level.len() + upright.len()).collect();
    for (row, rule) in level.iter().enumerate() {
        for (column, other) in upright.iter().enumerate() {
            if touch(rule, other) {
                let (a, b) = (root(&group, row), root(&group, level.len() + column));
                if let Some(parent) = group.get_mut(a.max(b)) {
                    *parent = a.min(b);
                }
            }
        }
    }
    let mut frames: std::collections::BTreeMap<usize, Frame> = Default::default();
    for (index, rule) in level.iter().chain(&upright).enumerate() {
        let frame = frames.entry(root(&group, index)).or_default();
        if rule.is_level { frame.level.push(*rule) } else { frame.upright.push(*rule) }
    }
    frames.into_values().filter(|frame| frame.level.len() + frame.upright.len() >= 4).collect()
}

fn root(group: &[usize], mut index: usize) -> usize {
    while let Some(parent) = group.get(index).filter(|parent| **parent != index) {
        index = *parent;
    }
    index
}

fn touch(level: &Rule, upright: &Rule) -> bool {
    let within = |at: f64, rule: &Rule| at > rule.start - NEAR && at < rule.end + NEAR;
    within(upright.position, level) && within(level.position, upright)
}
