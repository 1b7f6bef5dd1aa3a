-- The provider keys of the tenant, for an ADMIN; null for anyone else. The result's shape is in workers/dashboard/console/provider-keys/keys.ts.
create or replace function dashboard.console_provider_keys(p_slug text, p_email text) returns jsonb
language sql stable security definer set search_path = pg_catalog as $$
  select coalesce((
    select jsonb_agg(jsonb_build_object(
        'id', k.id, 'instance_id', k.instance_id, 'provider', k.provider, 'key_hint', k.key_hint,
        'fault', k.fault, 'last_error', k.last_error, 'last_error_at', k.last_error_at, 'pushed_at', k.pushed_at,
        'last_used_at', k.last_used_at, 'created_by', tenantry.console_author(i.client_id, k.created_by),
        'created_at', k.created_at) order by k.provider)
    from tenantry.provider_keys k where k.instance_id = i.id), '[]')
  from tenantry.console_instance(p_slug, p_email) i
  where i.id is not null
$$;
revoke all on function dashboard.console_provider_keys (text, text) from public;

-- Stores a key that its provider accepts instead of the present one, and requests that the tenant receives it. Without credentials it deletes the
-- present one. It returns created, replaced, deleted or, without a key to delete, missing; null for anyone but an ADMIN.
create or replace function dashboard.set_console_provider_key(
  p_slug text, p_email text, p_provider text, p_id uuid, p_credentials bytea, p_key_hint text, p_source text, p_request_id text)
returns text
language plpgsql security definer set search_path = pg_catalog as $$
declare
  person constant tenantry.client_users := tenantry.console_user(p_slug, p_email);
  instance constant tenantry.instances := tenantry.lock_console_instance(p_slug, p_email);
  former uuid;
  done text;
begin
  if instance.id is null then
    return null;
  end if;
  perform tenantry.act_as_console_user(person.email, p_source, p_request_id);
  delete from tenantry.provider_keys k where k.instance_id = instance.id and k.provider = p_provider returning k.id into former;
  if p_credentials is null and former is null then
    return 'missing';
  end if;
  if p_credentials is not null then
    insert into tenantry.provider_keys (id, instance_id, provider, credentials, key_hint, created_by)
    values (p_id, instance.id, p_provider, p_credentials, p_key_hint, person.email);
  end if;
  done := case when p_credentials is null then 'deleted' when former is null then 'created' else 'replaced' end;
  insert into tenantry.jobs (kind, client_id, instance_id, slug, requested_by)
  values ('push_provider_keys', instance.client_id, instance.id, p_slug, person.email);
  insert into tenantry.events (client_id, kind, data)
  values (instance.client_id, 'provider_key.' || done, jsonb_build_object(
    'instance_id', instance.id, 'by', person.email, 'provider', p_provider, 'key_id', case when p_credentials is null then former else p_id end));
  return done;
end
$$;
revoke all on function dashboard.set_console_provider_key (text, text, text, uuid, bytea, text, text, text) from public;
