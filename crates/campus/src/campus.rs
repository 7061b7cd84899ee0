//! A campus that is open, and one question to it.

use std::cell::RefCell;
use std::rc::Rc;

use campanile_answer::{Reply, SourceSite, answer_from, read_closely};
use campanile_bundle::{CampusEntry, CampusSite, Choices, ChunkId, DocumentRecord, Fetch};
use campanile_corpus::metadata::same_name;
use campanile_index::{Candidate, Sketch, beliefs};
use campanile_retrieve::{Clock, Engine, PairTask, Query, RetrieveError, Retriever, SearchOptions};
use campanile_text::{Analyzer, Language, Span};
use futures_util::future::join_all;
use serde::Serialize;

use crate::merge::{OfSite, best, merged, most_probable, of_joint_number};

/// Sites are asked until it is this probable that the one which answers is among them.
const ENOUGH: f32 = 0.95;
/// So many are asked at least: of two a visitor sees which it is.
const FEWEST: usize = 2;
/// As many by words alone, which say less of whom to ask.
const FEWEST_BY_WORDS: usize = 4;
/// The passages of so many are read for the words that answer: those of the most probable passages.
// Each site's five take a page a third of a second.
const READ_SITES: usize = 3;

/// Gives the files of a site by its address, as the campus lists it.
pub type Reach<F> = Box<dyn Fn(&str) -> F>;

/// A campus that is open.
pub struct Campus<F: Fetch, C: Clock + Clone> {
    home: Rc<Engine<F, C>>,
    clock: C,
    reach: Reach<F>,
    sites: Vec<Site<F, C>>,
    most_asked: usize,
    /// One for each language of the sites.
    analyzers: Vec<(Language, Analyzer)>,
}

struct Site<F: Fetch, C: Clock> {
    entry: CampusSite,
    sketch: RefCell<Rc<Sketch>>,
    engine: RefCell<Option<Rc<Engine<F, C>>>>,
}

/// A site that was asked, or could not be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify), tsify(missing_as_null))]
pub struct AskedSite {
    /// The name by which a visitor knows it.
    pub name: String,
    /// The address of its own page.
    pub address: String,
    /// The reason why it could not be asked; none where it was.
    pub problem: Option<String>,
}

/// The replies of the sites to one question.
pub struct Found<F: Fetch, C: Clock> {
    parts: Vec<Part<F, C>>,
    unreached: Vec<AskedSite>,
    /// The most passages that are shown.
    most: usize,
}

/// The sites that a question is put to.
struct Chosen {
    /// All sites, the most probable first.
    order: Vec<usize>,
    /// The number of those that are asked.
    count: usize,
    /// The searches that take part.
    retriever: Retriever,
}

/// A site, and what it says.
pub type Speaker<F, C> = (Rc<Engine<F, C>>, Rc<Reply>);

struct Part<F: Fetch, C: Clock> {
    number: usize,
    site: SourceSite,
    engine: Rc<Engine<F, C>>,
    reply: RefCell<Rc<Reply>>,
}

impl<F: Fetch, C: Clock + Clone> Campus<F, C> {
    /// Opens the campus that `home` is the site of; its sites are opened when they are first asked.
    ///
    /// # Errors
    /// Where the sketches cannot be had, or `home` is no campus's.
    pub async fn open(
        home: Rc<Engine<F, C>>,
        clock: C,
        reach: Reach<F>,
    ) -> Result<Self, RetrieveError> {
        let sketches = home.sketches().await?;
        let campus = home.manifest().campus.as_ref();
        let (entries, most_asked) = campus
            .map_or((&[][..], 0), |CampusEntry { sites, most_asked, .. }| {
                (sites.as_slice(), *most_asked as usize)
            });
        let mut analyzers: Vec<(Language, Analyzer)> = Vec::new();
        for CampusSite { analyzer, .. } in entries {
            if !analyzers.iter().any(|(language, _)| language == analyzer) {
                analyzers.push((*analyzer, Analyzer::new(*analyzer)));
            }
        }
        let sites = entries.iter().zip(sketches).map(|(entry, sketch)| Site {
            entry: entry.clone(),
            sketch: RefCell::new(Rc::new(sketch)),
            engine: RefCell::new(None),
        });
        let sites = sites.collect();
        Ok(Self { home, clock, reach, sites, most_asked, analyzers })
    }

    /// The fields that a visitor may tell of themselves and that make a difference to some site's documents.
    pub fn choices(&self) -> Choices {
        let all = self.sites.iter().map(|site| &site.entry.choices);
        all.fold(Choices::default(), Choices::with)
    }

    /// Asks those sites that the question is for, and that of the visitor's department.
    ///
    /// # Errors
    /// Where none of them can be asked, with the reason of each; where the encoder fails.
    pub async fn ask(
        &self,
        question: &str,
        options: &SearchOptions,
    ) -> Result<Found<F, C>, RetrieveError> {
        let Chosen { order, count, retriever } = self.chosen(question, options).await?;
        let options = &SearchOptions { retriever, ..options.clone() };
        let (mut parts, mut unreached) = (Vec::new(), Vec::new());
        let mut rest = order.into_iter();
        // In the place of one that cannot be asked comes the next.
        loop {
            let missing = count.saturating_sub(parts.len());
            let next: Vec<usize> = rest.by_ref().take(missing).collect();
            if next.is_empty() {
                break;
            }
            let asked = join_all(next.iter().map(|&site| self.ask_site(site, question, options)));
            for (site, asked) in next.iter().zip(asked.await) {
                match asked {
                    Ok(part) => parts.push(part),
                    Err(error) => unreached.extend(self.asked(*site, Some(error.to_string()))),
                }
            }
        }
        if parts.is_empty() {
            let named =
                |site: AskedSite| format!("{}: {}", site.name, site.problem.unwrap_or_default());
            return Err(RetrieveError::Unreached {
                problems: unreached.into_iter().map(named).collect(),
            });
        }
        let most = options.overrides.sources.unwrap_or(self.home.manifest().search.sources);
        Ok(Found { parts, unreached, most: most as usize })
    }

    /// The whole document that holds a passage, and where the passage stands in its text.
    ///
    /// # Errors
    /// Where there is no such passage, or its site cannot be read.
    pub async fn document_of(
        &self,
        passage: ChunkId,
    ) -> Result<(Rc<DocumentRecord>, Span), RetrieveError> {
        let (site, chunk) = of_joint_number(passage);
        self.opened(site).await?.document_of(chunk).await
    }

    /// The sites to ask: by meaning too, once the encoder is there.
    async fn chosen(
        &self,
        question: &str,
        options: &SearchOptions,
    ) -> Result<Chosen, RetrieveError> {
        let by_words = options.retriever == Retriever::Lexical || !self.home.encoder_ready();
        let vector = match by_words {
            true => None,
            false => Some(self.home.question_vector(question).await?),
        };
        let terms = self
            .analyzers
            .iter()
            .map(|(language, analyzer)| (*language, Query::new(question, analyzer, None).terms));
        let terms: Vec<(Language, Vec<String>)> = terms.collect();
        let sketches: Vec<Rc<Sketch>> =
            self.sites.iter().map(|site| Rc::clone(&site.sketch.borrow())).collect();
        let candidates = self.sites.iter().zip(&sketches).map(|(site, sketch)| {
            let own = terms.iter().find(|(language, _)| *language == site.entry.analyzer);
            Candidate { sketch, terms: own.map_or(&[], |(_, terms)| terms) }
        });
        let beliefs = beliefs(&candidates.collect::<Vec<_>>(), vector.as_deref());
        let belief = |site: usize| beliefs.get(site).copied().unwrap_or_default();
        let is_own = |site: usize| {
            let department = options.profile.department.as_deref();
            let choices = self.sites.get(site).map(|site| &site.entry.choices.departments);
            department.zip(choices).is_some_and(|(department, known)| {
                known.iter().any(|known| same_name(known, department))
            })
        };
        let mut order: Vec<usize> = (0..self.sites.len()).collect();
        order.sort_by(|&left, &right| {
            let own = is_own(right).cmp(&is_own(left));
            own.then(belief(right).total_cmp(&belief(left))).then(left.cmp(&right))
        });
        let mut so_far = 0.0;
        let until = order.iter().take_while(|&&site| {
            let is_wanted = so_far < ENOUGH;
            so_far += belief(site);
            is_wanted
        });
        let fewest = if by_words { FEWEST_BY_WORDS } else { FEWEST };
        let count = until.count().max(fewest).min(self.most_asked);
        // The encoder may arrive while sites are opened: what was chosen by words is answered by words, and asked again.
        let retriever = if by_words { Retriever::Lexical } else { options.retriever };
        Ok(Chosen { order, count, retriever })
    }

    async fn ask_site(
        &self,
        number: usize,
        question: &str,
        options: &SearchOptions,
    ) -> Result<Part<F, C>, RetrieveError> {
        let engine = self.opened(number).await?;
        let retrieval = engine.search(question, options).await?;
        let reply = answer_from(&engine, retrieval, &engine.manifest().calibration).await?;
        let CampusSite { name, address, .. } = self.site(number)?.entry.clone();
        let site = SourceSite { name, address };
        Ok(Part { number, site, engine, reply: RefCell::new(Rc::new(reply)) })
    }

    /// The site of this place; a number that was made up has none.
    fn site(&self, number: usize) -> Result<&Site<F, C>, RetrieveError> {
        let none = || RetrieveError::Unreached { problems: Vec::new() };
        self.sites.get(number).ok_or_else(none)
    }

    /// A site, opened by its manifest as it is now.
    async fn opened(&self, number: usize) -> Result<Rc<Engine<F, C>>, RetrieveError> {
        let site = self.site(number)?;
        if let Some(engine) = site.engine.borrow().clone() {
            return Ok(engine);
        }
        let files = (self.reach)(&site.entry.address);
        let engine = Rc::new(self.home.open_beside(files, self.clock.clone()).await?);
        let own = engine.manifest().sketch.as_ref();
        if own.is_some_and(|own| own.path != site.entry.sketch)
            && let Ok(sketch) = engine.sketch().await
        {
            // Published anew since the campus was made. Without it the site is found by what it was about then.
            site.sketch.replace(Rc::new(sketch));
        }
        site.engine.replace(Some(Rc::clone(&engine)));
        Ok(engine)
    }

    fn asked(&self, number: usize, problem: Option<String>) -> Option<AskedSite> {
        let CampusSite { name, address, .. } = self.sites.get(number)?.entry.clone();
        Some(AskedSite { name, address, problem })
    }
}

impl<F: Fetch, C: Clock> Found<F, C> {
    /// The sites that were asked, then those that could not be.
    pub fn sites(&self) -> Vec<AskedSite> {
        let asked = self.parts.iter().map(|part| {
            let SourceSite { name, address } = part.site.clone();
            AskedSite { name, address, problem: None }
        });
        asked.chain(self.unreached.iter().cloned()).collect()
    }

    /// Reads the passages of those sites that have the most probable ones for the words that answer. Nothing changes
    /// where no reader is loaded.
    ///
    /// # Errors
    /// Where the reader fails.
    pub async fn read(&self) -> Result<(), RetrieveError> {
        let first = |part: &Part<F, C>| most_probable(&part.reply.borrow());
        let mut order: Vec<(f32, &Part<F, C>)> =
            self.parts.iter().map(|part| (first(part), part)).collect();
        order.sort_by(|left, right| {
            right.0.total_cmp(&left.0).then(left.1.number.cmp(&right.1.number))
        });
        for (_, part) in order.into_iter().take(READ_SITES) {
            if part.engine.pair_model_ready(PairTask::Reader) {
                let reply = Reply::clone(&part.reply.borrow());
                let calibration = part.engine.manifest().calibration;
                let read = read_closely(&part.engine, reply, &calibration).await?;
                part.reply.replace(Rc::new(read));
            }
        }
        Ok(())
    }

    /// The reply of each site as it stands.
    fn replies(&self) -> Vec<Rc<Reply>> {
        self.parts.iter().map(|part| Rc::clone(&part.reply.borrow())).collect()
    }

    /// Their replies as one; none where no site was asked.
    pub fn reply(&self) -> Option<Reply> {
        let replies = self.replies();
        let of_sites = self.parts.iter().zip(&replies).map(|(part, reply)| OfSite {
            number: part.number,
            site: part.site.clone(),
            reply,
        });
        merged(&of_sites.collect::<Vec<_>>(), self.most)
    }

    /// The site that answers, with its own reply, whose sources are its own; none where no site was asked.
    pub fn speaker(&self) -> Option<Speaker<F, C>> {
        let replies = self.replies();
        let best = best(&replies.iter().map(|reply| &**reply).collect::<Vec<_>>())?;
        let part = self.parts.get(best)?;
        Some((Rc::clone(&part.engine), Rc::clone(replies.get(best)?)))
    }
}
