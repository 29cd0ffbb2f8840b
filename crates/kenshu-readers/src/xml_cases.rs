//! Test cases of a JUnit-like XML document, for runners whose report has words of its own.

use std::collections::BTreeMap;

use kenshu_model::{Case, CaseStatus};
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use crate::documents::Document;

/// What a document holds.
#[derive(Debug, Default)]
pub struct XmlCases {
    /// Attributes of the root element.
    pub root: BTreeMap<String, String>,
    /// Every `testcase`, in order. One that was broken off is there if it had failed.
    pub cases: Vec<XmlCase>,
    /// Whether the root element is closed.
    pub closed: bool,
}

/// One `testcase`.
#[derive(Debug)]
pub struct XmlCase {
    /// Its attributes.
    pub attributes: BTreeMap<String, String>,
    /// How it ended: `failure` and `error` are failures, `skipped` is skipped.
    pub status: CaseStatus,
    /// First line of the `message` of its first failure, else of its skip.
    pub message: Option<String>,
}

impl XmlCase {
    /// The attribute, or nothing.
    pub fn attribute(&self, name: &str) -> &str {
        self.attributes.get(name).map_or("", String::as_str)
    }

    /// This case under a name of the reader's choice.
    pub fn named(&self, name: String) -> Case {
        let file = self.attributes.get("file").cloned();
        Case { name, file, status: self.status, message: self.message.clone(), file_level: false }
    }
}

/// Reads the document as far as it is well-formed; elements may be nested to any depth.
pub fn read(document: Document<'_>) -> XmlCases {
    let mut reader = Reader::from_str(document.text);
    let mut found = XmlCases::default();
    let mut open: Option<XmlCase> = None;
    let mut depth = 0u64;
    loop {
        match reader.read_event() {
            Ok(Event::Start(tag)) => {
                if depth == 0 {
                    found.root = attributes(&tag);
                }
                depth += 1;
                begin(&tag, &mut open);
            }
            Ok(Event::Empty(tag)) => {
                if depth == 0 {
                    found.root = attributes(&tag);
                    found.closed = true;
                }
                begin(&tag, &mut open);
                if tag.name().as_ref() == "testcase" {
                    found.cases.extend(open.take());
                }
            }
            Ok(Event::End(tag)) => {
                depth = depth.saturating_sub(1);
                found.closed |= depth == 0;
                if tag.name().as_ref() == "testcase" {
                    found.cases.extend(open.take());
                }
            }
            Ok(Event::Eof) | Err(_) => {
                found.cases.extend(open.take().filter(|case| case.status == CaseStatus::Failed));
                return found;
            }
            Ok(_) => {}
        }
    }
}

fn begin(tag: &BytesStart<'_>, open: &mut Option<XmlCase>) {
    let status = match (tag.name().as_ref(), &open) {
        ("testcase", _) => {
            let attributes = attributes(tag);
            *open = Some(XmlCase { attributes, status: CaseStatus::Passed, message: None });
            return;
        }
        ("failure" | "error", Some(case)) if case.status != CaseStatus::Failed => CaseStatus::Failed,
        ("skipped", Some(case)) if case.status == CaseStatus::Passed => CaseStatus::Skipped,
        _ => return,
    };
    if let Some(case) = open {
        case.status = status;
        let message = attributes(tag).remove("message");
        let line =
            message.as_deref().and_then(|text| text.lines().map(str::trim).find(|line| !line.is_empty()));
        case.message = line.map(str::to_owned).or(case.message.take());
    }
}

fn attributes(tag: &BytesStart<'_>) -> BTreeMap<String, String> {
    tag.attributes()
        .flatten()
        .map(|attribute| {
            let value = quick_xml::escape::unescape(&attribute.value)
                .map_or_else(|_| attribute.value.to_string(), std::borrow::Cow::into_owned);
            (attribute.key.as_ref().to_owned(), value)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cases_are_read_at_any_depth_and_up_to_a_break() {
        let text = r#"<testsuites name="x"><testsuite><testsuite><testcase name="a&amp;b"/>
            <testcase name="c" file="f"><failure message="&#10;no&#10;way">t</failure></testcase>
            <testcase name="d"><skipped/></testcase></testsuite>
            <testcase name="e"><failure message="first"/><failure message="second"/><testcase name="cut"#;
        let found = read(Document { text, first: 1, last: 3 });
        let cases: Vec<(&str, CaseStatus)> =
            found.cases.iter().map(|case| (case.attribute("name"), case.status)).collect();
        assert_eq!(
            cases,
            [
                ("a&b", CaseStatus::Passed),
                ("c", CaseStatus::Failed),
                ("d", CaseStatus::Skipped),
                ("e", CaseStatus::Failed)
            ]
        );
        assert_eq!(found.cases[1].message.as_deref(), Some("no"));
        assert_eq!(found.cases[3].message.as_deref(), Some("first"));
        assert_eq!((found.root["name"].as_str(), found.closed), ("x", false));
    }
}
