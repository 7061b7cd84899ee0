"""onnxruntime, answering each line of JSON with one: `{"texts": [..]}` with vectors.

    python onnxruntime_native.py MODEL.onnx tokenizer.json THREADS MAX_TOKENS BATCH

Texts are sorted by length and run in batches of at most BATCH, padded to the longest.
"""

import json
import sys
import time

import numpy as np
import onnxruntime
from tokenizers import Tokenizer


def main():
    model, tokenizer_file, threads, max_tokens, batch = sys.argv[1:]
    tokenizer = Tokenizer.from_file(tokenizer_file)
    tokenizer.no_padding()
    tokenizer.enable_truncation(int(max_tokens))
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = int(threads)
    session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    print(json.dumps({"ready": True}), flush=True)
    for line in sys.stdin:
        texts = json.loads(line)["texts"]
        start = time.perf_counter()
        ids, vectors = embed(tokenizer, session, texts, int(batch))
        milliseconds = (time.perf_counter() - start) * 1000
        answer = {
            "milliseconds": milliseconds,
            "tokens": sum(map(len, ids)),
            "vectors": vectors.tolist(),
        }
        print(json.dumps(answer), flush=True)


def embed(tokenizer, session, texts, batch):
    ids = [encoding.ids for encoding in tokenizer.encode_batch(texts)]
    order = sorted(range(len(ids)), key=lambda index: len(ids[index]))
    vectors = np.empty((len(ids), session.get_outputs()[0].shape[1]), dtype=np.float32)
    for first in range(0, len(order), batch):
        chosen = order[first : first + batch]
        shape = (len(chosen), len(ids[chosen[-1]]))
        inputs = {
            "input_ids": np.zeros(shape, dtype=np.int32),
            "attention_mask": np.zeros(shape, dtype=np.int32),
        }
        for row, index in enumerate(chosen):
            inputs["input_ids"][row, : len(ids[index])] = ids[index]
            inputs["attention_mask"][row, : len(ids[index])] = 1
        vectors[chosen] = session.run(None, inputs)[0]
    return ids, vectors


if __name__ == "__main__":
    main()
