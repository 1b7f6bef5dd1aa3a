-- migrate:up
-- Who asks: one role a caller kind (`database/callers/roles.ts`). The dashboard logs in as a role that may do nothing by itself; each request is
-- one transaction that takes a caller's role and identity with `set local`, which a transaction pooler such as Hyperdrive keeps apart.

-- The kind of whoever asks; `owner` for anyone else, such as the database's owner.
create function tenantry.caller_kind() returns text
language sql stable
set search_path = pg_catalog
as $$
  select coalesce(
    substring(
      coalesce(nullif(current_setting('role', true), 'none'), session_user::text)
      from '^tenantry_(dispatch|dashboard|provisioner|service|platform_root|partner_root)(?:_staging|_development)?$'),
    'owner')
$$;

-- The dashboard user on whose behalf a root's role was taken; null for every other caller.
create function tenantry.caller_id() returns uuid
language sql stable
set search_path = pg_catalog
as $$
  select nullif(current_setting('tenantry.caller', true), '')::uuid
$$;

-- Whether the caller sees the whole environment. A platform root does only while the user in whose name it asks is one.
create function tenantry.sees_all() returns boolean
language sql stable security definer
set search_path = pg_catalog
as $$
  select case tenantry.caller_kind()
    when 'partner_root' then false
    when 'platform_root' then exists (
      select from tenantry.dashboard_users d
      where d.id = tenantry.caller_id() and d.role = 'ROOT' and d.environment = tenantry.caller_environment())
    else true
  end
$$;

-- The one partner whose rows a partner root sees; null for every other caller. Read from the user's row, so that no setting widens it.
create function tenantry.caller_partner() returns uuid
language sql stable security definer
set search_path = pg_catalog
as $$
  select d.partner_id from tenantry.dashboard_users d
  where tenantry.caller_kind() = 'partner_root' and d.id = tenantry.caller_id() and d.role = 'PARTNER_ROOT'
    and d.environment = tenantry.caller_environment()
$$;

-- Scoped where they are rooted: what hangs on a client or an instance is seen where that is seen.
drop policy own_environment on tenantry.partners;
create policy in_scope on tenantry.partners using (
  environment = (select tenantry.caller_environment())
  and ((select tenantry.sees_all()) or id = (select tenantry.caller_partner())));
drop policy own_environment on tenantry.clients;
create policy in_scope on tenantry.clients using (
  environment = (select tenantry.caller_environment())
  and ((select tenantry.sees_all()) or partner_id = (select tenantry.caller_partner())));
drop policy own_environment on tenantry.dashboard_users;
create policy in_scope on tenantry.dashboard_users using (
  environment = (select tenantry.caller_environment())
  and ((select tenantry.sees_all()) or partner_id = (select tenantry.caller_partner())));
drop policy own_environment on tenantry.instances;
create policy in_scope on tenantry.instances using (
  environment = (select tenantry.caller_environment())
  and ((select tenantry.sees_all()) or exists (select from tenantry.clients c where c.id = client_id)));
drop policy own_environment on tenantry.ai_gateways;
create policy in_scope on tenantry.ai_gateways using (
  declared_by = (select tenantry.caller_environment()) and (select tenantry.sees_all()));
-- Whoever is assigned is a user of the instance's client, and both are seen.
drop policy own_environment on tenantry.client_user_instances;
create policy in_scope on tenantry.client_user_instances using (
  exists (select from tenantry.instances i join tenantry.client_users u on u.client_id = i.client_id
    where i.id = instance_id and u.id = client_user_id));
drop policy own_environment on tenantry.client_user_subdivisions;
create policy in_scope on tenantry.client_user_subdivisions using (
  exists (select from tenantry.client_subdivisions s join tenantry.client_users u on u.client_id = s.client_id
    where s.id = client_subdivision_id and u.id = client_user_id));
-- A partner root chooses no gateways: which has room is told by `tenantry.pool_entries`.
drop policy readable on tenantry.ai_gateways;
create policy readable on tenantry.ai_gateways for select using ((select tenantry.sees_all()));

-- All that the dashboard Worker may ask before it has taken a caller's role.

-- Whom an address belongs to; null for no user of the environment's dashboard. Its shape is workers/dashboard/identity/caller.ts.
create function dashboard.find_caller(p_email text) returns jsonb
language sql stable security definer
set search_path = pg_catalog
as $$
  select jsonb_build_object('id', d.id, 'email', d.email, 'name', d.name, 'role', d.role, 'partner_id', d.partner_id)
  from tenantry.dashboard_users d
  where d.environment = tenantry.caller_environment() and d.email = lower(p_email)
$$;
revoke all on function dashboard.find_caller (text) from public;

-- Begins a request: takes the role and identity of whom the address belongs to, until the end of the transaction. It answers as
-- `find_caller`. `p_source` and `p_request_id` go into the audit log. `offset 0` has the settings made though nothing reads them; plain SQL,
-- as a new connection's first use of another language costs more than the rest.
create function dashboard.enter(p_email text, p_source text, p_request_id text) returns jsonb
language sql
set search_path = pg_catalog
as $$
  select caller
  from (
    select caller, set_config('tenantry.caller', caller ->> 'id', true), set_config('tenantry.source', p_source, true),
      set_config('tenantry.request_id', p_request_id, true),
      set_config('role', replace(
        session_user, 'dashboard', case caller ->> 'role' when 'ROOT' then 'platform_root' else 'partner_root' end), true)
    from dashboard.find_caller(p_email) as found(caller)
    where caller is not null
    offset 0
  ) as entered
$$;
revoke all on function dashboard.enter (text, text, text) from public;

-- migrate:down
drop function dashboard.enter;
drop function dashboard.find_caller;
drop policy readable on tenantry.ai_gateways;
create policy readable on tenantry.ai_gateways for select using (true);
drop policy in_scope on tenantry.client_user_subdivisions;
create policy own_environment on tenantry.client_user_subdivisions
  using (exists (select from tenantry.client_users u where u.id = client_user_id));
drop policy in_scope on tenantry.client_user_instances;
create policy own_environment on tenantry.client_user_instances
  using (exists (select from tenantry.instances i where i.id = instance_id));
drop policy in_scope on tenantry.ai_gateways;
create policy own_environment on tenantry.ai_gateways using (declared_by = (select tenantry.caller_environment()));
drop policy in_scope on tenantry.instances;
create policy own_environment on tenantry.instances using (environment = (select tenantry.caller_environment()));
drop policy in_scope on tenantry.dashboard_users;
create policy own_environment on tenantry.dashboard_users using (environment = (select tenantry.caller_environment()));
drop policy in_scope on tenantry.clients;
create policy own_environment on tenantry.clients using (environment = (select tenantry.caller_environment()));
drop policy in_scope on tenantry.partners;
create policy own_environment on tenantry.partners using (environment = (select tenantry.caller_environment()));
drop function tenantry.caller_partner;
drop function tenantry.sees_all;
drop function tenantry.caller_id;
drop function tenantry.caller_kind;
