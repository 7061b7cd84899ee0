//! The nearest known name to a mistyped one.

/// The shortest piece of a name that is taken as meaning the whole.
const SHORTEST_PIECE: usize = 3;

/// The name among `known` that `typed` most likely meant, if any is near enough:
/// at most a third of its letters changed, or a piece of it, regardless of case.
pub(crate) fn nearest<'a>(
    typed: &str,
    known: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let typed = typed.to_lowercase();
    known
        .into_iter()
        .filter_map(|name| {
            let lower = name.to_lowercase();
            let distance = strsim::levenshtein(&typed, &lower);
            let is_piece = typed.chars().count() >= SHORTEST_PIECE && lower.contains(&typed);
            let is_near = distance * 3 <= name.chars().count();
            (is_piece || is_near).then_some((distance, name))
        })
        .min()
        .map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use strsim::levenshtein as edit_distance;

    use super::nearest;

    const KNOWN: [&str; 2] = ["all-MiniLM-L6-v2", "smollm2-135m-instruct"];

    #[test]
    fn slips_find_their_name_and_strangers_do_not() {
        let cases = [
            ("all-minilm-l6-v2", Some("all-MiniLM-L6-v2")),
            ("all-MiniLM-L6", Some("all-MiniLM-L6-v2")),
            ("smollm2-135-instruct", Some("smollm2-135m-instruct")),
            ("minilm", Some("all-MiniLM-L6-v2")),
            ("SmolLM2", Some("smollm2-135m-instruct")),
            ("llama-70b", None),
            ("l6", None),
            ("", None),
        ];
        for (typed, expected) in cases {
            assert_eq!(nearest(typed, KNOWN), expected, "{typed}");
        }
    }

    proptest::proptest! {
        #[test]
        fn distance_is_a_metric(a in ".{0,12}", b in ".{0,12}", c in ".{0,12}") {
            proptest::prop_assert_eq!(edit_distance(&a, &a), 0);
            proptest::prop_assert_eq!(edit_distance(&a, &b), edit_distance(&b, &a));
            proptest::prop_assert!(
                edit_distance(&a, &c) <= edit_distance(&a, &b) + edit_distance(&b, &c)
            );
            proptest::prop_assert_eq!(edit_distance(&a, ""), a.chars().count());
        }
    }
}
