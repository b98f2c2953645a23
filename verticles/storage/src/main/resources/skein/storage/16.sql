-- Version 16 of the schema: the views in Quartz's form tell timers that fire from timers that wait, and
-- operators need not qualify names with the schema.
-- Compatible with version 15.

-- How long before they are due the node loads timers (timers.horizon); nodes of version 15 do not say.
alter table scheduler_nodes add column horizon interval not null default interval '5 seconds';

-- A timer is ACQUIRED from when the leader of its shard loads it. The last column is not Quartz's: the
-- node that leads the shard now.
create or replace view qrtz_triggers as
  select 'Skein'::text as sched_name, t.id as trigger_name,
         case when t.kind in ('Bookmark', 'Trigger', 'Schedule', 'ScheduleStart') then 'Elsa.Scheduling'
              else 'Skein.Outbox' end as trigger_group,
         case t.kind when 'Bookmark' then 'ResumeWorkflowTask'
                     when 'Trigger' then 'RunWorkflowTask'
                     when 'Schedule' then 'RunWorkflowTask'
                     when 'ScheduleStart' then 'RunWorkflowTask' else t.kind end as job_name,
         case when t.kind in ('Bookmark', 'Trigger', 'Schedule', 'ScheduleStart') then 'Elsa.Scheduling'
              else 'Skein.Outbox' end as job_group,
         t.workflow_instance_id as description,
         epoch_millis(t.due_at) as next_fire_time, null::bigint as prev_fire_time, 5 as priority,
         case when t.due_at <= now.at + n.horizon then 'ACQUIRED' else 'WAITING' end as trigger_state,
         'SIMPLE'::text as trigger_type,
         epoch_millis(t.due_at) as start_time, null::bigint as end_time,
         null::text as calendar_name, 0 as misfire_instr, t.payload as job_data,
         n.name as instance_name
    from timers t
   cross join (select clock_timestamp() as at offset 0) now
    left join leases l
      on l.shards = (select shards from scheduler_nodes where expires_at > clock_timestamp()
                      order by checked_in_at desc limit 1)
     and l.shard = (hashtext(t.workflow_instance_id collate "C") & 2147483647) % l.shards
     and l.expires_at > now.at
    left join scheduler_nodes n on n.id = l.holder;

-- Timers that are due or loaded by the leader of their shard; none while there is no leader. The second
-- condition on due_at is the exact one; the first lets the index on due_at end the search.
create or replace view qrtz_fired_triggers as
  select 'Skein'::text as sched_name, t.id as entry_id, t.id as trigger_name,
         case when t.kind in ('Bookmark', 'Trigger', 'Schedule', 'ScheduleStart') then 'Elsa.Scheduling'
              else 'Skein.Outbox' end as trigger_group,
         n.name as instance_name, epoch_millis(t.due_at) as fired_time,
         epoch_millis(t.due_at) as sched_time, 5 as priority,
         case when t.due_at <= now.at then 'EXECUTING' else 'ACQUIRED' end as state,
         case t.kind when 'Bookmark' then 'ResumeWorkflowTask'
                     when 'Trigger' then 'RunWorkflowTask'
                     when 'Schedule' then 'RunWorkflowTask'
                     when 'ScheduleStart' then 'RunWorkflowTask' else t.kind end as job_name,
         case when t.kind in ('Bookmark', 'Trigger', 'Schedule', 'ScheduleStart') then 'Elsa.Scheduling'
              else 'Skein.Outbox' end as job_group,
         false as is_nonconcurrent, true as requests_recovery
    from timers t
   cross join (select clock_timestamp() as at offset 0) now
    join leases l
      on l.shards = (select shards from scheduler_nodes where expires_at > clock_timestamp()
                      order by checked_in_at desc limit 1)
     and l.shard = (hashtext(t.workflow_instance_id collate "C") & 2147483647) % l.shards
     and l.expires_at > now.at
    join scheduler_nodes n on n.id = l.holder
   where t.due_at <= (select clock_timestamp() + max(horizon) from scheduler_nodes
                       where expires_at > clock_timestamp())
     and t.due_at <= now.at + n.horizon;

-- Only in a database that this role owns, and only where no search path is set for it. The schema comes
-- last, so that every name that was found before still means the same.
do $$
begin
  if exists (
    select from pg_database d
     where d.datname = current_database() and d.datname <> 'postgres'
       and d.datdba = (select oid from pg_roles where rolname = current_user)
       and not exists (select from pg_db_role_setting s cross join unnest(s.setconfig) as setting
                        where s.setdatabase = d.oid and s.setrole = 0 and setting like 'search_path=%'))
  then
    execute format('alter database %I set search_path = "$user", public, %I',
                   current_database(), current_schema());
  end if;
end $$;
