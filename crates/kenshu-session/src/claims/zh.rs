//! Chinese, in both scripts: its patterns, the reasons against a claim, and examples of both.
//!
//! 通过 means "passed" and "by means of"; only the forms that can mean the first are read.

use std::sync::LazyLock;

use crate::claims::cjk::{Patterns, Reader};
use crate::claims::language::{Reject, Span};
use crate::claims::number::HAN;

static PATTERNS: Patterns = Patterns {
    test: r"(?:[测測][试試]|用例|(?-u:\b)tests?(?-u:\b)|(?-u:\b)specs?(?-u:\b)|pytest|vitest|jest|[\x{e001}\x{e003}])",
    number: HAN,
    counter: r"(?:[个個]?[测測][试試]文件|[个個]?[测測][试試]檔案|[个個] ?文件|[个個] ?檔案|[个個]?套件|[个個]?[断斷]言|[个個项項条條则則件]|[测測][试試]|tests?)",
    pass: r"(?:通[过過]|成功|(?-u:\b)pass(?:ed|ing)?|[绿綠]色|[绿綠][灯燈]|全[绿綠]|(?-u:\b)green|(?-u:\b)ok)了?\s?(?:$|[。.,;!)✅|、]|\()|(?:已|全部|都|均|成功|[顺順]利)通[过過]了?(?:全部|所有)?(?:的)?\s?(?:{NUM}\s?[个個项項条條])?[^,。通]{0,8}?{TEST}(?:$|[。.,;!)])|通[过過](?:了|全部|所有)(?:全部|所有|的)?\s?(?:{NUM}\s?[个個项項条條])?[^,。通]{0,8}?{TEST}(?:$|[。.,;!)])|(?:[没沒]有|[无無])(?:任何)?(?:[测測][试試])?失[败敗]|✅\s?$",
    hedged: r"(?:[应應][该該]|可能|大概|[应應]|似乎|看起[来來]|估[计計])[^,。]{0,16}?(?:通[过過]|成功)了?",
    boundary: r"[,。;]|— ?|\||: |:",
    before_count: r"(?:{TEST}(?:用例)?(?:共|的|:)?|全部|所有|[总總]共|[总總][计計]|一共|共[计計]?|新增的?|[这這]|通[过過]了?|[(|])\s?\(?$",
    after_count: r"^\s?(?:新增的?|[单單]元|集成|整合|回[归歸])?\s?(?:{TEST})|^\s?(?:全部|全|都|均|皆|已)*\s?(?:通[过過]|成功|pass|ok|✅)",
    ratio: r"(?P<of>{NUM})\s?[个個项項条條](?:[测測][试試](?:用例)?)?(?:中|里|裡)(?:有)?,?\s?(?P<n>{NUM})\s?[个個项項条條]",
    carried: r"(?:[运運]行|[执執]行|跑)了?\s?(?P<n>{NUM})\s?[个個项項条條]\s?[^,。]{0,8}?[测測][试試]|{TEST}(?:用例)?\s?(?P<n3>{NUM})\s?[个個项項条條],\s?$|共\s?(?P<n2>{NUM})\s?[个個项項条條]\s?[^,。]{0,8}?[测測][试試]",
    whole: r"全部|全量|所有|全[数數]|皆|均|都|全绿|全綠|整[个個]|完整|(?-u:\ball\b)|100\s?%",
    part: r"新增|新[写寫]|新的|[这這](?:些|几|幾|[0-9])|此次|本次新|相[关關]|[单單]元[测測]|集成[测測]|整合[测測]|端到端|e2e|回[归歸]|[现現]有|解析器|\.[a-z]{1,4}\b",
    grand: r"(?:共|[总總]共|[总總][计計])\s?{NUM}",
    including: r"包括|包含",
    rejects: &[
        Reject {
            what: "question",
            span: Span::Sentence,
            pattern: r"[?]\s*$|[吗嗎][。]?\s*$|是否|有[没沒]有通",
            unless: "",
        },
        Reject {
            what: "condition",
            span: Span::Sentence,
            pattern: r"如果|若|一旦|只要|假如|[当當]|直到|除非|的[话話]|通[过過](?:后|後|之后|之後|[时時]|前|才|再|即可|的|率)|等(?:待|到)?[^,。]{0,10}通[过過]",
            unless: r"修改后|修復後|修复后",
        },
        Reject {
            what: "plan or request",
            span: Span::Sentence,
            pattern: r"确保|確保|保[证證]|需要|必[须須]|要求|[应應][当當]|[让讓]|使(?:得)?[^用]|[将將会會]|希望|期望|[预預]期|目[标標]|[计計][划劃]|接下[来來]|下一步|[请請]|先|以便|为了|為了|打算|准[备備]|準備|[规規][则則]|[条條]件|[标標]准",
            unless: "",
        },
        Reject {
            what: "negation",
            span: Span::Sentence,
            pattern: r"(?:未|不|[没沒](?:有)?|尚未|[还還][没沒]|[无無]法)(?:能|有|全部|完全)?(?:通[过過]|[运運]行|[执執]行|[验驗][证證]|跑)|仍未|[还還]未",
            unless: "",
        },
        Reject {
            what: "failure",
            span: Span::Sentence,
            pattern: r"失[败敗]|[错錯][误誤]|[报報][错錯]",
            unless: r"(?:[没沒]有|[无無]|(?:^|[^0-9.,]|[^0-9],)0 ?[个個项項]?)(?:任何)?(?:[测測][试試])?失[败敗]|失[败敗] ?:? ?0(?:$|[^0-9.])|之前失[败敗]|原本失[败敗]|先前失[败敗]|修[复復]",
        },
        Reject {
            what: "part",
            span: Span::Clause,
            pattern: r"部分|大多|多[数數]|几乎|幾乎|除了?|只有|[仅僅]|其余|其餘|剩[余餘下]|大部|[0-9]+\s?%",
            unless: r"100\s?%",
        },
        Reject {
            what: "other words or time",
            span: Span::Sentence,
            pattern: r"声称|聲稱|[说說]|表示|[报報]告[称稱]|根[据據]|据称|提到|[显顯]示为|之前都|以前|原[来來]都|此前|修改前|[变變]更前|在 ?(?:main|master)",
            unless: "",
        },
        Reject {
            what: "instruction",
            span: Span::Sentence,
            pattern: r"^\W*(?:[确確][认認]|[验驗][证證]|[检檢][查验驗])",
            unless: "已|了",
        },
    ],
};

pub(crate) static READER: LazyLock<Reader> = LazyLock::new(|| Reader::new(&PATTERNS));

/// Letters of Chinese that Japanese does not write.
pub(crate) const LETTERS: [char; 12] =
    ['过', '试', '测', '败', '项', '个', '绿', '这', '没', '们', '數', '總'];
/// See `en::ADDED`.
pub(crate) const ADDED: &str = r"新增|新加|新建|新[编編][写寫]|新的|新[测測]|添加|加入了";
/// Headings and lines before a list under which nothing is a claim.
pub(crate) const PLANS: &str = r"^\W*(?:[测測][试試][计計][划劃]|[计計][划劃]|下一步|接下[来來]|后续|後續|待[办辦]|todo|剩[余餘]|[验驗]收[条條标標]|完成[条條标標]|要求|步[骤驟]|[规規][则則]|未(?:[验驗][证證]|完成)|[预預]期|修改前|[变變]更前|之前|示例|範例)";
/// Table columns that speak of another time.
pub(crate) const COLUMNS: &str =
    r"^\W*(?:之前|修改前|[变變]更前|以前|[预預]期|目[标標]|[计計][划劃]|原[来來本])";

#[cfg(test)]
pub(crate) use examples::EXAMPLES;

#[cfg(test)]
mod examples {
    use crate::claims::language::{Examples, PLAIN};

    pub(crate) static EXAMPLES: Examples = Examples {
        name: "zh",
        claims: &[
            ("所有测试均已通过。", &[PLAIN.all()]),
            ("142 个测试全部通过。", &[PLAIN.all().n(142)]),
            ("12 個測試全部通過。", &[PLAIN.all().n(12)]),
            ("已完成，十二个测试全部通过了！", &[PLAIN.all().n(12)]),
            ("測試：142/142 通過", &[PLAIN.all().n(142).of(142)]),
            ("34 个测试中 34 个通过", &[PLAIN.all().n(34).of(34)]),
            ("成功通过全部 142 项测试。", &[PLAIN.all().n(142)]),
            ("新增的 7 个测试通过。", &[PLAIN.subset().n(7)]),
            ("單元測試全部通過。", &[PLAIN.subset()]),
            ("运行了 34 个测试，全部通过。", &[PLAIN.all().n(34)]),
            ("测试结果：142 通过，0 失败", &[PLAIN.n(142).failed(0)]),
            ("单元测试：83 passed", &[PLAIN.subset().n(83)]),
            ("共 142 個測試，全部通過。", &[PLAIN.all().n(142)]),
            ("测试结果：142 passed, 0 failed", &[PLAIN.n(142).failed(0)]),
            ("測試應該全部通過。", &[PLAIN.all().hedged()]),
            ("- **测试**：全部通过 ✅", &[PLAIN.all()]),
        ],
        not_claims: &[
            "接下来运行测试，确保全部通过。",
            "如果测试通过，就提交。",
            "测试未通过。",
            "測試尚未通過。",
            "通过测试来验证行为。",
            "通过运行测试发现了问题。",
            "测试是否全部通过？",
            "需要让所有测试通过。",
            "12 个测试中有 2 个失败。",
            "测试是否全部通过。",
            "测试全部通过，但有 2 个失败。",
            "部分测试通过。",
            "测试：142 通过 / 10 失败",
            "確認所有測試通過。",
            "測試應該會通過了。",
            "测试通过后再合并。",
            "测试通过率为 95%。",
            "用户说测试全部通过。",
            "文档里写着“测试全部通过”。",
            "修改前測試全部通過。",
            "- [ ] 測試全部通過",
        ],
    };
}
