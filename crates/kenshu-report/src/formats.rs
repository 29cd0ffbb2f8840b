//! One file per format.

pub mod json;
pub mod terminal;
