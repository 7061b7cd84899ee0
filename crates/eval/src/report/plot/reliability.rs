//! A reliability diagram (Guo et al., "On Calibration of Modern Neural Networks", 2017): how often
//! answers are right by how sure the engine was, with the number of answers below.

use super::scale::Axis;
use super::series::{class, dash, marker};
use super::svg::{Anchor, Svg};
use super::{Drawing, WIDTH};
use crate::report::evidence::ReliabilityBin;

const LEFT: f64 = 40.0;
const TOP: f64 = 30.0;
/// Bars end here, so that the diagram is about as wide as it is high.
const RIGHT: f64 = WIDTH - 108.0;
const HEIGHT: f64 = 190.0;
/// The number of answers by confidence.
const COUNTS: f64 = 40.0;
/// Between the two.
const BETWEEN: f64 = 12.0;

/// The diagram of one series.
#[derive(Debug, Clone, PartialEq)]
pub struct ReliabilityPlot {
    /// Which colour and pattern it has.
    pub series: usize,
    /// In ascending order.
    pub bins: Vec<ReliabilityBin>,
}

impl ReliabilityPlot {
    /// Draws it.
    pub fn draw(&self) -> Drawing {
        let mut svg = Svg::default();
        let axis = Axis::linear("", 0.0, 1.0, 5);
        let base = TOP + HEIGHT;
        let across = |value: f64| LEFT + (RIGHT - LEFT) * axis.place(value);
        let up = |value: f64| base - HEIGHT * axis.place(value);
        let end = base + BETWEEN + COUNTS;
        for tick in &axis.ticks {
            svg.line("grid", (LEFT, up(tick.value)), (RIGHT, up(tick.value)));
            svg.text("tick", Anchor::End, (LEFT - 6.0, up(tick.value) + 4.5), &tick.label);
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
        svg.line("axis", (LEFT, base), (RIGHT, base));
        svg.line("axis", (LEFT, end), (RIGHT, end));
        svg.polyline("ideal", "4 4", &[(LEFT, base), (RIGHT, TOP)]);
        svg.text("tick", Anchor::Start, (RIGHT + 8.0, TOP + 5.0), "as sure as right");
        svg.text("tick", Anchor::Start, (RIGHT + 8.0, end - COUNTS / 2.0 - 3.0), "answers,");
        svg.text(
            "tick",
            Anchor::Start,
            (RIGHT + 8.0, end - COUNTS / 2.0 + 12.0),
            &format!("at most {most}"),
        );
        svg.text("label", Anchor::Start, (0.0, 14.0), "Share of right answers");
        svg.text("label", Anchor::End, (RIGHT, end + 36.0), "Confidence of the engine");
        Drawing { width: WIDTH, height: end + 42.0, content: svg.finish() }
    }
}
