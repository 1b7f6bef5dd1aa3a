-- Whether a tenant takes traffic (`gateRefusal` in domain/instance-state.ts; table in docs/reference/routing-gate.md).
create or replace function tenantry.takes_traffic(environment text, client_status text, instance_status text) returns boolean
language sql immutable set search_path = pg_catalog as $$
  select instance_status not in ('frozen', 'stopped')
    and (environment <> 'production' or client_status in ('active', 'production'))
$$;

-- Tenants that pass the routing gate, so that every tenant that takes traffic is metered and backed up.
create or replace function api.active_tenants(p_after uuid default null, p_limit integer default 500) returns jsonb
language sql stable security definer set search_path = pg_catalog as $$
  select coalesce(
    jsonb_agg(
      jsonb_build_object('instance_id', id, 'worker_name', worker_name, 'environment', environment) order by id),
    '[]')
  from (
    select i.id, i.worker_name, i.environment
    from tenantry.instances i
    join tenantry.clients c on c.id = i.client_id
    where (p_after is null or i.id > p_after)
      and i.environment = tenantry.caller_environment()
      and tenantry.takes_traffic(i.environment, c.status, i.status)
    order by i.id
    limit least(greatest(p_limit, 1), 1000)
  ) page
$$;
revoke all on function api.active_tenants (uuid, integer) from public;

-- Everything that the dispatch Worker needs for a request, in one round trip (spec: "Request flow", step 3), with the partner's branding
-- (workers/contracts/branding.ts). It runs with its owner's rights, so that its caller needs none on any table. The result's shape is
-- workers/contracts/tenant-entry.ts. `p_email` is the address of a user, or the client id of a service token, which has no `@`.
create or replace function api.resolve_tenant(p_slug text, p_email text default null) returns jsonb
language sql stable security definer set search_path = pg_catalog as $$
  with tenant as (
    select c.id as client_id, c.slug, c.billing_plan, c.status as client_status, c.environment,
           i.id as instance_id, i.status as instance_status, i.worker_name, i.access_aud,
           trim_scale(coalesce(p.lifetime_purchased, 0) * 0.000001) as purchased,
           trim_scale(coalesce(p.lifetime_consumed, 0) * 0.000001) as consumed,
           case when r.id is not null then jsonb_build_object(
             'id', r.id, 'name', r.name, 'logo_key', r.logo_key,
             -- Only these fields: others would be sent with every request.
             'style', jsonb_build_object(
               'display_name', r.style -> 'display_name', 'colours', r.style -> 'colours',
               'support_address', r.style -> 'support_address')) end as partner,
           (select count(*) from tenantry.client_users u where u.client_id = c.id and u.status = 'validated') as seats
    from tenantry.clients c
    join tenantry.instances i on i.client_id = c.id and i.environment = c.environment
    left join tenantry.credit_pools p on p.client_id = c.id
    left join tenantry.partners r on r.id = c.partner_id
    where c.slug = p_slug and c.environment = tenantry.caller_environment()
  ), token as (
    select tenantry.service_token_of(lower(p_email), t.client_id, t.instance_id) as value
    from tenant t where strpos(p_email, '@') = 0
  ), known_token as (
    select value from token where value is not null
  )
  select jsonb_build_object(
    'tenant', (
      select jsonb_build_object(
        'client_id', client_id, 'slug', slug, 'billing_plan', billing_plan, 'client_status', client_status,
        'environment', environment,
        'seats', seats, 'credits', jsonb_build_object('purchased', purchased, 'consumed', consumed),
        'instance_id', instance_id, 'instance_status', instance_status,
        'worker_name', worker_name, 'access_aud', access_aud, 'partner', partner)
      from tenant),
    'role', case when exists (select from known_token) then (select value ->> 'role' from known_token) else coalesce(
      (select 'ROOT' from tenantry.dashboard_users d
        where d.email = lower(p_email) and d.role = 'ROOT' and d.environment = tenantry.caller_environment()),
      (select u.role
         from tenant t
         join tenantry.client_users u on u.client_id = t.client_id
         join tenantry.client_user_instances a on a.client_user_id = u.id and a.instance_id = t.instance_id
        where u.email = lower(p_email) and u.status = 'validated')) end,
    'token', (select value - 'role' from known_token))
$$;
revoke all on function api.resolve_tenant (text, text) from public;
