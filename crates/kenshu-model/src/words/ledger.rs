//! What the check of a ledger finds.

crate::phrases! {
    LINE: "line {0}", "{0} 行目", "{0}번째 줄", "第 {0} 行", "第 {0} 行";
    LINE_OF: "line {0} of segment {1}", "区分 {1} の {0} 行目", "구간 {1}의 {0}번째 줄", "第 {1} 段第 {0} 行", "第 {1} 段第 {0} 行";
    CHANGED: "{0}: changed: its bytes do not have the digest it states", "{0}: 変更されている: 記されたダイジェストと中身が合わない", "{0}: 변경됨: 내용이 적힌 다이제스트와 맞지 않음", "{0}：已變更：內容與所記摘要不符", "{0}：已变更：内容与所记摘要不符";
    NO_ENTRY: "{0}: no entry, and none accounts for it (changed, foreign, or a write that was cut)", "{0}: 記録ではなく、説明する記録も無い（変更、外からの行、または途切れた書き込み）", "{0}: 항목이 아니며 설명하는 항목도 없음(변경, 외부의 줄 또는 끊긴 쓰기)", "{0}：不是紀錄，也沒有紀錄說明它（被變更、外來，或寫入中斷）", "{0}：不是记录，也没有记录说明它（被变更、外来，或写入中断）";
    BEHIND_ANOTHER: "{0}: was written behind another entry than the one in {1}", "{0}: {1} とは別の記録の後に書かれたもの", "{0}: {1}이(가) 아닌 다른 항목 뒤에 쓰인 것", "{0}：當初寫在另一筆紀錄之後，而非 {1}", "{0}：当初写在另一条记录之后，而非 {1}";
    BEHIND_NOTHING: "{0}: was written behind an entry that is not there", "{0}: 無くなった記録の後に書かれたもの", "{0}: 지금은 없는 항목 뒤에 쓰인 것", "{0}：當初寫在一筆已不存在的紀錄之後", "{0}：当初写在一条已不存在的记录之后";
    MISSING_BEFORE: "{0}: entries {1} to {2} are missing before it", "{0}: その前の記録 {1}〜{2} が無い", "{0}: 그 앞의 항목 {1}~{2}이(가) 없음", "{0}：之前的第 {1} 至 {2} 筆紀錄遺失", "{0}：之前的第 {1} 至 {2} 条记录缺失";
    MISSING_AT_END: "entries {0} to {1} are missing at the end: the kept head names entry {1}", "末尾の記録 {0}〜{1} が無い: 控えには {1} 番まである", "끝의 항목 {0}~{1}이(가) 없음: 보관된 끝 기록은 {1}번을 가리킴", "末尾的第 {0} 至 {1} 筆紀錄遺失：備存的末筆是第 {1} 筆", "末尾的第 {0} 至 {1} 条记录缺失：备存的末条是第 {1} 条";
    REORDERED: "{0}: stands behind entries that were written after it", "{0}: 後に書かれた記録より後ろにある", "{0}: 나중에 쓰인 항목보다 뒤에 있음", "{0}：排在比它晚寫入的紀錄之後", "{0}：排在比它晚写入的记录之后";
    DUPLICATED: "{0}: its number stands in {1} already", "{0}: 同じ番号が既に {1} にある", "{0}: 같은 번호가 이미 {1}에 있음", "{0}：編號已出現在 {1}", "{0}：编号已出现在 {1}";
    REPAIR_WITHOUT: "{0}: accounts for cut lines that do not stand before it", "{0}: 説明している途切れた行が前に無い", "{0}: 설명하는 끊긴 줄이 앞에 없음", "{0}：所說明的中斷行不在其前", "{0}：所说明的中断行不在其前";
    NOT_THE_ANCHOR: "{0}: is not the entry that the kept head names", "{0}: 控えにある記録ではない", "{0}: 보관된 끝 기록이 가리키는 항목이 아님", "{0}：不是備存的末筆所指的紀錄", "{0}：不是备存的末条所指的记录";
    HEADS_WERE_GONE: "{0}: a kept copy of the head was gone when it was written; entries before it may be missing", "{0}: 書かれた時に末尾の控えが無かった。その前の記録が欠けているかもしれない", "{0}: 쓰일 때 보관된 끝 기록이 없었음; 그 앞의 항목이 빠졌을 수 있음", "{0}：寫入時備存的末筆已不在；之前的紀錄可能遺失", "{0}：写入时备存的末条已不在；之前的记录可能缺失";
    HEAD_GONE: "the kept head {0} is gone, or is none", "末尾の控え {0} が無いか、控えではない", "보관된 끝 기록 {0}이(가) 없거나 올바르지 않음", "備存的末筆 {0} 不在，或不是備存", "备存的末条 {0} 不在，或不是备存";
}
