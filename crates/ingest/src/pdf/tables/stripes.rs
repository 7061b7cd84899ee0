//! Rows of a table that stand on coloured stripes, every second one or all of them.
//!
//! The edges of the stripes part the rows as rules would. Without them a row whose cells stand in the middle of their
//! height, one of them in three lines, is read as three columns of text.

use hayro_interpret::kurbo::Rect;

use super::Drawn;
use super::grid::Page;
use super::open::between_rules;
use crate::pdf::ink::Rule;
use crate::pdf::lines::Piece;

/// Most areas that are looked at: a page that has more is a picture.
const MOST_AREAS: usize = 2_000;
/// Narrower stripes, in points, are buttons or bars of a chart.
const NARROWEST: f64 = 100.0;
/// The heights of stripes, in points: from small print in one line to eight lines of text.
const HEIGHTS: std::ops::RangeInclusive<f64> = 8.0..=100.0;
/// A row between two stripes is at most so many times as high as the higher of them.
// A cell of five lines between rows of two, as in tables of courses with descriptions.
const HIGHEST_GAP: f64 = 3.0;
/// Edges so near to one another, in points, are one: programs draw cell by cell, with a hair between them.
const NEAR: f64 = 2.0;

/// Takes the tables out of a page whose rows stand on stripes.
pub(in crate::pdf) fn striped(
    pieces: Vec<Piece>,
    tables: Vec<Drawn>,
    turned: &mut Vec<Piece>,
    areas: &[Rect],
    targets: &[String],
) -> (Vec<Piece>, Vec<Drawn>) {
    let edges = edges(areas);
    let mut page = Page { pieces, tables, targets };
    if !edges.is_empty() {
        between_rules(&mut page, turned, &edges, &[]);
    }
    (page.pieces, page.tables)
}

/// The upper and lower edges of stripes that stand below one another.
fn edges(areas: &[Rect]) -> Vec<Rule> {
    let bands = bands(areas);
    let mut edges: Vec<Rule> = Vec::new();
    for stack in stacks(bands) {
        for band in stack {
            for position in [band.y0, band.y1] {
                // Stripes of two colours touch.
                let is_known = edges.last().is_some_and(|last| {
                    (last.position - position).abs() < NEAR && (last.start - band.x0).abs() < NEAR
                });
                if !is_known {
                    edges.push(Rule { is_level: true, position, start: band.x0, end: band.x1 });
                }
            }
        }
    }
    edges
}

/// The areas that make a stripe each, put together from those of its cells.
fn bands(areas: &[Rect]) -> Vec<Rect> {
    if areas.len() > MOST_AREAS {
        return Vec::new();
    }
    let mut areas: Vec<Rect> =
        areas.iter().filter(|area| HEIGHTS.contains(&area.height())).copied().collect();
    // Tops that differ by a hair are one row's, which is then sorted from the left.
    areas.sort_by(|a, b| a.y0.total_cmp(&b.y0));
    let mut rows: Vec<Vec<Rect>> = Vec::new();
    for area in areas {
        let is_in_row = |row: &Vec<Rect>| row.iter().take(1).any(|first| area.y0 - first.y0 < NEAR);
        match rows.last_mut().filter(|row| is_in_row(row)) {
            Some(row) => row.push(area),
            None => rows.push(vec![area]),
        }
    }
    let mut bands: Vec<Rect> = Vec::new();
    for mut row in rows {
        row.sort_by(|a, b| a.x0.total_cmp(&b.x0));
        let start = bands.len();
        for area in row {
            let last = bands.get(start..).and_then(<[Rect]>::last).copied();
            let is_next = last
                .is_some_and(|last| (last.y1 - area.y1).abs() < NEAR && area.x0 - last.x1 < NEAR);
            match bands.last_mut().filter(|_| is_next) {
                Some(last) => *last = last.union(area),
                None => bands.push(area),
            }
        }
    }
    bands.retain(|band| band.width() >= NARROWEST);
    bands
}

/// Stripes of one width below one another, with at most a row between two of them.
fn stacks(bands: Vec<Rect>) -> Vec<Vec<Rect>> {
    let mut stacks: Vec<Vec<Rect>> = Vec::new();
    for band in bands {
        let continues = |stack: &&mut Vec<Rect>| {
            stack.last().is_some_and(|last| {
                let gap = band.y0 - last.y1;
                (last.x0 - band.x0).abs() < NEAR
                    && (last.x1 - band.x1).abs() < NEAR
                    && gap > -NEAR
                    && gap <= HIGHEST_GAP * last.height().max(band.height())
            })
        };
        match stacks.iter_mut().rev().take(MOST_BESIDE).find(continues) {
            Some(stack) => stack.push(band),
            None => stacks.push(vec![band]),
        }
    }
    stacks.retain(|stack| stack.len() >= 2);
    stacks
}

/// Stacks that may stand side by side, or have ended: with each the next stripe is compared.
const MOST_BESIDE: usize = 20;

#[cfg(test)]
mod tests {
    use super::*;

    fn read(areas: &[Rect], rows: &[(f64, &[(&str, f64)])]) -> (Vec<String>, usize) {
        let piece =
            |baseline: f64| move |(text, left): &(&str, f64)| Piece::sample(text, *left, baseline);
        let pieces = rows.iter().flat_map(|(baseline, row)| row.iter().map(piece(*baseline)));
        let (left, tables) = striped(pieces.collect(), Vec::new(), &mut Vec::new(), areas, &[]);
        let row = |row: &crate::table::RowDraft| {
            let cells: Vec<&str> = row.cells.iter().map(|cell| cell.text.text.as_str()).collect();
            format!("{}{}", if row.is_head { "#" } else { "" }, cells.join("|"))
        };
        (tables.iter().flat_map(|table| table.draft.rows.iter().map(row)).collect(), left.len())
    }

    /// A table of four rows whose cells stand in the middle of their height, between two paragraphs.
    const ROWS: &[(f64, &[(&str, f64)])] = &[
        (60.0, &[("What it costs", 0.0)]),
        (100.0, &[("Boat", 10.0), ("For whom it is", 100.0), ("Fee", 260.0)]),
        (120.0, &[("Members who have passed", 100.0)]),
        (126.0, &[("Gull", 10.0), ("EUR 8", 260.0)]),
        (132.0, &[("the small examination", 100.0)]),
        (150.0, &[("Tern", 10.0), ("All of them", 100.0), ("EUR 12", 260.0)]),
        (170.0, &[("Teachers of the school", 100.0)]),
        (176.0, &[("Gannet", 10.0), ("EUR 40", 260.0)]),
        (182.0, &[("in courses there", 100.0)]),
        (220.0, &[("It is paid at once", 0.0)]),
    ];
    const TABLE: &[&str] = &[
        "#Boat|For whom it is|Fee",
        "Gull|Members who have passed the small examination|EUR 8",
        "Tern|All of them|EUR 12",
        "Gannet|Teachers of the school in courses there|EUR 40",
    ];

    fn stripe(top: f64, bottom: f64) -> Rect {
        Rect::new(0.0, top, 320.0, bottom)
    }

    #[test]
    fn rows_on_every_second_stripe_are_a_table() {
        // The stripes of the second and fourth row; of the head and the third row; of all rows; in parts of their cells.
        let cells = |top: f64, bottom: f64| {
            [(0.0, 90.0), (90.2, 250.0), (250.0, 320.0)]
                .map(|(x0, x1)| Rect::new(x0, top, x1, bottom))
        };
        let parts: Vec<Rect> = [cells(107.0, 137.0), cells(157.0, 187.0)].concat();
        for (name, areas) in [
            ("even", vec![stripe(107.0, 137.0), stripe(157.0, 187.0)]),
            ("odd", vec![stripe(88.0, 107.0), stripe(137.0, 157.0)]),
            (
                "all",
                vec![
                    stripe(88.0, 107.0),
                    stripe(107.0, 137.0),
                    stripe(137.0, 157.0),
                    stripe(157.0, 187.0),
                ],
            ),
            ("cells", parts),
        ] {
            let (table, left) = read(&areas, ROWS);
            assert_eq!(table, TABLE, "{name}");
            assert_eq!(left, 3, "{name}: two paragraphs and the table");
        }
    }

    #[test]
    fn names_may_begin_left_of_cells_that_stand_in_the_middle() {
        let mut rows = ROWS.to_vec();
        let cells: Vec<Vec<(&str, f64)>> = rows
            .iter()
            .map(|(_, row)| {
                row.iter()
                    .map(|(text, left)| {
                        (
                            *text,
                            left + if row.len() == 2 || *text == "Tern" {
                                40.0 * f64::from(u8::from(*left < 50.0))
                            } else {
                                0.0
                            },
                        )
                    })
                    .collect()
            })
            .collect();
        for ((_, row), moved) in rows.iter_mut().zip(&cells) {
            *row = moved;
        }
        let (table, left) = read(&[stripe(107.0, 137.0), stripe(157.0, 187.0)], &rows);
        assert_eq!((table, left), (TABLE.iter().map(|row| (*row).to_owned()).collect(), 3));
    }

    #[test]
    fn boxes_of_text_below_one_another_are_no_table() {
        let rows: &[(f64, &[(&str, f64)])] = &[
            (100.0, &[("Boats go out at seven and at nine", 10.0)]),
            (112.0, &[("and come back before it is dark", 10.0)]),
            (150.0, &[("Oars are in the shed behind it", 10.0)]),
            (162.0, &[("and so are sails and all else", 10.0)]),
        ];
        let areas = [stripe(88.0, 117.0), stripe(138.0, 167.0)];
        assert_eq!(read(&areas, rows), (Vec::new(), 4));
        assert_eq!(read(&[stripe(88.0, 107.0)], ROWS).0, Vec::<String>::new(), "one stripe");
    }
}
