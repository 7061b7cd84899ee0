//! Text of a page that a browser does not show, as far as the element itself says so.
//!
//! Style sheets are not read: what they hide is often shown by a script (tabs, answers that unfold), and is kept.

use std::collections::BTreeMap;

use ego_tree::NodeRef;
use scraper::Node;
use scraper::node::Element;

use super::pictures::is_drawn_formula;

/// Classes by which common style sheets hide text from the eye.
const HIDING_CLASSES: &[&str] = &[
    "d-none", "screen-reader-text", "sr-only", "usa-sr-only", "visually-hidden", "visuallyhidden",
];

/// Letters of at most so many pixels are not meant to be read.
// `font-size: 1px` is the trick. What print calls small is six points.
const TINY_PIXELS: f32 = 2.0;
/// The same as a share of the letters around them.
const TINY_SHARE: f32 = 0.15;
/// Ink that lets more than the rest through is not meant to be seen.
// `opacity: 5%` is the trick; what is merely greyed out is meant to be read.
const FAINT: f32 = 0.1;
/// Text so far to the left or above is off every screen, in pixels.
// The trick is written `left: -10000px` and `text-indent: -9999px`. A little to the left is a design.
const OFF_SCREEN: f32 = -500.0;
/// A box of at most so many pixels shows nothing of what it holds.
const NO_ROOM: f32 = 1.0;

/// Returns `true` if a browser shows nothing of the element.
pub(super) fn is_hidden(node: NodeRef<'_, Node>, element: &Element) -> bool {
    // Pages that appear once a script has run are hidden as a whole until then.
    if matches!(element.name(), "html" | "body") {
        return false;
    }
    // Text that is hidden only until a search finds it is there for readers.
    let hidden =
        element.attr("hidden").is_some_and(|value| !value.eq_ignore_ascii_case("until-found"));
    let is_unseen = hidden
        || element.attr("aria-hidden") == Some("true") && !is_said_around(node)
        || element.classes().any(|class| HIDING_CLASSES.contains(&class))
        || (element.name() == "dialog" && element.attr("open").is_none())
        || is_styled_away(&Style::of(element))
        || is_without_contrast(node, element);
    // What is seen is a drawing of the formula.
    is_unseen && !is_drawn_formula(node)
}

/// Returns `true` for words that only those are meant to have who hear the page.
pub(super) fn is_spoken(element: &Element) -> bool {
    element.classes().any(|class| class != "d-none" && HIDING_CLASSES.contains(&class))
}

/// Returns `true` if an element around this one is named by the same words: they are seen here, and would be heard twice.
fn is_said_around(node: NodeRef<'_, Node>) -> bool {
    let texts = node.descendants().filter_map(|below| below.value().as_text());
    let words: Vec<&str> = texts.flat_map(|text| text.split_whitespace()).take(60).collect();
    let mut around = node.ancestors().take(3).filter_map(|above| above.value().as_element());
    !words.is_empty()
        && around.any(|above| {
            above
                .attr("aria-label")
                .is_some_and(|label| label.split_whitespace().eq(words.iter().copied()))
        })
}

/// Elements whose text no longer holds.
const STRUCK: &[&str] = &["del", "s", "strike"];
/// Classes by which style sheets and generators strike text out.
const STRIKING_CLASSES: &[&str] =
    &["line-through", "strike", "strikethrough", "text-decoration-line-through"];

/// Returns `true` if the element's text is struck out.
pub(super) fn is_struck(element: &Element) -> bool {
    let style = || {
        let style = Style::of(element);
        ["text-decoration", "text-decoration-line"]
            .iter()
            .any(|name| style.get(name).split_whitespace().any(|line| line == "line-through"))
    };
    STRUCK.contains(&element.name())
        || element.classes().any(|class| STRIKING_CLASSES.contains(&class))
        || style()
}

/// The properties that an element's own `style` states.
pub(super) struct Style(BTreeMap<String, String>);

impl Style {
    pub(super) fn of(element: &Element) -> Self {
        let declarations = element.attr("style").unwrap_or_default().split(';');
        let property = |declaration: &str| {
            let (name, value) = declaration.split_once(':')?;
            let value = value.trim().to_ascii_lowercase();
            let value = value.trim_end_matches("!important").trim();
            Some((name.trim().to_ascii_lowercase(), value.to_owned()))
        };
        Self(declarations.filter_map(property).collect())
    }

    pub(super) fn get(&self, name: &str) -> &str {
        self.0.get(name).map_or("", String::as_str)
    }

    /// A length in pixels, as near as the property itself can tell.
    fn pixels(&self, name: &str) -> Option<f32> {
        let (number, unit) = measure(self.get(name))?;
        match unit {
            "" | "px" => Some(number),
            "pt" => Some(number * 4.0 / 3.0),
            // The letters of a page that says nothing about their size.
            "em" | "rem" | "ch" | "ex" => Some(number * 16.0),
            // Of a window of 1,000 by 1,000.
            "vw" | "vh" | "%" => Some(number * 10.0),
            _ => None,
        }
    }
}

/// `-1.5em` as its number and its unit.
fn measure(value: &str) -> Option<(f32, &str)> {
    let unit = value.trim_start_matches(|c: char| c.is_ascii_digit() || "+-.".contains(c));
    let number = value.strip_suffix(unit)?.parse().ok()?;
    Some((number, unit))
}

fn is_styled_away(style: &Style) -> bool {
    style.get("display") == "none"
        || matches!(style.get("visibility"), "hidden" | "collapse")
        || style.get("content-visibility") == "hidden"
        || share(style.get("opacity")).is_some_and(|opacity| opacity < FAINT)
        || is_tiny(style.get("font-size"))
        || style.pixels("max-height") == Some(0.0)
        || is_off_screen(style)
        || is_cut_away(style)
}

/// `0.5` or `50%`
fn share(value: &str) -> Option<f32> {
    match measure(value)? {
        (number, "") => Some(number),
        (number, "%") => Some(number / 100.0),
        _ => None,
    }
}

fn is_tiny(size: &str) -> bool {
    match measure(size) {
        Some((number, "" | "px" | "pt")) => number <= TINY_PIXELS,
        Some((number, "em" | "rem")) => number <= TINY_SHARE,
        Some((number, "%")) => number <= 100.0 * TINY_SHARE,
        Some((number, _)) => number == 0.0,
        None => false,
    }
}

fn is_off_screen(style: &Style) -> bool {
    let is_far = |name: &&str| style.pixels(name).is_some_and(|pixels| pixels <= OFF_SCREEN);
    let is_placed = matches!(style.get("position"), "absolute" | "fixed" | "relative");
    ["text-indent", "margin-left", "margin-top"].iter().any(is_far)
        || (is_placed && ["left", "top", "right", "bottom"].iter().any(is_far))
}

fn is_cut_away(style: &Style) -> bool {
    let arguments = |name: &str, function: &str| -> Option<Vec<f32>> {
        let inner = style.get(name).strip_prefix(function)?.strip_prefix('(')?;
        let (inner, _) = inner.split_once(')')?;
        let numbers = inner.split([',', ' ']).filter_map(|part| Some(measure(part)?.0));
        Some(numbers.collect())
    };
    let all = |name: &str, function: &str, test: fn(f32) -> bool| {
        arguments(name, function)
            .is_some_and(|found| !found.is_empty() && found.into_iter().all(test))
    };
    // A box of one pixel is how style sheets leave text to screen readers alone; nobody sees it.
    let has_no_room = || {
        let sides = ["width", "height", "max-width"].iter();
        matches!(style.get("overflow"), "hidden" | "clip")
            && sides.filter_map(|side| style.pixels(side)).any(|pixels| pixels <= NO_ROOM)
    };
    all("clip", "rect", |pixels| pixels.abs() <= NO_ROOM)
        || all("clip-path", "inset", |percent| percent >= 50.0)
        || all("clip-path", "circle", |radius| radius == 0.0)
        || ["scale", "scalex", "scaley"].iter().any(|scale| all("transform", scale, |by| by == 0.0))
        || has_no_room()
}

/// Returns `true` if the letters have the colour of what they stand on, or none.
fn is_without_contrast(node: NodeRef<'_, Node>, element: &Element) -> bool {
    let style = Style::of(element);
    let letters = match style.get("color") {
        "" if element.name() == "font" => element.attr("color").and_then(Colour::read),
        color => Colour::read(color),
    };
    let Some(letters) = letters else { return false };
    // Letters that a ground shines through are without a colour of their own.
    let shows_ground = |name: &str| style.get(name) == "text";
    if letters.is_clear() {
        return !shows_ground("background-clip") && !shows_ground("-webkit-background-clip");
    }
    match Ground::of(node) {
        Ground::Colour(ground) => ground == letters,
        Ground::Page => letters.is_white(),
        Ground::Unknown => false,
    }
}

/// The ground that letters stand on.
enum Ground {
    Colour(Colour),
    /// The page, which is white.
    Page,
    /// A picture, or what a style sheet gives to a class.
    Unknown,
}

impl Ground {
    /// Returns the ground of an element: text that a reader sees is not to be lost, so that any name on the
    /// way to the page, to which a style sheet may give a ground, makes it unknown.
    fn of(node: NodeRef<'_, Node>) -> Self {
        let above = std::iter::once(node).chain(node.ancestors());
        for element in above.filter_map(|node| node.value().as_element()) {
            let style = Style::of(element);
            let stated = [style.get("background-color"), style.get("background")];
            let stated = stated.into_iter().find(|stated| !stated.is_empty());
            if let Some(stated) = stated.or(element.attr("bgcolor")) {
                return Colour::read(stated).map_or(Self::Unknown, Self::Colour);
            }
            if matches!(element.name(), "main" | "article" | "body" | "html") {
                break;
            }
            if element.attr("class").is_some() || element.id().is_some() {
                return Self::Unknown;
            }
        }
        Self::Page
    }
}

/// A colour of letters or of a ground, as pages write it (CSS Color Module Level 4).
#[derive(Clone, Copy, Debug, PartialEq)]
struct Colour {
    /// Red, green and blue, 0 to 255.
    channels: [u8; 3],
    is_clear: bool,
}

impl Colour {
    /// A colour in lower case; nothing where it is none that is known here.
    pub(super) fn read(text: &str) -> Option<Self> {
        let text = text.trim().to_ascii_lowercase();
        let opaque = |channels| Some(Self { channels, is_clear: false });
        match text.as_str() {
            "white" => opaque([255; 3]),
            "black" => opaque([0; 3]),
            "transparent" => Some(Self { channels: [0; 3], is_clear: true }),
            _ => match text.strip_prefix('#') {
                Some(digits) => hexadecimal_colour(digits),
                None => colour_function(&text),
            },
        }
    }

    fn is_clear(self) -> bool {
        self.is_clear
    }

    /// White, or so near to it that nobody sees it on paper.
    pub(super) fn is_white(self) -> bool {
        // On white paper a letter of #F0F0F0 has a contrast of 1.14 to 1; WCAG asks for 4.5.
        self.channels.iter().all(|channel| *channel >= 0xF0)
    }
}

/// `fff`, `ffff`, `ffffff`, `ffffffff`
fn hexadecimal_colour(digits: &str) -> Option<Colour> {
    let values: Option<Vec<u8>> =
        digits.chars().map(|digit| digit.to_digit(16)?.try_into().ok()).collect();
    let values = values?;
    let (channels, alpha) = match values.as_slice() {
        [r, g, b] => ([r * 17, g * 17, b * 17], 255),
        [r, g, b, a] => ([r * 17, g * 17, b * 17], a * 17),
        [r, s, g, h, b, c] => ([r * 16 + s, g * 16 + h, b * 16 + c], 255),
        [r, s, g, h, b, c, a, z] => ([r * 16 + s, g * 16 + h, b * 16 + c], a * 16 + z),
        _ => return None,
    };
    Some(Colour { channels, is_clear: alpha < 26 })
}

/// `rgb(255, 255, 255)`, `rgba(0 0 0 / 0%)`, `hsl(0 0% 100%)`: of the last only greys.
fn colour_function(text: &str) -> Option<Colour> {
    let (name, inner) = text.strip_suffix(')')?.split_once('(')?;
    let parts = inner.split([',', ' ', '/']).filter(|part| !part.is_empty());
    let number = |part: &str, whole: f32| -> Option<f32> {
        match part.strip_suffix('%') {
            Some(percent) => Some(percent.parse::<f32>().ok()? / 100.0 * whole),
            None => part.trim_end_matches("deg").parse().ok(),
        }
    };
    let byte = |value: f32| value.clamp(0.0, 255.0).round() as u8;
    let parts: Vec<&str> = parts.collect();
    let ([first, second, third], rest) = parts.split_first_chunk()?;
    let alpha = rest.first().map_or(Some(1.0), |alpha| number(alpha, 1.0))?;
    let channels = match name {
        "rgb" | "rgba" => {
            [byte(number(first, 255.0)?), byte(number(second, 255.0)?), byte(number(third, 255.0)?)]
        }
        "hsl" | "hsla" => {
            let (saturation, lightness) = (number(second, 255.0)?, number(third, 255.0)?);
            // White and black are so in every hue.
            let is_grey = saturation == 0.0 || !(1.0..254.0).contains(&lightness);
            is_grey.then_some([byte(lightness); 3])?
        }
        _ => return None,
    };
    Some(Colour { channels, is_clear: alpha < 0.1 })
}

#[cfg(test)]
mod tests {
    use super::Colour;

    #[test]
    fn colours_are_read_as_browsers_do() {
        let cases = [
            ("white", Some(true)),
            ("#FFF", Some(true)),
            ("#f8f8f8ff", Some(true)),
            ("rgb(255,255,255)", Some(true)),
            ("rgb(100% 100% 100%)", Some(true)),
            ("hsl(120deg 50% 100%)", Some(true)),
            ("hsl(0, 0%, 20%)", Some(false)),
            ("#ffe", Some(false)),
            ("rgb(0, 51, 102)", Some(false)),
            ("rgba(0,0,0,0)", Some(false)),
            ("hsl(120 50% 50%)", None),
            ("navy", None),
            ("#ff", None),
            ("#fffg", None),
            ("url(a.png)", None),
            ("rgb()", None),
            ("", None),
        ];
        for (text, is_white) in cases {
            assert_eq!(Colour::read(text).map(Colour::is_white), is_white, "{text}");
        }
        for (text, is_clear) in
            [("transparent", true), ("#fff0", true), ("rgba(9 9 9 / 5%)", true), ("#ffff", false)]
        {
            assert_eq!(Colour::read(text).map(Colour::is_clear), Some(is_clear), "{text}");
        }
    }
}
