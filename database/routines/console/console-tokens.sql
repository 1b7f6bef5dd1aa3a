-- The service tokens that a user may see: the user's own, and an ADMIN's also those of the client's other users, with the users for whom tokens
-- can be created. Null for anyone else. The result's shape is in workers/dashboard/console/tokens/tokens.ts.
create or replace function dashboard.console_tokens(p_slug text, p_email text, p_token text default null) returns jsonb
language sql stable security definer set search_path = pg_catalog as $$
  select jsonb_build_object(
    'user_id', u.id,
    'client', jsonb_build_object('slug', c.slug, 'name', c.name, 'environment', c.environment),
    'users', (
      select jsonb_agg(jsonb_build_object(
        'id', o.id, 'email', o.email, 'role', case o.id when u.id then u.role else o.role end) order by o.id <> u.id, o.email)
      from tenantry.client_users m cross join lateral tenantry.console_user(p_slug, m.email) o
      where m.client_id = c.id and o.id is not null and (u.role = 'ADMIN' or o.id = u.id)),
    'tokens', coalesce((
      select jsonb_agg(jsonb_build_object(
          'id', k.id, 'client_id', k.client_id, 'client_user_id', k.client_user_id, 'email', o.email, 'name', k.name, 'role', k.role,
          'access_client_id', k.access_client_id, 'created_at', k.created_at, 'expires_at', k.expires_at, 'last_used_at', k.last_used_at,
          'created_by', tenantry.console_author(c.id, k.created_by)) order by k.created_at desc, k.id)
      from tenantry.service_tokens k join tenantry.client_users o on o.id = k.client_user_id
      where k.client_id = c.id and (u.role = 'ADMIN' or o.id = u.id)), '[]'))
  from tenantry.console_user(p_slug, p_email, p_token) u
  join tenantry.clients c on c.id = u.client_id
$$;
revoke all on function dashboard.console_tokens (text, text, text) from public;

-- Why a user cannot create a token for a user of the same client, by the error's reason in workers/dashboard/console/tokens/tokens.ts; null if nothing
-- prevents it. It decides by the users' present rows.
create or replace function dashboard.console_token_fault(
  p_slug text, p_email text, p_id uuid, p_client_user_id uuid, p_name text, p_role text, p_most integer,
  p_token text default null)
returns text
language sql stable security definer set search_path = pg_catalog as $$
  select case
    when u.id is null then 'console_access_ended'
    when c.delete_after is not null then 'client_being_deleted'
    when o.id is null or (o.id <> u.id and u.role <> 'ADMIN') then 'user_not_found'
    when p_role = 'ADMIN' and (o.role <> 'ADMIN' or u.role <> 'ADMIN') then 'service_token_role_too_high'
    when exists (select from tenantry.service_tokens k where k.id = p_id) then 'service_token_exists'
    when exists (select from tenantry.service_tokens k where k.client_user_id = o.id and k.name = p_name) then 'service_token_name_exists'
    when (select count(*) from tenantry.service_tokens k where k.client_id = c.id and k.expires_at > now()) >= p_most
      then 'client_has_max_service_tokens'
  end
  from tenantry.console_user(p_slug, p_email, p_token) u
  left join tenantry.clients c on c.id = u.client_id
  left join tenantry.client_users m on m.id = p_client_user_id and m.client_id = u.client_id
  left join lateral tenantry.console_user(p_slug, m.email) o on true
$$;
revoke all on function dashboard.console_token_fault (text, text, uuid, uuid, text, text, integer, text) from public;

-- Stores a token that Access created. It returns the result of `console_token_fault`, in which case nothing is stored.
create or replace function dashboard.create_console_token(
  p_slug text, p_email text, p_id uuid, p_client_user_id uuid, p_name text, p_role text, p_most integer, p_days integer,
  p_access_token_id text, p_access_client_id text, p_source text, p_request_id text, p_token text default null)
returns text
language plpgsql security definer set search_path = pg_catalog as $$
declare
  fault text;
  person tenantry.client_users;
begin
  person := tenantry.console_user(p_slug, p_email, p_token);
  -- Of one client, requests that count its tokens run one after another.
  perform from tenantry.clients c where c.id = person.client_id for update;
  perform from tenantry.client_users u where u.id in (person.id, p_client_user_id) order by u.id for update;
  fault := dashboard.console_token_fault(p_slug, p_email, p_id, p_client_user_id, p_name, p_role, p_most, p_token);
  if fault is not null then
    return fault;
  end if;
  perform tenantry.act_as_console_user(person.email, p_source, p_request_id);
  insert into tenantry.service_tokens
    (id, environment, client_id, client_user_id, name, role, created_by, expires_at, access_token_id, access_client_id)
  values (p_id, tenantry.caller_environment(), person.client_id, p_client_user_id, p_name, p_role, person.email,
    now() + p_days * interval '1 day', p_access_token_id, p_access_client_id);
  perform tenantry.console_token_event(p_id, 'service_token.created');
  return null;
end
$$;
revoke all on function dashboard.create_console_token (text, text, uuid, uuid, text, text, integer, integer, text, text, text, text, text) from public;

-- Revokes a token of the user or, for an ADMIN, of any user of the client. It returns whether there was one; null for anyone else.
create or replace function dashboard.revoke_console_token(
  p_slug text, p_email text, p_id uuid, p_source text, p_request_id text, p_token text default null)
returns boolean
language plpgsql security definer set search_path = pg_catalog as $$
declare
  person constant tenantry.client_users := tenantry.console_user(p_slug, p_email, p_token);
begin
  if person.id is null then
    return null;
  end if;
  perform from tenantry.service_tokens k
  where k.id = p_id and k.client_id = person.client_id and (k.client_user_id = person.id or person.role = 'ADMIN') for update;
  if not found then
    return false;
  end if;
  perform tenantry.act_as_console_user(person.email, p_source, p_request_id);
  perform tenantry.console_token_event(p_id, 'service_token.revoked');
  delete from tenantry.service_tokens k where k.id = p_id;
  return true;
end
$$;
revoke all on function dashboard.revoke_console_token (text, text, uuid, text, text, text) from public;

-- As the dashboard sends it for changes by operators.
create or replace function tenantry.console_token_event(p_id uuid, p_kind text) returns void
language sql security definer set search_path = pg_catalog as $$
  insert into tenantry.events (client_id, kind, data)
  select k.client_id, p_kind, jsonb_build_object(
    'service_token_id', k.id, 'client_user_id', k.client_user_id, 'email', u.email, 'name', k.name)
  from tenantry.service_tokens k join tenantry.client_users u on u.id = k.client_user_id
  where k.id = p_id
$$;
revoke all on function tenantry.console_token_event (uuid, text) from public;
