"""Reads the positions that ``kyokumen data export`` writes.

``frames`` opens Parquet files in polars and pandas, ``arrays`` maps NumPy files, ``boards`` unpacks boards and turns them into
planes, ``torch_data`` feeds PyTorch. Only NumPy is needed; each other library is imported when it is used.
"""

from .arrays import SCORE_CENTIPAWNS, SCORE_MATE, SCORE_NONE, SCORE_RULE, load_npy, targets
from .boards import TAIKYOKU, XIANGQI, Game, game_of_size, planes, unpack
from .frames import read_pandas, read_polars, scan_polars

__all__ = [
    "SCORE_CENTIPAWNS",
    "SCORE_MATE",
    "SCORE_NONE",
    "SCORE_RULE",
    "TAIKYOKU",
    "XIANGQI",
    "Game",
    "game_of_size",
    "load_npy",
    "planes",
    "read_pandas",
    "read_polars",
    "scan_polars",
    "targets",
    "unpack",
]
