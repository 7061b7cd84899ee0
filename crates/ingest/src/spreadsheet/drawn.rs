//! Pictures and boxes of text over the cells of a sheet, as cells and lines of it.

use std::collections::{BTreeMap, BTreeSet};

use crate::office::Drawn;
use crate::picture_words;
use crate::tabular::{Sheet, SheetCell, SheetRow};

/// Adds what lies over a sheet. A small picture below a head says what its cell holds. A picture elsewhere that says a sentence, and
/// a box of text, are lines below all tables.
///
/// `is_hidden`: whether the cell at a row and a column is.
pub(crate) fn add_drawn(sheet: &mut Sheet, drawn: Drawn, is_hidden: impl Fn(u32, u32) -> bool) {
    if drawn.is_empty() {
        return;
    }
    let rows = std::mem::take(&mut sheet.rows).into_iter().map(|row| (row.number, row.cells));
    let mut rows: BTreeMap<u32, Vec<SheetCell>> = rows.collect();
    let heads = heads(&rows);
    let mut lines = Vec::new();
    for picture in drawn.pictures {
        let is_below =
            |(row, column): &(u32, u32)| heads.get(column).is_some_and(|head| head < row);
        let place = picture.place.filter(is_below);
        if let Some((row, column)) = place {
            if is_hidden(row, column) {
                continue;
            }
            let words = picture_words::of_a_sign(&picture.description);
            if let Some(words) = words {
                add_to_cell(rows.entry(row).or_default(), column, words);
            }
        } else {
            lines.extend(picture_words::sentence(&picture.description));
        }
    }
    lines.extend(drawn.boxes);
    let mut number = rows.keys().next_back().copied().unwrap_or_default();
    let mut known = BTreeSet::new();
    // A picture may stand beside each of many rows.
    lines.retain(|line| known.insert(line.clone()));
    for line in lines {
        // Apart from each other and from the table above.
        number = number.saturating_add(2);
        rows.insert(number, vec![SheetCell::new(0, line)]);
    }
    sheet.rows = rows.into_iter().map(|(number, cells)| SheetRow { number, cells }).collect();
}

/// The first row of each column that holds something.
fn heads(rows: &BTreeMap<u32, Vec<SheetCell>>) -> BTreeMap<u32, u32> {
    let mut heads = BTreeMap::new();
    for (row, cells) in rows {
        for cell in cells {
            heads.entry(cell.column).or_insert(*row);
        }
    }
    heads
}

fn add_to_cell(cells: &mut Vec<SheetCell>, column: u32, words: String) {
    let place = cells.partition_point(|cell| cell.column < column);
    match cells.get_mut(place).filter(|cell| cell.column == column) {
        Some(cell) => {
            cell.text.push(' ');
            cell.text.push_str(&words);
        }
        None => cells.insert(place, SheetCell::new(column, words)),
    }
}
