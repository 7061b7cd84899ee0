//! Search in a text for what a question set names as gold.

/// Between the cells of a gold table row.
const CELL_SEPARATOR: &str = " | ";

/// Returns `true` if a text holds a gold passage: without regard to case and white space; of a table row,
/// given as its cells, in a line that holds them all.
pub(crate) fn holds(text: &str, passage: &str) -> bool {
    if !passage.contains(CELL_SEPARATOR) {
        return folded(text).contains(&folded(passage));
    }
    let cells: Vec<String> = passage.split(CELL_SEPARATOR).map(folded).collect();
    text.lines().map(folded).any(|line| cells.iter().all(|cell| line.contains(cell)))
}

/// Lower case, with every run of white space as one space.
pub(crate) fn folded(text: &str) -> String {
    let words: Vec<String> = text.split_whitespace().map(str::to_lowercase).collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::holds;

    #[test]
    fn passages_are_found_without_regard_to_case_and_white_space() {
        let text = "Fees\nItem: Locker; Fee: 5 euros\nItem: Key;  Fee: 12 euros\nPay at  the desk.";
        let cases = [
            ("pay at the desk.", true),
            ("Key | 12 euros", true),
            ("Locker | 12 euros", false),
            ("Locker | 5 euros | May", false),
        ];
        for (passage, expected) in cases {
            assert_eq!(holds(text, passage), expected, "{passage}");
        }
    }
}
