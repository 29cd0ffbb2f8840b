//! Any bytes as a ledger: no panic, and what verification calls intact is read whole.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let verification = kenshu_ledger::verify(bytes);
    let (entries, unread) = kenshu_ledger::parse(bytes);
    if verification.is_intact() && verification.torn.is_none() && verification.repaired.is_empty() {
        assert_eq!(entries.len() as u64, verification.entries, "intact, and not readable: {unread:?}");
    }
});
