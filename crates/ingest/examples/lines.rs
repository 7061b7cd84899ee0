//! Reads a document and prints it as lines, as `cargo xtask bench makers` compares them with what other readers print:
//! `cargo run --release -p campanile-ingest --example lines -- FOLDER FILE`. A heading, a paragraph and an item of a list are
//! a line each, and so is a row of a table, with strokes between its cells.

use std::path::Path;

use campanile_corpus::{BlockKind, Document, Table};
use campanile_ingest::{IngestOptions, read};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(root), Some(file)) = (arguments.next(), arguments.next()) else {
        return Err("name a folder and a file in it".into());
    };
    let reading = read(Path::new(&root), Path::new(&file), &IngestOptions::default())?;
    reading.documents.iter().for_each(print);
    Ok(())
}

fn print(document: &Document) {
    let mut tables = document.tables.iter().peekable();
    println!("{}", document.title);
    for section in &document.sections {
        if let Some(heading) = section.path.last() {
            println!("{heading}");
        }
        for block in &section.blocks {
            // The rows of a table follow one another: the first stands for all of them.
            let table = tables.next_if(|table| block.span.start >= table.span().start);
            if let Some(table) = table {
                print_rows(table);
            }
            if block.kind != BlockKind::TableRow {
                println!("{}", on_one_line(block.span.slice(&document.text).unwrap_or_default()));
            }
        }
    }
}

fn print_rows(table: &Table) {
    for row in &table.rows {
        let cells: Vec<String> = row.cells.iter().map(|cell| on_one_line(&cell.text)).collect();
        println!("{}", cells.join(" | "));
    }
}

fn on_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
