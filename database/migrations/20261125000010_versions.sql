-- migrate:up
-- Which image and which Worker a tenant runs: what there is, what is wanted of each, what each reports, and how a new one is rolled out.

-- Images of the gateway's container that tenants may run, by digest: a name alone may mean another image tomorrow.
create table tenantry.images (
  id uuid primary key default gen_random_uuid(),
  environment text not null default tenantry.caller_environment()
    check (environment in ('production', 'staging', 'development')),
  reference text not null check (reference ~ '^[^\s@]+@sha256:[0-9a-f]{64}$'),
  -- The gateway that it has, as the image itself tells it to tenants.
  gateway text not null check (gateway <> ''),
  gateway_version text not null check (gateway_version <> ''),
  note text not null default '',
  -- What new tenants get.
  is_default boolean not null default false,
  -- From then on no tenant gets it any more.
  withdrawn_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  unique (environment, reference),
  constraint images_default_is_not_withdrawn check (not (is_default and withdrawn_at is not null))
);
create unique index images_default on tenantry.images (environment) where is_default;

-- Bundles of the tenants' Worker, kept by the automation service as each release of it brings them.
create table tenantry.worker_bundles (
  id uuid primary key default gen_random_uuid(),
  environment text not null default tenantry.caller_environment()
    check (environment in ('production', 'staging', 'development')),
  content_hash text not null check (content_hash ~ '^[0-9a-f]{64}$'),
  -- Version of the package that it came with.
  release text not null,
  -- JSON of the bundle with its modules, compressed (`automation/catalogue/bundles.ts`).
  content bytea not null,
  is_default boolean not null default false,
  withdrawn_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  unique (environment, content_hash),
  constraint worker_bundles_default_is_not_withdrawn check (not (is_default and withdrawn_at is not null))
);
create unique index worker_bundles_default on tenantry.worker_bundles (environment) where is_default;

alter table tenantry.instances
  -- What it is wanted to run. Null: the platform's image, the Worker of whoever deploys it.
  add column image_id uuid references tenantry.images (id),
  add column bundle_id uuid references tenantry.worker_bundles (id),
  -- Whether roll-outs pass it by.
  add column is_pinned boolean not null default false,
  -- What its Worker and its container last told of themselves.
  add column reported_gateway text,
  add column reported_gateway_version text,
  add column reported_bundle text,
  add column reported_at timestamptz;
create index instances_image_id on tenantry.instances (image_id) where image_id is not null;
create index instances_bundle_id on tenantry.instances (bundle_id) where bundle_id is not null;

-- When a client's tenant may be interrupted by what is not urgent: from a time of day on some days of the week, in its own time zone.
alter table tenantry.clients
  add column is_canary boolean not null default false,
  -- ISO days of the week, 1 for Monday.
  add column maintenance_days smallint[] check (
    maintenance_days <@ array[1, 2, 3, 4, 5, 6, 7]::smallint[] and cardinality(maintenance_days) > 0),
  add column maintenance_start time check (maintenance_start = date_trunc('minute', maintenance_start)),
  add column maintenance_hours smallint check (maintenance_hours between 1 and 24),
  add column maintenance_zone text,
  add constraint clients_maintenance_is_whole check (
    num_nulls(maintenance_days, maintenance_start, maintenance_hours, maintenance_zone) in (0, 4));

-- A way from one version to another, wave after wave.
create table tenantry.rollouts (
  id uuid primary key default gen_random_uuid(),
  environment text not null default tenantry.caller_environment()
    check (environment in ('production', 'staging', 'development')),
  image_id uuid references tenantry.images (id),
  bundle_id uuid references tenantry.worker_bundles (id),
  -- Percent of the tenants that have it after each wave; the canaries come before.
  waves smallint[] not null check (cardinality(waves) between 1 and 20 and waves[cardinality(waves)] = 100),
  -- For how long a wave has to stay healthy before the next begins, in minutes.
  soak_minutes integer not null check (soak_minutes between 0 and 10080),
  -- For how long a tenant's people know before it is interrupted, in hours.
  notice_hours integer not null check (notice_hours between 0 and 336),
  -- Urgent ones wait for no notice and no maintenance window.
  is_urgent boolean not null default false,
  status text not null default 'running'
    check (status in ('running', 'paused', 'rolling_back', 'succeeded', 'failed', 'stopped', 'rolled_back')),
  -- The one under way; 0 are the canaries.
  wave smallint not null default 0,
  -- Why it stopped or failed, and what to do.
  cause text,
  requested_by text not null,
  -- What new tenants got before, for when it is rolled back.
  former_image_id uuid references tenantry.images (id),
  former_bundle_id uuid references tenantry.worker_bundles (id),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  ended_at timestamptz,
  version integer not null default 1,
  constraint rollouts_of_something check (num_nonnulls(image_id, bundle_id) > 0),
  constraint rollouts_ended check ((status in ('succeeded', 'failed', 'stopped', 'rolled_back')) = (ended_at is not null))
);
-- One at a time.
create unique index rollouts_open on tenantry.rollouts (environment) where ended_at is null;
create index rollouts_list on tenantry.rollouts (environment, created_at desc, id);

create table tenantry.rollout_tenants (
  rollout_id uuid not null references tenantry.rollouts (id) on delete cascade,
  instance_id uuid not null references tenantry.instances (id) on delete cascade,
  wave smallint not null check (wave >= 0),
  status text not null default 'waiting'
    check (status in ('waiting', 'announced', 'changing', 'done', 'failed', 'going_back', 'gone_back', 'stuck', 'skipped')),
  -- What it ran before, to go back to.
  from_image_id uuid references tenantry.images (id),
  from_bundle_id uuid references tenantry.worker_bundles (id),
  -- The backup of its state of before.
  backup_id text,
  -- From when on it may be changed.
  not_before timestamptz,
  changed_at timestamptz,
  job_id uuid references tenantry.jobs (id) on delete set null,
  cause text,
  primary key (rollout_id, instance_id)
);
create index rollout_tenants_instance_id on tenantry.rollout_tenants (instance_id);
create index rollout_tenants_job_id on tenantry.rollout_tenants (job_id) where job_id is not null;

create trigger next_version before update on tenantry.images for each row execute function tenantry.next_version();
create trigger next_version before update on tenantry.worker_bundles for each row execute function tenantry.next_version();
create trigger next_version before update on tenantry.rollouts for each row execute function tenantry.next_version();

alter table tenantry.images enable row level security;
create policy in_scope on tenantry.images using (
  environment = (select tenantry.caller_environment()) and (select tenantry.sees_all()));
alter table tenantry.worker_bundles enable row level security;
create policy in_scope on tenantry.worker_bundles using (
  environment = (select tenantry.caller_environment()) and (select tenantry.sees_all()));
alter table tenantry.rollouts enable row level security;
create policy in_scope on tenantry.rollouts using (
  environment = (select tenantry.caller_environment()) and (select tenantry.sees_all()));
alter table tenantry.rollout_tenants enable row level security;
create policy in_scope on tenantry.rollout_tenants using (
  exists (select from tenantry.rollouts r where r.id = rollout_id));

-- An image that a tenant of a partner root runs is told with the tenant; the catalogue itself is the platform roots'.
create policy of_own_tenants on tenantry.images for select using (
  exists (select from tenantry.instances i where i.image_id = images.id));

-- What any root may know of the catalogue of Workers, and of when a tenant that it sees is changed.
create function tenantry.bundle_names() returns table (id uuid, content_hash text, release text)
language sql stable security definer
set search_path = pg_catalog
as $$
  select b.id, b.content_hash, b.release from tenantry.worker_bundles b where b.environment = tenantry.caller_environment()
$$;
revoke all on function tenantry.bundle_names() from public;
create function tenantry.planned_change(p_instance_id uuid) returns table (rollout_id uuid, not_before timestamptz)
language sql stable security definer
set search_path = pg_catalog
as $$
  select t.rollout_id, t.not_before
  from tenantry.rollout_tenants t join tenantry.rollouts r on r.id = t.rollout_id
  join tenantry.instances i on i.id = t.instance_id join tenantry.clients c on c.id = i.client_id
  where t.instance_id = p_instance_id and t.status = 'announced' and r.ended_at is null
    and c.environment = tenantry.caller_environment()
    and (tenantry.sees_all() or c.partner_id = tenantry.caller_partner())
$$;
revoke all on function tenantry.planned_change (uuid) from public;

create function tenantry.content_stays() returns trigger
language plpgsql
set search_path = pg_catalog
as $$
begin
  new.content := old.content;
  return new;
end
$$;
-- A bundle's bytes are what its hash says for ever.
create trigger content_stays before update on tenantry.worker_bundles
  for each row execute function tenantry.content_stays();

create trigger audit after insert or update or delete on tenantry.images for each row execute function tenantry.audit();
create trigger audit after insert or update or delete on tenantry.rollouts for each row execute function tenantry.audit();

-- What a roll-out does next is worked out whenever it has changed, or a tenant's change has ended; and each minute.
create or replace function tenantry.enqueue(
  p_environment text, p_task text, p_payload jsonb, p_key text, p_queue text default null) returns void
language plpgsql security definer
set search_path = pg_catalog
as $$
declare
  queue_schema constant text := 'graphile_worker' || coalesce('_' || nullif(p_environment, 'production'), '');
begin
  if p_task not in ('job', 'operation', 'mail', 'event', 'reconcile_members', 'reconcile_dashboard_users', 'rollouts') then
    raise exception 'there is no task %', p_task using errcode = 'TN006';
  end if;
  -- An environment whose platform was deployed by an earlier release has no queue yet: who is made there waits for the first sweep.
  if p_task = 'reconcile_dashboard_users' and to_regnamespace(queue_schema) is null then
    return;
  end if;
  execute format(
    'select %I.add_job(identifier => $1, payload => $2::json, job_key => $3, queue_name => $4, max_attempts => 12)',
    queue_schema)
  using p_task, p_payload, p_key, p_queue;
end
$$;

create function tenantry.rollout_changed() returns trigger
language plpgsql security definer
set search_path = pg_catalog
as $$
begin
  perform tenantry.enqueue(new.environment, 'rollouts', '{}', 'rollouts', 'rollouts');
  return null;
end
$$;
create trigger rollout_changed after insert or update of status, wave on tenantry.rollouts
  for each row execute function tenantry.rollout_changed();

create trigger version_adopted after update of ended_at on tenantry.jobs
  for each row when (new.kind = 'adopt_version' and new.ended_at is not null) execute function tenantry.rollout_changed();

alter table tenantry.jobs drop constraint jobs_kind_check;
alter table tenantry.jobs add constraint jobs_kind_check check (kind in (
  'provision', 'deprovision', 'change_plan', 'freeze', 'resume', 'assign_gateway', 'rotate_token', 'delete_client', 'invalidate',
  'final_backup', 'restore_backup', 'adopt_version'));

create or replace function tenantry.task_of_job(p_kind text) returns text
language sql immutable
set search_path = pg_catalog
as $$
  select case
    when p_kind in ('provision', 'deprovision', 'change_plan', 'assign_gateway', 'rotate_token', 'adopt_version') then 'operation'
    else 'job' end
$$;

-- migrate:down
create or replace function tenantry.task_of_job(p_kind text) returns text
language sql immutable
set search_path = pg_catalog
as $$
  select case
    when p_kind in ('provision', 'deprovision', 'change_plan', 'assign_gateway', 'rotate_token') then 'operation' else 'job' end
$$;
drop table tenantry.rollout_tenants;
drop table tenantry.rollouts;
drop trigger version_adopted on tenantry.jobs;
drop function tenantry.rollout_changed;
delete from tenantry.jobs where kind = 'adopt_version';
alter table tenantry.jobs drop constraint jobs_kind_check;
alter table tenantry.jobs add constraint jobs_kind_check check (kind in (
  'provision', 'deprovision', 'change_plan', 'freeze', 'resume', 'assign_gateway', 'rotate_token', 'delete_client', 'invalidate',
  'final_backup', 'restore_backup'));
create or replace function tenantry.enqueue(
  p_environment text, p_task text, p_payload jsonb, p_key text, p_queue text default null) returns void
language plpgsql security definer
set search_path = pg_catalog
as $$
declare
  queue_schema constant text := 'graphile_worker' || coalesce('_' || nullif(p_environment, 'production'), '');
begin
  if p_task not in ('job', 'operation', 'mail', 'event', 'reconcile_members', 'reconcile_dashboard_users') then
    raise exception 'there is no task %', p_task using errcode = 'TN006';
  end if;
  if p_task = 'reconcile_dashboard_users' and to_regnamespace(queue_schema) is null then
    return;
  end if;
  execute format(
    'select %I.add_job(identifier => $1, payload => $2::json, job_key => $3, queue_name => $4, max_attempts => 12)',
    queue_schema)
  using p_task, p_payload, p_key, p_queue;
end
$$;
drop policy of_own_tenants on tenantry.images;
alter table tenantry.clients drop constraint clients_maintenance_is_whole;
alter table tenantry.clients drop column maintenance_zone, drop column maintenance_hours, drop column maintenance_start,
  drop column maintenance_days, drop column is_canary;
alter table tenantry.instances drop column reported_at, drop column reported_bundle, drop column reported_gateway_version,
  drop column reported_gateway, drop column is_pinned, drop column bundle_id, drop column image_id;
drop table tenantry.worker_bundles;
drop function tenantry.content_stays;
drop function tenantry.planned_change;
drop function tenantry.bundle_names;
drop table tenantry.images;
