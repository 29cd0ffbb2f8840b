//! The outside world: processes, files, git, clock, environment, terminal.
//!
//! Invariant: this crate and the binary are the only ones that touch any of these; it judges nothing.
//! Invariant: every error says what was being done, to what, why it failed and what to type next.
#![expect(clippy::disallowed_methods, reason = "this crate is where the outside world is allowed")]

pub mod clock;
pub mod digest;
pub mod environment;
pub mod error;
pub mod files;
pub mod find;
pub mod git;
pub mod process;
pub mod project;
pub mod store;
pub mod temp;
pub mod terminal;
pub mod tree;
pub mod watch;

pub use error::Error;
