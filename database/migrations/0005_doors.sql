-- Doors: public webhook endpoints of tenants. The key of a door is in its URL; only its hash is stored. The vendor's secrets are encrypted with
-- a key that the database does not have (workers/shared/doors/door-secrets.ts).
create table tenantry.doors (
  id uuid primary key default gen_random_uuid(),
  instance_id uuid not null references tenantry.instances (id) on delete cascade,
  kind text not null constraint doors_kind_is_a_word check (kind ~ '^[a-z][a-z0-9-]{0,39}$'),
  -- The gateway receives it as /hooks/{name}, where OpenClaw has two paths of its own.
  name text not null constraint doors_name_is_a_label check (
    name ~ '^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$' and (kind = 'openclaw' or name not in ('agent', 'wake'))),
  state text not null default 'active' check (state in ('active', 'disabled')),
  -- SHA-256.
  key_hash bytea not null check (octet_length(key_hash) = 32),
  key_hint text not null check (length(key_hint) = 4),
  -- The key before a rotation, valid until it expires.
  former_key_hash bytea check (octet_length(former_key_hash) = 32),
  former_key_until timestamptz,
  secrets bytea not null check (octet_length(secrets) between 33 and 65536),
  -- Names of the secrets that are set, for lists.
  secret_names text[] not null,
  former_secrets bytea check (octet_length(former_secrets) between 33 and 65536),
  former_until timestamptz,
  created_by text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- When its key or its secrets were last replaced.
  rotated_at timestamptz,
  last_used_at timestamptz,
  version integer not null default 1,
  constraint doors_key_hash_key unique (key_hash),
  constraint doors_former_key_hash_key unique (former_key_hash),
  constraint doors_instance_id_name_key unique (instance_id, name),
  check ((former_key_hash is null) = (former_key_until is null)),
  check ((former_secrets is null) = (former_until is null))
);
alter table tenantry.doors enable row level security;
