//! Raised figures: the marks of notes, the numbers of sentences, exponents.
//!
//! They stand higher than their line and are smaller, by how much differs from program to program. Each
//! is put onto its line here, by the letter next to it.

use super::ink::Glyph;

/// The longest run of raised glyphs: `12, 13`; of letters, `st` or `TM`.
const MOST_GLYPHS: usize = 8;
const MOST_LETTERS: usize = 3;
/// The size of a raised figure as a share of its line's, at most.
// Browsers set `<sup>` at 0.83, some at 0.86.
const LARGEST: f64 = 0.97;
/// The size of raised letters; larger ones beside higher ones are small capitals or jitter of a scan.
const LARGEST_LETTER: f64 = 0.85;
/// The share of its line's size that a figure is raised by, at most.
// A third to a half is usual; a line of small print above another is an em away.
const HIGHEST: f64 = 0.72;
/// The largest line beside a figure, as a multiple of the figure's size.
const LARGEST_HOST: f64 = 2.5;
/// Most glyphs that the runs of one page are compared with, all together.
// A page has 90 glyphs on a line, and hardly a hundred marks.
const MOST_COMPARED: usize = 4_000_000;

/// Glyphs that follow one another closely, at one height and size.
#[derive(Debug)]
struct Run {
    members: Vec<usize>,
    left: f64,
    right: f64,
    baseline: f64,
    size: f64,
    has_letters: bool,
    is_seen: bool,
}

/// Says of each raised glyph by how much it is above its line.
pub(super) fn lift_raised(glyphs: &mut [Glyph]) {
    let on_line = glyphs.iter().enumerate().filter(|(_, it)| it.has_ink() && it.lift == 0.0);
    // Glyphs of one line have one baseline but for rounding.
    let mut placed: Vec<(f64, f64, usize)> =
        on_line.map(|(at, it)| ((it.baseline() * 8.0).round(), it.left(), at)).collect();
    placed.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let order: Vec<usize> = placed.into_iter().map(|(_, _, at)| at).collect();
    let mut lifts: Vec<(Vec<usize>, f64)> = Vec::new();
    let mut budget = MOST_COMPARED;
    for run in runs(glyphs, &order) {
        let reach = run.baseline + HIGHEST * LARGEST_HOST * run.size;
        let from = order.partition_point(|at| baseline(glyphs, *at) <= run.baseline);
        let to = order.partition_point(|at| baseline(glyphs, *at) <= reach);
        budget = budget.saturating_sub(to.saturating_sub(from));
        if budget == 0 {
            break;
        }
        let below = order.get(from..to).unwrap_or_default();
        let below: Vec<&Glyph> = below.iter().filter_map(|at| glyphs.get(*at)).collect();
        if let Some(lift) = lift(&run, &below) {
            lifts.push((run.members, lift));
        }
    }
    for (members, lift) in lifts {
        for at in members {
            if let Some(glyph) = glyphs.get_mut(at) {
                glyph.lift = lift;
                glyph.is_raised = true;
            }
        }
    }
}

fn baseline(glyphs: &[Glyph], at: usize) -> f64 {
    glyphs.get(at).map_or(0.0, Glyph::baseline)
}

/// The runs that are short enough for a mark.
fn runs(glyphs: &[Glyph], order: &[usize]) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for &at in order {
        let Some(glyph) = glyphs.get(at) else {
            continue;
        };
        let goes_on = |run: &Run| {
            (glyph.baseline() - run.baseline).abs() < 0.1 * run.size
                && (glyph.size - run.size).abs() < 0.03 * run.size
                && (-0.3..0.3).contains(&((glyph.left() - run.right) / run.size))
        };
        let has_letters = glyph.text.contains(char::is_alphabetic);
        let is_seen = glyph.sight == super::ink::Sight::Seen;
        match runs.last_mut() {
            Some(run) if goes_on(run) => {
                // Longer ones are not looked at, but their length is needed.
                run.members.push(at);
                run.right = run.right.max(glyph.right());
                run.has_letters |= has_letters;
                run.is_seen &= is_seen;
            }
            _ => runs.push(Run {
                members: vec![at],
                left: glyph.left(),
                right: glyph.right(),
                baseline: glyph.baseline(),
                size: glyph.size,
                has_letters,
                is_seen,
            }),
        }
    }
    let most = |run: &Run| if run.has_letters { MOST_LETTERS } else { MOST_GLYPHS };
    runs.retain(|run| run.members.len() <= most(run));
    runs
}

/// Returns by how much a run is raised above the line of one of the glyphs below it.
fn lift(run: &Run, below: &[&Glyph]) -> Option<f64> {
    let host = below.iter().find(|host| is_host(run, host) && stands_at(run, host))?;
    let is_covered = below.iter().any(|glyph| {
        let shared = run.right.min(glyph.right()) - run.left.max(glyph.left());
        (glyph.baseline() - host.baseline()).abs() < 0.1 * host.size
            && shared > 0.4 * (glyph.right() - glyph.left()).min(run.right - run.left)
    });
    // What has a letter below itself is an accent, or the upper part of a fraction.
    (!is_covered).then(|| host.baseline() - run.baseline)
}

/// Returns `true` if a run may be raised above the line of a glyph, by their sizes and heights.
fn is_host(run: &Run, host: &Glyph) -> bool {
    let ratio = run.size / host.size.max(0.1);
    let rise = (host.baseline() - run.baseline) / host.size.max(0.1);
    let largest = if run.has_letters || !run.is_seen { LARGEST_LETTER } else { LARGEST };
    // The letters of a scan stand up and down a little, and differ in size; what is clearly smaller needs
    // to be raised little.
    let least = if ratio < 0.9 && run.is_seen && !run.has_letters { 0.05 } else { 0.12 };
    ratio > 1.0 / LARGEST_HOST && ratio < largest && (least..HIGHEST).contains(&rise)
}

/// Returns `true` if a run follows a glyph closely, or comes right before it.
fn stands_at(run: &Run, host: &Glyph) -> bool {
    let behind = (run.left - host.right()) / host.size;
    let before = (host.left() - run.right) / host.size;
    (-0.2..0.3).contains(&behind) || (-0.1..0.35).contains(&before)
}

#[cfg(test)]
mod tests {
    use hayro_interpret::kurbo::Point;

    use super::*;

    fn set(text: &str, left: f64, baseline: f64, size: f64) -> Vec<Glyph> {
        let glyph = |(index, character): (usize, char)| {
            let left = left + 0.5 * size * index as f64;
            Glyph {
                text: character.to_string(),
                start: Point::new(left, baseline),
                end: Point::new(left + 0.5 * size, baseline),
                size,
                ..Glyph::default()
            }
        };
        text.chars().enumerate().map(glyph).collect()
    }

    /// The raised glyphs, and by how much.
    fn raised(mut glyphs: Vec<Glyph>) -> Vec<(String, f64)> {
        lift_raised(&mut glyphs);
        let raised = glyphs.into_iter().filter(|glyph| glyph.is_raised);
        raised.map(|glyph| (glyph.text, glyph.lift)).collect()
    }

    #[test]
    fn figures_are_put_onto_their_line_however_small_and_high_they_are() {
        for (size, rise) in [(5.0, 5.0), (5.8, 3.3), (6.4, 7.0), (8.6, 0.7), (8.6, 3.6), (9.6, 3.0)]
        {
            let mut glyphs = set("28", 0.0, 100.0, 10.0);
            glyphs.extend(set("12", 10.0, 100.0 - rise, size));
            glyphs.extend(set("next", 13.0 + size, 100.0, 10.0));
            let found = raised(glyphs);
            let texts: Vec<&str> = found.iter().map(|(text, _)| text.as_str()).collect();
            assert_eq!(texts, ["1", "2"], "{size} {rise}");
            assert!(found.iter().all(|(_, lift)| (lift - rise).abs() < 1e-9), "{found:?}");
        }
    }

    #[test]
    fn other_small_text_is_not_raised() {
        // A line of small print above another, an upper part of a fraction, a figure of the same size that
        // is up a little, a small word beside a large one, a figure below its line.
        let cases = [
            (set("12", 0.0, 90.0, 7.0), set("word", 8.0, 100.0, 10.0)),
            (set("1", 1.0, 96.0, 6.0), set("word", 0.0, 100.0, 10.0)),
            (set("12", 20.0, 99.0, 9.8), set("word", 0.0, 100.0, 10.0)),
            (set("small", 20.0, 96.0, 6.0), set("word", 0.0, 100.0, 10.0)),
            (set("2", 20.0, 102.0, 6.0), set("word", 0.0, 100.0, 10.0)),
        ];
        for (small, line) in cases {
            let shown = format!("{:?}", small.first());
            assert_eq!(raised([line, small].concat()), [], "{shown}");
        }
    }
}
