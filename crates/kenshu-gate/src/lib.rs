//! Completion checks: what would be run, whether it is still the trusted command, and what its result means.
//!
//! `observe` parts take a host; `judge` parts are functions of their arguments.

pub mod compare;
pub mod config;
pub mod detect;
pub mod judge;
pub mod ruler;
pub mod tree;
