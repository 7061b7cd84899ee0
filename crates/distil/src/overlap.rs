//! Measures how alike two orders are at their beginnings.

/// The mean share of one list's items that the other list has too, over pairs of lists that are
/// equally long; `None` without any item.
///
/// With the ten nearest passages by the encoder and by its stand-in this is the overlap@10.
pub fn overlap(pairs: &[[Vec<u32>; 2]]) -> Option<f32> {
    let mut shares = 0.0;
    let mut counted = 0;
    for [left, right] in pairs {
        if left.is_empty() {
            continue;
        }
        let both = left.iter().filter(|item| right.contains(item)).count();
        shares += both as f32 / left.len() as f32;
        counted += 1;
    }
    (counted > 0).then(|| shares / counted as f32)
}

#[cfg(test)]
mod tests {
    use super::overlap;

    #[test]
    fn worked_example() {
        let pairs = [[vec![1, 2, 3, 4], vec![4, 3, 9, 8]], [vec![5], vec![5]], [vec![], vec![]]];
        assert_eq!(overlap(&pairs), Some(0.75));
        assert_eq!(overlap(&[]), None);
    }
}
