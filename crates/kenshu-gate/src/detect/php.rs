//! PHP: Composer's `test` script, Laravel, Pest and PHPUnit.

use super::ecosystem::{Ecosystem, reaches_none, suite};
use super::folder::Folder;
use super::tasks::{Tool, find};
use super::{Basis, Suite};

pub(super) const ECOSYSTEM: Ecosystem = Ecosystem {
    id: "php",
    looked_for: "a composer.json `test` script, phpunit.xml, Pest",
    look,
    sweeps: reaches_none,
};

fn look(folder: &Folder<'_>) -> Vec<Suite> {
    let declared = find(folder, Tool::Composer, "test").is_some_and(|script| !script.steps.is_empty());
    if declared {
        return vec![suite(
            folder,
            &["composer", "test"],
            "composer.json scripts.test".to_owned(),
            Basis::Declared,
        )];
    }
    let composer = folder.read("composer.json").unwrap_or_default();
    let config = folder.first_of(&["phpunit.xml", "phpunit.xml.dist", "phpunit.dist.xml"]);
    let requires = |package: &str| composer.contains(&format!("\"{package}\""));
    let argv: &[&str] = if requires("pestphp/pest") && config.is_some() {
        &["vendor/bin/pest"]
    } else if config.is_some() && folder.has("artisan") {
        &["php", "artisan", "test"]
    } else if config.is_some() || (requires("phpunit/phpunit") && folder.has_folder("tests")) {
        // Symfony keeps PHPUnit behind its bridge.
        if folder.has("bin/phpunit") { &["bin/phpunit"] } else { &["vendor/bin/phpunit"] }
    } else {
        return Vec::new();
    };
    vec![suite(folder, argv, config.unwrap_or("composer.json").to_owned(), Basis::Tests)]
}

#[cfg(test)]
mod tests {
    use super::super::ecosystem::examples::check;

    #[test]
    fn the_script_comes_before_the_configuration() {
        let config = ("phpunit.xml", "<phpunit/>");
        check(&[config], &[(".", "vendor/bin/phpunit", Some("phpunit"))]);
        check(
            &[config, ("composer.json", r#"{"scripts":{"test":["@lint","phpunit"],"lint":"pint"}}"#)],
            &[(".", "composer test", Some("phpunit"))],
        );
        check(
            &[config, ("composer.json", r#"{"require-dev":{"pestphp/pest":"3"}}"#)],
            &[(".", "vendor/bin/pest", None)],
        );
        check(&[config, ("artisan", "")], &[(".", "php artisan test", None)]);
        check(&[("composer.json", "{}")], &[]);
    }
}
