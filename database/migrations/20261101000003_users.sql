-- migrate:up
create table tenantry.dashboard_users (
  id uuid primary key default gen_random_uuid(),
  email text not null unique check (email = lower(email)),
  name text not null default '',
  role text not null check (role in ('ROOT', 'PARTNER_ROOT')),
  -- The partner whose clients a partner root sees.
  partner_id uuid references tenantry.partners (id) on delete cascade,
  created_at timestamptz not null default now(),
  constraint dashboard_users_partner_root_has_partner check ((role = 'PARTNER_ROOT') = (partner_id is not null))
);

create table tenantry.client_users (
  id uuid primary key default gen_random_uuid(),
  client_id uuid not null references tenantry.clients (id) on delete cascade,
  email text not null check (email = lower(email)),
  name text not null default '',
  role text not null check (role in ('ADMIN', 'BASE_USER')),
  status text not null default 'invited' check (status in ('invited', 'validated', 'rejected')),
  validated_at timestamptz,
  cf_access_identity jsonb,
  -- SHA-256 of the invitation token; the token itself is not stored.
  token_hash bytea unique,
  token_expires_at timestamptz,
  created_at timestamptz not null default now(),
  unique (client_id, email),
  constraint client_users_validated_has_time check ((status = 'validated') = (validated_at is not null))
);

create table tenantry.client_user_instances (
  client_user_id uuid not null references tenantry.client_users (id) on delete cascade,
  instance_id uuid not null references tenantry.instances (id) on delete cascade,
  primary key (client_user_id, instance_id)
);
create index client_user_instances_instance_id on tenantry.client_user_instances (instance_id);

create table tenantry.client_subdivisions (
  id uuid primary key default gen_random_uuid(),
  client_id uuid not null references tenantry.clients (id) on delete cascade,
  name text not null,
  unique (client_id, name)
);

create table tenantry.client_user_subdivisions (
  client_user_id uuid not null references tenantry.client_users (id) on delete cascade,
  client_subdivision_id uuid not null references tenantry.client_subdivisions (id) on delete cascade,
  primary key (client_user_id, client_subdivision_id)
);
create index client_user_subdivisions_subdivision_id on tenantry.client_user_subdivisions (client_subdivision_id);

-- migrate:down
drop table tenantry.client_user_subdivisions;
drop table tenantry.client_subdivisions;
drop table tenantry.client_user_instances;
drop table tenantry.client_users;
drop table tenantry.dashboard_users;
