-- Records that an ADMIN replays, drops or exports messages of the tenant's inbox, before the tenant receives the order. It returns whether the user
-- is an ADMIN.
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
  perform tenantry.act_as_console_user(person.email, p_source, p_request_id);
  perform tenantry.record_inbox_order(instance.id, p_order, p_details);
  insert into tenantry.events (client_id, kind, data)
  values (instance.client_id, case p_order when 'export' then 'instance.inbox_exported' else format('instance.inbox_%s_ordered', p_order) end,
    jsonb_build_object('instance_id', instance.id, 'by', person.email));
  return true;
end
$$;
revoke all on function dashboard.record_console_inbox_order (text, text, text, jsonb, text, text) from public;
