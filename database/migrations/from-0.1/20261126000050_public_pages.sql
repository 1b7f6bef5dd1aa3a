alter table tenantry.clients
  drop constraint clients_environment_slug_key,
  add constraint clients_environment_slug_key unique (environment, slug) include (id, partner_id, billing_plan, status);

create table tenantry.past_invitations (
  token_hash bytea primary key,
  client_user_id uuid not null references tenantry.client_users (id) on delete cascade,
  withdrawn boolean not null
);

create index past_invitations_client_user_id on tenantry.past_invitations (client_user_id);

alter table tenantry.past_invitations enable row level security;
