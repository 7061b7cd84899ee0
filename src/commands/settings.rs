//! `campanile settings`: every setting with its default.

use std::io::Write as _;
use std::process::ExitCode;

use campanile_build::config::schema;

use crate::cli::SettingsArguments;

/// Prints the listing or the schema.
pub fn run(arguments: &SettingsArguments) -> anyhow::Result<ExitCode> {
    let mut out = std::io::stdout().lock();
    if arguments.schema {
        serde_json::to_writer_pretty(&mut out, &schema::json_schema())?;
        writeln!(out)?;
    } else {
        out.write_all(schema::listing()?.as_bytes())?;
    }
    Ok(ExitCode::SUCCESS)
}
