//! Writes the seeds of the target `index`: small parts of an index, each behind the byte that says
//! which part it is. `cargo run -p campanile-fuzz --example index_seeds -- FOLDER`

use std::error::Error;
use std::path::PathBuf;
use std::sync::Arc;

use campanile_index::late::{Codec, LateIndex, Projection, Record};
use campanile_index::{Bm25Parameters, Graph, LexicalBuilder, VectorTable, partition, sketch};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(std::env::args().nth(1).ok_or("which folder?")?);
    std::fs::create_dir_all(&folder)?;
    let write = |name: &str, kind: u8, bytes: &[u8]| {
        std::fs::write(folder.join(name), [&[kind], bytes].concat())
    };

    let mut lexical = LexicalBuilder::new(Bm25Parameters::default());
    for text in ["fees are due in march", "the desk takes fees", "a room with a view"] {
        lexical.add_chunk(text.split(' ').map(str::to_owned));
    }
    let lexical = lexical.finish(24);
    write("head", 0, &lexical.head)?;
    write("postings", 1, lexical.shards.first().ok_or("no shard")?)?;

    let rows: Vec<Vec<f32>> = (0..12).map(|row| vec![1.0, row as f32, -2.0, 0.5]).collect();
    let table = VectorTable::from_f32(&rows, 4)?;
    let vectors = table.encode();
    write("vectors", 2, &vectors)?;
    let graph = Graph::build(&Arc::new(table), 1)?.encode()?;
    let length = u16::try_from(vectors.len())?.to_le_bytes();
    write("graph", 3, &[&length, vectors.as_slice(), &graph].concat())?;

    let codec = Codec::new(8, 2)?;
    let directions: Vec<Vec<f64>> =
        (0..8).map(|row| (0..9).map(|place| f64::from(row == place)).collect()).collect();
    let projection = Projection::new(&directions, &[0.1; 9])?;
    let records = [Record::of(codec, &[0.3; 16]), Record::default()];
    let late = LateIndex::new(&projection, codec, &records, 1000);
    let length = u16::try_from(late.head.len())?.to_le_bytes();
    write("late", 5, &[&length[..], &late.head, &late.shards.concat()].concat())?;

    let row =
        |row: u32| (1..=8).map(|place| (row * place) as f32 % 7.0 - 3.0).collect::<Vec<f32>>();
    let (head, parts) = partition(&VectorTable::from_f32((1..20).map(row), 8)?, 2)?;
    let head = head.encode();
    let length = u16::try_from(head.len())?.to_le_bytes();
    let part = parts.first().ok_or("no partition")?.encode();
    write("partitions", 6, &[&length[..], &head, &part].concat())?;

    let mut lexical = LexicalBuilder::new(Bm25Parameters::default());
    for text in ["fees are due", "fee waivers"] {
        lexical.add_chunk(text.split(' ').map(str::to_owned));
    }
    let vectors = VectorTable::from_f32((1..3).map(row), 8)?;
    write("sketch", 7, &sketch(&lexical, Some(&vectors))?.encode())?;
    Ok(())
}
