//! Propositions that a language model writes, and the check that they say what their sentence says.

use std::collections::BTreeSet;

use campanile_language::propositions;
use campanile_text::Analyzer;
use serde::{Deserialize, Serialize};

use super::setting::{Setting, terms};
use super::words::Lists;
use super::{Proposer, Proposition, Rule, keeps_facts};
use crate::facts::{bare, single_spaced};
use crate::unit::{Part, SentenceUnit, parts, sentences_of};
use crate::{BlockKind, Chunk, Document, Span, context_at};

/// A writer's own failure.
pub type WriterError = Box<dyn std::error::Error + Send + Sync>;

/// A sentence, and what a reader of the page knows when coming to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SentenceInContext<'a> {
    /// Title and headings: `Exam rules > Resits`.
    pub context: &'a str,
    /// The sentence before in the same paragraph; empty where there is none.
    pub before: &'a str,
    /// The sentence, or an item of a list.
    pub sentence: &'a str,
}

/// Writes propositions: lent by whoever holds a language model.
pub trait PropositionWriter {
    /// The statements that a sentence makes, each of which can be read alone. Nothing is believed of
    /// them: what does not say the same as the sentence is not used.
    ///
    /// # Errors
    /// Whatever the model's own are.
    fn write(&self, sentence: &SentenceInContext<'_>) -> Result<Vec<String>, WriterError>;
}

/// The propositions of a chunk, and who wrote them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// In the order of the text, none twice.
    pub propositions: Vec<Proposition>,
    /// Sentences that the writer was asked about.
    pub asked: usize,
    /// The statements that it wrote and that were not used.
    pub refused: Vec<Refused>,
}

/// Statements of a writer that were not used; the rules' propositions stand in their place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refused {
    /// The sentence.
    pub sentence: String,
    /// The statements that were made of it, one a line.
    pub written: String,
    /// The reason why they were not used.
    pub because: Refusal,
}

impl Proposer {
    /// The propositions of a chunk, written by a language model where what it writes holds.
    ///
    /// It is asked about one sentence at a time, where that has a word that points beyond it ("it",
    /// "these"), and not about rows of tables, code, and items that a line introduces, which the
    /// rules are sure of. What it writes of a sentence is used whole or not at all: together its
    /// statements must say what the sentence says ([`Refusal`] lists what is looked at). Else the
    /// rules' propositions are kept. Without a language nobody is asked.
    ///
    /// # Errors
    /// The writer's own.
    pub fn written(
        &self,
        document: &Document,
        chunk: &Chunk,
        writer: &dyn PropositionWriter,
    ) -> Result<Written, WriterError> {
        let mut by_rules = self.propositions(document, chunk);
        let mut written = Written::default();
        let parts = parts(document, chunk);
        let mut before: Option<SentenceUnit> = None;
        for unit in sentences_of(document, chunk) {
            let place = by_rules.iter().take_while(|made| made.source.start < unit.span.end);
            let own: Vec<Proposition> = by_rules.drain(..place.count()).collect();
            let part = parts.iter().find(|part| part.span.contains(unit.span));
            let last = before.replace(unit);
            let part = part.filter(|part| is_flowing(part) && !has_stem_outside(&own, unit.span));
            let Some(part) = part.filter(|_| self.points_beyond(document, unit.span)) else {
                written.propositions.extend(own);
                continue;
            };
            // Only from its own paragraph: what "it" means does not cross one.
            let near = last.filter(|before| part.span.contains(before.span));
            let made = self.by_model(document, (part, unit), near, writer, &mut written)?;
            written.propositions.extend(made.unwrap_or(own));
        }
        written.propositions.append(&mut by_rules);
        // A sentence's own are not always in one run: an introduced abbreviation stands before the items of its list.
        written.propositions.sort_by_key(|made| made.source.start);
        let mut seen = BTreeSet::new();
        written.propositions.retain(|made| seen.insert(made.text.clone()));
        Ok(written)
    }

    /// Returns `true` if a word of the sentence stands for something said elsewhere.
    fn points_beyond(&self, document: &Document, sentence: Span) -> bool {
        let Some(lists) = Lists::of(self.analyzer.language()) else { return false };
        let text = sentence.cut_from(&document.text);
        lists.stand_ins(text) > 0
    }

    /// Asks the writer about one sentence; `None` where what it writes does not hold.
    fn by_model(
        &self,
        document: &Document,
        (part, unit): (&Part, SentenceUnit),
        before: Option<SentenceUnit>,
        writer: &dyn PropositionWriter,
        written: &mut Written,
    ) -> Result<Option<Vec<Proposition>>, WriterError> {
        let text = |span: Span| span.cut_from(&document.text);
        let section = document.sections.get(unit.section as usize);
        let context = section
            .map(|section| context_at(document, section, unit.span.start))
            .unwrap_or_default();
        let asked = SentenceInContext {
            context: &context,
            before: before.map(|before| text(before.span)).unwrap_or_default(),
            sentence: text(unit.span),
        };
        written.asked += 1;
        let line = |line: String| single_spaced(&line);
        let statements: Vec<String> = writer.write(&asked)?.into_iter().map(line).collect();
        if let Some(because) = refusal(&asked, &statements, &self.analyzer) {
            written.refused.push(Refused {
                sentence: asked.sentence.to_owned(),
                written: statements.join("\n"),
                because,
            });
            return Ok(None);
        }
        let setting = Setting::new(document, part, &self.analyzer);
        let proposition = |statement: &String| {
            let mut rules = vec![Rule::Model];
            let text = setting.restored(statement, &self.analyzer, &mut rules);
            let SentenceUnit { parent, section, span: source } = unit;
            Proposition { parent, section, source, stem: None, text, rules }
        };
        Ok(Some(statements.iter().map(proposition).collect()))
    }
}

fn is_flowing(part: &Part) -> bool {
    matches!(part.kind, BlockKind::Paragraph | BlockKind::ListItem | BlockKind::Quote)
}

/// Returns `true` if the rules read the sentence together with words that the writer would not see.
fn has_stem_outside(made: &[Proposition], sentence: Span) -> bool {
    made.iter().filter_map(|made| made.stem).any(|stem| !sentence.contains(stem))
}

/// Fewer words than this say nothing.
// A statement of a word or two is the answer to a question, not a statement.
const FEW_WORDS: usize = 3;

/// A reason not to use what a language model wrote about a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Refusal {
    /// There is no statement, or one of a word or two.
    TooShort,
    /// No fewer words than in the sentence point beyond it.
    Unchanged,
    /// A number, date, code or address of the sentence is missing, or another one came in.
    Facts,
    /// A word came in that neither the sentence nor what stands around it has in any inflection.
    NewWord,
    /// A word of the sentence is missing.
    LostWord,
    /// A word that turns what is said (not, must, only, before) is missing, came in or moved.
    Turned,
}

impl Refusal {
    /// In words, after "because".
    pub fn describe(self) -> &'static str {
        match self {
            Self::TooShort => "nothing was said",
            Self::Unchanged => "it still points beyond itself",
            Self::Facts => "a number, date, code or address was lost or came in",
            Self::NewWord => "a word came in",
            Self::LostWord => "a word was lost",
            Self::Turned => {
                "a word such as \"not\", \"must\" or \"before\" was lost, came in or moved"
            }
        }
    }
}

/// Finds what is wrong with the statements of a sentence, if anything is.
///
/// This catches what is invented, lost or turned into its opposite, not what is put together wrongly
/// from the right words: "they" read as the wrong one of two things.
fn refusal(
    asked: &SentenceInContext<'_>,
    statements: &[String],
    analyzer: &Analyzer,
) -> Option<Refusal> {
    let Some(lists) = Lists::of(analyzer.language()) else { return Some(Refusal::Unchanged) };
    let pointing = terms(lists.pointing.as_str(), analyzer);
    let words = |statement: &String| statement.split_whitespace().count();
    if statements.is_empty() || statements.iter().any(|statement| words(statement) < FEW_WORDS) {
        return Some(Refusal::TooShort);
    }
    let joined = statements.join(" ");
    if !keeps_facts(&joined, asked.sentence, &[asked.context]) {
        return Some(Refusal::Facts);
    }
    // In the same order: "after noon … before noon" turned round has all of its words.
    let turns = turning(asked.sentence);
    if statements.iter().any(|statement| turning(statement) != turns) {
        return Some(Refusal::Turned);
    }
    let said = terms(&joined, analyzer);
    let mut own = terms(asked.sentence, analyzer);
    let mut known: BTreeSet<String> = own.clone();
    known.extend([asked.context, asked.before].iter().flat_map(|text| terms(text, analyzer)));
    if !said.is_subset(&known) {
        return Some(Refusal::NewWord);
    }
    // What points is what the model was asked to replace.
    own.retain(|term| !pointing.contains(term));
    if !own.is_subset(&said) {
        return Some(Refusal::LostWord);
    }
    let is_resolved = lists.stand_ins(&joined) < lists.stand_ins(asked.sentence);
    (!is_resolved).then_some(Refusal::Unchanged)
}

/// The words of a text that turn what it says, in its order.
fn turning(text: &str) -> Vec<String> {
    let words = text.split(|c: char| c.is_whitespace() || matches!(c, '/' | '–' | '—'));
    let words = words.map(|word| bare(word).to_lowercase());
    words.filter(|word| is_turning(word)).collect()
}

fn is_turning(word: &str) -> bool {
    propositions::TURNING.contains(word) || word.ends_with("n't") || word.ends_with("n’t")
}

#[cfg(test)]
mod tests {
    use campanile_text::{Analyzer, Language};

    use super::{Refusal, SentenceInContext, refusal};

    /// The sentence, what was made of it, what is wrong with that.
    const CASES: &[(&str, &[&str], Option<Refusal>)] = &[
        ("It has 6 ECTS.", &["CS 101 Algorithms has 6 ECTS."], None),
        (
            "It is taught by Ms Lind and has 6 ECTS.",
            &["CS 101 is taught by Ms Lind.", "CS 101 has 6 ECTS."],
            None,
        ),
        (
            "Students must register and pay.",
            &["Students must register.", "Students must pay."],
            Some(Refusal::Unchanged),
        ),
        ("They must not be late.", &["The exams of CS 101 must not be late."], None),
        ("It has 6 ECTS.", &["CS 101 has 6."], Some(Refusal::LostWord)),
        ("It has 6 ECTS.", &["CS 101 has 8 ECTS."], Some(Refusal::Facts)),
        ("It has 6 ECTS.", &["The algorithms have ECTS."], Some(Refusal::Facts)),
        ("It has 6 ECTS.", &["CS 102 has 6 ECTS."], Some(Refusal::Facts)),
        ("It has 6 ECTS.", &["The seminar has 6 ECTS."], Some(Refusal::NewWord)),
        ("It has 6 ECTS.", &[], Some(Refusal::TooShort)),
        ("It has 6 ECTS.", &["CS 101 has 6 ECTS.", "Yes."], Some(Refusal::TooShort)),
        ("They must not be late.", &["The exams must be late."], Some(Refusal::Turned)),
        ("They may be late.", &["The exams must be late."], Some(Refusal::Turned)),
        ("Students mustn't be late.", &["Students be late all."], Some(Refusal::Turned)),
        ("It costs up to 5 Euro.", &["An exam costs 5 Euro."], Some(Refusal::Turned)),
        (
            "Register before noon but pay after noon.",
            &["Register after noon but pay before noon."],
            Some(Refusal::Turned),
        ),
        (
            "Register and pay before noon.",
            &["Register before noon.", "Pay."],
            Some(Refusal::TooShort),
        ),
        (
            "Forms must be signed and sent before noon.",
            &["Forms must be signed.", "Forms must be sent before noon."],
            Some(Refusal::Turned),
        ),
        ("It has 6 ECTS.", &["It has 6 ECTS."], Some(Refusal::Unchanged)),
        ("The latter has 6 ECTS.", &["CS 101 Algorithms has 6 ECTS."], None),
        ("You may register or pay.", &["You may register.", "You may pay."], Some(Refusal::Turned)),
    ];

    #[test]
    fn what_says_something_else_is_refused() {
        let analyzer = Analyzer::new(Language::English);
        for (sentence, statements, expected) in CASES {
            let context = "CS 101 Algorithms > Exams";
            let asked = SentenceInContext { context, before: "", sentence };
            let statements: Vec<String> = statements.iter().map(|it| (*it).to_owned()).collect();
            assert_eq!(refusal(&asked, &statements, &analyzer), *expected, "{statements:?}");
        }
    }
}
