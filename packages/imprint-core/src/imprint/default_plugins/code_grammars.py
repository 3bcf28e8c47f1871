"""What the code extractor knows of each language: its grammar's wheel, what defines a name there, what leads up to it.

A query captures a definition as ``@d``, the node that names it as ``@n``, the type a method is written outside of as
``@s``, and the word that makes a call a definition (``describe("…")``) as ``@word``. Where several patterns match a
name, the widest definition counts: that is how decorators and ``export`` come to belong to what they decorate.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import attrs

__all__ = ["GRAMMARS", "Grammar"]


@attrs.frozen(kw_only=True)
class Grammar:
    """A tree-sitter grammar and how to read its trees.

    Attributes:
        module: The module of the grammar's wheel.
        function: The function in it that gives the language.
        query: Tree-sitter query with the captures ``d``, ``n``, ``s`` and ``word``.
        leads: What a line begins with that belongs to the definition below it, comments and attributes.
        words: The calls that define something. No predicate of the query says it: that would read the text of nodes,
            which must not be (see the extractor).
    """

    module: str
    function: str = "language"
    query: str
    leads: tuple[str, ...] = ("//",)
    words: frozenset[str] = frozenset()


def _named(*kinds: str) -> str:
    return "\n".join(f"({kind} name: (_) @n) @d" for kind in kinds)


_PYTHON: Final = (
    _named("function_definition", "class_definition")
    + """
(decorated_definition definition: (_ name: (_) @n)) @d
"""
)

_FUNCTIONS: Final = "[(arrow_function) (function_expression) (generator_function) (class)]"
_ECMASCRIPT: Final = (
    _named("function_declaration", "generator_function_declaration", "class_declaration", "method_definition")
    + f"""
(lexical_declaration (variable_declarator name: (identifier) @n value: {_FUNCTIONS})) @d
(variable_declaration (variable_declarator name: (identifier) @n value: {_FUNCTIONS})) @d
(program (lexical_declaration (variable_declarator name: (identifier) @n value: (object))) @d)
(program (variable_declaration (variable_declarator name: (identifier) @n value: (object))) @d)
(export_statement declaration: (_ name: (_) @n)) @d
(export_statement declaration: (lexical_declaration (variable_declarator name: (identifier) @n value: [
    (object) (arrow_function) (function_expression) (generator_function) (class)]))) @d
(export_statement "default" @n value: [
    (object) (arrow_function) (function_expression) (generator_function) (class)]) @d
(expression_statement (assignment_expression left: [(identifier) (member_expression)] @n right: {_FUNCTIONS})) @d
(pair key: (_) @n value: {_FUNCTIONS}) @d
(expression_statement (call_expression
    function: [(identifier) @word (member_expression object: (identifier) @word)]
    arguments: (arguments . [(string) (template_string)] @n [(arrow_function) (function_expression)]))) @d
"""
)
_JAVASCRIPT: Final = _ECMASCRIPT + f"(field_definition property: (_) @n value: {_FUNCTIONS}) @d"
_TYPESCRIPT: Final = (
    _ECMASCRIPT
    + _named(
        "abstract_class_declaration",
        "interface_declaration",
        "type_alias_declaration",
        "enum_declaration",
        "internal_module",
        "module",
    )
    + f"(public_field_definition name: (_) @n value: {_FUNCTIONS}) @d"
)

_GO: Final = (
    _named("function_declaration", "type_spec")
    + """
(type_declaration . (type_spec name: (_) @n) .) @d
(method_declaration name: (_) @n) @d
(method_declaration receiver: (parameter_list (parameter_declaration type: [
    (type_identifier) @s
    (generic_type type: (_) @s)
    (pointer_type (type_identifier) @s)
    (pointer_type (generic_type type: (_) @s))])) name: (_) @n) @d
"""
)

_RUST: Final = (
    _named("function_item", "struct_item", "enum_item", "union_item", "trait_item", "mod_item", "macro_definition")
    + """
(impl_item type: (_) @n) @d
(impl_item type: (generic_type type: (_) @n)) @d
"""
)

_JAVA: Final = _named(
    "class_declaration",
    "interface_declaration",
    "enum_declaration",
    "record_declaration",
    "annotation_type_declaration",
    "method_declaration",
    "constructor_declaration",
    "compact_constructor_declaration",
)

_C: Final = """
(function_definition declarator: (function_declarator declarator: (_) @n)) @d
(function_definition declarator: (_ declarator: (function_declarator declarator: (_) @n))) @d
(function_definition declarator: (_ declarator: (_ declarator: (function_declarator declarator: (_) @n)))) @d
(struct_specifier name: (_) @n body: (_)) @d
(union_specifier name: (_) @n body: (_)) @d
(enum_specifier name: (_) @n body: (_)) @d
(type_definition type: (_ body: (_)) declarator: (type_identifier) @n) @d
(preproc_function_def name: (_) @n) @d
"""
_CPP: Final = (
    _C
    + """
(function_definition declarator: (reference_declarator (function_declarator declarator: (_) @n))) @d
(function_definition declarator: (operator_cast) @n) @d
(class_specifier name: (_) @n body: (_)) @d
(namespace_definition name: (_) @n) @d
(template_declaration (class_specifier name: (_) @n)) @d
(template_declaration (struct_specifier name: (_) @n)) @d
(template_declaration (function_definition declarator: (function_declarator declarator: (_) @n))) @d
(template_declaration (function_definition declarator: (_ declarator: (function_declarator declarator: (_) @n)))) @d
(template_declaration (function_definition
    declarator: (reference_declarator (function_declarator declarator: (_) @n)))) @d
"""
)

_CSHARP: Final = _named(
    "namespace_declaration",
    "class_declaration",
    "struct_declaration",
    "interface_declaration",
    "enum_declaration",
    "record_declaration",
    "method_declaration",
    "constructor_declaration",
    "property_declaration",
    "local_function_statement",
)

_RUBY: Final = (
    _named("module", "class", "method", "singleton_method")
    + """
(call method: (identifier) @word arguments: (argument_list . [(string) (constant)] @n) block: (_)) @d
"""
)

_PHP: Final = _named(
    "class_declaration",
    "interface_declaration",
    "trait_declaration",
    "enum_declaration",
    "method_declaration",
    "function_definition",
)

_TESTS: Final = frozenset({"describe", "context", "suite", "it", "test", "namespace"})

_TSX: Final = Grammar(
    module="tree_sitter_typescript", function="language_tsx", query=_TYPESCRIPT, leads=("//", "@"), words=_TESTS
)
GRAMMARS: Final[Mapping[str, Grammar]] = MappingProxyType(
    {
        "python": Grammar(module="tree_sitter_python", query=_PYTHON, leads=("#",)),
        "javascript": Grammar(module="tree_sitter_javascript", query=_JAVASCRIPT, leads=("//", "@"), words=_TESTS),
        "typescript": attrs.evolve(_TSX, function="language_typescript"),
        "tsx": _TSX,
        "go": Grammar(module="tree_sitter_go", query=_GO),
        "rust": Grammar(module="tree_sitter_rust", query=_RUST, leads=("//", "#[")),
        "java": Grammar(module="tree_sitter_java", query=_JAVA),
        "c": Grammar(module="tree_sitter_c", query=_C),
        "cpp": Grammar(module="tree_sitter_cpp", query=_CPP),
        "csharp": Grammar(module="tree_sitter_c_sharp", query=_CSHARP),
        "ruby": Grammar(module="tree_sitter_ruby", query=_RUBY, leads=("#",), words=_TESTS),
        "php": Grammar(module="tree_sitter_php", function="language_php", query=_PHP, leads=("//", "#")),
        "bash": Grammar(module="tree_sitter_bash", query=_named("function_definition"), leads=("#",)),
    }
)
"""By the name of the language, as in `Document.language`."""
