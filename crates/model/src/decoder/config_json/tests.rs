#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use serde_json::{Value, json};

use crate::decoder::{Architecture, DecoderConfig, RopeScaling};
use crate::error::ModelError;

/// As small chat models' files are, with fields that nobody here needs.
fn json(model_type: &str) -> Value {
    json!({
        "architectures": ["SomethingForCausalLM"],
        "attention_dropout": 0.0,
        "bos_token_id": 1,
        "eos_token_id": 2,
        "hidden_act": "silu",
        "hidden_size": 576,
        "initializer_range": 0.04,
        "intermediate_size": 1536,
        "max_position_embeddings": 8192,
        "model_type": model_type,
        "num_attention_heads": 9,
        "num_hidden_layers": 30,
        "num_key_value_heads": 3,
        "rms_norm_eps": 1e-5,
        "rope_scaling": null,
        "rope_theta": 100000,
        "tie_word_embeddings": true,
        "torch_dtype": "bfloat16",
        "use_cache": true,
        "vocab_size": 49152
    })
}

fn with(model_type: &str, changes: Value) -> Result<DecoderConfig, ModelError> {
    let mut json = json(model_type);
    for (key, value) in changes.as_object().unwrap() {
        json[key] = value.clone();
    }
    DecoderConfig::from_json(json.to_string().as_bytes())
}

#[test]
fn the_architectures_differ_in_their_tensors() {
    let llama = with("llama", json!({})).unwrap();
    assert_eq!((llama.architecture, llama.head_dim), (Architecture::Llama, 64));
    assert_eq!(llama.tensor_names().len(), 2 + 30 * 9);

    // Qwen's files name a sliding window that is off.
    let slid =
        json!({ "use_sliding_window": false, "sliding_window": 32768, "max_window_layers": 21 });
    let qwen2 = with("qwen2", slid.clone()).unwrap();
    assert!(qwen2.layer_tensors().contains(&"self_attn.k_proj.bias"));
    assert!(!qwen2.layer_tensors().contains(&"self_attn.o_proj.bias"));
    assert_eq!(with("qwen2", json!({ "sliding_window": 4096 })).unwrap(), qwen2);

    let qwen3 = with("qwen3", json!({ "layer_types": ["full_attention"] })).unwrap();
    assert_eq!(qwen3.head_dim, 128);
    assert!(qwen3.layer_tensors().contains(&"self_attn.q_norm.weight"));
    assert_eq!(qwen3.tensor_names().len(), 2 + 30 * 11);

    let changes = json!({ "tie_word_embeddings": false, "attention_bias": true });
    let biased = with("llama", changes).unwrap();
    assert!(biased.layer_tensors().contains(&"self_attn.o_proj.bias"));
    assert_eq!(biased.tensor_names().last().unwrap(), "lm_head.weight");
}

#[test]
fn rotary_positions_are_read_from_either_field() {
    let scaling = json!({ "factor": 4.0, "rope_type": "yarn", "beta_fast": null });
    let old = with("qwen2", json!({ "rope_scaling": scaling })).unwrap();
    let mut inner = scaling.clone();
    inner["rope_theta"] = 100_000.into();
    let new = json!({ "rope_theta": null, "rope_parameters": inner });
    assert_eq!(with("qwen2", new).unwrap(), old);
    let nested = json!({ "rope_theta": null, "rope_parameters": { "full_attention": inner } });
    assert_eq!(with("qwen2", nested).unwrap(), old);
    assert!(matches!(
        old.rope_scaling,
        Some(RopeScaling::Yarn { original_max_position_embeddings: 8192, beta_fast: 32.0, .. })
    ));

    let plain = json!({ "rope_parameters": { "rope_type": "default", "rope_theta": 5e5 } });
    let plain = with("llama", plain).unwrap();
    assert_eq!((plain.rope_theta, plain.rope_scaling), (5e5, None));
}

#[test]
fn errors_name_the_field() {
    let scaled = |scaling: Value| json!({ "rope_scaling": scaling });
    let cases = [
        ("model_type", json!({ "model_type": "mistral" })),
        ("vocab_size", json!({ "vocab_size": 0 })),
        ("hidden_size", json!({ "hidden_size": "wide" })),
        ("num_hidden_layers", json!({ "num_hidden_layers": 100_000 })),
        ("max_position_embeddings", json!({ "max_position_embeddings": 1_u64 << 40 })),
        ("num_key_value_heads", json!({ "num_key_value_heads": 2 })),
        ("head_dim", json!({ "head_dim": 63 })),
        ("rms_norm_eps", json!({ "rms_norm_eps": 0.0 })),
        ("rope_theta", json!({ "rope_theta": -1.0 })),
        ("hidden_act", json!({ "hidden_act": "gelu" })),
        ("mlp_bias", json!({ "mlp_bias": true })),
        ("eos_token_id", json!({ "eos_token_id": [2, 49152] })),
        ("sliding_window", json!({ "sliding_window": 4096 })),
        ("sliding_window", json!({ "use_sliding_window": true, "sliding_window": 4096 })),
        ("layer_types", json!({ "layer_types": ["full_attention", "sliding_attention"] })),
        ("partial_rotary_factor", json!({ "partial_rotary_factor": 0.5 })),
        ("rope_scaling.rope_type", scaled(json!({ "type": "dynamic", "factor": 2.0 }))),
        ("factor", scaled(json!({ "type": "linear" }))),
        ("rope_scaling.factor", scaled(json!({ "type": "linear", "factor": 0.0 }))),
        ("low_freq_factor", scaled(json!({ "type": "llama3", "factor": 8.0 }))),
        (
            "rope_scaling.factors",
            scaled(json!({ "rope_type": "frequency_factors", "factors": [1.0] })),
        ),
    ];
    for (field, changes) in cases {
        let error = with("llama", changes).unwrap_err().to_string();
        assert!(error.starts_with("config.json: ") && error.contains(field), "{field}: {error}");
    }
    let mut without = json("llama");
    without.as_object_mut().unwrap().remove("hidden_size");
    let error = DecoderConfig::from_json(without.to_string().as_bytes()).unwrap_err();
    assert!(error.to_string().contains("hidden_size"), "{error}");
}

#[test]
fn a_generation_config_adds_end_tokens() {
    let mut config = with("llama", json!({})).unwrap();
    config.add_end_tokens(br#"{ "eos_token_id": [7, 2], "do_sample": true }"#).unwrap();
    assert_eq!(config.end_tokens(), [2, 7]);
    config.add_end_tokens(b"{}").unwrap();
    assert_eq!(config.end_tokens(), [2, 7]);
    assert!(config.add_end_tokens(b"[").is_err());
}
