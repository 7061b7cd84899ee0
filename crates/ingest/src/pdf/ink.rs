//! The ink of one page: glyphs, rules, areas and images, in points from its top left corner.

use hayro_interpret::kurbo::{Affine, BezPath, PathEl, Point, Rect, Shape};

/// The look of letters, as far as it says something about their part in the text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Style {
    pub(super) bold: bool,
    pub(super) italic: bool,
    pub(super) monospace: bool,
}

/// The visibility of a glyph to a reader of the page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Sight {
    #[default]
    Seen,
    /// Drawn without ink, as the text layer over a scanned page is.
    Inkless,
    /// In the colour of the ground, transparent, outside of the page or too small to read.
    Hidden,
}

/// The role of a piece of text, as a tagged PDF states it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Role {
    #[default]
    Untold,
    /// Furniture: running headers, page numbers, watermarks.
    Artifact,
    /// No part of the text, though nothing says that it is part of the page: whatever a program could
    /// not tag.
    Aside,
    /// A heading of this level, 1 to 6.
    Heading(u8),
}

/// One glyph, as text.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Glyph {
    pub(super) text: String,
    /// Its origin on the baseline, and where the next glyph would begin.
    pub(super) start: Point,
    pub(super) end: Point,
    /// In points, after all transforms.
    pub(super) size: f64,
    pub(super) style: Style,
    pub(super) role: Role,
    pub(super) sight: Sight,
    /// Quarter turns clockwise from upright.
    pub(super) turns: u8,
    /// Its place in the order of drawing.
    pub(super) order: usize,
    /// A small figure above its line: the mark of a note, an exponent.
    pub(super) is_raised: bool,
    /// The distance from its baseline down to that of its line, negative for one that hangs below.
    pub(super) lift: f64,
    /// A line runs through it.
    pub(super) is_struck: bool,
    /// Neither level nor upright.
    pub(super) is_slanted: bool,
    /// Lighter than text is.
    pub(super) is_pale: bool,
}

impl Glyph {
    pub(super) fn left(&self) -> f64 {
        self.start.x
    }

    pub(super) fn right(&self) -> f64 {
        self.end.x.max(self.start.x)
    }

    pub(super) fn baseline(&self) -> f64 {
        self.start.y
    }

    /// The baseline of the line that it belongs to.
    pub(super) fn line_baseline(&self) -> f64 {
        self.start.y + self.lift
    }

    pub(super) fn has_ink(&self) -> bool {
        !self.text.trim().is_empty()
    }
}

/// The box of a run of text: from its ascenders to its descenders.
pub(super) fn line_box(left: f64, right: f64, baseline: f64, size: f64) -> Rect {
    Rect::new(left, baseline - 0.75 * size, right.max(left), baseline + 0.22 * size)
}

/// The median, the higher of two in the middle; `None` of nothing.
pub(super) fn median(values: impl IntoIterator<Item = f64>) -> Option<f64> {
    let mut sorted: Vec<f64> = values.into_iter().collect();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied()
}

/// A straight line, level or upright.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rule {
    pub(super) is_level: bool,
    /// Its y if level, its x if upright.
    pub(super) position: f64,
    /// Along the other axis, `start < end`.
    pub(super) start: f64,
    pub(super) end: f64,
}

/// All that was drawn on a page.
#[derive(Clone, Debug, Default)]
pub(super) struct Ink {
    pub(super) width: f64,
    pub(super) height: f64,
    pub(super) glyphs: Vec<Glyph>,
    pub(super) rules: Vec<Rule>,
    pub(super) images: Vec<Rect>,
    /// The grounds that text may stand on: areas that were filled.
    pub(super) grounds: Vec<Rect>,
    /// All areas that were filled, the grounds among them.
    pub(super) areas: Vec<Rect>,
    /// The areas of the links.
    pub(super) links: Vec<Rect>,
    /// The areas that notes of a viewer strike out.
    pub(super) struck_areas: Vec<Rect>,
    /// Glyphs that stand for no character anyone knows.
    pub(super) unknown_glyphs: usize,
}

/// A watermark that lies level is so many times as large as the text on it.
const LARGE: f64 = 2.5;
/// Pale letters so many times as large as the text are no heading, whatever is on them.
const LARGE_BY_ITSELF: f64 = 4.0;
/// Most letters of watermarks on one page.
// Each is compared with all others.
const MOST_PALE: usize = 200;

impl Ink {
    /// The share of the page that its images cover, as if they did not overlap.
    pub(super) fn image_share(&self) -> f64 {
        let page = Rect::new(0.0, 0.0, self.width, self.height);
        let covered: f64 = self.images.iter().map(|image| image.intersect(page).area()).sum();
        covered / page.area().max(1.0)
    }

    /// Turns the page so that most of its text stands upright, and settles which glyphs are its
    /// text. Gives back the pieces that a reader does not see.
    pub(super) fn settle(&mut self) -> Vec<Glyph> {
        let seen = self.glyphs.iter().filter(|glyph| glyph.sight == Sight::Seen).count();
        let inkless = self.glyphs.iter().filter(|glyph| glyph.sight == Sight::Inkless).count();
        // A scanned page with a text layer: that layer is what the picture shows.
        // The picture of a scan need not reach to the edges of the page; a page with a photograph has ink of its
        // own beside it.
        let is_scan = self.image_share() > 0.6 && inkless > 4 * seen;
        let kept = |glyph: &Glyph| match glyph.sight {
            Sight::Seen => true,
            Sight::Inkless => is_scan,
            Sight::Hidden => false,
        };
        let (text, hidden) = std::mem::take(&mut self.glyphs).into_iter().partition(kept);
        self.glyphs = text;
        self.upright();
        hidden
    }

    /// Takes out what lies across the page: slanted text, and large pale letters under other text. Gives
    /// back its words, each as it was drawn.
    pub(super) fn take_slanted(&mut self) -> Vec<String> {
        let slanted = self.glyphs.iter().filter(|glyph| glyph.is_slanted).count();
        // A page that is slanted as a whole is one to be read.
        let is_apart = 2 * slanted <= self.glyphs.len();
        let under = self.pale_heights();
        let is_under = |glyph: &Glyph| {
            let at = glyph.baseline();
            glyph.is_pale && under.iter().any(|(height, size)| *height == at && *size == glyph.size)
        };
        let mut taken: Vec<String> = Vec::new();
        let mut is_open = false;
        self.glyphs.retain(|glyph| {
            let is_taken = glyph.is_slanted && is_apart || is_under(glyph);
            match taken.last_mut().filter(|_| is_open) {
                Some(text) if is_taken => text.push_str(&glyph.text),
                _ if is_taken => taken.push(glyph.text.clone()),
                _ => {}
            }
            is_open = is_taken;
            !is_taken
        });
        taken.retain(|text| text.contains(char::is_alphanumeric));
        taken
    }

    /// The baselines and sizes of large pale text that other text is on.
    fn pale_heights(&self) -> Vec<(f64, f64)> {
        let usual = median(self.glyphs.iter().map(|glyph| glyph.size)).unwrap_or(0.0);
        let large = self.glyphs.iter().filter(|glyph| glyph.is_pale && glyph.size > LARGE * usual);
        let mut found: Vec<(f64, f64)> = Vec::new();
        for glyph in large.take(MOST_PALE) {
            let area = line_box(glyph.left(), glyph.right(), glyph.baseline(), glyph.size);
            let is_on = |other: &Glyph| {
                let middle = other.start.midpoint(other.end);
                !other.is_pale && other.has_ink() && area.contains(middle)
            };
            let place = (glyph.baseline(), glyph.size);
            let is_watermark =
                || glyph.size > LARGE_BY_ITSELF * usual || self.glyphs.iter().any(is_on);
            if !found.contains(&place) && is_watermark() {
                found.push(place);
            }
        }
        found
    }

    fn upright(&mut self) {
        let mut counts = [0_usize; 4];
        for glyph in &self.glyphs {
            counts[usize::from(glyph.turns % 4)] += 1;
        }
        // Backwards, as `max_by_key` keeps the last of equals: the least turn.
        let most = (0_u8..4).rev().max_by_key(|turns| counts[usize::from(*turns)]);
        let turns = most.unwrap_or(0);
        for _ in 0..turns {
            self.turn_back();
        }
    }

    /// A quarter turn against the clock.
    fn turn_back(&mut self) {
        let width = self.width;
        for glyph in &mut self.glyphs {
            turn_glyph_back(glyph, width);
        }
        for rule in &mut self.rules {
            *rule = if rule.is_level {
                let (start, end) = (width - rule.end, width - rule.start);
                Rule { is_level: false, position: rule.position, start, end }
            } else {
                Rule { is_level: true, position: width - rule.position, ..*rule }
            };
        }
        let areas = self.images.iter_mut().chain(&mut self.links);
        for area in
            areas.chain(&mut self.struck_areas).chain(&mut self.grounds).chain(&mut self.areas)
        {
            *area = Rect::new(area.y0, width - area.x1, area.y1, width - area.x0);
        }
        (self.width, self.height) = (self.height, self.width);
    }

    /// Takes out the glyphs that are not upright, each kind turned so that it is, in the
    /// coordinates of the page turned with it.
    pub(super) fn take_turned(&mut self) -> [Vec<Glyph>; 3] {
        let mut kinds: [Vec<Glyph>; 3] = Default::default();
        let (width, height) = (self.width, self.height);
        self.glyphs.retain(|glyph| {
            let kind = glyph.turns.checked_sub(1).and_then(|at| kinds.get_mut(usize::from(at)));
            if let Some(kind) = kind {
                let mut glyph = glyph.clone();
                for turn in 0..glyph.turns {
                    turn_glyph_back(&mut glyph, if turn % 2 == 0 { width } else { height });
                }
                kind.push(glyph);
                return false;
            }
            true
        });
        kinds
    }
}

/// Turns a glyph with its page, of this width before, a quarter against the clock.
fn turn_glyph_back(glyph: &mut Glyph, width: f64) {
    let turn = |point: Point| Point::new(point.y, width - point.x);
    (glyph.start, glyph.end) = (turn(glyph.start), turn(glyph.end));
    glyph.turns = (glyph.turns + 3) % 4;
}

/// A drawing with more rules than this is a picture, not a table.
// Each level rule is compared with each upright one.
const MOST_RULES: usize = 6_000;
const MOST_AREAS: usize = 6_000;
/// Thicker lines, in points, are areas.
// Many programs fill thin boxes instead of drawing lines, the thinnest half a point.
const THICKEST: f64 = 3.5;
/// Shorter lines, in points, rule nothing.
// Of half a point, the strokes of drawn letters and dashes are rules (`thin_areas_and_strokes_are_rules`).
const SHORTEST: f64 = 4.0;

/// The fill of an area.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fill {
    pub(super) is_light: bool,
}

/// Lines and areas of a page: what may rule a table, and what ground text stands on.
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

    /// The areas large enough for a few lines of text, in the order of painting.
    pub(super) fn grounds(&self) -> Vec<Rect> {
        let is_large = |area: &Rect| area.width() > 60.0 && area.height() > 25.0;
        self.areas.iter().map(|(area, _)| *area).filter(is_large).collect()
    }

    /// All areas, in the order of painting.
    pub(super) fn areas(&self) -> Vec<Rect> {
        self.areas.iter().map(|(area, _)| *area).collect()
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

    fn glyph(text: &str, start: (f64, f64), end: (f64, f64), turns: u8) -> Glyph {
        let (start, end) = (Point::from(start), Point::from(end));
        Glyph { text: text.to_owned(), start, end, size: 10.0, turns, ..Glyph::default() }
    }

    #[test]
    fn a_page_on_its_side_is_turned_upright() {
        let mut ink = Ink { width: 200.0, height: 100.0, ..Ink::default() };
        // Written downwards, from top to bottom: a quarter turn clockwise.
        ink.glyphs = vec![
            glyph("a", (150.0, 10.0), (150.0, 15.0), 1),
            glyph("b", (150.0, 15.0), (150.0, 20.0), 1),
            glyph("c", (10.0, 90.0), (15.0, 90.0), 0),
        ];
        ink.rules = vec![Rule { is_level: false, position: 140.0, start: 10.0, end: 60.0 }];
        assert!(ink.settle().is_empty());
        assert_eq!((ink.width, ink.height), (100.0, 200.0));
        let first = &ink.glyphs[0];
        assert_eq!((first.left(), first.right(), first.baseline()), (10.0, 15.0, 50.0));
        let expected = Rule { is_level: true, position: 60.0, start: 10.0, end: 60.0 };
        assert_eq!(ink.rules, [expected]);
        let [one, two, three] = ink.take_turned();
        assert_eq!((one.len(), two.len(), three.len(), ink.glyphs.len()), (0, 0, 1, 2));
        assert_eq!((three[0].left(), three[0].right(), three[0].baseline()), (10.0, 15.0, 90.0));
    }

    #[test]
    fn an_inkless_layer_is_text_over_a_picture_only() {
        let inkless = Glyph { sight: Sight::Inkless, ..glyph("a", (1.0, 1.0), (2.0, 1.0), 0) };
        let mut ink = Ink { width: 100.0, height: 100.0, ..Ink::default() };
        ink.glyphs = vec![inkless];
        let mut scan = ink.clone();
        scan.images = vec![Rect::new(-5.0, 0.0, 100.0, 90.0)];
        assert_eq!((ink.settle().len(), ink.glyphs.len()), (1, 0));
        assert_eq!((scan.settle().len(), scan.glyphs.len()), (0, 1));
    }

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
