//! The profiles of `kyokumen bench` under criterion, which keeps a history and tells noise from change.

use std::sync::Arc;
use std::time::Duration;

use criterion::{Criterion, Throughput};
use kyokumen::game::Evaluate;
use kyokumen::games::{Command, GameId, dispatch};
use kyokumen::workload::{BUILT_IN, Profile, Workload};

/// Profiles that take longer than this for one run are left to `kyokumen bench`.
const LONGEST: Duration = Duration::from_secs(2);

struct Bench<'a> {
    name: &'a str,
    profile: Profile,
    criterion: &'a mut Criterion,
}

impl Command for Bench<'_> {
    type Output = ();

    fn run<G: Evaluate>(self) {
        let Self { name, profile, criterion } = self;
        let stop = Arc::default();
        let workload = Workload::<G>::new(profile, G::Params::default()).expect("a sound profile");
        let started = std::time::Instant::now();
        let nodes = workload.run(&stop).expect("the count that the profile expects");
        if started.elapsed() > LONGEST {
            return;
        }
        let mut group = criterion.benchmark_group("workloads");
        group.throughput(Throughput::Elements(nodes)).sample_size(10);
        group.bench_function(name, |bencher| bencher.iter(|| workload.run(&stop)));
        group.finish();
    }
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    for &(name, text) in BUILT_IN {
        let profile: Profile = toml::from_str(text).expect("a sound profile");
        let game: GameId = profile.game.parse().expect("a known game");
        dispatch(game, Bench { name, profile, criterion: &mut criterion });
    }
    criterion.final_summary();
}
