//! .NET: `dotnet test` for a solution, or for each test project where there is none.

use super::ecosystem::{Ecosystem, reaches_all, suite};
use super::folder::Folder;
use super::{Basis, Suite};

pub(super) const ECOSYSTEM: Ecosystem =
    Ecosystem { id: "dotnet", looked_for: "*.sln or *.csproj with a test SDK", look, sweeps: reaches_all };

fn look(folder: &Folder<'_>) -> Vec<Suite> {
    let ends = |name: &str, endings: &[&str]| endings.iter().any(|ending| name.ends_with(ending));
    let here = |endings: &[&str]| -> Vec<String> {
        folder
            .entries()
            .iter()
            .filter(|entry| !entry.is_folder && ends(&entry.name, endings))
            .map(|entry| entry.name.clone())
            .collect()
    };
    let solutions = here(&[".sln", ".slnx"]);
    let projects = here(&[".csproj", ".fsproj", ".vbproj"]);
    if solutions.is_empty() && projects.is_empty() && !folder.path.is_empty() {
        return Vec::new();
    }
    let tested: Vec<String> = folder
        .files(4, &[])
        .into_iter()
        .filter(|file| ends(file, &[".csproj", ".fsproj", ".vbproj"]))
        .filter(|file| folder.read(file).is_some_and(|text| is_test_project(&text)))
        .collect();
    match (solutions.as_slice(), tested.as_slice()) {
        (_, []) => Vec::new(),
        ([only], _) if projects.is_empty() => {
            vec![suite(folder, &["dotnet", "test"], only.clone(), Basis::Tests)]
        }
        ([first, ..], _) => {
            vec![suite(folder, &["dotnet", "test", first.as_str()], first.clone(), Basis::Tests)]
        }
        ([], tested) => tested
            .iter()
            .map(|file| suite(folder, &["dotnet", "test", file.as_str()], file.clone(), Basis::Tests))
            .collect(),
    }
}

fn is_test_project(text: &str) -> bool {
    ["Microsoft.NET.Test.Sdk", "<IsTestProject>true", "MSTest.Sdk", "TUnit", "xunit.v3", "Expecto"]
        .iter()
        .any(|mark| text.contains(mark))
}

#[cfg(test)]
mod tests {
    use super::super::ecosystem::examples::check;

    #[test]
    fn a_solution_or_its_test_projects() {
        let tests = ("tests/App.Tests/App.Tests.csproj", "Microsoft.NET.Test.Sdk");
        let app = ("src/App/App.csproj", "<Project/>");
        check(&[("App.sln", ""), app, tests], &[(".", "dotnet test", Some("dotnet-test"))]);
        check(&[app, tests], &[(".", "dotnet test tests/App.Tests/App.Tests.csproj", Some("dotnet-test"))]);
        check(&[("App.sln", ""), app], &[]);
        check(&[("A.sln", ""), ("B.sln", ""), tests], &[(".", "dotnet test A.sln", Some("dotnet-test"))]);
    }
}
