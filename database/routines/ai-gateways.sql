create or replace function tenantry.check_ai_gateway_capacity() returns trigger
language plpgsql security definer set search_path = pg_catalog as $$
declare
  pool tenantry.ai_gateways;
  bound integer;
begin
  if tg_op = 'UPDATE' and new.ai_gateway_pool_id is not distinct from old.ai_gateway_pool_id
    and new.environment = old.environment then
    return new;
  end if;
  -- The instance returns to the slot that it still holds.
  if tg_op = 'UPDATE' and new.ai_gateway_pool_id = old.held_pool_id then
    return new;
  end if;
  update tenantry.ai_gateways set max_instances = max_instances where id = new.ai_gateway_pool_id returning * into pool;
  select count(*) into bound from tenantry.instances
    where new.ai_gateway_pool_id in (ai_gateway_pool_id, held_pool_id) and id <> new.id;
  if not pool.enabled then
    raise exception 'AI gateway % is disabled; enable it or choose another', pool.gateway_id using errcode = 'TN001';
  end if;
  if pool.environment is not null and pool.environment <> new.environment then
    raise exception 'AI gateway % is only for %, and the instance is in %; choose another', pool.gateway_id, pool.environment, new.environment
      using errcode = 'TN001';
  end if;
  if bound >= pool.max_instances then
    raise exception 'no_ai_gateway_capacity: AI gateway % holds % of % instances; plan again or raise max_instances',
      pool.gateway_id, bound, pool.max_instances using errcode = 'TN002';
  end if;
  return new;
end
$$;

create constraint trigger check_ai_gateway_capacity after insert or update of ai_gateway_pool_id, environment on tenantry.instances
  deferrable initially immediate for each row when (new.ai_gateway_pool_id is not null)
  execute function tenantry.check_ai_gateway_capacity();

create or replace function tenantry.bound_instances(p_ai_gateway_id uuid) returns bigint
language sql stable security definer set search_path = pg_catalog as $$
  select count(*) from tenantry.instances i where p_ai_gateway_id in (i.ai_gateway_pool_id, i.held_pool_id) and tenantry.sees_all()
$$;

create or replace function tenantry.check_ai_gateway_holds_bound() returns trigger
language plpgsql security definer set search_path = pg_catalog as $$
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
    raise exception 'AI gateway % is in use by % instances; set max_instances to at least that number, or move instances to another AI gateway first',
      new.gateway_id, bound using errcode = 'TN008';
  end if;
  if elsewhere > 0 then
    raise exception 'AI gateway % is in use by % instances of environments other than %; move them to another AI gateway first',
      new.gateway_id, elsewhere, new.environment using errcode = 'TN008';
  end if;
  return null;
end
$$;

create constraint trigger check_ai_gateway_holds_bound after update of max_instances, environment on tenantry.ai_gateways
  deferrable initially immediate
  for each row when (new.max_instances < old.max_instances or new.environment is distinct from old.environment)
  execute function tenantry.check_ai_gateway_holds_bound();

create or replace function tenantry.pool_entries()
returns table (id uuid, gateway_id text, environment text, enabled boolean, max_instances integer, bound bigint)
language sql stable security definer set search_path = pg_catalog as $$
  select g.id, g.gateway_id, g.environment, g.enabled, g.max_instances, count(i.id)
  from tenantry.ai_gateways g left join tenantry.instances i on g.id in (i.ai_gateway_pool_id, i.held_pool_id)
  group by g.id
  order by g.gateway_id
$$;
revoke all on function tenantry.pool_entries () from public;

create policy in_scope on tenantry.ai_gateways using (
  declared_by = (select tenantry.caller_environment()) and (select tenantry.sees_all()));
create policy readable on tenantry.ai_gateways for select using ((select tenantry.sees_all()));
