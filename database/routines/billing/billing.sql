create or replace function tenantry.account_follows_client() returns trigger
language plpgsql security definer set search_path = pg_catalog as $$
begin
  insert into tenantry.billing_accounts (id, environment, slug, name, partner_id)
  values (new.id, new.environment, new.slug, new.name, new.partner_id)
  on conflict (id) do update set slug = excluded.slug, name = excluded.name, partner_id = excluded.partner_id;
  return null;
end
$$;

-- The trigger's name sorts before those of triggers that write to the account.
create or replace trigger account_follows after insert or update of slug, name, partner_id on tenantry.clients
  for each row execute function tenantry.account_follows_client();

create or replace function tenantry.prices_hold_from_today() returns trigger language plpgsql set search_path = pg_catalog as $$
declare
  today constant date := (now() at time zone 'utc')::date;
begin
  if tenantry.caller_kind() <> 'owner'
      and ((tg_op <> 'INSERT' and old.valid_from < today) or (tg_op <> 'DELETE' and new.valid_from < today)) then
    raise exception 'prices of past days cannot change; set valid_from to % or later', today using errcode = 'TN003';
  end if;
  return case tg_op when 'DELETE' then old else new end;
end
$$;

create or replace trigger hold_from_today before insert or update or delete on tenantry.prices
  for each row execute function tenantry.prices_hold_from_today();

-- Records a client's plan from now on.
-- @param p_untaken whether the current plan was requested but never applied, so that it does not count for the day
create or replace function tenantry.note_plan(p_client_id uuid, p_plan text, p_billed boolean, p_untaken boolean) returns void
language sql security definer set search_path = pg_catalog as $$
  insert into tenantry.client_plans as s (client_id, valid_from, plan, billed, also)
  values (p_client_id, (now() at time zone 'utc')::date, p_plan, p_billed, coalesce(
    (select case when p.billed and not p_untaken then array[p.plan] end
      from tenantry.client_plans p
      where p.client_id = p_client_id and p.valid_from < (now() at time zone 'utc')::date
      order by p.valid_from desc limit 1),
    '{}'))
  on conflict (client_id, valid_from) do update set plan = excluded.plan, billed = excluded.billed,
    also = case
      when s.billed and not p_untaken and s.plan <> all (s.also) then s.also || s.plan
      else s.also
    end
$$;
revoke all on function tenantry.note_plan (uuid, text, boolean, boolean) from public;

create or replace function tenantry.client_plan_changed() returns trigger
language plpgsql security definer set search_path = pg_catalog as $$
begin
  perform tenantry.note_plan(
    new.id, new.billing_plan, new.status <> 'draft' and new.delete_after is null,
    -- Only `job_settled` restores a plan, at the end of a job that failed.
    tg_op = 'UPDATE' and pg_trigger_depth() > 1 and old.billing_plan <> new.billing_plan);
  return null;
end
$$;

create or replace trigger plan_changed after insert or update of billing_plan, status, delete_after on tenantry.clients
  for each row execute function tenantry.client_plan_changed();

-- Keeps the account of a client that had an instance, even if nothing was billed: points of the analytics dataset name the slug alone, and the
-- account shows that an earlier client had it.
create or replace function tenantry.account_closes() returns trigger language plpgsql security definer set search_path = pg_catalog as $$
begin
  if exists (select from tenantry.invoices v where v.client_id = old.id)
      or exists (select from tenantry.credit_entries e where e.client_id = old.id)
      or exists (select from tenantry.usage_daily u where u.client_id = old.id)
      or exists (select from tenantry.client_plans s where s.client_id = old.id and (s.billed or s.also <> '{}'))
      or exists (select from tenantry.audit_log l where l.client_id = old.id and l.entity = 'instances') then
    update tenantry.billing_accounts a set closed_at = now() where a.id = old.id;
    perform tenantry.note_plan(old.id, old.billing_plan, false, false);
  else
    delete from tenantry.credit_pools p where p.client_id = old.id;
    delete from tenantry.client_plans s where s.client_id = old.id;
    delete from tenantry.billing_accounts a where a.id = old.id;
  end if;
  return null;
end
$$;

create or replace trigger account_closes after delete on tenantry.clients for each row execute function tenantry.account_closes();

create policy in_scope on tenantry.billing_accounts using (environment = (select tenantry.caller_environment())
  and ((select tenantry.sees_all()) or partner_id = (select tenantry.caller_partner()) or id = (select tenantry.caller_client())));
create policy in_scope on tenantry.usage_daily using (exists (select from tenantry.billing_accounts a where a.id = client_id));
create policy in_scope on tenantry.client_plans using (exists (select from tenantry.billing_accounts a where a.id = client_id));

-- The monthly fees and spend limits of all plans, and the plans of one client, as invoices have them.
create or replace function tenantry.plan_fees(p_client_id uuid) returns jsonb
language sql stable security definer set search_path = pg_catalog as $$
  select jsonb_build_object(
    'fees', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'plan', p.plan, 'micros', p.micros::text, 'perUnits', p.per_units::text, 'validFrom', p.valid_from)), '[]')
      from tenantry.prices p where p.environment = a.environment and p.metric = 'flat_fee'),
    'plans', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'validFrom', s.valid_from, 'plan', s.plan, 'billed', s.billed, 'also', s.also) order by s.valid_from), '[]')
      from tenantry.client_plans s where s.client_id = a.id),
    'aiSpend', (select l.ai_spend from tenantry.account_limits l where l.environment = a.environment))
  from tenantry.billing_accounts a
  where a.id = p_client_id and a.environment = tenantry.caller_environment()
    and (tenantry.sees_all() or a.partner_id = tenantry.caller_partner() or a.id = tenantry.caller_client())
$$;
revoke all on function tenantry.plan_fees (uuid) from public;

-- Prices belong to no client: every root of the environment reads them.
create policy in_scope on tenantry.prices using (environment = (select tenantry.caller_environment())
  and ((select tenantry.sees_all()) or (select tenantry.caller_partner()) is not null));
