//! The size of a partition and the number of rows that a question looks at, chosen on a real site's vectors: partitions of
//! several sizes, and what each finds.
//!
//! ```sh
//! cargo run --release -p campanile-retrieve --example partition_sizes -- SITE QUESTIONS.txt 2000 500
//! ```
//!
//! `QUESTIONS.txt` has a question a line; numbers of rows follow. For each the site's vectors are divided anew, and of the
//! ten passages nearest to a question by a scan of all vectors are counted those that lie in the partitions looked into,
//! and those that are compared by their vectors after that. A site of a hundred thousand passages can stand for a larger
//! one: what is found depends on the number of partitions and the share of the rows that is looked at. Prints a table.

#![expect(clippy::print_stdout, reason = "what it measures is what it prints")]

use std::collections::BTreeSet;
use std::error::Error;
use std::time::Instant;

use campanile_bundle::{Bundle, DirectoryFetch};
use campanile_index::{Hit, Partition, VectorTable, partition};
use campanile_retrieve::{Engine, SystemClock};
use futures_lite::future::block_on;

const NEAREST: usize = 10;
/// As the search has it.
const COMPARED: usize = 128;
/// Rows that are looked at.
const LOOKED_AT: [usize; 7] = [4_096, 6_554, 8_192, 16_384, 32_768, 49_152, 65_536];

fn main() -> Result<(), Box<dyn Error>> {
    let [site, questions, sizes @ ..] = &std::env::args().skip(1).collect::<Vec<_>>()[..] else {
        return Err("usage: partition_sizes SITE QUESTIONS.txt ROWS_OF_PARTITION…".into());
    };
    let questions = std::fs::read_to_string(questions)?;
    let questions: Vec<&str> = questions.lines().filter(|line| !line.is_empty()).collect();
    let (table, vectors) = block_on(vectors(site, &questions))?;
    let exact = vectors.iter().map(|vector| table.search(vector, NEAREST, &|_| true));
    let exact: Vec<Vec<Hit>> = exact.collect::<Result<_, _>>()?;
    println!("{} rows, {} questions", table.len(), vectors.len());
    println!("| rows of a partition | looked at | partitions | kB | among them | compared |");
    println!("|---|---|---|---|---|---|");
    for size in sizes {
        divided(&table, &vectors, &exact, size.parse()?)?;
    }
    Ok(())
}

/// All vectors of a site's passages, and those of the questions.
async fn vectors(
    site: &str,
    questions: &[&str],
) -> Result<(VectorTable, Vec<Vec<f32>>), Box<dyn Error>> {
    let engine = Engine::open(DirectoryFetch::new(site), SystemClock::default()).await?;
    engine.load_encoder(&mut |_, _| {}).await?;
    let bundle = Bundle::open(DirectoryFetch::new(site)).await?;
    let table = bundle.chunk_index().vectors().await?;
    let mut vectors = Vec::new();
    for question in questions {
        vectors.push(engine.question_vector(question).await?);
    }
    Ok((table.as_ref().clone(), vectors))
}

/// Divides the table, and prints a row for each number of rows that are looked at. `exact` has each question's nearest rows.
fn divided(
    table: &VectorTable,
    questions: &[Vec<f32>],
    exact: &[Vec<Hit>],
    rows_of_partition: usize,
) -> Result<(), Box<dyn Error>> {
    let started = Instant::now();
    let (head, partitions) = partition(table, table.len().div_ceil(rows_of_partition.max(1)))?;
    let seconds = started.elapsed().as_secs_f64();
    println!("learnt in {seconds:.1} s, head {} kB", head.encode().len() / 1000);
    for looked_at in LOOKED_AT {
        let (mut files, mut bytes, mut among, mut compared) = (0, 0, 0, 0);
        for (question, exact) in questions.iter().zip(exact) {
            let numbers = head.nearest(question, looked_at)?;
            let looked_into: Vec<&Partition> =
                numbers.iter().filter_map(|&number| partitions.get(number as usize)).collect();
            files += looked_into.len();
            bytes += looked_into.iter().map(|partition| partition.encode().len()).sum::<usize>();
            let rows: BTreeSet<u32> =
                looked_into.iter().flat_map(|partition| partition.rows()).copied().collect();
            let near = head.query(question)?.search(looked_into, COMPARED, &|_| true);
            let near: BTreeSet<u32> = near.iter().map(|hit| hit.id).collect();
            among += exact.iter().filter(|hit| rows.contains(&hit.id)).count();
            compared += exact.iter().filter(|hit| near.contains(&hit.id)).count();
        }
        let count = questions.len().max(1);
        let share = |found: usize| found as f64 / (count * NEAREST) as f64;
        println!(
            "| {rows_of_partition} | {looked_at} | {} | {} | {:.3} | {:.3} |",
            files / count,
            bytes / count / 1000,
            share(among),
            share(compared),
        );
    }
    Ok(())
}
