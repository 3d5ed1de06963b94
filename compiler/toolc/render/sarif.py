"""Remarks as SARIF 2.1.0, the form that code scanners exchange (OASIS, "Static Analysis Results Interchange Format").

Text stays ASCII and invisible characters are spelled out, as everywhere.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from urllib.parse import quote

from toolc import __version__
from toolc.model import Json
from toolc.render.remarks import Place, Remark, RuleText, rules
from toolc.text import escape

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_FINGERPRINT = "toolcFinding/v1"


def render(remarks: Sequence[Remark]) -> str:
    """One run with every remark, in their order."""
    known = rules(remarks)
    index = {rule.id: position for position, rule in enumerate(known)}
    log: Json = {
        "$schema": _SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": {"name": "toolc", "version": __version__, "rules": [_rule(rule) for rule in known]}},
                "columnKind": "unicodeCodePoints",
                "results": [_result(remark, index[remark.rule.id]) for remark in remarks],
            }
        ],
    }
    return json.dumps(log, indent=2, ensure_ascii=True, allow_nan=False) + "\n"


def _rule(rule: RuleText) -> dict[str, Json]:
    return {
        "id": rule.id,
        **({} if rule.name is None else {"name": rule.name}),
        "shortDescription": {"text": _text(rule.title)},
        "help": {"text": _text(rule.explanation), "markdown": _text(rule.explanation)},
        "defaultConfiguration": {"level": rule.level},
    }


def _result(remark: Remark, index: int) -> Json:
    result: dict[str, Json] = {
        "ruleId": remark.rule.id,
        "ruleIndex": index,
        "level": remark.level,
        "message": {"text": _text(remark.message)},
        "locations": [_location(remark.place)],
    }
    if remark.related:
        result["relatedLocations"] = [
            {**_location(place), "message": {"text": _text(message)}} for place, message in remark.related
        ]
    if remark.fingerprint is not None:
        result["partialFingerprints"] = {_FINGERPRINT: remark.fingerprint}
    return result


def _location(place: Place) -> dict[str, Json]:
    physical: dict[str, Json] = {"artifactLocation": {"uri": _uri(place.path)}}
    if place.line:
        physical["region"] = {
            "startLine": place.line,
            "startColumn": place.column,
            "endLine": place.end_line,
            "endColumn": place.end_column,
        }
    return {"physicalLocation": physical}


def _uri(path: str) -> str:
    # A colon is encoded too: a relative reference may not begin like a scheme.
    return quote(path.encode("utf-8", "surrogateescape"), safe="/~")


def _text(text: str) -> str:
    return escape(text)
