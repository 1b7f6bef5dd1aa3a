-- Records an order for a tenant's inbox in the audit log. It returns whether the caller has access to the instance.
create or replace function tenantry.record_inbox_order(p_instance_id uuid, p_order text, p_details jsonb) returns boolean
language plpgsql security definer set search_path = pg_catalog as $$
begin
  return tenantry.record_outside_change(p_instance_id, 'inbox', p_details || jsonb_build_object('order', p_order));
end
$$;
revoke all on function tenantry.record_inbox_order (uuid, text, jsonb) from public;
