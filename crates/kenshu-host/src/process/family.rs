//! The processes that descend from one process, and ending them.

use std::{collections::BTreeMap, time::Duration};

use rustix::process::{Pid, Signal, kill_process, kill_process_group};

/// One process of the system.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Process {
    id: i32,
    parent: i32,
    group: i32,
    session: i32,
    /// Ended, and not yet asked about by its parent: nothing runs any more.
    zombie: bool,
    /// When it started, in the system's own words: tells a process from a later one with the same id.
    started: String,
}

/// The processes that descend from `ancestor`, whatever group or session they moved to.
///
/// Where the ancestor adopts orphans (Linux, child subreaper) none is missed. Elsewhere a process is missed whose
/// parent ended before we looked, and which had left the group before.
#[derive(Debug)]
pub(super) struct Family {
    ancestor: i32,
    group: Option<Pid>,
    session: Option<Pid>,
    /// Everyone seen so far by the time of start, since an orphan no longer shows where it came from.
    known: BTreeMap<i32, String>,
}

/// How long KILL is repeated: only a process in an uninterruptible system call outlives it.
const KILL_LIMIT: Duration = Duration::from_secs(5);

impl Family {
    /// The family of `ancestor`; `group` and `session` belong to it as a whole.
    pub(super) fn of(ancestor: Pid, group: Option<Pid>, session: Option<Pid>) -> Family {
        Family { ancestor: ancestor.as_raw_pid(), group, session, known: BTreeMap::new() }
    }

    /// Whether nobody is alive at this moment but the ancestor.
    pub(super) fn is_gone(&mut self) -> bool {
        self.alive().is_empty()
    }

    /// Those alive at this moment with their groups, the ancestor left out.
    fn alive(&mut self) -> Vec<(Pid, i32)> {
        let everyone = processes();
        let mut members: BTreeMap<i32, &Process> = BTreeMap::new();
        let (group, session) = (self.group.map(Pid::as_raw_pid), self.session.map(Pid::as_raw_pid));
        for process in &everyone {
            let within = Some(process.group) == group || Some(process.session) == session;
            if within || self.known.get(&process.id) == Some(&process.started) {
                members.insert(process.id, process);
            }
        }
        let mut frontier: Vec<i32> = members.keys().copied().collect();
        frontier.push(self.ancestor);
        while let Some(parent) = frontier.pop() {
            for process in everyone.iter().filter(|process| process.parent == parent) {
                if members.insert(process.id, process).is_none() {
                    frontier.push(process.id);
                }
            }
        }
        members.remove(&self.ancestor);
        self.known = members.values().map(|process| (process.id, process.started.clone())).collect();
        let alive = members.values().filter(|process| !process.zombie);
        alive.filter_map(|process| Some((Pid::from_raw(process.id)?, process.group))).collect()
    }

    /// Asks everyone to end.
    pub(super) fn ask(&mut self) {
        for signal in [Signal::TERM, Signal::CONT] {
            self.signal(signal);
        }
    }

    /// Ends everyone; `pause` is called between the tries. Whether nobody is left.
    pub(super) fn kill(&mut self, pause: &mut dyn FnMut(Duration)) -> bool {
        let watch = crate::clock::Stopwatch::start();
        // Again and again: a process that forks while we look has children that we have not seen.
        while !self.signal(Signal::KILL) {
            if watch.elapsed() > KILL_LIMIT {
                return false;
            }
            pause(Duration::from_millis(5));
        }
        true
    }

    /// Sends a signal to everyone. Whether nobody was there.
    ///
    /// A process may end, and its id be given away, between looking and sending; the kernel hands ids out in a circle,
    /// so this needs a whole round within that moment.
    fn signal(&mut self, signal: Signal) -> bool {
        let alive = self.alive();
        if alive.is_empty() {
            return true;
        }
        // The group at once, the others one by one: a second TERM means "at once" to many programs. And the group only
        // while a member is in it: once it is empty, its number may become somebody else's.
        let group = self.group.filter(|group| alive.iter().any(|(_, of)| *of == group.as_raw_pid()));
        if let Some(group) = group {
            let _ = kill_process_group(group, signal);
        }
        for (process, _) in alive.iter().filter(|(_, of)| Some(*of) != group.map(Pid::as_raw_pid)) {
            let _ = kill_process(*process, signal);
        }
        false
    }
}

#[cfg(target_os = "linux")]
fn processes() -> Vec<Process> {
    let Ok(entries) = std::fs::read_dir("/proc") else { return from_ps() };
    let stats = entries
        .flatten()
        .filter(|entry| entry.file_name().as_encoded_bytes().iter().all(u8::is_ascii_digit))
        .filter_map(|entry| std::fs::read(entry.path().join("stat")).ok());
    stats.filter_map(|stat| from_stat(&String::from_utf8_lossy(&stat))).collect()
}

/// One line of `/proc/PID/stat`. The name in brackets may hold brackets and spaces, so the fields begin after the last one.
#[cfg(target_os = "linux")]
fn from_stat(line: &str) -> Option<Process> {
    let (id, rest) = line.split_once(' ')?;
    let fields: Vec<&str> = rest.rsplit_once(')')?.1.split_whitespace().collect();
    // The first field here is the third of proc_pid_stat(5), the state.
    Some(Process {
        id: id.parse().ok()?,
        parent: fields.get(1)?.parse().ok()?,
        group: fields.get(2)?.parse().ok()?,
        session: fields.get(3)?.parse().ok()?,
        zombie: matches!(*fields.first()?, "Z" | "X" | "x"),
        started: (*fields.get(19)?).to_owned(),
    })
}

#[cfg(not(target_os = "linux"))]
fn processes() -> Vec<Process> {
    from_ps()
}

/// What POSIX `ps` lists; `lstart` is in every `ps` of BSD, macOS and Linux.
fn from_ps() -> Vec<Process> {
    use std::process::{Command, Stdio};
    let child = Command::new("ps")
        .args(["-A", "-o", "pid=,ppid=,pgid=,state=,lstart="])
        .env("LC_ALL", "C")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let Ok(child) = child else { return Vec::new() };
    let own = i32::try_from(child.id()).unwrap_or(0);
    let Ok(output) = child.wait_with_output() else { return Vec::new() };
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines().filter_map(from_ps_line).filter(|process| process.id != own).collect()
}

fn from_ps_line(line: &str) -> Option<Process> {
    let mut words = line.split_whitespace();
    Some(Process {
        id: words.next()?.parse().ok()?,
        parent: words.next()?.parse().ok()?,
        group: words.next()?.parse().ok()?,
        // What `ps` prints as the session differs: a number here, an address there.
        session: 0,
        zombie: words.next()?.starts_with('Z'),
        started: words.collect::<Vec<_>>().join(" "),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ps_and_the_system_list_ourselves() {
        let own = i32::try_from(std::process::id()).unwrap();
        for list in [processes(), from_ps()] {
            let found = list.iter().find(|process| process.id == own).unwrap();
            assert!(found.parent > 0 && !found.zombie);
            assert!(!found.started.is_empty());
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_name_with_brackets_and_spaces_is_read_over() {
        let line = "42 (a) b (c)) Z 7 9 8 0 -1 4 1 2 3 4 5 6 7 8 20 0 1 0 5555 1 2";
        let expected =
            Process { id: 42, parent: 7, group: 9, session: 8, zombie: true, started: "5555".into() };
        assert_eq!(from_stat(line), Some(expected));
        assert_eq!(from_stat("42 (a"), None);
        assert_eq!(from_stat(""), None);
    }
}
