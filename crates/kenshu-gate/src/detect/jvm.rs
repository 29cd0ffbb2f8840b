//! Java, Kotlin and Scala: Maven, Gradle, sbt, by the wrapper where there is one.

use super::ecosystem::{Ecosystem, suite};
use super::folder::Folder;
use super::{Basis, Suite};

pub(super) const ECOSYSTEM: Ecosystem =
    Ecosystem { id: "jvm", looked_for: "pom.xml, build.gradle, build.sbt", look, sweeps };

fn look(folder: &Folder<'_>) -> Vec<Suite> {
    let gradle = ["build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts"];
    let own_or = |wrapper: &'static str, program: &'static str| {
        if folder.has(wrapper.trim_start_matches("./")) { wrapper } else { program }
    };
    let (argv, source) = if folder.has("pom.xml") {
        (vec![own_or("./mvnw", "mvn"), "-B", "test"], "pom.xml")
    } else if let Some(file) = folder.first_of(&gradle) {
        (vec![own_or("./gradlew", "gradle"), "test"], file)
    } else if folder.has("build.sbt") {
        (vec!["sbt", "test"], "build.sbt")
    } else {
        return Vec::new();
    };
    let is_tested = folder.files(9, &[]).iter().any(|file| {
        (file.starts_with("src/") || file.contains("/src/"))
            && file.to_ascii_lowercase().contains("test/")
            && [".java", ".kt", ".kts", ".groovy", ".scala"].iter().any(|ending| file.ends_with(ending))
    });
    let basis = if is_tested { Basis::Tests } else { Basis::Convention };
    vec![suite(folder, &argv, source.to_owned(), basis)]
}

/// A build reaches its modules; one with settings or a wrapper of its own is another build.
fn sweeps(outer: &Folder<'_>, inner: &Folder<'_>) -> bool {
    if inner.has("pom.xml") && outer.has("pom.xml") {
        let path = inner.path.strip_prefix(&outer.path).unwrap_or(&inner.path).trim_start_matches('/');
        let first = path.split('/').next().unwrap_or(path);
        return outer.read("pom.xml").is_some_and(|text| {
            text.contains(&format!("<module>{path}</module>"))
                || text.contains(&format!("<module>{first}</module>"))
        });
    }
    !["settings.gradle", "settings.gradle.kts", "gradlew", "pom.xml"].iter().any(|file| inner.has(file))
}

#[cfg(test)]
mod tests {
    use super::super::ecosystem::examples::check;

    #[test]
    fn the_wrapper_is_taken_and_modules_are_reached() {
        check(&[("pom.xml", "")], &[(".", "mvn -B test", Some("surefire"))]);
        check(
            &[("pom.xml", "<module>a</module>"), ("mvnw", ""), ("a/pom.xml", ""), ("tool/pom.xml", "")],
            &[(".", "./mvnw -B test", Some("surefire")), ("tool", "mvn -B test", Some("surefire"))],
        );
        check(
            &[("settings.gradle.kts", ""), ("gradlew", ""), ("app/build.gradle.kts", "")],
            &[(".", "./gradlew test", Some("gradle"))],
        );
        check(&[("android/build.gradle", "")], &[("android", "gradle test", Some("gradle"))]);
        check(&[("build.sbt", "")], &[(".", "sbt test", None)]);
    }
}
