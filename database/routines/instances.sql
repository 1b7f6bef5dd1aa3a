create or replace function tenantry.check_instance_status() returns trigger language plpgsql set search_path = pg_catalog as $$
declare
  kind constant text := tenantry.caller_kind();
  before constant text := case when tg_op = 'UPDATE' then old.status end;
begin
  -- `creditPermits` in domain/billing/credit-state.ts, for every change by which the tenant would take traffic.
  if kind in ('platform_root', 'partner_root', 'client_admin') and new.status not in ('frozen', 'stopped')
      and (before is null or before in ('frozen', 'stopped', 'error'))
      and exists (select from tenantry.credit_pools p
        where p.client_id = new.client_id and p.state in ('frozen', 'final_backup', 'deletion_due')) then
    raise exception 'the client''s credit is used up; ask a platform root to book a purchase, or to have the client pay by invoice'
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
    raise exception 'another operation on the instance has begun since (generation %); start this one again', old.generation using errcode = 'TN005';
  end if;
  if kind = 'partner_root' and old.status = 'frozen' and old.frozen_for = 'asked' and old.frozen_by not in ('partner_root', 'client_admin') then
    raise exception 'the platform froze this instance; ask a platform root to resume it' using errcode = 'TN009';
  end if;
  -- An ADMIN freezes, and resumes what an ADMIN froze. What froze for credit or a deletion resumes with these.
  if kind = 'client_admin' and not (
      (new.status = 'frozen' and new.frozen_for in ('asked', 'deletion'))
      or (old.status = 'frozen' and old.frozen_for = 'asked' and old.frozen_by = 'client_admin')
      or (old.status = 'frozen' and old.frozen_for in ('credit', 'deletion')
        and exists (select from tenantry.clients c where c.id = new.client_id and c.delete_after is null))) then
    raise exception 'an ADMIN cannot change this instance''s status; ask your operator' using errcode = 'TN009';
  end if;
  if kind not in ('provisioner', 'owner') and (old.status, new.status) not in (
      ('provisioning', 'running'), ('provisioning', 'error'), ('provisioning', 'stopped'), ('provisioning', 'frozen'),
      ('running', 'provisioning'), ('running', 'frozen'), ('running', 'stopped'), ('running', 'error'),
      ('frozen', 'running'), ('frozen', 'stopped'), ('frozen', 'provisioning'), ('frozen', 'error'),
      ('stopped', 'provisioning'), ('stopped', 'running'), ('stopped', 'error'), ('stopped', 'frozen'),
      ('error', 'provisioning'), ('error', 'running'), ('error', 'stopped'), ('error', 'frozen')) then
    raise exception 'an instance that is % cannot become %; check its current status', old.status, new.status using errcode = 'TN003';
  end if;
  -- The service ends operations; other callers begin them.
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
  -- The caller that begins an operation may set its deadline.
  if new.status <> 'provisioning' then
    new.state_deadline := null;
  elsif old.status <> 'provisioning' then
    new.state_deadline := coalesce(new.state_deadline, now() + interval '30 minutes');
  end if;
  return new;
end
$$;

create or replace trigger check_status before insert on tenantry.instances for each row execute function tenantry.check_instance_status();

create or replace trigger check_status_change before update on tenantry.instances
  for each row when (old.status <> new.status) execute function tenantry.check_instance_status();

-- Notes who pinned an instance. A platform root takes a pin of an ADMIN over. Its name sorts after `limit_client_admin`, so that an ADMIN cannot name
-- another author.
create or replace function tenantry.note_pin() returns trigger language plpgsql set search_path = pg_catalog as $$
declare
  kind constant text := tenantry.caller_kind();
begin
  if kind = 'client_admin' and old.is_pinned and not new.is_pinned and old.pinned_by_kind is distinct from kind then
    raise exception 'your operator pinned this version; ask your operator to unpin it' using errcode = 'TN009';
  end if;
  if not new.is_pinned then
    new.pinned_by := null;
    new.pinned_by_kind := null;
    new.pinned_at := null;
  elsif not old.is_pinned or (kind = 'platform_root' and old.pinned_by_kind = 'client_admin') then
    new.pinned_by := tenantry.acting_person();
    new.pinned_by_kind := kind;
    new.pinned_at := now();
  end if;
  return new;
end
$$;

create or replace trigger note_pin before update of is_pinned on tenantry.instances
  for each row execute function tenantry.note_pin();

create policy in_scope on tenantry.instances using (environment = (select tenantry.caller_environment())
  and ((select tenantry.sees_all()) or exists (select from tenantry.clients c where c.id = client_id)));
