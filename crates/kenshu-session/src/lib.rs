//! Agents' words and records. Today: the sentences of a report that claim tests passed.
//!
//! Invariant: functions of their arguments; no I/O, no clock, no environment.

pub mod claims;
