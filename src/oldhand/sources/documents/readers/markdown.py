"""Markdown, as CommonMark has it, with tables."""

import re
from collections.abc import Iterator, Sequence

from markdown_it import MarkdownIt
from markdown_it.token import Token

from oldhand.sources.documents.block import Block, BlockKind, row_text, served
from oldhand.sources.documents.readers.plain_text import decoded

_FRONT = re.compile(r"\A---\n(.*?\n)(?:---|\.\.\.)(?:\n|\Z)", re.DOTALL)
_TITLE = re.compile(r"^title:\s*[\"']?(.*?)[\"']?\s*$", re.MULTILINE | re.IGNORECASE)
_TAG = re.compile(r"<!--.*?(?:-->|\Z)|<[^>]*>", re.DOTALL)


def read(data: bytes) -> Iterator[Block]:
    """The blocks of a Markdown text."""
    text = decoded(data)
    if front := _FRONT.match(text):
        if named := _TITLE.search(front[1]):
            yield Block(BlockKind.TITLE, named[1])
        text = "\n" * front[0].count("\n") + text[front.end() :]
    yield from _Walk(MarkdownIt("commonmark").enable("table").parse(text)).blocks()


class _Walk:
    """One way through the tokens."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self._tokens = tokens
        self._lists: list[int | None] = []
        """Of each list around: the number of its next item; None where items have no numbers."""
        self._mark = ""
        self._columns: list[str] | None = None
        self._row: list[str] = []
        self._in_cell = False
        self._level = 0

    def blocks(self) -> Iterator[Block]:
        """What the tokens say, in order."""
        line: int | None = None
        for token in self._tokens:
            line = token.map[0] + 1 if token.map else line
            match token.type:
                case "inline" if self._in_cell:
                    self._row.append(_said(token))
                case "inline":
                    yield self._inline(_said(token), line)
                case "tr_close" if self._columns is not None:
                    yield Block(BlockKind.ROW, row_text(self._columns, self._row), line=line)
                case "fence" | "code_block":
                    yield Block(BlockKind.LINE, token.content.rstrip("\n"), line=line)
                case "html_block":
                    yield Block(BlockKind.PARAGRAPH, _TAG.sub(" ", token.content), line=line)
                case _:
                    self._enter(token)

    def _enter(self, token: Token) -> None:
        """Take note of where we are."""
        match token.type.rpartition("_"):
            case "heading", _, way:
                self._level = int(token.tag[1:]) if way == "open" else 0
            case (("td" | "th"), _, way):
                self._in_cell = way == "open"
            case "tr", _, "open":
                self._row = []
            case "tr", _, "close":
                self._columns = self._row
            case "table", _, _:
                self._columns = None
            case (("bullet_list" | "ordered_list"), _, "close"):
                self._lists.pop()
            case "bullet_list", _, _:
                self._lists.append(None)
            case "ordered_list", _, _:
                self._lists.append(int(token.attrs.get("start", 1)))
            case "list_item", _, "open":
                self._mark = self._marked()
            case _:
                pass

    def _marked(self) -> str:
        number = self._lists[-1]
        if number is not None:
            self._lists[-1] = number + 1
        return "  " * (len(self._lists) - 1) + ("- " if number is None else f"{number}. ")

    def _inline(self, text: str, line: int | None) -> Block:
        if self._level:
            return Block(BlockKind.HEADING, text, self._level, line=line)
        mark, self._mark = self._mark, ""
        kind = BlockKind.LINE if self._lists else BlockKind.PARAGRAPH
        return Block(kind, mark + text, line=line)


def _said(token: Token) -> str:
    """The words of a paragraph, without the signs that lay them out."""
    said: list[str] = []
    for one in token.children or ():
        match one.type:
            case "text" | "code_inline":
                said.append(one.content)
            case "softbreak":
                said.append(" ")
            case "hardbreak":
                said.append("\n")
            case "image":
                said.append(one.content)
            case _:
                pass
    return "".join(said)


opened = served(read)
