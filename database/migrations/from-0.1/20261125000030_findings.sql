create table tenantry.findings (
  environment text not null default tenantry.caller_environment()
    check (environment in ('production', 'staging', 'development')),
  kind text not null check (kind ~ '^[a-z_]+$'),
  identity text not null check (identity <> ''),
  first_seen timestamptz not null default now(),
  last_seen timestamptz not null default now() check (last_seen >= first_seen),
  primary key (environment, kind, identity)
);

alter table tenantry.findings enable row level security;
