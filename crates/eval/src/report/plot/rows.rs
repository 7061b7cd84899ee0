//! Bars and boxes in rows: a heading for each group, a row for each series, its number at the right.

use super::scale::Axis;
use super::svg::{Anchor, Svg, fitted, width};
use super::{Drawing, WIDTH, class, fill, marker};

/// From row to row.
const ROW: f64 = 19.0;
/// A group's heading.
const HEADING: f64 = 20.0;
/// Between groups.
const GAP: f64 = 9.0;
/// The thickness of bars and boxes.
const BAR: f64 = 12.0;
/// Letters.
const SIZE: f64 = 13.0;
/// The same in bold.
const BOLD: f64 = 14.5;
/// Widest name of a row.
const NAME: f64 = 130.0;
/// Ticks and the axis' name.
const BOTTOM: f64 = 42.0;

/// A plot of rows.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct RowPlot {
    /// The horizontal axis.
    pub(crate) x: Axis,
    /// The heading of the numbers at the right.
    pub(crate) numbers: String,
    /// From top to bottom.
    pub(crate) groups: Vec<RowGroup>,
}

/// Rows under one heading.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct RowGroup {
    /// The heading.
    pub(crate) name: String,
    /// A remark beside it, in softer letters.
    pub(crate) aside: String,
    /// From top to bottom.
    pub(crate) rows: Vec<SeriesRow>,
}

/// One row.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SeriesRow {
    /// Which colour, marker and pattern it has.
    pub(crate) series: usize,
    /// The series' name.
    pub(crate) name: String,
    /// The number at the right.
    pub(crate) number: String,
    /// The shape that is drawn.
    pub(crate) glyph: Glyph,
}

/// The shape that a row shows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Glyph {
    /// A bar from the axis' start, with the ends of an interval.
    Bar {
        /// The value at which it ends.
        value: f64,
        /// From where to where the value may lie.
        interval: Option<(f64, f64)>,
    },
    /// A box over the middle half, a line at the median, threads to the ends.
    Box {
        /// The lower end's thread.
        low: f64,
        /// The lower quartile.
        first: f64,
        /// The median.
        median: f64,
        /// The upper quartile.
        third: f64,
        /// The upper end's thread.
        high: f64,
    },
}

/// The left, right and lower edge of the plot.
#[derive(Clone, Copy)]
struct Area {
    left: f64,
    right: f64,
    bottom: f64,
}

impl RowPlot {
    /// Draws it.
    pub(crate) fn draw(&self) -> Drawing {
        let rows = || self.groups.iter().flat_map(|group| &group.rows);
        let widest = |texts: &mut dyn Iterator<Item = f64>| texts.fold(0.0, f64::max);
        let name = widest(&mut rows().map(|row| width(&row.name, SIZE).min(NAME)));
        let number = widest(&mut rows().map(|row| width(&row.number, SIZE)));
        let number = number.max(width(&self.numbers, SIZE).min(90.0));
        let heights = self.groups.iter().map(|group| HEADING + ROW * group.rows.len() as f64 + GAP);
        let top = 20.0;
        let bottom = top + heights.sum::<f64>() - GAP + 3.0;
        let area = Area { left: name + 26.0, right: WIDTH - number - 14.0, bottom };
        let mut svg = Svg::default();
        self.draw_names(&mut svg, area);
        let mut y = top;
        for group in &self.groups {
            let name = fitted(&group.name, BOLD, WIDTH);
            let aside = fitted(&group.aside, SIZE, WIDTH - 10.0 - width(&name, BOLD));
            svg.heading((0.0, y + 14.0), &name, &aside);
            y += HEADING;
            self.draw_grid(&mut svg, area, y, y + ROW * group.rows.len() as f64);
            for row in &group.rows {
                self.draw_row(&mut svg, area, y, row);
                y += ROW;
            }
            y += GAP;
        }
        Drawing { width: WIDTH, height: bottom + BOTTOM, content: svg.finish() }
    }

    fn across(&self, area: Area, value: f64) -> f64 {
        area.left + (area.right - area.left) * self.x.place(value)
    }

    /// Lines at the ticks, beside the rows of one group.
    fn draw_grid(&self, svg: &mut Svg, area: Area, top: f64, bottom: f64) {
        for tick in &self.x.ticks {
            let x = self.across(area, tick.value);
            svg.line("grid", (x, top), (x, bottom));
        }
        svg.line("axis", (area.left, top), (area.left, bottom));
    }

    fn draw_names(&self, svg: &mut Svg, area: Area) {
        for tick in &self.x.ticks {
            let x = self.across(area, tick.value);
            svg.line("axis", (x, area.bottom), (x, area.bottom + 4.0));
            svg.text("tick", Anchor::Middle, (x, area.bottom + 18.0), &tick.label);
        }
        svg.line("axis", (area.left, area.bottom), (area.right, area.bottom));
        let end = area.right.max(width(&self.x.label, SIZE)).min(WIDTH);
        svg.text(
            "label",
            Anchor::End,
            (end, area.bottom + 37.0),
            &fitted(&self.x.label, SIZE, WIDTH),
        );
        svg.text("tick", Anchor::End, (WIDTH, 13.0), &self.numbers);
    }

    fn draw_row(&self, svg: &mut Svg, area: Area, top: f64, row: &SeriesRow) {
        let middle = top + ROW / 2.0;
        svg.told(&format!("{}: {}", row.name, row.number), |svg| {
            svg.group(&class(row.series), |svg| {
                svg.shape("mark", marker(row.series), (6.0, middle));
                self.draw_glyph(svg, area, middle, row);
            });
            svg.text("name", Anchor::Start, (16.0, middle + 4.5), &fitted(&row.name, SIZE, NAME));
            svg.text("number", Anchor::End, (WIDTH, middle + 4.5), &row.number);
        });
    }

    fn draw_glyph(&self, svg: &mut Svg, area: Area, middle: f64, row: &SeriesRow) {
        let at = |value| self.across(area, value);
        let (top, low) = (middle - BAR / 2.0, middle + BAR / 2.0);
        match row.glyph {
            Glyph::Bar { value, interval } => {
                let size = (at(value) - area.left, BAR);
                svg.rectangle("bar", &fill(row.series), (area.left, top), size);
                if let Some((from, to)) = interval {
                    draw_whisker(svg, middle, at(from), at(to));
                }
            }
            Glyph::Box { low: least, first, median, third, high } => {
                draw_whisker(svg, middle, at(least), at(high));
                let size = ((at(third) - at(first)).max(1.5), BAR);
                svg.rectangle("bar", &fill(row.series), (at(first), top), size);
                svg.line("median", (at(median), top - 1.5), (at(median), low + 1.5));
            }
        }
    }
}

/// A line with ends.
fn draw_whisker(svg: &mut Svg, middle: f64, from: f64, to: f64) {
    svg.line("whisker-ground", (from, middle), (to, middle));
    svg.line("whisker", (from, middle), (to, middle));
    for x in [from, to] {
        svg.line("whisker", (x, middle - 3.5), (x, middle + 3.5));
    }
}
