//! JSON and XML documents inside a stream: whole files, or between other lines.

use kenshu_model::Quote;

use crate::json::Json;
use crate::text::Stream;

/// A document and where it stands.
#[derive(Clone, Copy, Debug)]
pub struct Document<'a> {
    /// The document's text.
    pub text: &'a str,
    /// Number of its first line.
    pub first: u32,
    /// Number of its last line.
    pub last: u32,
}

impl Document<'_> {
    /// The member `"key": value` of a JSON document as it is written; its first line where there is no such member.
    pub fn quote(&self, key: &str) -> Quote {
        let Some(start) = self.text.find(&format!("\"{key}\"")) else {
            return Quote::new(self.first, self.text.lines().next().unwrap_or_default());
        };
        let rest = &self.text[start..];
        let end = rest.find([',', '}', '\n']).unwrap_or(rest.len());
        let above = memchr::memchr_iter(b'\n', &self.text.as_bytes()[..start]).count();
        let line = self.first.saturating_add(u32::try_from(above).unwrap_or(u32::MAX));
        Quote::new(line, &rest[..end])
    }
}

impl Stream<'_> {
    /// Every XML document whose root is one of `roots`, beginning at the start of a line (blanks before it allowed).
    ///
    /// A document that is not closed reaches to the end of the stream.
    pub fn xml_documents(&self, roots: &[&str]) -> Vec<Document<'_>> {
        let body = self.body();
        let mut documents = Vec::new();
        let mut from = 0;
        for line in self.lines() {
            let text = line.text.trim_start();
            let start = self.start_of(&line) + (line.text.len() - text.len());
            if start < from || !text.starts_with('<') {
                continue;
            }
            let Some(root) = xml_root(&body[start..]).filter(|root| roots.contains(root)) else { continue };
            let closing = format!("</{root}>");
            let end = body[start..]
                .find(&closing)
                .map_or_else(|| empty_root_end(&body[start..], root), |at| Some(at + closing.len()));
            let end = start + end.unwrap_or(body.len() - start);
            documents.push(self.document(start, end, line.number));
            from = end;
        }
        documents
    }

    /// Every JSON object or array that begins at the start of a line, is valid as a whole, and holds `needle`.
    pub fn json_documents(&self, needle: &str) -> Vec<(Document<'_>, Json<'_>)> {
        let body = self.body();
        if !self.contains(needle) {
            return Vec::new();
        }
        let mut documents = Vec::new();
        let mut from = 0;
        for line in self.lines() {
            let text = line.text.trim_start();
            let start = self.start_of(&line) + (line.text.len() - text.len());
            if start < from || !text.starts_with(['{', '[']) {
                continue;
            }
            if let Some((value, length)) = Json::read(&body[start..]) {
                let end = start + length;
                from = end;
                if body[start..end].contains(needle) {
                    documents.push((self.document(start, end, line.number), value));
                }
            }
        }
        documents
    }

    fn document(&self, start: usize, end: usize, first: u32) -> Document<'_> {
        let text = &self.body()[start..end];
        let height = memchr::memchr_iter(b'\n', text.trim_end().as_bytes()).count();
        Document { text, first, last: first.saturating_add(u32::try_from(height).unwrap_or(u32::MAX)) }
    }
}

/// Name of the root element, behind an XML declaration, comments, processing instructions and a document type.
fn xml_root(text: &str) -> Option<&str> {
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        rest = if let Some(after) = rest.strip_prefix("<?") {
            after.split_once("?>")?.1
        } else if let Some(after) = rest.strip_prefix("<!--") {
            after.split_once("-->")?.1
        } else if let Some(after) = rest.strip_prefix("<!DOCTYPE") {
            after.split_once('>')?.1
        } else {
            let name = rest.strip_prefix('<')?;
            let end = name.find(|symbol: char| symbol.is_whitespace() || matches!(symbol, '>' | '/'))?;
            return Some(&name[..end]);
        };
    }
}

/// Where a root without content ends: `<testsuites/>`.
fn empty_root_end(text: &str, root: &str) -> Option<usize> {
    let start = text.find(&format!("<{root}"))?;
    let end = start + text[start..].find('>')?;
    text[..end].ends_with('/').then_some(end + 1)
}

#[cfg(test)]
mod tests {
    use super::Document;

    #[test]
    fn a_member_is_quoted_with_its_line() {
        let document = Document { text: "{\n \"a\": 1,\n \"b\": 2\n}", first: 7, last: 10 };
        let quote = document.quote("b");
        assert_eq!((quote.line, quote.text.as_str()), (9, "\"b\": 2"));
        assert_eq!(document.quote("c").line, 7);
    }
}
