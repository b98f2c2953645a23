-- Version 29 of the schema: lists of a tenant are read by indexes.
-- Compatible with version 28.
-- Outside transactions: indexes are built while commits go on. Each statement is one of its own, and
-- all are repeated when one fails, unless what they make is there.

-- Of a user task of a tenant; null: of no task, or of the default tenant's.
-- Unless there: bookmarks.task_tenant
alter table bookmarks add column if not exists task_tenant text;

-- All columns are those that never change, so that updates need no new entries. Where there are no
-- tenants the indexes are empty. An index whose build was interrupted is there, and not valid.
-- Unless valid: workflow_instances_tenant (tenant_id, created_at)
drop index concurrently if exists workflow_instances_tenant;
-- Unless valid: workflow_instances_tenant (tenant_id, created_at)
create index concurrently workflow_instances_tenant on workflow_instances (tenant_id, created_at)
  where tenant_id <> '';
-- Unless valid: schedules_tenant (tenant_id, id)
drop index concurrently if exists schedules_tenant;
-- Unless valid: schedules_tenant (tenant_id, id)
create index concurrently schedules_tenant on schedules (tenant_id, id) where tenant_id <> '';
-- Unless valid: bookmarks_tasks_tenant (task_tenant, created_at, id)
drop index concurrently if exists bookmarks_tasks_tenant;
-- Unless valid: bookmarks_tasks_tenant (task_tenant, created_at, id)
create index concurrently bookmarks_tasks_tenant on bookmarks (task_tenant, created_at, id)
  where task_tenant is not null;
