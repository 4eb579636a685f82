"""An edit script as text for a link, with a version and a check: about eight characters a point."""

import base64
import zlib
from itertools import islice

from pages.shared.screen import edits
from pages.shared.screen.edits import Edits

VERSION = "1"
LONGEST = 120_000  # characters: more than the longest script takes
BITS = 64  # of a number


def encode(script: Edits) -> str:
    """The script as text for a link, about eight characters a point; "" for none."""
    if not script.edits:
        return ""
    old = [edit for edit in script.edits if edit.id >= 0]
    new = [edit for edit in reversed(script.edits) if edit.id < 0]
    numbers = [*map(_zigzag, script.step), len(old), *_encode_rows(old, -1), *_encode_rows(new, 0)]
    raw = b"".join(_varint(number) for number in numbers)
    return VERSION + base64.urlsafe_b64encode(raw + _check(raw)).decode().rstrip("=")


def decode(text: str) -> Edits:
    """The script of a text that `encode` wrote; ValueError, in a sentence, for any other."""
    if not text:
        return edits.NONE
    if len(text) > LONGEST:
        raise ValueError(f"these edits have {len(text)} characters, and this app reads at most {LONGEST}")
    if text[0] != VERSION:
        raise ValueError(f"these edits have version {text[0]!r}, this app reads version {VERSION}")
    try:
        raw = base64.b64decode(text[1:] + "=" * (-len(text[1:]) % 4), altchars=b"-_", validate=True)
    except ValueError:
        raise ValueError("these edits are not text that this app wrote; the link may have been cut") from None
    raw, check = raw[:-2], raw[-2:]
    if len(check) < 2 or check != _check(raw):
        raise ValueError("these edits are damaged; the link may have been cut")
    try:
        numbers = _numbers(raw)
        step = [_unzigzag(next(numbers)) for _ in range(2)]
        old = list(islice(_read(numbers, -1), next(numbers)))
        return edits.script(step, [*old, *((-key, *rest) for key, *rest in _read(numbers, 0))])
    except (StopIteration, RuntimeError):
        raise ValueError("these edits are damaged; the link may have been cut") from None


def _encode_rows(rows, before):
    """Per edit the gap to the id before, the flags and, where there is one, the place."""
    for edit in rows:
        yield abs(edit.id) - before
        yield edit.flags
        if edit.flags & edits.MOVED:
            yield from (_zigzag(edit.x), _zigzag(edit.y))
        before = abs(edit.id)


def _read(numbers, before):
    """The rows (id, flags, x, y) that `_encode_rows` wrote, without end of its own."""
    for gap in numbers:
        before += gap
        flags = next(numbers)
        yield (
            before,
            flags,
            *((_unzigzag(next(numbers)), _unzigzag(next(numbers))) if flags & edits.MOVED else (0, 0)),
        )


def _check(raw):
    return (zlib.crc32(raw) & 0xFFFF).to_bytes(2, "little")


def _zigzag(value):
    return 2 * value if value >= 0 else -2 * value - 1


def _unzigzag(value):
    return value // 2 if value % 2 == 0 else -(value + 1) // 2


def _varint(value):
    found = bytearray()
    while value >= 0x80:
        found.append(value & 0x7F | 0x80)
        value >>= 7
    found.append(value)
    return bytes(found)


def _numbers(raw):
    value = shift = 0
    for byte in raw:
        value |= (byte & 0x7F) << shift
        shift += 7
        if shift > BITS:
            raise ValueError("these edits are damaged: a number in them does not end")
        if not byte & 0x80:
            yield value
            value = shift = 0
