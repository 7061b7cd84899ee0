//! From a PDF's pages to pieces of lines, with the links that lie over them.

use hayro_interpret::kurbo::{Affine, Rect};
use hayro_interpret::{Context, InterpreterCache, InterpreterSettings, interpret_page};
use hayro_syntax::Pdf;
use hayro_syntax::object::{Array, Dict, Name, Rect as PdfRect, String as PdfString};
use hayro_syntax::page::Page;

use super::catalog::text_string;
use super::collect::Collector;
use super::fonts::Fonts;
use super::formulas::set_formulas;
use super::gutters::part_at_gutters;
use super::ink::{Ink, Rule};
use super::lines::Piece;
use super::margin::take_line_numbers;
use super::struck::mark_struck;
use super::structure::tags;
use super::words::{Word, pieces, take_struck};
use crate::sanitize::safe_target;

/// One page, taken in.
#[derive(Debug, Default)]
pub(super) struct Leaf {
    pub(super) height: f64,
    pub(super) pieces: Vec<Piece>,
    /// Text beside the upright text: turned, as in the margin of a table.
    pub(super) turned: Vec<Turned>,
    pub(super) rules: Vec<Rule>,
    /// The filled areas that text may stand on.
    pub(super) grounds: Vec<Rect>,
    /// All filled areas that are no lines: the stripes of a table are among them.
    pub(super) areas: Vec<Rect>,
    /// The target of each link of the page.
    pub(super) targets: Vec<String>,
    /// The targets of links that nobody should follow.
    pub(super) dropped: Vec<String>,
    /// The text that a reader does not see.
    pub(super) hidden: Vec<String>,
    /// The words that are struck out.
    pub(super) struck: Vec<String>,
    /// The text that lies slanted across the page, or large and pale under its text.
    pub(super) slanted: Vec<String>,
    /// The numbers of its lines that were left out.
    pub(super) line_numbers: usize,
    /// A picture takes up the page and there is no text on it.
    pub(super) is_picture: bool,
    pub(super) unknown_glyphs: usize,
}

/// A piece of a line that is on its side or on its head.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Turned {
    /// As if the page were turned so that it is upright.
    pub(super) piece: Piece,
    /// Its text as one word, where it is on the page.
    pub(super) on_page: Piece,
}

impl Turned {
    /// The piece of a page of this size that was turned `turns` quarters back.
    fn of(piece: Piece, turns: usize, (width, height): (f64, f64)) -> Self {
        let Rect { x0, y0, x1, y1 } = piece.bounds;
        let at = match turns {
            1 => Rect::new(width - y1, x0, width - y0, x1),
            2 => Rect::new(width - x1, height - y1, width - x0, height - y0),
            _ => Rect::new(y0, height - x1, y1, height - x0),
        };
        let word = Word {
            text: piece.text(),
            left: at.x0,
            right: at.x1,
            // Names of columns end where the row below begins, however long they are.
            baseline: at.y1,
            ..piece.words.first().cloned().unwrap_or_default()
        };
        Self { on_page: Piece::of_words(vec![word]), piece }
    }
}

/// Reads the first `limit` pages.
pub(super) fn leaves(pdf: &Pdf, limit: usize) -> Vec<Leaf> {
    let settings = InterpreterSettings::default();
    let cache = InterpreterCache::new();
    let mut fonts = Fonts::new(settings.clone());
    let tags = tags(pdf, pdf.pages().len().min(limit));
    let mut leaves = Vec::new();
    for (page, tags) in pdf.pages().iter().zip(&tags) {
        // Each page has fonts under names of its own.
        fonts.open(page.resources());
        let (width, height) = page.render_dimensions();
        let (width, height) = (f64::from(width), f64::from(height));
        let transform = Affine::new(page.initial_transform(true).as_coeffs());
        let bounds = Rect::new(0.0, 0.0, width, height);
        let mut context = Context::new(transform, bounds, &cache, pdf.xref(), settings.clone());
        let mut collector = Collector::new(&fonts, tags, width, height);
        interpret_page(page, &mut context, &mut collector);
        leaves.push(leaf(collector.finish(), page, transform));
    }
    leaves
}

fn leaf(mut ink: Ink, page: &Page<'_>, transform: Affine) -> Leaf {
    let is_upright = |ink: &Ink| ink.glyphs.iter().all(|glyph| glyph.turns == 0);
    let (links, dropped): (Vec<Link>, Vec<Link>) =
        links(page, transform).into_iter().partition(|link| safe_target(&link.target).is_some());
    ink.links = links.iter().map(|link| link.area).collect();
    ink.struck_areas = struck_areas(page, transform);
    // Behind the links, which turn with the page.
    let hidden = ink.settle();
    let slanted = ink.take_slanted();
    let noted = std::mem::take(&mut ink.struck_areas);
    mark_struck(&mut ink, &noted);
    // Behind the lines through words, which are as short as the bars of fractions.
    set_formulas(&mut ink);
    let has_whole_picture = ink.image_share() > 0.5;
    let turned = if is_upright(&ink) { Default::default() } else { ink.take_turned() };
    let size = (ink.width, ink.height);
    let glyph_count = ink.glyphs.len();
    let mut words = pieces(std::mem::take(&mut ink.glyphs));
    let struck = words.iter_mut().flat_map(take_struck).collect();
    words.retain(|piece| !piece.is_empty());
    let line_numbers = take_line_numbers(&mut words);
    let mut words = part_at_gutters(words);
    mark_links(&mut words, &ink.links);
    let piece = |words: Vec<Word>| Piece::of_words(words);
    let turned = turned.into_iter().zip(1..).flat_map(|(glyphs, turns)| {
        pieces(glyphs).into_iter().map(move |words| Turned::of(piece(words), turns, size))
    });
    Leaf {
        height: ink.height,
        pieces: words.into_iter().map(piece).collect(),
        turned: turned.collect(),
        rules: ink.rules,
        grounds: ink.grounds,
        areas: ink.areas,
        targets: links.into_iter().map(|link| link.target.trim().to_owned()).collect(),
        dropped: dropped.into_iter().map(|link| link.target).collect(),
        hidden: pieces(hidden).into_iter().map(|words| piece(words).text()).collect(),
        struck,
        slanted,
        line_numbers,
        // A scan may carry a page number or a stamp as text.
        is_picture: has_whole_picture && glyph_count < 20,
        unknown_glyphs: ink.unknown_glyphs,
    }
}

/// Says of each word which link it lies in.
fn mark_links(pieces: &mut [Vec<Word>], links: &[Rect]) {
    if links.is_empty() {
        return;
    }
    for word in pieces.iter_mut().flatten() {
        let middle = word.bounds().center();
        word.link = links.iter().position(|link| link.contains(middle));
    }
}

/// Most links of one page.
// Each word is compared with all of them.
const MOST_LINKS: usize = 2_000;

pub(super) struct Link {
    pub(super) area: Rect,
    pub(super) target: String,
}

/// The links of a page that lead out of the document; `transform` leads from the page's own
/// coordinates to those of its text.
fn links(page: &Page<'_>, transform: Affine) -> Vec<Link> {
    let Some(annotations) = page.raw().get::<Array<'_>>(b"Annots") else {
        return Vec::new();
    };
    let link = |annotation: Dict<'_>| {
        let is_link = annotation.get::<Name<'_>>(b"Subtype").is_some_and(|name| &*name == b"Link");
        let action = annotation.get::<Dict<'_>>(b"A").filter(|_| is_link)?;
        let target = text_string(action.get::<PdfString<'_>>(b"URI")?.as_bytes());
        let area = annotation.get::<PdfRect>(b"Rect")?;
        let area = transform.transform_rect_bbox(Rect::new(area.x0, area.y0, area.x1, area.y1));
        Some(Link { area, target })
    };
    annotations.iter::<Dict<'_>>().filter_map(link).take(MOST_LINKS).collect()
}

/// ISO 32000-1, 12.5.3: flags of notes that nobody sees.
const HIDDEN: u32 = 1 << 1;
const NO_VIEW: u32 = 1 << 5;
/// Most areas that viewers' notes strike out on one page.
// Each glyph is compared with all of them.
const MOST_AREAS: usize = 500;

/// The areas that notes of a viewer strike out.
fn struck_areas(page: &Page<'_>, transform: Affine) -> Vec<Rect> {
    let Some(annotations) = page.raw().get::<Array<'_>>(b"Annots") else {
        return Vec::new();
    };
    let areas = |annotation: Dict<'_>| -> Vec<Rect> {
        let is_strike =
            annotation.get::<Name<'_>>(b"Subtype").is_some_and(|name| &*name == b"StrikeOut");
        let flags = annotation.get::<u32>(b"F").unwrap_or(0);
        if !is_strike || flags & (HIDDEN | NO_VIEW) != 0 {
            return Vec::new();
        }
        // Four corners for each line of text, in no order that programs agree on.
        let corners = annotation.get::<Array<'_>>(b"QuadPoints");
        let numbers: Vec<f64> =
            corners.iter().flat_map(|corners| corners.iter::<f64>()).take(8 * MOST_AREAS).collect();
        let (quads, _) = numbers.as_chunks::<8>();
        let quad = |&[a, b, c, d, e, f, g, h]: &[f64; 8]| {
            Rect::from_points((a, b), (c, d)).union(Rect::from_points((e, f), (g, h)))
        };
        let mut areas: Vec<Rect> = quads.iter().map(quad).collect();
        if areas.is_empty() {
            let area = annotation.get::<PdfRect>(b"Rect");
            areas.extend(area.map(|area| Rect::new(area.x0, area.y0, area.x1, area.y1)));
        }
        areas.into_iter().map(|area| transform.transform_rect_bbox(area)).collect()
    };
    annotations.iter::<Dict<'_>>().flat_map(areas).take(MOST_AREAS).collect()
}
