//! .NET: filters in `*.runsettings`, and projects that are no test projects any more.

use std::sync::LazyLock;

use regex::Regex;

use super::config::{Family, File};
use super::{Fact, Kind};

pub(super) const FAMILY: Family = Family { runners: &["dotnet-test"], is_mine, facts: read };

fn is_mine(name: &str) -> bool {
    [".runsettings", ".csproj", ".fsproj", ".vbproj", ".props"].iter().any(|ending| name.ends_with(ending))
}

fn read(file: &File<'_>) -> Vec<Fact> {
    static SIGNS: LazyLock<Vec<(Regex, &'static str, Kind)>> = LazyLock::new(|| {
        [
            (r"<TestCaseFilter>\s*([^<]+?)\s*</", "TestCaseFilter", Kind::Narrows),
            (r"<TreatNoTestsAsError>\s*(true)\s*</", "TreatNoTestsAsError", Kind::Strict),
            (r"<IsTestProject>\s*(false)\s*</", "IsTestProject", Kind::Narrows),
            (r"<VSTestTestCaseFilter>\s*([^<]+?)\s*</", "VSTestTestCaseFilter", Kind::Narrows),
            (r#"<Compile\s+Remove="([^"]+)""#, "Compile Remove", Kind::Narrows),
            (r#"<PackageReference\s+Include="(Microsoft\.NET\.Test\.Sdk)""#, "test SDK", Kind::Strict),
        ]
        .into_iter()
        .map(|(pattern, key, kind)| {
            (Regex::new(pattern).expect("the pattern is fixed and tested"), key, kind)
        })
        .collect()
    });
    SIGNS
        .iter()
        .flat_map(|(sign, key, kind)| {
            sign.captures_iter(file.text).map(|found| Fact {
                file: file.path.to_owned(),
                key: (*key).to_owned(),
                value: found[1].to_owned(),
                kind: *kind,
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::examples::{narrows, widens};

    #[test]
    fn each_setting_narrows() {
        for (file, before, after) in [
            ("a.runsettings", "<RunConfiguration/>", "<TestCaseFilter>Category!=Slow</TestCaseFilter>"),
            ("a.runsettings", "<TreatNoTestsAsError>true</TreatNoTestsAsError>", "<RunConfiguration/>"),
            ("T.csproj", "<Project/>", "<IsTestProject>false</IsTestProject>"),
            ("T.csproj", "<Project/>", "<Compile Remove=\"SlowTests.cs\" />"),
            ("T.csproj", "<PackageReference Include=\"Microsoft.NET.Test.Sdk\" />", "<Project/>"),
        ] {
            narrows("dotnet test", &[(file, before)], &[(file, after)]);
            widens("dotnet test", &[(file, after)], &[(file, before)]);
        }
    }
}
