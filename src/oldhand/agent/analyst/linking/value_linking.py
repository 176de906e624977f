"""Finds the values of the databases that the words of a question are."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from oldhand.agent.analyst.linking.country_codes import may_be, wider_first
from oldhand.agent.analyst.linking.value_signs import (
    as_written,
    joined_forms,
    signs_of,
    weight,
    written_forms,
)
from oldhand.agent.analyst.words.links import (
    DateMention,
    Mention,
    NumberMention,
    Span,
    ValueMention,
    ValueOption,
    bits,
    spans,
)
from oldhand.agent.analyst.words.vocabulary import Vocabulary
from oldhand.lexicon.entries import words
from oldhand.lexicon.frequencies import is_english
from oldhand.lexicon.tokens import STOP_WORDS, Token, quoted_spans
from oldhand.lexicon.wordlists import word_lists
from oldhand.sources.databases.values import ValueMatch, Values

LONGEST = 7
"""Words of a value at most."""
_COMPARING = words("comparing.before_numbers")
_NEVER = words("asking.no_values")
_PART_NAMED = 0.45
"""How surely a column must be named for a letter behind it to be its value."""
_IS = words("comparing.equal")


def link_values(
    question: str,
    tokens: Sequence[Token],
    vocabulary: Vocabulary,
    values: Values,
    taken: tuple[Sequence[Mention], Sequence[Mention], Sequence[DateMention]],
    amounts: Sequence[NumberMention] = (),
) -> tuple[ValueMention, ...]:
    """The mentions of values, longest first where they overlap.

    Args:
        question: as it was asked.
        tokens: its words.
        vocabulary: the columns.
        values: the index of values.
        taken: mentions of tables, of columns and of times, against which values compete.
        amounts: numbers with their units; no part of one is a value.
    """
    finder = _Finder(question, tokens, vocabulary, values)
    named = _named(taken[0], taken[1])
    found = finder.quoted() + finder.exact(named, {m.span.start for m in taken[0]})
    dates = taken[2]
    found = [m for m in found if m.quoted or not any(d.span.overlaps(m.span) for d in dates)]
    found = [
        m
        for m in found
        if m.quoted or not any(a.said.holds(m.span) and m.span != a.said for a in amounts)
    ]
    kept: list[ValueMention] = []
    for mention in sorted(found, key=weight, reverse=True):
        if not any(other.span.overlaps(mention.span) for other in kept):
            kept.append(mention)
    sure = (m for m in (*taken[0], *taken[1]) if m.best.score > 0.65)
    said = bits(amount.said.mask for amount in amounts)
    kept += finder.leftovers(spans((*kept, *dates, *sure)) | said)
    return tuple(sorted(kept, key=lambda mention: mention.span.start))


def _named(tables: Sequence[Mention], columns: Sequence[Mention]) -> dict[int, float]:
    """For each token, how surely it is a word of the schema."""
    sure: dict[int, float] = defaultdict(float)
    for mention in (*tables, *columns):
        for position in range(mention.span.start, mention.span.end):
            sure[position] = max(sure[position], mention.best.score)
    return sure


class _Finder:
    def __init__(
        self, question: str, tokens: Sequence[Token], vocabulary: Vocabulary, values: Values
    ) -> None:
        self._question = question
        self._tokens = tokens
        self._vocabulary = vocabulary
        self._values = values

    def quoted(self) -> list[ValueMention]:
        """What stands in quotation marks is a value, whether it is found or not."""
        found: list[ValueMention] = []
        marked = quoted_spans(self._question)
        for start, end in (*marked, *self._named_spans()):
            inside = [i for i, t in enumerate(self._tokens) if start <= t.start and t.end <= end]
            text = self._question[start:end].strip()
            if not inside or not text:
                continue
            matches = self._values.exact([text])
            if not matches and (named := self._full_name(inside)):
                found.extend(named)
                continue
            if (start, end) in marked:
                matches = matches or self._misspelt(text)
            span = Span(inside[0], inside[-1] + 1)
            found.append(ValueMention(span, text, True, self._options(matches, 1.0)))
        return found

    def _named_spans(self) -> Iterator[tuple[int, int]]:
        """Where the names stand in `a customer named Ann Lee`: somebody else's won't do."""
        for place, token in enumerate(self._tokens[:-1]):
            if token.lower not in ("named", "called") or self._tokens[place + 1].quoted:
                continue
            end = place + 1
            while end < len(self._tokens) and self._goes_on(end):
                end += 1
            if end > place + 1:
                yield self._tokens[place + 1].start, self._tokens[end - 1].end

    def _goes_on(self, place: int) -> bool:
        """True for a word of a name: one with a capital letter, or a number right behind it."""
        token = self._tokens[place]
        close = token.start == self._tokens[place - 1].end
        return token.text[0].isupper() or (token.is_word and close)

    def _full_name(self, inside: list[int]) -> list[ValueMention]:
        """`'Ada Park'` where the first name and the last one have columns of their own."""
        if len(inside) != 2:
            return []
        found: list[ValueMention] = []
        for position in inside:
            text = self._tokens[position].text
            options = self._options(self._values.exact([text]), 0.95)
            options = tuple(o for o in options if self._vocabulary.columns[o.column].name_like)
            found.append(ValueMention(Span(position, position + 1), text, True, options))
        first, last = ({self._vocabulary.columns[o.column].table for o in m.options} for m in found)
        return found if first & last else []

    def exact(self, named: dict[int, float], things: set[int]) -> list[ValueMention]:
        """Runs of words that are a value as they stand, or in the singular."""
        phrases = self._phrases()
        matches: dict[str, list[ValueMatch]] = defaultdict(list)
        for match in self._values.exact(list(phrases)):
            matches[match.phrase].append(match)
        found: list[ValueMention] = []
        for phrase, hits in matches.items():
            for span, factor in phrases[phrase]:
                if self._is_article(span, hits, named):
                    continue
                trust = factor * self._trust(span, named, things)
                options = self._options(hits, trust, self._written(span))
                columns, said = self._vocabulary.columns, self._text(span)
                options = tuple(o for o in options if may_be(columns[o.column], phrase, said))
                if self._says_little(span):
                    options = tuple(o for o in options if not columns[o.column].name_like)
                if options:
                    found.append(ValueMention(span, said, False, options))
        return found

    def leftovers(self, busy: int) -> list[ValueMention]:
        """Words that are nothing else yet: parts of longer values, or misspelt ones."""
        found, columns = list[ValueMention](), self._vocabulary.columns
        for span in self._runs(busy):
            text = self._text(span)
            matches = self._values.containing(text, 12)
            options = self._options(matches or self._misspelt(text), 0.8)
            if not matches and text.islower() and is_english(text):  # who `owes` is no Owens
                options = tuple(o for o in options if not columns[o.column].name_like)
            if options:
                found.append(ValueMention(span, text, False, options))
        return found

    def _misspelt(self, text: str) -> Sequence[ValueMatch]:
        """The one value that is written nearly like `text`; nothing where several people may be meant."""
        found = self._values.similar(text)
        best = [match for match in found if match.score == max(m.score for m in found)]
        return best if len({match.value.casefold() for match in best}) == 1 else ()

    def _phrases(self) -> dict[str, list[tuple[Span, float]]]:
        phrases: dict[str, list[tuple[Span, float]]] = defaultdict(list)
        count = len(self._tokens)
        for start in range(count):
            token = self._tokens[start]
            sign = token.lower in ("<", ">") and start + 1 < count
            if not (token.is_word or (sign and self._tokens[start + 1].start == token.end)):
                continue
            for end in range(start + 1, min(start + LONGEST, count) + 1):
                last = self._tokens[end - 1]
                if last.lower in "?;" or last.quoted != self._tokens[start].quoted:
                    break
                if end == start + 1 and self._is_compared(start):
                    continue
                plain = end == start + 1 and last.lower in _NEVER and len(last.lower) > 1
                if not last.is_word or (plain and not self._is_short_form(start)):
                    continue
                span = Span(start, end)
                for form, factor in self._forms(span):
                    phrases[form].append((span, factor))
        return phrases

    def _is_article(
        self, span: Span, matches: Sequence[ValueMatch], named: dict[int, float]
    ) -> bool:
        """True for an `a` that is no value: one without signs that a value has, and not behind the name of a column."""
        place = span.start
        token = self._tokens[place]
        if span.end > place + 1 or token.quoted or token.lower not in _NEVER or len(token.text) > 1:
            return False
        written = self._written(span)
        if signs_of(written[0]):
            return not as_written(written, matches)
        if token.start and not self._question[token.start - 1].isspace():
            return self._question[token.start - 2 : token.end + 1] != f" ({token.text})"  # `it's`
        before = place - 1 - (place > 1 and self._tokens[place - 1].lower in _IS)
        after = self._tokens[place + 1 : place + 2]
        ends = not after or not after[0].is_word or after[0].lower in STOP_WORDS
        return not (named.get(before, 0.0) >= _PART_NAMED and (token.text.isupper() or ends))

    def _written(self, span: Span) -> tuple[str, ...]:
        """The words of a span with the signs that touch them."""
        start, end = self._tokens[span.start].start, self._tokens[span.end - 1].end
        return written_forms(self._question, start, end)

    def _is_short_form(self, position: int) -> bool:
        """True for the `IT` of `the IT department`, which is no pronoun."""
        large = [token for token in self._tokens if token.text.isupper() and token.text.isalpha()]
        token = self._tokens[position]
        return token in large and len(token.text) > 1 and 2 * len(large) < len(self._tokens)

    def _says_little(self, span: Span) -> bool:
        """True for general words such as `come`: they mean no song, though one is called so."""
        token = self._tokens[span.start]
        plain = span.end == span.start + 1 and not token.quoted and token.text.islower()
        return plain and word_lists().is_filler(token.lower)

    def _is_compared(self, position: int) -> bool:
        """True for the number in `more than 40`: it is no value, though a song may be called so."""
        token = self._tokens[position]
        before = self._tokens[position - 1].lower if position else ""
        compared = before in _COMPARING or before.startswith(("<", ">", "≤", "≥"))
        return token.number is not None and not token.quoted and compared

    def _forms(self, span: Span) -> list[tuple[str, float]]:
        text = self._text(span)
        forms = [(text, 1.0)]
        if text.endswith("ies"):
            forms.append((text[:-3] + "y", 0.9))
        elif text.endswith("s") and len(text) > 3:
            forms.append((text[:-1], 0.9))
        elif text[-1:].isalpha() and len(text) > 2:
            forms.append((f"{text}s", 0.85))
        forms.extend(joined_forms(self._tokens[span.start : span.end], text))
        if span.end == span.start + 1:
            codes = word_lists().written(text.lower())
            forms.extend((code, 0.85) for code in codes)
        return forms

    def _trust(self, span: Span, named: dict[int, float], things: set[int]) -> float:
        """Words that also name a column or table are less surely a value."""
        words = self._tokens[span.start : span.end]
        if any(token.text[0].isupper() for token in words) and span.start > 0:
            return 1.0
        if all(token.number is not None for token in words):
            return 0.6
        if span.end in things and span.start not in things:
            return 0.95  # `open tickets`
        doubt = min(named.get(i, 0.0) for i in range(span.start, span.end))
        return 1.0 - 0.6 * doubt

    def _runs(self, busy: int) -> list[Span]:
        runs: list[Span] = []
        for i, token in enumerate(self._tokens):
            free = not busy >> i & 1 and token.is_word and token.number is None
            if not free or token.lower in _NEVER or len(token.lower) < 3:
                continue
            capital = token.text[0].isupper() and i > 0
            asked = i > 0 and self._tokens[i - 1].lower == "how"  # `how old`
            if not capital and (asked or self._vocabulary.hits(token.stem)):
                continue
            if self._says_little(Span(i, i + 1)):
                continue
            goes_on = capital and self._tokens[i - 1].text[0].isupper()
            if runs and runs[-1].end == i and goes_on:
                runs[-1] = Span(runs[-1].start, i + 1)
            else:
                runs.append(Span(i, i + 1))
        return runs

    def _options(
        self, matches: Sequence[ValueMatch], factor: float, written: Sequence[str] = ()
    ) -> tuple[ValueOption, ...]:
        by_column: dict[int, list[ValueMatch]] = defaultdict(list)
        for match in matches:
            key = (match.database, match.schema_name, match.table, match.column)
            column = self._vocabulary.column_ids.get(key)
            if column is not None:
                by_column[column].append(match)
        if written:
            by_column = {key: as_written(written, hits) for key, hits in by_column.items()}
        options = [
            ValueOption(
                column,
                tuple(dict.fromkeys(m.value for m in sorted(hits, key=lambda m: -m.score)))[:5],
                factor * max(match.score for match in hits),
            )
            for column, hits in by_column.items()
            if hits
        ]
        wider = wider_first(options, self._vocabulary.columns)
        return tuple(sorted(wider, key=lambda option: (-option.score, option.column)))

    def _text(self, span: Span) -> str:
        return self._question[self._tokens[span.start].start : self._tokens[span.end - 1].end]
