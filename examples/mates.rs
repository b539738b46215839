//! Solves composed xiangqi mates and says how many first moves and mates were found: `mates FILE NODES [HASH_MIB] [PARAMS_JSON]`.

use std::sync::Arc;
use std::time::Instant;

use anyhow::Context;
use kyokumen::game::{Evaluate, Game, Named};
use kyokumen::games::xiangqi::Xiangqi;
use kyokumen::games::xiangqi::rules::RuleSet;
use kyokumen::search::{Limits, Searcher};

fn main() -> anyhow::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().context("mates FILE NODES [HASH_MIB]")?;
    let nodes: u64 = arguments.next().context("the number of nodes is missing")?.parse()?;
    let hash_mib = arguments.next().map_or(Ok(16), |text| text.parse())?;
    let text = std::fs::read_to_string(&file).with_context(|| format!("cannot read {file}"))?;
    let params: <Xiangqi as Evaluate>::Params = match arguments.next() {
        Some(text) => serde_json::from_str(&text)?,
        None => Default::default(),
    };
    let params = Arc::new(params);
    let mut searcher = Searcher::<Xiangqi>::new(params, hash_mib)?;
    let (mut total, mut first_moves, mut mates, mut exact, mut all_nodes) = (0, 0, 0, 0, 0);
    let started = Instant::now();
    for line in text.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        let (fen, opcodes) = line.split_once(" bm ").context("no bm")?;
        let best = opcodes.split([';', ' ']).next().unwrap_or_default();
        let wanted: u32 = opcodes
            .split("dm ")
            .nth(1)
            .and_then(|rest| rest.split(';').next())
            .and_then(|number| number.parse().ok())
            .context("no dm")?;
        let position = Xiangqi::parse_position(fen, RuleSet::ALL[0].rules())?.position;
        searcher.clear();
        let limits = Limits::to_nodes(nodes);
        let report = searcher.search(&position, &limits, &mut |_| {});
        let found = report.best_move.is_some_and(|mv| mv.to_string() == best);
        let length = report.score().mate_moves().filter(|&length| length > 0);
        total += 1;
        all_nodes += report.nodes;
        first_moves += u32::from(found);
        mates += u32::from(length.is_some());
        exact += u32::from(length.is_some_and(|length| length as u32 <= wanted));
        if !found || length.is_none_or(|length| length as u32 > wanted) {
            let pv: Vec<String> = report.lines[0].moves.iter().map(ToString::to_string).collect();
            println!(
                "{fen}: bm {best} dm {wanted}, got {} depth {} nodes {} pv {}",
                report.score(),
                report.depth,
                report.nodes,
                pv.join(" ")
            );
        }
    }
    let seconds = started.elapsed().as_secs_f64();
    println!(
        "{first_moves} of {total} first moves, {mates} mates, {exact} in the stated length; \
         {all_nodes} nodes, {:.0} nodes/s",
        all_nodes as f64 / seconds
    );
    Ok(())
}
