//! An adapter's file: its metadata, its head, and its tensors.

use std::collections::HashMap;

use campanile_kernels::Matrix;
use serde::de::DeserializeOwned;

use super::Calibration;
use super::judges::label_places;
use super::low_rank::{ChangedNetwork, LayerChangeValues, NetworkChanges};
use super::pair::Limits;
use super::reader::ReaderHeads;
use super::reading::AnswerKinds;
use crate::config_file::LAYER_LIMIT;
use crate::encoder::{BertConfig, Linear, Pooling};
use crate::error::ModelError;
use crate::shards::{Shards, WeightsFile, metadata};
use crate::tensor_source::TensorSource;

/// The task of an adapter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    /// [`Reader`](super::Reader).
    Reader,
    /// [`Reranker`](super::Reranker).
    Reranker,
    /// [`ClaimChecker`](super::ClaimChecker).
    Checker,
}

/// A model for another task, as it differs from the encoder's network: low-rank changes and a head.
pub struct Adapter {
    pub(super) changed: ChangedNetwork,
    pub(super) head: TaskHead,
    pub(super) limits: Limits,
    pub(super) calibration: Calibration,
}

/// A head, with what belongs to its task alone.
pub(super) enum TaskHead {
    Reader {
        // Boxed: an adapter of another task would otherwise be as large as four heads.
        heads: Box<ReaderHeads>,
        max_answer: usize,
    },
    Reranker {
        score: Linear,
        pooling: Pooling,
    },
    /// `places` are those of "entailed", "contradicted" and "neutral" among the logits.
    Checker {
        label: Linear,
        pooling: Pooling,
        places: [usize; 3],
    },
}

impl Adapter {
    /// Reads the bytes of an adapter's file.
    ///
    /// # Errors
    /// [`ModelError::Shard`] where it is no safetensors file, [`ModelError::MissingTensor`],
    /// [`ModelError::Adapter`] where it is of another version, a tensor is too many, of another
    /// shape or holds what is no number, or its metadata do not fit together.
    pub fn read(bytes: &[u8]) -> Result<Self, ModelError> {
        let (fields, mut tensors) = opened(bytes)?;
        let head = TaskHead::read(&fields, &mut tensors)?;
        let changed = ChangedNetwork::read(&fields, &mut tensors, head.inputs())?;
        tensors.finish()?;
        let limits = Limits {
            max_length: fields.count("max_length")?,
            max_question: fields.count("max_question")?,
            stride: fields.count("stride")?,
        };
        let calibration = Calibration {
            temperature: fields.temperature()?,
            threshold: fields.real("threshold")?,
        };
        Ok(Self { changed, head, limits, calibration })
    }

    /// Returns the task that it is for.
    pub fn task(&self) -> Task {
        match self.head {
            TaskHead::Reader { .. } => Task::Reader,
            TaskHead::Reranker { .. } => Task::Reranker,
            TaskHead::Checker { .. } => Task::Checker,
        }
    }

    /// The SHA-256 of the published weights that it was trained on, in hexadecimal. An encoder does not
    /// know its own, which may have been quantised since: who has both compares.
    pub fn trunk(&self) -> &str {
        &self.changed.trunk
    }

    /// The error of a task that this adapter is not for.
    pub(super) fn other_task(&self, wanted: Task) -> ModelError {
        ModelError::adapter(format!("it is for the task {:?}, not {wanted:?}", self.task()))
    }
}

impl NetworkChanges for Adapter {
    fn changes_to(&self, layer: usize) -> Option<LayerChangeValues> {
        self.changed.low_rank.values(layer)
    }

    fn check(&self, config: &BertConfig) -> Result<(), ModelError> {
        self.changed.check(config)
    }
}

/// The metadata and the tensors of an adapter's file, of which none may be left unread.
pub(super) fn opened(bytes: &[u8]) -> Result<(Fields, Tensors), ModelError> {
    let (fields, source) = opened_file(bytes)?;
    Ok((fields, Tensors { source, read: 0 }))
}

/// The metadata of an adapter's file, and its tensors by name.
pub(super) fn opened_file(bytes: &[u8]) -> Result<(Fields, Shards), ModelError> {
    let file = bytes.to_vec();
    let fields = fields_of(&file)?;
    Ok((fields, Shards::new(vec![file])?))
}

/// The metadata of an adapter's file.
pub(super) fn fields_of(file: &dyn WeightsFile) -> Result<Fields, ModelError> {
    let fields = Fields(metadata(file)?);
    let version = (fields.text("format")?, fields.text("version")?);
    if version != ("campanile-adapter", "1") {
        return Err(ModelError::adapter(format!(
            "it is of the format \"{}\", version {}; read is \"campanile-adapter\", version 1",
            version.0, version.1
        )));
    }
    Ok(fields)
}

impl TaskHead {
    fn read(fields: &Fields, tensors: &mut Tensors) -> Result<Self, ModelError> {
        match fields.text("task")? {
            "reader" => {
                let null = fields.text("null")?;
                if !matches!(null, "cls" | "answerable") {
                    return Err(Fields::refused("null", null));
                }
                let span = tensors.head("span", 2)?;
                // It may be there and not be asked.
                let answerable = tensors.optional_head("answerable", 1)?;
                if answerable.is_none() && null == "answerable" {
                    return Err(ModelError::adapter("it has no `head.answerable.weight`"));
                }
                let answerable = answerable.filter(|_| null == "answerable");
                let evidence = tensors.optional_head("evidence", 1)?;
                let kind = tensors.optional_head("kind", AnswerKinds::NAMES.len())?;
                if kind.is_some() {
                    let named = fields.text("kinds")?;
                    if !named.split(',').eq(AnswerKinds::NAMES) {
                        return Err(Fields::refused("kinds", named));
                    }
                }
                let heads = Box::new(ReaderHeads { span, answerable, evidence, kind });
                Ok(Self::Reader { heads, max_answer: fields.count("max_answer")? })
            }
            "reranker" => {
                Ok(Self::Reranker { score: tensors.head("score", 1)?, pooling: fields.pooling()? })
            }
            "checker" => {
                let labels = fields.text("labels")?;
                let places = label_places(labels.split(','))
                    .ok_or_else(|| Fields::refused("labels", labels))?;
                let label = tensors.head("label", places.len())?;
                Ok(Self::Checker { label, pooling: fields.pooling()?, places })
            }
            other => Err(Fields::refused("task", other)),
        }
    }

    fn inputs(&self) -> usize {
        match self {
            Self::Reader { heads, .. } => heads.span.inputs(),
            Self::Reranker { score: head, .. } | Self::Checker { label: head, .. } => head.inputs(),
        }
    }
}

/// The tensors of a file, and how many of them have been read.
pub(super) struct Tensors {
    source: Shards,
    read: usize,
}

impl Tensors {
    /// A head that may be missing.
    fn optional_head(&mut self, name: &str, outputs: usize) -> Result<Option<Linear>, ModelError> {
        // A head that is there and cannot be described is left unread, which `finish` refuses.
        match self.source.describe(&format!("head.{name}.weight")) {
            Ok(_) => self.head(name, outputs).map(Some),
            Err(_) => Ok(None),
        }
    }

    /// Returns the number of columns of a matrix.
    pub(super) fn columns(&self, name: &str) -> Result<usize, ModelError> {
        Ok(self.source.describe(name)?.shape.last().copied().unwrap_or_default())
    }

    /// Returns the number of rows of a matrix.
    pub(super) fn rows(&self, name: &str) -> Result<usize, ModelError> {
        Ok(self.source.describe(name)?.shape.first().copied().unwrap_or_default())
    }

    /// All values of a tensor, multiplied with `factor`.
    pub(super) fn values(
        &mut self,
        name: &str,
        shape: &[usize],
        factor: f32,
    ) -> Result<Vec<f32>, ModelError> {
        let stored = self.source.stored(name)?;
        if stored.shape() != shape {
            return Err(ModelError::adapter(format!(
                "`{name}` has the shape {:?}, it should be {shape:?}",
                stored.shape()
            )));
        }
        self.read += 1;
        let mut values = stored.decode().values;
        values.iter_mut().for_each(|value| *value *= factor);
        match values.iter().all(|value| value.is_finite()) {
            true => Ok(values),
            false => Err(ModelError::adapter(format!("`{name}` holds what is no finite number"))),
        }
    }

    /// A matrix whose values are multiplied with `factor`.
    pub(super) fn matrix(
        &mut self,
        name: &str,
        shape: [usize; 2],
        factor: f32,
    ) -> Result<Matrix, ModelError> {
        let values = self.values(name, &shape, factor)?;
        let [rows, columns] = shape;
        let packed = Matrix::float32(rows, columns, |row, to| {
            to.copy_from_slice(&values[row * columns..][..columns]);
        });
        packed.map_err(ModelError::adapter)
    }

    /// A head with so many outputs; how many inputs it has is what its file says.
    fn head(&mut self, name: &str, outputs: usize) -> Result<Linear, ModelError> {
        let weight = format!("head.{name}.weight");
        let shape = self.source.describe(&weight)?.shape;
        // A width of 0 becomes a shape that the tensor has not, and so an error instead of a matrix without columns.
        let inputs = shape.last().copied().filter(|&inputs| inputs > 0).unwrap_or(1);
        let matrix = self.matrix(&weight, [outputs, inputs], 1.0)?;
        Ok(Linear::new(matrix, self.values(&format!("head.{name}.bias"), &[outputs], 1.0)?))
    }

    /// Fails where there are tensors that nobody asked for.
    pub(super) fn finish(&self) -> Result<(), ModelError> {
        // A tensor that nobody knows belongs to a later version, whose changes would be left out in silence.
        let found = self.source.names().len();
        if found == self.read {
            return Ok(());
        }
        Err(ModelError::adapter(format!(
            "it holds {found} tensors, {} of them belong to its task and layers",
            self.read
        )))
    }
}

/// The strings of a safetensors file's `__metadata__`.
pub(super) struct Fields(pub(super) HashMap<String, String>);

impl Fields {
    /// A field that must be there.
    pub(super) fn text(&self, name: &str) -> Result<&str, ModelError> {
        let text = self.0.get(name).map(String::as_str);
        text.ok_or_else(|| ModelError::adapter(format!("its metadata has no `{name}`")))
    }

    /// Fails where the file is for another task.
    pub(super) fn expect_task(&self, wanted: &str) -> Result<(), ModelError> {
        let task = self.text("task")?;
        if task == wanted {
            return Ok(());
        }
        Err(ModelError::adapter(format!("it is for the task {task:?}, not {wanted:?}")))
    }

    /// A whole number above 0.
    pub(super) fn count(&self, name: &str) -> Result<usize, ModelError> {
        self.number(name, |&count: &usize| count > 0)
    }

    /// A finite number.
    pub(super) fn real(&self, name: &str) -> Result<f32, ModelError> {
        self.number(name, |real: &f32| real.is_finite())
    }

    /// Returns the number that logits are divided by.
    pub(super) fn temperature(&self) -> Result<f32, ModelError> {
        self.number("temperature", |&t: &f32| t > 0.0 && t.is_finite())
    }

    /// Numbers are read as those of the header itself are: a page has no other use for a second reader.
    fn number<T: DeserializeOwned>(
        &self,
        name: &str,
        fits: fn(&T) -> bool,
    ) -> Result<T, ModelError> {
        let text = self.text(name)?;
        let number = serde_json::from_str(text).ok().filter(fits);
        number.ok_or_else(|| Self::refused(name, text))
    }

    /// A field whose text is not understood.
    pub(super) fn refused(name: &str, text: &str) -> ModelError {
        ModelError::adapter(format!("its `{name}` is \"{text}\", which is not understood"))
    }

    /// The numbers of the layers that are changed, in order and none twice.
    pub(super) fn layers(&self) -> Result<Vec<usize>, ModelError> {
        let text = self.text("layers")?;
        let layers: Option<Vec<usize>> = serde_json::from_str(&format!("[{text}]")).ok();
        let fits = |layers: &Vec<usize>| {
            layers.is_sorted_by(|a, b| a < b) && layers.iter().all(|&layer| layer < LAYER_LIMIT)
        };
        layers.filter(fits).ok_or_else(|| Self::refused("layers", text))
    }

    /// Returns the way in which token vectors become the one that a head reads.
    pub(super) fn pooling(&self) -> Result<Pooling, ModelError> {
        match self.text("pooling")? {
            "cls" => Ok(Pooling::Cls),
            "mean" => Ok(Pooling::Mean),
            other => Err(Self::refused("pooling", other)),
        }
    }
}
