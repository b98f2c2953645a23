-- Version 28 of the schema: tenants.
-- Compatible with version 27.

-- Whose a row is; empty: of the default tenant, whose everything is where there are no others. It never changes.
-- All versions of a definition, its triggers, its schedules and its instances are of one tenant.
alter table workflow_definitions add column tenant_id text not null default '';
alter table triggers add column tenant_id text not null default '';
alter table schedules add column tenant_id text not null default '';
alter table workflow_instances add column tenant_id text not null default '';
alter table alteration_plans add column tenant_id text not null default '';
alter table audit_log add column tenant_id text not null default '';
alter table identity_users add column tenant_id text not null default '';
alter table identity_applications add column tenant_id text not null default '';
-- Of somebody whom an OpenID provider has signed in; null: of before there were tenants, or a user.
alter table identity_sessions add column person_tenant text;

-- Without tenants nothing is in these, so that no commit pays for them.
create index workflow_instances_tenant on workflow_instances (tenant_id, created_at) where tenant_id <> '';
create index audit_log_tenant on audit_log (tenant_id, at) where tenant_id <> '';
