//! One question, with what was found for it.

use std::cell::RefCell;
use std::rc::Rc;

use campanile_answer::{
    CitedSentence, ProsePrompt, Reply, answer_with, cite, nearest_examples, passages_to_read,
    prose_prompt, read_closely,
};
use campanile_browser_shared::{PageClock, PageFetch, to_js};
use campanile_campus::Found;
use campanile_model::Reading;
use campanile_retrieve::{Engine, PairTask};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsError, JsValue};

use crate::page::{AskResult, cited_in_page};

type PageEngine = Engine<PageFetch, PageClock>;

/// One question that was asked, with its passages and its answer: what can be made of them is asked
/// here, and is about no other question.
///
/// It holds its passages: the worker keeps a few, and frees the oldest (`free()`).
#[wasm_bindgen]
pub struct Asked {
    answered: Answered,
}

/// Who was asked.
#[expect(clippy::large_enum_variant, reason = "each lies on the heap by itself, with its question")]
enum Answered {
    /// This site.
    Site(Rc<PageEngine>, RefCell<Reply>),
    /// Several sites of a campus.
    Campus(Found<PageFetch, PageClock>),
}

impl Asked {
    /// A question's reply by this engine.
    pub(crate) fn new(engine: Rc<PageEngine>, reply: Reply) -> Self {
        Self { answered: Answered::Site(engine, RefCell::new(reply)) }
    }

    /// What sites of a campus found.
    pub(crate) fn of_campus(found: Found<PageFetch, PageClock>) -> Self {
        Self { answered: Answered::Campus(found) }
    }

    /// Who answers, and what they say.
    fn speaker(&self) -> Result<(Rc<PageEngine>, Reply), JsError> {
        match &self.answered {
            Answered::Site(engine, reply) => Ok((Rc::clone(engine), reply.borrow().clone())),
            Answered::Campus(found) => {
                let (engine, reply) = found.speaker().ok_or_else(nobody)?;
                Ok((engine, Reply::clone(&reply)))
            }
        }
    }

    /// The reply in place of the one before.
    fn become_reply(&self, read: Reply) -> Result<JsValue, JsError> {
        if let Answered::Site(_, reply) = &self.answered {
            reply.replace(read);
        }
        self.result()
    }
}

fn nobody() -> JsError {
    JsError::new("no site was asked")
}

#[wasm_bindgen]
impl Asked {
    /// The answer and its sources as they stand.
    ///
    /// # Errors
    /// Where the value cannot be handed to JavaScript.
    // Writing a reply out is large, and three functions end with it.
    #[inline(never)]
    #[wasm_bindgen(unchecked_return_type = "AskResult")]
    pub fn result(&self) -> Result<JsValue, JsError> {
        let (reply, sites) = match &self.answered {
            Answered::Site(_, reply) => (reply.borrow().clone(), Vec::new()),
            Answered::Campus(found) => (found.reply().ok_or_else(nobody)?, found.sites()),
        };
        to_js(&AskResult::new(&reply, &sites))
    }

    /// Reads the passages for the words that answer, and answers anew; null where what reads is not
    /// loaded.
    ///
    /// # Errors
    /// Throws where the reader fails; the answer stands as it was.
    #[wasm_bindgen(unchecked_return_type = "AskResult | null")]
    pub async fn read(&self) -> Result<JsValue, JsError> {
        let (engine, reply) = self.speaker()?;
        if !engine.pair_model_ready(PairTask::Reader) {
            return Ok(JsValue::NULL);
        }
        match &self.answered {
            Answered::Site(..) => {
                let calibration = &engine.manifest().calibration;
                self.become_reply(read_closely(&engine, reply, calibration).await?)
            }
            Answered::Campus(found) => {
                found.read().await?;
                self.result()
            }
        }
    }

    /// The passages that are read, for a reader on another device: those of the site that answers.
    ///
    /// # Errors
    /// Throws where no site was asked.
    pub fn passages_to_read(&self) -> Result<Vec<String>, JsError> {
        Ok(passages_to_read(&self.speaker()?.1))
    }

    /// Answers anew with what a reader on another device found in the passages of
    /// [`Asked::passages_to_read`]: the numbers that the `gpu` module gives.
    ///
    /// # Errors
    /// Throws where they are not of that form; the answer stands as it was.
    #[wasm_bindgen(unchecked_return_type = "AskResult")]
    pub fn read_with(&self, numbers: &[f32]) -> Result<JsValue, JsError> {
        let readings = Reading::from_numbers(numbers)
            .ok_or_else(|| JsError::new("the numbers are no readings of these passages"))?;
        let (engine, reply) = self.speaker()?;
        let calibration = &engine.manifest().calibration;
        self.become_reply(answer_with(&engine, reply, &readings, calibration))
    }

    /// What each sentence of some prose about the answer rests on.
    ///
    /// # Errors
    /// Throws where the encoder or the checker fails.
    #[wasm_bindgen(unchecked_return_type = "CitedSentence[]")]
    pub async fn cite(&self, prose: &str) -> Result<JsValue, JsError> {
        let (engine, reply) = self.speaker()?;
        let cited: Vec<CitedSentence> = cite(&engine, &reply, prose).await?;
        to_js(&cited_in_page(cited, &reply, prose))
    }

    /// The chat messages for prose about the answer; null after a refusal.
    ///
    /// # Errors
    /// Throws where the encoder fails.
    #[wasm_bindgen(unchecked_return_type = "ProsePrompt | null")]
    pub async fn prompt(&self) -> Result<JsValue, JsError> {
        let (engine, reply) = self.speaker()?;
        let examples = nearest_examples(&engine, &reply.question).await?;
        let prompt: Option<ProsePrompt> = prose_prompt(&reply, &examples);
        to_js(&prompt)
    }
}
