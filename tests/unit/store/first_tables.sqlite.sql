CREATE TABLE accounts (
    user_id TEXT NOT NULL,
    is_admin BOOLEAN NOT NULL,
    created_at DATETIME NOT NULL,
    closed_at DATETIME,
    CONSTRAINT pk_accounts PRIMARY KEY (user_id)
);

CREATE TABLE audit_log (
    seq INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    at DATETIME NOT NULL,
    actor TEXT NOT NULL,
    action TEXT NOT NULL,
    subject TEXT NOT NULL,
    clone_id TEXT,
    allowed BOOLEAN NOT NULL
);

CREATE INDEX ix_audit_log_clone_id_seq ON audit_log (clone_id, seq);

CREATE TABLE boards (
    clone_id TEXT NOT NULL,
    name TEXT NOT NULL,
    user_id TEXT NOT NULL,
    questions TEXT NOT NULL,
    created_at DATETIME NOT NULL,
    CONSTRAINT pk_boards PRIMARY KEY (clone_id, name)
);

CREATE TABLE chunk_scores (
    clone_id TEXT NOT NULL,
    chunk_hash TEXT NOT NULL,
    intent TEXT NOT NULL,
    score FLOAT NOT NULL,
    hit_count INTEGER NOT NULL,
    updated_at DATETIME NOT NULL,
    CONSTRAINT pk_chunk_scores PRIMARY KEY (clone_id, chunk_hash, intent)
)
 WITHOUT ROWID;

CREATE TABLE clones (
    id TEXT NOT NULL,
    owner TEXT NOT NULL,
    experts TEXT NOT NULL,
    created_at DATETIME NOT NULL,
    CONSTRAINT pk_clones PRIMARY KEY (id)
);

CREATE TABLE consultations (
    clone_id TEXT NOT NULL,
    id TEXT NOT NULL,
    asked_by TEXT NOT NULL,
    state TEXT NOT NULL,
    episode_id TEXT,
    asked_at DATETIME NOT NULL,
    next_at DATETIME,
    told_at DATETIME,
    document TEXT NOT NULL,
    CONSTRAINT pk_consultations PRIMARY KEY (clone_id, id)
);

CREATE INDEX ix_consultations_clone_id_asked_by_told_at ON consultations (clone_id, asked_by, told_at);

CREATE INDEX ix_consultations_clone_id_next_at ON consultations (clone_id, next_at);

CREATE TABLE credentials (
    id TEXT NOT NULL,
    kind TEXT NOT NULL,
    user_id TEXT NOT NULL,
    secret_hash TEXT NOT NULL,
    label TEXT NOT NULL,
    clone_id TEXT,
    created_at DATETIME NOT NULL,
    expires_at DATETIME,
    used_at DATETIME,
    revoked_at DATETIME,
    CONSTRAINT pk_credentials PRIMARY KEY (id)
);

CREATE INDEX ix_credentials_user_id ON credentials (user_id);

CREATE TABLE document_sources (
    clone_id TEXT NOT NULL,
    source TEXT NOT NULL,
    added_by TEXT NOT NULL,
    readers TEXT NOT NULL,
    CONSTRAINT pk_document_sources PRIMARY KEY (clone_id, source)
);

CREATE TABLE documents (
    clone_id TEXT NOT NULL,
    id TEXT NOT NULL,
    name TEXT NOT NULL,
    source TEXT NOT NULL,
    media TEXT NOT NULL,
    digest TEXT NOT NULL,
    state TEXT NOT NULL,
    note TEXT NOT NULL,
    added_by TEXT NOT NULL,
    readers TEXT NOT NULL,
    added_at DATETIME NOT NULL,
    read_at DATETIME,
    CONSTRAINT pk_documents PRIMARY KEY (clone_id, id),
    CONSTRAINT uq_documents_clone_id_source UNIQUE (clone_id, source)
);

CREATE TABLE episodes (
    seq INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    clone_id TEXT NOT NULL,
    id TEXT NOT NULL,
    user_id TEXT NOT NULL,
    session_id TEXT NOT NULL,
    created_at DATETIME NOT NULL,
    success BOOLEAN,
    question TEXT NOT NULL,
    outcome TEXT NOT NULL,
    text TEXT NOT NULL,
    model TEXT NOT NULL,
    standalone TEXT,
    "query" TEXT,
    tools_used TEXT NOT NULL,
    tags TEXT NOT NULL,
    columns TEXT NOT NULL,
    rows TEXT NOT NULL,
    options TEXT NOT NULL,
    notes TEXT NOT NULL,
    usage TEXT NOT NULL,
    lessons TEXT DEFAULT '[]' NOT NULL,
    citations TEXT DEFAULT '[]' NOT NULL,
    proposal TEXT,
    choice TEXT,
    ranking TEXT,
    addresses TEXT DEFAULT '{}' NOT NULL,
    truncated BOOLEAN NOT NULL,
    confidence FLOAT NOT NULL,
    seconds FLOAT NOT NULL,
    CONSTRAINT uq_episodes_clone_id_id UNIQUE (clone_id, id)
);

CREATE INDEX ix_episodes_clone_id_created_at ON episodes (clone_id, created_at);

CREATE INDEX ix_episodes_clone_id_seq ON episodes (clone_id, seq);

CREATE INDEX ix_episodes_clone_id_session_id_created_at ON episodes (clone_id, session_id, created_at);

CREATE INDEX ix_episodes_clone_id_user_id_created_at ON episodes (clone_id, user_id, created_at);

CREATE TABLE erasures (
    seq INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    clone_id TEXT NOT NULL,
    user_digest TEXT NOT NULL,
    began_at DATETIME NOT NULL,
    finished_at DATETIME,
    counts TEXT NOT NULL,
    marks TEXT
);

CREATE INDEX ix_erasures_clone_id_finished_at ON erasures (clone_id, finished_at);

CREATE TABLE evaluations (
    seq INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    clone_id TEXT NOT NULL,
    id TEXT NOT NULL,
    episode_id TEXT,
    evaluator_type TEXT NOT NULL,
    granularity TEXT NOT NULL,
    policy_model TEXT DEFAULT '' NOT NULL,
    task_type TEXT DEFAULT '' NOT NULL,
    question TEXT,
    error_type TEXT,
    sql_query TEXT,
    query_idx BIGINT,
    step_number INTEGER,
    score FLOAT,
    is_valid BOOLEAN,
    issues TEXT NOT NULL,
    keys TEXT DEFAULT '[]' NOT NULL,
    advice TEXT DEFAULT '[]' NOT NULL,
    details TEXT DEFAULT '{}' NOT NULL,
    created_at DATETIME NOT NULL,
    CONSTRAINT uq_evaluations_clone_id_id UNIQUE (clone_id, id)
);

CREATE INDEX ix_evaluations_clone_id_created_at ON evaluations (clone_id, created_at);

CREATE INDEX ix_evaluations_clone_id_episode_id ON evaluations (clone_id, episode_id);

CREATE INDEX ix_evaluations_clone_id_policy_model_task_type ON evaluations (clone_id, policy_model, task_type);

CREATE TABLE experts (
    clone_id TEXT NOT NULL,
    expert TEXT NOT NULL,
    document TEXT NOT NULL,
    CONSTRAINT pk_experts PRIMARY KEY (clone_id, expert)
);

CREATE TABLE identities (
    issuer TEXT NOT NULL,
    subject TEXT NOT NULL,
    user_id TEXT NOT NULL,
    linked_at DATETIME NOT NULL,
    CONSTRAINT pk_identities PRIMARY KEY (issuer, subject)
);

CREATE TABLE issue_groups (
    seq INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    clone_id TEXT NOT NULL,
    policy_model TEXT NOT NULL,
    task_type TEXT NOT NULL,
    evaluator_type TEXT NOT NULL,
    runs BIGINT NOT NULL,
    last_run TEXT,
    CONSTRAINT uq_issue_groups_clone_id_policy_model_task_type_evaluator_type UNIQUE (clone_id, policy_model, task_type, evaluator_type)
);

CREATE TABLE journal_outbox (
    seq INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    journal_id TEXT NOT NULL,
    clone_id TEXT NOT NULL,
    user_id TEXT NOT NULL,
    type TEXT NOT NULL,
    line TEXT NOT NULL
);

CREATE INDEX ix_journal_outbox_journal_id_seq ON journal_outbox (journal_id, seq);

CREATE TABLE members (
    clone_id TEXT NOT NULL,
    user_id TEXT NOT NULL,
    role TEXT NOT NULL,
    CONSTRAINT pk_members PRIMARY KEY (clone_id, user_id)
);

CREATE TABLE memories (
    seq INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    clone_id TEXT NOT NULL,
    id TEXT NOT NULL,
    version INTEGER NOT NULL,
    saved_at DATETIME NOT NULL,
    forgotten_at DATETIME,
    type TEXT NOT NULL,
    user_id TEXT NOT NULL,
    summary TEXT NOT NULL,
    created_at DATETIME NOT NULL,
    last_used_at DATETIME,
    ttl_days INTEGER,
    confidence FLOAT NOT NULL,
    tags TEXT NOT NULL,
    provenance TEXT NOT NULL,
    payload TEXT NOT NULL,
    effect TEXT,
    words TEXT NOT NULL,
    file TEXT,
    CONSTRAINT uq_memories_clone_id_id_version UNIQUE (clone_id, id, version)
);

CREATE INDEX ix_memories_clone_id_created_at ON memories (clone_id, created_at);

CREATE INDEX ix_memories_clone_id_seq ON memories (clone_id, seq);

CREATE INDEX ix_memories_clone_id_user_id_type_created_at ON memories (clone_id, user_id, type, created_at);

CREATE TABLE memory_votes (
    clone_id TEXT NOT NULL,
    memory_id TEXT NOT NULL,
    ups BIGINT NOT NULL,
    downs BIGINT NOT NULL,
    CONSTRAINT pk_memory_votes PRIMARY KEY (clone_id, memory_id)
);

CREATE TABLE passage_search_scopes (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    clone_id TEXT NOT NULL,
    user_id TEXT NOT NULL,
    type TEXT NOT NULL,
    memories BIGINT NOT NULL,
    words BIGINT NOT NULL,
    numbers BIGINT NOT NULL,
    CONSTRAINT uq_passage_search_scopes_clone_id_user_id_type UNIQUE (clone_id, user_id, type)
);

CREATE TABLE passage_vectors (
    seq INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    clone_id TEXT NOT NULL,
    model TEXT NOT NULL,
    chunk_hash TEXT NOT NULL,
    vector BLOB NOT NULL,
    CONSTRAINT uq_passage_vectors_clone_id_chunk_hash_model UNIQUE (clone_id, chunk_hash, model)
);

CREATE INDEX ix_passage_vectors_clone_id_model_seq ON passage_vectors (clone_id, model, seq);

CREATE TABLE response_style_patterns (
    clone_id TEXT NOT NULL,
    pattern_type TEXT NOT NULL,
    pattern_key TEXT NOT NULL,
    preference_score FLOAT NOT NULL,
    CONSTRAINT pk_response_style_patterns PRIMARY KEY (clone_id, pattern_type, pattern_key)
);

CREATE TABLE runs (
    clone_id TEXT NOT NULL,
    run_id TEXT NOT NULL,
    saved_at DATETIME NOT NULL,
    state TEXT NOT NULL,
    lessons TEXT NOT NULL,
    instructions TEXT DEFAULT '{}' NOT NULL,
    recalled TEXT DEFAULT '[]' NOT NULL,
    ledger TEXT NOT NULL,
    taken_up INTEGER DEFAULT 0 NOT NULL,
    user_id TEXT,
    CONSTRAINT pk_runs PRIMARY KEY (clone_id, run_id)
);

CREATE INDEX ix_runs_clone_id_saved_at ON runs (clone_id, saved_at);

CREATE TABLE saved_questions (
    clone_id TEXT NOT NULL,
    id TEXT NOT NULL,
    name TEXT NOT NULL,
    question TEXT NOT NULL,
    user_id TEXT NOT NULL,
    episode_id TEXT NOT NULL,
    readers TEXT NOT NULL,
    reading TEXT NOT NULL,
    targets TEXT NOT NULL,
    pinned BOOLEAN NOT NULL,
    schedule TEXT,
    secret TEXT,
    created_at DATETIME NOT NULL,
    due_at DATETIME,
    claimed_until DATETIME,
    tries INTEGER NOT NULL,
    CONSTRAINT pk_saved_questions PRIMARY KEY (clone_id, id),
    CONSTRAINT uq_saved_questions_clone_id_name UNIQUE (clone_id, name)
);

CREATE INDEX ix_saved_questions_due_at ON saved_questions (due_at);

CREATE TABLE search_scopes (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    clone_id TEXT NOT NULL,
    user_id TEXT NOT NULL,
    type TEXT NOT NULL,
    memories BIGINT NOT NULL,
    words BIGINT NOT NULL,
    numbers BIGINT NOT NULL,
    CONSTRAINT uq_search_scopes_clone_id_user_id_type UNIQUE (clone_id, user_id, type)
);

CREATE TABLE consultation_asks (
    clone_id TEXT NOT NULL,
    consultation_id TEXT NOT NULL,
    expert TEXT NOT NULL,
    state TEXT NOT NULL,
    asked_at DATETIME NOT NULL,
    CONSTRAINT pk_consultation_asks PRIMARY KEY (clone_id, consultation_id, expert),
    CONSTRAINT fk_consultation_asks_consultations FOREIGN KEY(clone_id, consultation_id) REFERENCES consultations (clone_id, id) ON DELETE CASCADE
);

CREATE INDEX ix_consultation_asks_clone_id_expert_state ON consultation_asks (clone_id, expert, state);

CREATE TABLE consultation_events (
    seq INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    clone_id TEXT NOT NULL,
    consultation_id TEXT NOT NULL,
    actor TEXT NOT NULL,
    what TEXT NOT NULL,
    detail TEXT NOT NULL,
    message_id TEXT NOT NULL,
    at DATETIME NOT NULL,
    expert TEXT,
    CONSTRAINT fk_consultation_events_consultations FOREIGN KEY(clone_id, consultation_id) REFERENCES consultations (clone_id, id) ON DELETE CASCADE
);

CREATE INDEX ix_consultation_events_clone_id_consultation_id_message_id ON consultation_events (clone_id, consultation_id, message_id);

CREATE TABLE credit_events (
    seq INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    clone_id TEXT NOT NULL,
    feedback_id TEXT NOT NULL,
    episode_id TEXT NOT NULL,
    question TEXT NOT NULL,
    vector BLOB,
    model TEXT,
    credits TEXT NOT NULL,
    vote TEXT NOT NULL,
    at DATETIME NOT NULL,
    CONSTRAINT uq_credit_events_clone_id_feedback_id UNIQUE (clone_id, feedback_id),
    CONSTRAINT fk_credit_events_episodes FOREIGN KEY(clone_id, episode_id) REFERENCES episodes (clone_id, id) ON DELETE CASCADE
);

CREATE INDEX ix_credit_events_clone_id_episode_id ON credit_events (clone_id, episode_id);

CREATE TABLE feedback (
    seq INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    clone_id TEXT NOT NULL,
    id TEXT NOT NULL,
    episode_id TEXT NOT NULL,
    rater TEXT NOT NULL,
    source TEXT NOT NULL,
    created_at DATETIME NOT NULL,
    rating SMALLINT,
    style_rating SMALLINT,
    text TEXT,
    correction TEXT,
    passage TEXT,
    tags TEXT NOT NULL,
    CONSTRAINT uq_feedback_clone_id_id UNIQUE (clone_id, id),
    CONSTRAINT fk_feedback_episodes FOREIGN KEY(clone_id, episode_id) REFERENCES episodes (clone_id, id) ON DELETE CASCADE
);

CREATE INDEX ix_feedback_clone_id_episode_id ON feedback (clone_id, episode_id);

CREATE TABLE issue_tallies (
    seq INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    clone_id TEXT NOT NULL,
    id TEXT NOT NULL,
    group_seq BIGINT NOT NULL,
    "key" TEXT NOT NULL,
    text TEXT NOT NULL,
    worst_score FLOAT NOT NULL,
    first_seen DATETIME NOT NULL,
    last_seen DATETIME NOT NULL,
    count BIGINT NOT NULL,
    last_run BIGINT NOT NULL,
    shown BIGINT NOT NULL,
    recurred BIGINT NOT NULL,
    shown_since BIGINT DEFAULT '0' NOT NULL,
    faded BOOLEAN NOT NULL,
    CONSTRAINT uq_issue_tallies_clone_id_id UNIQUE (clone_id, id),
    CONSTRAINT uq_issue_tallies_group_seq_key UNIQUE (group_seq, "key"),
    CONSTRAINT fk_issue_tallies_issue_groups FOREIGN KEY(group_seq) REFERENCES issue_groups (seq)
);

CREATE INDEX ix_issue_tallies_group_seq_faded_last_run ON issue_tallies (group_seq, faded, last_run);

CREATE INDEX ix_issue_tallies_group_seq_faded_worst_score ON issue_tallies (group_seq, faded, worst_score);

CREATE TABLE memory_tags (
    clone_id TEXT NOT NULL,
    tag TEXT NOT NULL,
    memory_id TEXT NOT NULL,
    version INTEGER NOT NULL,
    CONSTRAINT pk_memory_tags PRIMARY KEY (clone_id, tag, memory_id, version),
    CONSTRAINT fk_memory_tags_memories FOREIGN KEY(clone_id, memory_id, version) REFERENCES memories (clone_id, id, version) ON DELETE CASCADE
);

CREATE TABLE messages (
    clone_id TEXT NOT NULL,
    id TEXT NOT NULL,
    episode_id TEXT NOT NULL,
    position INTEGER NOT NULL,
    role TEXT NOT NULL,
    content TEXT NOT NULL,
    created_at DATETIME NOT NULL,
    feedback_rating SMALLINT,
    style_rating SMALLINT,
    feedback_source TEXT,
    feedback_text TEXT,
    CONSTRAINT pk_messages PRIMARY KEY (clone_id, id),
    CONSTRAINT uq_messages_clone_id_episode_id_position UNIQUE (clone_id, episode_id, position),
    CONSTRAINT fk_messages_episodes FOREIGN KEY(clone_id, episode_id) REFERENCES episodes (clone_id, id) ON DELETE CASCADE
);

CREATE TABLE passage_search_postings (
    scope_id BIGINT NOT NULL,
    term TEXT NOT NULL,
    block BIGINT NOT NULL,
    places BLOB NOT NULL,
    CONSTRAINT pk_passage_search_postings PRIMARY KEY (scope_id, term, block),
    CONSTRAINT fk_passage_search_postings_passage_search_scopes FOREIGN KEY(scope_id) REFERENCES passage_search_scopes (id) ON DELETE CASCADE
)
 WITHOUT ROWID;

CREATE TABLE passages (
    seq INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    clone_id TEXT NOT NULL,
    document_id TEXT NOT NULL,
    position INTEGER NOT NULL,
    chunk_hash TEXT NOT NULL,
    text TEXT NOT NULL,
    anchor TEXT NOT NULL,
    CONSTRAINT uq_passages_clone_id_document_id_position UNIQUE (clone_id, document_id, position),
    CONSTRAINT fk_passages_documents FOREIGN KEY(clone_id, document_id) REFERENCES documents (clone_id, id) ON DELETE CASCADE
);

CREATE INDEX ix_passages_clone_id_chunk_hash ON passages (clone_id, chunk_hash);

CREATE TABLE recollections (
    clone_id TEXT NOT NULL,
    episode_id TEXT NOT NULL,
    CONSTRAINT pk_recollections PRIMARY KEY (clone_id, episode_id),
    CONSTRAINT fk_recollections_episodes FOREIGN KEY(clone_id, episode_id) REFERENCES episodes (clone_id, id) ON DELETE CASCADE
);

CREATE TABLE run_steps (
    clone_id TEXT NOT NULL,
    run_id TEXT NOT NULL,
    number INTEGER NOT NULL,
    step TEXT NOT NULL,
    CONSTRAINT pk_run_steps PRIMARY KEY (clone_id, run_id, number),
    CONSTRAINT fk_run_steps_runs FOREIGN KEY(clone_id, run_id) REFERENCES runs (clone_id, run_id) ON DELETE CASCADE
);

CREATE TABLE saved_answers (
    seq INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    clone_id TEXT NOT NULL,
    saved_id TEXT NOT NULL,
    outcome TEXT NOT NULL,
    text TEXT NOT NULL,
    change TEXT NOT NULL,
    at DATETIME NOT NULL,
    columns TEXT NOT NULL,
    rows TEXT NOT NULL,
    notes TEXT NOT NULL,
    truncated BOOLEAN NOT NULL,
    seconds FLOAT NOT NULL,
    CONSTRAINT fk_saved_answers_saved_questions FOREIGN KEY(clone_id, saved_id) REFERENCES saved_questions (clone_id, id) ON DELETE CASCADE
);

CREATE INDEX ix_saved_answers_clone_id_saved_id_seq ON saved_answers (clone_id, saved_id, seq);

CREATE TABLE saved_deliveries (
    seq INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    clone_id TEXT NOT NULL,
    saved_id TEXT NOT NULL,
    target TEXT NOT NULL,
    state TEXT NOT NULL,
    error TEXT NOT NULL,
    answer_id BIGINT NOT NULL,
    tries INTEGER NOT NULL,
    due_at DATETIME,
    claimed_until DATETIME,
    sent_at DATETIME,
    CONSTRAINT fk_saved_deliveries_saved_questions FOREIGN KEY(clone_id, saved_id) REFERENCES saved_questions (clone_id, id) ON DELETE CASCADE
);

CREATE INDEX ix_saved_deliveries_clone_id_saved_id_seq ON saved_deliveries (clone_id, saved_id, seq);

CREATE INDEX ix_saved_deliveries_due_at ON saved_deliveries (due_at);

CREATE TABLE search_documents (
    scope_id BIGINT NOT NULL,
    number BIGINT NOT NULL,
    seq BIGINT NOT NULL,
    terms TEXT NOT NULL,
    phrase TEXT,
    CONSTRAINT pk_search_documents PRIMARY KEY (scope_id, number),
    CONSTRAINT uq_search_documents_seq UNIQUE (seq),
    CONSTRAINT fk_search_documents_memories FOREIGN KEY(seq) REFERENCES memories (seq) ON DELETE CASCADE,
    CONSTRAINT fk_search_documents_search_scopes FOREIGN KEY(scope_id) REFERENCES search_scopes (id) ON DELETE CASCADE
)
 WITHOUT ROWID;

CREATE TABLE search_postings (
    scope_id BIGINT NOT NULL,
    term TEXT NOT NULL,
    block BIGINT NOT NULL,
    places BLOB NOT NULL,
    CONSTRAINT pk_search_postings PRIMARY KEY (scope_id, term, block),
    CONSTRAINT fk_search_postings_search_scopes FOREIGN KEY(scope_id) REFERENCES search_scopes (id) ON DELETE CASCADE
)
 WITHOUT ROWID;

CREATE TABLE steps (
    clone_id TEXT NOT NULL,
    episode_id TEXT NOT NULL,
    position INTEGER NOT NULL,
    number INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    refused INTEGER NOT NULL,
    purpose TEXT NOT NULL,
    "database" TEXT NOT NULL,
    sql TEXT NOT NULL,
    failures TEXT NOT NULL,
    columns TEXT NOT NULL,
    withheld TEXT DEFAULT '[]' NOT NULL,
    row_count BIGINT NOT NULL,
    succeeded BOOLEAN NOT NULL,
    truncated BOOLEAN NOT NULL,
    seconds FLOAT NOT NULL,
    CONSTRAINT pk_steps PRIMARY KEY (clone_id, episode_id, position),
    CONSTRAINT fk_steps_episodes FOREIGN KEY(clone_id, episode_id) REFERENCES episodes (clone_id, id) ON DELETE CASCADE
);

CREATE TABLE token_ledger (
    seq INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    clone_id TEXT NOT NULL,
    episode_id TEXT,
    stage TEXT NOT NULL,
    model TEXT NOT NULL,
    requests BIGINT NOT NULL,
    input_tokens BIGINT NOT NULL,
    output_tokens BIGINT NOT NULL,
    cached_tokens BIGINT DEFAULT '0' NOT NULL,
    cost FLOAT NOT NULL,
    seconds FLOAT NOT NULL,
    at DATETIME NOT NULL,
    CONSTRAINT fk_token_ledger_episodes FOREIGN KEY(clone_id, episode_id) REFERENCES episodes (clone_id, id) ON DELETE CASCADE
);

CREATE INDEX ix_token_ledger_clone_id_at ON token_ledger (clone_id, at);

CREATE INDEX ix_token_ledger_clone_id_episode_id ON token_ledger (clone_id, episode_id);

CREATE TABLE waiting_reflections (
    clone_id TEXT NOT NULL,
    episode_id TEXT NOT NULL,
    since DATETIME NOT NULL,
    round INTEGER NOT NULL,
    tries INTEGER NOT NULL,
    for_model BOOLEAN NOT NULL,
    claimed_by TEXT,
    claimed_until DATETIME,
    CONSTRAINT pk_waiting_reflections PRIMARY KEY (clone_id, episode_id),
    CONSTRAINT fk_waiting_reflections_episodes FOREIGN KEY(clone_id, episode_id) REFERENCES episodes (clone_id, id) ON DELETE CASCADE
);

CREATE INDEX ix_waiting_reflections_clone_id_since ON waiting_reflections (clone_id, since);

CREATE TABLE issue_runs (
    clone_id TEXT NOT NULL,
    episode_id TEXT NOT NULL,
    tally_seq BIGINT NOT NULL,
    seen INTEGER NOT NULL,
    shown BOOLEAN,
    chance FLOAT,
    at DATETIME NOT NULL,
    CONSTRAINT pk_issue_runs PRIMARY KEY (clone_id, episode_id, tally_seq),
    CONSTRAINT fk_issue_runs_issue_tallies FOREIGN KEY(tally_seq) REFERENCES issue_tallies (seq) ON DELETE CASCADE
);

CREATE INDEX ix_issue_runs_tally_seq ON issue_runs (tally_seq);

CREATE TABLE issue_words (
    group_seq BIGINT NOT NULL,
    word TEXT NOT NULL,
    tally_seq BIGINT NOT NULL,
    clone_id TEXT NOT NULL,
    CONSTRAINT pk_issue_words PRIMARY KEY (group_seq, word, tally_seq),
    CONSTRAINT fk_issue_words_issue_tallies FOREIGN KEY(tally_seq) REFERENCES issue_tallies (seq) ON DELETE CASCADE
)
 WITHOUT ROWID;

CREATE INDEX ix_issue_words_tally_seq ON issue_words (tally_seq);

CREATE TABLE passage_search_documents (
    scope_id BIGINT NOT NULL,
    number BIGINT NOT NULL,
    seq BIGINT NOT NULL,
    terms TEXT NOT NULL,
    phrase TEXT,
    CONSTRAINT pk_passage_search_documents PRIMARY KEY (scope_id, number),
    CONSTRAINT uq_passage_search_documents_seq UNIQUE (seq),
    CONSTRAINT fk_passage_search_documents_passages FOREIGN KEY(seq) REFERENCES passages (seq) ON DELETE CASCADE,
    CONSTRAINT fk_passage_search_documents_passage_search_scopes FOREIGN KEY(scope_id) REFERENCES passage_search_scopes (id) ON DELETE CASCADE
)
 WITHOUT ROWID;

CREATE TABLE recollection_items (
    clone_id TEXT NOT NULL,
    episode_id TEXT NOT NULL,
    position INTEGER NOT NULL,
    kind TEXT NOT NULL,
    item_id TEXT NOT NULL,
    rank INTEGER NOT NULL,
    score FLOAT NOT NULL,
    chance FLOAT NOT NULL,
    shown BOOLEAN NOT NULL,
    used BOOLEAN,
    shadow TEXT,
    boost FLOAT,
    place INTEGER,
    cosine FLOAT,
    CONSTRAINT pk_recollection_items PRIMARY KEY (clone_id, episode_id, position),
    CONSTRAINT fk_recollection_items_recollections FOREIGN KEY(clone_id, episode_id) REFERENCES recollections (clone_id, episode_id) ON DELETE CASCADE
);

CREATE INDEX ix_recollection_items_clone_id_item_id ON recollection_items (clone_id, item_id);
