"""The same face for ordinary code: it runs the async one on an event loop in a thread of its own."""

from pathlib import Path
from typing import TYPE_CHECKING, Self

from oldhand.face.access import AsyncAccess, AsyncPeople
from oldhand.face.async_face import AsyncOldhand
from oldhand.face.blocking import Blocking, FaceLoop, blocking, made_as
from oldhand.face.boards import AsyncBoards
from oldhand.face.documents import AsyncDocuments
from oldhand.face.episodes import AsyncEpisodes
from oldhand.face.experts import AsyncExperts
from oldhand.face.memories import AsyncMemories
from oldhand.face.prompts import AsyncPrompts
from oldhand.face.rules import AsyncRules
from oldhand.face.saved import AsyncSaved
from oldhand.face.settings import AsyncSettings

if TYPE_CHECKING:
    from oldhand.sources.databases import Catalog


class Documents(Blocking[AsyncDocuments]):
    """`old.documents`: what the assistant reads besides databases."""

    add = blocking(AsyncDocuments.add)
    upload = blocking(AsyncDocuments.upload)
    list = blocking(AsyncDocuments.list)
    get = blocking(AsyncDocuments.get)
    passages = blocking(AsyncDocuments.passages)
    refresh = blocking(AsyncDocuments.refresh)
    found_by = blocking(AsyncDocuments.found_by)
    remove = blocking(AsyncDocuments.remove)
    stats = blocking(AsyncDocuments.stats)
    standing = blocking(AsyncDocuments.standing)
    votes = blocking(AsyncDocuments.votes)
    reset = blocking(AsyncDocuments.reset)


class Episodes(Blocking[AsyncEpisodes]):
    """`old.episodes`: what was asked and answered, and what came of it."""

    list = blocking(AsyncEpisodes.list)
    get = blocking(AsyncEpisodes.get)
    why = blocking(AsyncEpisodes.why)
    reflect = blocking(AsyncEpisodes.reflect)
    fixing = blocking(AsyncEpisodes.fixing)
    fix = blocking(AsyncEpisodes.fix)


class Experts(Blocking[AsyncExperts]):
    """`old.experts`: people who are asked where neither databases nor documents hold an answer."""

    list = blocking(AsyncExperts.list)
    add = blocking(AsyncExperts.add)
    remove = blocking(AsyncExperts.remove)
    ask = blocking(AsyncExperts.ask)
    get = blocking(AsyncExperts.get)
    events = blocking(AsyncExperts.events)
    questions = blocking(AsyncExperts.questions)
    wait = blocking(AsyncExperts.wait)
    inbox = blocking(AsyncExperts.inbox)
    answer = blocking(AsyncExperts.answer)
    decline = blocking(AsyncExperts.decline)
    ask_back = blocking(AsyncExperts.ask_back)
    explain = blocking(AsyncExperts.explain)
    withdraw = blocking(AsyncExperts.withdraw)
    news = blocking(AsyncExperts.news)
    listen = blocking(AsyncExperts.listen)
    stats = blocking(AsyncExperts.stats)


class Memories(Blocking[AsyncMemories]):
    """`old.memories`: what was learned, and what is let go of."""

    list = blocking(AsyncMemories.list)
    get = blocking(AsyncMemories.get)
    define = blocking(AsyncMemories.define)
    why = blocking(AsyncMemories.why)
    changes = blocking(AsyncMemories.changes)
    flaws = blocking(AsyncMemories.flaws)
    clean = blocking(AsyncMemories.clean)
    waiting = blocking(AsyncMemories.waiting)
    approve = blocking(AsyncMemories.approve)
    pin = blocking(AsyncMemories.pin)
    retire = blocking(AsyncMemories.retire)
    edit = blocking(AsyncMemories.edit)
    undo = blocking(AsyncMemories.undo)
    forget = blocking(AsyncMemories.forget)
    prune = blocking(AsyncMemories.prune)
    export = blocking(AsyncMemories.export)
    import_file = blocking(AsyncMemories.import_file)
    evidence = blocking(AsyncMemories.evidence)
    roll_back = blocking(AsyncMemories.roll_back)
    rebuild = blocking(AsyncMemories.rebuild)


class Rules(Blocking[AsyncRules]):
    """`old.rules`: the rules that people state."""

    list = blocking(AsyncRules.list)
    learned = blocking(AsyncRules.learned)
    layers = blocking(AsyncRules.layers)
    add = blocking(AsyncRules.add)
    import_dbt = blocking(AsyncRules.import_dbt)
    edit = blocking(AsyncRules.edit)
    undo = blocking(AsyncRules.undo)
    remove = blocking(AsyncRules.remove)


class PromptVersions(Blocking[AsyncPrompts]):
    """`old.prompts`: versions of the prompts of language models; the built-in mind reads none."""

    list = blocking(AsyncPrompts.list)
    diff = blocking(AsyncPrompts.diff)
    test = blocking(AsyncPrompts.test)
    roll_back = blocking(AsyncPrompts.roll_back)


class People(Blocking[AsyncPeople]):
    """`old.people`: who owns the assistant, who its experts are, and whom it shall forget."""

    get = blocking(AsyncPeople.get)
    name = blocking(AsyncPeople.name)
    erase = blocking(AsyncPeople.erase)


class SavedQuestions(Blocking[AsyncSaved]):
    """`old.saved`: questions under a name, asked again as they were read, also by themselves."""

    add = blocking(AsyncSaved.add)
    list = blocking(AsyncSaved.list)
    get = blocking(AsyncSaved.get)
    answers = blocking(AsyncSaved.answers)
    run = blocking(AsyncSaved.run)
    change = blocking(AsyncSaved.change)
    remove = blocking(AsyncSaved.remove)
    schedule = blocking(AsyncSaved.schedule)
    secret = blocking(AsyncSaved.secret)
    deliveries = blocking(AsyncSaved.deliveries)
    share = blocking(AsyncSaved.share)
    unshare = blocking(AsyncSaved.unshare)
    shared = blocking(AsyncSaved.shared)
    due = blocking(AsyncSaved.due)


class Boards(Blocking[AsyncBoards]):
    """`old.boards`: saved questions side by side, in an order."""

    list = blocking(AsyncBoards.list)
    get = blocking(AsyncBoards.get)
    put = blocking(AsyncBoards.put)
    run = blocking(AsyncBoards.run)
    remove = blocking(AsyncBoards.remove)


class SyncSettings(Blocking[AsyncSettings]):
    """`old.settings`: how the assistant is set."""

    get = blocking(AsyncSettings.get)
    change = blocking(AsyncSettings.change)


class SyncAccess(Blocking[AsyncAccess]):
    """`old.access`: accounts, roles and credentials of those who come over the network."""

    clones = blocking(AsyncAccess.clones)
    add_clone = blocking(AsyncAccess.add_clone)
    accounts = blocking(AsyncAccess.accounts)
    add_account = blocking(AsyncAccess.add_account)
    close_account = blocking(AsyncAccess.close_account)
    members = blocking(AsyncAccess.members)
    let_in = blocking(AsyncAccess.let_in)
    shut_out = blocking(AsyncAccess.shut_out)
    role_of = blocking(AsyncAccess.role_of)
    invite = blocking(AsyncAccess.invite)
    issue_key = blocking(AsyncAccess.issue_key)
    share = blocking(AsyncAccess.share)
    keys = blocking(AsyncAccess.keys)
    revoke = blocking(AsyncAccess.revoke)
    audit = blocking(AsyncAccess.audit)


class Oldhand(Blocking[AsyncOldhand]):
    """An assistant in a home folder, for ordinary code; see `AsyncOldhand` for the arguments.

    >>> import sqlite3, tempfile
    >>> folder = tempfile.mkdtemp()
    >>> shop = sqlite3.connect(f"{folder}/shop.db")
    >>> _ = shop.executescript('''
    ...     CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT, city TEXT);
    ...     INSERT INTO customers (name, city) VALUES ('Ana', 'Berlin'), ('Bo', 'Oslo'), ('Cy', 'Berlin');
    ... ''')
    >>> shop.close()
    >>> with Oldhand(f"{folder}/home") as old:
    ...     _ = old.databases.add(f"sqlite:///{folder}/shop.db", name="shop")
    ...     answer = old.ask("How many customers live in Berlin?", databases=["shop"])
    ...     receipt = old.feedback(answer.episode_id, rating=+1)
    >>> answer.rows, answer.steps[0].database, answer.steps[0].attempts
    (((2,),), 'shop', 1)
    >>> receipt.source.value, receipt.learned[0].payload.question
    ('owner', 'How many customers live in Berlin?')
    """

    @made_as(AsyncOldhand)
    def __init__(self, wrapped: AsyncOldhand) -> None:
        self._wrap(wrapped)

    def _wrap(self, wrapped: AsyncOldhand) -> None:
        super().__init__(FaceLoop(), wrapped)
        self.databases: Catalog = wrapped.databases
        self.documents = Documents(self._served, wrapped.documents)
        self.episodes = Episodes(self._served, wrapped.episodes)
        self.memories = Memories(self._served, wrapped.memories)
        self.rules = Rules(self._served, wrapped.rules)
        self.prompts = PromptVersions(self._served, wrapped.prompts)
        self.people = People(self._served, wrapped.people)
        self.experts = Experts(self._served, wrapped.experts)
        self.saved = SavedQuestions(self._served, wrapped.saved)
        self.boards = Boards(self._served, wrapped.boards)
        self.access = SyncAccess(self._served, wrapped.access)
        self.settings = SyncSettings(self._served, wrapped.settings)

    def __repr__(self) -> str:
        return f"Oldhand({str(self.path)!r})"

    @property
    def path(self) -> Path:
        """The home folder."""
        return self._async.path

    ask = blocking(AsyncOldhand.ask)
    route = blocking(AsyncOldhand.route)
    rehearse = blocking(AsyncOldhand.rehearse)
    reply_with_tools = blocking(AsyncOldhand.reply_with_tools)
    feedback = blocking(AsyncOldhand.feedback)
    recall = blocking(AsyncOldhand.recall)
    record = blocking(AsyncOldhand.record)
    learn = blocking(AsyncOldhand.learn)
    routes = blocking(AsyncOldhand.routes)
    usage = blocking(AsyncOldhand.usage)
    activity = blocking(AsyncOldhand.activity)
    feedback_totals = blocking(AsyncOldhand.feedback_totals)
    issues = blocking(AsyncOldhand.issues)
    progress = blocking(AsyncOldhand.progress)

    def close(self) -> None:
        """Close databases, store and event loop; safe to call twice."""
        self._served.stop(self._async.close)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
