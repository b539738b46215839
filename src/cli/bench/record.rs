//! Records of timings: one CSV file a machine and day, one row a timing, with all that is needed to compare rows.

use std::fs::{self, File, OpenOptions};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

use super::Timing;
use crate::cli::failure::Failure;

const COLUMNS: [&str; 18] = [
    "time_utc",
    "commit",
    "version",
    "profile",
    "game",
    "rules",
    "measure",
    "threads",
    "hash_mib",
    "nodes",
    "nps",
    "median_s",
    "fastest_s",
    "slowest_s",
    "repeats",
    "cpu",
    "system",
    "rustc",
];

/// Appends rows to the record of this machine and day.
pub(super) struct Recorder {
    path: PathBuf,
    writer: csv::Writer<File>,
    time_utc: String,
    commit: String,
    cpu: String,
    system: String,
    rustc: String,
}

impl Recorder {
    /// Opens or starts the record.
    pub(super) fn new(folder: &Path, machine: Option<&str>) -> Result<Self, Failure> {
        let machine = machine.map_or_else(host_name, str::to_owned);
        let machine: String = machine
            .chars()
            .map(|letter| if letter.is_alphanumeric() || letter == '-' { letter } else { '_' })
            .collect();
        let now = SystemTime::now();
        let seconds = now.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        let (date, time) = utc(seconds);
        let folder = folder.join(machine);
        fs::create_dir_all(&folder).map_err(|error| Failure::file(&folder, &error))?;
        let path = folder.join(format!("{date}.csv"));
        let is_new = !path.exists();
        let file = OpenOptions::new()
            .create(true)
            .append(true)
            .open(&path)
            .map_err(|error| Failure::file(&path, &error))?;
        let mut recorder = Self {
            writer: csv::Writer::from_writer(file),
            time_utc: format!("{date}T{time}Z"),
            commit: commit(),
            cpu: cpu(),
            system: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
            rustc: output_of("rustc", &["--version"]),
            path,
        };
        if is_new {
            recorder.write(&COLUMNS.map(str::to_owned))?;
        }
        Ok(recorder)
    }

    /// Appends a row.
    pub(super) fn append(&mut self, timing: &Timing) -> Result<(), Failure> {
        let measure = serde_json::to_value(timing.profile.measure).expect("a measure is a name");
        let row: [String; COLUMNS.len()] = [
            self.time_utc.clone(),
            self.commit.clone(),
            env!("CARGO_PKG_VERSION").to_owned(),
            timing.name.clone(),
            timing.game.to_owned(),
            timing.profile.rules.clone().unwrap_or_default(),
            measure.as_str().unwrap_or_default().to_owned(),
            timing.profile.threads.to_string(),
            timing.profile.hash_mib.to_string(),
            timing.nodes.to_string(),
            timing.nps().to_string(),
            format!("{:.6}", timing.median()),
            format!("{:.6}", timing.fastest()),
            format!("{:.6}", timing.slowest()),
            timing.seconds.len().to_string(),
            self.cpu.clone(),
            self.system.clone(),
            self.rustc.clone(),
        ];
        self.write(&row)
    }

    fn write(&mut self, row: &[String]) -> Result<(), Failure> {
        self.writer
            .write_record(row)
            .and_then(|()| self.writer.flush().map_err(csv::Error::from))
            .map_err(|error| Failure::Io(format!("{}: {error}", self.path.display())))
    }
}

fn host_name() -> String {
    fs::read_to_string("/proc/sys/kernel/hostname")
        .ok()
        .or_else(|| std::env::var("HOSTNAME").ok())
        .or_else(|| std::env::var("COMPUTERNAME").ok())
        .map(|name| name.trim().to_owned())
        .filter(|name| !name.is_empty())
        .unwrap_or_else(|| "unknown".to_owned())
}

/// The commit of the working directory; `+` marks changes on top of it.
fn commit() -> String {
    let commit = output_of("git", &["rev-parse", "--short=12", "HEAD"]);
    let changed = !output_of("git", &["status", "--porcelain", "--untracked-files=no"]).is_empty();
    if changed { format!("{commit}+") } else { commit }
}

fn cpu() -> String {
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = text.lines().find_map(|line| line.strip_prefix("model name"));
    model.map_or_else(String::new, |rest| rest.trim_start_matches([' ', '\t', ':']).to_owned())
}

/// What a program prints; empty if it cannot be run.
fn output_of(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output();
    output.map_or_else(
        |_| String::new(),
        |output| String::from_utf8_lossy(&output.stdout).trim().to_owned(),
    )
}

/// Date and time of a number of seconds since 1970.
// CITE: civil_from_days, Howard Hinnant, https://howardhinnant.github.io/date_algorithms.html
fn utc(seconds: u64) -> (String, String) {
    const DAY: u64 = 86_400;
    const DAYS_OF_ERA: u64 = 146_097;
    let shifted = seconds / DAY + 719_468;
    let (era, day_of_era) = (shifted / DAYS_OF_ERA, shifted % DAYS_OF_ERA);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    let second = seconds % DAY;
    (
        format!("{year:04}-{month:02}-{day:02}"),
        format!("{:02}:{:02}:{:02}", second / 3600, second / 60 % 60, second % 60),
    )
}

#[cfg(test)]
mod tests {
    use super::utc;

    #[test]
    fn dates_follow_the_calendar() {
        let check = |seconds, date: &str, time: &str| {
            assert_eq!(utc(seconds), (date.to_owned(), time.to_owned()));
        };
        check(0, "1970-01-01", "00:00:00");
        check(951_782_399, "2000-02-28", "23:59:59");
        check(951_782_400, "2000-02-29", "00:00:00");
        check(1_796_005_153, "2026-11-30", "02:19:13");
        check(4_107_542_400, "2100-03-01", "00:00:00");
    }
}
