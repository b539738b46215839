//! Lines of JSON: an object with `fen` (or `position`), `moves`, `id`; a game also has `result`.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;
use serde_json::value::RawValue;

use super::setup::{self, Piece, QUOTE_LIMIT, words};
use crate::analysis::job::{Id, InputError, Task, column_at, shorten};
use crate::game::{Game, Named, Rules};

/// A line, its texts not yet understood.
pub(super) struct JsonLine {
    pub(super) id: Option<Id>,
    /// Whether the line is a played game: it has a result.
    pub(super) is_game: bool,
    position: String,
    moves: Vec<String>,
    best: String,
    avoid: String,
    /// The game and the rule set that the line is of, if it says so.
    game: Option<String>,
    rules: Option<String>,
}

#[derive(Deserialize)]
struct Fields<'a> {
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    fen: Option<Value>,
    position: Option<Value>,
    moves: Option<Value>,
    result: Option<Value>,
    bm: Option<Value>,
    am: Option<Value>,
    game: Option<Value>,
    rules: Option<Value>,
}

/// Fields of which another spelling is a mistake: without them, another position would be read.
const FIELDS: [&str; 4] = ["fen", "position", "moves", "game"];

/// Reads the fields of a line.
pub(super) fn parse(line: &str) -> Result<JsonLine, InputError> {
    check_object(line)?;
    let fields: Fields<'_> = serde_json::from_str(line).map_err(|error| {
        // serde_json counts bytes; a column of 0 means the end of the text.
        let at = error.column().saturating_sub(1).min(line.len());
        let message = error.to_string();
        let reason = message.split(" at line ").next().unwrap_or(&message).to_owned();
        InputError::new(column_at(line, at), format!("no JSON object: {reason}; {REMEDY}"))
    })?;
    check_names(line)?;
    let position = match (fields.fen, fields.position) {
        (Some(text), _) => one_text(line, "fen", text)?,
        (None, Some(text)) => one_text(line, "position", text)?,
        (None, None) if fields.moves.is_some() => "startpos".to_owned(),
        (None, None) => {
            return Err(InputError::new(1, "no field 'fen' or 'position' in the object"));
        }
    };
    Ok(JsonLine {
        id: fields.id.map(|id| read_id(line, id)).transpose()?,
        is_game: fields.result.is_some_and(|result| !result.is_null()),
        position,
        moves: texts(line, "moves", fields.moves)?,
        best: texts(line, "bm", fields.bm)?.join(" "),
        avoid: texts(line, "am", fields.am)?.join(" "),
        game: fields.game.map(|game| one_text(line, "game", game)).transpose()?,
        rules: fields.rules.and_then(|rules| rules.as_str().map(str::to_owned)),
    })
}

/// Refuses a field that only differs in case from one that is read.
fn check_names(line: &str) -> Result<(), InputError> {
    let Ok(all) = serde_json::from_str::<BTreeMap<String, IgnoredAny>>(line) else { return Ok(()) };
    let differs = |name: &&String| {
        !FIELDS.contains(&name.as_str())
            && FIELDS.iter().any(|field| name.eq_ignore_ascii_case(field))
    };
    let Some(name) = all.keys().find(differs) else { return Ok(()) };
    let at = line.find(&format!("\"{name}\"")).unwrap_or(0);
    let message = format!("unknown field '{name}'; write '{}'", name.to_lowercase());
    Err(InputError::new(column_at(line, at), message))
}

/// The remedy for a line that is no object.
const REMEDY: &str = r#"write {"fen": "...", "moves": "..."} on one line"#;

/// Refuses a value that is no object, by its name.
fn check_object(line: &str) -> Result<(), InputError> {
    let start = line.len() - line.trim_start().len();
    if line[start..].starts_with('{') {
        return Ok(());
    }
    let Ok(value) = serde_json::from_str::<Value>(line) else { return Ok(()) };
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "a truth value",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "an array",
        Value::Object(_) => return Ok(()),
    };
    let message = format!("a JSON object with a field 'fen' is expected, not {kind}; {REMEDY}");
    Err(InputError::new(column_at(line, start), message))
}

/// The id exactly as it was given, or not at all.
fn read_id(line: &str, raw: &RawValue) -> Result<Id, InputError> {
    let wanted = "a text or a number";
    match serde_json::from_str(raw.get()) {
        Ok(Value::String(text)) => Ok(Id::Text(text)),
        Ok(Value::Number(number)) if number.to_string() == raw.get() => Ok(Id::Number(number)),
        Ok(Value::Number(number)) => {
            let at = line.find("\"id\"").unwrap_or(0);
            let given = shorten(raw.get(), QUOTE_LIMIT);
            let message = format!(
                "the id {given} would become {number}; write it as a text: \"id\": \"{given}\""
            );
            Err(InputError::new(column_at(line, at), message))
        }
        Ok(other) => Err(wrong_type(line, "id", wanted, &other)),
        Err(_) => Err(wrong_type(line, "id", wanted, &Value::from(raw.get()))),
    }
}

impl JsonLine {
    /// Refuses a line of another game.
    fn check_game<G: Game>(&self, line: &str) -> Result<(), InputError> {
        let Some(name) = self.game.as_deref().filter(|name| !name.eq_ignore_ascii_case(G::NAME))
        else {
            return Ok(());
        };
        let at = line.find("\"game\"").unwrap_or(0);
        let name = shorten(name, QUOTE_LIMIT);
        let message = format!(
            "the line is of the game '{name}' and would be read as {}; give the right --game",
            G::NAME
        );
        Err(InputError::new(column_at(line, at), message))
    }

    /// The position after the moves.
    pub(super) fn last<G: Game>(
        &self,
        line: &str,
        rules: Rules<G::RuleSet>,
    ) -> Result<Task<G>, InputError> {
        let mut task = self.visit::<G>(line, rules, |_, _| ())?;
        if !self.best.is_empty() {
            task.best = setup::named_moves(&mut task, "bm", &self.best);
            task.opcodes.push(("bm".to_owned(), self.best.clone()));
        }
        if !self.avoid.is_empty() {
            task.avoid = setup::named_moves(&mut task, "am", &self.avoid);
            task.opcodes.push(("am".to_owned(), self.avoid.clone()));
        }
        Ok(task)
    }

    /// Plays the moves, with a visit before each; the position after the last.
    pub(super) fn visit<G: Game>(
        &self,
        line: &str,
        rules: Rules<G::RuleSet>,
        visit: impl FnMut(&G::Position, G::Move),
    ) -> Result<Task<G>, InputError> {
        self.check_game::<G>(line)?;
        let position = self.position.trim();
        let offset = find_text(line, &self.position);
        let piece = Piece { text: position, offset: offset.unwrap_or(0) };
        let root = setup::root::<G>(line, piece, rules)?;
        let mut task = setup::task::<G>(root.position, root.warnings);
        if let Some(set) = self.rules.as_deref().filter(|set| *set != rules.set.name()) {
            task.warnings.push(format!(
                "the line is of rule set '{}'; it is read by '{}'",
                shorten(set, QUOTE_LIMIT),
                rules.set.name()
            ));
        }
        let mut at = line.find("\"moves\"").unwrap_or(0);
        let placed = self.moves.iter().map(|text| {
            // Moves are found in order; one that is written with escapes is placed at its predecessor.
            at = line[at..].find(text.as_str()).map_or(at, |found| at + found);
            let piece = Piece { text, offset: at };
            at += text.len().min(line.len() - at);
            while !line.is_char_boundary(at) {
                at += 1;
            }
            piece
        });
        setup::play::<G>(line, &mut task.position, placed, visit)?;
        Ok(task)
    }
}

/// Where the text stands in the line, if it is written without escapes.
fn find_text(line: &str, text: &str) -> Option<usize> {
    let trimmed = text.trim_start();
    line.find(&format!("\"{text}")).map(|at| at + 1 + (text.len() - trimmed.len()))
}

fn one_text(line: &str, field: &str, value: Value) -> Result<String, InputError> {
    match value {
        Value::String(text) => Ok(text),
        other => Err(wrong_type(line, field, "a text", &other)),
    }
}

/// The words of a text, or of an array of texts.
fn texts(line: &str, field: &str, value: Option<Value>) -> Result<Vec<String>, InputError> {
    let mut all = Vec::new();
    let mut add = |value: Value| match value {
        Value::String(text) => {
            all.extend(words(&text).map(|word| word.text.to_owned()));
            Ok(())
        }
        other => Err(wrong_type(line, field, "a text or an array of texts", &other)),
    };
    match value {
        None | Some(Value::Null) => {}
        Some(Value::Array(values)) => values.into_iter().try_for_each(add)?,
        Some(value) => add(value)?,
    }
    Ok(all)
}

fn wrong_type(line: &str, field: &str, wanted: &str, found: &Value) -> InputError {
    let at = line.find(&format!("\"{field}\"")).unwrap_or(0);
    let found = shorten(&found.to_string(), QUOTE_LIMIT);
    InputError::new(column_at(line, at), format!("field '{field}' must be {wanted}, not {found}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_a_text_or_an_array() {
        let check = |line: &str, moves: &[&str]| assert_eq!(parse(line).unwrap().moves, moves);
        check(r#"{"fen":"x","moves":"a b"}"#, &["a", "b"]);
        check(r#"{"fen":"x","moves":["a","b"]}"#, &["a", "b"]);
        check(r#"{"position":"x","moves":null}"#, &[]);
        check(r#"{"fen":"x"}"#, &[]);
        assert!(parse(r#"{"fen":"x","result":"1-0"}"#).unwrap().is_game);
        for id in ["7", "-7", "1.5", "18446744073709551615"] {
            let found = parse(&format!("{{\"fen\":\"x\",\"id\": {id} }}")).unwrap().id.unwrap();
            assert_eq!(found.to_string(), id);
        }
        assert_eq!(parse(r#"{"fen":"x","id":null}"#).unwrap().id, None);
    }

    #[test]
    fn errors_have_columns() {
        let check = |line: &str, column: usize, part: &str| {
            let error = parse(line).err().unwrap();
            assert_eq!(error.column, column, "{line}: {}", error.message);
            assert!(error.message.contains(part), "{}", error.message);
        };
        check(r#"{"fen": "x", "moves": 3}"#, 14, "array of texts");
        check(r#"{"fen": [1]}"#, 2, "[1]");
        check(r#"{"id": {}, "fen": ""}"#, 2, "number");
        check(r#"{}"#, 1, "'fen'");
        check(r#"{"fen": "", "id": true}"#, 13, "not true");
        check(r#"{"id": 12345678901234567890123, "fen": ""}"#, 2, "\"12345678901234567890123\"");
        check(r#"{"id": 1e3, "fen": ""}"#, 2, "would become 1000.0");
        check(" [1]", 2, "not an array");
        check("null", 1, "not null");
        check(r#"{"fen": "#, 8, "EOF");
        check("{\u{0}}", 2, "JSON");
        check(r#"{"fen": "x", "Moves": "h2e2"}"#, 14, "write 'moves'");
        check(r#"{"fen": "x", "game": 3}"#, 14, "a text");
    }
}
