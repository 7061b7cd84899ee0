//! Reading pages that are pictures, with an installed `tesseract`.

use std::collections::BTreeMap;
use std::io::{ErrorKind, Write};
use std::process::{Command, Stdio};

use hayro::vello_cpu::color::palette::css::WHITE;
use hayro::{PixmapSettings, RenderCache, RenderSettings};
use hayro_interpret::InterpreterSettings;
use hayro_syntax::page::Page;

use super::lines::Piece;
use super::words::Word;
use crate::Ocr;
use crate::inline::single_spaced;

/// The resolution that `tesseract` is made for.
const DOTS_PER_INCH: f32 = 300.0;
/// The larger side of a picture, in pixels: a large page is drawn smaller.
// 20 inches at that resolution; the picture takes 144 MB then.
const LARGEST: f32 = 6_000.0;

/// The reason why a picture could not be read.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// The program is not there.
    Missing,
    /// The program failed with this message.
    Failed(String),
}

/// The text of a picture.
#[derive(Debug, Default)]
pub(super) struct Text {
    /// In the page's coordinates.
    pub(super) pieces: Vec<Piece>,
    /// Words that could not be made out, as the program took them to be. They are in no piece.
    pub(super) unclear: Vec<String>,
}

/// Draws a page and reads it.
pub(super) fn text(page: &Page<'_>, program: &Ocr) -> Result<Text, Fault> {
    let (width, height) = page.render_dimensions();
    let scale = (DOTS_PER_INCH / 72.0).min(LARGEST / width.max(height).max(1.0));
    let picture = PixmapSettings { x_scale: scale, y_scale: scale, bg_color: WHITE };
    let pixmap = hayro::render(
        page,
        &RenderCache::new(),
        &InterpreterSettings::default(),
        &RenderSettings::default(),
        &picture,
    );
    let png = pixmap.into_png().map_err(|error| Fault::Failed(error.to_string()))?;
    let table = read(program, png)?;
    Ok(text_of_table(&table, f64::from(scale)))
}

/// The words of a picture in PNG format, as the table that `tesseract … tsv` writes.
fn read(program: &Ocr, png: Vec<u8>) -> Result<String, Fault> {
    let mut child = Command::new(&program.command)
        .args(["-", "-", "-l", &program.languages, "tsv"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| match error.kind() {
            ErrorKind::NotFound => Fault::Missing,
            _ => Fault::Failed(error.to_string()),
        })?;
    let input = child.stdin.take();
    // It may write before it has read everything: so the picture goes in beside.
    let writer = std::thread::spawn(move || {
        // Where it stops reading, its own words say why.
        input.is_some_and(|mut input| input.write_all(&png).is_ok())
    });
    let output = child.wait_with_output().map_err(|error| Fault::Failed(error.to_string()))?;
    let was_given = writer.join().unwrap_or(false);
    if output.status.success() && was_given {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let said = single_spaced(&said);
    let said = if said.is_empty() { output.status.to_string() } else { said };
    Err(Fault::Failed(said.chars().take(200).collect()))
}

/// Words it is less sure of than this, in percent, are noise.
// A scratch that is read as `|` gets 3 or 4; words in clean print get 90 and more.
const LEAST_SURE: f64 = 20.0;
/// Noise of so many letters and digits may have been a word.
const LEAST_WORD: usize = 3;

/// A row of the table: `level page block par line word left top width height conf text`.
struct Row<'t> {
    level: u8,
    /// Block, paragraph and line.
    place: [u32; 3],
    left: f64,
    top: f64,
    width: f64,
    height: f64,
    sure: f64,
    text: &'t str,
}

fn row(line: &str) -> Option<Row<'_>> {
    let mut fields = line.split('\t');
    let mut number = || fields.next()?.trim().parse::<f64>().ok();
    let [level, _, block, paragraph, line, _, left, top, width, height, sure] =
        std::array::from_fn(|_| number());
    let whole = |number: Option<f64>| number.map(|number| number as u32);
    Some(Row {
        level: level? as u8,
        place: [whole(block)?, whole(paragraph)?, whole(line)?],
        left: left?,
        top: top?,
        width: width?,
        height: height?,
        sure: sure?,
        text: fields.next().unwrap_or_default().trim(),
    })
}

/// The lines of the table; `scale` is how many of its pixels make a point.
fn text_of_table(table: &str, scale: f64) -> Text {
    // Before it divides.
    let scale = scale.max(0.01);
    let rows: Vec<Row<'_>> = table.lines().filter_map(row).collect();
    let mut heights: Vec<f64> =
        rows.iter().filter(|row| row.level == 4).map(|row| row.height / scale).collect();
    heights.sort_by(f64::total_cmp);
    let usual = heights.get(heights.len() / 2).copied().unwrap_or(10.0);
    // What is usual here, as if set in one size: the height of a line tells which letters it has,
    // not only how large they are.
    let size = |height: f64| if height > 1.5 * usual { height * 0.9 } else { usual * 0.9 };
    let mut lines: BTreeMap<[u32; 3], (f64, f64)> = BTreeMap::new();
    let mut pieces: BTreeMap<[u32; 3], Vec<Word>> = BTreeMap::new();
    let mut unclear = Vec::new();
    for row in &rows {
        let (top, height) = (row.top / scale, row.height / scale);
        if row.level == 4 {
            // Descenders take about the last fifth of a line.
            lines.insert(row.place, (top + 0.78 * height, size(height)));
        }
        if row.level != 5 || row.text.is_empty() {
            continue;
        }
        if row.sure < LEAST_SURE {
            let is_word =
                row.text.chars().filter(|sign| sign.is_alphanumeric()).count() >= LEAST_WORD;
            unclear.extend(is_word.then(|| row.text.to_owned()));
            continue;
        }
        let (baseline, size) =
            lines.get(&row.place).copied().unwrap_or((top + 0.78 * height, usual));
        pieces.entry(row.place).or_default().push(Word {
            text: row.text.to_owned(),
            left: row.left / scale,
            right: (row.left + row.width) / scale,
            baseline,
            size,
            ..Word::default()
        });
    }
    Text { pieces: pieces.into_values().map(Piece::of_words).collect(), unclear }
}

#[cfg(test)]
mod tests {
    use super::text_of_table;

    #[test]
    fn lines_are_put_together_from_their_words() {
        let table = "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext\n\
             1\t1\t0\t0\t0\t0\t0\t0\t2500\t3300\t-1\t\n\
             4\t1\t1\t1\t1\t0\t200\t300\t700\t50\t-1\t\n\
             5\t1\t1\t1\t1\t1\t200\t300\t300\t50\t96.1\tFees\n\
             5\t1\t1\t1\t1\t2\t540\t300\t360\t50\t91\tare\n\
             5\t1\t1\t1\t1\t3\t940\t300\t10\t50\t3.5\t|\n\
             5\t1\t1\t1\t1\t4\t960\t300\t90\t50\t12\tGanNet\n\
             4\t1\t1\t1\t2\t0\t200\t400\t700\t50\t-1\t\n\
             5\t1\t1\t1\t2\t1\t200\t400\t300\t50\t96\tpaid.\n\
             broken\trow\n";
        let text = text_of_table(table, 4.0);
        let found = text.pieces;
        let texts: Vec<String> = found.iter().map(|piece| piece.text()).collect();
        assert_eq!(texts, ["Fees are", "paid."]);
        assert_eq!((found[0].words[0].left, found[0].words[0].right), (50.0, 125.0));
        assert_eq!(found[0].words[0].baseline, 84.75);
        assert_eq!(text.unclear, ["GanNet"], "a word, and no scratch");
        assert!(text_of_table("", 4.0).pieces.is_empty());
    }
}
