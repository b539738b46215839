//! A file that has its name only when it is whole: until then it is written under another one, which is removed on failure.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use super::error::ToolError;
use crate::data::{Chain, Header, Writer};
use crate::files::{self, Place, Way};

/// What to do where the output exists.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Existing {
    /// Refuse.
    Refuse,
    /// Replace it when the new file is whole. A link is replaced, not what it leads to.
    Replace,
}

/// The name of a file to be written.
#[derive(Debug)]
pub struct Target {
    path: PathBuf,
    temporary: PathBuf,
    is_done: bool,
}

impl Target {
    /// A target. Nothing is created yet.
    ///
    /// # Errors
    /// The file exists and shall not be replaced, is a directory, or one of the `inputs`.
    pub fn new(path: &Path, existing: Existing, inputs: &[&Path]) -> Result<Self, ToolError> {
        let refuse = |reason: &str| Err(ToolError::Usage(format!("{}: {reason}", path.display())));
        let Some(name) = path.file_name() else { return refuse("this names no file") };
        match path.symlink_metadata() {
            Ok(_) if path.is_dir() => return refuse("this is a directory; name a file in it"),
            Ok(_) if existing == Existing::Refuse => {
                return refuse(
                    "it exists already; replace it with --force, or choose another name",
                );
            }
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(ToolError::io(path)(error)),
        }
        let inputs: Vec<Place<'_>> = inputs.iter().map(|&input| Place::File(input)).collect();
        if let Some(reason) = files::objection(path, Way::Renamed, &inputs) {
            return refuse(reason);
        }
        let mut hidden = std::ffi::OsString::from(".");
        hidden.push(name);
        hidden.push(format!(".{}.partial", std::process::id()));
        let temporary = path.with_file_name(hidden);
        Ok(Self { path: path.to_owned(), temporary, is_done: false })
    }

    /// The name of the file in the end.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The name it is written under.
    pub fn temporary(&self) -> &Path {
        &self.temporary
    }

    /// Creates the file under its temporary name.
    ///
    /// # Errors
    /// It cannot be created.
    pub fn create(&self) -> Result<File, ToolError> {
        self.clear()?;
        File::create_new(&self.temporary).map_err(ToolError::io(&self.temporary))
    }

    /// Begins a file of games under the temporary name. Its header can be changed in the end.
    ///
    /// # Errors
    /// It cannot be created.
    pub fn create_games(&self, header: &Header) -> Result<Writer, ToolError> {
        self.clear()?;
        Ok(Writer::create_with_room(&self.temporary, header, ROOM)?)
    }

    /// A directory for more temporary files, removed with the returned value.
    ///
    /// # Errors
    /// It cannot be created.
    pub fn scratch(&self) -> Result<Scratch, ToolError> {
        let mut name = self.temporary.clone().into_os_string();
        name.push(".d");
        let path = PathBuf::from(name);
        // What a killed process with this id left behind.
        let _ = fs::remove_dir_all(&path);
        fs::create_dir(&path).map_err(ToolError::io(&path))?;
        Ok(Scratch { path })
    }

    /// Gives the file its name. It must be written and closed.
    ///
    /// # Errors
    /// It cannot be renamed.
    pub fn commit(mut self) -> Result<(), ToolError> {
        fs::rename(&self.temporary, &self.path).map_err(ToolError::io(&self.path))?;
        self.is_done = true;
        Ok(())
    }

    fn clear(&self) -> Result<(), ToolError> {
        match fs::remove_file(&self.temporary) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(ToolError::io(&self.temporary)(error))
            }
            _ => Ok(()),
        }
    }
}

/// Bytes kept free in a header for the counts that are known in the end.
const ROOM: usize = 512;

impl Drop for Target {
    fn drop(&mut self) {
        if !self.is_done {
            let _ = fs::remove_file(&self.temporary);
        }
    }
}

/// A directory of temporary files.
#[derive(Debug)]
pub struct Scratch {
    path: PathBuf,
}

impl Scratch {
    /// The name of a file in it.
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.path);
    }
}

/// A file of games under way, with the target that it becomes.
pub struct Games {
    target: Target,
    writer: Writer,
}

impl Games {
    /// Begins the file.
    ///
    /// # Errors
    /// It cannot be created.
    pub fn begin(target: Target, header: &Header) -> Result<Self, ToolError> {
        let writer = target.create_games(header)?;
        Ok(Self { target, writer })
    }

    /// Adds a game.
    ///
    /// # Errors
    /// See [`Writer::push`].
    pub fn push(&mut self, game: Chain) -> Result<(), ToolError> {
        Ok(self.writer.push(game)?)
    }

    /// Ends the file with the header it is to have, and gives it its name.
    ///
    /// # Errors
    /// A failed write.
    pub fn finish(self, header: &Header) -> Result<(), ToolError> {
        self.writer.finish_with(header)?;
        self.target.commit()
    }
}
