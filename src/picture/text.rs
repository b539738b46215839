//! A small scene in letters, for terminals: the move diagram of a piece.

use super::scene::{Place, Scene, Way};

/// The letter of a way.
const fn letter(way: Way) -> char {
    match way {
        Way::Slide => 'o',
        Way::Hook => 'h',
        Way::Turn => 't',
        Way::Leap => 'x',
        Way::LeapSlide => 'X',
        Way::Over => 'v',
        Way::Range => '#',
        Way::DoubleStep => 'L',
        Way::Stay => '!',
        Way::Pass => '0',
    }
}

/// The letter of a slide without limit: its line.
fn line(step: (i32, i32)) -> char {
    match (step.0.signum(), step.1.signum()) {
        (0, _) => '|',
        (_, 0) => '-',
        (across, down) if across == down => '\\',
        _ => '/',
    }
}

/// The scene in letters: `@` the piece, a letter for each way, lines for slides without limit. Where ways meet, the more
/// particular one is shown.
pub fn draw(scene: &Scene) -> String {
    let mut board = vec![vec!['.'; scene.columns.len()]; scene.rows.len()];
    let mut rays: Vec<_> = scene.rays.iter().collect();
    rays.sort_by_key(|ray| ray.way);
    for ray in rays {
        let letter = if ray.way == Way::Slide { line(ray.step) } else { letter(ray.way) };
        let (mut column, mut row) = (ray.from.column as i32, ray.from.row as i32);
        loop {
            (column, row) = (column + ray.step.0, row + ray.step.1);
            match board.get_mut(row as usize).and_then(|line| line.get_mut(column as usize)) {
                // A slide after a leap covers nothing new where the plain slide goes.
                Some(cell) if ray.way != Way::LeapSlide || *cell == '.' => *cell = letter,
                Some(_) => {}
                None => break,
            }
        }
    }
    for mark in &scene.marks {
        if let Some(&way) = mark.ways.last() {
            board[mark.place.row][mark.place.column] = letter(way);
        }
    }
    for piece in &scene.pieces {
        board[piece.place.row][piece.place.column] = '@';
    }
    let lines = board.iter().map(|row| {
        let cells: Vec<String> = row.iter().map(char::to_string).collect();
        format!("{}\n", cells.join(" "))
    });
    lines.collect()
}

/// What the letters of [`draw`] mean, one line for each way that occurs.
pub fn legend(scene: &Scene) -> Vec<String> {
    let unlimited = scene.rays.iter().any(|ray| ray.way == Way::Slide);
    let limited = |way: Way| {
        way != Way::Slide || scene.marks.iter().any(|mark| mark.ways.contains(&Way::Slide))
    };
    let mut lines = Vec::new();
    if unlimited {
        lines.push("| - / \\  slide of any length".to_owned());
    }
    let drawn = draw(scene);
    for way in scene.ways().into_iter().filter(|&way| limited(way)) {
        if drawn.contains(letter(way)) {
            lines.push(format!("{}  {}", letter(way), (scene.way_names)(way)));
        }
    }
    lines
}

/// The place in the middle of a diagram of a radius.
pub const fn middle(radius: usize) -> Place {
    Place::new(radius, radius)
}
