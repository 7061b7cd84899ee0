//! Formulas written in TeX, as one readable line.
//!
//! A reader who searches for `4.5 m/s` types what the page shows, not `4.5\ \mathrm{m/s}`. So the
//! commands are read as what they print; where a fraction or a root needs more than one line,
//! brackets keep its parts together.

/// Groups within groups that are followed. Deeper ones are read without their structure.
const DEEPEST: usize = 12;
/// The longest formula, in bytes. Longer ones are programs.
const LONGEST: usize = 4_000;

/// The farthest that a formula reaches, in bytes.
pub(crate) const LONGEST_MARKED: usize = 2_000;

/// The marks that a formula may stand between; longer ones first.
const MARKS: &[(&str, &str)] = &[
    ("\\\\(", "\\\\)"),
    ("\\\\[", "\\\\]"),
    ("\\(", "\\)"),
    ("\\[", "\\]"),
    ("$$", "$$"),
    ("$", "$"),
];

/// Commands and what they print, where it is not their name.
const SIGNS: &[(&str, &str)] = &[
    ("alpha", "α"),
    ("beta", "β"),
    ("gamma", "γ"),
    ("delta", "δ"),
    ("epsilon", "ε"),
    ("varepsilon", "ε"),
    ("zeta", "ζ"),
    ("eta", "η"),
    ("theta", "θ"),
    ("vartheta", "θ"),
    ("iota", "ι"),
    ("kappa", "κ"),
    ("lambda", "λ"),
    ("mu", "μ"),
    ("nu", "ν"),
    ("xi", "ξ"),
    ("pi", "π"),
    ("rho", "ρ"),
    ("varrho", "ρ"),
    ("sigma", "σ"),
    ("tau", "τ"),
    ("upsilon", "υ"),
    ("phi", "φ"),
    ("varphi", "φ"),
    ("chi", "χ"),
    ("psi", "ψ"),
    ("omega", "ω"),
    ("Gamma", "Γ"),
    ("Delta", "Δ"),
    ("Theta", "Θ"),
    ("Lambda", "Λ"),
    ("Xi", "Ξ"),
    ("Pi", "Π"),
    ("Sigma", "Σ"),
    ("Phi", "Φ"),
    ("Psi", "Ψ"),
    ("Omega", "Ω"),
    ("cdot", "·"),
    ("times", "×"),
    ("div", "÷"),
    ("pm", "±"),
    ("mp", "∓"),
    ("le", "≤"),
    ("leq", "≤"),
    ("leqslant", "≤"),
    ("ge", "≥"),
    ("geq", "≥"),
    ("geqslant", "≥"),
    ("ne", "≠"),
    ("neq", "≠"),
    ("approx", "≈"),
    ("sim", "~"),
    ("equiv", "≡"),
    ("propto", "∝"),
    ("ll", "≪"),
    ("gg", "≫"),
    ("to", "→"),
    ("rightarrow", "→"),
    ("Rightarrow", "⇒"),
    ("leftarrow", "←"),
    ("Leftarrow", "⇐"),
    ("leftrightarrow", "↔"),
    ("iff", "⇔"),
    ("implies", "⇒"),
    ("mapsto", "↦"),
    ("infty", "∞"),
    ("sum", "∑"),
    ("prod", "∏"),
    ("int", "∫"),
    ("partial", "∂"),
    ("nabla", "∇"),
    ("in", "∈"),
    ("notin", "∉"),
    ("subset", "⊂"),
    ("subseteq", "⊆"),
    ("cup", "∪"),
    ("cap", "∩"),
    ("forall", "∀"),
    ("exists", "∃"),
    ("neg", "¬"),
    ("land", "∧"),
    ("wedge", "∧"),
    ("lor", "∨"),
    ("vee", "∨"),
    ("emptyset", "∅"),
    ("ldots", "…"),
    ("dots", "…"),
    ("cdots", "…"),
    ("circ", "°"),
    ("degree", "°"),
    ("prime", "′"),
    ("ell", "ℓ"),
    ("euro", "€"),
    ("langle", "⟨"),
    ("rangle", "⟩"),
    ("lfloor", "⌊"),
    ("rfloor", "⌋"),
    ("lceil", "⌈"),
    ("rceil", "⌉"),
    ("quad", " "),
    ("qquad", " "),
    ("left", ""),
    ("right", ""),
    ("big", ""),
    ("Big", ""),
    ("bigl", ""),
    ("bigr", ""),
    ("displaystyle", ""),
    ("textstyle", ""),
    ("limits", ""),
    ("nolimits", ""),
    ("hline", ""),
    ("nonumber", ""),
];

/// Relations and operators that stand between spaces.
const SPACED: &[&str] = &[
    "·", "×", "÷", "±", "∓", "≤", "≥", "≠", "≈", "≡", "∝", "≪", "≫", "→", "⇒", "←", "⇐", "↔", "⇔",
    "↦", "∈", "∉", "⊂", "⊆", "∪", "∩", "∧", "∨",
];

/// Commands whose argument is what is shown.
const TRANSPARENT: &[&str] = &[
    "mathrm", "text", "mathbf", "mathit", "mathsf", "mathtt", "mathcal", "mathbb", "boldsymbol",
    "bm", "textbf", "textit", "textrm", "texttt", "operatorname", "mbox", "hbox", "overline",
    "bar", "hat", "tilde", "vec", "dot", "ddot", "underline", "widehat", "mathop", "boxed",
];

/// Commands whose argument shows nothing.
const SILENT: &[&str] = &["label", "tag", "begin", "end", "hspace", "vspace", "phantom", "color"];

/// A formula as one line; `None` if it is too long to be one.
pub(crate) fn line(formula: &str) -> Option<String> {
    if formula.len() > LONGEST {
        return None;
    }
    let mut reader = Reader { rest: formula };
    let shown = reader.group(0, None);
    let words: Vec<&str> = shown.split_whitespace().collect();
    Some(words.join(" "))
}

/// A formula between its marks, such as `\( … \)` and `$ … $`, as one line.
pub(crate) fn between_marks(text: &str) -> Option<String> {
    let text = text.trim();
    let marks = [("\\(", "\\)"), ("\\[", "\\]"), ("$$", "$$"), ("$", "$")];
    marks.iter().find_map(|(open, close)| {
        let inner = text.strip_prefix(open)?.strip_suffix(close)?;
        line(inner)
    })
}

/// The formula that a text begins with, and how far it reaches with its marks.
pub(crate) fn marked(text: &str, before: Option<char>) -> Option<(&str, usize)> {
    let (open, close) = MARKS.iter().find(|(open, _)| text.starts_with(open))?;
    let inner = text.get(open.len()..)?;
    let window = inner.get(..inner.floor_char_boundary(LONGEST_MARKED))?;
    let paragraph = window.split("\n\n").next()?;
    let end = match *close {
        "$" => {
            // A price is before a number, and no formula begins or ends with a space.
            if before.is_some_and(char::is_alphanumeric) || inner.starts_with(char::is_whitespace) {
                return None;
            }
            paragraph
                .match_indices('$')
                .map(|(at, _)| at)
                .find(|at| {
                    let is_masked = paragraph.get(..*at).is_some_and(|inner| inner.ends_with('\\'));
                    !is_masked
                })
                .filter(|at| {
                    let ends_in_space = paragraph
                        .get(..*at)
                        .is_some_and(|inner| inner.ends_with(char::is_whitespace));
                    let is_price = paragraph
                        .get(at + 1..)
                        .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
                    *at > 0 && !ends_in_space && !is_price
                })?
        }
        close => paragraph.find(close)?,
    };
    let formula = paragraph.get(..end)?;
    is_formula(formula).then_some((formula, open.len() + end + close.len()))
}

/// Returns `true` if a text holds what formulas are made of.
pub(crate) fn is_formula(text: &str) -> bool {
    let is_command = text.match_indices('\\').any(|(at, _)| {
        text.get(at + 1..).is_some_and(|rest| {
            rest.starts_with(|c: char| c.is_ascii_alphabetic() || ",;! {}%".contains(c))
        })
    });
    is_command || text.contains(['^', '_', '=', '<', '>']) || is_variable(text.trim())
}

/// `x`, `n!`, `2n`
fn is_variable(text: &str) -> bool {
    let letters = text.chars().filter(|letter| letter.is_alphabetic()).count();
    letters == 1 && text.chars().count() <= 3 && text.is_ascii()
}

struct Reader<'t> {
    rest: &'t str,
}

impl<'t> Reader<'t> {
    fn next(&mut self) -> Option<char> {
        let character = self.rest.chars().next()?;
        self.rest = self.rest.get(character.len_utf8()..)?;
        Some(character)
    }

    /// What is shown up to the closing sign, or to the end.
    fn group(&mut self, depth: usize, close: Option<char>) -> String {
        let mut out = String::new();
        while let Some(character) = self.next() {
            match character {
                _ if Some(character) == close => break,
                '\\' => self.command(&mut out, depth),
                '{' if depth < DEEPEST => out.push_str(&self.group(depth + 1, Some('}'))),
                '{' | '}' | '$' => {}
                '~' | '&' => out.push(' '),
                '_' | '^' => {
                    let part = self.argument(depth);
                    out.truncate(out.trim_end().len());
                    match part.trim() {
                        "" => {}
                        "°" => out.push('°'),
                        "′" => out.push('′'),
                        part if is_single(part) => {
                            out.push(character);
                            out.push_str(part);
                        }
                        part => {
                            out.push(character);
                            out.extend(["(", part, ")"]);
                        }
                    }
                }
                '=' | '<' | '>' => out.extend([" ", character.encode_utf8(&mut [0; 4]), " "]),
                '%' => {
                    // The rest of the line is a comment.
                    let end = self.rest.find('\n').unwrap_or(self.rest.len());
                    self.rest = self.rest.get(end..).unwrap_or_default();
                }
                other => out.push(other),
            }
        }
        out
    }

    /// What the next group, command or character shows.
    fn argument(&mut self, depth: usize) -> String {
        self.rest = self.rest.trim_start();
        match self.next() {
            Some('{') if depth < DEEPEST => self.group(depth + 1, Some('}')),
            Some('\\') => {
                let mut out = String::new();
                self.command(&mut out, depth);
                out
            }
            Some('{') | None => String::new(),
            Some(other) => other.to_string(),
        }
    }

    fn command(&mut self, out: &mut String, depth: usize) {
        let length = self.rest.chars().take_while(char::is_ascii_alphabetic).count();
        let Some((name, rest)) =
            self.rest.split_at_checked(length).filter(|(name, _)| !name.is_empty())
        else {
            match self.next() {
                Some(',' | ';' | ':' | ' ' | '\n' | '\\') => out.push(' '),
                Some(sign @ ('{' | '}' | '%' | '$' | '&' | '#' | '_' | '|')) => out.push(sign),
                _ => {}
            }
            return;
        };
        self.rest = rest;
        if TRANSPARENT.contains(&name) || depth >= DEEPEST {
            self.rest = self.rest.trim_start_matches('*');
            let argument = self.argument(depth);
            out.push_str(&argument);
        } else if SILENT.contains(&name) {
            self.argument(depth);
        } else if matches!(name, "frac" | "dfrac" | "tfrac") {
            let (above, below) = (self.argument(depth), self.argument(depth));
            out.extend([&bracketed(&above), "/", &bracketed(&below)].map(AsRef::<str>::as_ref));
        } else if name == "sqrt" {
            let degree = self.rest.strip_prefix('[').and_then(|rest| rest.split_once(']'));
            if let Some((degree, rest)) = degree {
                self.rest = rest;
                out.push_str(degree);
            }
            let argument = self.argument(depth);
            out.extend(["√(", argument.trim(), ")"]);
        } else {
            let sign = SIGNS.iter().find(|(known, _)| *known == name);
            let shown = sign.map_or(name, |(_, shown)| shown);
            let is_name = sign.is_none() && out.ends_with(char::is_alphanumeric);
            // Two letters in a row would be one word.
            let is_spaced = SPACED.contains(&shown) || is_name;
            out.push_str(if is_spaced { " " } else { "" });
            out.push_str(shown);
            let follows = self.rest.trim_start().starts_with(char::is_alphanumeric);
            out.push_str(if is_spaced || sign.is_none() && follows { " " } else { "" });
            self.rest = self.rest.trim_start();
        }
    }
}

/// A word or a number, which needs no brackets.
fn is_single(text: &str) -> bool {
    let inner = text.strip_prefix(['-', '+']).unwrap_or(text);
    inner.chars().all(|character| character.is_alphanumeric() || ".,*′∞°".contains(character))
}

pub(crate) fn bracketed(text: &str) -> String {
    let text = text.trim();
    if is_single(text) { text.to_owned() } else { format!("({text})") }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn formulas_are_read_as_they_are_shown() {
        for (formula, expected) in [
            (r"v_{\max} = 4.5\ \mathrm{m/s}", "v_max = 4.5 m/s"),
            (r"L = 86\ \mathrm{m}", "L = 86 m"),
            (r"R = 0.5\,\rho\,v^2", "R = 0.5 ρ v^2"),
            (r"\frac{a+b}{2}", "(a+b)/2"),
            (r"\sqrt{x^{n+1}} \le \infty", "√(x^(n+1)) ≤ ∞"),
            (r"\sum_{i=1}^n i\cdot x_i", "∑_(i = 1)^n i · x_i"),
            (r"90^\circ \text{ at least}", "90° at least"),
            (r"\begin{aligned} a &= 1 \\ b &= 2 \end{aligned}", "a = 1 b = 2"),
            (r"20\,\%", "20 %"),
            (r"\left( x \right)", "( x )"),
            (r"\sin x + \log n", "sin x + log n"),
            (r"\unknown{x}", "unknownx"),
            (r"\", ""),
            ("{{{", ""),
        ] {
            assert_eq!(line(formula).as_deref(), Some(expected), "{formula}");
        }
        assert_eq!(between_marks(r" \[ x^2 \] ").as_deref(), Some("x^2"));
        assert_eq!(between_marks("x"), None);
        assert_eq!(line(&"x".repeat(5_000)), None);
    }

    #[test]
    fn words_are_no_formulas() {
        for (text, expected) in [
            ("x", true),
            ("2n", true),
            ("a = b", true),
            (r"\alpha", true),
            ("optional", false),
            ("5 and ", false),
            ("see below", false),
            ("12", false),
        ] {
            assert_eq!(is_formula(text), expected, "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read(text in "[\\\\{}^_$a-z &%~=.-]{0,60}") {
            let shown = line(&text).unwrap_or_default();
            prop_assert!(!shown.contains('\\') || text.contains('\\'));
        }
    }
}
