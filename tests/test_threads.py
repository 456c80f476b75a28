"""Several threads under one call: the setting, the same bits, forks, exits, other libraries.

That the pool does share work, keeps to the caller's CPUs and has no data race is tested in C,
by c/tests/threads.c; here it is what Python sees.
"""

import os
import subprocess
import sys
import sysconfig
import threading
import time

import numpy as np
import pytest
from samples import bits, mixture

import fastgelu as fg

HAVE_THREADS = fg._fastgelu.have_threads
MOST = 1024
COUNTS = [2, 3, 8]
# Above the size from which calls are shared, and no multiple of anything.
N = (1 << 19) // 4 + 12345


def expected(n):
    """The count after n was set."""
    return n if HAVE_THREADS else 1


@pytest.fixture(autouse=True)
def _one_thread():
    """Each test begins and ends with the default."""
    fg.set_num_threads(1)
    yield
    fg.set_num_threads(1)


def run(code, *arguments, timeout=300, **environment):
    """Runs code in another Python and returns what it printed; it must end well and quietly."""
    env = {k: v for k, v in os.environ.items() if k != "FASTGELU_NUM_THREADS"}
    result = subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)],
        env={**env, **environment},
        capture_output=True,
        text=True,
        timeout=timeout,
    )
    assert (result.returncode, result.stderr) == (0, "")
    return result.stdout


class TestSetting:
    def test_set_and_get(self):
        for n in 1, 2, MOST, np.int64(3), True:
            fg.set_num_threads(n)
            assert fg.get_num_threads() == expected(int(n))
            assert type(fg.get_num_threads()) is int
            assert fg.runtime_info()["threads"] == fg.get_num_threads()

    @pytest.mark.parametrize("n", [0, -1, MOST + 1, 2**31, 2**64 + 1, -(2**64)])
    @pytest.mark.parametrize("f", [fg.set_num_threads, fg.num_threads])
    def test_out_of_range(self, f, n):
        fg.set_num_threads(2)
        with pytest.raises(ValueError, match=r"must be from 1 to 1024, not -?\d+$"):
            f(n)
        assert fg.get_num_threads() == expected(2)

    @pytest.mark.parametrize("n", [2.0, "2", None, np.float64(2), [2], np.array([2, 3])])
    @pytest.mark.parametrize("f", [fg.set_num_threads, fg.num_threads])
    def test_no_integer(self, f, n):
        with pytest.raises(TypeError, match="must be an integer, not "):
            f(n)
        assert fg.get_num_threads() == 1

    def test_context_manager(self):
        with fg.num_threads(2):
            assert fg.get_num_threads() == expected(2)
            with fg.num_threads(3):
                assert fg.get_num_threads() == expected(3)
            assert fg.get_num_threads() == expected(2)
        assert fg.get_num_threads() == 1

    def test_context_manager_after_an_error(self):
        with pytest.raises(KeyError), fg.num_threads(2):
            raise KeyError
        assert fg.get_num_threads() == 1

    def test_nothing_is_set_before_the_block(self):
        manager = fg.num_threads(2)
        assert fg.get_num_threads() == 1
        with manager:
            assert fg.get_num_threads() == expected(2)

    def test_decorator(self):
        @fg.num_threads(2)
        def count():
            return fg.get_num_threads()

        assert [count(), count(), fg.get_num_threads()] == [expected(2), expected(2), 1]

    def test_setting_is_the_process_s(self):
        with fg.num_threads(2):
            seen = []
            thread = threading.Thread(target=lambda: seen.append(fg.get_num_threads()))
            thread.start()
            thread.join()
        assert seen == [expected(2)]

    def test_show_config(self, capsys):
        fg.set_num_threads(2)
        fg.show_config()
        assert f"\nthreads       {expected(2)}\n" in capsys.readouterr().out


@pytest.mark.subprocess
class TestEnvironmentVariable:
    PRINT = "import fastgelu as fg; print(fg.get_num_threads())"

    @pytest.mark.parametrize(
        ("value", "n"), [("", 1), ("1", 1), ("2", 2), ("08", 8), (str(MOST), MOST)]
    )
    def test_count(self, value, n):
        assert run(self.PRINT, FASTGELU_NUM_THREADS=value) == f"{expected(n)}\n"

    def test_default(self):
        assert run(self.PRINT) == "1\n"

    @pytest.mark.parametrize("value", ["0", "-1", "1025", "two", "2.0", " 2", "2,1", "٢", "1_0"])
    def test_what_is_no_count_ends_the_import(self, value):
        result = subprocess.run(
            [sys.executable, "-c", self.PRINT],
            env={**os.environ, "FASTGELU_NUM_THREADS": value, "PYTHONIOENCODING": "utf-8"},
            capture_output=True,
            encoding="utf-8",
        )
        assert result.returncode == 1
        assert result.stderr.splitlines()[-1] == (
            f"ImportError: FASTGELU_NUM_THREADS={value}: "
            "the number of threads must be from 1 to 1024"
        )


class TestBits:
    """Results at any count are those of one thread."""

    @staticmethod
    def check(f, *inputs, out=None):
        want = f(*inputs)
        for n in COUNTS:
            y = np.zeros_like(want) if out is None else out
            with fg.num_threads(n):
                f(*inputs, out=y)
            np.testing.assert_array_equal(bits(y), bits(want), err_msg=f"{n} threads")

    def test_every_unary_function(self, f, dtype):
        self.check(f, np.resize(mixture(1 << 14, dtype), N * 4 // dtype.itemsize))

    @pytest.mark.parametrize("name", fg._fastgelu.composites)
    def test_every_composed_function(self, name):
        f = getattr(fg, name)
        x = np.resize(mixture(1 << 14, np.float32), N)
        want = f(*(np.roll(x, 7 * i) for i in range(f.nin)))
        for n in COUNTS:
            with fg.num_threads(n):
                y = f(*(np.roll(x, 7 * i) for i in range(f.nin)))
            for one, several in zip(np.atleast_2d(want), np.atleast_2d(y), strict=True):
                np.testing.assert_array_equal(bits(several), bits(one))

    @pytest.mark.parametrize(
        "view",
        [
            np.s_[1:],
            np.s_[::-1],
            np.s_[::2],
            np.s_[5::-3],
            np.s_[7:-9],
        ],
        ids=str,
    )
    @pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
    def test_views(self, view, dtype):
        x = np.resize(mixture(1 << 14, dtype), 4 * N)
        self.check(fg.gelu, x[view])
        y = np.zeros_like(x)[view]
        self.check(fg.gelu, x[view], out=y)

    def test_unaligned_and_swapped(self):
        x = np.resize(mixture(1 << 14, np.float32), N)
        raw = np.zeros(x.nbytes + 1, np.uint8)
        unaligned = raw[1:].view(np.float32)
        unaligned[:] = x
        self.check(fg.gelu, unaligned)
        self.check(fg.gelu, x.astype(x.dtype.newbyteorder()))

    def test_two_dimensions_and_broadcasting(self):
        x = np.resize(mixture(1 << 14, np.float32), (3, N))
        self.check(fg.gelu, x)
        self.check(fg.gelu, x.T)
        self.check(fg.gelu, x[:, 5:-5])
        self.check(fg.bias_gelu, x, x[:1])
        self.check(fg.leaky_relu, x, np.float32(0.01))

    @pytest.mark.parametrize("n", COUNTS)
    def test_in_place_and_overlapping(self, n):
        x = np.resize(mixture(1 << 14, np.float32), N)
        want = fg.gelu(x)
        with fg.num_threads(n):
            y = x.copy()
            assert fg.gelu(y, out=y) is y
            np.testing.assert_array_equal(bits(y), bits(want))
            y = x.copy()
            fg.gelu(y[:-1], out=y[1:])
            np.testing.assert_array_equal(bits(y[1:]), bits(want[:-1]))
            y = x.copy()
            fg.gelu(y, out=y[::-1])
            np.testing.assert_array_equal(bits(y[::-1]), bits(want))

    def test_accumulate(self):
        x = np.resize(np.float32([0.5, -1, 2, 0.25]), N)
        self.check(fg.swiglu.accumulate, x)

    def test_where(self):
        x = np.resize(mixture(1 << 14, np.float32), N)
        mask = np.arange(N) % 100000 > 0
        want = fg.gelu(x, out=np.ones_like(x), where=mask)
        with fg.num_threads(3):
            y = fg.gelu(x, out=np.ones_like(x), where=mask)
        np.testing.assert_array_equal(bits(y), bits(want))

    def test_quiet(self):
        x = np.resize(mixture(1 << 14, np.float32), N)
        with np.errstate(all="raise"), fg.num_threads(2):
            fg.gelu(x)


def test_eight_callers_while_others_change_the_count():
    """Nobody waits for ever, and every result is right."""
    x = np.resize(mixture(1 << 14, np.float32), N)
    want = bits(fg.gelu(x))
    barrier, stop, errors = threading.Barrier(10), threading.Event(), []

    def call():
        y = np.empty_like(x)
        barrier.wait()
        for _ in range(40):
            y.fill(0)
            fg.gelu(x, out=y)
            if not np.array_equal(bits(y), want):
                errors.append("other bits")

    def change():
        barrier.wait()
        n = 0
        while not stop.is_set():
            n = n % 8 + 1
            fg.set_num_threads(n)
            time.sleep(0)

    callers = [threading.Thread(target=call, daemon=True) for _ in range(8)]
    changers = [threading.Thread(target=change, daemon=True) for _ in range(2)]
    for thread in callers + changers:
        thread.start()
    for thread in callers:
        thread.join(timeout=300)
        assert not thread.is_alive()
    stop.set()
    for thread in changers:
        thread.join(timeout=300)
        assert not thread.is_alive()
    assert errors == []


FORK = """
import os, sys, threading, warnings
import numpy as np
import fastgelu as fg

# Python warns of forks with threads around; that they are safe here is what is tested.
warnings.filterwarnings("ignore", category=DeprecationWarning)
x = np.linspace(-20, 20, 200_001, dtype=np.float32)
want = fg.gelu(x).tobytes()
fg.set_num_threads(2)
stop = threading.Event()

def keep_calling():
    while not stop.is_set():
        fg.gelu(x)

thread = threading.Thread(target=keep_calling)
thread.start()
for i in range(int(sys.argv[1])):
    child = os.fork()
    if child == 0:
        right = fg.get_num_threads() == int(sys.argv[2]) and fg.gelu(x).tobytes() == want
        os._exit(0 if right else 3)
    assert os.waitpid(child, 0)[1] == 0, i
    assert fg.gelu(x).tobytes() == want
stop.set()
thread.join()
print("done")
"""
needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")


@needs_fork
@pytest.mark.subprocess
def test_fork():
    """Children forked while another thread computes have threads of their own."""
    assert run(FORK, 50, expected(2)) == "done\n"


@needs_fork
@pytest.mark.subprocess
@pytest.mark.slow
def test_a_thousand_forks():
    assert run(FORK, 1000, expected(2), timeout=1800) == "done\n"


@pytest.mark.subprocess
@pytest.mark.parametrize(
    "ending", ["pass", "sys.exit()", "os._exit(0)", "x = y = None; gc.collect()"]
)
def test_exit_while_the_threads_work(ending):
    """A process ends at once and well, whatever its threads are at."""
    code = f"""
import gc, os, sys, threading, time
import numpy as np
import fastgelu as fg

fg.set_num_threads(2)
x = np.zeros(1 << 22, np.float32)
y = np.empty_like(x)

def keep_calling(x, y):
    while True:
        fg.gelu(x, out=y)

for _ in range(2):
    threading.Thread(target=keep_calling, args=(x, y), daemon=True).start()
time.sleep(0.1)
print("ending", flush=True)
{ending}
"""
    for _ in range(3):
        assert run(code, timeout=60) == "ending\n"


@pytest.mark.subprocess
def test_no_thread_is_started_unasked():
    """Neither by the import, nor by a setting, nor by small arrays."""
    if not os.path.isdir("/proc/self/task"):
        pytest.skip("threads are counted by /proc")
    code = """
import os
import numpy as np
count = lambda: len(os.listdir("/proc/self/task"))
before = count()
import fastgelu as fg
large, small = np.zeros(1 << 20, np.float32), np.zeros(1000, np.float32)
fg.gelu(large)
fg.set_num_threads(1000)
fg.gelu(small)
print(count() - before)
fg.gelu(large)
cpus = len(os.sched_getaffinity(0))
print(count() - before == (min(4, cpus) - 1 if fg._fastgelu.have_threads else 0))
os.sched_setaffinity(0, [min(os.sched_getaffinity(0))])
before = count()
fg.gelu(np.zeros(1 << 24, np.float32))
print(count() - before)
"""
    assert run(code) == "0\nTrue\n0\n"


@pytest.mark.subprocess
def test_free_threading_is_kept():
    """In an interpreter without the GIL the import does not switch it on."""
    if not sysconfig.get_config_var("Py_GIL_DISABLED"):
        pytest.skip("this interpreter has the GIL")
    assert run("import sys, fastgelu; print(sys._is_gil_enabled())") == "False\n"


class TestThreadpoolctl:
    """Limits that threadpoolctl sets reach the package, once several threads were asked for."""

    @pytest.fixture(autouse=True)
    def _needs(self):
        pytest.importorskip("threadpoolctl", "3.2", reason="threadpoolctl is not installed")
        if not HAVE_THREADS:
            pytest.skip("this build has no threads")

    @staticmethod
    def info():
        from threadpoolctl import threadpool_info

        return [entry for entry in threadpool_info() if entry["user_api"] == "fastgelu"]

    def test_info(self):
        fg.set_num_threads(3)
        (entry,) = self.info()
        assert entry["num_threads"] == 3
        assert entry["internal_api"] == "fastgelu"
        assert entry["version"] == fg.__version__
        assert os.path.samefile(entry["filepath"], fg._fastgelu.__file__)

    def test_limits(self):
        from threadpoolctl import ThreadpoolController, threadpool_limits

        fg.set_num_threads(3)
        with threadpool_limits(1):
            assert fg.get_num_threads() == 1
        assert fg.get_num_threads() == 3
        with threadpool_limits(limits=2, user_api="fastgelu"):
            assert fg.get_num_threads() == 2
        with threadpool_limits({"fastgelu": 2}):
            assert fg.get_num_threads() == 2
        with threadpool_limits(limits=1, user_api="blas"):
            assert fg.get_num_threads() == 3
        with ThreadpoolController().select(user_api="fastgelu").limit(limits=10**6):
            assert fg.get_num_threads() == MOST
        assert fg.get_num_threads() == 3

    @pytest.mark.subprocess
    def test_only_when_asked_for(self):
        code = """
import sys
import fastgelu as fg
fg.set_num_threads(1)
print("threadpoolctl" in sys.modules)
from threadpoolctl import threadpool_info, threadpool_limits
names = lambda: [entry["user_api"] for entry in threadpool_info()].count("fastgelu")
print(names())
with threadpool_limits(4):
    print(fg.get_num_threads())
for n in 2, 1, 2:
    fg.set_num_threads(n)
print(names())
"""
        assert run(code) == "False\n0\n1\n1\n"

    @pytest.mark.subprocess
    def test_environment_variable(self):
        code = """
import fastgelu as fg
from threadpoolctl import threadpool_limits
with threadpool_limits(1):
    print(fg.get_num_threads())
print(fg.get_num_threads())
"""
        assert run(code, FASTGELU_NUM_THREADS="2") == "1\n2\n"

    @pytest.mark.subprocess
    def test_not_needed(self):
        code = """
import sys
sys.modules["threadpoolctl"] = None  # as if it were not installed
import fastgelu as fg
fg.set_num_threads(2)
print(fg.get_num_threads())
"""
        assert run(code) == "2\n"
