-- migrate:up
-- What a job or its request changed beforehand is settled with its end, whoever ends it: a slot that a move kept is let go of, and a plan
-- that the Worker did not get is the client's no more.
create function tenantry.job_settled() returns trigger
language plpgsql security definer
set search_path = pg_catalog
as $$
begin
  if new.kind = 'assign_gateway' then
    update tenantry.instances i set held_pool_id = null where i.id = new.instance_id and i.held_pool_id is not null;
  elsif new.status <> 'succeeded' then
    update tenantry.clients c set billing_plan = new.payload ->> 'from'
    where c.id = new.client_id and c.billing_plan = new.payload ->> 'to';
  end if;
  return null;
end
$$;
create trigger settled after update of ended_at on tenantry.jobs
  for each row when (old.ended_at is null and new.ended_at is not null and new.kind in ('assign_gateway', 'change_plan'))
  execute function tenantry.job_settled();

-- Slots that moves of before have left behind.
alter table tenantry.instances disable trigger user;
update tenantry.instances i set held_pool_id = null
where i.held_pool_id is not null and not exists (
  select from tenantry.jobs j where j.instance_id = i.id and j.kind = 'assign_gateway' and j.ended_at is null);
alter table tenantry.instances enable trigger user;

-- Among the queue's work that may begin, what has a lower number goes first: people wait for what they asked for, and nobody for one tenant's
-- turn in a roll-out.
create function tenantry.priority_of_job(p_payload jsonb) returns integer
language sql immutable
set search_path = pg_catalog
as $$
  select case when p_payload ? 'rollout' then 10 else 0 end
$$;
revoke all on function tenantry.priority_of_job (jsonb) from public;

drop function tenantry.enqueue (text, text, jsonb, text, text);
create function tenantry.enqueue(
  p_environment text, p_task text, p_payload jsonb, p_key text, p_queue text default null, p_priority integer default 0) returns void
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
    'select %I.add_job(identifier => $1, payload => $2::json, job_key => $3, queue_name => $4, max_attempts => 12, priority => $5)',
    queue_schema)
  using p_task, p_payload, p_key, p_queue, p_priority;
end
$$;
revoke all on function tenantry.enqueue (text, text, jsonb, text, text, integer) from public;

create or replace function tenantry.job_queued() returns trigger
language plpgsql security definer
set search_path = pg_catalog
as $$
begin
  insert into tenantry.job_events (job_id, kind) values (new.id, 'queued');
  -- One at a time a tenant.
  perform tenantry.enqueue(
    new.environment, tenantry.task_of_job(new.kind), jsonb_build_object('id', new.id), 'job:' || new.id,
    'tenant:' || new.slug, tenantry.priority_of_job(new.payload));
  return null;
end
$$;

-- What is old is found without a look at the rest, and a tenant's jobs by its slug.
create index jobs_ended_at on tenantry.jobs (ended_at) where ended_at is not null;
create index jobs_slug on tenantry.jobs (slug, created_at desc);
create index mails_ended_at on tenantry.mails (ended_at) where ended_at is not null;
create index incidents_closed_at on tenantry.incidents (closed_at) where closed_at is not null;

-- migrate:down
drop index tenantry.incidents_closed_at;
drop index tenantry.mails_ended_at;
drop index tenantry.jobs_slug;
drop index tenantry.jobs_ended_at;
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
drop function tenantry.enqueue (text, text, jsonb, text, text, integer);
create function tenantry.enqueue(
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
  if p_task = 'reconcile_dashboard_users' and to_regnamespace(queue_schema) is null then
    return;
  end if;
  execute format(
    'select %I.add_job(identifier => $1, payload => $2::json, job_key => $3, queue_name => $4, max_attempts => 12)',
    queue_schema)
  using p_task, p_payload, p_key, p_queue;
end
$$;
revoke all on function tenantry.enqueue (text, text, jsonb, text, text) from public;
drop function tenantry.priority_of_job;
drop trigger settled on tenantry.jobs;
drop function tenantry.job_settled;
