//! Reading pages that are pictures, with an installed `tesseract`.

mod command;
mod table;

use hayro::vello_cpu::color::palette::css::WHITE;
use hayro::{PixmapSettings, RenderCache, RenderSettings};
use hayro_interpret::InterpreterSettings;
use hayro_syntax::page::Page;

use super::lines::Piece;

pub(super) use command::Tesseract;

/// The resolution that `tesseract` is made for.
const DOTS_PER_INCH: f32 = 300.0;
/// The larger side of a picture, in pixels: a large page is drawn smaller.
const LARGEST: f32 = 6_000.0;

/// Something that reads the text of a picture.
pub(super) trait ReadPicture {
    /// The words of a picture in PNG format, as the table that `tesseract … tsv` writes.
    fn read(&self, png: Vec<u8>) -> Result<String, Fault>;
}

/// Why a picture could not be read.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// The program is not there.
    Missing,
    /// The program failed with this message.
    Failed(String),
}

/// Draws a page and reads it: pieces in the page's coordinates.
pub(super) fn pieces(page: &Page<'_>, reader: &dyn ReadPicture) -> Result<Vec<Piece>, Fault> {
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
    let table = reader.read(png)?;
    Ok(table::pieces(&table, f64::from(scale)))
}
