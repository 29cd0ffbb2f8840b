//! What was being done when it failed; [`super::error::COULD_NOT`] puts it into a sentence.

crate::phrases! {
    READ_OUTPUT: "read the output to count", "数える出力の読み取り", "집계할 출력 읽기", "讀取要計數的輸出", "读取要计数的输出";
    READ_STDIN: "read from", "読み取り", "읽기", "讀取", "读取";
    READ_AGENTS_REPORT: "read the agent's report", "エージェントの報告の読み取り", "에이전트 보고서 읽기", "讀取代理的報告", "读取智能体的报告";
    READ_ATTACHMENT: "read the file to attach", "添付するファイルの読み取り", "첨부할 파일 읽기", "讀取要附加的檔案", "读取要附加的文件";
    KEEP_ATTACHMENT: "keep the attached file", "添付ファイルの保存", "첨부 파일 보관", "保存附加的檔案", "保存附加的文件";
    MAKE_ATTACHED_FOLDER: "make the folder of attached files", "添付ファイル用フォルダーの作成", "첨부 파일 폴더 만들기", "建立附加檔案的資料夾", "创建附加文件的文件夹";
    READ_PIN: "read the pin", "固定した内容の読み取り", "고정한 내용 읽기", "讀取已固定的內容", "读取已固定的内容";
    WRITE_PIN: "write the pin", "固定した内容の書き込み", "고정한 내용 쓰기", "寫入要固定的內容", "写入要固定的内容";
    MAKE_PIN_FOLDER: "make the folder of pins", "固定用フォルダーの作成", "고정용 폴더 만들기", "建立固定用的資料夾", "创建固定用的文件夹";
    READ_LEDGER: "read the ledger", "台帳の読み取り", "원장 읽기", "讀取帳本", "读取账本";
    WRITE_LEDGER: "write to the ledger", "台帳への書き込み", "원장 쓰기", "寫入帳本", "写入账本";
    MAKE_LEDGER_FOLDER: "make the folder of ledgers", "台帳用フォルダーの作成", "원장 폴더 만들기", "建立帳本的資料夾", "创建账本的文件夹";
    READ_HEAD: "read the kept head of the ledger", "台帳の末尾の控えの読み取り", "원장 끝 기록 읽기", "讀取帳本末筆的備存", "读取账本末条的备存";
    KEEP_HEAD: "keep the head of the ledger", "台帳の末尾の控えの保存", "원장 끝 기록 보관", "備存帳本的末筆", "备存账本的末条";
    READ_CONFIG: "read the configuration", "設定の読み取り", "설정 읽기", "讀取設定", "读取配置";
    WRITE_CONFIG: "write the configuration", "設定の書き込み", "설정 쓰기", "寫入設定", "写入配置";
    READ_TEST_COMMAND: "read the test command", "テストのコマンドの読み取り", "테스트 명령 읽기", "讀取測試指令", "读取测试命令";
    READ_COMMAND_OF: "read the command of", "コマンドの読み取り", "명령 읽기", "讀取指令", "读取命令";
    READ_COMMIT: "read the commit", "コミットの読み取り", "커밋 읽기", "讀取提交", "读取提交";
    MAKE_TEMPORARY_FOLDER: "make a temporary folder", "一時フォルダーの作成", "임시 폴더 만들기", "建立暫存資料夾", "创建临时文件夹";
    MAKE_REPORT_FOLDER: "make the folder of a report", "レポート用フォルダーの作成", "리포트 폴더 만들기", "建立報告的資料夾", "创建报告的文件夹";
    READ_REPORT: "read a report", "レポートの読み取り", "리포트 읽기", "讀取報告", "读取报告";
    MAKE_REPORTER_FOLDER: "make the folder of a reporter", "レポーター用フォルダーの作成", "리포터 폴더 만들기", "建立報告器的資料夾", "创建报告器的文件夹";
    WRITE_REPORTER: "write a reporter", "レポーターの書き込み", "리포터 쓰기", "寫入報告器", "写入报告器";
    READ_REPORTERS_FILE: "read the reporter's file", "レポーターのファイルの読み取り", "리포터 파일 읽기", "讀取報告器的檔案", "读取报告器的文件";
    USE_PROJECT: "use the project folder", "プロジェクトのフォルダーの使用", "프로젝트 폴더 사용", "使用專案資料夾", "使用项目文件夹";
    OPEN_REPOSITORY: "open the repository", "リポジトリを開く処理", "저장소 열기", "開啟儲存庫", "打开仓库";
    FIND_REPOSITORY: "find the repository of", "リポジトリの検出", "저장소 찾기", "尋找儲存庫", "查找仓库";
    LOOK_UP: "look up a commit in", "コミットの検索", "커밋 찾기", "查詢提交", "查询提交";
    FIND_BRANCH: "find the branch of", "ブランチの検出", "브랜치 찾기", "尋找分支", "查找分支";
    FIND_DEFAULT_BRANCH: "find the default branch of", "既定のブランチの検出", "기본 브랜치 찾기", "尋找預設分支", "查找默认分支";
    FIND_BASE: "find the base of", "基準の検出", "기준 찾기", "尋找基準", "查找基准";
    READ_HISTORY: "read the history of", "履歴の読み取り", "이력 읽기", "讀取歷史記錄", "读取历史记录";
    READ_OLD_FILE: "read an old file in", "以前のファイルの読み取り", "이전 파일 읽기", "讀取舊檔案", "读取旧文件";
    READ_OLD_FILE_AT: "read an old file at", "以前のファイルの読み取り", "이전 파일 읽기", "讀取舊檔案", "读取旧文件";
    LIST_COMMIT: "list the files of a commit in", "コミットのファイルの一覧取得", "커밋의 파일 나열", "列出提交中的檔案", "列出提交中的文件";
    COMPARE_TREE: "compare the working tree of", "作業ツリーの比較", "작업 트리 비교", "比較工作目錄", "比较工作树";
    LIST_NEW_FILES: "list the new files of", "新しいファイルの一覧取得", "새 파일 나열", "列出新檔案", "列出新文件";
    CHECK_OUT: "check out a commit into", "コミットのチェックアウト", "커밋 체크아웃", "簽出提交", "检出提交";
    REMOVE_CHECKOUT: "remove the checkout", "チェックアウトの削除", "체크아웃 삭제", "移除簽出的目錄", "删除检出的目录";
    TAKE_FINGERPRINT: "take the fingerprint of", "ファイルの指紋の取得", "파일 지문 계산", "計算檔案指紋", "计算文件指纹";
}
