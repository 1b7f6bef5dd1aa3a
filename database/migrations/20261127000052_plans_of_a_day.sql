-- migrate:up
-- Which plans a day saw besides the one at its end, so that none is had for nothing by leaving it before midnight.
alter table tenantry.client_plans
  -- Plans of earlier in the day `valid_from`, as far as their flat fee was asked for.
  add column also text[] not null default '{}';

-- Notes what a client's plan is from now on.
-- @param p_untaken whether the plan until now was asked for and never taken, so that the day did not see it
create function tenantry.note_plan(p_client_id uuid, p_plan text, p_billed boolean, p_untaken boolean) returns void
language sql security definer
set search_path = pg_catalog
as $$
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
language plpgsql security definer
set search_path = pg_catalog
as $$
begin
  perform tenantry.note_plan(
    new.id, new.billing_plan, new.status <> 'draft' and new.delete_after is null,
    -- The end of a job that did not succeed puts the plan back (`job_settled`), and no other trigger changes it.
    tg_op = 'UPDATE' and pg_trigger_depth() > 1 and old.billing_plan <> new.billing_plan);
  return null;
end
$$;

create or replace function tenantry.account_closes() returns trigger
language plpgsql security definer
set search_path = pg_catalog
as $$
begin
  if exists (select from tenantry.invoices v where v.client_id = old.id)
      or exists (select from tenantry.credit_entries e where e.client_id = old.id)
      or exists (select from tenantry.usage_daily u where u.client_id = old.id)
      or exists (select from tenantry.client_plans s where s.client_id = old.id and (s.billed or s.also <> '{}')) then
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

-- migrate:down
create or replace function tenantry.account_closes() returns trigger
language plpgsql security definer
set search_path = pg_catalog
as $$
begin
  if exists (select from tenantry.invoices v where v.client_id = old.id)
      or exists (select from tenantry.credit_entries e where e.client_id = old.id)
      or exists (select from tenantry.usage_daily u where u.client_id = old.id)
      or exists (select from tenantry.client_plans s where s.client_id = old.id and s.billed) then
    update tenantry.billing_accounts a set closed_at = now() where a.id = old.id;
    insert into tenantry.client_plans (client_id, valid_from, plan, billed)
    values (old.id, (now() at time zone 'utc')::date, old.billing_plan, false)
    on conflict (client_id, valid_from) do update set billed = false;
  else
    delete from tenantry.credit_pools p where p.client_id = old.id;
    delete from tenantry.client_plans s where s.client_id = old.id;
    delete from tenantry.billing_accounts a where a.id = old.id;
  end if;
  return null;
end
$$;
create or replace function tenantry.client_plan_changed() returns trigger
language plpgsql security definer
set search_path = pg_catalog
as $$
begin
  insert into tenantry.client_plans (client_id, valid_from, plan, billed)
  values (new.id, (now() at time zone 'utc')::date, new.billing_plan, new.status <> 'draft' and new.delete_after is null)
  on conflict (client_id, valid_from) do update set plan = excluded.plan, billed = excluded.billed;
  return null;
end
$$;
drop function tenantry.note_plan;
alter table tenantry.client_plans drop column also;
