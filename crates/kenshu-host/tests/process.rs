//! Commands that are really run: trees that end, signals, output, exit statuses.
//!
//! The supervisor is this very test program: the harness is asked for the one test `supervisor` with a `--skip` that
//! nobody else passes. In the same way it becomes a Kenshu that can be killed.
#![cfg(unix)]
#![expect(clippy::disallowed_methods, reason = "tests of the outside world")]
#![expect(clippy::exit, reason = "this program stands in for others, which end")]
#![expect(clippy::unwrap_used, reason = "a test may fail wherever it stands")]

use std::{
    ffi::OsString,
    fs,
    os::unix::process::ExitStatusExt,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use kenshu_host::process::{self, Invocation, Output, Progress, StartError, Supervisor};
use kenshu_model::Exit;
use rustix::process::{Pid, Signal, kill_process, test_kill_process};

const AS_SUPERVISOR: &str = "--skip=__as_supervisor__";
const AS_KENSHU: &str = "--skip=__as_kenshu__";
/// Far more than anything here takes: reached only by a failure.
const LONG: Duration = Duration::from_secs(60);

fn called_with(word: &str) -> bool {
    std::env::args().any(|arg| arg == word)
}

fn this_program(test: &str, word: &str) -> (PathBuf, Vec<OsString>) {
    let args = [test, "--exact", "--nocapture", "--test-threads=1", word];
    (std::env::current_exe().unwrap(), args.map(OsString::from).to_vec())
}

#[test]
fn supervisor() {
    if called_with(AS_SUPERVISOR) {
        let code = process::supervise_now();
        std::process::exit(i32::from(code != std::process::ExitCode::SUCCESS));
    }
}

/// A Kenshu of its own: runs `SCRIPT` in `MODE`, writes what came of it to `RESULT`.
#[test]
fn kenshu() {
    if !called_with(AS_KENSHU) {
        return;
    }
    let mode = std::env::var("MODE").unwrap();
    if mode == "append" {
        append_ten();
        std::process::exit(0);
    }
    let script = std::env::var("SCRIPT").unwrap();
    let invocation = shell(&script);
    let run = if mode == "passthrough" { process::run_passthrough_under } else { process::run_under };
    let output = run(&this_supervisor(), &invocation, &mut |_| {}).unwrap();
    if let Some(result) = std::env::var_os("RESULT") {
        let text = String::from_utf8_lossy(&output.bytes);
        fs::write(result, format!("{:?} {:?} {} {text}", output.exit, output.interrupted, output.leftover))
            .unwrap();
    }
    std::process::exit(match output.exit {
        Exit::Code(code) => code,
        Exit::Signal(_) | Exit::TimedOut { .. } => 99,
    });
}

/// Ten lines, each one more than the last that stands there.
fn append_ten() {
    let path = PathBuf::from(std::env::var_os("RESULT").unwrap());
    for _ in 0..10 {
        let mut file =
            kenshu_host::files::Appending::open(&path, &kenshu_model::words::doing::WRITE_LEDGER).unwrap();
        let last = String::from_utf8(file.last_line().unwrap()).unwrap();
        let last: u32 = last.trim().parse().unwrap_or(0);
        file.append(format!("{}\n", last + 1).as_bytes()).unwrap();
    }
}

fn kenshu_command(script: &str, mode: &str) -> Command {
    let (program, args) = this_program("kenshu", AS_KENSHU);
    let mut command = Command::new(program);
    command.args(args).env("SCRIPT", script).env("MODE", mode).stdin(Stdio::null());
    command
}

fn this_supervisor() -> Supervisor {
    let (program, args) = this_program("supervisor", AS_SUPERVISOR);
    Supervisor { program, args }
}

fn command(argv: &[&str]) -> Invocation {
    Invocation {
        argv: argv.iter().map(OsString::from).collect(),
        cwd: std::env::temp_dir(),
        env_set: Vec::new(),
        time_limit: Some(LONG),
        grace: LONG,
    }
}

fn shell(script: &str) -> Invocation {
    command(&["sh", "-c", script])
}

fn run(invocation: &Invocation) -> Result<Output, StartError> {
    process::run_under(&this_supervisor(), invocation, &mut |_| {})
}

fn text(output: &Output) -> String {
    String::from_utf8(output.bytes.clone()).unwrap()
}

fn wait_for<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let since = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(since.elapsed() < LONG, "waited in vain for {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn pid_in(file: &Path) -> Option<Pid> {
    Pid::from_raw(fs::read_to_string(file).ok()?.strip_suffix('\n')?.trim().parse().ok()?)
}

/// Gone, or only waiting for its parent to take note.
fn is_gone(pid: Pid) -> bool {
    let stat = fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_pid())).unwrap_or_default();
    test_kill_process(pid).is_err() || stat.rsplit_once(')').is_some_and(|(_, rest)| rest.starts_with(" Z"))
}

/// Python has `setsid` on every platform, the shell has not.
const STRAY: &str = "python3 -c 'import os,time; os.setsid(); open(\"stray.new\",\"w\").write(f\"{os.getpid()}\\n\"); \
                     os.rename(\"stray.new\",\"stray\"); time.sleep(600)' &";

fn wait_in_shell(files: &[&str]) -> String {
    let there: Vec<String> = files.iter().map(|file| format!("[ -s {file} ]")).collect();
    format!("until {}; do sleep 0.01; done", there.join(" && "))
}

#[test]
fn a_time_limit_ends_the_whole_tree() {
    let ready = wait_in_shell(&["one", "two", "stray"]);
    let mut invocation = shell(&format!(
        "sleep 600 & echo $! >one; (trap '' TERM; sleep 600 & echo $! >two; wait) & {STRAY} {ready}; echo ready; wait"
    ));
    invocation.grace = Duration::from_millis(20);
    // How long a tree needs to stand depends on the machine: a limit that passed before is no test yet.
    let mut limit = Duration::from_millis(400);
    loop {
        let folder = tempfile::tempdir().unwrap();
        invocation.cwd = folder.path().to_owned();
        invocation.time_limit = Some(limit);
        let output = run(&invocation).unwrap();
        let after_s = limit.as_millis().div_ceil(1000).try_into().unwrap();
        assert_eq!(output.exit, Exit::TimedOut { after_s });
        for pid in ["one", "two", "stray"].iter().filter_map(|file| pid_in(&folder.path().join(file))) {
            assert!(is_gone(pid), "{pid:?} still runs");
        }
        if text(&output) == "ready\n" {
            break;
        }
        limit *= 2;
        assert!(limit < LONG, "the tree never stood");
    }
}

#[test]
fn what_is_left_in_the_background_does_not_hold_us_and_is_ended() {
    let folder = tempfile::tempdir().unwrap();
    let ready = wait_in_shell(&["one", "stray"]);
    let mut invocation = shell(&format!("sleep 600 & echo $! >one; {STRAY} {ready}; echo done; exit 3"));
    invocation.cwd = folder.path().to_owned();
    let output = run(&invocation).unwrap();
    assert_eq!((output.exit, output.leftover), (Exit::Code(3), true));
    assert_eq!(text(&output), "done\n");
    for file in ["one", "stray"] {
        assert!(is_gone(pid_in(&folder.path().join(file)).unwrap()), "{file} still runs");
    }
}

#[test]
fn a_background_process_that_ends_by_itself_is_no_leftover() {
    let output = run(&shell("(sleep 0.05; echo late) & echo early")).unwrap();
    assert_eq!(text(&output), "early\nlate\n");
    assert!(!output.leftover);
}

#[test]
fn killing_kenshu_ends_the_tree() {
    let folder = tempfile::tempdir().unwrap();
    let ready = wait_in_shell(&["one", "stray"]);
    let script = format!(
        "cd '{}'; sleep 600 & echo $! >one; {STRAY} {ready}; echo $$ >main.new; mv main.new main; wait",
        folder.path().display()
    );
    let mut kenshu = kenshu_command(&script, "apart").stdout(Stdio::null()).spawn().unwrap();
    let main = wait_for("the tree", || pid_in(&folder.path().join("main")));
    kenshu.kill().unwrap();
    kenshu.wait().unwrap();
    wait_for("the command's end", || is_gone(main).then_some(()));
    for file in ["one", "stray"] {
        let pid = pid_in(&folder.path().join(file)).unwrap();
        wait_for(file, || is_gone(pid).then_some(()));
    }
}

#[test]
fn asking_kenshu_to_stop_ends_the_tree_and_is_reported() {
    for signal in [Signal::INT, Signal::TERM, Signal::HUP] {
        let folder = tempfile::tempdir().unwrap();
        // Now and then the shell says on stderr that the sleep was terminated, before its own trap runs.
        let script = format!(
            "exec 2>/dev/null; cd '{}'; trap 'echo asked; exit 0' TERM; sleep 600 & echo $$ >main.new; mv main.new main; wait",
            folder.path().display()
        );
        let result = folder.path().join("result");
        let mut kenshu =
            kenshu_command(&script, "apart").env("RESULT", &result).stdout(Stdio::null()).spawn().unwrap();
        let main = wait_for("the tree", || pid_in(&folder.path().join("main")));
        kill_process(Pid::from_child(&kenshu), signal).unwrap();
        kenshu.wait().unwrap();
        assert!(is_gone(main));
        let number = signal.as_raw();
        // A command that ends with 0 when it is asked to stop has not passed.
        let expected = format!("Signal({number}) Some({number}) false asked\n");
        assert_eq!(fs::read_to_string(&result).unwrap(), expected);
    }
}

#[test]
fn killing_the_supervisor_ends_the_tree_and_counts_as_killed() {
    let folder = tempfile::tempdir().unwrap();
    let mut invocation = shell("sleep 600 & echo $! >one; kill -9 $PPID; wait");
    invocation.cwd = folder.path().to_owned();
    let output = run(&invocation).unwrap();
    assert_eq!(output.exit, Exit::Signal(9));
    assert!(is_gone(pid_in(&folder.path().join("one")).unwrap()));
}

#[test]
fn statuses_and_signals_pass_through() {
    assert_eq!(run(&shell("exit 0")).unwrap().exit, Exit::Code(0));
    assert_eq!(run(&shell("exit 255")).unwrap().exit, Exit::Code(255));
    assert_eq!(run(&shell("kill -11 $$")).unwrap().exit, Exit::Signal(11));
    assert_eq!(run(&shell("kill -9 $$")).unwrap().exit, Exit::Signal(9));
    assert_eq!(run(&shell("exit 137")).unwrap().exit, Exit::Code(137));
}

#[test]
fn what_cannot_be_started_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let plain = folder.path().join("plain");
    fs::write(&plain, "#!/bin/sh\n").unwrap();
    let code = |argv: &[&str]| run(&command(argv)).unwrap_err().code();
    assert_eq!(code(&["no-such-command-anywhere"]), Some(127));
    assert_eq!(code(&["./no-such-file"]), Some(127));
    assert_eq!(code(&[plain.to_str().unwrap()]), Some(126));
    assert_eq!(code(&[folder.path().to_str().unwrap()]), Some(126));
    assert!(matches!(run(&command(&[])), Err(StartError::Empty)));
    let mut elsewhere = command(&["true"]);
    elsewhere.cwd = folder.path().join("missing");
    assert!(matches!(run(&elsewhere), Err(StartError::NoFolder { .. })));
}

#[test]
fn a_script_without_its_first_line_is_run_by_the_shell() {
    let folder = tempfile::tempdir().unwrap();
    let mut invocation = command(&["./script", "a b"]);
    invocation.cwd = folder.path().to_owned();
    let make =
        "printf 'echo \"got $1\"\\n' >script; chmod +x script; printf 'a\\0b' >binary; chmod +x binary";
    // Written by a process of its own: a file that a sibling still holds open for writing cannot be executed.
    assert!(Command::new("sh").args(["-c", make]).current_dir(folder.path()).status().unwrap().success());
    assert_eq!(text(&run(&invocation).unwrap()), "got a b\n");
    invocation.argv = vec!["./binary".into()];
    assert_eq!(run(&invocation).unwrap_err().code(), Some(126));
}

#[test]
fn both_streams_arrive_as_one_in_order() {
    let output = run(&shell("for n in 1 2 3; do echo out $n; echo err $n >&2; done")).unwrap();
    assert_eq!(text(&output), "out 1\nerr 1\nout 2\nerr 2\nout 3\nerr 3\n");
}

#[test]
fn output_beyond_the_store_keeps_beginning_and_end() {
    let invocation = shell("echo first; head -c 70000000 /dev/zero | tr '\\0' '\\n'; echo last");
    let mut seen = 0;
    let output = process::run_under(&this_supervisor(), &invocation, &mut |progress| {
        if let Progress::Output(bytes) = progress {
            seen += bytes.len();
        }
    });
    let output = output.unwrap();
    assert_eq!(seen, 70_000_011);
    assert!(output.bytes.starts_with(b"first\n\n") && output.bytes.ends_with(b"\nlast\n"));
    assert_eq!(output.bytes.len() as u64 + output.dropped.unwrap().bytes, 70_000_011);
}

#[test]
fn the_command_has_no_input_and_no_terminal() {
    let script = "cat; echo end of input; test -t 0 || test -t 1 || test -t 2 || echo no terminal; \
                  (: </dev/tty) 2>/dev/null || echo no tty";
    assert_eq!(text(&run(&shell(script)).unwrap()), "end of input\nno terminal\nno tty\n");
}

#[test]
fn the_command_leads_its_own_group() {
    let output = run(&shell("ps -o pgid= -p $$; echo $$")).unwrap();
    let lines: Vec<String> = text(&output).lines().map(|line| line.trim().to_owned()).collect();
    assert_eq!(lines[0], lines[1]);
}

#[test]
fn only_what_the_caller_sets_is_added() {
    let mut invocation = command(&["env"]);
    invocation.env_set = vec![("CI".into(), "true".into())];
    let output = run(&invocation).unwrap();
    let names = |text: &str| -> Vec<String> {
        text.lines().filter_map(|line| line.split_once('=')).map(|(name, _)| name.to_owned()).collect()
    };
    let ours: Vec<String> = std::env::vars().map(|(name, _)| name).collect();
    let printed = text(&output);
    for name in names(&printed) {
        assert!(name == "CI" || ours.contains(&name), "{name} was added");
    }
    assert!(printed.contains("CI=true\n"));
}

#[test]
fn what_a_test_runner_left_does_not_reach_the_command() {
    let folder = tempfile::tempdir().unwrap();
    let result = folder.path().join("result");
    let mut kenshu = kenshu_command("echo ${NODE_TEST_CONTEXT-gone} ${CARGO_HOME-gone}", "apart");
    kenshu.env("NODE_TEST_CONTEXT", "child-v8").env("CARGO_HOME", "kept").env("RESULT", &result);
    assert!(kenshu.output().unwrap().status.success());
    assert!(fs::read_to_string(result).unwrap().ends_with("gone kept\n"));
}

#[test]
fn nothing_of_ours_is_open_in_the_command() {
    if cfg!(target_os = "linux") {
        let list = "ls /proc/$$/fd";
        let direct = Command::new("sh").args(["-c", list]).stdin(Stdio::null()).output().unwrap();
        assert_eq!(text(&run(&shell(list)).unwrap()), String::from_utf8(direct.stdout).unwrap());
    }
}

#[test]
fn passthrough_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let result = folder.path().join("result");
    let mut kenshu = kenshu_command("read line; echo got $line; printf err >&2; exit 7", "passthrough");
    let mut kenshu = kenshu
        .env("RESULT", &result)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::io::Write::write_all(&mut kenshu.stdin.take().unwrap(), b"a line\n").unwrap();
    let output = kenshu.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(7));
    assert!(output.stdout.ends_with(b"got a line\n"), "{:?}", String::from_utf8_lossy(&output.stdout));
    assert_eq!(output.stderr, b"err");
    let kept = fs::read_to_string(&result).unwrap();
    assert!(kept.starts_with("Code(7) None false "), "{kept}");
    assert!(kept.contains("got a line\n") && kept.contains("err"), "{kept}");
}

#[test]
fn passthrough_leaves_what_was_left_in_the_background_on_purpose() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("left");
    let script = format!("sleep 600 >/dev/null 2>&1 & echo $! >'{}'", file.display());
    let output = kenshu_command(&script, "passthrough").output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    let left = pid_in(&file).unwrap();
    assert!(!is_gone(left));
    kill_process(left, Signal::KILL).unwrap();
}

#[test]
fn passthrough_gives_the_command_our_signals() {
    let folder = tempfile::tempdir().unwrap();
    let ready = folder.path().join("ready");
    let script = format!(
        "trap 'exit 5' TERM; echo $$ >'{0}.new'; mv '{0}.new' '{0}'; while :; do sleep 0.01; done",
        ready.display()
    );
    let mut kenshu = kenshu_command(&script, "passthrough").stdout(Stdio::null()).spawn().unwrap();
    wait_for("the command", || pid_in(&ready));
    kill_process(Pid::from_child(&kenshu), Signal::TERM).unwrap();
    let status = kenshu.wait().unwrap();
    assert_eq!((status.code(), status.signal()), (Some(5), None));
}

/// A terminal made by Python's `pty`, on which a Kenshu runs a script; what the terminal showed.
fn at_a_terminal(script: &str, mode: &str, typed: &str) -> String {
    let python = "import os, pty, sys, select\n\
        pid, fd = pty.fork()\n\
        if pid == 0: os.execv(sys.argv[2], sys.argv[2:])\n\
        seen = b''\n\
        typed = sys.argv[1].encode()\n\
        while True:\n\
        \x20   try: data = os.read(fd, 4096)\n\
        \x20   except OSError: break\n\
        \x20   if not data: break\n\
        \x20   seen += data\n\
        \x20   if typed and b'ready' in seen: os.write(fd, typed); typed = b''\n\
        sys.stdout.buffer.write(seen + b'status %d' % os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))\n";
    let kenshu = kenshu_command(script, mode);
    let mut command = Command::new("python3");
    command.args(["-c", python, typed]).arg(kenshu.get_program()).args(kenshu.get_args());
    command.env("SCRIPT", script).env("MODE", mode).stdin(Stdio::null());
    String::from_utf8_lossy(&command.output().unwrap().stdout).replace('\r', "")
}

#[test]
fn passthrough_keeps_the_terminal() {
    let seen = at_a_terminal(
        "test -t 0 && (: </dev/tty) && echo terminal kept; echo ready; read line; echo got $line; exit 4",
        "passthrough",
        "a line\n",
    );
    assert!(seen.contains("terminal kept\n") && seen.contains("got a line\n"), "{seen}");
    assert!(seen.ends_with("status 4"), "{seen}");
}

#[test]
fn passthrough_leaves_an_interrupt_to_the_command() {
    let seen = at_a_terminal(
        "trap 'echo interrupted; exit 6' INT; echo ready; while :; do sleep 0.01; done",
        "passthrough",
        "\u{3}",
    );
    assert_eq!(seen.matches("interrupted").count(), 1, "{seen}");
    assert!(seen.ends_with("status 6"), "{seen}");
}

#[test]
fn apart_there_is_no_terminal_even_if_we_have_one() {
    let folder = tempfile::tempdir().unwrap();
    let result = folder.path().join("result");
    let script = format!(
        "{{ test -t 0 || echo none; (: </dev/tty) 2>/dev/null || echo no tty; }} >'{}'",
        result.display()
    );
    at_a_terminal(&script, "apart", "");
    assert_eq!(fs::read_to_string(result).unwrap(), "none\nno tty\n");
}

#[test]
fn a_signal_that_is_ignored_stays_ignored() {
    if !cfg!(target_os = "linux") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let result = folder.path().join("result");
    let kenshu = kenshu_command("", "");
    // The shell ignores the hang-up for everything that it becomes, as nohup does.
    let mut command = Command::new("sh");
    command.args(["-c", "trap '' HUP; exec \"$0\" \"$@\""]).arg(kenshu.get_program()).args(kenshu.get_args());
    command.env("SCRIPT", "kill -HUP $$; echo alive").env("MODE", "apart").env("RESULT", &result);
    assert!(command.stdin(Stdio::null()).output().unwrap().status.success());
    assert!(fs::read_to_string(result).unwrap().ends_with("alive\n"));
}

#[test]
fn lines_appended_by_processes_at_once_stay_whole() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ledger");
    let spawn = || kenshu_command("", "append").env("RESULT", &path).stdout(Stdio::null()).spawn().unwrap();
    let writers: Vec<_> = (0..4).map(|_| spawn()).collect();
    for mut writer in writers {
        assert!(writer.wait().unwrap().success());
    }
    let numbers: Vec<u32> =
        fs::read_to_string(&path).unwrap().lines().map(|line| line.parse().unwrap()).collect();
    assert_eq!(numbers, (1..=40).collect::<Vec<u32>>());
}

#[test]
fn passthrough_ends_the_tree_when_kenshu_is_killed() {
    let folder = tempfile::tempdir().unwrap();
    let ready = folder.path().join("ready");
    let script = format!("sleep 600 & echo $! >'{0}.new'; mv '{0}.new' '{0}'; wait", ready.display());
    let mut kenshu = kenshu_command(&script, "passthrough").stdout(Stdio::null()).spawn().unwrap();
    let child = wait_for("the command", || pid_in(&ready));
    kenshu.kill().unwrap();
    kenshu.wait().unwrap();
    wait_for("its end", || is_gone(child).then_some(()));
}
