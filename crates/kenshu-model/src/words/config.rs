//! What is wrong with a `kenshu.toml`, and what to write instead.

crate::phrases! {
    AT: "{0}: {1}", "{0}: {1}", "{0}: {1}", "{0}: {1}", "{0}: {1}";
    WITH_HINT: "{0}; {1}", "{0}。{1}", "{0}; {1}", "{0}；{1}", "{0}；{1}";
    NO_DURATION: "{0} = {1} is no duration; write for example \"90s\" or \"10m\"", "{0} = {1} は時間ではない。例えば \"90s\" や \"10m\" と書く", "{0} = {1}은(는) 시간이 아님; 예: \"90s\", \"10m\"", "{0} = {1} 不是時間長度；請寫成例如 \"90s\" 或 \"10m\"", "{0} = {1} 不是时长；请写成例如 \"90s\" 或 \"10m\"";
    NOT_ONE_OF: "{0} has no {1}; write \"{2}\" (one of: {3})", "{0} に {1} は無い。\"{2}\" と書く（選べるもの: {3}）", "{0}에 {1}은(는) 없음; \"{2}\"(으)로 쓰기(선택: {3})", "{0} 沒有 {1}；請寫 \"{2}\"（可用：{3}）", "{0} 没有 {1}；请写 \"{2}\"（可用：{3}）";
    UNKNOWN_KEY: "unknown key {0}; did you mean {1}?", "知らないキー {0}。{1} のことか", "알 수 없는 키 {0}; {1}을(를) 말하는 것인지 확인", "未知的鍵 {0}；是指 {1} 嗎？", "未知的键 {0}；是指 {1} 吗？";
    OPEN_QUOTE: "command = {0} has an open quote; close it, or write a list of words", "command = {0} の引用符が閉じていない。閉じるか、語のリストで書く", "command = {0}의 따옴표가 닫히지 않음; 닫거나 단어 목록으로 쓰기", "command = {0} 的引號未關閉；請關閉，或寫成詞的清單", "command = {0} 的引号未闭合；请闭合，或写成词的列表";
    NEEDS_SHELL: "command = {0}: only a shell understands {1}, and none is started; add shell = true, or quote it", "command = {0}: {1} を解釈するのはシェルだけで、シェルは起動しない。shell = true を加えるか、引用符で囲む", "command = {0}: {1}은(는) 셸만 해석하며 셸은 시작되지 않음; shell = true를 추가하거나 따옴표로 묶기", "command = {0}：只有 shell 才懂 {1}，而這裡不會啟動 shell；請加上 shell = true，或用引號括起", "command = {0}：只有 shell 才懂 {1}，而这里不会启动 shell；请加上 shell = true，或用引号括起";
    EMPTY_COMMAND: "command is empty; write for example command = \"npm test\"", "command が空。例えば command = \"npm test\" と書く", "command가 비어 있음; 예: command = \"npm test\"", "command 是空的；請寫成例如 command = \"npm test\"", "command 为空；请写成例如 command = \"npm test\"";
    ADD_FIELD: "add {0} = \"…\"", "{0} = \"…\" を加える", "{0} = \"…\" 추가", "請加上 {0} = \"…\"", "请加上 {0} = \"…\"";
    KEEP_ONE: "keep one of the two", "どちらか一つを残す", "둘 중 하나만 남기기", "請只保留其中一個", "请只保留其中一个";
    IN_QUOTES: "write it in quotes", "引用符で囲む", "따옴표로 묶기", "請用引號括起", "请用引号括起";
    TRUE_OR_FALSE: "write true or false", "true か false と書く", "true 또는 false로 쓰기", "請寫 true 或 false", "请写 true 或 false";
    A_LIST: "write a list: [\"…\"]", "リストで書く: [\"…\"]", "목록으로 쓰기: [\"…\"]", "請寫成清單：[\"…\"]", "请写成列表：[\"…\"]";
    A_TABLE: "write { name = \"value\" }", "{ name = \"value\" } と書く", "{ name = \"value\" }로 쓰기", "請寫成 { name = \"value\" }", "请写成 { name = \"value\" }";
    WHOLE_NUMBER: "write a whole number, 0 or more", "0 以上の整数を書く", "0 이상의 정수로 쓰기", "請寫 0 以上的整數", "请写 0 以上的整数";
    CORRECT_OR_NAME: "correct it, or name the command: kenshu check -- COMMAND", "直すか、コマンドを指定する: kenshu check -- COMMAND", "고치거나 명령을 지정: kenshu check -- COMMAND", "請修正，或指定指令：kenshu check -- COMMAND", "请修正，或指定命令：kenshu check -- COMMAND";
    CORRECT_IT: "correct it in kenshu.toml", "kenshu.toml を直す", "kenshu.toml에서 고치기", "請在 kenshu.toml 修正", "请在 kenshu.toml 修正";
}
