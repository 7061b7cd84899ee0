//! Questions with their vectors, and what the site found for them: what another engine is compared by.

use std::path::Path;
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_array::builder::{Int64Builder, ListBuilder, StringBuilder};
use arrow_schema::{DataType, Field, Schema};
use campanile_bundle::{Fetch, SearchOverrides};
use campanile_questions::Question;
use campanile_retrieve::{Clock, Engine, SearchOptions};

use crate::file::{Table, TableError};
use crate::passages::{item, vector_field, vectors_builder};
use crate::{ExportError, version};

/// So many passages are found for each question.
pub const FOUND: u32 = 10;

/// The columns, with vectors of so many numbers.
///
/// | column | type | meaning |
/// |---|---|---|
/// | `id` | string | the question's name in its set |
/// | `question` | string | its words |
/// | `found` | list of int64 | the passages that the site finds first, best first: at most [`FOUND`] |
/// | `vector` | fixed-size list of float32 | the encoder's, with its adapter for questions: to be compared with those of passages |
pub fn schema(dimension: u32) -> Schema {
    Schema::new(vec![
        Field::new("id", DataType::Utf8, false),
        Field::new("question", DataType::Utf8, false),
        Field::new("found", DataType::List(item(DataType::Int64)), false),
        vector_field("vector", dimension),
    ])
}

/// Asks the questions as somebody who tells nothing of themselves, and writes them into `path`. `told` hears how many
/// are done.
///
/// # Errors
/// [`ExportError::Question`] names the one that could not be searched: the encoder has to be loaded.
pub async fn write<F: Fetch, C: Clock>(
    engine: &Engine<F, C>,
    questions: &[Question],
    path: &Path,
    told: &mut dyn FnMut(usize),
) -> Result<(), ExportError> {
    let dimension = engine.manifest().dimension;
    let columns = Arc::new(schema(dimension));
    let mut table = Table::begin(path, Arc::clone(&columns), &[version()])?;
    let (mut ids, mut words) = (StringBuilder::new(), StringBuilder::new());
    let mut found = ListBuilder::new(Int64Builder::new()).with_field(item(DataType::Int64));
    let mut vectors = vectors_builder(dimension as usize);
    let overrides = SearchOverrides {
        sources: Some(FOUND),
        least_sources: Some(Some(FOUND)),
        ..SearchOverrides::default()
    };
    let options = SearchOptions { overrides, ..SearchOptions::default() };
    for (done, question) in (1..).zip(questions) {
        let fault = |source| ExportError::Question { id: question.id.clone(), source };
        let retrieval = engine.search(&question.question, &options).await.map_err(fault)?;
        let vector = engine.question_vector(&question.question).await.map_err(fault)?;
        ids.append_value(&question.id);
        words.append_value(&question.question);
        for passage in &retrieval.passages {
            found.values().append_value(i64::from(passage.chunk.0));
        }
        found.append(true);
        vectors.values().append_slice(&vector);
        vectors.append(true);
        told(done);
    }
    let rows = RecordBatch::try_new(
        columns,
        vec![
            Arc::new(ids.finish()),
            Arc::new(words.finish()),
            Arc::new(found.finish()),
            Arc::new(vectors.finish()),
        ],
    )
    .map_err(TableError::Rows)?;
    table.write(&rows)?;
    Ok(table.finish()?)
}
