//! Weighs how much each column of a matrix matters, without a single example text.
//!
//! What a layer's matrix multiplies is most often the output of a norm, whose scale γ and shift β
//! are in the file: column `j` of the input then has the mean square `γⱼ² + βⱼ²` over the texts
//! of the world, and an error in column `j` of the matrix is multiplied by it.

use crate::tensor_source::TensorSource;

/// The norm before a matrix: the parts of the two names below the layer, and whether the norm is
/// in the layer before.
const NORMS: [(&str, &str, bool); 9] = [
    ("attention.self.query.weight", "output.LayerNorm", true),
    ("attention.self.key.weight", "output.LayerNorm", true),
    ("attention.self.value.weight", "output.LayerNorm", true),
    ("intermediate.dense.weight", "attention.output.LayerNorm", false),
    ("self_attn.q_proj.weight", "input_layernorm", false),
    ("self_attn.k_proj.weight", "input_layernorm", false),
    ("self_attn.v_proj.weight", "input_layernorm", false),
    ("mlp.gate_proj.weight", "post_attention_layernorm", false),
    ("mlp.up_proj.weight", "post_attention_layernorm", false),
];

/// The weight of each of a matrix's `columns`; all alike where nothing is known.
pub(super) fn of_columns(source: &dyn TensorSource, name: &str, columns: usize) -> Vec<f32> {
    norm_before(name)
        .and_then(|norm| mean_squares(source, &norm, columns))
        .unwrap_or_else(|| vec![1.0; columns])
}

/// The full name of the norm whose output the matrix multiplies.
fn norm_before(name: &str) -> Option<String> {
    let (above, below) = name.split_once("layer.").or_else(|| name.split_once("layers."))?;
    let (number, part) = below.split_once('.')?;
    let number: usize = number.parse().ok()?;
    let &(_, norm, in_layer_before) = NORMS.iter().find(|(matrix, ..)| *matrix == part)?;
    let layers = name.get(..name.len() - below.len())?;
    match (in_layer_before, number.checked_sub(1)) {
        (false, _) => Some(format!("{layers}{number}.{norm}")),
        (true, Some(before)) => Some(format!("{layers}{before}.{norm}")),
        (true, None) => Some(format!("{}embeddings.LayerNorm", above.strip_suffix("encoder.")?)),
    }
}

fn mean_squares(source: &dyn TensorSource, norm: &str, columns: usize) -> Option<Vec<f32>> {
    let scale = source.read(&format!("{norm}.weight")).ok()?.values;
    let shift = source.read(&format!("{norm}.bias")).map_or(vec![0.0; columns], |t| t.values);
    let squares: Vec<f32> = scale.iter().zip(&shift).map(|(s, b)| s * s + b * b).collect();
    let sound = squares.len() == columns && squares.iter().all(|s| s.is_finite() && *s > 0.0);
    sound.then_some(squares)
}
