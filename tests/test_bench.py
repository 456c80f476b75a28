"""The benchmark command, and the peers: whatever is installed computes what its name says."""

import errno
import itertools
import json
import os
import sys
import time

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


def test_noise_is_the_spread_of_the_middle_half():
    """Of the rounds, and of their ratios."""
    steady = np.array([1.0, 1.0, 1.1, 1.0, 90.0])  # one round in five says nothing
    varied = np.array([1.0, 2.0, 3.0, 4.0, 5.0])
    times = {"ours": steady, "like": 3 * steady, "varied": varied}
    noise = _bench.noise(times, dict.fromkeys(times, [0] * 5), "ours")
    assert noise["ours"] == noise["like"] == pytest.approx(0.1)
    assert noise["varied"] > 0.5
    assert _bench.noise({"once": np.array([2.0])}, {"once": [0]}, "once") == {"once": 0}


def test_noise_is_waiting_too():
    """On a busy machine all rounds may be slow alike."""
    times = dict.fromkeys(("ours", "theirs"), np.array([5.0, 5.0, 5.0]))
    assert _bench.noise(times, {"ours": [0, 0, 0], "theirs": [0.8, 0.7, 0]}, "ours") == {
        "ours": 0,
        "theirs": 0.7,
    }
    waits = {"ours": [0.8, 0.7, 0.9], "theirs": [0, 0, 0]}  # then their ratio is no better
    assert set(_bench.noise(times, waits, "ours").values()) == {0.8}


@pytest.mark.skipif(_bench.resource is None, reason="the system does not tell")
def test_waiting_is_noticed():
    waits = {}
    _bench.measure({"waits": lambda: time.sleep(0.01)}, rounds=3, waits=waits)
    assert len(waits["waits"]) == 3
    assert min(waits["waits"]) > 0.5


@pytest.mark.reported
def test_noise_is_marked(capsys):
    """386.9 (566.40) of a busy machine has to be told from a measurement."""
    result = {"function": "gelu", "dtype": "float32", "size": 100, "threads": 1}
    result |= {"ns": {"ours": 0.683, "theirs": 386.9}, "ratio": {"theirs": 566.4}}
    _bench.print_table([result | {"noise": {"ours": 0.02, "theirs": 1.7}}])
    printed = capsys.readouterr().out
    assert " 0.683 " in printed
    assert "~386.900 (566.40)" in printed
    assert "~ noise: even the middle half of the rounds differs by more than 20%, or" in printed
    _bench.print_table([result | {"noise": {"ours": 0.02, "theirs": 0.1}}])
    assert "~" not in capsys.readouterr().out


@pytest.mark.parametrize("threads", [1, 3])
def test_ours_computes_every_element(threads):
    inputs, y = _bench.operands("geglu", 1001, np.float32)
    y[:] = np.nan
    _bench.ours(fastgelu.geglu, inputs, y, threads)()
    np.testing.assert_array_equal(y, fastgelu.geglu(*inputs))


def test_sizes():
    assert [_bench.size(text) for text in ("100", "16k", "4M")] == [100, 16_384, 4_194_304]
    for n in (1, 100, 1000, 1024, 4097 * 1024, 1 << 24):
        assert _bench.size(_bench.size_name(n)) == n
    for text in ("", "0", "k", "-1", "1.5", "9" * 30):
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


@pytest.mark.reported
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["no_such"], "there is no function 'no_such'"),
        (["geglu_backward"], "geglu_backward has two results"),
        (["--peers", "no_such"], "there is no peer 'no_such'"),
        (["--sizes", "0"], "invalid size value: '0'"),
        (
            ["--sizes", "100", "99999999999999"],
            "gelu of 99,999,999,999,999 float32 needs 745,058.1",
        ),
        (["--sizes", "9" * 30], "invalid size value: '999"),
        (["--json", ""], "--json: the name of the file is empty"),
        (["--json", "."], "--json: .: it is a directory"),
        (["--json", "no_such/file"], "--json: no_such/file: there is no directory no_such"),
        (["--plot", "."], "--plot: .: it is a directory"),
    ],
)
def test_wrong_arguments(arguments, message, capsys, monkeypatch):
    monkeypatch.setattr(_bench, "run", None)  # nothing is measured first
    monkeypatch.setattr(_bench, "memory", lambda: 2**36)
    with pytest.raises(SystemExit) as stop:
        _bench.main(arguments)
    assert stop.value.code == 2
    assert message in capsys.readouterr().err


@pytest.mark.reported
def test_files_that_cannot_be_written(tmp_path, monkeypatch):
    assert _bench.unwritable(str(tmp_path / "new")) is None
    monkeypatch.setattr(_bench.os, "access", lambda path, mode: False)  # root may write anywhere
    assert _bench.unwritable(str(tmp_path / "new")) == "nothing can be written there"


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="the system has no /dev/full")
def test_a_disk_that_is_full_afterwards(capsys):
    arguments = ["bench", "--sizes", "100", "--peers", "--rounds", "1", "--json", "/dev/full"]
    assert main(arguments) == 1
    printed = capsys.readouterr()
    assert "gelu float32, ns per element" in printed.out  # not lost
    assert printed.err == f"python -m fastgelu bench: /dev/full: {os.strerror(errno.ENOSPC)}\n"


@pytest.mark.reported
def test_arrays_for_which_there_is_no_memory(monkeypatch, capsys):
    def run(*arguments, **keywords):
        raise MemoryError("Unable to allocate 4.00 GiB")

    monkeypatch.setattr(_bench, "run", run)
    with pytest.raises(SystemExit) as stop:
        _bench.main(["--peers"])
    assert stop.value.code == 2
    assert "--sizes: not enough memory: Unable to allocate 4.00 GiB" in capsys.readouterr().err


def test_what_is_named_twice_is_measured_once(capsys):
    assert _bench.main(["gelu", "gelu", "--sizes", "64", "64", "--peers", "--rounds", "1"]) == 0
    assert capsys.readouterr().out.count("fastgelu scalar") == 1


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


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--plot", "a.xyz"], "--plot: a.xyz: the extension is one of "),
        (["--plot", "a"], "--plot: a: the extension is one of "),
        (["--plot", "a.png", "--json", "./a.png"], "--json and --plot name the same file, a.png"),
    ],
)
def test_wrong_names_of_plots(arguments, message, capsys, monkeypatch):
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    monkeypatch.setattr(_bench, "run", None)  # nothing is measured first
    with pytest.raises(SystemExit) as stop:
        _bench.main(arguments)
    assert stop.value.code == 2
    assert message in capsys.readouterr().err


@pytest.mark.reported
@pytest.mark.parametrize(
    "sizes",
    [
        _bench.SIZES,
        (1000,),
        (1024, 4096, 5120, 8192),
        (1000, 1024),
        (16384, 20000),
        (999_999, 2_000_003, 9_999_999),
    ],
)
def test_labels_of_sizes_do_not_overlap(sizes, tmp_path, monkeypatch):
    matplotlib = pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    matplotlib.use("agg")
    import matplotlib.pyplot as plt

    monkeypatch.setattr(plt, "close", lambda figure: None)
    results = [
        {"function": f, "dtype": "float32", "size": n, "ns": {"fastgelu avx512": 1.0}}
        for f in ("gelu", "silu", "gelu_tanh")
        for n in sizes
    ]
    _bench.plot(results, tmp_path / "figure.png")
    figure = plt.gcf()
    monkeypatch.undo()
    for ax in figure.axes:
        boxes = [label.get_window_extent() for label in ax.get_xticklabels(which="both")]
        boxes = sorted((box for box in boxes if box.width), key=lambda box: box.x0)
        assert len(boxes) >= min(len(sizes), 2)
        assert all(a.x1 + 4 < b.x0 for a, b in itertools.pairwise(boxes)), sizes
    plt.close(figure)
