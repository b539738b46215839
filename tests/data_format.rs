//! Files of games: every game comes back, and damage costs no more than what it hits. `docs/data-format.md` is the contract.

use std::fs;
use std::path::Path;

use kyokumen::data::{
    Chain, DataError, EndReason, FaultReason, Header, Ply, PlyFlags, Reader, RuleSettings, Writer,
};
use kyokumen::game::{Evaluate, Game, GameResult, MoveKind, Named};
use kyokumen::games::taikyoku::Taikyoku;
use kyokumen::games::xiangqi::Xiangqi;
use kyokumen::score::Score;
use proptest::prelude::*;
use serde_json::json;

fn header(block_games: u32) -> Header {
    Header {
        game: "xiangqi".to_owned(),
        rules: RuleSettings {
            set: "asian".to_owned(),
            move_limit_plies: Some(120),
            repetitions: None,
            stalemate_loses: true,
            material_draw: false,
        },
        engine: "kyokumen test".to_owned(),
        commit: Some("0123456789ab".to_owned()),
        evaluation: 7,
        seed: 42,
        block_games,
        settings: json!({"nodes": 100}).as_object().unwrap().clone(),
    }
}

fn score() -> impl Strategy<Value = Option<Score>> {
    prop_oneof![
        Just(None),
        (-24_999..=24_999).prop_map(|value| Some(Score::centipawns(value))),
        (0..=1000_usize).prop_map(|plies| Some(Score::mate_in(plies))),
        (0..=1000_usize).prop_map(|plies| Some(Score::mated_in(plies))),
        (0..=1000_usize).prop_map(|plies| Some(Score::rule_win_in(plies))),
        (0..=1000_usize).prop_map(|plies| Some(Score::rule_loss_in(plies))),
    ]
}

fn ply() -> impl Strategy<Value = Ply> {
    (any::<u32>(), score(), any::<u8>(), 0..4_u8, any::<u32>()).prop_map(
        |(code, score, bits, marks, best)| {
            let flags = PlyFlags::from_bytes(bits, marks).unwrap();
            let best = flags.contains(PlyFlags::SAMPLED).then_some(best);
            Ply { code, score, flags, best }
        },
    )
}

fn chain() -> impl Strategy<Value = Chain> {
    let results = [GameResult::First, GameResult::Draw, GameResult::Second];
    (
        any::<u64>(),
        prop::option::of(".{1,40}"),
        any::<u32>(),
        prop::collection::vec(ply(), 0..60),
        prop::sample::select(results.to_vec()),
        prop::sample::select(EndReason::ALL.to_vec()),
    )
        .prop_map(|(number, start, first_ply, plies, result, end)| Chain {
            number,
            start,
            first_ply,
            plies,
            result,
            end,
        })
}

/// Games that look like games: numbered, of different lengths.
fn games(count: u64) -> Vec<Chain> {
    (0..count)
        .map(|number| Chain {
            number,
            start: (number % 3 == 1).then(|| format!("position {number} 局面")),
            first_ply: number as u32 * 2,
            plies: (0..10 + number as u32 * 7 % 13)
                .map(|ply| Ply {
                    code: 0x8000_0000 + ply * 4_321 + number as u32,
                    score: (ply > 2).then(|| Score::centipawns(ply as i32 * 37 % 300 - 150)),
                    flags: match ply {
                        5 => PlyFlags::SAMPLED,
                        6 => PlyFlags::EXCLUDED | PlyFlags::NOISY,
                        7 => PlyFlags::DUPLICATE,
                        _ => PlyFlags::default(),
                    },
                    best: (ply == 5).then_some(77),
                })
                .collect(),
            result: [GameResult::First, GameResult::Draw, GameResult::Second][number as usize % 3],
            end: EndReason::ALL[number as usize % EndReason::ALL.len()],
        })
        .collect()
}

fn write(path: &Path, header: &Header, games: &[Chain]) -> Vec<u8> {
    let mut writer = Writer::create(path, header).unwrap();
    games.iter().for_each(|game| writer.push(game.clone()).unwrap());
    writer.finish().unwrap();
    fs::read(path).unwrap()
}

/// All games that can be read, and the reasons of the others.
fn read(bytes: &[u8]) -> Result<(Vec<Chain>, Vec<FaultReason>), String> {
    let reader = Reader::from_bytes(bytes.to_vec())?;
    let (mut games, mut faults) = (Vec::new(), Vec::new());
    for block in reader.blocks() {
        match block {
            Ok(block) => games.extend(block.games().map(|game| game.to_chain())),
            Err(fault) => faults.push(fault.reason),
        }
    }
    Ok((games, faults))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_game_comes_back(games in prop::collection::vec(chain(), 0..12), block in 1..5_u32) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games");
        let bytes = write(&path, &header(block), &games);
        prop_assert_eq!(read(&bytes), Ok((games, Vec::new())));
        let reader = Reader::open(&path).unwrap();
        prop_assert_eq!(reader.header(), &header(block));
        prop_assert_eq!(reader.file_bytes(), bytes.len() as u64);
    }

    #[test]
    fn rubbish_is_refused_or_passed_over(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let _ = read(&bytes);
        let folder = tempfile::tempdir().unwrap();
        let mut file = write(&folder.path().join("games"), &header(2), &games(4));
        file.extend_from_slice(&bytes);
        let (found, faults) = read(&file).unwrap();
        prop_assert_eq!(found, games(4));
        prop_assert_eq!(faults.len(), usize::from(!bytes.is_empty()));
    }
}

/// Small random numbers for damage: SplitMix64.
fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut value = *state;
    value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

#[test]
fn a_flipped_bit_costs_its_block_and_no_more() {
    const BLOCK: usize = 4;
    let folder = tempfile::tempdir().unwrap();
    let all = games(22);
    let bytes = write(&folder.path().join("games"), &header(BLOCK as u32), &all);
    let header_bytes = bytes.len() - blocks_bytes(&bytes);
    let mut state = 1;
    for copy in 0..1000 {
        let at = next(&mut state) as usize % bytes.len();
        let bit = next(&mut state) % 8;
        let mut damaged = bytes.clone();
        damaged[at] ^= 1 << bit;
        let (found, faults) = read(&damaged).unwrap_or_else(|error| panic!("{copy}: {error}"));
        assert_eq!(faults.len(), 1, "copy {copy}, byte {at}: {faults:?}");
        if at < header_bytes {
            assert_eq!((found, &faults[0]), (all.clone(), &FaultReason::HeaderCopy), "byte {at}");
            continue;
        }
        let lost = all.iter().position(|game| !found.contains(game)).expect("a block is lost");
        assert_eq!(lost % BLOCK, 0, "byte {at}");
        let mut rest = all.clone();
        rest.drain(lost..all.len().min(lost + BLOCK));
        assert_eq!(found, rest, "byte {at}");
    }
}

/// Size of all that is behind the two copies of the header.
fn blocks_bytes(bytes: &[u8]) -> usize {
    let reader = Reader::from_bytes(bytes.to_vec()).unwrap();
    let first = reader.places().next().unwrap().unwrap();
    bytes.len() - first.offset as usize
}

#[test]
fn many_damages_leave_the_whole_blocks() {
    let folder = tempfile::tempdir().unwrap();
    let all = games(40);
    let bytes = write(&folder.path().join("games"), &header(2), &all);
    let mut state = 2;
    for _ in 0..200 {
        let mut damaged = bytes.clone();
        for _ in 0..next(&mut state) % 30 {
            let at = next(&mut state) as usize % damaged.len();
            match next(&mut state) % 3 {
                0 => damaged[at] = next(&mut state) as u8,
                1 => drop(damaged.drain(at..(at + 20).min(bytes.len() / 2).max(at))),
                _ => damaged.insert(at, 0xf5),
            }
        }
        // Both headers may be gone; what is read otherwise is true.
        if let Ok((found, _)) = read(&damaged) {
            assert!(found.iter().all(|game| all.contains(game)));
        }
    }
}

#[test]
fn a_torn_end_is_told_and_nothing_else_suffers() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games");
    let all = games(10);
    let bytes = write(&path, &header(3), &all);
    let starts: Vec<usize> = {
        let reader = Reader::from_bytes(bytes.clone()).unwrap();
        reader.places().map(|place| place.unwrap().offset as usize).collect()
    };
    for length in 0..bytes.len() {
        let whole = starts[1..].iter().filter(|&&start| start <= length).count();
        match read(&bytes[..length]) {
            Err(_) => assert!(length < starts[0] / 2),
            Ok((found, faults)) => {
                let is_cut = !starts.contains(&length);
                assert_eq!(found, all[..whole * 3], "{length} bytes");
                assert_eq!(faults.len(), usize::from(is_cut), "{length} bytes: {faults:?}");
            }
        }
        // Going on from there gives the same file.
        fs::write(&path, &bytes[..length]).unwrap();
        let mut seen = Vec::new();
        let (mut writer, resumed) =
            Writer::resume(&path, &header(3), |game| seen.push(game.to_chain())).unwrap();
        assert_eq!(seen, all[..resumed.games as usize], "{length} bytes");
        all[resumed.games as usize..].iter().for_each(|game| writer.push(game.clone()).unwrap());
        writer.finish().unwrap();
        assert_eq!(fs::read(&path).unwrap(), bytes, "{length} bytes");
    }
}

#[test]
fn flushes_leave_no_trace() {
    let folder = tempfile::tempdir().unwrap();
    let all = games(11);
    let bytes = write(&folder.path().join("at once"), &header(4), &all);
    let path = folder.path().join("by and by");
    drop(Writer::create(&path, &header(4)).unwrap());
    for (index, game) in all.iter().enumerate() {
        let (mut writer, resumed) = Writer::resume(&path, &header(4), |_| ()).unwrap();
        assert_eq!((resumed.games, resumed.cut), (index as u64, None));
        writer.push(game.clone()).unwrap();
        writer.flush().unwrap();
        drop(writer);
        assert_eq!(read(&fs::read(&path).unwrap()), Ok((all[..=index].to_vec(), Vec::new())));
    }
    assert_eq!(fs::read(&path).unwrap(), bytes);
}

#[test]
fn other_settings_are_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games");
    let bytes = write(&path, &header(4), &games(3));
    let mut other = header(4);
    other.settings.insert("nodes".to_owned(), json!(400));
    let error = Writer::resume(&path, &other, |_| ()).err().unwrap().to_string();
    assert!(error.contains("settings.nodes was 100, now 400"), "{error}");
    let error = Writer::create(&path, &header(4)).err().unwrap();
    assert!(matches!(&error, DataError::Usage { .. }) && error.to_string().contains("--resume"));
    assert_eq!(fs::read(&path).unwrap(), bytes, "a refused file is not touched");
    let _writer = Writer::resume(&path, &header(4), |_| ()).unwrap();
    let error = Writer::resume(&path, &header(4), |_| ()).err().unwrap().to_string();
    assert!(error.contains("another process"), "{error}");
}

#[test]
fn damage_inside_is_no_torn_end() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games");
    let mut bytes = write(&path, &header(2), &games(6));
    let at = bytes.len() - blocks_bytes(&bytes) + 60;
    bytes[at] ^= 1;
    fs::write(&path, &bytes).unwrap();
    let error = Writer::resume(&path, &header(2), |_| ()).err().unwrap().to_string();
    assert!(error.contains("checksum is wrong") && error.contains("data verify"), "{error}");
    assert_eq!(fs::read(&path).unwrap(), bytes, "a refused file is not touched");
}

#[test]
fn a_damaged_header_is_mended_when_a_run_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games");
    let bytes = write(&path, &header(2), &games(3));
    for at in [3, 40, (bytes.len() - blocks_bytes(&bytes)) / 2 + 10] {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1;
        fs::write(&path, &damaged).unwrap();
        let (writer, resumed) = Writer::resume(&path, &header(2), |_| ()).unwrap();
        assert_eq!(resumed.games, 3);
        writer.finish().unwrap();
        assert_eq!(fs::read(&path).unwrap(), bytes);
    }
}

#[cfg(unix)]
#[test]
fn links_are_not_followed() {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("target");
    fs::write(&target, "").unwrap();
    let link = folder.path().join("link");
    std::os::unix::fs::symlink(&target, &link).unwrap();
    let error = Writer::create(&link, &header(2)).err().unwrap().to_string();
    assert!(error.contains("link"), "{error}");
}

#[test]
fn games_that_cannot_be_said_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let mut writer = Writer::create(&folder.path().join("games"), &header(2)).unwrap();
    let good = &games(1)[0];
    let mut refuse = |change: fn(&mut Chain), reason: &str| {
        let mut game = good.clone();
        change(&mut game);
        let error = writer.push(game).expect_err(reason).to_string();
        assert!(error.contains(reason), "{error}");
    };
    refuse(|game| game.result = GameResult::None, "no result");
    refuse(|game| game.start = Some(String::new()), "start text");
    refuse(|game| game.plies[0].best = Some(1), "SAMPLED");
    refuse(|game| game.plies[4].score = Some(Score::INFINITE), "ply 5");
}

/// Reads a file by nothing but `docs/data-format.md`.
#[test]
fn the_bytes_are_those_of_the_document() {
    let folder = tempfile::tempdir().unwrap();
    let bytes = write(&folder.path().join("games"), &header(2), &games(3));
    let u16_at =
        |bytes: &[u8], at: usize| u16::from_le_bytes(bytes[at..at + 2].try_into().unwrap());
    let u32_at =
        |bytes: &[u8], at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
    let u64_at =
        |bytes: &[u8], at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap());

    assert_eq!(bytes[..8], *b"\x89KYOGAM\x1a");
    assert_eq!((u16_at(&bytes, 8), u16_at(&bytes, 10)), (1, 1));
    let text_bytes = u32_at(&bytes, 12) as usize;
    let text = &bytes[32..32 + text_bytes];
    assert_eq!(u32_at(&bytes, 16), crc(text));
    assert_eq!(bytes[20..28], [0; 8]);
    assert_eq!(u32_at(&bytes, 28), crc(&bytes[..28]));
    let header: serde_json::Value = serde_json::from_slice(text).unwrap();
    assert_eq!(header["evaluation"], "0000000000000007");
    assert_eq!(header["rules"]["set"], "asian");
    let copy = 32 + text_bytes;
    assert_eq!(bytes[..copy], bytes[copy..2 * copy]);

    let mut at = 2 * copy;
    let mut found = Vec::new();
    for number in 0..2 {
        let head = &bytes[at..at + 48];
        assert_eq!(head[..8], *b"\xf5KyBlk\r\n");
        assert_eq!((u64_at(head, 8), u32_at(head, 16)), (2 * u64::from(number), number));
        let (games, plies) = (u32_at(head, 20) as usize, u32_at(head, 24) as usize);
        let stored = &bytes[at + 48..at + 48 + u32_at(head, 28) as usize];
        assert_eq!((u32_at(head, 36), u32_at(head, 40)), (crc(stored), 0));
        assert_eq!(u32_at(head, 44), crc(&head[..44]));
        let payload_bytes = u32_at(head, 32) as usize;
        let payload = zstd::bulk::decompress(stored, payload_bytes).unwrap();
        assert_eq!(payload.len(), payload_bytes);
        let all_best: usize =
            (0..games).map(|game| u32_at(&payload, 32 * game + 20) as usize).sum();
        let mut best_at = 32 * games;
        let low = best_at + 4 * all_best;
        let (high, scores, flags) = (low + 2 * plies, low + 4 * plies, low + 6 * plies);
        let (marks, mut text) = (low + 7 * plies, low + 8 * plies);
        let mut ply = 0;
        for game in 0..games {
            let record = &payload[32 * game..32 * game + 32];
            assert_eq!(record[26..], [0; 6]);
            let start_bytes = u32_at(record, 16) as usize;
            let start = &payload[text..text + start_bytes];
            text += start_bytes;
            let plies = (0..u32_at(record, 8)).map(|_| {
                let (bits, marks) = (payload[flags + ply], payload[marks + ply]);
                let best = (bits & 2 != 0).then(|| {
                    best_at += 4;
                    u32_at(&payload, best_at - 4)
                });
                let code = u32::from(u16_at(&payload, low + 2 * ply))
                    | u32::from(u16_at(&payload, high + 2 * ply)) << 16;
                let score = i32::from(u16_at(&payload, scores + 2 * ply) as i16);
                ply += 1;
                Ply {
                    code,
                    score: (score != -32_768).then(|| Score::from_raw(score)),
                    flags: PlyFlags::from_bytes(bits, marks).unwrap(),
                    best,
                }
            });
            let plies = plies.collect();
            found.push(Chain {
                number: u64_at(record, 0),
                start: (start_bytes > 0).then(|| String::from_utf8(start.to_vec()).unwrap()),
                first_ply: u32_at(record, 12),
                plies,
                result: [GameResult::Second, GameResult::Draw, GameResult::First]
                    [usize::from(record[24])],
                end: EndReason::from_number(record[25]).unwrap(),
            });
        }
        assert_eq!((ply, text), (plies, payload.len()));
        at += 48 + stored.len();
    }
    assert_eq!(at, bytes.len());
    assert_eq!(found, games(3));
}

#[test]
fn move_codes_are_those_of_the_document() {
    fn moves<G: Evaluate>() -> (G::Position, Vec<G::Move>) {
        let position = G::start(G::rules(G::RuleSet::ALL[0]));
        let mut moves = Vec::new();
        G::generate(&position, MoveKind::All, &mut moves);
        (position, moves)
    }
    let (position, _) = moves::<Xiangqi>();
    // From h2, rank 2 and file 7, to e2, rank 2 and file 4.
    let mv = Xiangqi::parse_move(&position, "h2e2").unwrap();
    assert_eq!(Xiangqi::encode(mv), 128 * (9 * 2 + 7) + (9 * 2 + 4));
    let (_, moves) = moves::<Taikyoku>();
    let slot = |index: usize| (64 * (index / 36) + index % 36) as u32;
    for mv in moves {
        let code = Taikyoku::encode(mv);
        assert_eq!(code >> 31, 1);
        assert_eq!(code & 0xfff, slot(Taikyoku::source(mv)));
        assert_eq!(code >> 12 & 0xfff, slot(Taikyoku::target(mv)));
    }
}

/// CRC-32 as in zlib and PNG, bit by bit.
fn crc(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0_u32, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| {
            if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 }
        })
    })
}
