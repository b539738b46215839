//! What has to hold of a file before it is written over: it is none of the files that are read, and writing changes no other
//! file than the one that was named.

use std::path::Path;

/// How a file is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Way {
    /// Under its own name, piece by piece. A device or a pipe takes that too.
    Streamed,
    /// Under another name that is changed in the end, so that a link is replaced, not what it leads to.
    Renamed,
}

/// Why a file must not be written; `None` if it may, or if it does not exist.
pub(crate) fn objection(output: &Path, way: Way, inputs: &[&Path]) -> Option<&'static str> {
    let data = output.symlink_metadata().ok()?;
    let target = output.metadata().ok();
    if target.as_ref().is_some_and(|target| target.is_dir()) {
        return Some("this is a directory; name a file in it");
    }
    if inputs.iter().any(|input| is_same(input, output)) {
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

/// Whether two names lead to the same ordinary file, be it by another path or as a hard link. A pipe is not looked at: that would
/// open it, which its other end takes for the reader.
pub(crate) fn is_same(one: &Path, other: &Path) -> bool {
    let is_ordinary = |path: &Path| path.metadata().is_ok_and(|data| data.is_file());
    is_ordinary(one) && is_ordinary(other) && same_file::is_same_file(one, other).unwrap_or(false)
}

/// Whether two outputs, which need not exist, have one name, however it is written.
pub(crate) fn is_same_output(one: &Path, other: &Path) -> bool {
    let place = |path: &Path| {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new(".")).canonicalize().ok()?;
        Some(folder.join(path.file_name()?))
    };
    one == other || is_same(one, other) || place(one).is_some_and(|one| place(other) == Some(one))
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
        let object = |name: &str, way| objection(&at(name), way, &[&at("file")]).unwrap_or("");
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
