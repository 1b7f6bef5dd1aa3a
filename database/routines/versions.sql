create or replace function tenantry.version_deployed() returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  new.deployed_at := now();
  return new;
end
$$;

create or replace trigger version_deployed before update of version on tenantry.platform_versions
  for each row execute function tenantry.version_deployed();

-- Any caller may know which schema it works with.
create policy readable on tenantry.schema_version for select using (true);
create policy readable on tenantry.migrations for select using (true);
create policy readable on tenantry.routines for select using (true);
create policy in_scope on tenantry.platform_versions using (
  environment = (select tenantry.caller_environment()) and (select tenantry.sees_all()));
