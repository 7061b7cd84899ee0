use campanile_grounding::{Continuation, Grounds};
use campanile_model::TokenConstraint;

/// Lets an answer state only those numbers, dates, codes and addresses that its evidence states.
pub struct Grounded<'a>(Continuation<'a>);

impl<'a> Grounded<'a> {
    /// By what the evidence states.
    pub fn by(grounds: &'a Grounds) -> Self {
        Self(Continuation::new(grounds))
    }
}

impl TokenConstraint for Grounded<'_> {
    fn allows(&mut self, text: &str, piece: &str) -> bool {
        self.0.allows(text, piece)
    }

    fn may_end(&mut self, text: &str) -> bool {
        self.0.may_end(text)
    }
}
