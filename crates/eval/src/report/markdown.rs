//! The report as Markdown: for a merge request, a terminal, a repository.

use std::fmt::Write as _;

use campanile_questions::on_one_line;

use super::evidence::{CONFIDENCE_PERCENT, SIGNIFICANCE};
use super::figures::figures;
use super::metrics::Metric;
use super::model::{
    Case, Cell, Change, ConfigurationEntry, ExperimentReport, ProseRow, Row, SetReport,
};
use super::plot::Table;
use super::sentences::{PieceKind, Sentence};
use super::words;
use crate::judge::Share;

/// The most failures of a set that are listed.
const CASES: usize = 20;
/// Longest question and answer of a case, in characters.
const CASE_CHARS: usize = 200;

/// The report.
pub(crate) fn render(report: &ExperimentReport) -> String {
    let mut text = format!("# {}\n\n", escaped(&report.title));
    let made = if report.made.is_empty() { String::new() } else { format!(", {}", report.made) };
    let (configurations, sets) = (report.configurations.len(), report.sets.len());
    let counts = format!(
        "Evaluation of {} on {}{made}.",
        words::counted(configurations, "configuration"),
        words::counted(sets, "question set")
    );
    // Writing to a string does not fail.
    let _ = writeln!(text, "{counts} Written by {}.\n\n## In short", report.generator);
    for set in &report.sets {
        let _ = writeln!(
            text,
            "\n**{}**, {}\n",
            escaped(&set.name),
            words::counted(set.total, "question")
        );
        for sentence in &set.summary {
            let _ = writeln!(text, "- {}", marked(sentence));
        }
    }
    for set in &report.sets {
        write_set(&mut text, report, set);
    }
    write_prose(&mut text, report);
    write_configurations(&mut text, report);
    text
}

fn write_set(text: &mut String, report: &ExperimentReport, set: &SetReport) {
    let _ = writeln!(text, "\n## {}\n", escaped(&set.name));
    let counts: Vec<String> = set
        .questions
        .iter()
        .map(|(category, number)| format!("{} {category}", words::count(*number)))
        .collect();
    let _ = writeln!(text, "{}: {}.\n", words::counted(set.total, "question"), counts.join(", "));
    let main: Vec<&Metric> = set.metrics.iter().filter(|metric| metric.main).collect();
    write_table(text, &main_table(set, &main));
    let _ = writeln!(
        text,
        "\nBest in bold; in brackets the {CONFIDENCE_PERCENT} % interval. ▲ better and ▼ worse than the \
         baseline by more than chance explains (p below {SIGNIFICANCE})."
    );
    if let Some(table) = ablation_table(report, set, &main) {
        text.push_str("\n### What each change does\n\n");
        write_table(text, &table);
        let _ = writeln!(
            text,
            "\nEach configuration less the baseline, question by question. p is adjusted where several \
             configurations are compared; behind `alone` stands what it is without that, for the one pair. \
             The intervals are not adjusted.\n"
        );
        for (metric, configuration, note) in set.cautions() {
            let (metric, name) = (escaped(metric), escaped(configuration));
            let _ = writeln!(text, "- {name}, {metric}: {}", escaped(note));
        }
    }
    for figure in figures(set, "") {
        let _ =
            writeln!(text, "\n### {}\n\n{}\n", escaped(&figure.title), escaped(&figure.caption));
        write_table(text, &plain(&figure.table));
    }
    write_cases(text, set);
}

/// Cells that hold Markdown already.
fn main_table(set: &SetReport, main: &[&Metric]) -> Table {
    let metrics = main.iter().map(|metric| escaped(&metric.name));
    let head = ["Configuration".to_owned()].into_iter().chain(metrics);
    let more = ["refused (unanswerable)", "refused (answerable)", "ms (median, 95th)"];
    let row = |row: &Row| {
        let name = match row.baseline {
            true => format!("{} (baseline)", escaped(&row.configuration)),
            false => escaped(&row.configuration),
        };
        let cells = row.cells.iter().take(main.len()).map(mean);
        let times = row.median_ms.zip(row.p95_ms).map_or_else(String::new, |(median, p95)| {
            format!("{}, {}", words::milliseconds(median), words::milliseconds(p95))
        });
        let more = [share(row.refused), share(row.wrongly_refused), times];
        [name].into_iter().chain(cells).chain(more).collect()
    };
    Table {
        head: head.chain(more.map(str::to_owned)).collect(),
        rows: set.rows.iter().map(row).collect(),
        names: 1,
    }
}

fn mean(cell: &Cell) -> String {
    let Some(mean) = cell.mean else { return String::new() };
    let value = match cell.best {
        true => format!("**{}**", words::score(mean.mean)),
        false => words::score(mean.mean),
    };
    let (low, high) = (words::score(mean.low), words::score(mean.high));
    format!("{}{value} ({low} to {high})", verdict(cell))
}

fn verdict(cell: &Cell) -> &'static str {
    match cell.verdict {
        1 => "▲ ",
        -1 => "▼ ",
        _ => "",
    }
}

fn share(share: Share) -> String {
    match share.total {
        0 => String::new(),
        total => {
            let percent = words::percent(share.count as f64 / total as f64);
            format!("{percent} ({} of {})", words::count(share.count), words::count(total))
        }
    }
}

fn ablation_table(report: &ExperimentReport, set: &SetReport, main: &[&Metric]) -> Option<Table> {
    let changed: Vec<&Row> = set.rows.iter().filter(|row| !row.baseline).collect();
    if changed.is_empty() || changed.len() == set.rows.len() {
        return None;
    }
    let changes = |row: &Row| {
        let entry: Option<&ConfigurationEntry> = report.configurations.get(row.series);
        let changes: Vec<String> =
            entry.into_iter().flat_map(|entry| &entry.changes).map(change).collect();
        escaped(&changes.join("; "))
    };
    let row = |row: &&Row| {
        let cells = row.cells.iter().take(main.len()).map(difference);
        [escaped(&row.configuration), changes(row)].into_iter().chain(cells).collect()
    };
    let head = ["Configuration".to_owned(), "Changed".to_owned()].into_iter();
    Some(Table {
        head: head.chain(main.iter().map(|metric| escaped(&metric.name))).collect(),
        rows: changed.iter().map(row).collect(),
        names: 2,
    })
}

fn change(change: &Change) -> String {
    let value = |value: &Option<String>| value.clone().unwrap_or_else(|| "—".to_owned());
    format!("{}: {} → {}", change.setting, value(&change.from), value(&change.to))
}

fn difference(cell: &Cell) -> String {
    match (&cell.comparison, cell.difference) {
        (Some(comparison), _) => {
            let super::Interval { mean, low, high } = comparison.difference;
            let [mean, low, high] = [mean, low, high].map(words::difference);
            let p = words::probability(comparison.p);
            let alone = comparison.uncorrected_p.map(words::probability);
            let alone = alone.map(|p| format!("; alone {p}")).unwrap_or_default();
            format!("{}{mean} ({low} to {high}, {p}{alone})", verdict(cell))
        }
        (None, Some(difference)) => format!("{} (not tested)", words::difference(difference)),
        (None, None) => String::new(),
    }
}

fn write_cases(text: &mut String, set: &SetReport) {
    if set.cases.is_empty() {
        return;
    }
    let (told, failures) = (set.cases.len().min(CASES), words::counted(set.failures, "failure"));
    let leader = escaped(&set.leader);
    let _ = writeln!(text, "\n### Worst cases\n\nThe worst {told} of {failures} of {leader}.\n");
    for case in set.cases.iter().take(CASES) {
        let _ = writeln!(text, "- {}", told_case(case));
    }
}

fn told_case(case: &Case) -> String {
    let short = |text: &str| escaped(&words::excerpt(text, CASE_CHARS));
    let mut line = format!("**{}** ({}", short(&case.question), escaped(&case.id));
    if let Some(loss) = case.lost {
        let _ = write!(line, ", lost in {}", words::loss(loss));
    }
    line.push(')');
    if !case.gold_answers.is_empty() {
        let _ = write!(line, " Gold: {}.", short(&case.gold_answers.join(" / ")));
    }
    match &case.answer {
        Some(answer) if answer.refused => line.push_str(" Refused."),
        Some(answer) => {
            let _ = write!(line, " Answer: {}", short(&answer.text));
        }
        None => {}
    }
    let ranks: Vec<String> = case
        .path
        .iter()
        .map(|(stage, rank)| {
            format!(
                "{} {}",
                escaped(stage),
                rank.map_or_else(|| "–".to_owned(), |rank| rank.to_string())
            )
        })
        .collect();
    if !ranks.is_empty() {
        let _ = write!(line, " First passage that answers: {}.", ranks.join(" → "));
    }
    line
}

fn write_prose(text: &mut String, report: &ExperimentReport) {
    if report.prose.is_empty() {
        return;
    }
    text.push_str("\n## Prose, judged by people\n\n");
    let row = |row: &ProseRow| {
        let which = if row.shown { "shown" } else { "left out" };
        vec![
            escaped(&row.name),
            which.to_owned(),
            row.shares.sentences.to_string(),
            row.is_true_percent.clone(),
            row.answers_percent.clone(),
            row.both_percent.clone(),
        ]
    };
    let head =
        ["File", "Sentences that a page has", "Number", "True", "About what was asked", "Both"];
    let rows = report.prose.iter().map(row).collect();
    write_table(text, &Table { head: head.map(str::to_owned).to_vec(), rows, names: 2 });
}

fn write_configurations(text: &mut String, report: &ExperimentReport) {
    text.push_str("\n## Configurations\n\n");
    let row = |entry: &ConfigurationEntry| {
        let settings: Vec<String> =
            entry.settings.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        vec![escaped(&entry.name), escaped(&settings.join("; ")), escaped(&entry.hash)]
    };
    let head = ["Configuration", "Settings", "Hash"].map(str::to_owned).to_vec();
    let rows = report.configurations.iter().map(row).collect();
    write_table(text, &Table { head, rows, names: 3 });
    for (what, value) in [("Machine", &report.machine), ("Command", &report.command)] {
        if !value.is_empty() {
            let _ = writeln!(text, "\n{what}: {}", escaped(value));
        }
    }
}

/// The table with its cells as plain text.
fn plain(table: &Table) -> Table {
    let line = |cells: &Vec<String>| cells.iter().map(|cell| escaped(cell)).collect();
    Table {
        head: line(&table.head),
        rows: table.rows.iter().map(line).collect(),
        names: table.names,
    }
}

/// Names to the left, numbers to the right.
fn write_table(text: &mut String, table: &Table) {
    let _ = writeln!(text, "| {} |", table.head.join(" | "));
    let numbers = "---:|".repeat(table.head.len().saturating_sub(table.names));
    let _ = writeln!(text, "|{}{numbers}", "---|".repeat(table.names));
    for row in &table.rows {
        let _ = writeln!(text, "| {} |", row.join(" | "));
    }
}

fn marked(sentence: &Sentence) -> String {
    let piece = |piece: &super::Piece| match piece.kind {
        PieceKind::Strong => format!("**{}**", escaped(&piece.text)),
        PieceKind::Metric => format!("`{}`", piece.text.replace(['`', '\n'], " ")),
        PieceKind::Plain => escaped(&piece.text),
    };
    sentence.pieces.iter().map(piece).collect()
}

/// Text that Markdown leaves as it is: one line, no markup, no HTML.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    let line = on_one_line(text);
    let mut letters = line.chars().peekable();
    while let Some(letter) = letters.next() {
        let next = letters.peek().copied().unwrap_or(' ');
        match letter {
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '#' => escaped.extend(['\\', letter]),
            // Where they begin a tag, a quotation or a character's name.
            '<' if !next.is_whitespace() => escaped.push_str("&lt;"),
            '>' if escaped.is_empty() => escaped.push_str("&gt;"),
            '&' if !next.is_whitespace() => escaped.push_str("&amp;"),
            letter => escaped.push(letter),
        }
    }
    // What was cut at its ends belongs to the sentence around it.
    let space = |found: bool| if found { " " } else { "" };
    let starts = text.starts_with(char::is_whitespace) && !escaped.is_empty();
    let ends = text.ends_with(char::is_whitespace) && !escaped.is_empty();
    format!("{}{escaped}{}", space(starts), space(ends))
}
