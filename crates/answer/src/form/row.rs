//! The row of a table that a sentence writes out.

use super::{Form, FormKind, FormPart, Quoted};
use crate::table::{Cell, cells};

/// The cells of the row that answers.
pub(super) fn form(quoted: &Quoted<'_>) -> Option<Form> {
    let line = quoted.words();
    let part = |cell: &Cell| FormPart {
        name: cell.name.and_then(|name| name.slice(line)).map(str::to_owned),
        ..quoted.part(cell.text)
    };
    Some(Form { kind: FormKind::Row, parts: cells(line)?.iter().map(part).collect() })
}
