//! From what the readers of office documents find to headings, blocks, tables and slides.

use campanile_corpus::BlockKind;

use crate::assemble::Assembler;
use crate::inline::InlineText;
use crate::report::Report;
use crate::table::{CellDraft, RowDraft, TableDraft};

/// The role of a paragraph.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Role {
    #[default]
    Body,
    /// The title of the whole document.
    Title,
    /// From 1.
    Heading(u8),
    Item,
    Quote,
    /// The words above or below a table or a figure.
    Caption,
}

/// Names of headings where a document names a style without describing it.
// Word leaves letters out of a style's id that are not ASCII: `berschrift1`.
const HEADINGS: &[&str] = &[
    "heading", "überschrift", "berschrift", "titre", "ttulo", "título", "titolo", "kop",
    "nagłówek", "nagwek", "rubrik", "overskrift",
];

/// The level in the name of a heading's style, in lower case, from 1: `heading 2`.
pub(super) fn heading_name(name: &str) -> Option<u8> {
    let level = name.chars().next_back()?.to_digit(10).filter(|level| (1..=9).contains(level))?;
    let word = name.get(..name.len() - 1)?.trim_end();
    HEADINGS.contains(&word).then_some(u8::try_from(level).ok()?)
}

/// Takes paragraphs and tables in the order of the text.
///
/// A caption belongs to the table right behind it, or else to the one right in front of it; so the
/// last table and the last caption wait until it is known what follows.
#[derive(Debug, Default)]
pub(super) struct Flow {
    pub(super) assembler: Assembler,
    waiting_table: Option<TableDraft>,
    waiting_caption: Option<InlineText>,
    /// What the picture right above says.
    picture_sentence: Option<String>,
    /// The text of the first paragraph in the style of a title.
    pub(super) title: Option<String>,
}

impl Flow {
    pub(super) fn report(&mut self) -> &mut Report {
        &mut self.assembler.report
    }

    /// Adds a paragraph; one without text is none.
    pub(super) fn paragraph(&mut self, role: Role, text: InlineText) {
        if text.text.is_empty() {
            return;
        }
        // Many captions say what the description of the picture says.
        if self.picture_sentence.take().is_some_and(|words| words == text.text) {
            return;
        }
        if role == Role::Caption {
            self.caption(text);
            return;
        }
        self.settle();
        let kind = match role {
            Role::Title => {
                self.title.get_or_insert_with(|| text.text.clone());
                self.assembler.heading(1, text, None);
                return;
            }
            Role::Heading(level) => {
                self.assembler.heading(level.clamp(1, 6), text, None);
                return;
            }
            Role::Item => BlockKind::ListItem,
            Role::Quote => BlockKind::Quote,
            Role::Body | Role::Caption => BlockKind::Paragraph,
        };
        self.assembler.block(kind, text);
    }

    pub(super) fn table(&mut self, mut table: TableDraft) {
        match self.waiting_caption.take() {
            Some(caption) if table.caption.text.is_empty() => {
                self.settle_table();
                table.caption = caption;
            }
            caption => {
                self.waiting_caption = caption;
                self.settle();
            }
        }
        self.waiting_table = Some(table);
    }

    /// What a picture that stands by itself says.
    pub(super) fn picture_sentence(&mut self, sentence: String) {
        self.paragraph(Role::Body, InlineText::plain(sentence.clone()));
        self.picture_sentence = Some(sentence);
    }

    /// A picture parts what stands above it from what stands below.
    pub(super) fn picture(&mut self) {
        self.settle();
    }

    /// Begins a page.
    pub(super) fn page(&mut self, number: u32, label: Option<String>) {
        self.settle();
        self.assembler.page(number, label);
    }

    fn caption(&mut self, text: InlineText) {
        if self.waiting_caption.is_some() {
            self.settle();
        }
        self.waiting_caption = Some(text);
    }

    /// Nothing more can belong to what waits.
    pub(super) fn settle(&mut self) {
        let caption = self.waiting_caption.take();
        match (self.waiting_table.as_mut(), caption) {
            (Some(table), Some(caption)) if table.caption.text.is_empty() => {
                table.caption = caption;
                self.settle_table();
            }
            (_, caption) => {
                self.settle_table();
                if let Some(caption) = caption {
                    self.assembler.block(BlockKind::Paragraph, caption);
                }
            }
        }
    }

    fn settle_table(&mut self) {
        if let Some(table) = self.waiting_table.take() {
            self.assembler.table(table);
        }
    }
}

/// Columns that one cell may take.
pub(super) const MOST_COLUMNS: u32 = 1_000;

/// A row as it was found.
#[derive(Debug, Default)]
pub(super) struct FoundRow {
    /// The document says that it holds headers.
    pub(super) is_head: bool,
    pub(super) cells: Vec<FoundCell>,
}

#[derive(Debug)]
pub(super) struct FoundCell {
    pub(super) draft: CellDraft,
    /// All its words are bold, or in a style for headers.
    pub(super) stands_out: bool,
    /// The colour behind it, as the document names it; `None` for white.
    pub(super) ground: Option<String>,
}

impl FoundCell {
    /// A place without a cell.
    pub(super) fn gap(columns: u32) -> Self {
        let draft = CellDraft { text: Default::default(), is_header: false, columns, rows: 1 };
        Self { draft, stands_out: false, ground: None }
    }

    fn is_empty(&self) -> bool {
        self.draft.text.text.is_empty()
    }
}

/// The table of these rows. `shows_first_row` says that the table's style shows its first row in a
/// way of its own.
///
/// Most tables do not say which rows are their headers; people make them bold, or give them a
/// ground of another colour.
pub(super) fn table_of_rows(mut rows: Vec<FoundRow>, shows_first_row: bool) -> TableDraft {
    let mut table = TableDraft::default();
    let width = rows.iter().map(row_width).max().unwrap_or_default();
    // One cell over the whole width is a caption, not a header.
    let opens = rows.first().is_some_and(|first| {
        matches!(first.cells.as_slice(), [only] if only.draft.columns > 1
            && row_width(first) >= width && only.draft.rows == 1 && !only.is_empty())
    });
    if opens && rows.len() > 1 {
        let first = rows.remove(0);
        table.caption =
            first.cells.into_iter().next().map(|cell| cell.draft.text).unwrap_or_default();
    }
    let is_stated = rows.first().is_some_and(|first| first.is_head);
    let has_body = rows.len() > 1;
    if !is_stated {
        let is_shown = rows.first().zip(rows.get(1)).is_some_and(|(first, second)| {
            (stands_out(first) && !stands_out(second)) || has_own_ground(first, second)
        });
        for row in &mut rows {
            row.is_head = false;
        }
        if let Some(first) = rows.first_mut().filter(|_| has_body) {
            // A single filled cell is a title, whatever its look.
            let is_row = filled_cells(first).count() > 1;
            first.is_head = is_row && (shows_first_row || is_shown);
        }
    }
    let mut is_top = true;
    table.rows = rows
        .into_iter()
        .map(|row| {
            is_top &= row.is_head;
            finished_row(row, is_top)
        })
        .collect();
    table
}

fn row_width(row: &FoundRow) -> u32 {
    row.cells.iter().map(|cell| cell.draft.columns).fold(0, u32::saturating_add)
}

fn filled_cells(row: &FoundRow) -> impl Iterator<Item = &FoundCell> {
    row.cells.iter().filter(|cell| !cell.is_empty())
}

fn stands_out(row: &FoundRow) -> bool {
    filled_cells(row).next().is_some() && filled_cells(row).all(|cell| cell.stands_out)
}

/// Returns `true` if all cells of a row share a colour that none below them has.
fn has_own_ground(row: &FoundRow, below: &FoundRow) -> bool {
    let Some(ground) = filled_cells(row).next().and_then(|cell| cell.ground.as_ref()) else {
        return false;
    };
    filled_cells(row).all(|cell| cell.ground.as_ref() == Some(ground))
        && filled_cells(below).all(|cell| cell.ground.as_ref() != Some(ground))
}

fn finished_row(row: FoundRow, is_head: bool) -> RowDraft {
    let rest_stands_out = row.cells.iter().skip(1).any(|cell| cell.stands_out);
    let names_fields = names_fields(&row);
    let cells = row.cells.into_iter().enumerate().map(|(index, cell)| {
        let names_row = index == 0 && cell.stands_out && !rest_stands_out
            || names_fields && index % 2 == 0 && !cell.is_empty();
        CellDraft { is_header: is_head || names_row, ..cell.draft }
    });
    RowDraft { is_head, cells: cells.collect() }
}

/// Returns `true` if names that stand out and values take turns in a row: `Room | B 2 | Phone | 12 34`.
fn names_fields(row: &FoundRow) -> bool {
    let is_plain = row.cells.iter().all(|cell| cell.draft.columns == 1 && cell.draft.rows == 1);
    let mut filled = row.cells.iter().enumerate().filter(|(_, cell)| !cell.is_empty());
    is_plain
        && row.cells.len() >= 4
        && row.cells.len().is_multiple_of(2)
        && filled.clone().any(|(index, _)| index > 0 && index % 2 == 0)
        && filled.all(|(index, cell)| cell.stands_out == (index % 2 == 0))
}

/// The longest line at the top of a slide that is taken for its title, in characters.
const TITLE_CHARS: usize = 90;
/// Shapes whose tops differ by less than this part of the slide's height stand side by side.
// Boxes that were put side by side by hand are a few points off.
const ROWS: i64 = 20;

/// The content of a slide.
#[derive(Debug, Default)]
pub(super) struct Slide {
    /// From 1, as the program counts.
    pub(super) number: u32,
    /// The number that it shows, if that is another.
    pub(super) label: Option<String>,
    pub(super) title: Option<InlineText>,
    pub(super) shapes: Vec<Shape>,
    pub(super) notes: Vec<InlineText>,
}

/// A shape with text, and the place of its upper left corner.
#[derive(Debug, Default)]
pub(super) struct Shape {
    pub(super) x: i64,
    pub(super) y: i64,
    pub(super) pieces: Vec<Piece>,
}

/// A paragraph or a table of a shape.
#[derive(Debug)]
pub(super) enum Piece {
    Paragraph(Role, InlineText),
    Table(TableDraft),
}

impl Slide {
    /// Adds the slide as a page; `height` is the slides' own, in the unit of the shapes.
    pub(super) fn write(mut self, flow: &mut Flow, height: i64) {
        flow.page(self.number, self.label.take());
        self.shapes.retain(|shape| !shape.pieces.is_empty());
        let mut shapes = in_reading_order(self.shapes, height);
        let has_text = !shapes.is_empty() || !self.notes.is_empty();
        let title = self.title.filter(|title| !title.text.is_empty());
        let heading = title.or_else(|| top_line(&mut shapes)).or_else(|| {
            // Without a heading of its own, its text would stand under that of the slide before.
            has_text.then(|| InlineText::plain(format!("Slide {}", self.number)))
        });
        if let Some(heading) = heading {
            flow.paragraph(Role::Heading(1), heading);
        }
        for piece in shapes.into_iter().flat_map(|shape| shape.pieces) {
            match piece {
                Piece::Paragraph(role, text) => flow.paragraph(role, text),
                Piece::Table(table) => flow.table(table),
            }
        }
        for (index, note) in self.notes.into_iter().enumerate() {
            let note = if index == 0 { note.after("Notes: ") } else { note };
            flow.paragraph(Role::Body, note);
        }
    }

    /// Reports the slide instead: it is not shown.
    pub(super) fn hide(self, report: &mut Report) {
        let mut words: Vec<String> = self.title.map(|title| title.text).into_iter().collect();
        for piece in self.shapes.into_iter().flat_map(|shape| shape.pieces) {
            match piece {
                Piece::Paragraph(_, text) => words.push(text.text),
                Piece::Table(table) => {
                    let cells = table.rows.into_iter().flat_map(|row| row.cells);
                    words.extend(cells.map(|cell| cell.text.text));
                }
            }
        }
        report.hidden_words(&words.join(" "));
    }
}

/// A title that was written into a shape of its own: one short line above everything else.
fn top_line(shapes: &mut Vec<Shape>) -> Option<InlineText> {
    let (first, rest) = shapes.split_first()?;
    let [Piece::Paragraph(Role::Body, line)] = first.pieces.as_slice() else {
        return None;
    };
    let is_line = line.text.chars().count() <= TITLE_CHARS
        && !line.text.contains('\n')
        && !line.text.ends_with(['.', ':', ',', ';']);
    // Beside something else it is a label, not a title.
    if !is_line || rest.is_empty() || rest.iter().any(|other| other.y <= first.y) {
        return None;
    }
    let line = line.clone();
    shapes.remove(0);
    Some(line)
}

/// From top to bottom, and from left to right where shapes stand side by side.
fn in_reading_order(mut shapes: Vec<Shape>, height: i64) -> Vec<Shape> {
    let near = height.max(0) / ROWS;
    shapes.sort_by_key(|shape| (shape.y, shape.x));
    let mut ordered: Vec<Shape> = Vec::with_capacity(shapes.len());
    let mut row: Vec<Shape> = Vec::new();
    for shape in shapes {
        if row.first().is_some_and(|first| shape.y.saturating_sub(first.y) > near) {
            row.sort_by_key(|shape| shape.x);
            ordered.append(&mut row);
        }
        row.push(shape);
    }
    row.sort_by_key(|shape| shape.x);
    ordered.append(&mut row);
    ordered
}

#[cfg(test)]
mod tests {
    use super::{Shape, in_reading_order};

    #[test]
    fn shapes_are_read_in_rows() {
        let shapes = [(500, 102), (0, 100), (250, 400), (0, 398), (0, 0)];
        let shapes = shapes.map(|(x, y)| Shape { x, y, pieces: Vec::new() });
        let order: Vec<_> =
            in_reading_order(shapes.into(), 1000).iter().map(|shape| (shape.x, shape.y)).collect();
        assert_eq!(order, [(0, 0), (0, 100), (500, 102), (0, 398), (250, 400)]);
    }
}
