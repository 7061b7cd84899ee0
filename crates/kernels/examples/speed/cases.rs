//! The cases that are measured.

use campanile_kernels::{
    Activations, Int4Block, Int8Block, Isa, KernelError, KeysValues, Matrix, Threads, Visible,
    attend, gelu, layer_norm, rms_norm, silu_product,
};

use crate::host::{least_ms, print};

#[derive(Debug, Clone, Copy)]
enum Kind {
    Float32,
    Int8,
    Int8Halves,
    Int4,
    Int4Centred,
}

/// Some number for every place, of -1 to 1.
fn number(place: usize) -> f32 {
    (place.wrapping_mul(2_654_435_761) >> 7 & 0xffff) as f32 / 32_768.0 - 1.0
}

fn numbers(len: usize) -> Vec<f32> {
    (0..len).map(number).collect()
}

fn matrix(isa: Isa, kind: Kind, rows: usize, columns: usize) -> Result<Matrix, KernelError> {
    let integer = |row: usize, block: usize, i: usize| (row * 31 + block * 7 + i * 13) as u8;
    // Half precision holds them, but those of a matrix whose halves have two scales.
    let scale =
        |row: usize, block: usize| (1.0 + (40.0 * number(row + block).abs()).round()) / 4096.0;
    match kind {
        Kind::Float32 => Matrix::float32_for(isa, rows, columns, |row, out| {
            out.iter_mut().enumerate().for_each(|(i, out)| *out = number(row * columns + i));
        }),
        Kind::Int8 | Kind::Int8Halves => Matrix::int8_for(isa, rows, columns, |row, block| {
            let first = scale(row, block);
            let last = if matches!(kind, Kind::Int8) { first } else { first * 0.3 };
            let values = std::array::from_fn(|i| integer(row, block, i) as i8);
            Int8Block { values, scales: [first, last] }
        }),
        Kind::Int4 | Kind::Int4Centred => Matrix::int4_for(isa, rows, columns, |row, block| {
            let scale = scale(row, block);
            let minimum = scale * if matches!(kind, Kind::Int4) { -7.5 } else { -8.0 };
            let values = std::array::from_fn(|i| integer(row, block, i) & 15);
            Int4Block { values, scale, minimum }
        }),
    }
}

/// `[rows, columns]` of the matrices of a layer.
const SMOLLM2: [(usize, usize); 7] =
    [(576, 576), (192, 576), (192, 576), (576, 576), (1536, 576), (1536, 576), (576, 1536)];
const MINILM: [(usize, usize); 6] =
    [(384, 384), (384, 384), (384, 384), (384, 384), (1536, 384), (384, 1536)];

/// Measures everything with the instructions of `isa`.
pub fn all(isa: Isa, threads: Threads) -> Result<(), KernelError> {
    print(&format!("\n{isa:?}, threads: {threads:?}"));
    print("  one matrix, GMAC/s                  tokens: 1       2       4      32     256");
    for (rows, columns) in [(576, 576), (1536, 576), (576, 1536), (384, 384)] {
        for kind in [Kind::Int4, Kind::Int4Centred, Kind::Int8, Kind::Int8Halves, Kind::Float32] {
            one(isa, threads, kind, rows, columns)?;
        }
    }
    print("  matrices of a model, ms");
    let smollm2 = |kind| network(isa, kind, 30, &SMOLLM2);
    for (kind, head) in [(Kind::Int4, Kind::Int8Halves), (Kind::Int4Centred, Kind::Int8)] {
        let mut matrices = smollm2(kind)?;
        report(&format!("SmolLM2-135M {kind:?}"), &matrices, 270, threads)?;
        // A token goes through more than fits into most caches.
        matrices.push(matrix(isa, head, 49_152, 576)?);
        report(&format!("SmolLM2-135M {kind:?}, {head:?}"), &matrices, 1, threads)?;
    }
    for kind in [Kind::Int4, Kind::Int8] {
        let mut result = Ok(());
        let ms = least_ms(|| result = matrix(isa, kind, 1536, 576).map(drop));
        result?;
        let rate = 1536.0 * 576.0 / ms / 1e3;
        print(&format!("  {:<42} {rate:9.0} million values/s", format!("packing {kind:?}")));
    }
    for kind in [Kind::Int8, Kind::Int4] {
        let layers = network(isa, kind, 6, &MINILM)?;
        for tokens in [8, 32, 128, 168, 256] {
            report(&format!("MiniLM-L6 {kind:?}"), &layers, tokens, threads)?;
        }
    }
    print("  low-rank changes to the matrices of MiniLM-L6, 168 tokens, ms");
    for rank in [16, 32] {
        for (down, up) in
            [(Kind::Float32, Kind::Float32), (Kind::Int8, Kind::Float32), (Kind::Int8, Kind::Int8)]
        {
            low_rank(isa, threads, (down, up), rank)?;
        }
    }
    if isa == Isa::best() {
        print("  the rest of a model, ms");
        attention("MiniLM-L6", 6, (12, 12, 32), 256, 0, threads)?;
        attention("MiniLM-L6", 6, (12, 12, 32), 32, 0, threads)?;
        attention("SmolLM2-135M", 30, (9, 3, 64), 270, 0, threads)?;
        attention("SmolLM2-135M", 30, (9, 3, 64), 1, 300, threads)?;
        attention("SmolLM2-135M", 30, (9, 3, 64), 1, 2000, threads)?;
        elementwise();
    }
    Ok(())
}

fn network(
    isa: Isa,
    kind: Kind,
    layers: usize,
    shapes: &[(usize, usize)],
) -> Result<Vec<Matrix>, KernelError> {
    let shapes = std::iter::repeat_n(shapes, layers).flatten();
    shapes.map(|&(rows, columns)| matrix(isa, kind, rows, columns)).collect()
}

fn one(
    isa: Isa,
    threads: Threads,
    kind: Kind,
    rows: usize,
    columns: usize,
) -> Result<(), KernelError> {
    let matrix = matrix(isa, kind, rows, columns)?;
    let mut line = format!("  {:<36}", format!("{kind:?} {rows} x {columns}"));
    for tokens in [1, 2, 4, 32, 256] {
        let mut input = Activations::new();
        input.set(&numbers(tokens * columns), columns);
        let mut output = vec![0.0; tokens * rows];
        matrix.multiply(&input, &mut output, threads)?;
        // The clock of a browser is coarse.
        let times = (10_000_000 / (rows * columns * tokens)).max(1);
        let ms = least_ms(|| {
            for _ in 0..times {
                // Shapes fit: it went well above.
                let _ = matrix.multiply(&input, &mut output, threads);
            }
        });
        let work = (times * rows * columns * tokens) as f64;
        line.push_str(&format!("{:8.1}", work / ms / 1e6));
    }
    print(&line);
    Ok(())
}

fn report(
    name: &str,
    matrices: &[Matrix],
    tokens: usize,
    threads: Threads,
) -> Result<(), KernelError> {
    let widest = matrices.iter().map(Matrix::columns).max().unwrap_or(0);
    let longest = matrices.iter().map(Matrix::rows).max().unwrap_or(0);
    let values = numbers(widest * tokens);
    let mut output = vec![0.0; longest * tokens];
    let mut input = Activations::new();
    let mut run = || -> Result<(), KernelError> {
        for matrix in matrices {
            input.set(&values[..matrix.columns() * tokens], matrix.columns());
            matrix.multiply(&input, &mut output[..matrix.rows() * tokens], threads)?;
        }
        Ok(())
    };
    run()?;
    let ms = least_ms(|| {
        let _ = run();
    });
    let work: usize = matrices.iter().map(|matrix| matrix.rows() * matrix.columns()).sum();
    let work = work as f64 * tokens as f64;
    let bytes: usize = matrices.iter().map(Matrix::bytes).sum();
    print(&format!(
        "  {name:<32} {tokens:>4} tokens {ms:9.2} ms {:7.1} GMAC/s {:6.1} MB",
        work / ms / 1e6,
        bytes as f64 / 1e6
    ));
    Ok(())
}

/// Measures what an adapter adds to a network: two thin products a matrix, and their sum.
fn low_rank(
    isa: Isa,
    threads: Threads,
    (down, up): (Kind, Kind),
    rank: usize,
) -> Result<(), KernelError> {
    const TOKENS: usize = 168;
    let columns = if matches!(up, Kind::Int8) { rank.next_multiple_of(32) } else { rank };
    let pair = |(rows, inner): (usize, usize)| {
        Ok((matrix(isa, down, columns, inner)?, matrix(isa, up, rows, columns)?))
    };
    let pairs: Vec<(Matrix, Matrix)> =
        MINILM.into_iter().map(pair).collect::<Result<_, KernelError>>()?;
    let values = numbers(1536 * TOKENS);
    let mut narrow = Activations::new();
    let mut low = vec![0.0; columns * TOKENS];
    let mut sums = vec![0.0; 1536 * TOKENS];
    // The product with the matrix itself has made the input ready.
    let inputs = [384, 1536].map(|inner| {
        let mut input = Activations::new();
        input.set(&values[..inner * TOKENS], inner);
        input
    });
    let mut run = || -> Result<(), KernelError> {
        for (down, up) in &pairs {
            down.multiply(&inputs[usize::from(down.columns() == 1536)], &mut low, threads)?;
            narrow.set(&low, columns);
            up.multiply_add(&narrow, &mut sums[..up.rows() * TOKENS], threads)?;
        }
        Ok(())
    };
    run()?;
    let ms = 6.0
        * least_ms(|| {
            let _ = run();
        });
    print(&format!("  {:<42} {ms:9.2} ms", format!("rank {rank}, {down:?} down, {up:?} up")));
    Ok(())
}

fn attention(
    name: &str,
    layers: usize,
    (query_heads, heads, width): (usize, usize, usize),
    tokens: usize,
    position: usize,
    threads: Threads,
) -> Result<(), KernelError> {
    let mut cache = KeysValues::new(heads, width, position + tokens);
    let row = heads * width;
    let rows = numbers((position + tokens) * row);
    cache.write(0, &rows[..position * row], &rows[..position * row]);
    let queries = numbers(tokens * query_heads * width);
    let mut output = vec![0.0; queries.len()];
    let visible = if heads == query_heads { Visible::All(tokens) } else { Visible::Before };
    let mut run = || -> Result<(), KernelError> {
        for _ in 0..layers {
            let new = &rows[position * row..];
            cache.write(position, new, new);
            let scale = (width as f32).sqrt().recip();
            attend(&queries, query_heads, &cache, position, visible, scale, &mut output, threads)?;
        }
        Ok(())
    };
    run()?;
    let ms = least_ms(|| {
        let _ = run();
    });
    let name = format!("{name}, attention of {layers} layers");
    print(&format!("  {name:<42} {tokens:>4} tokens after {position:>4} {ms:9.2} ms"));
    Ok(())
}

fn elementwise() {
    let mut values = numbers(256 * 1536);
    let other = numbers(256 * 1536);
    let (scale, shift) = (numbers(384), numbers(384));
    let mut output = numbers(256 * 384);
    let line = |name: &str, work: &mut dyn FnMut()| {
        print(&format!("  {name:<42}  256 tokens            {:9.3} ms", least_ms(work)));
    };
    line("gelu of 1536 values", &mut || gelu(&mut values));
    line("silu product of 1536 values", &mut || {
        // What is multiplied with itself would become too small to be typical.
        values.copy_from_slice(&other);
        silu_product(&mut values, &other);
    });
    line("layer norm of 384 values", &mut || {
        layer_norm(&mut output, &scale, &shift, 1e-12);
    });
    line("root mean square norm of 384 values", &mut || {
        rms_norm(&other[..256 * 384], &scale, 1e-5, &mut output);
    });
    let mut input = Activations::new();
    line("quantising 1536 values", &mut || input.set(&other, 1536));
}
