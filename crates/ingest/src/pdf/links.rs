//! The links of a page: areas that lead to an address.

use hayro_interpret::kurbo::{Affine, Rect};
use hayro_syntax::object::{Array, Dict, Name, Rect as PdfRect, String as PdfString};
use hayro_syntax::page::Page;

use super::text_string::text_string;

/// Most links of one page.
const MOST_LINKS: usize = 2_000;

pub(super) struct Link {
    pub(super) area: Rect,
    pub(super) target: String,
}

/// The links of a page that lead out of the document; `transform` leads from the page's own
/// coordinates to those of its text.
pub(super) fn links(page: &Page<'_>, transform: Affine) -> Vec<Link> {
    let Some(annotations) = page.raw().get::<Array<'_>>(b"Annots") else {
        return Vec::new();
    };
    let link = |annotation: Dict<'_>| {
        let is_link = annotation.get::<Name<'_>>(b"Subtype").is_some_and(|name| &*name == b"Link");
        let action = annotation.get::<Dict<'_>>(b"A").filter(|_| is_link)?;
        let target = text_string(action.get::<PdfString<'_>>(b"URI")?.as_bytes());
        let area = annotation.get::<PdfRect>(b"Rect")?;
        let area = transform.transform_rect_bbox(Rect::new(area.x0, area.y0, area.x1, area.y1));
        Some(Link { area, target })
    };
    annotations.iter::<Dict<'_>>().filter_map(link).take(MOST_LINKS).collect()
}
