//! Each part of a site as shards.

use campanile_corpus::Synonyms;
use campanile_corpus::families::PageFamilies;
use campanile_corpus::metadata::{Audience, Date};
use campanile_index::late::LateIndex;
use campanile_index::{Graph, LexicalIndex, ReducedTable, Sketch, VectorTable, partition};

use super::{BundleWriter, WriteError};
use crate::head::Head;
use crate::{
    AudienceTable, DocumentNotes, DocumentRecord, DocumentsHead, Encoding, InstantEntry,
    ModelEntry, ModelFile, ParentsHead, PartitionsEntry, ShardEntry, ShardKind, ShardedEntry,
};

impl BundleWriter {
    /// Adds the inverted index.
    ///
    /// # Errors
    /// As [`BundleWriter::add`].
    pub fn add_lexical(&mut self, index: &LexicalIndex) -> Result<ShardedEntry, WriteError> {
        let entries = index
            .shards
            .iter()
            .map(|shard| self.add(ShardKind::Postings, shard, Encoding::Deflate))
            .collect::<Result<Vec<_>, _>>()?;
        self.add_head(ShardKind::LexicalHead, &entries, index.head.clone())
    }

    /// Adds the vectors.
    ///
    /// # Errors
    /// As [`BundleWriter::add`].
    pub fn add_vectors(&mut self, table: &VectorTable) -> Result<ShardEntry, WriteError> {
        self.add(ShardKind::Vectors, &table.encode(), Encoding::Deflate)
    }

    /// Adds the graph over the vectors.
    ///
    /// # Errors
    /// As [`BundleWriter::add`], and [`WriteError::Encode`].
    pub fn add_graph(&mut self, graph: &Graph) -> Result<ShardEntry, WriteError> {
        let bytes = graph.encode().map_err(|error| WriteError::encode("graph", error))?;
        self.add(ShardKind::Graph, &bytes, Encoding::Deflate)
    }

    /// Adds vectors in parts, for a table that is too large to be fetched whole: about `rows_of_partition` rows whose bits
    /// are fetched together, and `rows_of_shard` whose vectors are.
    ///
    /// # Errors
    /// As [`BundleWriter::add`]; [`WriteError::Encode`], also where the table is too small to be divided.
    pub fn add_partitions(
        &mut self,
        table: &VectorTable,
        rows_of_partition: usize,
        rows_of_shard: u32,
    ) -> Result<PartitionsEntry, WriteError> {
        let failed = |error| WriteError::encode("partitions", error);
        let count = table.len().div_ceil(rows_of_partition.max(1));
        let (head, partitions) = partition(table, count).map_err(failed)?;
        // Neither bits nor the head of directions deflate.
        let bits = partitions
            .iter()
            .map(|partition| self.add(ShardKind::Partition, &partition.encode(), Encoding::Raw))
            .collect::<Result<Vec<_>, _>>()?;
        let vectors = table
            .split(rows_of_shard as usize)
            .map(|some| self.add(ShardKind::Vectors, &some.encode(), Encoding::Deflate))
            .collect::<Result<Vec<_>, _>>()?;
        Ok(PartitionsEntry {
            bits: self.add_head(ShardKind::PartitionsHead, &bits, head.encode())?,
            vectors: self.add_head(ShardKind::VectorsHead, &vectors, Vec::new())?,
            rows_of_shard,
        })
    }

    /// Adds what the site is about.
    ///
    /// # Errors
    /// As [`BundleWriter::add`].
    pub fn add_sketch(&mut self, sketch: &Sketch) -> Result<ShardEntry, WriteError> {
        self.add(ShardKind::Sketch, &sketch.encode(), Encoding::Deflate)
    }

    /// Adds what each of a campus's sites is about, in their order.
    ///
    /// # Errors
    /// As [`BundleWriter::add`], and [`WriteError::Encode`].
    pub fn add_sketches(&mut self, sketches: &[Sketch]) -> Result<ShardEntry, WriteError> {
        let encoded: Vec<Vec<u8>> = sketches.iter().map(Sketch::encode).collect();
        let bytes = postcard::to_allocvec(&encoded)
            .map_err(|error| WriteError::encode("sketches", error))?;
        self.add(ShardKind::Sketches, &bytes, Encoding::Deflate)
    }

    /// Adds words that mean the same; nothing where there are none.
    ///
    /// # Errors
    /// As [`BundleWriter::add`], and [`WriteError::Encode`].
    pub fn add_synonyms(&mut self, synonyms: &Synonyms) -> Result<Option<ShardEntry>, WriteError> {
        if synonyms.is_empty() {
            return Ok(None);
        }
        let bytes = postcard::to_allocvec(synonyms)
            .map_err(|error| WriteError::encode("synonyms", error))?;
        self.add(ShardKind::Synonyms, &bytes, Encoding::Deflate).map(Some)
    }

    /// Adds which documents are of one make; nothing where none are.
    ///
    /// # Errors
    /// As [`BundleWriter::add`], and [`WriteError::Encode`].
    pub fn add_families(
        &mut self,
        families: &PageFamilies,
    ) -> Result<Option<ShardEntry>, WriteError> {
        if families.is_empty() {
            return Ok(None);
        }
        let bytes = postcard::to_allocvec(families)
            .map_err(|error| WriteError::encode("families", error))?;
        self.add(ShardKind::Families, &bytes, Encoding::Deflate).map(Some)
    }

    /// Adds the chunks' token vectors. Codes of few bits hardly deflate, and are kept as they are.
    ///
    /// # Errors
    /// As [`BundleWriter::add`], and [`WriteError::Encode`].
    pub fn add_late(&mut self, index: &LateIndex) -> Result<ShardedEntry, WriteError> {
        let entries = index
            .shards
            .iter()
            .map(|shard| self.add(ShardKind::Late, shard, Encoding::Raw))
            .collect::<Result<Vec<_>, _>>()?;
        self.add_head(ShardKind::LateHead, &entries, index.head.clone())
    }

    /// Adds which chunk each part belongs to, by the number of parts of each chunk.
    ///
    /// # Errors
    /// As [`BundleWriter::add`], and [`WriteError::Encode`].
    pub fn add_parents(&mut self, parts_of_chunks: Vec<u32>) -> Result<ShardEntry, WriteError> {
        let bytes = ParentsHead::encode(parts_of_chunks)
            .map_err(|error| WriteError::encode("parents", error))?;
        self.add(ShardKind::Parents, &bytes, Encoding::Deflate)
    }

    /// Adds a static encoder (its word pieces, encoded, and their vectors) with the chunks' vectors
    /// that its own are compared with. `overlap` is how often it finds what the encoder finds.
    ///
    /// # Errors
    /// As [`BundleWriter::add`].
    pub fn add_instant(
        &mut self,
        word_pieces: &[u8],
        table: &ReducedTable,
        passages: &ReducedTable,
        overlap: f32,
    ) -> Result<InstantEntry, WriteError> {
        Ok(InstantEntry {
            pieces: table.len() as u32,
            dimension: table.dimension() as u32,
            overlap,
            word_pieces: self.add(ShardKind::WordPieces, word_pieces, Encoding::Deflate)?,
            table: self.add(ShardKind::StaticTable, &table.encode(), Encoding::Deflate)?,
            passages: self.add(ShardKind::ReducedVectors, &passages.encode(), Encoding::Deflate)?,
        })
    }

    /// Adds all documents, in the order in which the indexes counted their chunks. A shard is
    /// closed once it holds `shard_bytes` bytes before packing; a document is never split. The
    /// head says besides what `notes` says, and whom the documents are for by their metadata.
    ///
    /// # Errors
    /// As [`BundleWriter::add`], and [`WriteError::Encode`].
    pub fn add_documents(
        &mut self,
        documents: impl IntoIterator<Item = DocumentRecord>,
        notes: DocumentNotes,
        shard_bytes: usize,
    ) -> Result<ShardedEntry, WriteError> {
        let mut entries = Vec::new();
        let mut chunks_of_documents = Vec::new();
        let mut documents_of_shards = Vec::new();
        let mut audiences: Vec<(Audience, Option<Date>)> = Vec::new();
        let mut pending = Pending::default();
        for document in documents {
            chunks_of_documents.push(document.chunks.len() as u32);
            audiences.push((Audience::of(&document.metadata), document.metadata.date));
            pending.push(&document)?;
            if pending.bytes.len() >= shard_bytes {
                documents_of_shards.push(pending.documents);
                entries.push(self.add_pending(&mut pending)?);
            }
        }
        if pending.documents > 0 {
            documents_of_shards.push(pending.documents);
            entries.push(self.add_pending(&mut pending)?);
        }
        let DocumentNotes { older, further_audiences, organisation } = notes;
        let audiences = AudienceTable::new(&audiences, further_audiences, organisation);
        let audiences = Some(&audiences).filter(|table| table.is_telling());
        let body =
            DocumentsHead::encode(chunks_of_documents, documents_of_shards, older, audiences)
                .map_err(|error| WriteError::encode("documents", error))?;
        self.add_head(ShardKind::DocumentsHead, &entries, body)
    }

    fn add_pending(&mut self, pending: &mut Pending) -> Result<ShardEntry, WriteError> {
        let bytes = std::mem::take(pending).finish()?;
        self.add(ShardKind::Documents, &bytes, Encoding::Deflate)
    }

    fn add_head(
        &mut self,
        kind: ShardKind,
        entries: &[ShardEntry],
        body: Vec<u8>,
    ) -> Result<ShardedEntry, WriteError> {
        let head = postcard::to_allocvec(&Head::new(entries, body))
            .map_err(|error| WriteError::encode(kind.name(), error))?;
        Ok(ShardedEntry {
            head: self.add(kind, &head, Encoding::Deflate)?,
            shards: entries.len() as u32,
            bytes: entries.iter().map(|entry| entry.bytes).sum(),
        })
    }

    /// Adds a model: its `name`, `architecture` and SPDX `licence`, and its files by name.
    /// Weights stay as they are, since they hardly deflate and a phone would inflate them for
    /// nothing. Files are taken one at a time, so an iterator may read them one at a time.
    ///
    /// # Errors
    /// As [`BundleWriter::add`].
    pub fn add_model<B: AsRef<[u8]>>(
        &mut self,
        [name, architecture, licence]: [&str; 3],
        files: impl IntoIterator<Item = (String, B)>,
    ) -> Result<ModelEntry, WriteError> {
        let files = files
            .into_iter()
            .map(|(name, bytes)| {
                let weights = name.ends_with(".safetensors");
                let encoding = if weights { Encoding::Raw } else { Encoding::Deflate };
                let shard = self.add(ShardKind::Model, bytes.as_ref(), encoding)?;
                Ok(ModelFile { name, shard, on_demand: false })
            })
            .collect::<Result<Vec<_>, WriteError>>()?;
        Ok(ModelEntry {
            name: name.to_owned(),
            architecture: architecture.to_owned(),
            licence: licence.to_owned(),
            weights_sha256: None,
            bytes: files.iter().map(|file| file.shard.bytes).sum(),
            files,
        })
    }
}

/// The documents of the shard that is being filled, encoded.
#[derive(Default)]
struct Pending {
    documents: u32,
    bytes: Vec<u8>,
}

impl Pending {
    fn push(&mut self, document: &DocumentRecord) -> Result<(), WriteError> {
        let bytes = postcard::to_allocvec(document)
            .map_err(|error| WriteError::encode("documents", error))?;
        self.bytes.extend(bytes);
        self.documents += 1;
        Ok(())
    }

    /// A list in postcard's form is its length and then its items.
    fn finish(self) -> Result<Vec<u8>, WriteError> {
        let mut bytes = postcard::to_allocvec(&self.documents)
            .map_err(|error| WriteError::encode("documents", error))?;
        bytes.extend(self.bytes);
        Ok(bytes)
    }
}
