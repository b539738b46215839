//! The tables of the game, read and checked: kinds of pieces, their codes in other programs, the initial arrangement.
//!
//! What a kind can do under a rule set is in [`super::compile`]; this file knows the tables only.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::moveset::MoveSet;
use super::square::{SIZE, Square};

/// The built-in table of kinds.
pub(crate) const PIECES: &str = include_str!("pieces.tsv");
/// The built-in codes of other programs.
pub(crate) const CODES: &str = include_str!("codes.tsv");
/// The built-in initial arrangement.
pub(crate) const SETUP: &str = include_str!("setup.tsv");
/// The built-in readings of disputed kinds.
pub(crate) const READINGS: &str = include_str!("readings.tsv");
/// Where the rule set `atsa` differs from its rows in the readings.
pub(crate) const ATSA: &str = include_str!("atsa.tsv");

/// A kind of piece: its number in the table, from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Kind(pub(crate) u16);

impl Kind {
    /// The number in the table, below the number of kinds.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// What the table says of the kind.
    pub fn info(self) -> &'static KindInfo {
        &catalog().kinds[self.index()]
    }

    /// The kind with a native code, without regard to case.
    pub fn from_code(code: &str) -> Option<Self> {
        catalog().by_native.get(code.to_ascii_uppercase().as_str()).copied()
    }

    /// All kinds in the order of the table.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..catalog().kinds.len() as u16).map(Self)
    }
}

/// A row of the table of kinds.
#[derive(Clone, Debug)]
pub struct KindInfo {
    /// Native code: one to three capital letters.
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
    /// What the kind promotes to.
    pub promotes_to: Option<Kind>,
    /// Pieces of the kind in the initial arrangement of one side.
    pub initial_count: usize,
    /// The move column of the table.
    pub moves_text: String,
    /// The move column, read.
    pub moves: MoveSet,
    /// How the sources agree.
    pub source_status: String,
    /// Remarks of the table.
    pub notes: String,
}

impl KindInfo {
    /// Names that other sources give the kind, from the remarks.
    pub(super) fn other_names(&self) -> impl Iterator<Item = &str> {
        const BEGINNINGS: [&str; 2] = ["book/ATSA kanji ", "ATSA name: "];
        self.notes
            .split("; ")
            .filter_map(|remark| BEGINNINGS.iter().find_map(|start| remark.strip_prefix(start)))
    }
}

/// Why a table is not valid.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{table}, line {line}, column {column}: {message}")]
pub struct TableError {
    /// The name of the table.
    pub table: &'static str,
    /// The line, from 1.
    pub line: usize,
    /// The character of the line, from 1.
    pub column: usize,
    /// What is wrong.
    pub message: String,
}

/// A row of a move table of a rule set: which kind, and how it moves instead.
#[derive(Clone, Debug)]
pub struct OtherMoves {
    /// The kind.
    pub kind: Kind,
    /// The move text.
    pub moves_text: String,
    /// The move text, read.
    pub moves: MoveSet,
    /// Whether the row is the default of the table of kinds.
    pub default: bool,
    /// Who reads it so.
    pub sources: Vec<String>,
}

/// All tables.
#[derive(Debug)]
pub struct Catalog {
    /// The kinds in the order of the table.
    pub kinds: Vec<KindInfo>,
    by_native: HashMap<String, Kind>,
    by_atsa: HashMap<String, Kind>,
    by_jh85: HashMap<String, Kind>,
    by_yetiowin805: HashMap<String, Kind>,
    /// The first player's pieces in the initial position.
    pub setup: Vec<(Square, Kind)>,
    /// Every reading of the disputed kinds.
    pub readings: Vec<OtherMoves>,
}

static CATALOG: LazyLock<Catalog> = LazyLock::new(|| {
    Catalog::parse(PIECES, CODES, SETUP, READINGS).expect("a test reads the built-in tables")
});

/// The built-in tables.
pub fn catalog() -> &'static Catalog {
    &CATALOG
}

/// The rows of a table with a header line: line number and fields with their first columns.
struct Rows<'a> {
    table: &'static str,
    lines: Vec<(usize, Vec<(usize, &'a str)>)>,
}

impl<'a> Rows<'a> {
    fn parse(table: &'static str, text: &'a str, header: &[&str]) -> Result<Self, TableError> {
        let mut lines = Vec::new();
        for (index, line) in text.lines().enumerate() {
            let mut column = 1;
            let fields: Vec<(usize, &str)> = line
                .split('\t')
                .map(|field| {
                    let start = column;
                    column += field.chars().count() + 1;
                    (start, field)
                })
                .collect();
            let fail = |column, message| TableError { table, line: index + 1, column, message };
            if index == 0 {
                for (at, &name) in header.iter().enumerate() {
                    let (column, found) = fields.get(at).copied().unwrap_or((column, ""));
                    if found != name {
                        let message = format!("column '{name}' expected, found '{found}'");
                        return Err(fail(column, message));
                    }
                }
            } else if fields.len() != header.len() {
                let message = format!("{} fields, {} expected", fields.len(), header.len());
                return Err(fail(column, message));
            } else {
                lines.push((index + 1, fields));
            }
        }
        if lines.is_empty() {
            return Err(TableError {
                table,
                line: 1,
                column: 1,
                message: "the table is empty".into(),
            });
        }
        Ok(Self { table, lines })
    }

    fn fail(&self, line: usize, column: usize, message: String) -> TableError {
        TableError { table: self.table, line, column, message }
    }

    fn moves(&self, line: usize, (column, text): (usize, &str)) -> Result<MoveSet, TableError> {
        let set = MoveSet::parse(text)
            .map_err(|error| self.fail(line, column + error.column - 1, error.message))?;
        match set.conflict() {
            Some(conflict) => Err(self.fail(line, column, format!("{conflict}: '{text}'"))),
            None => Ok(set),
        }
    }
}

impl Catalog {
    /// Reads and checks the tables.
    ///
    /// # Errors
    /// The first fault, with table, line and column.
    pub fn parse(
        pieces: &str,
        codes: &str,
        setup: &str,
        readings: &str,
    ) -> Result<Self, TableError> {
        let mut kinds = parse_kinds(pieces)?;
        let by_native = index(&kinds, |kind| &kind.code);
        add_codes(&mut kinds, &by_native, codes)?;
        let setup = parse_setup(&kinds, &by_native, setup)?;
        let mut catalog = Self {
            by_atsa: index(&kinds, |kind| &kind.atsa_code),
            by_jh85: index(&kinds, |kind| &kind.jh85_code),
            by_yetiowin805: index(&kinds, |kind| &kind.yetiowin805_name),
            kinds,
            by_native,
            setup,
            readings: Vec::new(),
        };
        catalog.readings = catalog.parse_readings(readings)?;
        Ok(catalog)
    }

    fn parse_readings(&self, text: &str) -> Result<Vec<OtherMoves>, TableError> {
        let rows = Rows::parse("readings.tsv", text, &["code", "moves", "default", "sources"])?;
        let mut readings = Vec::new();
        for (line, fields) in &rows.lines {
            let kind = self.kind_of(&rows, *line, fields[0])?;
            let default = match fields[2].1 {
                "yes" => true,
                "no" => false,
                other => {
                    let message = format!("'{other}' is neither yes nor no");
                    return Err(rows.fail(*line, fields[2].0, message));
                }
            };
            if default && self.kinds[kind.index()].moves_text != fields[1].1 {
                let message = "the default reading differs from the table of kinds".to_owned();
                return Err(rows.fail(*line, fields[1].0, message));
            }
            readings.push(OtherMoves {
                kind,
                moves_text: fields[1].1.to_owned(),
                moves: rows.moves(*line, fields[1])?,
                default,
                sources: fields[3].1.split(',').map(str::to_owned).collect(),
            });
        }
        Ok(readings)
    }

    /// Reads a table of kinds that move otherwise under one rule set.
    ///
    /// # Errors
    /// The first fault, with line and column.
    pub fn parse_changes(
        &self,
        table: &'static str,
        text: &str,
    ) -> Result<Vec<OtherMoves>, TableError> {
        let rows = Rows::parse(table, text, &["code", "moves", "why"])?;
        let mut changes = Vec::new();
        for (line, fields) in &rows.lines {
            changes.push(OtherMoves {
                kind: self.kind_of(&rows, *line, fields[0])?,
                moves_text: fields[1].1.to_owned(),
                moves: rows.moves(*line, fields[1])?,
                default: false,
                sources: vec![fields[2].1.to_owned()],
            });
        }
        Ok(changes)
    }

    fn kind_of(
        &self,
        rows: &Rows<'_>,
        line: usize,
        (column, code): (usize, &str),
    ) -> Result<Kind, TableError> {
        let found = self.by_native.get(code).copied();
        found.ok_or_else(|| rows.fail(line, column, format!("unknown code '{code}'")))
    }

    /// The kind of a code of the ATSA web client, given in capitals.
    pub fn from_atsa(&self, code: &str) -> Option<Kind> {
        self.by_atsa.get(code).copied()
    }

    /// The kind of a code of jh85's engine, given in capitals.
    pub fn from_jh85(&self, code: &str) -> Option<Kind> {
        self.by_jh85.get(code).copied()
    }

    /// The kind of a name of yetiowin805's engine, without regard to case.
    pub fn from_yetiowin805(&self, name: &str) -> Option<Kind> {
        self.by_yetiowin805.get(name.to_ascii_uppercase().as_str()).copied()
    }
}

fn index(kinds: &[KindInfo], name: impl Fn(&KindInfo) -> &String) -> HashMap<String, Kind> {
    let named = kinds.iter().enumerate();
    named.map(|(at, kind)| (name(kind).to_ascii_uppercase(), Kind(at as u16))).collect()
}

fn parse_kinds(text: &str) -> Result<Vec<KindInfo>, TableError> {
    const HEADER: [&str; 10] = [
        "code",
        "atsa_code",
        "name_en",
        "name_romaji",
        "kanji",
        "promotes_to",
        "initial_count",
        "moves",
        "source_status",
        "notes",
    ];
    let rows = Rows::parse("pieces.tsv", text, &HEADER)?;
    let mut numbers: HashMap<&str, u16> = HashMap::new();
    for (at, (_, fields)) in rows.lines.iter().enumerate() {
        numbers.entry(fields[0].1).or_insert(at as u16);
    }
    let mut kinds = Vec::new();
    for (at, (line, fields)) in rows.lines.iter().enumerate() {
        let fail = |field: usize, message: String| rows.fail(*line, fields[field].0, message);
        let code = fields[0].1;
        if code.is_empty() || code.len() > 3 || !code.bytes().all(|b| b.is_ascii_uppercase()) {
            return Err(fail(0, format!("code '{code}' is not one to three capital letters")));
        }
        if numbers[code] as usize != at {
            return Err(fail(0, format!("code '{code}' is used twice")));
        }
        let promotes_to = match fields[5].1 {
            "-" => None,
            other => Some(
                numbers
                    .get(other)
                    .map(|&number| Kind(number))
                    .ok_or_else(|| fail(5, format!("unknown code '{other}'")))?,
            ),
        };
        let initial_count = fields[6]
            .1
            .parse()
            .map_err(|_| fail(6, format!("'{}' is no number of pieces", fields[6].1)))?;
        kinds.push(KindInfo {
            code: code.to_owned(),
            atsa_code: fields[1].1.to_owned(),
            jh85_code: String::new(),
            yetiowin805_name: String::new(),
            name: fields[2].1.to_owned(),
            romaji: fields[3].1.to_owned(),
            kanji: fields[4].1.to_owned(),
            promotes_to,
            initial_count,
            moves_text: fields[7].1.to_owned(),
            moves: rows.moves(*line, fields[7])?,
            source_status: fields[8].1.to_owned(),
            notes: fields[9].1.to_owned(),
        });
    }
    if kinds.len() > 511 {
        return Err(rows.fail(1, 1, format!("{} kinds, at most 511 fit a piece", kinds.len())));
    }
    Ok(kinds)
}

fn add_codes(
    kinds: &mut [KindInfo],
    by_native: &HashMap<String, Kind>,
    text: &str,
) -> Result<(), TableError> {
    let header = ["code", "atsa_code", "jh85_code", "yetiowin805_name"];
    let rows = Rows::parse("codes.tsv", text, &header)?;
    for (line, fields) in &rows.lines {
        let kind = by_native
            .get(fields[0].1)
            .ok_or_else(|| rows.fail(*line, 1, format!("unknown code '{}'", fields[0].1)))?;
        let info = &mut kinds[kind.index()];
        if info.atsa_code != fields[1].1 {
            let message = format!("'{}' differs from the table of kinds", fields[1].1);
            return Err(rows.fail(*line, fields[1].0, message));
        }
        info.jh85_code = fields[2].1.to_owned();
        info.yetiowin805_name = fields[3].1.to_owned();
    }
    match kinds.iter().find(|kind| kind.jh85_code.is_empty()) {
        Some(kind) => Err(rows.fail(1, 1, format!("kind '{}' is missing", kind.code))),
        None => Ok(()),
    }
}

fn parse_setup(
    kinds: &[KindInfo],
    by_native: &HashMap<String, Kind>,
    text: &str,
) -> Result<Vec<(Square, Kind)>, TableError> {
    let columns: Vec<String> = (1..=SIZE).map(|x| format!("x{x}")).collect();
    let header: Vec<&str> =
        std::iter::once("rank").chain(columns.iter().map(String::as_str)).collect();
    let rows = Rows::parse("setup.tsv", text, &header)?;
    let mut setup = Vec::new();
    let mut counts = vec![0; kinds.len()];
    for (line, fields) in &rows.lines {
        let rank = fields[0].1.parse().ok().filter(|rank| (1..=SIZE).contains(rank));
        let rank = rank.ok_or_else(|| rows.fail(*line, 1, format!("no rank '{}'", fields[0].1)))?;
        for (column, &(place, code)) in fields[1..].iter().enumerate() {
            if code == "." {
                continue;
            }
            let kind = by_native
                .get(code)
                .ok_or_else(|| rows.fail(*line, place, format!("unknown code '{code}'")))?;
            counts[kind.index()] += 1;
            setup.push((Square::new(SIZE - rank, column), *kind));
        }
    }
    for (kind, count) in kinds.iter().zip(counts) {
        if kind.initial_count != count {
            let message = format!(
                "{count} of kind '{}', the table of kinds says {}",
                kind.code, kind.initial_count
            );
            return Err(rows.fail(1, 1, message));
        }
    }
    Ok(setup)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_tables_are_valid() {
        let catalog = Catalog::parse(PIECES, CODES, SETUP, READINGS).unwrap();
        assert_eq!(catalog.kinds.len(), 301);
        assert_eq!(catalog.setup.len(), 402);
        assert_eq!(catalog.kinds.iter().filter(|kind| kind.initial_count > 0).count(), 209);
        catalog.parse_changes("atsa.tsv", ATSA).unwrap();
    }

    #[test]
    fn faults_name_line_and_column() {
        let broken = |from: &str, to: &str| {
            let text = PIECES.replacen(from, to, 1);
            assert_ne!(text, PIECES);
            Catalog::parse(&text, CODES, SETUP, READINGS).unwrap_err()
        };
        let error = broken("\nCP\tCP\tPrince", "\nK\tCP\tPrince");
        assert_eq!((error.line, error.column), (3, 1), "{error}");
        let error = broken("太子\tK\t1", "太子\tKK\t1");
        assert_eq!((error.table, error.line), ("pieces.tsv", 3), "{error}");
        let error = broken("s:F1,FR1,R1,B1,L1,FL1", "s:F1,FR1,RR1,B1,L1,FL1");
        assert_eq!(error.line, 4, "{error}");
        assert!(error.message.contains("RR1"), "{error}");
        let setup = SETUP.replacen("\tK\t", "\tP\t", 1);
        assert!(Catalog::parse(PIECES, CODES, &setup, READINGS).is_err());
    }
}
