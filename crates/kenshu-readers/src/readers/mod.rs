//! The readers: one file per runner, its samples in the folder beside it.
//!
//! To add one: write the file and its samples, and add its two lines here. `tests/samples.rs` names what is missing.

use crate::command::Invocation;
use crate::reader::Reader;

mod automake;
mod ava;
mod bats;
mod boost_test;
mod bun_test;
mod busted;
mod cargo_nextest;
mod cargo_test;
mod catch2;
mod check;
mod clojure_test;
mod cmocka;
mod cppunit;
mod cpputest;
mod criterion;
mod crystal_spec;
mod ctest;
mod ctrf;
mod cucumber_js;
mod cunit;
mod dejagnu;
mod deno_test;
mod doctest_cpp;
mod dotnet_test;
mod ert;
mod go_test;
mod googletest;
mod gotestsum;
mod gradle;
mod hapi_lab;
mod jasmine;
mod jest;
mod junit_xml;
mod karma;
mod lit;
mod make;
mod meson;
mod minitest;
mod mocha;
mod nim_unittest;
mod no_test;
mod node_tap;
mod node_test;
mod npm;
mod nx;
mod phpunit;
mod playwright;
mod prove;
mod pytest;
mod rackunit;
mod rspec;
mod shell;
mod shunit2;
mod surefire;
mod tap;
mod turborepo;
mod unittest;
mod uvu;
mod vitest;

pub use no_test::{only_prints, runs_no_test, shows_files, takes_lines_away};

/// Every reader, by id. The order decides nothing.
#[rustfmt::skip]
pub const READERS: &[Reader] = &[
    automake::READER,
    ava::READER,
    bats::READER,
    boost_test::READER,
    bun_test::READER,
    busted::READER,
    cargo_nextest::READER,
    cargo_test::READER,
    catch2::READER,
    check::READER,
    clojure_test::READER,
    cmocka::READER,
    cppunit::READER,
    cpputest::READER,
    criterion::READER,
    crystal_spec::READER,
    ctest::READER,
    ctrf::READER,
    cucumber_js::READER,
    cunit::READER,
    dejagnu::READER,
    deno_test::READER,
    doctest_cpp::READER,
    dotnet_test::READER,
    ert::READER,
    go_test::READER,
    googletest::READER,
    gotestsum::READER,
    gradle::READER,
    hapi_lab::READER,
    jasmine::READER,
    jest::READER,
    junit_xml::READER,
    karma::READER,
    lit::READER,
    make::READER,
    meson::READER,
    minitest::READER,
    mocha::READER,
    nim_unittest::READER,
    node_tap::READER,
    node_test::READER,
    npm::READER,
    nx::READER,
    phpunit::READER,
    playwright::READER,
    prove::READER,
    pytest::READER,
    rackunit::READER,
    rspec::READER,
    shell::READER,
    shunit2::READER,
    surefire::READER,
    tap::READER,
    turborepo::READER,
    unittest::READER,
    uvu::READER,
    vitest::READER,
];

/// The reader with this id.
pub fn by_id(id: &str) -> Option<&'static Reader> {
    READERS.iter().find(|reader| reader.id == id)
}

/// The reader whose runner this invocation runs.
pub fn of_invocation(invocation: &Invocation) -> Option<&'static Reader> {
    READERS.iter().find(|reader| reader.is_run_by(invocation))
}
