"""What a reading query must not use on SQL Server, Snowflake and BigQuery, and why.

Their catalogues are refused whole: they also tell of other people's queries, code and rights, and the schema file says
what a question needs. The lists follow SQL Server 2025, and Snowflake and BigQuery as documented in 2026.
"""

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

TSQL = Names(
    functions={
        RUNS: "xp_* sp_* predict",
        REACHES: "openrowset openquery opendatasource ai_generate_*",
        FILES: """
            openxml fn_get_audit_file* fn_xe_file_target_read_file fn_trace_* fn_dblog fn_dump_dblog
            filetablerootpath getpathlocator get_filestream_transaction_context fn_filelog""",
        LOCKS: "applock_*",
        SETTINGS: """
            serverproperty connectionproperty databasepropertyex sessionproperty context_info
            session_context fulltextserviceproperty""",
        SECRETS: """
            pwd* decryptby* encryptby* keyby* key_* asymkey* symkey* signby* verifysignedby* certencoded
            certprivatekey cert_id certproperty loginproperty cryptgenrandom""",
        SERVER: """
            fn_* dm_* sys.* cdc.* object_definition has_perms_by_name is_srvrolemember is_rolemember is_member suser_* suser_sname
            original_login host_name host_id app_name program_name eventdata publishingservername""",
        CHANGES: "change_tracking_* min_active_rowversion",
    },
    tables={
        SERVER: """
            sys.* information_schema.* cdc.* master.* msdb.* model.* tempdb.* resource.*
            sysobjects syscolumns sysusers syslogins sysprocesses sysdatabases sysservers
            syscomments #*""",
        REACHES: "*.*.*.*",
    },
    table_functions="string_split openjson generate_series changetable nodes",
    words="""
        alter backup begin break checkpoint close commit continue create dbcc deallocate declare delete
        deny disk drop dump exec execute goto grant if insert kill lineno load merge print proc procedure raiserror readtext reconfigure restore return revert
        revoke rollback save set setuser shutdown throw trigger truncate update updatetext use waitfor while
        writetext""",
)

SNOWFLAKE = Names(
    functions={
        SLEEPS: "system$wait*",
        SERVER: """
            system$* *_history *_history_by_* *_usage_history get_ddl current_ip_address
            policy_references tag_references* policy_context invoker_* is_role_in_session
            current_available_roles current_secondary_roles external_table_* stage_* validate
            validate_pipe_load login_* data_transfer_* rest_event_history dynamic_table_*""",
        SECRETS: "get_secret* decrypt decrypt_raw try_decrypt try_decrypt_raw encrypt_raw",
        FILES: """
            result_scan last_query_id get_presigned_url build_scoped_file_url build_stage_file_url
            get_stage_location get_absolute_path get_relative_path infer_schema to_file
            directory fl_*""",
        REACHES: """
            cortex.* ai_* complete try_complete sentiment summarize translate classify_text
            extract_answer parse_document embed_text_* finetune search_preview""",
        RUNS: "identifier to_query",
        SETTINGS: "getvariable",
        CHANGES: "*.nextval",
    },
    tables={
        FILES: "@* *.@* */*",
        SECRETS: "snowflake.* *.account_usage.* account_usage.*",
        SERVER: "information_schema.*",
    },
    table_functions="flatten explode split_to_table strtok_split_to_table generator",
)

BIGQUERY = Names(
    functions={
        REACHES: """
            external_query *.external_query ml.* ai.* obj.* generate_text generate_embedding
            vector_search *.http_*""",
        SECRETS: "keys.* aead.* deterministic_encrypt deterministic_decrypt*",
        SERVER: "session_user *.session_user appends changes external_object_transform",
        RUNS: "*.*",
    },
    tables={
        SERVER: """
            information_schema.* *.information_schema.* region-*.* __tables__ __tables_summary__
            *.__tables__ *.__tables_summary__ *@*""",
    },
    harmless="""
        safe.* hll_count.* kll_quantiles.* d3a_count.* net.host net.reg_domain net.public_suffix net.ip_*
        net.ipv4_* net.safe_ip_*""",
    table_functions="unnest",
    words="|>",
)
