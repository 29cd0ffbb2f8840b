//! One file per command.

pub(crate) mod attach;
pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod count;
pub(crate) mod doctor;
pub(crate) mod explain;
pub(crate) mod init;
pub(crate) mod ledger;
pub(crate) mod overview;
pub(crate) mod run;
pub(crate) mod trust;
