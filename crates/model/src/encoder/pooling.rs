//! From token vectors to one vector a text.

/// The mean of the rows of `hidden` values each, scaled to length 1.
///
/// Texts are laid end to end without padding, so every row counts: this is the mean over the
/// attention mask of a padded batch. An empty text has the zero vector.
pub(super) fn mean_unit_vector(rows: &[f32], hidden: usize) -> Vec<f32> {
    let mut sum = vec![0.0f32; hidden];
    for row in rows.chunks_exact(hidden.max(1)) {
        for (total, value) in sum.iter_mut().zip(row) {
            *total += value;
        }
    }
    // The length of the mean and of the sum differ by a factor that the division takes out.
    let length = sum.iter().map(|value| value * value).sum::<f32>().sqrt();
    if length > 0.0 {
        for value in &mut sum {
            *value /= length;
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::mean_unit_vector;

    #[test]
    fn the_mean_of_two_rows_has_length_one() {
        assert_eq!(mean_unit_vector(&[4.0, 0.0, 2.0, 8.0], 2), [0.6, 0.8]);
    }

    #[test]
    fn nothing_has_no_direction() {
        assert_eq!(mean_unit_vector(&[], 3), [0.0, 0.0, 0.0]);
        assert_eq!(mean_unit_vector(&[0.0, 0.0], 2), [0.0, 0.0]);
    }
}
