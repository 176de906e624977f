"""What questions are after, and how hard they are."""

import pytest

from oldhand.record.situation import complexity_of, intent_of, situation_of

QUESTIONS = {
    "calculation": "What's 2 + 2?|What is 15% of 80?|calculate 3 * (4 + 5)|2+2|What is the square root of 16?|How much is 12 divided by 4?",
    "explanation": "Why did revenue fall in March?|Explain the difference between net and gross revenue|How come there are fewer orders?|What is the reason for returns?|What caused the drop in sales?|How does the discount work?|How do I compute the margin?",
    "definition": "What is churn?|What is a top tier customer?|What does 'net revenue' mean?|Define active customer|Definition of churn rate|What is the meaning of status 3?|What's an order item?",
    "comparison": "Compare sales in Berlin and Rome|Berlin vs Rome revenue|Do we sell more in 2024 than in 2023?|Which customers spend more than the average?|Is revenue higher than last year?|What is the difference between online and store sales?",
    "trend": "Revenue over time|Orders per month|Revenue by quarter|Sales month by month|monthly revenue in 2024|Growth of customers",
    "ranking": "Who are the top 5 customers?|Which product sells best?|Which city has the most customers?|What is the highest order total?|Customer with the lowest spend",
    "aggregation": "How many customers are there?|How much did Ana spend?|What is the total revenue?|Average order value|Number of orders in Berlin|What is the share of cancelled orders?|Count the products|Which orders have a total of more than 100?",
    "listing": "List all customers|Show me the orders of Ana|Which customers live in Berlin?|Give me the names of all products|Find customers without orders|What are the product categories of Acme?",
    "lookup": "Who ordered product 7?|When did Ana order last?|Where does Bo live?|What is the email of Ana?|Whose order is 17?",
    "other": "Hello there|asdf qwer||🦦|\x00",
}  # fmt: skip


def test_sixty_questions_are_there() -> None:
    assert sum(len(said.split("|")) for said in QUESTIONS.values()) >= 60


@pytest.mark.parametrize(
    ("intent", "question"),
    [(intent, question) for intent, said in QUESTIONS.items() for question in said.split("|")],
)
def test_a_question_is_after_something(intent: str, question: str) -> None:
    assert intent_of(question) == intent
    assert intent_of(f"  {question.upper()} ") == intent


def test_questions_that_ask_for_more_are_harder() -> None:
    harder = (
        "2+2",
        "Which customers live in Berlin?",
        "How many customers live in Berlin?",
        "How many customers live in each city?",
        "How many customers live in each city, compared with last year?",
        "Which share of customers in each city spent more than the average last year but never in 2020?",
    )
    found = [complexity_of(question) for question in harder]
    assert found == sorted(set(found))
    assert found[0] < 0.1
    assert found[-1] > 0.5


@pytest.mark.parametrize(
    "question", ["", "x " * 50_000, "than average " * 500, "?" * 10_000, "\ud800"]
)
def test_any_text_has_an_intent_and_a_complexity(question: str) -> None:
    found = situation_of(question, tools=["python"], databases=["shop"])
    assert 0 <= found.complexity <= 1
    assert (found.tools, found.databases) == ({"python"}, {"shop"})
