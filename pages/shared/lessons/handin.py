"""Hand-in codes: the answers of an exercise sheet as a short text that a student pastes into mail or a course page.

A code is the mark SVMLAB, a version, the length, the answers and a checksum, in Crockford's base 32 (2002): letters in
either case, and marks, spaces and line breaks between them, make no difference. The checksum detects what was altered
or mistyped, but has no secret: anyone with the program can make a valid code.
"""

import base64
import hashlib
import html
import json
import re
import unicodedata
import zlib
from typing import NamedTuple

MARK = "SVMLAB"
VERSION = 1
DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
USUAL = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"  # digits of the same values in `base64`
TO_USUAL, FROM_USUAL = str.maketrans(DIGITS, USUAL), str.maketrans(USUAL, DIGITS)
ALIKE = str.maketrans("OIL", "011")  # letters that are no digits, read as the digits that they look like
CHECKED = 8  # digits of the checksum, 5 bits each
RAW = -15  # of zlib: no header and no checksum of its own
GROUP = 6  # digits between two hyphens
LONGEST = 6000  # digits of the answers
MOST_BYTES = 20_000  # of the answers unpacked
LARGEST = 4_000_000  # characters of a text with codes
LONGEST_TYPED = 200  # characters of a number as it is typed
TAG = re.compile(r"<[^<>]{0,200}>")  # of a page of a course that codes were pasted into
LONGEST_NUMBER = 20
LONGEST_TEXT = 600  # characters of a short answer
MOST_TEXTS = 6
SEEDS = 999_983  # a prime: numbers that differ in one place have different seeds


class Handin(NamedTuple):
    """An exercise sheet that was filled in.

    lesson: its id; edition: `edition(lesson)` of the lesson that was answered; number: the student's, by
    `normalise_number`; given: an answer for each prompt in its order, None for one left out; texts: the short answers.
    """

    lesson: str
    edition: str
    number: str
    given: tuple
    texts: tuple[str, ...] = ()


class CodeError(ValueError):
    """A text that is no code that can be read. `status`: "no code", "too short", "altered" or "other version"."""

    def __init__(self, status: str, sentence: str):
        super().__init__(sentence)
        self.status = status


def normalise_number(number: str) -> str:
    """A student's number as it is kept, capital letters and digits; ValueError, a sentence, for what is none."""
    text = re.sub(r"[\s./_-]", "", unicodedata.normalize("NFKC", number[:LONGEST_TYPED])).upper()
    if not re.fullmatch(rf"[0-9A-Z]{{1,{LONGEST_NUMBER}}}", text):
        raise ValueError(
            f"A number has 1 to {LONGEST_NUMBER} digits or letters from A to Z, such as 4711012; "
            + (f"this one has {len(text)} characters." if len(text) > LONGEST_NUMBER else "type yours.")
        )
    return text


def seed(number: str) -> int:
    """The seed of a student's points, 1 to 999 983, from the number by `normalise_number`: another one for numbers that
    differ in a single place or follow each other. Leading zeros do not count.
    """
    return 1 + int(number, 36) * 48_271 % SEEDS


def edition(lesson) -> str:
    """Eight hexadecimal digits that change with what answers refer to: prompts, options, states and quantities."""
    parts = [
        (p.id, p.kind, p.question, [o.text for o in p.options], p.state, p.change, p.second, p.watch, p.at)
        for p in lesson.prompts
    ]
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:8]


def write(handin: Handin) -> str:
    """The code, in groups of six digits, its numbers to 6 significant digits; ValueError for too long answers."""
    content = [handin.lesson, handin.edition, handin.number, list(handin.given), list(handin.texts)]
    rounded = json.loads(json.dumps(content, allow_nan=False), parse_float=lambda text: float(f"{float(text):.6g}"))
    text = json.dumps(rounded, ensure_ascii=False, separators=(",", ":"))
    body = _digits(zlib.compress(text.encode(), 9, wbits=RAW))
    if len(body) > LONGEST:
        raise ValueError(
            f"The code would have {len(body)} characters, and at most {LONGEST} are read: shorten your texts."
        )
    code = f"{DIGITS[VERSION]}{_count(len(body))}{body}"
    code += _checksum(code)
    return "-".join([MARK + code[:4], *(code[i : i + GROUP] for i in range(4, len(code), GROUP))])


def read(text: str) -> Handin:
    """The sheet in a text that contains a code; what stands before and after the code is ignored. Raises CodeError."""
    code = find_code(text[:LARGEST])
    if not code:
        raise CodeError("no code", f"There is no code here; a code begins with {MARK}.")
    version, length = code[:1], _number(code[1:4])
    if version != DIGITS[VERSION]:
        raise CodeError(
            "other version",
            f"This is a code of version {version}, and this app reads version {VERSION}: it was made by another "
            "version of the app, or altered.",
        )
    wanted = 4 + length + CHECKED
    if len(code) < wanted:
        known = f"{len(code)} of {wanted} characters" if len(code) >= 4 else "it ends after its first characters"
        raise CodeError("too short", f"The code is too short: {known}. Ask for the whole code.")
    code = code[:wanted]
    if length > LONGEST or _checksum(code[:-CHECKED]) != code[-CHECKED:]:
        raise CodeError("altered", "The code was altered or mistyped: its checksum does not fit. Ask for it again.")
    try:
        return _content(code[4:-CHECKED])
    except (ValueError, TypeError, RecursionError, zlib.error):
        raise CodeError("altered", "The code was altered: it contains no answers in the expected form.") from None


def find_code(text: str) -> str:
    """The digits of the first code in a text, from the version on, as far as it goes; "" without the mark."""
    return digits(text).partition(MARK)[2].translate(ALIKE)


def continues(begun: str, line: str) -> bool:
    """True if a line goes on with the digits `begun` of a code: groups of digits in it, or exactly what is missing."""
    code = begun.translate(ALIKE)
    lacking = 4 + _number(code[1:4]) + CHECKED - len(code)
    groups = re.findall(r"[0-9A-Za-z]+", line)
    whole = len(groups) > 2 and all(len(group) == GROUP for group in groups[1:-1])
    digits = re.search(r"\d", line) and (len(groups) == 1 or re.search("[-–—]", line) or whole)
    return bool(code and groups and lacking > 0 and (digits or sum(map(len, groups)) == lacking))


def digits(text: str) -> str:
    """The letters and digits of a text as a code has them: capital ones, without anything between them."""
    letters = re.sub(r"[\W_]+", "", TAG.sub("", unescape(text)))  # first: long runs of accents take the square of time
    plain = unicodedata.normalize("NFKC", letters).upper()
    return re.sub(r"[^0-9A-Z]", "", plain)


def unescape(text: str) -> str:
    """The text with the characters that HTML names; as it is where one has a number with thousands of digits."""
    try:
        return html.unescape(text)
    except ValueError:
        return text


def _content(digits):
    """The Handin in the digits of the answers; ValueError or TypeError where it is none."""
    raw = base64.b32decode(digits.translate(TO_USUAL) + "=" * (-len(digits) % 8))
    lesson, edition, number, given, texts = json.loads(_decompress(raw))
    json.dumps(given, allow_nan=False)  # refuses what is no finite number
    named = all(isinstance(part, str) and len(part) <= 60 for part in (lesson, edition, number))
    written = isinstance(texts, list) and len(texts) <= MOST_TEXTS and all(isinstance(part, str) for part in texts)
    if not (named and written and isinstance(given, list) and number == normalise_number(number)):
        raise ValueError("not the parts of a sheet")
    return Handin(lesson, edition, number, tuple(given), tuple(part[:LONGEST_TEXT] for part in texts))


# ------------------------------------------------------------------------------------------ base 32


def _decompress(raw):
    unpacker = zlib.decompressobj(wbits=RAW)
    text = unpacker.decompress(raw, MOST_BYTES)
    if not unpacker.eof:
        raise ValueError("longer than any sheet, or cut off")
    return text.decode()


def _digits(raw):
    return base64.b32encode(raw).decode().rstrip("=").translate(FROM_USUAL)


def _count(length):
    return DIGITS[length >> 10] + DIGITS[length >> 5 & 31] + DIGITS[length & 31]


def _number(digits):
    """The length that three digits say; 0 for fewer, or for characters that are no digits."""
    if len(digits) < 3 or any(digit not in DIGITS for digit in digits):
        return 0
    return sum(DIGITS.index(digit) << 5 * place for place, digit in enumerate(reversed(digits)))


def _checksum(code):
    return _digits(hashlib.sha256(code.encode()).digest())[:CHECKED]
