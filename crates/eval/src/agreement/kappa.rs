//! Agreement beyond chance.

use std::collections::BTreeMap;

use serde::Serialize;

/// The agreement of two annotators on labels, and the part of it that is more than chance.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Kappa {
    /// On how many items.
    pub items: usize,
    /// The share that they labelled alike, 0 to 1; `None` without items.
    pub raw: Option<f64>,
    /// Cohen's kappa, -1 to 1: 0 is what chance would give, 1 full agreement. `None` where it is not
    /// defined: without items, or where both used one and the same label throughout.
    pub kappa: Option<f64>,
}

/// Cohen's kappa (Cohen 1960) of two annotators' labels for the same items, without weights:
/// `(p_o - p_e) / (1 - p_e)`, where `p_o` is the share labelled alike and `p_e` the share that would
/// be if each had drawn labels at random with the frequencies they used.
///
/// ```
/// use campanile_eval::agreement::cohen_kappa;
///
/// let labels = [("yes", "yes"), ("yes", "no"), ("no", "no"), ("no", "no")];
/// assert_eq!(cohen_kappa(&labels).kappa, Some(0.5));
/// ```
pub fn cohen_kappa<L: Ord>(pairs: &[(L, L)]) -> Kappa {
    let items = pairs.len();
    let total = items as f64;
    if items == 0 {
        return Kappa { items, raw: None, kappa: None };
    }
    let mut used: BTreeMap<&L, (usize, usize)> = BTreeMap::new();
    for (left, right) in pairs {
        used.entry(left).or_default().0 += 1;
        used.entry(right).or_default().1 += 1;
    }
    let alike = pairs.iter().filter(|(left, right)| left == right).count();
    // In whole numbers as long as they are whole: full chance agreement is 1 exactly.
    let by_chance: usize = used.values().map(|(left, right)| left * right).sum();
    let (observed, expected) = (alike as f64 / total, by_chance as f64 / (total * total));
    let is_defined = by_chance < items * items;
    let kappa = is_defined.then(|| (observed - expected) / (1.0 - expected));
    Kappa { items, raw: Some(observed), kappa }
}
