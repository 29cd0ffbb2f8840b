//! What the commands of the binary print and refuse.

kenshu_model::phrases! {
    RUNNING: "running", "実行中", "실행 중", "執行中", "运行中";
    NOTE: "note", "注記", "참고", "附註", "附注";
    BASE: "base", "基準", "기준", "基準", "基准";
    TESTS: "tests", "テスト", "테스트", "測試", "测试";
    NEXT: "next", "次", "다음", "下一步", "下一步";
    EVIDENCE: "evidence", "証拠", "증거", "證據", "证据";
    PROJECT: "project", "場所", "프로젝트", "專案", "项目";
    PINNED: "pinned", "固定", "고정", "已固定", "已固定";
    LEDGER: "ledger", "台帳", "원장", "帳本", "账本";
    READERS: "readers", "リーダー", "판독기", "讀取器", "读取器";
    COMMAND: "command", "コマンド", "명령", "指令", "命令";
    SCRIPT: "script", "スクリプト", "스크립트", "指令稿", "脚本";
    SETTING: "setting", "設定", "설정", "設定", "设置";
    CHANGED: "changed", "変更", "변경", "變更", "变更";
    ATTACHED: "attached", "添付", "첨부", "已附加", "已附加";
    WROTE: "wrote", "書込み", "작성", "已寫入", "已写入";
    ENTRIES: "entries", "記録", "항목", "紀錄", "记录";
    HEAD: "head", "末尾", "끝", "末筆", "末条";
    PROBLEM: "problem", "異常", "문제", "問題", "问题";
    CUT: "cut", "途切れ", "끊김", "中斷", "中断";

    IN_FROM: "{0}   (in {1}, from {2})", "{0}   （場所 {1}、出所 {2}）", "{0}   (위치 {1}, 출처 {2})", "{0}   （位於 {1}，來自 {2}）", "{0}   （位于 {1}，来自 {2}）";
    IN_FOLDER: "{0}   (in {1})", "{0}   （場所 {1}）", "{0}   (위치 {1})", "{0}   （位於 {1}）", "{0}   （位于 {1}）";
    NO_EVIDENCE: "none for exactly this tree", "今のファイルに対するものは無い", "지금 이 파일 상태에 대한 것은 없음", "沒有對應目前檔案內容的證據", "没有对应当前文件内容的证据";
    NONE: "none", "無し", "없음", "無", "无";
    NOTHING: "nothing", "無し", "없음", "無", "无";
    LOOKED_FOR: "none; looked for {0}", "無し。探したもの: {0}", "없음. 찾아본 것: {0}", "無；找過：{0}", "无；找过：{0}";
    BY: "{0} by {1}", "{0}（{1}）", "{0}({1})", "{0}（{1}）", "{0}（{1}）";
    NOT_TRIED: "{0}; not tried on real output: {1}", "{0}。実際の出力で試していないもの: {1}", "{0}; 실제 출력으로 시험하지 않은 것: {1}", "{0}；未以實際輸出試過：{1}", "{0}；未用实际输出试过：{1}";
    NOTHING_PINNED: "nothing is pinned; pin it: kenshu trust", "何も固定していない。固定する: kenshu trust", "고정된 것이 없음; 고정: kenshu trust", "尚未固定；請固定：kenshu trust", "尚未固定；请固定：kenshu trust";
    AS_PINNED: "as pinned at {0} by {1}", "{0} に {1} が固定したまま", "{0}에 {1}이(가) 고정한 그대로", "與 {0} 由 {1} 固定時相同", "与 {0} 由 {1} 固定时相同";
    LEDGER_EMPTY: "the ledger of this project is empty; fill it: kenshu check, kenshu run -- COMMAND", "このプロジェクトの台帳は空。記録するには: kenshu check、kenshu run -- COMMAND", "이 프로젝트의 원장은 비어 있음; 기록하려면: kenshu check, kenshu run -- COMMAND", "此專案的帳本是空的；可用 kenshu check、kenshu run -- COMMAND 記錄", "此项目的账本为空；可用 kenshu check、kenshu run -- COMMAND 记录";
    NO_END: "no end is recorded: {0}", "終わりの記録が無い: {0}", "끝난 기록이 없음: {0}", "沒有結束的紀錄：{0}", "没有结束的记录：{0}";
    AT_COMMIT: "at {0}", "{0} にて", "{0}에서", "於 {0}", "于 {0}";
    PINNED_BY: "pinned by {0}", "{0} が固定", "{0}이(가) 고정", "由 {0} 固定", "由 {0} 固定";
    WRITE_WAS_CUT: "line {0}: a write was cut; the next one accounts for it", "{0} 行目: 書き込みが途切れた。次の書き込みがそれを記録する", "{0}번째 줄: 쓰기가 끊김; 다음 쓰기가 이를 기록함", "第 {0} 行：寫入中斷；下一次寫入會記下此事", "第 {0} 行：写入中断；下一次写入会记下此事";
    KEEP_IT: "{0}   (keep it elsewhere: it shows whether entries were cut off later)", "{0}   （別の場所に控えておくと、後で記録が切り取られたか分かる）", "{0}   (다른 곳에 보관하면 나중에 항목이 잘렸는지 알 수 있음)", "{0}   （請另外保存：日後可看出紀錄是否被截去）", "{0}   （请另外保存：日后可看出记录是否被截去）";
    WOULD_DETECT: "{0} is there already; this is what would be detected", "{0} は既にある。以下は検出される内容", "{0}이(가) 이미 있음; 아래는 감지되는 내용", "{0} 已存在；以下是會偵測到的內容", "{0} 已存在；以下是会检测到的内容";
    BASE_NOT_COUNTED: "{0} was not counted: {1}", "{0} は数えていない: {1}", "{0}은(는) 세지 않음: {1}", "未計算 {0}：{1}", "未统计 {0}：{1}";
    EMPTY_INPUT: "the input is empty; to run a command and count its output: kenshu count -- COMMAND", "入力が空。コマンドを走らせて数えるには: kenshu count -- COMMAND", "입력이 비어 있음. 명령을 실행해 세려면: kenshu count -- COMMAND", "輸入是空的；要執行指令並計算：kenshu count -- COMMAND", "输入是空的；要运行命令并统计：kenshu count -- COMMAND";
    BYTES_NOT_KEPT: "{0} bytes in the middle were not kept", "途中の {0} バイトは残していない", "중간의 {0}바이트는 보관하지 않음", "中間的 {0} 位元組沒有保留", "中间的 {0} 字节没有保留";
    NOT_RECORDED: "not recorded: {0}", "記録できなかった: {0}", "기록하지 못함: {0}", "未能記錄：{0}", "未能记录：{0}";
    NO_TEST_FOUND: "no test command was found", "テストのコマンドが見つからない", "테스트 명령을 찾지 못함", "找不到測試指令", "找不到测试命令";
    SEVERAL_SUITES: "Several suites were found; without [test] command all of them are run.", "テストが複数見つかった。[test] command が無ければすべて走らせる。", "테스트 모음이 여럿 있음. [test] command가 없으면 모두 실행함.", "找到多組測試；沒有 [test] command 時會全部執行。", "找到多组测试；没有 [test] command 时会全部运行。";

    REASONS: "reasons", "理由", "이유", "理由", "理由";
    GIVEN_BY: "given by", "コマンド", "명령", "來自", "来自";
    OUTCOME: "outcome", "結果", "결과", "結果", "结果";
    EXIT: "exit", "終了", "종료", "結束碼", "退出码";
    MESSAGE: "message", "文言", "메시지", "訊息", "消息";
    VERSIONS: "versions", "版", "버전", "版本", "版本";
    FORMATS: "formats", "形式", "형식", "格式", "格式";
    COMMANDS: "commands", "コマンド", "명령", "指令", "命令";
    NO_TESTS: "no tests", "0件の時", "0개일 때", "無測試時", "无测试时";
    SAMPLES: "samples", "見本", "표본", "樣本", "样本";
    RECORDED: "recorded from the real runner", "実際のランナーから記録したもの", "실제 러너에서 기록함", "錄自真正的測試執行器", "录自真正的测试运行器";
    DOCUMENTED: "written from documentation; not tried on real output", "文書から書いたもの。実際の出力では試していない", "문서를 보고 작성함; 실제 출력으로 시험하지 않음", "依文件撰寫；未以實際輸出試過", "依文档编写；未用实际输出试过";

    UNWRITTEN: "could not write the answer to stdout: {0}; send stdout somewhere that can be written", "答えを標準出力に書けない: {0}。標準出力を書き込める所へ向ける", "답을 표준 출력에 쓸 수 없음: {0}; 표준 출력을 쓸 수 있는 곳으로 보내기", "無法把答案寫到標準輸出：{0}；請將標準輸出導向可寫入之處", "无法把答案写到标准输出：{0}；请将标准输出导向可写入之处";
    OUTPUT_UNWRITTEN: "could not write the command's output to our own: {0}; it is kept in the ledger", "コマンドの出力を標準出力に書けない: {0}。台帳には残っている", "명령의 출력을 표준 출력에 쓸 수 없음: {0}; 원장에는 보관됨", "無法把指令的輸出寫到標準輸出：{0}；已保存在帳本", "无法把命令的输出写到标准输出：{0}；已保存在账本";
    BAD_LANG: "--lang {0}: no such language; write one of en, ja, ko, zh-TW, zh-CN", "--lang {0}: その言語は無い。en、ja、ko、zh-TW、zh-CN のどれかを書く", "--lang {0}: 그런 언어가 없음; en, ja, ko, zh-TW, zh-CN 중 하나를 쓰기", "--lang {0}：沒有此語言；請寫 en、ja、ko、zh-TW、zh-CN 其中之一", "--lang {0}：没有此语言；请写 en、ja、ko、zh-TW、zh-CN 其中之一";
    BAD_DURATION: "{0} {1}: no duration; write for example 90s or 10m", "{0} {1}: 時間ではない。例えば 90s や 10m と書く", "{0} {1}: 시간이 아님; 예: 90s, 10m", "{0} {1}：不是時間長度；請寫成例如 90s 或 10m", "{0} {1}：不是时长；请写成例如 90s 或 10m";
    BAD_RUNNER: "--runner {0}: no such reader; list them: kenshu explain readers", "--runner {0}: そのリーダーは無い。一覧: kenshu explain readers", "--runner {0}: 그런 판독기가 없음; 목록: kenshu explain readers", "--runner {0}：沒有此讀取器；列出：kenshu explain readers", "--runner {0}：没有此读取器；列出：kenshu explain readers";
    NOTHING_TO_COUNT: "nothing to count; write kenshu count FILE, kenshu count -- COMMAND, or pipe an output into kenshu count -", "数えるものが無い。kenshu count FILE、kenshu count -- COMMAND と書くか、出力をパイプで kenshu count - に渡す", "셀 것이 없음; kenshu count FILE, kenshu count -- COMMAND로 쓰거나 출력을 파이프로 kenshu count -에 넘기기", "沒有要計數的內容；請寫 kenshu count FILE、kenshu count -- COMMAND，或以管線把輸出傳給 kenshu count -", "没有要统计的内容；请写 kenshu count FILE、kenshu count -- COMMAND，或用管道把输出传给 kenshu count -";
    NO_CWD: "this folder cannot be entered: {0}; go to one that exists: cd", "このフォルダーに入れない: {0}。存在するフォルダーへ移る: cd", "이 폴더에 들어갈 수 없음: {0}; 있는 폴더로 이동: cd", "無法進入此資料夾：{0}；請切換到存在的資料夾：cd", "无法进入此文件夹：{0}；请切换到存在的文件夹：cd";
    SAYS_EMPTY: "--says is empty; write what the file shows", "--says が空。ファイルが何を示すかを書く", "--says가 비어 있음; 파일이 무엇을 보여 주는지 쓰기", "--says 是空的；請寫出檔案顯示什麼", "--says 为空；请写出文件显示什么";
    NOT_EXPLAINED: "explain {0}: no reason and no reader has this name; list them: kenshu explain", "explain {0}: その名前の理由もリーダーも無い。一覧: kenshu explain", "explain {0}: 그런 이름의 이유나 판독기가 없음; 목록: kenshu explain", "explain {0}：沒有這個名稱的理由或讀取器；列出：kenshu explain", "explain {0}：没有这个名称的理由或读取器；列出：kenshu explain";
    NO_SUCH_ENTRY: "ledger show {0}: no entry has this id; list them: kenshu ledger list", "ledger show {0}: その id の記録は無い。一覧: kenshu ledger list", "ledger show {0}: 그런 id의 항목이 없음; 목록: kenshu ledger list", "ledger show {0}：沒有此 id 的紀錄；列出：kenshu ledger list", "ledger show {0}：没有此 id 的记录；列出：kenshu ledger list";
    SEVERAL_ENTRIES: "ledger show {0}: {1} entries begin so; write more of the id", "ledger show {0}: そう始まる記録が {1} 件ある。id をもっと長く書く", "ledger show {0}: 그렇게 시작하는 항목이 {1}개 있음; id를 더 길게 쓰기", "ledger show {0}：有 {1} 筆紀錄以此開頭；請寫更長的 id", "ledger show {0}：有 {1} 条记录以此开头；请写更长的 id";
    BROKEN_PIN: "could not read the pin {0}: {1}; pin again: kenshu trust", "固定した内容 {0} を読めない: {1}。固定し直す: kenshu trust", "고정한 내용 {0}을(를) 읽을 수 없음: {1}; 다시 고정: kenshu trust", "無法讀取已固定的內容 {0}：{1}；請重新固定：kenshu trust", "无法读取已固定的内容 {0}：{1}；请重新固定：kenshu trust";
    BROKEN_PROPOSAL: "the proposal is broken: {0}; please report this line", "提案が壊れている: {0}。この行を報告してほしい", "제안이 잘못됨: {0}; 이 줄을 신고해 주기 바람", "提議有誤：{0}；請回報此行", "提议有误：{0}；请报告此行";
    THERE_ALREADY: "{0} is there already; edit it, then pin it: kenshu trust", "{0} は既にある。編集してから固定する: kenshu trust", "{0}이(가) 이미 있음; 고친 뒤 고정: kenshu trust", "{0} 已存在；請編輯後固定：kenshu trust", "{0} 已存在；请编辑后固定：kenshu trust";
    WRITE_BY_HAND: "{0}; write kenshu.toml by hand: [test] command = \"…\"", "{0}。kenshu.toml を手で書く: [test] command = \"…\"", "{0}; kenshu.toml을 직접 쓰기: [test] command = \"…\"", "{0}；請手動撰寫 kenshu.toml：[test] command = \"…\"", "{0}；请手动编写 kenshu.toml：[test] command = \"…\"";
    WRITE_IT: "{0}; write it into kenshu.toml: kenshu init", "{0}。kenshu.toml に書く: kenshu init", "{0}; kenshu.toml에 쓰기: kenshu init", "{0}；請寫入 kenshu.toml：kenshu init", "{0}；请写入 kenshu.toml：kenshu init";
    HUMAN_ONLY: "{0} is for the human, and {1} says that {2} is at work; type it in a terminal of your own", "{0} は人が打つもの。{1} は {2} が作業中だと示している。自分の端末で打つ", "{0}은(는) 사람이 하는 일인데 {1}에 따르면 {2}이(가) 작업 중임; 자신의 터미널에서 입력", "{0} 須由人執行，而 {1} 顯示 {2} 正在工作；請在自己的終端機輸入", "{0} 须由人执行，而 {1} 显示 {2} 正在工作；请在自己的终端输入";
    NEEDS_TERMINAL: "{0} needs a terminal; type it there yourself", "{0} には端末が要る。自分で端末に打つ", "{0}에는 터미널이 필요함; 직접 터미널에서 입력", "{0} 需要終端機；請自行在終端機輸入", "{0} 需要终端；请自行在终端输入";
    SEE_HELP: "{0}; see kenshu --help", "{0}。kenshu --help を見る", "{0}; kenshu --help 참고", "{0}；請見 kenshu --help", "{0}；请见 kenshu --help";
    OUR_BUG: "kenshu {0}: a bug of ours ({1}); please report this line with the command you typed", "kenshu {0}: Kenshu の不具合（{1}）。この行と打ったコマンドを報告してほしい", "kenshu {0}: Kenshu의 버그({1}); 이 줄과 입력한 명령을 신고해 주기 바람", "kenshu {0}：Kenshu 的錯誤（{1}）；請回報此行與您輸入的指令", "kenshu {0}：Kenshu 的缺陷（{1}）；请报告此行与您输入的命令";

    SECONDS: "s", "秒", "초", "秒", "秒";
    SO_FAR: "about {0} tests so far", "ここまで約{0}件", "지금까지 테스트 약 {0}개", "目前約 {0} 個測試", "目前约 {0} 个测试";
    STOPPING: "stopping; Ctrl-C again ends it at once", "停止中。もう一度 Ctrl-C で直ちに終了", "중지하는 중; Ctrl-C를 다시 누르면 바로 종료", "正在停止；再按一次 Ctrl-C 立即結束", "正在停止；再按一次 Ctrl-C 立即结束";
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_phrase_is_there_in_every_language() {
        assert_eq!(kenshu_model::message::faults(super::ALL), [""; 0]);
    }
}
