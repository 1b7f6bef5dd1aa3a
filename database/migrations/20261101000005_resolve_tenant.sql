-- migrate:up
-- All that the dispatch Worker may ask, in one round trip (spec: "Request flow", step 3). It runs with its owner's
-- rights, so that its caller needs none on any table. The result's shape is workers/contracts/tenant-entry.ts.
create function api.resolve_tenant(p_slug text, p_email text default null) returns jsonb
language sql stable security definer
set search_path = pg_catalog
as $$
  with tenant as (
    select c.id as client_id, c.slug, c.billing_plan, c.status as client_status,
           i.id as instance_id, i.status as instance_status, i.worker_name, i.access_aud,
           coalesce(p.lifetime_purchased, 0) as purchased, coalesce(p.lifetime_consumed, 0) as consumed,
           (select count(*) from tenantry.client_users u where u.client_id = c.id and u.status = 'validated') as seats
    from tenantry.clients c
    join tenantry.instances i on i.client_id = c.id
    left join tenantry.credit_pools p on p.client_id = c.id
    where c.slug = p_slug
  )
  select jsonb_build_object(
    'tenant', (
      select jsonb_build_object(
        'client_id', client_id, 'slug', slug, 'billing_plan', billing_plan, 'client_status', client_status,
        'seats', seats, 'credits', jsonb_build_object('purchased', purchased, 'consumed', consumed),
        'instance_id', instance_id, 'instance_status', instance_status,
        'worker_name', worker_name, 'access_aud', access_aud)
      from tenant),
    'role', coalesce(
      (select 'ROOT' from tenantry.dashboard_users d where d.email = lower(p_email) and d.role = 'ROOT'),
      (select u.role
         from tenant t
         join tenantry.client_users u on u.client_id = t.client_id
         join tenantry.client_user_instances a on a.client_user_id = u.id and a.instance_id = t.instance_id
        where u.email = lower(p_email) and u.status = 'validated')))
$$;
revoke all on function api.resolve_tenant (text, text) from public;

-- Active tenants for the minute's fan-out, a page at a time, in the order of their ids.
create function api.active_tenants(p_after uuid default null, p_limit integer default 500) returns jsonb
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
revoke all on function api.active_tenants (uuid, integer) from public;

-- migrate:down
drop function api.active_tenants;
drop function api.resolve_tenant;
