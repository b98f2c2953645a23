-- Version 8 of the schema: what the scanner found, and who scans.

create table invariant_violations (
  invariant    text not null,
  subject_id   text not null,
  detail       text not null,
  found_at     timestamptz not null,
  last_seen_at timestamptz not null,
  repaired_at  timestamptz,
  ended_at     timestamptz,
  primary key (invariant, subject_id)
);
create index invariant_violations_found on invariant_violations (found_at desc, subject_id);
create index invariant_violations_open on invariant_violations (found_at desc, subject_id)
  where ended_at is null;

-- One row: the pass that is asked for, the one that runs, the one that ended. A node claims a pass
-- by an update; one whose node was not heard of for long is free.
create table scanner (
  single       boolean primary key default true check (single),
  requested_at timestamptz not null default '-infinity',
  pass         bigint not null default 0,
  holder       text,
  node         text,
  started_at   timestamptz not null default '-infinity',
  heard_at     timestamptz not null default '-infinity',
  finished_at  timestamptz not null default '-infinity',
  result       json
);
insert into scanner default values;
