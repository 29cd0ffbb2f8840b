//! One JUnit document → its cases and suites as they are written, one after the other, without a judgement.
//!
//! A report can hold millions of cases: each is handed on when it ends, and none is kept.
//! Iterative over the events of the XML reader: depth costs memory in proportion, never the call stack. Entities other
//! than XML's own five and character references are never resolved.

use std::borrow::Cow;

use quick_xml::Reader;
use quick_xml::XmlVersion;
use quick_xml::events::attributes::Attributes;
use quick_xml::events::{BytesStart, Event};

/// Names of the elements that a JUnit document begins with.
const ROOTS: [&str; 3] = ["testsuites", "testsuite", "testrun"];

/// Characters of a message that are kept: what a person needs to recognize the failure.
const MESSAGE_CHARS_MAX: usize = 400;

/// What a document is besides its cases and suites.
#[derive(Debug)]
pub(super) struct Document {
    /// Byte range of the root's start tag.
    pub(super) root: (usize, usize),
    /// That of the first suite in the root.
    pub(super) first_suite: Option<(usize, usize)>,
    /// Byte offset behind the document.
    pub(super) end: usize,
    /// Whether the root was closed.
    pub(super) complete: bool,
    /// Whether elements stand in a suite that no JUnit writer uses: another format with the same root.
    pub(super) foreign: bool,
}

/// Who gets what a document holds.
pub(super) trait Sink {
    /// A case has ended. `open`: the suites around it, the root first.
    fn case(&mut self, case: &Case<'_>, open: &mut [Suite]);
    /// A suite begins whose place among all is this.
    fn begin(&mut self, suite: &Suite);
    /// A suite has ended, all that stands in it before; `parent`: the one around it.
    fn end(&mut self, suite: &Suite, parent: Option<&mut Suite>);
    /// A failure or an error that belongs to a suite and to none of its cases.
    fn suite_problem(&mut self);
}

/// Elements in each other beyond which a document is given up as broken: it is none that a runner writes, and each costs
/// memory as long as it is open.
const DEPTH_MAX: usize = 1 << 18;

/// A `<testsuite>` or the root.
#[derive(Debug, Default)]
pub(super) struct Suite {
    /// Its place among all suites, by start tags; 0 is the root.
    pub(super) place: u32,
    pub(super) name: Option<String>,
    pub(super) file: Option<String>,
    /// What its attributes announce.
    pub(super) tests: Option<u64>,
    pub(super) failures: Option<u64>,
    pub(super) errors: Option<u64>,
    pub(super) skipped: Option<u64>,
    /// Whether suites stand in it.
    pub(super) has_suites: bool,
    /// Byte range of the start tag.
    pub(super) tag: (usize, usize),
    /// What the one who counts adds up here.
    pub(super) sum: super::count::Sum,
}

/// A `<testcase>`. What most don't have is kept apart.
#[derive(Debug, Default)]
pub(super) struct Case<'a> {
    /// As it is written; in `more` where something in it is escaped.
    name: &'a str,
    /// Likewise.
    classname: Option<&'a str>,
    /// Byte range of the start tag.
    tag: (u32, u32),
    more: Option<Box<More<'a>>>,
}

/// What a `<testcase>` has besides its name.
#[derive(Debug, Default)]
pub(super) struct More<'a> {
    name: Option<String>,
    classname: Option<String>,
    pub(super) file: Option<Cow<'a, str>>,
    /// GoogleTest, CTest, Behave: `status`.
    pub(super) status: Option<Cow<'a, str>>,
    /// GoogleTest: `result`.
    pub(super) result: Option<Cow<'a, str>>,
    /// Eclipse: `ignored="true"`.
    pub(super) ignored: bool,
    pub(super) failure: Option<Problem>,
    pub(super) error: Option<Problem>,
    pub(super) skipped: Option<Problem>,
    /// Whether an earlier attempt failed and this is what the last one said (Surefire, nextest).
    pub(super) flaky: bool,
}

impl<'a> Case<'a> {
    pub(super) fn name(&self) -> &str {
        self.more().name.as_deref().unwrap_or(self.name)
    }

    pub(super) fn classname(&self) -> Option<&str> {
        self.more().classname.as_deref().or(self.classname)
    }

    /// Byte range of the start tag.
    pub(super) fn tag(&self) -> (usize, usize) {
        (self.tag.0 as usize, self.tag.1 as usize)
    }

    /// What it has besides its name.
    pub(super) fn more(&self) -> &More<'a> {
        const NOTHING: &More<'static> = &More {
            name: None,
            classname: None,
            file: None,
            status: None,
            result: None,
            ignored: false,
            failure: None,
            error: None,
            skipped: None,
            flaky: false,
        };
        self.more.as_deref().unwrap_or(NOTHING)
    }

    fn more_mut(&mut self) -> &mut More<'a> {
        self.more.get_or_insert_default()
    }
}

/// `<failure>`, `<error>` or `<skipped>`: its `type` and the first line of what it says.
#[derive(Clone, Debug, Default)]
pub(super) struct Problem {
    pub(super) kind: Option<String>,
    pub(super) message: Option<String>,
}

/// What an open element is to us. An element inside `Other` is never looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Element {
    Suite,
    Case,
    Failure,
    Error,
    Skipped,
    SuiteProblem,
    Other,
}

struct Builder<'a, 's> {
    body: &'a str,
    sink: &'s mut dyn Sink,
    document: Document,
    open: Vec<Element>,
    suites: Vec<Suite>,
    /// How many suites have begun.
    begun: u32,
    case: Option<Case<'a>>,
}

/// Reads the document that begins with the `<` at `start`. `Err`: it is not JUnit's; from where to look on.
pub(super) fn parse(body: &str, start: usize, sink: &mut dyn Sink) -> Result<Document, usize> {
    let mut reader = Reader::from_str(&body[start..]);
    let mut builder = Builder {
        body,
        sink,
        document: Document {
            root: (start, start),
            first_suite: None,
            end: body.len(),
            complete: false,
            foreign: false,
        },
        open: Vec::new(),
        suites: Vec::new(),
        begun: 0,
        case: None,
    };
    let offset = |position: u64| start + usize::try_from(position).unwrap_or(usize::MAX - start);
    loop {
        let before = offset(reader.buffer_position());
        let Ok(event) = reader.read_event() else {
            // Not well-formed from here on: what stands before it was read.
            let error = offset(reader.error_position()).clamp(start, body.len());
            let rest = memchr::memchr(b'>', &body.as_bytes()[error..]);
            builder.document.end = rest.map_or(body.len(), |at| error + at + 1);
            break;
        };
        let tag = (before, offset(reader.buffer_position()));
        match event {
            Event::Start(element) => builder.open(&element, tag).ok_or(tag.1)?,
            Event::Empty(element) => {
                builder.open(&element, tag).ok_or(tag.1)?;
                builder.close();
            }
            Event::End(_) => builder.close(),
            Event::Text(text) => builder.text(&text.xml_content(XmlVersion::Implicit1_0)),
            Event::CData(text) => builder.text(&text.xml_content(XmlVersion::Implicit1_0)),
            Event::GeneralRef(reference) => {
                let text = format!("&{};", &*reference);
                builder.text(&quick_xml::escape::unescape(&text).unwrap_or_default());
            }
            Event::Decl(_) if !builder.open.is_empty() => {
                // A second document begins: this one was broken off.
                builder.document.end = before;
                break;
            }
            Event::Eof => break,
            Event::Decl(_) | Event::Comment(_) | Event::PI(_) | Event::DocType(_) => {}
        }
        if builder.open.len() > DEPTH_MAX {
            break;
        }
        if builder.open.is_empty() && builder.begun > 0 {
            builder.document.complete = true;
            builder.document.end = tag.1;
            break;
        }
    }
    // A case that was broken off has no verdict unless it already failed.
    let failed = |case: &Case<'_>| case.more().failure.is_some() || case.more().error.is_some();
    if let Some(case) = builder.case.take().filter(failed) {
        builder.sink.case(&case, &mut builder.suites);
    }
    while !builder.suites.is_empty() {
        builder.close_suite();
    }
    if builder.begun == 0 { Err(builder.document.end) } else { Ok(builder.document) }
}

impl<'a> Builder<'a, '_> {
    /// `None`: the root is not one of [`ROOTS`].
    fn open(&mut self, element: &BytesStart<'_>, tag: (usize, usize)) -> Option<()> {
        let name = element.local_name();
        let name = name.as_ref();
        let opened = match self.open.last() {
            None if ROOTS.contains(&name) => self.open_suite(element, tag),
            None => return None,
            Some(Element::Suite) => match name {
                "testsuite" | "testsuites" => self.open_suite(element, tag),
                "testcase" => {
                    self.case = Some(self.new_case(element, tag));
                    Element::Case
                }
                "failure" | "error" => {
                    self.sink.suite_problem();
                    Element::SuiteProblem
                }
                other => {
                    self.document.foreign |=
                        matches!(other, "suite" | "test" | "assembly" | "root" | "results");
                    Element::Other
                }
            },
            Some(Element::Case) => self.open_in_case(name, element),
            Some(
                Element::Failure | Element::Error | Element::Skipped | Element::SuiteProblem | Element::Other,
            ) => Element::Other,
        };
        self.open.push(opened);
        Some(())
    }

    fn open_suite(&mut self, element: &BytesStart<'_>, tag: (usize, usize)) -> Element {
        let mut suite = Suite { place: self.begun, tag, ..Suite::default() };
        each_attribute(element, |key, value| match key {
            "name" => suite.name = Some(value),
            "file" | "filepath" => suite.file = Some(value),
            "tests" => suite.tests = value.trim().parse().ok(),
            "failures" => suite.failures = value.trim().parse().ok(),
            "errors" => suite.errors = value.trim().parse().ok(),
            "skipped" => suite.skipped = value.trim().parse().ok(),
            _ => {}
        });
        match self.suites.last_mut() {
            Some(parent) => {
                parent.has_suites = true;
                self.document.first_suite.get_or_insert(tag);
            }
            None => self.document.root = tag,
        }
        self.begun += 1;
        self.sink.begin(&suite);
        self.suites.push(suite);
        Element::Suite
    }

    fn close_suite(&mut self) {
        if let Some(suite) = self.suites.pop() {
            self.sink.end(&suite, self.suites.last_mut());
        }
    }

    /// Its attributes are taken from the body, so that a plain name is not copied.
    fn new_case(&self, element: &BytesStart<'_>, tag: (usize, usize)) -> Case<'a> {
        let place = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        let mut case = Case { tag: (place(tag.0), place(tag.1)), ..Case::default() };
        let written = self.body[tag.0..tag.1].trim_start_matches(|symbol| symbol != '<');
        let written = written.strip_prefix('<').unwrap_or(written);
        let written = written.strip_suffix("/>").or(written.strip_suffix('>')).unwrap_or(written);
        let name_length = element.name().as_ref().len();
        each_of(Attributes::new(written, name_length), |key, value| match key {
            "name" => match value {
                Cow::Borrowed(plain) => case.name = plain,
                Cow::Owned(name) => case.more_mut().name = Some(name),
            },
            "classname" | "class" if case.classname().is_none() => match value {
                Cow::Borrowed(plain) => case.classname = Some(plain),
                Cow::Owned(name) => case.more_mut().classname = Some(name),
            },
            "file" | "filepath" => case.more_mut().file = Some(value),
            "status" => case.more_mut().status = Some(value),
            "result" => case.more_mut().result = Some(value),
            "ignored" => case.more_mut().ignored = value == "true",
            _ => {}
        });
        case
    }

    fn open_in_case(&mut self, name: &str, element: &BytesStart<'_>) -> Element {
        let Some(case) = self.case.as_mut() else { return Element::Other };
        match name {
            "failure" => {
                case.more_mut().failure.get_or_insert_with(|| problem(element));
                Element::Failure
            }
            // PHPUnit up to 9: a warning (no test in the class, a missing data provider) fails the run.
            "error" | "warning" => {
                case.more_mut().error.get_or_insert_with(|| problem(element));
                Element::Error
            }
            "skipped" | "ignored" | "disabled" => {
                case.more_mut().skipped.get_or_insert_with(|| problem(element));
                Element::Skipped
            }
            "flakyFailure" | "flakyError" => {
                case.more_mut().flaky = true;
                Element::Other
            }
            // `rerunFailure` and `rerunError` stand beside the `failure` that counts.
            _ => Element::Other,
        }
    }

    fn close(&mut self) {
        match self.open.pop() {
            Some(Element::Case) => {
                if let Some(case) = self.case.take() {
                    self.sink.case(&case, &mut self.suites);
                }
            }
            Some(Element::Suite) => self.close_suite(),
            Some(
                Element::Failure | Element::Error | Element::Skipped | Element::SuiteProblem | Element::Other,
            )
            | None => {}
        }
    }

    /// Text of a problem stands for its message where it has none: the first line that is not blank.
    fn text(&mut self, text: &str) {
        let problem = match self.open.last() {
            Some(Element::Failure) => self.case.as_mut().and_then(|case| case.more_mut().failure.as_mut()),
            Some(Element::Error) => self.case.as_mut().and_then(|case| case.more_mut().error.as_mut()),
            Some(Element::Skipped) => self.case.as_mut().and_then(|case| case.more_mut().skipped.as_mut()),
            Some(Element::Suite | Element::Case | Element::SuiteProblem | Element::Other) | None => None,
        };
        if let Some(problem) = problem
            && problem.message.is_none()
        {
            problem.message = first_line(text);
        }
    }
}

fn problem(element: &BytesStart<'_>) -> Problem {
    let mut problem = Problem::default();
    each_attribute(element, |key, value| match key {
        "type" => problem.kind = Some(value),
        "message" => problem.message = first_line(&value),
        _ => {}
    });
    problem
}

fn first_line(text: &str) -> Option<String> {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty())?;
    Some(line.chars().take(MESSAGE_CHARS_MAX).collect())
}

fn each_attribute(element: &BytesStart<'_>, mut take: impl FnMut(&str, String)) {
    each_of(element.attributes(), |key, value| take(key, value.into_owned()));
}

/// Attributes by local name. A value with an entity of the document's own stays as it is written.
fn each_of<'a>(mut attributes: Attributes<'a>, mut take: impl FnMut(&str, Cow<'a, str>)) {
    for attribute in attributes.with_checks(false).flatten() {
        let value = attribute.normalized_value(XmlVersion::Implicit1_0);
        take(attribute.key.local_name().as_ref(), value.unwrap_or(attribute.value));
    }
}
