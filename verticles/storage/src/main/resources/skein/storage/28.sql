-- Version 28 of the schema: tenants.
-- Compatible with version 27.

-- Whose a row is; empty: of the default tenant, whose everything is where there are no others. It never changes.
-- All versions of a definition, its triggers, its schedules and its instances are of one tenant.
-- The instances first, as commits lock them before definitions.
alter table workflow_instances add column tenant_id text not null default '';
alter table workflow_definitions add column tenant_id text not null default '';
alter table triggers add column tenant_id text not null default '';
alter table schedules add column tenant_id text not null default '';
alter table alteration_plans add column tenant_id text not null default '';
alter table audit_log add column tenant_id text not null default '';
alter table identity_users add column tenant_id text not null default '';
alter table identity_applications add column tenant_id text not null default '';
-- Of somebody whom an OpenID provider has signed in; null: of before there were tenants, or a user.
alter table identity_sessions add column person_tenant text;
