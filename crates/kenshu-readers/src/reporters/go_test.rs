//! `go test` prints names and counts only with `-v`; `GOFLAGS` asks for it without a change to the command.

use super::{Reported, Reporter, Variable};

pub(super) const REPORTER: Reporter = Reporter {
    reader: "go-test",
    files: &[],
    environment: &[Variable { name: "GOFLAGS", value: "-v", join: Some(" ") }],
    report: None,
    leaves: &[],
    silent: false,
    broken: None,
    read: |_, _| Reported::Never,
    // With -json the output is machine-readable already, and -v would change nothing but its volume.
    fits: |invocation| !invocation.has_option(&["-v", "-json", "-list", "-test.v", "-c"]),
};
