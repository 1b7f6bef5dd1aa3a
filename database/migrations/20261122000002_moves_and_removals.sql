-- migrate:up
-- Tenants that move between full pool entries at once, as in a swap, change in one transaction, at whose end the capacity is
-- checked: one after another, the first would find no room. Alone, a change is checked at the end of its statement as before.
drop trigger check_ai_gateway_capacity on tenantry.instances;
create constraint trigger check_ai_gateway_capacity
  after insert or update of ai_gateway_pool_id, environment on tenantry.instances
  deferrable initially immediate
  for each row when (new.ai_gateway_pool_id is not null)
  execute function tenantry.check_ai_gateway_capacity();

-- Which clients cannot be removed, for who may not read invoices: of the caller's environment; the database's owner may ask for any.
create function tenantry.clients_with_invoices(p_environment text) returns setof text
language sql stable security definer
set search_path = pg_catalog
as $$
  select slug from tenantry.clients c
  where c.environment = p_environment
    and exists (select from tenantry.invoices v where v.client_id = c.id)
    and (p_environment = tenantry.caller_environment()
      or pg_has_role(
        coalesce(nullif(current_setting('role', true), 'none'), session_user::text)::name,
        (select relowner from pg_class where oid = 'tenantry.invoices'::regclass), 'member'))
  order by slug
$$;

-- migrate:down
drop function tenantry.clients_with_invoices;
drop trigger check_ai_gateway_capacity on tenantry.instances;
create trigger check_ai_gateway_capacity
  before insert or update of ai_gateway_pool_id, environment on tenantry.instances
  for each row when (new.ai_gateway_pool_id is not null)
  execute function tenantry.check_ai_gateway_capacity();
