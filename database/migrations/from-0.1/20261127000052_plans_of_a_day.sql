alter table tenantry.client_plans
  add column also text[] not null default '{}';
