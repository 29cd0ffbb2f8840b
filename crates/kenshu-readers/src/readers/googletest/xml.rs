//! The cases of the XML that GoogleTest, CTest and bats write: JUnit's elements with attributes of their own.

use quick_xml::XmlVersion;
use quick_xml::events::{BytesStart, Event};

/// One `testcase`.
#[derive(Debug, Default)]
pub(in crate::readers) struct XmlCase {
    /// `name`.
    pub name: String,
    /// `classname`.
    pub class: String,
    /// `status`.
    pub status: String,
    /// `result`.
    pub result: String,
    /// Message of its first `failure` or `error`.
    pub failure: Option<String>,
    /// Message of its `skipped`.
    pub skipped: Option<String>,
}

/// All cases of a document.
#[derive(Debug, Default)]
pub(in crate::readers) struct XmlReport {
    /// The root's `name`.
    pub root_name: String,
    /// Whether the root says how many tests are `disabled`, as GoogleTest and CTest do.
    pub counts_disabled: bool,
    /// In the order of the document.
    pub cases: Vec<XmlCase>,
    /// Whether the root was closed.
    pub closed: bool,
}

/// Reads a document as far as it is well-formed.
pub(in crate::readers) fn report(document: &str) -> XmlReport {
    let mut reader = quick_xml::Reader::from_str(document);
    let mut report = XmlReport::default();
    let mut depth = 0usize;
    let mut in_case = false;
    loop {
        match reader.read_event() {
            Ok(Event::Start(element)) => {
                open(&mut report, &element, depth, in_case);
                in_case |= element.name().as_ref() == "testcase";
                depth += 1;
            }
            Ok(Event::Empty(element)) => {
                open(&mut report, &element, depth, in_case);
                report.closed |= depth == 0;
            }
            Ok(Event::End(element)) => {
                in_case &= element.name().as_ref() != "testcase";
                depth = depth.saturating_sub(1);
                report.closed |= depth == 0;
            }
            Ok(Event::Eof) | Err(_) => return report,
            Ok(
                Event::Text(_)
                | Event::CData(_)
                | Event::Comment(_)
                | Event::Decl(_)
                | Event::PI(_)
                | Event::DocType(_)
                | Event::GeneralRef(_),
            ) => {}
        }
    }
}

fn open(report: &mut XmlReport, element: &BytesStart<'_>, depth: usize, in_case: bool) {
    if depth == 0 {
        report.root_name = attribute(element, "name").unwrap_or_default();
        report.counts_disabled = attribute(element, "disabled").is_some();
    }
    match element.name().as_ref() {
        "testcase" => report.cases.push(XmlCase {
            name: attribute(element, "name").unwrap_or_default(),
            class: attribute(element, "classname").unwrap_or_default(),
            status: attribute(element, "status").unwrap_or_default(),
            result: attribute(element, "result").unwrap_or_default(),
            failure: None,
            skipped: None,
        }),
        "failure" | "error" if in_case => {
            let message = attribute(element, "message").unwrap_or_default();
            if let Some(case) = report.cases.last_mut() {
                case.failure.get_or_insert(message);
            }
        }
        "skipped" if in_case => {
            let message = attribute(element, "message").unwrap_or_default();
            if let Some(case) = report.cases.last_mut() {
                case.skipped.get_or_insert(message);
            }
        }
        _ => {}
    }
}

fn attribute(element: &BytesStart<'_>, name: &str) -> Option<String> {
    let attribute = element.try_get_attribute(name).ok()??;
    attribute.normalized_value(XmlVersion::Implicit1_0).ok().map(|value| value.into_owned())
}
