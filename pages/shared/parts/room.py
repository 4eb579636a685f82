"""A room of a class: the line at the top of each page, the cockpit, and the screen for the projector."""

import secrets
import time
from html import escape
from urllib.parse import urlsplit

import segno
import streamlit as st

from pages.shared import callbacks, carried, controls, delivery, tables, traffic
from pages.shared.controls.room import CODE, KEY, PRIVATE, PROJECTED
from pages.shared.parts import room_asking, room_prompt, room_votes
from pages.shared.rooms import network, rooms, votes
from pages.shared.rooms.rooms import RoomError
from pages.shared.rooms.store import StoreError
from pages.shared.rooms.watched import watched
from pages.shared.traffic import COOKIE
from svmcore.status import counted

EVERY = 1.5  # seconds between two looks at the room
NOTED = 15.0  # seconds between two notes that a browser is there
HERE = "pages/room.py"
NOT_READY = "not ready"  # in the place of what is drawn: it is still computed
ONLY_HERE = ("localhost", "127.0.0.1", "::1")
NOT_SHOWN = (*PRIVATE, "present", "scene")  # of a link, for the class


def line() -> None:
    """On every page of a browser that has joined a room: what is voted on, and the screen of the lecturer."""
    if st.session_state["path"] == HERE:
        return
    code = rooms.read_code(controls.joined())
    if code:
        with st.session_state["room_place"]:
            _renewed(_line, code)


def _renewed(part, *arguments):
    """A part of the page that is made again when the room has changed; pages come first."""
    st.fragment(_updated, run_every=EVERY)(part, *arguments)


def _updated(part, *arguments):
    with traffic.update():
        part(*arguments)


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
    room = _looked(code)
    if room is None:
        return _door()
    st.session_state["hint"] = ""  # on how to begin
    mine["drawn"] = drawn = room_prompt.state(room)
    ready = True
    if projected:
        left, right = st.columns([0.2, 0.8], gap="medium") if drawn else (st.container(), None)
        with left:
            _renewed(_projected, code, drawn is not None)
        if drawn:
            with right:
                ready = room_prompt.stage(room)
    elif mine.get("code") == code and mine.get("key"):
        _renewed(_running, code, mine["key"])
        ready = drawn is None or room_prompt.stage(room)
        _cockpit(code, mine["key"])
    else:
        _renewed(_line, code)
        ready = drawn is None or room_prompt.stage(room, _browser())
    if not ready:
        mine["drawn"] = NOT_READY


def _news(room, every=False):
    """Whether the part that shows this `room` must be made again; with `every` change of the store.

    A browser that asks is there.
    """
    mine, seen = _mine(), watched.seen

    def news():
        if "as" in mine:
            watched.here(room.code, mine["as"])
        try:
            now = watched.room(room.code)
        except (RoomError, StoreError):
            return True
        return mine.get("drawn") == NOT_READY or now != room or (every and watched.seen != seen)

    return news


def _again_if_changed(room):
    """Draw the page again if the vote on a prompt has gone on: its pictures stand outside of what repeats itself."""
    if st.session_state["path"] == HERE and _mine().get("drawn") != room_prompt.state(room):
        st.rerun(scope="app")


def _looked(code):
    """The room now; None, with a sentence, if there is none or the store does not answer."""
    try:
        return watched.room(code)
    except (RoomError, StoreError) as error:
        st.info(tables.plain(str(error)), icon=":material/info:")
        return None


# ------------------------------------------------------------------------------------------ students


traffic.regularly(watched.flush)


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
    delivery.renews(lambda: True)  # where the store does not answer, it is asked again
    try:
        room = rooms.look(code, _browser()) if noted else watched.room(code)
        delivery.renews(_news(room))
    except (RoomError, StoreError) as error:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption(tables.plain(str(error)))
            _leave_button()
        return
    if noted:
        mine["noted"], mine["as"] = now, _browser()
    _again_if_changed(room)
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
            follows = mine.get("follows", True)
            callbacks.changing(st.toggle, "Follow", key="room_follows", value=follows, act=_follow)
            _leave_button()
    if room.question and room.question.asked:
        _prompt_line(room)
    elif room.question:
        room_votes.ballot(room, _browser()) if not leads else room_votes.asked(room)
    elif not room.screen:
        st.caption("Nothing is shown yet. This page changes by itself.")


def _prompt_line(room):
    """What is said of the vote on a prompt, and, on other pages, the way to it."""
    if st.session_state["path"] == HERE:
        return st.caption(room_votes.counts(room))
    if not room.question.revealed:
        room_votes.asked(room)
    label = "See what came out" if room.question.revealed else "Answer it"
    st.page_link(HERE, label=label, icon=":material/how_to_vote:", query_params={CODE.name: room.code})


def _leave_button():
    st.button("Leave", key="room_leave", type="tertiary", icon=":material/logout:", on_click=_leave)


def _leave():
    st.session_state["room_joined"] = {}
    carried.forget(CODE.name)
    st.session_state["room_left"] = True


def _follow(follows):
    _mine().update(follows=follows, seen=None)


def _lead_switch():
    led = _mine().get("leads", False)
    callbacks.changing(st.toggle, "The class follows my screen", key="room_leads", value=led, act=_lead)


def _lead(leads):
    _mine()["leads"] = leads


def _go(code, screen):
    """Open the screen of the lecturer; False for a page that this server does not have, and for the vote shown here."""
    stem, link = screen
    path = "home.py" if stem == "home" else f"pages/{stem}.py"
    if path not in st.session_state["paths"] or path == HERE == st.session_state["path"]:
        return False
    st.switch_page(path, query_params={**link, CODE.name: code})


def _stem(path):
    return path.rpartition("/")[2].removesuffix(".py")


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
        st.button("Join", key="room_join", on_click=callbacks.reading(_join, "room_code"))


def _open():
    try:
        code, key = rooms.open_room()
    except (RoomError, StoreError) as error:
        controls.refuse(tables.plain(str(error)))
        return
    _mine().update(code=code, key=key, leads=True)
    carried.give(CODE.name, code)
    carried.give(KEY.name, key)


def _join(typed):
    code = rooms.read_code(typed)
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
    here = urlsplit(st.context.url or "")
    if here.hostname in ONLY_HERE:
        other = network.address()
        port = f":{here.port}" if here.port else ""
        where = f"`{here.scheme}://{other}{port}`" if other else "the address that this computer has in its network"
        st.info(
            f"Phones cannot open `{here.hostname}`, which means “this computer”. Open the links of this room with "
            f"{where} at their beginning: the room stays the same, and its QR code is then right.",
            icon=":material/wifi:",
        )


def _projected(code, beside):
    """What stands on the wall: how to join, the question, and what came out; `beside` a question of a lesson."""
    delivery.renews(lambda: True)
    room = _looked(code)
    if room is None:
        return
    delivery.renews(_news(room))
    _again_if_changed(room)
    left, right = (st.container(), None) if beside else st.columns([0.45, 0.55], gap="large")
    with left, st.container(key="room_beside" if beside else "room_wall"):
        _qr(code)
        st.markdown(f"## {code}")
        st.markdown(f"{tables.plain(_address(code))}  \n{counted(room.members, 'browser')} here")
        if beside:
            st.markdown(f"**{room_votes.counts(room)}**")
    if beside:
        return
    with right:
        if room.question:
            room_votes.asked(room)
        else:
            st.markdown(
                "## Join in\nScan the code with a phone, or type in the address below it. There are no accounts."
            )


def _running(code, key):
    """The question that is voted on, with what comes next."""
    delivery.renews(lambda: True)
    room = _looked(code)
    if room is None:
        return
    delivery.renews(_news(room, every=True))
    _again_if_changed(room)
    question = room.question
    with st.container(border=True):
        st.caption(f"Room {code} · {counted(room.members, 'browser')} here")
        if question is None:
            st.markdown("Nothing is asked yet.")
            return
        if question.asked:
            st.markdown(f"**{room_votes.counts(room)}**")
        else:
            room_votes.asked(room)
        with st.container(horizontal=True):
            if not question.revealed:
                st.button("Reveal", icon=":material/visibility:", key="room_reveal", type="primary",
                          on_click=room_asking.act, args=(rooms.reveal, code, key))  # fmt: skip
            elif question.round == 1:
                st.button("Second vote", icon=":material/replay:", key="room_again",
                          on_click=room_asking.act, args=(rooms.again, code, key))  # fmt: skip
            st.download_button(
                "All votes as CSV", lambda: votes.csv_text(rooms.everything(code, key)), f"votes-{code}.csv",
                "text/csv", key="room_csv", on_click="ignore", icon=":material/download:",
            )  # fmt: skip
        if not question.revealed:
            with st.expander("The distribution, for you alone", key="room_peek", on_change="rerun") as box:
                if box.open:
                    room_prompt.peek(room) if question.asked else room_votes.distribution(code, question)


def _cockpit(code, key):
    """Everything else that the lecturer does: links, questions, end."""
    left, right = st.columns([0.4, 0.6], gap="large")
    with left:
        _qr(code)
        st.markdown(f"### Room {code}")
        st.markdown("For students:")
        st.code(_address(code), language=None, wrap_lines=True)
        st.markdown("For the projector:")
        st.code(_address(code, **{PROJECTED.name: 1, controls.PRESENT.name: 1}), language=None, wrap_lines=True)
        st.markdown("For you alone: this link opens the cockpit again, also on another computer.")
        st.code(_address(code, **{KEY.name: key}), language=None, wrap_lines=True)
        _lead_switch()
        st.caption("Go to any page: what you set there is shown to all who follow.")
        with st.popover("Delete the room", icon=":material/delete:"):
            st.markdown("The room and all its votes are deleted at once.")
            st.button("Delete it now", key="room_close", on_click=room_asking.act, args=(rooms.close, code, key))
    with right:
        room_asking.forms(code, key)
