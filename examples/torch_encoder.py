"""torch_encoder.py: the model of sentence_embedding.py in PyTorch, and the comparison of the two.

An independent reference: from the tokens on nothing is shared but the file with the weights.
Imported by `sentence_embedding.py --compare`.
"""

import json
import statistics
import time

import numpy as np
import torch
import torch.nn.functional as F
from safetensors.torch import load_file
from scipy.special import erf

ROUNDS = 15
COSINE = 0.999999


class TorchEncoder:
    """A BERT encoder with its weights in one dtype."""

    def __init__(self, folder, dtype):
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        if config["hidden_act"] != "gelu":
            raise ValueError(f"the activation is {config['hidden_act']}, not gelu")
        self.layers = config["num_hidden_layers"]
        self.heads = config["num_attention_heads"]
        self.epsilon = config["layer_norm_eps"]
        tensors = load_file(folder / "model.safetensors")
        self.weights = {n: t.to(dtype) for n, t in tensors.items() if t.is_floating_point()}

    def linear(self, x, name):
        return F.linear(x, self.weights[f"{name}.weight"], self.weights[f"{name}.bias"])

    def layer_norm(self, x, name):
        weight, bias = self.weights[f"{name}.weight"], self.weights[f"{name}.bias"]
        return F.layer_norm(x, weight.shape, weight, bias, self.epsilon)

    def layer(self, x, mask, name):
        query, key, value = (
            self.linear(x, f"{name}.attention.self.{part}")
            .unflatten(-1, (self.heads, -1))
            .transpose(1, 2)
            for part in ("query", "key", "value")
        )
        context = F.scaled_dot_product_attention(query, key, value, attn_mask=mask)
        context = context.transpose(1, 2).flatten(2)
        attention = self.linear(context, f"{name}.attention.output.dense")
        x = self.layer_norm(x + attention, f"{name}.attention.output.LayerNorm")
        hidden = F.gelu(self.linear(x, f"{name}.intermediate.dense"))
        return self.layer_norm(
            x + self.linear(hidden, f"{name}.output.dense"), f"{name}.output.LayerNorm"
        )

    @torch.inference_mode()
    def embed(self, tokens, mask):
        """Token numbers (batch, length) to one unit vector per sentence."""
        tokens, mask = torch.from_numpy(tokens), torch.from_numpy(mask)
        word, position, kind = (
            self.weights[f"embeddings.{name}_embeddings.weight"]
            for name in ("word", "position", "token_type")
        )
        x = F.embedding(tokens, word) + position[: tokens.shape[1]] + kind[0]
        x = self.layer_norm(x, "embeddings.LayerNorm")
        for i in range(self.layers):
            x = self.layer(x, mask[:, None, None, :], f"encoder.layer.{i}")
        weight = mask[:, :, None].to(x.dtype)
        return F.normalize((x * weight).sum(1) / weight.sum(1), dim=1).numpy()


def formula(x, out):
    """GELU as it is commonly written with NumPy and SciPy."""
    return np.multiply(0.5 * x, 1 + erf(x / np.sqrt(x.dtype.type(2))), out=out)


def timed_embedding(encoder, gelu, sentences):
    """Seconds that encoder takes in all, and in its GELU."""
    inside = 0.0

    def timed(x, out):
        nonlocal inside
        start = time.perf_counter()
        gelu(x, out=out)
        inside += time.perf_counter() - start

    original, encoder.gelu = encoder.gelu, timed
    start = time.perf_counter()
    encoder.embed(sentences)
    whole = time.perf_counter() - start
    encoder.gelu = original
    return whole, inside


def compare(encoder, folder, sentences):
    """Prints how the encoder in NumPy compares with this one; whether the embeddings agree."""
    dtype = torch.from_numpy(encoder.weights["embeddings.LayerNorm.bias"]).dtype
    reference = TorchEncoder(folder, dtype)

    def embed_by_torch():
        encodings = encoder.tokenizer.encode_batch(sentences)
        tokens = np.array([e.ids for e in encodings])
        mask = np.array([e.attention_mask for e in encodings], dtype=bool)
        return reference.embed(tokens, mask)

    a, b = (y.astype(np.float64) for y in (encoder.embed(sentences), embed_by_torch()))
    norms = np.linalg.norm(a, axis=1) * np.linalg.norm(b, axis=1)
    cosines = (a * b).sum(axis=1) / norms

    # The three take turns, so that all see the same machine.
    ours, usual, torchs = [], [], []
    for _ in range(ROUNDS):
        ours.append(timed_embedding(encoder, encoder.gelu, sentences))
        usual.append(timed_embedding(encoder, formula, sentences))
        start = time.perf_counter()
        embed_by_torch()
        torchs.append(time.perf_counter() - start)

    print(f"{len(sentences)} sentences, {dtype}, PyTorch {torch.__version__}")
    print(f"smallest cosine of a sentence's two embeddings: 1 - {1 - cosines.min():.1e}")
    print(f"{'':26}{'ms per sentence':>16}{'of that GELU':>16}")
    for label, times in ("NumPy, fastgelu", ours), ("NumPy, SciPy's erf", usual):
        whole, inside = (statistics.median(t) / len(sentences) for t in zip(*times, strict=True))
        print(f"{label:26}{1e3 * whole:16.2f}{1e3 * inside:9.3f}{inside / whole:7.1%}")
    print(f"{'PyTorch':26}{1e3 * statistics.median(torchs) / len(sentences):16.2f}")
    return bool(cosines.min() > COSINE)
