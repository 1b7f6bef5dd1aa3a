-- The version in entity tags. It increases with each change. Pushes are none.
create or replace function tenantry.next_version() returns trigger language plpgsql set search_path = pg_catalog as $$
declare
  unversioned constant text[] := array[
    'version', 'updated_at', 'egress_revision', 'egress_pushed_at', 'egress_fault', 'egress_last_error'];
begin
  if to_jsonb(new) - unversioned is distinct from to_jsonb(old) - unversioned then
    new.version := old.version + 1;
    new.updated_at := now();
  end if;
  return new;
end
$$;

create or replace trigger next_version before update on tenantry.partners for each row execute function tenantry.next_version();
create or replace trigger next_version before update on tenantry.clients for each row execute function tenantry.next_version();
create or replace trigger next_version before update on tenantry.ai_gateways for each row execute function tenantry.next_version();
create or replace trigger next_version before update on tenantry.dashboard_users for each row execute function tenantry.next_version();
create or replace trigger next_version before update on tenantry.client_users for each row execute function tenantry.next_version();
create or replace trigger next_version before update on tenantry.instances for each row execute function tenantry.next_version();
create or replace trigger next_version before update on tenantry.users for each row execute function tenantry.next_version();
create or replace trigger next_version before update on tenantry.credit_pools for each row execute function tenantry.next_version();
create or replace trigger next_version before update on tenantry.images for each row execute function tenantry.next_version();
create or replace trigger next_version before update on tenantry.worker_bundles for each row execute function tenantry.next_version();
create or replace trigger next_version before update on tenantry.rollouts for each row execute function tenantry.next_version();
