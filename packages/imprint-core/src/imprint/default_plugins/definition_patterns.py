"""How definitions look in languages without a grammar of ours, and in configuration files."""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import attrs

__all__ = ["DEFINITIONS", "DefinitionPattern"]


@attrs.frozen
class DefinitionPattern:
    """What a line that defines something looks like.

    Attributes:
        regex: Matched at the beginning of a line; the group that takes part is the name.
        leads: What a line begins with that belongs to the definition below it.
    """

    regex: re.Pattern[str]
    leads: tuple[str, ...]


_MODIFIERS: Final = (
    r"(?:(?:public|private|protected|internal|fileprivate|open|final|abstract|static|sealed|data|inline|suspend|override"
    r"|virtual|async|export|default|pub(?:\([^)]*\))?|unsafe|const|extern|implicit|lazy|case|partial|mutating|operator"
    r"|local|readonly|@\w+(?:\([^)]*\))?)[ \t]+)*"
)
_KEYWORDS: Final = (
    r"(?:def|defp|defmodule|defmacro|defprotocol|defimpl|class|struct|interface|trait|enum|record|union|object|protocol"
    r"|extension|impl|module|mod|namespace|fn|fun|func|function|sub|proc|procedure|macro|contract|message|service|mixin"
    r"|actor|type|input)"
)
_KEYWORD: Final = rf"[ \t]*{_MODIFIERS}{_KEYWORDS}[ \t]+(?:\([^)]*\)[ \t]*)?([\w$.:-]*\w[?!]?)"
_ASSIGNED: Final = r"[ \t]*(?:local[ \t]+)?([\w.]+)[ \t]*(?:<-|=)[ \t]*function\b"
_SQL: Final = (
    r"[ \t]*create\s+(?:or\s+replace\s+)?(?:(?:global|local|temp|temporary|unique|virtual|materialized)\s+)*"
    r"(?:table|view|index|function|procedure|trigger|type|schema|sequence|policy)\s+(?:if\s+not\s+exists\s+)?"
    r"([\w.\"`\[\]]+)"
)
_POWERSHELL: Final = r"[ \t]*(?:function|filter|class|enum)[ \t]+([\w:-]+)"
_TERRAFORM: Final = r"((?:resource|data|module|variable|output|provider|locals|terraform)\b[^{]*?)[ \t]*\{"
_TABLE: Final = r"\[+[ \t]*([^\[\]]+?)[ \t]*\]+[ \t]*(?:[#;].*)?$"
_YAML_KEY: Final = r"([\w$./@-]+|\"[^\"]+\"|'[^']+'):(?:\s|$)"
_JSON_KEY: Final = r"(?: {2}| {4}|\t)\"([^\"]+)\"[ \t]*:[ \t]*[\[{][ \t]*$"
_TARGET: Final = r"([\w./%-]+)[ \t]*:(?![=:])"
_STYLE_RULE: Final = r"([^\s{}/*][^{}]*?)[ \t]*\{[ \t]*$"
_PARENTHESIZED: Final = r"\((?:def[\w-]*|define)[ \t]+\(?([^\s()\[\]]+)"
_SIGNATURE: Final = r"([a-z_][\w']*)[ \t]*::|(?:data|newtype|type|class|instance|module)[ \t]+([\w.']+)"

_SLASHES: Final = ("//",)
_HASH: Final = ("#",)
_DASHES: Final = ("--",)


def _pattern(regex: str, leads: tuple[str, ...], *, flags: re.RegexFlag = re.NOFLAG) -> DefinitionPattern:
    return DefinitionPattern(re.compile(regex, flags), leads)


_BRACES: Final = _pattern(_KEYWORD, ("//", "@", "#["))
_WORDS: Final = _pattern(_KEYWORD, ("#", "@"))
_TABLES: Final = _pattern(_TABLE, ("#", ";"))
_TARGETS: Final = _pattern(_TARGET, _HASH)
_STYLES: Final = _pattern(_STYLE_RULE, _SLASHES)

DEFINITIONS: Final[Mapping[str, DefinitionPattern]] = MappingProxyType(
    {
        **dict.fromkeys(("kotlin", "swift", "scala", "dart", "groovy", "zig", "solidity", "protobuf"), _BRACES),
        **dict.fromkeys(("javascript", "typescript", "tsx", "go", "rust", "java", "csharp"), _BRACES),
        **dict.fromkeys(("c", "cpp", "php", "vue", "svelte", "thrift", "v", "d"), _BRACES),
        **dict.fromkeys(
            ("python", "ruby", "bash", "fish", "perl", "elixir", "julia", "nim", "graphql", "crystal"), _WORDS
        ),
        **dict.fromkeys(("toml", "ini"), _TABLES),
        **dict.fromkeys(("make", "just"), _TARGETS),
        **dict.fromkeys(("css", "scss"), _STYLES),
        **dict.fromkeys(("clojure", "lisp"), _pattern(_PARENTHESIZED, (";",))),
        "haskell": _pattern(_SIGNATURE, _DASHES),
        "hcl": _pattern(_TERRAFORM, ("#", "//")),
        "json": _pattern(_JSON_KEY, ()),
        "lua": _pattern(f"{_KEYWORD}|{_ASSIGNED}", _DASHES),
        "powershell": _pattern(_POWERSHELL, _HASH, flags=re.IGNORECASE),
        "r": _pattern(_ASSIGNED, _HASH),
        "sql": _pattern(_SQL, _DASHES, flags=re.IGNORECASE),
        "yaml": _pattern(_YAML_KEY, _HASH),
    }
)
"""By the name of the language, as in `Document.language`."""
