alter table tenantry.instances
  add column frozen_for text check (frozen_for in ('asked', 'credit', 'deletion')),
  add column frozen_by text;

alter table tenantry.clients
  add column deletion_by text;

alter table tenantry.instances disable trigger user;

update tenantry.instances i set
  frozen_for = coalesce(
    (select case when j.payload ->> 'cause' in ('credit', 'deletion') then j.payload ->> 'cause' end
      from tenantry.jobs j where j.instance_id = i.id and j.kind in ('freeze', 'resume')
      order by j.created_at desc limit 1),
    'asked'),
  frozen_by = coalesce(
    (select a.actor_kind from tenantry.audit_log a
      where a.entity = 'instances' and a.entity_id = i.id::text
        and a.after ->> 'status' = 'frozen' and a.before ->> 'status' is distinct from 'frozen'
      order by a.id desc limit 1),
    'owner')
where i.status = 'frozen';

alter table tenantry.instances enable trigger user;

alter table tenantry.clients disable trigger user;

update tenantry.clients c set deletion_by = case
  when exists (select from tenantry.credit_pools p where p.client_id = c.id and p.deletion_requested_at is not null) then 'service'
  else coalesce(
    (select a.actor_kind from tenantry.audit_log a
      where a.entity = 'clients' and a.entity_id = c.id::text
        and a.after ->> 'delete_after' is not null and a.before ->> 'delete_after' is null
      order by a.id desc limit 1),
    'owner')
  end
where c.delete_after is not null;

alter table tenantry.clients enable trigger user;
