//! Exports, read back by readers that know nothing but `docs/data-format.md` and the documentation of the formats.

#[expect(dead_code, reason = "some of it is for other tests")]
mod data_support;

use std::collections::HashMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use data_support::{games, header, rules, unwatched, write};
use kyokumen::data::PlyFlags;
use kyokumen::data::{Chain, Reader};
use kyokumen::dataset::{Existing, Target};
use kyokumen::export::columns::{Parquet, ParquetFile};
use kyokumen::export::lines::{Bars, Epd, Json, Plain};
use kyokumen::export::npy::{Npy, NpyFile};
use kyokumen::export::shuffled::Shuffled;
use kyokumen::export::{Bytes, Decisive, Encoder, FixedRecord, Report, Row, Rows, Sink, export};
use kyokumen::game::{Evaluate, GameResult, Named, Side};
use kyokumen::games::taikyoku::Taikyoku;
use kyokumen::games::xiangqi::{Move, Xiangqi, fen, trainer};
use kyokumen::score::{Score, ScoreKind};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use serde_json::Value;

/// A row as a test sees it, without help of the exports.
#[derive(Clone, PartialEq, Debug)]
struct Flat {
    game: u64,
    ply: u32,
    position: String,
    side: Side,
    mv: String,
    best: String,
    codes: [u32; 2],
    score: Option<Score>,
    result: i8,
    end: &'static str,
    flags: Vec<&'static str>,
    cells: Vec<u16>,
}

fn flat<G: Evaluate>(games: &[Chain], rows: Rows) -> Vec<Flat> {
    let mut flat = Vec::new();
    for game in games {
        let mut ply_number = game.first_ply;
        game.replay::<G>(rules::<G>(), |position, ply, mv| {
            let number = ply_number;
            ply_number += 1;
            if rows == Rows::Used && !ply.is_used() {
                return;
            }
            let side = G::side_to_move(position);
            let text = |mv| G::format_move(position, mv, G::Notation::ALL[0]);
            let best = ply.best.map_or(mv, |code| G::decode(position, code).unwrap());
            flat.push(Flat {
                game: game.number,
                ply: number,
                position: G::format_position(position, G::Format::ALL[0]).unwrap(),
                side,
                mv: text(mv),
                best: text(best),
                codes: [ply.code, G::encode(best)],
                score: ply.score,
                result: match (game.result, side) {
                    (GameResult::First, Side::First) | (GameResult::Second, Side::Second) => 1,
                    (GameResult::Draw, _) => 0,
                    _ => -1,
                },
                end: game.end.name(),
                flags: PlyFlags::NAMES
                    .iter()
                    .filter(|(_, flag)| ply.flags.contains(*flag))
                    .map(|(name, _)| *name)
                    .collect(),
                cells: G::cells(position),
            });
        })
        .unwrap();
    }
    flat
}

struct Exported {
    bytes: Vec<u8>,
    path: PathBuf,
    report: Report,
    _folder: tempfile::TempDir,
}

fn run<G: Evaluate, E: Encoder<G>, S: Sink<E::Part>>(
    games: &[Chain],
    encoder: &E,
    sink: impl FnOnce(File) -> S,
    choice: (Rows, Decisive),
) -> Exported {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("games");
    write(&source, &header::<G>(1, 4), games);
    let reader = Reader::open(&source).unwrap();
    let path = folder.path().join("out");
    let target = Target::new(&path, Existing::Refuse, &[]).unwrap();
    let sink = sink(target.create().unwrap());
    let report = unwatched(|watch| {
        export::<G, E>(&reader, encoder, sink, target, choice, rules::<G>(), watch)
    })
    .unwrap();
    Exported { bytes: fs::read(&path).unwrap(), path, report, _folder: folder }
}

const USED: (Rows, Decisive) = (Rows::Used, Decisive::Keep);
const ALL: (Rows, Decisive) = (Rows::All, Decisive::Keep);

/// Games with every kind of ply, marks among them.
fn sample<G: Evaluate>(count: u64, most_plies: usize) -> Vec<Chain> {
    let mut games = games::<G>(21, count, most_plies);
    for (index, ply) in games.iter_mut().flat_map(|game| &mut game.plies).enumerate() {
        match index % 11 {
            3 => ply.flags = ply.flags | PlyFlags::EXCLUDED,
            4 => ply.flags = ply.flags | PlyFlags::DUPLICATE,
            _ => {}
        }
    }
    games
}

fn for_both(check_xiangqi: impl Fn(&[Chain]), check_taikyoku: impl Fn(&[Chain])) {
    check_xiangqi(&sample::<Xiangqi>(14, 90));
    check_taikyoku(&sample::<Taikyoku>(2, 14));
}

fn kinds(score: Option<Score>) -> [Option<i32>; 3] {
    match score.map(Score::kind) {
        None => [None; 3],
        Some(ScoreKind::Centipawns(value)) => [Some(value), None, None],
        Some(ScoreKind::Mate(plies)) => [None, Some(plies), None],
        Some(ScoreKind::Rule(plies)) => [None, None, Some(plies)],
    }
}

fn side_name(side: Side) -> &'static str {
    if side == Side::First { "first" } else { "second" }
}

#[test]
fn json_lines_say_everything() {
    fn check<G: Evaluate>(games: &[Chain]) {
        for choice in [USED, ALL] {
            let exported = run::<G, _, _>(games, &Json, Bytes::new, choice);
            let expected = flat::<G>(games, choice.0);
            let text = String::from_utf8(exported.bytes).unwrap();
            assert_eq!(text.lines().count(), expected.len());
            assert_eq!(exported.report.rows, expected.len() as u64);
            for (line, row) in text.lines().zip(expected) {
                let value: Value = serde_json::from_str(line).unwrap();
                let [cp, mate, rule] = kinds(row.score);
                let expected = serde_json::json!({
                    "game": row.game, "ply": row.ply, "position": row.position,
                    "side": side_name(row.side), "move": row.mv, "best": row.best,
                    "score_cp": cp, "score_mate": mate, "score_rule": rule,
                    "result": row.result, "end": row.end, "flags": row.flags,
                });
                assert_eq!(value, expected);
            }
        }
    }
    for_both(check::<Xiangqi>, check::<Taikyoku>);
}

#[test]
fn numpy_arrays_say_everything() {
    fn check<G: Evaluate>(games: &[Chain]) {
        for choice in [USED, ALL] {
            let exported =
                run::<G, _, _>(games, &Npy, |file| NpyFile::begin::<G>(file).unwrap(), choice);
            let expected = flat::<G>(games, choice.0);
            let bytes = exported.bytes;
            assert_eq!(bytes[..8], *b"\x93NUMPY\x01\x00");
            let header_bytes = 10 + usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
            assert_eq!(header_bytes % 64, 0);
            let text = std::str::from_utf8(&bytes[10..header_bytes]).unwrap();
            assert!(text.ends_with('\n'));
            let cell = if G::CELL_BYTES == 1 { "|u1" } else { "<u2" };
            let [rows, columns] = G::BOARD;
            assert_eq!(
                text.trim_end(),
                format!(
                    "{{'descr': [('board', '{cell}', ({rows}, {columns})), ('side', '|u1'), \
                     ('score', '<i2'), ('score_kind', '|u1'), ('result', '|i1'), ('end', '|u1'), \
                     ('flags', '<u2'), ('ply', '<u4'), ('move', '<u4'), ('best', '<u4'), ('game', '<u8')], \
                     'fortran_order': False, 'shape': ({},), }}",
                    expected.len()
                )
            );
            let board_bytes = rows * columns * G::CELL_BYTES;
            let records = bytes[header_bytes..].chunks(board_bytes + 28);
            assert_eq!(records.len(), expected.len());
            for (record, row) in records.zip(expected) {
                let (board, rest) = record.split_at(board_bytes);
                let cells: Vec<u16> = if G::CELL_BYTES == 1 {
                    board.iter().map(|&cell| u16::from(cell)).collect()
                } else {
                    board.chunks(2).map(|cell| u16::from_le_bytes([cell[0], cell[1]])).collect()
                };
                assert_eq!(cells, row.cells);
                assert_eq!(rest[0], row.side as u8);
                let score = i32::from(i16::from_le_bytes([rest[1], rest[2]]));
                let mut found = [None; 3];
                if rest[3] > 0 {
                    found[usize::from(rest[3]) - 1] = Some(score);
                }
                assert_eq!(found, kinds(row.score));
                assert_eq!(rest[4] as i8, row.result);
                let end = kyokumen::data::EndReason::from_number(rest[5]).unwrap();
                assert_eq!(end.name(), row.end);
                let bits = u16::from_le_bytes([rest[6], rest[7]]);
                // Bits in the order of the document.
                let names = [
                    "random",
                    "sampled",
                    "teacher",
                    "in_check",
                    "noisy",
                    "lower",
                    "upper",
                    "rescored",
                    "excluded",
                    "duplicate",
                ];
                let flags: Vec<&str> =
                    (0..10).filter(|bit| bits >> bit & 1 == 1).map(|bit| names[bit]).collect();
                assert_eq!(flags, row.flags);
                let number = |at: usize| u32::from_le_bytes(rest[at..at + 4].try_into().unwrap());
                assert_eq!((number(8), [number(12), number(16)]), (row.ply, row.codes));
                assert_eq!(u64::from_le_bytes(rest[20..28].try_into().unwrap()), row.game);
            }
        }
    }
    for_both(check::<Xiangqi>, check::<Taikyoku>);
}

#[test]
fn parquet_files_say_everything() {
    fn check<G: Evaluate>(games: &[Chain]) {
        for choice in [USED, ALL] {
            let origin = "{\"source\":\"games\"}".to_owned();
            let sink = |file| ParquetFile::begin::<G>(file, origin).unwrap();
            let exported = run::<G, _, _>(games, &Parquet, sink, choice);
            let expected = flat::<G>(games, choice.0);
            let reader = SerializedFileReader::new(File::open(&exported.path).unwrap()).unwrap();
            let metadata = reader.metadata().file_metadata();
            assert_eq!(metadata.num_rows(), expected.len() as i64);
            let kept = metadata.key_value_metadata().unwrap();
            assert_eq!(kept[0].value.as_deref(), Some("{\"source\":\"games\"}"));
            for (row, expected) in reader.get_row_iter(None).unwrap().zip(&expected) {
                let row = row.unwrap();
                let fields: HashMap<&str, &Field> =
                    row.get_column_iter().map(|(name, field)| (name.as_str(), field)).collect();
                let text = |name: &str, value: &str| {
                    assert_eq!(fields[name], &Field::Str(value.to_owned()), "{name}");
                };
                text("position", &expected.position);
                text("side", side_name(expected.side));
                text("move", &expected.mv);
                text("best", &expected.best);
                text("end", expected.end);
                for (name, value) in
                    ["score_cp", "score_mate", "score_rule"].into_iter().zip(kinds(expected.score))
                {
                    let field = value.map_or(Field::Null, |value| Field::Short(value as i16));
                    assert_eq!(fields[name], &field, "{name}");
                }
                assert_eq!(fields["result"], &Field::Byte(expected.result));
                assert_eq!(fields["ply"], &Field::UInt(expected.ply));
                assert_eq!(fields["game"], &Field::ULong(expected.game));
                for (name, _) in PlyFlags::NAMES {
                    assert_eq!(
                        fields[name],
                        &Field::Bool(expected.flags.contains(&name)),
                        "{name}"
                    );
                }
                let packed: Vec<u8> = match G::CELL_BYTES {
                    1 => expected.cells.iter().map(|&cell| cell as u8).collect(),
                    _ => expected.cells.iter().flat_map(|cell| cell.to_le_bytes()).collect(),
                };
                assert_eq!(fields["packed"], &Field::Bytes(packed.into()));
            }
        }
    }
    for_both(check::<Xiangqi>, check::<Taikyoku>);
}

#[test]
fn text_formats_take_the_views_they_should() {
    fn check<G: Evaluate>(games: &[Chain]) {
        let expected = flat::<G>(games, Rows::Used);
        let exported = run::<G, _, _>(games, &Bars, Bytes::new, USED);
        let text = String::from_utf8(exported.bytes).unwrap();
        assert_eq!(text.lines().count(), expected.len());
        for (line, row) in text.lines().zip(&expected) {
            let sign = if row.side == Side::First { 1 } else { -1 };
            let score = sign * row.score.unwrap().get();
            let result = f64::from(sign * i32::from(row.result)) / 2.0 + 0.5;
            assert_eq!(line, format!("{} | {score} | {result:.1}", row.position));
        }

        let plain = Plain { move_text: |mv: G::Move, row: &Row<'_, G>| row.move_text(mv) };
        let exported = run::<G, _, _>(games, &plain, Bytes::new, USED);
        let text = String::from_utf8(exported.bytes).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 6 * expected.len());
        for (lines, row) in lines.chunks(6).zip(&expected) {
            let Flat { position, best, ply, result, .. } = row;
            let score = row.score.unwrap().get();
            assert_eq!(lines[0], format!("fen {position}"));
            assert_eq!(lines[1], format!("move {best}"));
            assert_eq!(lines[2], format!("score {score}"));
            assert_eq!(
                lines[3..],
                [format!("ply {ply}"), format!("result {result}"), "e".to_owned()]
            );
        }

        let exported = run::<G, _, _>(games, &Epd, Bytes::new, USED);
        let text = String::from_utf8(exported.bytes).unwrap();
        for (line, row) in text.lines().zip(&expected) {
            let rest = line.strip_prefix(&row.position).unwrap();
            let score = row.score.unwrap();
            let operation = match score.mate_moves() {
                Some(moves) => format!("dm {moves}"),
                None => format!("ce {}", score.get()),
            };
            let points = i32::from(row.result) * if row.side == Side::First { 1 } else { -1 };
            let result = ["0-1", "1/2-1/2", "1-0"][(points + 1) as usize];
            let Flat { best, game, ply, .. } = row;
            let expected =
                format!(" {operation}; bm {best}; c9 \"{result}\"; id \"{game}-{ply}\";");
            assert_eq!(rest, expected);
        }
    }
    for_both(check::<Xiangqi>, check::<Taikyoku>);
}

#[test]
fn mates_can_be_left_out() {
    let games = sample::<Xiangqi>(14, 90);
    let expected = flat::<Xiangqi>(&games, Rows::Used);
    let decisive = expected.iter().filter(|row| row.score.unwrap().is_decisive()).count() as u64;
    let choice = (Rows::Used, Decisive::Drop);
    let exported = run::<Xiangqi, _, _>(&games, &Bars, Bytes::new, choice);
    assert!(decisive > 0);
    assert_eq!(exported.report.decisive, decisive);
    assert_eq!(exported.report.rows, expected.len() as u64 - decisive);
}

/// A record, read as Fairy-Stockfish and variant-nnue-pytorch document it.
#[derive(PartialEq, Debug)]
struct Record {
    fen: String,
    score: i16,
    mv: u16,
    ply: u16,
    result: i8,
}

/// A reader of 72-byte records.
struct BitReader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl BitReader<'_> {
    fn take(&mut self, bits: usize) -> u32 {
        let value = (0..bits).map(|bit| {
            let at = self.at + bit;
            u32::from(self.bytes[at / 8] >> (at % 8) & 1) << bit
        });
        let value = value.sum();
        self.at += bits;
        value
    }
}

fn decode(bytes: &[u8]) -> Record {
    assert_eq!(bytes.len(), 72);
    let mut bits = BitReader { bytes: &bytes[..64], at: 0 };
    let black = bits.take(1);
    let kings = [bits.take(7) as usize, bits.take(7) as usize];
    let mut board = String::new();
    for rank in (0..10).rev() {
        let mut empty = 0;
        for file in 0..9 {
            let square = 9 * rank + file;
            let letter = if square == kings[0] {
                'K'
            } else if square == kings[1] {
                'k'
            } else if bits.take(1) == 0 {
                empty += 1;
                continue;
            } else {
                let letter = ['R', 'A', 'C', 'P', 'N', 'B'][bits.take(4) as usize];
                if bits.take(1) == 1 { letter.to_ascii_lowercase() } else { letter }
            };
            if empty > 0 {
                board += &empty.to_string();
            }
            empty = 0;
            board.push(letter);
        }
        if empty > 0 {
            board += &empty.to_string();
        }
        board.push('/');
    }
    board.pop();
    for _ in 0..14 {
        assert_eq!(bits.take(5), 0, "nothing is in hand");
    }
    assert_eq!((bits.take(4), bits.take(1)), (0, 0), "no castling, no en passant");
    let low = bits.take(6);
    let number = bits.take(8) | bits.take(8) << 8;
    let quiet = low | bits.take(1) << 6;
    while bits.at < 512 {
        assert_eq!(bits.take(1), 0, "padding");
    }
    assert_eq!(bytes[71], 0);
    let at = |at: usize| [bytes[at], bytes[at + 1]];
    Record {
        fen: format!("{board} {} - - {quiet} {number}", ["w", "b"][black as usize]),
        score: i16::from_le_bytes(at(64)),
        mv: u16::from_le_bytes(at(66)),
        ply: u16::from_le_bytes(at(68)),
        result: bytes[70] as i8,
    }
}

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/xiangqi").join(name)
}

#[test]
fn records_are_those_of_fairy_stockfish_byte_for_byte() {
    let bytes = fs::read(fixture("fsf_64records.bin")).unwrap();
    let text = fs::read_to_string(fixture("fsf_64records.jsonl")).unwrap();
    let records = bytes.chunks(72);
    assert_eq!((records.len(), text.lines().count()), (64, 64));
    for (record, line) in records.zip(text.lines()) {
        let value: Value = serde_json::from_str(line).unwrap();
        let number = |name: &str| value[name].as_i64().unwrap();
        let text = value["fen"].as_str().unwrap();
        let position = fen::parse(text, rules::<Xiangqi>()).unwrap().position;
        // Two points with ranks from 1.
        let move_text = value["move_fsf"].as_str().unwrap();
        let digits = move_text.replace(|letter: char| letter.is_ascii_lowercase(), " ");
        let ranks: Vec<u32> = digits.split_whitespace().map(|rank| rank.parse().unwrap()).collect();
        let files: Vec<char> = move_text.chars().filter(char::is_ascii_lowercase).collect();
        let native = format!("{}{}{}{}", files[0], ranks[0] - 1, files[1], ranks[1] - 1);
        let mv: Move = position.parse_for_test(&native);
        assert_eq!(trainer::move_text(mv), move_text);
        let label = trainer::Label {
            score: number("score_stm") as i16,
            mv,
            ply: number("ply") as u16,
            result: number("result_stm") as i8,
        };
        assert_eq!(trainer::encode(&position, label), record, "{text}");
        let decoded = decode(record);
        assert_eq!(decoded.fen, text);
        assert_eq!(i64::from(decoded.mv), number("move_u16"));
    }
}

/// Reads a move.
trait ParseForTest {
    fn parse_for_test(&self, text: &str) -> Move;
}

impl ParseForTest for kyokumen::games::xiangqi::Position {
    fn parse_for_test(&self, text: &str) -> Move {
        kyokumen::games::xiangqi::notation::parse_move(self, text).unwrap()
    }
}

#[test]
fn a_reader_by_the_documentation_reads_the_records() {
    let games = sample::<Xiangqi>(30, 200);
    let expected = flat::<Xiangqi>(&games, Rows::Used);
    let record = FixedRecord(|row: &Row<'_, Xiangqi>, bytes: &mut Vec<u8>| {
        bytes.extend_from_slice(&trainer::record(row));
    });
    let exported = run::<Xiangqi, _, _>(&games, &record, Bytes::new, USED);
    assert_eq!(exported.bytes.len(), 72 * expected.len());
    for (bytes, row) in exported.bytes.chunks(72).zip(&expected) {
        let decoded = decode(bytes);
        assert_eq!(decoded.fen, row.position);
        assert_eq!(i32::from(decoded.score), row.score.unwrap().get());
        assert_eq!((u32::from(decoded.ply), decoded.result), (row.ply, row.result));
        let point =
            |number: u16| format!("{}{}", (b'a' + (number % 12) as u8) as char, number / 12);
        let mv = point(decoded.mv >> 7 & 127) + &point(decoded.mv & 127);
        assert_eq!((mv, decoded.mv >> 14), (row.best.clone(), 0));
    }
}

#[test]
fn shuffled_records_are_the_same_in_another_order() {
    let games = sample::<Xiangqi>(14, 90);
    let encoder = FixedRecord(|row: &Row<'_, Xiangqi>, bytes: &mut Vec<u8>| {
        bytes.extend_from_slice(&trainer::record(row));
    });
    let plain = run::<Xiangqi, _, _>(&games, &encoder, Bytes::new, USED).bytes;
    let shuffle = |seed: u64, memory: u64| {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("scratch");
        let scratch = Target::new(&path, Existing::Refuse, &[]).unwrap().scratch().unwrap();
        let sink = |file| Shuffled::new(Bytes::new(file), 72, 2000, seed, memory, scratch).unwrap();
        let bytes = run::<Xiangqi, _, _>(&games, &encoder, sink, USED).bytes;
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is left behind");
        bytes
    };
    let shuffled = shuffle(1, 64);
    // No memory: hundreds of files.
    assert!(shuffled == shuffle(1, 0));
    assert!(shuffled != shuffle(2, 64) && shuffled != plain);
    let sorted = |bytes: &[u8]| {
        let mut records: Vec<Vec<u8>> = bytes.chunks(72).map(<[u8]>::to_vec).collect();
        records.sort();
        records
    };
    assert!(sorted(&shuffled) == sorted(&plain));
    // No run of neighbours is left: in a random order about one record in all follows its old neighbour.
    let neighbours: std::collections::HashSet<&[u8]> =
        (0..plain.len() / 72 - 1).map(|at| &plain[72 * at..72 * at + 144]).collect();
    let kept = (0..shuffled.len() / 72 - 1)
        .filter(|at| neighbours.contains(&shuffled[72 * at..72 * at + 144]))
        .count();
    assert!(kept < 10, "{kept}");
}

#[test]
fn a_full_board_fits_a_record() {
    let position = fen::parse(fen::START, rules::<Xiangqi>()).unwrap().position;
    let mv = position.parse_for_test("h2e2");
    let label = trainer::Label { score: -32_000, mv, ply: u16::MAX, result: -1 };
    let decoded = decode(&trainer::encode(&position, label));
    assert_eq!(decoded.fen, fen::START);
    assert_eq!((decoded.score, decoded.ply, decoded.result), (-32_000, u16::MAX, -1));
}

#[test]
fn boards_as_numbers_follow_the_text() {
    let position = fen::parse(fen::START, rules::<Xiangqi>()).unwrap().position;
    let cells = <Xiangqi as kyokumen::game::Game>::cells(&position);
    let letters: String =
        cells.iter().map(|&cell| ".KABNRCPkabnrcp".as_bytes()[usize::from(cell)] as char).collect();
    let rows: Vec<String> =
        letters.as_bytes().chunks(9).map(|row| String::from_utf8(row.to_vec()).unwrap()).collect();
    let expected = [
        "rnbakabnr",
        ".........",
        ".c.....c.",
        "p.p.p.p.p",
        ".........",
        ".........",
        "P.P.P.P.P",
        ".C.....C.",
        ".........",
        "RNBAKABNR",
    ];
    assert_eq!(rows, expected);
}
