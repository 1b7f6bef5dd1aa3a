-- migrate:up
-- Health history by day, so that what is old goes in a moment; incidents; the pool as it is planned from; and indexes that answer alone.

-- A day is a day in UTC.
alter table tenantry.instance_health_snapshots rename to instance_health_snapshots_undivided;
alter index tenantry.instance_health_snapshots_latest rename to instance_health_snapshots_undivided_latest;
create table tenantry.instance_health_snapshots (
  instance_id uuid not null references tenantry.instances (id) on delete cascade,
  startup_ok boolean not null,
  readiness_ok boolean not null,
  liveness_ok boolean not null,
  had_backup boolean not null,
  restored boolean not null,
  latency_ms integer not null check (latency_ms >= 0),
  inserted_at timestamptz not null default now()
) partition by range (inserted_at);
create index instance_health_snapshots_latest on tenantry.instance_health_snapshots (instance_id, inserted_at desc);
alter table tenantry.instance_health_snapshots enable row level security;
create policy own_environment on tenantry.instance_health_snapshots
  using (exists (select from tenantry.instances i where i.id = instance_id));

create function tenantry.make_health_partition(p_day date) returns boolean
language plpgsql
set search_path = pg_catalog
as $$
declare
  name constant text := 'instance_health_snapshots_' || to_char(p_day, 'YYYYMMDD');
begin
  if to_regclass('tenantry.' || name) is not null then
    return false;
  end if;
  execute format(
    'create table tenantry.%I partition of tenantry.instance_health_snapshots for values from (%L) to (%L)',
    name, to_char(p_day, 'YYYY-MM-DD') || ' 00:00:00+00', to_char(p_day + 1, 'YYYY-MM-DD') || ' 00:00:00+00');
  -- Read by way of the whole alone.
  execute format('alter table tenantry.%I enable row level security', name);
  return true;
end
$$;
revoke all on function tenantry.make_health_partition (date) from public;

-- Makes the partitions of yesterday, today and the days after, `p_days` of them from today on. @returns how many were missing
create function tenantry.prepare_health_partitions(p_days integer) returns integer
language plpgsql security definer
set search_path = pg_catalog
set lock_timeout = '5s'
as $$
declare
  today constant date := (now() at time zone 'utc')::date;
  made integer := 0;
begin
  if p_days is null or p_days not between 1 and 60 then
    raise exception 'partitions are made for 1 to 60 days, not for %', p_days using errcode = '22023';
  end if;
  -- Yesterday too, as a look that began before midnight is kept after it. What is there needs no lock.
  if not exists (
    select from generate_series(-1, p_days - 1) ahead
    where to_regclass('tenantry.instance_health_snapshots_' || to_char(today + ahead, 'YYYYMMDD')) is null) then
    return 0;
  end if;
  perform pg_advisory_xact_lock(hashtextextended('tenantry.health_partitions', 0));
  for ahead in -1 .. p_days - 1 loop
    made := made + tenantry.make_health_partition(today + ahead)::integer;
  end loop;
  return made;
end
$$;
revoke all on function tenantry.prepare_health_partitions (integer) from public;

-- Drops the days that ended longer than `p_retention` ago. @returns how many
create function tenantry.drop_old_health_partitions(p_retention interval default interval '30 days') returns integer
language plpgsql security definer
set search_path = pg_catalog
set lock_timeout = '5s'
as $$
declare
  part text;
  dropped integer := 0;
begin
  if p_retention is null or p_retention < interval '1 day' then
    raise exception 'health history is kept for a day at least, not for %', p_retention using errcode = '22023';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('tenantry.health_partitions', 0));
  for part in
    select c.relname from pg_inherits h join pg_class c on c.oid = h.inhrelid
    where h.inhparent = 'tenantry.instance_health_snapshots'::regclass
      and to_date(right(c.relname, 8), 'YYYYMMDD') + 1 <= (now() - p_retention) at time zone 'utc'
    order by c.relname
  loop
    execute format('drop table tenantry.%I', part);
    dropped := dropped + 1;
  end loop;
  return dropped;
end
$$;
revoke all on function tenantry.drop_old_health_partitions (interval) from public;

select tenantry.make_health_partition(day) from (
  select distinct (inserted_at at time zone 'utc')::date as day from tenantry.instance_health_snapshots_undivided) days;
select tenantry.prepare_health_partitions(7);
insert into tenantry.instance_health_snapshots
  (instance_id, startup_ok, readiness_ok, liveness_ok, had_backup, restored, latency_ms, inserted_at)
select instance_id, startup_ok, readiness_ok, liveness_ok, had_backup, restored, latency_ms, inserted_at
from tenantry.instance_health_snapshots_undivided;
drop table tenantry.instance_health_snapshots_undivided;

-- Whose rows a partner root sees, asked once a statement: by it lists of partners find theirs without reading through every client.
create function tenantry.caller_clients() returns uuid[]
language sql stable security definer
set search_path = pg_catalog
as $$
  select array(
    select c.id from tenantry.clients c
    where c.partner_id = tenantry.caller_partner() and c.environment = tenantry.caller_environment())
$$;
drop policy in_scope on tenantry.jobs;
create policy in_scope on tenantry.jobs using (
  environment = (select tenantry.caller_environment())
  and ((select tenantry.sees_all()) or client_id = any ((select tenantry.caller_clients())::uuid[])));

-- What ails an instance for so long that somebody should know: opened and closed by the service, acknowledged by people.
create table tenantry.incidents (
  id uuid primary key default gen_random_uuid(),
  environment text not null default tenantry.caller_environment()
    check (environment in ('production', 'staging', 'development')),
  client_id uuid not null references tenantry.clients (id) on delete cascade,
  instance_id uuid not null references tenantry.instances (id) on delete cascade,
  kind text not null check (kind ~ '^[a-z_]+$'),
  cause text not null,
  -- What to do.
  remedy text not null,
  opened_at timestamptz not null default now(),
  acknowledged_at timestamptz,
  -- E-mail address.
  acknowledged_by text,
  closed_at timestamptz check (closed_at >= opened_at),
  constraint incidents_acknowledged_by_someone check ((acknowledged_at is null) = (acknowledged_by is null))
);
create unique index incidents_open on tenantry.incidents (instance_id, kind) where closed_at is null;
create index incidents_list on tenantry.incidents (environment, opened_at desc, id desc);
create index incidents_open_list on tenantry.incidents (environment, opened_at desc, id desc) where closed_at is null;
create index incidents_client_id on tenantry.incidents (client_id, opened_at desc, id desc);
create index incidents_instance_id on tenantry.incidents (instance_id, opened_at desc, id desc);
alter table tenantry.incidents enable row level security;
create policy in_scope on tenantry.incidents using (
  environment = (select tenantry.caller_environment())
  and ((select tenantry.sees_all()) or client_id = any ((select tenantry.caller_clients())::uuid[])));
create trigger audit after insert or update or delete on tenantry.incidents
  for each row execute function tenantry.audit();

-- Roots acknowledge, once, and nothing else.
create function tenantry.check_incident_change() returns trigger
language plpgsql
set search_path = pg_catalog
as $$
begin
  if tenantry.caller_kind() in ('platform_root', 'partner_root') and (
      old.acknowledged_at is not null
      or to_jsonb(new) - 'acknowledged_at' - 'acknowledged_by' is distinct from
        to_jsonb(old) - 'acknowledged_at' - 'acknowledged_by') then
    raise exception 'an incident is acknowledged once, and closes by itself' using errcode = 'TN003';
  end if;
  return new;
end
$$;
create trigger check_change before update on tenantry.incidents
  for each row execute function tenantry.check_incident_change();

-- The pool as a gateway is planned from: every entry, with how many instances bind it in all environments. Roots alone are shown it.
create function tenantry.pool_entries()
returns table (id uuid, gateway_id text, environment text, enabled boolean, max_instances integer, bound bigint)
language sql stable security definer
set search_path = pg_catalog
as $$
  select g.id, g.gateway_id, g.environment, g.enabled, g.max_instances, count(i.id)
  from tenantry.ai_gateways g left join tenantry.instances i on i.ai_gateway_pool_id = g.id
  group by g.id
  order by g.gateway_id
$$;
revoke all on function tenantry.pool_entries () from public;

-- Ends a job that nobody has begun. @returns whether there was such a one in the caller's sight
create function tenantry.cancel_job(p_id uuid) returns boolean
language plpgsql security definer
set search_path = pg_catalog
as $$
declare
  who constant text := (select d.email from tenantry.dashboard_users d where d.id = tenantry.caller_id());
begin
  update tenantry.jobs j set status = 'cancelled', ended_at = now(), cause = format('Cancelled by %s.', who)
  where j.id = p_id and j.status = 'queued' and j.environment = tenantry.caller_environment()
    and (tenantry.sees_all() or exists (
      select from tenantry.clients c where c.id = j.client_id and c.partner_id = tenantry.caller_partner()));
  if not found then
    return false;
  end if;
  insert into tenantry.job_events (job_id, kind, message) values (p_id, 'cancelled', format('By %s.', who));
  return true;
end
$$;
revoke all on function tenantry.cancel_job (uuid) from public;

-- What each request to a tenant asks is answered from indexes alone. Credits are not: each counted query would write their index too.
alter table tenantry.clients
  drop constraint clients_environment_slug_key,
  add constraint clients_environment_slug_key unique (environment, slug) include (id, billing_plan, status);
alter table tenantry.instances
  drop constraint instances_client_id_key,
  add constraint instances_client_id_key unique (client_id) include (id, environment, status, worker_name, access_aud);
alter table tenantry.client_users
  drop constraint client_users_client_id_email_key,
  add constraint client_users_client_id_email_key unique (client_id, email) include (id, role, status);
alter table tenantry.dashboard_users
  drop constraint dashboard_users_environment_email_key,
  add constraint dashboard_users_environment_email_key unique (environment, email) include (role);

-- Who is polled, a page at a time, and what the minute's fan-out reads.
create index instances_list on tenantry.instances (environment, id);

-- migrate:down
drop index tenantry.instances_list;
alter table tenantry.dashboard_users
  drop constraint dashboard_users_environment_email_key,
  add constraint dashboard_users_environment_email_key unique (environment, email);
alter table tenantry.client_users
  drop constraint client_users_client_id_email_key,
  add constraint client_users_client_id_email_key unique (client_id, email);
alter table tenantry.instances
  drop constraint instances_client_id_key,
  add constraint instances_client_id_key unique (client_id);
alter table tenantry.clients
  drop constraint clients_environment_slug_key,
  add constraint clients_environment_slug_key unique (environment, slug);
drop function tenantry.cancel_job;
drop function tenantry.pool_entries;
drop table tenantry.incidents;
drop function tenantry.check_incident_change;
drop policy in_scope on tenantry.jobs;
create policy in_scope on tenantry.jobs using (
  environment = (select tenantry.caller_environment())
  and ((select tenantry.sees_all()) or exists (select from tenantry.clients c where c.id = client_id)));
drop function tenantry.caller_clients;
alter table tenantry.instance_health_snapshots rename to instance_health_snapshots_divided;
alter index tenantry.instance_health_snapshots_latest rename to instance_health_snapshots_divided_latest;
create table tenantry.instance_health_snapshots (
  instance_id uuid not null references tenantry.instances (id) on delete cascade,
  startup_ok boolean not null,
  readiness_ok boolean not null,
  liveness_ok boolean not null,
  had_backup boolean not null,
  restored boolean not null,
  latency_ms integer not null check (latency_ms >= 0),
  inserted_at timestamptz not null default now()
);
create index instance_health_snapshots_latest on tenantry.instance_health_snapshots (instance_id, inserted_at desc);
alter table tenantry.instance_health_snapshots enable row level security;
create policy own_environment on tenantry.instance_health_snapshots
  using (exists (select from tenantry.instances i where i.id = instance_id));
insert into tenantry.instance_health_snapshots
  (instance_id, startup_ok, readiness_ok, liveness_ok, had_backup, restored, latency_ms, inserted_at)
select instance_id, startup_ok, readiness_ok, liveness_ok, had_backup, restored, latency_ms, inserted_at
from tenantry.instance_health_snapshots_divided;
drop table tenantry.instance_health_snapshots_divided;
drop function tenantry.drop_old_health_partitions;
drop function tenantry.prepare_health_partitions;
drop function tenantry.make_health_partition;
