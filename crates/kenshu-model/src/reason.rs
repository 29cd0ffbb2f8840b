//! Every reason word, once: its command, outcome, exit status and message in five languages.
//!
//! `kenshu explain` prints this table, the renderers take their messages from it, and a test compares it with
//! `docs/contract.md`.

use crate::Lang;

/// Why an outcome or verdict is what it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// Every pass is a whole file counted as one test.
    OnlyFileLevel,
    /// Our time limit, or the command's own, ended the run.
    TimedOut,
    /// A signal or an interruption ended the run.
    Killed,
    /// The shell's 127 or 126: no such command, or not executable.
    CommandNotFound,
    /// The package manager or task runner knows no script of that name.
    NoSuchScript,
    /// The runner was called wrongly.
    UsageError,
    /// Something the runner needs is missing: a browser, a build folder, an interpreter.
    Environment,
    /// The runner ran and found no test.
    ZeroTests,
    /// Every test was skipped, ignored, disabled, pending or still to be written.
    OnlySkipped,
    /// The whole result was replayed from a cache.
    Cached,
    /// The filter or selection matched no test.
    FilterMatchedNothing,
    /// The runner found no test file.
    NoTestFiles,
    /// The run only listed, collected or compiled tests.
    ListOnly,
    /// The command is known to run no test.
    NoTestCommand,
    /// The status is not 0 though nothing is read as failed.
    ExitDisagrees,
    /// No summary that a known runner prints was found.
    NoSummary,
    /// The output is cut, and what is left does not prove the count.
    OutputCut,
    /// The output announces another number of tests than it lists.
    PlanMismatch,
    /// Two readings of the same run give different numbers.
    Ambiguous,
    /// The reporter was loaded and did not finish its report.
    ReportUnfinished,
    /// There is no claim, or none with the whole number that was asked for.
    NoClaim,
    /// The command, its scripts or its configuration are not the trusted ones.
    RulerChanged,
    /// The tests could not be run.
    CouldNotRun,
    /// At least one test, file, suite or build step is read as failed.
    TestsFailed,
    /// A time limit or a signal ended the run.
    DidNotFinish,
    /// Nothing ran, no test passed, or the result cannot be read.
    NothingVerified,
    /// Claimed and measured differ.
    CountMismatch,
    /// Tests that check nothing: all that counted, or a new or changed one.
    HollowTests,
}

/// One row of the reason table.
#[derive(Debug)]
pub struct ReasonEntry {
    /// The reason.
    pub reason: Reason,
    /// The word in JSON.
    pub word: &'static str,
    /// The commands that give it.
    pub commands: &'static str,
    /// The outcome or verdict it stands for.
    pub outcome: &'static str,
    /// The exit status it leads to.
    pub exit: u8,
    /// What it means, in one sentence.
    pub meaning: &'static str,
    /// The message in the order of [`Lang::ALL`]; `{exit}`, `{claimed}` and `{measured}` are filled in.
    pub messages: [&'static str; 5],
}

impl Reason {
    /// This reason's row of the table.
    pub fn entry(self) -> &'static ReasonEntry {
        &REASONS[self as usize]
    }

    /// The word in JSON.
    pub fn word(self) -> &'static str {
        self.entry().word
    }

    /// The message in `lang`, with nothing filled in.
    pub fn message(self, lang: Lang) -> &'static str {
        lang.pick(&self.entry().messages)
    }

    /// The reason with this word.
    pub fn from_word(word: &str) -> Option<Reason> {
        REASONS.iter().find(|entry| entry.word == word).map(|entry| entry.reason)
    }
}

/// Every reason, in the order of [`Reason`].
pub const REASONS: &[ReasonEntry] = &[
    ReasonEntry {
        reason: Reason::OnlyFileLevel,
        word: "only_file_level",
        commands: "count",
        outcome: "passed",
        exit: 0,
        meaning: "Every pass is a whole file counted as one test.",
        messages: [
            "every pass is a whole file counted as one test",
            "合格はすべて、ファイル一つを一件と数えたもの",
            "통과한 것은 모두 파일 하나를 한 건으로 센 것",
            "通過的全是把整個檔案算成一項測試",
            "通过的全是把整个文件算作一项测试",
        ],
    },
    ReasonEntry {
        reason: Reason::TimedOut,
        word: "timed_out",
        commands: "count",
        outcome: "unknown",
        exit: 4,
        meaning: "Our time limit, or the command's own, ended the run.",
        messages: [
            "the time limit ended the run",
            "制限時間で打ち切られた",
            "제한 시간에 걸려 중단됨",
            "執行因逾時而中止",
            "运行因超时而中止",
        ],
    },
    ReasonEntry {
        reason: Reason::Killed,
        word: "killed",
        commands: "count",
        outcome: "unknown",
        exit: 4,
        meaning: "A signal or an interruption ended the run.",
        messages: [
            "the run was stopped from outside",
            "外から止められた",
            "외부에서 중단됨",
            "執行被外部中止",
            "运行被外部中止",
        ],
    },
    ReasonEntry {
        reason: Reason::CommandNotFound,
        word: "command_not_found",
        commands: "count",
        outcome: "could_not_run",
        exit: 4,
        meaning: "The shell's 127 or 126: no such command, or not executable.",
        messages: [
            "command not found or not executable",
            "コマンドが見つからないか、実行できない",
            "명령을 찾을 수 없거나 실행할 수 없음",
            "找不到命令或無法執行",
            "找不到命令或无法执行",
        ],
    },
    ReasonEntry {
        reason: Reason::NoSuchScript,
        word: "no_such_script",
        commands: "count",
        outcome: "could_not_run",
        exit: 4,
        meaning: "The package manager or task runner knows no script of that name.",
        messages: [
            "no script or target of that name",
            "その名前のスクリプトが無い",
            "그런 이름의 스크립트가 없음",
            "沒有這個名稱的腳本",
            "没有这个名称的脚本",
        ],
    },
    ReasonEntry {
        reason: Reason::UsageError,
        word: "usage_error",
        commands: "count",
        outcome: "could_not_run",
        exit: 4,
        meaning: "The runner was called wrongly.",
        messages: [
            "the runner was called wrongly",
            "テストランナーの呼び方が誤っている",
            "테스트 러너를 잘못 호출함",
            "測試執行器的呼叫方式有誤",
            "测试运行器的调用方式有误",
        ],
    },
    ReasonEntry {
        reason: Reason::Environment,
        word: "environment",
        commands: "count",
        outcome: "could_not_run",
        exit: 4,
        meaning: "Something the runner needs is missing: a browser, a build folder, an interpreter.",
        messages: [
            "something the runner needs is missing",
            "ランナーに必要なものが無い",
            "러너에 필요한 것이 없음",
            "缺少執行器所需的東西",
            "缺少运行器所需的东西",
        ],
    },
    ReasonEntry {
        reason: Reason::ZeroTests,
        word: "zero_tests",
        commands: "count",
        outcome: "nothing_ran",
        exit: 3,
        meaning: "The runner ran and found no test.",
        messages: [
            "zero tests ran",
            "走ったテストは0件",
            "실행된 테스트 0건",
            "執行了 0 項測試",
            "运行了 0 项测试",
        ],
    },
    ReasonEntry {
        reason: Reason::OnlySkipped,
        word: "only_skipped",
        commands: "count",
        outcome: "nothing_ran",
        exit: 3,
        meaning: "Every test was skipped, ignored, disabled, pending or still to be written.",
        messages: [
            "every test was skipped",
            "すべてのテストがスキップされた",
            "모든 테스트가 건너뛰어짐",
            "所有測試都被略過",
            "所有测试都被跳过",
        ],
    },
    ReasonEntry {
        reason: Reason::Cached,
        word: "cached",
        commands: "count",
        outcome: "nothing_ran",
        exit: 3,
        meaning: "The whole result was replayed from a cache.",
        messages: [
            "the whole result came from a cache",
            "結果はすべてキャッシュから",
            "결과가 모두 캐시에서 나옴",
            "結果全部來自快取",
            "结果全部来自缓存",
        ],
    },
    ReasonEntry {
        reason: Reason::FilterMatchedNothing,
        word: "filter_matched_nothing",
        commands: "count",
        outcome: "nothing_ran",
        exit: 3,
        meaning: "The filter or selection matched no test.",
        messages: [
            "the filter matched no test",
            "絞り込みに一致するテストが無い",
            "필터에 맞는 테스트가 없음",
            "篩選條件沒有符合的測試",
            "筛选条件没有匹配的测试",
        ],
    },
    ReasonEntry {
        reason: Reason::NoTestFiles,
        word: "no_test_files",
        commands: "count",
        outcome: "nothing_ran",
        exit: 3,
        meaning: "The runner found no test file.",
        messages: [
            "no test file was found",
            "テストファイルが無い",
            "테스트 파일이 없음",
            "找不到測試檔案",
            "找不到测试文件",
        ],
    },
    ReasonEntry {
        reason: Reason::ListOnly,
        word: "list_only",
        commands: "count",
        outcome: "nothing_ran",
        exit: 3,
        meaning: "The run only listed, collected or compiled tests.",
        messages: [
            "tests were only listed, not run",
            "テストを並べただけで、走らせていない",
            "테스트를 나열만 하고 실행하지 않음",
            "只列出測試，沒有執行",
            "只列出测试，没有运行",
        ],
    },
    ReasonEntry {
        reason: Reason::NoTestCommand,
        word: "no_test_command",
        commands: "count",
        outcome: "nothing_ran",
        exit: 3,
        meaning: "The command is known to run no test.",
        messages: [
            "this command runs no test",
            "このコマンドはテストを走らせない",
            "이 명령은 테스트를 실행하지 않음",
            "這個命令不會執行測試",
            "这个命令不会运行测试",
        ],
    },
    ReasonEntry {
        reason: Reason::ExitDisagrees,
        word: "exit_disagrees",
        commands: "count, check, gate",
        outcome: "failed",
        exit: 1,
        meaning: "The status is not 0 though nothing is read as failed.",
        messages: [
            "tests failed (exit status {exit}, no failed test could be read)",
            "テストが失敗した（終了コード{exit}、失敗したテストは読み取れない）",
            "테스트 실패（종료 코드 {exit}, 실패한 테스트는 읽을 수 없음）",
            "測試失敗（結束代碼 {exit}，讀不出失敗的測試）",
            "测试失败（退出码 {exit}，读不出失败的测试）",
        ],
    },
    ReasonEntry {
        reason: Reason::NoSummary,
        word: "no_summary",
        commands: "count",
        outcome: "unknown",
        exit: 3,
        meaning: "No summary that a known runner prints was found.",
        messages: [
            "no test summary that we can read",
            "読み取れる集計行が無い",
            "읽을 수 있는 요약 줄이 없음",
            "沒有可讀取的彙總",
            "没有可读取的汇总",
        ],
    },
    ReasonEntry {
        reason: Reason::OutputCut,
        word: "output_cut",
        commands: "count",
        outcome: "unknown",
        exit: 3,
        meaning: "The output is cut, and what is left does not prove the count.",
        messages: [
            "the output is cut off",
            "出力が途中で切れている",
            "출력이 잘려 있음",
            "輸出被截斷",
            "输出被截断",
        ],
    },
    ReasonEntry {
        reason: Reason::PlanMismatch,
        word: "plan_mismatch",
        commands: "count",
        outcome: "unknown",
        exit: 3,
        meaning: "The output announces another number of tests than it lists.",
        messages: [
            "announced and listed tests differ",
            "予告された件数と並んだ件数が違う",
            "예고된 수와 나열된 수가 다름",
            "宣告的數量與列出的數量不同",
            "声明的数量与列出的数量不同",
        ],
    },
    ReasonEntry {
        reason: Reason::Ambiguous,
        word: "ambiguous",
        commands: "count",
        outcome: "unknown",
        exit: 3,
        meaning: "Two readings of the same run give different numbers.",
        messages: [
            "two readings of this run disagree",
            "二通りの読み取りが食い違う",
            "두 가지 판독 결과가 서로 다름",
            "兩種讀法的結果不一致",
            "两种读法的结果不一致",
        ],
    },
    ReasonEntry {
        reason: Reason::ReportUnfinished,
        word: "report_unfinished",
        commands: "count",
        outcome: "unknown",
        exit: 3,
        meaning: "The reporter was loaded and did not finish its report.",
        messages: [
            "the machine-readable report was started and not finished",
            "機械向けの報告が書きかけのまま終わった",
            "기계용 보고서가 시작되었으나 끝나지 않음",
            "機器可讀的報告已開始但未完成",
            "机器可读的报告已开始但未完成",
        ],
    },
    ReasonEntry {
        reason: Reason::NoClaim,
        word: "no_claim",
        commands: "check",
        outcome: "rejected",
        exit: 1,
        meaning: "There is no claim, or none with the whole number that was asked for.",
        messages: ["no claim", "申告が無い", "보고된 주장이 없음", "沒有申報", "没有申报"],
    },
    ReasonEntry {
        reason: Reason::RulerChanged,
        word: "ruler_changed",
        commands: "check, gate",
        outcome: "rejected",
        exit: 1,
        meaning: "The command, its scripts or its configuration are not the trusted ones.",
        messages: ["the ruler changed", "物差しが変わった", "기준이 바뀌었음", "量尺被改動", "量尺被改动"],
    },
    ReasonEntry {
        reason: Reason::CouldNotRun,
        word: "could_not_run",
        commands: "check, gate",
        outcome: "not run",
        exit: 4,
        meaning: "The tests could not be run.",
        messages: [
            "the tests could not be run",
            "テストを走らせられなかった",
            "테스트를 실행할 수 없었음",
            "無法執行測試",
            "无法运行测试",
        ],
    },
    ReasonEntry {
        reason: Reason::TestsFailed,
        word: "tests_failed",
        commands: "check, gate",
        outcome: "rejected",
        exit: 1,
        meaning: "At least one test, file, suite or build step is read as failed.",
        messages: ["tests failed", "テストが失敗した", "테스트 실패", "測試失敗", "测试失败"],
    },
    ReasonEntry {
        reason: Reason::DidNotFinish,
        word: "did_not_finish",
        commands: "check, gate",
        outcome: "not run",
        exit: 4,
        meaning: "A time limit or a signal ended the run.",
        messages: [
            "the tests did not finish",
            "最後まで走らなかった",
            "테스트가 끝까지 실행되지 않았음",
            "測試沒有執行到最後",
            "测试没有运行到最后",
        ],
    },
    ReasonEntry {
        reason: Reason::NothingVerified,
        word: "nothing_verified",
        commands: "check, gate",
        outcome: "not verified",
        exit: 3,
        meaning: "Nothing ran, no test passed, or the result cannot be read.",
        messages: [
            "nothing was verified",
            "何も確かめていない",
            "아무것도 확인하지 않았음",
            "什麼都沒有驗證",
            "什么都没有验证",
        ],
    },
    ReasonEntry {
        reason: Reason::CountMismatch,
        word: "count_mismatch",
        commands: "check",
        outcome: "rejected",
        exit: 1,
        meaning: "Claimed and measured differ.",
        messages: [
            "claimed {claimed}, measured {measured}",
            "申告と実測の食い違い（申告{claimed}・実測{measured}）",
            "주장과 실측이 다름（주장 {claimed}·실측 {measured}）",
            "申報與實測不符（申報 {claimed}・實測 {measured}）",
            "申报与实测不符（申报 {claimed}・实测 {measured}）",
        ],
    },
    ReasonEntry {
        reason: Reason::HollowTests,
        word: "hollow_tests",
        commands: "check",
        outcome: "rejected",
        exit: 1,
        meaning: "Tests that check nothing: all that counted, or a new or changed one.",
        messages: [
            "hollow tests: they pass whatever the code does",
            "中身の無いテスト",
            "내용이 없는 테스트",
            "空洞的測試",
            "空洞的测试",
        ],
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_the_order_of_the_enum() {
        for (index, entry) in REASONS.iter().enumerate() {
            assert_eq!(entry.reason as usize, index, "{}", entry.word);
            assert_eq!(Reason::from_word(entry.word), Some(entry.reason));
        }
    }

    #[test]
    fn words_are_unique_and_every_language_has_a_message() {
        let words: std::collections::BTreeSet<&str> = REASONS.iter().map(|entry| entry.word).collect();
        assert_eq!(words.len(), REASONS.len());
        for entry in REASONS {
            for message in entry.messages {
                assert!(!message.is_empty(), "{}", entry.word);
            }
        }
    }
}
