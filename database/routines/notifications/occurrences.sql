-- Records what happened to a client, once by kind and subject. A client that is being deleted gets nothing.
create or replace function tenantry.note_occurrence(
  p_client_id uuid, p_kind text, p_subject text, p_data jsonb, p_client_user_id uuid default null) returns void
language sql security definer set search_path = pg_catalog as $$
  insert into tenantry.notifications (environment, client_id, client_user_id, kind, subject, data)
  select c.environment, c.id, p_client_user_id, p_kind, p_subject, p_data
  from tenantry.clients c where c.id = p_client_id and c.delete_after is null
  on conflict (client_id, kind, subject) do nothing
$$;
revoke all on function tenantry.note_occurrence (uuid, text, text, jsonb, uuid) from public;

create or replace function tenantry.notification_noted() returns trigger language plpgsql security definer set search_path = pg_catalog as $$
begin
  perform tenantry.enqueue(new.environment, 'notification', jsonb_build_object('id', new.id), 'notification:' || new.id);
  return null;
end
$$;

create or replace trigger notification_noted after insert on tenantry.notifications
  for each row execute function tenantry.notification_noted();

create or replace function tenantry.note_incident() returns trigger language plpgsql security definer set search_path = pg_catalog as $$
declare
  about constant text := case new.kind when 'gateway_dead' then 'not_running' else 'backup_failed' end;
begin
  if tg_op = 'INSERT' then
    perform tenantry.note_occurrence(
      new.client_id, about, 'incident:' || new.id, jsonb_build_object('what', 'began', 'since', new.opened_at));
  -- An incident also closes when its instance is frozen or stopped.
  elsif exists (select from tenantry.instances i where i.id = new.instance_id and i.status = 'running') then
    perform tenantry.note_occurrence(
      new.client_id, about, 'incident:' || new.id || ':over',
      jsonb_build_object('what', 'ended', 'since', new.opened_at, 'until', new.closed_at));
  end if;
  return null;
end
$$;

create or replace trigger note_opened after insert on tenantry.incidents
  for each row when (new.kind in ('gateway_dead', 'backup_failing') and new.closed_at is null) execute function tenantry.note_incident();
create or replace trigger note_closed after update of closed_at on tenantry.incidents
  for each row when (new.kind in ('gateway_dead', 'backup_failing') and old.closed_at is null and new.closed_at is not null)
  execute function tenantry.note_incident();

create or replace function tenantry.note_job() returns trigger language plpgsql security definer set search_path = pg_catalog as $$
declare
  subject constant text := 'job:' || new.id;
begin
  if new.kind = 'restore_backup' then
    perform tenantry.note_occurrence(new.client_id, 'restore', subject, jsonb_build_object(
      'succeeded', new.status = 'succeeded', 'backup', new.payload ->> 'backup_id',
      'by', tenantry.console_author(new.client_id, new.requested_by)));
  elsif new.kind = 'final_backup' and new.status = 'failed' then
    perform tenantry.note_occurrence(
      new.client_id, 'backup_failed', subject, jsonb_build_object('what', 'began', 'since', new.ended_at));
  elsif new.kind = 'adopt_version' and new.status = 'succeeded' then
    perform tenantry.note_occurrence(new.client_id, 'new_version', subject, jsonb_build_object(
      'what', 'installed', 'gateway', m.gateway, 'version', m.gateway_version))
    from tenantry.instances i join tenantry.images m on m.id = i.image_id
    where i.id = new.instance_id;
  end if;
  return null;
end
$$;

create or replace trigger note_ended after update of ended_at on tenantry.jobs
  for each row when (old.ended_at is null and new.ended_at is not null and new.status <> 'cancelled'
    and new.kind in ('restore_backup', 'final_backup', 'adopt_version'))
  execute function tenantry.note_job();

create or replace function tenantry.note_image() returns trigger language plpgsql security definer set search_path = pg_catalog as $$
begin
  perform tenantry.note_occurrence(i.client_id, 'new_version', 'image:' || new.id, jsonb_build_object(
    'what', 'available', 'gateway', new.gateway, 'version', new.gateway_version))
  from tenantry.instances i
  where i.environment = new.environment and i.image_id is distinct from new.id
    and (i.reported_gateway, i.reported_gateway_version) is distinct from (new.gateway, new.gateway_version)
    and i.reported_gateway_version is not null;
  return null;
end
$$;

create or replace trigger note_default after update of is_default on tenantry.images
  for each row when (new.is_default and not old.is_default) execute function tenantry.note_image();
create or replace trigger note_new_default after insert on tenantry.images
  for each row when (new.is_default) execute function tenantry.note_image();

-- The user for whom another person created a token gets the mail of `service_token_changed`.
create or replace function tenantry.note_service_token() returns trigger language plpgsql security definer set search_path = pg_catalog as $$
begin
  perform tenantry.note_occurrence(new.client_id, 'new_device', 'token:' || new.id, jsonb_build_object(
    'name', new.name, 'role', new.role, 'user', u.email, 'by', tenantry.console_author(new.client_id, new.created_by),
    'mailed', case when u.email <> tenantry.acting_person() then u.id end))
  from tenantry.client_users u where u.id = new.client_user_id;
  return null;
end
$$;

create or replace trigger note_created after insert on tenantry.service_tokens
  for each row execute function tenantry.note_service_token();

create or replace function tenantry.note_invoice() returns trigger language plpgsql security definer set search_path = pg_catalog as $$
begin
  if exists (select from tenantry.invoice_line_items l where l.invoice_id = new.id and l.amount_micros <> 0) then
    perform tenantry.note_occurrence(new.client_id, 'invoice', 'invoice:' || new.id, jsonb_build_object(
      'from', new.period_start, 'to', new.period_end - 1, 'total_micros', new.total_micros, 'currency', new.currency));
  end if;
  return null;
end
$$;

create or replace trigger note_issued after update of status on tenantry.invoices
  for each row when (old.status = 'draft' and new.status = 'issued') execute function tenantry.note_invoice();

-- Prepaid credit is used from the balance after the last top-up. Each top-up begins another period.
create or replace function tenantry.note_credit_use() returns trigger language plpgsql security definer set search_path = pg_catalog as $$
declare
  balance constant bigint := new.lifetime_purchased - new.lifetime_consumed;
  top_up uuid;
  available bigint;
begin
  select e.id, (
      select sum(b.amount_micros) from tenantry.credit_entries b
      where b.client_id = e.client_id and (b.booked_at, b.id) <= (e.booked_at, e.id))
  into top_up, available
  from tenantry.credit_entries e
  where e.client_id = new.client_id and e.day is null and e.amount_micros > 0
  order by e.booked_at desc, e.id desc limit 1;
  perform tenantry.note_cap(
    new.client_id, 'credit:' || top_up, available - balance, available, jsonb_build_object('of', 'credit'));
  return null;
end
$$;

create or replace trigger note_use after update of lifetime_consumed on tenantry.credit_pools
  for each row when (new.prepaid and new.lifetime_consumed > old.lifetime_consumed) execute function tenantry.note_credit_use();

-- Notes the highest threshold that is reached, once in a period.
create or replace function tenantry.note_cap(p_client_id uuid, p_period text, p_used numeric, p_cap numeric, p_data jsonb) returns void
language plpgsql security definer set search_path = pg_catalog as $$
declare
  percent constant integer := case when p_used >= p_cap then 100 when p_used >= p_cap * 0.8 then 80 end;
begin
  if percent is null or exists (
      select from tenantry.notifications n
      where n.client_id = p_client_id and n.kind = 'cap' and n.subject = p_period || ':100') then
    return;
  end if;
  perform tenantry.note_occurrence(p_client_id, 'cap', p_period || ':' || percent, p_data || jsonb_build_object(
    'percent', percent, 'used_micros', round(p_used), 'cap_micros', round(p_cap)));
end
$$;
revoke all on function tenantry.note_cap (uuid, text, numeric, numeric, jsonb) from public;

-- The limit holds for any 30 days. A notification begins a period, which lasts until there is none for 30 days; another limit has another period.
create or replace function tenantry.note_model_spending() returns trigger language plpgsql security definer set search_path = pg_catalog as $$
declare
  cap numeric;
  period text;
  begun text;
begin
  select least(c.ai_spend_cap_micros, tenantry.spending_maximum(c.environment, c.billing_plan)) into cap
  from tenantry.clients c where c.id = new.client_id;
  -- Without any permitted spending, nothing is left to be warned of.
  if cap is null or cap = 0 then
    return null;
  end if;
  period := 'ai_spend:' || round(cap) || ':';
  select regexp_replace(n.subject, ':[0-9]+$', '') into begun
  from tenantry.notifications n
  where n.client_id = new.client_id and n.kind = 'cap' and starts_with(n.subject, period) and n.occurred_at > now() - interval '30 days'
  order by n.occurred_at desc limit 1;
  perform tenantry.note_cap(
    new.client_id, coalesce(begun, period || (now() at time zone 'utc')::date), sum(u.quantity), cap, '{"of": "ai_spend"}')
  from tenantry.usage_daily u
  where u.client_id = new.client_id and u.metric = 'ai_spend' and u.day > (now() at time zone 'utc')::date - 30;
  return null;
end
$$;

create or replace trigger note_spending after insert or update of quantity on tenantry.usage_daily
  for each row when (new.metric = 'ai_spend') execute function tenantry.note_model_spending();
