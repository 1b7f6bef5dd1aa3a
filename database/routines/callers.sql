-- The environment of whoever asks, by the name of the role (`database/callers/roles.ts`): a REST layer sets it for a call, others log in
-- as theirs. Anyone else, such as the database's owner, counts as production.
create or replace function tenantry.caller_environment() returns text
language sql stable
set search_path = pg_catalog
as $$
  select coalesce(
    substring(
      coalesce(nullif(current_setting('role', true), 'none'), session_user::text)
      from '^tenantry_.*_(staging|development)$'),
    'production')
$$;

-- The kind of whoever asks; `owner` for anyone else, such as the database's owner.
create or replace function tenantry.caller_kind() returns text
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
create or replace function tenantry.caller_id() returns uuid
language sql stable
set search_path = pg_catalog
as $$
  select nullif(current_setting('tenantry.caller', true), '')::uuid
$$;

-- Whether the caller sees the whole environment. A platform root does only while the user in whose name it asks is one.
create or replace function tenantry.sees_all() returns boolean
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
create or replace function tenantry.caller_partner() returns uuid
language sql stable security definer
set search_path = pg_catalog
as $$
  select d.partner_id from tenantry.dashboard_users d
  where tenantry.caller_kind() = 'partner_root' and d.id = tenantry.caller_id() and d.role = 'PARTNER_ROOT'
    and d.environment = tenantry.caller_environment()
$$;

-- Whom an address belongs to; null for no user of the environment's dashboard. Its shape is workers/dashboard/identity/caller.ts.
create or replace function dashboard.find_caller(p_email text) returns jsonb
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
create or replace function dashboard.enter(p_email text, p_source text, p_request_id text) returns jsonb
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

-- Whose rows a partner root sees, asked once a statement: by it lists of partners find theirs without reading through every client.
create or replace function tenantry.caller_clients() returns uuid[]
language sql stable security definer
set search_path = pg_catalog
as $$
  select array(
    select c.id from tenantry.clients c
    where c.partner_id = tenantry.caller_partner() and c.environment = tenantry.caller_environment())
$$;

create policy own_keys on tenantry.idempotency_keys using (
  case when tenantry.caller_kind() in ('platform_root', 'partner_root') then caller = (select tenantry.caller_id())
    else environment = (select tenantry.caller_environment()) end);
