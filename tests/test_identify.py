"""identify: which function made the samples, which did not, and when that cannot be told."""

import math
import sys

import numpy as np
import pytest
from samples import DTYPES, interval, nans

import fastgelu
from fastgelu.__main__ import main


def bfloat16(a):
    """float32 values rounded to bfloat16, ties to even."""
    bits = np.asarray(a, np.float32).view(np.uint32)
    bits = bits + np.uint32(0x7FFF) + ((bits >> np.uint32(16)) & np.uint32(1))
    return (bits & np.uint32(0xFFFF0000)).view(np.float32)


def float16(a):
    return np.asarray(a, np.float32).astype(np.float16)


def float32(a):
    return np.asarray(a, np.float32)


ROUNDINGS = {"float32": float32, "float16": float16, "bfloat16": bfloat16}


def erf(x):
    return np.array([math.erf(v) for v in x.tolist()]).astype(x.dtype)


def tanh_form(x):
    return 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * (x * x * x))))


# The formulas as they are usually written, in the dtype of x.
FORMULAS = {
    "gelu": lambda x: 0.5 * x * (1 + erf(x * x.dtype.type(math.sqrt(0.5)))),
    "gelu_tanh": tanh_form,
    "quick_gelu": lambda x: x * (1 / (1 + np.exp(-1.702 * x))),
    "silu": lambda x: x / (1 + np.exp(-x)),
    "relu": lambda x: np.maximum(x, 0),
    "leaky_relu": lambda x: np.where(x > 0, x, x * x.dtype.type(0.01)),
    "elu": lambda x: np.where(x > 0, x, np.expm1(np.minimum(x, 0))),
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "normal_cdf": lambda x: 0.5 * (1 + erf(x * x.dtype.type(math.sqrt(0.5)))),
}

# None of the candidates; each is told from them in 16 bits too.
STRANGERS = {
    "identity": lambda x: x + 0,
    "tanh": np.tanh,
    "softplus": lambda x: np.log1p(np.exp(x)),
    "mish": lambda x: x * np.tanh(np.log1p(np.exp(x))),
    "hardswish": lambda x: x * np.clip(x + 3, 0, 6) / 6,
    "relu squared": lambda x: np.maximum(x, 0) ** 2,
    "relu6 of twice x": lambda x: np.clip(2 * x, 0, 6),
    "swish 1.5": lambda x: x / (1 + np.exp(-1.5 * x)),
    "leaky relu 0.02": lambda x: np.where(x > 0, x, x * x.dtype.type(0.02)),
    "elu 0.9": lambda x: np.where(x > 0, x, x.dtype.type(0.9) * np.expm1(np.minimum(x, 0))),
    "gelu, clipped": lambda x: np.maximum(FORMULAS["gelu"](x), x.dtype.type(-0.1)),
    "gelu plus 0.01": lambda x: FORMULAS["gelu"](x) + x.dtype.type(0.01),
    "noise": lambda x: FORMULAS["gelu"](x) + x.dtype.type(0.03) * np.sin(1e4 * x),
}


def samples(formula, rounding, lo=-6, hi=6, n=2000):
    """x, and formula(x) computed in float32 and rounded once."""
    x = ROUNDINGS[rounding](interval(lo, hi, n, np.float32))
    return x, ROUNDINGS[rounding](formula(float32(x)))


def names(results):
    """The names that the verdict leaves."""
    best = results[0]
    return {best.name, *best.others} - {None}


# ---- match ----


@pytest.mark.parametrize("rounding", ROUNDINGS)
@pytest.mark.parametrize("made", FORMULAS)
def test_match(made, rounding):
    results = fastgelu.identify(*samples(FORMULAS[made], rounding))
    assert results[0].name == made
    assert results[0].verdict == "match"
    assert results[0].others == ()
    assert sorted(r.name for r in results) == sorted(FORMULAS)
    assert {r.verdict for r in results[1:]} == {"no match"}


@pytest.mark.parametrize("rounding", ROUNDINGS)
@pytest.mark.parametrize("made", ["gelu", "gelu_tanh", "quick_gelu", "silu"])
def test_figures(made, rounding):
    x, y = samples(FORMULAS[made], rounding, n=300)
    best = fastgelu.identify(x, y)[0]
    assert best.precision == rounding
    assert best.samples == np.unique(x).size
    x = x.astype(np.float64)
    f = getattr(fastgelu, made)(x)
    eps = {"float32": 2.0**-23, "float16": 2.0**-10, "bfloat16": 2.0**-7}[rounding]
    error = abs(y.astype(np.float64) - f) / (eps * abs(x))
    assert best.max_error == pytest.approx(error.max())
    assert best.mean_error <= best.max_error < 3
    assert best.median_ulp <= best.max_ulp


def test_figures_of_one_sample():
    """At x = 1 the unit of error is eps, and that in the last place of f(x) half of it."""
    y = np.float32(fastgelu.gelu(1.0)) + np.float32(2.0**-23)
    best = next(r for r in fastgelu.identify(np.float32([1]), np.float32([y])) if r.name == "gelu")
    excess = (float(y) - fastgelu.gelu(1.0)) * 2.0**23
    assert best.max_error == best.mean_error == pytest.approx(excess)
    assert best.max_ulp == best.median_ulp == pytest.approx(2 * excess)


@pytest.mark.parametrize("made", FORMULAS)
def test_float64(made):
    x = interval(-6, 6, 500, np.float64)
    best = fastgelu.identify(x, FORMULAS[made](x))[0]
    assert (best.name, best.verdict, best.precision) == (made, "match", "float64")


@pytest.mark.parametrize("made", ["gelu", "gelu_tanh", "quick_gelu", "silu"])
def test_float32_results_kept_in_float64(made):
    x, y = samples(FORMULAS[made], "float32")
    best = fastgelu.identify(x.astype(np.float64), y.astype(np.float64))[0]
    assert (best.name, best.verdict, best.precision) == (made, "match", "float32")


@pytest.mark.parametrize("made", ["gelu", "gelu_tanh", "quick_gelu", "silu"])
def test_bfloat16_as_two_byte_items(made):
    x, y = samples(FORMULAS[made], "bfloat16")
    x, y = ((a.view(np.uint32) >> 16).astype(np.uint16).view("V2") for a in (x, y))
    best = fastgelu.identify(x, y)[0]
    assert (best.name, best.verdict, best.precision) == (made, "match", "bfloat16")


@pytest.mark.parametrize("made", ["gelu", "gelu_tanh", "quick_gelu", "silu"])
def test_bfloat16_of_ml_dtypes(made):
    ml_dtypes = pytest.importorskip("ml_dtypes")
    x, y = (a.astype(ml_dtypes.bfloat16) for a in samples(FORMULAS[made], "bfloat16"))
    best = fastgelu.identify(x, y)[0]
    assert (best.name, best.verdict, best.precision) == (made, "match", "bfloat16")


def test_shapes_lists_and_byte_order():
    x, y = samples(tanh_form, "float32", n=240)
    x, y = x.astype(">f4").reshape(2, 3, 40)[:, ::-1], y.reshape(2, 3, 40)[:, ::-1]
    assert fastgelu.identify(x, y)[0].name == "gelu_tanh"
    assert fastgelu.identify(x.tolist(), y.tolist())[0].name == "gelu_tanh"


def test_the_tail_alone_decides_if_it_is_accurate():
    x = interval(-9, -7, 50, np.float32)
    assert fastgelu.identify(x, fastgelu.gelu(x))[0].verdict == "match"
    assert fastgelu.identify(x, fastgelu.gelu_tanh(x))[0].name == "gelu_tanh"


def test_every_step_rounded_without_cancellation():
    for rounding in ("float16", "bfloat16"):
        r = ROUNDINGS[rounding]
        x = r(interval(-6, 6, 2000, np.float32))
        z = float32(r(1.702 * float32(x)))
        y = r(float32(x) * float32(r(1 / (1 + np.exp(-z)))))
        best = fastgelu.identify(x, y)[0]
        assert (best.name, best.verdict) == ("quick_gelu", "match")


def test_elu_by_exp_minus_one():
    x = interval(-6, 6, 2000, np.float32)
    y = np.where(x > 0, x, np.exp(np.minimum(x, 0)) - 1)
    assert fastgelu.identify(x, y)[0].verdict == "match"
    assert fastgelu.identify(x, y)[0].name == "elu"


def test_every_name_is_known_to_activation():
    x = interval(-6, 6, 50, np.float64)
    for result in fastgelu.identify(x, fastgelu.gelu(x)):
        y = fastgelu.activation(result.name)(x)
        assert fastgelu.identify(x, y)[0].name == result.name


# ---- none of these ----


def test_one_sample_beside_values_of_few_bits():
    """relu6: all values but one are x, which says nothing of the precision of y, or 0 or 6."""
    x = np.append(np.linspace(-5, 6, 400), 6.3)
    assert fastgelu.identify(x, np.clip(x, 0, 6))[0].verdict == "none of these"
    assert fastgelu.identify(x, np.clip(x, 0, None))[0].name == "relu"


@pytest.mark.parametrize("rounding", ROUNDINGS)
@pytest.mark.parametrize("made", STRANGERS)
def test_none_of_these(made, rounding):
    results = fastgelu.identify(*samples(STRANGERS[made], rounding))
    assert results[0].name is None
    assert results[0].verdict == "none of these"
    assert math.isnan(results[0].max_error)
    assert sorted(r.name for r in results[1:]) == sorted(FORMULAS)
    assert {r.verdict for r in results[1:]} == {"no match"}
    errors = [r.mean_error for r in results[1:]]
    assert errors == sorted(errors)


def test_one_wrong_sample_is_enough():
    x, y = samples(FORMULAS["silu"], "float32")
    y[7] *= np.float32(1.0001)
    assert fastgelu.identify(x, y)[0].name is None


def test_other_input_than_the_model_saw():
    x = interval(-6, 6, 500, np.float32)
    assert fastgelu.identify(x, FORMULAS["gelu"](float32(float16(x))))[0].name is None


def test_constants_of_few_digits_need_a_narrower_precision():
    x = interval(-6, 6, 500, np.float64)
    y = 0.5 * x * (1 + np.tanh(x * 0.7978845608 * (1 + 0.044715 * x * x)))
    assert fastgelu.identify(x, y)[0].name is None
    best = fastgelu.identify(x, y, precision="float32")[0]
    assert (best.name, best.verdict, best.precision) == ("gelu_tanh", "match", "float32")


# ---- ambiguous ----


@pytest.mark.parametrize("rounding", ROUNDINGS)
def test_large_positive_inputs_do_not_tell(rounding):
    results = fastgelu.identify(*samples(FORMULAS["gelu"], rounding, 20, 90))
    alike = ["elu", "gelu", "gelu_tanh", "leaky_relu", "quick_gelu", "relu", "silu"]
    assert [r.verdict for r in results] == ["ambiguous"] * 7 + ["no match"] * 2
    assert sorted(r.name for r in results[:7]) == alike
    for result in results[:7]:
        assert sorted((result.name, *result.others)) == alike


@pytest.mark.parametrize("rounding", ROUNDINGS)
def test_a_cancelled_tail_does_not_tell(rounding):
    """The usual formulas give 0 below -6: that is no relu."""
    x, y = samples(FORMULAS["gelu"], rounding, -9, -6)
    assert not y.any()
    assert {"gelu", "gelu_tanh", "relu"} <= names(fastgelu.identify(x, y))


def test_tiny_inputs_do_not_tell():
    x, y = samples(FORMULAS["silu"], "float32", -1e-9, 1e-9)
    assert names(fastgelu.identify(x, y)) == {"gelu", "gelu_tanh", "quick_gelu", "silu"}


def test_zeros_do_not_tell():
    results = fastgelu.identify(np.zeros(5), np.zeros(5))
    assert names(results) == set(FORMULAS) - {"sigmoid", "normal_cdf"}
    assert names(fastgelu.identify(np.zeros(5), np.full(5, 0.5))) == {"sigmoid", "normal_cdf"}


@pytest.mark.parametrize("made", ["gelu", "gelu_tanh"])
def test_a_cancelling_formula_with_every_step_rounded(made):
    """float16 throughout: the two forms are closer to each other than the formula to either."""
    x = interval(-6, 6, 4000, np.float16)
    y = FORMULAS[made](x)
    assert y.dtype == np.float16
    assert names(fastgelu.identify(x, y)) == {"gelu", "gelu_tanh"}


@pytest.mark.parametrize("n", [1, 2, 3, 5, 10])
@pytest.mark.parametrize("made", FORMULAS)
def test_few_samples_never_mislead(made, n):
    """Whatever the rounding, the right function is among those named."""
    x = interval(-6, 6, 400, np.float32)
    every_step = x.astype(np.float16), FORMULAS[made](x.astype(np.float16))
    for x, y in [samples(FORMULAS[made], r, n=400) for r in ROUNDINGS] + [every_step]:
        for start in range(0, 400, 80):
            part = slice(start, start + n)
            assert made in names(fastgelu.identify(x[part], y[part]))


def normal(n, scale, rounding, seed):
    return ROUNDINGS[rounding](np.random.default_rng(seed).normal(size=n) * scale)


@pytest.mark.reported
def test_five_samples_of_the_identity_are_no_match():
    """elu near zero differs from x by less than exp(x) - 1 may be off by in bfloat16."""
    for seed in range(200):
        x = normal(5, 0.3, "bfloat16", seed)
        assert fastgelu.identify(x, x)[0].verdict in ("ambiguous", "none of these")


@pytest.mark.reported
@pytest.mark.parametrize("rounding", ROUNDINGS)
@pytest.mark.parametrize("made", STRANGERS)
def test_few_samples_of_a_stranger_are_no_match(made, rounding):
    """But where a candidate has the very same values; by chance, one in a thousand may be."""
    wrong = 0
    for n in (1, 2, 3, 5, 8, 12):
        for scale in (0.1, 0.3, 1, 3):
            for seed in range(5):
                x = normal(n, scale, rounding, seed)
                y = ROUNDINGS[rounding](STRANGERS[made](float32(x)))
                best = fastgelu.identify(x, y)[0]
                if best.verdict == "match":
                    wrong += bool((y != ROUNDINGS[rounding](FORMULAS[best.name](float32(x)))).any())
    assert wrong <= 1  # of 120


@pytest.mark.parametrize("made", FORMULAS)
def test_a_dozen_samples_match_in_float32(made):
    for seed in range(20):
        x = normal(12, 1, "float32", seed)
        best = fastgelu.identify(x, FORMULAS[made](x))[0]
        assert (best.name, best.verdict, best.others) == (made, "match", ())


@pytest.mark.reported
@pytest.mark.parametrize("rounding", ROUNDINGS)
def test_many_samples_that_say_nothing(rounding):
    """elu beside x close to zero, and relu beside 0 left of it: many are no better than few."""
    x = ROUNDINGS[rounding](interval(-1e-9, 1e-9, 2000, np.float32))
    assert fastgelu.identify(x, x)[0].verdict == "ambiguous"
    x = ROUNDINGS[rounding](interval(-2, -1, 2000, np.float32))
    best = fastgelu.identify(x, np.zeros_like(x))[0]
    assert best.verdict == "ambiguous"
    assert "relu" in (best.name, *best.others)
    x = ROUNDINGS[rounding](interval(-0.19, 0.5, 2000, np.float32))
    assert fastgelu.identify(x, x)[0].verdict != "match"


def test_copies_of_a_sample_are_no_evidence():
    x, y = samples(tanh_form, "bfloat16", -2.2, -2.1, n=4)
    once = fastgelu.identify(x, y)
    assert once[0].verdict == "ambiguous"
    assert fastgelu.identify(np.tile(x, 1000), np.tile(y, 1000)) == once


# ---- what is left out, what is refused ----


def test_pairs_that_are_not_finite_are_left_out():
    x, y = samples(FORMULAS["silu"], "float32", n=100)
    clean = fastgelu.identify(x, y)
    inf, nan = np.inf, np.nan
    x = np.append(x, np.float32([inf, -inf, nan, 1.0, 2.0, -3.0]))
    y = np.append(y, np.float32([inf, nan, nan, nan, inf, -inf]))
    assert fastgelu.identify(x, y) == clean
    assert clean[0].samples == 100


@pytest.mark.reported
@pytest.mark.parametrize("dtype", [*DTYPES, np.dtype("V2")], ids=str)
def test_signalling_nans_are_quiet(dtype):
    x, y = samples(FORMULAS["silu"], "bfloat16", n=300)
    clean = fastgelu.identify(x, y)
    assert clean[0].name == "silu"
    if dtype.kind == "V" and dtype.itemsize == 2:  # bfloat16, as such or as two bytes
        x, y = ((a.view(np.uint32) >> 16).astype(np.uint16) for a in (x, y))
        signalling = np.full(6, 0x7F81, np.uint16)
    else:
        x, y, signalling = x.astype(dtype), y.astype(dtype), nans(dtype)[:6]
    with np.errstate(all="raise"):
        x = np.concatenate([x, signalling, x[:6]]).view(dtype)
        y = np.concatenate([y, y[:6], signalling]).view(dtype)
        assert fastgelu.identify(x, y) == clean


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_extreme_values_are_quiet(dtype):
    info = np.finfo(dtype)
    x = np.array([info.max, -info.max, info.tiny, -info.smallest_subnormal, 0.0, 1.0, -1.0], dtype)
    with np.errstate(all="warn"):  # and warnings are errors
        assert fastgelu.identify(x, fastgelu.silu(x))[0].name == "silu"
        assert fastgelu.identify(x, x[::-1].copy())[0].name is None


@pytest.mark.parametrize(
    ("x", "y", "message"),
    [
        (np.zeros(3), np.zeros(4), r"same shape, not \(3,\) and \(4,\)"),
        (np.zeros((2, 2)), np.zeros(4), "same shape"),
        (np.zeros(3), np.float64(0), "same shape"),
        (np.zeros(0), np.zeros(0), "no pair of finite numbers"),
        (np.full(3, np.nan), np.zeros(3), "no pair of finite numbers"),
        (np.zeros(3), np.full(3, -np.inf), "no pair of finite numbers"),
        (np.array([1.0, np.nan]), np.array([np.inf, 1.0]), "no pair of finite numbers"),
    ],
)
def test_samples_without_meaning(x, y, message):
    with pytest.raises(ValueError, match=message):
        fastgelu.identify(x, y)


@pytest.mark.parametrize("kind", ["i4", "?", "F", "O", "U1", "V4", [("real", "f2")]])
def test_other_dtypes(kind):
    good, bad = np.zeros(3), np.zeros(3, kind)
    with pytest.raises(TypeError, match="x has the dtype"):
        fastgelu.identify(bad, good)
    with pytest.raises(TypeError, match="y has the dtype"):
        fastgelu.identify(good, bad)


def test_unknown_precision():
    with pytest.raises(ValueError, match="precision must be one of bfloat16, float16"):
        fastgelu.identify(np.zeros(3), np.zeros(3), precision="half")


@pytest.mark.parametrize("largest", [1e308, np.finfo(np.float64).max])
def test_the_largest_numbers_are_quiet(largest):
    x = np.linspace(-1, 1, 201) * largest
    with np.errstate(all="raise"):
        best = fastgelu.identify(x, np.maximum(x, 0))[0]
        assert "relu" in (best.name, *best.others)
        assert fastgelu.identify(x, x[::-1])[0].verdict == "none of these"
        mixed = np.array([-largest, -largest / 3, -1, -5e-324, 0, 2.5, largest / 5, largest])
        for y in (mixed, mixed[::-1], np.maximum(mixed, 0), fastgelu.silu(mixed)):
            for precision in ("bfloat16", "float16", "float32", "float64"):
                fastgelu.identify(mixed, y, precision=precision)


def test_what_is_masked_is_left_out():
    x, y = samples(FORMULAS["silu"], "float32")
    wrong = np.arange(x.size) % 7 == 3
    y[wrong] = 12
    assert fastgelu.identify(x, y)[0].verdict == "none of these"
    want = fastgelu.identify(x[~wrong], y[~wrong])
    assert want[0].name == "silu"
    assert fastgelu.identify(np.ma.array(x, mask=wrong), y) == want
    assert fastgelu.identify(x, np.ma.array(y, mask=wrong)) == want
    with pytest.raises(ValueError, match="no pair"):
        fastgelu.identify(np.ma.array(x, mask=True), y)
    # np.asarray of a sequence forgets the masks.
    masked = np.ma.array(y, mask=wrong)
    assert fastgelu.identify([x, x], [masked, masked]) == want
    assert fastgelu.identify([[x]], ((masked,),)) == want
    values = [np.ma.masked if w else v for v, w in zip(y, wrong, strict=True)]
    assert fastgelu.identify(list(x), values) == want


# ---- python -m fastgelu identify ----


@pytest.fixture
def command(tmp_path, monkeypatch, capsys):
    """Saves x and y, runs the command on them, and gives its status and what it printed."""

    def run(x, y, *options):
        np.save(tmp_path / "x.npy", x)
        np.save(tmp_path / "y.npy", y)
        paths = [str(tmp_path / "x.npy"), str(tmp_path / "y.npy")]
        monkeypatch.setattr(sys, "argv", ["fastgelu", "identify", *paths, *options])
        return main(), capsys.readouterr().out

    return run


def test_command_match(command):
    status, printed = command(*samples(FORMULAS["silu"], "float16", n=500))
    lines = printed.splitlines()
    assert status == 0
    assert lines[0].startswith("match: silu (")
    assert lines[0].endswith(" different samples of float16)")
    assert lines[4].split()[0] == "silu"
    assert sorted(line.split()[0] for line in lines[4:13]) == sorted(FORMULAS)


def test_command_ambiguous(command):
    status, printed = command(*samples(FORMULAS["gelu"], "float32", -1e-9, 1e-9))
    assert status == 1
    assert printed.startswith("ambiguous: ")
    assert {"gelu", "gelu_tanh", "quick_gelu", "silu"} == set(
        printed[len("ambiguous: ") : printed.index(" (")].split(", ")
    )


def test_command_too_few_samples(command):
    x = bfloat16([-0.18457, 0.25, 0.5, 0.75, 1])
    status, printed = command(x, x)
    assert status == 1
    assert printed.startswith("ambiguous: elu or a function not known here: too few telling sam")


def test_command_none(command):
    status, printed = command(*samples(np.tanh, "float32"))
    assert status == 1
    assert printed.startswith("none of these: ")
    assert "nan" not in printed


def test_command_precision_and_bfloat16_files(command):
    x, y = samples(FORMULAS["gelu"], "bfloat16")
    status, printed = command(x, y, "--precision", "bfloat16")
    assert (status, printed.split(" (")[0]) == (0, "match: gelu")
    x, y = ((a.view(np.uint32) >> 16).astype(np.uint16).view("V2") for a in (x, y))
    status, again = command(x, y)
    assert (status, again) == (0, printed)


@pytest.mark.parametrize(
    ("x", "y", "options", "message"),
    [
        (np.zeros(3), np.zeros(4), [], "same shape"),
        (np.zeros(3, int), np.zeros(3), [], "x has the dtype"),
        (np.zeros(3), np.zeros(3), ["--precision", "half"], "precision must be one of"),
        (np.zeros(3), np.zeros(3), ["--nonsense"], "unrecognized arguments"),
    ],
)
def test_command_errors(command, capsys, x, y, options, message):
    with pytest.raises(SystemExit) as stop:
        command(x, y, *options)
    assert stop.value.code == 2
    assert message in capsys.readouterr().err


def npy(header, magic=b"\x93NUMPY\x01\x00"):
    """What a .npy file of 24 bytes with this header contains."""
    return magic + len(header).to_bytes(2, "little") + header + bytes(24)


FLOATS = b"{'descr': '<f8', 'fortran_order': False, 'shape': (3,), }"


def test_the_files_of_the_next_test_are_as_numpy_writes_them(tmp_path):
    (tmp_path / "x.npy").write_bytes(npy(FLOATS))
    np.testing.assert_array_equal(np.load(tmp_path / "x.npy"), np.zeros(3))


@pytest.mark.parametrize(
    "content",
    [
        None,
        b"",
        b"no numbers",
        npy(FLOATS)[:-5],
        npy(FLOATS)[:40],
        npy(FLOATS, b"\x93NUMPY\x09\x00"),
        npy(b"{{{{" + FLOATS),
        npy(b"[" * 5000),
        npy(b"\xff" + FLOATS),
        npy(FLOATS.replace(b"<f8", b"<x9")),
        npy(FLOATS.replace(b"<f8", b"|O")),
        npy(FLOATS.replace(b"<f8", b"<i8")),
        npy(FLOATS.replace(b"3,", b"-3,")),
        npy(FLOATS.replace(b"3,", b"999999999999,")),
        npy(FLOATS.replace(b"3,", b"9" * 30 + b",")),
    ],
)
def test_command_files_that_are_none(tmp_path, monkeypatch, capsys, content):
    path = tmp_path / "x.npy"
    if content is not None:
        path.write_bytes(content)
    monkeypatch.setattr(sys, "argv", ["fastgelu", "identify", str(path), str(path)])
    with pytest.raises(SystemExit) as stop:
        main()
    assert stop.value.code == 2
    error = capsys.readouterr().err
    assert error.startswith("usage: python -m fastgelu identify")
    assert str(path) in error
    assert "Traceback" not in error
