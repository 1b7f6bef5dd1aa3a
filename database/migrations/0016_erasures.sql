-- Erasures of clients that ADMINs or roots requested, and what their certificates state. They outlive the client.
create table tenantry.erasures (
  id uuid primary key default gen_random_uuid(),
  environment text not null default tenantry.caller_environment() check (environment in ('production', 'staging', 'development')),
  client_id uuid not null unique,
  partner_id uuid,
  slug text not null,
  name text not null,
  -- What the client had at Cloudflare; null without an instance.
  worker_name text,
  own_ai_gateway text,
  requested_by text not null check (length(requested_by) between 1 and 320),
  requested_at timestamptz not null default now(),
  -- Who gets the certificate.
  recipients text[] not null check (cardinality(recipients) between 1 and 1000),
  -- When the first object was deleted; from then on the client cannot be restored.
  began_at timestamptz,
  -- What the bucket held before; null without a bucket.
  bucket_objects bigint check (bucket_objects >= 0),
  bucket_bytes bigint check (bucket_bytes >= 0),
  -- By table.
  rows jsonb not null default '{}' check (jsonb_typeof(rows) = 'object'),
  erased_at timestamptz,
  constraint erasures_bucket_is_whole check ((bucket_objects is null) = (bucket_bytes is null))
);
create index erasures_requested_at on tenantry.erasures (requested_at desc, id desc);
alter table tenantry.erasures enable row level security;
