-- Version 25 of the schema: the pause of the runtime, and deliveries of events that keep failing.
-- Compatible with version 24.

-- One row while the runtime is paused, else none.
create table runtime_pause (
  single       boolean primary key default true check (single),
  paused_at    timestamptz not null default clock_timestamp(),
  reason       text,
  requested_by text
);

-- Why deliveries of events failed. Their timers are the deliveries: a row whose timer is gone says nothing and is removed now and
-- then. No reference: it would cost each timer that fires a look into this table.
create table delivery_failures (
  timer_id     text collate "C" primary key,
  -- Ids of such timers have a slash, which paths of requests do not carry well.
  id           text collate "C" not null generated always as (md5(timer_id)) stored unique,
  failed_since timestamptz not null default clock_timestamp(),
  failed_at    timestamptz not null default clock_timestamp(),
  code         text not null,
  message      text not null
);
