//! Real repositories: projects, questions to git, fingerprints, checkouts.
#![cfg(unix)]
#![expect(clippy::disallowed_methods, reason = "tests of the outside world")]
#![expect(clippy::unwrap_used, reason = "a test may fail wherever it stands")]

use std::{
    fs,
    os::unix::fs::{MetadataExt, PermissionsExt, symlink},
    path::{Path, PathBuf},
    process::Command,
};

use kenshu_host::{
    git::{Change, Git},
    project::Project,
    tree::Fingerprint,
};

/// A repository with one commit that holds `a`, `dir/b` and `.gitignore`, in a folder of its own.
struct Repository {
    folder: tempfile::TempDir,
}

impl Repository {
    fn new() -> Repository {
        let repository = Repository { folder: tempfile::tempdir().unwrap() };
        fs::create_dir(repository.folder.path().join("repo")).unwrap();
        fs::create_dir_all(repository.path("dir")).unwrap();
        repository.git("init -q -b main");
        repository.write("a", "one\n");
        repository.write("dir/b", "two\n");
        repository.write(".gitignore", "ignored\n");
        repository.commit("first");
        repository
    }

    fn top(&self) -> PathBuf {
        fs::canonicalize(self.folder.path()).unwrap().join("repo")
    }

    fn path(&self, path: &str) -> PathBuf {
        self.top().join(path)
    }

    fn write(&self, path: &str, text: &str) {
        fs::write(self.path(path), text).unwrap();
    }

    fn git(&self, arguments: &str) -> String {
        git_in(&self.top(), &arguments.split(' ').collect::<Vec<_>>())
    }

    fn commit(&self, message: &str) -> String {
        self.git("add -A");
        self.git(&format!("commit -q --allow-empty -m {message}"));
        self.git("rev-parse HEAD")
    }

    fn open(&self) -> Git {
        Git::open(&self.top()).unwrap().unwrap()
    }

    fn fingerprint(&self) -> Fingerprint {
        Fingerprint::of(&self.top(), Some(&self.open())).unwrap()
    }

    fn changes(&self, commit: &str) -> Vec<(char, String)> {
        let changes = self.open().changed_since(commit).unwrap();
        changes.into_iter().map(|Change { status, path }| (status, path.display().to_string())).collect()
    }
}

fn git_in(folder: &Path, arguments: &[&str]) -> String {
    let output = Command::new("git")
        .args(["-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "protocol.file.allow=always"])
        .args(arguments)
        .current_dir(folder)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_SYSTEM", "/dev/null")
        .output()
        .unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().trim_end().to_owned()
}

#[test]
fn a_fingerprint_is_of_the_content_not_of_the_way_to_it() {
    let repository = Repository::new();
    let clean = repository.fingerprint();
    assert_eq!((clean.files, clean.hash.len()), (3, 64));

    repository.write("ignored", "x");
    let now = std::time::SystemTime::now();
    fs::File::open(repository.path("a"))
        .unwrap()
        .set_modified(now - std::time::Duration::from_secs(99))
        .unwrap();
    repository.git("commit -q --allow-empty -m second");
    assert_eq!(repository.fingerprint(), clean, "ignored file, time of change, a commit");

    repository.write("a", "changed\n");
    repository.write("new", "three\n");
    symlink("a", repository.path("link")).unwrap();
    let changed = repository.fingerprint();
    assert_ne!(changed.hash, clean.hash);
    let paths = ["a", "link", "new"].map(PathBuf::from);
    assert_eq!(clean.diff(&changed), paths);
    assert_eq!(changed.diff(&clean), paths);

    repository.git("add -A");
    assert_eq!(repository.fingerprint(), changed, "staged");
    repository.commit("third");
    assert_eq!(repository.fingerprint(), changed, "committed");
    repository.git("rm -q --cached a");
    assert_eq!(repository.fingerprint(), changed, "taken out of the index only");
    repository.git("add -N a");
    assert_eq!(repository.fingerprint(), changed, "announced to the index only");
}

#[test]
fn modes_links_deletions_and_odd_names_count() {
    let repository = Repository::new();
    let mut seen = vec![repository.fingerprint()];
    let mut look = |what: &str, path: &str| {
        let now = repository.fingerprint();
        assert_eq!(seen.last().unwrap().diff(&now), [PathBuf::from(path)], "{what}");
        repository.git("add -A");
        assert_eq!(repository.fingerprint(), now, "{what}, staged");
        seen.push(now);
    };
    fs::set_permissions(repository.path("a"), fs::Permissions::from_mode(0o755)).unwrap();
    look("mode", "a");
    fs::remove_file(repository.path("dir/b")).unwrap();
    look("deletion", "dir/b");
    for name in ["line\nbreak", "\"quoted\"", "return\r", "日本 語", "tab\tbed"] {
        repository.write(name, name);
        look("name", name);
    }
    symlink("nowhere", repository.path("link")).unwrap();
    look("link", "link");
    fs::remove_file(repository.path("link")).unwrap();
    symlink("elsewhere", repository.path("link")).unwrap();
    look("another target", "link");
}

#[test]
fn what_git_is_told_not_to_look_at_is_looked_at() {
    let repository = Repository::new();
    repository.git("config core.fileMode false");
    repository.git("config core.checkStat minimal");
    repository.git("update-index --assume-unchanged a");
    repository.git("update-index --skip-worktree dir/b");
    let clean = repository.fingerprint();
    repository.write("a", "changed\n");
    repository.write("dir/b", "changed\n");
    fs::set_permissions(repository.path(".gitignore"), fs::Permissions::from_mode(0o755)).unwrap();
    assert_eq!(clean.diff(&repository.fingerprint()), [".gitignore", "a", "dir/b"].map(PathBuf::from));
}

#[test]
fn a_change_with_the_old_size_and_time_is_seen() {
    let repository = Repository::new();
    for setting in ["core.checkStat minimal", "core.trustctime false"] {
        repository.git(&format!("config {setting}"));
    }
    let times = fs::metadata(repository.path("a")).unwrap().modified().unwrap();
    // Older than the index, so that git has no reason of its own to look again.
    let past = times - std::time::Duration::from_secs(99);
    fs::File::open(repository.path("a")).unwrap().set_modified(past).unwrap();
    repository.git("update-index --refresh");
    let clean = repository.fingerprint();
    // What gives it away is the time of the change to the inode, of which git compares whole seconds.
    let second = fs::metadata(repository.path("a")).unwrap().ctime();
    while fs::metadata(repository.path("a")).unwrap().ctime() == second {
        std::thread::sleep(std::time::Duration::from_millis(20));
        fs::set_permissions(repository.path("a"), fs::Permissions::from_mode(0o644)).unwrap();
    }
    repository.write("a", "ONE\n");
    fs::File::open(repository.path("a")).unwrap().set_modified(past).unwrap();
    assert_eq!(clean.diff(&repository.fingerprint()), [PathBuf::from("a")]);
}

#[test]
fn a_commit_is_what_was_committed_not_what_replaces_it() {
    let repository = Repository::new();
    let first = repository.git("rev-parse HEAD");
    repository.write("a", "other\n");
    let second = repository.commit("second");
    repository.git(&format!("replace {first} {second}"));
    assert_eq!(repository.open().file_at(&first, Path::new("a")).unwrap().unwrap(), b"one\n");
}

#[test]
fn a_folder_that_the_repository_ignores_is_no_part_of_it() {
    let repository = Repository::new();
    fs::create_dir_all(repository.path("ignored/project")).unwrap();
    let folder = repository.path("ignored/project");
    assert_eq!(Git::open(&folder).unwrap(), None);
    assert_eq!(Project::of(&folder).unwrap().root, folder);
    fs::write(folder.join("kept"), "x").unwrap();
    repository.git("add -f ignored/project/kept");
    assert_eq!(Project::of(&folder).unwrap().root, repository.top());
}

#[test]
fn a_repository_inside_counts_by_its_commit() {
    let (outer, inner) = (Repository::new(), Repository::new());
    let before = outer.fingerprint();
    git_in(&outer.top(), &["clone", "-q", inner.top().to_str().unwrap(), "sub"]);
    let untracked = outer.fingerprint();
    assert_eq!(before.diff(&untracked), [PathBuf::from("sub")]);
    fs::remove_dir_all(outer.path("sub")).unwrap();
    git_in(&outer.top(), &["submodule", "--quiet", "add", inner.top().to_str().unwrap(), "sub"]);
    let tracked = outer.fingerprint();
    assert_eq!(untracked.diff(&tracked), [PathBuf::from(".gitmodules")]);
    git_in(&outer.path("sub"), &["commit", "-q", "--allow-empty", "-m", "more"]);
    let moved = outer.fingerprint();
    assert_eq!(tracked.diff(&moved), [PathBuf::from("sub")]);
    outer.commit("moved");
    assert_eq!(outer.fingerprint(), moved);
    // Without a commit of its own, its files count.
    fs::create_dir(outer.path("bare")).unwrap();
    git_in(&outer.path("bare"), &["init", "-q"]);
    outer.write("bare/hidden", "x");
    assert_eq!(moved.diff(&outer.fingerprint()), [PathBuf::from("bare/hidden")]);
}

#[test]
fn a_fingerprint_without_git_leaves_out_what_tools_fill() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let print = || Fingerprint::of(root, None).unwrap();
    fs::write(root.join("a"), "one").unwrap();
    fs::write(root.join("build"), "a script").unwrap();
    fs::write(root.join(".hidden"), "one").unwrap();
    fs::write(root.join(".gitignore"), "a\n").unwrap();
    let clean = print();
    assert_eq!(clean.files, 4);
    for name in
        ["node_modules", "target", ".venv", "__pycache__", ".pytest_cache", "dist", "coverage", "src/build"]
    {
        fs::create_dir_all(root.join(name)).unwrap();
        fs::write(root.join(name).join("x"), "x").unwrap();
    }
    assert_eq!(print(), clean);
    fs::write(root.join("src/c"), "three").unwrap();
    fs::set_permissions(root.join("a"), fs::Permissions::from_mode(0o755)).unwrap();
    symlink("a", root.join("link")).unwrap();
    assert_eq!(clean.diff(&print()), ["a", "link", "src/c"].map(PathBuf::from));
}

#[test]
fn the_project_is_the_nearest_configured_folder_else_the_top_level_else_the_folder() {
    let repository = Repository::new();
    assert_eq!(Project::of(&repository.path("dir")).unwrap().root, repository.top());
    assert_eq!(Project::at(&repository.path("dir")).unwrap().root, repository.path("dir"));
    repository.write("dir/kenshu.toml", "");
    let project = Project::of(&repository.path("dir")).unwrap();
    assert_eq!(
        (project.root, project.config),
        (repository.path("dir"), Some(repository.path("dir/kenshu.toml")))
    );
    assert!(project.git.is_some());
    let plain = tempfile::tempdir().unwrap();
    let project = Project::of(plain.path()).unwrap();
    assert_eq!(project.root, fs::canonicalize(plain.path()).unwrap());
    assert!(project.git.is_none() && project.config.is_none());
    assert!(Project::of(&repository.path("a")).unwrap_err().to_string().contains("a file, not a folder"));
    assert!(Project::of(&repository.path("none")).unwrap_err().is_missing());
}

#[test]
fn clones_and_worktrees_share_the_id_and_nothing_else_does() {
    let repository = Repository::new();
    let id = |path: &Path| Project::at(path).unwrap().id().unwrap();
    let first = repository.git("rev-parse HEAD");
    repository.commit("second");
    assert_eq!(id(&repository.top()), format!("{first}:"));
    assert_eq!(id(&repository.path("dir")), format!("{first}:dir"));
    let parent = repository.folder.path();
    let url = format!("file://{}", repository.top().display());
    git_in(parent, &["clone", "-q", &url, "clone"]);
    repository.git("worktree add -q --detach ../tree");
    assert_eq!(id(&parent.join("clone")), format!("{first}:"));
    assert_eq!(id(&parent.join("tree")), format!("{first}:"));
    // Cut off at the second commit, it would take that one for the first.
    git_in(parent, &["clone", "-q", "--depth=1", &url, "shallow"]);
    assert!(id(&parent.join("shallow")).starts_with("path:"));
    assert!(Git::open(&parent.join("shallow")).unwrap().unwrap().is_shallow());
    let plain = tempfile::tempdir().unwrap();
    assert!(id(plain.path()).starts_with("path:"));
}

#[test]
fn the_base_is_where_the_branch_left_the_default_branch() {
    let repository = Repository::new();
    let git = repository.open();
    let first = git.head().unwrap().unwrap();
    assert_eq!(git.root_commits().unwrap(), [first.as_str()]);
    let base = || repository.open().merge_base().unwrap().map(|base| (base.commit, base.branch)).unwrap();
    assert_eq!(base(), (first.clone(), "main".to_owned()), "a default branch that was never pushed");
    repository.git("checkout -q -b feature");
    let second = repository.commit("second");
    assert_eq!(base(), (first.clone(), "main".to_owned()));
    assert_eq!(git.first_parent(&second).unwrap(), Some(first.clone()));
    assert_eq!(git.first_parent(&first).unwrap(), None);
    repository.git("checkout -q main");
    repository.git("update-ref refs/remotes/origin/main HEAD");
    repository.commit("third");
    assert_eq!(base(), (first.clone(), "origin/main".to_owned()), "what was not pushed yet is the change");
    repository.git("update-ref refs/remotes/origin/trunk HEAD");
    repository.git("symbolic-ref refs/remotes/origin/HEAD refs/remotes/origin/trunk");
    assert_eq!(base().1, "origin/trunk");
    assert_eq!(git.resolve("no-such-branch").unwrap(), None);
    assert_eq!(git.resolve("--all").unwrap(), None);
}

#[test]
fn without_a_commit_there_is_no_head_and_no_base() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(Git::open(folder.path()).unwrap(), None);
    git_in(folder.path(), &["init", "-q"]);
    let git = Git::open(folder.path()).unwrap().unwrap();
    assert_eq!((git.head().unwrap(), git.merge_base().unwrap()), (None, None));
    fs::write(folder.path().join("a"), "a").unwrap();
    assert_eq!(Fingerprint::of(folder.path(), Some(&git)).unwrap().files, 1);
    assert_eq!(Git::open(&folder.path().join(".git")).unwrap(), None);
}

#[test]
fn changes_are_seen_staged_or_not() {
    let repository = Repository::new();
    let first = repository.git("rev-parse HEAD");
    assert_eq!(repository.changes(&first), []);
    repository.write("a", "changed\n");
    repository.git("rm -q dir/b");
    repository.write("new", "x");
    repository.git("add new");
    repository.write("日本 語", "x");
    repository.write("ignored", "x");
    let expected = [('M', "a"), ('D', "dir/b"), ('A', "new"), ('?', "日本 語")];
    assert_eq!(repository.changes(&first), expected.map(|(status, path)| (status, path.to_owned())));
    let git = repository.open();
    assert_eq!(git.file_at(&first, Path::new("a")).unwrap().unwrap(), b"one\n");
    assert_eq!(git.file_at(&first, Path::new("new")).unwrap(), None);
    assert_eq!(git.file_at(&first, Path::new("dir")).unwrap(), None);
    assert!(git.file_at("0123456789", Path::new("a")).is_err());
    assert_eq!(git.files_at(&first).unwrap(), [".gitignore", "a", "dir/b"].map(PathBuf::from));
}

#[test]
fn nothing_that_the_repository_configures_is_run() {
    let repository = Repository::new();
    let first = repository.git("rev-parse HEAD");
    let trap = repository.folder.path().join("trap");
    fs::write(&trap, format!("#!/bin/sh\necho \"$0 $*\" >>'{}.sprung'\n", trap.display())).unwrap();
    fs::set_permissions(&trap, fs::Permissions::from_mode(0o755)).unwrap();
    let command = trap.to_str().unwrap();
    fs::create_dir_all(repository.path(".git/hooks")).unwrap();
    for hook in ["post-checkout", "post-index-change", "reference-transaction", "fsmonitor-watchman"] {
        symlink(&trap, repository.path(".git/hooks").join(hook)).unwrap();
    }
    for name in ["core.fsmonitor", "diff.external", "diff.trap.command", "diff.trap.textconv", "core.pager"] {
        git_in(&repository.top(), &["config", name, command]);
    }
    repository.write(".gitattributes", "* diff=trap\n");
    repository.write("a", "changed\n");
    let trapped = || trap.with_extension("sprung").exists();
    let git = repository.open();
    git.changed_since(&first).unwrap();
    git.file_at(&first, Path::new("a")).unwrap();
    repository.fingerprint();
    drop(git.worktree_at(&first, &repository.folder.path().join("base")).unwrap());
    assert!(!trapped(), "{}", fs::read_to_string(trap.with_extension("sprung")).unwrap());
}

#[test]
fn a_checkout_is_clean_and_leaves_nothing() {
    let repository = Repository::new();
    let first = repository.git("rev-parse HEAD");
    repository.write("a", "changed\n");
    repository.write("new", "x");
    let before =
        (repository.git("status --porcelain"), repository.git("worktree list"), repository.fingerprint());
    let parent = repository.folder.path().join("bases");
    let worktree = repository.open().worktree_at(&first, &parent.join("base")).unwrap();
    assert_eq!(fs::read_to_string(worktree.path().join("a")).unwrap(), "one\n");
    assert!(!worktree.path().join("new").exists());
    assert_eq!(git_in(worktree.path(), &["rev-parse", "HEAD"]), first);
    let busy = repository.open().worktree_at(&first, &parent.join("base")).unwrap_err().to_string();
    assert!(busy.contains("another Kenshu"), "{busy}");
    // A run leaves files, and folders that may not be written.
    fs::create_dir(worktree.path().join("left")).unwrap();
    fs::write(worktree.path().join("left/file"), "x").unwrap();
    fs::set_permissions(worktree.path().join("left"), fs::Permissions::from_mode(0o500)).unwrap();
    worktree.remove().unwrap();
    assert_eq!(fs::read_dir(&parent).unwrap().count(), 0);
    let after =
        (repository.git("status --porcelain"), repository.git("worktree list"), repository.fingerprint());
    assert_eq!(before, after);
    assert!(repository.open().worktree_at("0123456789", &parent.join("base")).is_err());
    assert_eq!(fs::read_dir(&parent).unwrap().count(), 0);
}

#[test]
fn a_checkout_whose_owner_was_killed_is_removed_by_the_next_one() {
    let (repository, other) = (Repository::new(), Repository::new());
    let first = repository.git("rev-parse HEAD");
    let parent = repository.folder.path().join("bases");
    for (owner, name) in [(&repository, "mine"), (&other, "others")] {
        let commit = owner.git("rev-parse HEAD");
        // What a kill leaves: everything but the lock.
        let worktree = owner.open().worktree_at(&commit, &parent.join(name)).unwrap();
        let lock = parent.join(format!("{name}.kenshu-lock"));
        let (text, copy) = (fs::read(&lock).unwrap(), parent.join("kept"));
        fs::rename(worktree.path(), &copy).unwrap();
        let path = worktree.path().to_owned();
        std::mem::forget(worktree);
        fs::rename(copy, path).unwrap();
        // The forgotten worktree still holds its lock; a new file in its place is held by nobody.
        fs::remove_file(&lock).unwrap();
        fs::write(&lock, text).unwrap();
    }
    drop(repository.open().worktree_at(&first, &parent.join("next")).unwrap());
    assert_eq!(fs::read_dir(&parent).unwrap().count(), 0);
    for owner in [repository, other] {
        assert_eq!(owner.git("worktree list").lines().count(), 1);
    }
}
