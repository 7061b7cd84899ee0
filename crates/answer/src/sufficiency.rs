use serde::Serialize;

/// What is known of the evidence before an answer is given.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Evidence {
    /// The best cosine between the question and one of the candidate sentences or passages; none
    /// when only keywords were searched.
    pub best_cosine: Option<f32>,
    /// The share of the question's terms, 0 to 1, that the best passage holds.
    pub coverage: f32,
}

/// Below which evidence a refusal is the honest answer.
///
/// The defaults were set on the sample campus' questions (see `docs/reference/measurements.md`):
/// meaning decides, and shared words can only help a middling cosine over the bar.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Thresholds {
    /// With at least this cosine the evidence suffices, whatever words are shared.
    pub sure_cosine: f32,
    /// Below this cosine it never does.
    pub least_cosine: f32,
    /// Between the two, this share of the question's terms must be there.
    pub coverage: f32,
    /// Without an encoder, this share of the question's terms must be there.
    pub lexical_coverage: f32,
}

impl Default for Thresholds {
    fn default() -> Self {
        Self { sure_cosine: 0.65, least_cosine: 0.4, coverage: 0.55, lexical_coverage: 0.55 }
    }
}

impl Thresholds {
    /// Whether an answer may be given.
    pub fn suffices(&self, evidence: &Evidence) -> bool {
        match evidence.best_cosine {
            None => evidence.coverage >= self.lexical_coverage,
            Some(cosine) if cosine >= self.sure_cosine => true,
            Some(cosine) if cosine < self.least_cosine => false,
            Some(_) => evidence.coverage >= self.coverage,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn meaning_decides_and_words_help() {
        let thresholds = Thresholds {
            sure_cosine: 0.6,
            least_cosine: 0.3,
            coverage: 0.5,
            lexical_coverage: 0.5,
        };
        let cases = [
            (Some(0.7), 0.0, true),
            (Some(0.2), 1.0, false),
            (Some(0.4), 0.6, true),
            (Some(0.4), 0.4, false),
            (None, 0.6, true),
            (None, 0.4, false),
        ];
        for (best_cosine, coverage, expected) in cases {
            let evidence = Evidence { best_cosine, coverage };
            assert_eq!(thresholds.suffices(&evidence), expected, "{evidence:?}");
        }
    }
}
