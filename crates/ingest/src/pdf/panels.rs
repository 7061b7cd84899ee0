//! Panels: boxes with text in them that stand side by side, or beside text that runs around them.
//!
//! A box is what rules enclose, or an area that was painted as a ground. What is in one is read
//! as a whole, before anything beside it: the lines of neighbouring boxes share their heights and
//! would be taken for the rows of a table.

use hayro_interpret::kurbo::Rect;

use super::ink::Rule;
use super::lines::{Piece, rows};
use super::tables::joined;

/// Corners may be round: so far, in points, rules end before the corner of their box.
const ROUND: f64 = 8.0;
/// Boxes with a gap narrower than this are cells that touch.
const APART: f64 = 4.0;
/// Lower boxes, in points, hold no lines.
const LOWEST: f64 = 20.0;
/// Narrower boxes hold no words.
const NARROWEST: f64 = 40.0;
/// With more rules or areas a page is a drawing.
// Each is compared with all others.
const MOST: usize = 300;

/// Text that is beside the running text.
#[derive(Debug)]
pub(super) struct Aside {
    pub(super) bounds: Rect,
    pub(super) pieces: Vec<Piece>,
    /// Where its lines end at the latest, if that is known.
    pub(super) edge: Option<f64>,
    /// `true` if it comes before what it is beside, not after.
    pub(super) is_before: bool,
}

/// A box with text.
#[derive(Debug)]
pub(super) struct Panel {
    pub(super) pieces: Vec<Piece>,
    /// Where its lines end at the latest: as far from its right side as they begin from its left.
    pub(super) edge: f64,
}

impl Panel {
    fn of(bounds: Rect, pieces: Vec<Piece>) -> Self {
        let left = pieces.iter().map(|piece| piece.bounds.x0).fold(bounds.x1, f64::min);
        Self { pieces, edge: bounds.x1 - (left - bounds.x0).max(0.0) }
    }
}

/// What is left of a page's pieces, and the panels taken out of them.
#[derive(Debug, Default)]
pub(super) struct Taken {
    pub(super) pieces: Vec<Piece>,
    /// Panels that stand side by side, from left to right.
    pub(super) groups: Vec<Vec<Panel>>,
    pub(super) asides: Vec<Aside>,
}

/// A box and the pieces in it.
#[derive(Clone, Debug)]
struct Held {
    bounds: Rect,
    members: Vec<usize>,
    /// Drawn by rules that it shares with its neighbours.
    is_ruled: bool,
}

/// Takes panels out of a page; one piece takes the place of those that stand side by side.
pub(super) fn take_panels(pieces: Vec<Piece>, rules: &[Rule], grounds: &[Rect]) -> Taken {
    let held = held(&pieces, rules, grounds);
    if held.is_empty() {
        return Taken { pieces, ..Taken::default() };
    }
    let groups = groups(&held, &pieces);
    let mut slots: Vec<Option<Piece>> = pieces.into_iter().map(Some).collect();
    let mut taken = Taken::default();
    for group in groups {
        let bounds = group.iter().map(|at| at.bounds).reduce(|all, next| all.union(next));
        let panels = group
            .iter()
            .map(|panel| Panel::of(panel.bounds, take(&mut slots, &panel.members)))
            .collect();
        slots.extend(bounds.map(|bounds| Some(Piece::of_panels(taken.groups.len(), bounds))));
        taken.groups.push(panels);
    }
    for panel in &held {
        if runs_around(panel, &slots) {
            let Panel { pieces, edge } = Panel::of(panel.bounds, take(&mut slots, &panel.members));
            let edge = Some(edge);
            taken.asides.push(Aside { bounds: panel.bounds, pieces, edge, is_before: false });
        }
    }
    taken.pieces = slots.into_iter().flatten().collect();
    taken
}

fn take(slots: &mut [Option<Piece>], members: &[usize]) -> Vec<Piece> {
    members.iter().filter_map(|member| slots.get_mut(*member)?.take()).collect()
}

/// The boxes that hold text, the largest first.
fn held(pieces: &[Piece], rules: &[Rule], grounds: &[Rect]) -> Vec<Held> {
    let ruled = boxes(rules).into_iter().map(|bounds| (bounds, true));
    let grounds = stacked(grounds).into_iter().map(|bounds| (bounds, false));
    let mut places: Vec<(Rect, bool)> = ruled.chain(grounds).collect();
    places.sort_by(|a, b| b.0.area().total_cmp(&a.0.area()));
    let mut held: Vec<Held> = Vec::new();
    for (bounds, is_ruled) in places {
        let is_known = held.iter().any(|known| is_alike(known.bounds, bounds));
        if !is_known && let Some(members) = members(pieces, bounds) {
            held.push(Held { bounds, members, is_ruled });
        }
    }
    held
}

fn is_alike(a: Rect, b: Rect) -> bool {
    let sides = [a.x0 - b.x0, a.y0 - b.y0, a.x1 - b.x1, a.y1 - b.y1];
    sides.iter().all(|side| side.abs() < APART)
}

/// The pieces in a box; `None` where it holds nothing, nearly all, or a piece crosses its sides.
fn members(pieces: &[Piece], bounds: Rect) -> Option<Vec<usize>> {
    let mut members = Vec::new();
    for (index, piece) in pieces.iter().enumerate() {
        let shared = piece.bounds.intersect(bounds);
        if shared.width() <= APART || shared.height() <= 0.4 * piece.bounds.height() {
            continue;
        }
        if piece.is_block() || shared.width() < piece.bounds.width() - APART {
            return None;
        }
        members.push(index);
    }
    (!members.is_empty() && 5 * members.len() < 4 * pieces.len().max(5)).then_some(members)
}

/// The boxes that rules draw.
fn boxes(rules: &[Rule]) -> Vec<Rect> {
    let (level, upright) = (joined(rules, true), joined(rules, false));
    if level.len() > MOST || upright.len() > MOST {
        return Vec::new();
    }
    let mut upright = upright;
    upright.sort_by(|a, b| a.position.total_cmp(&b.position));
    let mut boxes = Vec::new();
    for (index, left) in upright.iter().enumerate() {
        let is_side = |right: &&Rule| {
            right.position - left.position > NARROWEST
                && (right.start - left.start).abs() < APART
                && (right.end - left.end).abs() < APART
        };
        let Some(right) = upright.iter().skip(index + 1).find(is_side) else {
            continue;
        };
        let spans = |y: f64| {
            level.iter().any(|rule| {
                (rule.position - y).abs() < ROUND
                    && rule.start < left.position + ROUND
                    && rule.end > right.position - ROUND
            })
        };
        if left.end - left.start > LOWEST && spans(left.start) && spans(left.end) {
            boxes.push(Rect::new(left.position, left.start, right.position, left.end));
        }
    }
    boxes
}

/// Grounds, those put together that stand on one another: a title's and its text's.
fn stacked(grounds: &[Rect]) -> Vec<Rect> {
    if grounds.len() > MOST {
        return Vec::new();
    }
    let mut grounds = grounds.to_vec();
    grounds.sort_by(|a, b| a.y0.total_cmp(&b.y0));
    let mut stacked: Vec<Rect> = Vec::new();
    for ground in grounds {
        let below = stacked.iter_mut().find(|above| {
            (above.x0 - ground.x0).abs() < APART
                && (above.x1 - ground.x1).abs() < APART
                && (ground.y0 - above.y1).abs() < APART
        });
        match below {
            Some(above) => *above = above.union(ground),
            None => stacked.push(ground),
        }
    }
    stacked
}

/// Returns `true` if two boxes stand side by side.
fn are_beside(a: Rect, b: Rect) -> bool {
    let shared = a.y1.min(b.y1) - a.y0.max(b.y0);
    let is_disjoint = a.x1 < b.x0 + 1.0 || b.x1 < a.x0 + 1.0;
    is_disjoint && shared > 0.5 * (a.height().min(b.height()))
}

/// The boxes that stand side by side and hold more than cells of a table would.
fn groups(held: &[Held], pieces: &[Piece]) -> Vec<Vec<Held>> {
    let mut is_taken = vec![false; pieces.len()];
    let mut groups = Vec::new();
    for first in held {
        let is_free = |panel: &Held, is_taken: &[bool]| {
            panel.members.iter().all(|member| !is_taken.get(*member).copied().unwrap_or(true))
        };
        if !is_free(first, &is_taken) {
            continue;
        }
        let mut group = vec![first.clone()];
        for panel in held {
            if is_free(panel, &is_taken)
                && group.iter().all(|other| are_beside(other.bounds, panel.bounds))
            {
                group.push(panel.clone());
            }
        }
        group.sort_by(|a, b| a.bounds.x0.total_cmp(&b.bounds.x0));
        if group.len() >= 2 && are_panels(&group, held, pieces) {
            for member in group.iter().flat_map(|panel| &panel.members) {
                if let Some(taken) = is_taken.get_mut(*member) {
                    *taken = true;
                }
            }
            groups.push(group);
        }
    }
    groups
}

/// Returns `true` if boxes that stand side by side are no cells of a table: they keep a distance,
/// or there are none above and below, and they hold several lines.
fn are_panels(group: &[Held], held: &[Held], pieces: &[Piece]) -> bool {
    let touch = |pair: &[Held]| match pair {
        [a, b] => b.bounds.x0 - a.bounds.x1 < APART,
        _ => false,
    };
    let is_stacked = || {
        group.iter().any(|panel| {
            held.iter().any(|other| {
                let gap = (other.bounds.y0 - panel.bounds.y1)
                    .min((panel.bounds.y0 - other.bounds.y1).abs());
                let shared =
                    panel.bounds.x1.min(other.bounds.x1) - panel.bounds.x0.max(other.bounds.x0);
                gap.abs() < APART && shared > APART
            })
        })
    };
    if group.windows(2).any(touch) && (is_stacked() || !group.iter().all(|panel| panel.is_ruled)) {
        return false;
    }
    let lines: Vec<Vec<Vec<Piece>>> = group
        .iter()
        .map(|panel| {
            let own = panel.members.iter().filter_map(|member| pieces.get(*member));
            rows(own.cloned().collect())
        })
        .collect();
    let is_headed = |lines: &Vec<Vec<Piece>>| {
        lines.len() >= 2
            && lines.first().is_some_and(|row| {
                row.iter().flat_map(|piece| &piece.words).all(|word| word.style.bold)
            })
    };
    lines.iter().any(|lines| lines.len() >= 3) || lines.iter().all(is_headed)
}

/// Returns `true` if text runs around a box: beside it, and above or below it past its sides.
fn runs_around(panel: &Held, slots: &[Option<Piece>]) -> bool {
    let bounds = panel.bounds;
    let is_whole = panel.members.iter().all(|at| slots.get(*at).is_some_and(Option::is_some));
    if !is_whole {
        return false;
    }
    let others = || {
        let is_member = |index: &usize| panel.members.contains(index);
        let outside = slots.iter().enumerate().filter(move |(index, _)| !is_member(index));
        outside.filter_map(|(_, slot)| slot.as_ref()).filter(|piece| !piece.is_block())
    };
    let beside = others()
        .filter(|piece| (bounds.y0..bounds.y1).contains(&piece.bounds.center().y))
        .filter(|piece| piece.words.len() >= 3)
        .count();
    let past = others().any(|piece| {
        let is_next = piece.bounds.y1 > bounds.y0 - 3.0 * piece.size
            && piece.bounds.y0 < bounds.y1 + 3.0 * piece.size;
        let crosses = |x: f64| {
            piece.bounds.x0 < x - 2.0 * piece.size && piece.bounds.x1 > x + 2.0 * piece.size
        };
        is_next && (crosses(bounds.x0) || crosses(bounds.x1))
    });
    beside >= 2 && past
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(x0: f64, y0: f64, x1: f64, y1: f64) -> [Rule; 4] {
        let level = |position| Rule { is_level: true, position, start: x0, end: x1 };
        let upright = |position| Rule { is_level: false, position, start: y0, end: y1 };
        [level(y0), level(y1), upright(x0), upright(x1)]
    }

    fn card(x: f64, lines: &[&str]) -> Vec<Piece> {
        let place =
            |(row, text): (usize, &&str)| Piece::sample(text, x + 5.0, 110.0 + 12.0 * row as f64);
        lines.iter().enumerate().map(place).collect()
    }

    fn shown(taken: &Taken) -> Vec<Vec<String>> {
        let panel =
            |panel: &Panel| panel.pieces.iter().map(Piece::text).collect::<Vec<_>>().join(" / ");
        taken.groups.iter().map(|group| group.iter().map(panel).collect()).collect()
    }

    #[test]
    fn boxes_side_by_side_are_read_one_after_the_other() {
        let cards = || {
            let mut pieces = vec![Piece::sample("above all", 0.0, 50.0)];
            for (x, lines) in
                [(0.0, &["a b", "c d", "e"][..]), (150.0, &["f", "g h"]), (300.0, &["i", "j"])]
            {
                pieces.extend(card(x, lines));
            }
            pieces
        };
        let whole = [vec!["a b / c d / e".to_owned(), "f / g h".into(), "i / j".into()]];
        let rules = [0.0, 150.0, 300.0].map(|x| frame(x, 98.0, x + 130.0, 150.0)).concat();
        let taken = take_panels(cards(), &rules, &[]);
        assert_eq!(shown(&taken), whole);
        assert_eq!(taken.pieces.len(), 2);
        // Painted grounds, one of them of a title and its text.
        let grounds = [
            Rect::new(0.0, 98.0, 130.0, 150.0),
            Rect::new(150.0, 98.0, 280.0, 115.0),
            Rect::new(150.0, 115.0, 280.0, 150.0),
            Rect::new(300.0, 98.0, 430.0, 150.0),
        ];
        assert_eq!(shown(&take_panels(cards(), &[], &grounds)), whole);
        // One row of a table: its cells share their sides.
        let mut shared = frame(0.0, 98.0, 450.0, 150.0).to_vec();
        shared.extend([145.0, 295.0].map(|position| Rule {
            is_level: false,
            position,
            start: 98.0,
            end: 150.0,
        }));
        assert_eq!(shown(&take_panels(cards(), &shared, &[])), whole);
    }

    #[test]
    fn cells_of_a_table_are_no_panels() {
        let cells = || {
            let mut pieces = vec![Piece::sample("above all", 0.0, 50.0)];
            for x in [0.0, 150.0] {
                pieces.extend(card(x, &["a b", "c d", "e"]));
            }
            pieces
        };
        // Painted cells that touch.
        let grounds = [Rect::new(0.0, 98.0, 150.0, 150.0), Rect::new(150.0, 98.0, 280.0, 150.0)];
        assert!(take_panels(cells(), &[], &grounds).groups.is_empty());
        // Boxes of one line each.
        let rules = [0.0, 150.0].map(|x| frame(x, 100.0, x + 130.0, 125.0)).concat();
        let single = || [0.0, 150.0].map(|x| Piece::sample("a", x + 5.0, 112.0)).to_vec();
        assert!(take_panels(single(), &rules, &[]).groups.is_empty());
    }

    #[test]
    fn a_box_with_text_around_it_is_taken_out() {
        let mut pieces = vec![Piece::sample("t t t t t t t t t t t t", 0.0, 88.0)];
        for row in 0..4 {
            pieces.push(Piece::sample("t t t t t", 0.0, 110.0 + 12.0 * f64::from(row)));
        }
        pieces.push(Piece::sample("t t t t t t t t t t t t", 0.0, 160.0));
        pieces.extend(card(220.0, &["note one", "two"]));
        let rules = frame(220.0, 98.0, 360.0, 150.0);
        let taken = take_panels(pieces, &rules, &[]);
        assert_eq!((taken.asides.len(), taken.pieces.len()), (1, 6));
    }
}
