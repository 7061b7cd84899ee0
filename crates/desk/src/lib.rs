//! Questions that a language model writes for a site's passages.
//!
//! A large model has no place in the page, but its work has: at the department's desk it reads each passage once and
//! writes which questions a student would have that the passage answers. These are indexed beside the passages, as a
//! FAQ's own questions are, so that a visitor who asks in quite other words still finds the place.
//!
//! Nothing is taken on the model's word. Each pair of a question and a short answer is held against the passage and
//! against the site's own search ([`check`]), and what fails is named with its reason. The answer that a visitor is shown
//! stays the department's own text: the written one only tells which sentences answer.
//!
//! - [`prompt`]: what there is to ask about, what a model is told, and what is read from its reply. Each passage has a
//!   name that changes with its text.
//! - [`service`]: models behind an address that speaks the OpenAI protocol.
//! - [`replies`]: what was replied so far, so that nothing is asked twice or lost.
//!
//! `campanile questions` puts these together.
//!
//! ```
//! use campanile_desk::prompt::pairs;
//!
//! let reply = r#"Sure! {"questions": [{"question": "When is it open?", "answer": "From 8:00."}]}"#;
//! let pairs = pairs(reply).expect("there is JSON in it");
//! assert_eq!(pairs[0].answer, "From 8:00.");
//! ```

pub mod check;
pub mod prompt;
pub mod replies;
pub mod service;
