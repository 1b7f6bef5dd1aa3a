-- migrate:up
-- Active is who passes the routing gate (`domain/instance-state.ts`), so that whoever takes traffic is metered and backed up,
-- whether anything has noticed yet that its instance runs or not.
create or replace function api.active_tenants(p_after uuid default null, p_limit integer default 500) returns jsonb
language sql stable security definer
set search_path = pg_catalog
as $$
  select coalesce(jsonb_agg(jsonb_build_object('instance_id', id, 'worker_name', worker_name) order by id), '[]')
  from (
    select i.id, i.worker_name
    from tenantry.instances i
    join tenantry.clients c on c.id = i.client_id
    where (p_after is null or i.id > p_after)
      and case when i.environment = 'production'
            then c.status in ('active', 'production') and i.status not in ('frozen', 'stopped')
            else i.status in ('running', 'provisioning')
          end
    order by i.id
    limit least(greatest(p_limit, 1), 1000)
  ) page
$$;

-- migrate:down
create or replace function api.active_tenants(p_after uuid default null, p_limit integer default 500) returns jsonb
language sql stable security definer
set search_path = pg_catalog
as $$
  select coalesce(jsonb_agg(jsonb_build_object('instance_id', id, 'worker_name', worker_name) order by id), '[]')
  from (
    select i.id, i.worker_name
    from tenantry.instances i
    join tenantry.clients c on c.id = i.client_id
    where (p_after is null or i.id > p_after)
      and i.status = 'running'
      and (i.environment <> 'production' or c.status in ('active', 'production'))
    order by i.id
    limit least(greatest(p_limit, 1), 1000)
  ) page
$$;
