//! Every open question of the rules, and which reading each rule set takes.

use std::sync::LazyLock;

use crate::game::RulePoint;

/// The questions on which the sources differ, with the default that rule set `seed` takes.
const VARIANTS: &str = include_str!("variants.tsv");
/// Where the answers of our rule sets are not simply those columns, and small points that the documents leave open.
const ANSWERS: &str = include_str!("answers.tsv");

/// An open question of the rules.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct Question {
    /// A short name: `rule-rc-end`, `move-GEA`.
    pub id: String,
    /// What the question is.
    pub item: String,
    /// What rule set `seed` takes.
    pub seed: String,
    /// What rule set `atsa` takes.
    pub atsa: String,
    /// What other sources say.
    pub others: String,
    /// Why.
    pub why: String,
}

impl Question {
    /// The question with the answers of all rule sets.
    pub(super) fn point(&self) -> RulePoint {
        let name = if self.item.is_empty() { &self.id } else { &self.item };
        RulePoint { question: name.clone(), answers: vec![self.seed.clone(), self.atsa.clone()] }
    }
}

static QUESTIONS: LazyLock<Vec<Question>> = LazyLock::new(|| {
    let fields = |line: &'static str| -> Vec<&'static str> { line.split('\t').collect() };
    let mut questions: Vec<Question> = VARIANTS
        .lines()
        .skip(1)
        .map(fields)
        .map(|row| Question {
            id: row[0].to_owned(),
            item: row[1].to_owned(),
            seed: row[6].to_owned(),
            atsa: row[3].to_owned(),
            others: row[4].to_owned(),
            why: row[7].to_owned(),
        })
        .collect();
    for row in ANSWERS.lines().skip(1).map(fields) {
        let [id, item, seed, atsa, why] = row[..] else {
            unreachable!("a test reads the built-in answers");
        };
        match questions.iter_mut().find(|question| question.id == id) {
            Some(question) => {
                for (field, text) in [
                    (&mut question.item, item),
                    (&mut question.seed, seed),
                    (&mut question.atsa, atsa),
                    (&mut question.why, why),
                ] {
                    if !text.is_empty() {
                        *field = text.to_owned();
                    }
                }
            }
            None => questions.push(Question {
                id: id.to_owned(),
                item: item.to_owned(),
                seed: seed.to_owned(),
                atsa: atsa.to_owned(),
                others: "-".to_owned(),
                why: why.to_owned(),
            }),
        }
    }
    questions
});

/// Every open question, in the order of the table.
pub fn questions() -> &'static [Question] {
    &QUESTIONS
}

/// The questions as text, one paragraph each.
pub fn questions_text() -> String {
    let mut text = String::new();
    for question in questions() {
        text += &format!(
            "{}: {}\n  seed: {}\n  atsa: {}\n  why:  {}\n",
            question.id, question.item, question.seed, question.atsa, question.why
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_question_has_both_answers() {
        assert!(questions().len() > 100);
        for question in questions() {
            assert!(!question.seed.is_empty() && !question.atsa.is_empty(), "{}", question.id);
        }
        assert!(VARIANTS.lines().all(|line| line.split('\t').count() == 8));
        assert!(ANSWERS.lines().all(|line| line.split('\t').count() == 5));
        let mut ids: Vec<&str> = questions().iter().map(|question| question.id.as_str()).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), questions().len());
    }
}
