-- migrate:up
-- Usage, credits and invoices. Money is counted in micro-units: 1,000,000 are one US dollar, and one credit (domain/billing/money.ts). An amount
-- lies within 9·10^15 of 0, which a number in JSON still holds to the unit.

-- How far a pool's credit reaches: `creditLevel` of domain/billing/credit-state.ts. Who never bought credit is billed by invoices alone.
create function tenantry.credit_level(prepaid boolean, balance_micros bigint, warn_below_micros bigint) returns text
language sql immutable
set search_path = pg_catalog
as $$
  select case
    when not prepaid then 'ok'
    when balance_micros <= 0 then 'used_up'
    when balance_micros < warn_below_micros then 'warn'
    else 'ok'
  end
$$;

-- Whom the books are kept of: a client, and what it was called last when it is gone. Credit, usage, plans and invoices hang on it and not
-- on the client, so that they outlive it.
create table tenantry.billing_accounts (
  -- The client's.
  id uuid primary key,
  environment text not null check (environment in ('production', 'staging', 'development')),
  slug text not null,
  name text not null,
  partner_id uuid references tenantry.partners (id) on delete set null,
  -- When the client was deleted.
  closed_at timestamptz
);
create index billing_accounts_partner_id on tenantry.billing_accounts (partner_id);
create index billing_accounts_closed on tenantry.billing_accounts (environment, closed_at);
insert into tenantry.billing_accounts (id, environment, slug, name, partner_id)
select id, environment, slug, name, partner_id from tenantry.clients;
alter table tenantry.billing_accounts enable row level security;
create policy in_scope on tenantry.billing_accounts using (
  environment = (select tenantry.caller_environment())
  and ((select tenantry.sees_all()) or partner_id = (select tenantry.caller_partner())));

create function tenantry.account_follows_client() returns trigger
language plpgsql security definer
set search_path = pg_catalog
as $$
begin
  insert into tenantry.billing_accounts (id, environment, slug, name, partner_id)
  values (new.id, new.environment, new.slug, new.name, new.partner_id)
  on conflict (id) do update set slug = excluded.slug, name = excluded.name, partner_id = excluded.partner_id;
  return null;
end
$$;
-- By its name before what writes to the account.
create trigger account_follows after insert or update of slug, name, partner_id on tenantry.clients
  for each row execute function tenantry.account_follows_client();

-- A client goes, by whoever deletes it: its account is closed, and asked for no flat fee from then on. One of which nothing is on the
-- books goes along.
create function tenantry.account_closes() returns trigger
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
create trigger account_closes after delete on tenantry.clients for each row execute function tenantry.account_closes();

alter table tenantry.credit_pools
  drop constraint credit_pools_client_id_fkey,
  add constraint credit_pools_client_id_fkey foreign key (client_id) references tenantry.billing_accounts (id);
drop policy own_environment on tenantry.credit_pools;
create policy in_scope on tenantry.credit_pools using (exists (select from tenantry.billing_accounts a where a.id = client_id));
alter table tenantry.invoices
  drop constraint invoices_client_id_fkey,
  add constraint invoices_client_id_fkey foreign key (client_id) references tenantry.billing_accounts (id);
drop policy own_environment on tenantry.invoices;
create policy in_scope on tenantry.invoices using (exists (select from tenantry.billing_accounts a where a.id = client_id));
-- Stacks asked by it whom they could not remove.
drop function tenantry.clients_with_invoices;

-- Credits were numerics up to 10^15: more than 9·10^9 of them becomes 9·10^9.
alter table tenantry.credit_pools
  drop constraint credit_pools_lifetime_purchased_check,
  drop constraint credit_pools_lifetime_consumed_check,
  alter column lifetime_purchased type bigint using least(round(lifetime_purchased * 1000000), 9000000000000000),
  alter column lifetime_consumed type bigint using least(round(lifetime_consumed * 1000000), 9000000000000000);
alter table tenantry.credit_pools
  add constraint credit_pools_lifetime_purchased_check check (lifetime_purchased between 0 and 9000000000000000),
  add constraint credit_pools_lifetime_consumed_check check (lifetime_consumed between 0 and 9000000000000000),
  -- Whether the client pays ahead, and its tenant stops when its credit is used up; the first purchase sets it.
  add column prepaid boolean not null default false,
  add column warn_below_micros bigint not null default 10000000 check (warn_below_micros between 0 and 9000000000000000),
  add column delete_when_exhausted boolean not null default false,
  add column state text not null default 'ok'
    check (state in ('ok', 'warn', 'grace', 'frozen', 'final_backup', 'deletion_due')),
  add column state_since timestamptz not null default now(),
  -- When the next step is due.
  add column state_deadline timestamptz,
  -- The job that makes the final backup: without its success nothing is deleted.
  add column final_backup_job uuid references tenantry.jobs (id) on delete set null,
  -- Set once, with the job that deletes the client: from then on a top-up changes nothing by itself.
  add column deletion_requested_at timestamptz,
  add column version integer not null default 1,
  add column updated_at timestamptz not null default now(),
  add constraint credit_pools_state_has_deadline check ((state in ('ok', 'warn')) = (state_deadline is null)),
  add constraint credit_pools_deletion_is_due check (
    deletion_requested_at is null or (state = 'deletion_due' and deletion_requested_at >= state_deadline));
alter table tenantry.credit_pools disable trigger audit;
update tenantry.credit_pools set prepaid = true where lifetime_purchased > 0;
alter table tenantry.credit_pools enable trigger audit;
create trigger next_version before update on tenantry.credit_pools for each row execute function tenantry.next_version();
create index credit_pools_deadline on tenantry.credit_pools (state_deadline)
  where state_deadline is not null and deletion_requested_at is null;
create index credit_pools_final_backup_job on tenantry.credit_pools (final_backup_job) where final_backup_job is not null;
-- Pools whose state is not that of their credit or their setting.
create index credit_pools_unsettled on tenantry.credit_pools (client_id)
  where deletion_requested_at is null
    and (
      tenantry.credit_level(prepaid, lifetime_purchased - lifetime_consumed, warn_below_micros)
        <> case when state in ('ok', 'warn') then state else 'used_up' end
      or (state = 'deletion_due' and not delete_when_exhausted));

-- The machine of domain/billing/credit-state.ts: a step forward is due by its deadline alone, a step back by credit alone. Nobody is exempt.
create function tenantry.check_credit_state() returns trigger
language plpgsql
set search_path = pg_catalog
as $$
declare
  level constant text :=
    tenantry.credit_level(new.prepaid, new.lifetime_purchased - new.lifetime_consumed, new.warn_below_micros);
begin
  if old.deletion_requested_at is null and (case
      when new.state in ('ok', 'warn') then new.state = level
      when level <> 'used_up' then false
      when new.state = 'grace' then old.state in ('ok', 'warn')
      when (old.state, new.state) = ('deletion_due', 'final_backup') then not new.delete_when_exhausted
      when new.state_since < old.state_deadline then false
      when (old.state, new.state) = ('final_backup', 'deletion_due') then new.delete_when_exhausted
      else (old.state, new.state) in (('grace', 'frozen'), ('frozen', 'final_backup'))
    end) then
    return new;
  end if;
  raise exception 'a credit pool that is % cannot become % yet', old.state, new.state using errcode = 'TN003';
end
$$;
create trigger check_state before update on tenantry.credit_pools
  for each row when (old.state <> new.state) execute function tenantry.check_credit_state();

-- Every movement of credit, signed. A day's consumption is booked once (revision 0) and corrected by what it differs.
create table tenantry.credit_entries (
  id uuid primary key default gen_random_uuid(),
  client_id uuid not null references tenantry.billing_accounts (id),
  -- `payment`: of usage that an invoice asked for beyond the credit.
  kind text not null check (kind in ('purchase', 'payment', 'consumption', 'correction')),
  amount_micros bigint not null
    check (amount_micros between -9000000000000000 and 9000000000000000 and amount_micros <> 0),
  -- Of consumption and its corrections: the day in UTC, and how often it was booked before.
  day date,
  revision integer check (revision >= 0),
  -- What it is known by elsewhere, so that nothing is booked twice.
  reference text check (length(reference) between 1 and 255),
  note text not null default '',
  -- To the millisecond, which a page of a list is continued by.
  booked_at timestamptz(3) not null default now(),
  unique (client_id, day, revision),
  unique (client_id, reference),
  constraint credit_entries_day_has_revision check ((day is null) = (revision is null)),
  constraint credit_entries_kind_fits check (case kind
    when 'consumption' then amount_micros < 0 and revision is not distinct from 0
    when 'correction' then revision is distinct from 0
    else amount_micros > 0 and day is null
  end)
);
create index credit_entries_list on tenantry.credit_entries (client_id, booked_at desc, id desc);
insert into tenantry.credit_entries (client_id, kind, amount_micros, reference)
select client_id, 'purchase', lifetime_purchased, 'opening:purchased' from tenantry.credit_pools where lifetime_purchased > 0
union all
select client_id, 'correction', -lifetime_consumed, 'opening:consumed' from tenantry.credit_pools where lifetime_consumed > 0;
alter table tenantry.credit_entries enable row level security;
create policy in_scope on tenantry.credit_entries using (exists (select from tenantry.billing_accounts a where a.id = client_id));
-- What was consumed is the service's to say.
create policy consumption_is_metered on tenantry.credit_entries as restrictive for insert
  with check (day is null or tenantry.caller_kind() in ('service', 'owner'));

-- A pool's sums are its entries', whoever books, and in the same transaction: its row's lock orders who books at once.
create function tenantry.credit_booked() returns trigger
language plpgsql security definer
set search_path = pg_catalog
as $$
begin
  insert into tenantry.credit_pools (client_id) values (new.client_id) on conflict (client_id) do nothing;
  update tenantry.credit_pools p set
    lifetime_purchased = p.lifetime_purchased + case when new.day is null and new.amount_micros > 0 then new.amount_micros else 0 end,
    lifetime_consumed = p.lifetime_consumed - case when new.day is null and new.amount_micros > 0 then 0 else new.amount_micros end,
    prepaid = p.prepaid or new.kind = 'purchase'
  where p.client_id = new.client_id;
  return null;
end
$$;
create trigger booked after insert on tenantry.credit_entries for each row execute function tenantry.credit_booked();

create function tenantry.credit_sums_are_booked() returns trigger
language plpgsql
set search_path = pg_catalog
as $$
begin
  if tenantry.caller_kind() <> 'owner' then
    raise exception 'a pool''s sums change by its entries alone' using errcode = 'TN007';
  end if;
  return new;
end
$$;
create trigger sums_are_booked_first before insert on tenantry.credit_pools
  for each row when (pg_trigger_depth() = 0 and (new.lifetime_purchased <> 0 or new.lifetime_consumed <> 0))
  execute function tenantry.credit_sums_are_booked();
create trigger sums_are_booked before update on tenantry.credit_pools
  for each row when (pg_trigger_depth() = 0
    and (new.lifetime_purchased <> old.lifetime_purchased or new.lifetime_consumed <> old.lifetime_consumed))
  execute function tenantry.credit_sums_are_booked();

-- Entries never go.
create function tenantry.ledger_is_append_only() returns trigger
language plpgsql
set search_path = pg_catalog
as $$
begin
  raise exception 'the ledger is only ever added to: book a correction' using errcode = 'TN007';
end
$$;
create trigger append_only before update or delete on tenantry.credit_entries
  for each row execute function tenantry.ledger_is_append_only();
create trigger append_only_whole before truncate on tenantry.credit_entries
  for each statement execute function tenantry.ledger_is_append_only();

-- What each client used, a day in UTC, in the metric's unit (domain/billing/usage-metric.ts).
create table tenantry.usage_daily (
  client_id uuid not null references tenantry.billing_accounts (id),
  day date not null,
  metric text not null check (metric in (
    'ai_queries', 'ai_spend', 'container_activity', 'container_uptime', 'object_storage_bandwidth', 'websocket_sessions')),
  quantity bigint not null check (quantity >= 0),
  -- When the dataset was asked; an older answer never replaces a newer one.
  computed_at timestamptz not null,
  primary key (client_id, day, metric)
);
alter table tenantry.usage_daily enable row level security;
create policy in_scope on tenantry.usage_daily using (exists (select from tenantry.billing_accounts a where a.id = client_id));

-- Which plan a client had on which day, so that a past day is priced alike whenever it is asked about: the one at the day's end counts.
create table tenantry.client_plans (
  client_id uuid not null references tenantry.billing_accounts (id),
  valid_from date not null,
  plan text not null check (plan in ('free', 'basic', 'pro', 'enterprise')),
  -- Whether the plan's flat fee is asked for: not of a draft, nor of a client that is being deleted.
  billed boolean not null,
  primary key (client_id, valid_from)
);
insert into tenantry.client_plans (client_id, valid_from, plan, billed)
select id, (created_at at time zone 'utc')::date, billing_plan, status <> 'draft' and delete_after is null from tenantry.clients;
alter table tenantry.client_plans enable row level security;
create policy in_scope on tenantry.client_plans using (exists (select from tenantry.billing_accounts a where a.id = client_id));

create function tenantry.client_plan_changed() returns trigger
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
create trigger plan_changed after insert or update of billing_plan, status, delete_after on tenantry.clients
  for each row execute function tenantry.client_plan_changed();

-- What `per_units` of a metric cost on a plan, from a day on until the next price; a flat fee is a month's.
create table tenantry.prices (
  id uuid primary key default gen_random_uuid(),
  environment text not null default tenantry.caller_environment()
    check (environment in ('production', 'staging', 'development')),
  plan text not null check (plan in ('free', 'basic', 'pro', 'enterprise')),
  metric text not null check (metric in (
    'flat_fee', 'ai_queries', 'ai_spend', 'container_activity', 'container_uptime', 'object_storage_bandwidth', 'websocket_sessions')),
  unit text not null,
  per_units bigint not null check (per_units between 1 and 9000000000000000),
  micros bigint not null check (micros between 0 and 9000000000000000),
  valid_from date not null,
  created_at timestamptz not null default now(),
  unique (environment, plan, metric, valid_from),
  constraint prices_flat_fee_is_a_months check (metric <> 'flat_fee' or per_units = 1)
);
insert into tenantry.prices (environment, plan, metric, unit, per_units, micros, valid_from)
select e.environment, p.plan, m.metric, m.unit, m.per_units,
  -- The free plan costs nothing: its limits bound what it may use.
  case when m.metric = 'flat_fee' then p.fee when p.plan = 'free' then 0 else m.micros end, date '2000-01-01'
from (values ('production'), ('staging'), ('development')) e (environment),
  (values ('free', 0), ('basic', 29000000), ('pro', 99000000), ('enterprise', 499000000)) p (plan, fee),
  (values
    ('flat_fee', 'months', 1, 0),
    ('ai_queries', 'queries', 1000, 100000),
    -- What the providers ask, passed on as it is.
    ('ai_spend', 'micros', 1, 1),
    ('container_activity', 'seconds', 3600, 0),
    ('container_uptime', 'seconds', 3600, 20000),
    ('object_storage_bandwidth', 'bytes', 1000000000, 10000),
    ('websocket_sessions', 'sessions', 1000, 10000)) m (metric, unit, per_units, micros);
alter table tenantry.prices enable row level security;
-- Of no client: every root of the environment reads them.
create policy in_scope on tenantry.prices using (
  environment = (select tenantry.caller_environment())
  and ((select tenantry.sees_all()) or (select tenantry.caller_partner()) is not null));

-- What a past day cost stays as it was.
create function tenantry.prices_hold_from_today() returns trigger
language plpgsql
set search_path = pg_catalog
as $$
declare
  today constant date := (now() at time zone 'utc')::date;
begin
  if tenantry.caller_kind() <> 'owner'
      and ((tg_op <> 'INSERT' and old.valid_from < today) or (tg_op <> 'DELETE' and new.valid_from < today)) then
    raise exception 'prices of past days stay: give a price that holds from % on, or later', today using errcode = 'TN003';
  end if;
  return case tg_op when 'DELETE' then old else new end;
end
$$;
create trigger hold_from_today before insert or update or delete on tenantry.prices
  for each row execute function tenantry.prices_hold_from_today();

-- Invoices. Those that are there were made by hand and count as issued.
alter table tenantry.invoices
  add column currency text not null default 'USD' check (currency = 'USD'),
  add column status text not null default 'issued' check (status in ('draft', 'issued', 'paid', 'void')),
  add column total_micros bigint not null default 0 check (total_micros between -9000000000000000 and 9000000000000000),
  add column issued_at timestamptz,
  -- When it was paid or made void.
  add column ended_at timestamptz;
alter table tenantry.invoices
  alter column status set default 'draft',
  alter column issued_at type timestamptz using created_at,
  add constraint invoices_issued check ((status = 'draft') = (issued_at is null)),
  add constraint invoices_ended check ((status in ('paid', 'void')) = (ended_at is not null)),
  drop constraint invoices_client_id_period_start_key;
-- A void one leaves its month to another.
create unique index invoices_period on tenantry.invoices (client_id, period_start) where status <> 'void';
create index invoices_client_id on tenantry.invoices (client_id, period_start desc, id desc);
create index invoices_list on tenantry.invoices (period_start desc, id desc);

alter table tenantry.invoice_line_items
  add column position integer not null default 0,
  -- `carried`: usage of earlier months that no invoice has yet, or less of it than one asked for. `credit`: what credit paid of the usage.
  add column kind text not null default 'other' check (kind in ('flat_fee', 'usage', 'carried', 'credit', 'other')),
  add column plan text check (plan in ('free', 'basic', 'pro', 'enterprise')),
  add column metric text,
  add column per_units bigint not null default 1 check (per_units > 0),
  add column amount_micros bigint not null default 0 check (amount_micros between -9000000000000000 and 9000000000000000),
  add constraint invoice_line_items_metric_is_of_usage check ((kind = 'usage') = (metric is not null));
-- Fractions of a unit become millionths of it.
update tenantry.invoice_line_items set
  quantity = case when quantity = 'NaN' then 0 else quantity end,
  unit_price = case when unit_price = 'NaN' then 0 else unit_price end;
update tenantry.invoice_line_items set
  amount_micros = greatest(least(round(quantity * unit_price * 1000000), 9000000000000000), -9000000000000000),
  per_units = case when quantity = trunc(quantity) then 1 else 1000000 end;
alter table tenantry.invoice_line_items rename column unit_price to unit_price_micros;
alter table tenantry.invoice_line_items
  alter column quantity type bigint
    using greatest(least(round(quantity * per_units), 9000000000000000), -9000000000000000),
  alter column unit_price_micros type bigint
    using greatest(least(round(unit_price_micros * 1000000), 9000000000000000), -9000000000000000);
alter table tenantry.invoice_line_items alter column kind drop default, alter column per_units drop default,
  alter column amount_micros drop default;
alter table tenantry.invoices disable trigger audit;
update tenantry.invoices v set total_micros = l.total
from (
  select invoice_id, greatest(least(sum(amount_micros), 9000000000000000), -9000000000000000) as total
  from tenantry.invoice_line_items group by invoice_id) l
where l.invoice_id = v.id;
alter table tenantry.invoices enable trigger audit;

-- draft → issued → paid or void; what was issued stays as it is. The database's owner may put things right.
create function tenantry.check_invoice() returns trigger
language plpgsql
set search_path = pg_catalog
as $$
begin
  if tenantry.caller_kind() <> 'owner' then
    if tg_op = 'DELETE' then
      if old.status <> 'draft' then
        raise exception 'an invoice that is % stays', old.status using errcode = 'TN007';
      end if;
      return old;
    end if;
    if old.status <> new.status
        and (old.status, new.status) not in (('draft', 'issued'), ('issued', 'paid'), ('issued', 'void')) then
      raise exception 'an invoice that is % cannot become %', old.status, new.status using errcode = 'TN003';
    end if;
    if old.status <> 'draft' and (to_jsonb(new) - 'status' - 'ended_at' <> to_jsonb(old) - 'status' - 'ended_at') then
      raise exception 'an invoice that is % stays as it is', old.status using errcode = 'TN007';
    end if;
  end if;
  return case tg_op when 'DELETE' then old else new end;
end
$$;
create trigger check_invoice before update or delete on tenantry.invoices
  for each row execute function tenantry.check_invoice();

create function tenantry.check_invoice_line() returns trigger
language plpgsql security definer
set search_path = pg_catalog
as $$
declare
  of uuid[] := array_remove(
    array[case when tg_op <> 'INSERT' then old.invoice_id end, case when tg_op <> 'DELETE' then new.invoice_id end], null);
begin
  if tenantry.caller_kind() <> 'owner'
      and exists (select from tenantry.invoices v where v.id = any (of) and v.status <> 'draft') then
    raise exception 'the lines of an issued invoice stay as they are' using errcode = 'TN007';
  end if;
  return case tg_op when 'DELETE' then old else new end;
end
$$;
create trigger check_invoice_line before insert or update or delete on tenantry.invoice_line_items
  for each row execute function tenantry.check_invoice_line();

create trigger audit after insert or update or delete on tenantry.credit_entries for each row execute function tenantry.audit();
create trigger audit after insert or update or delete on tenantry.prices for each row execute function tenantry.audit();

-- The backup that is kept of a tenant whose credit stays used up.
alter table tenantry.jobs drop constraint jobs_kind_check;
alter table tenantry.jobs add constraint jobs_kind_check check (kind in (
  'provision', 'deprovision', 'change_plan', 'freeze', 'resume', 'assign_gateway', 'delete_client', 'invalidate', 'final_backup'));

-- As it was, and credits in whole units still: a product, as a quotient would be cut.
create or replace function api.resolve_tenant(p_slug text, p_email text default null) returns jsonb
language sql stable security definer
set search_path = pg_catalog
as $$
  with tenant as (
    select c.id as client_id, c.slug, c.billing_plan, c.status as client_status, c.environment,
           i.id as instance_id, i.status as instance_status, i.worker_name, i.access_aud,
           trim_scale(coalesce(p.lifetime_purchased, 0) * 0.000001) as purchased,
           trim_scale(coalesce(p.lifetime_consumed, 0) * 0.000001) as consumed,
           (select count(*) from tenantry.client_users u where u.client_id = c.id and u.status = 'validated') as seats
    from tenantry.clients c
    join tenantry.instances i on i.client_id = c.id and i.environment = c.environment
    left join tenantry.credit_pools p on p.client_id = c.id
    where c.slug = p_slug and c.environment = tenantry.caller_environment()
  )
  select jsonb_build_object(
    'tenant', (
      select jsonb_build_object(
        'client_id', client_id, 'slug', slug, 'billing_plan', billing_plan, 'client_status', client_status,
        'environment', environment,
        'seats', seats, 'credits', jsonb_build_object('purchased', purchased, 'consumed', consumed),
        'instance_id', instance_id, 'instance_status', instance_status,
        'worker_name', worker_name, 'access_aud', access_aud)
      from tenant),
    'role', coalesce(
      (select 'ROOT' from tenantry.dashboard_users d
        where d.email = lower(p_email) and d.role = 'ROOT' and d.environment = tenantry.caller_environment()),
      (select u.role
         from tenant t
         join tenantry.client_users u on u.client_id = t.client_id
         join tenantry.client_user_instances a on a.client_user_id = u.id and a.instance_id = t.instance_id
        where u.email = lower(p_email) and u.status = 'validated')))
$$;

-- migrate:down
create or replace function api.resolve_tenant(p_slug text, p_email text default null) returns jsonb
language sql stable security definer
set search_path = pg_catalog
as $$
  with tenant as (
    select c.id as client_id, c.slug, c.billing_plan, c.status as client_status, c.environment,
           i.id as instance_id, i.status as instance_status, i.worker_name, i.access_aud,
           coalesce(p.lifetime_purchased, 0) as purchased, coalesce(p.lifetime_consumed, 0) as consumed,
           (select count(*) from tenantry.client_users u where u.client_id = c.id and u.status = 'validated') as seats
    from tenantry.clients c
    join tenantry.instances i on i.client_id = c.id and i.environment = c.environment
    left join tenantry.credit_pools p on p.client_id = c.id
    where c.slug = p_slug and c.environment = tenantry.caller_environment()
  )
  select jsonb_build_object(
    'tenant', (
      select jsonb_build_object(
        'client_id', client_id, 'slug', slug, 'billing_plan', billing_plan, 'client_status', client_status,
        'environment', environment,
        'seats', seats, 'credits', jsonb_build_object('purchased', purchased, 'consumed', consumed),
        'instance_id', instance_id, 'instance_status', instance_status,
        'worker_name', worker_name, 'access_aud', access_aud)
      from tenant),
    'role', coalesce(
      (select 'ROOT' from tenantry.dashboard_users d
        where d.email = lower(p_email) and d.role = 'ROOT' and d.environment = tenantry.caller_environment()),
      (select u.role
         from tenant t
         join tenantry.client_users u on u.client_id = t.client_id
         join tenantry.client_user_instances a on a.client_user_id = u.id and a.instance_id = t.instance_id
        where u.email = lower(p_email) and u.status = 'validated')))
$$;

delete from tenantry.jobs where kind = 'final_backup';
alter table tenantry.jobs drop constraint jobs_kind_check;
alter table tenantry.jobs add constraint jobs_kind_check check (kind in (
  'provision', 'deprovision', 'change_plan', 'freeze', 'resume', 'assign_gateway', 'delete_client', 'invalidate'));

drop trigger check_invoice_line on tenantry.invoice_line_items;
drop function tenantry.check_invoice_line;
drop trigger check_invoice on tenantry.invoices;
drop function tenantry.check_invoice;
-- There was no void invoice, and one a month.
delete from tenantry.invoices where status = 'void';
alter table tenantry.invoice_line_items
  drop constraint invoice_line_items_metric_is_of_usage,
  alter column quantity type numeric using quantity::numeric / per_units,
  alter column unit_price_micros type numeric using unit_price_micros * 0.000001;
alter table tenantry.invoice_line_items rename column unit_price_micros to unit_price;
alter table tenantry.invoice_line_items
  drop column amount_micros, drop column per_units, drop column metric, drop column plan, drop column kind, drop column position;
drop index tenantry.invoices_list;
drop index tenantry.invoices_client_id;
drop index tenantry.invoices_period;
alter table tenantry.invoices
  drop column ended_at, drop column issued_at, drop column total_micros, drop column status, drop column currency,
  add constraint invoices_client_id_period_start_key unique (client_id, period_start);

drop trigger account_closes on tenantry.clients;
drop function tenantry.account_closes;
drop trigger account_follows on tenantry.clients;
drop function tenantry.account_follows_client;
-- The books of clients that are gone were kept nowhere.
delete from tenantry.invoices v where not exists (select from tenantry.clients c where c.id = v.client_id);
drop policy in_scope on tenantry.invoices;
create policy own_environment on tenantry.invoices
  using (exists (select from tenantry.clients c where c.id = client_id));
alter table tenantry.invoices
  drop constraint invoices_client_id_fkey,
  add constraint invoices_client_id_fkey foreign key (client_id) references tenantry.clients (id);

drop table tenantry.prices;
drop function tenantry.prices_hold_from_today;
drop trigger plan_changed on tenantry.clients;
drop function tenantry.client_plan_changed;
drop table tenantry.client_plans;
drop table tenantry.usage_daily;
drop table tenantry.credit_entries;
drop function tenantry.ledger_is_append_only;
drop function tenantry.credit_booked;
drop trigger sums_are_booked on tenantry.credit_pools;
drop trigger sums_are_booked_first on tenantry.credit_pools;
drop function tenantry.credit_sums_are_booked;
drop trigger check_state on tenantry.credit_pools;
drop function tenantry.check_credit_state;
drop index tenantry.credit_pools_unsettled;
drop index tenantry.credit_pools_final_backup_job;
drop trigger next_version on tenantry.credit_pools;
delete from tenantry.credit_pools p where not exists (select from tenantry.clients c where c.id = p.client_id);
drop policy in_scope on tenantry.credit_pools;
create policy own_environment on tenantry.credit_pools
  using (exists (select from tenantry.clients c where c.id = client_id));
alter table tenantry.credit_pools
  drop constraint credit_pools_client_id_fkey,
  add constraint credit_pools_client_id_fkey foreign key (client_id) references tenantry.clients (id) on delete cascade;
drop table tenantry.billing_accounts;
alter table tenantry.credit_pools
  drop column updated_at, drop column version, drop column deletion_requested_at, drop column final_backup_job,
  drop column state_deadline,
  drop column state_since, drop column state, drop column delete_when_exhausted, drop column warn_below_micros, drop column prepaid,
  drop constraint credit_pools_lifetime_purchased_check,
  drop constraint credit_pools_lifetime_consumed_check,
  alter column lifetime_purchased type numeric using trim_scale(lifetime_purchased * 0.000001),
  alter column lifetime_consumed type numeric using trim_scale(lifetime_consumed * 0.000001);
alter table tenantry.credit_pools
  add constraint credit_pools_lifetime_purchased_check check (lifetime_purchased between 0 and 1e15),
  add constraint credit_pools_lifetime_consumed_check check (lifetime_consumed between 0 and 1e15);
drop function tenantry.credit_level;
create function tenantry.clients_with_invoices(p_environment text) returns setof text
language sql stable security definer
set search_path = pg_catalog
as $$
  select slug from tenantry.clients c
  where c.environment = p_environment
    and exists (select from tenantry.invoices v where v.client_id = c.id)
    and (p_environment = tenantry.caller_environment()
      or pg_has_role(
        coalesce(nullif(current_setting('role', true), 'none'), session_user::text)::name,
        (select relowner from pg_class where oid = 'tenantry.invoices'::regclass), 'member'))
  order by slug
$$;
