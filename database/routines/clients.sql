-- A client's status goes draft → active → production, and may go back one step. Stacks declare the final status, so their roles may skip steps.
create or replace function tenantry.check_client_status() returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  if tenantry.caller_kind() not in ('provisioner', 'owner') and (old.status, new.status) not in
      (('draft', 'active'), ('active', 'production'), ('production', 'active'), ('active', 'draft')) then
    raise exception 'a client that is % cannot become %; make it active first', old.status, new.status using errcode = 'TN003';
  end if;
  return new;
end
$$;

create or replace trigger check_status before update on tenantry.clients
  for each row when (old.status <> new.status) execute function tenantry.check_client_status();

-- What a plan permits to spend on models in 30 days, in millionths of a US dollar; null: any amount.
create or replace function tenantry.spending_maximum(p_environment text, p_plan text) returns bigint
language sql stable security definer set search_path = pg_catalog as $$
  select round((l.ai_spend ->> p_plan)::numeric * 1000000)::bigint from tenantry.account_limits l where l.environment = p_environment
$$;
revoke all on function tenantry.spending_maximum (text, text) from public;

-- Number of earlier clients with a client's slug: part of its name at AI gateways.
create or replace function tenantry.earlier_clients(p_client_id uuid) returns bigint
language sql stable security definer set search_path = pg_catalog as $$
  select count(*)
  from tenantry.clients c
  join tenantry.billing_accounts b on b.environment = c.environment and b.slug = c.slug and b.closed_at is not null
  where c.id = p_client_id
$$;
revoke all on function tenantry.earlier_clients (uuid) from public;

create or replace function tenantry.check_spending_cap() returns trigger language plpgsql security definer set search_path = pg_catalog as $$
declare
  maximum constant bigint := tenantry.spending_maximum(new.environment, new.billing_plan);
begin
  if new.ai_spend_cap_micros > maximum then
    raise exception 'the plan % permits to spend at most % US dollars in 30 days; choose a lower cap, or change the plan',
      new.billing_plan, round(maximum / 1000000.0, 2) using errcode = 'TN051';
  end if;
  return new;
end
$$;

create or replace trigger check_spending_cap before update of ai_spend_cap_micros on tenantry.clients
  for each row when (new.ai_spend_cap_micros is distinct from old.ai_spend_cap_micros) execute function tenantry.check_spending_cap();

-- The job that sends a tenant its provider keys sends its cap, too.
create or replace function tenantry.spending_cap_changed() returns trigger language plpgsql security definer set search_path = pg_catalog as $$
begin
  insert into tenantry.jobs (kind, client_id, instance_id, slug, requested_by, environment)
  select 'push_provider_keys', new.id, i.id, new.slug, coalesce(tenantry.acting_person(), 'service'), i.environment
  from tenantry.instances i where i.client_id = new.id;
  return null;
end
$$;

create or replace trigger spending_cap_changed after update of ai_spend_cap_micros on tenantry.clients
  for each row when (new.ai_spend_cap_micros is distinct from old.ai_spend_cap_micros) execute function tenantry.spending_cap_changed();

-- Clearing the date restores the client: it cancels the deletion job, even a running one, and withdraws a deletion that was requested
-- because of credit, and an erasure that has not begun.
create or replace function tenantry.client_had_back() returns trigger language plpgsql security definer set search_path = pg_catalog as $$
declare
  why constant text := 'The client was restored.';
begin
  with ended as (
    update tenantry.jobs j set status = 'cancelled', ended_at = now(), cause = why
    where j.client_id = new.id and j.kind = 'delete_client' and j.ended_at is null
    returning j.id)
  insert into tenantry.job_events (job_id, kind, message) select id, 'cancelled', why from ended;
  update tenantry.credit_pools p set deletion_requested_at = null, delete_when_exhausted = false
  where p.client_id = new.id and p.deletion_requested_at is not null;
  delete from tenantry.erasures e where e.client_id = new.id;
  return null;
end
$$;

create or replace trigger had_back after update of delete_after on tenantry.clients
  for each row when (old.delete_after is not null and new.delete_after is null) execute function tenantry.client_had_back();

-- Deletes a job's client with its users, their invitations and mails, and its subdivisions. Billing records stay. It locks the row before it
-- reads the date, as a restore does, so that exactly one of the two takes effect.
-- @returns 'deleted'; 'gone' if it was deleted before; 'had_back' if it was restored; 'has_instance' or 'managed_by_git' if it cannot be deleted yet
create or replace function tenantry.delete_client(p_job_id uuid) returns text
language plpgsql security definer set search_path = pg_catalog as $$
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
  update tenantry.erasures e
  set rows = tenantry.greater_counts(e.rows, tenantry.erased_rows(doomed.id)), erased_at = now()
  where e.client_id = doomed.id;
  insert into tenantry.mails (environment, kind, recipient, data)
  select e.environment, 'erasure_certificate', lower(r), jsonb_build_object('erasure_id', e.id)
  from tenantry.erasures e, unnest(e.recipients) as r
  where e.client_id = doomed.id;
  -- These go before the client: the audit log reads the client's partner.
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

-- Rows that are deleted with a client, by table: its own, its instance's, and what references them with `on delete cascade`.
create or replace function tenantry.erased_rows(p_client_id uuid) returns jsonb
language plpgsql stable security definer set search_path = pg_catalog as $$
declare
  counts jsonb := '{}';
  found record;
  n bigint;
begin
  for found in
    with recursive doomed as (
      select t.table_name::regclass::oid as id, format('%I = %L', t.key, p_client_id) collate "C" as condition, 0 as depth
      from (values ('tenantry.clients', 'id'), ('tenantry.instances', 'client_id'), ('tenantry.credit_pools', 'client_id'),
        ('tenantry.client_plans', 'client_id')) as t (table_name, key)
      union all
      select f.conrelid, format('%I in (select %I from %s where %s)', a.attname, b.attname, d.id::regclass, d.condition) collate "C", d.depth + 1
      from doomed d
      join pg_constraint f on f.confrelid = d.id and f.contype = 'f' and f.confdeltype = 'c' and f.conparentid = 0
        and cardinality(f.conkey) = 1 and f.conrelid <> d.id
      join pg_attribute a on a.attrelid = f.conrelid and a.attnum = f.conkey[1]
      join pg_attribute b on b.attrelid = f.confrelid and b.attnum = f.confkey[1]
      where d.depth < 4)
    select id::regclass::text as name, string_agg(condition, ' or ') as condition from doomed group by id order by 1
  loop
    execute format('select count(*) from %s where %s', found.name, found.condition) into n;
    counts := counts || jsonb_build_object(split_part(found.name, '.', 2), n);
  end loop;
  return counts;
end
$$;
revoke all on function tenantry.erased_rows (uuid) from public;

-- The greater of two counts of each table.
create or replace function tenantry.greater_counts(p_one jsonb, p_other jsonb) returns jsonb
language sql immutable set search_path = pg_catalog as $$
  select coalesce(jsonb_object_agg(name, n), '{}')
  from (
    select key as name, max(value::bigint) as n
    from (select * from jsonb_each_text(p_one) union all select * from jsonb_each_text(p_other)) as counted
    group by key) as merged
$$;
revoke all on function tenantry.greater_counts (jsonb, jsonb) from public;

-- The rows of the instance are gone when the client is deleted.
create or replace function tenantry.note_erased_rows() returns trigger language plpgsql security definer set search_path = pg_catalog as $$
begin
  update tenantry.erasures e set rows = tenantry.greater_counts(e.rows, tenantry.erased_rows(old.client_id))
  where e.client_id = old.client_id and e.erased_at is null;
  return old;
end
$$;

create or replace trigger note_erased_rows before delete on tenantry.instances
  for each row execute function tenantry.note_erased_rows();

create policy in_scope on tenantry.erasures using (environment = (select tenantry.caller_environment())
  and ((select tenantry.sees_all()) or partner_id = (select tenantry.caller_partner()) or client_id = (select tenantry.caller_client())));

-- The client's other ADMINs get a mail when one of them deletes, erases or restores it.
create or replace function tenantry.mail_deletion() returns trigger language plpgsql security definer set search_path = pg_catalog as $$
begin
  insert into tenantry.mails (environment, kind, recipient, client_id, client_user_id, data)
  select new.environment, 'deletion_notice', u.email, new.id, u.id, jsonb_build_object(
    'what', case when new.delete_after is null then 'restored' when old.delete_after is null then 'deleted' else 'erased' end,
    'by', tenantry.acting_person(), 'until', coalesce(new.delete_after, old.delete_after))
  from tenantry.client_users u
  where u.client_id = new.id and u.role = 'ADMIN' and u.status = 'validated' and u.id <> tenantry.caller_id();
  return null;
end
$$;

create or replace trigger mail_deletion after update of delete_after on tenantry.clients
  for each row when (tenantry.caller_kind() = 'client_admin' and old.delete_after is distinct from new.delete_after)
  execute function tenantry.mail_deletion();

create or replace function tenantry.planned_change(p_instance_id uuid) returns table (rollout_id uuid, not_before timestamptz)
language sql stable security definer set search_path = pg_catalog as $$
  select t.rollout_id, t.not_before
  from tenantry.rollout_tenants t join tenantry.rollouts r on r.id = t.rollout_id
  join tenantry.instances i on i.id = t.instance_id join tenantry.clients c on c.id = i.client_id
  where t.instance_id = p_instance_id and t.status = 'announced' and r.ended_at is null
    and c.environment = tenantry.caller_environment()
    and (tenantry.sees_all() or c.partner_id = tenantry.caller_partner() or c.id = tenantry.caller_client())
$$;
revoke all on function tenantry.planned_change (uuid) from public;

-- Whether any client has a slug, also one that the caller does not see.
create or replace function tenantry.slug_is_taken(p_slug text) returns boolean
language sql stable security definer set search_path = pg_catalog as $$
  select exists (
    select from tenantry.clients c where c.environment = tenantry.caller_environment() and c.slug = p_slug)
$$;
revoke all on function tenantry.slug_is_taken (text) from public;

-- A client in Git counts as a tenant once its row exists, since the row is written first; a client of the dashboard once it has an instance.
create or replace function tenantry.tenant_counts() returns table (environment text, tenants bigint, dedicated bigint)
language sql stable security definer set search_path = pg_catalog as $$
  select e.environment, count(c.id) filter (where i.id is not null or c.managed_by = 'git'),
    count(i.id) filter (
      where i.ai_gateway_pool_id is null and starts_with(i.ai_gateway_id, 'tenantry-' || left(c.slug, 40)))
  from (
    select u.environment from tenantry.dashboard_users u
    union
    select c.environment from tenantry.clients c
  ) e
  left join tenantry.clients c on c.environment = e.environment
  left join tenantry.instances i on i.client_id = c.id
  group by e.environment
  order by e.environment
$$;

create or replace function tenantry.check_client_deletion() returns trigger
language plpgsql security definer set search_path = pg_catalog as $$
declare
  kind constant text := tenantry.caller_kind();
  pool constant tenantry.credit_pools :=
    (select p from tenantry.credit_pools p where p.client_id = new.id and p.deletion_requested_at is not null);
begin
  if new.delete_after is not null then
    -- A new date does not change who requested the deletion.
    if old.delete_after is null then
      new.deletion_by := case when pool.client_id is null then kind else 'service' end;
    end if;
    -- Only an erasure ends the grace period of an ADMIN early.
    if kind = 'client_admin' and new.delete_after < now() + interval '1 day'
        and not (new.deletion_by = 'client_admin' and exists (select from tenantry.erasures e where e.client_id = new.id)) then
      raise exception 'an ADMIN cannot end this grace period; ask your operator' using errcode = 'TN009';
    end if;
    return new;
  end if;
  if exists (select from tenantry.erasures e where e.client_id = new.id and e.began_at is not null) then
    raise exception 'the client''s data is being erased, and the client cannot be restored; create a new client after it' using errcode = 'TN003';
  end if;
  if kind = 'client_admin' and (old.deletion_by <> 'client_admin' or old.delete_after <= now()) then
    raise exception 'an ADMIN cannot restore this client; ask your operator' using errcode = 'TN009';
  end if;
  if kind = 'partner_root' then
    if old.deletion_by not in ('partner_root', 'client_admin', 'service') then
      raise exception 'the platform deleted this client; ask a platform root to restore it' using errcode = 'TN009';
    end if;
    if tenantry.credit_level(pool.prepaid, pool.lifetime_purchased - pool.lifetime_consumed, pool.warn_below_micros) = 'used_up' then
      raise exception 'the client was deleted because its credit is used up; ask a platform root to book a purchase first' using errcode = 'TN003';
    end if;
  end if;
  new.deletion_by := null;
  return new;
end
$$;

create or replace trigger check_deletion before update of delete_after on tenantry.clients
  for each row when (old.delete_after is distinct from new.delete_after) execute function tenantry.check_client_deletion();

-- Ending the grace period requests the deletion at once. The automation service requests those whose date passes.
create or replace function tenantry.grace_period_ended() returns trigger language plpgsql security definer set search_path = pg_catalog as $$
begin
  insert into tenantry.jobs (environment, kind, client_id, slug, requested_by, deadline)
  values (new.environment, 'delete_client', new.id, new.slug, 'service', now() + interval '30 days')
  on conflict (client_id) where kind = 'delete_client' and ended_at is null do nothing;
  return null;
end
$$;

create or replace trigger grace_period_ended after update of delete_after on tenantry.clients
  for each row when (new.delete_after <= clock_timestamp() and new.delete_after is distinct from old.delete_after)
  execute function tenantry.grace_period_ended();

-- A deletion that waits for the removal of the instance continues when the row is gone.
create or replace function tenantry.instance_removed() returns trigger language plpgsql security definer set search_path = pg_catalog as $$
begin
  perform tenantry.enqueue_job(j) from tenantry.jobs j where j.client_id = old.client_id and j.kind = 'delete_client' and j.ended_at is null;
  return null;
end
$$;

create or replace trigger instance_removed after delete on tenantry.instances
  for each row execute function tenantry.instance_removed();

create policy in_scope on tenantry.clients using (environment = (select tenantry.caller_environment())
  and ((select tenantry.sees_all()) or partner_id = (select tenantry.caller_partner()) or id = (select tenantry.caller_client())));

-- `newSlugFault` in domain/names/slug.ts. A client that had the slug before doors existed keeps it. The trigger also runs for an `insert` that
-- updates such a client.
create or replace function tenantry.check_new_slug() returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  if not exists (select from tenantry.clients c where c.slug = new.slug and c.environment = new.environment) then
    raise exception 'the slug % is reserved for webhooks; choose another slug', new.slug using errcode = 'TN051';
  end if;
  return new;
end
$$;

create or replace trigger check_new_slug before insert on tenantry.clients
  for each row when (new.slug = 'hooks') execute function tenantry.check_new_slug();
