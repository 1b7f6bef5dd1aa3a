-- What containers may reach: a policy (domain/egress/policy-types.ts) of a partner and of a tenant; null states nothing.
alter table tenantry.partners
  add column egress jsonb constraint partners_egress_is_a_policy check (jsonb_typeof(egress) = 'object' and egress ? 'mode');

alter table tenantry.instances
  add column egress jsonb constraint instances_egress_is_a_policy check (jsonb_typeof(egress) = 'object' and egress ? 'mode'),
  -- What the tenant received last; null for nothing. It needs a push while this differs from `tenantry.wanted_egress`.
  add column egress_revision uuid,
  add column egress_pushed_at timestamptz,
  add column egress_fault text constraint instances_egress_fault_check check (egress_fault in ('push_failed')),
  add column egress_last_error text,
  add constraint instances_egress_fault_has_error check ((egress_fault is null) = (egress_last_error is null));

-- Secrets that a tenant's Worker adds to requests for a host, so that the container does not hold them. A secret that is replaced gets another row. It
-- is encrypted like the secrets of doors (workers/shared/doors/egress-secret.ts).
create table tenantry.egress_secrets (
  id uuid primary key default gen_random_uuid(),
  instance_id uuid not null references tenantry.instances (id) on delete cascade,
  name text not null constraint egress_secrets_name_check check (length(name) between 1 and 80),
  host text not null check (host = lower(host) and length(host) between 1 and 253),
  header text not null check (header = lower(header) and length(header) between 1 and 80),
  -- Name, host, header, prefix and value, encrypted.
  credentials bytea not null check (octet_length(credentials) between 33 and 65536),
  created_by text not null,
  created_at timestamptz not null default now(),
  constraint egress_secrets_instance_id_name_key unique (instance_id, name),
  constraint egress_secrets_instance_id_host_header_key unique (instance_id, host, header)
);
alter table tenantry.egress_secrets enable row level security;

-- Sends a tenant its policies and secrets.
alter table tenantry.jobs
  drop constraint jobs_kind_check,
  add constraint jobs_kind_check check (kind in (
    'provision', 'deprovision', 'change_plan', 'freeze', 'resume', 'assign_gateway', 'rotate_token', 'delete_client', 'invalidate',
    'final_backup', 'restore_backup', 'adopt_version', 'redeploy', 'push_channels', 'push_provider_keys', 'push_egress'));
