//! The look of a PDF's fonts: bold, italic, of one width.
//!
//! A glyph that the interpreter hands over does not say which font dictionary it came from, but it
//! names the font program that draws it. So the page's fonts are loaded once more, by the same
//! rules, and a glyph belongs to the font whose glyph of that number has the same identity.

use std::cell::RefCell;
use std::collections::HashMap;

use hayro_font::{Font, FontCache, FontGlyph, GlyphIdentifier, OutlineGlyph};
use hayro_interpret::InterpreterSettings;
use hayro_interpret::kurbo::Shape;
use hayro_syntax::object::{Array, Dict, Name, Stream};
use hayro_syntax::page::Resources;

use super::codes::{self, CodedFont};
use super::ink::Style;

/// Most fonts looked at on one page.
// A glyph is looked for in all of them when it is first met.
const MOST_FONTS: usize = 400;
/// The depth of drawings in drawings from which on their fonts are no longer looked at.
const DEEPEST: usize = 6;

/// The styles of a document's fonts, learned page by page.
pub(super) struct Fonts<'a> {
    cache: FontCache<'a>,
    settings: InterpreterSettings,
    fonts: Vec<(Font<'a>, Style)>,
    /// Those of the page whose letters are named by codes.
    coded: Vec<CodedFont>,
    /// The styles of glyphs met before; only ever asked by key.
    known: RefCell<HashMap<GlyphIdentifier, Style>>,
    /// Of figures met before: whether they are drawn above the baseline; only ever asked by key.
    raised: RefCell<HashMap<GlyphIdentifier, bool>>,
}

impl<'a> Fonts<'a> {
    pub(super) fn new(settings: InterpreterSettings) -> Self {
        Self {
            cache: FontCache::new(),
            settings,
            fonts: Vec::new(),
            coded: Vec::new(),
            known: RefCell::default(),
            raised: RefCell::default(),
        }
    }

    /// Turns to the fonts of another page.
    pub(super) fn open(&mut self, resources: &Resources<'a>) {
        self.fonts.clear();
        self.coded.clear();
        self.gather(resources, 0);
    }

    fn gather(&mut self, resources: &Resources<'a>, depth: usize) {
        for (name, _) in resources.fonts.entries() {
            if self.fonts.len() >= MOST_FONTS {
                return;
            }
            let Some(dict) = resources.fonts.get::<Dict<'a>>(&*name) else {
                continue;
            };
            self.coded.extend(CodedFont::of(&dict));
            let settings = &self.settings;
            let font = self.cache.font(&dict, &settings.font_resolver, &settings.cmap_resolver);
            if let Some(font) = font {
                self.fonts.push((font, style_of(&dict)));
            }
        }
        if depth >= DEEPEST {
            return;
        }
        for (name, _) in resources.x_objects.entries().take(MOST_FONTS) {
            let form = resources.x_objects.get::<Stream<'a>>(&*name);
            let inner = form.and_then(|form| form.dict().get::<Dict<'a>>(b"Resources"));
            if let Some(inner) = inner {
                self.gather(&Resources::new(inner), depth + 1);
            }
        }
    }

    /// The style of a glyph of the page.
    pub(super) fn style(&self, glyph: &OutlineGlyph) -> Style {
        let identifier = glyph.identifier();
        if let Some(style) = self.known.borrow().get(&identifier) {
            return *style;
        }
        let is_of = |font: &Font<'a>| match font.glyph(glyph.glyph_id(), glyph.char_code()) {
            FontGlyph::Outline(own) => own.identifier() == identifier,
            FontGlyph::Type3(_) => false,
        };
        let found = self.fonts.iter().find(|(font, _)| is_of(font));
        let style = found.map(|(_, style)| *style).unwrap_or_default();
        self.known.borrow_mut().insert(identifier, style);
        style
    }

    /// The letter that a glyph drawn as a picture stands for, where only its code tells.
    pub(super) fn coded_letter(&self, code: u32, width: f32) -> Option<char> {
        codes::letter(&self.coded, code, width)
    }

    /// Returns `true` if a glyph that stands for a figure is drawn above the baseline: a font's own
    /// superscript, which a PDF calls by the same character as the figure itself.
    pub(super) fn is_raised_figure(&self, glyph: &OutlineGlyph, text: &str) -> bool {
        if !matches!(text.as_bytes(), [digit] if digit.is_ascii_digit()) {
            return false;
        }
        let identifier = glyph.identifier();
        if let Some(is_raised) = self.raised.borrow().get(&identifier) {
            return *is_raised;
        }
        let ink = glyph.outline().bounding_box();
        let is_raised = ink.height() > 0.0 && ink.y0 > RAISED;
        self.raised.borrow_mut().insert(identifier, is_raised);
        is_raised
    }
}

/// Figures stand on the baseline, old ones reach below it; those of a font's own superscripts begin
/// about a third of an em above, in thousandths of an em here.
// Half of that, for fonts that raise them little.
const RAISED: f64 = 160.0;

/// ISO 32000-1, 9.8.2: flags of a font descriptor.
const FIXED_PITCH: u32 = 1;
const ITALIC: u32 = 1 << 6;
const FORCE_BOLD: u32 = 1 << 18;

fn style_of(font: &Dict<'_>) -> Style {
    // A composite font keeps its descriptor with its descendant (ISO 32000-1, 9.7.4).
    let descendant =
        font.get::<Array<'_>>(b"DescendantFonts").and_then(|fonts| fonts.iter::<Dict<'_>>().next());
    let inner = descendant.as_ref().unwrap_or(font);
    let name = font.get::<Name<'_>>(b"BaseFont");
    let mut style = style_of_name(name.as_ref().map_or("", |name| name.as_str()));
    let Some(descriptor) = inner.get::<Dict<'_>>(b"FontDescriptor") else {
        return style;
    };
    let flags = descriptor.get::<u32>(b"Flags").unwrap_or(0);
    let weight = descriptor.get::<f32>(b"FontWeight").unwrap_or(0.0);
    // 600 is semibold.
    style.bold |= flags & FORCE_BOLD != 0 || weight >= 600.0;
    style.italic |= flags & ITALIC != 0;
    style.monospace |= flags & FIXED_PITCH != 0;
    style
}

/// `ABCDEF+Scala-BoldItalic`, `Arial,Bold`, `CMBX10`: most names tell.
fn style_of_name(name: &str) -> Style {
    let name = match name.split_once('+') {
        // Six letters and a plus stand in front of the name where only some glyphs are embedded (9.6.4).
        Some((tag, rest)) if tag.len() == 6 => rest,
        _ => name,
    };
    let name = name.to_ascii_lowercase();
    let has = |parts: &[&str]| parts.iter().any(|part| name.contains(part));
    let begins = |parts: &[&str]| parts.iter().any(|part| name.starts_with(part));
    Style {
        bold: has(&["bold", "black", "heavy", "fett", "-demi", "-medi"])
            // Computer Modern, the fonts of TeX, and their successors: bold, then text italic, slanted and
            // mathematical italic, then typewriter.
            || begins(&["cmb", "sfbx", "ecbx", "lmbx"]),
        italic: has(&["italic", "oblique", "kursiv", "slanted", "-it"])
            || begins(&["cmti", "cmsl", "cmmi", "sfti", "ecti"]),
        monospace: has(&["courier", "mono", "consolas", "typewriter", "menlo"])
            || begins(&["cmtt", "sftt", "ectt", "lmtt"]),
    }
}

#[cfg(test)]
mod tests {
    use super::style_of_name;

    #[test]
    fn names_of_fonts_tell_their_style() {
        let cases = [
            ("BECXOM+UBScala-Bold", "b"),
            ("ABCDEE+UB Scala,Bold", "b"),
            ("UZVNXU+UBScala-Italic", "i"),
            ("Helvetica-BoldOblique", "bi"),
            ("CYUEFE+CourierNewPS-BoldMT", "bm"),
            ("NimbusRomNo9L-Medi", "b"),
            ("XYZABC+CMBX12", "b"),
            ("CMTT10", "m"),
            ("SourceSans3-Semibold", "b"),
            ("ArialMT", ""),
            ("Times New Roman", ""),
            ("Mobilis", ""),
            ("", ""),
        ];
        for (name, expected) in cases {
            let style = style_of_name(name);
            let mut found = String::new();
            found.push_str(if style.bold { "b" } else { "" });
            found.push_str(if style.italic { "i" } else { "" });
            found.push_str(if style.monospace { "m" } else { "" });
            assert_eq!(found, expected, "{name}");
        }
    }
}
