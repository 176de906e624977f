"""The queries by which an owner looks at the scores of passages, as they were written down."""

SEED_QUERIES = (
    """
    SELECT chunk_hash, score, hit_count
    FROM chunk_scores
    WHERE clone_id = 'default'
    ORDER BY score DESC;
    """,
    """
    SELECT chunk_hash, score, hit_count
    FROM chunk_scores
    WHERE clone_id = 'default'
    ORDER BY hit_count DESC
    LIMIT 20;
    """,
    """
    SELECT
        CASE
            WHEN score < -0.3 THEN 'very_negative'
            WHEN score < 0 THEN 'negative'
            WHEN score < 0.3 THEN 'positive'
            ELSE 'very_positive'
        END as bucket,
        COUNT(*) as count
    FROM chunk_scores
    WHERE clone_id = 'default'
    GROUP BY bucket;
    """,
)
