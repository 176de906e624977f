"""What the demo company has written down."""

import pytest

from oldhand.demo.company import make_company
from oldhand.demo.papers import document_questions, make_papers


@pytest.mark.parametrize("seed", [1, 7])
def test_the_papers_hold_what_is_asked_of_them(seed, tmp_path):
    company = make_company(seed)
    papers = make_papers(company)
    assert papers == make_papers(make_company(seed))
    everything = "\n".join(papers.texts.values())
    questions = document_questions(company)
    assert len(questions) == 5
    assert all(one.expected.says in everything for one in questions)
    paths = papers.write(tmp_path / "papers")
    assert [path.read_text("utf-8") for path in paths] == list(papers.texts.values())
