-- The caller's environment, from the name of its role (`database/callers/roles.ts`). A REST layer sets the role for a call; other callers log in
-- with it, or with its second login, which ends in `_b`. Any other role, such as the database's owner, counts as production.
create or replace function tenantry.caller_environment() returns text language sql stable set search_path = pg_catalog as $$
  select coalesce(
    substring(
      coalesce(nullif(current_setting('role', true), 'none'), session_user::text)
      from '^tenantry_.*_(staging|development)(?:_b)?$'),
    'production')
$$;

-- The caller's kind; `owner` for any other role, such as the database's owner.
create or replace function tenantry.caller_kind() returns text language sql stable set search_path = pg_catalog as $$
  select coalesce(
    substring(
      coalesce(nullif(current_setting('role', true), 'none'), session_user::text)
      from '^tenantry_(dispatch|dashboard|provisioner|service|platform_root|partner_root)(?:_staging|_development)?(?:_b)?$'),
    'owner')
$$;

-- The dashboard user for whom a root's role was set; null for every other caller.
create or replace function tenantry.caller_id() returns uuid language sql stable set search_path = pg_catalog as $$
  select nullif(current_setting('tenantry.caller', true), '')::uuid
$$;

-- Address of the person who acts: a dashboard user, or a client's user, who has no role and whom a function of schema `dashboard` identified; null
-- for any other caller.
create or replace function tenantry.acting_person() returns text language sql stable security definer set search_path = pg_catalog as $$
  select case
    when tenantry.caller_kind() in ('platform_root', 'partner_root')
      then (select d.email from tenantry.dashboard_users d where d.id = tenantry.caller_id())
    when tenantry.caller_kind() = 'dashboard' then nullif(current_setting('tenantry.person', true), '')
  end
$$;

-- Whether the caller sees the whole environment. A platform root does only while its dashboard user has the role ROOT.
create or replace function tenantry.sees_all() returns boolean language sql stable security definer set search_path = pg_catalog as $$
  select case tenantry.caller_kind()
    when 'partner_root' then false
    when 'platform_root' then exists (
      select from tenantry.dashboard_users d
      where d.id = tenantry.caller_id() and d.role = 'ROOT' and d.environment = tenantry.caller_environment())
    else true
  end
$$;

-- The partner whose rows a partner root sees; null for every other caller. It is read from the user's row, so that no setting can widen it.
create or replace function tenantry.caller_partner() returns uuid language sql stable security definer set search_path = pg_catalog as $$
  select d.partner_id from tenantry.dashboard_users d
  where tenantry.caller_kind() = 'partner_root' and d.id = tenantry.caller_id() and d.role = 'PARTNER_ROOT'
    and d.environment = tenantry.caller_environment()
$$;

-- The dashboard user with an email address; null if the environment has none. The result's shape is in workers/dashboard/identity/caller.ts.
create or replace function dashboard.find_caller(p_email text) returns jsonb
language sql stable security definer set search_path = pg_catalog as $$
  select jsonb_build_object('id', d.id, 'email', d.email, 'name', d.name, 'role', d.role, 'partner_id', d.partner_id)
  from tenantry.dashboard_users d
  where d.environment = tenantry.caller_environment() and d.email = lower(p_email)
$$;
revoke all on function dashboard.find_caller (text) from public;

-- Begins a request: sets the role and identity of the user with this address until the end of the transaction. It returns the result of
-- `find_caller`. `p_source` and `p_request_id` go into the audit log. `offset 0` makes PostgreSQL evaluate the settings although nothing reads
-- them. It is plain SQL because a new connection's first use of another language costs more than the rest.
create or replace function dashboard.enter(p_email text, p_source text, p_request_id text) returns jsonb
language sql set search_path = pg_catalog as $$
  select caller
  from (
    select caller, set_config('tenantry.caller', caller ->> 'id', true), set_config('tenantry.source', p_source, true),
      set_config('tenantry.request_id', p_request_id, true),
      set_config('role', replace(
        regexp_replace(session_user, '_b$', ''), 'dashboard',
        case caller ->> 'role' when 'ROOT' then 'platform_root' else 'partner_root' end), true)
    from dashboard.find_caller(p_email) as found(caller)
    where caller is not null
    offset 0
  ) as entered
$$;
revoke all on function dashboard.enter (text, text, text) from public;

-- IDs of the clients that a partner root sees, evaluated once per statement, so that lists do not scan every client.
create or replace function tenantry.caller_clients() returns uuid[] language sql stable security definer set search_path = pg_catalog as $$
  select array(
    select c.id from tenantry.clients c
    where c.partner_id = tenantry.caller_partner() and c.environment = tenantry.caller_environment())
$$;

create policy own_keys on tenantry.idempotency_keys using (
  case when tenantry.caller_kind() in ('platform_root', 'partner_root') then caller = (select tenantry.caller_id())
  else environment = (select tenantry.caller_environment()) end);
