"""How many times as long other packages take, measured in turn with fastgelu in one process.

The peers are those of `python -m fastgelu bench`; one that is not installed is skipped by name.
"""

from fastgelu import _bench, _peers


class Peers:
    params = (
        [*_peers.PEERS, _bench.FLOOR],
        ["gelu", "gelu_tanh", "silu", "gelu_grad", "geglu"],
        ["float16", "float32", "float64"],
        [1_024, 16_384, 262_144, 4_194_304],
    )
    param_names = ("peer", "function", "dtype", "size")
    timeout = 120

    def setup(self, peer, function, dtype, size):
        inputs, y = _bench.operands(function, size, dtype)
        self.calls = {"fastgelu": _bench.ours(getattr(_bench.fastgelu, function), inputs, y)}
        if peer == _bench.FLOOR:
            self.calls[peer] = _bench.floor(inputs, y)
            return
        if (function, dtype) not in _peers.PEERS[peer].offers:
            raise NotImplementedError(f"{peer} has no {function} for {dtype}")
        _bench.pin(1)
        peers, absent = _peers.load([peer])
        if absent:
            raise NotImplementedError(f"{peer} is not installed: {absent[peer]}")
        failed = {}
        self.calls |= _bench.theirs(peers, function, dtype, inputs, y, failed)
        if failed:
            raise NotImplementedError(str(failed))

    def track_ratio(self, peer, function, dtype, size):
        times = _bench.measure(self.calls, rounds=7)
        return _bench.summary(times, "fastgelu", size)["ratio"][peer]

    track_ratio.unit = "times as long as fastgelu"
