//! `campanile questions review`: a person looks at what a model wrote.

use std::fs;
use std::io;
use std::process::ExitCode;

use anyhow::Context as _;
use campanile_questions::review::{Afterwards, FormEnd, Review, form, page};
use campanile_terminal::console::replace;
use campanile_terminal::{console, say};

use crate::cli::QuestionsReviewArguments;

/// Asks for decisions, or writes the form as a page.
pub fn run(arguments: &QuestionsReviewArguments) -> anyhow::Result<ExitCode> {
    let file = &arguments.questions;
    let shown = file.display();
    let text = fs::read_to_string(file).with_context(|| {
        format!(
            "cannot read `{shown}`\n  way out: `campanile questions write SITE -o {shown}` makes it"
        )
    })?;
    let mut review = Review::read(&text).with_context(|| format!("in `{shown}`"))?;
    if let Some(path) = &arguments.form {
        let afterwards = Afterwards {
            file_name: file.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            then:
                "Put the file in the place of the one that was reviewed, and build the site again."
                    .to_owned(),
        };
        replace(path, &page(&review, &afterwards))?;
        say!(
            "{} to look at in `{}`. Put what it hands out in the place of `{shown}`.",
            console::count(review.proposals.len(), "question"),
            path.display()
        );
        return Ok(ExitCode::SUCCESS);
    }
    let mut save = |review: &Review| replace(file, &review.write());
    let end = form(&mut review, &mut io::stdin().lock(), &mut io::stdout().lock(), &mut save)
        .context("the review stopped")?;
    let progress = review.progress();
    say!("\n{} in `{shown}`: {progress}", console::count(review.proposals.len(), "question"));
    if end == FormEnd::Stopped || progress.undecided > 0 {
        say!("The same command goes on with what is undecided.");
    }
    Ok(ExitCode::SUCCESS)
}
