-- migrate:up
-- The stack that has the row, as the URN of its resource: another stack that declares the same is refused. Null for what no stack has.
alter table tenantry.clients add column owner text;
alter table tenantry.partners add column owner text;
alter table tenantry.instances add column owner text;
alter table tenantry.ai_gateways add column owner text;
alter table tenantry.dashboard_users add column owner text;

-- migrate:down
alter table tenantry.dashboard_users drop column owner;
alter table tenantry.ai_gateways drop column owner;
alter table tenantry.instances drop column owner;
alter table tenantry.partners drop column owner;
alter table tenantry.clients drop column owner;
