"""NumPy exports: one structured array, a record a position, mapped into memory."""

from __future__ import annotations

from os import PathLike
from typing import Any, Union

import numpy as np
from numpy.typing import NDArray

Path = Union[str, "PathLike[str]"]

SCORE_NONE = 0
"""``score_kind`` of a position that was not searched."""
SCORE_CENTIPAWNS = 1
"""``score_kind`` where ``score`` is in centipawns."""
SCORE_MATE = 2
"""``score_kind`` where ``score`` is plies to mate, negative (or 0) if the side to move is mated."""
SCORE_RULE = 3
"""``score_kind`` where ``score`` is plies to a win by a repetition rule, negative if the side to move loses."""

FLAGS = {
    "random": 1,
    "sampled": 2,
    "teacher": 4,
    "in_check": 8,
    "noisy": 16,
    "lower": 32,
    "upper": 64,
    "rescored": 128,
    "excluded": 256,
    "duplicate": 512,
}
"""Bits of the field ``flags``."""


def load_npy(path: Path) -> NDArray[Any]:
    """Maps a file. Fields: board, side, score, score_kind, result, end, flags, ply, move, best, game."""
    array: NDArray[Any] = np.load(path, mmap_mode="r")
    if array.dtype.names is None or "board" not in array.dtype.names:
        raise ValueError(f"{path}: not written by `kyokumen data export`")
    return array


def targets(
    records: NDArray[Any], scale_cp: float = 400.0, result_share: float = 0.0
) -> NDArray[np.float32]:
    """What a network should say of positions: the expected points of the side to move, 0 to 1.

    The score through a sigmoid, in which ``scale_cp`` centipawns are 73 %, mixed with the result by ``result_share``. Mates and
    decisions by a rule are 0 or 1; a position without a score has only its result.
    """
    score = records["score"].astype(np.float64)
    kind = records["score_kind"]
    by_score = 1.0 / (1.0 + np.exp(-score / scale_cp))
    by_score = np.where(kind >= SCORE_MATE, np.where(score > 0, 1.0, 0.0), by_score)
    by_result = (records["result"].astype(np.float64) + 1.0) / 2.0
    share = np.where(kind == SCORE_NONE, 1.0, result_share)
    return (by_score * (1.0 - share) + by_result * share).astype(np.float32)
