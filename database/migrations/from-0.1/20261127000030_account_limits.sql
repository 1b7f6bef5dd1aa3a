create table tenantry.account_limits (
  environment text primary key default tenantry.caller_environment()
    check (environment in ('production', 'staging', 'development')),
  limits jsonb not null,
  needs jsonb not null,
  containers jsonb not null,
  elsewhere text not null default ''
);

alter table tenantry.account_limits enable row level security;

alter table tenantry.account_capacity add column others double precision not null default 0 check (others >= 0);
