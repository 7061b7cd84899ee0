//! The passages of a site, a row each.

use std::path::Path;
use std::sync::Arc;

use arrow_array::builder::{
    Date32Builder, FixedSizeListBuilder, Float32Builder, Int32Builder, Int64Builder, ListBuilder,
    StringBuilder,
};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use campanile_bundle::{Bundle, ChunkId, Digest, DocumentId, DocumentRecord, Fetch};
use campanile_corpus::metadata::{Audience, Date, HierarchyLevel, Metadata};
use campanile_index::VectorTable;

use crate::file::{BATCH_ROWS, Table, TableError};
use crate::{ExportError, version};

/// The columns, with vectors of so many numbers; without the last where a site has none.
///
/// | column | type | meaning |
/// |---|---|---|
/// | `id` | int64 | the passage's number in its site, from 0 |
/// | `document` | int64 | its document's number in the site |
/// | `path` | string | the path of the document's file |
/// | `title` | string | the document's title |
/// | `url` | string, may be null | its public address |
/// | `headings` | list of strings | from the top to the section that the passage stands in |
/// | `anchor` | string, may be null | the fragment that leads to the heading |
/// | `page` | int32, may be null | the page that it begins on, from 1, where the file has pages |
/// | `text` | string | the passage |
/// | `start`, `end` | int64 | its place in the document's plain text, in bytes of UTF-8 |
/// | `hash` | string | SHA-256 of the text, in hexadecimal digits: equal where nothing is to be written again |
/// | `also_in` | list of strings | paths of other documents that say the same; the site holds the passage once |
/// | `level` | string | `university`, `faculty` or `department` |
/// | `kind` | string | `academic` for course material, else `other` |
/// | `subtype` | string, may be null | policy, procedure, announcement and so on |
/// | `courses`, `programmes`, `departments`, `faculties`, `specialisations` | list of strings | for whom it is; empty: for all |
/// | `batches`, `study_years`, `study_semesters` | list of strings | as `2021 and later`; empty: for all |
/// | `audience` | string | the same in words |
/// | `date`, `valid_from`, `valid_until` | date32, may be null | written on; holds from and until |
/// | `is_superseded` | bool | a newer edition of the document is in the site |
/// | `vector` | fixed-size list of float32 | the encoder's, of length 1 (from 8 bits a number) |
pub fn schema(dimension: u32) -> Schema {
    let text = |name: &str| Field::new(name, DataType::Utf8, false);
    let maybe = |name: &str| Field::new(name, DataType::Utf8, true);
    let number = |name: &str| Field::new(name, DataType::Int64, false);
    let texts = |name: &str| Field::new(name, DataType::List(item(DataType::Utf8)), false);
    let day = |name: &str| Field::new(name, DataType::Date32, true);
    let mut fields = vec![
        number("id"),
        number("document"),
        text("path"),
        text("title"),
        maybe("url"),
        texts("headings"),
        maybe("anchor"),
        Field::new("page", DataType::Int32, true),
        text("text"),
        number("start"),
        number("end"),
        text("hash"),
        texts("also_in"),
        text("level"),
        text("kind"),
        maybe("subtype"),
        texts("courses"),
        texts("programmes"),
        texts("departments"),
        texts("faculties"),
        texts("specialisations"),
        texts("batches"),
        texts("study_years"),
        texts("study_semesters"),
        text("audience"),
        day("date"),
        day("valid_from"),
        day("valid_until"),
        Field::new("is_superseded", DataType::Boolean, false),
    ];
    if dimension > 0 {
        fields.push(vector_field("vector", dimension));
    }
    Schema::new(fields)
}

/// Writes the passages of a site into `path`, and gives how many there are. `told` hears of each document that is done.
///
/// # Errors
/// [`ExportError::Site`] names a part of the site that cannot be read; else the file cannot be written.
pub async fn write<F: Fetch>(
    site: &Bundle<F>,
    path: &Path,
    told: &mut dyn FnMut(u32),
) -> Result<u32, ExportError> {
    let manifest = site.manifest();
    let head = site.documents_head().await?;
    let index = site.chunk_index();
    let vectors = match index.has_vectors() {
        true => Some(index.vectors().await?),
        false => None,
    };
    let columns = Arc::new(schema(vectors.as_ref().map_or(0, |_| manifest.dimension)));
    let encoder = manifest.encoder.as_ref().map(|encoder| encoder.name.clone());
    let facts = [
        version(),
        ("campanile.generator", manifest.generator.clone()),
        ("campanile.title", manifest.title.clone()),
        ("campanile.language", manifest.language.clone()),
        ("campanile.encoder", encoder.unwrap_or_default()),
    ];
    let mut table = Table::begin(path, Arc::clone(&columns), &facts)?;
    let mut rows = Rows::new(&columns, vectors.as_deref());
    for document in (0..head.document_count()).map(DocumentId) {
        let record = site.document(document).await?;
        let audience = head.audiences().and_then(|table| table.audience_of(document));
        let about = About {
            document,
            audience: audience.cloned().unwrap_or_else(|| Audience::of(&record.metadata)),
            is_superseded: head.older_edition(document).is_some(),
            record: &record,
        };
        for (number, chunk) in (0..).zip(head.chunks_of(document)) {
            rows.push(&about, number, chunk)?;
            if rows.superseded.len() >= BATCH_ROWS {
                table.write(&rows.take()?)?;
            }
        }
        told(document.0 + 1);
    }
    table.write(&rows.take()?)?;
    table.finish()?;
    Ok(head.chunk_count())
}

/// Columns that the passages of one document have in common.
struct About<'a> {
    document: DocumentId,
    record: &'a DocumentRecord,
    audience: Audience,
    is_superseded: bool,
}

/// Rows that are not yet written, column by column.
struct Rows<'a> {
    columns: &'a SchemaRef,
    vectors: Option<&'a VectorTable>,
    numbers: Numbers,
    texts: Texts,
    lists: Lists,
    days: [Date32Builder; 3],
    superseded: Vec<bool>,
    vector: FixedSizeListBuilder<Float32Builder>,
}

#[derive(Default)]
struct Numbers {
    id: Int64Builder,
    document: Int64Builder,
    page: Int32Builder,
    start: Int64Builder,
    end: Int64Builder,
}

#[derive(Default)]
struct Texts {
    path: StringBuilder,
    title: StringBuilder,
    url: StringBuilder,
    anchor: StringBuilder,
    text: StringBuilder,
    hash: StringBuilder,
    level: StringBuilder,
    kind: StringBuilder,
    subtype: StringBuilder,
    audience: StringBuilder,
}

struct Lists {
    headings: ListBuilder<StringBuilder>,
    also_in: ListBuilder<StringBuilder>,
    courses: ListBuilder<StringBuilder>,
    programmes: ListBuilder<StringBuilder>,
    departments: ListBuilder<StringBuilder>,
    faculties: ListBuilder<StringBuilder>,
    specialisations: ListBuilder<StringBuilder>,
    batches: ListBuilder<StringBuilder>,
    study_years: ListBuilder<StringBuilder>,
    study_semesters: ListBuilder<StringBuilder>,
}

impl<'a> Rows<'a> {
    fn new(columns: &'a SchemaRef, vectors: Option<&'a VectorTable>) -> Self {
        let dimension = vectors.map_or(0, VectorTable::dimension);
        let lists = || ListBuilder::new(StringBuilder::new()).with_field(item(DataType::Utf8));
        Self {
            columns,
            vectors,
            numbers: Numbers::default(),
            texts: Texts::default(),
            lists: Lists {
                headings: lists(),
                also_in: lists(),
                courses: lists(),
                programmes: lists(),
                departments: lists(),
                faculties: lists(),
                specialisations: lists(),
                batches: lists(),
                study_years: lists(),
                study_semesters: lists(),
            },
            days: Default::default(),
            superseded: Vec::new(),
            vector: vectors_builder(dimension),
        }
    }

    fn push(&mut self, about: &About<'_>, number: u32, chunk: ChunkId) -> Result<(), ExportError> {
        let About { record, document, .. } = about;
        let fault = || ExportError::Passage { number, path: record.path.clone() };
        let place = record.chunks.get(number as usize).ok_or_else(fault)?;
        let text = record.chunk_text(number).ok_or_else(fault)?;
        let vector = match self.vectors {
            Some(vectors) => Some(vectors.vector(chunk.0).ok_or_else(fault)?),
            None => None,
        };
        let numbers = &mut self.numbers;
        numbers.id.append_value(i64::from(chunk.0));
        numbers.document.append_value(i64::from(document.0));
        numbers.start.append_value(i64::from(place.span.start));
        numbers.end.append_value(i64::from(place.span.end));
        let page = record.page_at(place.span.start);
        numbers.page.append_option(page.and_then(|page| i32::try_from(page.number).ok()));
        let section = record.chunk_section(number);
        let texts = &mut self.texts;
        texts.path.append_value(&record.path);
        texts.title.append_value(&record.title);
        texts.url.append_option(record.link.as_deref());
        texts.anchor.append_option(section.and_then(|section| section.anchor.as_deref()));
        texts.text.append_value(text);
        texts.hash.append_value(Digest::of(text.as_bytes()).to_string());
        append(&mut self.lists.headings, section.map_or(&[][..], |section| &section.path));
        let also = record.also.iter().filter(|also| also.chunk == number);
        append(&mut self.lists.also_in, also.map(|also| &also.path));
        self.push_audience(about);
        if let Some(vector) = vector {
            self.vector.values().append_slice(&vector);
            self.vector.append(true);
        }
        Ok(())
    }

    fn push_audience(&mut self, about: &About<'_>) {
        let Metadata { kind: _, subtype, date, validity, .. } = &about.record.metadata;
        let metadata = about.audience.metadata();
        let study = &metadata.study;
        let texts = &mut self.texts;
        texts.level.append_value(match about.audience.level() {
            HierarchyLevel::University => "university",
            HierarchyLevel::Faculty => "faculty",
            HierarchyLevel::Department => "department",
        });
        let is_academic = about.audience.is_academic();
        texts.kind.append_value(if is_academic { "academic" } else { "other" });
        texts.subtype.append_option(subtype.as_deref());
        texts.audience.append_value(metadata.audience());
        let lists = &mut self.lists;
        append(&mut lists.courses, metadata.all_courses().listed());
        append(&mut lists.programmes, metadata.programmes.listed());
        append(&mut lists.departments, metadata.departments.listed());
        append(&mut lists.faculties, metadata.faculties.listed());
        append(&mut lists.specialisations, study.specialisations.listed());
        append(&mut lists.batches, metadata.batches.listed().iter().map(ToString::to_string));
        append(&mut lists.study_years, study.years.listed().iter().map(ToString::to_string));
        append(
            &mut lists.study_semesters,
            study.semesters.listed().iter().map(ToString::to_string),
        );
        let days = [*date, validity.from, validity.until];
        for (column, day) in self.days.iter_mut().zip(days) {
            column.append_option(day.and_then(days_since_1970));
        }
        self.superseded.push(about.is_superseded);
    }

    /// The rows so far, as they are written; none are left.
    fn take(&mut self) -> Result<RecordBatch, ExportError> {
        let Self { numbers, texts, lists, days: [date, from, until], .. } = self;
        let superseded = arrow_array::BooleanArray::from(std::mem::take(&mut self.superseded));
        let mut columns: Vec<ArrayRef> = vec![
            Arc::new(numbers.id.finish()),
            Arc::new(numbers.document.finish()),
            Arc::new(texts.path.finish()),
            Arc::new(texts.title.finish()),
            Arc::new(texts.url.finish()),
            Arc::new(lists.headings.finish()),
            Arc::new(texts.anchor.finish()),
            Arc::new(numbers.page.finish()),
            Arc::new(texts.text.finish()),
            Arc::new(numbers.start.finish()),
            Arc::new(numbers.end.finish()),
            Arc::new(texts.hash.finish()),
            Arc::new(lists.also_in.finish()),
            Arc::new(texts.level.finish()),
            Arc::new(texts.kind.finish()),
            Arc::new(texts.subtype.finish()),
            Arc::new(lists.courses.finish()),
            Arc::new(lists.programmes.finish()),
            Arc::new(lists.departments.finish()),
            Arc::new(lists.faculties.finish()),
            Arc::new(lists.specialisations.finish()),
            Arc::new(lists.batches.finish()),
            Arc::new(lists.study_years.finish()),
            Arc::new(lists.study_semesters.finish()),
            Arc::new(texts.audience.finish()),
            Arc::new(date.finish()),
            Arc::new(from.finish()),
            Arc::new(until.finish()),
            Arc::new(superseded),
        ];
        if self.vectors.is_some() {
            columns.push(Arc::new(self.vector.finish()));
        }
        Ok(RecordBatch::try_new(Arc::clone(self.columns), columns).map_err(TableError::Rows)?)
    }
}

/// Appends one list.
pub fn append(
    list: &mut ListBuilder<StringBuilder>,
    texts: impl IntoIterator<Item = impl AsRef<str>>,
) {
    for text in texts {
        list.values().append_value(text);
    }
    list.append(true);
}

/// Days since 1970, as Arrow counts them.
fn days_since_1970(date: Date) -> Option<i32> {
    i32::try_from(date.unix_days()).ok()
}

/// The items of a list, under the name that Parquet gives them.
pub fn item(of: DataType) -> Arc<Field> {
    Arc::new(Field::new("element", of, false))
}

/// A column of vectors of so many numbers.
pub fn vector_field(name: &str, dimension: u32) -> Field {
    // Beyond what any encoder has; the index holds at most 4,096.
    let length = i32::try_from(dimension).unwrap_or(i32::MAX);
    Field::new(name, DataType::FixedSizeList(item(DataType::Float32), length), false)
}

/// The builder of such a column.
pub fn vectors_builder(dimension: usize) -> FixedSizeListBuilder<Float32Builder> {
    let length = i32::try_from(dimension).unwrap_or(i32::MAX);
    FixedSizeListBuilder::new(Float32Builder::new(), length).with_field(item(DataType::Float32))
}
