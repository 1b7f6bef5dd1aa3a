create policy in_scope on tenantry.provider_keys using (exists (select from tenantry.instances i where i.id = instance_id));

-- Pushes, uses and faults are no changes, and a key that is replaced gets another row.
create or replace trigger audit after insert or delete on tenantry.provider_keys
  for each row execute function tenantry.audit();
