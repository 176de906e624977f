"""Follow-up questions: `and in Hamburg?`, `only the first three`, `how many of them are from Berlin?`.

A follow-up leaves out what was said before. It changes the query before, by rule; when no rule fits, its words are
put into the question before; when that can't be read either, it is asked back what was meant.
"""

import re
from collections.abc import Callable, Sequence

from rapidfuzz.fuzz import ratio

from oldhand.agent.analysis.mind import EarlierTurn
from oldhand.agent.analyst.conversation import editing
from oldhand.agent.analyst.conversation.of_groups import extreme_groups
from oldhand.agent.analyst.conversation.scene import Scene
from oldhand.agent.analyst.conversation.widening import also_those
from oldhand.agent.analyst.linking.unknown import is_general
from oldhand.agent.analyst.reaching import joined
from oldhand.agent.analyst.replies import bare_reply
from oldhand.lexicon.entries import meanings, words
from oldhand.lexicon.splitting import split_name
from oldhand.lexicon.tokens import NUMBER_WORDS, Token, stem, tokenise
from oldhand.lexicon.wording import human, is_past_form, plural, singular
from oldhand.query.form import Query
from oldhand.record.answer import ASKING_BACK, Outcome
from oldhand.record.schema import DatabaseSchema

_NUMBER = r"(?P<n>\d+|" + "|".join(NUMBER_WORDS) + ")"
_OPENING = re.compile(
    r"^(ok(ay)?|so|now|and now|well|then|please|thanks|great|hm+)[\s,]+", re.IGNORECASE
)
_FRAGMENT = re.compile(
    r"^(and( also)?( what about| how about)?|what about|how about|same( question)?( for| but)?|but)\b[\s,]*(?P<rest>.+)$"
)
_BARE = re.compile(
    r"^(?P<rest>(?!for (each|every|all)\b)(in|on|at|for|to|during|since|before|after|from|between|until|within|without|with|not|except|over|under|above|below)\b.+)$"
)
"""A condition alone: `in 2023`, `without the cancelled ones`."""
_WHOLE_ONE = re.compile(
    rf"\b({'|'.join(words('verbs.auxiliary') | words('asking.commands'))}|how|what|which|who|where|when|list|show|count|number|total)\b|,"
)
_THEM = r"(them|they|those|these|it|the (list|result|results|rows|ones))"
_REFERRING = re.compile(
    rf"\b(of|from|about|among) (them|those|these|it)\b|^(which|what) ones\b|\b(sort|order|list|show|name|group|count|limit) {_THEM}\b"
    rf"|\b(are|were|do|did|have|is|was) (they|those|these|them)\b|^(who|what|which) (are|were) (they|those|these)\b|^(and )?their\b"
    rf"|^(what|where) (are|is) (their|its)\b|^(show|list|give)( me)? (their|its)\b"
)
_WAY = r"(in )?(desc|asc)\w*( order)?|(the )?(\w+est|(most|least|best|worst)( \w+)?|high|low|large|small|new|old) first|(from )?(the )?(\w+est|most|least|fewest|high|low|large|small|new|old|cheap|expensive) to (the )?(most |least )?\w+"
"""Which end of an order comes first."""
_SUPERLATIVE = rf"^(and |only |just |show me |give me |which is |what is )*(the )?((?P<est>\w+est)|(?P<degree>most|least) (?P<adjective>\w+))( ones?| of {_THEM})?$"
_THE_MOST = rf"^(and )?((which|who|what)( ones?)?|the ones?)( of {_THEM})?( (is|are|has|have|had|was|were|with))+ (?P<what>the (most|least|fewest|\w+est) \w.*)$"
_OF_GROUPS = rf"^(and )?((which|who|what)( ones?)?|the ones?)( of {_THEM})?( (is|are|has|have|had|was|were|with))* the (?P<degree>most|least|fewest|\w+est)( ones?)?$"
_WHOLE = re.compile(
    rf"^((show|give)( me)? )?(only |just )?(the )?(first|top|last) {_NUMBER}( ones| rows| of {_THEM})?( only)?$"
    rf"|^(only|just|also|plus) .+|.+ (too|as well)$|^(in )?reverse( the order)?$|^how many( are (there|they|those)| is that| in total)?$"
    rf"|^(sorted|sort|order|ordered|rank) by .+|^(sort|order|rank)( {_THEM})?,? ({_WAY})$|^limit .*\d+$|^(by|per|for each|grouped by|broken down by) [\w ]+$|^which( ones)?$|^why$|{_SUPERLATIVE}|{_OF_GROUPS.replace('?P<degree>', '')}"
)


_BACK = r"\b(them|those|these|which ones|their)\b"
_BEFORE_ONE = "|".join(words("places.prepositions") | words("verbs.auxiliary"))
_RELATIVE = "who|whose|whom|that|which|with|without|where|having"
_POINTING = re.compile(
    rf"(?:\b(?:those|these)|(?P<one>(?:^|\b(?:{_BEFORE_ONE}) )(?:that|this))) (?!(?:{_RELATIVE}|on|from|of|in|are|were|have)\b)(?P<thing>\w+)\b(?! (?:{_RELATIVE})\b)"
    r"|^(?:\w+ ){1,4}(?:do|did|have|had|are|were|can) they\b|\b(?!are|is|were|was)\w+ there$|^(?P<before>.*?)\btheir\b"
)
_CLAUSES = words("function_words.clauses")
_THERE = r"(?<!\bis )(?<!\bare )(?<!\bwas )(?<!\bwere )(?<!\bbeen )\bthere\b(?! (?:is|are|was|were|has|have|exists?|any|an?|no)\b)"
"""A place that was spoken of: no `are there`."""
_PERSON = re.compile(
    rf"^(?P<before>.*?)(?:\b(?:them|he|she|him|its|his|her|hers|it(?! (?:takes?|took|is|was|possible|true)\b))\b|{_THERE})"
)
"""What stands for somebody or something that was named before."""


def is_follow_up(question: str, schemas: Sequence[DatabaseSchema]) -> bool:
    """True when a question can't stand alone: it opens like an addition, or refers to what it doesn't name.

    >>> [is_follow_up(q, ()) for q in ("and in Hamburg?", "Which ones?", "Only the first three", "How many cities are there?")]
    [True, True, True, False]
    """
    words = _stripped(question)
    if _FRAGMENT.match(words) or _WHOLE.match(words) or _is_condition(words):
        return True
    return bool(_REFERRING.search(words)) and (
        " of them" in words or not _names_table(words, schemas)
    )


def _is_condition(words: str) -> bool:
    return bool(_BARE.match(words)) and not _WHOLE_ONE.search(words)


def refers_back(question: str, schemas: Sequence[DatabaseSchema]) -> bool:
    """True when a question speaks of the rows before, so that it must not be answered without them.

    >>> refers_back("How many of them were paid?", ()), refers_back("And the orders?", ())
    (True, False)
    """
    words = _stripped(question)
    return bool(re.search(_BACK, words)) or points_back(words, schemas)


def points_back(question: str, schemas: Sequence[DatabaseSchema]) -> bool:
    """True when a whole question points at things that it doesn't tell itself: `those customers`, `that country`, `their orders`.

    >>> [points_back(q, ()) for q in ("How many orders did those customers place?", "Which are those customers who paid?")]
    [True, False]
    >>> [points_back(q, ()) for q in ("What did the rooms there cost?", "Are there rooms?", "Who hired them?", "Who hired Ann and her dog?")]
    [True, False, True, False]
    """
    words = _stripped(question)
    if (found := _PERSON.match(words)) and not _names_owner(found["before"], question, schemas):
        return True
    for found in _POINTING.finditer(words):
        before, thing = words[: found.start()] + (found["before"] or ""), found["thing"]
        said = tokenise(before)
        if not thing and (
            found["before"] is None or not any(_may_own(one, schemas) for one in said)
        ):
            return True
        new = thing and stem(thing) not in {token.stem for token in said}
        if new and (not found["one"] or _is_name(stem(thing), schemas)):
            return True
    return False


def _names_owner(before: str, question: str, schemas: Sequence[DatabaseSchema]) -> bool:
    """True when the words before `them` or `there` name whom they mean: things, or somebody or some place by a name."""
    said = tokenise(question)[: len(tokenise(before))]
    named = any(token.text[0].isupper() or token.quoted for token in said[1:] if token.is_word)
    things = {stem(part) for one in schemas for t in one.tables for part in split_name(t.name)}
    apart = any(t.lower in _CLAUSES or t.lower == "," for t in said[1:])
    return named or (apart and any(t.stem in things for t in said if not is_past_form(t.lower)))


def _may_own(token: Token, schemas: Sequence[DatabaseSchema]) -> bool:
    """True when `their` can mean it: a thing, and no `amount` or `price` of one."""
    parts = {
        stem(part)
        for one in schemas
        for t in one.tables
        for c in t.columns
        for part in split_name(c.name)
    }
    plain = is_general(token) or token.lower in meanings("grouping.aggregates")
    return not plain and (token.lower.endswith("s") or token.stem not in parts)


def _is_name(thing: str, schemas: Sequence[DatabaseSchema]) -> bool:
    """True when a table or column is called so."""
    named = (
        name
        for schema in schemas
        for table in schema.tables
        for name in (table.name, *(c.name for c in table.columns))
    )
    return any({stem(part) for part in split_name(name)} == {thing} for name in named)


def _stripped(question: str) -> str:
    words = " ".join(question.casefold().replace("\u2019", "'").split()).rstrip("?.! ")
    while shorter := _OPENING.sub("", words):
        if shorter == words:
            break
        words = shorter
    return words


def _names_table(words: str, schemas: Sequence[DatabaseSchema]) -> bool:
    said = {token.stem for token in tokenise(words)}
    names = (table.name for schema in schemas for table in schema.tables)
    return any({stem(part) for part in split_name(name)} <= said for name in names)


def changed_query(question: str, scene: Scene) -> Query | None:
    """The query before, changed as the follow-up `question` asks; None when no rule fits."""
    words = _stripped(question)
    if re.search(r"\b(he|she|him)\b", words):
        return None  # nobody knows who of the rows before that is
    for pattern, change in _RULES:
        if found := re.search(pattern, words):  # compiled when it is first looked for
            said = found.groupdict(default="")
            if "rest" in said:
                said["rest"] = _original(question, said["rest"])
            query = change(scene, **said)
            whole = joined(query, scene.schemas) if query is not None else None
            if whole is not None or change is editing.asked_there:
                return whole  # no other rule knows what `there` means
    return None


def _original(question: str, rest: str) -> str:
    """`rest` in the letters in which it was written, since names have capitals."""
    flat = " ".join(question.replace("\u2019", "'").split())
    at = flat.casefold().rfind(rest)
    return flat[at : at + len(rest)] if rest and at >= 0 else rest


_RULES: tuple[tuple[str, Callable[..., Query | None]], ...] = (
    (rf"^(.*\b)?(?P<which>first|top|last) {_NUMBER}( ones| rows| of {_THEM})?( only)?$", editing.first_rows),
    (rf"^limit (?P<which>\w*) ?to {_NUMBER}$", editing.first_rows),
    (r"^(?P<words>.*(\balphabetical(ly)?\b|\bby the alphabet\b).*)$", editing.alphabetical),
    (rf"\b(sort|order|rank|sorted|ordered)\b.*? by (the |their )?(?P<by>[\w ]+?)(,? ?(?P<way>{_WAY}))?$", editing.ordered_by),
    (rf"^(and |now |please )*(sort|order|rank)(ed)?( {_THEM})?,? ?(?P<way>{_WAY})$", editing.ordered_by),
    (r"^(in )?reverse( the order)?$", editing.reversed_rows),
    (_OF_GROUPS, extreme_groups),
    (_SUPERLATIVE, editing.superlative),
    (_THE_MOST, editing.superlative),
    (r"^(?P<rest>(and )?how many (?!of\b).+ (do|does|did|have|has|had|are|were) (they|those|these)\b.*)$", editing.asked_of_them),
    (rf"^(and |just |now )*count {_THEM}( all| up)?(?P<rest>)$", editing.counted),
    (rf"^(?P<rest>.*{_THERE}.*)$", editing.asked_there),
    (r"^(and )?how many( of (them|those|these|it))?( (are|is|were)( (there|they|that|those))?)?\b(?P<rest>.*)$", editing.counted),
    (r"^(?P<rest>.*\b(those|these) \w+.*)$", editing.asked_of_them),
    (r"^(and )?(which|who|what)( of (them|those|these))( (are|is|were|have|come|live))?\b(?P<rest>.+)$", editing.restricted),
    (r"^(and )?(only|just)( show)?( me)?( (those|the ones|the|them|these))?\b(?P<rest>.+)$", editing.restricted),
    (r"^(and )?(which( ones)?|who are (they|those|these)|what are (they|those)|(list|show|name)( me)? (them|those|these|it)( all)?)$", editing.showing),
    (r"^(and |what are |what is |show( me)? |list |give( me)? |with )*(?P<what>(their|its|his|her) .+)$", editing.showing),
    (rf"^(and |what is |what about |how about |what's )*(the |their )?(?P<word>{editing.AGGREGATE_WORDS})\b( of)?( (the|their|its))?(?P<what>( \w+)*)$", editing.aggregated),
    (r"^(and |what about |how about |now )*(by|per|for each|grouped by|broken down by|group (them|it|those|these) by) (the |their )?(?P<by>[\w ]+)$", editing.grouped_by),
    (r"^(and )?(also|plus|as well as)\b( those| the ones)?[\s,]*(?P<rest>.+)$", also_those),
    (r"^(and |what about |how about )*(?P<rest>.+?),? (too|as well)$", also_those),
    (_FRAGMENT.pattern, editing.restricted_instead),
    (_BARE.pattern, editing.restricted_instead),
    (r"^(?P<rest>.*\b(their|they|them|it)\b.*)$", editing.asked_of_them),
    (rf"^(?P<rest>.*{_BACK}.*)$", editing.narrowed),
)  # fmt: skip
"""What a follow-up may look like, and what it does to the query before; named groups are arguments.

The `rest` is taken as it was written, all others in small letters.
"""


def merged_question(question: str, before: str, schemas: Sequence[DatabaseSchema]) -> str | None:
    """The question before with the thing that a fragment names in place of its own.

    >>> from oldhand.record.schema import DatabaseSchema, Table
    >>> shop = DatabaseSchema(name="shop", dialect="sqlite", tables=(
    ...     Table(name="customers", schema_name="main", columns=()),
    ...     Table(name="orders", schema_name="main", columns=())))
    >>> merged_question("What about orders?", "How many customers are there?", (shop,))
    'How many orders are there?'
    """
    found = _FRAGMENT.match(_stripped(question))
    if found is None:
        return None
    rest = re.sub(r"^(the|for|of|for the)\s+", "", _original(question, found["rest"]))
    if _names_table(rest, schemas):
        named = {human(table.name) for schema in schemas for table in schema.tables}
        forms = [form for name in named for form in (plural(name), singular(name))]
        for form in sorted(forms, key=len, reverse=True):
            pattern = re.compile(rf"\b{re.escape(form)}\b", re.IGNORECASE)
            if pattern.search(before) and not pattern.search(rest):
                return pattern.sub(rest, before, count=1)
    return f"{before.strip().rstrip('?.! ')} {rest}?"


def chosen_option(question: str, asked_back: EarlierTurn) -> str | None:
    """Which of the readings that were offered an answer to a question back means, or None.

    >>> back = EarlierTurn(question="How many?", text="Which?", outcome=Outcome.CLARIFY, options=("number of orders", "number of customers"))
    >>> chosen_option("the second one", back), chosen_option("orders", back), chosen_option("Berlin?", back)
    ('number of customers', 'number of orders', None)
    """
    options = asked_back.options
    if asked_back.outcome not in ASKING_BACK or not options:
        return None
    words = _stripped(question)
    if asked_back.outcome is Outcome.PROPOSED and bare_reply(question):
        return options[0]
    order = {"first": 0, "former": 0, "second": 1, "latter": 1, "last": -1, "third": 2}
    found = re.fullmatch(r"(the |option |number |reading )*(\w+)( one| option| reading)?", words)
    if found:
        place = order.get(found[2], NUMBER_WORDS.get(found[2], 0) - 1 if found[2] in NUMBER_WORDS else None)  # fmt: skip
        if found[2].isdigit():
            place = int(found[2]) - 1
        if place is not None and -1 <= place < len(options):
            return options[place]
    close = [option for option in options if ratio(option.casefold(), words) >= 85]
    if len(close) == 1:
        return close[0]
    said = {t.stem for t in tokenise(words) if t.is_word}
    holding = [o for o in options if said and said <= {t.stem for t in tokenise(o)}]
    return holding[0] if len(holding) == 1 else None
