//! Runs the xiangqi bench: `bench [DEPTH]`. The last line is `N nodes M nps`.

use std::sync::Arc;

use kyokumen::game::{Game, Named};
use kyokumen::games::xiangqi::Xiangqi;
use kyokumen::games::xiangqi::rules::RuleSet;
use kyokumen::search::bench;

fn main() -> anyhow::Result<()> {
    let depth = std::env::args().nth(1).map_or(Ok(12), |text| text.parse())?;
    let mut positions = Vec::new();
    for line in include_str!("../profiles/xiangqi-bench.fen").lines() {
        positions.push(Xiangqi::parse_position(line, RuleSet::ALL[0].rules())?.position);
    }
    let result =
        bench::run::<Xiangqi>(&positions, Arc::default(), depth, 16, &mut |index, report| {
            let best = report.best_move.map(|mv| mv.to_string()).unwrap_or_default();
            println!("{:2}  {best}  {:>6}  {:>9} nodes", index + 1, report.score(), report.nodes);
        })?;
    println!("{} nodes {} nps", result.nodes, result.nodes_per_second());
    Ok(())
}
