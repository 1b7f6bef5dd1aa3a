-- migrate:up
-- Whether a slug names a client already, of whomever: a creation would say so too, but only once it is asked for.
create function tenantry.slug_is_taken(p_slug text) returns boolean
language sql stable security definer
set search_path = pg_catalog
as $$
  select exists (
    select from tenantry.clients c where c.environment = tenantry.caller_environment() and c.slug = p_slug)
$$;
revoke all on function tenantry.slug_is_taken (text) from public;

-- migrate:down
drop function tenantry.slug_is_taken;
