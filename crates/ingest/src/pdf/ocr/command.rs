//! The `tesseract` program.

use std::io::{ErrorKind, Write};
use std::process::{Command, Stdio};

use super::{Fault, ReadPicture};
use crate::Ocr;

/// Runs the program once for each picture.
pub(in crate::pdf) struct Tesseract<'o> {
    pub(in crate::pdf) options: &'o Ocr,
}

impl ReadPicture for Tesseract<'_> {
    fn read(&self, png: Vec<u8>) -> Result<String, Fault> {
        let mut child = Command::new(&self.options.command)
            .args(["-", "-", "-l", &self.options.languages, "tsv"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| match error.kind() {
                ErrorKind::NotFound => Fault::Missing,
                _ => Fault::Failed(error.to_string()),
            })?;
        let input = child.stdin.take();
        // It may write before it has read everything: so the picture goes in beside.
        let writer = std::thread::spawn(move || {
            // Where it stops reading, its own words say why.
            input.is_some_and(|mut input| input.write_all(&png).is_ok())
        });
        let output = child.wait_with_output().map_err(|error| Fault::Failed(error.to_string()))?;
        let was_given = writer.join().unwrap_or(false);
        if output.status.success() && was_given {
            return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
        }
        let said = String::from_utf8_lossy(&output.stderr);
        let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
        let said = if said.is_empty() { output.status.to_string() } else { said };
        Err(Fault::Failed(said.chars().take(200).collect()))
    }
}
