-- migrate:up
-- A client's end: who has a date from which it may be deleted (`delete_after`) goes by one job, or is had back before.

-- One at a time a client, however many ask.
create unique index jobs_deletion on tenantry.jobs (client_id) where kind = 'delete_client' and ended_at is null;

-- Whoever takes the date away has the client back: the job that was to delete it ends with that, whether it has begun or not, and credit
-- that asked for the deletion does so no more.
create function tenantry.client_had_back() returns trigger
language plpgsql security definer
set search_path = pg_catalog
as $$
declare
  why constant text := 'The client was had back.';
begin
  with ended as (
    update tenantry.jobs j set status = 'cancelled', ended_at = now(), cause = why
    where j.client_id = new.id and j.kind = 'delete_client' and j.ended_at is null
    returning j.id)
  insert into tenantry.job_events (job_id, kind, message) select id, 'cancelled', why from ended;
  update tenantry.credit_pools p set deletion_requested_at = null, delete_when_exhausted = false
  where p.client_id = new.id and p.deletion_requested_at is not null;
  return null;
end
$$;
create trigger had_back after update of delete_after on tenantry.clients
  for each row when (old.delete_after is not null and new.delete_after is null)
  execute function tenantry.client_had_back();

-- Deletes the client of a job, its users with their invitations and mails, and its subdivisions; what is on its books stays. It holds the
-- row's lock from the look at the date on, as whoever has the client back does, so that one of the two wins wholly.
-- @returns 'deleted'; 'gone' when it was; 'had_back'; 'has_instance' or 'managed_by_git' for one that may not go yet
create function tenantry.delete_client(p_job_id uuid) returns text
language plpgsql security definer
set search_path = pg_catalog
as $$
declare
  doomed tenantry.clients;
begin
  select c.* into doomed
  from tenantry.jobs j join tenantry.clients c on c.id = j.client_id
  where j.id = p_job_id and j.kind = 'delete_client' and j.ended_at is null and j.environment = tenantry.caller_environment()
  for update of c;
  if not found then
    return 'gone';
  end if;
  if doomed.delete_after is null or doomed.delete_after > now() then
    return 'had_back';
  end if;
  if exists (select from tenantry.instances i where i.client_id = doomed.id) then
    return 'has_instance';
  end if;
  if doomed.managed_by = 'git' then
    return 'managed_by_git';
  end if;
  -- Before the client, whose partner the audit log tells with them.
  delete from tenantry.client_users u where u.client_id = doomed.id;
  delete from tenantry.client_subdivisions s where s.client_id = doomed.id;
  delete from tenantry.clients c where c.id = doomed.id;
  insert into tenantry.events (environment, partner_id, kind, data)
  values (doomed.environment, doomed.partner_id, 'client.deleted',
    jsonb_build_object('client_id', doomed.id, 'slug', doomed.slug, 'name', doomed.name));
  return 'deleted';
end
$$;
revoke all on function tenantry.delete_client (uuid) from public;

-- migrate:down
drop function tenantry.delete_client;
drop trigger had_back on tenantry.clients;
drop function tenantry.client_had_back;
drop index tenantry.jobs_deletion;
