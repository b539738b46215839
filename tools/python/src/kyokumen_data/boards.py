"""Boards as numbers: from the packed bytes of an export to an array, and from there to planes.

Rows run from the second player's side to the first player's, as in the position's text. An empty square is 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Iterable

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Game:
    """The shape of a game's board, and how a square's number is made."""

    name: str
    rows: int
    columns: int
    cell: str
    """The NumPy type of a square in packed bytes."""
    kinds: int
    """Kinds of pieces; planes are twice as many, the pieces of the side to move first."""

    @property
    def packed_bytes(self) -> int:
        """Bytes of a packed board."""
        return self.rows * self.columns * np.dtype(self.cell).itemsize

    def parts(self, board: NDArray[Any]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """The kinds of a board's squares (from 0; -1: empty), and whose they are (true: the second player's)."""
        cells = board.astype(np.int64)
        if self.name == "xiangqi":
            return np.where(cells > 0, (cells - 1) % 7, -1), cells > 7
        return (cells & 511) - 1, (cells >> 10 & 1) == 1


XIANGQI = Game("xiangqi", 10, 9, "u1", 7)
"""Numbers 1 to 7 are Red's general, advisor, elephant, horse, chariot, cannon, soldier, 8 to 14 Black's."""

TAIKYOKU = Game("taikyoku", 36, 36, "<u2", 301)
"""Bits 0 to 8 are the kind from 1, bit 9 says that it has promoted, bit 10 that it is the second player's."""


def game_of_size(packed_bytes: int) -> Game:
    """The game whose packed boards have so many bytes."""
    for game in (XIANGQI, TAIKYOKU):
        if game.packed_bytes == packed_bytes:
            return game
    raise ValueError(f"no game has packed boards of {packed_bytes} bytes")


def unpack(packed: Iterable[bytes]) -> NDArray[Any]:
    """The boards of a column ``packed``: an array of shape (positions, rows, columns)."""
    values = list(packed)
    if not values:
        return np.zeros((0, 0, 0), np.uint8)
    game = game_of_size(len(values[0]))
    cells = np.frombuffer(b"".join(values), dtype=game.cell)
    return cells.reshape(len(values), game.rows, game.columns)


def planes(board: NDArray[Any], side: int, game: Game) -> NDArray[np.float32]:
    """Planes of one board for a network: ``2 * kinds`` of them, 1 where such a piece stands.

    They are seen by the side to move: its pieces come first, and the board is turned by 180 degrees for the second player
    (``side`` 1). A promoted piece of taikyoku shogi is of the kind that it has become.
    """
    kinds, is_second = game.parts(board)
    if side == 1:
        kinds, is_second = kinds[::-1, ::-1], ~is_second[::-1, ::-1]
    result = np.zeros((2 * game.kinds, game.rows, game.columns), np.float32)
    rows, columns = np.nonzero(kinds >= 0)
    plane = kinds[rows, columns] + game.kinds * is_second[rows, columns]
    result[plane, rows, columns] = 1.0
    return result
