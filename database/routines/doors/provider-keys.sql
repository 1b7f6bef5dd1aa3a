create policy in_scope on tenantry.provider_keys using (exists (select from tenantry.instances i where i.id = instance_id));

-- Pushes, uses and faults are no changes, and a key that is replaced gets another row.
create or replace trigger audit after insert or delete on tenantry.provider_keys
  for each row execute function tenantry.audit();

-- A deployment may have created the tenant's objects again, without its keys.
create or replace function tenantry.push_provider_keys_again() returns trigger
language plpgsql security definer set search_path = pg_catalog as $$
begin
  update tenantry.provider_keys k set pushed_at = null where k.instance_id = new.id;
  if found then
    insert into tenantry.jobs (kind, client_id, instance_id, slug, requested_by, environment)
    select 'push_provider_keys', c.id, new.id, c.slug, 'service', new.environment
    from tenantry.clients c where c.id = new.client_id;
  end if;
  return null;
end
$$;

create or replace trigger push_provider_keys_again after update of status on tenantry.instances
  for each row when (new.status = 'running' and old.status in ('provisioning', 'error'))
  execute function tenantry.push_provider_keys_again();
