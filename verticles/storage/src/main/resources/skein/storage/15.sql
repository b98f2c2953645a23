-- Version 15 of the schema: the journal is read from any sequence on, without what comes before.
-- Compatible with version 14.

-- The sequence of the first line in a journal row, null when it holds none. It stands near the start of
-- what is written, so that the text is parsed only where something else wrote it.
create function journal_first(entries json) returns bigint
  language sql immutable parallel safe
as $$
  select coalesce(
    substring(left(entries::text, 100)
              from '^\[?\{(?:"at":"[^"]*",)?"seq(?:uence)?":(\d+)')::bigint,
    (select min(first) from journal_bursts(entries)))
$$;

-- The revision from which on the lines with a sequence of "wanted" and more are; null for an instance
-- without a journal. Sequences grow with revisions: halves what may be until one row is left.
create function journal_revision(instance text, wanted bigint) returns bigint
  language plpgsql stable parallel safe
as $$
declare
  low    bigint;
  high   bigint;
  middle bigint;
  found  record;
begin
  select min(revision), max(revision) into low, high
    from journal where workflow_instance_id = instance;
  while low < high loop
    middle := (low + high + 1) / 2;
    select revision, journal_first(entries) as first into found
      from journal
     where workflow_instance_id = instance and revision between middle and high
       and journal_first(entries) is not null
     order by revision limit 1;
    if found.first <= wanted then
      low := found.revision;
    else
      high := middle - 1;
    end if;
  end loop;
  return low;
end
$$;
