//! What each reason word means, in one sentence.

crate::phrases! {
    ONLY_FILE_LEVEL: "Every pass is a whole file counted as one test.", "合格はすべて、ファイル全体を1件のテストと数えたもの。", "통과한 것은 모두 파일 전체를 테스트 1개로 센 것이다.", "通過的全是把整個檔案算成一項測試。", "通过的全是把整个文件算作一项测试。";
    TIMED_OUT: "Our time limit, or the command's own, ended the run.", "Kenshu またはコマンド自身の制限時間で実行が打ち切られた。", "Kenshu 또는 명령 자체의 제한 시간이 실행을 끝냈다.", "Kenshu 或指令本身的時限中止了執行。", "Kenshu 或命令自身的时限中止了运行。";
    KILLED: "A signal or an interruption ended the run.", "シグナルまたは割り込みで実行が終わった。", "시그널이나 인터럽트로 실행이 끝났다.", "訊號或中斷結束了執行。", "信号或中断结束了运行。";
    COMMAND_NOT_FOUND: "The shell's 127 or 126: no such command, or not executable.", "シェルの 127 または 126: コマンドが無いか、実行できない。", "셸의 127 또는 126: 명령이 없거나 실행할 수 없다.", "shell 的 127 或 126：沒有此指令，或無法執行。", "shell 的 127 或 126：没有此命令，或不可执行。";
    NO_SUCH_SCRIPT: "The package manager or task runner knows no script of that name.", "パッケージマネージャーやタスクランナーに、その名前のスクリプトが無い。", "패키지 관리자나 작업 실행기에 그런 이름의 스크립트가 없다.", "套件管理器或任務執行器沒有這個名稱的指令稿。", "包管理器或任务运行器没有这个名称的脚本。";
    USAGE_ERROR: "The runner was called wrongly.", "テストランナーの呼び出し方が誤っている。", "테스트 러너를 잘못 호출했다.", "測試執行器的呼叫方式有誤。", "测试运行器的调用方式有误。";
    ENVIRONMENT: "Something the runner needs is missing: a browser, a build folder, an interpreter.", "ランナーに必要なもの（ブラウザー、ビルドフォルダー、インタープリターなど）が無い。", "러너에 필요한 것(브라우저, 빌드 폴더, 인터프리터 등)이 없다.", "缺少測試執行器所需之物：瀏覽器、建置資料夾、直譯器等。", "缺少测试运行器所需之物：浏览器、构建文件夹、解释器等。";
    ZERO_TESTS: "The runner ran and found no test.", "ランナーは走ったが、テストが1件も無かった。", "러너는 실행되었으나 테스트를 하나도 찾지 못했다.", "測試執行器執行了，但沒有找到任何測試。", "测试运行器运行了，但没有找到任何测试。";
    ONLY_SKIPPED: "Every test was skipped, ignored, disabled, pending or still to be written.", "すべてのテストがスキップ、無視、無効、保留、または未作成だった。", "모든 테스트가 건너뜀, 무시, 비활성, 보류이거나 아직 작성되지 않았다.", "所有測試都被略過、忽略、停用、擱置或尚未撰寫。", "所有测试都被跳过、忽略、禁用、搁置或尚未编写。";
    CACHED: "The whole result was replayed from a cache.", "結果はすべてキャッシュから再生されたもの。", "결과 전체가 캐시에서 재생된 것이다.", "整個結果都是從快取重播的。", "整个结果都是从缓存重放的。";
    FILTER_MATCHED_NOTHING: "The filter or selection matched no test.", "絞り込みに当てはまるテストが無かった。", "필터나 선택에 맞는 테스트가 없었다.", "篩選或選取條件沒有符合的測試。", "筛选或选择条件没有匹配的测试。";
    NO_TEST_FILES: "The runner found no test file.", "ランナーはテストファイルを見つけられなかった。", "러너가 테스트 파일을 찾지 못했다.", "測試執行器找不到測試檔案。", "测试运行器找不到测试文件。";
    LIST_ONLY: "The run only listed, collected or compiled tests.", "テストを一覧、収集、またはコンパイルしただけだった。", "테스트를 나열, 수집 또는 컴파일만 했다.", "這次只列出、收集或編譯了測試。", "这次只列出、收集或编译了测试。";
    NO_TEST_COMMAND: "The command is known to run no test.", "テストを走らせないと分かっているコマンド。", "테스트를 실행하지 않는다고 알려진 명령이다.", "已知此指令不會執行任何測試。", "已知此命令不会运行任何测试。";
    EXIT_DISAGREES: "The status is not 0 though nothing is read as failed.", "失敗は読み取れないのに、終了コードが 0 ではない。", "실패로 읽힌 것이 없는데 종료 코드가 0이 아니다.", "沒有讀到失敗，結束代碼卻不是 0。", "没有读到失败，退出码却不是 0。";
    NO_SUMMARY: "No summary that a known runner prints was found.", "知っているランナーの集計が見つからなかった。", "알려진 러너의 요약을 찾지 못했다.", "找不到已知測試執行器的摘要。", "找不到已知测试运行器的摘要。";
    OUTPUT_CUT: "The output is cut, and what is left does not prove the count.", "出力が途切れており、残りからは件数を確かめられない。", "출력이 잘렸고, 남은 부분으로는 개수를 확인할 수 없다.", "輸出被截斷，剩下的部分無法證明數量。", "输出被截断，剩下的部分无法证明数量。";
    PLAN_MISMATCH: "The output announces another number of tests than it lists.", "予告されたテスト数と、並んでいるテスト数が違う。", "예고한 테스트 수와 나열된 수가 다르다.", "輸出宣告的測試數與列出的不同。", "输出声明的测试数与列出的不同。";
    AMBIGUOUS: "Two readings of the same run give different numbers.", "同じ実行の二通りの読み方で数が違う。", "같은 실행을 읽은 두 결과의 수가 다르다.", "對同一次執行的兩種讀法得出不同數字。", "对同一次运行的两种读法得出不同数字。";
    REPORT_UNFINISHED: "The reporter was loaded and did not finish its report.", "レポーターは読み込まれたが、レポートを書き終えていない。", "리포터가 로드되었으나 리포트를 끝내지 못했다.", "報告器已載入，但沒有寫完報告。", "报告器已加载，但没有写完报告。";
    NO_CLAIM: "There is no claim, or none with the whole number that was asked for.", "申告が無いか、求められた整数の入った申告が無い。", "주장이 없거나, 요구된 정수가 든 주장이 없다.", "沒有申報，或沒有含所要求整數的申報。", "没有申报，或没有包含所要求整数的申报。";
    RULER_CHANGED: "The command, its scripts or its configuration are not the trusted ones.", "コマンド、そのスクリプト、または設定が、信頼したものと違う。", "명령, 그 스크립트 또는 설정이 신뢰한 것과 다르다.", "指令、其指令稿或設定不是所信任的。", "命令、其脚本或配置不是所信任的。";
    COULD_NOT_RUN: "The tests could not be run.", "テストを走らせられなかった。", "테스트를 실행할 수 없었다.", "無法執行測試。", "无法运行测试。";
    TESTS_FAILED: "At least one test, file, suite or build step is read as failed.", "テスト、ファイル、スイート、ビルドのいずれかが失敗と読み取れる。", "테스트, 파일, 스위트 또는 빌드 단계 중 하나 이상이 실패로 읽힌다.", "至少有一項測試、檔案、測試組或建置步驟被讀為失敗。", "至少有一项测试、文件、测试套件或构建步骤被读为失败。";
    DID_NOT_FINISH: "A time limit or a signal ended the run.", "制限時間またはシグナルで実行が終わった。", "제한 시간이나 시그널로 실행이 끝났다.", "時限或訊號結束了執行。", "时限或信号结束了运行。";
    NOTHING_VERIFIED: "Nothing ran, no test passed, or the result cannot be read.", "何も走らなかったか、合格が無いか、結果が読み取れない。", "아무것도 실행되지 않았거나, 통과가 없거나, 결과를 읽을 수 없다.", "沒有執行任何測試、沒有通過的，或無法讀取結果。", "没有运行任何测试、没有通过的，或无法读取结果。";
    COUNT_MISMATCH: "Claimed and measured differ.", "申告と実測が食い違う。", "주장과 실측이 다르다.", "申報與實測不同。", "申报与实测不同。";
    HOLLOW_TESTS: "Tests that check nothing: all that counted, or a new or changed one.", "何も確かめないテスト: 数えたものすべて、または新しいか変わったもの。", "아무것도 확인하지 않는 테스트: 집계된 전부이거나, 새것이거나 바뀐 것.", "什麼都沒檢查的測試：計入的全部，或新增、變更的測試。", "什么都没检查的测试：计入的全部，或新增、变更的测试。";
}
