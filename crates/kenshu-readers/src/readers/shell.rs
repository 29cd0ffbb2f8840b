//! `shell`: not written yet.

use crate::reader::{Hint, Reader, Samples, Specificity};
use crate::reading::Reading;
use crate::text::Stream;

pub(super) const READER: Reader = Reader {
    id: "shell",
    name: "shell",
    versions: "",
    formats: "text",
    zero: "",
    samples: Samples::Recorded,
    specificity: Specificity::Wrapper,
    needles: &[],
    commands: &[],
    list_options: &[],
    covers: &[],
    read,
};

fn read(_stream: &Stream, _hint: Hint<'_>) -> Vec<Reading> {
    Vec::new()
}
