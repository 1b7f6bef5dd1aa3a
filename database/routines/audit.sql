create or replace function tenantry.audit_is_append_only() returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  raise exception 'audit log entries cannot be changed or deleted' using errcode = 'TN007';
end
$$;

create or replace trigger append_only before update or delete or truncate on tenantry.audit_log
  for each statement execute function tenantry.audit_is_append_only();

create or replace function tenantry.audit() returns trigger language plpgsql security definer set search_path = pg_catalog as $$
declare
  kind constant text := tenantry.caller_kind();
  -- Hashes and encrypted secrets help no reader, and could help an attacker.
  hidden constant text[] := array['token_hash', 'key_hash', 'former_key_hash', 'secrets', 'former_secrets', 'credentials',
    -- Pushes are no changes.
    'egress_revision', 'egress_pushed_at', 'egress_fault', 'egress_last_error'];
  before constant jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) - hidden end;
  after constant jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) - hidden end;
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
  if client is null and live ? 'client_user_id' then
    select u.client_id into client from tenantry.client_users u where u.id = (live ->> 'client_user_id')::uuid;
  end if;
  if client is not null and (partner is null or place is null) then
    select coalesce(partner, c.partner_id), coalesce(place, c.environment) into partner, place
    from tenantry.clients c where c.id = client;
  end if;
  who := case kind
    when 'provisioner' then regexp_replace(live ->> 'owner', '^urn:pulumi:([^:]+)::([^:]+)::.*$', '\2/\1')
    when 'service' then 'service'
    else tenantry.acting_person()
  end;
  insert into tenantry.audit_log
    (environment, actor, actor_kind, action, entity, entity_id, partner_id, client_id, before, after, source, request_id)
  values (
    coalesce(place, tenantry.caller_environment()), coalesce(who, regexp_replace(session_user, '^(tenantry_.*)_b$', '\1')),
    kind, lower(tg_op), tg_table_name,
    coalesce(
      live ->> 'id',
      nullif(concat_ws(':', live ->> 'client_user_id', live ->> 'instance_id', live ->> 'client_subdivision_id'), ''),
      live ->> 'client_id'),
    partner, client, before, after,
    nullif(current_setting('tenantry.source', true), ''), nullif(current_setting('tenantry.request_id', true), ''));
  return null;
end
$$;

create or replace trigger audit after insert or update or delete on tenantry.credit_entries for each row execute function tenantry.audit();
create or replace trigger audit after insert or update or delete on tenantry.prices for each row execute function tenantry.audit();
create or replace trigger audit after insert or update or delete on tenantry.partner_domains for each row execute function tenantry.audit();
create or replace trigger audit after insert or update or delete on tenantry.incidents for each row execute function tenantry.audit();
create or replace trigger audit after insert or update or delete on tenantry.images for each row execute function tenantry.audit();
create or replace trigger audit after insert or update or delete on tenantry.rollouts for each row execute function tenantry.audit();
create or replace trigger audit after insert or update or delete on tenantry.partners for each row execute function tenantry.audit();
create or replace trigger audit after insert or update or delete on tenantry.clients for each row execute function tenantry.audit();
create or replace trigger audit after insert or update or delete on tenantry.credit_pools for each row execute function tenantry.audit();
create or replace trigger audit after insert or update or delete on tenantry.instances for each row execute function tenantry.audit();
create or replace trigger audit after insert or update or delete on tenantry.ai_gateways for each row execute function tenantry.audit();
create or replace trigger audit after insert or update or delete on tenantry.dashboard_users for each row execute function tenantry.audit();
create or replace trigger audit after insert or update or delete on tenantry.users for each row execute function tenantry.audit();
create or replace trigger audit after insert or update or delete on tenantry.client_users for each row execute function tenantry.audit();
create or replace trigger audit after insert or update or delete on tenantry.client_user_instances
  for each row execute function tenantry.audit();
create or replace trigger audit after insert or update or delete on tenantry.client_subdivisions
  for each row execute function tenantry.audit();
create or replace trigger audit after insert or update or delete on tenantry.client_user_subdivisions
  for each row execute function tenantry.audit();
create or replace trigger audit after insert or update or delete on tenantry.invoices for each row execute function tenantry.audit();
create or replace trigger audit after insert or update or delete on tenantry.jobs for each row execute function tenantry.audit();

create policy in_scope on tenantry.audit_log using (environment = (select tenantry.caller_environment())
  and ((select tenantry.sees_all()) or partner_id = (select tenantry.caller_partner())
    or client_id = (select tenantry.caller_client())));
