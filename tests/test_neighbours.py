"""The packages that users keep their arrays in, the real ones: pip install ".[test-ecosystem]".

Each knows ufuncs by NumPy's protocol __array_ufunc__ and gives back its own type, with labels,
laziness and sparsity kept.
"""

import os
import sys

import numpy as np
import pytest
from samples import DTYPES, bits, interval

import fastgelu

AxisError = getattr(np, "exceptions", np).AxisError  # NumPy before 1.25 has it at the top
UNARY = list(fastgelu._fastgelu.functions)


@pytest.fixture(params=DTYPES[:3], ids=str)
def dtype(request):
    """NumPy's own dtypes, which these packages know."""
    return request.param


def grid(dtype, shape=(20, 30)):
    return interval(-6, 6, int(np.prod(shape)), dtype).reshape(shape)


def same(got, want):
    got = np.asarray(got)
    assert got.dtype == want.dtype
    np.testing.assert_array_equal(bits(got), bits(want))


class TestPandas:
    @pytest.fixture
    def pd(self):
        return pytest.importorskip("pandas", reason="pandas is not installed")

    def test_series(self, pd, f, dtype):
        x = grid(dtype, 12)
        series = pd.Series(x, index=list("abcdefghijkl"), name="hidden")
        y = f(series)
        assert type(y) is pd.Series
        assert y.name == "hidden"
        assert list(y.index) == list(series.index)
        same(y, f(x))

    def test_frame(self, pd, f, dtype):
        x = grid(dtype)
        frame = pd.DataFrame(x, columns=[f"c{i}" for i in range(30)])
        y = f(frame)
        assert type(y) is pd.DataFrame
        assert list(y.columns) == list(frame.columns)
        same(y, f(x))

    def test_two_inputs_are_aligned_by_label(self, pd):
        gate = pd.Series([1.0, 2.0, 3.0], index=["a", "b", "c"])
        up = pd.Series([30.0, 10.0, 20.0], index=["c", "a", "b"])
        y = fastgelu.swiglu(gate, up)
        same(y, fastgelu.swiglu(gate.to_numpy(), np.array([10.0, 20.0, 30.0])))
        same(fastgelu.leaky_relu(gate, 0.01), fastgelu.leaky_relu(gate.to_numpy(), 0.01))

    def test_two_outputs(self, pd):
        x = pd.Series(grid(np.float32, 9))
        y = fastgelu.swiglu_backward(x, x, x)
        assert all(type(part) is pd.Series for part in y)
        for part, want in zip(y, fastgelu.swiglu_backward(*[x.to_numpy()] * 3), strict=True):
            same(part, want)

    @pytest.mark.reported
    def test_missing_samples_are_left_out(self, pd):
        x = grid(np.float64, 300)
        y = fastgelu.silu(x)
        missing = pd.Series([None, *x], dtype="Float64").astype("float64")
        assert fastgelu.identify(missing, pd.Series([3.0, *y])) == fastgelu.identify(x, y)

    def test_missing_values_stay_missing(self, pd):
        x = pd.Series([1.0, None, -2.0], dtype="Float64")
        y = fastgelu.gelu(x)
        assert list(y.isna()) == [False, True, False]
        assert y[0] == fastgelu.gelu(1.0)
        assert y[2] == fastgelu.gelu(-2.0)


class TestXarray:
    @pytest.fixture
    def xr(self):
        return pytest.importorskip("xarray", reason="xarray is not installed")

    def test_array(self, xr, f, dtype):
        x = grid(dtype)
        array = xr.DataArray(x, dims=("token", "unit"), coords={"token": np.arange(20)}, name="h")
        y = f(array)
        assert type(y) is xr.DataArray
        assert (y.dims, y.name) == (array.dims, "h")
        same(y, f(x))

    def test_dataset(self, xr, f):
        x = {"a": grid(np.float32), "b": grid(np.float64)}
        data = xr.Dataset({k: (("token", "unit"), v) for k, v in x.items()})
        y = f(data)
        assert type(y) is xr.Dataset
        for key, value in x.items():
            same(y[key], f(value))

    def test_bias_is_broadcast_by_the_name_of_its_dimension(self, xr):
        x, bias = grid(np.float32), grid(np.float32, 20)
        y = fastgelu.bias_gelu(
            xr.DataArray(x, dims=("token", "unit")), xr.DataArray(bias, dims="token")
        )
        same(y, fastgelu.bias_gelu(x, bias[:, None]))

    def test_lazy(self, xr):
        pytest.importorskip("dask.array", reason="dask is not installed")
        x = grid(np.float32)
        y = fastgelu.gelu(xr.DataArray(x, dims=("token", "unit")).chunk(token=7))
        assert y.chunks is not None
        same(y.compute(), fastgelu.gelu(x))


class TestSparse:
    @pytest.fixture
    def sparse(self):
        return pytest.importorskip("sparse", reason="sparse is not installed")

    @pytest.mark.parametrize("name", UNARY)
    def test_zero_becomes_the_fill_value(self, sparse, name, dtype):
        f = getattr(fastgelu, name)
        x = np.where(np.arange(600).reshape(20, 30) % 7 == 0, grid(dtype), dtype.type(0))
        packed = sparse.COO.from_numpy(x)
        y = f(packed)
        assert isinstance(y, sparse.COO)
        assert y.fill_value == f(dtype.type(0))
        assert y.nnz <= packed.nnz
        same(y.todense(), f(x))

    def test_gate(self, sparse):
        gate = np.where(np.arange(600).reshape(20, 30) % 5 == 0, grid(np.float64), 0.0)
        up = np.where(np.arange(600).reshape(20, 30) % 3 == 0, grid(np.float64) + 1, 0.0)
        y = fastgelu.geglu(sparse.COO.from_numpy(gate), sparse.COO.from_numpy(up))
        assert isinstance(y, sparse.COO)
        # Where either is zero the result is, of whichever sign.
        np.testing.assert_array_equal(y.todense(), fastgelu.geglu(gate, up))


class TestDask:
    @pytest.fixture
    def da(self):
        return pytest.importorskip("dask.array", reason="dask is not installed")

    def test_lazy(self, da, f, dtype):
        x = grid(dtype)
        y = f(da.from_array(x, chunks=(7, 11)))
        assert isinstance(y, da.Array)
        assert (y.dtype, y.chunks) == (dtype, ((7, 7, 6), (11, 11, 8)))
        same(y.compute(), f(x))

    def test_several_inputs(self, da):
        x, bias = grid(np.float32), grid(np.float32, 30)
        lazy = da.from_array(x, chunks=(7, 11))
        same(fastgelu.bias_gelu(lazy, bias).compute(), fastgelu.bias_gelu(x, bias))
        same(fastgelu.swiglu(lazy, lazy[::-1]).compute(), fastgelu.swiglu(x, x[::-1]))

    def test_halves_are_lazy(self, da):
        x = grid(np.float32)
        halves = fastgelu.split_gate(da.from_array(x, chunks=(7, 30)), layout="up_gate")
        for lazy, want in zip(halves, fastgelu.split_gate(x, layout="up_gate"), strict=True):
            assert isinstance(lazy, da.Array)
            same(lazy.compute(), want)
        with pytest.raises(TypeError, match="each block"):
            fastgelu.stochastic_gelu(da.from_array(x), 0)

    @pytest.mark.reported
    @pytest.mark.parametrize("layout", ["gate_up", "up_gate", "interleaved"])
    def test_halves_of_an_unknown_length(self, da, layout):
        x = grid(np.float32)
        some = np.arange(30) % 3 > 0
        packed = da.from_array(x, chunks=(7, 11))[:, da.from_array(some)]
        assert np.isnan(packed.shape[1])
        for axis in (1, -1):
            with pytest.raises(ValueError, match=f"^axis {axis} has an unknown length: packed"):
                fastgelu.split_gate(packed, axis, layout=layout)
        halves = fastgelu.split_gate(packed.compute_chunk_sizes(), layout=layout)
        for got, want in zip(halves, fastgelu.split_gate(x[:, some], layout=layout), strict=True):
            same(got, want)
        # An unknown length of another axis is no matter.
        rows = da.from_array(x, chunks=(7, 11))[da.from_array(x[:, 0] > 0)]
        halves = fastgelu.split_gate(rows, layout=layout)
        want = fastgelu.split_gate(x[x[:, 0] > 0], layout=layout)
        for got, half in zip(halves, want, strict=True):
            same(got, half)

    @pytest.mark.parametrize("axis", [2, -3])
    def test_axis_out_of_range(self, da, axis):
        with pytest.raises(AxisError, match=f"^axis {axis} is out of bounds for array of dim"):
            fastgelu.split_gate(da.zeros((4, 4)), axis, layout="gate_up")

    @pytest.mark.reported
    def test_masks_of_samples_are_kept(self, da):
        x = grid(np.float32, 300)
        wrong = np.arange(300) % 7 == 3
        y = np.where(wrong, np.float32(12), fastgelu.silu(x))
        want = fastgelu.identify(x[~wrong], y[~wrong])
        assert want[0].name == "silu"
        masked = da.ma.masked_array(da.from_array(y, chunks=90), wrong)
        assert fastgelu.identify(da.from_array(x), masked) == want
        assert fastgelu.identify([x, x], [masked, masked]) == want

    def test_two_outputs_as_a_generalized_ufunc(self, da):
        # dask refuses ufuncs of two outputs that it does not know by name.
        x = grid(np.float32)
        lazy = da.from_array(x, chunks=(7, 11))
        f = fastgelu.swiglu_backward
        y = da.apply_gufunc(f, "(),(),()->(),()", lazy, lazy, lazy, output_dtypes=[x.dtype] * 2)
        for part, want in zip(y, f(x, x, x), strict=True):
            same(part.compute(), want)


class Foreign:
    """Arrays whose dtypes are not NumPy's, of packages that NumPy's ufuncs can read."""

    @pytest.mark.reported
    def test_usual_parameters(self, convert):
        x = np.array([-1.0, 2.0])
        for name, parameter in (("elu", 1.0), ("leaky_relu", 0.01)):
            y = fastgelu.activation(name)(convert(x))
            assert type(y) is type(getattr(fastgelu, name)(convert(x), parameter))
            same(y, getattr(fastgelu, name)(x, parameter))

    @pytest.mark.reported
    def test_identify(self, convert):
        x = grid(np.float32, 300)
        y = fastgelu.gelu_tanh(x)
        assert fastgelu.identify(convert(x), convert(y)) == fastgelu.identify(x, y)
        same(fastgelu.stochastic_gelu(convert(x), 0), fastgelu.stochastic_gelu(x, 0))


# Of what torch does with results of NumPy's ufuncs.
@pytest.mark.filterwarnings("ignore:__array_wrap__ must accept:DeprecationWarning")
class TestTorch(Foreign):
    @pytest.fixture
    def convert(self):
        return pytest.importorskip("torch", reason="torch is not installed").tensor

    def test_bfloat16_has_to_be_widened(self, convert):
        x = convert(grid(np.float32, 300)).bfloat16()
        with pytest.raises(TypeError, match=r"x cannot be made an array: .* widened to float32"):
            fastgelu.identify(x, x)
        assert fastgelu.identify(x.float(), x.float())[0].name is None


class TestPolars(Foreign):
    @pytest.fixture
    def convert(self):
        return pytest.importorskip("polars", reason="polars is not installed").Series

    def test_what_is_missing_is_left_out(self, convert):
        x = grid(np.float64, 300)
        y = fastgelu.silu(x)
        missing = convert([None, *x.tolist()])
        assert fastgelu.activation("elu")(missing).null_count() == 1
        assert fastgelu.identify(missing, convert([3.0, *y])) == fastgelu.identify(x, y)


class TestArrayApiStrict(Foreign):
    @pytest.fixture
    def convert(self):
        reason = "array-api-strict is not installed"
        return pytest.importorskip("array_api_strict", reason=reason).asarray


def has_fastgelu():
    return "fastgelu" in sys.modules


# What the cluster's own machinery warns of, such as slow event loops on a busy machine, is no
# matter of this test.
@pytest.mark.filterwarnings("ignore")
@pytest.mark.subprocess
def test_cluster_with_an_array_larger_than_a_worker():
    """gelu on two processes, each with a memory limit below the size of the array."""
    distributed = pytest.importorskip("distributed", reason="dask.distributed is not installed")
    import dask.array as da

    limit, chunk, chunks = 512 << 20, 1 << 20, 80
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, memory_limit=limit, dashboard_address=None
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        workers = client.run(os.getpid)
        assert len(set(workers.values()) - {os.getpid()}) == 2
        limits = [w["memory_limit"] for w in client.scheduler_info()["workers"].values()]
        x = (da.arange(chunk * chunks, chunks=chunk, dtype=np.float64) - 1e7) * 1e-6
        assert limits == [limit] * 2
        assert x.nbytes > max(limits)

        y = fastgelu.gelu(x)
        sums = y.map_blocks(lambda block: block.sum(keepdims=True), chunks=(1,)).compute()
        ends = y[:: chunk * chunks - 1].compute()

        assert all(client.run(has_fastgelu).values())
        assert client.run(os.getpid) == workers, "a worker was killed and started anew"

    def part(i):
        return (np.arange(i * chunk, (i + 1) * chunk, dtype=np.float64) - 1e7) * 1e-6

    same(sums, np.array([fastgelu.gelu(part(i)).sum() for i in range(chunks)]))
    same(ends, fastgelu.gelu(np.array([part(0)[0], part(chunks - 1)[-1]])))
