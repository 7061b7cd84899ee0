use std::collections::BTreeSet;

/// Precision and recall of an answer's citations: do they point to passages that answer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CitationScore {
    /// Cited passages that answer, by all cited ones; `None` where none is cited.
    pub precision: Option<f64>,
    /// Cited passages that answer, by all shown that answer; `None` where none of them does.
    pub recall: Option<f64>,
}

/// Compares the passages that an answer cites with the grades of those that were shown.
///
/// `cited` are places among the shown passages, from 0; one that is named twice counts once, one
/// beyond the end is cited and does not answer. A passage answers where its grade is above 0.
pub fn citations(cited: &[usize], grades: &[u32]) -> CitationScore {
    let cited: BTreeSet<usize> = cited.iter().copied().collect();
    let answers = |place: &&usize| grades.get(**place).is_some_and(|grade| *grade > 0);
    let right = cited.iter().filter(answers).count();
    let answering = grades.iter().filter(|grade| **grade > 0).count();
    let share = |of: usize| (of > 0).then(|| right as f64 / of as f64);
    CitationScore { precision: share(cited.len()), recall: share(answering) }
}

#[cfg(test)]
mod tests {
    use super::{CitationScore, citations};

    #[test]
    fn cases() {
        let check = |cited: &[usize], grades: &[u32], precision, recall| {
            assert_eq!(citations(cited, grades), CitationScore { precision, recall }, "{cited:?}");
        };
        check(&[0, 2], &[1, 0, 2, 1], Some(1.0), Some(2.0 / 3.0));
        check(&[1, 1, 0], &[1, 0], Some(0.5), Some(1.0));
        check(&[9], &[1], Some(0.0), Some(0.0));
        check(&[], &[1], None, Some(0.0));
        check(&[0], &[0], Some(0.0), None);
    }
}
