"""A loaded bundle: `Toolset.load` takes a path, `call` takes a name and arguments and always answers with a result.

The one door is `call`: find, deny, validate and convert, approve, verify, run, cap, return. It raises only for mistakes
of the host itself; what a model can cause is a `Result` whose text tells the model what to do.
"""

from __future__ import annotations

import os
import threading
import weakref

from .bundle import Bundle
from .checking import check
from .commands import timed_out
from .errors import BUNDLE_CHANGED, BundleError
from .jsontext import loads
from .loaded import Call, Loaded, tool_digest
from .lockfile import LONGEST_S
from .output import clean
from .result import Result, failure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence
    from concurrent.futures import ThreadPoolExecutor
    from types import TracebackType
    from typing import TypeAlias

    from .jsontext import Json
    from .lockfile import Builtins, LockedTool

    Approve: TypeAlias = "Callable[[ApprovalRequest], bool | Awaitable[bool]]"
    OnEvent: TypeAlias = "Callable[[dict[str, Json]], object]"

_LONGEST_ID = 1024
_NAME_SHOWN = 64  # characters of a name that a model made up
_SUGGEST_AMONG = 500  # names that are compared to one that is not known


class ApprovalRequest:
    """What an approver is asked. Remember an answer by `digest`: it changes with everything the tool is and may do."""

    __slots__ = ("arguments", "call_id", "description", "digest", "tool")

    def __init__(
        self, *, tool: str, arguments: Mapping[str, Json], description: str, digest: str, call_id: str
    ) -> None:
        self.tool = tool
        self.arguments = arguments
        self.description = description
        self.digest = digest
        self.call_id = call_id


class _Shared:
    """What the views of one toolset have in common."""

    def __init__(
        self,
        path: str,
        *,
        expect: str | None,
        expect_toolset: str | None,
        approve: Approve | None,
        on_event: OnEvent | None,
        mode: str | None,
    ) -> None:
        self.path = path  # as the host wrote it; absolute after the first load, since a host may change its folder
        self.expect = expect
        self.expect_toolset = expect_toolset
        self.approve = approve
        self.on_event = on_event
        self.mode = mode
        self.loaded = self.load()
        self.older: list[Loaded] = []  # reloaded since, with calls that may still run
        self.path = os.path.abspath(path)
        self.closed = False
        self._begin()
        _alive.add(self)

    def _begin(self) -> None:
        self.executor: ThreadPoolExecutor | None = None  # of `acall`
        self.guard = threading.Lock()

    def begin_anew(self) -> None:
        """In a child that the host forked: its parent's threads, locks and workers are not its own."""
        self._begin()
        self.older = []
        if not self.closed:
            self.loaded.begin_anew()

    def close(self) -> None:
        """Cancel what runs and end every worker."""
        with self.guard:
            if self.closed:
                return
            self.closed = True
        for each in (*self.older, self.loaded):
            each.cancel()
        for each in (*self.older, self.loaded):
            each.retire(wait=True)
        if self.executor is not None:
            self.executor.shutdown(wait=False)

    def __del__(self) -> None:
        if not getattr(self, "closed", True):  # dropped without `close`; its workers would stay
            self.close()

    def load(self) -> Loaded:
        """Load the bundle that stands at the path now; raises `BundleError`."""
        return Loaded(Bundle(self.path, expect=self.expect, expect_toolset=self.expect_toolset))


_alive: weakref.WeakSet[_Shared] = weakref.WeakSet()


def _begin_anew() -> None:
    for shared in list(_alive):
        shared.begin_anew()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_begin_anew)


class Toolset:
    """The tools of a bundle, or of one of its subsets. Safe to use from many threads; close it, or use `with`."""

    def __init__(self, shared: _Shared, subset: str | None = None) -> None:
        """Use `Toolset.load`."""
        self._shared = shared
        self._subset = subset

    @classmethod
    def load(
        cls,
        path: str | os.PathLike[str],
        *,
        approve: Approve | None = None,
        expect: str | None = None,
        expect_toolset: str | None = None,
        on_event: OnEvent | None = None,
        mode: str | None = None,
    ) -> Toolset:
        """Load a bundle.

        `approve` is asked about tools whose permission is `ask`; only True is a yes. `expect` is the digest of the
        bundle, `expect_toolset` that of its lock, as `toolc digest` prints them. `on_event` is told of each call that
        starts, ends or is denied. `mode` is `worker` or `inprocess`, over what the lock says of each tool.

        Raises `BundleError`.
        """
        if mode not in (None, "worker", "inprocess"):
            raise ValueError(f"mode is `worker` or `inprocess`, not {mode!r}")
        return cls(
            _Shared(
                os.fspath(path),
                expect=expect,
                expect_toolset=expect_toolset,
                approve=approve,
                on_event=on_event,
                mode=mode,
            )
        )

    # ------------------------------------------------------------------------------------------------- what it holds

    @property
    def name(self) -> str:
        """The toolset's name."""
        return self._shared.loaded.lock.name

    @property
    def version(self) -> str | None:
        """The toolset's version, where it has one."""
        return self._shared.loaded.lock.version

    @property
    def digest(self) -> str:
        """The identity of the toolset, `sha256:<hex>` of its lock."""
        return self._shared.loaded.bundle.toolset_digest

    @property
    def bundle_digest(self) -> str:
        """The identity of the bundle, `sha256:<hex>` of its `bundle.json`."""
        return self._shared.loaded.bundle.digest

    @property
    def builtins(self) -> Builtins:
        """What the host is to do with its own tools: `removed`, `overridden`, and the `policy` behind them."""
        return self._shared.loaded.lock.builtins

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the tools that can be called, sorted."""
        return tuple(
            sorted(name for name, tool in self._tools(self._shared.loaded).items() if tool.permission != "deny")
        )

    def definitions(self, format: str) -> list[Json]:  # noqa: A002  (what the rest of toolc calls it)
        """The list of tools in a provider's form, ready to send.

        Raises `ValueError` for a form the bundle does not have, `BundleError` where the file was changed.
        """
        bundle = self._open().bundle
        folder = f"definitions/{self._subset}" if self._subset is not None else "definitions"
        path = f"{folder}/{format}.json"
        if path not in bundle.files:
            inner = [file[len(folder) + 1 :] for file in bundle.files if file.startswith(f"{folder}/")]
            forms = sorted(name.removesuffix(".json") for name in inner if "/" not in name)
            raise ValueError(f"there are no definitions for {format!r} in this bundle; it has {', '.join(forms)}")
        if bundle.was_replaced():
            raise BundleError(BUNDLE_CHANGED, bundle.root, "it was rebuilt since it was loaded; reload it")
        value = loads(bundle.read_checked(path).decode("utf-8"))
        assert isinstance(value, list), "definitions are a list"
        return value

    def subset(self, name: str) -> Toolset:
        """A view that holds only the tools of a subset. It shares everything else with this toolset."""
        subsets = self._shared.loaded.lock.subsets
        if name not in subsets:
            raise ValueError(f"there is no subset {name!r}; the toolset has {', '.join(sorted(subsets)) or 'none'}")
        return Toolset(self._shared, name)

    # --------------------------------------------------------------------------------------------------- its life

    def reload(self) -> None:
        """Load the bundle again from its path, with the same expectations. Calls that run go on with the old one."""
        with self._shared.guard:
            self._open()
            fresh = self._shared.load()
            old, self._shared.loaded = self._shared.loaded, fresh
            self._shared.older = [*(each for each in self._shared.older if not each.released), old]
        old.retire()

    def close(self) -> None:
        """Cancel what runs and end every worker. A second time does nothing, nor does closing a subset's view."""
        if self._subset is not None:
            return
        self._shared.close()

    def __enter__(self) -> Toolset:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    # --------------------------------------------------------------------------------------------------- the door

    def call(
        self,
        name: str,
        arguments: Mapping[str, Json] | str | None = None,
        *,
        timeout_s: float | None = None,
        call_id: str | None = None,
        approve: Approve | None = None,
    ) -> Result:
        """Call a tool. `arguments` is a mapping, or the JSON text a model wrote.

        `timeout_s` and `approve` stand in for the tool's limit and the toolset's approver in this call.
        """
        prepared = self.prepare(name, arguments, timeout_s=timeout_s, call_id=call_id)
        if isinstance(prepared, Result):
            return prepared
        if prepared.tool.permission == "ask":
            approver = self.approver(approve)
            decision = approver(self.request(prepared)) if approver is not None else None
            if hasattr(decision, "__await__"):
                if hasattr(decision, "close"):  # a coroutine that nobody will wait for
                    decision.close()  # type: ignore[union-attr]  # looked for just now
                raise TypeError("the approver is asynchronous; use `await tools.acall(...)`")
            if decision is not True:
                return self.not_approved(prepared, asked=approver is not None)
        return self.run(prepared)

    async def acall(
        self,
        name: str,
        arguments: Mapping[str, Json] | str | None = None,
        *,
        timeout_s: float | None = None,
        call_id: str | None = None,
        approve: Approve | None = None,
    ) -> Result:
        """Call a tool from asyncio. The approver may be asynchronous; cancelling ends the tool before it is felt."""
        from .awaiting import acall

        prepared = self.prepare(name, arguments, timeout_s=timeout_s, call_id=call_id)
        return prepared if isinstance(prepared, Result) else await acall(self, prepared, self.approver(approve))

    # ------------------------------------------------------------------------- its steps, for `call` and `acall` alike

    def prepare(
        self, name: str, arguments: Mapping[str, Json] | str | None, *, timeout_s: float | None, call_id: str | None
    ) -> Call | Result:
        """Find the tool, deny it, check its arguments. A result where the call ends here."""
        loaded = self._open()
        if timeout_s is not None and not 0 < timeout_s <= LONGEST_S:
            raise ValueError(f"timeout_s is a positive number of seconds, at most {LONGEST_S:g}, not {timeout_s!r}")
        call_id = _checked_id(call_id) if call_id is not None else os.urandom(8).hex()
        if not isinstance(name, str):  # a model's answer that its host did not look at
            return self._ended("", call_id, failure("unknown-tool", "the name of a tool is a string"))
        tool = self._tools(loaded).get(name)
        if tool is None:
            return self._ended(name, call_id, self._unknown(name))
        if tool.permission == "deny":
            words = f"`{name}` is denied in this toolset; do not call it again, and say so if it was needed"
            return self._denied(name, call_id, failure("denied", words))
        checked = check(tool, arguments)
        if isinstance(checked, Result):
            return self._ended(name, call_id, checked)
        return Call(
            loaded,
            tool,
            checked,
            timeout_s=timeout_s if timeout_s is not None else tool.timeout_s,
            call_id=call_id,
            in_process=tool.kind == "python" and (self._shared.mode or tool.mode) == "inprocess",
        )

    def approver(self, of_the_call: Approve | None) -> Approve | None:
        """Who is asked about a call."""
        return of_the_call if of_the_call is not None else self._shared.approve

    def request(self, call: Call) -> ApprovalRequest:
        """What the approver is asked about a call."""
        return ApprovalRequest(
            tool=call.tool.name,
            arguments=loads(call.text),  # type: ignore[arg-type]  # the approver's own: it is an object
            description=call.tool.description,
            digest=tool_digest(call.tool, call.loaded.lock.files),
            call_id=call.call_id,
        )

    def not_approved(self, call: Call, *, asked: bool) -> Result:
        """The result of a call nobody said yes to."""
        if not asked:
            words = (
                f"`{call.tool.name}` needs the user's approval, and nobody can be asked here; do not call it again: "
                "tell the user what you wanted to do with it, and that it has to be approved first"
            )
        else:
            words = (
                f"`{call.tool.name}` was not approved; do not call it again with these arguments: "
                "tell the user what you wanted to do, and ask how to go on"
            )
        return self._denied(call.tool.name, call.call_id, failure("not-approved", words))

    def run(self, call: Call, wake: Sequence[int] = ()) -> Result:
        """Verify the tool's files and run it. A readable descriptor in `wake` cancels the call."""
        self._tell({"event": "start", "tool": call.tool.name, "call_id": call.call_id})
        result = call.loaded.run(call, wake)
        return self._ended(call.tool.name, call.call_id, result)

    def overdue(self, call: Call) -> Result:
        """The result of a call that is not waited for any longer. It is told of, and so is its end when it comes."""
        self._tell({"event": "overdue", "tool": call.tool.name, "call_id": call.call_id})
        return Result(error=timed_out(call.tool.name, call.timeout_s), duration_s=call.timeout_s)

    def executor(self, make: Callable[[], ThreadPoolExecutor]) -> ThreadPoolExecutor:
        """The threads of `acall`, made at its first use."""
        with self._shared.guard:
            if self._shared.executor is None:
                self._shared.executor = make()
            return self._shared.executor

    # --------------------------------------------------------------------------------------------------------- inside

    def _open(self) -> Loaded:
        if self._shared.closed:
            raise RuntimeError("the toolset is closed")
        return self._shared.loaded

    def _tools(self, loaded: Loaded) -> dict[str, LockedTool]:
        lock = loaded.lock
        if self._subset is None:
            return lock.tools
        names = lock.subsets.get(self._subset, frozenset())
        return {name: tool for name, tool in lock.tools.items() if name in names}

    def _unknown(self, name: str) -> Result:
        shown = clean(name if len(name) <= _NAME_SHOWN else f"{name[:_NAME_SHOWN]}...")
        names = self.names
        if len(names) > _SUGGEST_AMONG:
            near = [known for known in names if _folded(known) == _folded(name)]
        else:
            from difflib import get_close_matches

            near = get_close_matches(shown, names, n=3)
        hint = f"; did you mean {' or '.join(f'`{known}`' for known in near)}?" if near else ""
        return failure("unknown-tool", f"there is no tool `{shown}`{hint}")

    def _denied(self, name: str, call_id: str, result: Result) -> Result:
        kind = result.error.kind if result.error is not None else ""
        self._tell({"event": "denied", "tool": name, "call_id": call_id, "kind": kind})
        return result

    def _ended(self, name: str, call_id: str, result: Result) -> Result:
        if self._shared.on_event is not None:
            event: dict[str, Json] = {"event": "end", "tool": name, "call_id": call_id, "ok": result.ok}
            event["kind"] = result.error.kind if result.error is not None else None
            event["duration_s"] = result.duration_s
            event["output_bytes"] = len(result.output.encode("utf-8", "replace"))
            self._tell(event)
        return result

    def _tell(self, event: dict[str, Json]) -> None:
        if self._shared.on_event is not None:
            self._shared.on_event(event)


def _checked_id(call_id: object) -> str:
    """A host's own name for a call, which becomes a variable of the tool."""
    if not isinstance(call_id, str) or "\0" in call_id or len(call_id) > _LONGEST_ID:
        raise ValueError(f"call_id is a string of at most {_LONGEST_ID} characters, without NUL")
    return call_id.encode("utf-8", "replace").decode("utf-8")


def _folded(name: str) -> str:
    return name.casefold().replace("-", "_")
