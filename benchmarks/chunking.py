"""How fast files become chunks, by language, and how the chunks fit a model that cuts at 512 tokens.

    python benchmarks/chunking.py [FOLDER …] [--megabytes N]

Without folders: the standard library and what is installed beside it.
"""

import argparse
import statistics
import sysconfig
import time
from collections import defaultdict
from collections.abc import Callable
from importlib import resources
from pathlib import Path

from imprint.domain.chunking import chunk_outline
from imprint.domain.languages import detect_language
from imprint.domain.outlines import Document, Outline
from imprint.domain.sources import Chunk
from imprint.plugins.registry import PluginRegistry
from imprint.services.extraction import Extractors
from measure import emit

LARGEST = 1_000_000
FEWEST_BYTES = 20_000
MODEL_TOKENS = 512


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folders", nargs="*", type=Path, default=[Path(sysconfig.get_path("stdlib"))])
    parser.add_argument("--megabytes", type=float, default=4.0, help="at most so much of each language")
    arguments = parser.parse_args()
    documents = read_documents(arguments.folders, int(arguments.megabytes * 1e6))
    extractors = Extractors(PluginRegistry().handles("imprint.extractors"))
    count_tokens = load_counter()
    for language, group in sorted(documents.items(), key=lambda item: -sum(map(size, item[1]))):
        if sum(map(size, group)) >= FEWEST_BYTES:
            report(language, group, extractors, count_tokens)


def report(
    language: str, group: list[Document], extractors: Extractors, count_tokens: Callable[[str], int] | None
) -> None:
    outlines: list[Outline] = []
    chunks: list[Chunk] = []
    extractors.outline(group[0])  # loads the grammar
    started = time.perf_counter()
    outlines.extend(extractors.outline(document) for document in group)
    outlined = time.perf_counter()
    for outline in outlines:
        chunks.extend(chunk_outline(outline))
    chunked = time.perf_counter()
    total = sum(map(size, group))
    facts: dict[str, object] = {
        "files": len(group),
        "megabytes": round(total / 1e6, 2),
        "outline_share": round((outlined - started) / (chunked - started), 2),
        "chunks": len(chunks),
        "median_characters": statistics.median(len(chunk.text) for chunk in chunks),
        "named": round(sum(1 for chunk in chunks if chunk.symbol) / len(chunks), 2),
    }
    if count_tokens:
        sample = chunks[:: max(1, len(chunks) // 1_000)]
        facts["above_512_tokens"] = round(
            sum(count_tokens(chunk.text) > MODEL_TOKENS for chunk in sample) / len(sample), 3
        )
    emit(f"chunking {language}", total / 1e6 / (chunked - started), "MB/s", **facts)


def read_documents(folders: list[Path], most_bytes: int) -> dict[str, list[Document]]:
    """Files of each language in a stable order, until there is enough of it."""
    found: defaultdict[str, list[Document]] = defaultdict(list)
    taken: defaultdict[str, int] = defaultdict(int)
    for folder in folders:
        for path in sorted(folder.rglob("*.*")):
            language = detect_language(path.name).name
            if taken[language] >= most_bytes or not path.is_file() or not 0 < path.stat().st_size <= LARGEST:
                continue
            data = path.read_bytes()
            if b"\0" not in data:
                text = data.decode("utf-8", "replace").replace("\r\n", "\n")
                found[language].append(Document(name=path.name, language=language, data=data, text=text))
                taken[language] += len(data)
    return found


def size(document: Document) -> int:
    return len(document.data)


def load_counter() -> Callable[[str], int] | None:
    """Counts the tokens of the embedded default's vocabulary, if that is installed."""
    try:
        from tokenizers import Tokenizer

        path = resources.files("imprint_memvec") / "model" / "tokenizer.json"
    except ImportError:
        return None
    tokenizer = Tokenizer.from_file(str(path))
    tokenizer.no_truncation()
    return lambda text: len(tokenizer.encode(text, add_special_tokens=False).ids)


if __name__ == "__main__":
    main()
