//! The readers of `analyze` against input of any kind: they end, never panic, and tell one thing a line.

use kyokumen::analysis::input::{
    Every, GameMode, Input, InputFormat, InputOptions, Reader, UnknownOpcodes,
};
use kyokumen::analysis::job::Job;
use kyokumen::game::{Game, Named};
use kyokumen::games::xiangqi::Xiangqi;
use proptest::prelude::*;

const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

fn read(bytes: &[u8], format: InputFormat) -> Vec<Job<Xiangqi>> {
    let options = InputOptions {
        format,
        encoding: None,
        games: GameMode::ByResult,
        every: Every::Plies(1),
        unknown_opcodes: UnknownOpcodes::Warned,
        rules: Xiangqi::rules(<Xiangqi as Game>::RuleSet::ALL[0]),
    };
    let input =
        Input::Stream { name: None, reader: Box::new(std::io::Cursor::new(bytes.to_vec())) };
    let jobs: Vec<Job<Xiangqi>> = Reader::new(vec![input], options).map(Result::unwrap).collect();
    for (index, job) in jobs.iter().enumerate() {
        assert_eq!(job.label.index, index as u64);
        if let Err(error) = &job.task {
            assert!(error.column >= 1 && !error.message.is_empty());
        }
    }
    assert!(jobs.is_sorted_by_key(|job| job.label.line));
    assert!(jobs.is_sorted_by_key(|job| job.bytes_read));
    jobs
}

/// Pieces that lines of all formats are made of, so that random lines get deep into the parsers.
fn line() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just(START.to_owned()),
        Just("startpos".to_owned()),
        Just("moves".to_owned()),
        Just("h2e2".to_owned()),
        Just("炮二平五".to_owned()),
        Just("1.".to_owned()),
        Just("bm".to_owned()),
        Just("id \"x".to_owned()),
        Just("; ".to_owned()),
        Just("{\"fen\": \"".to_owned()),
        Just("\", \"moves\": [\"".to_owned()),
        Just("\"]}".to_owned()),
        Just("[FEN \"".to_owned()),
        Just("{".to_owned()),
        Just("(".to_owned()),
        Just(")".to_owned()),
        Just("\u{feff}".to_owned()),
        Just("1-0".to_owned()),
        "\\PC{0,8}",
    ];
    prop::collection::vec(piece, 0..8).prop_map(|pieces| pieces.join(" "))
}

proptest! {
    #[test]
    fn random_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..600)) {
        for &format in InputFormat::ALL {
            read(&bytes, format);
        }
    }

    #[test]
    fn every_line_of_text_gives_one_job_or_none(lines in prop::collection::vec(line(), 0..12)) {
        let text = lines.join("\n");
        read(text.as_bytes(), InputFormat::Auto);
        read(text.as_bytes(), InputFormat::Pgn);
        for format in [InputFormat::Fen, InputFormat::Epd] {
            let jobs = read(text.as_bytes(), format);
            let expected: Vec<u64> = (1..)
                .zip(text.split('\n'))
                .filter(|(number, line)| {
                    let line = if *number == 1 { line.trim_start_matches('\u{feff}') } else { line };
                    !line.trim().is_empty() && !line.trim_start().starts_with('#')
                })
                .map(|(number, _)| number)
                .collect();
            let found: Vec<u64> = jobs.iter().map(|job| job.label.line).collect();
            prop_assert_eq!(found, expected);
        }
    }

    #[test]
    fn a_bad_line_does_not_touch_its_neighbours(bad in prop::collection::vec(any::<u8>(), 0..300)) {
        let bad: Vec<u8> = bad.into_iter().filter(|byte| !b"\r\n".contains(byte)).collect();
        let text = [START.as_bytes(), &[0xff], &bad[..], START.as_bytes()].join(&b'\n');
        let jobs = read(&text, InputFormat::Epd);
        prop_assert!(jobs.first().unwrap().task.is_ok());
        prop_assert!(jobs.last().unwrap().task.is_ok());
        prop_assert!(jobs[1].task.is_err());
    }
}

#[test]
fn counters_and_opcodes_share_a_line() {
    let check = |line: &str, position: &str, opcodes: &[(&str, &str)]| {
        let jobs = read(line.as_bytes(), InputFormat::Auto);
        assert_eq!(jobs.len(), 1);
        assert_eq!(jobs[0].label.position.as_deref(), Some(position), "{line}");
        let task = jobs[0].task.as_ref().unwrap();
        let found: Vec<(&str, &str)> =
            task.opcodes.iter().map(|(name, operand)| (name.as_str(), operand.as_str())).collect();
        assert_eq!(found, opcodes, "{line}");
        assert!(task.warnings.is_empty(), "{:?}", task.warnings);
    };
    let board = "4k4/9/9/9/9/9/9/9/4A4/3K5";
    let with = |tail: &str| format!("{board} {tail}");
    check(&with("w - - 12 13"), &with("w - - 12 13"), &[]);
    check(&with("w;c0 x"), &with("w - - 0 1"), &[("c0", "x")]);
    check(&with("w - - acd 12; ce -35;"), &with("w - - 0 1"), &[("acd", "12"), ("ce", "-35")]);
    check(&with("w - - hmvc 7; fmvn 9;"), &with("w - - 7 9"), &[("hmvc", "7"), ("fmvn", "9")]);
    check(&with("r 3 4 bm d0d1;"), &with("w - - 3 4"), &[("bm", "d0d1")]);
    check(&format!("{board};any words"), &with("w - - 0 1"), &[]);
}

#[test]
fn every_kth_position_of_a_game_is_a_job() {
    let line = "{\"id\": \"g\", \"moves\": \"h2e2 h9g7 h0g2\", \"result\": \"*\"}";
    let plies = |jobs: &[Job<Xiangqi>]| jobs.iter().map(|job| job.label.ply).collect::<Vec<_>>();
    assert_eq!(plies(&read(line.as_bytes(), InputFormat::Auto)), [0, 1, 2, 3].map(Some));
    let without_result = line.replace("\"*\"", "null");
    assert_eq!(plies(&read(without_result.as_bytes(), InputFormat::Auto)), [None]);
    assert_eq!("last".parse(), Ok(Every::Last));
    assert_eq!("3".parse(), Ok(Every::Plies(3)));
    assert!("0".parse::<Every>().is_err());
}
