-- A deployment may have created the tenant's objects again, without its channels, provider keys, spending cap and egress policies.
create or replace function tenantry.push_again() returns trigger
language plpgsql security definer set search_path = pg_catalog as $$
begin
  with channels as (update tenantry.channels h set pushed_at = null where h.instance_id = new.id returning h.id),
    keys as (update tenantry.provider_keys k set pushed_at = null where k.instance_id = new.id returning k.id),
    egress as (
      update tenantry.instances i set egress_revision = null, egress_pushed_at = null
      where i.id = new.id and i.egress_revision is not null returning i.id),
    kinds as (
      select 'push_channels' as kind where exists (select from channels)
      union all select 'push_provider_keys' where exists (select from keys)
        or exists (select from tenantry.clients c where c.id = new.client_id and c.ai_spend_cap_micros is not null)
      union all select 'push_egress' where exists (select from egress) or tenantry.wanted_egress(new.id) is not null)
  insert into tenantry.jobs (kind, client_id, instance_id, slug, requested_by, environment)
  select kinds.kind, c.id, new.id, c.slug, 'service', new.environment
  from kinds join tenantry.clients c on c.id = new.client_id;
  return null;
end
$$;

create or replace trigger push_again after update of status on tenantry.instances
  for each row when (new.status = 'running' and old.status in ('provisioning', 'error'))
  execute function tenantry.push_again();
