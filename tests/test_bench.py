"""The benchmark command, and the peers: whatever is installed computes what its name says."""

import json
import sys

import numpy as np
import pytest

import fastgelu
from fastgelu import _bench, _peers
from fastgelu.__main__ import main

# Half-precision peers round each step; the others are far from their worst inputs here.
TOLERANCE = {"float16": 2e-3, "bfloat16": 2e-2, "float32": 2e-5, "float64": 1e-11}
# About half of the digits.
ENHANCED_PERFORMANCE = {"float32": 2e-3, "float64": 1e-6}


@pytest.fixture(autouse=True)
def unpinned(monkeypatch):
    """The command pins its process; the other tests may use the whole machine."""
    monkeypatch.setattr(_bench, "pin", lambda threads: None)


@pytest.mark.filterwarnings("default")  # theirs, not ours
@pytest.mark.parametrize("name", list(_peers.PEERS))
def test_peer_computes_what_it_offers(name):
    peers, absent = _peers.load([name])
    if absent:
        pytest.skip(f"not installed: {absent[name]}")
    peer = peers[name]
    assert peer.version
    for function, dtype in sorted(peer.offers):
        try:
            inputs, y = _bench.operands(function, 1000, _bench.as_dtype(dtype))
        except ImportError:
            continue  # no bfloat16 without ml_dtypes
        call, result = peer.prepare(function, inputs, y)
        call()
        call()
        exact = getattr(fastgelu, function)(*[a.astype(np.float64) for a in inputs])
        size = 1 + np.prod([1 + np.abs(a.astype(np.float64)) for a in inputs], axis=0)
        error = np.max(np.abs(np.asarray(result(), np.float64) - exact) / size)
        tolerance = ENHANCED_PERFORMANCE if name == "mkl-ep" else TOLERANCE
        assert error < tolerance[dtype], (function, dtype, error)


def test_unknown_module_is_absent_by_name(monkeypatch):
    monkeypatch.setattr(_peers.NumExpr, "module", "no_such_module")
    peers, absent = _peers.load(["numexpr"])
    assert not peers
    assert "no_such_module" in absent["numexpr"]


def test_measure_takes_turns():
    order = []
    calls = {"a": lambda: order.append("a"), "b": lambda: order.append("b")}
    times = _bench.measure(calls, rounds=4, seconds=0)
    assert {len(t) for t in times.values()} == {4}
    assert order[-8:] == ["a", "b", "b", "a"] * 2


def test_interrupted_turns_are_taken_again(monkeypatch):
    interruptions = iter([0, 1, 1, 2, 2, 2])  # before and after three turns
    monkeypatch.setattr(_bench, "interruptions", lambda: next(interruptions))
    turns = iter([0.001, 0.002, 0.003])

    class Timer:
        def timeit(self, repeats):
            return next(turns)

    assert _bench.undisturbed(Timer(), 1) == 0.003


def test_best_turn_if_all_are_interrupted(monkeypatch):
    monkeypatch.setattr(_bench, "interruptions", iter(range(100)).__next__)
    turns = iter([0.003, 0.001, 0.002])

    class Timer:
        def timeit(self, repeats):
            return next(turns)

    assert _bench.undisturbed(Timer(), 1, tries=3) == 0.001
    turns = iter([0.3])
    assert _bench.undisturbed(Timer(), 1) == 0.3


def test_summary():
    times = {"ours": np.array([1.0, 2.0, 3.0]), "theirs": np.array([2.0, 2.0, 12.0])}
    result = _bench.summary(times, "ours", 10**9)
    assert result == {"ns": {"ours": 2.0, "theirs": 2.0}, "ratio": {"theirs": 2.0}}


@pytest.mark.parametrize("threads", [1, 3])
def test_ours_computes_every_element(threads):
    inputs, y = _bench.operands("geglu", 1001, np.float32)
    y[:] = np.nan
    _bench.ours(fastgelu.geglu, inputs, y, threads)()
    np.testing.assert_array_equal(y, fastgelu.geglu(*inputs))


def test_sizes():
    assert [_bench.size(text) for text in ("100", "16k", "4M")] == [100, 16_384, 4_194_304]
    for text in ("", "0", "k", "-1", "1.5"):
        with pytest.raises(ValueError):  # noqa: PT011 -- argparse writes the message
            _bench.size(text)


def test_command(tmp_path, capsys):
    path = tmp_path / "bench.json"
    arguments = ["gelu", "swiglu", "--sizes", "100", "1k", "--peers", "--rounds", "3"]
    assert _bench.main([*arguments, "--json", str(path)]) == 0
    content = json.loads(path.read_text())
    assert [(r["function"], r["size"]) for r in content["results"]] == [
        ("gelu", 100),
        ("gelu", 1024),
        ("swiglu", 100),
        ("swiglu", 1024),
    ]
    expected = {f"fastgelu {isa}" for isa in fastgelu.runtime_info()["isas"]} | {"np.multiply"}
    for r in content["results"]:
        assert set(r["ns"]) == expected
        assert min(r["ns"].values()) > 0
    assert "gelu float32, ns per element" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["no_such"], "there is no function 'no_such'"),
        (["geglu_backward"], "geglu_backward has two results"),
        (["--peers", "no_such"], "there is no peer 'no_such'"),
        (["--sizes", "0"], "invalid size value: '0'"),
    ],
)
def test_wrong_arguments(arguments, message, capsys):
    with pytest.raises(SystemExit) as stop:
        _bench.main(arguments)
    assert stop.value.code == 2
    assert message in capsys.readouterr().err


def test_is_a_command_of_the_package(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["fastgelu", "bench", "--help"])
    with pytest.raises(SystemExit) as stop:
        main()
    assert stop.value.code == 0
    assert "--peers" in capsys.readouterr().out


def test_plot_without_matplotlib(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(SystemExit):
        _bench.main(["--plot", "figure.svg"])
    assert "--plot needs matplotlib, which is not installed" in capsys.readouterr().err


def test_plot(tmp_path):
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    path = tmp_path / "figure.svg"
    arguments = ["--sizes", "100", "1k", "--peers", "--rounds", "2", "--plot", str(path)]
    assert _bench.main(arguments) == 0
    assert path.read_text().lstrip().startswith("<?xml")
