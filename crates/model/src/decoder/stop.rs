//! Texts that end an answer before the model does.

/// Watches an answer's text for stop strings, which may begin in one piece and end in another.
///
/// What might be the beginning of one is held back, so that nothing of it is ever handed out.
#[derive(Debug, Default)]
pub(super) struct StopStrings {
    strings: Vec<String>,
    held: String,
}

impl StopStrings {
    /// Watches for `strings`, none of which is empty.
    pub(super) fn new(strings: Vec<String>) -> Self {
        Self { strings, held: String::new() }
    }

    /// Takes a piece of the answer. Returns what may be handed out, and whether a stop string
    /// followed it.
    pub(super) fn push(&mut self, piece: String) -> (String, bool) {
        if self.strings.is_empty() {
            return (piece, false);
        }
        self.held.push_str(&piece);
        let first = self.strings.iter().filter_map(|stop| self.held.find(stop.as_str())).min();
        if let Some(at) = first {
            self.held.truncate(at);
            return (std::mem::take(&mut self.held), true);
        }
        let rest = self.held.split_off(self.held.len() - self.possible_beginning());
        (std::mem::replace(&mut self.held, rest), false)
    }

    /// Returns the text that was held back, once nothing can follow it.
    pub(super) fn finish(&mut self) -> String {
        std::mem::take(&mut self.held)
    }

    /// Bytes at the end of `held` with which a stop string begins.
    fn possible_beginning(&self) -> usize {
        let longest = self.strings.iter().map(|stop| stop.len() - 1).max().unwrap_or(0);
        (1..=longest.min(self.held.len()))
            .rev()
            .find(|&length| {
                self.held
                    .get(self.held.len() - length..)
                    .is_some_and(|end| self.strings.iter().any(|stop| stop.starts_with(end)))
            })
            .unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::StopStrings;

    fn run(stops: &[&str], pieces: &[&str]) -> (Vec<String>, bool) {
        let mut strings = StopStrings::new(stops.iter().map(|&stop| stop.to_owned()).collect());
        let mut handed_out = Vec::new();
        for piece in pieces {
            let (text, stopped) = strings.push((*piece).to_owned());
            handed_out.push(text);
            if stopped {
                return (handed_out, true);
            }
        }
        handed_out.push(strings.finish());
        (handed_out, false)
    }

    #[test]
    fn a_stop_string_may_span_pieces() {
        let (pieces, stopped) = run(&["\nUser:"], &["Yes.", "\n", "Us", "er", ": and"]);
        assert_eq!(pieces, ["Yes.", "", "", "", ""]);
        assert!(stopped);
    }

    #[test]
    fn a_false_start_is_handed_out_once_it_is_one() {
        let (pieces, stopped) = run(&["###"], &["a#", "#", "b##"]);
        assert_eq!(pieces, ["a", "", "##b", "##"]);
        assert!(!stopped);
    }

    #[test]
    fn the_first_of_several_ends_the_answer() {
        let (pieces, stopped) = run(&["later", "now"], &["stop now, not later"]);
        assert_eq!(pieces, ["stop "]);
        assert!(stopped);
    }

    #[test]
    fn characters_of_several_bytes_are_not_cut() {
        let (pieces, stopped) = run(&["–☕–"], &["tea – ", "–☕", "🍰", "–☕–"]);
        assert_eq!(pieces, ["tea – ", "", "–☕🍰", ""]);
        assert!(stopped);
    }

    proptest! {
        /// However a text is cut into pieces, what is handed out is the text before the stop.
        #[test]
        fn the_cuts_do_not_matter(text in "[ab#]{0,20}", cuts in prop::collection::vec(0usize..20, 0..6)) {
            let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(text.len())).collect();
            cuts.extend([0, text.len()]);
            cuts.sort_unstable();
            let pieces: Vec<&str> = cuts.windows(2).map(|pair| &text[pair[0]..pair[1]]).collect();
            let (handed_out, stopped) = run(&["##a", "b#b"], &pieces);
            let end = ["##a", "b#b"].iter().filter_map(|stop| text.find(stop)).min();
            // Which of two stop strings is complete first depends on the cuts only where they
            // overlap; the text before either is the same text or shorter.
            if let Some(end) = end {
                prop_assert!(stopped);
                prop_assert!(text.starts_with(&handed_out.concat()));
                prop_assert!(handed_out.concat().len() >= end);
            } else {
                prop_assert!(!stopped);
                prop_assert_eq!(handed_out.concat(), text);
            }
        }
    }
}
