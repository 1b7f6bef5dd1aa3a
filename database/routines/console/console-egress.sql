-- The egress policies of the tenant, for an ADMIN; null for anyone else. The result's shape is in workers/dashboard/console/egress/policies.ts.
create or replace function dashboard.console_egress(p_slug text, p_email text, p_own_server_kinds text[]) returns jsonb
language sql stable security definer set search_path = pg_catalog as $$
  select jsonb_build_object(
    'plan', c.billing_plan, 'partner', p.egress, 'tenant', i.egress, 'wanted', tenantry.wanted_egress(i.id),
    'egress_revision', i.egress_revision, 'egress_fault', i.egress_fault, 'last_error', i.egress_last_error,
    'pushed_at', i.egress_pushed_at, 'version', i.version, 'managed_by', i.managed_by, 'owner', i.owner,
    'channels', coalesce((select jsonb_agg(h.kind order by h.kind) from tenantry.channels h where h.instance_id = i.id), '[]'),
    -- The credentials of these kinds have the address of the server, which the Worker decrypts.
    'own_servers', coalesce((
      select jsonb_agg(jsonb_build_object('id', h.id, 'kind', h.kind, 'credentials', encode(h.credentials, 'base64')))
      from tenantry.channels h where h.instance_id = i.id and h.kind = any (p_own_server_kinds)), '[]'))
  from tenantry.console_instance(p_slug, p_email) i
  join tenantry.clients c on c.id = i.client_id
  left join tenantry.partners p on p.id = c.partner_id
  where i.id is not null
$$;
revoke all on function dashboard.console_egress (text, text, text[]) from public;

-- Replaces the tenant's policy, which a trigger sends to the tenant. Null states nothing. It returns stored, changed for another version than those that
-- the ADMIN knows, or git for a tenant that a stack file declares; null for anyone but an ADMIN.
create or replace function dashboard.set_console_egress(
  p_slug text, p_email text, p_policy jsonb, p_versions integer[], p_source text, p_request_id text)
returns text
language plpgsql security definer set search_path = pg_catalog as $$
declare
  person constant tenantry.client_users := tenantry.console_user(p_slug, p_email);
  instance constant tenantry.instances := tenantry.lock_console_instance(p_slug, p_email);
begin
  if instance.id is null then
    return null;
  end if;
  if instance.managed_by = 'git' then
    return 'git';
  end if;
  if not instance.version = any (coalesce(p_versions, array[instance.version])) then
    return 'changed';
  end if;
  perform tenantry.act_as_console_user(person.email, p_source, p_request_id);
  update tenantry.instances i set egress = p_policy where i.id = instance.id;
  insert into tenantry.events (client_id, kind, data)
  values (instance.client_id, 'egress.changed', jsonb_build_object(
    'instance_id', instance.id, 'by', person.email, 'mode', coalesce(p_policy ->> 'mode', 'none')));
  return 'stored';
end
$$;
revoke all on function dashboard.set_console_egress (text, text, jsonb, integer[], text, text) from public;
