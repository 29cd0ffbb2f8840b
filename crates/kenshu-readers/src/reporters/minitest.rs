//! Minitest: a plugin of ours, found on the load path through `RUBYLIB`, writes every result as one line of JSON.
//!
//! Minitest 5 loads every `minitest/*_plugin.rb` that it finds. Minitest 6 loads plugins only where the project asks for
//! them: then the reporter is never loaded, and the text stands alone. Each process that `rake test` or `parallel_test`
//! starts is a run of its own in one file; the workers of Rails are forks that hand their results to the process
//! they came from, and only that one writes.

use super::{Piece, Report, Reported, Reporter, Variable, runs};

pub(super) const REPORTER: Reporter = Reporter {
    reader: "minitest",
    files: &[("minitest/kenshu_plugin.rb", include_str!("kenshu_minitest_plugin.rb"))],
    environment: &[Variable { name: "RUBYLIB", value: "{folder}", join: Some(":") }],
    report: Some(Report::File("minitest.jsonl")),
    leaves: &[],
    silent: true,
    broken: Some("kenshu_plugin.rb"),
    read: |pieces, _| {
        pieces.first().map_or(Reported::Never, |Piece { bytes, .. }| runs::read(bytes, "minitest"))
    },
    fits: |invocation| !invocation.has_option(&["--no-plugins", "--disable-gems", "--disable=gems"]),
};
