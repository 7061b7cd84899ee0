//! The form in a terminal.

use std::io;
use std::io::{BufRead, Write};

use super::{Edit, Progress, Review, answers_elsewhere};
use crate::Category;
use crate::proposal::{Decision, Proposal};

const CHOICES: &str = "[a]ccept  [e]dit  [r]eject  [s]kip  [q]uit > ";
const HELP: &str = "  a  take the question as it is\n  \
     e  change question, answer or category, and take it\n  \
     r  leave it out\n  \
     s  leave it undecided: it comes again the next time\n  \
     q  stop here: a later run goes on with what is undecided";

/// The way a form ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FormEnd {
    /// Everything was shown.
    Done,
    /// The person stopped, or the input ended.
    Stopped,
}

/// The choice that was typed at a proposal.
enum Choice {
    Decided(Decision),
    Skipped,
    Stopped,
}

/// Shows each proposal that nobody has decided about and asks for a decision. `save` is called after
/// every one; an input that ends is a person who stops.
///
/// # Errors
/// Where the input or the output fails, or `save` does.
pub fn form(
    review: &mut Review,
    input: &mut dyn BufRead,
    output: &mut dyn Write,
    save: &mut dyn FnMut(&Review) -> io::Result<()>,
) -> io::Result<FormEnd> {
    let total = review.proposals.len();
    for place in 0..total {
        let proposal = &mut review.proposals[place];
        if proposal.decision.is_some() {
            continue;
        }
        writeln!(output, "\n{} of {total}", place + 1)?;
        show(proposal, output)?;
        match choose(proposal, input, output)? {
            Choice::Decided(decision) => {
                review.decide(place, decision);
                save(review)?;
            }
            Choice::Skipped => {}
            Choice::Stopped => return Ok(FormEnd::Stopped),
        }
    }
    Ok(FormEnd::Done)
}

fn choose(
    proposal: &mut Proposal,
    input: &mut dyn BufRead,
    output: &mut dyn Write,
) -> io::Result<Choice> {
    loop {
        let Some(typed) = ask(CHOICES, input, output)? else { return Ok(Choice::Stopped) };
        match typed.to_lowercase().as_str() {
            "a" | "accept" | "y" | "yes" => return Ok(Choice::Decided(Decision::Accepted)),
            "r" | "reject" | "n" | "no" => return Ok(Choice::Decided(Decision::Rejected)),
            "s" | "skip" => return Ok(Choice::Skipped),
            "q" | "quit" => return Ok(Choice::Stopped),
            "e" | "edit" => {
                let Some(edit) = edit(input, output)? else { return Ok(Choice::Stopped) };
                edit.apply(proposal);
                for answer in answers_elsewhere(proposal) {
                    writeln!(output, "note: the passage does not say “{answer}” in these words")?;
                }
                return Ok(Choice::Decided(Decision::Edited));
            }
            _ => writeln!(output, "{HELP}")?,
        }
    }
}

/// The parts of an edit; `None` where the input ends before all of them are there.
fn edit(input: &mut dyn BufRead, output: &mut dyn Write) -> io::Result<Option<Edit>> {
    let Some(question) = ask("Question (Enter keeps it): ", input, output)? else {
        return Ok(None);
    };
    let answers = "Answer (Enter keeps it; several with ; between): ";
    let Some(answers) = ask(answers, input, output)? else { return Ok(None) };
    let prompt = "Category, [a]nswerable, a[m]biguous or [u]nanswerable (Enter keeps it): ";
    loop {
        let Some(typed) = ask(prompt, input, output)? else { return Ok(None) };
        let category = match typed.to_lowercase().as_str() {
            "" => None,
            "a" | "answerable" => Some(Category::Answerable),
            "m" | "ambiguous" => Some(Category::Ambiguous),
            "u" | "unanswerable" => Some(Category::Unanswerable),
            _ => continue,
        };
        return Ok(Some(Edit { question, answers, category }));
    }
}

/// A line of input without its end; `None` where there is none any more.
pub fn ask(
    prompt: &str,
    input: &mut dyn BufRead,
    output: &mut dyn Write,
) -> io::Result<Option<String>> {
    write!(output, "{prompt}")?;
    output.flush()?;
    let mut line = String::new();
    let read = input.read_line(&mut line)?;
    Ok((read > 0).then(|| line.trim().to_owned()))
}

fn show(proposal: &Proposal, output: &mut dyn Write) -> io::Result<()> {
    let question = &proposal.question;
    writeln!(output, "{} ({})", proposal.place, proposal.document)?;
    for line in proposal.passage.lines().filter(|line| !line.trim().is_empty()) {
        writeln!(output, "  | {line}")?;
    }
    writeln!(output, "Question: {}", question.question)?;
    match question.answers.is_empty() {
        true => writeln!(output, "Answer:   none")?,
        false => writeln!(output, "Answer:   {}", question.answers.join("; "))?,
    }
    let kind = question.kind.map(|kind| format!(", {kind}")).unwrap_or_default();
    let reason = question.reason.as_ref().map(|why| format!(": {why}")).unwrap_or_default();
    writeln!(output, "({}{kind}; {}{reason})", question.category, proposal.template.name())
}

impl std::fmt::Display for Progress {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { accepted, edited, rejected, undecided } = self;
        write!(
            formatter,
            "{accepted} accepted, {edited} edited, {rejected} rejected, {undecided} undecided"
        )
    }
}
