//! Answers → bytes: one renderer per file in [`formats`].
//!
//! Invariant: no renderer decides anything; what it shows is in the answer it is given.
//! Invariant: JSON shapes are frozen by their schema name; the structs of `kenshu-model` are never dumped.

pub mod formats;
pub mod layout;
pub mod notes;
pub mod words;

pub use formats::{json, terminal};
