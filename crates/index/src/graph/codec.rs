//! The graph as bytes, and the checks that make a foreign graph safe to walk.
//!
//! `instant-distance` keeps its fields private and walks them with unchecked indices, so a graph
//! must be known to be sound before the library sees it. We therefore have a format of our own:
//! `CGR1`, the number of rows, the row of each point, the number of upper layers and the points
//! in each from the lowest up, then for each point of the ground layer and of each upper layer
//! its neighbours as a count and rising gaps. (Only the set matters: a walk looks at all of a
//! point's neighbours before it moves.) Decoding checks each number and rewrites the graph into
//! the serde form the library reads: half the size to fetch, and no foreign byte gets further
//! than this file.

use std::sync::Arc;

use instant_distance::Hnsw;
use serde::Deserialize;

use super::{Graph, Node};
use crate::bytes::{Reader, put_varint};
use crate::{IndexError, VectorTable};

const PART: &str = "graph";
const MAGIC: [u8; 4] = *b"CGR1";

/// The most neighbours that a point may have above the ground: the library's `M`.
// Fixed in instant-distance, whose arrays have this size.
const UPPER_LINKS: usize = 32;
/// And on the ground: twice `M`.
const GROUND_LINKS: usize = 2 * UPPER_LINKS;
/// The number that the library puts where a point has no further neighbour.
const NO_POINT: u32 = u32::MAX;

type Links = [u32; UPPER_LINKS];

/// The library's graph in the shape its serde form has. Two arrays of 32 are laid out as the
/// one of 64 that the ground layer's points have.
#[derive(Deserialize)]
pub(super) struct EncodedGraph {
    #[serde(rename = "ef_search")]
    _candidates: usize,
    #[serde(rename = "points")]
    rows: Vec<u32>,
    #[serde(rename = "zero")]
    ground: Vec<(Links, Links)>,
    layers: Vec<Vec<Links>>,
}

pub(super) fn graph_error(reason: impl std::fmt::Display) -> IndexError {
    IndexError::Graph { reason: reason.to_string() }
}

impl EncodedGraph {
    /// Reads the library's graph through its serde form.
    pub(super) fn of(hnsw: &Hnsw<Node>) -> Result<Self, IndexError> {
        let serialised = postcard::to_allocvec(hnsw).map_err(graph_error)?;
        postcard::from_bytes(&serialised).map_err(graph_error)
    }

    pub(super) fn encode(&self) -> Vec<u8> {
        let mut out = MAGIC.to_vec();
        put_varint(&mut out, self.rows.len() as u32);
        self.rows.iter().for_each(|&row| put_varint(&mut out, row));
        put_varint(&mut out, self.layers.len() as u32);
        for layer in &self.layers {
            put_varint(&mut out, layer.len() as u32);
        }
        for (near, far) in &self.ground {
            put_links(&mut out, near.iter().chain(far));
        }
        for links in self.layers.iter().flatten() {
            put_links(&mut out, links.iter());
        }
        out
    }
}

fn put_links<'a>(out: &mut Vec<u8>, links: impl Iterator<Item = &'a u32>) {
    let mut links: Vec<u32> = links.copied().take_while(|&link| link != NO_POINT).collect();
    // Rising, so that gaps take a byte or two where row numbers take three.
    links.sort_unstable();
    put_varint(out, links.len() as u32);
    let mut next = 0;
    for link in links {
        put_varint(out, link - next);
        next = link + 1;
    }
}

impl Graph {
    /// The graph as bytes; the vectors are not among them.
    ///
    /// # Errors
    /// [`IndexError::Graph`] when the library's form cannot be written.
    pub fn encode(&self) -> Result<Vec<u8>, IndexError> {
        Ok(EncodedGraph::of(&self.hnsw)?.encode())
    }

    /// Reads an encoded graph over the rows of `table`.
    ///
    /// # Errors
    /// [`IndexError::Damaged`] when the bytes are not a whole graph over just these rows.
    pub fn decode(bytes: &[u8], table: Arc<VectorTable>) -> Result<Self, IndexError> {
        let serialised = transcode(bytes, table.len())?;
        let hnsw: Hnsw<Node> = postcard::from_bytes(&serialised).map_err(graph_error)?;
        hnsw.iter().for_each(|(_, node)| node.attach(&table));
        Ok(Self { hnsw, table })
    }
}

/// From our form to the library's, checking every number on the way. Written straight into the
/// serialised form, so that a phone does not hold the graph a third time.
fn transcode(bytes: &[u8], rows: usize) -> Result<Vec<u8>, IndexError> {
    let mut reader = Reader::open(PART, bytes, MAGIC)?;
    let mut out = Vec::with_capacity(rows.saturating_mul(GROUND_LINKS * 3));
    put_count(&mut out, Graph::CANDIDATES);
    transcode_rows(&mut reader, rows, &mut out)?;
    let layers = read_layers(&mut reader, rows)?;
    put_count(&mut out, rows);
    for _ in 0..rows {
        transcode_links::<GROUND_LINKS>(&mut reader, rows, &mut out)?;
    }
    put_count(&mut out, layers.len());
    for length in layers {
        put_count(&mut out, length);
        for _ in 0..length {
            // A neighbour is looked up in the same layer, so it has to lie within it.
            transcode_links::<UPPER_LINKS>(&mut reader, length, &mut out)?;
        }
    }
    reader.finish()?;
    Ok(out)
}

/// A length as postcard writes it: for all that fits in 32 bits, the same variable-length
/// integer as ours.
fn put_count(out: &mut Vec<u8>, count: usize) {
    put_varint(out, count as u32);
}

/// Each row of the table has to be there once.
fn transcode_rows(
    reader: &mut Reader<'_>,
    rows: usize,
    out: &mut Vec<u8>,
) -> Result<(), IndexError> {
    let count = reader.count(1, "the number of rows")?;
    if count != rows {
        return Err(
            reader.damaged(format!("{rows} rows, as in the vector table"), count.to_string())
        );
    }
    put_count(out, rows);
    let mut seen = vec![false; rows];
    for _ in 0..rows {
        let row = reader.varint("a point's row")?;
        match seen.get_mut(row as usize) {
            Some(seen) if !*seen => *seen = true,
            _ => {
                let expected = format!("a row below {rows} not named before");
                return Err(reader.damaged(expected, row.to_string()));
            }
        }
        put_varint(out, row);
    }
    Ok(())
}

/// Each layer holds a beginning of the one below it, and at least the point where a walk starts.
fn read_layers(reader: &mut Reader<'_>, rows: usize) -> Result<Vec<usize>, IndexError> {
    let count = reader.count(1, "the number of layers")?;
    let mut below = rows;
    let mut layers = Vec::with_capacity(count);
    for _ in 0..count {
        let length = reader.varint("a layer's length")? as usize;
        if !(1..=below).contains(&length) {
            return Err(
                reader.damaged(format!("a layer of 1 to {below} points"), length.to_string())
            );
        }
        layers.push(length);
        below = length;
    }
    Ok(layers)
}

/// One point's neighbours, each below `limit`, filled up to `LINKS` entries.
fn transcode_links<const LINKS: usize>(
    reader: &mut Reader<'_>,
    limit: usize,
    out: &mut Vec<u8>,
) -> Result<(), IndexError> {
    let count = reader.count(1, "the number of neighbours")?;
    if count > LINKS {
        return Err(reader.damaged(format!("at most {LINKS} neighbours"), count.to_string()));
    }
    let mut next = 0u32;
    for _ in 0..count {
        let gap = reader.varint("a gap between neighbours")?;
        let link = next.checked_add(gap).filter(|&link| (link as usize) < limit);
        let Some(link) = link else {
            return Err(
                reader.damaged(format!("a neighbour below {limit}"), format!("{next} + {gap}"))
            );
        };
        put_varint(out, link);
        next = link + 1;
    }
    for _ in count..LINKS {
        put_varint(out, NO_POINT);
    }
    Ok(())
}
