//! Xiangqi move counts against published and independently checked numbers.

use kyokumen::game::{Game, Named};
use kyokumen::games::xiangqi::Xiangqi;
use kyokumen::games::xiangqi::rules::RuleSet;
use kyokumen::perft::perft;

#[test]
fn counts_agree_to_the_last_node() {
    let data = include_str!("data/xiangqi/perft.tsv");
    let mut checked = 0;
    for line in data.lines().filter(|line| !line.starts_with('#')).skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let (depth, nodes): (u32, u64) = (fields[1].parse().unwrap(), fields[2].parse().unwrap());
        let rules = RuleSet::ALL[0].rules();
        let mut position = Xiangqi::parse_position(fields[0], rules).unwrap().position;
        assert_eq!(perft::<Xiangqi>(&mut position, depth), nodes, "perft {depth} of {}", fields[0]);
        checked += 1;
    }
    assert!(checked > 600, "only {checked} lines were read");
}
