-- A credit pool's level (`creditLevel` in domain/billing/credit-state.ts). Clients without prepaid credit are billed by invoices.
create or replace function tenantry.credit_level(prepaid boolean, balance_micros bigint, warn_below_micros bigint) returns text
language sql immutable set search_path = pg_catalog as $$
  select case
    when not prepaid then 'ok'
    when balance_micros <= 0 then 'used_up'
    when balance_micros < warn_below_micros then 'warn'
    else 'ok'
  end
$$;

-- The state machine of domain/billing/credit-state.ts. Only a deadline moves it forward, and only credit moves it back, for every caller.
create or replace function tenantry.check_credit_state() returns trigger language plpgsql set search_path = pg_catalog as $$
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
  raise exception 'a credit balance that is % cannot become % yet; wait for its deadline', old.state, new.state using errcode = 'TN003';
end
$$;

create or replace trigger check_state before update on tenantry.credit_pools
  for each row when (old.state <> new.state) execute function tenantry.check_credit_state();

-- Keeps a pool's sums equal to its entries, in the same transaction. The pool's row lock orders concurrent entries.
create or replace function tenantry.credit_booked() returns trigger language plpgsql security definer set search_path = pg_catalog as $$
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

create or replace trigger booked after insert on tenantry.credit_entries for each row execute function tenantry.credit_booked();

create or replace function tenantry.credit_sums_are_booked() returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  if tenantry.caller_kind() <> 'owner' then
    raise exception 'the totals of a credit balance change only with its ledger entries' using errcode = 'TN007';
  end if;
  return new;
end
$$;

create or replace trigger sums_are_booked_first before insert on tenantry.credit_pools
  for each row when (pg_trigger_depth() = 0 and (new.lifetime_purchased <> 0 or new.lifetime_consumed <> 0))
  execute function tenantry.credit_sums_are_booked();

create or replace trigger sums_are_booked before update on tenantry.credit_pools for each row when (pg_trigger_depth() = 0
  and (new.lifetime_purchased <> old.lifetime_purchased or new.lifetime_consumed <> old.lifetime_consumed))
  execute function tenantry.credit_sums_are_booked();

create or replace function tenantry.ledger_is_append_only() returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  raise exception 'ledger entries cannot be changed or deleted; book a correction' using errcode = 'TN007';
end
$$;

create or replace trigger append_only before update or delete on tenantry.credit_entries
  for each row execute function tenantry.ledger_is_append_only();

create or replace trigger append_only_whole before truncate on tenantry.credit_entries
  for each statement execute function tenantry.ledger_is_append_only();

create policy in_scope on tenantry.credit_pools using (exists (select from tenantry.billing_accounts a where a.id = client_id));
create policy in_scope on tenantry.credit_entries using (exists (select from tenantry.billing_accounts a where a.id = client_id));

create policy consumption_is_metered on tenantry.credit_entries as restrictive for insert
  with check (day is null or tenantry.caller_kind() in ('service', 'owner'));
