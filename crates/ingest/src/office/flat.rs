//! OpenDocument in one file of XML (`.fodt`, `.fods`, `.fodp`): what other files hold as parts stands below one root.

use super::package::parse_xml;
use super::xml::Element;
use crate::decode::decode;
use crate::{IngestOptions, Trouble};

/// The part of a file in which its root begins, in bytes: a declaration and remarks may stand in front of it.
const ROOT_WINDOW: usize = 4 * 1024;

/// Returns `true` for a file whose root is a whole document.
pub(super) fn is_flat(bytes: &[u8]) -> bool {
    let head = bytes.get(..bytes.len().min(ROOT_WINDOW)).unwrap_or_default();
    let head = String::from_utf8_lossy(head);
    let is_xml = head.trim_start_matches('\u{FEFF}').trim_start().starts_with('<');
    is_xml && (head.contains("<office:document") || head.contains(":opendocument:xmlns:office:"))
}

/// The root of the document.
pub(super) fn root(path: &str, bytes: &[u8], options: &IngestOptions) -> Result<Element, Trouble> {
    let limit_bytes = options.max_inflated_bytes;
    if bytes.len() as u64 > limit_bytes {
        return Err(Trouble::Inflated { limit_bytes });
    }
    parse_xml(path, &decode(bytes)?)
}
