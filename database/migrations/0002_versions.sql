-- The version of the schema. Every environment that shares the database shares this row.
create table tenantry.schema_version (
  singleton boolean primary key default true check (singleton),
  version text not null check (version ~ '^\d+\.\d+\.\d+$'),
  -- The oldest version whose code works with this schema.
  compatible_from text not null check (compatible_from ~ '^\d+\.\d+\.\d+$'),
  applied_at timestamptz not null default now()
);
alter table tenantry.schema_version enable row level security;

-- The version that each environment's platform runs. Its stack writes the row once the Workers are deployed.
create table tenantry.platform_versions (
  environment text primary key default tenantry.caller_environment()
    check (environment in ('production', 'staging', 'development')),
  version text not null check (version ~ '^\d+\.\d+\.\d+$'),
  -- URN of the stack's resource.
  owner text,
  deployed_at timestamptz not null default now()
);
alter table tenantry.platform_versions enable row level security;
