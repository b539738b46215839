//! All that is known of one kind: names, moves under every rule set, promotion, where it starts, how sources read it.

use serde::Serialize;

use super::catalog::{Kind, catalog};
use super::compile::Table;
use super::diagram::diagram;
use super::questions::questions;
use super::royals;
use super::ruleset::RuleSet;
use super::words::sentences;
use crate::game::Named;
use crate::picture::scene::{Lettering, Scene};
use crate::picture::sheet::{Card, Sheet};

/// A kind, by code and name.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct KindName {
    /// Native code.
    pub code: String,
    /// English name.
    pub name: String,
}

/// How a kind moves under one rule set.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ProfileMoves {
    /// The name of the rule set.
    pub rules: &'static str,
    /// The move text of the table.
    pub text: String,
    /// The same in sentences.
    pub words: Vec<String>,
}

/// A way in which sources read the moves of a kind.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ProfileReading {
    /// The move text.
    pub moves: String,
    /// Whether the table of kinds takes it.
    pub default: bool,
    /// Who reads it so.
    pub sources: Vec<String>,
}

/// An open question that names a kind.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ProfileQuestion {
    /// The short name of the question.
    pub id: String,
    /// What the question is.
    pub item: String,
    /// Why it is answered as it is.
    pub why: String,
}

/// What is known of a kind.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Profile {
    /// Native code.
    pub code: String,
    /// Code of the ATSA web client.
    pub atsa_code: String,
    /// Code of jh85's engine.
    pub jh85_code: String,
    /// Name in yetiowin805's engine.
    pub yetiowin805_name: String,
    /// English name.
    pub name: String,
    /// Japanese name in Latin letters.
    pub romaji: String,
    /// Japanese name in kanji.
    pub kanji: String,
    /// Whether a side loses with its last piece of such a kind.
    pub royal: bool,
    /// The rank for range captures: 1 is the highest, 5 the lowest.
    pub rank: u8,
    /// How it moves: the rule set that was asked for first, others only if it moves otherwise under them.
    pub moves: Vec<ProfileMoves>,
    /// Whether all rule sets move it alike.
    pub same_in_all_rules: bool,
    /// What it promotes to.
    pub promotes_to: Option<KindName>,
    /// What promotes to it.
    pub promoted_from: Vec<KindName>,
    /// Pieces of one side in the initial position.
    pub initial_count: usize,
    /// Where the first player's stand.
    pub initial_squares: Vec<String>,
    /// Where the second player's stand.
    pub initial_squares_second: Vec<String>,
    /// How the sources agree.
    pub source_status: String,
    /// Remarks of the table.
    pub notes: String,
    /// The readings, where sources differ.
    pub readings: Vec<ProfileReading>,
    /// The open questions that name the kind.
    pub questions: Vec<ProfileQuestion>,
}

/// What is known of a kind, under a rule set first.
pub fn profile(kind: Kind, rules: RuleSet) -> Profile {
    let info = kind.info();
    let name =
        |kind: Kind| KindName { code: kind.info().code.clone(), name: kind.info().name.clone() };
    let rank = royals::rank(&info.code);
    let moves_under = |set: RuleSet| ProfileMoves {
        rules: set.name(),
        text: Table::of(set).move_text(kind).to_owned(),
        words: sentences(Table::of(set).move_set(kind), rank, set.reading()),
    };
    let own = moves_under(rules);
    let others = RuleSet::ALL.iter().filter(|&&set| set != rules).map(|&set| moves_under(set));
    // The same move text may mean another move: range captures end elsewhere.
    let differing: Vec<ProfileMoves> = others.filter(|other| other.words != own.words).collect();
    let starts = || catalog().setup.iter().filter(|(_, start)| *start == kind);
    let readings = catalog().readings.iter().filter(|reading| reading.kind == kind);
    Profile {
        code: info.code.clone(),
        atsa_code: info.atsa_code.clone(),
        jh85_code: info.jh85_code.clone(),
        yetiowin805_name: info.yetiowin805_name.clone(),
        name: info.name.clone(),
        romaji: info.romaji.clone(),
        kanji: info.kanji.clone(),
        royal: royals::is_royal(&info.code),
        rank,
        same_in_all_rules: differing.is_empty(),
        moves: std::iter::once(own).chain(differing).collect(),
        promotes_to: info.promotes_to.map(name),
        promoted_from: Kind::all()
            .filter(|other| other.info().promotes_to == Some(kind))
            .map(name)
            .collect(),
        initial_count: info.initial_count,
        initial_squares: starts().map(|(square, _)| square.name()).collect(),
        initial_squares_second: starts().map(|(square, _)| square.turned().name()).collect(),
        source_status: info.source_status.clone(),
        notes: info.notes.clone(),
        readings: readings
            .map(|reading| ProfileReading {
                moves: reading.moves_text.clone(),
                default: reading.default,
                sources: reading.sources.clone(),
            })
            .collect(),
        questions: questions()
            .iter()
            .filter(|question| names_kind(&question.id, &info.code))
            .map(|question| ProfileQuestion {
                id: question.id.clone(),
                item: question.item.clone(),
                why: question.why.clone(),
            })
            .collect(),
    }
}

/// Whether the short name of a question about moves, promotion or names holds a code: `move-FE-multi`, `promo-RP-PG`.
fn names_kind(id: &str, code: &str) -> bool {
    let mut parts = id.split('-');
    matches!(parts.next(), Some("move" | "slip" | "promo" | "name" | "setup"))
        && parts.any(|part| part == code)
}

/// The move diagrams of a kind: of the rule set that is asked for, and of those that move it otherwise.
pub fn diagrams(kind: Kind, rules: RuleSet, lettering: Lettering) -> Vec<(RuleSet, Scene)> {
    let own = Table::of(rules).move_set(kind);
    let others = RuleSet::ALL
        .iter()
        .copied()
        .filter(|&set| set != rules && Table::of(set).move_set(kind) != own);
    std::iter::once(rules).chain(others).map(|set| (set, diagram(kind, set, lettering))).collect()
}

/// The catalogue of all kinds under a rule set as one page.
pub fn catalogue(rules: RuleSet, lettering: Lettering) -> Sheet {
    let cards = Kind::all().map(|kind| {
        let profile = profile(kind, rules);
        let mut card = card(&profile);
        card.diagrams = vec![(String::new(), diagram(kind, rules, lettering))];
        if let Some(other) = profile.moves.get(1) {
            card.details.push(format!("Moves otherwise under rules {}.", other.rules));
        }
        card
    });
    Sheet {
        title: "The pieces of taikyoku shogi".to_owned(),
        caption: format!(
            "{} kinds, rules {}. Lines have no limit; a number on a line says how many pieces it may pass. Kinds in red \
             exist by promotion only.",
            Kind::all().count(),
            rules.name()
        ),
        cards: cards.collect(),
        columns: 14,
        diagram: 208.0,
    }
}

/// One kind as a page.
pub fn page(kind: Kind, rules: RuleSet, lettering: Lettering) -> Sheet {
    let profile = profile(kind, rules);
    let mut card = card(&profile);
    let diagrams = diagrams(kind, rules, lettering);
    let alone = diagrams.len() == 1;
    card.diagrams = diagrams
        .into_iter()
        .map(|(set, scene)| {
            (if alone { String::new() } else { format!("rules {}", set.name()) }, scene)
        })
        .collect();
    for moves in &profile.moves {
        let lead = if alone { String::new() } else { format!("Rules {}: ", moves.rules) };
        card.details.push(format!("{lead}{}", moves.words.join(" ")));
    }
    Sheet {
        title: profile.name.clone(),
        caption: format!("Taikyoku shogi, rules {}", rules.name()),
        cards: vec![card],
        columns: 1,
        diagram: 480.0,
    }
}

/// Names, promotion and start of a kind; without diagrams.
fn card(profile: &Profile) -> Card {
    let mut facts = Vec::new();
    if profile.royal {
        facts.push("Royal.".to_owned());
    }
    if profile.initial_count > 0 {
        facts.push(format!("{} at the start.", profile.initial_count));
    }
    if let Some(target) = &profile.promotes_to {
        facts.push(format!("Promotes to {} ({}).", target.name, target.code));
    } else if profile.initial_count > 0 {
        facts.push("Does not promote.".to_owned());
    }
    if !profile.promoted_from.is_empty() {
        let codes: Vec<&str> =
            profile.promoted_from.iter().map(|kind| kind.code.as_str()).collect();
        facts.push(format!("Promoted from {}.", codes.join(", ")));
    }
    Card {
        key: profile.code.clone(),
        heading: format!("{}  {}", profile.code, profile.name),
        subheading: profile.romaji.clone(),
        characters: profile.kanji.clone(),
        diagrams: Vec::new(),
        details: vec![facts.join(" ")],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(code: &str) -> Profile {
        profile(Kind::from_code(code).unwrap(), RuleSet::Seed)
    }

    #[test]
    fn a_kind_knows_its_promotions_and_squares() {
        let prince = of("CP");
        assert!(prince.royal);
        assert_eq!(prince.promotes_to.as_ref().unwrap().code, "K");
        assert_eq!(
            prince.promoted_from.iter().map(|k| k.code.as_str()).collect::<Vec<_>>(),
            ["DE"]
        );
        assert_eq!(prince.initial_squares.len(), prince.initial_count);
        assert_eq!(of("P").initial_squares_second.len(), 36);
    }

    #[test]
    fn differing_rules_are_shown_side_by_side() {
        let general = of("RG");
        assert_eq!(
            general.moves.iter().map(|moves| moves.rules).collect::<Vec<_>>(),
            ["seed", "atsa"]
        );
        assert!(!general.same_in_all_rules && general.readings.len() == 2);
        assert!(general.questions.iter().any(|question| question.id == "move-RG"));
        let mut changed = 0;
        for kind in Kind::all() {
            let [seed, atsa] =
                [RuleSet::Seed, RuleSet::Atsa].map(|set| Table::of(set).move_set(kind));
            // Range captures end on other squares under the two rule sets.
            let alike = seed == atsa && seed.range_captures == 0;
            assert_eq!(profile(kind, RuleSet::Seed).same_in_all_rules, alike, "{kind:?}");
            changed += usize::from(seed != atsa);
        }
        assert_eq!(changed, 19, "as many kinds as the client reads otherwise");
    }

    #[test]
    fn short_names_of_questions_are_matched_by_part() {
        assert!(names_kind("move-FE-multi", "FE") && names_kind("promo-RP-PG", "PG"));
        assert!(!names_kind("rule-rc-end", "RC") && !names_kind("move-FEX", "FE"));
    }
}
