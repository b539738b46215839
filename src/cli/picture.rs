//! What commands that draw share: how pieces are lettered, and writing the picture to a file that appears whole or not at all, or to standard output.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;

use super::failure::Failure;
use super::terminal::Terminal;
use crate::picture::scene::Lettering;

/// How pieces are lettered in pictures.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct LetteringArgs {
    /// In pictures, letter all pieces with their codes instead of Chinese characters
    #[arg(long)]
    pub letters: bool,
}

impl LetteringArgs {
    /// What the arguments ask for.
    pub const fn lettering(self) -> Lettering {
        if self.letters { Lettering::Codes } else { Lettering::Characters }
    }
}

/// The name that means standard output.
const STANDARD_OUTPUT: &str = "-";

/// Whether a file name means standard output.
pub fn is_standard_output(path: &Path) -> bool {
    path.as_os_str() == STANDARD_OUTPUT
}

/// Refuses `--svg -` together with `--json`, which would mix two documents on standard output.
///
/// # Errors
/// Both are wanted on standard output.
pub fn check_output(svg: Option<&Path>, json: bool) -> Result<(), Failure> {
    if json && svg.is_some_and(is_standard_output) {
        return Err(Failure::Usage(
            "--json and --svg - both write to standard output; give --svg a file name".to_owned(),
        ));
    }
    Ok(())
}

/// Writes a picture to a file, or to standard output for `-`.
///
/// # Errors
/// A file that cannot be written; what stood there before is then untouched.
pub fn write(path: &Path, picture: &str, terminal: &Terminal) -> Result<(), Failure> {
    if is_standard_output(path) {
        return terminal.print(picture);
    }
    replace(path, picture.as_bytes()).map_err(|error| Failure::file(path, &error))
}

/// Writes a new file beside the old one and puts it in its place when it is complete.
fn replace(path: &Path, content: &[u8]) -> io::Result<()> {
    // A link stays a link; the file it leads to is replaced.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    if fs::metadata(&target).is_ok_and(|metadata| !metadata.is_file()) {
        // A pipe or a device cannot be replaced; a directory is refused here.
        return OpenOptions::new().write(true).open(&target)?.write_all(content);
    }
    let temporary = temporary_name(&target)?;
    let written = File::create(&temporary)
        .and_then(|mut file| {
            file.write_all(content)?;
            file.sync_all()
        })
        .and_then(|()| fs::rename(&temporary, &target));
    if written.is_err() {
        // The first error is the one to report.
        let _ = fs::remove_file(&temporary);
    }
    written
}

fn temporary_name(target: &Path) -> io::Result<PathBuf> {
    let name = target
        .file_name()
        .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "this is no file name"))?;
    let mut temporary = name.to_owned();
    temporary.push(format!(".{}.tmp", std::process::id()));
    Ok(target.with_file_name(temporary))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_whole() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a.svg");
        replace(&path, b"one").unwrap();
        replace(&path, b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1, "nothing else is left");
    }

    #[test]
    fn a_directory_or_a_missing_one_is_an_error() {
        let directory = tempfile::tempdir().unwrap();
        assert!(replace(directory.path(), b"x").is_err());
        assert!(replace(&directory.path().join("missing/a.svg"), b"x").is_err());
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 0);
    }
}
