-- Limits each dashboard user, and the ADMINs of each client together, to 60 invitations an hour: an ADMIN could invite others to exceed a limit
-- of its own. Concurrent requests are serialized, so that they count too. The error's detail is the number of seconds until the next invitation
-- is allowed.
create or replace function tenantry.limit_invitations() returns trigger language plpgsql security definer set search_path = pg_catalog as $$
declare
  oldest timestamptz;
  by_client constant boolean := tenantry.caller_kind() = 'client_admin';
begin
  if by_client then
    new.data := new.data || jsonb_build_object('requested_by', tenantry.caller_id());
  else
    new.requested_by := tenantry.caller_id();
  end if;
  perform pg_advisory_xact_lock(hashtextextended('tenantry.invitations:' || coalesce(new.requested_by, new.client_id), 0));
  select m.created_at into oldest from tenantry.mails m
  where case when by_client then m.client_id = new.client_id and m.data ? 'requested_by' else m.requested_by = new.requested_by end
    and m.kind = 'invitation' and m.created_at > now() - interval '1 hour'
  order by m.created_at desc offset 59 limit 1;
  if found then
    raise exception 'you have sent 60 invitations in the last hour; try again later' using errcode = 'TN050',
      detail = ceil(extract(epoch from oldest + interval '1 hour' - now()))::text;
  end if;
  return new;
end
$$;

create or replace trigger limit_invitations before insert on tenantry.mails
  for each row when (new.kind = 'invitation' and tenantry.caller_id() is not null) execute function tenantry.limit_invitations();

-- An invitation as the invited user sees it. The result's shape is in workers/dashboard/invitations/invitation.ts.
create or replace function tenantry.invitation_of(p_client_user_id uuid) returns jsonb
language sql stable security definer set search_path = pg_catalog as $$
  select jsonb_build_object(
    'email', u.email, 'name', u.name, 'role', u.role, 'expires_at', u.token_expires_at,
    'client', jsonb_build_object('slug', c.slug, 'name', c.name, 'environment', c.environment),
    'partner', case when p.id is not null then jsonb_build_object(
      'id', p.id, 'name', p.name, 'style', p.style, 'logo_key', p.logo_key) end,
    'instance_ids', coalesce((
      select jsonb_agg(a.instance_id order by a.instance_id)
      from tenantry.client_user_instances a where a.client_user_id = u.id), '[]'))
  from tenantry.client_users u
  join tenantry.clients c on c.id = u.client_id
  left join tenantry.partners p on p.id = c.partner_id
  where u.id = p_client_user_id
$$;
revoke all on function tenantry.invitation_of (uuid) from public;

-- The user that an open invitation's token (as SHA-256) invites; null for any other token.
create or replace function tenantry.invited_by(p_token_hash bytea) returns uuid
language sql stable security definer set search_path = pg_catalog as $$
  select u.id
  from tenantry.client_users u join tenantry.clients c on c.id = u.client_id
  where u.token_hash = p_token_hash and u.status = 'invited' and u.token_expires_at > now()
    and c.delete_after is null and c.environment = tenantry.caller_environment()
$$;
revoke all on function tenantry.invited_by (bytea) from public;

-- The open invitation of a token; null if it is not open. It changes nothing, because mail scanners follow links.
create or replace function dashboard.invitation(p_token_hash bytea) returns jsonb
language sql stable security definer set search_path = pg_catalog as $$
  select tenantry.invitation_of(tenantry.invited_by(p_token_hash))
$$;
revoke all on function dashboard.invitation (bytea) from public;

-- Accepts an invitation for all or some of its instances, or rejects it, once. It returns the result of `dashboard.invitation` with the accepted
-- instances; null if the invitation is not open. `p_access_user_uuid` is the user's ID in Access, if the request was logged in.
create or replace function dashboard.answer_invitation(
  p_token_hash bytea, p_accepts boolean, p_instance_ids uuid[], p_access_user_uuid uuid, p_source text, p_request_id text)
returns jsonb
language plpgsql security definer set search_path = pg_catalog as $$
declare
  invited constant uuid := tenantry.invited_by(p_token_hash);
  identity jsonb;
  answered tenantry.client_users;
begin
  if invited is null then
    return null;
  end if;
  -- The name for the audit log, since the user has no role.
  perform set_config('tenantry.person', (select u.email from tenantry.client_users u where u.id = invited), true),
    set_config('tenantry.source', p_source, true), set_config('tenantry.request_id', p_request_id, true);
  if p_accepts then
    if p_instance_ids is not null and (cardinality(p_instance_ids) = 0 or exists (
        select from unnest(p_instance_ids) as wanted (id)
        where not exists (
          select from tenantry.client_user_instances a where a.client_user_id = invited and a.instance_id = wanted.id))) then
      raise exception 'the decision accepts no instance; accept at least one of the instances, or reject the invitation' using errcode = 'TN052';
    end if;
    identity := jsonb_strip_nulls(jsonb_build_object(
      'email', current_setting('tenantry.person'), 'accepted_at', now(), 'source', nullif(p_source, ''),
      'access_user_uuid', p_access_user_uuid));
  end if;
  -- A concurrent second answer waits here and then finds no token.
  update tenantry.client_users u
  set status = case when p_accepts then 'validated' else 'rejected' end,
    validated_at = case when p_accepts then now() end,
    cf_access_identity = identity, token_hash = null, token_expires_at = null
  where u.id = invited and u.token_hash = p_token_hash and u.status = 'invited' and u.token_expires_at > now()
  returning u.* into answered;
  if not found then
    return null;
  end if;
  delete from tenantry.client_user_instances a
  where a.client_user_id = answered.id and (not p_accepts or a.instance_id <> all (p_instance_ids));
  if p_accepts then
    update tenantry.users p set cf_access_identity = identity where p.id = answered.user_id;
  end if;
  insert into tenantry.events (client_id, kind, data)
  values (answered.client_id, case when p_accepts then 'invitation.accepted' else 'invitation.rejected' end,
    jsonb_build_object('client_user_id', answered.id, 'email', answered.email));
  return tenantry.invitation_of(answered.id);
end
$$;
revoke all on function dashboard.answer_invitation (bytea, boolean, uuid[], uuid, text, text) from public;

create or replace function tenantry.keep_past_invitation() returns trigger
language plpgsql security definer set search_path = pg_catalog as $$
begin
  insert into tenantry.past_invitations (token_hash, client_user_id, withdrawn)
  values (old.token_hash, new.id, new.status = 'invited' and new.token_hash is null and new.token_expires_at <= now())
  on conflict do nothing;
  return null;
end
$$;

create or replace trigger keep_past_invitation after update of token_hash on tenantry.client_users
  for each row when (old.token_hash is not null and new.token_hash is distinct from old.token_hash)
  execute function tenantry.keep_past_invitation();

-- The state of an invitation that is not open, by its token's SHA-256 (`accepted`, `rejected`, `expired`, `withdrawn` or `replaced`), and its
-- partner; null for an unknown token, or if the user or client is being deleted. The result's shape is in
-- workers/dashboard/invitations/invitation.ts.
create or replace function dashboard.past_invitation(p_token_hash bytea) returns jsonb
language sql stable security definer set search_path = pg_catalog as $$
  select tenantry.invitation_of(u.id) || jsonb_build_object('state', case
    when u.status = 'validated' then 'accepted'
    when u.status = 'rejected' then 'rejected'
    when u.token_hash = p_token_hash then 'expired'
    when p.withdrawn and u.token_hash is null and u.token_expires_at <= now() then 'withdrawn'
    else 'replaced' end)
  from tenantry.client_users u
  join tenantry.clients c on c.id = u.client_id
  left join tenantry.past_invitations p on p.token_hash = p_token_hash and p.client_user_id = u.id
  where u.id in (
      select x.id from tenantry.client_users x where x.token_hash = p_token_hash
      union all
      select y.client_user_id from tenantry.past_invitations y where y.token_hash = p_token_hash)
    and c.delete_after is null and c.environment = tenantry.caller_environment()
  limit 1
$$;
revoke all on function dashboard.past_invitation (bytea) from public;
