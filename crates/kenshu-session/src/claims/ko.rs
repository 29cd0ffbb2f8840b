//! Korean: its patterns, the reasons against a claim, and examples of both.

use std::sync::LazyLock;

use crate::claims::cjk::{Patterns, Reader};
use crate::claims::language::{Reject, Span};
use crate::claims::number::KOREAN;

static PATTERNS: Patterns = Patterns {
    test: r"(?:테스트|스펙|스모크|(?-u:\b)tests?(?-u:\b)|(?-u:\b)specs?(?-u:\b)|pytest|vitest|jest|[\x{e001}\x{e003}])",
    number: KOREAN,
    counter: r"(?:개 ?파일|파일|스위트|단언|개의?|건의?|종|테스트|tests?)",
    pass: r"(?:통과|성공|(?-u:\b)pass(?:ed|ing)?|그린|녹색|(?-u:\b)ok)(?:했(?:습니다|어요|음|다|고|으며)|하였습니다|하였고|되었습니다|됐습니다|됨|함|입니다|이다|합니다|한다|하며|하고|(?:하는|한|했음을|함을|됨을)\s?(?:것을?\s?)?(?:확인|검증)(?:했|하였|함|됨|완료)\w*|(?:를|을)?\s?확인(?:했습니다|했어요|했음|했다|함|됨|완료|됐습니다|하였습니다|$|[.!)])|\s?상태(?:입니다|임)?|\s?완료\w*|\s?(?:$|[.,!✅)|(]|—))|✅\s?$",
    hedged: r"통과(?:할|하는|한|했을|될|된)\s?(?:것 같|것으로 (?:보|예상|추정)|거 같|듯)|통과(?:하겠|할 겁|할 거)|성공(?:할|한|했을) 것 같",
    boundary: r"했고,? |하였고,? |하고,? |했으며,? |하며,? |했지만,? |지만,? |는데,? |해서,? |하여,? |고,? |으며,? |;|— ?|\||: |\. ",
    before_count: r"(?:{TEST}(?:\s?(?:케이스|는|은|가|이|:))?|전체|총|모든|모두|합계|신규|새|추가|기존|[(|])\s?\(?$",
    after_count: r"^\s?(?:신규 |새 |단위 |통합 |기존 |회귀 )?(?:{TEST})|^\s?(?:가|이|는|은|의)?\s?(?:모두|전부|전체|다)?\s?(?:통과|성공|pass|ok|그린|✅)",
    ratio: r"(?P<of>{NUM})\s?(?:개|건)(?:의)?(?:\s?테스트)?\s?(?:중|가운데),?\s?(?P<n>{NUM})\s?(?:개|건)",
    carried: r"테스트\s?(?P<n>{NUM})\s?(?:개|건)(?:를|을)?\s?실행|(?P<n2>{NUM})\s?(?:개|건)(?:의)?\s?테스트(?:를|을)?\s?실행",
    whole: r"모두|전부|전체|모든|전원|올그린|(?-u:\ball\b)|전 테스트|100\s?%",
    part: r"신규|새로|추가(?:한|된)|이번|해당|관련|기존|단위 ?테스트|유닛 ?테스트|통합 ?테스트|e2e|회귀|브라우저|스모크|파서|\.[a-z]{1,4}\b",
    grand: r"(?:전체|총|합계)\s?{NUM}",
    including: r"포함",
    rejects: &[
        Reject {
            what: "question",
            span: Span::Sentence,
            pattern: r"[?]\s*$|(?:나요|까요|습니까)[.]?\s*$|는지|여부",
            unless: "",
        },
        Reject {
            what: "condition",
            span: Span::Sentence,
            pattern: r"(?:통과|성공)(?:하면|되면|한다면|할 때|할 경우|해야|하거든|하는 경우|한 경우)|만약|라면|경우|까지|(?:통과|성공)\s?(?:후|한 후|한 뒤|하면)|때까지|전제",
            unless: "",
        },
        Reject {
            what: "plan or request",
            span: Span::Sentence,
            pattern: r"겠습니다|할게요|하겠|예정|하세요|주세요|해 ?주|바랍니다|하도록|도록|해야|필요|목표|계획|하려|합시다|하자[.]?\s*$|시키|확인해|다음(?:은|으로)|기대|규칙|조건|위해|위한|보장",
            unless: r"통과하도록 (?:수정|고쳤|변경)\w*[^.]*(?:모두|전부|전체)[^.]*통과(?:했|함|됨|\.|$)",
        },
        Reject {
            what: "negation",
            span: Span::Sentence,
            pattern: r"(?:통과|성공)(?:하지|되지|못)|안 통과|미통과|불통과|통과 ?못|않(?:았|습|는|은)|아직|못했|없었|실행하지|미확인|미실행|확인 ?(?:안|못)",
            unless: r"(?:실패|오류|에러|문제)(?:는|가|도)?\s?없",
        },
        Reject {
            what: "failure",
            span: Span::Sentence,
            pattern: r"(?:[1-9][0-9]*|한|두|세|네|다섯)\s?(?:개|건)(?:의?\s?\S{0,8})?(?:가|는|이|은)?\s?(?:실패|오류|에러)|실패:?\s?[1-9]|실패(?:했|합|하고|함|중|가 |\.|$)",
            unless: r"실패(?:했|하)던|(?:^|[^0-9.,]|[^0-9],)0\s?(?:개|건)?\s?실패|실패:?\s?0|실패 ?없",
        },
        Reject {
            what: "part",
            span: Span::Clause,
            pattern: r"일부|대부분|거의|나머지|절반|제외|빼고|외에|외 |만 통과|[0-9]+\s?%",
            unless: r"100\s?%",
        },
        Reject {
            what: "other words or time",
            span: Span::Sentence,
            pattern: r"라고|다고|에 따르면|에 의하면|이전에는|예전|지난번|원래|변경 전|수정 전|(?:main|master|베이스)(?: 브랜치)?에서",
            unless: "",
        },
    ],
};

pub(crate) static READER: LazyLock<Reader> = LazyLock::new(|| Reader::new(&PATTERNS));

/// See `en::ADDED`.
pub(crate) const ADDED: &str = r"새로|새 |신규|추가";
/// Headings and lines before a list under which nothing is a claim.
pub(crate) const PLANS: &str = r"^\W*(?:테스트 ?계획|계획|다음|향후|할 ?일|todo|남은|완료 ?조건|수락 ?조건|조건|요구|절차|방법|규칙|미확인|미완료|예상|기대|변경 ?전|수정 ?전|이전|예시)";
/// Table columns that speak of another time.
pub(crate) const COLUMNS: &str = r"^\W*(?:변경 ?전|수정 ?전|이전|기존|기대|예상|목표|계획)";

#[cfg(test)]
pub(crate) use examples::EXAMPLES;

#[cfg(test)]
mod examples {
    use crate::claims::language::{Examples, PLAIN};

    pub(crate) static EXAMPLES: Examples = Examples {
        name: "ko",
        claims: &[
            ("빌드·회귀 스모크·기존 분석 테스트 모두 통과.", &[PLAIN.subset()]),
            ("테스트 3개로 고정했고 전체 389개 통과.", &[PLAIN.all().n(389)]),
            ("드래그·휠 5방향 브라우저 테스트 통과.", &[PLAIN.subset()]),
            ("테스트 12개 모두 통과했습니다.", &[PLAIN.all().n(12)]),
            ("142개 테스트가 모두 통과했습니다.", &[PLAIN.all().n(142)]),
            ("테스트 열두 개 모두 통과했습니다.", &[PLAIN.all().n(12)]),
            ("테스트 142/142 통과", &[PLAIN.all().n(142).of(142)]),
            ("142개 중 140개 테스트 통과.", &[PLAIN.n(140).of(142)]),
            ("테스트 통과 확인했습니다.", &[PLAIN]),
            ("모든 테스트가 통과하는 것을 확인했습니다.", &[PLAIN.all()]),
            ("142개 테스트 전부 통과 확인.", &[PLAIN.all().n(142)]),
            ("단위 테스트: 83 passed", &[PLAIN.subset().n(83)]),
            ("신규 테스트 7건 통과.", &[PLAIN.subset().n(7)]),
            ("vitest 389개 pass, 실패 0건.", &[PLAIN.n(389).failed(0)]),
            ("테스트: 142 passed, 0 failed", &[PLAIN.n(142).failed(0)]),
            ("테스트는 모두 통과할 것 같습니다.", &[PLAIN.all().hedged()]),
            ("- **테스트**: 전체 통과 ✅", &[PLAIN.all()]),
            ("실패하던 테스트를 포함해 전부 통과했습니다.", &[PLAIN.all()]),
        ],
        not_claims: &[
            "테스트를 실행하겠습니다.",
            "테스트가 통과하도록 수정하겠습니다.",
            "테스트가 통과하면 커밋하세요.",
            "테스트가 통과하는지 확인해 주세요.",
            "아직 테스트가 통과하지 않습니다.",
            "테스트 12개 중 2개 실패했습니다.",
            "테스트 140건 통과, 10건 실패.",
            "일부 테스트만 통과했습니다.",
            "모든 테스트가 통과해야 합니다.",
            "테스트가 통과했나요?",
            "README에 \"테스트 12개 모두 통과\"라고 적혀 있습니다.",
            "변경 전에는 테스트가 모두 통과했습니다.",
            "테스트 모두 통과함?",
            "만약 테스트가 통과, 그러면 머지합니다.",
            "목표: 테스트 모두 통과.",
            "테스트 통과함은 아직 확인 못 했습니다.",
            "테스트 3개를 추가했습니다.",
            "테스트 통과 여부를 확인 중입니다.",
            "- [ ] 테스트 모두 통과",
        ],
    };
}
