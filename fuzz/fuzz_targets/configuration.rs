//! Any text as `kenshu.toml`: no panic, and an error is one line.
#![no_main]

use kenshu_gate::config::Config;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Err(error) = Config::parse(text) {
        assert!(!error.is_empty() && error.lines().count() == 1, "not one line: {error:?}");
    }
});
