"""Writes a BERT sentence encoder as an ONNX graph, straight from its safetensors file.

    python make_onnx.py MODEL_FOLDER OUT.onnx [--int8 OUT_INT8.onnx]

The graph is made of onnxruntime's own fused operators (EmbedLayerNormalization, Attention,
SkipLayerNormalization, BiasGelu), which is what its transformer optimiser turns an exported model
into: the peer at its best. Mean pooling and normalisation are part of the graph.

Inputs `input_ids` and `attention_mask`, both int32 [batch, tokens]; output `vectors`,
float32 [batch, hidden], of length one. With `--int8` the matrices are also written in 8 bits, by
onnxruntime's own dynamic quantisation.
"""

import argparse
import json
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from safetensors.numpy import load_file

FUSED = "com.microsoft"


class Graph:
    """Collects nodes and weights."""

    def __init__(self, tensors):
        self.tensors = tensors
        self.nodes = []
        self.weights = {}

    def weight(self, name, values):
        self.weights[name] = np.ascontiguousarray(values, dtype=values.dtype)
        return name

    def stored(self, name):
        return self.weight(name, self.tensors[name].astype(np.float32))

    def matrix(self, name):
        """A linear layer's weights as MatMul wants them, [inputs, outputs]."""
        return self.weight(f"{name}.transposed", self.tensors[name].astype(np.float32).T)

    def add(self, kind, inputs, output, domain="", **attributes):
        self.nodes.append(helper.make_node(kind, inputs, [output], domain=domain, **attributes))
        return output


def embeddings(graph, epsilon):
    """Words, positions and the first segment, summed and normalised."""
    graph.nodes.append(
        helper.make_node(
            "EmbedLayerNormalization",
            [
                "input_ids",
                "",
                graph.stored("embeddings.word_embeddings.weight"),
                graph.weight("positions_and_segment", positions_and_segment(graph.tensors)),
                "",
                graph.stored("embeddings.LayerNorm.weight"),
                graph.stored("embeddings.LayerNorm.bias"),
                "attention_mask",
            ],
            ["embedded", "lengths"],
            domain=FUSED,
            epsilon=epsilon,
        )
    )
    return "embedded"


def positions_and_segment(tensors):
    segment = tensors["embeddings.token_type_embeddings.weight"][0]
    return (tensors["embeddings.position_embeddings.weight"] + segment).astype(np.float32)


def layer(graph, number, states, heads, epsilon):
    prefix = f"encoder.layer.{number}"
    parts = [f"{prefix}.attention.self.{part}" for part in ("query", "key", "value")]
    weights = np.concatenate([graph.tensors[f"{part}.weight"].T for part in parts], axis=1)
    biases = np.concatenate([graph.tensors[f"{part}.bias"] for part in parts])
    attended = graph.add(
        "Attention",
        [
            states,
            graph.weight(f"{prefix}.qkv.weight", weights.astype(np.float32)),
            graph.weight(f"{prefix}.qkv.bias", biases.astype(np.float32)),
            "lengths",
        ],
        f"{prefix}.attended",
        domain=FUSED,
        num_heads=heads,
    )
    states = joined(graph, f"{prefix}.attention.output", attended, states, epsilon)
    inner = f"{prefix}.intermediate.dense"
    wide = graph.add("MatMul", [states, graph.matrix(f"{inner}.weight")], f"{inner}.wide")
    active = graph.add("BiasGelu", [wide, graph.stored(f"{inner}.bias")], f"{inner}.out", domain=FUSED)
    return joined(graph, f"{prefix}.output", active, states, epsilon)


def joined(graph, name, values, residual, epsilon):
    """A linear layer, the residual added, the sum normalised."""
    product = graph.add("MatMul", [values, graph.matrix(f"{name}.dense.weight")], f"{name}.product")
    norm = [graph.stored(f"{name}.LayerNorm.weight"), graph.stored(f"{name}.LayerNorm.bias")]
    return graph.add(
        "SkipLayerNormalization",
        [product, residual, *norm, graph.stored(f"{name}.dense.bias")],
        f"{name}.out",
        domain=FUSED,
        epsilon=epsilon,
    )


def pooling(graph, states):
    """The mean of the real tokens' states, scaled to length one."""
    axis = graph.weight("axis_two", np.array([2], dtype=np.int64))
    mask = graph.add("Cast", ["attention_mask"], "mask", to=TensorProto.FLOAT)
    column = graph.add("Unsqueeze", [mask, axis], "mask_column")
    masked = graph.add("Mul", [states, column], "masked")
    tokens = graph.weight("axis_tokens", np.array([1], dtype=np.int64))
    total = graph.add("ReduceSum", [masked, tokens], "total", keepdims=0)
    count = graph.add("ReduceSum", [mask, tokens], "count", keepdims=1)
    mean = graph.add("Div", [total, count], "mean")
    graph.add("LpNormalization", [mean], "vectors", axis=1, p=2)


def build(folder):
    config = json.loads((folder / "config.json").read_text())
    graph = Graph(load_file(folder / "model.safetensors"))
    epsilon = config["layer_norm_eps"]
    states = embeddings(graph, epsilon)
    for number in range(config["num_hidden_layers"]):
        states = layer(graph, number, states, config["num_attention_heads"], epsilon)
    pooling(graph, states)
    shape = ["batch", "tokens"]
    inputs = [
        helper.make_tensor_value_info(name, TensorProto.INT32, shape)
        for name in ("input_ids", "attention_mask")
    ]
    output = helper.make_tensor_value_info("vectors", TensorProto.FLOAT, ["batch", config["hidden_size"]])
    weights = [numpy_helper.from_array(values, name) for name, values in graph.weights.items()]
    model = helper.make_model(
        helper.make_graph(graph.nodes, "encoder", inputs, [output], weights),
        opset_imports=[helper.make_opsetid("", 17), helper.make_opsetid(FUSED, 1)],
    )
    model.ir_version = 8
    return model


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--int8", type=Path)
    arguments = parser.parse_args()
    onnx.save(build(arguments.model), arguments.out)
    if arguments.int8:
        from onnxruntime.quantization import QuantType, quantize_dynamic

        quantize_dynamic(
            arguments.out,
            arguments.int8,
            weight_type=QuantType.QInt8,
            per_channel=True,
            extra_options={"DefaultTensorType": TensorProto.FLOAT},
        )


if __name__ == "__main__":
    main()
