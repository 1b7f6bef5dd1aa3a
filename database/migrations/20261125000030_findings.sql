-- migrate:up
-- What `npm run fleet -- doctor` has found, by what never changes of it: so that whoever looks, and wherever, knows since when it was seen, by
-- this server's clock alone.
create table tenantry.findings (
  environment text not null default tenantry.caller_environment()
    check (environment in ('production', 'staging', 'development')),
  -- What it was looked for as; looks that came to nothing of a kind end nothing of it.
  kind text not null check (kind ~ '^[a-z_]+$'),
  -- The vendor's id; of what has only a name, that and when it was made.
  identity text not null check (identity <> ''),
  first_seen timestamptz not null default now(),
  last_seen timestamptz not null default now() check (last_seen >= first_seen),
  primary key (environment, kind, identity)
);
alter table tenantry.findings enable row level security;
create policy in_scope on tenantry.findings using (
  environment = (select tenantry.caller_environment()) and (select tenantry.sees_all()));

-- migrate:down
drop table tenantry.findings;
