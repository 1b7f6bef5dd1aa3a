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
      from '^tenantry_(dispatch|dashboard|provisioner|service|platform_root|partner_root|client_admin|client_user)(?:_staging|_development)?(?:_b)?$'),
    'owner')
$$;

-- The dashboard user or the client's user for whom a person's role was set; null for every other caller.
create or replace function tenantry.caller_id() returns uuid language sql stable set search_path = pg_catalog as $$
  select nullif(current_setting('tenantry.caller', true), '')::uuid
$$;

-- Address of the person who acts; null for any other caller. Functions of schema `dashboard` identify a client's user for whom no role is set.
create or replace function tenantry.acting_person() returns text language sql stable security definer set search_path = pg_catalog as $$
  select case
    when tenantry.caller_kind() in ('platform_root', 'partner_root')
      then (select d.email from tenantry.dashboard_users d where d.id = tenantry.caller_id())
    when tenantry.caller_kind() in ('client_admin', 'client_user')
      then (select u.email from tenantry.client_users u where u.id = tenantry.caller_id())
    when tenantry.caller_kind() = 'dashboard' then nullif(current_setting('tenantry.person', true), '')
  end
$$;

-- Whether the caller sees the whole environment. A platform root does only while its dashboard user has the role ROOT.
create or replace function tenantry.sees_all() returns boolean language sql stable security definer set search_path = pg_catalog as $$
  select case
    when tenantry.caller_kind() in ('partner_root', 'client_admin', 'client_user') then false
    when tenantry.caller_kind() = 'platform_root' then exists (
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

-- The client whose rows one of its users sees, or a platform root who views it and changes nothing; null for every other caller, and for a user who
-- was removed, or is no ADMIN but has an ADMIN's role.
create or replace function tenantry.caller_client() returns uuid language sql stable security definer set search_path = pg_catalog as $$
  select u.client_id
  from tenantry.client_users u join tenantry.clients c on c.id = u.client_id
  where tenantry.caller_kind() in ('client_admin', 'client_user') and u.id = tenantry.caller_id() and u.status = 'validated'
    and (u.role = 'ADMIN' or tenantry.caller_kind() = 'client_user') and c.environment = tenantry.caller_environment()
  union all
  select c.id
  from tenantry.dashboard_users d join tenantry.clients c on c.environment = d.environment
  where tenantry.caller_kind() = 'client_admin' and current_setting('transaction_read_only') = 'on'
    and d.id = tenantry.caller_id() and d.role = 'ROOT' and d.environment = tenantry.caller_environment()
    and c.id = nullif(current_setting('tenantry.viewed_client', true), '')::uuid
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

-- Addresses of a client's ADMINs.
create or replace function tenantry.console_admins(p_client_id uuid) returns jsonb
language sql stable security definer set search_path = pg_catalog as $$
  select coalesce(jsonb_agg(u.email order by u.email), '[]')
  from tenantry.client_users u where u.client_id = p_client_id and u.role = 'ADMIN'
$$;
revoke all on function tenantry.console_admins (uuid) from public;

-- The user of a tenant who calls, with the tenant; null for anyone else. The result's shape is in workers/dashboard/identity/caller.ts.
create or replace function dashboard.find_tenant_caller(p_slug text, p_email text, p_access_client_id text) returns jsonb
language sql stable security definer set search_path = pg_catalog as $$
  select tenantry.console_tenant(u.client_id) || jsonb_build_object(
    'id', u.id, 'email', u.email, 'name', u.name, 'role', u.role,
    'read_only', false, 'admins', case when m.role = 'ADMIN' then tenantry.console_admins(u.client_id) else '[]' end)
  from tenantry.console_user(p_slug, p_email, p_access_client_id) u
  join tenantry.client_users m on m.id = u.id
$$;
revoke all on function dashboard.find_tenant_caller (text, text, text) from public;

-- A platform root who views a tenant as its ADMIN, with the tenant; null for anyone else. The result's shape is that of `find_tenant_caller`.
create or replace function dashboard.find_viewer(p_slug text, p_email text) returns jsonb
language sql stable security definer set search_path = pg_catalog as $$
  select tenantry.console_tenant(c.id) || jsonb_build_object(
    'id', d.id, 'email', d.email, 'name', d.name, 'role', 'ADMIN', 'read_only', true, 'admins', tenantry.console_admins(c.id))
  from tenantry.dashboard_users d
  join tenantry.clients c on c.environment = d.environment and c.slug = p_slug
  join tenantry.instances i on i.client_id = c.id
  where d.environment = tenantry.caller_environment() and d.email = lower(p_email) and d.role = 'ROOT'
$$;
revoke all on function dashboard.find_viewer (text, text) from public;

-- Begins a request of a tenant's user, as `enter` does for a dashboard user; or of a viewer, who reads what an ADMIN reads and changes nothing.
create or replace function dashboard.enter_tenant(
  p_slug text, p_email text, p_access_client_id text, p_is_viewer boolean, p_source text, p_request_id text)
returns jsonb
language sql set search_path = pg_catalog as $$
  select caller
  from (
    select caller, set_config('tenantry.caller', caller ->> 'id', true), set_config('tenantry.source', p_source, true),
      set_config('tenantry.request_id', p_request_id, true),
      case when p_is_viewer then set_config('tenantry.viewed_client', caller ->> 'client_id', true) end,
      case when p_is_viewer then set_config('transaction_read_only', 'on', true) end,
      set_config('role', replace(
        regexp_replace(session_user, '_b$', ''), 'dashboard',
        case caller ->> 'role' when 'ADMIN' then 'client_admin' else 'client_user' end), true)
    from (
      select case
        when p_is_viewer then dashboard.find_viewer(p_slug, p_email)
        else dashboard.find_tenant_caller(p_slug, p_email, p_access_client_id) end
    ) as found(caller)
    where caller is not null
    offset 0
  ) as entered
$$;
revoke all on function dashboard.enter_tenant (text, text, text, boolean, text, text) from public;

-- Records in the audit log that the caller views a tenant. It returns whether the caller is a platform root and has access to the client.
create or replace function tenantry.record_console_view(p_client_id uuid) returns boolean
language plpgsql security definer set search_path = pg_catalog as $$
begin
  insert into tenantry.audit_log
    (environment, actor, actor_kind, action, entity, entity_id, partner_id, client_id, after, source, request_id)
  select c.environment, tenantry.acting_person(), tenantry.caller_kind(), 'insert', 'console', c.id::text, c.partner_id, c.id,
    jsonb_build_object('view', 'read-only'),
    nullif(current_setting('tenantry.source', true), ''), nullif(current_setting('tenantry.request_id', true), '')
  from tenantry.clients c
  where c.id = p_client_id and c.environment = tenantry.caller_environment() and tenantry.caller_kind() = 'platform_root'
    and tenantry.sees_all();
  return found;
end
$$;
revoke all on function tenantry.record_console_view (uuid) from public;

-- IDs of the clients that a partner root or a client's user sees, evaluated once per statement, so that lists do not scan every client.
create or replace function tenantry.caller_clients() returns uuid[] language sql stable security definer set search_path = pg_catalog as $$
  select array(
    select c.id from tenantry.clients c
    where c.partner_id = tenantry.caller_partner() and c.environment = tenantry.caller_environment()
    union all
    select tenantry.caller_client() where tenantry.caller_client() is not null)
$$;

-- A client's ADMIN may change only the columns in the trigger's arguments. The rights on the tables also allow to lock their rows.
create or replace function tenantry.limit_client_admin() returns trigger language plpgsql set search_path = pg_catalog as $$
declare
  own constant text[] := tg_argv || array['version', 'updated_at'];
begin
  if to_jsonb(new) - own is distinct from to_jsonb(old) - own then
    raise exception 'an ADMIN cannot change this; ask your operator' using errcode = 'insufficient_privilege';
  end if;
  return new;
end
$$;

create or replace trigger limit_client_admin before update on tenantry.clients
  for each row when (tenantry.caller_kind() = 'client_admin' and old.delete_after is not distinct from new.delete_after)
  execute function tenantry.limit_client_admin('maintenance_days', 'maintenance_start', 'maintenance_hours', 'maintenance_zone',
    'is_canary', 'billing_plan', 'ai_spend_cap_micros');
create or replace trigger limit_client_admin before update on tenantry.instances
  for each row when (tenantry.caller_kind() = 'client_admin' and old.status = new.status
    and (old.frozen_for, new.frozen_for) is distinct from ('deletion', 'credit'))
  execute function tenantry.limit_client_admin('egress', 'is_pinned');

-- `check_client_deletion` and `check_instance_status` decide when an ADMIN may delete, restore, freeze and resume.
create or replace trigger limit_client_admin_deletion before update on tenantry.clients
  for each row when (tenantry.caller_kind() = 'client_admin' and old.delete_after is distinct from new.delete_after)
  execute function tenantry.limit_client_admin('delete_after', 'deletion_by');
create or replace trigger limit_client_admin_freeze before update on tenantry.instances
  for each row when (tenantry.caller_kind() = 'client_admin' and old.status <> new.status)
  execute function tenantry.limit_client_admin(
    'status', 'state_cause', 'state_deadline', 'generation', 'frozen_for', 'frozen_from', 'frozen_by');
-- A restored client whose credit is used up stays frozen.
create or replace trigger limit_client_admin_credit before update on tenantry.instances
  for each row when (tenantry.caller_kind() = 'client_admin' and old.status = new.status and old.frozen_for = 'deletion' and new.frozen_for = 'credit')
  execute function tenantry.limit_client_admin('state_cause', 'frozen_for', 'frozen_by');

create policy own_keys on tenantry.idempotency_keys using (
  case when tenantry.caller_kind() in ('platform_root', 'partner_root', 'client_admin', 'client_user') then caller = (select tenantry.caller_id())
  else environment = (select tenantry.caller_environment()) end);
