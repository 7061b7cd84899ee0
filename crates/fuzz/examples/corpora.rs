//! Unpacks what is kept for a target, and keeps what a run of the fuzzer found: for
//! `cargo xtask fuzz`.
//!
//! ```text
//! corpora unpack TARGET FOLDER
//! corpora keep TARGET FOLDER
//! ```

use std::error::Error;
use std::path::Path;

use campanile_fuzz::{Corpus, Target};

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [job, name, folder] = words.as_slice() else {
        return Err("say what to do: `unpack TARGET FOLDER` or `keep TARGET FOLDER`".into());
    };
    let target = Target::ALL.into_iter().find(|target| target.name() == name);
    let target = target.ok_or_else(|| format!("there is no target `{name}`"))?;
    let folder = Path::new(folder);
    match job.as_str() {
        "unpack" => Corpus::load(target)?.write(folder)?,
        "keep" => println!("{} inputs", Corpus::keep(target, folder)?),
        other => return Err(format!("`{other}` is neither `unpack` nor `keep`").into()),
    }
    Ok(())
}
