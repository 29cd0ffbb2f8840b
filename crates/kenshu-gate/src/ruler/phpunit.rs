//! PHPUnit: its XML configuration.

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::config::{Family, File};
use super::settings::unread;
use super::{Fact, Kind};

pub(super) const FAMILY: Family =
    Family { runners: &["phpunit", "pest", "php", "artisan"], is_mine, facts: read };

fn is_mine(name: &str) -> bool {
    matches!(name, "phpunit.xml" | "phpunit.xml.dist" | "phpunit.dist.xml")
}

fn read(file: &File<'_>) -> Vec<Fact> {
    let mut reader = Reader::from_str(file.text);
    let mut facts = Vec::new();
    let mut open: Vec<String> = Vec::new();
    loop {
        match reader.read_event() {
            Ok(Event::Start(tag)) => {
                of_tag(file, &open, &tag, &mut facts);
                open.push(name_of(&tag));
            }
            Ok(Event::Empty(tag)) => of_tag(file, &open, &tag, &mut facts),
            Ok(Event::End(_)) => {
                open.pop();
            }
            Ok(Event::Text(text)) => {
                let value = text.trim().to_owned();
                if !value.is_empty() {
                    of_text(file, &open, &value, &mut facts);
                }
            }
            Ok(Event::Eof) => return facts,
            Ok(
                Event::CData(_)
                | Event::Comment(_)
                | Event::Decl(_)
                | Event::PI(_)
                | Event::DocType(_)
                | Event::GeneralRef(_),
            ) => {}
            Err(_) => return vec![unread(file.path, "unread", file.text)],
        }
    }
}

fn name_of(tag: &BytesStart<'_>) -> String {
    tag.name().as_ref().to_owned()
}

fn fact(file: &File<'_>, key: &str, value: &str, kind: Kind) -> Fact {
    Fact { file: file.path.to_owned(), key: key.to_owned(), value: value.to_owned(), kind }
}

fn of_tag(file: &File<'_>, open: &[String], tag: &BytesStart<'_>, facts: &mut Vec<Fact>) {
    let name = name_of(tag);
    for attribute in tag.attributes().flatten() {
        let key = attribute.key.as_ref().to_owned();
        let value = attribute.value.clone().into_owned();
        match (name.as_str(), key.as_str(), value.as_str()) {
            ("phpunit", key, "true") if key.starts_with("failOn") => {
                facts.push(fact(file, key, "true", Kind::Strict));
            }
            ("phpunit", key, "true") if key.starts_with("stopOn") || key.starts_with("doNotFailOn") => {
                facts.push(fact(file, key, "true", Kind::Narrows));
            }
            ("phpunit", "defaultTestSuite", value) => {
                facts.push(fact(file, "defaultTestSuite", value, Kind::Includes));
            }
            ("phpunit", key, "true") if key.starts_with("ignore") => {
                facts.push(fact(file, key, "true", Kind::Narrows));
            }
            ("testsuite", "name", value) if open.iter().any(|tag| tag == "testsuites") => {
                facts.push(fact(file, "testsuite", value, Kind::Includes));
            }
            ("directory", "suffix", value) if open.iter().any(|tag| tag == "testsuite") => {
                facts.push(fact(file, "testsuite suffix", value, Kind::Includes));
            }
            _ => {}
        }
    }
}

fn of_text(file: &File<'_>, open: &[String], value: &str, facts: &mut Vec<Fact>) {
    let inside = |name: &str| open.iter().any(|tag| tag == name);
    let last = open.last().map_or("", String::as_str);
    match last {
        "directory" | "file" if inside("testsuite") => {
            facts.push(fact(file, "testsuite path", value, Kind::Includes));
        }
        "exclude" if inside("testsuite") => facts.push(fact(file, "testsuite exclude", value, Kind::Narrows)),
        "group" if inside("groups") && inside("exclude") => {
            facts.push(fact(file, "groups exclude", value, Kind::Narrows));
        }
        "group" if inside("groups") && inside("include") => {
            facts.push(fact(file, "groups include", value, Kind::Includes));
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::super::examples::{narrows, same, widens};

    #[track_caller]
    fn config(before: &str, after: &str) {
        let (command, file) = ("vendor/bin/phpunit", "phpunit.xml");
        narrows(command, &[(file, before)], &[(file, after)]);
        widens(command, &[(file, after)], &[(file, before)]);
    }

    #[test]
    fn each_setting_narrows() {
        let suite = |inner: &str| {
            format!("<phpunit><testsuites><testsuite name='a'>{inner}</testsuite></testsuites></phpunit>")
        };
        let both = "<directory>a</directory><directory>b</directory>";
        config(&suite(both), &suite("<directory>a</directory>"));
        config(&suite(both), &suite(&format!("{both}<exclude>a/x.php</exclude>")));
        config("<phpunit failOnWarning='true'/>", "<phpunit/>");
        config("<phpunit/>", "<phpunit stopOnFailure='true'/>");
        config("<phpunit/>", "<phpunit defaultTestSuite='unit'/>");
        config("<phpunit/>", "<phpunit ignoreDeprecations='true'/>");
        let groups = |inner: &str| format!("<phpunit><groups>{inner}</groups></phpunit>");
        config(&groups(""), &groups("<exclude><group>slow</group></exclude>"));
        config(&groups(""), &groups("<include><group>fast</group></include>"));
    }

    #[test]
    fn a_reformatted_file_is_no_change() {
        same(
            "phpunit",
            &[("phpunit.xml", "<phpunit failOnRisky='true' stopOnError='true'/>")],
            &[(
                "phpunit.xml",
                "<?xml version=\"1.0\"?>\n<!-- c -->\n<phpunit\n stopOnError=\"true\"\n failOnRisky=\"true\"></phpunit>\n",
            )],
        );
    }
}
