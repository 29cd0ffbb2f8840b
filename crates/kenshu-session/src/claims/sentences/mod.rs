//! Sentences of every kind with what they claim, beside the examples in each language's file.

pub(crate) mod en;
pub(crate) mod given;
pub(crate) mod ja;
pub(crate) mod ko;
pub(crate) mod zh;
