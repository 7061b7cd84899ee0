use std::error::Error;

use campanile_model::{Encoder, ModelError};

/// Turns texts into vectors: an encoder, or a test's stand-in.
pub trait Embed {
    /// Why a text cannot be embedded.
    type Error: Error + Send + Sync + 'static;

    /// One vector for each text, in the order given, all of one length.
    ///
    /// # Errors
    /// Where a text cannot be embedded.
    fn sentences(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, Self::Error>;

    /// The vectors of a text's word pieces, special tokens left out.
    ///
    /// # Errors
    /// Where the text cannot be embedded.
    fn tokens(&self, text: &str) -> Result<Vec<TokenVector>, Self::Error>;
}

/// A word piece and the vector that an encoder gives it at its place.
#[derive(Debug, Clone, PartialEq)]
pub struct TokenVector {
    /// Which piece: the same number for the same letters.
    pub token: u32,
    /// Its vector, of any length.
    pub vector: Vec<f32>,
}

/// The bundled encoder. Texts are cut after [`Encoder::max_tokens`].
impl Embed for Encoder {
    type Error = ModelError;

    fn sentences(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, ModelError> {
        self.encode(texts)
    }

    fn tokens(&self, text: &str) -> Result<Vec<TokenVector>, ModelError> {
        let mut found = Vec::new();
        for read in self.token_vectors(&[text])? {
            let rows = read.vectors.chunks_exact(self.dimension().max(1));
            let pieces = read.ids.iter().zip(rows);
            found.extend(
                pieces
                    .filter(|(id, _)| !self.tokenizer().is_special(**id))
                    .map(|(id, row)| TokenVector { token: *id, vector: row.to_vec() }),
            );
        }
        Ok(found)
    }
}

/// The cosine of the angle between two vectors, −1 to 1; 0 where one of them has no length.
pub fn cosine(a: &[f32], b: &[f32]) -> f64 {
    let product = |a: &[f32], b: &[f32]| -> f64 {
        a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum()
    };
    let lengths = product(a, a).sqrt() * product(b, b).sqrt();
    if lengths > 0.0 { (product(a, b) / lengths).clamp(-1.0, 1.0) } else { 0.0 }
}

/// The cosine of the answer's vector and that of the gold answer nearest to it, −1 to 1; `None`
/// where there is no gold answer.
///
/// # Errors
/// Where a text cannot be embedded.
pub fn sentence_similarity<E: Embed, S: AsRef<str>>(
    answer: &str,
    golds: &[S],
    embed: &E,
) -> Result<Option<f64>, E::Error> {
    let mut texts = vec![answer];
    texts.extend(golds.iter().map(AsRef::as_ref));
    let vectors = embed.sentences(&texts)?;
    let Some((answer, golds)) = vectors.split_first() else { return Ok(None) };
    Ok(golds.iter().map(|gold| cosine(answer, gold)).reduce(f64::max))
}

#[cfg(test)]
mod tests {
    use super::cosine;

    #[test]
    fn cosines() {
        assert!((cosine(&[3.0, 4.0], &[6.0, 8.0]) - 1.0).abs() < 1e-12);
        assert!((cosine(&[1.0, 0.0], &[1.0, 1.0]) - 0.5_f64.sqrt()).abs() < 1e-7);
        assert!((cosine(&[1.0, 0.0], &[-2.0, 0.0]) + 1.0).abs() < 1e-12);
        assert!(cosine(&[0.0, 0.0], &[1.0, 1.0]).abs() < 1e-12);
    }
}
