//! Replies of sites as a student would see them, each judged by a person.
//!
//! Metrics look for the right passage. Whether the page helped is another question: the passage may stand there and be
//! pointed to in the wrong place, a sure sentence may be about another group's rule, and a reservation may be all that a
//! student needed. So replies are written down as they are shown ([`JudgedAnswer`]), a person looks at each without
//! knowing which site it came from ([`judge_answers`]), and [`AnswerTally`] says what each site is worth and where two
//! differ.
//!
//! ```
//! use campanile_eval::judged_answers::{AnswerTally, JudgedAnswer};
//!
//! let line = r#"{"site": "ours", "id": "q1", "question": "What is the fee?", "category": "answerable",
//!     "assurance": "sure", "shown": "It is 5 euros.", "verdict": "helped"}"#;
//! let answers = JudgedAnswer::read_all(&line.replace('\n', " ")).expect("one answer");
//! assert_eq!(AnswerTally::of(&answers).sites[0].helped(), 1);
//! ```

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::{BufRead, Write};
use std::{fmt, io};

use campanile_answer::AnswerKind;
use campanile_questions::review::{FormEnd, ask};
use campanile_questions::{Category, Gold, Question, read_lines, write_lines};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::significance::{Bootstrap, Comparison, wilson};

/// The reply of one site to one question, with what a person says of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JudgedAnswer {
    /// The site, or the setting, that replied. People judge without it.
    pub site: String,
    /// The question's name.
    pub id: String,
    /// The question.
    pub question: String,
    /// Whether the documents answer it, as the question set says.
    pub category: Category,
    /// The answers that the set takes for right.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<String>,
    /// The places in which they stand.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gold: Vec<Gold>,
    /// How sure the reply sounds.
    pub assurance: Assurance,
    /// The answer or the refusal, as a reader sees it.
    pub shown: String,
    /// The sources, as they are shown below it. They are no part of what is judged.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub sources: String,
    /// The verdict; none as long as nobody has looked, and where none is needed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Verdict>,
    /// The reason in a few words, where it did not help.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub why: String,
}

/// How sure a reply sounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Assurance {
    /// It is given as the answer, or as the section that covers what is asked.
    Sure,
    /// It is given with a reservation.
    Reserved,
    /// Nothing is given.
    Refused,
}

impl From<AnswerKind> for Assurance {
    fn from(kind: AnswerKind) -> Self {
        match kind {
            AnswerKind::Direct | AnswerKind::Section => Self::Sure,
            AnswerKind::Qualified | AnswerKind::PossibleSection => Self::Reserved,
            AnswerKind::Refusal => Self::Refused,
        }
    }
}

/// A person's verdict on a reply to a question that the documents answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// A student who reads what is shown first knows what they asked.
    Helped,
    /// A part of it: a rule without its exception, one of two sides, the place but not the value.
    Part,
    /// Something else, and a student sees that.
    Beside,
    /// Something else that a student would take for the answer.
    Misleading,
}

impl Verdict {
    const ALL: [(char, &'static str, Self); 4] = [
        ('h', "helped", Self::Helped),
        ('p', "part", Self::Part),
        ('b', "beside", Self::Beside),
        ('m', "misleading", Self::Misleading),
    ];

    fn typed(text: &str) -> Option<Self> {
        let is_meant = |letter: char, name: &str| text == name || text.chars().eq([letter]);
        Self::ALL.into_iter().find(|&(letter, name, _)| is_meant(letter, name)).map(|it| it.2)
    }
}

/// A line is no judged answer.
#[derive(Debug, Error)]
#[error("line {line} of the answers: {source}")]
pub struct JudgedAnswerError {
    /// 1-based.
    pub line: usize,
    /// The problem with it.
    pub source: serde_json::Error,
}

impl JudgedAnswer {
    /// A reply that nobody has judged: what a reader sees as the answer, and the sources below it.
    pub fn new(
        site: &str,
        question: &Question,
        kind: AnswerKind,
        shown: String,
        sources: String,
    ) -> Self {
        Self {
            site: site.to_owned(),
            id: question.id.clone(),
            question: question.question.clone(),
            category: question.category,
            answers: question.answers.clone(),
            gold: question.gold.clone(),
            assurance: kind.into(),
            shown,
            sources,
            verdict: None,
            why: String::new(),
        }
    }

    /// Reads answers, one a line.
    ///
    /// # Errors
    /// The first line that is none.
    pub fn read_all(text: &str) -> Result<Vec<Self>, JudgedAnswerError> {
        read_lines(text, |line, source| JudgedAnswerError { line, source })
    }

    /// The answers as [`read_all`](Self::read_all) reads them.
    ///
    /// # Errors
    /// Never, as far as their texts are concerned: only what cannot be written as JSON is one.
    pub fn write_all(answers: &[Self]) -> serde_json::Result<String> {
        write_lines(answers)
    }

    /// The verdict that was given on the same reply to the same question, whichever site it came from: nobody judges
    /// one text twice.
    pub fn adopt(&mut self, judged: &[Self]) {
        let same = judged.iter().find(|it| it.verdict.is_some() && it.is_same_reply(self));
        if let Some(same) = same {
            self.verdict = same.verdict;
            self.why.clone_from(&same.why);
        }
    }

    fn is_same_reply(&self, other: &Self) -> bool {
        (&self.id, &self.question, &self.shown) == (&other.id, &other.question, &other.shown)
    }

    /// Returns `true` if a person has to say whether it helped: there is an answer, and something was given. What is
    /// said where there is none is right if it is a refusal, and that needs nobody.
    fn needs_verdict(&self) -> bool {
        self.category != Category::Unanswerable && self.assurance != Assurance::Refused
    }

    fn is_undecided(&self) -> bool {
        self.needs_verdict() && self.verdict.is_none()
    }

    fn has_helped(&self) -> bool {
        self.needs_verdict() && self.verdict == Some(Verdict::Helped)
    }

    /// The outcome in a word or two, for a list of differences.
    fn outcome(&self) -> &'static str {
        match (self.assurance, self.verdict) {
            (Assurance::Refused, _) => "refused",
            (Assurance::Reserved, Some(Verdict::Helped)) => "helped under a reservation",
            (_, Some(verdict)) => {
                Verdict::ALL.into_iter().find(|it| it.2 == verdict).map_or("", |it| it.1)
            }
            (_, None) => "not judged",
        }
    }
}

/// What people found of one site's replies.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct SiteTally {
    /// The site.
    pub site: String,
    /// Judged questions that the documents answer, the refused ones among them.
    pub answerable: usize,
    /// Those that a sure reply helped with.
    pub helped_surely: usize,
    /// Those that a reply with a reservation helped with.
    pub helped_reserved: usize,
    /// Those with a part of the answer.
    pub part: usize,
    /// Those with a reply beside the point.
    pub beside: usize,
    /// Those with a misleading reply.
    pub misleading: usize,
    /// Those that were refused although there is an answer.
    pub refused: usize,
    /// Sure replies to them.
    pub sure: usize,
    /// Questions that the documents do not answer.
    pub unanswerable: usize,
    /// Those that were refused.
    pub rightly_refused: usize,
    /// Those that got something with a reservation.
    pub rightly_reserved: usize,
    /// Replies that nobody has looked at.
    pub undecided: usize,
}

impl SiteTally {
    fn add(&mut self, answer: &JudgedAnswer) {
        if answer.category == Category::Unanswerable {
            self.unanswerable += 1;
            self.rightly_refused += usize::from(answer.assurance == Assurance::Refused);
            self.rightly_reserved += usize::from(answer.assurance == Assurance::Reserved);
            return;
        }
        if answer.is_undecided() {
            self.undecided += 1;
            return;
        }
        self.answerable += 1;
        self.sure += usize::from(answer.assurance == Assurance::Sure);
        let counter = match (answer.assurance, answer.verdict) {
            (Assurance::Refused, _) | (_, None) => &mut self.refused,
            (Assurance::Sure, Some(Verdict::Helped)) => &mut self.helped_surely,
            (Assurance::Reserved, Some(Verdict::Helped)) => &mut self.helped_reserved,
            (_, Some(Verdict::Part)) => &mut self.part,
            (_, Some(Verdict::Beside)) => &mut self.beside,
            (_, Some(Verdict::Misleading)) => &mut self.misleading,
        };
        *counter += 1;
    }

    /// Questions with which it helped, with or without a reservation.
    pub fn helped(&self) -> usize {
        self.helped_surely + self.helped_reserved
    }

    fn lines(&self) -> [(&'static str, usize, usize); 9] {
        let (all, none) = (self.answerable, self.unanswerable);
        [
            ("helped", self.helped(), all),
            ("  under a reservation", self.helped_reserved, all),
            ("in part", self.part, all),
            ("beside the point", self.beside, all),
            ("misleading", self.misleading, all),
            ("refused", self.refused, all),
            ("sure replies that helped", self.helped_surely, self.sure),
            ("no answer: refused", self.rightly_refused, none),
            ("  or reserved", self.rightly_refused + self.rightly_reserved, none),
        ]
    }
}

/// Two sites on the questions that both were judged on.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SitePair {
    /// The first site of the file.
    pub first: String,
    /// The other one.
    pub second: String,
    /// The share of questions that the second helped with, less the first's; none where there are no such questions.
    pub helped: Option<Comparison>,
    /// Each question with which one helped and the other did not.
    pub differences: Vec<Difference>,
}

/// A question with which one of two sites helped.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// The question's name.
    pub id: String,
    /// The question.
    pub question: String,
    /// The outcome of the first site.
    pub first: &'static str,
    /// The outcome of the second.
    pub second: &'static str,
}

/// The findings of people on a file of replies.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AnswerTally {
    /// The sites, in the order in which the file has them.
    pub sites: Vec<SiteTally>,
    /// The first site with each of the others.
    pub pairs: Vec<SitePair>,
}

impl AnswerTally {
    /// Counts replies.
    pub fn of(answers: &[JudgedAnswer]) -> Self {
        let mut sites: Vec<SiteTally> = Vec::new();
        for answer in answers {
            let place = sites.iter().position(|it| it.site == answer.site).unwrap_or_else(|| {
                sites.push(SiteTally { site: answer.site.clone(), ..SiteTally::default() });
                sites.len() - 1
            });
            sites[place].add(answer);
        }
        let pairs = match sites.split_first() {
            Some((first, others)) => {
                others.iter().map(|it| pair(answers, &first.site, &it.site)).collect()
            }
            None => Vec::new(),
        };
        Self { sites, pairs }
    }

    /// Replies that nobody has looked at.
    pub fn undecided(&self) -> usize {
        self.sites.iter().map(|site| site.undecided).sum()
    }
}

fn pair(answers: &[JudgedAnswer], first: &str, second: &str) -> SitePair {
    let of = |site: &str| {
        let is_counted = |it: &&JudgedAnswer| {
            it.site == site && it.category != Category::Unanswerable && !it.is_undecided()
        };
        answers.iter().filter(is_counted).collect::<Vec<_>>()
    };
    let others = of(second);
    let mut both = Vec::new();
    for one in of(first) {
        both.extend(others.iter().find(|it| it.id == one.id).map(|&other| (one, other)));
    }
    let helped = |answer: &JudgedAnswer| f64::from(u8::from(answer.has_helped()));
    let (before, after): (Vec<f64>, Vec<f64>) =
        both.iter().map(|(one, other)| (helped(one), helped(other))).unzip();
    let differ = both.iter().filter(|(one, other)| one.has_helped() != other.has_helped());
    SitePair {
        first: first.to_owned(),
        second: second.to_owned(),
        // Where no question was judged on both sites there is nothing to compare.
        helped: Comparison::new(&after, &before, &Bootstrap::default()).ok(),
        differences: differ
            .map(|(one, other)| Difference {
                id: one.id.clone(),
                question: one.question.clone(),
                first: one.outcome(),
                second: other.outcome(),
            })
            .collect(),
    }
}

/// "12 of 18, 67 % (44 to 84 %)"; a dash where there are none.
fn share(count: usize, total: usize) -> String {
    let Some(interval) = wilson(count, total, Bootstrap::default().level) else {
        return "–".to_owned();
    };
    format!(
        "{count} of {total}, {:.0} % ({:.0} to {:.0} %)",
        100.0 * count as f64 / total as f64,
        100.0 * interval.lower,
        100.0 * interval.upper
    )
}

impl fmt::Display for AnswerTally {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for site in &self.sites {
            writeln!(formatter, "{}", site.site)?;
            for (name, count, total) in site.lines() {
                writeln!(formatter, "  {name:<26}{}", share(count, total))?;
            }
            if site.undecided > 0 {
                writeln!(formatter, "  {:<26}{}", "nobody has looked at", site.undecided)?;
            }
        }
        for SitePair { first, second, helped, differences } in &self.pairs {
            let Some(helped) = helped else { continue };
            writeln!(
                formatter,
                "\n{second} beside {first}, {} questions: helped {:+.1} % ({:+.1} to {:+.1} %, p = {:.3})",
                helped.questions,
                100.0 * helped.difference,
                100.0 * helped.interval.lower,
                100.0 * helped.interval.upper,
                helped.two_sided_p
            )?;
            for Difference { id, question, first, second } in differences {
                writeln!(formatter, "  {id}  {first} -> {second}: {question}")?;
            }
        }
        Ok(())
    }
}

/// Shows each reply that nobody has judged, without the site's name, and asks. All of a question's replies come together,
/// in an order that tells nothing of their sites; what several sites show alike is judged once. `save` is called after
/// every verdict; an input that ends is a person who stops.
///
/// # Errors
/// Where the input or the output fails, or `save` does.
pub fn judge_answers(
    answers: &mut [JudgedAnswer],
    input: &mut dyn BufRead,
    output: &mut dyn Write,
    save: &mut dyn FnMut(&[JudgedAnswer]) -> io::Result<()>,
) -> io::Result<FormEnd> {
    let order = in_turn(answers);
    let total = order.len();
    let mut before = None;
    for (number, place) in (1..).zip(order) {
        let shown = &answers[place];
        write!(output, "\n{number} of {total}\n{}", beside_expected(shown))?;
        if before.replace(shown.id.clone()).as_ref() == Some(&shown.id) {
            writeln!(output, "(another reply to the same question)")?;
        }
        let prompt = "[h]elped  in [p]art  [b]eside the point  [m]isleading  [q]uit > ";
        let verdict = loop {
            match ask(prompt, input, output)?.map(|typed| typed.to_lowercase()).as_deref() {
                None | Some("q" | "quit") => return Ok(FormEnd::Stopped),
                Some(typed) => {
                    if let Some(verdict) = Verdict::typed(typed) {
                        break verdict;
                    }
                }
            }
        };
        let mut why = String::new();
        if verdict != Verdict::Helped {
            let prompt = "Why not, in a few words (Enter for nothing): ";
            let Some(typed) = ask(prompt, input, output)? else { return Ok(FormEnd::Stopped) };
            why = typed;
        }
        let judged = JudgedAnswer { verdict: Some(verdict), why, ..answers[place].clone() };
        for answer in answers.iter_mut().filter(|it| it.is_undecided()) {
            answer.adopt(std::slice::from_ref(&judged));
        }
        save(answers)?;
    }
    Ok(FormEnd::Done)
}

/// The places of the replies that need a person, each text of a question once.
fn in_turn(answers: &[JudgedAnswer]) -> Vec<usize> {
    let mut ids: Vec<&str> = Vec::new();
    let mut known = BTreeSet::new();
    for answer in answers {
        if known.insert(&answer.id) {
            ids.push(&answer.id);
        }
    }
    let mut seen = BTreeSet::new();
    let mut order = Vec::new();
    for id in ids {
        let undecided =
            answers.iter().enumerate().filter(|(_, it)| it.id == id && it.is_undecided());
        let mut places: Vec<usize> = undecided
            .filter(|(_, it)| seen.insert((&it.id, &it.question, &it.shown)))
            .map(|(place, _)| place)
            .collect();
        // By the texts, which know nothing of the sites: the first of a file would always come first.
        places.sort_by_key(|&place| {
            let mut hasher = DefaultHasher::new();
            answers[place].shown.hash(&mut hasher);
            hasher.finish()
        });
        order.extend(places);
    }
    order
}

fn beside_expected(answer: &JudgedAnswer) -> String {
    let mut text = format!("Question: {}\n", answer.question);
    if !answer.answers.is_empty() {
        text += &format!("Right:    {}\n", answer.answers.join("; or: "));
    }
    for gold in &answer.gold {
        let place = gold.document.as_deref().or(gold.link.as_deref()).unwrap_or_default();
        text +=
            &format!("Stands in {place}: {}\n", gold.passage.as_deref().unwrap_or("(no passage)"));
    }
    for (name, shown) in [("Shown", &answer.shown), ("Below it", &answer.sources)] {
        text += &format!("{name}:\n");
        for line in shown.lines() {
            text += &format!("  | {line}\n");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, clippy::panic, reason = "a test may fail")]

    use super::{AnswerTally, FormEnd, JudgedAnswer, judge_answers};

    /// A reply of a site to a question: how sure it is, what is shown, and a verdict, if any.
    fn reply(site: &str, id: &str, assurance: &str, shown: &str, verdict: &str) -> JudgedAnswer {
        let category = if id.starts_with('u') { "unanswerable" } else { "answerable" };
        let verdict = match verdict {
            "" => String::new(),
            verdict => format!(r#", "verdict": "{verdict}""#),
        };
        let line = format!(
            r#"{{"site": "{site}", "id": "{id}", "question": "What of {id}?", "category": "{category}", "answers": ["5 euros"], "assurance": "{assurance}", "shown": "{shown}"{verdict}}}"#
        );
        JudgedAnswer::read_all(&line).unwrap().remove(0)
    }

    #[test]
    fn each_outcome_is_counted_where_it_belongs() {
        let answers = [
            reply("a", "1", "sure", "x", "helped"),
            reply("a", "2", "reserved", "x", "helped"),
            reply("a", "3", "reserved", "x", "part"),
            reply("a", "4", "sure", "x", "beside"),
            reply("a", "5", "sure", "x", "misleading"),
            reply("a", "6", "refused", "no", ""),
            reply("a", "7", "sure", "x", ""),
            reply("a", "u1", "refused", "no", ""),
            reply("a", "u2", "reserved", "x", ""),
            reply("a", "u3", "sure", "x", ""),
        ];
        let tally = AnswerTally::of(&answers);
        let [site] = tally.sites.as_slice() else { panic!("one site") };
        assert_eq!((site.answerable, site.helped(), site.helped_surely), (6, 2, 1));
        assert_eq!((site.part, site.beside, site.misleading, site.refused), (1, 1, 1, 1));
        assert_eq!((site.unanswerable, site.rightly_refused, site.rightly_reserved), (3, 1, 1));
        assert_eq!((site.sure, site.undecided, tally.undecided()), (3, 1, 1));
        let told = tally.to_string();
        assert!(told.contains("helped                    2 of 6, 33 % (10 to 70 %)"), "{told}");
        assert!(told.contains("  or reserved             2 of 3"), "{told}");
    }

    #[test]
    fn two_sites_are_compared_on_the_questions_that_both_were_judged_on() {
        let answers = [
            reply("before", "1", "sure", "x", "misleading"),
            reply("before", "2", "sure", "x", "helped"),
            reply("before", "3", "sure", "x", "helped"),
            reply("before", "4", "sure", "x", "helped"),
            reply("after", "1", "reserved", "y", "helped"),
            reply("after", "2", "sure", "x", "helped"),
            reply("after", "3", "refused", "no", ""),
            reply("after", "4", "sure", "y", ""),
        ];
        let tally = AnswerTally::of(&answers);
        let [pair] = tally.pairs.as_slice() else { panic!("one pair") };
        let helped = pair.helped.as_ref().unwrap();
        assert_eq!((helped.questions, helped.difference), (3, 0.0));
        let seen: Vec<_> = pair.differences.iter().map(|it| (it.first, it.second)).collect();
        assert_eq!(seen, [("misleading", "helped under a reservation"), ("helped", "refused")]);
        assert!(tally.to_string().contains("after beside before, 3 questions: helped +0.0 %"));
    }

    #[test]
    fn who_judges_sees_no_site_and_no_reply_twice_and_goes_on_where_they_stopped() {
        let mut answers = vec![
            reply("alpha", "1", "sure", "It is 5 euros.", ""),
            reply("alpha", "2", "sure", "Nine.", ""),
            reply("alpha", "u1", "sure", "Never shown.", ""),
            reply("beta", "1", "reserved", "It is 5 euros.", ""),
            reply("beta", "2", "sure", "Ten.", ""),
            reply("beta", "3", "refused", "Nothing.", ""),
        ];
        let mut saved = 0;
        let mut run = |answers: &mut [JudgedAnswer], typed: &str| {
            let mut output = Vec::new();
            let end = judge_answers(answers, &mut typed.as_bytes(), &mut output, &mut |_| {
                saved += 1;
                Ok(())
            });
            (end.unwrap(), String::from_utf8(output).unwrap())
        };
        let (end, output) = run(&mut answers, "perhaps\nh\nm\n");
        assert_eq!(end, FormEnd::Stopped, "a verdict without its reason is none");
        assert!(output.contains("1 of 3") && output.contains("Right:    5 euros"), "{output}");
        for hidden in ["alpha", "beta", "Never shown", "Nothing."] {
            assert!(!output.contains(hidden), "{hidden}: {output}");
        }
        let verdicts =
            |answers: &[JudgedAnswer]| answers.iter().filter(|it| it.verdict.is_some()).count();
        assert_eq!(verdicts(&answers), 2, "what both show alike is judged once");
        let (end, output) = run(&mut answers, "p\nhalf\nmisleading\nanother row\n");
        assert_eq!(end, FormEnd::Done);
        assert!(output.contains("another reply to the same question"), "{output}");
        assert_eq!((verdicts(&answers), saved), (4, 3));
        assert!(answers.iter().any(|it| it.why == "another row"));
    }

    #[test]
    fn a_file_is_written_as_it_was_read_and_a_wrong_line_is_named() {
        let answers = [reply("a", "1", "sure", "x", "part"), reply("a", "2", "refused", "x", "")];
        let written = JudgedAnswer::write_all(&answers).unwrap();
        assert_eq!(JudgedAnswer::read_all(&written).unwrap(), answers);
        let wrong = format!("{written}{{\"id\": 5}}");
        assert!(JudgedAnswer::read_all(&wrong).unwrap_err().to_string().starts_with("line 3 of"));
    }
}
