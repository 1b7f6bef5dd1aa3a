-- migrate:up
-- Long work, mail and news: written with the rows that they are about, in one transaction, and carried out by the automation service.

-- What the service's queue is given. It has a schema of its own an environment, which the same run installs (`database/work/queue.ts`).
-- Whoever may call this may only name the platform's own tasks.
create function tenantry.enqueue(
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
revoke all on function tenantry.enqueue (text, text, jsonb, text, text) from public;

-- An operation on an instance, from its request to its end.
create table tenantry.jobs (
  id uuid primary key default gen_random_uuid(),
  environment text not null default tenantry.caller_environment()
    check (environment in ('production', 'staging', 'development')),
  kind text not null check (kind in (
    'provision', 'deprovision', 'change_plan', 'freeze', 'resume', 'assign_gateway', 'delete_client', 'invalidate')),
  client_id uuid references tenantry.clients (id) on delete set null,
  instance_id uuid references tenantry.instances (id) on delete set null,
  -- What it is about, for when that is gone.
  slug text not null,
  -- Generation of the instance that the work is for.
  generation bigint,
  status text not null default 'queued' check (status in ('queued', 'running', 'succeeded', 'failed', 'cancelled')),
  payload jsonb not null default '{}',
  -- Why it failed, and what to do.
  cause text,
  attempts integer not null default 0 check (attempts >= 0),
  requested_by text not null,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  ended_at timestamptz,
  -- Until when it may be under way.
  deadline timestamptz not null default now() + interval '1 hour',
  constraint jobs_ended check ((status in ('succeeded', 'failed', 'cancelled')) = (ended_at is not null))
);
create index jobs_list on tenantry.jobs (environment, created_at desc, id);
create index jobs_client_id on tenantry.jobs (client_id, created_at desc);
create index jobs_instance_id on tenantry.jobs (instance_id, created_at desc);
create index jobs_open on tenantry.jobs (deadline) where ended_at is null;
alter table tenantry.jobs enable row level security;
create policy in_scope on tenantry.jobs using (
  environment = (select tenantry.caller_environment())
  and ((select tenantry.sees_all()) or exists (select from tenantry.clients c where c.id = client_id)));

create table tenantry.job_events (
  id bigint generated always as identity primary key,
  job_id uuid not null references tenantry.jobs (id) on delete cascade,
  at timestamptz not null default now(),
  -- `queued`, `started`, `step`, `failed`, `succeeded`, …
  kind text not null,
  message text not null default '',
  data jsonb not null default '{}'
);
create index job_events_job_id on tenantry.job_events (job_id, id);
alter table tenantry.job_events enable row level security;
create policy in_scope on tenantry.job_events using (exists (select from tenantry.jobs j where j.id = job_id));

create function tenantry.job_queued() returns trigger
language plpgsql security definer
set search_path = pg_catalog
as $$
begin
  insert into tenantry.job_events (job_id, kind) values (new.id, 'queued');
  -- One at a time a tenant, in the order in which they were asked for.
  perform tenantry.enqueue(
    new.environment, 'job', jsonb_build_object('id', new.id), 'job:' || new.id, 'tenant:' || new.slug);
  return null;
end
$$;
create trigger job_queued after insert on tenantry.jobs for each row execute function tenantry.job_queued();

-- Mail, from its request to what became of it. It never holds an invitation's token, which is made when the mail is sent.
create table tenantry.mails (
  id uuid primary key default gen_random_uuid(),
  environment text not null default tenantry.caller_environment()
    check (environment in ('production', 'staging', 'development')),
  kind text not null check (kind ~ '^[a-z_]+$'),
  recipient text not null check (recipient = lower(recipient)),
  client_id uuid references tenantry.clients (id) on delete cascade,
  client_user_id uuid references tenantry.client_users (id) on delete cascade,
  data jsonb not null default '{}',
  status text not null default 'queued' check (status in ('queued', 'sent', 'bounced', 'failed')),
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  constraint mails_ended check ((status = 'queued') = (ended_at is null))
);
create index mails_client_user_id on tenantry.mails (client_user_id, created_at desc);
create index mails_client_id on tenantry.mails (client_id, created_at desc);
create index mails_queued on tenantry.mails (created_at) where status = 'queued';
alter table tenantry.mails enable row level security;
create policy in_scope on tenantry.mails using (
  environment = (select tenantry.caller_environment())
  and ((select tenantry.sees_all()) or exists (select from tenantry.clients c where c.id = client_id)));

-- Every try, written before it is made.
create table tenantry.mail_attempts (
  mail_id uuid not null references tenantry.mails (id) on delete cascade,
  attempt integer not null check (attempt > 0),
  started_at timestamptz not null default now(),
  ended_at timestamptz,
  outcome text check (outcome in ('sent', 'bounced', 'failed')),
  -- What the server said.
  answer text,
  primary key (mail_id, attempt)
);
alter table tenantry.mail_attempts enable row level security;
create policy in_scope on tenantry.mail_attempts using (exists (select from tenantry.mails m where m.id = mail_id));

create function tenantry.mail_queued() returns trigger
language plpgsql security definer
set search_path = pg_catalog
as $$
begin
  perform tenantry.enqueue(new.environment, 'mail', jsonb_build_object('id', new.id), 'mail:' || new.id);
  return null;
end
$$;
create trigger mail_queued after insert on tenantry.mails for each row execute function tenantry.mail_queued();

-- News for open dashboards, in order, for those who were away to catch up on.
create table tenantry.events (
  id bigint generated always as identity primary key,
  environment text not null default tenantry.caller_environment()
    check (environment in ('production', 'staging', 'development')),
  -- Who may hear of it beside platform roots; null for nobody.
  partner_id uuid references tenantry.partners (id) on delete cascade,
  client_id uuid references tenantry.clients (id) on delete cascade,
  -- `subject.what`, such as `mail.sent`.
  kind text not null check (kind ~ '^[a-z_]+\.[a-z_]+$'),
  data jsonb not null default '{}',
  at timestamptz not null default now()
);
create index events_list on tenantry.events (environment, id);
create index events_partner_id on tenantry.events (partner_id, id);
create index events_client_id on tenantry.events (client_id, id);
alter table tenantry.events enable row level security;
create policy in_scope on tenantry.events using (
  environment = (select tenantry.caller_environment())
  and ((select tenantry.sees_all()) or partner_id = (select tenantry.caller_partner())));

create function tenantry.event_told() returns trigger
language plpgsql security definer
set search_path = pg_catalog
as $$
begin
  if new.partner_id is null and new.client_id is not null then
    select c.partner_id into new.partner_id from tenantry.clients c where c.id = new.client_id;
  end if;
  -- One call for all that was told since the last.
  perform tenantry.enqueue(new.environment, 'event', '{}', 'event');
  return new;
end
$$;
create trigger event_told before insert on tenantry.events for each row execute function tenantry.event_told();

-- Who may enter a tenant is carried to its Access group, one tenant at a time.
create function tenantry.members_changed(p_instance_id uuid) returns void
language plpgsql security definer
set search_path = pg_catalog
as $$
declare
  changed record;
begin
  select c.slug, i.environment into changed
  from tenantry.instances i join tenantry.clients c on c.id = i.client_id where i.id = p_instance_id;
  if found then
    perform tenantry.enqueue(changed.environment, 'reconcile_members', jsonb_build_object('instance_id', p_instance_id),
      'members:' || p_instance_id, 'tenant:' || changed.slug);
  end if;
end
$$;
revoke all on function tenantry.members_changed (uuid) from public;

create function tenantry.assignment_changed() returns trigger
language plpgsql security definer
set search_path = pg_catalog
as $$
begin
  perform tenantry.members_changed(case tg_op when 'DELETE' then old.instance_id else new.instance_id end);
  return null;
end
$$;
create trigger assignment_changed after insert or delete on tenantry.client_user_instances
  for each row execute function tenantry.assignment_changed();

create function tenantry.client_user_changed() returns trigger
language plpgsql security definer
set search_path = pg_catalog
as $$
begin
  perform tenantry.members_changed(a.instance_id) from tenantry.client_user_instances a where a.client_user_id = new.id;
  return null;
end
$$;
create trigger client_user_changed after update of status, role, email on tenantry.client_users
  for each row execute function tenantry.client_user_changed();

-- And who may enter the dashboard, of each environment.
create function tenantry.dashboard_user_changed() returns trigger
language plpgsql security definer
set search_path = pg_catalog
as $$
begin
  perform tenantry.enqueue(case tg_op when 'DELETE' then old.environment else new.environment end,
    'reconcile_dashboard_users', '{}', 'dashboard_users', 'dashboard_users');
  return null;
end
$$;
create trigger dashboard_user_changed after insert or delete or update of email, role on tenantry.dashboard_users
  for each row execute function tenantry.dashboard_user_changed();

-- migrate:down
drop trigger dashboard_user_changed on tenantry.dashboard_users;
drop function tenantry.dashboard_user_changed;
drop trigger client_user_changed on tenantry.client_users;
drop function tenantry.client_user_changed;
drop trigger assignment_changed on tenantry.client_user_instances;
drop function tenantry.assignment_changed;
drop function tenantry.members_changed;
drop table tenantry.events;
drop function tenantry.event_told;
drop table tenantry.mail_attempts;
drop table tenantry.mails;
drop function tenantry.mail_queued;
drop table tenantry.job_events;
drop table tenantry.jobs;
drop function tenantry.job_queued;
drop function tenantry.enqueue;
