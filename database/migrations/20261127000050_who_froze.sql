-- migrate:up
-- Who froze an instance or had a client deleted, and for what: a partner root undoes nothing of the platform's, and nobody by hand what
-- credit did. It is held here, since many ways lead to an instance that takes traffic.
alter table tenantry.instances
  -- Of a frozen one: what lets it go on (`FreezeCause` of database/tenants/freezing.ts), and the kind of caller that froze it.
  add column frozen_for text check (frozen_for in ('asked', 'credit', 'deletion')),
  add column frozen_by text;
alter table tenantry.clients
  -- Of one that is being deleted: the kind of caller that asked for it, `service` for credit.
  add column deletion_by text;

-- As the jobs and the audit log tell; where they do not, the platform did it.
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

create or replace function tenantry.check_instance_status() returns trigger
language plpgsql
set search_path = pg_catalog
as $$
declare
  kind constant text := tenantry.caller_kind();
  before constant text := case when tg_op = 'UPDATE' then old.status end;
begin
  -- `creditPermits` of domain/billing/credit-state.ts: whichever way a root would have the tenant take traffic.
  if kind in ('platform_root', 'partner_root') and new.status not in ('frozen', 'stopped')
      and (before is null or before in ('frozen', 'stopped', 'error'))
      and exists (select from tenantry.credit_pools p
        where p.client_id = new.client_id and p.state in ('frozen', 'final_backup', 'deletion_due')) then
    raise exception 'the client''s credit is used up: its instance goes on once a platform root has booked a purchase, or has it pay by invoices'
      using errcode = 'TN003';
  end if;
  if tg_op = 'INSERT' then
    if new.status = 'provisioning' then
      new.state_deadline := coalesce(new.state_deadline, now() + interval '30 minutes');
    elsif new.status = 'frozen' then
      new.frozen_for := coalesce(new.frozen_for, 'asked');
      new.frozen_by := kind;
    end if;
    return new;
  end if;
  if kind = 'service' and nullif(current_setting('tenantry.generation', true), '')::bigint is distinct from old.generation then
    raise exception 'this work is for an older generation of the instance; it is at %', old.generation using errcode = 'TN005';
  end if;
  if kind = 'partner_root' and old.status = 'frozen' and old.frozen_for = 'asked' and old.frozen_by <> 'partner_root' then
    raise exception 'the platform froze this instance, and a platform root alone lets it go on: ask one of them' using errcode = 'TN009';
  end if;
  if kind not in ('provisioner', 'owner') and (old.status, new.status) not in (
      ('provisioning', 'running'), ('provisioning', 'error'), ('provisioning', 'stopped'), ('provisioning', 'frozen'),
      ('running', 'provisioning'), ('running', 'frozen'), ('running', 'stopped'), ('running', 'error'),
      ('frozen', 'running'), ('frozen', 'stopped'), ('frozen', 'provisioning'), ('frozen', 'error'),
      ('stopped', 'provisioning'), ('stopped', 'running'), ('stopped', 'error'), ('stopped', 'frozen'),
      ('error', 'provisioning'), ('error', 'running'), ('error', 'stopped'), ('error', 'frozen')) then
    raise exception 'an instance that is % cannot become %', old.status, new.status using errcode = 'TN003';
  end if;
  -- The service ends what others have begun; anyone else begins.
  if kind <> 'service' and new.generation = old.generation then
    new.generation := old.generation + 1;
  end if;
  if new.status = 'frozen' then
    new.frozen_from := old.status;
    new.frozen_for := coalesce(new.frozen_for, 'asked');
    new.frozen_by := kind;
  else
    new.frozen_from := null;
    new.frozen_for := null;
    new.frozen_by := null;
  end if;
  -- Whoever begins an operation may give it another time.
  if new.status <> 'provisioning' then
    new.state_deadline := null;
  elsif old.status <> 'provisioning' then
    new.state_deadline := coalesce(new.state_deadline, now() + interval '30 minutes');
  end if;
  return new;
end
$$;

create function tenantry.check_client_deletion() returns trigger
language plpgsql security definer
set search_path = pg_catalog
as $$
declare
  kind constant text := tenantry.caller_kind();
  pool constant tenantry.credit_pools :=
    (select p from tenantry.credit_pools p where p.client_id = new.id and p.deletion_requested_at is not null);
begin
  if new.delete_after is not null then
    -- Whoever sets another date, the deletion stays that of who asked first.
    if old.delete_after is null then
      new.deletion_by := case when pool.client_id is null then kind else 'service' end;
    end if;
    return new;
  end if;
  if kind = 'partner_root' then
    if old.deletion_by not in ('partner_root', 'service') then
      raise exception 'the platform had this client deleted, and a platform root alone has it back: ask one of them' using errcode = 'TN009';
    end if;
    if tenantry.credit_level(pool.prepaid, pool.lifetime_purchased - pool.lifetime_consumed, pool.warn_below_micros) = 'used_up' then
      raise exception 'the client is deleted since its credit is used up: have a platform root book a purchase first' using errcode = 'TN003';
    end if;
  end if;
  new.deletion_by := null;
  return new;
end
$$;
create trigger check_deletion before update of delete_after on tenantry.clients
  for each row when (old.delete_after is distinct from new.delete_after) execute function tenantry.check_client_deletion();

-- migrate:down
drop trigger check_deletion on tenantry.clients;
drop function tenantry.check_client_deletion;
create or replace function tenantry.check_instance_status() returns trigger
language plpgsql
set search_path = pg_catalog
as $$
declare
  kind constant text := tenantry.caller_kind();
begin
  if tg_op = 'INSERT' then
    if new.status = 'provisioning' then
      new.state_deadline := coalesce(new.state_deadline, now() + interval '30 minutes');
    end if;
    return new;
  end if;
  if kind = 'service' and nullif(current_setting('tenantry.generation', true), '')::bigint is distinct from old.generation then
    raise exception 'this work is for an older generation of the instance; it is at %', old.generation using errcode = 'TN005';
  end if;
  if kind not in ('provisioner', 'owner') and (old.status, new.status) not in (
      ('provisioning', 'running'), ('provisioning', 'error'), ('provisioning', 'stopped'), ('provisioning', 'frozen'),
      ('running', 'provisioning'), ('running', 'frozen'), ('running', 'stopped'), ('running', 'error'),
      ('frozen', 'running'), ('frozen', 'stopped'), ('frozen', 'provisioning'), ('frozen', 'error'),
      ('stopped', 'provisioning'), ('stopped', 'running'), ('stopped', 'error'),
      ('error', 'provisioning'), ('error', 'running'), ('error', 'stopped'), ('error', 'frozen')) then
    raise exception 'an instance that is % cannot become %', old.status, new.status using errcode = 'TN003';
  end if;
  -- The service ends what others have begun; anyone else begins.
  if kind <> 'service' and new.generation = old.generation then
    new.generation := old.generation + 1;
  end if;
  new.frozen_from := case when new.status = 'frozen' then old.status end;
  -- Whoever begins an operation may give it another time.
  if new.status <> 'provisioning' then
    new.state_deadline := null;
  elsif old.status <> 'provisioning' then
    new.state_deadline := coalesce(new.state_deadline, now() + interval '30 minutes');
  end if;
  return new;
end
$$;
alter table tenantry.clients drop column deletion_by;
alter table tenantry.instances drop column frozen_by, drop column frozen_for;
