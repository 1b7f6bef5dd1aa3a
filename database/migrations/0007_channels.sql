-- Channels: bots of messengers that are connected to a tenant. The vendor sends a channel's messages to its door. The bot's token is encrypted
-- like the secrets of doors (workers/shared/doors/door-secrets.ts).
create table tenantry.channels (
  id uuid primary key default gen_random_uuid(),
  environment text not null check (environment in ('production', 'staging', 'development')),
  instance_id uuid not null references tenantry.instances (id) on delete cascade,
  kind text not null constraint channels_kind_is_a_word check (kind ~ '^[a-z][a-z0-9-]{0,39}$'),
  door_id uuid not null,
  -- The vendor's ID and name of the bot.
  account_id text not null check (length(account_id) between 1 and 200),
  account_name text not null check (length(account_name) between 1 and 200),
  -- What the tenant gets: token, URL of the door, and the secret that the gateway registers at the vendor.
  credentials bytea not null check (octet_length(credentials) between 33 and 65536),
  created_by text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  token_replaced_at timestamptz,
  -- When the vendor last accepted the token.
  checked_at timestamptz not null default now(),
  -- When the tenant received the present credentials.
  pushed_at timestamptz,
  -- When the gateway was first known to have accepted a message.
  connected_at timestamptz,
  fault text check (fault in ('push_failed', 'token_rejected')),
  last_error text,
  version integer not null default 1,
  constraint channels_door_id_fkey foreign key (door_id) references tenantry.doors (id),
  constraint channels_door_id_key unique (door_id),
  constraint channels_instance_id_kind_key unique (instance_id, kind),
  constraint channels_environment_kind_account_id_key unique (environment, kind, account_id),
  check ((fault is null) = (last_error is null))
);
alter table tenantry.channels enable row level security;

-- Sends a tenant its channels.
alter table tenantry.jobs
  drop constraint jobs_kind_check,
  add constraint jobs_kind_check check (kind in (
    'provision', 'deprovision', 'change_plan', 'freeze', 'resume', 'assign_gateway', 'rotate_token', 'delete_client', 'invalidate',
    'final_backup', 'restore_backup', 'adopt_version', 'redeploy', 'push_channels'));
