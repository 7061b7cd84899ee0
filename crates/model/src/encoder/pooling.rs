//! From token vectors to one vector a text.

use super::encoder_config::Pooling;

/// One vector from rows of `hidden` values each.
///
/// Texts are laid end to end without padding, so every row counts: the mean is that over the
/// attention mask of a padded batch. An empty text has the zero vector, and so has a text whose
/// vector has no length.
pub(super) fn pool(rows: &[f32], hidden: usize, pooling: Pooling, normalize: bool) -> Vec<f32> {
    let mut vector = match pooling {
        Pooling::Mean => mean(rows, hidden),
        Pooling::Cls => rows.get(..hidden).map_or_else(|| vec![0.0; hidden], <[f32]>::to_vec),
    };
    if normalize {
        let length = vector.iter().map(|value| value * value).sum::<f32>().sqrt();
        if length > 0.0 {
            for value in &mut vector {
                *value /= length;
            }
        }
    }
    vector
}

fn mean(rows: &[f32], hidden: usize) -> Vec<f32> {
    let mut mean = vec![0.0f32; hidden];
    for row in rows.chunks_exact(hidden.max(1)) {
        for (total, value) in mean.iter_mut().zip(row) {
            *total += value;
        }
    }
    let count = (rows.len() / hidden.max(1)).max(1) as f32;
    for value in &mut mean {
        *value /= count;
    }
    mean
}

#[cfg(test)]
mod tests {
    use super::{Pooling, pool};

    const ROWS: [f32; 4] = [4.0, 0.0, 2.0, 8.0];

    #[test]
    fn the_mean_of_two_rows() {
        assert_eq!(pool(&ROWS, 2, Pooling::Mean, false), [3.0, 4.0]);
        assert_eq!(pool(&ROWS, 2, Pooling::Mean, true), [0.6, 0.8]);
    }

    #[test]
    fn the_first_row() {
        assert_eq!(pool(&ROWS, 2, Pooling::Cls, false), [4.0, 0.0]);
        assert_eq!(pool(&ROWS, 2, Pooling::Cls, true), [1.0, 0.0]);
    }

    #[test]
    fn nothing_has_no_direction() {
        for pooling in [Pooling::Mean, Pooling::Cls] {
            assert_eq!(pool(&[], 3, pooling, true), [0.0, 0.0, 0.0]);
            assert_eq!(pool(&[0.0, 0.0], 2, pooling, true), [0.0, 0.0]);
        }
    }
}
