//! Tables whose first row names no columns.

use super::support::{Page, Pdf};
use super::{blocks, read};

/// Rows of cells between rules, from `top` down.
fn table(mut page: Page, top: f64, rows: &[&[&str]]) -> Page {
    let columns: Vec<f64> = (0..=rows[0].len()).map(|at| 50.0 + 150.0 * at as f64).collect();
    let heights: Vec<f64> = (0..=rows.len()).map(|at| top + 18.0 * at as f64).collect();
    for (row, height) in rows.iter().zip(&heights) {
        for (cell, left) in row.iter().zip(&columns) {
            page = page.text(left + 4.0, height + 12.0, 10.0, cell);
        }
    }
    page.grid(&columns, &heights)
}

fn rows(page: Page) -> Vec<String> {
    blocks(&read(&Pdf::new([page])).0)
}

#[test]
fn a_first_row_like_the_others_is_one_of_them() {
    let cases: [(&[&[&str]], &[&str]); 5] = [
        // Fields of one thing: an amount behind the first, colons behind all.
        (
            &[&["Credits", "7 ECTS"], &["Workload", "210 hours"], &["Examination", "oral"]],
            &["Credits: 7 ECTS", "Workload: 210 hours", "Examination: oral"],
        ),
        (
            &[&["Chair:", "Ida Morn"], &["Minutes:", "Ruth Alm"], &["Excused:", "Jon Hale"]],
            &["Chair: Ida Morn", "Minutes: Ruth Alm", "Excused: Jon Hale"],
        ),
        (
            &[
                &["Opening", "12 April", "Jetty"],
                &["Regatta", "30 May", "Harbour"],
                &["Laying up", "25 October", "Slipway"],
            ],
            &[
                "Opening; 12 April; Jetty",
                "Regatta; 30 May; Harbour",
                "Laying up; 25 October; Slipway",
            ],
        ),
        // Heads, for all that there are figures in them.
        (
            &[&["Course", "1st year", "2nd year"], &["Knots", "18", "24"], &["Radio", "65", "80"]],
            &[
                "Course: Knots; 1st year: 18; 2nd year: 24",
                "Course: Radio; 1st year: 65; 2nd year: 80",
            ],
        ),
        (
            &[&["Room", "Group 1"], &["Shed", "Hall 2"], &["Loft", "Hall 3"]],
            &["Room: Shed; Group 1: Hall 2", "Room: Loft; Group 1: Hall 3"],
        ),
    ];
    for (cells, expected) in cases {
        let found = rows(table(Page::new(), 100.0, cells));
        let expected: Vec<String> = expected.iter().map(|row| format!("1  | {row}")).collect();
        assert_eq!(found, expected);
    }
}

/// What modules have in common are fields; what two lists of prices have in common are names of columns.
#[test]
fn tables_with_the_same_fields_have_no_head() {
    let modules: [&[&[&str]]; 2] = [
        &[&["Title", "Knots"], &["Lecturer", "Ida Morn"], &["Language", "German"]],
        &[&["Title", "Weather"], &["Lecturer", "Paul Venn"], &["Language", "English"]],
    ];
    let page = table(table(Page::new(), 100.0, modules[0]), 300.0, modules[1]);
    let found = rows(page);
    assert_eq!(found[0], "1  | Title: Knots", "{found:?}");
    assert_eq!(found[3], "1  | Title: Weather", "{found:?}");
    let prices: [&[&[&str]]; 2] = [
        &[&["Item", "Fee"], &["Key", "12"], &["Card", "14"], &["Locker", "30"]],
        &[&["Item", "Fee"], &["Key", "13"], &["Card", "15"], &["Locker", "31"]],
    ];
    let page = table(table(Page::new(), 100.0, prices[0]), 300.0, prices[1]);
    assert_eq!(rows(page)[0], "1  | Item: Key; Fee: 12");
}
