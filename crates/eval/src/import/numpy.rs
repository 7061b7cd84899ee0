//! Lists as NumPy prints them, which is how some sets in CSV keep theirs: `['a' "it's"\n 'c']`.

/// The texts of a printed list: items in single or double quotes, as Python writes them.
pub(super) fn texts(printed: &str) -> Option<Vec<String>> {
    let inner = printed.trim().strip_prefix('[')?.strip_suffix(']')?;
    let mut items = Vec::new();
    let mut characters = inner.chars();
    loop {
        let quote = characters.by_ref().find(|c| !c.is_whitespace() && *c != ',');
        match quote {
            None => return Some(items),
            Some(quote @ ('\'' | '"')) => items.push(quoted(&mut characters, quote)?),
            Some(_) => return None,
        }
    }
}

/// The numbers of a printed list: `[2 5]`.
pub(super) fn numbers(printed: &str) -> Option<Vec<u64>> {
    let inner = printed.trim().strip_prefix('[')?.strip_suffix(']')?;
    let parts = inner.split(|c: char| c.is_whitespace() || c == ',');
    parts.filter(|part| !part.is_empty()).map(|part| part.parse().ok()).collect()
}

/// The rest of a quoted text; escapes as in Python's `repr`.
fn quoted(characters: &mut std::str::Chars<'_>, quote: char) -> Option<String> {
    let mut text = String::new();
    loop {
        match characters.next()? {
            '\\' => text.push(escape(characters)?),
            end if end == quote => return Some(text),
            other => text.push(other),
        }
    }
}

fn escape(characters: &mut std::str::Chars<'_>) -> Option<char> {
    let digits = match characters.next()? {
        'n' => return Some('\n'),
        't' => return Some('\t'),
        'r' => return Some('\r'),
        'x' => 2,
        'u' => 4,
        'U' => 8,
        other => return Some(other),
    };
    let hexadecimal: String = characters.take(digits).collect();
    char::from_u32(u32::from_str_radix(&hexadecimal, 16).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printed_lists_are_read() {
        let cases: [(&str, Option<&[&str]>); 7] = [
            ("['a' 'b']", Some(&["a", "b"])),
            ("['a'\n \"it's\"]", Some(&["a", "it's"])),
            (r"['it\'s\n' 'x\xa0y']", Some(&["it's\n", "x\u{a0}y"])),
            ("[]", Some(&[])),
            ("['a' ...]", None),
            ("['a", None),
            ("a", None),
        ];
        for (printed, expected) in cases {
            let expected = expected.map(|items| items.iter().map(|it| (*it).to_owned()).collect());
            assert_eq!(texts(printed), expected, "{printed}");
        }
        assert_eq!(numbers("[ 5152028 11705328]"), Some(vec![5_152_028, 11_705_328]));
        assert_eq!(numbers("[]"), Some(Vec::new()));
        assert_eq!(numbers("[a]"), None);
    }
}
