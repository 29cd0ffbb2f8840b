//! A project's ledger on disk, and the two places besides it in which its head is kept.

use std::path::{Path, PathBuf};

use kenshu_host::files::{self, Appending};
use kenshu_ledger::{Anchor, Draft, HEADS, Head, Verification, head_of, head_of_file};
use kenshu_model::words::{doing, error};

use crate::wiring::Failure;

/// The largest ledger that is read: some hundred thousand entries.
const LEDGER_BYTES_MAX: u64 = 1 << 30;
/// A kept head is one short line.
const HEAD_BYTES_MAX: u64 = 4096;

/// When an entry is on the disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Write {
    /// Before we go on. It takes some milliseconds.
    Through,
    /// Whenever the system writes it: a killed process does not lose it, a machine without power may.
    Soon,
}

/// The ledger and its kept heads.
#[derive(Debug)]
pub(crate) struct Evidence {
    ledger: PathBuf,
    heads: [PathBuf; HEADS as usize],
}

impl Evidence {
    /// That of the project with this name under `home`. Nothing is written yet.
    pub(crate) fn of(home: &Path, name: &str) -> Evidence {
        let head = |folder: &str| home.join(folder).join(format!("{name}.head"));
        Evidence {
            ledger: home.join("ledger").join(format!("{name}.jsonl")),
            heads: [head("ledger"), head("trust")],
        }
    }

    /// Where the ledger is.
    pub(crate) fn path(&self) -> &Path {
        &self.ledger
    }

    /// The whole ledger; empty where there is none.
    pub(crate) fn bytes(&self) -> Result<Vec<u8>, Failure> {
        Ok(files::read_if_there(&self.ledger, &doing::READ_LEDGER, LEDGER_BYTES_MAX)?.unwrap_or_default())
    }

    /// Appends one entry and gives its id. `kenshu_ledger` says why a kill between any two steps does no harm.
    pub(crate) fn append(&self, mut draft: Draft, write: Write) -> Result<String, Failure> {
        for folder in std::iter::once(&self.ledger).chain(&self.heads).filter_map(|path| path.parent()) {
            files::create_dirs(folder, &doing::MAKE_LEDGER_FOLDER)
                .map_err(|failed| kenshu_host::Error { next: (&error::SET_HOME).into(), ..failed })?;
        }
        let mut file = Appending::open(&self.ledger, &doing::WRITE_LEDGER)?;
        let last_line = file.last_line()?;
        let whole = || self.bytes().unwrap_or_default();
        // Where the end of the file is no whole entry, the whole file tells what was cut.
        let mut head = head_of(&last_line).unwrap_or_else(|| head_of_file(&whole()));
        let kept = self.kept()?;
        if let Some(newest) = kept.iter().flatten().max() {
            head = head.after(newest, &last_line, &whole);
        }
        for (place, kept) in self.heads.iter().zip(&kept) {
            if kept.is_none() {
                files::write(place, anchor(&head).line().as_bytes(), &doing::KEEP_HEAD)?;
            }
        }
        draft.heads = Some(kept.iter().flatten().count() as u64);
        let (text, head) = kenshu_ledger::append(&head, &draft);
        file.append(text.as_bytes())?;
        if write == Write::Through {
            file.sync()?;
            for place in &self.heads {
                files::overwrite(place, anchor(&head).line().as_bytes(), &doing::KEEP_HEAD)?;
            }
        }
        Ok(head.digest.map(|digest| digest.short()).unwrap_or_default())
    }

    /// What the check of the ledger finds, and the places of kept heads that should be there and are not.
    pub(crate) fn verify(&self) -> Result<(Verification, Vec<&Path>), Failure> {
        // Heads are read before the ledger and missed after it: others may append meanwhile.
        let kept: Vec<Anchor> = self.kept()?.into_iter().flatten().collect();
        let found = kenshu_ledger::verify_anchored(&[&self.bytes()?], &kept);
        let still = if found.heads_kept { self.kept()? } else { Vec::new() };
        let gone = self.heads.iter().zip(still).filter(|(_, kept)| kept.is_none());
        Ok((found, gone.map(|(place, _)| place.as_path()).collect()))
    }

    /// The kept heads; `None` where one is not there, or is none.
    fn kept(&self) -> Result<Vec<Option<Anchor>>, Failure> {
        let read = |place: &PathBuf| {
            let bytes = files::read_if_there(place, &doing::READ_HEAD, HEAD_BYTES_MAX)?;
            Ok(bytes.and_then(|bytes| Anchor::parse(std::str::from_utf8(&bytes).ok()?)))
        };
        self.heads.iter().map(read).collect()
    }
}

fn anchor(head: &Head) -> Anchor {
    head.anchor().unwrap_or(Anchor::EMPTY)
}

#[cfg(test)]
mod tests {
    use kenshu_host::temp::TempFolder;
    use kenshu_ledger::{Actor, Kind, Problem, Subject, Time, Who};
    use serde_json::json;

    use super::*;

    fn draft() -> Draft {
        let subject = Subject { project: "p".to_owned(), tree: None, commit: None, dirty: None };
        Draft {
            time: Time::parse("2026-03-01T12:00:00Z").unwrap(),
            kind: Kind::Run,
            subject,
            actor: Actor { who: Who::Unknown, name: None },
            payload: json!({}),
            output: None,
            attachments: Vec::new(),
            heads: None,
        }
    }

    fn filled(home: &Path, entries: usize) -> Evidence {
        let evidence = Evidence::of(home, "p");
        (0..entries).for_each(|_| drop(evidence.append(draft(), Write::Through).unwrap()));
        evidence
    }

    fn whole(evidence: &Evidence) -> bool {
        let (found, gone) = evidence.verify().unwrap();
        found.is_intact() && gone.is_empty()
    }

    /// The bytes of the ledger and of both heads; `None`: not there.
    fn files_of(evidence: &Evidence) -> [Option<Vec<u8>>; 3] {
        let [near, far] = &evidence.heads;
        [&evidence.ledger, near, far].map(|path| std::fs::read(path).ok())
    }

    fn put(evidence: &Evidence, files: [&Option<Vec<u8>>; 3]) {
        let [near, far] = &evidence.heads;
        for (path, bytes) in [&evidence.ledger, near, far].into_iter().zip(files) {
            match bytes {
                Some(bytes) => std::fs::write(path, bytes).unwrap(),
                None => drop(std::fs::remove_file(path)),
            }
        }
    }

    #[test]
    fn a_kill_between_any_two_steps_is_no_damage() {
        let folder = TempFolder::new().unwrap();
        let evidence = filled(folder.path(), 0);
        let nothing = files_of(&evidence);
        filled(folder.path(), 1);
        let one = files_of(&evidence);
        filled(folder.path(), 1);
        let two = files_of(&evidence);
        let empty = Some(Anchor::EMPTY.line().into_bytes());
        let torn = Some(two[0].as_ref().unwrap()[..one[0].as_ref().unwrap().len() + 9].to_vec());
        // A ledger of a program that kept no head: what it wrote and what this one adds is whole.
        let (old, _) = kenshu_ledger::append(&Head::default(), &draft());
        let old = Some(old.into_bytes());
        let old_head = Some(anchor(&head_of_file(old.as_ref().unwrap())).line().into_bytes());
        for state in [
            [&nothing[0], &nothing[1], &nothing[2]],
            [&Some(Vec::new()), &nothing[1], &nothing[2]],
            [&nothing[0], &empty, &nothing[2]],
            [&nothing[0], &empty, &empty],
            [&one[0], &empty, &empty],
            [&one[0], &one[1], &empty],
            [&torn, &one[1], &one[2]],
            [&two[0], &one[1], &one[2]],
            [&two[0], &two[1], &one[2]],
            [&old, &nothing[1], &nothing[2]],
            [&old, &old_head, &nothing[2]],
        ] {
            put(&evidence, state);
            assert!(whole(&evidence), "{state:?}");
            filled(folder.path(), 2);
            assert!(whole(&evidence), "{:?}", evidence.verify());
        }
    }

    #[test]
    fn whatever_is_cut_off_or_removed_is_found_and_stays_found() {
        let folder = TempFolder::new().unwrap();
        let evidence = filled(folder.path(), 3);
        let [ledger, near, far] = files_of(&evidence);
        let text = String::from_utf8(ledger.clone().unwrap()).unwrap();
        let cut = Some(text.split_inclusive('\n').take(2).collect::<String>().into_bytes());
        let junk = Some(b"junk".to_vec());
        for state in [
            [&cut, &near, &far],
            [&Some(Vec::new()), &near, &far],
            [&None, &near, &far],
            [&None, &None, &far],
            [&None, &near, &None],
            [&ledger, &None, &far],
            [&ledger, &near, &None],
            [&ledger, &near, &junk],
            [&ledger, &None, &None],
            [&cut, &None, &None],
        ] {
            put(&evidence, state);
            assert!(!whole(&evidence), "{state:?}");
            filled(folder.path(), 2);
            assert!(!whole(&evidence), "hidden by what came later: {state:?}");
        }
        put(&evidence, [&cut, &near, &far]);
        let missing = Problem::Missing { from: 3, to: 3, before: None };
        assert_eq!(evidence.verify().unwrap().0.problems, [missing]);
    }

    #[test]
    fn writers_at_once_and_a_reader_between_them_see_a_whole_ledger() {
        let folder = TempFolder::new().unwrap();
        let home = folder.path();
        let write = |kind| {
            let evidence = Evidence::of(home, "p");
            (0..5).for_each(|_| drop(evidence.append(draft(), kind).unwrap()));
        };
        std::thread::scope(|scope| {
            let kinds = [Write::Through, Write::Soon, Write::Through];
            let writers = kinds.map(|kind| scope.spawn(move || write(kind)));
            while writers.iter().any(|writer| !writer.is_finished()) {
                assert!(whole(&Evidence::of(home, "p")));
            }
        });
        let (found, _) = Evidence::of(home, "p").verify().unwrap();
        assert_eq!((found.entries, found.is_intact()), (15, true));
    }
}
