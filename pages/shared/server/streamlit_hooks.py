"""Three hooks into private functions of Streamlit, for speed: the only place that replaces or calls such functions.

Everything works without them. They are written for Streamlit 1.67: with another version, where a function is not as it
was, and with SVM_LAB_HOOKS=off they stay off, and one line in the log says so. The gains were measured on two cores
with the rows of tests/bench/bench_class.py.

**Messages.** What a run sends to its browser travels in a few pieces instead of sixty messages one by one. Streamlit
wakes the thread of the server for each element of a page; here a message waits until its run ends, at most for `PAUSE`,
and what was drawn twice meanwhile is sent once. Gain: 60 runs of Playground in a second of processor time instead of 44
(row "reruns").

**News.** Parts of a page that renew themselves ask again and again, mostly for nothing: such a request ends before a
run is begun. Gain: 60 phones that follow a room take 1.2 s of processor time a minute instead of 12.4 s (row "follow",
which holds by this alone). So does one for a part of a page that has been left.

**Whole runs.** Streamlit ends a run when its session asks again. Where each session asks more often than it has a turn,
none would ever see an answer: while others wait for their turn, a run is made to its end. Gain: with 40 sessions on one
process that is busy half of their answers come within 450 ms instead of 838 ms, and 548 runs end instead of 376.
"""

import inspect
import logging
import os
from collections import OrderedDict, deque
from collections.abc import Callable
from contextlib import suppress
from functools import partial, wraps
from importlib.metadata import version

from streamlit.runtime.app_session import AppSession
from streamlit.runtime.scriptrunner import ScriptRunnerEvent, get_script_run_ctx
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequests

from pages.shared.server import run_queue, sessions

VERSION = "1.67"  # of Streamlit, for which this is written
PAUSE = 0.03  # seconds for which a message may wait for others: about a run of a page
MOST_SESSIONS = 4096  # whose parts are known with their news
EVENT = (
    "self sender event forward_msg exception client_state page_script_hash fragment_ids_this_run pages run_descriptor"
)
EXPECTED = {  # the functions that are replaced or called, with their parameters
    (AppSession, "_on_scriptrunner_event"): EVENT,
    (AppSession, "_handle_scriptrunner_event_on_event_loop"): EVENT,
    (AppSession, "_handle_rerun_script_request"): "self client_state",
    (AppSession, "_call_soon_on_event_loop"): "self callback",
    (ScriptRequests, "on_scriptrunner_yield"): "self",
}
_logger = logging.getLogger(__name__)
_installed: list[bool] = []  # nothing before `install`, then whether they are on
_news: "OrderedDict[str, dict[str, Callable[[], bool]]]" = OrderedDict()  # by session and part of its page


def install() -> None:
    """For all sessions of this process that begin from now on. Once; later calls do nothing."""
    if _installed:
        return
    why = refusal()
    _installed.append(not why)
    if why:
        _logger.warning("The hooks into Streamlit stay off, so pages are sent more slowly: %s.", why)
        return
    AppSession._on_scriptrunner_event = gather_reports(AppSession._on_scriptrunner_event)
    AppSession._handle_rerun_script_request = only_with_news(AppSession._handle_rerun_script_request)


def refusal() -> str:
    """Reason why the hooks stay off; "" if nothing speaks against them."""
    if os.environ.get("SVM_LAB_HOOKS") == "off":
        return "SVM_LAB_HOOKS is off"
    if not (found := version("streamlit")).startswith(f"{VERSION}."):
        return f"they are written for version {VERSION}, and this is {found}"
    for (owner, name), parameters in EXPECTED.items():
        function = getattr(owner, name, None)
        if function is None or " ".join(inspect.signature(function).parameters) != parameters:
            return f"{owner.__name__}.{name} is not as it was"
    return ""


# ------------------------------------------------------------------------------------------ messages


def gather_reports(report: Callable) -> Callable:
    """`report(session, sender, event, ...)`, called on the loop of the server, for several events at once.

    Called from the thread of a run. What is no message, such as the end of the run, does not wait.
    """
    handle = AppSession._handle_scriptrunner_event_on_event_loop

    @wraps(report)
    def gather(session, sender, event, *arguments, **named):
        batch = vars(session).setdefault("svm_lab_batch", Batch(session))
        batch.waiting.append(partial(handle, session, sender, event, *arguments, **named))
        if event != ScriptRunnerEvent.ENQUEUE_FORWARD_MSG:
            session._call_soon_on_event_loop(batch.send)
        elif not batch.expected:
            batch.expected = True
            session._call_soon_on_event_loop(partial(session._event_loop.call_later, PAUSE, batch.send))

    return gather


class Batch:
    """Messages that the runs of a session have reported and the server's loop has not taken yet, in their order."""

    def __init__(self, session: AppSession):
        self.session, self.waiting, self.expected = session, deque(), False

    def send(self) -> None:
        """On the loop: all that waits, and one call to send it."""
        self.expected = False  # first: what comes from now on may be too late for this call
        if not self.waiting:
            return
        session = self.session
        wake, session._message_enqueued_callback = session._message_enqueued_callback, None
        try:
            while self.waiting:
                self.waiting.popleft()()
        finally:
            session._message_enqueued_callback = wake
            if self.waiting:  # one of them has failed
                session._event_loop.call_soon(self.send)
            if wake:
                wake()


# ------------------------------------------------------------------------------------------ news


def only_with_news(rerun: Callable) -> Callable:
    """`rerun(session, state)`, without the requests that a browser repeats for a part of a page that has no news.

    See `ask_for_news`. Nor those for a part of a page that the browser has left: Streamlit would answer them after the
    next page, which that clears. What an earlier run has reported is handled first: Streamlit may begin another thread
    for the request, and ignores from then on what the thread before has reported, a part with its news, too.
    """

    @wraps(rerun)
    def handle(session, client_state=None):
        if client_state:
            part, page = client_state.fragment_id, client_state.page_script_hash
            if not part:
                vars(session)["svm_lab_page"] = page
            elif vars(session).get("svm_lab_page", "") not in ("", page):
                return
            news = _news.get(session.id, {}).get(part) if client_state.is_auto_rerun else None
            if news is not None and not news():
                return
        try:
            if batch := vars(session).get("svm_lab_batch"):
                batch.send()
        finally:
            rerun(session, client_state)

    return handle


def ask_for_news(news: Callable[[], bool]) -> None:
    """The part of a page that is being made and renews itself is from now on only made again where there is `news()`.

    That is called by the loop of the server, so it must not wait. A reader who acts is answered in any case. Where the
    hooks are off, the part is made again each time.
    """
    session = sessions.current()
    if _installed != [True] or session is None:
        return
    with suppress(ImportError, AttributeError, RuntimeError):
        from streamlit.runtime.scriptrunner_utils.script_run_context import ThreadState

        if part := ThreadState.get().fragment_id:
            _news.setdefault(session, {})[part] = news
            _news.move_to_end(session)
            while len(_news) > MOST_SESSIONS:
                _news.popitem(last=False)


# ------------------------------------------------------------------------------------------ whole runs


def finish_run() -> None:
    """After the first command of a run, which ends it if its session has asked again: see the module.

    The newest request is answered next.
    """
    requests = _requests()
    if requests and _installed == [True]:
        ask = type(requests).on_scriptrunner_yield
        requests.on_scriptrunner_yield = lambda: None if run_queue.queue.is_awaited else ask(requests)


def let_run_end() -> None:
    """From now on Streamlit ends the runs of this session as it does."""
    if requests := _requests():
        vars(requests).pop("on_scriptrunner_yield", None)


def _requests():
    context = get_script_run_ctx(suppress_warning=True)
    return context and context.script_requests
