-- The user of a client's tenant with an email address, who opens the console; null for anyone else. A service token acts for its user with the
-- lower of both roles, until it expires or is revoked.
create or replace function tenantry.console_user(p_slug text, p_email text, p_token text default null) returns tenantry.client_users
language sql stable security definer set search_path = pg_catalog as $$
  select case when k.role = 'BASE_USER' then jsonb_populate_record(u, jsonb_build_object('role', k.role)) else u end
  from tenantry.clients c
  join tenantry.instances i on i.client_id = c.id and i.environment = c.environment
  join tenantry.client_users u on u.client_id = c.id
  join tenantry.client_user_instances a on a.client_user_id = u.id and a.instance_id = i.id
  left join tenantry.service_tokens k on k.client_user_id = u.id and k.access_client_id = p_token and k.expires_at > now()
  where c.slug = p_slug and c.environment = tenantry.caller_environment() and u.email = lower(p_email) and u.status = 'validated'
    and (p_token is null or k.id is not null)
$$;
revoke all on function tenantry.console_user (text, text, text) from public;

-- The tenant of a client, as the console shows it.
create or replace function tenantry.console_tenant(p_client_id uuid) returns jsonb
language sql stable security definer set search_path = pg_catalog as $$
  select jsonb_build_object(
    'client_id', c.id, 'instance_id', (select i.id from tenantry.instances i where i.client_id = c.id),
    'client', jsonb_build_object('slug', c.slug, 'name', c.name, 'environment', c.environment),
    'partner', case when p.id is not null then jsonb_build_object(
      'id', p.id, 'name', p.name, 'style', p.style, 'logo_key', p.logo_key) end)
  from tenantry.clients c
  left join tenantry.partners p on p.id = c.partner_id
  where c.id = p_client_id
$$;
revoke all on function tenantry.console_tenant (uuid) from public;

-- The user who opens the console, with what each page shows; null for anyone else. The result's shape is in workers/dashboard/identity/tenant-user.ts.
create or replace function dashboard.console_person(p_slug text, p_email text, p_token text default null) returns jsonb
language sql stable security definer set search_path = pg_catalog as $$
  select jsonb_build_object('id', u.id, 'email', u.email, 'role', u.role) || tenantry.console_tenant(u.client_id)
  from tenantry.console_user(p_slug, p_email, p_token) u
  where u.id is not null
$$;
revoke all on function dashboard.console_person (text, text, text) from public;

-- A tenant's users do not see addresses of operators.
create or replace function tenantry.console_author(p_client_id uuid, p_author text) returns text
language sql stable security definer set search_path = pg_catalog as $$
  select case
    when exists (select from tenantry.client_users u where u.client_id = p_client_id and u.email = p_author) then p_author
    else 'operator' end
$$;
revoke all on function tenantry.console_author (uuid, text) from public;

-- For the audit log, until the transaction ends.
create or replace function tenantry.act_as_console_user(p_email text, p_source text, p_request_id text) returns void
language sql security definer set search_path = pg_catalog as $$
  select set_config('tenantry.person', p_email, true),
    set_config('tenantry.source', p_source, true), set_config('tenantry.request_id', p_request_id, true)
$$;
revoke all on function tenantry.act_as_console_user (text, text, text) from public;
