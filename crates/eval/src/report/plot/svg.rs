//! Writing SVG: its elements, the width of words as far as that can be known without a font, and labels that do not overlap.

use std::fmt::Write as _;

/// The alignment of a text: where it begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Anchor {
    /// At its place.
    Start,
    /// Around it.
    Middle,
    /// Before it.
    End,
}

/// Elements of SVG, one after another.
#[derive(Debug, Default)]
pub(crate) struct Svg {
    content: String,
}

impl Svg {
    /// Returns what was drawn.
    pub(crate) fn finish(self) -> String {
        self.content
    }

    /// Draws elements in a group of this class.
    pub(crate) fn group(&mut self, class: &str, draw: impl FnOnce(&mut Self)) {
        self.push(format_args!("<g class=\"{}\">", escaped(class)));
        draw(self);
        self.push(format_args!("</g>"));
    }

    /// Draws elements that a pointer's rest explains.
    pub(crate) fn told(&mut self, words: &str, draw: impl FnOnce(&mut Self)) {
        self.push(format_args!("<g><title>{}</title>", escaped(words)));
        draw(self);
        self.push(format_args!("</g>"));
    }

    /// A straight line.
    pub(crate) fn line(&mut self, class: &str, from: (f64, f64), to: (f64, f64)) {
        let ((x1, y1), (x2, y2)) = (rounded(from), rounded(to));
        let class = escaped(class);
        self.push(format_args!("<path class=\"{class}\" d=\"M{x1} {y1}L{x2} {y2}\"/>"));
    }

    /// A line through points.
    pub(crate) fn polyline(&mut self, class: &str, dash: &str, points: &[(f64, f64)]) {
        let mut path = String::new();
        for (place, point) in points.iter().enumerate() {
            let (x, y) = rounded(*point);
            let letter = if place == 0 { 'M' } else { 'L' };
            // Writing to a string does not fail.
            let _ = write!(path, "{letter}{x} {y}");
        }
        let class = escaped(class);
        self.push(format_args!("<path class=\"{class}\" fill=\"none\""));
        if !dash.is_empty() {
            self.push(format_args!(" stroke-dasharray=\"{dash}\""));
        }
        self.push(format_args!(" d=\"{path}\"/>"));
    }

    /// A path as SVG writes it, moved to a place.
    pub(crate) fn shape(&mut self, class: &str, path: &str, place: (f64, f64)) {
        let ((x, y), class) = (rounded(place), escaped(class));
        self.push(format_args!(
            "<path class=\"{class}\" transform=\"translate({x} {y})\" d=\"{path}\"/>"
        ));
    }

    /// A rectangle; `fill` is a colour or a pattern, or empty where the class has one.
    pub(crate) fn rectangle(
        &mut self,
        class: &str,
        fill: &str,
        corner: (f64, f64),
        size: (f64, f64),
    ) {
        let ((x, y), (width, height)) =
            (rounded(corner), rounded((size.0.max(0.0), size.1.max(0.0))));
        let class = escaped(class);
        self.push(format_args!(
            "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\""
        ));
        if !fill.is_empty() {
            self.push(format_args!(" fill=\"{}\"", escaped(fill)));
        }
        self.push(format_args!("/>"));
    }

    /// A heading with softer words behind it.
    pub(crate) fn heading(&mut self, place: (f64, f64), heading: &str, aside: &str) {
        let ((x, y), heading) = (rounded(place), escaped(heading));
        self.push(format_args!(
            "<text x=\"{x}\" y=\"{y}\"><tspan class=\"heading\">{heading}</tspan>"
        ));
        if !aside.is_empty() {
            self.push(format_args!("<tspan class=\"tick\" dx=\"8\">{}</tspan>", escaped(aside)));
        }
        self.push(format_args!("</text>"));
    }

    /// A line of text whose letters stand on `place`.
    pub(crate) fn text(&mut self, class: &str, anchor: Anchor, place: (f64, f64), text: &str) {
        let ((x, y), class) = (rounded(place), escaped(class));
        self.push(format_args!("<text class=\"{class}\" x=\"{x}\" y=\"{y}\""));
        match anchor {
            Anchor::Start => {}
            Anchor::Middle => self.push(format_args!(" text-anchor=\"middle\"")),
            Anchor::End => self.push(format_args!(" text-anchor=\"end\"")),
        }
        self.push(format_args!(">{}</text>", escaped(text)));
    }

    fn push(&mut self, arguments: std::fmt::Arguments<'_>) {
        // Writing to a string does not fail.
        let _ = self.content.write_fmt(arguments);
    }
}

/// To a tenth of a unit: finer is not seen.
fn rounded((x, y): (f64, f64)) -> (f64, f64) {
    let tenth =
        |value: f64| if value.is_finite() { (value * 10.0).round() / 10.0 + 0.0 } else { 0.0 };
    (tenth(x), tenth(y))
}

/// Text for an element or an attribute of HTML or SVG.
pub(crate) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            letter => escaped.push(letter),
        }
    }
    escaped
}

/// The width of a text in units, at a size of letters: a little more than a usual sans serif needs.
pub(crate) fn width(text: &str, size: f64) -> f64 {
    text.chars().map(letter).sum::<f64>() * size
}

/// In parts of the size.
fn letter(letter: char) -> f64 {
    match letter {
        'i' | 'j' | 'l' | 'I' | '.' | ',' | ':' | ';' | '\'' | '|' | '!' => 0.33,
        'f' | 'r' | 't' | ' ' | '(' | ')' | '[' | ']' | '-' | '/' => 0.42,
        'm' | 'w' | 'M' | 'W' | '@' | '%' | '—' => 0.97,
        letter if letter.is_ascii_uppercase() || letter == '_' || letter == '+' => 0.70,
        letter if letter.is_ascii() => 0.63,
        // Half of the world's scripts are wider than Latin.
        letter if ('\u{1100}'..'\u{FFFF}').contains(&letter) && letter > '\u{2E7F}' => 1.05,
        _ => 0.66,
    }
}

/// The text, cut with an ellipsis where it would be wider than `most`.
pub(crate) fn fitted(text: &str, size: f64, most: f64) -> String {
    if width(text, size) <= most {
        return text.to_owned();
    }
    let mut cut = String::new();
    for letter in text.chars() {
        cut.push(letter);
        if width(&cut, size) + width("…", size) > most {
            cut.pop();
            break;
        }
    }
    format!("{}…", cut.trim_end())
}

/// Moves places (ascending or not) as little as can be, in the sense of least squares, so that neighbours
/// keep `gap` and all lie between `low` and `high`. Where there is no room for all, they begin at `low` and
/// keep their gap. The order of the result is that of the input; equal places keep their order.
///
/// With each place less its share of gaps, "at least a gap apart" is "not descending": the best such
/// sequence is found by pooling adjacent violators (Ayer et al., "An Empirical Distribution Function for
/// Sampling with Incomplete Information", 1955).
pub(crate) fn spread(places: &[f64], gap: f64, low: f64, high: f64) -> Vec<f64> {
    let mut order: Vec<usize> = (0..places.len()).collect();
    order.sort_by(|a, b| places[*a].total_cmp(&places[*b]));
    let mut pools: Vec<(f64, usize)> = Vec::new();
    for (rank, index) in order.iter().enumerate() {
        let mut pool = (places[*index] - rank as f64 * gap, 1);
        while let Some((mean, count)) = pools.pop_if(|(mean, _)| *mean > pool.0) {
            let all = count + pool.1;
            pool = ((mean * count as f64 + pool.0 * pool.1 as f64) / all as f64, all);
        }
        pools.push(pool);
    }
    let flat = pools.into_iter().flat_map(|(mean, count)| std::iter::repeat_n(mean, count));
    let room = (high - gap * places.len().saturating_sub(1) as f64).max(low);
    let mut spread = vec![0.0; places.len()];
    for ((rank, index), mean) in order.into_iter().enumerate().zip(flat) {
        spread[index] = mean.clamp(low, room) + rank as f64 * gap;
    }
    spread
}
