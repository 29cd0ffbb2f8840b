//! The words of errors and of reasons in five languages. What stands on the terminal otherwise is in `kenshu-report`.

pub mod config;
pub mod doing;
pub mod error;
pub mod ledger;
pub mod reason;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_phrase_is_there_in_every_language() {
        for phrases in [config::ALL, doing::ALL, error::ALL, ledger::ALL, reason::ALL] {
            assert_eq!(crate::message::faults(phrases), [""; 0]);
        }
    }
}
