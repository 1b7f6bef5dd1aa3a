-- migrate:up
create table tenantry.partners (
  id uuid primary key default gen_random_uuid(),
  slug text not null unique,
  name text not null,
  -- Custom branding: views and logos.
  style jsonb not null default '{}',
  created_at timestamptz not null default now()
);

create table tenantry.clients (
  id uuid primary key default gen_random_uuid(),
  slug text not null unique,
  name text not null,
  -- Null for an internal client.
  partner_id uuid references tenantry.partners (id),
  billing_plan text not null check (billing_plan in ('free', 'basic', 'pro', 'enterprise')),
  status text not null default 'draft' check (status in ('draft', 'active', 'production')),
  created_at timestamptz not null default now(),
  -- The same rule as domain/slug.ts, kept where it cannot be passed by.
  constraint clients_slug_is_a_tenant_label check (
    length(slug) <= 59
    and slug collate "C" ~ '^[a-z0-9]([a-z0-9-]*[a-z0-9])?$'
    and slug not like 'xn--%'
    and slug not in ('dash', 'dev-dash')
    and slug not like '%-dev'
  )
);
create index clients_partner_id on tenantry.clients (partner_id);

create table tenantry.credit_pools (
  client_id uuid primary key references tenantry.clients (id) on delete cascade,
  -- Bounded, because NaN and infinity are no numbers in JSON.
  lifetime_purchased numeric not null default 0 check (lifetime_purchased between 0 and 1e15),
  lifetime_consumed numeric not null default 0 check (lifetime_consumed between 0 and 1e15)
);

-- migrate:down
drop table tenantry.credit_pools;
drop table tenantry.clients;
drop table tenantry.partners;
