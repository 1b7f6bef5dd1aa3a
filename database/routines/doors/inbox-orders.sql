-- Records an order for a tenant's inbox in the audit log. The inbox is not in this database, so that no trigger can. It returns whether the caller
-- has access to the instance.
create or replace function tenantry.record_inbox_order(p_instance_id uuid, p_order text, p_details jsonb) returns boolean
language plpgsql security definer set search_path = pg_catalog as $$
begin
  insert into tenantry.audit_log
    (environment, actor, actor_kind, action, entity, entity_id, partner_id, client_id, after, source, request_id)
  select c.environment, tenantry.acting_person(), tenantry.caller_kind(), 'update', 'inbox', i.id::text, c.partner_id, c.id,
    p_details || jsonb_build_object('order', p_order),
    nullif(current_setting('tenantry.source', true), ''), nullif(current_setting('tenantry.request_id', true), '')
  from tenantry.instances i join tenantry.clients c on c.id = i.client_id
  where i.id = p_instance_id and c.environment = tenantry.caller_environment()
    and (tenantry.sees_all() or c.partner_id = tenantry.caller_partner()
      or c.id = tenantry.caller_client());
  return found;
end
$$;
revoke all on function tenantry.record_inbox_order (uuid, text, jsonb) from public;
