//! Plain data that every part of Kenshu speaks: tallies, outcomes, reasons, claims, verdicts.
//!
//! Invariant: no I/O, no clock, no environment, no dependency of ours or anybody's.
//! Invariant: what is not known is `None`, never 0.

pub mod cases;
pub mod check;
pub mod claim;
pub mod count;
pub mod lang;
pub mod message;
pub mod note;
pub mod quote;
pub mod reason;
pub mod tally;
pub mod words;

pub use cases::Cases;
pub use check::{CheckVerdict, HollowTest, JudgedClaim, RulerReport, Trusted};
pub use claim::{Claim, ClaimScope, ClaimSubject, ClaimUnit, Strength};
pub use count::{Case, CaseStatus, Count, Exit, Outcome};
pub use lang::Lang;
pub use message::{Message, Phrase};
pub use note::Note;
pub use quote::Quote;
pub use reason::{REASONS, Reason, ReasonEntry};
pub use tally::Tally;
