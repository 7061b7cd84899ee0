//! Writes the report of a made-up experiment, to look at.
//!
//! `cargo run -p campanile-eval --example report -- FOLDER`

mod made_up;

use std::path::Path;

use campanile_eval::evidence;
use campanile_eval::report::{ExperimentReport, ReportSettings};
use campanile_eval::significance::Bootstrap;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args().nth(1).ok_or("name a folder for the report")?;
    let experiment = made_up::experiment(150);
    let settings = ReportSettings::default();
    let evidence =
        evidence(&experiment, &made_up::METRICS.map(str::to_owned), &Bootstrap::default())?;
    let report = ExperimentReport::new(&experiment, &evidence, &settings);
    report.write(Path::new(&folder), &settings)?;
    println!("{folder}/report.html");
    Ok(())
}
