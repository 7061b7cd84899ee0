//! Measures how rare a piece is.

/// The inverse document frequency (Spärck Jones, 1972) of a piece that `with` of `all` texts have,
/// smoothed so that a piece of every text still counts a little: `ln((all + 1) / (with + 1/2))`.
pub fn inverse_document_frequency(with: usize, all: usize) -> f32 {
    // The library's logarithm is the same on every system.
    libm::log((all as f64 + 1.0) / (with as f64 + 0.5)) as f32
}

#[cfg(test)]
mod tests {
    use super::inverse_document_frequency;

    #[test]
    fn rarer_is_more() {
        assert!(inverse_document_frequency(1, 100) > inverse_document_frequency(2, 100));
        assert!(inverse_document_frequency(100, 100) > 0.0);
        assert!((inverse_document_frequency(0, 9) - 20f32.ln()).abs() < 1e-6);
    }
}
