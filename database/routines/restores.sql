create policy own_environment on tenantry.restores for select using (environment = (select tenantry.caller_environment()));
