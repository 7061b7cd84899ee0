//! The links of a sheet's cells.

use std::collections::BTreeMap;

use calamine::Hyperlink;

use crate::address::safe;

/// Links by the cell that they lie on. One over many cells is a link of the first.
#[derive(Debug, Default)]
pub(super) struct Links(BTreeMap<(u32, u32), String>);

impl Links {
    pub(super) fn of(links: Vec<Hyperlink>) -> Self {
        let found = links.into_iter().filter_map(|link| {
            let target = link.target.filter(|target| target.contains(':'))?;
            Some((link.range.start, safe(&target)?.to_owned()))
        });
        Self(found.collect())
    }

    pub(super) fn at(&self, row: u32, column: u32) -> Option<String> {
        self.0.get(&(row, column)).cloned()
    }
}
