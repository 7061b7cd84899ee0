//! Watching the interpreter draw a page, and noting what matters for its text.

use hayro_interpret::font::{Glyph as Drawn, GlyphRun};
use hayro_interpret::hayro_cmap::BfString;
use hayro_interpret::kurbo::{Affine, BezPath, Point, Rect, Shape};
use hayro_interpret::{
    BlendMode, ClipPath, Device, DrawMode, DrawProps, Image, ImageDrawProps, Paint, SoftMask,
};
use hayro_syntax::object::{Dict, Name, String as PdfString};

use super::catalog::text_string;
use super::fonts::Fonts;
use super::ink::{Fill, Glyph, Ink, Role, Sight, Strokes};
use super::letters::readable;
use super::structure::PageTags;

/// Most glyphs taken from one page: a page of small print has 10,000.
const MOST_GLYPHS: usize = 100_000;
/// Smaller text, in points, is not meant to be read.
// Words that only machines are to read are set in one point (`what_nobody_sees_is_left_out_and_reported`).
const SMALLEST: f64 = 1.9;
/// Less opaque ink is not seen.
const FAINTEST: f32 = 0.04;
/// Letters lighter than this, from black to white, are pale.
// Watermarks are grey of 0.75 to 0.9; grey text that is meant to be read is darker than half.
const PALE: f32 = 0.55;

/// A bracket of marked content.
#[derive(Debug, Default)]
struct Mark {
    role: Option<Role>,
    /// The tree states the role, not the bracket.
    is_in_tree: bool,
    /// The text that the glyphs inside stand for, until the first of them has taken it.
    replacement: Option<Replacement>,
}

#[derive(Debug)]
enum Replacement {
    Due(String),
    Given,
}

/// Collects the ink of one page.
pub(super) struct Collector<'f, 'a> {
    fonts: &'f Fonts<'a>,
    tags: &'f PageTags,
    page: Rect,
    /// The glyphs whose role the tree states, and how many brackets it knows and does not.
    tagged_glyphs: Vec<usize>,
    known_marks: usize,
    unknown_marks: usize,
    glyphs: Vec<Glyph>,
    unknown_glyphs: usize,
    images: Vec<Rect>,
    strokes: Strokes,
    marks: Vec<Mark>,
    clips: Vec<Rect>,
    opacities: Vec<f32>,
}

impl<'f, 'a> Collector<'f, 'a> {
    pub(super) fn new(fonts: &'f Fonts<'a>, tags: &'f PageTags, width: f64, height: f64) -> Self {
        Self {
            fonts,
            tags,
            tagged_glyphs: Vec::new(),
            known_marks: 0,
            unknown_marks: 0,
            page: Rect::new(0.0, 0.0, width, height),
            glyphs: Vec::new(),
            unknown_glyphs: 0,
            images: Vec::new(),
            strokes: Strokes::default(),
            marks: Vec::new(),
            clips: Vec::new(),
            opacities: Vec::new(),
        }
    }

    pub(super) fn finish(mut self) -> Ink {
        // A tree that does not know the page's brackets is that of another page.
        if 5 * self.unknown_marks > self.known_marks {
            for index in &self.tagged_glyphs {
                if let Some(glyph) = self.glyphs.get_mut(*index) {
                    glyph.role = Role::Untold;
                }
            }
        }
        Ink {
            width: self.page.width(),
            height: self.page.height(),
            glyphs: self.glyphs,
            grounds: self.strokes.grounds(),
            areas: self.strokes.areas(),
            rules: self.strokes.into_rules(),
            images: self.images,
            links: Vec::new(),
            struck_areas: Vec::new(),
            unknown_glyphs: self.unknown_glyphs,
        }
    }

    /// The role of what is drawn now, and whether the tree states it.
    fn role(&self) -> (Role, bool) {
        let innermost = self.marks.iter().rev().find(|mark| mark.role.is_some());
        let role = innermost.and_then(|mark| mark.role).unwrap_or_default();
        (role, innermost.is_some_and(|mark| mark.is_in_tree))
    }

    /// The heading that a bracket is by the tree, if it is one.
    fn stated(&mut self, properties: Option<&Dict<'_>>) -> Option<Role> {
        let id = properties?.get::<i32>(b"MCID")?;
        let role = self.tags.get(&id).copied();
        match role {
            Some(_) => self.known_marks += 1,
            None => self.unknown_marks += 1,
        }
        role.filter(|role| *role != Role::Untold)
    }

    fn visible(&self) -> Rect {
        self.clips.last().map_or(self.page, |clip| clip.intersect(self.page))
    }

    fn is_faint(&self, paint: &Paint<'_>) -> bool {
        let group: f32 = self.opacities.iter().product();
        let own = match paint {
            Paint::Color(color) => color.to_rgba().components()[3],
            Paint::Pattern(_) => 1.0,
        };
        group * own < FAINTEST
    }

    /// Returns `true` if ink of this paint is lighter than text that is meant to be read.
    fn is_pale(&self, paint: &Paint<'_>, at: Point) -> bool {
        let Paint::Color(color) = paint else {
            return false;
        };
        let [red, green, blue, own] = color.to_rgba().components();
        let opacity: f32 = self.opacities.iter().product::<f32>() * own;
        let darkest = red.min(green).min(blue);
        1.0 - opacity * (1.0 - darkest) > PALE && self.is_on_light(at)
    }

    /// Returns `true` if ink of this paint cannot be told from what lies under it.
    fn is_lost(&self, paint: &Paint<'_>, at: Point) -> bool {
        if !is_light(paint) {
            return false;
        }
        self.is_on_light(at)
    }

    /// Returns `true` if nothing dark lies under a place.
    fn is_on_light(&self, at: Point) -> bool {
        let on_image = self.images.iter().any(|image| image.contains(at));
        !on_image && self.strokes.ground_is_light(at)
    }

    fn sight(&self, glyph: &Glyph, paint: &Paint<'_>, mode: &DrawMode) -> Sight {
        let middle = glyph.start.midpoint(glyph.end);
        // The letter stands above its origin, wherever that is for turned text.
        let reach = self.visible().inflate(glyph.size * 0.5, glyph.size * 0.5);
        let is_hidden = glyph.size < SMALLEST
            || !reach.contains(middle)
            || self.is_faint(paint)
            || (!matches!(mode, DrawMode::Invisible) && self.is_lost(paint, middle));
        match mode {
            _ if is_hidden => Sight::Hidden,
            DrawMode::Invisible => Sight::Inkless,
            _ => Sight::Seen,
        }
    }

    /// The text of a glyph, or what the marks around it say it stands for.
    fn text(&mut self, glyph: &Drawn<'_>) -> Option<String> {
        for mark in self.marks.iter_mut().rev() {
            match &mut mark.replacement {
                Some(Replacement::Due(text)) => {
                    let text = std::mem::take(text);
                    mark.replacement = Some(Replacement::Given);
                    return Some(text);
                }
                Some(Replacement::Given) => return Some(String::new()),
                None => {}
            }
        }
        match (glyph.as_unicode(), glyph) {
            (Some(BfString::Char(character)), _) => readable(character.encode_utf8(&mut [0; 4])),
            (Some(BfString::String(text)), _) => readable(&text),
            (None, Drawn::Type3(drawn)) => {
                let width = drawn.advance_width()?;
                let letter = self.fonts.coded_letter(drawn.char_code(), width)?;
                readable(letter.encode_utf8(&mut [0; 4]))
            }
            (None, Drawn::Outline(_)) => None,
        }
    }

    fn push(&mut self, glyph: Glyph) {
        if !glyph.text.is_empty() {
            self.glyphs.push(glyph);
        } else if let Some(last) = self.glyphs.last_mut()
            && last.start.y == glyph.start.y
        {
            // It was covered by the replacement that the glyph before it took.
            last.end.x = last.end.x.max(glyph.end.x);
        }
    }
}

impl<'a> Device<'a> for Collector<'_, 'a> {
    fn draw_path(&mut self, path: &BezPath, props: DrawProps<'a>, mode: &DrawMode) {
        if self.is_faint(&props.paint) {
            return;
        }
        let fill = Fill { is_light: is_light(&props.paint) };
        match mode {
            DrawMode::Fill(_) => self.strokes.fill(path, props.transform, fill),
            DrawMode::Stroke(_) => self.strokes.stroke(path, props.transform, fill),
            DrawMode::FillAndStroke(..) => {
                self.strokes.fill(path, props.transform, fill);
                self.strokes.stroke(path, props.transform, fill);
            }
            DrawMode::Invisible => {}
        }
    }

    fn push_clip_path(&mut self, clip: &ClipPath) {
        // A clip only ever narrows the one around it.
        let visible = self.visible().intersect(clip.path.bounding_box());
        self.clips.push(visible);
    }

    fn pop_clip(&mut self) {
        self.clips.pop();
    }

    fn push_transparency_group(&mut self, opacity: f32, _: Option<SoftMask<'a>>, _: BlendMode) {
        self.opacities.push(opacity);
    }

    fn pop_transparency_group(&mut self) {
        self.opacities.pop();
    }

    fn draw_image(&mut self, image: Image<'a, '_>, props: ImageDrawProps<'a>) {
        let size = Rect::new(0.0, 0.0, f64::from(image.width()), f64::from(image.height()));
        let bounds = props.transform.transform_rect_bbox(size).intersect(self.visible());
        if bounds.area() > 0.0 {
            self.images.push(bounds);
        }
    }

    fn draw_glyph_run(&mut self, run: &GlyphRun<'_, 'a>, props: DrawProps<'a>, mode: &DrawMode) {
        let (role, is_in_tree) = self.role();
        let is_stretched = is_stretched(run, props.transform);
        for drawn in run.glyphs() {
            if self.glyphs.len() >= MOST_GLYPHS {
                return;
            }
            let transform = props.transform * drawn.transform();
            let Some(place) = Place::of(drawn, transform, is_stretched) else {
                continue;
            };
            let Some(text) = self.text(drawn) else {
                self.unknown_glyphs += 1;
                continue;
            };
            let style = match &**drawn {
                Drawn::Outline(outline) => self.fonts.style(outline),
                Drawn::Type3(_) => Default::default(),
            };
            let Place { start, end, size, turns } = place;
            // Slanting text is a watermark or a logo.
            let is_slanted = turns.is_none();
            let turns = turns.unwrap_or(0);
            let is_pale = self.is_pale(&props.paint, start.midpoint(end));
            let is_raised = match &**drawn {
                Drawn::Outline(outline) => self.fonts.is_raised_figure(outline, &text),
                Drawn::Type3(_) => false,
            };
            let mut glyph = Glyph {
                text,
                start,
                end,
                size,
                style,
                role,
                turns,
                order: self.glyphs.len(),
                is_raised,
                is_slanted,
                is_pale,
                ..Glyph::default()
            };
            glyph.sight = self.sight(&glyph, &props.paint, mode);
            self.push(glyph);
            if is_in_tree && let Some(last) = self.glyphs.len().checked_sub(1) {
                self.tagged_glyphs.push(last);
            }
        }
    }

    fn begin_marked_content(&mut self, tag: &[u8], properties: Option<&Dict<'_>>) {
        let role = match tag {
            b"Artifact" if is_pagination(properties) => Some(Role::Artifact),
            b"Artifact" => Some(Role::Aside),
            b"H" | b"Title" => Some(Role::Heading(1)),
            [b'H', level @ b'1'..=b'6'] => Some(Role::Heading(level - b'0')),
            _ => None,
        };
        let stated = self.stated(properties);
        let (role, is_in_tree) = (stated.or(role), stated.is_some());
        let replacement = properties
            .and_then(|properties| properties.get::<PdfString<'_>>(b"ActualText"))
            .map(|text| Replacement::Due(text_string(text.as_bytes())));
        self.marks.push(Mark { role, is_in_tree, replacement });
    }

    fn end_marked_content(&mut self) {
        self.marks.pop();
    }
}

/// Returns `true` if an artifact is part of the page, and not only of none of the text. ISO 32000-1, 14.8.2.2.
fn is_pagination(properties: Option<&Dict<'_>>) -> bool {
    let kind = properties.and_then(|properties| properties.get::<Name<'_>>(b"Type"));
    kind.is_some_and(|kind| &*kind == b"Pagination")
}

fn is_light(paint: &Paint<'_>) -> bool {
    match paint {
        Paint::Color(color) => {
            let [red, green, blue, _] = color.to_rgba().components();
            red.min(green).min(blue) > 0.94
        }
        Paint::Pattern(_) => false,
    }
}

/// The place of a glyph on the page.
struct Place {
    start: Point,
    end: Point,
    size: f64,
    /// `None` for text that is neither level nor upright.
    turns: Option<u8>,
}

impl Place {
    fn of(glyph: &Drawn<'_>, transform: Affine, is_stretched: bool) -> Option<Self> {
        let start = transform * Point::ZERO;
        let along = transform * Point::new(1000.0, 0.0) - start;
        let up = transform * Point::new(0.0, 1000.0) - start;
        let size = up.hypot();
        let is_sound = [start.x, start.y, along.x, along.y, size].iter().all(|n| n.is_finite());
        if !is_sound || size <= 0.0 || along.hypot() <= 0.0 {
            return None;
        }
        let advance = match glyph {
            Drawn::Outline(outline) => outline.advance_width(),
            Drawn::Type3(glyph) => glyph.advance_width(),
        };
        // Half an em where the font does not tell; five where it tells nonsense.
        let advance = f64::from(advance.unwrap_or(500.0)).clamp(0.0, 5000.0) / 1000.0;
        let length = if is_stretched { size } else { along.hypot() };
        let end = start + along.normalize() * (advance * length);
        Some(Self { start, end, size, turns: quarter_turns(along.y.atan2(along.x)) })
    }
}

/// A stand-in font is stretched glyph by glyph, and its advances with it; but the page was set with
/// the advances of the font that is missing. A stretch that all glyphs share is the page's own.
fn is_stretched(run: &GlyphRun<'_, '_>, transform: Affine) -> bool {
    let ratios = run.glyphs().iter().map(|glyph| {
        let transform = transform * glyph.transform();
        let origin = transform * Point::ZERO;
        let along = (transform * Point::new(1000.0, 0.0) - origin).hypot();
        along / (transform * Point::new(0.0, 1000.0) - origin).hypot()
    });
    let (least, most) = ratios
        .fold((f64::MAX, f64::MIN), |(least, most), ratio| (least.min(ratio), most.max(ratio)));
    most - least > 0.01
}

/// The angle in quarter turns, if it is near one.
fn quarter_turns(radians: f64) -> Option<u8> {
    let turns = radians / std::f64::consts::FRAC_PI_2;
    let nearest = turns.round();
    // Eleven degrees: scans lie askew, watermarks slant by far more.
    let is_near = (turns - nearest).abs() < 0.12;
    is_near.then_some(match nearest as i32 {
        0 => 0,
        1 => 1,
        -1 => 3,
        _ => 2,
    })
}
