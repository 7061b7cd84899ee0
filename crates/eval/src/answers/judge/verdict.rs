use serde::{Deserialize, Serialize};

use super::JudgeError;

/// So much of a reply that is no verdict is shown, in characters.
const SHOWN_CHARACTERS: usize = 200;

/// A judge's opinion of an answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Verdict {
    /// `true` if the answer is right.
    pub correct: bool,
    /// The quality of the answer, 0 to 1.
    pub score: f64,
    /// Why, in a sentence.
    pub reason: String,
}

impl Verdict {
    /// Reads a verdict: one JSON object with `correct`, `score` and `reason`, white space around it
    /// or not.
    ///
    /// Nothing else is taken for a verdict: not one in a fence or behind a sentence, not one
    /// without a reason, not `"yes"`. Whoever guesses what a judge meant reports guesses.
    ///
    /// # Errors
    /// [`JudgeError::NoVerdict`].
    pub fn parse(text: &str) -> Result<Self, JudgeError> {
        let no_verdict = |reason: String| JudgeError::NoVerdict {
            found: text.trim().chars().take(SHOWN_CHARACTERS).collect(),
            reason,
        };
        let verdict: Self =
            serde_json::from_str(text).map_err(|error| no_verdict(error.to_string()))?;
        if !(0.0..=1.0).contains(&verdict.score) {
            return Err(no_verdict(format!("the score {} is not between 0 and 1", verdict.score)));
        }
        Ok(verdict)
    }
}

#[cfg(test)]
mod tests {
    use super::{JudgeError, Verdict};

    #[test]
    fn only_a_verdict_is_one() {
        let cases = [
            (r#" {"correct": true, "score": 1, "reason": "It is."} "#, true),
            (r#"{"reason": "", "score": 0.25, "correct": false}"#, true),
            ("", false),
            ("yes", false),
            (r#"Sure! {"correct": true, "score": 1, "reason": "It is."}"#, false),
            ("```json\n{\"correct\": true, \"score\": 1, \"reason\": \"\"}\n```", false),
            (r#"{"correct": true, "score": 1, "reason": "It is."} I hope this helps"#, false),
            (r#"{"correct": true, "score": 1}"#, false),
            (r#"{"correct": "true", "score": 1, "reason": ""}"#, false),
            (r#"{"correct": true, "score": 1.5, "reason": ""}"#, false),
            (r#"{"correct": true, "score": -0.1, "reason": ""}"#, false),
            (r#"{"correct": true, "score": null, "reason": ""}"#, false),
            (r#"{"correct": true, "score": 1, "reason": "", "confidence": 1}"#, false),
            (r#"{"correct": true, "correct": false, "score": 1, "reason": ""}"#, false),
        ];
        for (text, is_verdict) in cases {
            let found = Verdict::parse(text);
            assert_eq!(found.is_ok(), is_verdict, "{text}: {found:?}");
            if let Err(error) = found {
                assert!(matches!(error, JudgeError::NoVerdict { .. }), "{text}: {error}");
            }
        }
    }
}
