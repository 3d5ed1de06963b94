"""Turn candidates into declarations: each file is read for the tools it states, and what is wrong in it is reported."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from toolc.diagnostics import Code, Diagnostic, Reporter, Span
from toolc.model import Broken, Candidate, Config, Declaration, ManifestCandidate, Parsed, PythonCandidate
from toolc.parse.library import Library
from toolc.parse.manifest import parse_manifest
from toolc.parse.python import parse_file

SAME_CODE_LIMIT = 500  # diagnostics of one code that are shown of one file


def parse(candidates: Sequence[Candidate], config: Config, reporter: Reporter) -> Parsed:
    """Read every candidate. A tool with an error is not a declaration, yet its name stays claimed."""
    declarations: list[Declaration] = []
    broken: list[Broken] = []
    libraries: dict[str, Library] = {}
    for candidate in candidates:
        match candidate:
            case ManifestCandidate():
                outcome = parse_manifest(candidate, reporter)
                if isinstance(outcome, Declaration):
                    declarations.append(outcome)
                else:
                    broken.append(outcome)
            case PythonCandidate(file=file):
                if file.layer.name not in libraries:
                    files = [other.file for other in candidates if isinstance(other, PythonCandidate)]
                    libraries[file.layer.name] = Library(file.layer, (f for f in files if f.layer is file.layer))
                own = Reporter()
                parsed = parse_file(candidate, config, own, libraries[file.layer.name])
                libraries[file.layer.name].settle()
                reporter.adopt(_without_repetition(own.diagnostics))
                declarations.extend(parsed.declarations)
                broken.extend(parsed.broken)
    return Parsed(
        declarations=tuple(sorted(declarations, key=lambda d: (d.layer.rank, d.path, d.span.line, d.span.column))),
        broken=tuple(sorted(broken, key=lambda b: (b.layer.rank, b.path, b.span.line, b.span.column, b.name))),
    )


def _without_repetition(diagnostics: Sequence[Diagnostic]) -> list[Diagnostic]:
    """What is said of a file, where one mistake is repeated beyond what anybody reads cut short and counted."""
    kept: list[Diagnostic] = []
    counts: Counter[Code] = Counter()
    for diagnostic in diagnostics:
        counts[diagnostic.code] += 1
        if counts[diagnostic.code] <= SAME_CODE_LIMIT:
            kept.append(diagnostic)
    for code, count in counts.items():
        if count > SAME_CODE_LIMIT:
            last = next(diagnostic for diagnostic in reversed(kept) if diagnostic.code is code)
            message = f"{count - SAME_CODE_LIMIT:,} more places in this file are of the same kind: {code.title}"
            kept.append(Diagnostic(code, message, Span(last.span.text), severity=last.severity))
    return kept
