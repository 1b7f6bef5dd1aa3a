-- The user must be of the same client. Both policies apply: of the client, and of its users.
create policy in_scope on tenantry.service_tokens using (environment = (select tenantry.caller_environment())
  and exists (select from tenantry.client_users u where u.id = client_user_id and u.client_id = service_tokens.client_id));
create policy own_environment on tenantry.ended_service_tokens using (environment = (select tenantry.caller_environment()));

-- Uses of a token are no changes.
create or replace trigger audit after insert or delete on tenantry.service_tokens for each row execute function tenantry.audit();

-- Requests an update of the tenant's Access group, remembers the client id of a token that ended, and sends the token's user a mail about what
-- another person did. The mail names users of the client, and no operator. Its shape is in automation/mail/kinds/service-token.ts.
create or replace function tenantry.service_token_changed() returns trigger
language plpgsql security definer set search_path = pg_catalog as $$
declare
  live constant tenantry.service_tokens := case tg_op when 'DELETE' then old else new end;
  actor constant text := tenantry.acting_person();
begin
  if tg_op = 'DELETE' then
    insert into tenantry.ended_service_tokens (access_client_id, access_token_id, environment)
    values (old.access_client_id, old.access_token_id, old.environment)
    on conflict (access_client_id) do nothing;
  end if;
  perform tenantry.members_changed(i.id) from tenantry.instances i where i.client_id = live.client_id;
  insert into tenantry.mails (environment, kind, recipient, client_id, client_user_id, data)
  select live.environment, 'service_token', u.email, u.client_id, u.id, jsonb_build_object(
    'what', case tg_op when 'DELETE' then 'revoked' else 'created' end, 'name', live.name, 'role', live.role,
    'expires_at', live.expires_at, 'by', case when tenantry.caller_kind() in ('dashboard', 'client_admin') then actor end)
  -- A client that is deleted is gone by now.
  from tenantry.client_users u join tenantry.clients c on c.id = u.client_id
  where u.id = live.client_user_id and u.email <> actor;
  return null;
end
$$;

create or replace trigger service_token_changed after insert or delete on tenantry.service_tokens
  for each row execute function tenantry.service_token_changed();

-- Which tokens the platform created, in any environment, and the user of a token that is valid at a client's instance. Null for a token that
-- the platform does not know, which the account's administrator admits at Access by hand.
create or replace function tenantry.service_token_of(p_access_client_id text, p_client_id uuid, p_instance_id uuid) returns jsonb
language sql stable security definer set search_path = pg_catalog as $$
  select case
    when exists (select from tenantry.service_tokens k where k.access_client_id = p_access_client_id)
      or exists (select from tenantry.ended_service_tokens k where k.access_client_id = p_access_client_id)
    then coalesce(
      (select jsonb_build_object('email', u.email, 'expires_at', extract(epoch from k.expires_at),
          -- The lower of both roles.
          'role', case when k.role = 'ADMIN' then u.role else k.role end)
        from tenantry.service_tokens k
        join tenantry.client_users u on u.id = k.client_user_id and u.client_id = k.client_id
        join tenantry.client_user_instances a on a.client_user_id = u.id and a.instance_id = p_instance_id
        where k.access_client_id = p_access_client_id and k.client_id = p_client_id and k.expires_at > now()
          and u.status = 'validated'),
      jsonb_build_object('email', null, 'expires_at', null, 'role', null))
  end
$$;
revoke all on function tenantry.service_token_of (text, uuid, uuid) from public;

-- Records the use of a token, at most once a minute, because each write is a new version of the row.
-- @returns whether it was recorded
create or replace function api.touch_service_token(p_client_id text) returns boolean
language sql volatile security definer set search_path = pg_catalog as $$
  with used as (
    update tenantry.service_tokens k set last_used_at = now()
    where k.access_client_id = lower(p_client_id) and k.environment = tenantry.caller_environment()
      and (k.last_used_at is null or k.last_used_at < now() - interval '1 minute')
    returning k.id
  )
  select exists (select from used)
$$;
revoke all on function api.touch_service_token (text) from public;
