-- The egress secrets of the tenant, for an ADMIN; null for anyone else. The result's shape is in workers/dashboard/console/egress/secrets.ts.
create or replace function dashboard.console_egress_secrets(p_slug text, p_email text) returns jsonb
language sql stable security definer set search_path = pg_catalog as $$
  select coalesce((
    select jsonb_agg(jsonb_build_object(
        'id', s.id, 'instance_id', s.instance_id, 'name', s.name, 'host', s.host, 'header', s.header,
        'created_by', tenantry.console_author(i.client_id, s.created_by), 'created_at', s.created_at) order by s.name)
    from tenantry.egress_secrets s where s.instance_id = i.id), '[]')
  from tenantry.console_instance(p_slug, p_email) i
  where i.id is not null
$$;
revoke all on function dashboard.console_egress_secrets (text, text) from public;

-- Stores a secret instead of one with the same name, and requests that the tenant receives it. Without credentials it deletes the secret of the id. It
-- returns created, replaced, deleted, full for an instance with p_most other secrets, or missing without a secret to delete; null for anyone but an
-- ADMIN.
create or replace function dashboard.set_console_egress_secret(
  p_slug text, p_email text, p_id uuid, p_name text, p_host text, p_header text, p_credentials bytea, p_most integer,
  p_source text, p_request_id text)
returns text
language plpgsql security definer set search_path = pg_catalog as $$
declare
  person constant tenantry.client_users := tenantry.console_user(p_slug, p_email);
  instance constant tenantry.instances := tenantry.lock_console_instance(p_slug, p_email);
  former tenantry.egress_secrets;
  done text;
begin
  if instance.id is null then
    return null;
  end if;
  select * into former from tenantry.egress_secrets s
  where s.instance_id = instance.id and case when p_credentials is null then s.id = p_id else s.name = p_name end;
  if p_credentials is null and former.id is null then
    return 'missing';
  end if;
  if former.id is null and (select count(*) from tenantry.egress_secrets s where s.instance_id = instance.id) >= p_most then
    return 'full';
  end if;
  perform tenantry.act_as_console_user(person.email, p_source, p_request_id);
  delete from tenantry.egress_secrets s where s.id = former.id;
  if p_credentials is not null then
    insert into tenantry.egress_secrets (id, instance_id, name, host, header, credentials, created_by)
    values (p_id, instance.id, p_name, p_host, p_header, p_credentials, person.email);
  end if;
  done := case when p_credentials is null then 'deleted' when former.id is null then 'created' else 'replaced' end;
  insert into tenantry.jobs (kind, client_id, instance_id, slug, requested_by)
  values ('push_egress', instance.client_id, instance.id, p_slug, person.email);
  insert into tenantry.events (client_id, kind, data)
  values (instance.client_id, 'egress_secret.' || done, jsonb_build_object(
    'instance_id', instance.id, 'by', person.email, 'name', coalesce(p_name, former.name), 'secret_id', p_id));
  return done;
end
$$;
revoke all on function dashboard.set_console_egress_secret (text, text, uuid, text, text, text, bytea, integer, text, text) from public;
