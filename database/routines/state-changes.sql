-- What the platform changes outside the database is recorded in the audit log, without content: no trigger sees it. It returns whether the caller
-- has access to the instance.
create or replace function tenantry.record_outside_change(p_instance_id uuid, p_entity text, p_details jsonb) returns boolean
language plpgsql security definer set search_path = pg_catalog as $$
begin
  insert into tenantry.audit_log
    (environment, actor, actor_kind, action, entity, entity_id, partner_id, client_id, after, source, request_id)
  select c.environment, tenantry.acting_person(), tenantry.caller_kind(), 'update', p_entity, i.id::text, c.partner_id, c.id,
    p_details,
    nullif(current_setting('tenantry.source', true), ''), nullif(current_setting('tenantry.request_id', true), '')
  from tenantry.instances i join tenantry.clients c on c.id = i.client_id
  where i.id = p_instance_id and c.environment = tenantry.caller_environment()
    and (tenantry.sees_all() or c.partner_id = tenantry.caller_partner()
      or c.id = tenantry.caller_client());
  return found;
end
$$;
revoke all on function tenantry.record_outside_change (uuid, text, jsonb) from public;

-- Changes of files and backups.
create or replace function tenantry.record_state_change(p_instance_id uuid, p_details jsonb) returns boolean
language plpgsql security definer set search_path = pg_catalog as $$
begin
  return tenantry.record_outside_change(p_instance_id, 'state', p_details);
end
$$;
revoke all on function tenantry.record_state_change (uuid, jsonb) from public;
