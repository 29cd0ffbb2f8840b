//! What was written is found as written; whatever was done to it afterwards is found too.

use serde_json::json;

use crate::{
    Actor, Anchor, Attachment, Digest, Draft, Head, Kind, Output, Place, Problem, Subject, Time,
    Verification, Who, append, head_of, head_of_file, parse, verify, verify_anchored, verify_segments,
};

fn draft(n: u64) -> Draft {
    Draft {
        time: Time::parse("2026-03-01T12:00:00Z").unwrap(),
        kind: if n.is_multiple_of(2) { Kind::Count } else { Kind::of("later-kind") },
        subject: Subject {
            project: "8cc36d0:".to_owned(),
            tree: Some(format!("tree{n}")),
            commit: None,
            dirty: Some(true),
        },
        actor: Actor { who: Who::Agent, name: Some("claude-code".to_owned()) },
        payload: json!({"passed": n, "quote": "検収 \"ok\"\n", "ratio": 0.1, "z": null, "a": [1, {"b": true}]}),
        output: Some(Output::of(b"1 passed\n")),
        attachments: vec![Attachment { name: "a.png".to_owned(), sha256: Digest::of(b"x"), bytes: 1 }],
        heads: None,
    }
}

fn ledger(entries: u64) -> (String, Head) {
    let (mut text, mut head) = (String::new(), Head::default());
    for n in 0..entries {
        let (bytes, next) = append(&head, &draft(n));
        text.push_str(&bytes);
        head = next;
    }
    (text, head)
}

/// Nothing wrong, and nothing torn.
fn untouched(found: &Verification) -> bool {
    found.is_intact() && found.torn.is_none()
}

fn line(line: u64) -> Place {
    Place { segment: 0, line }
}

fn joined(lines: &[&str]) -> String {
    lines.iter().flat_map(|l| [*l, "\n"]).collect()
}

#[test]
fn what_is_written_is_read() {
    let (text, head) = ledger(3);
    let (entries, unread) = parse(text.as_bytes());
    assert_eq!(unread, []);
    assert_eq!(
        entries.iter().map(|e| e.draft.clone()).collect::<Vec<_>>(),
        (0..3).map(draft).collect::<Vec<_>>()
    );
    assert_eq!(entries[2].id().len(), 16);
    assert_eq!(entries[1].prev, Some(entries[0].digest));
    let found = verify(text.as_bytes());
    assert!(untouched(&found));
    assert_eq!((found.entries, &found.head), (3, &head));
    assert_eq!(head_of_file(text.as_bytes()), head);
    let last = text.trim_end().rfind('\n').unwrap() + 1;
    assert_eq!(head_of(&text.as_bytes()[last..]), Some(head));
    assert!(untouched(&verify(b"")));
    assert_eq!(head_of_file(b""), Head::default());
}

#[test]
fn the_digest_is_that_of_the_lines_own_bytes() {
    let (text, head) = ledger(1);
    let line = text.trim_end();
    let at = line.rfind(",\"digest\":").unwrap();
    assert_eq!(head.digest, Some(Digest::of(format!("{}}}", &line[..at]).as_bytes())));
}

#[test]
fn any_changed_byte_is_found() {
    let (text, _) = ledger(2);
    let bytes = text.as_bytes();
    for at in 0..bytes.len() {
        for change in [bytes[at] ^ 1, bytes[at] ^ 0x20, b'\n', b' ', b'"', b'0', 0xff] {
            if change == bytes[at] {
                continue;
            }
            let mut changed = bytes.to_vec();
            changed[at] = change;
            assert!(!untouched(&verify(&changed)), "byte {at} changed to {change}");
        }
    }
}

#[test]
fn any_dropped_doubled_or_swapped_line_is_found_and_named() {
    let (text, _) = ledger(6);
    let lines: Vec<&str> = text.lines().collect();
    for i in 0..lines.len() - 1 {
        let mut dropped = lines.clone();
        dropped.remove(i);
        let n = i as u64 + 1;
        let missing = Problem::Missing { from: n, to: n, before: Some(line(n)) };
        assert_eq!(verify(joined(&dropped).as_bytes()).problems, [missing]);
    }
    for i in 0..lines.len() {
        for to in 0..=lines.len() {
            let mut doubled = lines.clone();
            doubled.insert(to, lines[i]);
            let found = verify(joined(&doubled).as_bytes());
            assert!(found.problems.iter().any(|p| matches!(p, Problem::Duplicated { .. })), "{i} at {to}");
        }
        for j in i + 1..lines.len() {
            let mut swapped = lines.clone();
            swapped.swap(i, j);
            let found = verify(joined(&swapped).as_bytes());
            assert!(found.problems.iter().any(|p| matches!(p, Problem::Reordered(_))), "{i} and {j}");
            assert!(!found.problems.iter().any(|p| matches!(p, Problem::Missing { .. })), "{i} and {j}");
        }
    }
}

#[test]
fn a_change_is_one_problem_at_its_line() {
    let (text, _) = ledger(4);
    let changed = text.replacen("\"passed\":1", "\"passed\":9", 1);
    assert_eq!(verify(changed.as_bytes()).problems, [Problem::Changed(line(2))]);
}

#[test]
fn a_rewritten_entry_is_found_by_the_one_behind_it() {
    let (text, _) = ledger(3);
    let lines: Vec<&str> = text.lines().collect();
    let (first, head) = append(&Head::default(), &draft(0));
    let (other, _) = append(&head, &draft(77));
    let forged = format!("{first}{other}{}\n", lines[2]);
    assert_eq!(
        verify(forged.as_bytes()).problems,
        [Problem::Unlinked { at: line(3), behind: Some(line(2)) }]
    );
}

#[test]
fn every_cut_write_is_torn_and_the_next_append_accounts_for_it() {
    let (text, before) = ledger(2);
    let (third, after) = append(&before, &draft(2));
    for cut in 0..=third.len() {
        let mut bytes = text.clone().into_bytes();
        bytes.extend(&third.as_bytes()[..cut]);
        let found = verify(&bytes);
        assert!(found.is_intact(), "cut at {cut}: {:?}", found.problems);
        let whole = cut + 1 >= third.len();
        assert_eq!(found.torn.is_some(), cut > 0 && !whole, "cut at {cut}");
        let head = head_of_file(&bytes);
        assert_eq!(head.seq, if whole { after.seq } else { before.seq });
        let (next, _) = append(&head, &draft(3));
        bytes.extend(next.as_bytes());
        let found = verify(&bytes);
        assert!(untouched(&found), "cut at {cut}: {:?}", found.problems);
        assert_eq!(found.repaired.len(), usize::from(cut > 0 && !whole));
    }
}

#[test]
fn a_repair_that_is_cut_itself_is_accounted_for_too() {
    let (text, head) = ledger(2);
    let (third, _) = append(&head, &draft(2));
    let mut bytes = text.into_bytes();
    bytes.extend(&third.as_bytes()[..40]);
    let (repair, _) = append(&head_of_file(&bytes), &draft(3));
    let base = bytes.clone();
    for cut in 2..repair.len() {
        let mut bytes = base.clone();
        bytes.extend(&repair.as_bytes()[..cut]);
        let found = verify(&bytes);
        assert!(found.is_intact(), "cut at {cut}: {:?}", found.problems);
        bytes.extend(append(&head_of_file(&bytes), &draft(4)).0.as_bytes());
        assert!(untouched(&verify(&bytes)), "cut at {cut}");
    }
}

#[test]
fn a_repair_accounts_for_nothing_but_what_it_names() {
    let (text, head) = ledger(1);
    let (second, _) = append(&head, &draft(1));
    let torn = format!("{text}{}", &second[..50]);
    let (rest, _) = append(&head_of_file(torn.as_bytes()), &draft(2));
    let gone = format!("{text}{}", rest.trim_start());
    assert_eq!(verify(gone.as_bytes()).problems, [Problem::RepairWithout(line(2))]);
    let other = format!("{text}{}{rest}", &second[..49]);
    assert_eq!(
        verify(other.as_bytes()).problems,
        [Problem::NoEntry(line(2)), Problem::RepairWithout(line(3))]
    );
    // A foreign line is no cut write, whoever names it.
    let foreign = format!("{text}hello\n");
    let (rest, _) = append(&head_of_file(foreign.as_bytes()), &draft(2));
    let found = verify(format!("{foreign}{rest}").as_bytes());
    assert_eq!(found.problems, [Problem::NoEntry(line(2))]);
}

#[test]
fn segments_are_one_chain() {
    let (text, _) = ledger(5);
    let at = text.match_indices('\n').nth(2).unwrap().0 + 1;
    let (first, second) = text.as_bytes().split_at(at);
    assert!(untouched(&verify_segments(&[first, second])));
    assert!(!verify_segments(&[second, first]).is_intact());
    assert_eq!(verify(second).problems, [Problem::Missing { from: 1, to: 3, before: Some(line(1)) }]);
    // A segment that ends in a cut write, and a new one begun behind it.
    let torn = &first[..first.len() - 20];
    let (next, _) = append(&head_of_file(torn).in_new_segment(), &draft(9));
    assert!(untouched(&verify_segments(&[torn, next.as_bytes()])));
}

#[test]
fn an_anchor_shows_what_was_cut_off_or_rewritten() {
    let (text, head) = ledger(4);
    let anchor = Anchor::parse(&head.anchor().unwrap().to_string()).unwrap();
    assert_eq!(Some(anchor), head.anchor());
    assert!(untouched(&verify_anchored(&[text.as_bytes()], &[anchor])));
    let (shorter, _) = ledger(2);
    assert!(untouched(&verify(shorter.as_bytes())));
    assert_eq!(
        verify_anchored(&[shorter.as_bytes()], &[anchor]).problems,
        [Problem::Missing { from: 3, to: 4, before: None }]
    );
    let (mut other, mut head) = (String::new(), Head::default());
    for n in 10..15 {
        let (bytes, next) = append(&head, &draft(n));
        other.push_str(&bytes);
        head = next;
    }
    assert_eq!(verify_anchored(&[other.as_bytes()], &[anchor]).problems, [Problem::NotTheAnchor(line(4))]);
}

#[test]
fn a_later_version_keeps_its_place_in_the_chain() {
    let (first, head) = append(&Head::default(), &draft(0));
    let body =
        format!("{{\"v\":2,\"seq\":2,\"kind\":\"x\",\"new\":[],\"prev\":\"{}\"}}", head.digest.unwrap());
    let digest = Digest::of(body.as_bytes());
    let text = format!("{first}{},\"digest\":\"{digest}\"}}\n", body.trim_end_matches('}'));
    let (third, _) = append(&head_of_file(text.as_bytes()), &draft(2));
    let text = text + &third;
    assert!(untouched(&verify(text.as_bytes())));
    let (entries, unread) = parse(text.as_bytes());
    assert_eq!((entries.len(), unread.len(), unread[0].line), (2, 1, 2));
}

#[test]
fn no_bytes_panic() {
    let (text, _) = ledger(2);
    let mut state = 11_u64;
    let mut roll = |sides: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from((state >> 33) % sides as u64).unwrap()
    };
    for _ in 0..2_000 {
        let mut bytes = text.clone().into_bytes();
        for _ in 0..=roll(6) {
            let at = roll(bytes.len());
            match roll(3) {
                0 => bytes[at] = u8::try_from(roll(256)).unwrap(),
                1 => bytes.truncate(at.max(1)),
                _ => bytes.insert(at, b'\n'),
            }
        }
        let _ = parse(&bytes);
        let found = verify(&bytes);
        let (next, _) = append(&found.head, &draft(1));
        bytes.extend(next.as_bytes());
        let _ = verify(&bytes);
    }
    let huge = "{\"v\":1,\"seq\":18446744073709551615,\"kind\":\"x\",\"prev\":null}";
    let digest = Digest::of(huge.as_bytes());
    let line = format!("{},\"digest\":\"{digest}\"}}\n", huge.trim_end_matches('}'));
    assert!(!verify(line.as_bytes()).is_intact());
    let _ = append(&head_of_file(line.as_bytes()), &draft(1));
}

#[test]
fn times_and_problems_say_what_they_are() {
    for good in ["2026-03-01T12:00:00Z", "2026-03-01T12:00:00.123Z"] {
        assert_eq!(Time::parse(good).unwrap().as_str(), good);
    }
    for bad in [
        "",
        "2026-03-01",
        "2026-03-01T12:00:00",
        "2026-13-01T12:00:00Z",
        "2026-03-01T12:00:00.Z",
        "2026-03-01t12:00:00Z",
    ] {
        assert_eq!(Time::parse(bad), None, "{bad}");
    }
    let problem = Problem::Missing { from: 3, to: 4, before: Some(Place { segment: 1, line: 2 }) };
    assert_eq!(problem.message().to_string(), "line 2 of segment 2: entries 3 to 4 are missing before it");
}

#[test]
fn a_kept_head_that_is_ahead_leaves_a_gap_for_ever() {
    let (text, head) = ledger(4);
    let anchor = head.anchor().unwrap();
    let never = || -> Vec<u8> { panic!("the last lines tell") };
    let last = |text: &str| text[text.trim_end().rfind('\n').map_or(0, |at| at + 1)..].to_owned();
    // As it was written, one entry behind, and before anything was written.
    assert_eq!(head.clone().after(&anchor, last(&text).as_bytes(), &never), head);
    let (fifth, next) = append(&head, &draft(5));
    assert_eq!(next.clone().after(&anchor, fifth.as_bytes(), &never), next);
    assert_eq!(head.clone().after(&Anchor::EMPTY, last(&text).as_bytes(), &never), head);
    // Several entries behind: the whole ledger tells.
    let (early, early_head) = ledger(1);
    assert!(text.starts_with(&early));
    let early_anchor = early_head.anchor().unwrap();
    let whole = || text.clone().into_bytes();
    assert_eq!(head.clone().after(&early_anchor, last(&text).as_bytes(), &whole), head);
    // Cut, emptied, rewritten: whatever is appended next, the gap stays.
    let (other, other_head) = (0..6).fold((String::new(), Head::default()), |(text, head), n| {
        let (bytes, head) = append(&head, &draft(n + 10));
        (text + &bytes, head)
    });
    let (cut, cut_head) = ledger(2);
    for (left, left_head) in [(cut, cut_head), (String::new(), Head::default()), (other, other_head)] {
        let behind = left_head.after(&anchor, last(&left).as_bytes(), &|| left.clone().into_bytes());
        let (more, _) = append(&behind, &draft(7));
        assert!(!verify(format!("{left}{more}").as_bytes()).is_intact());
    }
}

#[test]
fn heads_that_were_gone_are_a_problem_once_they_were_kept() {
    let with = |heads: &[Option<u64>]| {
        heads.iter().fold((String::new(), Head::default()), |(text, head), heads| {
            let (bytes, head) = append(&head, &Draft { heads: *heads, ..draft(1) });
            (text + &bytes, head)
        })
    };
    let found = verify(with(&[None, Some(0), Some(2), None, Some(2)]).0.as_bytes());
    assert!(untouched(&found) && found.heads_kept);
    assert!(!verify(with(&[None]).0.as_bytes()).heads_kept);
    let found = verify(with(&[Some(0), Some(1), Some(2), Some(0)]).0.as_bytes());
    assert_eq!(found.problems, [Problem::HeadsWereGone(line(2)), Problem::HeadsWereGone(line(4))]);
}
