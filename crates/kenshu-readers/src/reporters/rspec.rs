//! RSpec: a listener of ours, required through `SPEC_OPTS`, writes every example as one line of JSON.
//!
//! Of the sources of options (`.rspec`, the command line, `SPEC_OPTS`) the later one wins for each option, except for
//! `--require` and `-I`, which are added up: nothing that the project or the human set is lost. The listener announces
//! how many examples are to be run, which the text never says: `exit` inside an example makes RSpec close in order, with
//! status 0 and a summary of what had run so far.
//!
//! `parallel_rspec` and `rake` start processes of their own; each is a run of its own in one file.

use super::{Piece, Report, Reported, Reporter, Variable, runs};

const FILE: &str = "kenshu_rspec_report.rb";

pub(super) const REPORTER: Reporter = Reporter {
    reader: "rspec",
    files: &[(FILE, include_str!("kenshu_rspec_report.rb"))],
    // RSpec splits the variable as a shell does.
    environment: &[Variable {
        name: "SPEC_OPTS",
        value: "'-r{folder}/kenshu_rspec_report.rb'",
        join: Some(" "),
    }],
    report: Some(Report::File("rspec.jsonl")),
    leaves: &[],
    silent: true,
    // The listener takes its name out of the environment and stands in no backtrace of an example.
    broken: Some(FILE),
    read: |pieces, _| {
        pieces.first().map_or(Reported::Never, |Piece { bytes, .. }| runs::read(bytes, "rspec"))
    },
    // A dry run runs nothing, a bisection runs parts again and again, and a DRb server is not started by us.
    fits: |invocation| !invocation.has_option(&["--dry-run", "--bisect", "--init", "--drb", "-X"]),
};
