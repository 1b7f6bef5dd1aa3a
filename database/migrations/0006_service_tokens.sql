-- Service tokens of Access that belong to a user of a client: a program or device that acts for the user. Access has the secret; it is stored
-- nowhere here.
create table tenantry.service_tokens (
  id uuid primary key default gen_random_uuid(),
  environment text not null check (environment in ('production', 'staging', 'development')),
  client_id uuid not null references tenantry.clients (id) on delete cascade,
  client_user_id uuid not null references tenantry.client_users (id) on delete cascade,
  name text not null check (length(name) between 1 and 100),
  role text not null check (role in ('ADMIN', 'BASE_USER')),
  -- Address of the dashboard's user who created it.
  created_by text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  last_used_at timestamptz,
  -- Ids at Access: of the token, and the client id that its requests send.
  access_token_id text not null,
  access_client_id text not null check (access_client_id = lower(access_client_id) and strpos(access_client_id, '@') = 0),
  constraint service_tokens_access_token_id_key unique (access_token_id),
  constraint service_tokens_access_client_id_key unique (access_client_id),
  constraint service_tokens_client_user_id_name_key unique (client_user_id, name)
);
create index service_tokens_client_id on tenantry.service_tokens (client_id, created_at desc, id desc);
alter table tenantry.service_tokens enable row level security;

-- Tokens that were revoked, or whose user was deleted. Logins of Access outlive a token, so these are refused until the last one has expired.
create table tenantry.ended_service_tokens (
  access_client_id text primary key,
  access_token_id text not null,
  environment text not null check (environment in ('production', 'staging', 'development')),
  ended_at timestamptz not null default now()
);
alter table tenantry.ended_service_tokens enable row level security;
