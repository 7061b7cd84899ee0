//! Which character parts the fields.

/// The characters that do, the usual first.
const DELIMITERS: &[u8] = b",;\t|";
/// The part of a file that is looked at, in bytes and in rows.
const BYTES_LOOKED_AT: usize = 64 * 1024;
const ROWS_LOOKED_AT: usize = 100;

/// The delimiter under which the rows are most alike; `usual` where it makes no difference.
pub(super) fn delimiter(source: &str, usual: u8) -> u8 {
    let end = source.floor_char_boundary(BYTES_LOOKED_AT);
    let head = source.get(..end).unwrap_or(source);
    let others = DELIMITERS.iter().copied().filter(|delimiter| *delimiter != usual);
    let mut best = (score(head, usual), usual);
    for delimiter in others {
        let own = score(head, delimiter);
        if own > best.0 {
            best = (own, delimiter);
        }
    }
    best.1
}

/// Returns how many rows in a thousand have as many fields as most have, and how many fields that are; none
/// if most have only one.
fn score(head: &str, delimiter: u8) -> Option<(usize, usize)> {
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(delimiter)
        .has_headers(false)
        .flexible(true)
        .from_reader(head.as_bytes());
    let mut counts: Vec<usize> =
        reader.records().take(ROWS_LOOKED_AT).map_while(Result::ok).map(|row| row.len()).collect();
    counts.sort_unstable();
    let mut usual = (0, 0);
    for run in counts.chunk_by(|a, b| a == b) {
        usual = usual.max((run.len(), run.first().copied().unwrap_or_default()));
    }
    let (rows, fields) = usual;
    (fields > 1).then(|| (1_000 * rows / counts.len().max(1), fields))
}

#[cfg(test)]
mod tests {
    use super::delimiter;

    #[test]
    fn the_delimiter_is_the_one_that_makes_rows_alike() {
        let cases: &[(&str, u8, u8)] = &[
            ("a,b\n1,2\n", b',', b','),
            ("a;b\n1,5;2\n3;4\n", b',', b';'),
            ("a\tb\n1, 2\t3\n", b',', b'\t'),
            ("a|b\n1|2\n", b',', b'|'),
            ("a,b\n1,2\n", b'\t', b','),
            ("\"a;b\",c\n\"d;e;f\",g\n", b',', b','),
            ("one\ntwo\n", b',', b','),
            ("", b'\t', b'\t'),
        ];
        for (source, usual, expected) in cases {
            assert_eq!(delimiter(source, *usual), *expected, "{source:?}");
        }
    }
}
