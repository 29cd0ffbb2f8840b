//! [`Note`]s in five languages.

use kenshu_model::check::CheckVerdict;
use kenshu_model::note::{Beside, Gap, NoBaseRun, Note, Uncompared};
use kenshu_model::{Lang, Reason, Tally};

use crate::words::{self, Phrase, filled};

/// How many things that were looked for are named; the others are counted.
const NAMED_MAX: usize = 5;

const NOTHING_RUN: Phrase = [
    "not compared: nothing was run",
    "照合せず: 何も走らせていない",
    "대조하지 않음: 아무것도 실행하지 않음",
    "未比對：未執行任何指令",
    "未比对：未运行任何命令",
];
const ASSERTIONS: Phrase = [
    "not compared: a number of assertions",
    "照合せず: アサーションの数",
    "대조하지 않음: 단언의 수",
    "未比對：斷言的數量",
    "未比对：断言的数量",
];
const NO_FILES: Phrase = [
    "not compared: this runner does not count files",
    "照合せず: このランナーはファイル数を数えない",
    "대조하지 않음: 이 러너는 파일 수를 세지 않음",
    "未比對：此測試執行器不計算檔案數",
    "未比对：此测试运行器不统计文件数",
];
const SUBSET: Phrase = [
    "not compared: a subset",
    "照合せず: 一部のテスト",
    "대조하지 않음: 일부 테스트",
    "未比對：部分測試",
    "未比对：部分测试",
];
const PART_OF: Phrase = [
    "not compared: a part of {0}",
    "照合せず: {0}件のうちの一部",
    "대조하지 않음: {0}개 중 일부",
    "未比對：{0} 項中的一部分",
    "未比对：{0} 项中的一部分",
];
const NO_COUNT: Phrase = [
    "no count can be read to compare with",
    "照合できる件数が読み取れない",
    "대조할 개수를 읽을 수 없음",
    "讀不到可供比對的數量",
    "读不到可供比对的数量",
];
const FILES: Phrase = [
    "the runner counts {0} test files, {1} passed",
    "ランナーの数えるテストファイルは{0}、合格は{1}",
    "러너가 센 테스트 파일 {0}개, 통과 {1}개",
    "測試執行器計得 {0} 個測試檔，{1} 個通過",
    "测试运行器计得 {0} 个测试文件，{1} 个通过",
];
const NEW_TESTS: Phrase = [
    "{0} tests are not at the base",
    "基準に無いテストは{0}件",
    "기준에 없는 테스트 {0}개",
    "基準中沒有的測試有 {0} 項",
    "基准中没有的测试有 {0} 项",
];
const NO_BASE: Phrase = [
    "{0}; without a base it is not known whether these are new",
    "{0}。基準が無いため、これらが新しいかは分からない",
    "{0}; 기준이 없어 새것인지 알 수 없음",
    "{0}；沒有基準，無法得知這些是否為新增",
    "{0}；没有基准，无法得知这些是否为新增",
];
const NOT_AT_BASE: Phrase = [
    "{0}; not at the base: {1}",
    "{0}。基準では違う: {1}",
    "{0}; 기준에서는 아님: {1}",
    "{0}；基準中並非如此：{1}",
    "{0}；基准中并非如此：{1}",
];
const UNNAMED: Phrase = [
    "{0}; the runner does not name them, so it is not known whether these are new",
    "{0}。ランナーが名前を出さないため、新しいかは分からない",
    "{0}; 러너가 이름을 알려 주지 않아 새것인지 알 수 없음",
    "{0}；測試執行器未列出名稱，無法得知是否為新增",
    "{0}；测试运行器未列出名称，无法得知是否为新增",
];
const BESIDE: Phrase = [
    "{0}: claimed {1}, counted {2}",
    "{0}: 申告{1}、実測{2}",
    "{0}: 주장 {1}, 실측 {2}",
    "{0}：申報 {1}，實測 {2}",
    "{0}：申报 {1}，实测 {2}",
];
const IN_ALL: Phrase = ["tests in all", "テストの総数", "전체 테스트 수", "測試總數", "测试总数"];
const SKIPPED: Phrase = ["skipped tests", "スキップしたテスト", "건너뛴 테스트", "略過的測試", "跳过的测试"];
const FAILED: Phrase = ["failed tests", "失敗したテスト", "실패한 테스트", "失敗的測試", "失败的测试"];
const KINDS: Phrase = ["the kinds together", "種類の合計", "종류별 합계", "各類合計", "各类合计"];
const FAILED_BEFORE: Phrase = [
    "fails here and before this change",
    "この変更の前から同じように失敗",
    "이 변경 전에도 똑같이 실패",
    "在此變更之前也同樣失敗",
    "在此变更之前也同样失败",
];
const FAILED_ONCE: Phrase = [
    "failed once, passes alone and in a second run",
    "一度失敗し、単独でも二回目でも合格",
    "한 번 실패했고, 단독과 두 번째 실행에서는 통과",
    "失敗一次，單獨執行與第二次執行皆通過",
    "失败一次，单独运行与第二次运行均通过",
];
const PASSES_ALONE: Phrase = [
    "{0}: passes alone, fails in the suite",
    "{0}: 単独では合格、全体では失敗",
    "{0}: 단독으로는 통과, 전체에서는 실패",
    "{0}：單獨執行通過，整套執行失敗",
    "{0}：单独运行通过，整套运行失败",
];
const AGAIN: Phrase = [
    "all results came from a cache, so it was run once more without it",
    "結果がすべてキャッシュだったので、キャッシュ無しでもう一度走らせた",
    "모든 결과가 캐시여서 캐시 없이 한 번 더 실행함",
    "結果全部來自快取，因此不用快取再執行一次",
    "结果全部来自缓存，因此不用缓存再运行一次",
];
const REPORTER_BROKEN: Phrase = [
    "the reporter could not be loaded, so the text alone was read",
    "レポーターを読み込めず、出力だけを読んだ",
    "리포터를 불러올 수 없어 출력만 읽음",
    "無法載入報告器，只讀取了輸出文字",
    "无法加载报告器，只读取了输出文本",
];
const REPORTER_NOT_LOADED: Phrase = [
    "the reporter was not loaded, so the text alone was read",
    "レポーターが読み込まれず、出力だけを読んだ",
    "리포터가 로드되지 않아 출력만 읽음",
    "報告器未被載入，只讀取了輸出文字",
    "报告器未被加载，只读取了输出文本",
];
const NO_REPORTER: Phrase = [
    "the text alone was read: {0}",
    "出力だけを読んだ: {0}",
    "출력만 읽음: {0}",
    "只讀取了輸出文字：{0}",
    "只读取了输出文本：{0}",
];
const SET_CI: Phrase = [
    "CI=true was set, since this runner would wait for keys",
    "このランナーは入力待ちになるため、CI=true を設定した",
    "이 러너는 키 입력을 기다리므로 CI=true를 설정함",
    "此測試執行器會等待按鍵，因此設定了 CI=true",
    "此测试运行器会等待按键，因此设置了 CI=true",
];
const ENDED_PROCESSES: Phrase = [
    "processes that the command had left behind were ended",
    "コマンドが残したプロセスを終了させた",
    "명령이 남긴 프로세스를 종료함",
    "已結束該指令遺留的行程",
    "已结束该命令遗留的进程",
];
const RULER_ACCEPTED: Phrase = [
    "the changed ruler was accepted by its hash",
    "変わった物差しはハッシュで承認された",
    "바뀐 기준은 해시로 승인됨",
    "已依雜湊值接受變更後的量尺",
    "已按哈希值接受变更后的量尺",
];
const TREE_CHANGED: Phrase = [
    "the run changed the tree: {0}",
    "実行がファイルを変えた: {0}",
    "실행이 파일을 바꿈: {0}",
    "執行變更了檔案：{0}",
    "运行变更了文件：{0}",
];
const TESTS_REMOVED: Phrase = [
    "the run removed a test file, so what it counted is not what stood here: {0}",
    "実行がテストファイルを消したので、数えたものは元の全部ではない: {0}",
    "실행이 테스트 파일을 지웠으므로 센 것은 원래의 전부가 아님: {0}",
    "執行刪除了測試檔案，所計的並非原有的全部：{0}",
    "运行删除了测试文件，所计的并非原有的全部：{0}",
];
const NO_COMMAND: Phrase = [
    "no test command found; looked for {0}",
    "テストのコマンドが見つからない。探したもの: {0}",
    "테스트 명령을 찾지 못함. 찾아본 것: {0}",
    "找不到測試指令；找過：{0}",
    "找不到测试命令；找过：{0}",
];
const NAME_IT: Phrase = [
    "name it: kenshu check -- COMMAND, or write it into kenshu.toml: kenshu init",
    "指定する: kenshu check -- COMMAND、または kenshu.toml に書く: kenshu init",
    "지정: kenshu check -- COMMAND, 또는 kenshu.toml에 기록: kenshu init",
    "請指定：kenshu check -- COMMAND，或寫入 kenshu.toml：kenshu init",
    "请指定：kenshu check -- COMMAND，或写入 kenshu.toml：kenshu init",
];
const SAY_THE_CLAIM: Phrase = [
    "say what was claimed: kenshu check \"all 142 tests pass\", kenshu check --claimed 142, or kenshu check --report FILE",
    "申告を書く: kenshu check \"142件すべて通過\"、kenshu check --claimed 142、または kenshu check --report FILE",
    "주장을 적기: kenshu check \"테스트 142개 모두 통과\", kenshu check --claimed 142, 또는 kenshu check --report FILE",
    "請寫出申報：kenshu check \"142 項測試全部通過\"、kenshu check --claimed 142，或 kenshu check --report FILE",
    "请写出申报：kenshu check \"142 项测试全部通过\"、kenshu check --claimed 142，或 kenshu check --report FILE",
];
const CUT_OFF: Phrase = [
    "history is cut off here, so it is not known which tests are new; fetch it: git fetch --unshallow",
    "履歴が途中で切れており、どのテストが新しいか分からない。取得: git fetch --unshallow",
    "이력이 잘려 있어 어느 테스트가 새것인지 알 수 없음. 가져오기: git fetch --unshallow",
    "歷史記錄不完整，無法得知哪些測試是新增；請取得：git fetch --unshallow",
    "历史记录不完整，无法得知哪些测试是新增；请获取：git fetch --unshallow",
];
const BASE_NOT_COUNTED: Phrase = [
    "the base was not counted: {0}",
    "基準は数えていない: {0}",
    "기준은 세지 않음: {0}",
    "未計算基準：{0}",
    "未统计基准：{0}",
];
const NO_REPOSITORY: Phrase = [
    "there is no git repository",
    "git リポジトリが無い",
    "git 저장소가 없음",
    "沒有 git 儲存庫",
    "没有 git 仓库",
];
const OUTSIDE: Phrase = [
    "the command runs outside the project",
    "コマンドがプロジェクトの外で走る",
    "명령이 프로젝트 밖에서 실행됨",
    "指令在專案之外執行",
    "命令在项目之外运行",
];
const NO_FOLDER: Phrase = [
    "the base does not have this folder",
    "基準にこのフォルダーが無い",
    "기준에 이 폴더가 없음",
    "基準中沒有此資料夾",
    "基准中没有此文件夹",
];
const CANNOT_WATCH: Phrase = [
    "what it loads cannot be seen here, so it cannot be shown to be the base that was run",
    "読み込むファイルを見張れないため、基準が走ったことを示せない",
    "불러오는 파일을 볼 수 없어 기준이 실행되었음을 보일 수 없음",
    "無法觀察它載入的檔案，因此無法證明執行的是基準",
    "无法观察它加载的文件，因此无法证明运行的是基准",
];
const LOST_TRACK: Phrase = [
    "what it loaded could not be followed to the end",
    "読み込んだファイルを最後まで追えなかった",
    "불러온 파일을 끝까지 따라갈 수 없었음",
    "無法追蹤它載入的檔案到最後",
    "无法追踪它加载的文件到最后",
];
const OPENED: Phrase = [
    "the run at the base opened the present {0}",
    "基準での実行が現在の {0} を開いた",
    "기준에서의 실행이 현재의 {0}을(를) 열었음",
    "在基準上的執行開啟了目前的 {0}",
    "在基准上的运行打开了当前的 {0}",
];

/// The note as one line.
pub fn text(note: &Note, lang: Lang) -> String {
    let say = |phrase: &Phrase| lang.pick(phrase).to_owned();
    match note {
        Note::NotCompared(why) => uncompared(*why, lang),
        Note::NoCount => say(&NO_COUNT),
        Note::Files { total, passed } => filled(&FILES, lang, &[&total.to_string(), &passed.to_string()]),
        Note::NewTests(new) => filled(&NEW_TESTS, lang, &[&new.to_string()]),
        Note::Beside { what, claimed, measured } => {
            filled(&BESIDE, lang, &[beside(*what, lang), &claimed.to_string(), &measured.to_string()])
        }
        Note::SumOf { claimed, tally, gap } => difference(*claimed, tally, gap.as_ref(), lang),
        Note::FailedBefore => say(&FAILED_BEFORE),
        Note::FailedOnce => say(&FAILED_ONCE),
        Note::PassesAlone(test) => filled(&PASSES_ALONE, lang, &[test]),
        Note::RunAgainWithoutCache => say(&AGAIN),
        Note::ReporterBroken => say(&REPORTER_BROKEN),
        Note::ReporterNotLoaded => say(&REPORTER_NOT_LOADED),
        Note::NoReporter(error) => filled(&NO_REPORTER, lang, &[&error.text(lang)]),
        Note::SetCi => say(&SET_CI),
        Note::EndedProcesses => say(&ENDED_PROCESSES),
        Note::NotStarted(error) => error.text(lang),
        Note::RulerAccepted => say(&RULER_ACCEPTED),
        Note::TreeChanged { first, others } => {
            filled(&TREE_CHANGED, lang, &[&and_more(first, *others, lang)])
        }
        Note::TestsRemoved { first, others } => {
            filled(&TESTS_REMOVED, lang, &[&and_more(first, *others, lang)])
        }
        Note::Suite { name, outcome, reason, exit, tally } => {
            let reason =
                reason.map(|reason| format!(" ({})", words::message(reason, lang, None, None, *exit)));
            let outcome = lang.pick(words::outcome(*outcome)).to_lowercase();
            let numbers = words::numbers(tally, lang).map(|text| format!(", {text}")).unwrap_or_default();
            format!("{name}: {outcome}{}{numbers}", reason.unwrap_or_default())
        }
        Note::Verify { name, outcome, said } => {
            let said = said.as_ref().map(|line| format!(": {line}")).unwrap_or_default();
            format!("verify {name}: {}{said}", lang.pick(words::outcome(*outcome)).to_lowercase())
        }
        Note::NoTestCommand(looked_for) => no_test_command(looked_for, lang),
        Note::NameTheCommand => say(&NAME_IT),
        Note::SayTheClaim => say(&SAY_THE_CLAIM),
        Note::CutOff => say(&CUT_OFF),
        Note::NoBaseRun(why) => filled(&BASE_NOT_COUNTED, lang, &[&no_base_run(why, lang)]),
    }
}

fn beside(what: Beside, lang: Lang) -> &'static str {
    lang.pick(match what {
        Beside::Total => &IN_ALL,
        Beside::Skipped => &SKIPPED,
        Beside::Failed => &FAILED,
        Beside::Kinds => &KINDS,
    })
}

/// The verdict's reason with its numbers. Where they are not of what passed, it says what they count.
pub fn verdict_message(verdict: &CheckVerdict, lang: Lang) -> Option<String> {
    let reason = verdict.reason?;
    let exit = verdict.count.as_ref().and_then(|count| count.exit);
    let decided = verdict.claims.iter().find(|judged| judged.result == Some(Reason::CountMismatch));
    match decided.and_then(|judged| judged.note.as_ref()) {
        Some(Note::Beside { what, claimed, measured }) if reason == Reason::CountMismatch => {
            let numbers = words::message(reason, lang, Some(*claimed), Some(*measured), exit);
            let of_what = beside(*what, lang);
            Some(match lang {
                Lang::En | Lang::Ko => format!("{numbers} ({of_what})"),
                Lang::Ja | Lang::ZhTw | Lang::ZhCn => format!("{numbers}（{of_what}）"),
            })
        }
        Some(_) | None => Some(words::message(reason, lang, verdict.claimed, verdict.measured, exit)),
    }
}

/// Why there is no count of the base.
pub fn no_base_run(why: &NoBaseRun, lang: Lang) -> String {
    let phrase = match why {
        NoBaseRun::Failed(error) => return error.text(lang),
        NoBaseRun::OpenedPresent(file) => return filled(&OPENED, lang, &[file]),
        NoBaseRun::NoRepository => &NO_REPOSITORY,
        NoBaseRun::OutsideProject => &OUTSIDE,
        NoBaseRun::NoFolder => &NO_FOLDER,
        NoBaseRun::CannotWatch => &CANNOT_WATCH,
        NoBaseRun::LostTrack => &LOST_TRACK,
    };
    lang.pick(phrase).to_owned()
}

/// That no test command was found, and the first things that were looked for.
pub fn no_test_command(looked_for: &[String], lang: Lang) -> String {
    let (named, others) = looked_for.split_at(looked_for.len().min(NAMED_MAX));
    let mut parts: Vec<String> = named.to_vec();
    if !others.is_empty() {
        parts.push(words::with_number(&words::MORE, lang, others.len() as u64));
    }
    filled(&NO_COMMAND, lang, &[&parts.join(words::comma(lang))])
}

fn uncompared(why: Uncompared, lang: Lang) -> String {
    let phrase = match why {
        Uncompared::NothingRun => &NOTHING_RUN,
        Uncompared::Assertions => &ASSERTIONS,
        Uncompared::Files => &NO_FILES,
        Uncompared::Subset(None) => &SUBSET,
        Uncompared::Subset(Some(new)) => {
            let new = filled(&NEW_TESTS, lang, &[&new.to_string()]);
            return format!("{} ({new})", lang.pick(&SUBSET));
        }
        Uncompared::PartOf(total) => return filled(&PART_OF, lang, &[&total.to_string()]),
    };
    lang.pick(phrase).to_owned()
}

/// `142 = 141 passed + 1 skipped`, and why that is no explanation.
fn difference(claimed: u64, tally: &Tally, gap: Option<&Gap>, lang: Lang) -> String {
    // What ran is a sum without the tests that did not.
    let tally = match tally.ran() == Some(claimed) {
        true => Tally { skipped: Some(0), todo: Some(0), ..*tally },
        false => *tally,
    };
    let sum = format!("{claimed} = {}", words::parts(&tally, lang).join(" + "));
    match gap {
        None => sum,
        Some(Gap::NoBase) => filled(&NO_BASE, lang, &[&sum]),
        Some(Gap::NotAtBase(names)) => filled(&NOT_AT_BASE, lang, &[&sum, &names.join(words::comma(lang))]),
        Some(Gap::Unnamed) => filled(&UNNAMED, lang, &[&sum]),
    }
}

fn and_more(first: &str, others: u64, lang: Lang) -> String {
    if others == 0 {
        first.to_owned()
    } else {
        format!("{first}, {}", words::with_number(&words::MORE, lang, others))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sum_is_said_in_the_words_of_the_language() {
        let note = Note::SumOf { claimed: 13, tally: Tally::of(12, 0, 1), gap: None };
        assert_eq!(text(&note, Lang::En), "13 = 12 passed + 1 skipped");
        assert_eq!(text(&note, Lang::Ja), "13 = 合格12 + スキップ1");
        let gap = Some(Gap::NotAtBase(vec!["late".to_owned()]));
        let note = Note::SumOf { claimed: 13, tally: Tally::of(12, 0, 1), gap };
        assert_eq!(text(&note, Lang::En), "13 = 12 passed + 1 skipped; not at the base: late");
        let tally = Tally { expected_failures: Some(1), ..Tally::of(12, 0, 1) };
        let note = Note::SumOf { claimed: 13, tally, gap: None };
        assert_eq!(text(&note, Lang::En), "13 = 12 passed + 1 expected to fail");
        let note = Note::SumOf { claimed: 14, tally, gap: None };
        assert_eq!(text(&note, Lang::En), "14 = 12 passed + 1 skipped + 1 expected to fail");
    }

    #[test]
    fn five_of_what_was_looked_for_are_named_and_the_others_counted() {
        let looked_for: Vec<String> = (1..=8).map(|number| format!("f{number}")).collect();
        assert_eq!(
            text(&Note::NoTestCommand(looked_for), Lang::En),
            "no test command found; looked for f1, f2, f3, f4, f5, 3 more"
        );
    }
}
