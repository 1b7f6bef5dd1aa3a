create policy in_scope on tenantry.doors using (exists (select from tenantry.instances i where i.id = instance_id));

-- Uses of a door and its encryption with another key are no changes.
create or replace trigger next_version before update of name, state, key_hash, rotated_at on tenantry.doors
  for each row execute function tenantry.next_version();
create or replace trigger audit after insert or delete or update of name, state, key_hash, rotated_at on tenantry.doors
  for each row execute function tenantry.audit();

-- Requests that the dispatch Worker drops its cache entries of a door's keys. A request with a new key may have been refused before.
create or replace function tenantry.invalidate_door() returns trigger language plpgsql security definer set search_path = pg_catalog as $$
begin
  insert into tenantry.jobs (kind, client_id, instance_id, slug, requested_by, environment, payload)
  select 'invalidate', c.id, i.id, c.slug,
    coalesce(
      tenantry.acting_person(), regexp_replace(coalesce(new.owner, old.owner), '^urn:pulumi:([^:]+)::([^:]+)::.*$', '\2/\1'), 'service'),
    i.environment,
    jsonb_build_object('doors', (
      select jsonb_agg(distinct encode(h, 'hex'))
      from unnest(array[old.key_hash, old.former_key_hash, new.key_hash, new.former_key_hash]) h where h is not null))
  from tenantry.instances i join tenantry.clients c on c.id = i.client_id
  where i.id = coalesce(new.instance_id, old.instance_id);
  return null;
end
$$;

create or replace trigger invalidate_door after insert or delete or update of name, state, key_hash, rotated_at on tenantry.doors
  for each row execute function tenantry.invalidate_door();

-- Everything that the dispatch Worker needs for a webhook, in one round trip. The result's shape is workers/contracts/door-entry.ts.
create or replace function api.resolve_door(p_key_hash text) returns jsonb
language sql stable security definer set search_path = pg_catalog as $$
  with given as (
    select case when p_key_hash ~ '^[0-9a-f]{64}$' then decode(p_key_hash, 'hex') end as hash
  ), found as (
    select d.id, d.kind, d.name, d.state, c.slug,
      translate(encode(d.secrets, 'base64'), E'\n', '') as secrets,
      case when d.former_until > now() then translate(encode(d.former_secrets, 'base64'), E'\n', '') end as former_secrets
    from given g
    join tenantry.doors d on d.key_hash = g.hash or (d.former_key_hash = g.hash and d.former_key_until > now())
    join tenantry.instances i on i.id = d.instance_id
    join tenantry.clients c on c.id = i.client_id
    where i.environment = tenantry.caller_environment()
    limit 1
  )
  select jsonb_build_object('door', (
    select jsonb_build_object(
      'id', id, 'kind', kind, 'name', name, 'state', state, 'secrets', secrets, 'former_secrets', former_secrets,
      'tenant', api.resolve_tenant(slug) -> 'tenant')
    from found))
$$;
revoke all on function api.resolve_door (text) from public;

-- Records the use of a door, at most once a minute, because each write is a new version of the row.
create or replace function api.touch_door(p_id uuid) returns void
language sql volatile security definer set search_path = pg_catalog as $$
  update tenantry.doors d set last_used_at = now()
  from tenantry.instances i
  where d.id = p_id and i.id = d.instance_id and i.environment = tenantry.caller_environment()
    and (d.last_used_at is null or d.last_used_at < now() - interval '1 minute')
$$;
revoke all on function api.touch_door (uuid) from public;

-- Records why a door refused a request, at most once a minute, because anyone who knows its address can cause it.
create or replace function api.record_door_refusal(p_id uuid, p_reason text) returns void
language sql volatile security definer set search_path = pg_catalog as $$
  update tenantry.doors d set last_refused_at = now(), last_refusal = p_reason
  from tenantry.instances i
  where d.id = p_id and i.id = d.instance_id and i.environment = tenantry.caller_environment()
    and (d.last_refused_at is null or d.last_refused_at < now() - interval '1 minute')
$$;
revoke all on function api.record_door_refusal (uuid, text) from public;
