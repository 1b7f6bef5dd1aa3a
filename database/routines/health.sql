-- Creates the partitions of yesterday and of `p_days` days from today on. @returns the number of partitions created
create or replace function tenantry.prepare_health_partitions(p_days integer) returns integer
language plpgsql security definer
set search_path = pg_catalog
set lock_timeout = '5s'
as $$
declare
  today constant date := (now() at time zone 'utc')::date;
  made integer := 0;
begin
  if p_days is null or p_days not between 1 and 60 then
    raise exception 'partitions can be created for 1 to 60 days, not for %', p_days using errcode = '22023';
  end if;
  -- Yesterday is included because a probe that started before midnight is stored after it. Existing partitions need no lock.
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

-- Drops partitions of days that ended more than `p_retention` ago. @returns the number of partitions dropped
create or replace function tenantry.drop_old_health_partitions(p_retention interval default interval '30 days') returns integer
language plpgsql security definer
set search_path = pg_catalog
set lock_timeout = '5s'
as $$
declare
  part text;
  dropped integer := 0;
begin
  if p_retention is null or p_retention < interval '1 day' then
    raise exception 'health history must be kept for at least one day, not for %', p_retention using errcode = '22023';
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

-- Roots may only acknowledge an incident, once.
create or replace function tenantry.check_incident_change() returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  if tenantry.caller_kind() in ('platform_root', 'partner_root') and (
      old.acknowledged_at is not null
      or to_jsonb(new) - 'acknowledged_at' - 'acknowledged_by' is distinct from
        to_jsonb(old) - 'acknowledged_at' - 'acknowledged_by') then
    raise exception 'an incident can be acknowledged only once, and closes by itself; read the incident again' using errcode = 'TN003';
  end if;
  return new;
end
$$;

create or replace trigger check_change before update on tenantry.incidents for each row execute function tenantry.check_incident_change();

-- Sends an event to open dashboards when an incident is opened, acknowledged or closed.
create or replace function tenantry.queue_incident_event() returns trigger language plpgsql security definer set search_path = pg_catalog as $$
begin
  insert into tenantry.events (environment, client_id, kind, data)
  values (new.environment, new.client_id,
    case
      when tg_op = 'INSERT' then 'incident.opened'
      when new.closed_at is distinct from old.closed_at then 'incident.closed'
      else 'incident.acknowledged' end,
    jsonb_build_object('instance_id', new.instance_id, 'kind', new.kind));
  return null;
end
$$;

create or replace trigger incident_opened after insert on tenantry.incidents
  for each row when (new.closed_at is null) execute function tenantry.queue_incident_event();

create or replace trigger incident_changed after update of closed_at, acknowledged_at on tenantry.incidents
  for each row when (old.closed_at is distinct from new.closed_at or old.acknowledged_at is distinct from new.acknowledged_at)
  execute function tenantry.queue_incident_event();

-- Checks the catalog for the partition. `to_regclass` would use the session's cache from before it waited for another session that creates the
-- same partition, because no relation lock invalidates it in between, and the partition would be created twice.
create or replace function tenantry.make_health_partition(p_day date) returns boolean language plpgsql set search_path = pg_catalog as $$
declare
  name constant text := 'instance_health_snapshots_' || to_char(p_day, 'YYYYMMDD');
begin
  if exists (select from pg_class c where c.relnamespace = 'tenantry'::regnamespace and c.relname = name) then
    return false;
  end if;
  execute format(
    'create table tenantry.%I partition of tenantry.instance_health_snapshots for values from (%L) to (%L)',
    name, to_char(p_day, 'YYYY-MM-DD') || ' 00:00:00+00', to_char(p_day + 1, 'YYYY-MM-DD') || ' 00:00:00+00');
  -- Partitions are read through the parent table only.
  execute format('alter table tenantry.%I enable row level security', name);
  return true;
end
$$;
revoke all on function tenantry.make_health_partition (date) from public;

create policy own_environment on tenantry.instance_health_snapshots
  using (exists (select from tenantry.instances i where i.id = instance_id));
create policy own_environment on tenantry.analytics_events using (exists (select from tenantry.instances i where i.id = instance_id));
create policy in_scope on tenantry.incidents using (environment = (select tenantry.caller_environment())
  and ((select tenantry.sees_all()) or client_id = any ((select tenantry.caller_clients())::uuid[])));
create policy in_scope on tenantry.findings using (environment = (select tenantry.caller_environment()) and (select tenantry.sees_all()));
