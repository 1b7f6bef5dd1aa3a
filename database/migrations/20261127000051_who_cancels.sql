-- migrate:up
-- Who may cancel a job is who may ask for one of its kind (`jobRequesters` of workers/contracts/api/jobs.ts); what belongs to a roll-out is
-- cancelled through that alone, which would take it for a tenant that is to be passed by.
create or replace function tenantry.cancel_job(p_id uuid) returns boolean
language plpgsql security definer
set search_path = pg_catalog
as $$
declare
  who constant text := (select d.email from tenantry.dashboard_users d where d.id = tenantry.caller_id());
begin
  update tenantry.jobs j set status = 'cancelled', ended_at = now(), cause = format('Cancelled by %s.', who)
  where j.id = p_id and j.status = 'queued' and j.environment = tenantry.caller_environment()
    and j.kind not in ('final_backup', 'delete_client') and not (j.payload ? 'rollout')
    and (tenantry.sees_all() or (
      j.kind not in ('assign_gateway', 'adopt_version')
      and exists (select from tenantry.clients c where c.id = j.client_id and c.partner_id = tenantry.caller_partner())));
  if not found then
    return false;
  end if;
  insert into tenantry.job_events (job_id, kind, message) values (p_id, 'cancelled', format('By %s.', who));
  return true;
end
$$;

-- migrate:down
create or replace function tenantry.cancel_job(p_id uuid) returns boolean
language plpgsql security definer
set search_path = pg_catalog
as $$
declare
  who constant text := (select d.email from tenantry.dashboard_users d where d.id = tenantry.caller_id());
begin
  update tenantry.jobs j set status = 'cancelled', ended_at = now(), cause = format('Cancelled by %s.', who)
  where j.id = p_id and j.status = 'queued' and j.environment = tenantry.caller_environment()
    and (tenantry.sees_all() or exists (
      select from tenantry.clients c where c.id = j.client_id and c.partner_id = tenantry.caller_partner()));
  if not found then
    return false;
  end if;
  insert into tenantry.job_events (job_id, kind, message) values (p_id, 'cancelled', format('By %s.', who));
  return true;
end
$$;
