-- Records that an ADMIN replays, drops or exports messages of the tenant's inbox, before the tenant receives the order: in the audit log, because
-- the inbox is not in this database, and as an event. It returns whether the user is an ADMIN.
create or replace function dashboard.record_console_inbox_order(
  p_slug text, p_email text, p_order text, p_details jsonb, p_source text, p_request_id text)
returns boolean
language plpgsql security definer set search_path = pg_catalog as $$
declare
  person constant tenantry.client_users := tenantry.console_user(p_slug, p_email);
  instance constant tenantry.instances := tenantry.console_instance(p_slug, p_email);
begin
  if instance.id is null then
    return false;
  end if;
  insert into tenantry.audit_log
    (environment, actor, actor_kind, action, entity, entity_id, partner_id, client_id, after, source, request_id)
  select c.environment, person.email, tenantry.caller_kind(), 'update', 'inbox', instance.id::text, c.partner_id, c.id,
    p_details || jsonb_build_object('order', p_order), p_source, p_request_id
  from tenantry.clients c where c.id = instance.client_id;
  insert into tenantry.events (client_id, kind, data)
  values (instance.client_id, case p_order when 'export' then 'instance.inbox_exported' else format('instance.inbox_%s_ordered', p_order) end,
    jsonb_build_object('instance_id', instance.id, 'by', person.email));
  return true;
end
$$;
revoke all on function dashboard.record_console_inbox_order (text, text, text, jsonb, text, text) from public;
