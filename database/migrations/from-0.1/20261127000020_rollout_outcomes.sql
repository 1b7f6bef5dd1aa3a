alter table tenantry.rollouts
  add column succeeded_at timestamptz;

update tenantry.rollouts set succeeded_at = coalesce(ended_at, updated_at)
where status = 'succeeded' or num_nonnulls(former_image_id, former_bundle_id) > 0;

alter table tenantry.instances
  add column unstarted_since timestamptz;

create index instances_unstarted on tenantry.instances (environment) where unstarted_since is not null;
