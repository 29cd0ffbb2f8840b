//! Gradle and Maven Surefire write JUnit XML into the build folder by themselves; Gradle's text has no counts.
//!
//! The files say nothing about *when* something ran (a build cache writes them new), so they complete numbers and never
//! decide an outcome.

use super::{Reported, Reporter};

pub(super) const GRADLE: Reporter = Reporter {
    reader: "gradle",
    files: &[],
    environment: &[],
    report: None,
    leaves: &["**/build/test-results/**/TEST-*.xml"],
    silent: false,
    broken: None,
    read: |_, _| Reported::Never,
    fits: |_| true,
};

pub(super) const SUREFIRE: Reporter = Reporter {
    reader: "surefire",
    files: &[],
    environment: &[],
    report: None,
    leaves: &["**/target/surefire-reports/TEST-*.xml", "**/target/failsafe-reports/TEST-*.xml"],
    silent: false,
    broken: None,
    read: |_, _| Reported::Never,
    fits: |_| true,
};
