//! Lines and areas of a page: what may rule a table, and what ground text stands on.

use hayro_interpret::kurbo::{Affine, BezPath, PathEl, Point, Rect, Shape};

use super::ink::Rule;

/// A drawing with more rules than this is a picture, not a table.
const MOST_RULES: usize = 6_000;
const MOST_AREAS: usize = 6_000;
/// Thicker lines, in points, are areas.
const THICKEST: f64 = 3.5;
/// Shorter lines, in points, rule nothing.
const SHORTEST: f64 = 4.0;

/// The fill of an area.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fill {
    pub(super) is_light: bool,
}

#[derive(Debug, Default)]
pub(super) struct Strokes {
    rules: Vec<Rule>,
    areas: Vec<(Rect, Fill)>,
}

impl Strokes {
    pub(super) fn fill(&mut self, path: &BezPath, transform: Affine, fill: Fill) {
        for part in parts(path) {
            let bounds = transform.transform_rect_bbox(part.bounding_box());
            if !bounds.is_finite() {
                continue;
            }
            let (width, height) = (bounds.width(), bounds.height());
            if !fill.is_light && height <= THICKEST && width >= SHORTEST.max(3.0 * height) {
                self.rule(true, bounds.center().y, bounds.x0, bounds.x1);
            } else if !fill.is_light && width <= THICKEST && height >= SHORTEST.max(3.0 * width) {
                self.rule(false, bounds.center().x, bounds.y0, bounds.y1);
            } else if width > THICKEST && height > THICKEST && self.areas.len() < MOST_AREAS {
                self.areas.push((bounds, fill));
            }
        }
    }

    pub(super) fn stroke(&mut self, path: &BezPath, transform: Affine, fill: Fill) {
        if fill.is_light {
            return;
        }
        let (mut first, mut last) = (Point::ZERO, Point::ZERO);
        for element in path.elements() {
            match *element {
                PathEl::MoveTo(point) => {
                    first = point;
                    last = point;
                }
                PathEl::LineTo(point) => {
                    self.segment(transform * last, transform * point);
                    last = point;
                }
                PathEl::QuadTo(_, point) | PathEl::CurveTo(_, _, point) => last = point,
                PathEl::ClosePath => {
                    self.segment(transform * last, transform * first);
                    last = first;
                }
            }
        }
    }

    fn segment(&mut self, from: Point, to: Point) {
        let (dx, dy) = ((to.x - from.x).abs(), (to.y - from.y).abs());
        if dy <= 0.6 && dx >= SHORTEST {
            self.rule(true, (from.y + to.y) / 2.0, from.x.min(to.x), from.x.max(to.x));
        } else if dx <= 0.6 && dy >= SHORTEST {
            self.rule(false, (from.x + to.x) / 2.0, from.y.min(to.y), from.y.max(to.y));
        }
    }

    fn rule(&mut self, is_level: bool, position: f64, start: f64, end: f64) {
        if self.rules.len() < MOST_RULES && [position, start, end].iter().all(|n| n.is_finite()) {
            self.rules.push(Rule { is_level, position, start, end });
        }
    }

    /// Returns `true` if what was painted last at this place is light, or nothing was.
    pub(super) fn ground_is_light(&self, at: Point) -> bool {
        let last = self.areas.iter().rev().find(|(area, _)| area.contains(at));
        last.is_none_or(|(_, fill)| fill.is_light)
    }

    /// The rules; none if there are so many that they draw a picture.
    pub(super) fn into_rules(self) -> Vec<Rule> {
        if self.rules.len() < MOST_RULES { self.rules } else { Vec::new() }
    }
}

/// The strokes of the pen between one lifting and the next.
fn parts(path: &BezPath) -> Vec<BezPath> {
    let mut parts: Vec<BezPath> = Vec::new();
    for element in path.elements() {
        if matches!(element, PathEl::MoveTo(_)) || parts.is_empty() {
            parts.push(BezPath::new());
        }
        if let Some(part) = parts.last_mut() {
            if part.elements().is_empty() && !matches!(element, PathEl::MoveTo(_)) {
                continue;
            }
            part.push(*element);
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    const DARK: Fill = Fill { is_light: false };
    const LIGHT: Fill = Fill { is_light: true };

    #[test]
    fn thin_areas_and_strokes_are_rules() {
        let mut strokes = Strokes::default();
        let flip = Affine::new([1.0, 0.0, 0.0, -1.0, 0.0, 100.0]);
        strokes.fill(&Rect::new(10.0, 20.0, 90.0, 20.5).to_path(0.1), flip, DARK);
        strokes.fill(&Rect::new(10.0, 20.0, 90.0, 20.5).to_path(0.1), flip, LIGHT);
        let mut path = BezPath::new();
        path.move_to((5.0, 5.0));
        path.line_to((5.0, 45.0));
        path.line_to((7.0, 45.0));
        path.line_to((40.0, 70.0));
        strokes.stroke(&path, flip, DARK);
        let level = Rule { is_level: true, position: 79.75, start: 10.0, end: 90.0 };
        let upright = Rule { is_level: false, position: 5.0, start: 55.0, end: 95.0 };
        assert_eq!(strokes.into_rules(), [level, upright]);
    }

    #[test]
    fn the_last_area_is_the_ground() {
        let mut strokes = Strokes::default();
        let area = |size: f64| Rect::new(0.0, 0.0, size, size).to_path(0.1);
        strokes.fill(&area(50.0), Affine::IDENTITY, DARK);
        strokes.fill(&area(20.0), Affine::IDENTITY, LIGHT);
        let found = [10.0, 40.0, 60.0].map(|at| strokes.ground_is_light(Point::new(at, at)));
        assert_eq!(found, [true, false, true]);
    }
}
