"""Whatever the words: nothing breaks, and every candidate is a query that runs."""

from hypothesis import given, settings
from hypothesis import strategies as st

WORDS = """how many customers clients orders tickets stores products employees of in for each per with without
never not no the a and or both either Berlin Paris Rome 'Chairs' "Zaphod" open cancelled high 3 20 100 2023 March 2024
last year between more less than at least most fewest highest lowest oldest newest cheapest top first average total sum
maximum minimum number name names city cities country price salary quantity order date sorted by descending ascending
different distinct what which who when where list show above below average missing email contains starts with , ? .
revenue percent exclude except before after since or more job title category is are have has did they their
one two three five""".split()  # noqa: SIM905


@settings(max_examples=150)
@given(words=st.lists(st.sampled_from(WORDS), min_size=1, max_size=14))
def test_any_mix_of_words_gives_queries_that_run(company, words):
    for candidate in company.understand(" ".join(words)).candidates:
        company.rows(candidate.query)
        assert candidate.reading


@given(question=st.text(max_size=60))
def test_any_text_is_understood_or_not_but_never_breaks(company, question):
    found = company.understand(question)
    assert 0 <= found.confidence <= 1
