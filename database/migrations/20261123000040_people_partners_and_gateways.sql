-- migrate:up
-- What people are made with, how a partner looks, and a pool that is never smaller than what is bound.

-- The role a person is made with, and is linked to a client with unless told otherwise.
alter table tenantry.users
  add column role text not null default 'BASE_USER' check (role in ('ADMIN', 'BASE_USER'));
-- How Access knows a dashboard user, where that was told.
alter table tenantry.dashboard_users add column cf_access_identity jsonb;
create index dashboard_users_list on tenantry.dashboard_users (environment, created_at desc, id);
create index dashboard_users_partner_id on tenantry.dashboard_users (partner_id);

-- As before; whoever is first known by a client has the role there.
create or replace function tenantry.user_of_client_user() returns trigger
language plpgsql security definer
set search_path = pg_catalog
as $$
declare
  client tenantry.clients;
begin
  select * into strict client from tenantry.clients c where c.id = new.client_id;
  insert into tenantry.users (environment, partner_id, email, name, role)
  values (client.environment, client.partner_id, new.email, new.name, new.role)
  on conflict (environment, partner_id, email) do update set name = tenantry.users.name
  returning id into new.user_id;
  return new;
end
$$;

-- The logo's place in the bucket `LOGOS`; the two are there together or not at all.
alter table tenantry.partners
  add column logo_key text,
  add column logo_type text check (logo_type in ('image/png', 'image/jpeg', 'image/webp', 'image/svg+xml')),
  add constraint partners_logo_is_whole check ((logo_key is null) = (logo_type is null));
create index partners_list on tenantry.partners (environment, created_at desc, id);

-- Hosts that are a partner's own.
create table tenantry.partner_domains (
  id uuid primary key default gen_random_uuid(),
  partner_id uuid not null references tenantry.partners (id) on delete cascade,
  -- Lower case, as names of hosts are compared. One partner's alone, in every environment.
  hostname text not null unique check (length(hostname) <= 253 and hostname = lower(hostname)),
  -- When the partner was found to have it; null until then.
  verified_at timestamptz,
  created_at timestamptz not null default now()
);
create index partner_domains_partner_id on tenantry.partner_domains (partner_id, created_at desc, id);
alter table tenantry.partner_domains enable row level security;
create policy in_scope on tenantry.partner_domains using (exists (select from tenantry.partners p where p.id = partner_id));
create trigger audit after insert or update or delete on tenantry.partner_domains
  for each row execute function tenantry.audit();

-- Where a partner's logo lies, for whoever asks: mails and pages before a log-in show it.
create function dashboard.partner_logo(p_partner_id uuid) returns jsonb
language sql stable security definer
set search_path = pg_catalog
as $$
  select jsonb_build_object('key', p.logo_key, 'type', p.logo_type)
  from tenantry.partners p
  where p.id = p_partner_id and p.environment = tenantry.caller_environment() and p.logo_key is not null
$$;
revoke all on function dashboard.partner_logo (uuid) from public;

-- How many instances bind an entry, those of other environments too, for who sees the pool.
create function tenantry.bound_instances(p_ai_gateway_id uuid) returns bigint
language sql stable security definer
set search_path = pg_catalog
as $$
  select count(*) from tenantry.instances i where i.ai_gateway_pool_id = p_ai_gateway_id and tenantry.sees_all()
$$;

-- Never below what is bound, nor for an environment other than that of who binds it. The update holds the row's lock, which every
-- claim takes too, so that none comes between the count and the change. A stack's run plans its pool and its moves together, and
-- refuses the same before it begins (`domain/ai-gateways/pool-changes.ts`); in between it may be smaller.
create function tenantry.check_ai_gateway_holds_bound() returns trigger
language plpgsql security definer
set search_path = pg_catalog
as $$
declare
  bound integer;
  elsewhere integer;
begin
  if tenantry.caller_kind() = 'provisioner' then
    return null;
  end if;
  select count(*), count(*) filter (where i.environment <> new.environment) into bound, elsewhere
  from tenantry.instances i where i.ai_gateway_pool_id = new.id;
  if bound > new.max_instances then
    raise exception 'AI gateway % is bound by % instances; give it at least that many, or move some to another',
      new.gateway_id, bound using errcode = 'TN008';
  end if;
  if elsewhere > 0 then
    raise exception 'AI gateway % is bound by % instances of other environments than %; move them to another first',
      new.gateway_id, elsewhere, new.environment using errcode = 'TN008';
  end if;
  return null;
end
$$;
create constraint trigger check_ai_gateway_holds_bound
  after update of max_instances, environment on tenantry.ai_gateways
  deferrable initially immediate
  for each row when (new.max_instances < old.max_instances or new.environment is distinct from old.environment)
  execute function tenantry.check_ai_gateway_holds_bound();

-- migrate:down
drop trigger check_ai_gateway_holds_bound on tenantry.ai_gateways;
drop function tenantry.check_ai_gateway_holds_bound;
drop function tenantry.bound_instances;
drop function dashboard.partner_logo;
drop table tenantry.partner_domains;
drop index tenantry.partners_list;
alter table tenantry.partners drop column logo_type, drop column logo_key;
create or replace function tenantry.user_of_client_user() returns trigger
language plpgsql security definer
set search_path = pg_catalog
as $$
declare
  client tenantry.clients;
begin
  select * into strict client from tenantry.clients c where c.id = new.client_id;
  insert into tenantry.users (environment, partner_id, email, name)
  values (client.environment, client.partner_id, new.email, new.name)
  on conflict (environment, partner_id, email) do update set name = tenantry.users.name
  returning id into new.user_id;
  return new;
end
$$;
drop index tenantry.dashboard_users_partner_id;
drop index tenantry.dashboard_users_list;
alter table tenantry.dashboard_users drop column cf_access_identity;
alter table tenantry.users drop column role;
