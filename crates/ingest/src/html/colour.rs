//! Colours as pages write them (CSS Color Module Level 4), as far as text is hidden with them.

/// A colour of letters or of a ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Colour {
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
                Some(digits) => hexadecimal(digits),
                None => function(&text),
            },
        }
    }

    pub(super) fn is_clear(self) -> bool {
        self.is_clear
    }

    /// White, or so near to it that nobody sees it on paper.
    pub(super) fn is_white(self) -> bool {
        self.channels.iter().all(|channel| *channel >= 0xF0)
    }
}

/// `fff`, `ffff`, `ffffff`, `ffffffff`
fn hexadecimal(digits: &str) -> Option<Colour> {
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
fn function(text: &str) -> Option<Colour> {
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
