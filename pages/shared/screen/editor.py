"""The edits of one session: the scripts of its draws, and the state of its link and its point editor. No Streamlit
here.

Three places hold the edits of the points: this record, the link (a text that the page sends back with every request),
and the point editor in the browser. Edits on the point editor, in the table or from a file reach the record first,
which updates the link and the point editor. The texts sent to the link are kept, because a page that has not received
the newest text yet still returns an older one. A run begins with the draw of its controls and the text that the page
holds:

    the page holds            the same draw as before       another draw
    the newest text           nothing to do                 the script of that draw is sent to the link
    an older one              the newest is sent again      the script of that draw is sent to the link
    a text that was not sent  another link: its script becomes that of the draw

Once the page has returned a text, the older ones are forgotten: it can return them only as another link.
"""

import time
from dataclasses import dataclass, field

from pages.shared.screen import codec, edits
from pages.shared.screen.edits import Edits

LONGEST = 6000  # largest number of characters in a link; web servers reject much longer addresses
KEY = "editor"  # of the record in the session's state


@dataclass
class Editor:
    """See the module. A draw is any hashable value that identifies the problem as it is drawn.

    `begun` is when the session began, by which the point editor notices a new one, `version` that of the points on the
    point editor, `brought` a script for the draw of the next run, `refused` the reason why the last script of the point
    editor was rejected.
    """

    begun: int = field(default_factory=lambda: time.time_ns() // 1000)
    version: int = 0
    brought: Edits | None = None
    refused: str | None = None
    _draw: object = None  # of the newest text of the link
    _scripts: dict = field(default_factory=dict)  # draw -> Edits
    _sent: list[str] = field(default_factory=list)  # texts, from the one that the page holds to the newest
    _ours: bool = False  # the text in the session's state was sent to the link in this run
    _chosen: tuple = (None, None)  # draw, id
    _editor: tuple | None = None  # the base and the script that the point editor has

    # ------------------------------------------------------------------------------------------ link

    def begin(self, draw, held: str | None) -> str | None:
        """A run for this draw begins; the page holds the text `held`, None for none.

        Returns the new text for the link, None if that of the page is kept.
        """
        known = self._confirm(held)
        self._ours = False
        if self.brought is not None:
            self._scripts[draw], self.brought = self.brought, None
        elif not known or (draw, held) == (self._draw, self._sent[-1]):
            return None
        return self._send(draw, held)

    def read(self, draw, text: str) -> Edits:
        """The script of the draw if the link has `text`; a text that was not sent to the link replaces the script.

        ValueError for a text that cannot be read; the draw then has no edits.
        """
        if not self._sent or (draw, text) != (self._draw, self._sent[-1]):
            self._draw, self._sent = draw, [text]
            self._scripts[draw] = edits.NONE
            self._scripts[draw] = codec.decode(text)
        return self.script(draw)

    def script(self, draw) -> Edits:
        return self._scripts.get(draw, edits.NONE)

    def remember(self, draw, script: Edits, held: str | None) -> str:
        """Set the script of the draw, before a run only; returns the new text for the link.

        `held` is the text in the session's state.
        """
        self._confirm(held)
        self._scripts[draw] = script
        return self._send(draw, held)

    def _confirm(self, held):
        """True if that text was sent to the link; older texts are forgotten when the page returns it."""
        known = held in self._sent
        if known and not self._ours:
            self._sent = self._sent[self._sent.index(held) :]
        return known

    def _send(self, draw, held):
        text = codec.encode(self.script(draw))
        text = text if fits(text) else ""
        if not self._sent:
            self._sent.append(held or "")
        self._sent.append(text)
        self._draw, self._ours = draw, True
        return text

    # ----------------------------------------------------------------------------------------- board

    def take(self, message: dict, held: str | None) -> str | None:
        """A message of the point editor, {version, seq, chosen, step, edits}; returns the link's new text.

        None if the link is kept: for a message about outdated points, and for a rejected script.
        """
        if self._editor is None or message["version"] != self.version:
            return None
        try:
            script = edits.from_message(message)
        except ValueError as error:
            self.refused, self._editor = str(error), None  # a new version resets the point editor
            return None
        if message["chosen"] is not None:
            self.choose(self._draw, message["chosen"])
        self._editor = (self._editor[0], script)
        return self.remember(self._draw, script, held)

    def version_of(self, base, script: Edits, clock=time.time_ns) -> int:
        """The version of the points on the point editor: a new one unless the point editor made these edits itself."""
        if self._editor != (base, script):
            self.version = clock() // 1000  # unlike those of a session before a restart
            self._editor = (base, script)
        return self.version

    def choose(self, draw, chosen: int | None) -> None:
        """Choose the point with that id of the draw; None for no point."""
        self._chosen = (draw, chosen)

    def chosen_point(self, draw) -> int | None:
        """The id of the chosen point of this draw, or None. The point may have been deleted since."""
        of, chosen = self._chosen
        return chosen if of == draw else None


def fits(text: str) -> bool:
    """True if that text is short enough for a link."""
    return len(text) <= LONGEST


def session_editor(state) -> Editor:
    """The record of a session, kept in its state (a mapping)."""
    return state.setdefault(KEY, Editor())
