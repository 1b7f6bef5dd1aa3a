create or replace function tenantry.mail_queued() returns trigger language plpgsql security definer set search_path = pg_catalog as $$
begin
  perform tenantry.enqueue(new.environment, 'mail', jsonb_build_object('id', new.id), 'mail:' || new.id);
  return null;
end
$$;

create or replace trigger mail_queued after insert on tenantry.mails for each row execute function tenantry.mail_queued();

create or replace function tenantry.task_of_job(p_kind text) returns text language sql immutable set search_path = pg_catalog as $$
  select case
    when p_kind in ('provision', 'deprovision', 'change_plan', 'assign_gateway', 'rotate_token', 'adopt_version', 'redeploy') then 'operation'
    else 'job' end
$$;
revoke all on function tenantry.task_of_job (text) from public;

-- Settles what a job or its request changed in advance when the job ends: it releases the slot that a move held, and restores the plan if the
-- Worker did not get the new one.
create or replace function tenantry.job_settled() returns trigger language plpgsql security definer set search_path = pg_catalog as $$
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

create or replace trigger settled after update of ended_at on tenantry.jobs
  for each row when (old.ended_at is null and new.ended_at is not null and new.kind in ('assign_gateway', 'change_plan'))
  execute function tenantry.job_settled();

-- Jobs with a lower number run first: people wait for what they requested, but not for one tenant's turn in a rollout or in the rotation of a secret.
create or replace function tenantry.priority_of_job(p_payload jsonb) returns integer
language sql immutable set search_path = pg_catalog as $$
  select case when p_payload ?| array['rollout', 'background'] then 10 else 0 end
$$;
revoke all on function tenantry.priority_of_job (jsonb) from public;

create or replace function tenantry.enqueue(
  p_environment text, p_task text, p_payload jsonb, p_key text, p_queue text default null, p_priority integer default 0,
  p_run_at timestamptz default null) returns void
language plpgsql security definer set search_path = pg_catalog as $$
declare
  queue_schema constant text := 'graphile_worker' || coalesce('_' || nullif(p_environment, 'production'), '');
begin
  if p_task not in ('job', 'operation', 'mail', 'event', 'reconcile_members', 'reconcile_dashboard_users', 'rollouts',
      'notification', 'notification_webhook') then
    raise exception 'unknown task %', p_task using errcode = 'TN006';
  end if;
  -- An environment that an earlier version deployed has no queue yet. Its new users and notifications wait for the first sweep.
  if p_task in ('reconcile_dashboard_users', 'notification') and to_regnamespace(queue_schema) is null then
    return;
  end if;
  execute format(
    'select %I.add_job(identifier => $1, payload => $2::json, job_key => $3, queue_name => $4, max_attempts => 12, priority => $5, run_at => $6)',
    queue_schema)
  using p_task, p_payload, p_key, p_queue, p_priority, p_run_at;
end
$$;
revoke all on function tenantry.enqueue (text, text, jsonb, text, text, integer, timestamptz) from public;

create or replace function tenantry.enqueue_job(p_job tenantry.jobs) returns void
language sql security definer set search_path = pg_catalog as $$
  select tenantry.enqueue(
    p_job.environment, tenantry.task_of_job(p_job.kind), jsonb_build_object('id', p_job.id), 'job:' || p_job.id,
    'tenant:' || p_job.slug, tenantry.priority_of_job(p_job.payload), p_job.not_before)
$$;
revoke all on function tenantry.enqueue_job (tenantry.jobs) from public;

create or replace function tenantry.job_queued() returns trigger language plpgsql security definer set search_path = pg_catalog as $$
begin
  insert into tenantry.job_events (job_id, kind) values (new.id, 'queued');
  perform tenantry.enqueue_job(new);
  return null;
end
$$;

create or replace trigger job_queued after insert on tenantry.jobs for each row execute function tenantry.job_queued();

-- Callers may cancel jobs of the kinds that they may request (`jobRequesters` in workers/contracts/api/jobs.ts). Jobs of a rollout are cancelled
-- through the rollout only, which would otherwise skip the tenant. An ADMIN cancels what an ADMIN of the client requested.
create or replace function tenantry.cancel_job(p_id uuid) returns boolean
language plpgsql security definer set search_path = pg_catalog as $$
declare
  who constant text := tenantry.acting_person();
begin
  update tenantry.jobs j set status = 'cancelled', ended_at = now(), cause = format('Cancelled by %s.', who)
  where j.id = p_id and j.status = 'queued' and j.environment = tenantry.caller_environment()
    and j.kind not in ('final_backup', 'delete_client', 'redeploy') and not (j.payload ? 'rollout')
    and (tenantry.sees_all() or (
      j.kind not in ('assign_gateway', 'adopt_version')
      and exists (select from tenantry.clients c where c.id = j.client_id and c.partner_id = tenantry.caller_partner()))
      or j.kind in ('adopt_version', 'change_plan', 'restore_backup') and j.client_id = tenantry.caller_client()
      and exists (
        select from tenantry.client_users u where u.client_id = j.client_id and u.role = 'ADMIN' and u.email = j.requested_by));
  if not found then
    return false;
  end if;
  insert into tenantry.job_events (job_id, kind, message) values (p_id, 'cancelled', format('By %s.', who));
  return true;
end
$$;
revoke all on function tenantry.cancel_job (uuid) from public;

create policy in_scope on tenantry.job_events using (exists (select from tenantry.jobs j where j.id = job_id));
create policy in_scope on tenantry.mails using (environment = (select tenantry.caller_environment())
  and ((select tenantry.sees_all()) or exists (select from tenantry.clients c where c.id = client_id)));
create policy in_scope on tenantry.mail_attempts using (exists (select from tenantry.mails m where m.id = mail_id));
create policy in_scope on tenantry.jobs using (environment = (select tenantry.caller_environment())
  and ((select tenantry.sees_all()) or client_id = any ((select tenantry.caller_clients())::uuid[])));
