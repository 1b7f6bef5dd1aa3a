-- Resources that the platforms and tenants of all environments use in the account, by the figures that an environment's platform declared
-- (`accountUse` in domain/account-limits.ts). `claimed` includes tenants that are not deployed yet; `deployed` does not.
create or replace function tenantry.account_use(p_environment text)
returns table (kind text, claimed double precision, deployed double precision)
language sql stable security definer set search_path = pg_catalog as $$
  with tenants as (
    select c.environment, c.billing_plan, i.access_aud is not null as is_deployed,
      coalesce(
        i.ai_gateway_pool_id is null and starts_with(i.ai_gateway_id, 'tenantry-' || left(c.slug, 40)), false) as is_dedicated,
      count(*) as many
    from tenantry.clients c left join tenantry.instances i on i.client_id = c.id
    where i.id is not null or c.managed_by = 'git'
    group by 1, 2, 3, 4
  ), taken (kind, amount, is_deployed) as (
    select n.key, n.value::double precision, true
    from tenantry.account_limits l,
      (select c.environment from tenantry.clients c union select u.environment from tenantry.dashboard_users u) e,
      jsonb_each_text(l.needs -> e.environment -> 'platform') n
    where l.environment = p_environment
    union all
    select n.key, t.many * n.value::double precision, t.is_deployed
    from tenantry.account_limits l, tenants t,
      jsonb_each_text((l.needs -> t.environment -> 'tenant') || (l.containers -> t.billing_plan)) n
    where l.environment = p_environment
    union all
    select 'aiGateways', t.many, t.is_deployed from tenants t where t.is_dedicated
    union all
    select 'aiGateways', count(*), true from tenantry.ai_gateways
  )
  select t.kind, sum(t.amount), coalesce(sum(t.amount) filter (where t.is_deployed), 0) from taken t group by t.kind
$$;
revoke all on function tenantry.account_use (text) from public;

-- Serializes claims. It updates the rows instead of only locking them, so that a repeatable-read transaction cannot claim with an old
-- snapshot (as in check_ai_gateway_capacity).
create or replace function tenantry.lock_account_limits() returns void language plpgsql security definer set search_path = pg_catalog as $$
declare
  place text;
begin
  for place in select l.environment from tenantry.account_limits l order by l.environment loop
    update tenantry.account_limits l set limits = l.limits where l.environment = place;
  end loop;
end
$$;
revoke all on function tenantry.lock_account_limits () from public;

-- Runs before the rows are written. A transaction that also claims a pool slot takes these locks first.
create or replace function tenantry.begin_account_claim() returns trigger
language plpgsql security definer set search_path = pg_catalog as $$
begin
  perform tenantry.lock_account_limits();
  return null;
end
$$;

create or replace trigger account_lock before insert on tenantry.clients for each statement execute function tenantry.begin_account_claim();

create or replace trigger account_lock before insert on tenantry.instances
  for each statement execute function tenantry.begin_account_claim();

-- Refuses a write that needs more of a resource kind than the account has left. Kinds whose use does not grow are not checked.
create or replace function tenantry.claim_account(p_environment text, p_managed_by text, p_more jsonb) returns void
language plpgsql security definer set search_path = pg_catalog as $$
declare
  declared tenantry.account_limits;
  taken record;
  counted tenantry.account_capacity;
begin
  select * into declared from tenantry.account_limits l where l.environment = p_environment;
  for taken in
    select u.kind, u.claimed, (declared.limits ->> u.kind)::double precision as most
    from tenantry.account_use(p_environment) u where (p_more ->> u.kind)::double precision > 0 order by u.kind
  loop
    if taken.claimed > taken.most then
      raise exception 'no_account_capacity: the limit limits.% is %, and % would be needed; %raise the limit under tenantry:platform in the platform''s stack if the account''s plan allows more%',
        taken.kind, taken.most, taken.claimed,
        case p_managed_by when 'git' then 'plan again, or ' else 'remove tenants, or ' end,
        case when p_managed_by = 'git' or declared.elsewhere = '' then '' else '. ' || declared.elsewhere end
        using errcode = 'TN030';
    end if;
    -- For clients in Git, the limits already exclude what others use. Counts older than an hour are ignored.
    continue when p_managed_by = 'git';
    select * into counted from tenantry.account_capacity a
      where a.environment = p_environment and a.kind = taken.kind and a.counted_at > now() - interval '1 hour';
    if taken.claimed + counted.others > counted.most then
      raise exception 'no_account_capacity: the account''s limit of % is %, and % would be needed (GET /capacity); remove unused resources, or ask the vendor to raise the limit and set ACCOUNT_LIMITS of the automation service%',
        taken.kind, counted.most, taken.claimed + counted.others,
        case when declared.elsewhere = '' then '' else '. ' || declared.elsewhere end
        using errcode = 'TN030';
    end if;
  end loop;
end
$$;
revoke all on function tenantry.claim_account (text, text, jsonb) from public;

create or replace function tenantry.claim_for_clients() returns trigger language plpgsql security definer set search_path = pg_catalog as $$
begin
  perform tenantry.claim_account(a.environment, 'git', (l.needs -> a.environment -> 'tenant') || (l.containers -> a.billing_plan))
  from (select distinct environment, billing_plan from added where managed_by = 'git') a
  join tenantry.account_limits l on l.environment = a.environment;
  return null;
end
$$;

create or replace trigger account_claim after insert on tenantry.clients
  referencing new table as added for each statement execute function tenantry.claim_for_clients();

create or replace function tenantry.claim_for_instances() returns trigger
language plpgsql security definer set search_path = pg_catalog as $$
begin
  perform tenantry.claim_account(
    a.environment, a.managed_by,
    (l.needs -> a.environment -> 'tenant') || (l.containers -> a.billing_plan) || jsonb_build_object('aiGateways', a.is_dedicated::integer))
  from (
    select distinct c.environment, c.managed_by, c.billing_plan,
      coalesce(
        i.ai_gateway_pool_id is null and starts_with(i.ai_gateway_id, 'tenantry-' || left(c.slug, 40)), false) as is_dedicated
    from added i join tenantry.clients c on c.id = i.client_id
  ) a
  join tenantry.account_limits l on l.environment = a.environment;
  return null;
end
$$;

create or replace trigger account_claim after insert on tenantry.instances
  referencing new table as added for each statement execute function tenantry.claim_for_instances();

-- A plan uses nothing until the client has an instance. A plan that is restored with its failed job is the one the tenant still has.
create or replace function tenantry.claim_for_plan() returns trigger language plpgsql security definer set search_path = pg_catalog as $$
begin
  if pg_trigger_depth() > 1 then
    return null;
  end if;
  perform tenantry.lock_account_limits();
  perform tenantry.claim_account(new.environment, new.managed_by, (
    select jsonb_object_agg(n.key, n.value) from jsonb_each(l.containers -> new.billing_plan) n
    where n.value > l.containers -> old.billing_plan -> n.key))
  from tenantry.account_limits l
  where l.environment = new.environment and exists (select from tenantry.instances i where i.client_id = new.id);
  return null;
end
$$;

create or replace trigger account_claim_of_plan after update of billing_plan on tenantry.clients
  for each row when (new.managed_by = 'dashboard' and new.billing_plan is distinct from old.billing_plan)
  execute function tenantry.claim_for_plan();

-- Resource kinds that exceed the account's limits with the existing rows, because settings of platforms, plans or containers changed so that
-- deployed tenants will use more after their next run.
create or replace function tenantry.account_outgrown() returns table (kind text, needed double precision, most double precision)
language sql stable security definer set search_path = pg_catalog as $$
  select u.kind, u.claimed + a.others, a.most
  from tenantry.account_use(tenantry.caller_environment()) u
  join tenantry.account_capacity a on a.kind = u.kind and a.environment = tenantry.caller_environment()
  where tenantry.sees_all() and a.counted_at > now() - interval '1 hour' and u.claimed + a.others > greatest(a.most, a.used)
  order by u.kind
$$;
revoke all on function tenantry.account_outgrown () from public;

create policy in_scope on tenantry.account_capacity using (
  environment = (select tenantry.caller_environment()) and (select tenantry.sees_all()));
create policy in_scope on tenantry.account_limits using (
  environment = (select tenantry.caller_environment()) and (select tenantry.sees_all()));
