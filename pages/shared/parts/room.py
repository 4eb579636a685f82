"""A room of a class: the line at the top of each page, the vote, the cockpit, and the screen for the projector."""

import secrets
import time
from html import escape

import segno
import streamlit as st

from pages.shared import carried, controls, tables
from pages.shared.controls.room import CODE, KEY, PRIVATE, PROJECTED
from pages.shared.rooms import rooms, votes
from pages.shared.rooms.rooms import RoomError
from pages.shared.rooms.store import StoreError
from pages.shared.traffic import COOKIE
from svmcore.status import counted

EVERY = 1.5  # seconds between two looks at the room
NOTED = 15.0  # seconds between two notes that a browser is there
HERE = "pages/room.py"
NOT_SHOWN = (*PRIVATE, "present", "scene")  # of a link, for the class
ENDS = ("low", "high")  # of a number that is voted on
KINDS = {"choose": "A choice", "number": "A number"}


def line() -> None:
    """On every page of a browser that has joined a room: what is voted on, and the screen of the lecturer."""
    if st.session_state["path"] == HERE:
        return
    code = rooms.read_code(controls.joined())
    if code:
        with st.session_state["room_place"]:
            st.fragment(_line, run_every=EVERY)(code)


def publish() -> None:
    """At the end of a run: the class sees this screen, if this browser leads it."""
    mine = _mine()
    if st.session_state["path"] == HERE or not mine.get("leads"):
        return
    link = {name: text for name, text in carried.query().items() if name not in NOT_SHOWN}
    try:
        rooms.show(mine["code"], mine["key"], _stem(st.session_state["path"]), link)
    except (RoomError, StoreError) as error:
        controls.note(tables.plain(str(error)))


def page(code: str, key: str, projected: bool) -> None:
    """The Room page: a room is opened or joined; its cockpit with the key; its screen for the projector."""
    mine = _mine()
    code = rooms.read_code(code)
    if not code:
        return _door()
    if key and _opens(code, key):
        mine.update(code=code, key=key)
    if _looked(code) is None:
        return _door()
    if projected:
        st.fragment(_projected, run_every=EVERY)(code)
    elif mine.get("code") == code and mine.get("key"):
        st.fragment(_cockpit, run_every=EVERY)(code, mine["key"])
    else:
        st.fragment(_line, run_every=EVERY)(code)


def _looked(code):
    """The room now; None, with a sentence, if there is none or the store does not answer."""
    try:
        return rooms.look(code)
    except (RoomError, StoreError) as error:
        st.info(tables.plain(str(error)), icon=":material/info:")
        return None


# ------------------------------------------------------------------------------------------ students


def _mine():
    """What this session knows of its room: the code and the key if it opened it, whether it leads or follows it."""
    return st.session_state.setdefault("room_joined", {})


def _browser():
    """A random number of this browser: from the cookie that the server sets, else of this session."""
    cookies = st.context.cookies.to_dict()
    return cookies.get(COOKIE, "")[:64] or _mine().setdefault("browser", secrets.token_urlsafe(12))


def _line(code):
    if st.session_state.pop("room_left", False):
        st.rerun(scope="app")
    mine, now = _mine(), time.monotonic()
    leads = mine.get("code") == code and bool(mine.get("key"))
    noted = now - mine.get("noted", -NOTED) >= NOTED and not leads
    try:
        room = rooms.look(code, _browser() if noted else "")
    except (RoomError, StoreError) as error:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption(tables.plain(str(error)))
            _leave_button()
        return
    if noted:
        mine["noted"] = now
    if not leads and mine.get("follows", True) and room.screen and mine.get("seen") != (code, room.revision):
        mine["seen"] = code, room.revision
        if _go(code, room.screen):
            return
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f"**Room {code}** · {counted(room.members, 'browser')} here")
        if leads:
            _lead_switch()
            query = {CODE.name: code, KEY.name: mine["key"]}
            st.page_link(HERE, label="Cockpit", icon=":material/groups:", query_params=query)
        else:
            st.toggle("Follow", key="room_follows", value=mine.get("follows", True), on_change=_follow)
            _leave_button()
    if room.question:
        _ballot(code, room) if not leads else _asked(room)
    elif not room.screen:
        st.caption("Nothing is shown yet. This page changes by itself.")


def _leave_button():
    st.button("Leave", key="room_leave", type="tertiary", icon=":material/logout:", on_click=_leave)


def _leave():
    st.session_state["room_joined"] = {}
    carried.forget(CODE.name)
    st.session_state["room_left"] = True


def _follow():
    _mine().update(follows=st.session_state["room_follows"], seen=None)


def _lead_switch():
    led = _mine().get("leads", False)
    st.toggle("The class follows my screen", key="room_leads", value=led, on_change=_lead)


def _lead():
    _mine()["leads"] = st.session_state["room_leads"]


def _go(code, screen):
    """Open the screen of the lecturer; False for a page that this server does not have."""
    stem, link = screen
    path = "home.py" if stem == "home" else f"pages/{stem}.py"
    if path not in st.session_state["paths"] or path == HERE:
        return False
    st.switch_page(path, query_params={**link, CODE.name: code})


def _stem(path):
    return path.rpartition("/")[2].removesuffix(".py")


def _ballot(code, room):
    """The question with the means to vote, and the distribution after the reveal."""
    question = room.question
    _asked(room)
    if question.revealed:
        return
    given = rooms.voted(code, _browser(), question)
    key = f"vote-{question.id}-{question.round}"
    if question.kind == "choose":
        options = question.details["options"]
        picked = st.radio(
            "Your vote",
            range(len(options)),
            index=given,
            format_func=lambda k: tables.plain(options[k]),
            key=key,
            label_visibility="collapsed",
        )
    elif question.kind == "number":
        low, high = (None if question.details.get(name) is None else float(question.details[name]) for name in ENDS)
        picked = st.number_input("Your vote", low, high, given, key=key, label_visibility="collapsed")
    else:
        return st.caption("This question is answered on the plane of its lesson.")
    if picked is None or picked == given:
        return st.caption("Your vote is counted; you can change it until the reveal." if given is not None else "")
    try:
        rooms.vote(code, _browser(), question.id, question.round, picked)
        st.caption("Your vote is counted; you can change it until the reveal.")
    except (ValueError, RoomError, StoreError) as error:
        st.caption(tables.plain(str(error)))


def _asked(room):
    """The question, the number of votes, and the distribution after the reveal."""
    question = room.question
    st.markdown(f"**{tables.plain(question.text)}**")
    st.caption("; ".join(f"vote {k}: {counted(n, 'vote')}" for k, n in enumerate(room.votes, 1)))
    if question.revealed:
        _distribution(room.code, question)


def _distribution(code, question):
    """Both rounds side by side, as a table with a bar in each cell."""
    try:
        rounds = rooms.results(code, question)
    except StoreError as error:
        return st.caption(tables.plain(str(error)))
    tally = votes.tally(question, rounds)
    head = "".join(f"<th scope='col'>vote {k}</th>" for k in range(1, len(rounds) + 1))
    totals = [max(len(given), 1) for given in rounds]
    rows = []
    for row, label in enumerate(tally.labels):
        cells = (_bar(counts[row], total) for counts, total in zip(tally.counts, totals, strict=True))
        rows.append(f"<tr><th scope='row'>{escape(label)}</th>{''.join(cells)}</tr>")
    body = f"<thead><tr><th></th>{head}</tr></thead><tbody>{''.join(rows)}</tbody>"
    table = f'<table class="svm-table">{body}</table>'
    st.html(tables.scrolling(table, "Votes"))


def _bar(count, total):
    share = round(100 * count / total)
    bar = f'<meter min="0" max="100" value="{share}" aria-hidden="true"></meter>'
    return f"<td>{bar} {count} ({share} %)</td>"


# ------------------------------------------------------------------------------------------ lecturer


def _door():
    """Without a room: open one, or join one."""
    left, right = st.columns(2, gap="large")
    with left, st.container(border=True):
        st.header("Open a room", anchor=False)
        st.markdown(
            "Your class follows your screen on its own phones and votes, without accounts. The room is deleted after a "
            "day."
        )
        st.button("Open a room", icon=":material/meeting_room:", type="primary", key="room_open", on_click=_open)
    with right, st.container(border=True):
        st.header("Join a room", anchor=False)
        typed = st.text_input("Code of the room", key="room_code", max_chars=12)
        if typed and not rooms.read_code(typed):
            st.caption(f"A code has {rooms.LENGTH} letters and digits.")
        st.button("Join", key="room_join", on_click=_join)


def _open():
    try:
        code, key = rooms.open_room()
    except (RoomError, StoreError) as error:
        controls.refuse(tables.plain(str(error)))
        return
    _mine().update(code=code, key=key, leads=True)
    carried.give(CODE.name, code)
    carried.give(KEY.name, key)


def _join():
    code = rooms.read_code(st.session_state["room_code"])
    if code:
        carried.give(CODE.name, code)


def _opens(code, key):
    try:
        return rooms.is_key(code, key)
    except (RoomError, StoreError):
        return False


def _address(code, **others):
    """The link of this page for a room."""
    base = (st.context.url or "").split("?")[0]
    return f"{base}?" + "&".join(f"{name}={value}" for name, value in {CODE.name: code, **others}.items())


def _qr(code):
    """The QR code of the link for students, dark on light in any theme."""
    picture = segno.make(_address(code), error="m", micro=False)
    source = picture.svg_data_uri(scale=6, border=3, dark="#000", light="#fff")
    st.html(f'<img class="svm-qr" src="{escape(source)}" alt="QR code of the link for students">')


def _projected(code):
    """What stands on the wall: how to join, the question, and what came out."""
    room = _looked(code)
    if room is None:
        return
    left, right = st.columns([0.4, 0.6], gap="large")
    with left:
        _qr(code)
        st.markdown(f"## {code}")
        st.caption(f"{tables.plain(_address(code))} · {counted(room.members, 'browser')} here")
    with right:
        if room.question:
            _asked(room)
        else:
            st.markdown("Scan the code, or open the Room page and type it in.")


def _cockpit(code, key):
    """Everything that the lecturer does: links, questions, reveal, end."""
    room = _looked(code)
    if room is None:
        return
    left, right = st.columns([0.4, 0.6], gap="large")
    with left:
        _qr(code)
        st.markdown(f"### Room {code}")
        st.caption(f"{counted(room.members, 'browser')} here")
        st.markdown("For students:")
        st.code(_address(code), language=None, wrap_lines=True)
        st.markdown("For the projector:")
        st.code(_address(code, **{PROJECTED.name: 1}), language=None, wrap_lines=True)
        st.markdown("For you alone: this link opens the cockpit again, also on another computer.")
        st.code(_address(code, **{KEY.name: key}), language=None, wrap_lines=True)
        _lead_switch()
        st.caption("Go to any page: what you set there is shown to all who follow.")
        with st.popover("Delete the room", icon=":material/delete:"):
            st.markdown("The room and all its votes are deleted at once.")
            st.button("Delete it now", key="room_close", on_click=_act, args=(rooms.close, code, key))
    with right:
        if room.question:
            _running(room, key)
        _ask_form(code, key)


def _running(room, key):
    """The question that is voted on, with what comes next."""
    question = room.question
    with st.container(border=True):
        _asked(room)
        with st.container(horizontal=True):
            if not question.revealed:
                st.button("Reveal", icon=":material/visibility:", key="room_reveal", type="primary",
                          on_click=_act, args=(rooms.reveal, room.code, key))  # fmt: skip
            elif question.round == 1:
                st.button("Second vote", icon=":material/replay:", key="room_again",
                          on_click=_act, args=(rooms.again, room.code, key))  # fmt: skip
            st.download_button(
                "All votes as CSV", lambda: votes.csv_text(rooms.everything(room.code, key)), f"votes-{room.code}.csv",
                "text/csv", key="room_csv", on_click="ignore", icon=":material/download:",
            )  # fmt: skip
        if not question.revealed:
            with st.expander("The distribution, for you alone", key="room_peek", on_change="rerun") as box:
                if box.open:
                    _distribution(room.code, question)


def _ask_form(code, key):
    """A free question."""
    with st.container(border=True):
        st.markdown("**Ask the class**")
        kind = st.segmented_control(
            "Kind", list(KINDS), default="choose", format_func=KINDS.get, key="ask_kind", label_visibility="collapsed"
        )
        st.text_input("Question", key="ask_text", max_chars=votes.LONGEST)
        if kind == "number":
            with st.container(horizontal=True):
                st.number_input("Smallest number", value=None, key="ask_low")
                st.number_input("Largest number", value=None, key="ask_high")
                st.text_input("Unit", key="ask_unit", max_chars=20)
        else:
            st.text_area("Options, one in each line", key="ask_options", height=120, max_chars=4000)
        st.button("Ask", key="ask", type="primary", on_click=_ask, args=(code, key))
        if _mine().get("trouble"):
            st.caption(tables.plain(_mine()["trouble"]))


def _ask(code, key):
    state = st.session_state
    if state["ask_kind"] == "number":
        kind, details = "number", {name: state[f"ask_{name}"] for name in (*ENDS, "unit")}
    else:
        kind, details = "choose", {"options": state["ask_options"].splitlines()}
    _act(rooms.ask, code, key, kind, state["ask_text"], details)
    if not _mine()["trouble"]:
        for name in ("ask_text", "ask_options", "ask_unit"):
            if name in state:
                state[name] = ""


def _act(action, *arguments):
    """A change of the room; what goes wrong is a sentence in the cockpit."""
    _mine()["trouble"] = ""
    try:
        action(*arguments)
    except (ValueError, RoomError, StoreError) as error:
        _mine()["trouble"] = str(error)
