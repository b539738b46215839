"""PyTorch data sets over NumPy exports. Needs torch."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch.utils.data import Dataset

from .arrays import Path, load_npy, targets
from .boards import Game, game_of_size, planes


class Positions(Dataset[Any]):  # type: ignore[misc, unused-ignore]
    """Positions at random places of a mapped file: (planes, target) of each.

    Workers of a ``DataLoader`` map the file anew each, so nothing is copied between processes.
    """

    def __init__(self, path: Path, scale_cp: float = 400.0, result_share: float = 0.0) -> None:
        self.path = path
        self.scale_cp = scale_cp
        self.result_share = result_share
        self._records: Any = None
        records = load_npy(path)
        self._length = len(records)
        self.game: Game = game_of_size(records.dtype["board"].itemsize)

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, index: int) -> tuple[torch.Tensor, torch.Tensor]:
        if not -self._length <= index < self._length:
            raise IndexError(index)
        if self._records is None:
            self._records = load_npy(self.path)
        record = self._records[index % self._length]
        board = planes(record["board"], int(record["side"]), self.game)
        target = targets(np.array([record]), self.scale_cp, self.result_share)
        return torch.from_numpy(board), torch.from_numpy(target)[0]

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_records": None}
