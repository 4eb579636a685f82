"""The edits of one session: the scripts of its draws, and what its link and its board know of them. No Streamlit here.

Three places hold the edits of the points: this record, the link (a text that the page sends back with every request),
and the board in the browser. What is done on the board, in the table or by a file reaches the record first, which tells
the link and the board. Each text that the link is told has a revision: a page that has not heard of the newest one yet
still sends one that was told before it. A run begins with the draw that its controls make and the text that the page
holds:

    the page holds            the same draw as before       another draw
    the newest text           nothing to do                 the link is told the script of that draw
    one told before it        the link is told once more    the link is told the script of that draw
    a text it was not told    another link: its script becomes that of the draw

Once the page has sent a text, those told before it are forgotten: it can send them only as another link.
"""

import time
from dataclasses import dataclass, field

from pages.shared.points import codec, edits
from pages.shared.points.edits import Edits

LONGEST = 6000  # characters of a script that a link is trusted with; web servers refuse much longer addresses
KEY = "editor"  # of the record in the session's state


@dataclass
class Editor:
    """See the module. A draw is whatever names the problem as it is drawn, and can be the key of a dict.

    `revision` is that of the points on the board, `brought` a script for the draw of the next run, `refused` why the
    board's last script was not taken.
    """

    revision: int = 0
    brought: Edits | None = None
    refused: str | None = None
    _draw: object = None  # for which the link was told its newest text
    _scripts: dict = field(default_factory=dict)  # draw -> Edits
    _told: dict[int, str] = field(
        default_factory=dict
    )  # revision -> text, from the one that the page holds to the newest
    _ours: bool = False  # the text in the session's state is one that the link was told in this run, not the page's
    _chosen: tuple = (None, None)  # draw, id
    _board: tuple | None = None  # the base and the script that the board has

    # ------------------------------------------------------------------------------------------ link

    def begin(self, draw, held: str | None) -> str | None:
        """A run for this draw begins; the page holds the text `held`, None for none.

        Returns the text that the link is to have from now on, None where that of the page stands.
        """
        known = self._hear(held)
        self._ours = False
        if self.brought is not None:
            self._scripts[draw], self.brought = self.brought, None
        elif not known or (draw, held) == (self._draw, self._newest):
            return None
        return self._tell(draw, held)

    def read(self, draw, text: str) -> Edits:
        """The script of the draw, the link's text being `text`: that of the text where the link was not told it.

        ValueError, in a sentence, for a text that cannot be read; the draw has no edits then.
        """
        if not self._told or (draw, text) != (self._draw, self._newest):
            self._draw, self._told = draw, {self._next: text}
            self._scripts[draw] = edits.NONE
            self._scripts[draw] = codec.decode(text)
        return self.script(draw)

    def script(self, draw) -> Edits:
        """What was done to the points of a draw."""
        return self._scripts.get(draw, edits.NONE)

    def remember(self, draw, script: Edits, held: str | None) -> str:
        """From now on this is the script of the draw; returns the text that the link is to have. Before a run only.

        `held` is the text that the session's state has.
        """
        self._hear(held)
        self._scripts[draw] = script
        return self._tell(draw, held)

    def _hear(self, held):
        """Whether the link was told that text. What it was told before is forgotten when the page sends it."""
        found = next((revision for revision, text in self._told.items() if text == held), None)
        if found is not None and not self._ours:
            self._told = {revision: text for revision, text in self._told.items() if revision >= found}
        return found is not None

    def _tell(self, draw, held):
        text = codec.encode(self.script(draw))
        text = text if fits(text) else ""
        if not self._told:
            self._told[self._next] = held or ""
        self._told[self._next] = text
        self._draw, self._ours = draw, True
        return text

    @property
    def _newest(self):
        return self._told[max(self._told)] if self._told else None

    @property
    def _next(self):
        return max(self._told, default=0) + 1

    # ----------------------------------------------------------------------------------------- board

    def take(self, message: dict, held: str | None) -> str | None:
        """A message of the board, {rev, seq, moving, chosen, step, edits}; returns the text that the link is to have.

        None where the link stays: while a point moves, for a message about other points than the board has by now, and
        for a script that is refused.
        """
        if self._board is None or message["rev"] != self.revision:
            return None
        try:
            script = edits.script(message["step"], message["edits"])
        except ValueError as error:
            self.refused, self._board = str(error), None  # a new revision: the board takes back what it did
            return None
        if message["chosen"] is not None:
            self.choose(self._draw, message["chosen"])
        self._board = (self._board[0], script)
        if not message["moving"]:
            return self.remember(self._draw, script, held)
        self._scripts[self._draw] = script
        return None

    def shown(self, base, script: Edits, clock=time.time_ns) -> int:
        """The revision of the points that the board is to show: a new one unless it made these edits itself."""
        if self._board != (base, script):
            self.revision = clock() // 1000  # unlike those of a session before a restart
            self._board = (base, script)
        return self.revision

    def choose(self, draw, chosen: int | None) -> None:
        """From now on the point with that id of the draw is the chosen one; None for none."""
        self._chosen = (draw, chosen)

    def chosen(self, draw) -> int | None:
        """The id of the point that was chosen last in this draw, None without one. It may have been deleted since."""
        of, chosen = self._chosen
        return chosen if of == draw else None


def fits(text: str) -> bool:
    """Whether a link is trusted with that text."""
    return len(text) <= LONGEST


def of(state) -> Editor:
    """The record of a session, kept in its state (a mapping)."""
    return state.setdefault(KEY, Editor())
