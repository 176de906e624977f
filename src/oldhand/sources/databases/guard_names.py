"""Names that a reading query must not use, dialect by dialect, and why.

Shell patterns (`pg_*`) in lower case. A function that is not named here is allowed: databases have functions of their own,
and the connection is read-only anyway. Functions that stand in FROM are turned around where a database can open files
with them: there only the listed ones are allowed. The lists follow PostgreSQL 18, MySQL 8.4 and MariaDB 11, SQLite 3.51
with its shell's extensions, and DuckDB 2.0.
"""

import re
from fnmatch import translate
from functools import lru_cache
from typing import NamedTuple


class Names(NamedTuple):
    """What is refused, and what is allowed, in one dialect: shell patterns, parted by blanks."""

    functions: dict[str, str]
    """By the reason, which completes the sentence "it …"."""
    tables: dict[str, str] = {}  # noqa: RUF012 - nobody writes into it
    """By the reason."""
    harmless: str = ""
    """Functions that are allowed although a reason would cover them."""
    table_functions: str | None = None
    """Functions that may stand in FROM; None when any may that is not refused."""


FILES = "reads or writes files"
SLEEPS = "makes the database wait"
REACHES = "reaches out of the database"
RUNS = "runs text as SQL or code that cannot be checked"
SETTINGS = "reads or changes the server's settings"
LOCKS = "takes or releases locks"
CHANGES = "changes data or the server's state"
SERVER = "shows or steers what belongs to the server's operator"
SECRETS = "holds passwords or other secrets"

SQLITE = Names(
    functions={
        FILES: """
            readfile writefile fsdir fsdir_* lsdir lsmode edit zipfile zipfile_* sqlar_* csv_read""",
        RUNS: """
            load_extension fts3_tokenizer eval sha3_query shell_* sqlite_exec import_*""",
        SERVER: """
            sqlite_dbpage dbstat sqlite_stmt sqlite_memstat bytecode tables_used sqlite_log
            pragma_*""",
        SLEEPS: "sleep usleep",
        REACHES: "http_* getenv",
        CHANGES: """
            setval nextval createspatialindex initspatialmetadata* addgeometrycolumn importshp*
            exportshp*""",
    },
    tables={
        SERVER: """
            sqlite_dbpage dbstat sqlite_stmt sqlite_memstat fsdir completion bytecode pragma_*"""
    },
    table_functions="json_each json_tree jsonb_each jsonb_tree generate_series",
)

POSTGRES = Names(
    functions={
        SLEEPS: "pg_sleep*",
        FILES: """
            pg_read_* pg_ls_* pg_stat_file pg_file_* pg_current_logfile pg_logdir_ls file_fdw_*
            lo_* loread lowrite aws_s3 table_import_from_s3 query_export_to_s3 aws_commons""",
        REACHES: """
            dblink* postgres_fdw_* http http_* https_* urlencode_fetch net_http* invoke
            lambda_invoke""",
        RUNS: """
            query_to_xml* cursor_to_xml* table_to_xml* schema_to_xml* database_to_xml*
            xpath_table crosstab* connectby ts_stat ts_rewrite normal_rand_sql plpgsql_*
            plpython* plperl* plsh* *_inline_handler""",
        SETTINGS: "set_config current_setting setseed set_limit set_curcfg",
        CHANGES: """
            nextval setval txid_current binary_upgrade_* brin_summarize_* brin_desummarize_*
            gin_clean_pending_list create_extension alter_* create_hypertable drop_chunks cron_*
            schedule unschedule schedule_in_database""",
        LOCKS: "pg_advisory_* pg_try_advisory_*",
        SERVER: """
            pg_* inet_server_* inet_client_* pgstat* verify_heapam bt_index_* get_raw_page page_header heap_page_items* bt_page_* fsm_page_contents currtid*""",
    },
    tables={
        SECRETS: """
            pg_authid pg_shadow pg_user_mapping pg_user_mappings pg_subscription pg_largeobject
            pg_hba_file_rules pg_ident_file_mappings pg_file_settings pg_settings
            pg_db_role_setting pg_config pg_foreign_* pg_roles pg_user pg_group
            information_schema._pg_* information_schema.*_options vault.* cron.job
            net.http_request_queue net._http_response""",
        SERVER: """
            pg_stat_activity pg_stat_replication* pg_stat_wal* pg_stat_ssl pg_stat_gssapi
            pg_stat_statements* pg_stat_progress_* pg_stat_subscription* pg_stat_archiver
            pg_stat_recovery* pg_statistic pg_statistic_ext_data pg_locks pg_cursors
            pg_prepared_* pg_replication_* pg_shmem_* pg_backend_* pg_publication* pg_hba_*
            pg_ident_* pg_aios pg_dshmem* pg_largeobject_metadata pg_tablespace pg_proc
            pg_event_trigger pg_trigger pg_rewrite pg_language pg_extension
            pg_available_extension* information_schema.routines information_schema.triggers
            information_schema.foreign_*""",
    },
    harmless="""
        pg_typeof pg_size_pretty pg_size_bytes pg_column_size pg_column_compression pg_table_size
        pg_indexes_size pg_relation_size pg_total_relation_size pg_database_size
        pg_tablespace_size pg_get_*def pg_get_expr pg_get_viewdef pg_get_userbyid
        pg_get_serial_sequence pg_get_keywords pg_get_function_* pg_*_is_visible pg_has_role
        pg_basetype pg_collation_for pg_encoding_to_char pg_char_to_encoding pg_client_encoding
        pg_is_in_recovery pg_is_in_backup pg_input_is_valid pg_input_error_info pg_timezone_names
        pg_timezone_abbrevs pg_postmaster_start_time pg_backend_pid pg_describe_object
        pg_partition_root pg_partition_tree pg_partition_ancestors""",
)

MYSQL = Names(
    functions={
        SLEEPS: """
            sleep benchmark master_pos_wait source_pos_wait master_gtid_wait
            wait_for_executed_gtid_set wait_until_sql_thread_after_gtids""",
        FILES: "load_file loadfile",
        LOCKS: """
            get_lock release_lock release_all_locks is_free_lock is_used_lock service_*_locks
            version_tokens_*""",
        RUNS: """
            sys_exec sys_eval sys_bineval sys_get sys_set lib_mysqludf_* do_system""",
        CHANGES: """
            nextval setval next_value group_replication_* asynchronous_connection_*""",
        REACHES: """
            http_* mysqludf_* ml_* spider_direct_sql spider_bg_direct_sql spider_copy_tables""",
        SERVER: """
            keyring_* audit_* mysql_firewall_* mysql_query_attribute_string set_firewall_*
            read_firewall_* gen_rnd_* gen_dictionary* mask_* masking_* ps_* innodb_*
            query_rewrite* load_rewrite_rules wsrep_* start_*_shutdown kill *_memory_usage
            pseudo_thread_id format_statement_digest""",
    },
    tables={
        SECRETS: """
            mysql.* information_schema.user_attributes information_schema.user_privileges
            information_schema.files""",
        SERVER: """
            performance_schema.* sys.* information_schema.processlist information_schema.innodb_*
            information_schema.*_variables information_schema.*_status information_schema.plugins
            information_schema.all_plugins information_schema.routines
            information_schema.triggers information_schema.events
            information_schema.optimizer_trace information_schema.profiling
            information_schema.*_statistics information_schema.metadata_lock_info
            information_schema.*_privileges information_schema.applicable_roles
            information_schema.enabled_roles information_schema.tablespaces*""",
    },
)

DUCKDB = Names(
    functions={
        FILES: """
            read_* *_scan *_scan_* scan_* parquet_* sniff_* glob st_read* st_drivers shapefile_*
            copy_* write_* from_substrait* *_attach load_aws_credentials export_* import_*""",
        RUNS: """
            query query_table json_execute_serialized_sql sql_auto_complete python_map_function""",
        REACHES: """
            getenv http* *_query *_execute which_secret curl_* sqlite_attach postgres_attach
            mysql_attach""",
        SETTINGS: """
            current_setting set_config setseed getvariable duckdb_settings duckdb_secrets
            duckdb_variables""",
        SLEEPS: "sleep_ms pg_sleep sleep",
        CHANGES: """
            nextval setval checkpoint force_checkpoint enable_* disable_* truncate_* register_*
            deregister_* create_external_resource destroy_external_resource""",
        SERVER: """
            duckdb_logs* duckdb_temporary_files duckdb_external_* duckdb_databases
            duckdb_prepared_statements""",
    },
    tables={
        SECRETS: "duckdb_secrets duckdb_settings duckdb_variables",
        SERVER: """
            duckdb_databases duckdb_logs* duckdb_extensions duckdb_temporary_files duckdb_external_*
            pragma_database_list pg_settings pg_prepared_statements""",
        FILES: """
            *.csv *.tsv *.parquet *.json *.jsonl *.ndjson *.xlsx *.avro *.arrow *.arrows *.lance
            *.geojson *.shp *.gpkg *.fgb *.db *.duckdb *.ddb *.sqlite *.gz *.zst *.csv[!a-z]*
            *.tsv[!a-z]* *.json[!a-z]* *.jsonl[!a-z]* *.parquet[!a-z]* */* *\\\\* *://* *[*]* *[?]*
            .* ~*""",
    },
    harmless="""
        regexp_* array_* list_* map_* struct_* json_* duckdb_tables duckdb_columns duckdb_views
        duckdb_schemas duckdb_types duckdb_constraints duckdb_indexes duckdb_functions parse_*""",
    table_functions="""
        range generate_series unnest repeat repeat_row json_each json_tree summary histogram
        histogram_values regexp_split_to_table generate_subscripts values duckdb_tables
        duckdb_columns duckdb_views duckdb_schemas duckdb_types duckdb_constraints duckdb_indexes
        duckdb_functions pragma_table_info pragma_version pg_timezone_names""",
)

_NEVER = {
    "json_execute_serialized_sql": RUNS,
    "pg_get_functiondef": SERVER,
    "pg_get_function_sqlbody": SERVER,
}
"""Names that a pattern of harmless ones covers."""
NAMES = {"sqlite": SQLITE, "postgres": POSTGRES, "mysql": MYSQL, "duckdb": DUCKDB}


@lru_cache(maxsize=64)
def _pattern(names: str) -> re.Pattern[str]:
    """One expression that matches any of the shell patterns."""
    return re.compile("|".join(translate(name) for name in names.split()))


def _reason(refused: dict[str, str], names: set[str]) -> str | None:
    """The first reason that speaks against one of the names."""
    for reason, patterns in refused.items():
        if any(_pattern(patterns).match(name) for name in names):
            return reason
    return None


@lru_cache(maxsize=4_096)
def why_function_is_refused(dialect: str, name: str) -> str | None:
    """The reason, or None when the function may be called; `name` in lower case, without its schema.

    >>> why_function_is_refused("postgres", "pg_sleep")
    'makes the database wait'
    >>> why_function_is_refused("postgres", "pg_typeof")
    """
    names = NAMES[dialect]
    if names.harmless and _pattern(names.harmless).match(name):
        return _NEVER.get(name)
    return _reason(names.functions, {name})


@lru_cache(maxsize=4_096)
def why_table_is_refused(dialect: str, name: str) -> str | None:
    """The reason, or None when the table may be read; `name` in lower case, with its schema if it has one.

    >>> why_table_is_refused("mysql", "mysql.user")
    'holds passwords or other secrets'
    >>> why_table_is_refused("mysql", "shop.user")
    """
    tails = {name, *(name.split(".", cut)[-1] for cut in range(1, name.count(".") + 1))}
    return _reason(NAMES[dialect].tables, tails)


def may_stand_in_from(dialect: str, name: str) -> bool:
    """Whether the function may be read from like a table; `name` in lower case."""
    allowed = NAMES[dialect].table_functions
    return allowed is None or _pattern(allowed).match(name) is not None
