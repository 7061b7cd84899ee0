//#if gelu
// The error function within 2e-7 (Abramowitz and Stegun 1964, formula 7.1.26).
fn error_function(x: f32) -> f32 {
    let t = 1.0 / (1.0 + 0.3275911 * abs(x));
    let tail = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741
        + t * (-1.453152027 + t * 1.061405429))));
    return sign(x) * (1.0 - tail * exp(-min(x * x, 80.0)));
}
fn activation(x: f32) -> f32 {
    return 0.5 * x * (1.0 + error_function(x * 0.70710678));
}
//#endif
//#if gelu_tanh
fn activation(x: f32) -> f32 {
    return 0.5 * x * (1.0 + tanh(clamp(0.79788456 * (x + 0.044715 * x * x * x), -15.0, 15.0)));
}
//#endif
//#if relu
fn activation(x: f32) -> f32 {
    return max(x, 0.0);
}
//#endif
