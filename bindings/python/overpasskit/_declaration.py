"""The declaration in front of XML that is held as text.

Text is decoded already, so the encoding that its declaration names is that of the bytes it once
was. The library gets UTF-8, and must not read it as anything else.
"""

from __future__ import annotations

import re

_BLANKS = "\ufeff \t\r\n"
_BEGIN = "<?xml"
# More than any declaration; what is longer is none.
_LONGEST = 1024
_DECLARATION = re.compile(rf"[{_BLANKS}]*<\?xml\s[^<>]*\?>")
_ENCODING = re.compile(r"""(?<=\s)encoding\s*=\s*("[^"<>]*"|'[^'<>]*')""")


def utf8(text: str) -> bytes:
    """Text for the library. Lone surrogates stay, so that it tells of them itself.

    What names the encoding becomes blanks, so that offsets in errors stay what they are.

    >>> utf8("<?xml version='1.0' encoding='UTF-16'?><osm/>")
    b"<?xml version='1.0'                  ?><osm/>"
    """
    declaration = _DECLARATION.match(text, 0, _LONGEST)
    if declaration is None:
        return encoded(text)
    head = _ENCODING.sub(_blanks, declaration.group())
    return encoded(head) + encoded(text[declaration.end() :])


def _blanks(named: re.Match[str]) -> str:
    return " " * len(encoded(named.group()))


def encoded(text: str) -> bytes:
    """Text in UTF-8 as it is."""
    return text.encode("utf-8", "surrogatepass")


def may_go_on(text: str) -> bool:
    """Whether text is so short that a declaration at its start may not have ended.

    >>> may_go_on("<?x"), may_go_on("<?xml?>"), may_go_on("{")
    (True, False, False)
    """
    if len(text) >= _LONGEST:
        return False
    start = text.lstrip(_BLANKS)
    return _BEGIN.startswith(start) or (start.startswith(_BEGIN) and "?>" not in start)
