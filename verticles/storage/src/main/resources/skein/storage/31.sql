-- Version 31 of the schema: rows that nodes of version 28 wrote for tenants say whose they are.
-- Compatible with version 30.
-- Outside transactions: commits wait for one statement at most, and each may be repeated.

-- Nodes of version 28 know tenants, and write user tasks and messages on their way without them. No
-- node of version 28 is running: version 30 of the schema, which precedes this one, is compatible
-- with nodes of version 29 and newer only. Those write the tenant, so this is done once.

-- The lists of a tenant's tasks look for it.
update bookmarks b
   set task_tenant = i.tenant_id
  from workflow_instances i
 where i.id = b.workflow_instance_id and i.tenant_id <> ''
   and b.name = 'Skein.UserTask' and b.task_tenant is null;

-- News of a child: the tenant of the child, or of the parent of one that never began. Starts by an
-- event or a schedule: the tenant of the definition's version, or of the schedule. A payload is an
-- object with members that are neither read nor changed here. Where they are encrypted with a tenant
-- among them, that one counts.
with owned as (
  select t.id,
         case t.kind
           when 'ChildDone' then coalesce(
             (select c.tenant_id from workflow_instances c where c.id = substr(t.id, 6)),
             (select p.tenant_id from workflow_instances p where p.id = t.workflow_instance_id))
           when 'Trigger' then
             (select d.tenant_id from workflow_definitions d where d.id = t.payload ->> 'versionId')
           else
             (select s.tenant_id from schedules s where s.id = t.payload ->> 'scheduleId')
         end as tenant
    from timers t
   where t.kind in ('ChildDone', 'Trigger', 'ScheduleStart') and t.payload ->> 'tenant' is null
)
update timers t
   set payload = ('{"tenant":' || to_json(o.tenant)::text || ',' || substr(t.payload::text, 2))::json
  from owned o
 where o.id = t.id and o.tenant <> '';
