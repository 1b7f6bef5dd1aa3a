create policy in_scope on tenantry.channels using (environment = (select tenantry.caller_environment())
  and exists (select from tenantry.instances i where i.id = instance_id));

-- Pushes, checks and the encryption with another key are no changes.
create or replace trigger next_version before update of token_replaced_at on tenantry.channels
  for each row execute function tenantry.next_version();
create or replace trigger audit after insert or delete or update of token_replaced_at on tenantry.channels
  for each row execute function tenantry.audit();
