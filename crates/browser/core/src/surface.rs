use std::rc::Rc;

use campanile_answer::{Turn, answer_from, resolve};
use campanile_browser_shared::{
    OnProgress, PageClock, PageFetch, ReachSite, ReadFile, report_progress, to_js,
};
use campanile_bundle::{ChunkId, SearchOverrides};
use campanile_campus::Campus;
use campanile_corpus::metadata::Profile;
use campanile_retrieve::{Engine, PairTask, Phrasing, SearchOptions};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsError, JsValue};

use crate::asked::Asked;
use crate::page::SourceDocument;

/// An open site: asks, finds, answers.
#[wasm_bindgen]
pub struct Core {
    engine: Rc<Engine<PageFetch, PageClock>>,
    /// The sites that this one asks, where it is a campus's.
    campus: Option<Campus<PageFetch, PageClock>>,
}

#[wasm_bindgen]
impl Core {
    /// Opens the site whose files `read` fetches; `reach` gives the same for each of the sites that a campus asks.
    ///
    /// # Errors
    /// Rejects where the manifest cannot be read or is of a format this module does not know.
    pub async fn open(read: ReadFile, reach: ReachSite) -> Result<Core, JsError> {
        let clock = PageClock::default();
        let engine = Rc::new(Engine::open(PageFetch::new(read), clock.clone()).await?);
        let campus = match engine.manifest().campus {
            None => None,
            Some(_) => {
                let reach = Box::new(move |address: &str| PageFetch::of_site(&reach, address));
                Some(Campus::open(Rc::clone(&engine), clock, reach).await?)
            }
        };
        Ok(Core { engine, campus })
    }

    /// What a reader may tell of themselves that makes a difference to this site's documents.
    ///
    /// # Errors
    /// Rejects where the documents' head is damaged.
    #[wasm_bindgen(unchecked_return_type = "Choices")]
    pub async fn choices(&self) -> Result<JsValue, JsError> {
        match &self.campus {
            Some(campus) => to_js(&campus.choices()),
            None => to_js(&self.engine.choices().await?),
        }
    }

    /// Answers a question: by keywords at first, with the static encoder once that is loaded, and
    /// with the encoder as soon as that is.
    /// `profile` is who asks, as a JSON object, with the day as `date`; with `everyone`, documents
    /// that are for others are searched too. `phrasings` are the question in other words, and `passage`
    /// a made-up answer: both are searched beside it, and the language model's module writes them.
    /// `settings` are those of `[search]` that are others for this question, as a JSON object.
    ///
    /// # Errors
    /// Rejects where nothing can be searched at all, or the profile or the settings are none.
    pub async fn ask(
        &self,
        question: String,
        profile: Option<String>,
        everyone: bool,
        phrasings: Vec<String>,
        passage: Option<String>,
        settings: Option<String>,
    ) -> Result<Asked, JsError> {
        let fields = profile.as_deref().map(serde_json::from_str).transpose()?.unwrap_or_default();
        let profile =
            Profile::read(&fields).map_err(|problem| JsError::new(&problem.to_string()))?;
        let phrasings = phrasings.into_iter().map(Phrasing::Question);
        let phrasings = phrasings.chain(passage.map(Phrasing::Passage)).collect();
        let settings = settings.as_deref().map(SearchOverrides::from_json).transpose()?;
        let options = SearchOptions {
            profile,
            everyone,
            phrasings,
            ..SearchOptions::from(settings.unwrap_or_default())
        };
        if let Some(campus) = &self.campus {
            return Ok(Asked::of_campus(campus.ask(&question, &options).await?));
        }
        let retrieval = self.engine.search(&question, &options).await?;
        let calibration = &self.engine.manifest().calibration;
        let reply = answer_from(&self.engine, retrieval, calibration).await?;
        Ok(Asked::new(Rc::clone(&self.engine), reply))
    }

    /// A question that points back at earlier ones of the same conversation, as it stands alone; nothing where it does
    /// already. `earlier` are those that were searched, in their order.
    pub fn follow_up(&self, question: &str, earlier: Vec<String>) -> Option<String> {
        let earlier: Vec<Turn> = earlier.into_iter().map(|question| Turn { question }).collect();
        Some(resolve(question, &earlier)?.question)
    }

    /// Fetches what searches by meaning, roughly, before the encoder is there.
    ///
    /// # Errors
    /// Rejects where the site has none or a part of it is damaged; keyword search goes on.
    pub async fn load_instant(&self) -> Result<(), JsError> {
        Ok(self.engine.load_instant().await?)
    }

    /// Fetches the encoder and gets it ready; `progress(loaded, total)` is called with bytes.
    ///
    /// # Errors
    /// Rejects where a part of the encoder is damaged or missing; keyword search goes on.
    pub async fn load_encoder(&self, progress: OnProgress) -> Result<(), JsError> {
        self.engine
            .load_encoder(&mut |loaded, total| report_progress(&progress, loaded, total))
            .await?;
        Ok(())
    }

    /// Fetches what finds the words that answer in a passage, once the encoder is there.
    ///
    /// # Errors
    /// Rejects where the site has none, it is damaged or does not fit the encoder; answers are whole
    /// sentences then.
    pub async fn load_span_reader(&self) -> Result<(), JsError> {
        Ok(self.engine.load_pair_model(PairTask::Reader, &mut |_, _| {}).await?)
    }

    /// Fetches what says whether a passage supports a sentence, once the encoder is there.
    ///
    /// # Errors
    /// Rejects where the site has none, it is damaged or does not fit the encoder.
    pub async fn load_checker(&self) -> Result<(), JsError> {
        Ok(self.engine.load_pair_model(PairTask::Checker, &mut |_, _| {}).await?)
    }

    /// Whether questions are searched by meaning too.
    pub fn encoder_ready(&self) -> bool {
        self.engine.encoder_ready()
    }

    /// The whole document around a passage, for reading it in its place.
    ///
    /// # Errors
    /// Rejects where the document's shard is damaged or there is no such passage.
    #[wasm_bindgen(unchecked_return_type = "SourceDocument")]
    pub async fn document(&self, chunk: u32) -> Result<JsValue, JsError> {
        let chunk = ChunkId(chunk);
        let (document, passage) = match &self.campus {
            Some(campus) => campus.document_of(chunk).await?,
            None => self.engine.document_of(chunk).await?,
        };
        to_js(&SourceDocument::new(&document, passage))
    }

    /// The titles of all documents with the headings in them, for suggestions; wants the whole index kept.
    ///
    /// # Errors
    /// Rejects where a part of the documents is missing or damaged.
    #[wasm_bindgen(unchecked_return_type = "Contents[]")]
    pub async fn contents(&self) -> Result<JsValue, JsError> {
        to_js(&self.engine.contents().await?)
    }

    /// Fetches every part of the index, so that the site works without a network.
    ///
    /// # Errors
    /// Rejects with the first part that could not be had.
    pub async fn prefetch(&self, progress: OnProgress) -> Result<(), JsError> {
        self.engine
            .prefetch(&mut |loaded, total| report_progress(&progress, loaded, total))
            .await?;
        Ok(())
    }
}
