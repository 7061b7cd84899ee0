//! Lines over two axes, each named at its end; and reliability diagrams (Guo et al., "On Calibration of Modern Neural
//! Networks", 2017), which draw how often answers are right by how sure the engine was, with the number of answers below.

use super::scale::Axis;
use super::svg::{Anchor, Svg, fitted, spread, width};
use super::{Drawing, LINE, WIDTH, class, dash, marker};
use crate::report::evidence::ReliabilityBin;

/// The height between the axes' ends.
const HEIGHT: f64 = 210.0;
/// Above them: the vertical axis' name.
const TOP: f64 = 30.0;
/// Below them: ticks and the horizontal axis' name.
const BOTTOM: f64 = 44.0;
/// Letters of labels.
const SIZE: f64 = 13.0;
/// Widest name of a line.
const NAME: f64 = 124.0;
/// Markers on a line, at most about so many.
const MARKED: usize = 10;

/// A plot of lines.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct LinePlot {
    /// The horizontal axis.
    pub(crate) x: Axis,
    /// The vertical axis.
    pub(crate) y: Axis,
    /// The lines; those named first are drawn below.
    pub(crate) lines: Vec<Line>,
}

/// One line.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Line {
    /// Which colour, marker and dash it has.
    pub(crate) series: usize,
    /// Its name.
    pub(crate) name: String,
    /// In the order of `x`.
    pub(crate) points: Vec<(f64, f64)>,
}

/// At most `most` of the points, evenly chosen, the first and the last among them.
pub(crate) fn thinned(points: &[(f64, f64)], most: usize) -> Vec<(f64, f64)> {
    if points.len() <= most.max(2) {
        return points.to_vec();
    }
    let (steps, last) = (most.max(2) - 1, points.len() - 1);
    (0..=steps).map(|step| points[step * last / steps]).collect()
}

impl LinePlot {
    /// Draws it.
    pub(crate) fn draw(&self) -> Drawing {
        let names: Vec<String> =
            self.lines.iter().map(|line| fitted(&line.name, SIZE, NAME)).collect();
        let widest = names.iter().map(|name| width(name, SIZE)).fold(0.0, f64::max);
        let labels = self.y.ticks.iter().map(|tick| width(&tick.label, SIZE));
        let left = labels.fold(0.0, f64::max) + 8.0;
        let area = Area { left, right: WIDTH - widest - 34.0 };
        let mut svg = Svg::default();
        self.draw_axes(&mut svg, area);
        for line in &self.lines {
            self.draw_line(&mut svg, area, line);
        }
        self.draw_names(&mut svg, area, &names);
        Drawing { width: WIDTH, height: TOP + HEIGHT + BOTTOM, content: svg.finish() }
    }

    fn at(&self, area: Area, (x, y): (f64, f64)) -> (f64, f64) {
        (area.across(self.x.place(x)), TOP + HEIGHT * (1.0 - self.y.place(y)))
    }

    fn draw_axes(&self, svg: &mut Svg, area: Area) {
        for tick in &self.y.ticks {
            let (_, y) = self.at(area, (self.x.low, tick.value));
            svg.line("grid", (area.left, y), (area.right, y));
            svg.text("tick", Anchor::End, (area.left - 6.0, y + 4.5), &tick.label);
        }
        let base = TOP + HEIGHT;
        svg.line("axis", (area.left, base), (area.right, base));
        for tick in &self.x.ticks {
            let x = area.across(self.x.place(tick.value));
            svg.line("axis", (x, base), (x, base + 4.0));
            svg.text("tick", Anchor::Middle, (x, base + 18.0), &tick.label);
        }
        svg.text("label", Anchor::Start, (0.0, 14.0), &fitted(&self.y.label, SIZE, WIDTH));
        // A long name reaches to the right of the axis rather than beyond the drawing.
        let end = area.right.max(width(&self.x.label, SIZE)).min(WIDTH);
        svg.text("label", Anchor::End, (end, base + 37.0), &fitted(&self.x.label, SIZE, WIDTH));
    }

    fn draw_line(&self, svg: &mut Svg, area: Area, line: &Line) {
        let points: Vec<(f64, f64)> =
            line.points.iter().map(|point| self.at(area, *point)).collect();
        svg.group(&class(line.series), |svg| {
            svg.polyline("curve", dash(line.series), &points);
            let every = line.points.len().div_ceil(MARKED).max(1);
            let last = line.points.len().saturating_sub(1);
            for (place, ((x, y), point)) in line.points.iter().zip(&points).enumerate() {
                if place.is_multiple_of(every) || place == last {
                    let (x, y) = (short(*x), short(*y));
                    svg.told(&format!("{}: {y} at {x}", line.name), |svg| {
                        svg.shape("mark", marker(line.series), *point);
                    });
                }
            }
        });
    }

    /// Names at the lines' ends, moved apart, with a thread to the end where they had to be moved.
    fn draw_names(&self, svg: &mut Svg, area: Area, names: &[String]) {
        let end = |line: &Line| line.points.last().map(|point| self.at(area, *point));
        let ends: Vec<(f64, f64)> =
            self.lines.iter().map(|line| end(line).unwrap_or((area.right, TOP + HEIGHT))).collect();
        let heights: Vec<f64> = ends.iter().map(|(_, y)| *y).collect();
        let places = spread(&heights, LINE, TOP, TOP + HEIGHT - 2.0);
        for (((line, name), (x, from)), to) in self.lines.iter().zip(names).zip(ends).zip(places) {
            let start = area.right + 20.0;
            svg.group(&class(line.series), |svg| {
                svg.line("thread", (x + 6.0, from), (start - 8.0, to));
                svg.shape("mark", marker(line.series), (start - 2.0, to));
            });
            svg.text("name", Anchor::Start, (start + 7.0, to + 4.5), name);
        }
    }
}

/// A value with as many decimals as it needs, at most three.
fn short(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}

/// From where to where the horizontal axis reaches.
#[derive(Clone, Copy)]
struct Area {
    left: f64,
    right: f64,
}

impl Area {
    fn across(self, part: f64) -> f64 {
        self.left + (self.right - self.left) * part
    }
}

const DIAGRAM_LEFT: f64 = 40.0;
const DIAGRAM_TOP: f64 = 30.0;
/// Bars end here, so that the diagram is about as wide as it is high.
const DIAGRAM_RIGHT: f64 = WIDTH - 108.0;
const DIAGRAM_HEIGHT: f64 = 190.0;
/// The number of answers by confidence.
const COUNTS: f64 = 40.0;
/// Between the two.
const BETWEEN: f64 = 12.0;

/// The diagram of one series.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ReliabilityPlot {
    /// Which colour and pattern it has.
    pub(crate) series: usize,
    /// In ascending order.
    pub(crate) bins: Vec<ReliabilityBin>,
}

impl ReliabilityPlot {
    /// Draws it.
    pub(crate) fn draw(&self) -> Drawing {
        let mut svg = Svg::default();
        let axis = Axis::linear("", 0.0, 1.0, 5);
        let base = DIAGRAM_TOP + DIAGRAM_HEIGHT;
        let across = |value: f64| DIAGRAM_LEFT + (DIAGRAM_RIGHT - DIAGRAM_LEFT) * axis.place(value);
        let up = |value: f64| base - DIAGRAM_HEIGHT * axis.place(value);
        let end = base + BETWEEN + COUNTS;
        for tick in &axis.ticks {
            svg.line("grid", (DIAGRAM_LEFT, up(tick.value)), (DIAGRAM_RIGHT, up(tick.value)));
            svg.text("tick", Anchor::End, (DIAGRAM_LEFT - 6.0, up(tick.value) + 4.5), &tick.label);
            svg.text("tick", Anchor::Middle, (across(tick.value), end + 17.0), &tick.label);
        }
        let most = self.bins.iter().map(|bin| bin.count).max().unwrap_or_default().max(1);
        svg.group(&class(self.series), |svg| {
            for bin in &self.bins {
                let (left, right) = (across(bin.from) + 1.0, across(bin.to) - 1.0);
                let words = format!(
                    "confidence {:.2} to {:.2}: {:.0} % of {} right",
                    bin.from,
                    bin.to,
                    bin.right * 100.0,
                    bin.count
                );
                svg.told(&words, |svg| {
                    let size = (right - left, base - up(bin.right));
                    svg.rectangle("share", "", (left, up(bin.right)), size);
                    let height = COUNTS * bin.count as f64 / most as f64;
                    svg.rectangle("count", "", (left, end - height), (right - left, height));
                });
            }
            let points = self.bins.iter().filter(|bin| bin.count > 0);
            let points: Vec<(f64, f64)> =
                points.map(|bin| (across(bin.confidence), up(bin.right))).collect();
            svg.polyline("curve", dash(self.series), &points);
            for point in points {
                svg.shape("mark", marker(self.series), point);
            }
        });
        svg.line("axis", (DIAGRAM_LEFT, base), (DIAGRAM_RIGHT, base));
        svg.line("axis", (DIAGRAM_LEFT, end), (DIAGRAM_RIGHT, end));
        svg.polyline("ideal", "4 4", &[(DIAGRAM_LEFT, base), (DIAGRAM_RIGHT, DIAGRAM_TOP)]);
        svg.text(
            "tick",
            Anchor::Start,
            (DIAGRAM_RIGHT + 8.0, DIAGRAM_TOP + 5.0),
            "as sure as right",
        );
        svg.text(
            "tick",
            Anchor::Start,
            (DIAGRAM_RIGHT + 8.0, end - COUNTS / 2.0 - 3.0),
            "answers,",
        );
        svg.text(
            "tick",
            Anchor::Start,
            (DIAGRAM_RIGHT + 8.0, end - COUNTS / 2.0 + 12.0),
            &format!("at most {most}"),
        );
        svg.text("label", Anchor::Start, (0.0, 14.0), "Share of right answers");
        svg.text("label", Anchor::End, (DIAGRAM_RIGHT, end + 36.0), "Confidence of the engine");
        Drawing { width: WIDTH, height: end + 42.0, content: svg.finish() }
    }
}
