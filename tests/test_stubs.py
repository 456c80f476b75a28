"""The committed type stub is what tools/write_stubs.py makes of functions.def."""

import runpy
from pathlib import Path

import fastgelu

ROOT = Path(__file__).parents[1]


def test_stub_is_up_to_date():
    tool = runpy.run_path(str(ROOT / "tools" / "write_stubs.py"))
    assert tool["STUB"].read_text(encoding="utf-8") == tool["stub"]()


def test_stub_names_all_that_is_public():
    stub = (ROOT / "src" / "fastgelu" / "__init__.pyi").read_text(encoding="utf-8")
    namespace = {}
    exec(compile(stub[stub.index("__all__ =") :], "__init__.pyi", "exec"), namespace)
    assert namespace["__all__"] == fastgelu.__all__


def test_stub_ships_with_the_package():
    package = Path(fastgelu.__file__).parent
    assert (package / "py.typed").is_file()
    assert (package / "__init__.pyi").is_file()
