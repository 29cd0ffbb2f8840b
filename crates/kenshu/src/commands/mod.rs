//! One file per command.

pub mod attach;
pub mod check;
pub mod completions;
pub mod count;
pub mod doctor;
pub mod explain;
pub mod init;
pub mod ledger;
pub mod overview;
pub mod run;
pub mod trust;
