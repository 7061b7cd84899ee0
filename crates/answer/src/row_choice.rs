//! Which rows of a table a question means, and which of them it does not tell apart.
//!
//! A row is known by what stands in it, by the label of the group that it stands in: `Adults — Instrument: Piano; …`, and where a
//! passage has several tables by the line in front of its own.
//! A label is said again with each row of its group, often with half of the table. So it can't be judged by how few rows
//! have its words, as other cells are.

use std::collections::BTreeSet;

use campanile_text::{Analyzer, Span};

use crate::counted::{Counted, met};
use crate::table::{Row, captions};
use crate::words::term_set;

/// A term tells which rows a question means if at most one row in so many has it.
// What half of the rows have (`days`, `fee`) is what the table is about; with it, every question would mean some rows.
const RARE: usize = 3;

/// The rows of a table, each with what a question names of it.
pub(crate) struct RowChoice<'a> {
    rows: Vec<RowWords<'a>>,
}

/// A row as the choice sees it.
struct RowWords<'a> {
    span: Span,
    /// Its cells, without their headers.
    cells: Vec<&'a str>,
    /// Their places in the passage, and the names of their columns.
    columns: Vec<(Span, Option<&'a str>)>,
    /// The line in front of its table, where there are several.
    caption: &'a str,
    /// The number of cells from the left that label its group.
    labels: usize,
    /// The terms of the question in its cells that tell rows apart.
    held: BTreeSet<String>,
    /// The cells behind its label that have some of them.
    named: Vec<&'a str>,
    /// The most numbers of the question that one of its cells is for.
    met: usize,
}

impl<'a> RowWords<'a> {
    /// The cells that label the row's group; empty where it stands in none.
    fn label(&self) -> &[&'a str] {
        self.cells.get(..self.labels).unwrap_or_default()
    }

    /// What the row is about, within its group.
    fn key(&self) -> Option<&'a str> {
        self.cells.get(self.labels).copied()
    }
}

impl<'a> RowChoice<'a> {
    /// The rows of a passage, compared with the terms of a question.
    pub(crate) fn new(
        asked: &BTreeSet<String>,
        text: &'a str,
        rows: &[Row],
        analyzer: &Analyzer,
    ) -> Self {
        let mut own: Vec<RowWords<'_>> = rows.iter().map(|row| words(row, text)).collect();
        for (row, caption) in own.iter_mut().zip(captions(text, rows)) {
            row.caption = caption;
        }
        label(&mut own, rows);
        let of = |text: &&str| &term_set(text, analyzer) & asked;
        let terms = |cells: &[&str]| cells.iter().flat_map(of).collect::<BTreeSet<String>>();
        let with_caption = |row: &RowWords<'_>, cells: &[&str]| -> BTreeSet<String> {
            terms(cells).into_iter().chain(of(&row.caption)).collect()
        };
        let all: Vec<BTreeSet<String>> =
            own.iter().map(|row| with_caption(row, &row.cells)).collect();
        let labels: Vec<BTreeSet<String>> =
            own.iter().map(|row| with_caption(row, row.label())).collect();
        let keys: Vec<BTreeSet<String>> =
            own.iter().map(|row| terms(row.key().as_slice())).collect();
        let tells = |term: &String| {
            let having =
                |sets: &[BTreeSet<String>]| sets.iter().filter(|it| it.contains(term)).count();
            let in_labels = having(&labels);
            is_rare(having(&all), own.len())
                || in_labels > 0 && in_labels < own.len()
                || is_rare_in_groups(term, &own, &keys)
        };
        let telling: BTreeSet<&String> = asked.iter().filter(|term| tells(term)).collect();
        let held = all.into_iter();
        let held = held.map(|terms| terms.into_iter().filter(|it| telling.contains(it)).collect());
        let held: Vec<BTreeSet<String>> = held.collect();
        for (row, held) in own.iter_mut().zip(held) {
            let is_named = |cell: &&&str| !term_set(cell, analyzer).is_disjoint(&held);
            row.named = row.cells.iter().skip(row.labels).filter(is_named).copied().collect();
            row.held = held;
        }
        Self { rows: own }
    }

    /// The same of a question with its numbers: a row for weeks 3 to 5 is meant by one about the fourth week, and the other
    /// rows are not, whatever words they share with it.
    pub(crate) fn counting(mut self, asked: &[Counted], analyzer: &Analyzer) -> Self {
        for row in &mut self.rows {
            let cells = row.cells.iter().zip(&row.columns);
            let met = cells.map(|(cell, (_, name))| met(asked, cell, *name, analyzer));
            row.met = met.max().unwrap_or_default();
        }
        self
    }

    /// The rows that the question means, where it names what only some have: those of which no other has all of that
    /// and more. None where it names no such thing, and then any may be meant.
    pub(crate) fn meant(&self) -> Vec<Span> {
        if self.rows.len() < 2 {
            return Vec::new();
        }
        self.most().map(|row| row.span).collect()
    }

    /// The one row that the question names by all words of a cell that tells it from the others: as good as looked up.
    pub(crate) fn looked_up(&self, asked: &BTreeSet<String>, analyzer: &Analyzer) -> Option<Span> {
        let mut most = self.most();
        let row = most.next().filter(|_| self.rows.len() > 1 && most.next().is_none())?;
        let is_whole = |cell: &&&str| {
            let terms = term_set(cell, analyzer);
            !terms.is_empty() && terms.is_subset(asked)
        };
        row.named.iter().find(is_whole).map(|_| row.span)
    }

    /// The other rows that the question means as much as this one: what it names of them, beside the labels of groups,
    /// stands in the same words in both.
    pub(crate) fn alike(&self, span: Span) -> Vec<Span> {
        let Some(own) = self.most().find(|row| row.span.contains(span)) else { return Vec::new() };
        let is_alike = |row: &&RowWords<'_>| {
            row.span != own.span && row.held == own.held && row.named == own.named
        };
        let others = self.most().filter(is_alike).map(|row| row.span);
        others.filter(|_| !own.named.is_empty()).collect()
    }

    /// The cell of the one row that is meant for words in a row about the same thing under another label: a reader finds
    /// the column, and takes the wrong group for as likely.
    pub(crate) fn counterpart(&self, words: Span) -> Option<Span> {
        let mut most = self.most();
        let meant = most.next().filter(|_| most.next().is_none())?;
        let row = self.rows.iter().find(|row| row.span.contains(words))?;
        let is_other_group =
            row.labels > 0 && meant.key() == row.key() && meant.label() != row.label();
        let place = row.columns.iter().position(|(cell, _)| cell.contains(words))?;
        let (cell, name) = meant.columns.get(place)?;
        let is_same_column = name.is_some() && row.columns.get(place)?.1 == *name;
        (is_other_group && is_same_column && place > row.labels).then_some(*cell)
    }

    /// Returns `true` if a row of another part of the same table is about the same as a row that is meant here, and the
    /// question names more of it: it says under which label.
    pub(crate) fn is_outdone_by(
        &self,
        other: &Self,
        asked: &BTreeSet<String>,
        analyzer: &Analyzer,
    ) -> bool {
        let of = |row: &RowWords<'_>| {
            row.cells.iter().flat_map(|cell| &term_set(cell, analyzer) & asked).collect()
        };
        let outdoes = |better: &RowWords<'_>, row: &RowWords<'_>| {
            let (more, less): (BTreeSet<String>, BTreeSet<String>) = (of(better), of(row));
            better.labels > 0
                && better.key() == row.key()
                && more.len() > less.len()
                && more.is_superset(&less)
        };
        let mut meant = self.most().peekable();
        meant.peek().is_some()
            && meant.all(|row| other.rows.iter().any(|better| outdoes(better, row)))
    }

    fn most(&self) -> impl Iterator<Item = &RowWords<'a>> {
        let has_more = |one: &RowWords<'_>, other: &RowWords<'_>| {
            other.held.len() > one.held.len() && other.held.is_superset(&one.held)
        };
        let most_met = self.rows.iter().map(|row| row.met).max().unwrap_or_default();
        let numbers_tell = self.rows.iter().any(|row| row.met < most_met);
        let in_question = move || {
            let is_named = move |row: &&RowWords<'_>| numbers_tell || !row.held.is_empty();
            self.rows.iter().filter(move |row| row.met == most_met).filter(is_named)
        };
        let is_most = move |row: &&RowWords<'_>| !in_question().any(|other| has_more(row, other));
        in_question().filter(is_most)
    }
}

fn words<'a>(row: &Row, text: &'a str) -> RowWords<'a> {
    let places = || row.cells().filter_map(|(name, cell)| Some((name, cell, cell.slice(text)?)));
    let name = |name: Option<Span>| name.and_then(|name| name.slice(text));
    let cells = places().map(|(_, _, text)| text).collect();
    let columns = places().map(|(own, cell, _)| (cell, name(own))).collect();
    RowWords {
        span: row.span,
        cells,
        columns,
        caption: "",
        labels: 0,
        held: BTreeSet::new(),
        named: Vec::new(),
        met: 0,
    }
}

/// Tells the labels of groups: what stands without a header in front of several rows, else what several rows, but not
/// all, have in the first column.
fn label(own: &mut [RowWords<'_>], rows: &[Row]) {
    let unnamed: Vec<usize> = rows.iter().map(Row::unnamed).collect();
    let sharing = |own: &[RowWords<'_>], row: &RowWords<'_>, cells: usize| {
        let is_beside = |other: &&RowWords<'_>| {
            other.caption == row.caption && other.cells.get(..cells) == row.cells.get(..cells)
        };
        own.iter().filter(is_beside).count()
    };
    let of = |own: &[RowWords<'_>], row: &RowWords<'_>, unnamed: usize| {
        // A row alone tells nothing of its group's size.
        let is_group = |cells: &usize| own.len() == 1 || sharing(own, row, *cells) > 1;
        let group = (1..=unnamed).rev().find(is_group).unwrap_or_default();
        let is_column = unnamed == 0 && (2..own.len()).contains(&sharing(own, row, 1));
        if is_column { 1 } else { group }
    };
    let labels: Vec<usize> =
        own.iter().zip(unnamed).map(|(row, unnamed)| of(own, row, unnamed)).collect();
    for (row, labels) in own.iter_mut().zip(labels) {
        row.labels = labels;
    }
}

fn is_rare(having: usize, rows: usize) -> bool {
    having == 1 || having > 0 && RARE * having <= rows
}

/// Returns `true` if a term of what rows are about is rare in each group that has it: `Monday` in the hours of two pools.
fn is_rare_in_groups(term: &str, rows: &[RowWords<'_>], keys: &[BTreeSet<String>]) -> bool {
    let mut having = rows.iter().zip(keys).filter(|(_, key)| key.contains(term)).peekable();
    having.peek().is_some()
        && having.all(|(row, _)| {
            let is_beside =
                |other: &RowWords<'_>| (other.caption, other.label()) == (row.caption, row.label());
            let group = || rows.iter().zip(keys).filter(|(other, _)| is_beside(other));
            let own = group().filter(|(_, key)| key.contains(term)).count();
            let is_grouped = row.labels > 0 || !row.caption.is_empty();
            is_grouped && group().count() > 1 && is_rare(own, group().count())
        })
}

#[cfg(test)]
mod tests {
    use campanile_text::{Analyzer, Language, Span};

    use super::RowChoice;
    use crate::counted::counted_in_question;
    use crate::table::rows;
    use crate::words::term_set;

    const BERTHS: &str = "Members — Boat: Dinghy; Berth: north quay; Hire: 4 crowns\n\
        Members — Boat: Canoe; Berth: south quay; Hire: 3 crowns\n\
        Visitors: — Boat: Dinghy; Berth: west quay; Hire: 9 crowns\n\
        Visitors: — Boat: Canoe; Berth: east quay; Hire: 7 crowns";
    const COLUMN: &str = "Club: Rowing; Boat: Dinghy; Hire: 4 crowns\n\
        Club: Rowing; Boat: Canoe; Hire: 3 crowns\n\
        Club: Sailing; Boat: Dinghy; Hire: 9 crowns\n\
        Club: Sailing; Boat: Canoe; Hire: 7 crowns";
    const LEVELS: &str = "Harbour — Members — Boat: Dinghy; Hire: 4 crowns\n\
        Harbour — Visitors — Boat: Dinghy; Hire: 9 crowns\n\
        Lake — Members — Boat: Dinghy; Hire: 3 crowns\n\
        Lake — Visitors — Boat: Dinghy; Hire: 7 crowns";

    fn lines(text: &str, spans: &[Span]) -> Vec<usize> {
        let number = |span: &Span| text[..span.start as usize].matches('\n').count() + 1;
        spans.iter().map(number).collect()
    }

    #[test]
    fn the_label_of_a_group_counts_as_a_cell_of_each_row() {
        let cases: [(&str, &str, &[usize]); 9] = [
            (BERTHS, "How much is a dinghy for visitors?", &[3]),
            (BERTHS, "What does a visitor pay for a canoe?", &[4]),
            (BERTHS, "Where does a member find the canoe?", &[2]),
            (BERTHS, "How much is a dinghy?", &[1, 3]),
            (BERTHS, "What is the hire in crowns?", &[]),
            (COLUMN, "How much is the dinghy of the sailing club?", &[3]),
            (COLUMN, "What does a canoe cost?", &[2, 4]),
            (LEVELS, "How much is a dinghy for members on the lake?", &[3]),
            (LEVELS, "How much is a boat in the harbour?", &[1, 2]),
        ];
        let analyzer = Analyzer::new(Language::English);
        for (text, question, expected) in cases {
            let choice =
                RowChoice::new(&term_set(question, &analyzer), text, &rows(text), &analyzer);
            assert_eq!(lines(text, &choice.meant()), expected, "{question}");
        }
    }

    #[test]
    fn a_number_of_the_question_chooses_the_row_that_is_for_it() {
        const REFUNDS: &str = "When: Before classes begin; Theory: 100 %, less 100 dollars\n\
            When: Weeks 1 and 2; Theory: 75 %\n\
            When: Weeks 3 to 5; Theory: 50 %\n\
            When: From week 6; Theory: nothing";
        const GRANTS: &str = "Year: First (Batch 2026); Grant: 18,000\n\
            Year: Second (Batch 2025); Grant: 24,000\n\
            Year: Third (Batch 2024); Grant: 30,000\n\
            Year: M.Des, both years; Grant: 36,000";
        let cases: [(&str, &str, &[usize]); 6] = [
            (REFUNDS, "what do i get back for theory classes in the 4th week?", &[3]),
            (REFUNDS, "refund in week 5", &[3]),
            (REFUNDS, "refund before classes begin", &[1]),
            (GRANTS, "2nd year, pointer 7.6, how much is the grant", &[2]),
            (GRANTS, "grant for the third year", &[3]),
            (GRANTS, "grant for m.des", &[4]),
        ];
        let analyzer = Analyzer::new(Language::English);
        for (text, question, expected) in cases {
            let asked = term_set(question, &analyzer);
            let choice = RowChoice::new(&asked, text, &rows(text), &analyzer);
            let choice = choice.counting(&counted_in_question(question, &analyzer), &analyzer);
            assert_eq!(lines(text, &choice.meant()), expected, "{question}");
        }
    }

    #[test]
    fn rows_are_alike_that_differ_in_a_label_which_is_not_named() {
        let cases: [(&str, &str, usize, &[usize]); 5] = [
            (BERTHS, "How much is a dinghy?", 1, &[3]),
            (COLUMN, "What does a canoe cost?", 4, &[2]),
            (BERTHS, "How much is a dinghy for visitors?", 3, &[]),
            // Which boat is not said: the reader chooses, as in any table.
            (BERTHS, "What do visitors pay?", 3, &[]),
            (BERTHS, "What is the hire in crowns?", 1, &[]),
        ];
        let analyzer = Analyzer::new(Language::English);
        for (text, question, line, expected) in cases {
            let rows = rows(text);
            let choice = RowChoice::new(&term_set(question, &analyzer), text, &rows, &analyzer);
            assert_eq!(lines(text, &choice.alike(rows[line - 1].span)), expected, "{question}");
        }
    }

    #[test]
    fn words_of_another_group_stand_for_the_cell_of_the_one_that_is_meant() {
        let cases = [
            ("How much is a dinghy for visitors?", "4 crowns", Some("9 crowns")),
            ("How much is a dinghy for visitors?", "north quay", Some("west quay")),
            ("How much is a dinghy for visitors?", "3 crowns", None),
            ("How much is a dinghy?", "4 crowns", None),
            ("What do visitors pay?", "4 crowns", None),
        ];
        let analyzer = Analyzer::new(Language::English);
        for (question, words, expected) in cases {
            let asked = term_set(question, &analyzer);
            let choice = RowChoice::new(&asked, BERTHS, &rows(BERTHS), &analyzer);
            let start = BERTHS.find(words).unwrap_or_default();
            let found = choice.counterpart(Span::from_range(start..start + words.len()));
            assert_eq!(found.and_then(|it| it.slice(BERTHS)), expected, "{question} {words}");
        }
    }

    #[test]
    fn the_part_of_a_table_with_the_named_group_outdoes_another() {
        let analyzer = Analyzer::new(Language::English);
        let (members, visitors) = BERTHS.split_at(BERTHS.find("Visitors").unwrap_or_default());
        for (question, expected) in [
            ("How much is a dinghy for visitors?", [true, false]),
            ("How much is a dinghy for members?", [false, true]),
            ("How much is a dinghy?", [false, false]),
        ] {
            let asked = term_set(question, &analyzer);
            let choice = |text| RowChoice::new(&asked, text, &rows(text), &analyzer);
            let (members, visitors) = (choice(members), choice(visitors));
            let found = [
                members.is_outdone_by(&visitors, &asked, &analyzer),
                visitors.is_outdone_by(&members, &asked, &analyzer),
            ];
            assert_eq!(found, expected, "{question}");
        }
    }
}
