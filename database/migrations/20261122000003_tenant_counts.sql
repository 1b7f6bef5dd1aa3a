-- migrate:up
-- How many tenants each environment has, for a stack that sees its own alone: all of them share one account, and its limits.
-- `dedicated` are those with an AI gateway of their own, by its name (`dedicatedGatewayId` of domain/ai-gateways/gateway-selection.ts).
create function tenantry.tenant_counts() returns table (environment text, tenants bigint, dedicated bigint)
language sql stable security definer
set search_path = pg_catalog
as $$
  select e.environment, count(i.id),
    count(i.id) filter (
      where i.ai_gateway_pool_id is null and starts_with(i.ai_gateway_id, 'tenantry-' || left(c.slug, 40)))
  from (
    select u.environment from tenantry.dashboard_users u
    union
    select c.environment from tenantry.clients c
  ) e
  left join tenantry.clients c on c.environment = e.environment
  left join tenantry.instances i on i.client_id = c.id
  group by e.environment
  order by e.environment
$$;

-- migrate:down
drop function tenantry.tenant_counts;
