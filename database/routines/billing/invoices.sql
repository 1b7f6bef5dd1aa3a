-- draft → issued → paid or void. An issued invoice cannot change, except by the database's owner.
create or replace function tenantry.check_invoice() returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  if tenantry.caller_kind() <> 'owner' then
    if tg_op = 'DELETE' then
      if old.status <> 'draft' then
        raise exception 'an invoice that is % cannot be deleted', old.status using errcode = 'TN007';
      end if;
      return old;
    end if;
    if old.status <> new.status
        and (old.status, new.status) not in (('draft', 'issued'), ('issued', 'paid'), ('issued', 'void')) then
      raise exception 'an invoice that is % cannot become %; check its current status', old.status, new.status using errcode = 'TN003';
    end if;
    if old.status <> 'draft' and (to_jsonb(new) - 'status' - 'ended_at' <> to_jsonb(old) - 'status' - 'ended_at') then
      raise exception 'an invoice that is % cannot be changed', old.status using errcode = 'TN007';
    end if;
  end if;
  return case tg_op when 'DELETE' then old else new end;
end
$$;

create or replace trigger check_invoice before update or delete on tenantry.invoices for each row execute function tenantry.check_invoice();

create or replace function tenantry.check_invoice_line() returns trigger
language plpgsql security definer set search_path = pg_catalog as $$
declare
  of uuid[] := array_remove(
    array[case when tg_op <> 'INSERT' then old.invoice_id end, case when tg_op <> 'DELETE' then new.invoice_id end], null);
begin
  if tenantry.caller_kind() <> 'owner'
      and exists (select from tenantry.invoices v where v.id = any (of) and v.status <> 'draft') then
    raise exception 'the lines of an issued invoice cannot be changed' using errcode = 'TN007';
  end if;
  return case tg_op when 'DELETE' then old else new end;
end
$$;

create or replace trigger check_invoice_line before insert or update or delete on tenantry.invoice_line_items
  for each row execute function tenantry.check_invoice_line();

create policy own_environment on tenantry.invoice_line_items using (exists (select from tenantry.invoices v where v.id = invoice_id));
create policy in_scope on tenantry.invoices using (exists (select from tenantry.billing_accounts a where a.id = client_id));
