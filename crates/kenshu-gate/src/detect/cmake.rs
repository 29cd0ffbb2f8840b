//! C and C++: CTest, where a build folder was configured.

use super::ecosystem::{Ecosystem, reaches_all, suite};
use super::folder::Folder;
use super::{Basis, Suite};

pub(super) const ECOSYSTEM: Ecosystem = Ecosystem {
    id: "cmake",
    looked_for: "a CMake build folder with CTestTestfile.cmake (made by `cmake -B build`)",
    look,
    sweeps: reaches_all,
};

fn look(folder: &Folder<'_>) -> Vec<Suite> {
    if !folder.has("CMakeLists.txt") {
        return Vec::new();
    }
    build_folder(folder)
        .map(|build| {
            let argv = ["ctest", "--test-dir", build.as_str(), "--output-on-failure"];
            suite(folder, &argv, "CMakeLists.txt".to_owned(), Basis::Tests)
        })
        .into_iter()
        .collect()
}

fn build_folder(folder: &Folder<'_>) -> Option<String> {
    let is_built = |path: &str| folder.list(path).iter().any(|entry| entry.name == "CTestTestfile.cmake");
    let outer: Vec<String> = folder
        .entries()
        .iter()
        .filter(|entry| entry.is_folder)
        .map(|entry| entry.name.clone())
        .filter(|name| name == "out" || name == "_build" || name.to_ascii_lowercase().contains("build"))
        .collect();
    let by_preference = outer.iter().filter(|name| *name == "build").chain(outer.iter());
    by_preference.clone().find(|name| is_built(name)).cloned().or_else(|| {
        // Presets put each configuration into a folder of its own.
        by_preference
            .flat_map(|name| folder.list(name).into_iter().map(move |entry| format!("{name}/{}", entry.name)))
            .find(|path| is_built(path))
    })
}

#[cfg(test)]
mod tests {
    use super::super::ecosystem::examples::check;

    #[test]
    fn only_a_configured_build_folder_is_run() {
        let lists = ("CMakeLists.txt", "enable_testing()");
        check(&[lists], &[]);
        check(
            &[lists, ("build/CTestTestfile.cmake", "")],
            &[(".", "ctest --test-dir build --output-on-failure", Some("ctest"))],
        );
        check(
            &[lists, ("out/debug/CTestTestfile.cmake", "")],
            &[(".", "ctest --test-dir out/debug --output-on-failure", Some("ctest"))],
        );
    }
}
