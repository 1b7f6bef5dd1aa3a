-- Keys of tenants for model providers. A key that is replaced gets another row, so that what the provider said of the former one does not
-- apply to it. It is encrypted like the secrets of doors (workers/shared/doors/provider-key.ts).
create table tenantry.provider_keys (
  id uuid primary key default gen_random_uuid(),
  instance_id uuid not null references tenantry.instances (id) on delete cascade,
  provider text not null constraint provider_keys_provider_is_a_word check (provider ~ '^[a-z][a-z0-9-]{0,39}$'),
  -- Provider and key, encrypted.
  credentials bytea not null check (octet_length(credentials) between 33 and 65536),
  key_hint text not null check (length(key_hint) = 4),
  created_by text not null,
  created_at timestamptz not null default now(),
  -- When the tenant received the key.
  pushed_at timestamptz,
  last_used_at timestamptz,
  fault text check (fault in ('push_failed', 'rejected', 'quota_exceeded', 'rate_limited')),
  last_error text,
  last_error_at timestamptz,
  constraint provider_keys_instance_id_provider_key unique (instance_id, provider),
  check ((fault is null) = (last_error is null) and (fault is null) = (last_error_at is null))
);
alter table tenantry.provider_keys enable row level security;

-- Sends a tenant its keys.
alter table tenantry.jobs
  drop constraint jobs_kind_check,
  add constraint jobs_kind_check check (kind in (
    'provision', 'deprovision', 'change_plan', 'freeze', 'resume', 'assign_gateway', 'rotate_token', 'delete_client', 'invalidate',
    'final_backup', 'restore_backup', 'adopt_version', 'redeploy', 'push_channels', 'push_provider_keys'));
