//! Tensors handed out for good, so that a shard's bytes go when its last tensor has gone.

use std::ops::Range;

use super::{Entry, PART_SEPARATOR, SCALE_SUFFIX, Shards, part_of};
use crate::error::ModelError;
use crate::tensor_source::{StoredTensor, TensorSource};

impl Shards {
    /// Returns `true` if all of these rows of the tensor `name` are here.
    pub fn holds(&self, name: &str, rows: Range<usize>) -> bool {
        if let Some(entry) = self.entries.get(name) {
            return rows.end <= entry.rows();
        }
        let mut covered = rows.start;
        for (&first_row, part) in self.parts.get(name).into_iter().flatten() {
            let rows = self.entries.get(part).map_or(0, Entry::rows);
            let end = first_row.saturating_add(rows);
            if first_row <= covered && covered < end {
                covered = end;
            }
        }
        covered > rows.start && covered >= rows.end
    }

    /// Takes the part of the tensor `name` that begins at row `first_row`, which is the whole of
    /// it where it lies in one piece. Its bytes are given up here.
    ///
    /// # Errors
    /// As [`TensorSource::stored`].
    pub fn take_part(
        &mut self,
        name: &str,
        first_row: usize,
    ) -> Result<StoredTensor<'static>, ModelError> {
        let Some(part) = self.parts.get(name).and_then(|parts| parts.get(&first_row)) else {
            return match first_row {
                0 => self.take(name),
                _ => Err(self.missing(&format!("{name}{PART_SEPARATOR}{first_row}"))),
            };
        };
        let part = part.clone();
        let (entry, bytes) = self.entry_bytes(&part)?;
        let (dtype, shape) = (entry.dtype, entry.shape.clone());
        let range = first_row..first_row.saturating_add(entry.rows());
        let taken = self.assemble(name, dtype, shape, bytes, Some(range))?.into_owned();
        self.forget(&part);
        Ok(taken)
    }

    /// Gives up every tensor that is not `wanted`, by its name.
    pub fn retain(&mut self, wanted: impl Fn(&str) -> bool) {
        let unwanted = |entry: &&String| {
            // Row scales go with their tensor.
            let tensor = entry.strip_suffix(SCALE_SUFFIX).unwrap_or(entry);
            !wanted(part_of(tensor).map_or(tensor, |(whole, _)| whole))
        };
        let unwanted: Vec<String> = self.entries.keys().filter(unwanted).cloned().collect();
        for entry in unwanted {
            self.forget(&entry);
        }
    }

    /// Gives up an entry, and with a file's last entry the file.
    pub(super) fn forget(&mut self, name: &str) {
        let Some(entry) = self.entries.remove(name) else { return };
        if let Some((whole, row)) = part_of(name)
            && let Some(parts) = self.parts.get_mut(whole)
        {
            parts.remove(&row);
            if parts.is_empty() {
                self.parts.remove(whole);
            }
        }
        if let Some(file) = self.files.get_mut(entry.file) {
            file.entries -= 1;
            if file.entries == 0 {
                file.bytes = None;
            }
        }
    }
}
