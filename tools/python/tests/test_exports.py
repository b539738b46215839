"""Reads the same small exports through every library that is installed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kyokumen_data import (
    SCORE_CENTIPAWNS,
    SCORE_MATE,
    SCORE_NONE,
    TAIKYOKU,
    XIANGQI,
    game_of_size,
    load_npy,
    planes,
    targets,
    unpack,
)
from kyokumen_data.arrays import FLAGS

DATA = Path(__file__).parent / "data"
GAMES = [XIANGQI, TAIKYOKU]
LETTERS = ".KABNRCPkabnrcp"


def rows(game: str) -> list[dict[str, Any]]:
    """The export as JSON Lines: what all others are compared with."""
    text = (DATA / f"{game}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def fen_board(text: str) -> list[str]:
    """The rows of a xiangqi position with a dot for each empty point."""
    board = text.split()[0]
    for number in range(1, 10):
        board = board.replace(str(number), "." * number)
    return board.split("/")


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_numpy_says_what_json_says(game: Any) -> None:
    records = load_npy(DATA / f"{game.name}.npy")
    expected = rows(game.name)
    assert len(records) == len(expected) > 50
    assert records["board"].shape[1:] == (game.rows, game.columns)
    kinds = set()
    for record, row in zip(records, expected):
        assert record["side"] == ["first", "second"].index(row["side"])
        assert (record["game"], record["ply"]) == (row["game"], row["ply"])
        assert record["result"] == row["result"]
        names = ["score_cp", "score_mate", "score_rule"]
        kind = int(record["score_kind"])
        kinds.add(kind)
        for number, name in enumerate(names, 1):
            assert row[name] == (int(record["score"]) if kind == number else None)
        flags = [name for name, bit in FLAGS.items() if record["flags"] & bit]
        assert flags == row["flags"]
    assert {SCORE_NONE, SCORE_CENTIPAWNS} <= kinds


def test_xiangqi_boards_are_those_of_the_text() -> None:
    for record, row in zip(load_npy(DATA / "xiangqi.npy"), rows("xiangqi")):
        board = ["".join(LETTERS[cell] for cell in line) for line in record["board"]]
        assert board == fen_board(row["position"])


def test_planes_are_seen_by_the_side_to_move() -> None:
    for record, row in zip(load_npy(DATA / "xiangqi.npy"), rows("xiangqi")):
        side = int(record["side"])
        board = planes(record["board"], side, XIANGQI)
        assert board.shape == (14, 10, 9)
        text = fen_board(row["position"])
        if side == 1:
            text = [line[::-1].swapcase() for line in text[::-1]]
        for plane, letter in enumerate(LETTERS[1:]):
            expected = [[float(cell == letter) for cell in line] for line in text]
            assert board[plane].tolist() == expected, letter


def test_taikyoku_planes_have_every_piece_once() -> None:
    for record in load_npy(DATA / "taikyoku.npy"):
        cells = record["board"]
        for side in (0, 1):
            board = planes(cells, side, TAIKYOKU)
            assert board.sum() == np.count_nonzero(cells)
            own = np.count_nonzero(cells[(cells >> 10 & 1) == side])
            assert board[: TAIKYOKU.kinds].sum() == own


def test_targets_are_points_of_the_side_to_move() -> None:
    records = np.array(load_npy(DATA / "xiangqi.npy"))
    records["result"] = 1
    by_score = targets(records)
    assert ((by_score >= 0) & (by_score <= 1)).all()
    centipawns = records["score_kind"] == SCORE_CENTIPAWNS
    expected = 1 / (1 + np.exp(-records["score"][centipawns] / 400))
    assert np.allclose(by_score[centipawns], expected, atol=1e-6)
    assert (by_score[records["score_kind"] == SCORE_NONE] == 1).all()
    mates = records["score_kind"] == SCORE_MATE
    assert set(by_score[mates]) <= {0.0, 1.0}
    assert (targets(records, result_share=1.0) == 1).all()


def test_sizes_tell_games() -> None:
    assert game_of_size(90) == XIANGQI and game_of_size(2592) == TAIKYOKU
    with pytest.raises(ValueError, match="64 bytes"):
        game_of_size(64)


def test_other_arrays_are_refused(tmp_path: Path) -> None:
    np.save(tmp_path / "other.npy", np.zeros(3))
    with pytest.raises(ValueError, match="not written by"):
        load_npy(tmp_path / "other.npy")


def check_columns(table: dict[str, list[Any]], game: Any) -> None:
    expected = rows(game.name)
    for name in ["game", "ply", "position", "side", "move", "best", "result", "end"]:
        assert table[name] == [row[name] for row in expected], name
    for name in ["score_cp", "score_mate", "score_rule"]:
        assert table[name] == [row[name] for row in expected], name
    for name in FLAGS:
        assert table[name] == [name in row["flags"] for row in expected], name
    boards = unpack(table["packed"])
    assert np.array_equal(boards, load_npy(DATA / f"{game.name}.npy")["board"])


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_polars_says_what_json_says(game: Any) -> None:
    pytest.importorskip("polars")
    from kyokumen_data import read_polars, scan_polars

    table = read_polars(DATA / f"{game.name}.parquet")
    check_columns(table.to_dict(as_series=False), game)
    assert scan_polars(DATA / f"{game.name}.parquet").collect().equals(table)
    assert read_polars(DATA / f"{game.name}.parquet", ["ply"]).columns == ["ply"]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_pandas_says_what_json_says(game: Any) -> None:
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    from kyokumen_data import read_pandas

    table = read_pandas(DATA / f"{game.name}.parquet")
    columns = {
        name: [None if value is pandas.NA else value for value in table[name].tolist()]
        for name in table.columns
    }
    check_columns(columns, game)


def test_the_file_says_how_it_was_made() -> None:
    pytest.importorskip("pyarrow")
    from kyokumen_data.frames import origin

    assert origin(DATA / "xiangqi.parquet")["header"]["game"] == "xiangqi"


def test_torch_gets_planes_and_targets() -> None:
    torch = pytest.importorskip("torch")
    from kyokumen_data.torch_data import Positions

    positions = Positions(DATA / "xiangqi.npy")
    assert len(positions) == len(rows("xiangqi"))
    loader = torch.utils.data.DataLoader(positions, batch_size=8)
    boards, points = next(iter(loader))
    assert boards.shape == (8, 14, 10, 9) and points.shape == (8,)
    with pytest.raises(IndexError):
        positions[len(positions)]
