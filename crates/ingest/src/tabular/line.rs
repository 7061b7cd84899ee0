//! The text of a cell on one line.

/// Lines longer than this are prose that was wrapped, not a list.
const ITEM_BYTES: usize = 100;

/// The text of a cell on one line: lines that are items of a list are set apart by commas.
pub(crate) fn one_line(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let is_item = |line: &&str| {
        let begins = line.chars().next().is_some_and(|first| !first.is_lowercase());
        begins && line.len() <= ITEM_BYTES
    };
    let is_list = lines.len() > 1 && lines.iter().skip(1).all(is_item);
    let mut out = String::with_capacity(text.len());
    for line in lines {
        if !out.is_empty() {
            let ends = out.ends_with([',', ';', ':', '.', '!', '?']);
            out.push_str(if is_list && !ends { ", " } else { " " });
        }
        let mut words = line.split_whitespace();
        out.push_str(words.next().unwrap_or_default());
        for word in words {
            out.push(' ');
            out.push_str(word);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::one_line;

    #[test]
    fn lists_get_commas_and_prose_does_not() {
        let cases = [
            ("Grammars\nAlgorithms for NLP\n", "Grammars, Algorithms for NLP"),
            ("Students must complete\na project.", "Students must complete a project."),
            ("Room:\nW 1.01", "Room: W 1.01"),
            ("  a \t b  ", "a b"),
            ("", ""),
        ];
        for (text, expected) in cases {
            assert_eq!(one_line(text), expected);
        }
    }
}
