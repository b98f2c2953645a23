-- Version 7 of the schema: schedules.

-- A rule that starts instances by itself, and where it stands. Of the columns that change with an
-- occurrence none is indexed, so that updates stay on their page.
create table schedules (
  id                  text collate "C" primary key,
  -- The lane under which all that is decided about it is put in a row: no instance's id.
  instance_id         text not null,
  definition_id       text not null,
  origin              text not null,
  rule                json not null,
  policies            json not null,
  target              json not null,
  paused              boolean not null default false,
  note                text,
  next_at             timestamptz,
  last_at             timestamptz,
  last_instance_id    text,
  running_instance_id text,
  buffered            json,
  started             bigint not null default 0,
  skipped             bigint not null default 0,
  missed              bigint not null default 0,
  cancelled           bigint not null default 0,
  failed              bigint not null default 0,
  revision            bigint not null,
  created_at          timestamptz not null,
  updated_at          timestamptz not null
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);
create unique index schedules_instance on schedules (instance_id);
create index schedules_definition on schedules (definition_id);

-- Triggers that fire by themselves have been timers alone; they keep their rhythm.
insert into schedules (id, instance_id, definition_id, origin, rule, policies, target, next_at,
    revision, created_at, updated_at)
select t.id,
       substr(encode(sha256(convert_to('schedule|' || t.id, 'UTF8')), 'hex'), 1, 32),
       t.workflow_definition_id,
       'Trigger',
       case t.name
         when 'Elsa.Cron' then
           json_build_object('v', 1, 'cron', t.payload ->> 'cronExpression', 'timeZone', 'UTC')
         when 'Elsa.Timer' then
           json_build_object('v', 1, 'interval', t.payload ->> 'interval',
             'anchor', t.payload ->> 'startAt', 'timeZone', 'UTC')
         else
           json_build_object('v', 1, 'dates', json_build_array(t.payload ->> 'executeAt'),
             'timeZone', 'UTC')
       end,
       '{"v":1,"misfirePolicy":"FireOnce","catchUpMax":100,"overlapPolicy":"Allow"}'::json,
       json_build_object('v', 1, 'definitionId', t.workflow_definition_id,
         'activityId', t.activity_id, 'input', '{}'::json),
       (select min('epoch'::timestamptz + split_part(w.id, '@', 2)::bigint * interval '1 millisecond')
          from timers w
         where w.kind = 'Trigger' and w.id ~ '^[0-9A-F]{64}@[0-9]{1,15}$'
           and split_part(w.id, '@', 1) = t.id),
       1, clock_timestamp(), clock_timestamp()
  from triggers t
 where t.name in ('Elsa.Cron', 'Elsa.Timer', 'Elsa.StartAt');

update timers w
   set kind = 'Schedule', workflow_instance_id = s.instance_id,
       payload = json_build_object('scheduleId', s.id,
         'at', to_char(s.next_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
  from schedules s
 where w.kind = 'Trigger' and s.next_at is not null
   and w.id = s.id || '@' || (extract(epoch from s.next_at) * 1000)::bigint;

-- Publishing leaves what waits to start alone: it starts the version that is published then.
drop index timers_trigger;
