//! Maven: Surefire's and Failsafe's settings in `pom.xml`.

use quick_xml::Reader;
use quick_xml::events::Event;

use super::config::{Family, File};
use super::settings::unread;
use super::{Fact, Kind};

pub(super) const FAMILY: Family = Family { runners: &["surefire"], is_mine, facts: read };

fn is_mine(name: &str) -> bool {
    name == "pom.xml"
}

fn read(file: &File<'_>) -> Vec<Fact> {
    let mut reader = Reader::from_str(file.text);
    let mut facts = Vec::new();
    let mut open: Vec<String> = Vec::new();
    // A plugin's name stands before its configuration; only the runners' lists are asked for.
    let mut plugin = String::new();
    loop {
        match reader.read_event() {
            Ok(Event::Start(tag)) => open.push(tag.name().as_ref().to_owned()),
            Ok(Event::End(tag)) => {
                if tag.name().as_ref() == "plugin" {
                    plugin.clear();
                }
                open.pop();
            }
            Ok(Event::Text(text)) => {
                let value = text.trim().to_owned();
                let last = open.last().map_or("", String::as_str);
                if last == "artifactId" && open.iter().rev().nth(1).is_some_and(|tag| tag == "plugin") {
                    plugin = value;
                } else if !value.is_empty() {
                    facts.extend(of_text(file, &open, &plugin, &value));
                }
            }
            Ok(Event::Eof) => return facts,
            Ok(
                Event::Empty(_)
                | Event::CData(_)
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

fn of_text(file: &File<'_>, open: &[String], plugin: &str, value: &str) -> Option<Fact> {
    let key = open.last()?.as_str();
    let around = open.iter().rev().nth(1).map_or("", String::as_str);
    let of_runner = plugin.contains("surefire") || plugin.contains("failsafe");
    // A profile is chosen on the command line; its settings keep their place in the key.
    let place = if open.iter().any(|tag| tag == "profile") { "profile " } else { "" };
    let kind = match (key, around) {
        (
            "testFailureIgnore"
            | "skipTests"
            | "skipITs"
            | "maven.test.skip"
            | "maven.test.failure.ignore"
            | "skip",
            _,
        ) if value == "true" && (of_runner || around == "properties") && (key != "skip" || of_runner) => {
            Kind::Narrows
        }
        ("exclude", "excludes") if of_runner => Kind::Narrows,
        ("excludedGroups", _) | ("groups", _) if of_runner => Kind::Narrows,
        ("include", "includes") if of_runner => Kind::Includes,
        ("rerunFailingTestsCount" | "surefire.rerunFailingTestsCount", _) if value != "0" => Kind::AtMost,
        ("failIfNoTests", _) if value == "true" => Kind::Strict,
        ("module", "modules") => Kind::Includes,
        _ => return None,
    };
    Some(Fact { file: file.path.to_owned(), key: format!("{place}{key}"), value: value.to_owned(), kind })
}

#[cfg(test)]
mod tests {
    use super::super::examples::{narrows, widens};

    #[track_caller]
    fn config(before: &str, after: &str) {
        narrows("mvn test", &[("pom.xml", before)], &[("pom.xml", after)]);
        widens("mvn test", &[("pom.xml", after)], &[("pom.xml", before)]);
    }

    #[test]
    fn each_setting_narrows() {
        let plugin = |inner: &str| {
            format!(
                "<project><build><plugins><plugin><artifactId>maven-surefire-plugin</artifactId><configuration>{inner}</configuration></plugin></plugins></build></project>"
            )
        };
        for setting in [
            "<testFailureIgnore>true</testFailureIgnore>",
            "<skipTests>true</skipTests>",
            "<skip>true</skip>",
            "<excludes><exclude>**/SlowTest.java</exclude></excludes>",
            "<excludedGroups>slow</excludedGroups>",
            "<groups>fast</groups>",
            "<includes><include>**/FastTest.java</include></includes>",
            "<rerunFailingTestsCount>2</rerunFailingTestsCount>",
        ] {
            config(&plugin(""), &plugin(setting));
        }
        let properties = |inner: &str| format!("<project><properties>{inner}</properties></project>");
        config(&properties(""), &properties("<maven.test.skip>true</maven.test.skip>"));
        config(&properties(""), &properties("<skipTests>true</skipTests>"));
        config(
            "<project><modules><module>a</module><module>b</module></modules></project>",
            "<project><modules><module>a</module></modules></project>",
        );
        let other = plugin("<skip>true</skip>").replace("surefire", "javadoc");
        widens("mvn test", &[("pom.xml", &plugin(""))], &[("pom.xml", &other)]);
    }
}
