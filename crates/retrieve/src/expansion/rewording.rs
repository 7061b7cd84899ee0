use campanile_bundle::SearchSettings;
use campanile_text::Analyzer;

use super::phrasing::{Phrasing, hypothetical_prompt, phrasings_prompt, read_phrasings};

/// A phrasing takes fewer tokens.
const PHRASING_TOKENS: usize = 48;
/// A passage that might answer takes fewer.
const PASSAGE_TOKENS: usize = 96;

/// The texts that a language model is to write before a question is searched.
///
/// It runs nowhere here: who has a model, natively or in a page, asks it [task](Self::tasks) by task,
/// so that both put the same questions and keep the same answers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Rewording {
    /// The question in so many other ways.
    pub phrasings: usize,
    /// A passage as it might answer the question.
    pub hypothetical: bool,
}

/// One thing that a language model is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RewordingTask {
    /// So many other ways to ask.
    Questions(usize),
    /// A passage that might answer.
    Passage,
}

/// A prompt for a language model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RewordingPrompt {
    /// The instructions.
    pub system: String,
    /// The message.
    pub user: String,
    /// The most tokens of its answer.
    pub max_tokens: usize,
}

impl Rewording {
    /// Returns the rewording that a site wants for every question, where its visitor has a language model.
    pub fn of(site: &SearchSettings) -> Self {
        Self { phrasings: site.phrasings as usize, hypothetical: site.hypothetical }
    }

    /// Returns `true` if a model is to write nothing.
    pub fn is_off(self) -> bool {
        self.tasks().next().is_none()
    }

    /// Returns the tasks to put to the model, one after the other.
    pub fn tasks(self) -> impl Iterator<Item = RewordingTask> {
        let questions = (self.phrasings > 0).then_some(RewordingTask::Questions(self.phrasings));
        questions.into_iter().chain(self.hypothetical.then_some(RewordingTask::Passage))
    }
}

impl RewordingTask {
    /// Returns the prompt that the model is sent for a question.
    pub fn prompt(self, question: &str) -> RewordingPrompt {
        let ((system, user), max_tokens) = match self {
            Self::Questions(count) => (phrasings_prompt(question, count), count * PHRASING_TOKENS),
            Self::Passage => (hypothetical_prompt(question), PASSAGE_TOKENS),
        };
        RewordingPrompt { system, user, max_tokens }
    }

    /// Returns what is of use in the model's answer: a phrasing that loses a name or a code of the question
    /// is not.
    pub fn read(self, question: &str, answer: &str, analyzer: &Analyzer) -> Vec<Phrasing> {
        match self {
            Self::Questions(count) => {
                let found = read_phrasings(question, answer, count, analyzer);
                found.into_iter().map(Phrasing::Question).collect()
            }
            Self::Passage => {
                let passage = answer.trim();
                let is_there = !passage.is_empty();
                is_there.then(|| Phrasing::Passage(passage.to_owned())).into_iter().collect()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use campanile_text::{Analyzer, Language};

    use super::*;

    #[test]
    fn tasks_follow_the_settings() {
        use RewordingTask::{Passage, Questions};
        let cases: [(usize, bool, &[RewordingTask]); 4] = [
            (0, false, &[]),
            (2, false, &[Questions(2)]),
            (0, true, &[Passage]),
            (3, true, &[Questions(3), Passage]),
        ];
        for (phrasings, hypothetical, expected) in cases {
            let rewording = Rewording { phrasings, hypothetical };
            assert_eq!(rewording.tasks().collect::<Vec<_>>(), expected);
            assert_eq!(rewording.is_off(), expected.is_empty());
        }
    }

    #[test]
    fn answers_are_held_against_the_question() {
        let analyzer = Analyzer::new(Language::English);
        let question = "When is the WEN210 exam?";
        let read = |task: RewordingTask, answer: &str| task.read(question, answer, &analyzer);
        let questions = RewordingTask::Questions(2);
        let right = Phrasing::Question("On which day does WEN210 have its exam?".to_owned());
        let answer = "On which day is WEN220?\n- On which day does WEN210 have its exam?\nWhen is the WEN210 exam?";
        assert_eq!(read(questions, answer), [right]);
        assert_eq!(read(questions, ""), []);
        let passage = Phrasing::Passage("The exam is in July.".to_owned());
        assert_eq!(read(RewordingTask::Passage, " The exam is in July.\n"), [passage]);
        assert_eq!(read(RewordingTask::Passage, " \n"), []);
    }

    #[test]
    fn a_prompt_has_the_question_and_room_for_the_answer() {
        let prompt = RewordingTask::Questions(3).prompt("Who is Dr. Ode?");
        assert!(prompt.user.contains("Who is Dr. Ode?") && prompt.system.contains("Write 3 other"));
        assert_eq!(prompt.max_tokens, 3 * PHRASING_TOKENS);
        assert_eq!(RewordingTask::Passage.prompt("Who?").max_tokens, PASSAGE_TOKENS);
    }
}
