-- Version 5 of the schema: the journal writes what its lines have in common once.

-- The lines of a burst as objects, whichever way they are stored.
create function journal_lines(entries json) returns setof json
  language sql immutable parallel safe rows 10
as $$
  select line
    from json_array_elements(case json_typeof(entries) when 'array' then entries else '[]' end)
      as old (line)
  union all
  select json_build_object(
           'sequence', (entries ->> 'seq')::bigint + n - 1, 'at', entries -> 'at',
           'execution', line -> 0, 'parent', line -> 1,
           'activityId', activity -> 0, 'nodeId', activity -> 1, 'activityType', activity -> 2,
           'activityTypeVersion', activity -> 3, 'activityName', activity -> 4,
           'event', line -> 3, 'message', line -> 4, 'data', line -> 5)
    from json_array_elements(case json_typeof(entries) when 'array' then '[]' else entries -> 'is' end)
      with ordinality as compact (line, n)
   cross join lateral (select entries -> 'of' -> (line ->> 2)::int) as activities (activity)
$$;

create or replace view journal_entries as
  select j.workflow_instance_id, j.revision, j.commit_id, j.node,
         (e ->> 'sequence')::bigint as sequence,
         (e ->> 'at')::timestamptz as at,
         (e ->> 'execution')::int as execution,
         e ->> 'activityId' as activity_id,
         e ->> 'activityType' as activity_type,
         e ->> 'event' as event,
         e ->> 'message' as message,
         case json_typeof(e -> 'data') when 'null' then null else e -> 'data' end as data
    from journal j cross join lateral journal_lines(j.entries) e;
