"""Words that some database takes for its own, so that a column or table of that name needs quotes.

Collected by asking SQLite 3.40, DuckDB 2.0, Postgres 18 and MariaDB 10.11 for each of their keywords
whether it may stand unquoted; the few that MySQL 8 adds come from its manual.
"""

_WORDS = """
accessible add all alter analyse analyze and anti any array as asc asensitive asof asymmetric
at authorization autoincrement before between bigint binary bit blob boolean both by call
cascade case cast change char character check coalesce collate collation column columns commit
concurrently condition constraint continue convert create cross cube cume_dist current_catalog
current_date current_role current_schema current_time current_timestamp current_user cursor
databases day_hour day_microsecond day_minute day_second dec decimal declare default deferrable
delayed delete delete_domain_id dense_rank desc describe deterministic distinct distinctrow div
do do_domain_ids double drop dual each else elseif empty enclosed end escape escaped except
exists exit explain extract false fetch first_value float float4 float8 for force foreign
freeze from full fulltext function generated glob grant group grouping grouping_id groups
having high_priority hour_microsecond hour_minute hour_second if ignore ignore_domain_ids ilike
in index infile initially inner inout insensitive insert int int1 int2 int3 int4 int8 integer
intersect interval into is isnull iterate join json_table key keys kill lag lambda last_value
lateral lead leading leave left like limit linear lines load localtime localtimestamp lock long
longblob longtext loop low_priority map master_demote_to_replica master_demote_to_slave
master_ssl_verify_server_cert match maxvalue mediumblob mediumint mediumtext middleint
minute_microsecond minute_second mod modifies national natural nchar no_write_to_binlog none
not notnull nth_value ntile null nullif numeric of offset on only optimize optionally or order
out outer outfile over overlaps overlay page_checksum parse_vcol_expr partition percent_rank
pivot pivot_longer pivot_wider placing portion position positional precision primary procedure
purge qualify raise range rank read read_write reads real recursive ref_system_id references
regexp release rename repeat replace require resignal restrict return returning revoke right
rlike row row_number rows schemas second_microsecond select semi sensitive separator
session_user set setof show signal similar smallint some spatial specific sql sql_big_result
sql_buffer_result sql_cache sql_calc_found_rows sql_no_cache sql_small_result sqlexception
sqlstate sqlwarning ssl starting stats_auto_recalc stats_persistent stats_sample_pages stored
straight_join struct substring summarize symmetric system system_user table tablesample
terminated then time timestamp tinyblob tinyint tinytext to trailing transaction treat trigger
trim true try_cast tuple undo union unique unlock unpack unpivot unsigned update usage use user
using utc_date utc_time utc_timestamp values varbinary varchar varcharacter variadic varying
verbose virtual when where while window with write xmlattributes xmlconcat xmlelement xmlexists
xmlforest xmlnamespaces xmlparse xmlpi xmlroot xmlserialize xmltable xor year_month zerofill
"""

RESERVED_WORDS = frozenset(_WORDS.split())
