//! Shards: what is written is read again, and damaged files are refused without a panic.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;

use campanile_model::quantize::{Precision, write_shards};
use campanile_model::{Encoding, ModelError, Shards, StoredTensor, TensorSource};
use proptest::prelude::*;

/// Tensors in memory.
#[derive(Default)]
struct Tensors(BTreeMap<String, StoredTensor<'static>>);

impl Tensors {
    fn with_f32(mut self, name: &str, shape: &[usize], values: &[f32]) -> Self {
        let bytes: Vec<u8> = values.iter().flat_map(|v| v.to_le_bytes()).collect();
        let tensor =
            StoredTensor::new(name, shape.to_vec(), Encoding::F32, bytes.into(), vec![]).unwrap();
        self.0.insert(name.to_owned(), tensor);
        self
    }

    fn with_blocks(mut self, name: &str, rows: usize, bytes: Vec<u8>) -> Self {
        let tensor =
            StoredTensor::new(name, vec![rows, 64], Encoding::Q4_1, bytes.into(), vec![]).unwrap();
        self.0.insert(name.to_owned(), tensor);
        self
    }
}

impl TensorSource for Tensors {
    fn names(&self) -> Vec<String> {
        self.0.keys().cloned().collect()
    }

    fn stored(&self, name: &str) -> Result<StoredTensor<'_>, ModelError> {
        Ok(self.0[name].clone())
    }
}

fn wave(count: usize) -> Vec<f32> {
    (0..count).map(|i| (i as f32 * 0.37).sin() * 3.0).collect()
}

/// A matrix, a vector, and blocks: in shards so small that the first and last are cut.
fn sample() -> Tensors {
    let blocks = (0..3000 * 40).map(|i| (i % 61) as u8).collect();
    Tensors::default()
        .with_f32("matrix", &[500, 320], &wave(160_000))
        .with_f32("vector", &[300], &wave(300))
        .with_blocks("blocks", 3000, blocks)
}

const SMALL: usize = 128 * 1024;

#[test]
fn what_is_written_is_read_again() {
    let tensors = sample();
    let files = write_shards(&tensors, &tensors.names(), Precision::INT8, SMALL).unwrap();
    assert!(files.len() > 2, "{}", files.len());
    assert!(files.iter().all(|file| file.len() <= SMALL));
    let again = write_shards(&tensors, &tensors.names(), Precision::INT8, SMALL).unwrap();
    assert_eq!(files, again, "the same tensors give the same bytes");

    let shards = Shards::new(files).unwrap();
    assert_eq!(shards.names(), tensors.names());
    assert_eq!(shards.read("vector").unwrap(), tensors.read("vector").unwrap());
    let blocks = shards.stored("blocks").unwrap();
    assert_eq!(blocks.encoding(), Encoding::Q4_1);
    assert_eq!(blocks.bytes(), tensors.0["blocks"].bytes());

    let matrix = shards.stored("matrix").unwrap();
    assert_eq!(matrix.encoding(), Encoding::Q8_0);
    let exact = tensors.read("matrix").unwrap();
    for (ours, theirs) in matrix.decode().values.chunks(32).zip(exact.values.chunks(32)) {
        let step = theirs.iter().fold(0.0f32, |m, v| m.max(v.abs())) / 127.0;
        for (ours, theirs) in ours.iter().zip(theirs) {
            assert!((ours - theirs).abs() <= step * 0.6);
        }
    }
}

#[test]
fn shards_go_as_their_tensors_are_taken() {
    let tensors = sample();
    let files = write_shards(&tensors, &tensors.names(), Precision::INT8, SMALL).unwrap();
    let mut arriving = files.into_iter().enumerate();
    let mut shards = Shards::default();
    let mut most = 0;
    for name in tensors.names() {
        let expected = tensors.stored(&name).unwrap();
        let mut row = 0;
        while row < expected.rows() {
            if !shards.holds(&name, row..row + 1) {
                let (number, file) = arriving.next().unwrap();
                shards.add(&number.to_string(), file).unwrap();
                most = most.max(shards.len_bytes());
                continue;
            }
            let part = shards.take_part(&name, row).unwrap();
            if name == "blocks" {
                let bytes = part.row_bytes();
                assert_eq!(part.bytes(), &expected.bytes()[row * bytes..][..part.bytes().len()]);
            }
            row += part.rows();
        }
        assert_eq!(row, expected.rows());
    }
    assert_eq!(shards.len_bytes(), 0);
    assert!(shards.names().is_empty());
    assert!(most <= 2 * SMALL, "{most}");
    assert!(arriving.next().is_none());
}

#[test]
fn a_tensor_is_taken_once() {
    let tensors = sample();
    let files = write_shards(&tensors, &tensors.names(), Precision::INT8, SMALL).unwrap();
    let mut shards = Shards::new(files).unwrap();
    let before = shards.len_bytes();
    assert!(shards.holds("blocks", 0..3000) && !shards.holds("blocks", 0..3001));
    assert_eq!(shards.take("blocks").unwrap().bytes(), tensors.0["blocks"].bytes());
    assert!(shards.len_bytes() < before);
    assert!(!shards.holds("blocks", 0..1));
    assert!(matches!(shards.take("blocks"), Err(ModelError::MissingTensor { .. })));
}

#[test]
fn unquantised_shards_are_exact() {
    let tensors = sample();
    let files = write_shards(&tensors, &tensors.names(), Precision::UNCHANGED, SMALL).unwrap();
    let shards = Shards::new(files).unwrap();
    assert_eq!(shards.read("matrix").unwrap(), tensors.read("matrix").unwrap());
}

#[test]
fn a_row_larger_than_a_shard_is_refused() {
    let tensors = Tensors::default().with_f32("wide", &[2, 30_000], &wave(60_000));
    let error = write_shards(&tensors, &tensors.names(), Precision::UNCHANGED, SMALL).unwrap_err();
    assert!(error.to_string().contains("`wide`"), "{error}");
}

#[test]
fn errors_name_the_tensor_and_the_file() {
    let tensors = sample();
    let mut files = write_shards(&tensors, &tensors.names(), Precision::INT8, SMALL).unwrap();
    let shards = Shards::new(files.clone()).unwrap();
    let error = shards.read("absent").unwrap_err().to_string();
    assert!(error.contains("`absent`"), "{error}");
    let error = shards.read_shaped("vector", &[301]).unwrap_err().to_string();
    assert!(error.contains("[301]") && error.contains("[300]"), "{error}");

    let twice = Shards::new(vec![files[0].clone(), files[0].clone()]);
    assert!(twice.unwrap_err().to_string().contains("number 2"));

    let half = files[1].len() / 2;
    files[1].truncate(half);
    let error = Shards::new(files.clone()).unwrap_err().to_string();
    assert!(error.contains("number 2"), "{error}");

    // A part that never came is found when the tensor is read: in the middle by its rows, at the
    // end by its shape.
    files.remove(1);
    let last_part_missing = Shards::new(files.clone()).unwrap();
    let error = last_part_missing.read_shaped("blocks", &[3000, 64]).err();
    assert!(error.unwrap().to_string().contains("[3000, 64]"));
    files.remove(0);
    let error = Shards::new(files).unwrap().read("blocks").err();
    assert!(error.unwrap().to_string().contains("`blocks`"));
}

/// Reads everything that a file offers; whether that works is not the question.
fn read_all(bytes: Vec<u8>) {
    if let Ok(mut shards) = Shards::new(vec![bytes]) {
        for name in shards.names() {
            let _ = shards.read(&name);
            let _ = shards.holds(&name, 0..3);
            let _ = shards.take_part(&name, 1);
            let _ = shards.take(&name);
        }
    }
}

fn small_file() -> Vec<u8> {
    let tensors = Tensors::default()
        .with_f32("a", &[64, 64], &wave(4096))
        .with_f32("b", &[3], &[1.0, 2.0, 3.0])
        .with_blocks("c", 2, vec![7; 80]);
    let names = tensors.names();
    write_shards(&tensors, &names, Precision::INT8, SMALL).unwrap().remove(0)
}

proptest! {
    #[test]
    fn random_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..512)) {
        read_all(bytes);
    }

    #[test]
    fn a_file_cut_short_is_refused(cut in 0.0..1.0f64) {
        let mut file = small_file();
        file.truncate((file.len() as f64 * cut) as usize);
        prop_assert!(Shards::new(vec![file]).is_err());
    }

    #[test]
    fn changed_bytes_never_panic(
        changes in prop::collection::vec((0.0..1.0f64, any::<u8>()), 1..8),
    ) {
        let mut file = small_file();
        // Most changes fall into the header, which is what is parsed.
        let header = 700.min(file.len());
        for (place, value) in changes {
            let place = (header as f64 * place) as usize;
            file[place] = value;
        }
        read_all(file);
    }
}
