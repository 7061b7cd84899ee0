//! Writing SVG.

use std::fmt::Write as _;

/// The alignment of a text: where it begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Anchor {
    /// At its place.
    Start,
    /// Around it.
    Middle,
    /// Before it.
    End,
}

/// Elements of SVG, one after another.
#[derive(Debug, Default)]
pub struct Svg {
    content: String,
}

impl Svg {
    /// Returns what was drawn.
    pub fn finish(self) -> String {
        self.content
    }

    /// Draws elements in a group of this class.
    pub fn group(&mut self, class: &str, draw: impl FnOnce(&mut Self)) {
        self.push(format_args!("<g class=\"{}\">", escaped(class)));
        draw(self);
        self.push(format_args!("</g>"));
    }

    /// Draws elements that a pointer's rest explains.
    pub fn told(&mut self, words: &str, draw: impl FnOnce(&mut Self)) {
        self.push(format_args!("<g><title>{}</title>", escaped(words)));
        draw(self);
        self.push(format_args!("</g>"));
    }

    /// A straight line.
    pub fn line(&mut self, class: &str, from: (f64, f64), to: (f64, f64)) {
        let ((x1, y1), (x2, y2)) = (rounded(from), rounded(to));
        let class = escaped(class);
        self.push(format_args!("<path class=\"{class}\" d=\"M{x1} {y1}L{x2} {y2}\"/>"));
    }

    /// A line through points.
    pub fn polyline(&mut self, class: &str, dash: &str, points: &[(f64, f64)]) {
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
    pub fn shape(&mut self, class: &str, path: &str, place: (f64, f64)) {
        let ((x, y), class) = (rounded(place), escaped(class));
        self.push(format_args!(
            "<path class=\"{class}\" transform=\"translate({x} {y})\" d=\"{path}\"/>"
        ));
    }

    /// A rectangle; `fill` is a colour or a pattern, or empty where the class has one.
    pub fn rectangle(&mut self, class: &str, fill: &str, corner: (f64, f64), size: (f64, f64)) {
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
    pub fn heading(&mut self, place: (f64, f64), heading: &str, aside: &str) {
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
    pub fn text(&mut self, class: &str, anchor: Anchor, place: (f64, f64), text: &str) {
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
pub fn escaped(text: &str) -> String {
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
