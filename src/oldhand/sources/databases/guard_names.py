"""Names that a reading query must not use, dialect by dialect, and why.

Shell patterns (`pg_*`) in lower case. A function that is not named here is allowed: databases have functions of their own,
and the connection is read-only anyway. It is turned around for what comes with the server, which holds more than anybody
can list: of its catalogues only those that tell the structure of tables are allowed, and of functions that stand in FROM,
where a database can open files with them, only the listed ones. The lists follow PostgreSQL 18, MySQL 8.4 and MariaDB 11, SQLite 3.51
with its shell's extensions, and DuckDB 2.0.
"""

import re
from fnmatch import translate
from functools import lru_cache

from oldhand.sources.databases.guard_reasons import (
    CHANGES,
    FILES,
    LOCKS,
    REACHES,
    RUNS,
    SECRETS,
    SERVER,
    SETTINGS,
    SLEEPS,
    Names,
)
from oldhand.sources.databases.guard_warehouses import BIGQUERY, SNOWFLAKE, TSQL

_STANDARD = """
    *.attributes *.character_sets *.check_constraints *.collations *.columns
    *.constraint_column_usage *.constraint_table_usage *.domain_constraints *.domains
    *.element_types *.key_column_usage *.keywords *.partitions *.referential_constraints
    *.schemata *.sequences *.st_geometry_columns *.st_spatial_reference_systems *.statistics
    *.table_constraints *.tables *.user_defined_types *.view_column_usage *.view_table_usage
    *.views""".replace("*", "information_schema")
"""Views of the SQL standard."""
_POSTGRES_STRUCTURE = """
    pg_am pg_attrdef pg_attribute pg_class pg_collation pg_constraint pg_depend pg_description
    pg_enum pg_index pg_indexes pg_inherits pg_matviews pg_namespace pg_partitioned_table pg_range
    pg_sequence pg_sequences pg_tables pg_timezone_abbrevs pg_timezone_names pg_type pg_views"""
_DUCKDB_STRUCTURE = """
    duckdb_tables duckdb_columns duckdb_views duckdb_schemas duckdb_types duckdb_constraints
    duckdb_indexes duckdb_functions pragma_table_info pragma_version"""

SQLITE = Names(
    functions={
        FILES: """
            readfile writefile fsdir fsdir_* lsdir lsmode edit zipfile zipfile_* sqlar_* csv_read
            blobfromfile blobtofile blobopen xb_loadxml xb_storexml importdbf importxls importwfs
            importgeojson importshp* exportdbf exportkml exportgeojson* exportshp*""",
        RUNS: """
            load_extension fts3_tokenizer eval sha3_query shell_* define undefine""",
        SERVER: """
            sqlite_* dbstat bytecode tables_used pragma_*""",
        SLEEPS: "sleep usleep",
        REACHES: "http_* getenv os_getenv host_name",
        CHANGES: """
            setval nextval createspatialindex initspatialmetadata* addgeometrycolumn""",
    },
    catalogues="sqlite_* pragma_* dbstat fsdir completion bytecode tables_used stmt vtablog",
    structure="sqlite_master sqlite_schema sqlite_temp_master sqlite_temp_schema sqlite_sequence sqlite_stat?",
    harmless="sqlite_version",
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
            lambda_invoke blob_get blob_put blob_list odbc*""",
        RUNS: """
            query_to_xml* cursor_to_xml* table_to_xml* schema_to_xml* database_to_xml*
            xpath_table crosstab* connectby ts_stat ts_rewrite normal_rand_sql plpgsql_*
            plpython* plperl* plsh* plv8* cypher sys_eval *_inline_handler""",
        SETTINGS: "set_config current_setting setseed set_limit set_curcfg",
        CHANGES: """
            nextval setval txid_current binary_upgrade_* brin_summarize_* brin_desummarize_*
            gin_clean_pending_list create_extension alter_* create_hypertable drop_chunks cron_*
            schedule unschedule schedule_in_database addgeometrycolumn dropgeometry*
            updategeometrysrid populate_geometry_columns create_graph drop_graph""",
        LOCKS: "pg_advisory_* pg_try_advisory_*",
        SERVER: """
            pg_* inet_server_* inet_client_* pgstat* verify_heapam bt_index_* get_raw_page page_header heap_page_items* bt_page_* fsm_page_contents tuple_data_split pgrowlocks currtid*""",
    },
    tables={
        SECRETS: """
            pg_authid pg_shadow pg_user_mapping pg_user_mappings pg_subscription pg_largeobject
            pg_hba_file_rules pg_ident_file_mappings pg_file_settings pg_settings
            pg_db_role_setting pg_config pg_foreign_* pg_roles pg_user pg_group
            information_schema._pg_* information_schema.*_options vault.* supabase_vault.*
            pgsodium.*""",
        SERVER: "cron.job* net.http_request_queue net._http_response timescaledb_*.*",
    },
    catalogues="pg_* information_schema.*",
    structure=f"{_POSTGRES_STRUCTURE} {_STANDARD}",
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
        SETTINGS: "sys_get_config",
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
            pseudo_thread_id format_statement_digest create_asymmetric_* create_dh_parameters
            asymmetric_* roles_graphml""",
    },
    tables={
        SECRETS: """
            mysql.* information_schema.user_attributes information_schema.user_privileges
            information_schema.files""",
    },
    catalogues="information_schema.* performance_schema.* sys.* ndbinfo.* mysql_innodb_cluster_metadata.*",
    structure=_STANDARD,
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
        FILES: """
            *.csv *.tsv *.parquet *.json *.jsonl *.ndjson *.xlsx *.avro *.arrow *.arrows *.lance
            *.geojson *.shp *.gpkg *.fgb *.db *.duckdb *.ddb *.sqlite *.gz *.zst *.csv[!a-z]*
            *.tsv[!a-z]* *.json[!a-z]* *.jsonl[!a-z]* *.parquet[!a-z]* */* *\\\\* *://* *[*]* *[?]*
            .* ~*""",
    },
    catalogues="duckdb_* pragma_* pg_* sqlite_* information_schema.*",
    structure=f"{_DUCKDB_STRUCTURE} sqlite_master sqlite_schema {_POSTGRES_STRUCTURE} {_STANDARD}",
    harmless=f"regexp_* array_* list_* map_* struct_* json_* parse_* {_DUCKDB_STRUCTURE}",
    table_functions=f"""
        range generate_series unnest repeat repeat_row json_each json_tree summary histogram
        histogram_values regexp_split_to_table generate_subscripts values pg_timezone_names
        {_DUCKDB_STRUCTURE}""",
)

_NEVER = {
    "json_execute_serialized_sql": RUNS,
    "pg_get_functiondef": SERVER,
    "pg_get_function_sqlbody": SERVER,
}
"""Names that a pattern of harmless ones covers."""
NAMES = {
    "sqlite": SQLITE, "postgres": POSTGRES, "mysql": MYSQL, "duckdb": DUCKDB, "tsql": TSQL, "snowflake": SNOWFLAKE,
    "bigquery": BIGQUERY,
}  # fmt: skip


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
    names = NAMES[dialect]
    if reason := _reason(names.tables, tails):
        return reason
    if any(_pattern(names.structure).match(tail) for tail in tails):
        return None
    return _reason({SERVER: names.catalogues}, tails)


def may_stand_in_from(dialect: str, name: str) -> bool:
    """Whether the function may be read from like a table; `name` in lower case."""
    allowed = NAMES[dialect].table_functions
    return allowed is None or _pattern(allowed).match(name) is not None


@lru_cache(maxsize=16)
def refused_words(dialect: str) -> frozenset[str]:
    """Bare words that may not stand anywhere in a query, in upper case."""
    return frozenset(NAMES[dialect].words.upper().split())
