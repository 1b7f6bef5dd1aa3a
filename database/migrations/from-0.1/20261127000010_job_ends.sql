alter table tenantry.instances disable trigger user;

update tenantry.instances i set held_pool_id = null
where i.held_pool_id is not null and not exists (
  select from tenantry.jobs j where j.instance_id = i.id and j.kind = 'assign_gateway' and j.ended_at is null);

alter table tenantry.instances enable trigger user;

create index jobs_ended_at on tenantry.jobs (ended_at) where ended_at is not null;

create index jobs_slug on tenantry.jobs (slug, created_at desc);

create index mails_ended_at on tenantry.mails (ended_at) where ended_at is not null;

create index incidents_closed_at on tenantry.incidents (closed_at) where closed_at is not null;
