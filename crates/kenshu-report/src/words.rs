//! The words of the terminal output in five languages. Reason messages stand in the reason table of `kenshu-model`.

pub mod commands;

use kenshu_model::{Count, Exit, Lang, Outcome, Reason, Tally};

pub use kenshu_model::message::{Phrase, filled};

/// Labels of the rows.
pub const CLAIMED: Phrase = ["claimed", "申告", "주장", "申報", "申报"];
/// Label of what was counted.
pub const COUNTED: Phrase = ["counted", "実測", "실측", "實測", "实测"];
/// Label of an accepted verdict.
pub const OK: Phrase = ["ok", "合格", "합격", "驗收", "验收"];
/// Label of a rejected verdict.
pub const REJECTED: Phrase = ["REJECTED", "不合格", "불합격", "不驗收", "不验收"];
/// Label of a verdict that verified nothing.
pub const NOT_VERIFIED: Phrase = ["NOT VERIFIED", "未確認", "미확인", "未驗證", "未验证"];
/// Label of a verdict without a finished run.
pub const NOT_RUN: Phrase = ["NOT RUN", "未実行", "미실행", "未執行", "未运行"];
/// Outcome labels of `count`.
pub const PASSED: Phrase = ["PASSED", "合格", "통과", "通過", "通过"];
/// See [`PASSED`].
pub const FAILED: Phrase = ["FAILED", "失敗", "실패", "失敗", "失败"];
/// See [`PASSED`].
pub const NOTHING_RAN: Phrase =
    ["NOTHING RAN", "何も走らず", "실행 없음", "未執行任何測試", "未运行任何测试"];
/// See [`PASSED`].
pub const COULD_NOT_RUN: Phrase = ["COULD NOT RUN", "走らせられず", "실행 불가", "無法執行", "无法运行"];
/// See [`PASSED`].
pub const CANNOT_TELL: Phrase = ["CANNOT TELL", "判定不能", "판정 불가", "無法判定", "无法判定"];
/// Beside an accepted verdict whose numbers are equal.
pub const MATCHES: Phrase = ["the claim holds", "申告どおり", "주장과 같음", "與申報相符", "与申报相符"];
/// Label of the base that failed before.
pub const BEFORE: Phrase = ["fails before", "以前から失敗", "이전부터 실패", "先前即失敗", "先前即失败"];
/// Where several lines were left out.
pub const MORE: Phrase = ["{n} more", "ほか{n}件", "외 {n}건", "另有 {n} 項", "另有 {n} 项"];
/// Why a test is said to be hollow, by the word in JSON.
const HOLLOW: [(&str, Phrase); 4] = [
    (
        "file_level",
        [
            "a whole file counted as one test",
            "ファイル全体が1件のテストとして数えられた",
            "파일 전체가 테스트 1개로 집계됨",
            "整個檔案被算作一項測試",
            "整个文件被算作一项测试",
        ],
    ),
    (
        "no_assertion",
        [
            "checks nothing",
            "何も確かめていない",
            "아무것도 확인하지 않음",
            "沒有檢查任何東西",
            "没有检查任何东西",
        ],
    ),
    ("cannot_fail", ["cannot fail", "失敗しようがない", "실패할 수 없음", "不可能失敗", "不可能失败"]),
    (
        "never_reached",
        [
            "its checks are never reached",
            "検査に到達しない",
            "검사에 도달하지 않음",
            "檢查永遠不會執行",
            "检查永远不会执行",
        ],
    ),
];
/// The way out of a changed ruler that is pinned.
pub const PIN_IT: Phrase = [
    "if this is wanted, pin it: kenshu trust",
    "意図した変更なら固定する: kenshu trust",
    "의도한 변경이면 고정: kenshu trust",
    "若為預期的變更，請固定：kenshu trust",
    "若为预期的变更，请固定：kenshu trust",
];
/// The way out of a changed ruler that is compared with the base.
pub const ACCEPT_IT: Phrase = [
    "if this is wanted: --accept-ruler {0}",
    "意図した変更なら: --accept-ruler {0}",
    "의도한 변경이면: --accept-ruler {0}",
    "若為預期的變更：--accept-ruler {0}",
    "若为预期的变更：--accept-ruler {0}",
];
/// A pass whose number is not known.
const UNCOUNTED: Phrase =
    ["a pass without a count", "件数の無い合格", "건수 없는 통과", "沒有數量的通過", "没有数量的通过"];
/// In place of the numbers: nothing was printed.
pub const EMPTY: Phrase = [
    "nothing to read: empty",
    "空で、読むものが無い",
    "비어 있어 읽을 것이 없음",
    "空的，沒有內容可讀",
    "空的，没有内容可读",
];
/// No number is known, and no pass.
const NO_NUMBERS: Phrase = ["no count", "件数なし", "개수 없음", "沒有數量", "没有数量"];
const TOTAL: Phrase = ["of {n}", "全{n}", "전체 {n}", "共 {n}", "共 {n}"];

/// How many of [`PARTS`] count tests; the others count what is none, or say it again.
const CASES: usize = 7;

const PARTS: [Phrase; 9] = [
    ["{n} passed", "合格{n}", "통과 {n}", "通過 {n}", "通过 {n}"],
    ["{n} failed", "失敗{n}", "실패 {n}", "失敗 {n}", "失败 {n}"],
    ["{n} errored", "エラー{n}", "오류 {n}", "錯誤 {n}", "错误 {n}"],
    ["{n} skipped", "スキップ{n}", "건너뜀 {n}", "略過 {n}", "跳过 {n}"],
    ["{n} todo", "todo {n}", "todo {n}", "todo {n}", "todo {n}"],
    ["{n} expected to fail", "失敗予定{n}", "예상된 실패 {n}", "預期失敗 {n}", "预期失败 {n}"],
    ["{n} unexpectedly passed", "予定外の合格{n}", "예상 밖 통과 {n}", "意外通過 {n}", "意外通过 {n}"],
    ["{n} did not load", "読み込み失敗{n}", "로드 실패 {n}", "載入失敗 {n}", "加载失败 {n}"],
    ["{n} cached", "キャッシュ{n}", "캐시 {n}", "快取 {n}", "缓存 {n}"],
];

/// A phrase with its number filled in.
pub fn with_number(phrase: &Phrase, lang: Lang, number: u64) -> String {
    lang.pick(phrase).replace("{n}", &number.to_string())
}

/// The reason's message, its numbers filled in; what is not known is shown as `?`.
pub fn message(
    reason: Reason,
    lang: Lang,
    claimed: Option<u64>,
    measured: Option<u64>,
    exit: Option<Exit>,
) -> String {
    let number = |number: Option<u64>| number.map_or_else(|| "?".to_owned(), |number| number.to_string());
    let exit = match exit {
        Some(Exit::Code(code)) => code.to_string(),
        Some(Exit::Signal(signal)) => format!("signal {signal}"),
        Some(Exit::TimedOut { after_s }) => format!("{after_s} s"),
        None => "?".to_owned(),
    };
    reason
        .message(lang)
        .replace("{claimed}", &number(claimed))
        .replace("{measured}", &number(measured))
        .replace("{exit}", &exit)
}

/// `141 passed, 1 failed, 3 skipped of 145`. Parts that are 0 or not known are left out, passed and failed are not.
pub fn tally(count: &Count, lang: Lang) -> String {
    let Some(numbers) = numbers(&count.tally, lang) else {
        let phrase = if count.outcome == Outcome::Passed { &UNCOUNTED } else { &NO_NUMBERS };
        return lang.pick(phrase).to_owned();
    };
    match count.tally.total() {
        Some(total) => format!("{numbers}   {}", with_number(&TOTAL, lang, total)),
        None => numbers,
    }
}

/// `141 passed, 1 failed`; `None`: neither of the two is known.
pub fn numbers(tally: &Tally, lang: Lang) -> Option<String> {
    tally.passed.or(tally.failed)?;
    let parts: Vec<String> = by_part(tally)
        .into_iter()
        .enumerate()
        .filter_map(|(index, (number, phrase))| {
            number.filter(|number| *number > 0 || index < 2).map(|number| with_number(phrase, lang, number))
        })
        .collect();
    Some(parts.join(comma(lang)))
}

/// The numbers of the tests that are not 0, each with its word.
pub fn parts(tally: &Tally, lang: Lang) -> Vec<String> {
    let known = by_part(tally).into_iter().take(CASES).filter_map(|(number, phrase)| Some((number?, phrase)));
    known
        .filter(|(number, _)| *number > 0)
        .map(|(number, phrase)| with_number(phrase, lang, number))
        .collect()
}

fn by_part(tally: &Tally) -> [(Option<u64>, &'static Phrase); 9] {
    let numbers = [
        tally.passed,
        tally.failed,
        tally.errored,
        tally.skipped,
        tally.todo,
        tally.expected_failures,
        tally.unexpected_passes,
        tally.load_errors,
        tally.cached,
    ];
    std::array::from_fn(|index| (numbers[index], &PARTS[index]))
}

/// What stands between the parts of a list.
pub fn comma(lang: Lang) -> &'static str {
    match lang {
        Lang::En | Lang::Ko => ", ",
        Lang::Ja | Lang::ZhTw | Lang::ZhCn => "、",
    }
}

/// Why a test is hollow.
pub fn hollow(why: &str, lang: Lang) -> &str {
    HOLLOW.iter().find(|(word, _)| *word == why).map_or(why, |(_, phrase)| lang.pick(phrase))
}

/// The label of an outcome.
pub fn outcome(outcome: Outcome) -> &'static Phrase {
    match outcome {
        Outcome::Passed => &PASSED,
        Outcome::Failed => &FAILED,
        Outcome::NothingRan => &NOTHING_RAN,
        Outcome::CouldNotRun => &COULD_NOT_RUN,
        Outcome::Unknown => &CANNOT_TELL,
    }
}
