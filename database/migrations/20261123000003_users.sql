-- migrate:up
-- People, each once in the sight of a partner or of the platform; `client_users` says of which clients they are users.
create table tenantry.users (
  id uuid primary key default gen_random_uuid(),
  environment text not null default tenantry.caller_environment()
    check (environment in ('production', 'staging', 'development')),
  -- The partner who knows them; null for internal clients' users.
  partner_id uuid references tenantry.partners (id) on delete cascade,
  email text not null check (email = lower(email)),
  name text not null default '',
  -- How Access knows them, recorded when an invitation is accepted.
  cf_access_identity jsonb,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique nulls not distinct (environment, partner_id, email)
);
create index users_list on tenantry.users (environment, created_at desc, id);
create index users_partner_id on tenantry.users (partner_id);
create trigger next_version before update on tenantry.users for each row execute function tenantry.next_version();
alter table tenantry.users enable row level security;
create policy in_scope on tenantry.users using (
  environment = (select tenantry.caller_environment())
  and ((select tenantry.sees_all()) or partner_id = (select tenantry.caller_partner())));

insert into tenantry.users (environment, partner_id, email, name, cf_access_identity)
select distinct on (c.environment, c.partner_id, u.email) c.environment, c.partner_id, u.email, u.name, u.cf_access_identity
from tenantry.client_users u join tenantry.clients c on c.id = u.client_id
order by c.environment, c.partner_id, u.email, u.created_at;

alter table tenantry.client_users
  add column user_id uuid references tenantry.users (id) on delete cascade;
update tenantry.client_users m set user_id = u.id
from tenantry.clients c, tenantry.users u
where c.id = m.client_id and u.environment = c.environment and u.partner_id is not distinct from c.partner_id
  and u.email = m.email;
alter table tenantry.client_users
  alter column user_id set not null,
  -- Replaced by who it is, by the trigger below.
  alter column user_id set default gen_random_uuid();
create index client_users_user_id on tenantry.client_users (user_id);
create index client_users_list on tenantry.client_users (client_id, created_at desc, id);
-- What invitations are looked up and swept by.
create index client_users_expiry on tenantry.client_users (token_expires_at) where status = 'invited';

-- Whoever becomes a client's user is a user. It runs with its owner's rights, so that it finds them whoever asks.
create function tenantry.user_of_client_user() returns trigger
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
create trigger user_of_client_user before insert on tenantry.client_users
  for each row execute function tenantry.user_of_client_user();

-- A client that goes to another partner takes its users along.
create function tenantry.users_follow_client() returns trigger
language plpgsql security definer
set search_path = pg_catalog
as $$
begin
  insert into tenantry.users (environment, partner_id, email, name, cf_access_identity)
  select new.environment, new.partner_id, u.email, u.name, u.cf_access_identity
  from tenantry.client_users m join tenantry.users u on u.id = m.user_id where m.client_id = new.id
  on conflict (environment, partner_id, email) do nothing;
  update tenantry.client_users m set user_id = u.id
  from tenantry.users u
  where m.client_id = new.id and u.environment = new.environment
    and u.partner_id is not distinct from new.partner_id and u.email = m.email;
  return null;
end
$$;
create trigger users_follow_client after update of partner_id on tenantry.clients
  for each row when (old.partner_id is distinct from new.partner_id) execute function tenantry.users_follow_client();

-- migrate:down
drop trigger users_follow_client on tenantry.clients;
drop function tenantry.users_follow_client;
drop trigger user_of_client_user on tenantry.client_users;
drop function tenantry.user_of_client_user;
drop index tenantry.client_users_expiry;
drop index tenantry.client_users_list;
alter table tenantry.client_users drop column user_id;
drop table tenantry.users;
