-- Names of Worker bundles, which every root may read.
create or replace function tenantry.bundle_names() returns table (id uuid, content_hash text, release text)
language sql stable security definer set search_path = pg_catalog as $$
  select b.id, b.content_hash, b.release from tenantry.worker_bundles b where b.environment = tenantry.caller_environment()
$$;
revoke all on function tenantry.bundle_names() from public;

create or replace function tenantry.content_stays() returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  new.content := old.content;
  return new;
end
$$;

-- A bundle's content cannot change, so that it matches its hash.
create or replace trigger content_stays before update on tenantry.worker_bundles for each row execute function tenantry.content_stays();

create or replace function tenantry.rollout_changed() returns trigger language plpgsql security definer set search_path = pg_catalog as $$
begin
  perform tenantry.enqueue(new.environment, 'rollouts', '{}', 'rollouts', 'rollouts');
  return null;
end
$$;

create or replace trigger rollout_changed after insert or update of status, wave on tenantry.rollouts
  for each row execute function tenantry.rollout_changed();

create or replace trigger version_adopted after update of ended_at on tenantry.jobs
  for each row when (new.kind = 'adopt_version' and new.ended_at is not null) execute function tenantry.rollout_changed();

create policy in_scope on tenantry.images using (environment = (select tenantry.caller_environment()) and (select tenantry.sees_all()));
create policy in_scope on tenantry.worker_bundles using (
  environment = (select tenantry.caller_environment()) and (select tenantry.sees_all()));
create policy in_scope on tenantry.rollouts using (environment = (select tenantry.caller_environment()) and (select tenantry.sees_all()));
create policy in_scope on tenantry.rollout_tenants using (exists (select from tenantry.rollouts r where r.id = rollout_id));

-- A partner root reads the images that its tenants run. Only platform roots read the whole catalog.
create policy of_own_tenants on tenantry.images for select using (exists (select from tenantry.instances i where i.image_id = images.id));

-- The images that a tenant can get, without what only operators read.
create or replace function tenantry.offered_images(p_instance_id uuid)
returns table (id uuid, gateway text, gateway_version text, release_notes text, is_default boolean, created_at timestamptz)
language sql stable security definer set search_path = pg_catalog as $$
  select m.id, m.gateway, m.gateway_version, m.release_notes, m.is_default, m.created_at
  from tenantry.instances i join tenantry.clients c on c.id = i.client_id
  join tenantry.images m on m.environment = i.environment and m.withdrawn_at is null
  where i.id = p_instance_id and c.environment = tenantry.caller_environment()
    and (tenantry.sees_all() or c.partner_id = tenantry.caller_partner() or c.id = tenantry.caller_client())
  order by m.created_at desc, m.id
$$;
revoke all on function tenantry.offered_images (uuid) from public;
