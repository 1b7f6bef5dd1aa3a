-- migrate:up
-- What of a roll-out is taken back, and whose report is of before its version was changed.
alter table tenantry.rollouts
  -- When it was done with all, from when on new tenants get what it brought; null before. It stays when it goes back.
  add column succeeded_at timestamptz;
update tenantry.rollouts set succeeded_at = coalesce(ended_at, updated_at)
where status = 'succeeded' or num_nonnulls(former_image_id, former_bundle_id) > 0;

alter table tenantry.instances
  -- Since when it has a version that its gateway was not started with: what it reports of its gateway is of before. Null: it was.
  add column unstarted_since timestamptz;
create index instances_unstarted on tenantry.instances (environment) where unstarted_since is not null;

-- migrate:down
drop index tenantry.instances_unstarted;
alter table tenantry.instances drop column unstarted_since;
alter table tenantry.rollouts drop column succeeded_at;
