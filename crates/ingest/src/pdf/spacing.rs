//! Gaps between letters: those that part words, and those of letters that are set apart.
//!
//! Words set apart for emphasis (`P a y m e n t`) have a gap after each letter that may be as wide as a
//! space. They are known by their neighbours: in other text two letters of a word touch.

use super::ink::Glyph;

/// Letters of a word nearer than this, in ems, touch.
// Kerning makes no wider gap.
const TOUCHING: f64 = 0.08;
/// Gaps in a row that are letters set apart, in a line without glyphs for its spaces.
// A row of single letters or figures has gaps of a space each; hardly six.
const FEWEST: usize = 6;
/// The same where spaces are glyphs: a gap without one is none.
const FEWEST_BESIDE_SPACES: usize = 3;
/// A gap between words set apart is wider than that between their letters by this many ems.
// A space is a quarter of an em wide; kerning takes off a tenth at most.
const WORD_BEYOND: f64 = 0.1;

/// A gap before a letter.
#[derive(Clone, Copy, Debug)]
struct Gap {
    /// The glyph after it.
    at: usize,
    /// In ems.
    width: f64,
    /// A space is drawn in it.
    has_space: bool,
}

impl Gap {
    fn is_open(self) -> bool {
        self.has_space || self.width > TOUCHING
    }
}

/// The gap before each glyph of a piece from which on it begins a word, in ems; `usual` is that of
/// other text.
pub(super) fn word_gaps(glyphs: &[Glyph], usual: f64) -> Vec<f64> {
    let gaps = gaps(glyphs);
    let touching = gaps.iter().filter(|gap| !gap.is_open()).count();
    let fewest = match glyphs.iter().any(|glyph| !glyph.has_ink()) {
        true => FEWEST_BESIDE_SPACES,
        false => FEWEST,
    };
    let mut limits = vec![usual; glyphs.len()];
    // The whole line is set apart, but for letters that kerning brings together.
    if 6 * touching < gaps.len()
        && let Some(apart) = apart(&gaps, fewest)
    {
        limits.fill(usual + apart);
        return limits;
    }
    let mut start = 0;
    while start < gaps.len() {
        let length = gaps.iter().skip(start).take_while(|gap| gap.is_open()).count();
        let end = start + length;
        // The gaps at either end are those to the words around, whose letters touch.
        let from = if start > 0 { start + 1 } else { start };
        let to = if end < gaps.len() { end.saturating_sub(1) } else { end };
        let inner = gaps.get(from..to).unwrap_or_default();
        if let Some(apart) = apart(inner, fewest) {
            for gap in inner {
                if let Some(limit) = limits.get_mut(gap.at) {
                    *limit = apart + WORD_BEYOND;
                }
            }
        }
        start = end + 1;
    }
    limits
}

fn gaps(glyphs: &[Glyph]) -> Vec<Gap> {
    let mut gaps = Vec::new();
    let mut last: Option<&Glyph> = None;
    let mut has_space = false;
    for (at, glyph) in glyphs.iter().enumerate() {
        if !glyph.has_ink() {
            has_space = true;
            continue;
        }
        if let Some(last) = last {
            let width = (glyph.left() - last.right()) / last.size.max(0.1);
            gaps.push(Gap { at, width, has_space });
        }
        last = Some(glyph);
        has_space = false;
    }
    gaps
}

/// The usual gap between letters that are set apart, if these are.
fn apart(gaps: &[Gap], fewest: usize) -> Option<f64> {
    let mut widths: Vec<f64> =
        gaps.iter().filter(|gap| !gap.has_space).map(|gap| gap.width).collect();
    widths.sort_by(f64::total_cmp);
    let usual = widths.get(widths.len() / 2).copied()?;
    let alike = widths.iter().filter(|width| (**width - usual).abs() < TOUCHING).count();
    // Most are the same, since a program adds the same to each letter.
    (widths.len() >= fewest && usual > TOUCHING && 5 * alike >= 3 * widths.len()).then_some(usual)
}

#[cfg(test)]
mod tests {
    use hayro_interpret::kurbo::Point;

    use super::*;

    /// Letters five points wide; digits in the text are gaps of so many points, `_` is a space glyph.
    fn set(text: &str) -> Vec<Glyph> {
        let mut x = 0.0;
        let mut glyphs = Vec::new();
        for letter in text.chars() {
            if let Some(gap) = letter.to_digit(10) {
                x += f64::from(gap);
                continue;
            }
            let width = if letter == '_' { 2.5 } else { 5.0 };
            let text = if letter == '_' { " ".to_owned() } else { letter.to_string() };
            let (start, end) = (Point::new(x, 0.0), Point::new(x + width, 0.0));
            glyphs.push(Glyph { text, start, end, size: 10.0, ..Glyph::default() });
            x += width;
        }
        glyphs
    }

    fn words(text: &str) -> String {
        let glyphs = set(text);
        let limits = word_gaps(&glyphs, 0.16);
        let mut read = String::new();
        let mut right = 0.0;
        for (glyph, limit) in glyphs.iter().zip(limits) {
            if !glyph.has_ink() {
                read.push(' ');
            } else {
                if glyph.left() - right > 10.0 * limit && !read.ends_with(' ') && !read.is_empty() {
                    read.push(' ');
                }
                read.push_str(&glyph.text);
                right = glyph.right();
            }
        }
        read
    }

    #[test]
    fn letters_set_apart_are_words_and_those_around_them_keep_their_gaps() {
        let cases = [
            // Spaces are glyphs.
            ("of_May._P3a3y3m3e3n3t3_3i3s3_3d3u3e3_on_A_June", "of May. Payment is due on A June"),
            ("of_May._f1r1e1i_on", "of May. frei on"),
            ("of_May._f5r5e5i_on", "of May. frei on"),
            ("A_s4p4a4c4e4d4_4w4o4r4d4_and_others", "A spaced word and others"),
            ("A_s4p4a4c4e4d", "A spaced"),
            // Spaces are gaps: of three points, and of three more between letters set apart.
            ("of3May.3P2a2y2m2e2n2t5i2s5d2u2e3on3June", "of May. Payment is due on June"),
            // All of the line, one pair closer.
            ("F2R2I2S2T2E2N6A0V2E", "FRISTEN AVE"),
            // Single letters are words.
            ("from3a3to3b3or3c3it3is", "from a to b or c it is"),
            ("a_b_c_d_e_f_g_h", "a b c d e f g h"),
        ];
        for (drawn, expected) in cases {
            assert_eq!(words(drawn), expected, "{drawn}");
        }
    }
}
