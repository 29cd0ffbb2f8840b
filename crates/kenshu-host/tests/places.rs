//! Repositories in unusual states and places, and what the environment says about them.
#![cfg(unix)]
#![expect(clippy::disallowed_methods, reason = "tests of the outside world")]
#![expect(clippy::unwrap_used, reason = "a test may fail wherever it stands")]

use std::{
    collections::BTreeSet,
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::Command,
};

use kenshu_host::{git::Git, project::Project, tree::Fingerprint};

/// Set in a copy of the test program that a test starts for an environment of its own: the folder to look at.
const FOLDER: &str = "KENSHU_TEST_FOLDER";

/// A folder with a repository `repo` in it that has one commit on `main`, with the files `a` and `dir/b`.
struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    fn new() -> Place {
        let place = Place { folder: tempfile::tempdir().unwrap() };
        fs::create_dir_all(place.path("repo/dir")).unwrap();
        git(&place.path("repo"), "init -q -b main");
        fs::write(place.path("repo/a"), "one\n").unwrap();
        fs::write(place.path("repo/dir/b"), "two\n").unwrap();
        commit(&place.path("repo"));
        place
    }

    fn path(&self, path: &str) -> PathBuf {
        fs::canonicalize(self.folder.path()).unwrap().join(path)
    }
}

fn git(folder: &Path, arguments: &str) -> String {
    let output = Command::new("git")
        .args(["-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "protocol.file.allow=always"])
        .args(arguments.split(' '))
        .current_dir(folder)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_SYSTEM", "/dev/null")
        .output()
        .unwrap();
    assert!(output.status.success(), "{arguments}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().trim_end().to_owned()
}

fn commit(folder: &Path) -> String {
    git(folder, "add -A");
    git(folder, "commit -q --allow-empty -m more");
    git(folder, "rev-parse HEAD")
}

fn open(folder: &Path) -> Git {
    Git::open(folder).unwrap().unwrap()
}

/// Runs this very test once more, alone, in a folder and with other variables.
fn again(test: &str, folder: &Path, variables: &[(&str, PathBuf)]) {
    let output = Command::new(std::env::current_exe().unwrap())
        .args([test, "--exact", "--nocapture"])
        .envs(variables.iter().cloned())
        .env(FOLDER, folder)
        .current_dir(folder)
        .output()
        .unwrap();
    let told = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    assert!(output.status.success() && told[0].contains("1 passed"), "{}{}", told[0], told[1]);
}

/// The folder to look at, in a copy that [`again`] started.
fn folder() -> Option<PathBuf> {
    std::env::var_os(FOLDER).map(PathBuf::from)
}

/// What has changed since a commit: the fingerprint must say what git says.
#[track_caller]
fn changed(top: &Path, since: &str) -> Vec<String> {
    let git = open(top);
    let by_git: BTreeSet<PathBuf> =
        git.changed_since(since).unwrap().into_iter().map(|change| change.path).collect();
    let print = Fingerprint::of(top, Some(&git)).unwrap();
    assert_eq!(print.changed_since(top, &git, since).unwrap(), by_git);
    by_git.into_iter().map(|path| path.display().to_string()).collect()
}

#[test]
fn the_fingerprint_and_git_agree_on_what_has_changed() {
    let place = Place::new();
    let top = place.path("repo");
    let first = git(&top, "rev-parse HEAD");
    let none: [&str; 0] = [];
    assert_eq!(changed(&top, &first), none);
    fs::write(top.join("a"), "changed\n").unwrap();
    fs::write(top.join("a-b"), "new\n").unwrap();
    fs::write(top.join("staged"), "new\n").unwrap();
    git(&top, "add staged");
    fs::write(top.join("announced"), "new\n").unwrap();
    git(&top, "add -N announced");
    fs::remove_file(top.join("dir/b")).unwrap();
    let all = ["a", "a-b", "announced", "dir/b", "staged"];
    assert_eq!(changed(&top, &first), all);
    let second = commit(&top);
    assert_eq!(changed(&top, &first), all);
    assert_eq!(changed(&top, &second), none);
    git(&top, "rm -q --cached a");
    assert_eq!(changed(&top, &second), ["a"], "taken out of the index only");
    git(&top, "reset -q");
    // git does not look at these, and has no opinion on them.
    git(&top, "update-index --assume-unchanged a");
    git(&top, "update-index --skip-worktree staged");
    fs::write(top.join("a"), "behind its back\n").unwrap();
    fs::remove_file(top.join("staged")).unwrap();
    assert_eq!(changed(&top, &second), none);
    assert_eq!(changed(&top, &first), all);
}

#[test]
fn a_file_in_conflict_counts_by_what_it_holds() {
    let place = Place::new();
    let top = place.path("repo");
    git(&top, "checkout -q -b other");
    fs::write(top.join("a"), "theirs\n").unwrap();
    commit(&top);
    git(&top, "checkout -q main");
    fs::write(top.join("a"), "ours\n").unwrap();
    let ours = commit(&top);
    let merge = Command::new("git").args(["merge", "-q", "other"]).current_dir(&top).output().unwrap();
    assert!(!merge.status.success());
    assert_eq!(changed(&top, &ours), ["a"]);
    fs::write(top.join("a"), "ours\n").unwrap();
    assert_eq!(changed(&top, &ours), [""; 0], "resolved by hand, and not yet said to be");
}

#[test]
fn a_part_of_the_repository_has_its_own_changes() {
    let place = Place::new();
    let top = place.path("repo");
    let git = open(&top);
    let head = git.head().unwrap().unwrap();
    fs::write(top.join("a"), "changed\n").unwrap();
    fs::write(top.join("dir-2"), "beside\n").unwrap();
    fs::write(top.join("dir/new"), "new\n").unwrap();
    let dir = top.join("dir");
    let changed = Fingerprint::of(&dir, Some(&git)).unwrap().changed_since(&dir, &git, &head).unwrap();
    assert_eq!(changed, BTreeSet::from([PathBuf::from("new")]));
}

#[test]
fn before_the_first_commit_everything_is_there_but_a_commit() {
    let folder = tempfile::tempdir().unwrap();
    // A line break in the name, and a file that is called as HEAD is.
    let top = fs::canonicalize(folder.path()).unwrap().join("a\nb");
    fs::create_dir(&top).unwrap();
    git(&top, "init -q -b main");
    for name in ["HEAD", "x"] {
        let git = open(&top);
        assert_eq!(
            (git.top(), git.head().unwrap(), git.is_shallow()),
            (top.as_path(), None, false),
            "{name}"
        );
        assert_eq!(git.root_commits().unwrap(), Vec::<String>::new());
        assert!(git.merge_base().unwrap().is_none());
        fs::write(top.join(name), "x").unwrap();
    }
    assert!(Project::at(&top).unwrap().id().unwrap().starts_with("path:"));
}

#[test]
fn without_a_branch_the_base_is_where_the_commit_left_the_default_branch() {
    let place = Place::new();
    let top = place.path("repo");
    let first = git(&top, "rev-parse HEAD");
    git(&top, "checkout -q --detach");
    assert_eq!(open(&top).branch().unwrap(), None);
    // HEAD is the tip of main: the base of a change that is not committed.
    assert_eq!(open(&top).merge_base().unwrap().unwrap().commit, first);
    let second = commit(&top);
    let git = open(&top);
    assert_eq!(git.head().unwrap().as_ref(), Some(&second));
    assert_eq!(git.first_parent(&second).unwrap().as_ref(), Some(&first));
    assert_eq!(git.merge_base().unwrap().unwrap().commit, first);
}

#[test]
fn a_shallow_clone_has_no_parents_and_says_that_it_is_one() {
    let place = Place::new();
    let top = place.path("repo");
    let second = commit(&top);
    git(&place.path(""), &format!("clone -q --depth=1 file://{} shallow", top.display()));
    let git = open(&place.path("shallow"));
    assert!(git.is_shallow() && !open(&top).is_shallow());
    assert_eq!(git.head().unwrap().as_ref(), Some(&second));
    // The commit itself names a parent, which is not here.
    assert_eq!(git.first_parent(&second).unwrap(), None);
}

#[test]
fn a_linked_worktree_has_its_own_top_head_and_changes() {
    let place = Place::new();
    let first = git(&place.path("repo"), "rev-parse HEAD");
    git(&place.path("repo"), "worktree add -q -b other ../linked");
    let linked = place.path("linked");
    let second = commit(&linked);
    fs::write(linked.join("a"), "changed\n").unwrap();
    let git = open(&linked.join("dir"));
    assert_eq!((git.top(), git.head().unwrap()), (linked.as_path(), Some(second.clone())));
    assert_eq!(git.branch().unwrap().as_deref(), Some("other"));
    assert_eq!(git.merge_base().unwrap().unwrap().commit, first);
    assert_eq!(changed(&linked, &second), ["a"]);
    assert_eq!(open(&place.path("repo")).head().unwrap(), Some(first));
}

#[test]
fn a_submodule_is_a_project_of_its_own_and_one_that_is_not_there_is_no_change() {
    let (outer, inner) = (Place::new(), Place::new());
    let top = outer.path("repo");
    git(&top, &format!("submodule --quiet add {} sub", inner.path("repo").display()));
    let head = commit(&top);
    assert_eq!(open(&top.join("sub/dir")).top(), top.join("sub"));
    let here = Fingerprint::of(&top, Some(&open(&top))).unwrap();
    git(&top, "submodule --quiet deinit -f sub");
    assert_eq!(Fingerprint::of(&top, Some(&open(&top))).unwrap(), here);
    assert_eq!(changed(&top, &head), [""; 0]);
}

#[test]
fn a_repository_of_another_user_is_refused_with_the_command_that_trusts_it() {
    let place = Place::new();
    let top = place.path("repo");
    // Only the superuser can give a folder away; for all others there is nothing to see here.
    if std::os::unix::fs::chown(&top, Some(65_534), Some(65_534)).is_err() {
        return;
    }
    if let Some(error) = Git::open(&top).err() {
        let text = error.to_string();
        assert!(text.contains("dubious ownership") && text.contains("safe.directory"), "{text}");
        assert!(Project::of(&top).is_err(), "never a project without git");
        return;
    }
    // Whoever trusts all folders sees the repository.
    assert_eq!(open(&top).top(), top);
}

#[test]
fn a_large_new_folder_counts_file_by_file() {
    let place = Place::new();
    let top = place.path("repo");
    let head = git(&top, "rev-parse HEAD");
    fs::create_dir(top.join("new")).unwrap();
    // More names than fit into a pipe.
    for number in 0..3_000 {
        fs::write(top.join(format!("new/a-file-with-quite-a-long-name-{number}")), number.to_string())
            .unwrap();
    }
    let git = open(&top);
    let mut pending = Fingerprint::begin(&top, Some(&git));
    let before = pending.wait().unwrap().clone();
    assert_eq!((before.files, changed(&top, &head).len()), (3_002, 3_000));
    let one = "new/a-file-with-quite-a-long-name-2999";
    fs::write(top.join(one), "changed").unwrap();
    assert_eq!(before.diff(&Fingerprint::of(&top, Some(&git)).unwrap()), [PathBuf::from(one)]);
}

#[test]
fn caches_of_git_that_may_be_stale_are_not_asked() {
    let place = Place::new();
    let top = place.path("repo");
    let head = git(&top, "rev-parse HEAD");
    git(&top, "config core.untrackedCache true");
    git(&top, "update-index --untracked-cache");
    git(&top, "status");
    // A monitor that always says that nothing has changed.
    let monitor = place.path("monitor");
    fs::write(&monitor, "#!/bin/sh\nprintf 'token\\0'\n").unwrap();
    fs::set_permissions(&monitor, fs::Permissions::from_mode(0o755)).unwrap();
    git(&top, &format!("config core.fsmonitor {}", monitor.display()));
    fs::write(top.join("a"), "changed\n").unwrap();
    fs::write(top.join("dir/new"), "new\n").unwrap();
    assert_eq!(changed(&top, &head), ["a", "dir/new"]);
}

#[test]
fn what_a_hook_is_given_does_not_lead_elsewhere() {
    if let Some(folder) = folder() {
        let project = Project::of(Path::new(".")).unwrap();
        assert_eq!(project.root, folder);
        let git = project.git.unwrap();
        assert_eq!(git.head().unwrap().map(|head| head.len()), Some(40));
        // The index of the hook has another file in it; what counts is what stands in the folder.
        assert_eq!(Fingerprint::of(&folder, Some(&git)).unwrap().files, 2);
        return;
    }
    let (place, other) = (Place::new(), Place::new());
    let git_dir = other.path("repo/.git");
    let variables = [
        ("GIT_DIR", git_dir.clone()),
        ("GIT_WORK_TREE", other.path("repo")),
        ("GIT_INDEX_FILE", git_dir.join("index")),
        ("GIT_OBJECT_DIRECTORY", git_dir.join("objects")),
        ("GIT_PREFIX", "dir/".into()),
    ];
    fs::write(other.path("repo/other"), "x").unwrap();
    commit(&other.path("repo"));
    again("what_a_hook_is_given_does_not_lead_elsewhere", &place.path("repo"), &variables);
}

#[test]
fn without_git_only_a_folder_without_a_repository_is_a_project() {
    if let Some(folder) = folder() {
        let found = Project::of(&folder);
        if folder.join(".git").exists() {
            let text = found.unwrap_err().to_string();
            assert!(text.contains("git was not found") && text.contains("install git"), "{text}");
        } else {
            let project = found.unwrap();
            assert!(project.git.is_none());
            assert_eq!(Fingerprint::of(&project.root, None).unwrap().files, 1);
        }
        return;
    }
    let place = Place::new();
    fs::create_dir(place.path("plain")).unwrap();
    fs::write(place.path("plain/a"), "one").unwrap();
    let test = "without_git_only_a_folder_without_a_repository_is_a_project";
    for name in ["repo", "plain"] {
        again(test, &place.path(name), &[("PATH", place.path("empty"))]);
    }
}
