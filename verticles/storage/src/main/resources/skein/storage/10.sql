-- Version 10 of the schema: the nodes of all clusters on this database, and which definitions changed.
-- Compatible with version 9.

create table nodes (
  id             text primary key,
  name           text not null,
  cluster        text not null,
  format         int not null,
  schema_version int not null,
  started_at     timestamptz not null,
  seen_at        timestamptz not null
) with (fillfactor = 50);

-- The transaction that changed a definition last: one that is seen for the first time has ended
-- after the snapshot before, whose xmin is not above it.
-- PostgreSQL 12 has no xid8; its numbers of transactions are the same as a bigint.
do $$
begin
  execute format(
    'create table definition_changes (definition_id text primary key, changed_by %s not null)',
    coalesce(to_regtype('xid8')::text, 'bigint'));
end $$;
create index definition_changes_by on definition_changes (changed_by);

create function note_definition_change() returns trigger
  language plpgsql
  set search_path from current
as $$
declare
  this_one constant definition_changes.changed_by%type := txid_current();
begin
  insert into definition_changes (definition_id, changed_by)
  values (case when tg_op = 'DELETE' then old.definition_id else new.definition_id end, this_one)
  on conflict (definition_id) do update set changed_by = excluded.changed_by
   where definition_changes.changed_by <> excluded.changed_by;
  return null;
end $$;

-- At the end of the transaction, so that two that publish wait for each other as little as before.
create constraint trigger workflow_definitions_changed
  after insert or update or delete on workflow_definitions
  deferrable initially deferred
  for each row execute function note_definition_change();
