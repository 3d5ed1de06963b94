"""Rules about where tools come from and what they hide: T601 to T621."""

from __future__ import annotations

from toolc.diff.model import Rule, Verdict

NOW_OUTSIDE = Rule(
    id="T601",
    name="origin-outside",
    title="a tool comes from outside the project now",
    callers=Verdict.INFO,
    hosts=Verdict.BREAKING,
    security=Verdict.BREAKING,
    explanation="""\
Its layer lies under `~` or elsewhere on the machine: another machine builds another toolset, and whoever can write
there changes the tool without a review. Leave such layers out (`user-layers = "exclude"`) or copy the tool into the
project and say `vendored = true`.
""",
)

LAYER_CHANGED = Rule(
    id="T602",
    name="origin-moved",
    title="a tool comes from another layer, with the same content",
    callers=Verdict.INFO,
    security=Verdict.RISKY,
    explanation="""\
The files of the tool are the same, byte for byte, and stand in another layer. From now on whoever looks after that
layer decides what it does.
""",
)

HIJACKED = Rule(
    id="T603",
    name="origin-replaced",
    title="a tool of this name comes from another layer now",
    callers=Verdict.RISKY,
    security=Verdict.BREAKING,
    guarded=True,
    explanation="""\
The name is the same and the implementation is another one, from another layer: a layer of higher precedence declared
it, or the one that did is gone. This is how a tool is silently replaced. Make sure that somebody meant it, and give
one of the two another name if not. This rule can be lowered only with `allow-security-downgrade`.
""",
)

NEWLY_SHADOWS = Rule(
    id="T604",
    name="newly-shadows",
    title="a tool hides a same-named one of another layer",
    callers=Verdict.INFO,
    security=Verdict.RISKY,
    explanation="""\
Another layer declares the name as well, and loses. If that layer's tool was in force before, T603 says so.
""",
)

SHADOW_REMOVED = Rule(
    id="T605",
    name="shadow-removed",
    title="a tool no longer hides a same-named one",
    callers=Verdict.INFO,
    explanation="""\
The declaration that lost is gone, or is the one in force now (then T603 says so).
""",
)

LAYERS_CHANGED = Rule(
    id="T606",
    name="layers-changed",
    title="the layers, their order or their places changed",
    callers=Verdict.INFO,
    hosts=Verdict.RISKY,
    security=Verdict.RISKY,
    explanation="""\
Layers decide which files are compiled and, by their order, who wins a clash of names. A change here can replace tools
later, when a file is added, with no further change of the config. What it does to the tools of today is listed by
itself.
""",
)

SHADOWS_CHANGED = Rule(
    id="T608",
    name="shadows-changed",
    title="what a tool hides is hidden for another reason, or in another order",
    callers=Verdict.INFO,
    explanation="""\
The same declarations lose to this tool; why, or which of them would be next, changed.
""",
)

FILE_CHANGED = Rule(
    id="T609",
    name="declaring-file-changed",
    title="a tool is declared by another file of its layer",
    callers=Verdict.INFO,
    explanation="""\
The layer is the same and the file is another one. What it does otherwise is listed by itself.
""",
)

NAME_HIDDEN = Rule(
    id="T610",
    name="name-hidden",
    title="a name is lost to a built-in, or disabled",
    callers=Verdict.INFO,
    explanation="""\
A layer declares the name, or the project disables it, and no tool of the toolset carries it. Where a tool did, T102
says what that breaks.
""",
)

NAME_FREED = Rule(
    id="T611",
    name="name-no-longer-hidden",
    title="a name is no longer lost or disabled",
    callers=Verdict.INFO,
    explanation="""\
Either nothing declares it any more, or a tool carries it now (T101).
""",
)

HIDDEN_CHANGED = Rule(
    id="T612",
    name="hidden-changed",
    title="other declarations of a name are hidden",
    callers=Verdict.INFO,
    explanation="""\
No tool carries the name, before and after; which declarations would, or why they do not, changed.
""",
)

BUILTIN_OVERRIDDEN = Rule(
    id="T613",
    name="builtin-overridden",
    title="a tool replaces a built-in of the host",
    callers=Verdict.RISKY,
    hosts=Verdict.RISKY,
    security=Verdict.RISKY,
    explanation="""\
From now on a call of this name reaches the toolset's tool and not the host's own, whose checks and limits no longer
apply. Look at what the host's does that this one does not.
""",
)

BUILTIN_BACK = Rule(
    id="T614",
    name="builtin-no-longer-overridden",
    title="a tool no longer replaces a built-in of the host",
    callers=Verdict.RISKY,
    hosts=Verdict.RISKY,
    explanation="""\
Calls of this name reach the host's own tool again, which may take other arguments.
""",
)

BUILTIN_DROPPED = Rule(
    id="T615",
    name="builtin-dropped",
    title="the host is to drop another of its built-ins",
    callers=Verdict.RISKY,
    hosts=Verdict.RISKY,
    explanation="""\
Models lose the tool, unless the toolset has one of the name.
""",
)

BUILTIN_RESTORED = Rule(
    id="T616",
    name="builtin-restored",
    title="the host is to keep a built-in that it was to drop",
    callers=Verdict.SAFE,
    hosts=Verdict.RISKY,
    security=Verdict.RISKY,
    explanation="""\
Models get a tool that the project had taken away. Make sure that the reason for that is gone.
""",
)

POLICY_CHANGED = Rule(
    id="T617",
    name="clash-policy-changed",
    title="another policy decides between tools and built-ins",
    callers=Verdict.INFO,
    hosts=Verdict.RISKY,
    security=Verdict.RISKY,
    explanation="""\
`protect` keeps every built-in, `explicit` lets a tool replace one that says so, `replace` lets any tool do it. What it
does to the tools of today is listed by itself; a tool that is added later is decided by it too.
""",
)

IMPORT_INTRODUCED = Rule(
    id="T618",
    name="introspection-by-import",
    title="a layer asks for its signatures to be read by importing it",
    callers=Verdict.INFO,
    security=Verdict.BREAKING,
    explanation="""\
`introspect = "import"` asks for the code of the layer to run when the toolset is built, with the rights of whoever
builds it. `syntax`, the default, runs nothing.
""",
)

IMPORT_DROPPED = Rule(
    id="T619",
    name="introspection-by-syntax",
    title="a layer's signatures are read without importing it",
    callers=Verdict.INFO,
    explanation="""\
Building runs none of the layer's code any more. Signatures that only an import could read may be missing now; the tools
that had them are listed by themselves.
""",
)

SCOPE_WIDENED = Rule(
    id="T620",
    name="layer-outside",
    title="a layer lies outside the project now",
    callers=Verdict.INFO,
    hosts=Verdict.BREAKING,
    security=Verdict.BREAKING,
    explanation="""\
A layer that the project held lies under `~` or elsewhere on the machine now, with every tool of it: another machine
builds another toolset, and whoever can write there changes it without a review. It is said once; the tools are listed
with it.
""",
)

SCOPE_CHANGED = Rule(
    id="T621",
    name="layer-scope-changed",
    title="whose files a layer holds changed",
    callers=Verdict.INFO,
    security=Verdict.RISKY,
    explanation="""\
Whether a layer is the project's own or vendored decides whether a change of its code is left to this project's own
review (T501) or is a finding (T502). From `vendored` to `project` its changes are no longer risky by themselves: make
sure that they are reviewed here.
""",
)
