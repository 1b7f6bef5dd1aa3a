create or replace function tenantry.delivery_queued() returns trigger language plpgsql security definer set search_path = pg_catalog as $$
begin
  perform tenantry.enqueue(
    n.environment, 'notification_webhook', jsonb_build_object('id', new.id), 'notification_webhook:' || new.id)
  from tenantry.notifications n where n.id = new.notification_id;
  return null;
end
$$;

create or replace trigger delivery_queued after insert on tenantry.notification_deliveries
  for each row when (new.channel = 'webhook') execute function tenantry.delivery_queued();

-- The deliveries of a mail end with it.
create or replace function tenantry.notification_mail_ended() returns trigger language plpgsql security definer set search_path = pg_catalog as $$
begin
  update tenantry.notification_deliveries d
  set state = case new.status when 'sent' then 'sent' else 'failed' end, ended_at = new.ended_at,
    attempts = (select count(*) from tenantry.mail_attempts a where a.mail_id = new.id),
    answer = (select a.answer from tenantry.mail_attempts a where a.mail_id = new.id order by a.attempt desc limit 1)
  where d.mail_id = new.id and d.ended_at is null;
  return null;
end
$$;

create or replace trigger notification_mail_ended after update of status on tenantry.mails
  for each row when (new.kind = 'notification' and old.status = 'queued' and new.status <> 'queued')
  execute function tenantry.notification_mail_ended();

-- An ADMIN requests a test for its own channels, at most once a minute.
create or replace function tenantry.request_test_notification() returns void
language sql security definer set search_path = pg_catalog as $$
  select tenantry.note_occurrence(
    u.client_id, 'test', 'user:' || u.id || ':' || to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI'), '{}', u.id)
  from tenantry.client_users u
  where u.id = tenantry.caller_id() and u.client_id = tenantry.caller_client() and tenantry.caller_kind() = 'client_admin'
$$;
revoke all on function tenantry.request_test_notification () from public;

-- What a link in a mail unsubscribes from; null for an unknown token. It changes nothing, because mail scanners follow links. The result's shape
-- is in workers/dashboard/invitations/unsubscribe/subscription.ts.
create or replace function dashboard.notification_subscription(p_token_hash bytea) returns jsonb
language sql stable security definer set search_path = pg_catalog as $$
  select jsonb_build_object(
    'kinds', to_jsonb(s.kinds), 'client', jsonb_build_object('name', c.name),
    'partner', case when p.id is not null then jsonb_build_object(
      'id', p.id, 'name', p.name, 'style', p.style, 'logo_key', p.logo_key) end)
  from tenantry.notification_unsubscribes s
  join tenantry.client_users u on u.id = s.client_user_id
  join tenantry.clients c on c.id = u.client_id
  left join tenantry.partners p on p.id = c.partner_id
  where s.token_hash = p_token_hash and c.environment = tenantry.caller_environment()
$$;
revoke all on function dashboard.notification_subscription (bytea) from public;

-- Ends the mails of the link's kinds for its user. It can be repeated. It returns the result of `notification_subscription`.
create or replace function dashboard.unsubscribe_notifications(p_token_hash bytea, p_source text, p_request_id text) returns jsonb
language plpgsql security definer set search_path = pg_catalog as $$
declare
  found constant jsonb := dashboard.notification_subscription(p_token_hash);
begin
  if found is null then
    return null;
  end if;
  perform tenantry.act_as_console_user(u.email, p_source, p_request_id)
  from tenantry.notification_unsubscribes s join tenantry.client_users u on u.id = s.client_user_id
  where s.token_hash = p_token_hash;
  insert into tenantry.notification_settings as t (client_user_id, choices)
  select s.client_user_id, tenantry.without_mail('{}', s.kinds, false)
  from tenantry.notification_unsubscribes s where s.token_hash = p_token_hash
  on conflict (client_user_id) do update
  set choices = tenantry.without_mail(
    t.choices, (select s.kinds from tenantry.notification_unsubscribes s where s.token_hash = p_token_hash), t.disabled_at is not null);
  return found;
end
$$;
revoke all on function dashboard.unsubscribe_notifications (bytea, text, text) from public;

-- Choices with mails of some kinds turned off, and their webhook, if mails replace it.
create or replace function tenantry.without_mail(p_choices jsonb, p_kinds text[], p_webhook_too boolean) returns jsonb
language sql immutable set search_path = pg_catalog as $$
  select p_choices || jsonb_object_agg(
    k, coalesce(p_choices -> k, '{}') || '{"mail": "off"}' || case when p_webhook_too then '{"webhook": false}' else '{}' end::jsonb)
  from unnest(p_kinds) as k
$$;
revoke all on function tenantry.without_mail (jsonb, text[], boolean) from public;

-- What deliveries record, and another key of the platform, are no changes of the user.
create or replace trigger next_version before update of choices, webhook_host on tenantry.notification_settings
  for each row execute function tenantry.next_version();

create or replace trigger audit after insert or update of choices, webhook_host on tenantry.notification_settings
  for each row execute function tenantry.audit();

create policy own_settings on tenantry.notification_settings using (
  exists (select from tenantry.client_users u where u.id = client_user_id)
  and ((select tenantry.caller_kind()) <> 'client_admin' or client_user_id = (select tenantry.caller_id())));
create policy in_scope on tenantry.notifications using (environment = (select tenantry.caller_environment())
  and ((select tenantry.sees_all()) or client_id = any ((select tenantry.caller_clients())::uuid[])));
create policy in_scope on tenantry.notification_deliveries using (exists (select from tenantry.notifications n where n.id = notification_id));
create policy own_environment on tenantry.notification_unsubscribes using (
  exists (select from tenantry.client_users u where u.id = client_user_id));
