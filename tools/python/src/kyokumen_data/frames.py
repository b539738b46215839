"""Parquet exports as tables of polars and pandas. Columns are listed in docs/data-format.md."""

from __future__ import annotations

import json
import os
from os import PathLike
from typing import TYPE_CHECKING, Any, Sequence, Union

if TYPE_CHECKING:
    import pandas
    import polars

Path = Union[str, "PathLike[str]"]


def read_polars(path: Path, columns: Sequence[str] | None = None) -> "polars.DataFrame":
    """A file, or some of its columns, as a table of polars."""
    import polars

    return polars.read_parquet(os.fspath(path), columns=None if columns is None else list(columns))


def scan_polars(path: Path) -> "polars.LazyFrame":
    """A file for lazy queries of polars, for files larger than memory."""
    import polars

    return polars.scan_parquet(os.fspath(path))


def read_pandas(path: Path, columns: Sequence[str] | None = None) -> "pandas.DataFrame":
    """A file, or some of its columns, as a table of pandas. Absent scores become ``<NA>``."""
    import pandas

    return pandas.read_parquet(
        path,
        columns=None if columns is None else list(columns),
        dtype_backend="numpy_nullable",
    )


def origin(path: Path) -> dict[str, Any]:
    """How a file was made: the name of its source and the source's header."""
    from pyarrow import parquet

    text = parquet.read_metadata(path).metadata[b"kyokumen"]
    value: dict[str, Any] = json.loads(text)
    return value
