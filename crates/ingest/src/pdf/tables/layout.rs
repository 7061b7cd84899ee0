//! The columns and rows of a table that its text alone shows.
//!
//! Columns part where a strip stays free of words from top to bottom. A line of text goes on with
//! the row above it where a typesetter would have broken the cells there, or where it leaves free
//! what every row begins with; elsewhere it begins a row.

use std::ops::Range;

use hayro_interpret::kurbo::Rect;

use super::centred::centred_rows;
use super::grid::{Frame, Grid};
use super::{Cell, Heads};
use crate::pdf::ink::Rule;
use crate::pdf::lines::{Piece, rows};
use crate::pdf::words::Word;

/// The narrowest strip between two columns, in ems.
// LaTeX with `\tabcolsep` of 3 points leaves 0.6, Typst 0.9 and more; a space is a quarter to a third.
pub(super) const NARROWEST_STRIP: f64 = 0.5;

/// Spaces of one stretched line differ by less, in ems.
const EVEN: f64 = 0.03;
/// Fewer spaces are of one width by chance.
const FEWEST_SPACES: usize = 3;
/// The widest space of a stretched line, in ems.
const WIDEST_SPACE: f64 = 1.2;
/// Cells that begin so near to one another, in points, begin at one place.
const SAME_PLACE: f64 = 1.0;

/// From `start` to `end` along the line.
pub(super) type Extent = (f64, f64);

/// The words of a table at one height, from left to right.
#[derive(Clone, Debug)]
pub(super) struct TextLine {
    pub(super) words: Vec<Word>,
    pub(super) baseline: f64,
    pub(super) size: f64,
}

impl TextLine {
    pub(super) fn of(row: Vec<Piece>) -> Self {
        let size = row.iter().map(|piece| piece.size).fold(0.0, f64::max);
        let baseline = row.first().map_or(0.0, Piece::baseline);
        let mut words: Vec<Word> = row.into_iter().flat_map(|piece| piece.words).collect();
        words.sort_by(|a, b| a.left.total_cmp(&b.left));
        Self { words, baseline, size }
    }

    /// The stretches of words that stand no further apart than words do.
    pub(super) fn runs(&self) -> Vec<Extent> {
        let mut runs: Vec<Extent> = Vec::new();
        // Asked for at the first wide gap: most lines have none.
        let mut stretched: Option<Vec<bool>> = None;
        let mut is_stretched = |at: usize| {
            let spaces = stretched.get_or_insert_with(|| self.stretched());
            spaces.get(at).copied().unwrap_or(false)
        };
        for (at, word) in self.words.iter().enumerate() {
            match runs.last_mut() {
                Some(last)
                    if word.left - last.1 < NARROWEST_STRIP * self.size || is_stretched(at) =>
                {
                    last.1 = last.1.max(word.right);
                }
                _ => runs.push((word.left, word.right)),
            }
        }
        runs
    }

    /// Says of each word whether a space is before it that was stretched to fill a cell: one of several in a row that
    /// are of one width, between words of a sentence.
    fn stretched(&self) -> Vec<bool> {
        let gap = |at: usize| match self.words.get(at.wrapping_sub(1)..=at) {
            Some([before, word]) => word.left - before.right,
            _ => f64::MAX,
        };
        let mut spaces = vec![false; self.words.len()];
        if self.words.len() <= FEWEST_SPACES {
            return spaces;
        }
        let mut start = 1;
        while start < self.words.len() {
            let first = gap(start);
            let is_even = |at: &usize| (gap(*at) - first).abs() < EVEN * self.size;
            let end = start + (start..self.words.len()).take_while(is_even).count().max(1);
            let own = self.words.get(start..end).unwrap_or_default();
            let small = own.iter().filter(|word| word.text.starts_with(char::is_lowercase));
            let is_sentence = own.len() >= FEWEST_SPACES && 2 * small.count() > own.len();
            if is_sentence && first < WIDEST_SPACE * self.size {
                spaces.get_mut(start..end).into_iter().for_each(|own| own.fill(true));
            }
            start = end;
        }
        spaces
    }

    /// The same, parted as well where a word begins at one of these places.
    pub(super) fn runs_at(&self, anchors: &[f64]) -> Vec<Extent> {
        let mut runs: Vec<Extent> = Vec::new();
        for word in &self.words {
            let next = anchors.partition_point(|anchor| *anchor < word.left - SAME_PLACE);
            let begins = anchors.get(next).is_some_and(|anchor| *anchor < word.left + SAME_PLACE);
            match runs.last_mut() {
                Some(last) if !begins && word.left - last.1 < NARROWEST_STRIP * self.size => {
                    last.1 = last.1.max(word.right);
                }
                _ => runs.push((word.left, word.right)),
            }
        }
        runs
    }

    pub(super) fn middle(&self) -> f64 {
        f64::midpoint(self.top(), self.bottom())
    }

    pub(super) fn top(&self) -> f64 {
        self.baseline - 0.75 * self.size
    }

    pub(super) fn bottom(&self) -> f64 {
        self.baseline + 0.22 * self.size
    }
}

/// The lines of these pieces, from the top down.
pub(super) fn text_lines(pieces: Vec<Vec<Word>>) -> Vec<TextLine> {
    let pieces = pieces.into_iter().map(Piece::of_words).collect();
    let mut lines: Vec<TextLine> = Vec::new();
    for line in rows(pieces).into_iter().map(TextLine::of) {
        match lines.last_mut() {
            Some(last) if stands_between(last, &line) => {
                last.words.extend(line.words);
                last.words.sort_by(|a, b| a.left.total_cmp(&b.left));
            }
            _ => lines.push(line),
        }
    }
    lines
}

/// Returns `true` if a line is that of a cell in the middle of its row, beside another of an even number of lines:
/// half a line further down, and clear of what is there.
fn stands_between(last: &TextLine, line: &TextLine) -> bool {
    let size = line.size.min(last.size);
    let (runs, others) = (line.runs(), last.runs());
    let is_clear = |run: &Extent| others.iter().all(|other| run.1 <= other.0 || other.1 <= run.0);
    line.baseline - last.baseline < 0.85 * size && runs.iter().all(is_clear)
}

/// The columns of these lines: what is left between the strips that nothing crosses.
///
/// A line in one run says nothing of columns: it goes on a cell, or names what follows.
pub(super) fn columns(lines: &[TextLine]) -> Vec<Extent> {
    let anchors = anchors(lines);
    let runs = lines.iter().map(|line| {
        let runs = line.runs();
        if runs.len() > 1 { line.runs_at(&anchors) } else { runs }
    });
    let (several, single): (Vec<_>, Vec<_>) = runs.partition(|runs| runs.len() > 1);
    let size = lines.iter().map(|line| line.size).fold(f64::MAX, f64::min);
    let mut runs: Vec<Extent> = several.into_iter().flatten().collect();
    runs.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut columns: Vec<Extent> = Vec::new();
    for (start, end) in runs {
        match columns.last_mut() {
            Some(last)
                if start - last.1 < NARROWEST_STRIP * size && !is_anchor(&anchors, start, last) =>
            {
                last.1 = last.1.max(end);
            }
            _ => columns.push((start, end)),
        }
    }
    for run in single.into_iter().flatten() {
        widen(&mut columns, run, size);
    }
    columns
}

/// Places at which most lines of several cells begin one: what is written up to there in one line is another cell all the same.
fn anchors(lines: &[TextLine]) -> Vec<f64> {
    let runs = lines.iter().map(TextLine::runs).filter(|runs| runs.len() > 1);
    let (mut starts, mut count) = (Vec::new(), 0_usize);
    for runs in runs {
        count += 1;
        starts.extend(runs.into_iter().skip(1).map(|run| run.0));
    }
    starts.sort_by(f64::total_cmp);
    let mut anchors = Vec::new();
    let mut rest = starts.as_slice();
    while let Some(first) = rest.first() {
        let near = rest.partition_point(|start| *start < first + SAME_PLACE);
        if near >= FEWEST_AT_ANCHOR && 5 * near >= 3 * count {
            anchors.push(*first);
        }
        rest = rest.get(near..).unwrap_or_default();
    }
    anchors
}

/// Lines of a row that has its name in the first, on average at most.
const MOST_NAMED_LINES: usize = 4;
/// Fewest cells that begin at one place.
const FEWEST_AT_ANCHOR: usize = 3;

/// Returns `true` if a cell begins at this place, right after what ends there.
fn is_anchor(anchors: &[f64], start: f64, before: &Extent) -> bool {
    before.1 <= start && anchors.iter().any(|anchor| (anchor - start).abs() < SAME_PLACE)
}

/// Widens the one column that a run is in, if it is one.
pub(super) fn widen(columns: &mut [Extent], run: Extent, size: f64) {
    let Range { start, end } = reach(columns, run);
    if end != start + 1 {
        return;
    }
    let room = (
        start.checked_sub(1).and_then(|left| columns.get(left)).map_or(f64::MIN, |left| left.1),
        columns.get(end).map_or(f64::MAX, |right| right.0),
    );
    // As near to its neighbours as the words of a cell, it is no cell of this column.
    if let Some(column) = columns.get_mut(start)
        && run.0 - room.0 > 0.3 * size
        && room.1 - run.1 > 0.3 * size
    {
        *column = (column.0.min(run.0), column.1.max(run.1));
    }
}

/// The columns that a run lies over.
pub(super) fn reach(columns: &[Extent], run: Extent) -> Range<usize> {
    let start = columns.partition_point(|column| column.1 <= run.0);
    let end = columns.partition_point(|column| column.0 < run.1);
    start..end.max(start)
}

/// The column that a word is in, or nearest to.
pub(super) fn column_of(columns: &[Extent], word: &Word) -> usize {
    let middle = (word.left + word.right) / 2.0;
    parts(columns).take_while(|part| *part <= middle).count()
}

/// Where columns part: nearer to what begins than to what ends, since what is too long for its column reaches over to the right.
pub(super) fn parts(columns: &[Extent]) -> impl Iterator<Item = f64> + '_ {
    columns.windows(2).filter_map(|pair| match pair {
        [left, right] => Some(right.0 - 0.1 * (right.0 - left.1)),
        _ => None,
    })
}

/// The part of a line that is in one column.
#[derive(Clone, Copy, Debug)]
struct Slot {
    left: f64,
    right: f64,
    /// The width of its first word.
    first: f64,
    begins_small: bool,
    /// It ends in a hyphen.
    breaks_word: bool,
    words: usize,
    has_digit: bool,
    /// Its last word is a tick, a cross or the like.
    ends_in_mark: bool,
    /// Its last word is a number without a unit.
    ends_in_number: bool,
}

/// What a cell says by a sign alone: yes, no, none.
const MARKS: &[&str] = &[
    "x", "X", "×", "✓", "✔", "✗", "✘", "●", "•", "○", "■", "☐", "☑", "☒", "√", "+", "-", "–", "—",
];

impl Slot {
    fn of(word: &Word) -> Self {
        Self {
            left: word.left,
            right: word.right,
            first: word.right - word.left,
            begins_small: word.text.starts_with(char::is_lowercase),
            breaks_word: false,
            words: 0,
            has_digit: false,
            ends_in_mark: false,
            ends_in_number: false,
        }
    }

    fn add(&mut self, word: &Word) {
        self.right = self.right.max(word.right);
        self.breaks_word = word.text.ends_with(['-', '\u{AD}', '\u{2010}']);
        self.words += 1;
        self.has_digit |= word.text.contains(|letter: char| letter.is_ascii_digit());
        self.ends_in_mark = MARKS.contains(&word.text.as_str());
        let is_of_number = |letter: char| letter.is_ascii_digit() || ".,%".contains(letter);
        self.ends_in_number = word.text.starts_with(|first: char| first.is_ascii_digit())
            && word.text.chars().all(is_of_number);
    }

    /// A tick, a cross or the like and nothing else, which goes on no text.
    fn is_mark(&self) -> bool {
        self.words == 1 && self.ends_in_mark
    }

    /// A number without a unit and nothing else.
    fn is_number(&self) -> bool {
        self.words == 1 && self.ends_in_number
    }

    /// A number with a unit, a date, a time.
    fn is_figure(&self) -> bool {
        self.has_digit && self.words <= 3
    }
}

/// A line in the columns of its table.
#[derive(Clone, Debug)]
pub(super) struct PlacedLine {
    slots: Vec<Option<Slot>>,
    /// The columns that its only run lies over, if these are several.
    pub(super) spans: Option<Range<usize>>,
    top: f64,
    bottom: f64,
    baseline: f64,
    pub(super) size: f64,
    /// The baseline of what is in the first column.
    name_baseline: f64,
}

impl PlacedLine {
    pub(super) fn of(line: &TextLine, columns: &[Extent]) -> Self {
        let mut slots: Vec<Option<Slot>> = vec![None; columns.len()];
        let mut name_baseline = line.baseline;
        for word in &line.words {
            let column = column_of(columns, word);
            if column == 0 {
                name_baseline = word.baseline;
            }
            if let Some(slot) = slots.get_mut(column) {
                slot.get_or_insert_with(|| Slot::of(word)).add(word);
            }
        }
        let runs = line.runs();
        let over = |run: &Extent| Some(reach(columns, *run)).filter(|over| over.len() > 1);
        let spans = if let [run] = runs.as_slice() { over(run) } else { None };
        let (top, bottom) = (line.top(), line.bottom());
        Self { slots, spans, top, bottom, baseline: line.baseline, size: line.size, name_baseline }
    }

    pub(super) fn baseline(&self) -> f64 {
        self.baseline
    }

    pub(super) fn filled(&self) -> usize {
        self.slots.iter().flatten().count()
    }

    fn has_first(&self) -> bool {
        matches!(self.slots.first(), Some(Some(_)))
    }

    /// Returns `true` if it names something and says yes, no or a number of it, as a row does in which most cells are empty.
    fn says_of_its_name(&self) -> bool {
        let others = self.slots.iter().skip(1).flatten();
        self.has_first() && others.into_iter().any(|slot| slot.is_mark() || slot.is_number())
    }

    /// Where the part in a column begins and ends.
    pub(super) fn extent(&self, column: usize) -> Option<Extent> {
        let slot = self.slots.get(column)?.as_ref()?;
        Some((slot.left, slot.right))
    }

    fn is_full(&self) -> bool {
        self.spans.is_none() && self.filled() == self.slots.len()
    }

    fn fills_all_but_first(&self) -> bool {
        self.spans.is_none() && !self.has_first() && self.filled() + 1 == self.slots.len()
    }
}

/// A row of a table: its lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Record {
    pub(super) lines: Range<usize>,
    /// What is in the first column is what is there in the row above, written once for both.
    pub(super) joins_above: bool,
}

/// The rows that lines make. `breaks` are the heights at which rules part rows.
pub(super) fn records(lines: &[PlacedLine], columns: &[Extent], breaks: &[f64]) -> Vec<Record> {
    let pitch = Pitch::of(lines, columns, breaks);
    let mut records: Vec<Record> = Vec::new();
    let mut start = 0;
    for end in 1..=lines.len() {
        let is_end = lines.get(end).is_none_or(|next| {
            let open = &lines[start..end];
            begins_row(open, next, columns, breaks, &pitch, records.is_empty())
        });
        if is_end {
            records.push(Record { lines: start..end, joins_above: false });
            start = end;
        }
    }
    if !breaks.is_empty() {
        records = whole_bands(records, lines, columns, breaks);
    }
    join_groups(&mut records, lines, columns, breaks);
    records
}

/// Rows between two rules that are not whole each are one: its cells stand in the middle of its height, so that no line begins them all.
fn whole_bands(
    records: Vec<Record>,
    lines: &[PlacedLine],
    columns: &[Extent],
    breaks: &[f64],
) -> Vec<Record> {
    let mut settled: Vec<Record> = Vec::new();
    let mut band: Vec<Record> = Vec::new();
    let mut rest = records.into_iter().peekable();
    while let Some(record) = rest.next() {
        let last = record.lines.end.checked_sub(1).and_then(|at| lines.get(at));
        let next = rest.peek().and_then(|next| lines.get(next.lines.start));
        band.push(record);
        let is_end = match (last, next) {
            (Some(last), Some(next)) => is_parted(last, next, breaks),
            _ => true,
        };
        if !is_end {
            continue;
        }
        let is_whole = |(at, record): (usize, &Record)| {
            let Some(first) = lines.get(record.lines.start) else {
                return true;
            };
            let below = band.get(at + 1).and_then(|next| lines.get(next.lines.start));
            let is_row = 3 * first.filled() >= 2 * columns.len() && first.filled() >= 2;
            is_row
                || first.says_of_its_name()
                || first.spans.is_some()
                || below.is_some_and(|below| names_group(first, below, columns))
        };
        let is_split = band.len() > 1 && !band.iter().enumerate().all(is_whole);
        match (band.first(), band.last()) {
            (Some(first), Some(last)) if is_split => {
                let lines = first.lines.start..last.lines.end;
                settled.push(Record { lines, joins_above: false });
                band.clear();
            }
            _ => settled.append(&mut band),
        }
    }
    settled
}

/// Returns `true` if a line says something in the first column alone, and the one below does not go on with it.
fn names_group(line: &PlacedLine, below: &PlacedLine, columns: &[Extent]) -> bool {
    let (Some(Some(name)), Some(column)) = (line.slots.first(), columns.first()) else {
        return false;
    };
    let goes_on = |next: &Slot| {
        wraps(name, next, *column, line.size) && (next.begins_small || name.breaks_word)
    };
    line.filled() == 1 && !matches!(below.slots.first(), Some(Some(next)) if goes_on(next))
}

/// The distances between the lines of a table.
struct Pitch {
    /// Wider ones part rows.
    widest: f64,
    /// Narrower ones never do.
    is_sure: bool,
}

impl Pitch {
    fn of(lines: &[PlacedLine], columns: &[Extent], breaks: &[f64]) -> Self {
        let pairs = || {
            lines.windows(2).filter_map(|pair| match pair {
                [a, b] if !is_parted(a, b, breaks) => Some((a, b, b.baseline - a.baseline)),
                _ => None,
            })
        };
        let size = lines.iter().map(|line| line.size).fold(0.0, f64::max);
        // Nearer ones are no lines of one cell: they stand beside one another, in the middle of their row.
        let gaps = pairs().map(|(_, _, gap)| gap).filter(|gap| *gap > 0.85 * size);
        let least = gaps.fold(f64::MAX, f64::min);
        let is_beside = pairs().any(|(_, _, gap)| gap < 0.85 * size);
        // Where they are all that a row has, its lines are set as lines usually are.
        let least = if is_beside { least.min(1.2 * size) } else { least };
        // Lines of one cell stand no further apart than this, however wide a text is set.
        let widest = 1.7 * size;
        let has_wide = pairs().any(|(_, _, gap)| gap > 1.3 * least);
        if !has_wide || least > widest {
            return Self { widest, is_sure: false };
        }
        let tight = || pairs().filter(|(_, _, gap)| *gap < 1.15 * least);
        // Rows may stand in groups, as near to one another as lines.
        let is_row = |a: &PlacedLine, b: &PlacedLine| {
            a.spans.is_some()
                || b.spans.is_some()
                || b.is_full() && !all_wrap(a, b, columns)
                || columns.len() > 2 && b.fills_all_but_first() && !all_wrap(a, b, columns)
        };
        // Cells in the middle of their rows make a line that looks like one here and there.
        let rows = tight().filter(|(a, b, gap)| *gap > 0.85 * size && is_row(a, b)).count();
        let is_sure = 2 * rows <= tight().count();
        Self { widest: widest.min(1.2 * least), is_sure }
    }
}

fn is_parted(above: &PlacedLine, below: &PlacedLine, breaks: &[f64]) -> bool {
    let middle = |line: &PlacedLine| (line.top + line.bottom) / 2.0;
    let from = breaks.partition_point(|at| *at < middle(above));
    breaks.get(from).is_some_and(|at| *at < middle(below))
}

fn begins_row(
    open: &[PlacedLine],
    next: &PlacedLine,
    columns: &[Extent],
    breaks: &[f64],
    pitch: &Pitch,
    is_first: bool,
) -> bool {
    let Some(last) = open.last() else {
        return true;
    };
    if is_parted(last, next, breaks) || next.spans.is_some() || last.spans.is_some() {
        return true;
    }
    let is_wide = next.baseline - last.baseline > pitch.widest;
    let all_but_first = columns.len() > 2 && next.fills_all_but_first();
    if is_wide {
        // A lone line in another column goes on all the same: its cell has paragraphs.
        return next.has_first() || all_but_first || pitch.is_sure && columns.len() > 2;
    }
    if pitch.is_sure {
        return false;
    }
    if !next.has_first() {
        return all_but_first && !all_wrap(last, next, columns);
    }
    // Names that end on one height begin on several.
    let is_low_head = is_first && !open.iter().any(PlacedLine::has_first);
    if is_low_head && wraps_where_both(last, next, columns) {
        return false;
    }
    if let (1, Some(Some(slot))) = (next.filled(), next.slots.first())
        && slot.begins_small
    {
        return false;
    }
    !all_wrap(last, next, columns)
}

/// Returns `true` if each cell of `next` goes on one of `last` that was full.
fn all_wrap(last: &PlacedLine, next: &PlacedLine, columns: &[Extent]) -> bool {
    let cells = || next.slots.iter().zip(&last.slots).zip(columns);
    let wrap = cells().all(|((below, above), column)| match (above, below) {
        (_, None) => true,
        (Some(above), Some(below)) => wraps(above, below, *column, next.size),
        (None, Some(_)) => false,
    });
    // Short cells fill their columns as well: a line that says something in each needs a better sign.
    let is_sure =
        |((below, above), _): &((&Option<Slot>, &Option<Slot>), &Extent)| match (above, below) {
            (Some(above), Some(below)) => {
                above.breaks_word || below.begins_small && !above.begins_small
            }
            _ => false,
        };
    let is_whole = next.is_full()
        || next.fills_all_but_first() && columns.len() > 2
        || next.says_of_its_name();
    wrap && next.filled() > 0 && (!is_whole || 2 * cells().filter(is_sure).count() >= next.filled())
}

fn wraps_where_both(last: &PlacedLine, next: &PlacedLine, columns: &[Extent]) -> bool {
    let mut cells = next.slots.iter().zip(&last.slots).zip(columns);
    cells.all(|((below, above), column)| match (above, below) {
        (Some(above), Some(below)) => wraps(above, below, *column, next.size),
        (Some(_), None) => false,
        (None, _) => true,
    })
}

/// Returns `true` if the first word of `below` would not have fitted after `above`.
fn wraps(above: &Slot, below: &Slot, column: Extent, size: f64) -> bool {
    if below.is_mark() && !above.breaks_word {
        return false;
    }
    let width = column.1 - column.0;
    let is_full = above.right - above.left + 0.2 * size + below.first > width;
    above.breaks_word || is_full && !(above.is_figure() && below.is_figure())
}

/// Says of each row whether its first cell is that of the row above.
fn join_groups(records: &mut [Record], lines: &[PlacedLine], columns: &[Extent], breaks: &[f64]) {
    // Of two columns a free first one is a cell that goes on.
    if columns.len() < 3 {
        return;
    }
    let mut start = 0;
    for end in 1..=records.len() {
        let is_end =
            end == records.len() || ends_group(&records[end - 1], &records[end], lines, breaks);
        if is_end {
            if let Some(band) = records.get_mut(start..end) {
                join_band(band, lines);
            }
            start = end;
        }
    }
}

/// Returns `true` if a rule or a heading is between two rows.
fn ends_group(above: &Record, below: &Record, lines: &[PlacedLine], breaks: &[f64]) -> bool {
    let (Some(last), Some(first)) =
        (lines[above.lines.clone()].last(), lines[below.lines.clone()].first())
    else {
        return true;
    };
    last.spans.is_some() || first.spans.is_some() || is_parted(last, first, breaks)
}

/// The same for the rows between two rules.
fn join_band(band: &mut [Record], lines: &[PlacedLine]) {
    let first_of =
        |record: &Record| lines[record.lines.clone()].iter().find(|line| line.has_first());
    let names: Vec<Option<f64>> =
        band.iter().map(|record| first_of(record).map(|line| line.name_baseline)).collect();
    let fills_rest = |record: &Record| {
        lines.get(record.lines.start).is_some_and(PlacedLine::fills_all_but_first)
    };
    // The name may stand beside the middle of its rows.
    if names.first().is_some_and(Option::is_none) {
        let middles: Vec<f64> = band
            .iter()
            .map(|record| {
                let own = &lines[record.lines.clone()];
                own.iter().map(|line| line.baseline).sum::<f64>() / own.len().max(1) as f64
            })
            .collect();
        let size = lines.iter().map(|line| line.size).fold(0.0, f64::max);
        if let Some(starts) = centred_groups(&names, &middles, size) {
            for (index, record) in band.iter_mut().enumerate() {
                record.joins_above = !starts.contains(&index);
            }
        }
        return;
    }
    for (record, name) in band.iter_mut().zip(&names) {
        record.joins_above = name.is_none() && fills_rest(record);
    }
}

/// The first rows of the groups whose names stand beside the middle of each; `None` if they do not.
fn centred_groups(names: &[Option<f64>], middles: &[f64], size: f64) -> Option<Vec<usize>> {
    let mut starts = Vec::new();
    let mut start = 0;
    for name in names.iter().flatten() {
        let end = (start..middles.len()).find(|end| {
            let (first, last) = (middles[start], middles[*end]);
            (f64::midpoint(first, last) - name).abs() < 0.4 * size
        })?;
        starts.push(start);
        start = end + 1;
    }
    (start == middles.len()).then_some(starts)
}

/// A table as its text shows it.
pub(super) struct Layout {
    pub(super) columns: Vec<Extent>,
    pub(super) lines: Vec<PlacedLine>,
    pub(super) records: Vec<Record>,
    /// Rows of names at the top, where a rule below them tells.
    pub(super) heads: Option<usize>,
    /// Columns that go together in a row, by the number of the record.
    spans: Vec<(usize, Range<usize>)>,
    /// Cells stand in the middle of their rows, so that no line is a row.
    pub(super) is_centred: bool,
}

impl Layout {
    pub(super) fn of(lines: &[TextLine], columns: Vec<Extent>, breaks: &[f64]) -> Self {
        let lines: Vec<PlacedLine> =
            lines.iter().map(|line| PlacedLine::of(line, &columns)).collect();
        let centred = centred_rows(&lines, columns.len()).filter(|_| breaks.is_empty());
        let is_centred = centred.is_some();
        let records = centred.unwrap_or_else(|| records(&lines, &columns, breaks));
        let mut spans = Vec::new();
        for (number, record) in records.iter().enumerate() {
            let over = lines[record.lines.clone()].iter().filter_map(|line| line.spans.clone());
            spans.extend(over.map(|span| (number, span)));
        }
        Self { columns, lines, records, heads: None, spans, is_centred }
    }

    /// Puts rows of names above the others: `lines` at one height each, which `spans` join.
    pub(super) fn with_head(mut self, head: Vec<(Vec<TextLine>, Vec<Range<usize>>)>) -> Self {
        let mut lines = Vec::new();
        let mut records = Vec::new();
        let mut spans = Vec::new();
        for (number, (row, over)) in head.into_iter().enumerate() {
            let start = lines.len();
            lines.extend(row.iter().map(|line| PlacedLine::of(line, &self.columns)));
            records.push(Record { lines: start..lines.len(), joins_above: false });
            spans.extend(over.into_iter().map(|span| (number, span)));
        }
        let (heads, shift) = (records.len(), lines.len());
        records.extend(self.records.into_iter().map(|record| Record {
            lines: record.lines.start + shift..record.lines.end + shift,
            ..record
        }));
        spans.extend(self.spans.into_iter().map(|(number, span)| (number + heads, span)));
        lines.append(&mut self.lines);
        Self {
            columns: self.columns,
            lines,
            records,
            heads: Some(heads),
            spans,
            is_centred: self.is_centred,
        }
    }

    /// Counts the columns that hold running text: lines of several words that are full.
    pub(super) fn columns_of_text(&self) -> usize {
        let is_text = |(column, extent): &(usize, &Extent)| {
            let own: Vec<&Slot> =
                self.lines.iter().filter_map(|line| line.slots.get(*column)?.as_ref()).collect();
            let long = own.iter().filter(|slot| slot.words >= 5).count();
            let wrapped = own.windows(2).filter(|pair| match pair {
                [above, below] => wraps(above, below, **extent, 0.0),
                _ => false,
            });
            2 * long >= own.len() && 2 * wrapped.count() >= own.len().saturating_sub(1)
        };
        self.columns.iter().enumerate().filter(is_text).count()
    }

    /// Returns `true` if each row has something in most columns, and most rows are in one line or are named by one: as rows
    /// that stand below one another do, and paragraphs beside one another do not.
    pub(super) fn has_whole_rows(&self) -> bool {
        if self.is_centred {
            return self.lines.len() <= MOST_NAMED_LINES * self.records.len();
        }
        let is_whole = |record: &Record| {
            self.lines.get(record.lines.start).is_some_and(|line| {
                let is_begun = line.has_first() && 3 * line.filled() >= 2 * self.columns.len();
                is_begun && line.filled() >= 2 || record.joins_above && line.fills_all_but_first()
            })
        };
        let most_lines = if self.has_single_names() { MOST_NAMED_LINES } else { 2 };
        self.records.iter().all(is_whole) && self.lines.len() <= most_lines * self.records.len()
    }

    /// Returns `true` if each of several rows has its name in one line, beside cells that may go on below it.
    fn has_single_names(&self) -> bool {
        let is_single = |record: &Record| {
            let own = self.lines.get(record.lines.clone()).unwrap_or_default();
            own.iter().skip(1).all(|line| !line.has_first())
        };
        self.columns.len() > 2 && self.records.len() > 2 && self.records.iter().all(is_single)
    }

    /// The heights at which rows part: one above the first, one below each.
    pub(super) fn edges(&self) -> Vec<f64> {
        let first = |record: &Record| self.lines.get(record.lines.start);
        let last = |record: &Record| self.lines.get(record.lines.end.saturating_sub(1));
        let mut edges = Vec::new();
        edges.extend(self.records.first().and_then(first).map(|line| line.top - 1.0));
        for pair in self.records.windows(2) {
            if let [above, below] = pair
                && let (Some(above), Some(below)) = (last(above), first(below))
            {
                edges.push(f64::midpoint(above.bottom, below.top));
            }
        }
        edges.extend(self.records.last().and_then(last).map(|line| line.bottom + 1.0));
        edges
    }

    /// The rules that would part the columns and rows.
    fn frame(&self) -> Frame {
        let rows = self.edges();
        let mut edges: Vec<f64> = Vec::new();
        edges.extend(self.columns.first().map(|column| column.0 - 1.0));
        edges.extend(parts(&self.columns));
        edges.extend(self.columns.last().map(|column| column.1 + 1.0));
        let (Some(left), Some(right)) = (edges.first().copied(), edges.last().copied()) else {
            return Frame::default();
        };
        let mut frame = Frame::default();
        for (index, position) in rows.iter().enumerate() {
            let joins = self.records.get(index).is_some_and(|record| record.joins_above);
            let start = if joins { edges.get(1).copied().unwrap_or(left) } else { left };
            frame.level.push(Rule { is_level: true, position: *position, start, end: right });
        }
        for (number, row) in rows.windows(2).enumerate() {
            let [start, end] = *row else { continue };
            let own = || self.spans.iter().filter(|(record, _)| *record == number);
            for (edge, position) in edges.iter().enumerate() {
                let is_crossed = own().any(|(_, span)| span.start < edge && edge < span.end);
                if !is_crossed {
                    let position = *position;
                    frame.upright.push(Rule { is_level: false, position, start, end });
                }
            }
        }
        frame
    }

    /// The cells of the table with these words in them.
    pub(super) fn cells(&self, words: &[Vec<Word>]) -> Option<Vec<Vec<Cell>>> {
        let frame = self.frame();
        Some(Grid::of(&frame)?.cells(words))
    }

    /// Its columns, and where each of its rows begins.
    pub(super) fn places(&self) -> (Vec<Extent>, Vec<f64>) {
        let top = |record: &Record| self.lines.get(record.lines.start).map(|line| line.top);
        (self.columns.clone(), self.records.iter().filter_map(top).collect())
    }

    pub(super) fn known_heads(&self) -> Heads {
        self.heads.map_or(Heads::Unknown, Heads::Known)
    }

    pub(super) fn bounds(&self) -> Option<Rect> {
        let (left, right) = (self.columns.first()?.0, self.columns.last()?.1);
        let (top, bottom) = (self.lines.first()?.top, self.lines.last()?.bottom);
        Some(Rect::new(left, top, right, bottom))
    }

    /// The number of words of each cell of a column, row by row.
    pub(super) fn words_of(&self, words: &[TextLine], column: usize) -> Vec<usize> {
        let count = |record: &Record| {
            let lines = words.get(record.lines.clone()).unwrap_or_default();
            let words = lines.iter().flat_map(|line| &line.words);
            words.filter(|word| column_of(&self.columns, word) == column).count()
        };
        self.records.iter().map(count).filter(|count| *count > 0).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lines of pieces at these places, ten-point type; each row gives how far down it is.
    fn lines(rows: &[(f64, &[(&str, f64)])]) -> Vec<TextLine> {
        let line = |(baseline, row): &(f64, &[(&str, f64)])| {
            TextLine::of(
                row.iter().map(|(text, left)| Piece::sample(text, *left, *baseline)).collect(),
            )
        };
        rows.iter().map(line).collect()
    }

    /// The rows that the lines make: the text of the first word of each line, `+` where a line goes on, `^` where the first
    /// cell is that of the row above.
    fn read(rows: &[(f64, &[(&str, f64)])], breaks: &[f64]) -> String {
        let lines = lines(rows);
        let layout = Layout::of(&lines, columns(&lines), breaks);
        let record = |record: &Record| {
            let own: Vec<&str> = lines[record.lines.clone()]
                .iter()
                .map(|line| line.words[0].text.as_str())
                .collect();
            format!("{}{}", if record.joins_above { "^" } else { "" }, own.join("+"))
        };
        layout.records.iter().map(record).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_line_begins_a_row_or_goes_on_one() {
        let wrapped: &[(f64, &[(&str, f64)])] = &[
            (100.0, &[("Open water", 0.0), ("EUR 118", 150.0), ("4 May", 260.0)]),
            (112.0, &[("Night diving for holders", 0.0), ("EUR 75", 150.0), ("18 May", 260.0)]),
            (124.0, &[("of the second", 0.0)]),
            (136.0, &[("Rescue", 0.0), ("EUR 52", 150.0), ("1 June", 260.0)]),
        ];
        assert_eq!(read(wrapped, &[]), "Open Night+of Rescue");
        // Each cell is as wide as its column, and still each line is a row.
        let short: &[(f64, &[(&str, f64)])] = &[
            (100.0, &[("Monday", 0.0), ("Keel", 60.0), ("one", 120.0)]),
            (112.0, &[("Tuesday", 0.0), ("Fathom", 60.0), ("two", 120.0)]),
            (124.0, &[("Friday", 0.0), ("Boathouse", 60.0), ("six", 120.0)]),
        ];
        assert_eq!(read(short, &[]), "Monday Tuesday Friday");
        // Rows further apart than lines: what is near goes on, whatever it says.
        let spaced: &[(f64, &[(&str, f64)])] = &[
            (100.0, &[("Logic", 0.0), ("Monday", 100.0), ("Room", 200.0)]),
            (112.0, &[("Two", 0.0), ("Friday", 100.0)]),
            (132.0, &[("Ethics", 0.0), ("Tuesday", 100.0), ("Hall", 200.0)]),
            (152.0, &[("Music", 0.0), ("Sunday", 100.0), ("Hall", 200.0)]),
        ];
        assert_eq!(read(spaced, &[]), "Logic+Two Ethics Music");
    }

    #[test]
    fn a_name_stands_once_for_its_rows() {
        let row = |name: Option<&'static str>, time: &'static str| {
            let mut row = vec![(time, 80.0), ("Module", 140.0), ("Room", 220.0)];
            row.extend(name.map(|name| (name, 0.0)));
            row
        };
        let top = [Some("Monday"), None, None, Some("Tuesday"), None];
        let middle = [None, Some("Monday"), None, Some("Tuesday"), Some("Friday")];
        let cases = [(top, "Monday ^8 ^8 Tuesday ^8"), (middle, "8 ^Monday ^8 Tuesday Friday")];
        for (names, expected) in cases {
            let rows: Vec<Vec<(&str, f64)>> = names.iter().map(|name| row(*name, "8")).collect();
            let rows: Vec<(f64, &[(&str, f64)])> = rows
                .iter()
                .enumerate()
                .map(|(index, row)| (100.0 + 12.0 * index as f64, row.as_slice()))
                .collect();
            assert_eq!(read(&rows, &[]), expected);
        }
        // Below a rule a free cell is a free cell: a sum, perhaps.
        let rows: &[(f64, &[(&str, f64)])] = &[
            (100.0, &[("Monday", 0.0), ("8", 80.0), ("Room", 140.0)]),
            (112.0, &[("9", 80.0), ("Room", 140.0)]),
            (128.0, &[("17", 80.0), ("all", 140.0)]),
        ];
        assert_eq!(read(rows, &[118.0]), "Monday ^9 17");
    }

    #[test]
    fn rows_with_room_between_them_whose_cells_stand_in_the_middle() {
        let rows: &[(f64, &[(&str, f64)])] = &[
            (100.0, &[("Members who have", 120.0)]),
            (106.5, &[("Night diving", 0.0)]),
            (112.0, &[("passed the exam", 120.0), ("EUR 75", 300.0)]),
            (118.5, &[("for holders", 0.0)]),
            (124.0, &[("of the master", 120.0)]),
            (142.0, &[("Rescue", 0.0), ("Everybody", 120.0), ("EUR 20", 300.0)]),
            (160.0, &[("Wreck", 0.0), ("Members with", 120.0), ("EUR 50", 300.0)]),
        ];
        assert_eq!(read(rows, &[]), "Members+Night+passed+for+of Rescue Wreck");
    }

    #[test]
    fn rows_without_room_whose_cells_stand_in_the_middle() {
        let rows: &[(f64, &[(&str, f64)])] = &[
            (100.0, &[("Boat", 0.0), ("For whom", 120.0), ("Seats", 300.0)]),
            (112.0, &[("holders of the", 120.0)]),
            (118.0, &[("Albatross", 0.0), ("4", 300.0)]),
            (124.0, &[("licence only", 120.0)]),
            (136.0, &[("Bittern", 0.0), ("children", 120.0), ("2", 300.0)]),
            (148.0, &[("Curlew with", 0.0)]),
            (154.0, &[("everyone", 120.0), ("5", 300.0)]),
            (160.0, &[("two masts", 0.0)]),
            (172.0, &[("Dunlin", 0.0), ("one", 120.0), ("1", 300.0)]),
        ];
        assert_eq!(
            read(rows, &[]),
            "Boat holders+Albatross+licence Bittern Curlew+everyone+two Dunlin"
        );
    }

    #[test]
    fn rows_between_rules_whose_cells_stand_in_the_middle() {
        let rows: &[(f64, &[(&str, f64)])] = &[
            (100.0, &[("Night diving", 0.0)]),
            (112.0, &[("of holders", 0.0), ("EUR 75", 150.0), ("May", 260.0)]),
            (124.0, &[("second year", 0.0)]),
            (148.0, &[("Open water", 0.0), ("EUR 52", 150.0), ("June", 260.0)]),
        ];
        assert_eq!(read(rows, &[136.0]), "Night+of+second Open");
        // A heading between the rows is none of them.
        let rows: &[(f64, &[(&str, f64)])] = &[
            (100.0, &[("First year", 0.0)]),
            (112.0, &[("Waves", 0.0), ("6", 150.0), ("60", 260.0)]),
            (136.0, &[("Tides", 0.0), ("4", 150.0), ("45", 260.0)]),
        ];
        assert_eq!(read(rows, &[124.0]), "First Waves Tides");
    }

    /// Words of so many points each, with gaps of eight points of ten-point type.
    #[test]
    fn rows_of_marks_are_rows_however_few_cells_they_fill() {
        let rows: &[(f64, &[(&str, f64)])] = &[
            (100.0, &[("Item", 0.0), ("Gull", 100.0), ("Tern", 200.0), ("Gannet", 300.0)]),
            (112.0, &[("Sail", 0.0), ("x", 100.0), ("x", 300.0)]),
            (124.0, &[("Oars", 0.0), ("x", 200.0)]),
            (136.0, &[("Engine", 0.0), ("5", 100.0)]),
            (148.0, &[("Rope", 0.0), ("✓", 300.0)]),
        ];
        let expected = "Item Sail Oars Engine Rope";
        assert_eq!(read(rows, &[]), expected);
        assert_eq!(read(rows, &[90.0, 104.0, 155.0]), expected);
    }

    #[test]
    fn spaces_of_a_stretched_line_part_no_columns() {
        let line = |texts: &str| {
            let words = texts.split(' ').enumerate().map(|(at, text)| {
                let mut piece = Piece::sample(text, 35.0 * at as f64, 100.0);
                piece.words.remove(0)
            });
            TextLine::of(vec![Piece::of_words(words.collect())])
        };
        assert_eq!(line("for holders of the licence").runs().len(), 1);
        // Names and numbers that are as far from one another, and too few to tell.
        assert_eq!(line("Title Hours Credits Term Room").runs().len(), 5);
        assert_eq!(line("9 12 14 15 18").runs().len(), 5);
        assert_eq!(line("open every day").runs().len(), 3);
    }

    #[test]
    fn columns_part_at_narrow_strips_and_where_cells_begin() {
        // Six points between the longest cell and the next, less than an em.
        let narrow = lines(&[
            (100.0, &[("a b c", 0.0), ("x", 93.0)]),
            (112.0, &[("a", 0.0), ("x y", 93.0)]),
        ]);
        assert_eq!(columns(&narrow), [(0.0, 87.0), (93.0, 150.0)]);
        // The longest cell fills its column up to the next, which begins where it does in the other lines.
        let full = lines(&[
            (100.0, &[("a", 0.0), ("x", 90.0), ("5", 150.0)]),
            (112.0, &[("a b", 0.0), ("x", 90.0), ("5", 150.0)]),
            (124.0, &[("a", 0.0), ("x", 90.0), ("5", 150.0)]),
            (136.0, &[("a b c", 0.0), ("x", 90.0), ("5", 150.0)]),
        ]);
        assert_eq!(columns(&full).len(), 3);
        // Words of a paragraph leave no strip free.
        let prose = lines(&[
            (100.0, &[("a b c", 0.0), ("d e", 96.0)]),
            (112.0, &[("a b", 0.0), ("c d e", 66.0)]),
            (124.0, &[("a", 0.0), ("b c d e", 36.0)]),
        ]);
        assert!(columns(&prose).len() < 2);
    }
}
