"""Progress of long calls: a bar of tqdm, if progress=True."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any, Iterator, Optional

from ._c import ffi
from ._calls import Calls, of_handle
from .errors import UsageError

if TYPE_CHECKING:
    from .search import Iteration, Watch


class Bar:
    """A progress bar, or nothing if none is requested."""

    def __init__(self, bar: Any) -> None:
        self.bar = bar

    def watching(self, watch: Optional[Watch]) -> Optional[Watch]:
        """The callback of a search, which also moves the bar."""
        if self.bar is None:
            return watch

        def seen(iteration: Iteration) -> Optional[bool]:
            self.bar.update(1)
            if iteration.best:
                self.bar.set_postfix(best=f"{iteration.fun:.6g}")
            return watch(iteration) if watch is not None else None

        return seen

    def done(self, count: int, tasks: int) -> None:
        """Shows that `count` of all tasks are done."""
        if self.bar is not None:
            self.bar.total = tasks
            self.bar.update(count - self.bar.n)


@contextlib.contextmanager
def shown(wanted: bool, what: str, calls: Calls) -> Iterator[Bar]:
    """A bar during a call."""
    if not wanted:
        yield Bar(None)
        return
    try:
        from tqdm.auto import tqdm  # type: ignore[import]
    except ImportError:
        raise UsageError("progress is shown by tqdm, which is not installed here") from None
    with tqdm(desc=what, unit="") as bar:
        made = Bar(bar)
        calls.bar = made
        try:
            yield made
        finally:
            calls.bar = None


def _raised(kind: Any, error: BaseException, trace: Any) -> None:
    _calls_of(trace.tb_frame.f_locals["user"]).stopped(error)


def _calls_of(user: Any) -> Calls:
    calls: Calls = of_handle(ffi.cast("gradynpy_patience *", user).handle)
    return calls


@ffi.def_extern(onerror=_raised)  # type: ignore[misc]
def gradynpy_progress(done: int, tasks: int, user: Any) -> None:
    """Callback of tasks that consist of many evaluations or searches."""
    bar = _calls_of(user).bar
    if bar is not None:
        bar.done(done, tasks)
