use campanile_text::sentences;

/// The claims of an answer: its sentences, cut at semicolons, without marks such as `[2]`.
///
/// They are not cut at `and` and the like, since half of `bread and butter` claims something else.
pub(super) fn claims(answer: &str) -> Vec<String> {
    let answer = without_reference_marks(answer);
    let sentences = sentences(&answer).into_iter().filter_map(|span| span.slice(&answer));
    sentences
        .flat_map(|sentence| sentence.split(';'))
        .map(str::trim)
        .filter(|claim| claim.contains(char::is_alphanumeric))
        .map(str::to_owned)
        .collect()
}

/// Takes out `[2]` and `[1, 3]`, which point to passages and are no numbers of the answer.
fn without_reference_marks(answer: &str) -> String {
    let mut kept = String::with_capacity(answer.len());
    let mut rest = answer;
    while let Some(open) = rest.find('[') {
        let (before, from) = rest.split_at(open);
        kept.push_str(before);
        let close = from.find(']').map(|place| place + 1);
        let (mark, after) = from.split_at(close.unwrap_or(1));
        let inside = mark.trim_matches(['[', ']']);
        let is_number = |part: &str| {
            let part = part.trim();
            !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit())
        };
        if close.is_none() || !inside.split(',').all(is_number) {
            kept.push('[');
            rest = from.get(1..).unwrap_or_default();
        } else {
            rest = after;
        }
    }
    kept.push_str(rest);
    kept
}

#[cfg(test)]
mod tests {
    use super::claims;

    #[test]
    fn cases() {
        let cases: [(&str, &[&str]); 6] = [
            ("", &[]),
            ("Peru", &["Peru"]),
            ("It is 829.8 m high and old.", &["It is 829.8 m high and old."]),
            ("One [1]. Two [2, 3].", &["One .", "Two ."]),
            ("Ask Dr. Li; bring [your] card", &["Ask Dr. Li", "bring [your] card"]),
            ("… [1] ;", &[]),
        ];
        for (answer, expected) in cases {
            assert_eq!(claims(answer), expected, "{answer}");
        }
    }
}
