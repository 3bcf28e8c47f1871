"""Which language a file is written in, by its name or its first line, and whether that makes it code or a document."""

import re
from collections.abc import Mapping

import attrs

from imprint.domain.sources import SourceKind

__all__ = ["PLAIN_TEXT", "Language", "detect_language"]


@attrs.frozen
class Language:
    """A language's lower-case name, and what kind of source a file in it is."""

    name: str
    kind: SourceKind

    @property
    def is_prose(self) -> bool:
        return self.kind is SourceKind.DOCUMENT


PLAIN_TEXT = Language("text", SourceKind.DOCUMENT)

_DOCUMENT_SUFFIXES: Mapping[str, str] = {
    "markdown": "md markdown mdown mkd mdx qmd rmd",
    "restructuredtext": "rst rest",
    "asciidoc": "adoc asciidoc asc",
    "org": "org",
    "tex": "tex ltx sty cls bib",
    "textile": "textile",
    "wiki": "mediawiki wiki",
    "typst": "typ",
    "text": "txt text log me srt vtt eml mbox csv tsv",
    "pdf": "pdf",
    "word": "docx",
}

_CODE_SUFFIXES: Mapping[str, str] = {
    "python": "py pyi pyw pyx pxd bzl bazel star",
    "javascript": "js mjs cjs jsx es6",
    "typescript": "ts mts cts",
    "tsx": "tsx",
    "go": "go",
    "rust": "rs",
    "java": "java",
    "kotlin": "kt kts",
    "scala": "scala sc sbt",
    "groovy": "groovy gradle",
    "clojure": "clj cljs cljc edn",
    "c": "c h",
    "cpp": "cc cpp cxx c++ hh hpp hxx h++ ipp inl tpp cu cuh",
    "csharp": "cs csx",
    "fsharp": "fs fsi fsx",
    "visualbasic": "vb vbs bas",
    "objectivec": "m mm",
    "swift": "swift",
    "ruby": "rb rake gemspec ru erb podspec",
    "php": "php phtml php5",
    "perl": "pl pm t pod",
    "lua": "lua",
    "r": "r",
    "julia": "jl",
    "elixir": "ex exs eex heex",
    "erlang": "erl hrl",
    "haskell": "hs lhs",
    "ocaml": "ml mli",
    "elm": "elm",
    "dart": "dart",
    "zig": "zig",
    "nim": "nim",
    "crystal": "cr",
    "d": "d",
    "v": "vsh",
    "lisp": "lisp lsp el scm ss rkt",
    "fortran": "f f77 f90 f95 f03 f08 for",
    "pascal": "pas pp dpr",
    "cobol": "cob cbl",
    "ada": "adb ads",
    "assembly": "s asm",
    "verilog": "v sv svh",
    "vhdl": "vhd vhdl",
    "solidity": "sol",
    "bash": "sh bash zsh ksh bats",
    "fish": "fish",
    "powershell": "ps1 psm1 psd1",
    "batch": "bat cmd",
    "sql": "sql ddl dml psql",
    "graphql": "graphql gql",
    "protobuf": "proto",
    "thrift": "thrift",
    "html": "html htm xhtml",
    "css": "css",
    "scss": "scss sass less styl",
    "vue": "vue",
    "svelte": "svelte",
    "astro": "astro",
    "xml": "xml xsd xsl xslt svg plist csproj fsproj vbproj props targets pom",
    "json": "json jsonc json5 jsonl ndjson ipynb webmanifest",
    "yaml": "yaml yml",
    "toml": "toml",
    "ini": "ini cfg conf properties editorconfig desktop service",
    "hcl": "tf hcl",
    "nix": "nix",
    "cmake": "cmake",
    "make": "mk mak",
    "dockerfile": "dockerfile",
    "jinja": "j2 jinja jinja2",
    "diff": "diff patch",
    "glsl": "glsl vert frag comp hlsl wgsl metal",
    "vim": "vim",
    "awk": "awk",
    "tcl": "tcl",
    "prolog": "pro",
}

_CODE_NAMES: Mapping[str, str] = {
    "make": "makefile gnumakefile bsdmakefile",
    "cmake": "cmakelists.txt",
    "dockerfile": "dockerfile containerfile",
    "ruby": "rakefile gemfile guardfile vagrantfile podfile fastfile brewfile",
    "groovy": "jenkinsfile",
    "python": "sconstruct sconscript wscript build workspace",
    "just": "justfile",
    "bash": ".bashrc .bash_profile .profile .zshrc .zprofile pkgbuild",
    "ini": ".gitconfig .gitmodules .editorconfig .flake8 .pylintrc",
    "json": ".babelrc .eslintrc .prettierrc",
    "vim": ".vimrc",
    "gomod": "go.mod go.work",
    "starlark": "tiltfile",
}

_DOCUMENT_NAMES: Mapping[str, str] = {
    "text": "readme license licence copying authors contributors changelog changes news todo notice install "
    "requirements.txt constraints.txt .gitignore .gitattributes .dockerignore codeowners",
}

_INTERPRETERS: Mapping[str, str] = {
    "python": "python pypy uv",
    "javascript": "node nodejs bun",
    "typescript": "deno ts-node tsx",
    "bash": "sh bash zsh dash ksh ash",
    "fish": "fish",
    "ruby": "ruby",
    "perl": "perl",
    "php": "php",
    "lua": "lua luajit",
    "r": "rscript",
    "awk": "awk gawk mawk",
    "tcl": "tclsh wish",
    "groovy": "groovy",
    "elixir": "elixir",
    "erlang": "escript",
    "julia": "julia",
    "powershell": "pwsh powershell",
    "make": "make",
    "haskell": "runhaskell runghc",
    "swift": "swift",
    "nix": "nix-shell",
}


def _spread(table: Mapping[str, str], kind: SourceKind) -> dict[str, Language]:
    return {word: Language(name, kind) for name, words in table.items() for word in words.split()}


_BY_SUFFIX = _spread(_DOCUMENT_SUFFIXES, SourceKind.DOCUMENT) | _spread(_CODE_SUFFIXES, SourceKind.CODE)
_BY_NAME = _spread(_DOCUMENT_NAMES, SourceKind.DOCUMENT) | _spread(_CODE_NAMES, SourceKind.CODE)
_BY_INTERPRETER = _spread(_INTERPRETERS, SourceKind.CODE)

_SHEBANG = re.compile(rb"#![ \t]*(\S+)(?:[ \t]+([^\r\n]*))?")


def detect_language(name: str, head: bytes = b"") -> Language:
    """The language of a file; plain text where neither name nor first line says anything.

    Args:
        name: File name.
        head: Its first bytes; only a ``#!`` line is read.
    """
    lowered = name.lower()
    if found := _BY_NAME.get(lowered):
        return found
    stem, dot, suffix = lowered.rpartition(".")
    if dot and (found := _BY_SUFFIX.get(suffix)):
        return found
    if dot and (found := _BY_NAME.get(stem)):  # `Dockerfile.dev`, `README.de`
        return found
    return _by_shebang(head) or PLAIN_TEXT


def _by_shebang(head: bytes) -> Language | None:
    line = _SHEBANG.match(head, 0, 200)
    if line is None:
        return None
    words = [line[1].rpartition(b"/")[2], *(line[2] or b"").split()]
    if words[0] == b"env":
        words = [word for word in words[1:] if not word.startswith(b"-") and b"=" not in word]
    if not words:
        return None
    interpreter = words[0].decode("ascii", "replace").rpartition("/")[2].lower().removesuffix(".exe")
    return _BY_INTERPRETER.get(interpreter) or _BY_INTERPRETER.get(interpreter.rstrip("0123456789.-"))
