//! The page's side of the language model: answers and questions in other words, piece by piece.

use std::cell::RefCell;

use campanile_browser_shared::{
    OnProgress, PageClock, PageFetch, ReadFile, report_progress, to_js,
};
use campanile_grounding::{Continuation, Grounds, repeats_from};
use campanile_model::{ChatMessage, Finish, GenerateOptions, TokenConstraint};
use campanile_retrieve::{Clock as _, Phrasing, RewordingPrompt};
use campanile_text::Analyzer;
use js_sys::{Function, Promise};
use serde::{Deserialize, Serialize};
use tsify::Tsify;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsError, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::MessageChannel;

use crate::ProseError;
use crate::load::{Compute, LanguageModel, TeamMates, load};

/// An open language model.
#[wasm_bindgen]
pub struct Prose {
    model: RefCell<LanguageModel>,
    compute: Compute,
    clock: PageClock,
    turns: Turns,
}

#[wasm_bindgen]
impl Prose {
    /// Fetches the site's language model and puts it on a device.
    ///
    /// `progress(loaded, total)` is called with bytes as shards arrive. On the CPU, `helpers` are
    /// workers that hold a [`Helper`](crate::Helper) each: `Helpers`.
    ///
    /// # Errors
    /// Rejects where the model cannot be had, the device cannot be started, or it computes wrongly.
    pub async fn open(
        read: ReadFile,
        #[wasm_bindgen(unchecked_param_type = "'webgpu' | 'cpu'")] device: &str,
        progress: OnProgress,
        helpers: Option<TeamMates>,
    ) -> Result<Prose, JsError> {
        let compute = Compute::parse(device)?;
        let mut report = |loaded, total| report_progress(&progress, loaded, total);
        let model = load(PageFetch::new(read), compute, helpers, &mut report).await?;
        let turns = Turns::new()?;
        Ok(Prose { model: RefCell::new(model), compute, clock: PageClock::default(), turns })
    }

    /// The device that the model runs on: `webgpu` or `cpu`.
    #[wasm_bindgen(unchecked_return_type = "'webgpu' | 'cpu'")]
    pub fn device(&self) -> String {
        self.compute.name().to_owned()
    }

    /// Answers a request, always with the likeliest token.
    ///
    /// With `evidence`, the answer states only those numbers, dates, codes and addresses that one of the
    /// texts states, unless `grounded` is `false`, and ends where it would say the same again.
    ///
    /// `on_text(piece)` is called as text comes; `false` from it stops the answer.
    ///
    /// # Errors
    /// Rejects where the prompt is too long for the model, the device fails, or another answer is
    /// being written.
    #[wasm_bindgen(unchecked_return_type = "ProseResult")]
    pub async fn generate(
        &self,
        #[wasm_bindgen(unchecked_param_type = "ProseRequest")] request: JsValue,
        #[wasm_bindgen(unchecked_param_type = "(piece: string) => boolean")] on_text: Function,
    ) -> Result<JsValue, JsError> {
        let request: ProseRequest = serde_wasm_bindgen::from_value(request)?;
        to_js(&self.write(&request, &on_text).await?)
    }

    /// Returns `true` if the site wants questions in other words.
    pub fn rewords(&self) -> bool {
        self.model.try_borrow().is_ok_and(|model| !model.rewording.is_off())
    }

    /// Writes a question in other words, as the site wants it. What loses a name, a number or a code of the question is dropped; after a stop, everything is.
    ///
    /// `go_on()` is called as text comes; `false` from it stops.
    ///
    /// # Errors
    /// As [`Prose::generate`].
    #[wasm_bindgen(unchecked_return_type = "OtherWords")]
    pub async fn reword(
        &self,
        question: String,
        #[wasm_bindgen(unchecked_param_type = "() => boolean")] go_on: Function,
    ) -> Result<JsValue, JsError> {
        let mut reworded = OtherWords::default();
        // Copied out, so that no borrow lasts while the model writes, which borrows it anew.
        let (rewording, language) = {
            let model = self.model.try_borrow().map_err(|_| ProseError::Busy)?;
            (model.rewording, model.language)
        };
        let analyzer = Analyzer::new(language);
        for task in rewording.tasks() {
            let RewordingPrompt { system, user, max_tokens } = task.prompt(&question);
            let request = ProseRequest { system, user, max_tokens, ..ProseRequest::default() };
            let written = self.write(&request, &go_on).await?;
            if written.stopped {
                // With some of the phrasings, the ranking would depend on the moment of the stop.
                return to_js(&OtherWords { stopped: true, ..OtherWords::default() });
            }
            for phrasing in task.read(&question, &written.text, &analyzer) {
                match phrasing {
                    Phrasing::Question(words) => reworded.phrasings.push(words),
                    Phrasing::Passage(words) => reworded.passage = Some(words),
                }
            }
        }
        to_js(&reworded)
    }
}

impl Prose {
    #[expect(
        clippy::await_holding_refcell_ref,
        reason = "a worker has one thread, and a second call is refused rather than waited for"
    )]
    async fn write(
        &self,
        request: &ProseRequest,
        on_text: &Function,
    ) -> Result<ProseResult, ProseError> {
        let mut model = self.model.try_borrow_mut().map_err(|_| ProseError::Busy)?;
        let LanguageModel { decoder, template, language, .. } = &mut *model;
        let examples =
            request.examples.iter().map(|turn| (turn.user.as_str(), turn.reply.as_str()));
        let messages = ChatMessage::conversation(&request.system, examples, &request.user);
        let prompt = decoder.chat_tokens(template, &messages)?;
        let options = GenerateOptions::greedy(request.max_tokens);
        let evidence = request.evidence.as_ref().filter(|_| request.grounded);
        let grounds =
            evidence.map(|texts| Grounds::of(texts.iter().map(String::as_str), *language));
        let started = self.clock.now_ms();
        let mut generation = decoder.start(&prompt, &options)?;
        if let Some(grounds) = &grounds {
            generation = generation.with_constraint(Grounded::by(grounds));
        }
        let (mut stopped, mut repeated) = (false, None);
        let mut text = String::new();
        while let Some(piece) = generation.next().await? {
            text.push_str(&piece);
            // A small model that has nothing more to say begins again, and would until `max_tokens`.
            repeated = evidence.and_then(|_| repeats_from(&text));
            if repeated.is_some() {
                break;
            }
            // A callback that throws stops nothing: the page sees its own error.
            let go_on = on_text.call1(&JsValue::NULL, &JsValue::from_str(&piece));
            if go_on.is_ok_and(|value| value.is_falsy()) {
                stopped = true;
                break;
            }
            self.turns.next().await?;
        }
        let mut generated = generation.finish()?;
        generated.text.truncate(repeated.unwrap_or(generated.text.len()));
        // What repeats was cut where it begins to: what stands before is whole.
        let is_whole = repeated.is_some() || generated.finish != Finish::Stopped;
        Ok(ProseResult {
            text: generated.text,
            tokens: generated.tokens.len(),
            milliseconds: self.clock.now_ms() - started,
            stopped: stopped || !is_whole,
        })
    }
}

/// A question in other words.
#[derive(Default, Serialize, Tsify)]
#[tsify(missing_as_null)]
pub struct OtherWords {
    /// Other ways to ask it.
    phrasings: Vec<String>,
    /// Made up: how a passage that answers might read.
    passage: Option<String>,
    /// `true` if it was stopped, and nothing came of it.
    stopped: bool,
}

/// What the language model is asked.
#[derive(Default, Deserialize, Tsify)]
pub struct ProseRequest {
    /// The instructions.
    system: String,
    /// Worked examples, as turns before the question.
    #[serde(default)]
    examples: Vec<ProseTurn>,
    /// The evidence and the question.
    user: String,
    /// The most tokens of the answer.
    max_tokens: usize,
    /// The texts from which it may state numbers, dates, codes and addresses.
    #[tsify(optional)]
    evidence: Option<Vec<String>>,
    /// `false` if it may state others too.
    #[serde(default = "yes")]
    grounded: bool,
}

/// A message and the reply that is wanted, as an example.
#[derive(Deserialize, Tsify)]
pub struct ProseTurn {
    user: String,
    reply: String,
}

fn yes() -> bool {
    true
}

/// What the language model wrote.
#[derive(Serialize, Tsify)]
pub struct ProseResult {
    text: String,
    /// The number of tokens.
    tokens: usize,
    milliseconds: f64,
    /// `true` if the visitor stopped it, or it was cut.
    stopped: bool,
}

/// Lets an answer state only those numbers, dates, codes and addresses that its evidence states.
struct Grounded<'a>(Continuation<'a>);

impl<'a> Grounded<'a> {
    /// By what the evidence states.
    fn by(grounds: &'a Grounds) -> Self {
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

/// Lets the worker's other messages through, such as a reader's "stop".
///
/// Awaiting the CPU never leaves the worker's current task, so a message to ourselves ends it. A
/// timer would do as well, but browsers hold timers that follow each other back for 4 ms, a quarter
/// of what a token takes.
struct Turns {
    channel: MessageChannel,
}

impl Turns {
    /// Opens the way to ourselves.
    fn new() -> Result<Self, ProseError> {
        Ok(Self { channel: MessageChannel::new().map_err(refused)? })
    }

    /// Resolves after the messages that were waiting.
    async fn next(&self) -> Result<(), ProseError> {
        let mut sent = Ok(());
        let arrived = Promise::new(&mut |resolve, _| {
            self.channel.port1().set_onmessage(Some(&resolve));
            sent = self.channel.port2().post_message(&JsValue::NULL);
        });
        sent.map_err(refused)?;
        JsFuture::from(arrived).await.map_err(refused)?;
        Ok(())
    }
}

fn refused(error: JsValue) -> ProseError {
    ProseError::Messages(format!("{error:?}"))
}
