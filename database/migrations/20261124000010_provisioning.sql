-- migrate:up
-- Operations that run the engine: work of their own in the queue, bounded apart from mail and other short work, with the share that is done.

alter table tenantry.jobs
  -- Percent.
  add column progress smallint not null default 0 check (progress between 0 and 100);

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
  select case when p_kind in ('provision', 'deprovision', 'change_plan', 'assign_gateway') then 'operation' else 'job' end
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

-- migrate:down
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
