//! Numbers of lines in the margin of a page, as drafts of regulations have them.
//!
//! They are no words of the text, but stand at its height: `may miss at`, `3`, `most 2 of 14`. They are a
//! column of numbers that nothing else reaches into, that grow by the same step from line to line, and
//! every line between them is counted. A column of a table grows too, but is within its rows, or in
//! front of rows with gaps.

use super::ink::median;
use super::words::Word;

/// Fewest numbers where each line has one.
// Three lines in a row may begin with three numbers by chance.
const FEWEST: usize = 5;
/// Fewest numbers that are set smaller than the text.
const FEWEST_SMALL: usize = 4;
/// Fewest numbers where only some lines have one: their values count the lines between them.
const FEWEST_APART: usize = 3;
/// Numbers that are smaller than this share of the text's size are not part of it.
const SMALL: f64 = 0.85;
/// Edges that differ by less, in points, are one.
const SAME_EDGE: f64 = 1.2;
/// Most digits of the number of a line.
const MOST_DIGITS: usize = 4;
/// A gap of so many ems is one between cells.
const CELL_GAP: f64 = 1.2;
/// Running text has at least so many words in a line, and its lines reach this far.
const WORDS_IN_LINE: usize = 5;
const REACH: f64 = 0.75;

/// A number at the edge of a piece.
#[derive(Clone, Copy, Debug)]
struct Number {
    piece: usize,
    word: usize,
    value: i64,
    left: f64,
    right: f64,
    baseline: f64,
    size: f64,
}

/// A line of the page without the numbers.
#[derive(Clone, Copy, Debug)]
struct TextLine {
    baseline: f64,
    left: f64,
    right: f64,
    words: usize,
    /// `true` if its words stand apart, as those of cells do.
    has_gap: bool,
}

/// Takes the numbers of lines out of the pieces of a page, and says how many those were.
pub(super) fn take_line_numbers(pieces: &mut Vec<Vec<Word>>) -> usize {
    let numbers = numbers(pieces);
    if numbers.len() < FEWEST_APART {
        return 0;
    }
    let mut taken: Vec<(usize, usize)> = Vec::new();
    let edges: [fn(&Number) -> f64; 2] = [|number| number.right, |number| number.left];
    for edge in edges {
        for column in columns(&numbers, edge) {
            if counts_lines(&column, pieces) {
                taken.extend(column.iter().map(|number| (number.piece, number.word)));
            }
        }
    }
    taken.sort_unstable();
    taken.dedup();
    for (piece, word) in taken.iter().rev() {
        if let Some(words) = pieces.get_mut(*piece).filter(|words| *word < words.len()) {
            words.remove(*word);
            if let Some(next) = words.get_mut(*word) {
                next.is_glued = false;
            }
        }
    }
    pieces.retain(|piece| !piece.is_empty());
    taken.len()
}

/// The words at either end of a piece that are numbers.
fn numbers(pieces: &[Vec<Word>]) -> Vec<Number> {
    let mut numbers = Vec::new();
    for (piece, words) in pieces.iter().enumerate() {
        let last = words.len().saturating_sub(1);
        let ends = if last == 0 { vec![0] } else { vec![0, last] };
        for at in ends {
            let Some(word) = words.get(at) else {
                continue;
            };
            let is_number =
                word.text.len() <= MOST_DIGITS && word.text.bytes().all(|b| b.is_ascii_digit());
            if let Some(value) = word.text.parse().ok().filter(|_| is_number) {
                let (left, right) = (word.left, word.right);
                let (baseline, size) = (word.baseline, word.size);
                numbers.push(Number { piece, word: at, value, left, right, baseline, size });
            }
        }
    }
    numbers
}

/// Numbers that share an edge and grow by one step from the top down.
fn columns(numbers: &[Number], edge: fn(&Number) -> f64) -> Vec<Vec<Number>> {
    let mut sorted = numbers.to_vec();
    sorted.sort_by(|a, b| edge(a).total_cmp(&edge(b)));
    let mut columns: Vec<Vec<Number>> = Vec::new();
    for number in sorted {
        match columns.last_mut() {
            Some(column)
                if column.first().is_some_and(|first| edge(&number) - edge(first) < SAME_EDGE) =>
            {
                column.push(number);
            }
            _ => columns.push(vec![number]),
        }
    }
    for column in &mut columns {
        column.sort_by(|a, b| a.baseline.total_cmp(&b.baseline));
        *column = longest_run(column);
    }
    columns.retain(|column| column.len() >= FEWEST_APART);
    columns
}

/// The most numbers in a row that grow by one step.
fn longest_run(column: &[Number]) -> Vec<Number> {
    let step = |at: usize| Some(column.get(at + 1)?.value - column.get(at)?.value);
    let (mut best, mut start) = (0..0, 0);
    while start < column.len() {
        let first = step(start);
        let goes_on = |at: &usize| first.is_some_and(|first| first > 0) && step(*at) == first;
        let end = start + 1 + (start..column.len()).take_while(goes_on).count();
        if end - start > best.len() {
            best = start..end;
        }
        // The last number of a run may begin the next.
        start = (end - 1).max(start + 1);
    }
    column.get(best).unwrap_or_default().to_vec()
}

/// Returns `true` if a column of numbers counts the lines of a page.
fn counts_lines(column: &[Number], pieces: &[Vec<Word>]) -> bool {
    let (Some(first), Some(second), Some(last)) = (column.first(), column.get(1), column.last())
    else {
        return false;
    };
    let left = column.iter().map(|number| number.left).fold(f64::MAX, f64::min);
    let right = column.iter().map(|number| number.right).fold(f64::MIN, f64::max);
    let is_own = |piece: usize, word: usize| {
        column.iter().any(|number| (number.piece, number.word) == (piece, word))
    };
    let mut words: Vec<&Word> = Vec::new();
    for (piece, all) in pieces.iter().enumerate() {
        for (at, word) in all.iter().enumerate() {
            let within =
                first.baseline - 2.0 < word.baseline && word.baseline < last.baseline + 2.0;
            if within && !is_own(piece, at) {
                if word.left < right && word.right > left {
                    return false;
                }
                words.push(word);
            }
        }
    }
    let is_outside =
        words.iter().all(|word| word.left >= right) || words.iter().all(|word| word.right <= left);
    let lines = text_lines(words);
    let rows = lines.iter().filter(|line| line.has_gap).count();
    if !is_outside || 2 * rows > lines.len() {
        return false;
    }
    let size = |number: &Number| number.size;
    let largest = column.iter().map(size).fold(0.0, f64::max);
    let beside = |number: &Number| {
        lines.iter().any(|line| (line.baseline - number.baseline).abs() < 0.5 * number.size + 1.0)
    };
    if !column.iter().all(beside) {
        return false;
    }
    let step = second.value - first.value;
    if step > 1 {
        return counts_between(column, step, &lines);
    }
    let is_small = largest < SMALL * text_size(pieces);
    let fewest = if is_small { FEWEST_SMALL } else { FEWEST };
    // Each line has its number: in a list the lines that go on have none.
    let are_all = lines.len() <= column.len() + column.len() / 8;
    column.len() >= fewest && are_all && (is_small || is_running_text(&lines))
}

/// Returns `true` if as many lines stand from one number to the next as their values say.
fn counts_between(column: &[Number], step: i64, lines: &[TextLine]) -> bool {
    let is_counted = |pair: &&[Number]| {
        let [last, next] = pair else {
            return false;
        };
        let between = lines.iter().filter(|line| {
            last.baseline + 2.0 < line.baseline && line.baseline < next.baseline + 2.0
        });
        i64::try_from(between.count()).is_ok_and(|between| between == step)
    };
    let counted = column.windows(2).filter(is_counted).count();
    4 * counted >= 3 * (column.len() - 1)
}

/// Words as lines, from the top down.
fn text_lines(mut words: Vec<&Word>) -> Vec<TextLine> {
    words.sort_by(|a, b| a.baseline.total_cmp(&b.baseline));
    let mut lines: Vec<Vec<&Word>> = Vec::new();
    for word in words {
        match lines.last_mut() {
            Some(line)
                if line
                    .first()
                    .is_some_and(|first| word.baseline - first.baseline < 0.4 * word.size) =>
            {
                line.push(word);
            }
            _ => lines.push(vec![word]),
        }
    }
    lines.into_iter().filter_map(text_line).collect()
}

fn text_line(mut words: Vec<&Word>) -> Option<TextLine> {
    words.sort_by(|a, b| a.left.total_cmp(&b.left));
    let (first, last) = (words.first()?, words.last()?);
    let has_gap = words.windows(2).any(|pair| match pair {
        [before, word] => word.left - before.right > CELL_GAP * word.size,
        _ => false,
    });
    let (baseline, left, right) = (first.baseline, first.left, last.right);
    Some(TextLine { baseline, left, right, words: words.len(), has_gap })
}

/// Returns `true` if half of the lines are long ones of many words.
fn is_running_text(lines: &[TextLine]) -> bool {
    let left = lines.iter().map(|line| line.left).fold(f64::MAX, f64::min);
    let right = lines.iter().map(|line| line.right).fold(f64::MIN, f64::max);
    let is_long = |line: &&TextLine| {
        line.words >= WORDS_IN_LINE && line.right - left > REACH * (right - left)
    };
    2 * lines.iter().filter(is_long).count() >= lines.len()
}

/// The size that most words have.
fn text_size(pieces: &[Vec<Word>]) -> f64 {
    median(pieces.iter().flatten().map(|word| word.size)).unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(text: &str, left: f64, baseline: f64, size: f64) -> Word {
        let right = left + 0.5 * size * text.chars().count() as f64;
        Word { text: text.to_owned(), left, right, baseline, size, ..Word::default() }
    }

    /// Lines of running text, 14 points apart; `number` says what is in the margin of each.
    fn page(
        lines: usize,
        size: f64,
        at: f64,
        number: impl Fn(usize) -> Option<usize>,
    ) -> Vec<Vec<Word>> {
        let mut pieces = Vec::new();
        for line in 0..lines {
            let baseline = 100.0 + 14.0 * line as f64;
            let texts =
                ["A", "student", "may", "miss", "2", "of", "14", "meetings", "a", "term", "12"];
            let mut left = 120.0;
            let mut words = Vec::new();
            for text in texts {
                words.push(word(text, left, baseline, 10.0));
                left += 5.0 * text.chars().count() as f64 + 3.0;
            }
            if let Some(number) = number(line) {
                let text = number.to_string();
                let width = 0.5 * size * text.len() as f64;
                let number = word(&text, at - width, baseline, size);
                if at < 120.0 { words.insert(0, number) } else { pieces.push(vec![number]) }
            }
            pieces.push(words);
        }
        pieces
    }

    #[test]
    fn numbers_of_lines_are_taken_out() {
        let cases = [
            (page(8, 6.0, 108.0, |line| Some(line + 1)), 8),
            (page(8, 10.0, 108.0, |line| Some(line + 97)), 8),
            (page(8, 10.0, 500.0, |line| Some(line + 1)), 8),
            (page(16, 10.0, 108.0, |line| (line % 5 == 4).then_some(line + 1)), 3),
        ];
        for (mut pieces, expected) in cases {
            assert_eq!(take_line_numbers(&mut pieces), expected);
            let texts = pieces.iter().map(|piece| piece.first().map(|word| word.text.as_str()));
            assert!(texts.eq(vec![Some("A"); pieces.len()]), "{pieces:?}");
        }
    }

    #[test]
    fn other_numbers_stay() {
        let mut table = Vec::new();
        for row in 0..8 {
            let baseline = 100.0 + 14.0 * f64::from(row);
            table.push(vec![word(&(row + 1).to_string(), 100.0, baseline, 10.0)]);
            table.push(vec![
                word("Locker", 150.0, baseline, 10.0),
                word("free", 190.0, baseline, 10.0),
            ]);
        }
        // The second word of each first cell; the first cells alone, beside cells of several words.
        let rows = |prefix: &str| -> Vec<Vec<Word>> {
            let row = |row: usize| {
                let baseline = 100.0 + 14.0 * row as f64;
                let mut words = vec![word(&(101 + row).to_string(), 110.0, baseline, 10.0)];
                if !prefix.is_empty() {
                    words.insert(0, word(prefix, 100.0, baseline, 10.0));
                }
                let cells = ["House", "of", "Keel", "EUR", "16", "K514"];
                let at = [160.0, 188.0, 201.0, 300.0, 318.0, 420.0];
                words.extend(cells.iter().zip(at).map(|(text, at)| word(text, at, baseline, 10.0)));
                words
            };
            (0..12).map(row).collect()
        };
        let cases = [
            table,
            rows("L"),
            rows(""),
            // A list, in which some lines go on; amounts at the ends of lines; sums that grow by chance.
            page(12, 10.0, 108.0, |line| (line % 3 == 0).then_some(line / 3 + 1)),
            page(8, 10.0, 500.0, |line| Some([20, 40, 45, 50, 65, 70, 90, 95][line])),
            page(9, 10.0, 108.0, |line| (line % 4 == 0).then_some(10 * line)),
        ];
        for mut pieces in cases {
            assert_eq!(take_line_numbers(&mut pieces), 0, "{pieces:?}");
        }
    }
}
