create policy in_scope on tenantry.channels using (environment = (select tenantry.caller_environment())
  and exists (select from tenantry.instances i where i.id = instance_id));

-- Pushes, checks and the encryption with another key are no changes.
create or replace trigger next_version before update of token_replaced_at on tenantry.channels
  for each row execute function tenantry.next_version();
create or replace trigger audit after insert or delete or update of token_replaced_at on tenantry.channels
  for each row execute function tenantry.audit();

-- A deployment may have created the tenant's objects again, without its channels.
create or replace function tenantry.push_channels_again() returns trigger
language plpgsql security definer set search_path = pg_catalog as $$
begin
  update tenantry.channels c set pushed_at = null where c.instance_id = new.id;
  if found then
    insert into tenantry.jobs (kind, client_id, instance_id, slug, requested_by, environment)
    select 'push_channels', c.id, new.id, c.slug, 'service', new.environment
    from tenantry.clients c where c.id = new.client_id;
  end if;
  return null;
end
$$;

create or replace trigger push_channels_again after update of status on tenantry.instances
  for each row when (new.status = 'running' and old.status in ('provisioning', 'error'))
  execute function tenantry.push_channels_again();
