//! Any text as `kenshu.toml`: no panic, and an error is one line.
#![no_main]

use kenshu_gate::config::Config;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Err(error) = Config::parse(text) {
        let error = error.to_string();
        assert!(!error.is_empty() && error.lines().count() == 1, "not one line: {error:?}");
    }
});
