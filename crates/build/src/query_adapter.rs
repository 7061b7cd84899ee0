//! The adapter by which a site's encoder embeds questions.

use std::borrow::Cow;
use std::fs;

use anyhow::Context as _;
use campanile_model::QueryAdapter;

use crate::Plan;
use crate::config::ModelChoice;
use crate::pair_models::{ATTRIBUTION, check_encoder, fits};

/// Made by `training/`, as those of [`pair_models`](crate::pair_models) are.
const BUILT_IN: &[u8] = include_bytes!("../../../training/adapters/query.safetensors");

/// The adapter of a site. A build embeds passages and needs no more of it than its file.
pub struct QueryAdapterFile {
    /// The file, which was read once.
    pub bytes: Cow<'static, [u8]>,
    /// Its licence, as far as it is known.
    pub licence: &'static str,
    /// What its licence asks to be said wherever it is passed on.
    pub attribution: Option<&'static str>,
}

/// The adapter that the settings name.
///
/// # Errors
/// Where one that was named by its path cannot be read or changes another encoder than the site's. The one that comes with
/// the command is left out where it does not fit the encoder.
pub fn chosen(plan: &Plan) -> anyhow::Result<Option<QueryAdapterFile>> {
    let path = match &plan.config.encoder.query_adapter {
        ModelChoice::None => return Ok(None),
        ModelChoice::BuiltIn => {
            let fits = fits(plan, QueryAdapter::read(BUILT_IN)?.trunk());
            return Ok(fits.then(|| QueryAdapterFile {
                bytes: BUILT_IN.into(),
                licence: "Apache-2.0",
                attribution: Some(ATTRIBUTION),
            }));
        }
        ModelChoice::Path(path) => plan.docs.join(path),
    };
    let read = || -> anyhow::Result<QueryAdapterFile> {
        let bytes = fs::read(&path).with_context(|| format!("cannot read `{}`", path.display()))?;
        let adapter = QueryAdapter::read(&bytes)
            .with_context(|| format!("`{}` is no adapter that can be used", path.display()))?;
        check_encoder(plan, adapter.trunk(), &path)?;
        Ok(QueryAdapterFile { bytes: bytes.into(), licence: "not stated", attribution: None })
    };
    read().map(Some).context("`encoder.query_adapter` cannot be had")
}
