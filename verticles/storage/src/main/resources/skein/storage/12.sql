-- Version 12 of the schema: reading the journal costs in proportion to what it holds.
-- Compatible with version 11.

-- The lines of a burst: "lines" is an array of [execution, parent, number in activities, event, message?,
-- data?], of which the first has the sequence "first"; "activities" holds [activityId, nodeId, activityType,
-- its version, name?]. Lines that are stored as objects are bursts of their own. The text is parsed once
-- for all lines.
create function journal_bursts(entries json)
  returns table (first bigint, at text, activities jsonb, lines json)
  language sql immutable parallel safe rows 1
as $$
  select burst.seq, burst.at, burst."of", burst."is"
    from json_to_record(case json_typeof(entries) when 'object' then entries end)
      as burst (seq bigint, at text, "of" jsonb, "is" json)
   where json_typeof(entries) = 'object'
  union all
  select (line ->> 'sequence')::bigint, line ->> 'at',
         jsonb_build_array(jsonb_build_array(line -> 'activityId', line -> 'nodeId',
           line -> 'activityType', line -> 'activityTypeVersion', line -> 'activityName')),
         json_build_array(json_build_array(line -> 'execution', line -> 'parent', 0, line -> 'event',
           line -> 'message', line -> 'data'))
    from json_array_elements(case json_typeof(entries) when 'array' then entries else '[]' end)
      as old (line)
$$;

-- A line as an object.
create function journal_line(sequence bigint, at text, line json, activity jsonb) returns json
  language sql immutable parallel safe
as $$
  select json_build_object(
    'sequence', sequence, 'at', at, 'execution', line -> 0, 'parent', line -> 1,
    'activityId', activity -> 0, 'nodeId', activity -> 1, 'activityType', activity -> 2,
    'activityTypeVersion', activity -> 3, 'activityName', activity -> 4,
    'event', line -> 3, 'message', line -> 4, 'data', line -> 5)
$$;

-- "offset 0" has each line made once, whatever is read of it.
create or replace function journal_lines(entries json) returns setof json
  language sql immutable parallel safe rows 10
as $$
  select whole
    from (select journal_line(burst.first + n - 1, burst.at, line, burst.activities -> (line ->> 2)::int)
            from journal_bursts(entries) burst
           cross join lateral json_array_elements(burst.lines) with ordinality as numbered (line, n)
          offset 0) as lines (whole)
$$;

-- Here it keeps all activities of a burst from being carried with each of its lines.
create or replace view journal_entries as
  select j.workflow_instance_id, j.revision, j.commit_id, j.node,
         burst.first + n - 1 as sequence,
         burst.at::timestamptz as at,
         (line ->> 0)::int as execution,
         activity ->> 0 as activity_id,
         activity ->> 2 as activity_type,
         line ->> 3 as event,
         line ->> 4 as message,
         case json_typeof(line -> 5) when 'null' then null else line -> 5 end as data
    from journal j
   cross join lateral journal_bursts(j.entries) burst
   cross join lateral json_array_elements(burst.lines) with ordinality as numbered (line, n)
   cross join lateral (select burst.activities -> (line ->> 2)::int offset 0) as of (activity);
