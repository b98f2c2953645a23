-- Version 6 of the schema: shards of the scheduler, and what Quartz's tables would say of it.

-- Each shard has its lease; the number of shards is the configuration's.
alter table leases add column shard int;
alter table leases add column shards int;
alter table leases add column renewed_at timestamptz;

-- Nodes that take part, as they say themselves a few times in the life of a lease.
create table scheduler_nodes (
  id               text primary key,
  name             text not null,
  shards           int not null,
  checkin_interval interval not null,
  started_at       timestamptz not null,
  checked_in_at    timestamptz not null,
  expires_at       timestamptz not null,
  known            bigint not null,
  in_flight        bigint not null,
  fired            bigint not null,
  misfired         bigint not null,
  failed           bigint not null,
  lag              interval not null
) with (fillfactor = 50);

create function epoch_millis(at timestamptz) returns bigint
  language sql immutable parallel safe
as $$ select (extract(epoch from at) * 1000)::bigint $$;

create view qrtz_scheduler_state as
  select 'Skein'::text as sched_name, name as instance_name,
         epoch_millis(checked_in_at) as last_checkin_time,
         (extract(epoch from checkin_interval) * 1000)::bigint as checkin_interval
    from scheduler_nodes
   where expires_at > clock_timestamp();

-- Timers of instances and of triggers are in the group of the guide; the rest is on its way already.
create view qrtz_triggers as
  select 'Skein'::text as sched_name, id as trigger_name,
         case when kind in ('Bookmark', 'Trigger', 'Schedule', 'ScheduleStart') then 'Elsa.Scheduling'
              else 'Skein.Outbox' end as trigger_group,
         case kind when 'Bookmark' then 'ResumeWorkflowTask'
                   when 'Trigger' then 'RunWorkflowTask'
                   when 'Schedule' then 'RunWorkflowTask'
                   when 'ScheduleStart' then 'RunWorkflowTask' else kind end as job_name,
         case when kind in ('Bookmark', 'Trigger', 'Schedule', 'ScheduleStart') then 'Elsa.Scheduling'
              else 'Skein.Outbox' end as job_group,
         workflow_instance_id as description,
         epoch_millis(due_at) as next_fire_time, null::bigint as prev_fire_time, 5 as priority,
         'WAITING'::text as trigger_state, 'SIMPLE'::text as trigger_type,
         epoch_millis(due_at) as start_time, null::bigint as end_time,
         null::text as calendar_name, 0 as misfire_instr, payload as job_data
    from timers;

-- Who fires what: each timer with the node that leads its shard. What has fired is no row here.
create view qrtz_fired_triggers as
  select 'Skein'::text as sched_name, t.id as entry_id, t.id as trigger_name,
         case when kind in ('Bookmark', 'Trigger', 'Schedule', 'ScheduleStart') then 'Elsa.Scheduling'
              else 'Skein.Outbox' end as trigger_group,
         n.name as instance_name, epoch_millis(t.due_at) as fired_time,
         epoch_millis(t.due_at) as sched_time, 5 as priority,
         case when t.due_at <= clock_timestamp() then 'EXECUTING' else 'ACQUIRED' end as state,
         case kind when 'Bookmark' then 'ResumeWorkflowTask'
                   when 'Trigger' then 'RunWorkflowTask'
                   when 'Schedule' then 'RunWorkflowTask'
                   when 'ScheduleStart' then 'RunWorkflowTask' else kind end as job_name,
         case when kind in ('Bookmark', 'Trigger', 'Schedule', 'ScheduleStart') then 'Elsa.Scheduling'
              else 'Skein.Outbox' end as job_group,
         false as is_nonconcurrent, true as requests_recovery
    from timers t
    left join leases l
      on l.shards = (select shards from scheduler_nodes where expires_at > clock_timestamp()
                      order by checked_in_at desc limit 1)
     and l.shard = (hashtext(t.workflow_instance_id collate "C") & 2147483647) % l.shards
     and l.expires_at > clock_timestamp()
    left join scheduler_nodes n on n.id = l.holder;

-- The guide deletes from it what has fired long ago: there is none to delete.
create rule qrtz_fired_triggers_are_gone as
  on delete to qrtz_fired_triggers do instead nothing;
