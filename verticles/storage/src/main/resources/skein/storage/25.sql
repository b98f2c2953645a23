-- Version 25 of the schema: the pause of the runtime.
-- Compatible with version 24.

-- One row while the runtime is paused, else none.
create table runtime_pause (
  single       boolean primary key default true check (single),
  paused_at    timestamptz not null default clock_timestamp(),
  reason       text,
  requested_by text
);
