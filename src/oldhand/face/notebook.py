"""The magic of notebooks: `%load_ext oldhand`, then `%oldhand` and `%%oldhand`."""

import re
from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Protocol

from oldhand.errors import MissingExtra, OldhandError, UsageError
from oldhand.face.remote import Client
from oldhand.face.sync_face import Oldhand
from oldhand.record.clone import DEFAULT_USER

if TYPE_CHECKING:
    from oldhand.record.answer import Answer

_OPTION = re.compile(
    r"\s*(?:--(?P<name>home|server|user|db|effort)(?:=|\s+)(?P<value>\"[^\"]*\"|'[^']*'|\S+)"
    r"|(?P<new>--new)(?!\S)|as\s+(?P<variable>[^\W\d]\w*)(?!\S))"
)
_ASKING = re.compile(r"(?P<indent>\s*)%oldhand\s+(?P<question>.*\w.*\?)\s*")


class NotebookShell(Protocol):
    """What is used of `IPython.core.interactiveshell.InteractiveShell`."""

    user_ns: dict[str, object]
    input_transformers_cleanup: list[Callable[[list[str]], list[str]]]

    def register_magic_function(
        self, func: Callable[..., object], magic_kind: str, magic_name: str
    ) -> None:
        """Let a name behind a % call a function."""
        ...


class NotebookMagic:
    """Asks from a notebook; what follows in it goes on with the same conversation.

    Args:
        shell: whose variables answers become.
    """

    def __init__(self, shell: NotebookShell) -> None:
        self._shell = shell
        self._open: dict[tuple[str | None, str | None], Oldhand] = {}
        self._sessions: dict[tuple[str | None, str | None, str], str] = {}

    def oldhand(self, line: str, cell: str | None = None) -> None:
        """Ask a question in plain words.

        %oldhand How many customers live in Berlin?

        %%oldhand --home my-home as answer
        Which 3 stores have the most employees?

        Before the question stand options: --home DIR, --server URL (its key in OLDHAND_KEY), --user NAME, --db NAME (can be
        repeated), --effort EFFORT, --new for a new conversation, and `as NAME`, which makes the answer a variable:
        answer.text, answer.rows, answer.to_df().
        """
        try:
            self._ask(line, cell)
        except OldhandError as error:
            told = f"{type(error).__name__}: {' '.join(str(error).split())}"
            # Shown as one line, and the cells after it are not run.
            raise import_module("IPython.core.error").UsageError(told) from error

    def _ask(self, line: str, cell: str | None) -> None:
        given: dict[str, list[str]] = {}
        place = 0
        while found := _OPTION.match(line, place):
            option = found["name"] or str(found.lastgroup)
            given.setdefault(option, []).append(found["value"] or found[str(found.lastgroup)])
            place = found.end()
        question = "\n".join(filter(None, (line[place:].strip(), (cell or "").strip())))
        if not question or question.startswith("--"):
            raise UsageError("%oldhand [OPTIONS] [as NAME] QUESTION; %oldhand? explains it.")
        self._show(self._answer(question, given), given.get("variable"))

    def _answer(self, question: str, given: dict[str, list[str]]) -> "Answer":
        texts = {name: values[-1].strip("\"'") for name, values in given.items()}
        home, server = texts.get("home"), texts.get("server")
        user = texts.get("user", DEFAULT_USER)
        key = (home, server, user)
        if "new" in given:
            self._sessions.pop(key, None)
        answer = self._opened(home, server).ask(
            question,
            databases=[one.strip("\"'") for one in given.get("db", [])] or None,
            user=user,
            session_id=self._sessions.get(key),
            effort=texts.get("effort"),
        )
        self._sessions[key] = answer.session_id
        return answer

    def _opened(self, home: str | None, server: str | None) -> Oldhand:
        key = (home, server)
        if key not in self._open:
            self._open[key] = Client(server) if server else Oldhand(home)
        return self._open[key]

    def _show(self, answer: "Answer", variables: list[str] | None) -> None:
        display = import_module("IPython.display").display
        print(answer.text)  # noqa: T201 (what a cell shows)
        if len(answer.rows) > 1 or len(answer.columns) > 1:
            try:
                display(answer.to_df())
            except MissingExtra:
                display(answer)
        for note in answer.notes:
            print(note)  # noqa: T201
        for name in variables or ():
            self._shell.user_ns[name] = answer

    def close(self) -> None:
        """Let go of the homes and servers that were asked."""
        for old in self._open.values():
            old.close()
        self._open.clear()


def with_question_marks(lines: list[str]) -> list[str]:
    r"""The lines of a cell, in which a question mark ends a question: IPython would show help on its last word.

    >>> with_question_marks(["%oldhand Who pays?\n", "%oldhand?\n", "str?\n"])
    ["get_ipython().run_line_magic('oldhand', 'Who pays?')\n", '%oldhand?\n', 'str?\n']
    """
    found = [(line, _ASKING.fullmatch(line)) for line in lines]
    return [
        f"{asks['indent']}get_ipython().run_line_magic('oldhand', {asks['question']!r})\n"
        if asks
        else line
        for line, asks in found
    ]


_LOADED: "dict[int, NotebookMagic]" = {}


def load_ipython_extension(shell: NotebookShell) -> None:
    """Called by `%load_ext oldhand`."""
    magic = _LOADED.setdefault(id(shell), NotebookMagic(shell))
    shell.register_magic_function(magic.oldhand, "line_cell", "oldhand")
    if with_question_marks not in shell.input_transformers_cleanup:
        shell.input_transformers_cleanup.append(with_question_marks)


def unload_ipython_extension(shell: NotebookShell) -> None:
    """Called by `%unload_ext oldhand`."""
    if (magic := _LOADED.pop(id(shell), None)) is not None:
        shell.input_transformers_cleanup.remove(with_question_marks)
        magic.close()
