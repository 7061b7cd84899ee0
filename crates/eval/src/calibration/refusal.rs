use serde::Serialize;

/// Refusals against what should have been refused. A refusal is what is looked for: a right one is
/// a true positive.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct RefusalCounts {
    /// Rightly refused: the documents do not answer.
    pub refused_unanswerable: usize,
    /// Refused though answerable: help that was withheld.
    pub refused_answerable: usize,
    /// Answered though unanswerable: an answer that must be made up.
    pub answered_unanswerable: usize,
    /// Rightly answered, whatever the answer was worth.
    pub answered_answerable: usize,
}

impl RefusalCounts {
    /// Counts one question.
    pub fn add(&mut self, answerable: bool, refused: bool) {
        let count = match (answerable, refused) {
            (false, true) => &mut self.refused_unanswerable,
            (true, true) => &mut self.refused_answerable,
            (false, false) => &mut self.answered_unanswerable,
            (true, false) => &mut self.answered_answerable,
        };
        *count += 1;
    }

    /// The share of refusals that are right; `None` where nothing was refused.
    pub fn precision(&self) -> Option<f64> {
        share(self.refused_unanswerable, self.refused_answerable)
    }

    /// The share of unanswerable questions that are refused; `None` without such questions.
    pub fn recall(&self) -> Option<f64> {
        share(self.refused_unanswerable, self.answered_unanswerable)
    }

    /// 2 · precision · recall / (precision + recall); 0 where nothing was refused that should have
    /// been, `None` where nothing was refused and nothing should have been.
    pub fn f1(&self) -> Option<f64> {
        let right = 2 * self.refused_unanswerable;
        share(right, self.refused_answerable + self.answered_unanswerable)
    }

    /// The share of answerable questions that are refused; `None` without such questions.
    pub fn over_refusal(&self) -> Option<f64> {
        share(self.refused_answerable, self.answered_answerable)
    }

    /// The share of unanswerable questions that are answered; `None` without such questions.
    pub fn false_answers(&self) -> Option<f64> {
        share(self.answered_unanswerable, self.refused_unanswerable)
    }
}

/// `part` of both.
fn share(part: usize, rest: usize) -> Option<f64> {
    let total = part + rest;
    (total > 0).then(|| part as f64 / total as f64)
}
