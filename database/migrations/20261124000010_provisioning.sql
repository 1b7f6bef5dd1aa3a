-- migrate:up
-- Operations that run the engine: work of their own in the queue, bounded apart from mail and other short work, with the share that is done.

alter table tenantry.jobs
  -- Percent.
  add column progress smallint not null default 0 check (progress between 0 and 100);

alter table tenantry.jobs drop constraint jobs_kind_check;
alter table tenantry.jobs add constraint jobs_kind_check check (kind in (
  'provision', 'deprovision', 'change_plan', 'freeze', 'resume', 'assign_gateway', 'rotate_token', 'delete_client', 'invalidate',
  'final_backup'));

-- Raised by one, the gateway's token is made anew.
alter table tenantry.instances add column token_version integer not null default 1 check (token_version > 0);

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

-- The task that carries out jobs of a kind: those that run the engine are operations.
create function tenantry.task_of_job(p_kind text) returns text
language sql immutable
set search_path = pg_catalog
as $$
  select case
    when p_kind in ('provision', 'deprovision', 'change_plan', 'assign_gateway', 'rotate_token') then 'operation' else 'job' end
$$;
revoke all on function tenantry.task_of_job (text) from public;

create or replace function tenantry.job_queued() returns trigger
language plpgsql security definer
set search_path = pg_catalog
as $$
begin
  insert into tenantry.job_events (job_id, kind) values (new.id, 'queued');
  -- One at a time a tenant, in the order in which they were asked for.
  perform tenantry.enqueue(
    new.environment, tenantry.task_of_job(new.kind), jsonb_build_object('id', new.id), 'job:' || new.id,
    'tenant:' || new.slug);
  return null;
end
$$;

alter table tenantry.instances
  -- Pool entry that an instance has left and keeps a slot of, until it works with another: a move that fails goes back.
  add column held_pool_id uuid references tenantry.ai_gateways (id);
create index instances_held_pool_id on tenantry.instances (held_pool_id) where held_pool_id is not null;

create or replace function tenantry.check_ai_gateway_capacity() returns trigger
language plpgsql security definer
set search_path = pg_catalog
as $$
declare
  pool tenantry.ai_gateways;
  bound integer;
begin
  if tg_op = 'UPDATE' and new.ai_gateway_pool_id is not distinct from old.ai_gateway_pool_id
    and new.environment = old.environment then
    return new;
  end if;
  -- Back to what it never gave up.
  if tg_op = 'UPDATE' and new.ai_gateway_pool_id = old.held_pool_id then
    return new;
  end if;
  update tenantry.ai_gateways set max_instances = max_instances where id = new.ai_gateway_pool_id returning * into pool;
  select count(*) into bound from tenantry.instances
    where new.ai_gateway_pool_id in (ai_gateway_pool_id, held_pool_id) and id <> new.id;
  if not pool.enabled then
    raise exception 'AI gateway % is disabled; choose another', pool.gateway_id using errcode = 'TN001';
  end if;
  if pool.environment is not null and pool.environment <> new.environment then
    raise exception 'AI gateway % serves %, not %; choose another', pool.gateway_id, pool.environment, new.environment
      using errcode = 'TN001';
  end if;
  if bound >= pool.max_instances then
    raise exception 'no_ai_gateway_capacity: AI gateway % holds % of % instances; plan again or raise max_instances',
      pool.gateway_id, bound, pool.max_instances using errcode = 'TN002';
  end if;
  return new;
end
$$;

create or replace function tenantry.bound_instances(p_ai_gateway_id uuid) returns bigint
language sql stable security definer
set search_path = pg_catalog
as $$
  select count(*) from tenantry.instances i where p_ai_gateway_id in (i.ai_gateway_pool_id, i.held_pool_id) and tenantry.sees_all()
$$;

create or replace function tenantry.check_ai_gateway_holds_bound() returns trigger
language plpgsql security definer
set search_path = pg_catalog
as $$
declare
  bound integer;
  elsewhere integer;
begin
  if tenantry.caller_kind() = 'provisioner' then
    return null;
  end if;
  select count(*), count(*) filter (where i.environment <> new.environment) into bound, elsewhere
  from tenantry.instances i where new.id in (i.ai_gateway_pool_id, i.held_pool_id);
  if bound > new.max_instances then
    raise exception 'AI gateway % is bound by % instances; give it at least that many, or move some to another',
      new.gateway_id, bound using errcode = 'TN008';
  end if;
  if elsewhere > 0 then
    raise exception 'AI gateway % is bound by % instances of other environments than %; move them to another first',
      new.gateway_id, elsewhere, new.environment using errcode = 'TN008';
  end if;
  return null;
end
$$;

create or replace function tenantry.pool_entries()
returns table (id uuid, gateway_id text, environment text, enabled boolean, max_instances integer, bound bigint)
language sql stable security definer
set search_path = pg_catalog
as $$
  select g.id, g.gateway_id, g.environment, g.enabled, g.max_instances, count(i.id)
  from tenantry.ai_gateways g left join tenantry.instances i on g.id in (i.ai_gateway_pool_id, i.held_pool_id)
  group by g.id
  order by g.gateway_id
$$;

-- What the account that a platform is on holds of each limited thing, as it was counted last.
create table tenantry.account_capacity (
  environment text not null default tenantry.caller_environment()
    check (environment in ('production', 'staging', 'development')),
  kind text not null check (kind ~ '^[A-Za-z]+$'),
  used double precision not null check (used >= 0),
  most double precision not null check (most >= 0),
  counted_at timestamptz not null default now(),
  primary key (environment, kind)
);
alter table tenantry.account_capacity enable row level security;
create policy in_scope on tenantry.account_capacity using (
  environment = (select tenantry.caller_environment()) and (select tenantry.sees_all()));

-- migrate:down
drop table tenantry.account_capacity;
create or replace function tenantry.check_ai_gateway_capacity() returns trigger
language plpgsql security definer
set search_path = pg_catalog
as $$
declare
  pool tenantry.ai_gateways;
  bound integer;
begin
  if tg_op = 'UPDATE' and new.ai_gateway_pool_id is not distinct from old.ai_gateway_pool_id
    and new.environment = old.environment then
    return new;
  end if;
  update tenantry.ai_gateways set max_instances = max_instances where id = new.ai_gateway_pool_id returning * into pool;
  select count(*) into bound from tenantry.instances
    where ai_gateway_pool_id = new.ai_gateway_pool_id and id <> new.id;
  if not pool.enabled then
    raise exception 'AI gateway % is disabled; choose another', pool.gateway_id using errcode = 'TN001';
  end if;
  if pool.environment is not null and pool.environment <> new.environment then
    raise exception 'AI gateway % serves %, not %; choose another', pool.gateway_id, pool.environment, new.environment
      using errcode = 'TN001';
  end if;
  if bound >= pool.max_instances then
    raise exception 'no_ai_gateway_capacity: AI gateway % holds % of % instances; plan again or raise max_instances',
      pool.gateway_id, bound, pool.max_instances using errcode = 'TN002';
  end if;
  return new;
end
$$;
create or replace function tenantry.bound_instances(p_ai_gateway_id uuid) returns bigint
language sql stable security definer
set search_path = pg_catalog
as $$
  select count(*) from tenantry.instances i where i.ai_gateway_pool_id = p_ai_gateway_id and tenantry.sees_all()
$$;
create or replace function tenantry.check_ai_gateway_holds_bound() returns trigger
language plpgsql security definer
set search_path = pg_catalog
as $$
declare
  bound integer;
  elsewhere integer;
begin
  if tenantry.caller_kind() = 'provisioner' then
    return null;
  end if;
  select count(*), count(*) filter (where i.environment <> new.environment) into bound, elsewhere
  from tenantry.instances i where i.ai_gateway_pool_id = new.id;
  if bound > new.max_instances then
    raise exception 'AI gateway % is bound by % instances; give it at least that many, or move some to another',
      new.gateway_id, bound using errcode = 'TN008';
  end if;
  if elsewhere > 0 then
    raise exception 'AI gateway % is bound by % instances of other environments than %; move them to another first',
      new.gateway_id, elsewhere, new.environment using errcode = 'TN008';
  end if;
  return null;
end
$$;
create or replace function tenantry.pool_entries()
returns table (id uuid, gateway_id text, environment text, enabled boolean, max_instances integer, bound bigint)
language sql stable security definer
set search_path = pg_catalog
as $$
  select g.id, g.gateway_id, g.environment, g.enabled, g.max_instances, count(i.id)
  from tenantry.ai_gateways g left join tenantry.instances i on i.ai_gateway_pool_id = g.id
  group by g.id
  order by g.gateway_id
$$;
drop index tenantry.instances_held_pool_id;
alter table tenantry.instances drop column held_pool_id;
create or replace function tenantry.job_queued() returns trigger
language plpgsql security definer
set search_path = pg_catalog
as $$
begin
  insert into tenantry.job_events (job_id, kind) values (new.id, 'queued');
  perform tenantry.enqueue(
    new.environment, 'job', jsonb_build_object('id', new.id), 'job:' || new.id, 'tenant:' || new.slug);
  return null;
end
$$;
drop function tenantry.task_of_job;
create or replace function tenantry.enqueue(
  p_environment text, p_task text, p_payload jsonb, p_key text, p_queue text default null) returns void
language plpgsql security definer
set search_path = pg_catalog
as $$
declare
  queue_schema constant text := 'graphile_worker' || coalesce('_' || nullif(p_environment, 'production'), '');
begin
  if p_task not in ('job', 'mail', 'event', 'reconcile_members', 'reconcile_dashboard_users') then
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
alter table tenantry.jobs drop column progress;
alter table tenantry.instances drop column token_version;
delete from tenantry.jobs where kind = 'rotate_token';
alter table tenantry.jobs drop constraint jobs_kind_check;
alter table tenantry.jobs add constraint jobs_kind_check check (kind in (
  'provision', 'deprovision', 'change_plan', 'freeze', 'resume', 'assign_gateway', 'delete_client', 'invalidate', 'final_backup'));
