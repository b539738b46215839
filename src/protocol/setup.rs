//! The position of a session, and how a `position` command changes it.

use super::command::shortened;
use crate::game::{Game, Rules};

/// The position that the next search starts from, with the texts that it was made from.
#[derive(Clone, Debug)]
pub struct Setup<G: Game> {
    position: G::Position,
    base: String,
    moves: String,
}

impl<G: Game> Setup<G> {
    /// The initial position.
    pub fn start(rules: Rules<G::RuleSet>) -> Self {
        Self { position: G::start(rules), base: String::new(), moves: String::new() }
    }

    /// The position.
    pub const fn position(&self) -> &G::Position {
        &self.position
    }

    /// Sets up a text (empty: the initial position) and plays moves. Gives what is odd but playable.
    ///
    /// The line of a long game grows by a move or two each time; what was played already is not played again.
    ///
    /// # Errors
    /// A bad position with its column, a bad move with its ply and text. The position stays what it was.
    pub fn set(
        &mut self,
        base: &str,
        moves: &str,
        rules: Rules<G::RuleSet>,
    ) -> Result<Vec<String>, String> {
        if let Some(new) = self.continuation(base, moves, rules) {
            let known = G::plies(&self.position);
            for (played, text) in new.split_whitespace().enumerate() {
                if let Err(error) = play::<G>(&mut self.position, known + played, text) {
                    for _ in 0..played {
                        G::unmake(&mut self.position);
                    }
                    return Err(error);
                }
            }
            self.moves = moves.to_owned();
            return Ok(Vec::new());
        }
        let mut warnings = Vec::new();
        let mut position = if base.is_empty() {
            G::start(rules)
        } else {
            let parsed =
                G::parse_position(base, rules).map_err(|error| format!("position: {error}"))?;
            warnings = parsed.warnings;
            parsed.position
        };
        for (ply, text) in moves.split_whitespace().enumerate() {
            play::<G>(&mut position, ply, text)?;
        }
        *self = Self { position, base: base.to_owned(), moves: moves.to_owned() };
        Ok(warnings)
    }

    /// The same position by other rules.
    ///
    /// # Errors
    /// The position or its moves do not exist by these rules; it is the initial position then.
    pub fn change_rules(&mut self, rules: Rules<G::RuleSet>) -> Result<(), String> {
        let (base, moves) = (self.base.clone(), self.moves.clone());
        *self = Self::start(rules);
        self.set(&base, &moves, rules).map(drop)
    }

    /// Plays a move.
    pub fn play(&mut self, mv: G::Move) {
        let text = G::format_move(&self.position, mv, crate::game::Named::ALL[0]);
        G::make(&mut self.position, mv);
        if !self.moves.is_empty() {
            self.moves.push(' ');
        }
        self.moves.push_str(&text);
    }

    /// The moves that a new line has more than the present one.
    fn continuation<'a>(
        &self,
        base: &str,
        moves: &'a str,
        rules: Rules<G::RuleSet>,
    ) -> Option<&'a str> {
        if base != self.base || rules != G::rules_of(&self.position) {
            return None;
        }
        let new = moves.strip_prefix(self.moves.as_str())?;
        let whole_words =
            self.moves.is_empty() || new.is_empty() || new.starts_with(char::is_whitespace);
        whole_words.then_some(new)
    }
}

fn play<G: Game>(
    position: &mut G::Position,
    plies_before: usize,
    text: &str,
) -> Result<(), String> {
    let mv = G::parse_move(position, text).map_err(|error| {
        let (text, reason) = (shortened(&error.text), error.message);
        format!("position: ply {} of the moves: '{text}': {reason}", plies_before + 1)
    })?;
    G::make(position, mv);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Named;
    use crate::games::xiangqi::Xiangqi;

    fn rules() -> Rules<<Xiangqi as Game>::RuleSet> {
        Xiangqi::rules(Named::ALL[0])
    }

    fn fen(setup: &Setup<Xiangqi>) -> String {
        Xiangqi::format_position(setup.position(), Named::ALL[0]).unwrap()
    }

    #[test]
    fn a_grown_line_gives_the_same_position_as_a_fresh_one() {
        let line = "h2e2 h9g7 h0g2 i9h9 i0h0";
        let mut grown = Setup::<Xiangqi>::start(rules());
        for end in [0, 4, 14, 24] {
            grown.set("", &line[..end], rules()).unwrap();
            let mut fresh = Setup::<Xiangqi>::start(Xiangqi::rules(Named::ALL[1]));
            fresh.set("", &line[..end], rules()).unwrap();
            assert_eq!(fen(&grown), fen(&fresh));
            assert_eq!(Xiangqi::plies(grown.position()), line[..end].split_whitespace().count());
        }
        grown.set("", "h2e2", rules()).unwrap();
        assert_eq!(Xiangqi::plies(grown.position()), 1);
    }

    #[test]
    fn an_illegal_move_is_named_by_ply_and_changes_nothing() {
        for before in ["", "h2e2 h9g7"] {
            let mut setup = Setup::<Xiangqi>::start(rules());
            setup.set("", before, rules()).unwrap();
            let position = fen(&setup);
            let error = setup.set("", "h2e2 h9g7 a0a8 b0c2", rules()).unwrap_err();
            assert!(error.contains("ply 3") && error.contains("'a0a8'"), "{error}");
            assert_eq!(fen(&setup), position);
            assert_eq!(Xiangqi::plies(setup.position()), before.split_whitespace().count());
        }
    }

    #[test]
    fn other_rules_keep_the_game() {
        let mut setup = Setup::<Xiangqi>::start(rules());
        setup.set("", "h2e2 h9g7", rules()).unwrap();
        let other = Xiangqi::rules(<Xiangqi as Game>::RuleSet::ALL[1]);
        setup.change_rules(other).unwrap();
        assert_eq!(Xiangqi::plies(setup.position()), 2);
        assert!(Xiangqi::rules_of(setup.position()) == other);
    }
}
