//! Ruby: RSpec, Rails, Rake and plain Minitest.

use super::ecosystem::{Ecosystem, reaches_none, suite};
use super::folder::Folder;
use super::{Basis, Suite};

pub(super) const ECOSYSTEM: Ecosystem = Ecosystem {
    id: "ruby",
    looked_for: "spec/*_spec.rb, bin/rails with test/, a Rakefile `test` task",
    look,
    sweeps: reaches_none,
};

fn look(folder: &Folder<'_>) -> Vec<Suite> {
    let is_project = ["Gemfile", "Rakefile", "gems.rb", ".rspec"].iter().any(|file| folder.has(file))
        || folder.entries().iter().any(|entry| entry.name.ends_with(".gemspec"))
        || folder.path.is_empty();
    if !is_project {
        return Vec::new();
    }
    let files = folder.files(5, &["Gemfile"]);
    let has = |inside: &str, ending: &str| {
        files.iter().any(|file| file.starts_with(inside) && file.ends_with(ending))
    };
    let bundled = folder.has("Gemfile") || folder.has("gems.rb");
    let with_bundle = |words: &[&str]| -> Vec<String> {
        let front: &[&str] = if bundled { &["bundle", "exec"] } else { &[] };
        front.iter().chain(words).map(|word| (*word).to_owned()).collect()
    };
    let mut suites = Vec::new();
    if has("spec/", "_spec.rb") {
        let source = if folder.has(".rspec") { ".rspec" } else { "spec/" };
        suites.push(suite(folder, &with_bundle(&["rspec"]), source.to_owned(), Basis::Tests));
    }
    let in_test = has("test/", "_test.rb")
        || files
            .iter()
            .any(|file| file.starts_with("test/") && file.contains("/test_") && file.ends_with(".rb"));
    let rake = folder.read("Rakefile").unwrap_or_default();
    let has_task = ["TestTask", "task :test", "task test:", "task(:test", "Minitest::TestTask"]
        .iter()
        .any(|mark| rake.contains(mark));
    if in_test && folder.has("bin/rails") {
        suites.push(suite(folder, &["bin/rails", "test"], "bin/rails".to_owned(), Basis::Tests));
    } else if has_task && (in_test || suites.is_empty()) {
        suites.push(suite(
            folder,
            &with_bundle(&["rake", "test"]),
            "Rakefile test".to_owned(),
            Basis::Declared,
        ));
    } else if in_test {
        let load = "Dir[\"./test/**/{test_*,*_test}.rb\"].sort.each { |file| require file }";
        let argv = with_bundle(&["ruby", "-Ilib", "-Itest", "-e", load]);
        let mut found = suite(folder, &argv, "test/".to_owned(), Basis::Tests);
        found.runner = Some("minitest");
        suites.push(found);
    }
    suites
}

#[cfg(test)]
mod tests {
    use super::super::ecosystem::examples::check;

    #[test]
    fn each_layout_has_its_command() {
        let gemfile = ("Gemfile", "");
        check(&[gemfile, ("spec/a_spec.rb", "")], &[(".", "bundle exec rspec", Some("rspec"))]);
        check(&[("spec/a_spec.rb", "")], &[(".", "rspec", Some("rspec"))]);
        check(
            &[gemfile, ("bin/rails", ""), ("test/models/a_test.rb", "")],
            &[(".", "bin/rails test", Some("minitest"))],
        );
        check(
            &[gemfile, ("Rakefile", "Rake::TestTask.new(:test)"), ("test/test_a.rb", "")],
            &[(".", "bundle exec rake test", Some("minitest"))],
        );
        check(&[gemfile], &[]);
    }
}
