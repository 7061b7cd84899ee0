//! The searches by themselves, for a page to time.

use std::sync::Arc;

use campanile_index::{Graph, LexicalHead, PostingsShard, VectorTable, bm25};
use js_sys::Uint8Array;
use wasm_bindgen::JsError;
use wasm_bindgen::prelude::wasm_bindgen;

/// The keyword index with every shard decoded, as in a page that has been asked before.
#[wasm_bindgen]
pub struct Keywords {
    head: LexicalHead,
    shards: Vec<PostingsShard>,
}

#[wasm_bindgen]
impl Keywords {
    /// Decodes the parts.
    ///
    /// # Errors
    /// Where one is damaged.
    #[wasm_bindgen(constructor)]
    pub fn new(head: &[u8], shards: Vec<Uint8Array>) -> Result<Self, JsError> {
        let head = LexicalHead::decode(head)?;
        let decode =
            |shard: &Uint8Array| PostingsShard::decode(&shard.to_vec(), head.chunk_count());
        let shards = shards.iter().map(decode).collect::<Result<_, _>>()?;
        Ok(Self { head, shards })
    }

    /// The best chunks for a question's terms.
    pub fn search(&self, terms: Vec<String>, limit: usize) -> Vec<u32> {
        let lists: Vec<_> = terms
            .iter()
            .filter_map(|term| self.shards.get(self.head.shard_of(term)?)?.get(term))
            .collect();
        bm25(&self.head, &lists, limit, &|_| true).iter().map(|hit| hit.id).collect()
    }
}

/// The vectors, and the graph over them.
#[wasm_bindgen]
pub struct Meaning {
    table: Arc<VectorTable>,
    graph: Graph,
}

#[wasm_bindgen]
impl Meaning {
    /// Decodes the parts.
    ///
    /// # Errors
    /// Where one is damaged.
    #[wasm_bindgen(constructor)]
    pub fn new(table: &[u8], graph: &[u8]) -> Result<Self, JsError> {
        let table = Arc::new(VectorTable::decode(table)?);
        let graph = Graph::decode(graph, Arc::clone(&table))?;
        Ok(Self { table, graph })
    }

    /// The nearest of all rows.
    ///
    /// # Errors
    /// Where the vector does not fit the table.
    pub fn exact(&self, vector: &[f32], limit: usize) -> Result<Vec<u32>, JsError> {
        let hits = self.table.search(vector, limit, &|_| true)?;
        Ok(hits.iter().map(|hit| hit.id).collect())
    }

    /// The nearest that the graph leads to.
    ///
    /// # Errors
    /// Where the vector does not fit the table.
    pub fn near(&self, vector: &[f32], limit: usize) -> Result<Vec<u32>, JsError> {
        Ok(self.graph.search(vector, limit)?.iter().map(|hit| hit.id).collect())
    }
}
