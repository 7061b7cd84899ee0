//! Adds to a question what else it might have said.
//!
//! Without a server and without a second model: [synonyms](OtherForms) that the documents introduce
//! themselves, and the words of the [best passages](feedback_terms). A language model on the
//! reader's device may add [phrasings](Phrasing) of its own, where the site [wants them](Rewording); what it may not do is to lose a
//! [name or a code](keeps_names) on the way.

mod feedback;
mod phrasing;
mod rewording;
mod synonyms;

pub use feedback::{Feedback, feedback_terms};
pub use phrasing::{Phrasing, keeps_names, read_phrasings};
pub use rewording::{Rewording, RewordingPrompt, RewordingTask};
pub use synonyms::{Expansion, OtherForms};
