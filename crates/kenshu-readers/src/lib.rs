//! What test runners print or write → [`kenshu_model::Count`].
//!
//! The way through: bytes → [`text::Text`] (decoded, terminal replayed) → streams (wrapper prefixes taken off)
//! → [`readers`] (one file per runner) → [`reading::Reading`]s → [`resolve`] (one reading per block) → [`decide`] (one
//! outcome). Everything here is a function of its arguments.
//!
//! Invariant: the order of the reader list never decides a number.
//! Invariant: names are data; a status word inside a test's name means nothing.

pub mod attempts;
pub mod command;
pub mod decide;
pub mod documents;
pub mod filters;
pub mod glimpse;
pub mod json;
pub mod lines;
pub mod marks;
pub mod nothing;
pub mod numbers;
mod prefilter;
pub mod prefix;
pub mod reader;
pub mod readers;
pub mod reading;
mod replayed;
pub mod reporters;
pub mod resolve;
pub mod runs;
pub mod settle;
#[cfg(test)]
mod testing;
pub mod text;
pub mod xml_cases;

pub use decide::{Context, count, count_report};
pub use glimpse::glimpse;
pub use reader::{Hint, Reader, Samples, Specificity};
pub use reading::{Reading, Said};
