//! Measures what an adapter costs, on one thread: passages of 150 tokens with a question of 15.
//!
//! Natively: `RAYON_NUM_THREADS=1 cargo run --release -p campanile-model --example adapter_speed`.
//!
//! In WebAssembly, by V8:
//!
//! ```text
//! cargo build --profile browser --config profile.browser.package.campanile-model.opt-level=3 -p campanile-model --no-default-features --example adapter_speed --target wasm32-unknown-unknown
//! node crates/kernels/examples/speed/run.mjs TARGET/wasm32-unknown-unknown/browser/examples/adapter_speed.wasm
//! ```
//!
//! With a further argument `cpu` the time is that of the process, here and there (`--example adapter_speed
//! -- cpu`). The first line is a hash of what the three tasks compute, natively and in WebAssembly the same.
//!
//! The cases take turns, and each has the median of its ratios to the network without a change, so
//! that a busy machine spoils times more than ratios. Numbers are random; they take as long.

mod host;
mod made_up;

use std::hint::black_box;

use campanile_kernels::{BLOCK, Int8Block, KernelError, Matrix};
use campanile_model::{Adapter, ClaimChecker, Encoder, ModelError, Reader, Reranker};
use host::{now_ms, print};
use made_up::HIDDEN;

const QUESTION: usize = 15;
const PASSAGE: usize = 150;
const ROUNDS: usize = 15;

type Case<'a> = (String, Box<dyn Fn() -> Result<(), ModelError> + 'a>);

fn main() -> Result<(), ModelError> {
    let encoder = made_up::encoder()?;
    let question = made_up::text(QUESTION, 0);
    let passage = made_up::text(PASSAGE, 1);
    let together = made_up::text(QUESTION + PASSAGE + 1, 2);
    let twenty: Vec<String> = (0..20).map(|seed| made_up::text(PASSAGE, seed)).collect();
    let twenty: Vec<&str> = twenty.iter().map(String::as_str).collect();

    print(&format!(
        "bits of the results: {:016x}",
        fingerprint(&encoder, &question, &twenty[..3])?
    ));
    for rank in [16, 32] {
        let file = made_up::adapter_file("reader", "cls", rank);
        let start = now_ms();
        Adapter::read(&file)?;
        let took = now_ms() - start;
        print(&format!("rank {rank}: {} bytes, read in {took:.1} ms", file.len()));
    }
    merging();

    let adapters: Vec<(usize, [Adapter; 4])> = [0, 16, 32]
        .into_iter()
        .map(|rank| {
            let adapter = |task, pooling| made_up::adapter(task, pooling, rank);
            let all = [
                adapter("reader", "cls")?,
                adapter("reranker", "cls")?,
                adapter("reranker", "mean")?,
                adapter("checker", "cls")?,
            ];
            Ok((rank, all))
        })
        .collect::<Result<_, ModelError>>()?;
    let mut cases: Vec<Case<'_>> = Vec::new();
    let (encoder, question, passage, twenty) = (&encoder, &question, &passage, &twenty);
    cases.push((
        "embedding as many tokens".to_owned(),
        Box::new(|| encoder.encode(&[&together]).map(drop)),
    ));
    for (rank, [reader, cls, mean, checker]) in &adapters {
        let reader = Reader::new(encoder, reader)?;
        let read = move || reader.read(question, &[passage], 5).map(drop);
        cases.push((format!("reader, rank {rank}"), Box::new(read)));
        for (name, adapter) in [("first vector", cls), ("mean", mean)] {
            let reranker = Reranker::new(encoder, adapter)?;
            let score = move || reranker.score(question, &[passage]).map(drop);
            cases.push((format!("reranker, {name}, rank {rank}"), Box::new(score)));
        }
        let checker = ClaimChecker::new(encoder, checker)?;
        let check = move || checker.check(question, &[passage]).map(drop);
        cases.push((format!("checker, first vector, rank {rank}"), Box::new(check)));
        let reranker = Reranker::new(encoder, cls)?;
        let score = move || reranker.score(question, twenty).map(drop);
        cases.push((format!("reranker, first vector, 20 passages, rank {rank}"), Box::new(score)));
    }
    report(&cases)
}

/// A hash of the bits of what the three tasks compute (FNV-1a).
fn fingerprint(encoder: &Encoder, question: &str, passages: &[&str]) -> Result<u64, ModelError> {
    let mut values = Vec::new();
    for reading in Reader::new(encoder, &made_up::adapter("reader", "cls", 16)?)?
        .read(question, passages, 5)?
    {
        values.extend([reading.margin, reading.no_answer]);
        for span in reading.spans {
            values.extend([span.probability, span.score, span.bytes.start as f32]);
        }
    }
    for pooling in ["cls", "mean"] {
        let adapter = made_up::adapter("reranker", pooling, 16)?;
        values.extend(Reranker::new(encoder, &adapter)?.score(question, passages)?);
    }
    let checker = made_up::adapter("checker", "cls", 16)?;
    for verdict in ClaimChecker::new(encoder, &checker)?.check(question, passages)? {
        values.extend([verdict.entailed, verdict.contradicted, verdict.neutral]);
    }
    let bytes = values.into_iter().flat_map(f32::to_le_bytes);
    Ok(bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    }))
}

/// Runs the cases in turns.
fn report(cases: &[Case<'_>]) -> Result<(), ModelError> {
    let mut times = vec![Vec::new(); cases.len()];
    for _ in 0..ROUNDS {
        for ((_, work), times) in cases.iter().zip(&mut times) {
            let start = now_ms();
            work()?;
            times.push(now_ms() - start);
        }
    }
    for ((name, _), own) in cases.iter().zip(&times) {
        let ratios = own.iter().zip(&times[0]).map(|(own, first)| own / first).collect();
        let least = own.iter().copied().fold(f64::INFINITY, f64::min);
        let (median, ratio) = (middle(own.clone()), middle(ratios));
        print(&format!(
            "{name:<50} least {least:8.2} ms, median {median:8.2} ms, ratio {ratio:6.3}"
        ));
    }
    Ok(())
}

fn middle(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// The other way: how long it takes to add a change of rank 32 to the matrices of a network, and to
/// quantise and pack the sums.
fn merging() {
    let shapes =
        [(HIDDEN, HIDDEN); 4].into_iter().chain([(4 * HIDDEN, HIDDEN), (HIDDEN, 4 * HIDDEN)]);
    let packed = |(rows, columns): (usize, usize)| {
        Matrix::int8(rows, columns, |row, block| Int8Block {
            values: std::array::from_fn(|i| (row * 31 + block * 7 + i * 13) as i8),
            scales: [0.0005; 2],
        })
    };
    let layer: Result<Vec<Matrix>, KernelError> = shapes.map(packed).collect();
    let Ok(layer) = layer else { return };
    for rank in [16, 32] {
        let start = now_ms();
        for matrix in layer.iter().cycle().take(6 * layer.len()) {
            let _ = black_box(sum(matrix, rank));
        }
        let took = now_ms() - start;
        print(&format!("rank {rank}: merged into all matrices in {took:.1} ms"));
    }
}

/// A matrix with a change added, in 8 bits a value again.
fn sum(matrix: &Matrix, rank: usize) -> Result<Matrix, KernelError> {
    let (rows, columns) = (matrix.rows(), matrix.columns());
    let down = vec![0.01f32; rank * columns];
    let up = vec![0.02f32; rank];
    let mut row_of = vec![0.0f32; columns];
    let mut last = usize::MAX;
    Matrix::int8(rows, columns, |row, block| {
        if row != last {
            matrix.read_row(row, &mut row_of);
            for (down, up) in down.chunks_exact(columns).zip(&up) {
                for (value, down) in row_of.iter_mut().zip(down) {
                    *value += up * down;
                }
            }
            last = row;
        }
        let values = &row_of[block * BLOCK..][..BLOCK];
        let largest = values.iter().fold(0.0f32, |most, value| most.max(value.abs()));
        let scale = largest / 127.0;
        let values = std::array::from_fn(|i| (values[i] / scale).round_ties_even() as i8);
        Int8Block { values, scales: [scale; 2] }
    })
}
