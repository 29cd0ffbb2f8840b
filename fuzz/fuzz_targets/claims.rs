//! Any text as an agent's report: no panic, and a quoted claim stands in the text.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let claims = kenshu_session::claims::extract(text);
    let lines = text.lines().count().max(1);
    for claim in &claims {
        assert!(claim.line >= 1 && claim.line as usize <= lines, "a claim outside the text: {claim:?}");
    }
    assert_eq!(claims, kenshu_session::claims::extract(text), "the same text gives the same claims");
});
