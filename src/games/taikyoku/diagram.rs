//! The move diagram of a kind: its move set on an empty board around it.

use super::catalog::Kind;
use super::moveset::{MoveSet, UNLIMITED};
use super::picture::kind_letters;
use super::ruleset::RuleSet;
use super::square::STEPS;
use super::ways::way_name;
use super::{Table, royals};
use crate::game::Side;
use crate::picture::scene::{
    Grid, Lettering, Mark, Marks, Outline, Place, Ray, Scene, ScenePiece, Way,
};

/// The smallest distance from the piece to the edge of its diagram.
const SMALLEST: usize = 3;

/// The move diagram of a kind under a rule set, as the first player sees it.
pub(super) fn diagram(kind: Kind, set: RuleSet, lettering: Lettering) -> Scene {
    let info = kind.info();
    let moves = Table::of(set).move_set(kind);
    let radius = radius(moves);
    let middle = Place::new(radius, radius);
    let (letters, script) = kind_letters(kind, lettering);
    let size = 2 * radius + 1;
    let offsets = |sign: i64| {
        (0..size as i64).map(move |at| format!("{:+}", sign * (at - radius as i64))).collect()
    };
    let (marks, rays) = marks_and_rays(moves, middle);
    let rank = if royals::is_royal(&info.code) { " (royal)" } else { "" };
    Scene {
        title: format!("{} {}{rank}", info.code, info.name),
        caption: String::new(),
        language: "ja",
        grid: Grid::Cells { heavy_rows: Vec::new() },
        outline: Outline::Wedge,
        columns: offsets(1),
        rows: offsets(-1),
        pieces: vec![ScenePiece {
            place: middle,
            side: Side::First,
            lettering: letters,
            script,
            promoted: info.initial_count == 0,
            code: info.code.clone(),
            name: format!("{} {} ({})", info.name, info.kanji, info.code),
        }],
        last_move: Vec::new(),
        origin: None,
        marks,
        taken: Vec::new(),
        rays,
        way_names: way_name,
    }
}

/// How far the diagram reaches: all limited moves, and one square more where there are others.
fn radius(moves: &MoveSet) -> usize {
    let mut reach = if moves.lion { 2 } else { 1 };
    let mut unlimited = moves.range_captures | moves.hooks != 0 || !moves.overs.is_empty();
    for &range in &moves.slides {
        if range == UNLIMITED {
            unlimited = true;
        } else {
            reach = reach.max(usize::from(range));
        }
    }
    for leap in &moves.leaps {
        let further = if leap.further == UNLIMITED {
            unlimited = true;
            1
        } else {
            usize::from(leap.further)
        };
        reach = reach.max(usize::from(leap.distance) + further);
    }
    for &(right, ahead) in &moves.oblique {
        reach = reach.max(right.unsigned_abs().max(ahead.unsigned_abs()).into());
    }
    (reach + usize::from(unlimited)).max(SMALLEST)
}

fn marks_and_rays(moves: &MoveSet, middle: Place) -> (Vec<Mark>, Vec<Ray>) {
    let mut marks = Marks::default();
    let mut rays = Vec::new();
    let at = |across: i32, down: i32| {
        Place::new((middle.column as i32 + across) as usize, (middle.row as i32 + down) as usize)
    };
    let mut mark = |across, down, way| marks.add(at(across, down), way, false, false);
    for (direction, &(down, across)) in STEPS.iter().enumerate() {
        let bit = 1 << direction;
        let mut ray = |way, note: String| {
            rays.push(Ray { from: middle, step: (across, down), way, note });
        };
        let range = moves.slides[direction];
        let leg = moves.hooks & bit != 0;
        if range == UNLIMITED && !leg {
            ray(Way::Slide, String::new());
        } else if range != UNLIMITED {
            for step in 1..=i32::from(range) {
                mark(across * step, down * step, Way::Slide);
            }
        }
        if leg {
            ray(Way::Hook, String::new());
        }
        if moves.range_captures & bit != 0 {
            ray(Way::Range, String::new());
        }
        for over in moves.overs.iter().filter(|over| usize::from(over.direction) == direction) {
            let count =
                if over.pieces == UNLIMITED { "∞".to_owned() } else { over.pieces.to_string() };
            ray(Way::Over, count);
        }
        let leaps = moves.leaps.iter().filter(|leap| usize::from(leap.direction) == direction);
        let mut slides_on = false;
        for leap in leaps {
            let way = if leap.further > 0 { Way::LeapSlide } else { Way::Leap };
            let landing = i32::from(leap.distance);
            if !leap.must_go_on {
                mark(across * landing, down * landing, way);
            }
            if leap.further == UNLIMITED {
                slides_on = true;
            } else {
                for step in 1..=i32::from(leap.further) {
                    mark(across * (landing + step), down * (landing + step), way);
                }
            }
        }
        if slides_on {
            ray(Way::LeapSlide, String::new());
        }
        if moves.igui & bit != 0 {
            mark(across, down, Way::Stay);
        }
    }
    for &(right, ahead) in &moves.oblique {
        mark(i32::from(right), -i32::from(ahead), Way::Leap);
    }
    if moves.lion {
        for down in -2..=2i32 {
            for across in -2..=2i32 {
                match down.abs().max(across.abs()) {
                    0 => {}
                    1 => mark(across, down, Way::DoubleStep),
                    _ => mark(across, down, Way::Leap),
                }
            }
        }
    }
    if moves.lion || moves.pass {
        mark(0, 0, Way::Pass);
    }
    (marks.finish(), rays)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_diagram_holds_its_moves() {
        for set in [RuleSet::Seed, RuleSet::Atsa] {
            for kind in Kind::all() {
                let scene = diagram(kind, set, Lettering::Characters);
                let size = scene.columns.len();
                assert_eq!(size, scene.rows.len());
                assert!((7..=17).contains(&size), "{}: {size}", kind.info().code);
                let inside = |place: Place| place.column < size && place.row < size;
                assert!(scene.marks.iter().all(|mark| inside(mark.place)));
                assert!(!scene.marks.is_empty() || !scene.rays.is_empty());
            }
        }
    }

    #[test]
    fn a_gold_general_steps_to_six_squares() {
        let scene = diagram(Kind::from_code("G").unwrap(), RuleSet::Seed, Lettering::Characters);
        let mut names: Vec<String> =
            scene.marks.iter().map(|m| scene.place_name(m.place)).collect();
        names.sort();
        assert_eq!(names, ["+0+1", "+0-1", "+1+0", "+1+1", "-1+0", "-1+1"]);
        assert!(scene.rays.is_empty());
    }
}
