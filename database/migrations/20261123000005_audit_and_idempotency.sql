-- migrate:up
-- Every write by anyone: who, what, before, after, when, from where. Nobody may change or delete an entry, nor write one by hand.
create table tenantry.audit_log (
  id bigint generated always as identity primary key,
  environment text not null,
  at timestamptz not null default now(),
  -- An e-mail of a dashboard user, the stack for Git (`{project}/{stack}`), `service`, or the database's user.
  actor text not null,
  actor_kind text not null,
  action text not null check (action in ('insert', 'update', 'delete')),
  entity text not null,
  entity_id text not null,
  partner_id uuid,
  client_id uuid,
  before jsonb,
  after jsonb,
  -- Address that the request came from, and the request's id.
  source text,
  request_id text
);
create index audit_log_list on tenantry.audit_log (environment, id desc);
create index audit_log_partner_id on tenantry.audit_log (partner_id, id desc);
create index audit_log_client_id on tenantry.audit_log (client_id, id desc);
create index audit_log_entity on tenantry.audit_log (entity, entity_id, id desc);
alter table tenantry.audit_log enable row level security;
create policy in_scope on tenantry.audit_log using (
  environment = (select tenantry.caller_environment())
  and ((select tenantry.sees_all()) or partner_id = (select tenantry.caller_partner())));

create function tenantry.audit_is_append_only() returns trigger
language plpgsql
set search_path = pg_catalog
as $$
begin
  raise exception 'the audit log is only ever added to' using errcode = 'TN007';
end
$$;
create trigger append_only before update or delete or truncate on tenantry.audit_log
  for each statement execute function tenantry.audit_is_append_only();

create function tenantry.audit() returns trigger
language plpgsql security definer
set search_path = pg_catalog
as $$
declare
  kind constant text := tenantry.caller_kind();
  -- A hash of a token is of no use to a reader, and of some to a thief.
  before constant jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) - 'token_hash' end;
  after constant jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) - 'token_hash' end;
  live constant jsonb := coalesce(after, before);
  client uuid := case when tg_table_name = 'clients' then live ->> 'id' else live ->> 'client_id' end;
  partner uuid := case when tg_table_name = 'partners' then live ->> 'id' else live ->> 'partner_id' end;
  place text := live ->> 'environment';
  who text;
begin
  if before - 'version' - 'updated_at' = after - 'version' - 'updated_at' then
    return null;
  end if;
  if client is null and live ? 'instance_id' then
    select i.client_id into client from tenantry.instances i where i.id = (live ->> 'instance_id')::uuid;
  end if;
  if client is not null and (partner is null or place is null) then
    select coalesce(partner, c.partner_id), coalesce(place, c.environment) into partner, place
    from tenantry.clients c where c.id = client;
  end if;
  who := case kind
    when 'platform_root' then (select d.email from tenantry.dashboard_users d where d.id = tenantry.caller_id())
    when 'partner_root' then (select d.email from tenantry.dashboard_users d where d.id = tenantry.caller_id())
    when 'provisioner' then regexp_replace(live ->> 'owner', '^urn:pulumi:([^:]+)::([^:]+)::.*$', '\2/\1')
    when 'service' then 'service'
    -- An invited who answers: they have no role, and `dashboard.answer_invitation` says who they are.
    when 'dashboard' then nullif(current_setting('tenantry.invited', true), '')
  end;
  insert into tenantry.audit_log
    (environment, actor, actor_kind, action, entity, entity_id, partner_id, client_id, before, after, source, request_id)
  values (
    coalesce(place, tenantry.caller_environment()), coalesce(who, session_user), kind, lower(tg_op), tg_table_name,
    coalesce(
      live ->> 'id',
      nullif(concat_ws(':', live ->> 'client_user_id', live ->> 'instance_id', live ->> 'client_subdivision_id'), ''),
      live ->> 'client_id'),
    partner, client, before, after,
    nullif(current_setting('tenantry.source', true), ''), nullif(current_setting('tenantry.request_id', true), ''));
  return null;
end
$$;

do $$
declare
  audited text;
begin
  foreach audited in array array[
    'partners', 'clients', 'credit_pools', 'instances', 'ai_gateways', 'dashboard_users', 'users', 'client_users',
    'client_user_instances', 'client_subdivisions', 'client_user_subdivisions', 'invoices', 'jobs'] loop
    execute format(
      'create trigger audit after insert or update or delete on tenantry.%I for each row execute function tenantry.audit()', audited);
  end loop;
end
$$;

-- The first answer to a creation, for whoever asks the same again under the same key.
create table tenantry.idempotency_keys (
  environment text not null default tenantry.caller_environment(),
  caller uuid not null references tenantry.dashboard_users (id) on delete cascade,
  key text not null check (length(key) between 1 and 255),
  -- SHA-256 of method, path and body: another request under the same key is refused.
  request_hash bytea not null,
  status integer,
  body jsonb,
  created_at timestamptz not null default now(),
  primary key (caller, key)
);
create index idempotency_keys_created_at on tenantry.idempotency_keys (created_at);
alter table tenantry.idempotency_keys enable row level security;
create policy own_keys on tenantry.idempotency_keys using (
  case when tenantry.caller_kind() in ('platform_root', 'partner_root') then caller = (select tenantry.caller_id())
    else environment = (select tenantry.caller_environment()) end);

-- migrate:down
drop table tenantry.idempotency_keys;
do $$
declare
  audited text;
begin
  foreach audited in array array[
    'partners', 'clients', 'credit_pools', 'instances', 'ai_gateways', 'dashboard_users', 'users', 'client_users',
    'client_user_instances', 'client_subdivisions', 'client_user_subdivisions', 'invoices', 'jobs'] loop
    execute format('drop trigger audit on tenantry.%I', audited);
  end loop;
end
$$;
drop function tenantry.audit;
drop table tenantry.audit_log;
drop function tenantry.audit_is_append_only;
