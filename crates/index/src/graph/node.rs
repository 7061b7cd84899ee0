//! The graph's point: a row number that knows its table.

use std::sync::{Arc, OnceLock};

use instant_distance::Point;
use serde::{Deserialize, Serialize};

use crate::{QueryVector, VectorTable};

/// A row of the table, or a question to compare with rows.
///
/// `instant-distance` asks a point for its distance to another and gives it nothing else to work
/// with, so each point has to reach the table itself. It is serialised as its row number alone;
/// after decoding the library lends its points out by shared reference only, hence the cell that
/// can be filled once through one. No thread-local, no global, no copy of a vector.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Node {
    row: u32,
    #[serde(skip)]
    vector: OnceLock<Vector>,
}

#[derive(Clone)]
enum Vector {
    Row(Arc<VectorTable>),
    Query(Arc<QueryVector>),
}

impl Node {
    #[cfg(not(target_arch = "wasm32"))]
    pub(super) fn row_of(table: &Arc<VectorTable>, row: u32) -> Self {
        Self { row, vector: OnceLock::from(Vector::Row(Arc::clone(table))) }
    }

    pub(super) fn query(query: Arc<QueryVector>) -> Self {
        Self { row: u32::MAX, vector: OnceLock::from(Vector::Query(query)) }
    }

    pub(super) fn row(&self) -> u32 {
        self.row
    }

    /// Gives a decoded point its table; a point that has one keeps it.
    pub(super) fn attach(&self, table: &Arc<VectorTable>) {
        self.vector.get_or_init(|| Vector::Row(Arc::clone(table)));
    }

    fn dot(&self, other: &Self) -> Option<f32> {
        match (self.vector.get()?, other.vector.get()?) {
            (Vector::Row(table), Vector::Row(_)) => table.dot_rows(self.row, other.row),
            (Vector::Query(query), Vector::Row(table)) => table.dot(query, other.row),
            (Vector::Row(table), Vector::Query(query)) => table.dot(query, self.row),
            (Vector::Query(_), Vector::Query(_)) => None,
        }
    }
}

impl Point for Node {
    /// One less the cosine. The decoder has checked that every row exists, so the infinite
    /// distance of a pair without a product is never seen.
    fn distance(&self, other: &Self) -> f32 {
        self.dot(other).map_or(f32::INFINITY, |dot| 1.0 - dot)
    }
}
