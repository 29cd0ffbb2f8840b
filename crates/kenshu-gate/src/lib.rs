//! Completion checks: what would be run, whether it is still the trusted command, and what its result means.
//!
//! `observe` parts take a host; `judge` parts are functions of their arguments.

pub mod base;
pub mod check;
pub mod compare;
pub mod config;
pub mod detect;
pub mod hollow;
pub mod judge;
pub mod kept;
pub mod measure;
pub mod pin;
pub mod ruler;
pub mod second_look;
pub mod suites;
pub mod tree;
pub mod trees;
