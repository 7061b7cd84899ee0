//! Fetches a website: `fetch FOLDER ADDRESS... [--follow] [--sitemap ADDRESS|auto] [--contact WHO]
//! [--delay MILLISECONDS]`.

use campanile_website::{Progress, WebsiteError, WebsiteOptions};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), WebsiteError> {
    let mut arguments = std::env::args().skip(1);
    let folder = PathBuf::from(arguments.next().unwrap_or_else(|| "website".to_owned()));
    let mut options = WebsiteOptions::default();
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--follow" => options.follow = true,
            "--sitemap" => options.sitemaps.extend(arguments.next()),
            "--contact" => options.contact = arguments.next().unwrap_or_default(),
            "--delay" => {
                let delay = arguments.next().and_then(|delay| delay.parse().ok());
                options.delay_ms = delay.unwrap_or(options.delay_ms);
            }
            _ => options.addresses.push(argument),
        }
    }
    let start = Instant::now();
    let report = campanile_website::fetch(&folder, &options, &mut |progress| {
        if !matches!(progress, Progress::Skipped { .. }) {
            eprintln!("{:>8.2} s  {progress:?}", start.elapsed().as_secs_f64());
        }
    })?;
    for page in &report.pages {
        println!("{:?} {} {}", page.status, page.file, page.url);
    }
    for skipped in &report.skipped {
        println!("skipped {skipped}");
    }
    for dropped in &report.dropped {
        println!("dropped {} {}", dropped.file, dropped.url);
    }
    println!(
        "{} pages, {} requests, {} bytes, {} addresses left out, in {:.2} s",
        report.pages.len(),
        report.requests,
        report.body_bytes,
        report.left_out,
        start.elapsed().as_secs_f64()
    );
    Ok(())
}
