"""The rules that know a secret by its form: what vendors give their tokens to be found by, and what is named a secret.

Every rule begins with a literal, so that text without one costs a search for a few short strings. Vendors gave their
tokens such prefixes for this very purpose; where a secret has none (a password), the name it is assigned to is the
literal, and the value has to look made up. Randomness alone tells no secret from a hash, so no rule goes by it alone.
"""

import re
from collections.abc import Callable
from math import log2

import attrs

__all__ = ["RULES", "SHORTEST_WORD", "SecretRule", "is_made_up"]

SHORTEST_WORD = 20
"""Nothing that a vendor hands out is shorter, with what stands next to it."""


@attrs.frozen(kw_only=True)
class SecretRule:
    """One kind of secret.

    Attributes:
        name: What the secret is called in its place.
        literals: One of them is in every match, ``before`` characters after its beginning.
        pattern: Matched from there; group 1 is the secret, or the whole match where there is no group.
        before: How far the match begins before the literal.
        folds: The literals are in lower case, and meant in any.
        is_word: The literals are in one run with the secret that no space breaks, of `SHORTEST_WORD` or more.
        is_secret: What the found text has to be besides.
    """

    name: str
    literals: tuple[str, ...]
    pattern: re.Pattern[str]
    before: int = 0
    folds: bool = False
    is_word: bool = True
    is_secret: Callable[[str], bool] | None = None


_EXAMPLE = re.compile(
    r"example|sample|dummy|placeholder|change.?me|your[_-]|my[_-]?(?:secret|password|token|key)|redacted|xxxx|\.\.\.|1234567|abcdef"
    r"|^(?:test|fake|foo|bar|none|null|true|false|undefined)|(.)\1{5}",
    re.IGNORECASE,
)
_HOLE = re.compile(r"[$%]\{?[A-Za-z_(]|\{\{|\{[\w.\[\]!:]*\}|<[\w .:-]+>|\*{3}|%s|^[A-Z_]+$|\w[(\[][^)\]]*[)\]]$")
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_WORDS = re.compile(r"[A-Za-z]{2,}")
_CLASSES = tuple(re.compile(one) for one in (r"[a-z]", r"[A-Z]", r"\d", r"[^A-Za-z0-9]"))
_LEAST_ENTROPY = 3.0


def is_made_up(value: str) -> bool:
    """Whether a value that is named a secret looks like one, and not like a name, an example or a template."""
    if _EXAMPLE.search(value) or _HOLE.search(value) or _UUID.fullmatch(value):
        return False
    if not _CLASSES[2].search(value) or sum(1 for one in _CLASSES if one.search(value)) < 2:
        return False
    return _entropy(value) >= (_LEAST_ENTROPY if len(value) >= 12 else 2.5) and not _is_name(value)


def _is_strange(token: str) -> bool:
    """Whether a token with a vendor's prefix is more than an example of its form."""
    return not _EXAMPLE.search(token) and len(set(token[-16:])) >= 5


def _is_password(value: str) -> bool:
    """Whether what stands for a password in a URL is one; weaker ones too, since nothing else stands there."""
    if _EXAMPLE.search(value) or _HOLE.search(value) or len(value) < 5:
        return False
    return sum(1 for one in _CLASSES if one.search(value)) >= 2 or len(value) >= 16


def _is_name(value: str) -> bool:
    """Words with a number or marks between them: ``sha256_digest``, ``tokens-v2``, ``utf-8``."""
    words = _WORDS.findall(value)
    return len(value) < 40 and sum(map(len, words)) >= 0.65 * len(value) and all(map(_is_spelled, words))


def _is_spelled(word: str) -> bool:
    """Whether a run of letters may be a word, by its case and its vowels."""
    if not (word.islower() or word.isupper() or word.istitle()):
        return False
    vowels = sum(1 for letter in word.lower() if letter in "aeiouy")
    return len(word) <= 4 or 0.2 <= vowels / len(word) <= 0.7


def _entropy(value: str) -> float:
    """Bits a character, by how often each occurs in the value."""
    counts = [value.count(character) for character in set(value)]
    return -sum(count / len(value) * log2(count / len(value)) for count in counts)


def _rule(
    name: str,
    literals: str,
    pattern: str,
    *,
    before: int = 0,
    folds: bool = False,
    is_word: bool = True,
    is_secret: Callable[[str], bool] | None = _is_strange,
) -> SecretRule:
    return SecretRule(
        name=name,
        literals=tuple(literals.split()),
        pattern=re.compile(pattern, re.ASCII | (re.IGNORECASE if folds else 0)),
        before=before,
        folds=folds,
        is_word=is_word,
        is_secret=is_secret,
    )


_FREE = r"(?<![A-Za-z0-9_])"
"""Nothing that could belong to a longer word stands before."""

_END = r"(?![A-Za-z0-9_])"

_ASSIGNED = r"""[\w.-]{0,40}+["'`]?+\]?+\s{0,8}+(?::=|=>|=|:)\s{0,8}"""
_QUOTED = r"""(?:[a-zA-Z]{0,2}(?:"([^\s"\\]{8,200})"|'([^\s'\\]{8,200})'|`([^\s`\\]{8,200})`))"""
_BARE = r"""([A-Za-z0-9_+/=~!@^&*-]{10,200})(?=[\s;,}#]|$)"""
_SECRET_NAMES = "passw pwd secret token api_key apikey api-key access_key accesskey access-key auth_key credential"

RULES: tuple[SecretRule, ...] = (
    _rule(
        "private key",
        "-----BEGIN",
        r"-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----"
        r"((?:(?!-----)[\s\S]){40,20000}(?=-----END)|(?:(?:\\[rn]|\s)+[A-Za-z0-9+/=]{16,})+)",
        is_word=False,
        is_secret=lambda body: re.search(r"[A-Za-z0-9+/=]{16}", body) is not None and "..." not in body,
    ),
    _rule(
        "PuTTY key",
        "Private-Lines:",
        r"Private-Lines: \d+((?:\s+[A-Za-z0-9+/=]{16,})+)",
        is_word=False,
    ),
    _rule("age key", "AGE-SECRET-KEY-1", r"AGE-SECRET-KEY-1[0-9A-Z]{58}"),
    _rule("Anthropic key", "sk-ant-", _FREE + r"sk-ant-[A-Za-z0-9_-]{20,}"),
    _rule("OpenRouter key", "sk-or-", _FREE + r"sk-or-(?:v1-)?[0-9a-f]{40,}"),
    _rule(
        "OpenAI key",
        "sk-",
        _FREE + r"sk-(?:(?:proj|svcacct|admin|None)-[A-Za-z0-9_-]{20,}|[A-Za-z0-9]{20,}T3BlbkFJ[A-Za-z0-9]{20,}"
        r"|(?=[a-zA-Z]*\d)[A-Za-z0-9]{32,})" + _END,
    ),
    _rule("Google key", "AIza", _FREE + r"AIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])"),
    _rule("Google OAuth secret", "GOCSPX-", _FREE + r"GOCSPX-[A-Za-z0-9_-]{28}(?![A-Za-z0-9_-])"),
    _rule("Google OAuth token", "ya29.", _FREE + r"ya29\.[A-Za-z0-9_-]{30,}"),
    _rule("GitHub token", "ghp_ gho_ ghu_ ghs_ ghr_", _FREE + r"gh[pousr]_[A-Za-z0-9]{36,255}" + _END),
    _rule("GitHub token", "github_pat_", _FREE + r"github_pat_[A-Za-z0-9_]{22,255}" + _END),
    _rule(
        "GitLab token",
        "glpat- gldt- glft- glsoat- glrt- glcbt- glimt- glptt- glagent- gloas- glffct-",
        _FREE + r"gl(?:pat|dt|ft|soat|rt|cbt|imt|ptt|agent|oas|ffct)-[A-Za-z0-9_.-]{20,}" + _END,
    ),
    _rule("GitLab runner token", "GR1348941", _FREE + r"GR1348941[A-Za-z0-9_-]{20,}"),
    _rule("AWS key", "AKIA ASIA ABIA ACCA A3T", _FREE + r"(?:A3T[A-Z0-9]|A[KS]IA|ABIA|ACCA)[A-Z0-9]{16}" + _END),
    _rule(
        "AWS secret key",
        "aws",
        r"aws.{0,30}?(?:key|pass|pwd|secret|token)[^\n]{0,30}?[\"'=:\s]([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])",
        folds=True,
        is_word=False,
        is_secret=lambda value: is_made_up(value) and bool(_CLASSES[1].search(value)) and "/" not in value[:1],
    ),
    _rule("Slack token", "xox", _FREE + r"xox[abeoprs]-(?:[A-Za-z0-9]{1,40}-){1,6}[A-Za-z0-9]{8,}", folds=True),
    _rule("Slack app token", "xapp-", _FREE + r"xapp-\d-[A-Z0-9]+-\d+-[A-Za-z0-9]{16,}"),
    _rule(
        "Slack webhook",
        "hooks.slack.com/",
        r"hooks\.slack\.com/(?:services|workflows|triggers)/([A-Za-z0-9_]{4,}/[A-Za-z0-9_]{4,}/[A-Za-z0-9_]{10,})",
    ),
    _rule("Discord webhook", "/api/webhooks/", r"/api/webhooks/\d{15,21}/([A-Za-z0-9_-]{60,80})"),
    _rule(
        "Discord token",
        "MT Mj Mz ND NT Nj Nz OD OT",
        r"(?<![A-Za-z0-9_+/=-])[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40}(?![A-Za-z0-9_.-])",
    ),
    _rule("Telegram token", ":AA", r"(?<=\d{8}):(AA[A-Za-z0-9_-]{33})(?![A-Za-z0-9_-])"),
    _rule("Stripe key", "sk_live_ rk_live_ sk_test_ rk_test_", _FREE + r"[sr]k_(?:live|test)_[A-Za-z0-9]{16,}" + _END),
    _rule("Stripe webhook secret", "whsec_", _FREE + r"whsec_[A-Za-z0-9+/=]{24,}"),
    _rule("npm token", "npm_", _FREE + r"npm_[A-Za-z0-9]{36}" + _END),
    _rule("npm token", ":_auth :_password", r":_(?:authToken|password|auth)=\"?([A-Za-z0-9+/=_-]{16,})"),
    _rule("PyPI token", "pypi-AgE", _FREE + r"pypi-AgE[A-Za-z0-9_-]{50,}"),
    _rule("JSON web token", "eyJ", _FREE + r"eyJ[A-Za-z0-9_-]{10,2000}\.eyJ[A-Za-z0-9_-]{8,8000}\.[A-Za-z0-9_-]{16,}"),
    _rule("SendGrid key", "SG.", _FREE + r"SG\.[A-Za-z0-9_-]{20,24}\.[A-Za-z0-9_-]{39,50}"),
    _rule("Twilio key", "SK AC", _FREE + r"(?:SK|AC)[0-9a-f]{32}" + _END),
    _rule("Mailgun key", "key-", _FREE + r"key-[0-9a-f]{32}" + _END),
    _rule("Mailchimp key", "-us", r"(?<![0-9a-z])[0-9a-f]{32}-us\d{1,2}" + _END, before=32),
    _rule("Hugging Face token", "hf_", _FREE + r"hf_[A-Za-z0-9]{30,}" + _END),
    _rule("DigitalOcean token", "dop_v1_ doo_v1_ dor_v1_", _FREE + r"do[opr]_v1_[0-9a-f]{64}" + _END),
    _rule("Databricks token", "dapi", _FREE + r"dapi[0-9a-f]{32}(?:-\d)?" + _END),
    _rule("Docker token", "dckr_pat_ dckr_oat_", _FREE + r"dckr_[po]at_[A-Za-z0-9_-]{20,}"),
    _rule("HashiCorp token", "hvs. hvb. hvr.", _FREE + r"hv[sbr]\.[A-Za-z0-9_-]{24,}"),
    _rule(
        "Terraform token", ".atlasv1.", r"(?<![A-Za-z0-9])[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,70}", before=14
    ),
    _rule("Shopify token", "shpat_ shpca_ shppa_ shpss_", _FREE + r"shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}" + _END),
    _rule(
        "Square token", "sq0csp- sq0atp- EAAA", _FREE + r"(?:sq0(?:csp-[\w-]{43}|atp-[\w-]{22})|EAAA[\w-]{60})(?![\w-])"
    ),
    _rule("Linear key", "lin_api_", _FREE + r"lin_api_[A-Za-z0-9]{40}" + _END),
    _rule("Notion token", "ntn_ secret_", _FREE + r"(?:ntn_[A-Za-z0-9]{40,}|secret_[A-Za-z0-9]{43})" + _END),
    _rule("Groq key", "gsk_", _FREE + r"gsk_[A-Za-z0-9]{40,}" + _END),
    _rule("xAI key", "xai-", _FREE + r"xai-[A-Za-z0-9]{60,}" + _END),
    _rule("Perplexity key", "pplx-", _FREE + r"pplx-[A-Za-z0-9]{40,}" + _END),
    _rule("Replicate token", "r8_", _FREE + r"r8_[A-Za-z0-9]{37}" + _END),
    _rule("Grafana token", "glsa_ glc_", _FREE + r"(?:glsa_[A-Za-z0-9]{32}_[0-9a-f]{8}|glc_[A-Za-z0-9+/]{32,}={0,3})"),
    _rule("Sentry token", "sntrys_ sntryu_", _FREE + r"sntry[su]_[A-Za-z0-9+/=_-]{40,}"),
    _rule("Postman key", "PMAK-", _FREE + r"PMAK-[0-9a-f]{24}-[0-9a-f]{34}" + _END),
    _rule("Artifactory key", "AKC", r"(?<![A-Za-z0-9+/_-])AKC[A-Za-z0-9]{60,}" + _END),
    _rule(
        "Azure key",
        "accountkey= sharedaccesskey=",
        r"(?:account|sharedaccess)key=([A-Za-z0-9+/]{40,90}={0,2})(?![A-Za-z0-9+/=])",
        folds=True,
    ),
    _rule("Azure signature", "sig=", r"(?<=[?&;])sig=([A-Za-z0-9%+/]{40,}(?:=|%3D)?)"),
    _rule(
        "Azure secret",
        "Q~",
        r"(?<![A-Za-z0-9_~.-])[A-Za-z0-9_~.]{3}\dQ~[A-Za-z0-9_~.-]{31,34}(?![A-Za-z0-9_~.-])",
        before=4,
    ),
    _rule(
        "authorization",
        "bearer basic",
        _FREE + r"(?:bearer|basic)\s{1,4}([A-Za-z0-9._~+/-]{16,}={0,2})",
        folds=True,
        is_word=False,
        is_secret=is_made_up,
    ),
    _rule(
        "password",
        "://",
        r"""://[^\s/:@"'`<>,()]{0,80}:([^\s/@"'`<>\\,()]{1,120})@(?=[A-Za-z0-9\[_-])""",
        is_word=False,
        is_secret=_is_password,
    ),
    _rule(
        "password",
        "passw pwd",
        r"(?:passw(?:or[dt])|passwd|pwd)\s(?:is|ist|lautet|was|war|=|:)\s?[\"'`]?([^\s\"'`]{8,80}?)(?=[.,;]?[\"'`]?(?:\s|$))",
        folds=True,
        is_word=False,
        is_secret=is_made_up,
    ),
    _rule(
        "password",
        "--pass --token --api-key --secret",
        r"--(?:pass\w*|token|api-key|secret)[\s=][\"']?([^\s\"'`]{8,200})",
        folds=True,
        is_word=False,
        is_secret=is_made_up,
    ),
    _rule(
        "secret",
        _SECRET_NAMES,
        rf"\w{{2}}{_ASSIGNED}(?:{_QUOTED}|{_BARE})",
        folds=True,
        is_word=False,
        is_secret=is_made_up,
    ),
)
"""In the order in which they are asked: a secret is called by the first that knows it."""
