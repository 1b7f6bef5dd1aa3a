-- migrate:up
-- Whether there is a day is asked of the catalogue as it is by then. `to_regclass` goes by what the session knew before it waited for another
-- that made the same day, since no lock of a relation lies between; and what is there was made once more, and refused.
create or replace function tenantry.make_health_partition(p_day date) returns boolean
language plpgsql
set search_path = pg_catalog
as $$
declare
  name constant text := 'instance_health_snapshots_' || to_char(p_day, 'YYYYMMDD');
begin
  if exists (select from pg_class c where c.relnamespace = 'tenantry'::regnamespace and c.relname = name) then
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

-- migrate:down
create or replace function tenantry.make_health_partition(p_day date) returns boolean
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
