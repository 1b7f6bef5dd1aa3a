-- Restores of the database from a dump, or by the server's own backups. Each environment has a row of its own until its operator has finished the
-- procedure that follows a restore (docs/how-to/restore-the-database.md).
create table tenantry.restores (
  environment text not null check (environment in ('production', 'staging', 'development')),
  restored_at timestamptz not null default now(),
  -- What was written between this time and `restored_at` is lost.
  dumped_at timestamptz not null,
  finished_at timestamptz,
  primary key (environment, restored_at)
);
alter table tenantry.restores enable row level security;
