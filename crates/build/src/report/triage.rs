//! Which findings an editor reads first, where a folder of a thousand pages has a thousand of them.

use std::collections::BTreeSet;
use std::mem;

use campanile_ingest::{Concern, Finding, Severity};
use serde::Serialize;

/// Lines that are read first. More than fit on a screen are read by nobody.
const MOST_LINES: usize = 10;
/// Other files that a line names.
const MOST_NAMED: usize = 3;

/// Findings in the order of what they cost: missing documents, lost words, doubtful ones. What was rightly left out is
/// not among them.
#[derive(Debug, Default, Serialize)]
pub struct Triage {
    /// At most ten lines.
    pub lines: Vec<Triaged>,
    /// The number of findings that no line stands for.
    pub others: usize,
}

/// One line: a finding that stands for all of its kind.
#[derive(Debug, Serialize)]
pub struct Triaged {
    /// What it costs.
    pub concern: Concern,
    /// How loudly it is told.
    pub severity: Severity,
    /// The finding in words, with what to do about it and the other files that have it.
    pub message: String,
}

impl Triage {
    /// Sorts findings; those of one kind share a line.
    pub fn new<'a>(findings: impl IntoIterator<Item = &'a Finding>) -> Self {
        let mut groups: Vec<Group<'a>> = Vec::new();
        for finding in findings.into_iter().filter(|it| it.concern() != Concern::Tidied) {
            match groups.iter_mut().find(|group| group.shown.is_like(finding)) {
                Some(group) => group.take(finding),
                None => groups.push(Group { shown: finding, others: Vec::new() }),
            }
        }
        groups.sort_by_key(Group::rank);
        let others = groups.iter().skip(MOST_LINES).map(|group| 1 + group.others.len()).sum();
        Self { lines: groups.iter().take(MOST_LINES).map(Triaged::from).collect(), others }
    }
}

/// Findings of one kind.
struct Group<'a> {
    /// The one whose words are shown.
    shown: &'a Finding,
    others: Vec<&'a Finding>,
}

impl<'a> Group<'a> {
    /// Adds a finding. The one that quotes most is shown: a sentence is worth more than a label.
    fn take(&mut self, mut finding: &'a Finding) {
        if finding.noticed.to_string().len() > self.shown.noticed.to_string().len() {
            mem::swap(&mut self.shown, &mut finding);
        }
        self.others.push(finding);
    }

    /// Its place among the groups: notes last, then what costs most, then what fewest files have. What every page
    /// has belongs to how the site is made; what one page has is more likely a mistake in it.
    fn rank(&self) -> (bool, Concern, usize) {
        (self.shown.severity() == Severity::Note, self.shown.concern(), self.others.len())
    }
}

impl From<&Group<'_>> for Triaged {
    fn from(group: &Group<'_>) -> Self {
        let paths = group.others.iter().map(|finding| &finding.path);
        let paths: BTreeSet<&String> = paths.filter(|path| **path != group.shown.path).collect();
        let mut message = group.shown.to_string();
        if !paths.is_empty() {
            let named = paths.iter().take(MOST_NAMED).map(|path| format!("`{path}`"));
            message += &format!(". The same of {}", named.collect::<Vec<_>>().join(", "));
        }
        if let more @ 1.. = paths.len().saturating_sub(MOST_NAMED) {
            message += &format!(" and {more} more");
        }
        Self { concern: group.shown.concern(), severity: group.shown.severity(), message }
    }
}

#[cfg(test)]
mod tests {
    use campanile_ingest::Noticed;

    use super::*;

    fn finding(path: &str, noticed: Noticed) -> Finding {
        Finding { path: path.to_owned(), noticed }
    }

    fn hidden(path: &str, example: &str) -> Finding {
        finding(path, Noticed::HiddenText { pieces: 1, example: example.to_owned() })
    }

    #[test]
    fn what_costs_most_stands_first_and_a_kind_takes_one_line() {
        let findings = [
            finding("a.html", Noticed::PageNumbers(4)),
            finding("old.txt", Noticed::OldEncoding),
            hidden("a.html", "Menu"),
            hidden("b.html", "Students of the MSc pay EUR 610"),
            hidden("c.html", "Menu"),
            hidden("d.html", "Menu"),
            hidden("e.html", "Menu"),
            finding("cut.pdf", Noticed::CutShort),
            finding("x.md", Noticed::Failed("`x.md` cannot be opened".to_owned())),
            finding("y.md", Noticed::Failed("`y.md` looks binary".to_owned())),
        ];
        let triage = Triage::new(&findings);
        let lines: Vec<&str> = triage.lines.iter().map(|line| line.message.as_str()).collect();
        let begin = ["`x.md`", "`y.md`", "`cut.pdf`", "`b.html`", "`old.txt`"];
        assert_eq!(lines.len(), begin.len(), "{lines:#?}");
        for (line, begin) in lines.iter().zip(begin) {
            assert!(line.starts_with(begin), "{line}");
        }
        let end = "should be found. The same of `a.html`, `c.html`, `d.html` and 1 more";
        assert!(lines[3].contains("pay EUR 610") && lines[3].ends_with(end), "{}", lines[3]);
        assert_eq!(triage.others, 0);
    }

    #[test]
    fn ten_lines_and_the_rest_counted() {
        let failed = |name: usize| finding("x", Noticed::Failed(format!("`{name}` is locked")));
        let mut findings: Vec<Finding> = (0..12).map(failed).collect();
        findings.extend((0..5).map(|page| hidden(&format!("{page}.html"), "Menu")));
        let triage = Triage::new(&findings);
        assert_eq!((triage.lines.len(), triage.others), (10, 2 + 5));
    }

    #[test]
    fn one_file_is_named_once() {
        let findings = [hidden("a.md", "one"), hidden("a.md", "two"), hidden("b.md", "three")];
        let line = &Triage::new(&findings).lines[0].message;
        assert!(line.starts_with("`b.md`") && line.ends_with("The same of `a.md`"), "{line}");
    }
}
