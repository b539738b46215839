//! What has to hold of a file before it is written over: it is none of the files that are read, and writing changes no other
//! file than the one that was named.

use std::path::Path;

use same_file::Handle;

/// How a file is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Way {
    /// Under its own name, piece by piece. A device or a pipe takes that too.
    Streamed,
    /// Under another name that is changed in the end, so that a link is replaced, not what it leads to.
    Renamed,
}

/// Where something is read or written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Place<'a> {
    /// A name.
    File(&'a Path),
    /// Standard input, which the shell may take from a file.
    StandardInput,
    /// Standard output, which the shell may send to a file.
    StandardOutput,
}

impl Place<'_> {
    /// The ordinary file at this place, if it is one. A pipe is not looked at: that would open it, which its other end takes for
    /// the reader.
    fn ordinary_file(self) -> Option<Handle> {
        let handle = match self {
            Self::File(path) => {
                path.metadata().ok().filter(|data| data.is_file())?;
                Handle::from_path(path)
            }
            Self::StandardInput => Handle::stdin(),
            Self::StandardOutput => Handle::stdout(),
        };
        handle.ok().filter(|handle| handle.as_file().metadata().is_ok_and(|data| data.is_file()))
    }

    /// Whether both are the same ordinary file, be it by another path or as a hard link.
    pub(crate) fn is(self, other: Place<'_>) -> bool {
        self.ordinary_file().is_some_and(|file| other.ordinary_file().is_some_and(|it| it == file))
    }
}

/// Why a file must not be written; `None` if it may, or if it does not exist.
pub(crate) fn objection(output: &Path, way: Way, inputs: &[Place<'_>]) -> Option<&'static str> {
    let data = output.symlink_metadata().ok()?;
    let target = output.metadata().ok();
    if target.as_ref().is_some_and(|target| target.is_dir()) {
        return Some("this is a directory; name a file in it");
    }
    if inputs.iter().any(|&input| input.is(Place::File(output))) {
        return Some("it is an input too; choose another output");
    }
    let is_dangling = target.is_none();
    let is_ordinary = target.is_some_and(|target| target.is_file());
    match way {
        Way::Streamed if data.is_symlink() && (is_ordinary || is_dangling) => {
            Some("this is a link; name the file that it leads to")
        }
        Way::Renamed if !data.is_symlink() && !is_ordinary => {
            Some("this is a device or a pipe; name an ordinary file")
        }
        _ => None,
    }
}

/// Refuses outputs that would harm each other or what is read, with the reason.
pub(crate) fn check(outputs: &[(&Path, Way)], inputs: &[Place<'_>]) -> Result<(), String> {
    for (index, &(output, way)) in outputs.iter().enumerate() {
        let refuse = |reason: &str| Err(format!("{}: {reason}", output.display()));
        if outputs[..index].iter().any(|(other, _)| is_same_output(other, output)) {
            return refuse("two outputs have this name; choose another one");
        }
        if let Some(reason) = objection(output, way, inputs) {
            return refuse(reason);
        }
    }
    Ok(())
}

/// Whether two outputs, which need not exist, have one name, however it is written.
pub(crate) fn is_same_output(one: &Path, other: &Path) -> bool {
    let place = |path: &Path| {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new(".")).canonicalize().ok()?;
        Some(folder.join(path.file_name()?))
    };
    one == other
        || Place::File(one).is(Place::File(other))
        || place(one).is_some_and(|one| place(other) == Some(one))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn links_and_inputs_are_told_apart() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::write(at("file"), "x").unwrap();
        std::fs::hard_link(at("file"), at("hard")).unwrap();
        for (target, link) in [("file", "link"), ("nowhere", "dangling"), ("/dev/null", "null")] {
            std::os::unix::fs::symlink(target, at(link)).unwrap();
        }
        let object =
            |name: &str, way| objection(&at(name), way, &[Place::File(&at("file"))]).unwrap_or("");
        for way in [Way::Streamed, Way::Renamed] {
            assert_eq!(object("new", way), "");
            assert_eq!(object(".", way), "this is a directory; name a file in it");
            for name in ["file", "hard", "link"] {
                assert_eq!(object(name, way), "it is an input too; choose another output");
            }
        }
        assert!(
            is_same_output(&at("new"), &at("./new")) && is_same_output(&at("file"), &at("hard"))
        );
        assert!(
            !is_same_output(&at("new"), &at("other")) && !is_same_output(&at("new"), &at("file"))
        );
        let alone = |name: &str, way| objection(&at(name), way, &[]).unwrap_or("");
        assert!(alone("link", Way::Streamed).contains("a link"));
        assert!(alone("dangling", Way::Streamed).contains("a link"));
        assert_eq!(alone("null", Way::Streamed), "");
        assert_eq!(alone("link", Way::Renamed), "");
        let null = Path::new("/dev/null");
        assert_eq!(objection(null, Way::Streamed, &[]), None);
        assert!(objection(null, Way::Renamed, &[]).unwrap().contains("a device"));
    }
}
