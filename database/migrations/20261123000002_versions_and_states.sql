-- migrate:up
-- Versions of what people change, and states that follow one another.

-- What an entity tag is made of: one more with each change.
create function tenantry.next_version() returns trigger
language plpgsql
set search_path = pg_catalog
as $$
begin
  if to_jsonb(new) - 'version' - 'updated_at' is distinct from to_jsonb(old) - 'version' - 'updated_at' then
    new.version := old.version + 1;
    new.updated_at := now();
  end if;
  return new;
end
$$;

alter table tenantry.partners
  add column managed_by text not null default 'git' check (managed_by in ('git', 'dashboard')),
  add column version integer not null default 1,
  add column updated_at timestamptz not null default now();
alter table tenantry.clients
  add column managed_by text not null default 'git' check (managed_by in ('git', 'dashboard')),
  add column version integer not null default 1,
  add column updated_at timestamptz not null default now(),
  -- Set while a deleted client is still in its time of grace, whose end this is: until then it can be had back.
  add column delete_after timestamptz;
alter table tenantry.ai_gateways
  add column managed_by text not null default 'git' check (managed_by in ('git', 'dashboard')),
  add column version integer not null default 1,
  add column created_at timestamptz not null default now(),
  add column updated_at timestamptz not null default now();
alter table tenantry.dashboard_users
  add column managed_by text not null default 'git' check (managed_by in ('git', 'dashboard')),
  add column version integer not null default 1,
  add column updated_at timestamptz not null default now();
alter table tenantry.client_users
  add column version integer not null default 1,
  add column updated_at timestamptz not null default now();
alter table tenantry.instances
  add column version integer not null default 1,
  add column updated_at timestamptz not null default now(),
  -- One more with each operation that is begun: who writes for an older one comes too late.
  add column generation bigint not null default 1,
  -- Until when a transient state may last, and why a state was taken.
  add column state_deadline timestamptz,
  add column state_cause text,
  -- What a frozen instance was before: freezing makes nothing run that did not.
  add column frozen_from text;
update tenantry.instances set state_deadline = now() + interval '30 minutes' where status = 'provisioning';
alter table tenantry.instances
  add constraint instances_transient_state_has_deadline check ((status = 'provisioning') = (state_deadline is not null));

create trigger next_version before update on tenantry.partners for each row execute function tenantry.next_version();
create trigger next_version before update on tenantry.clients for each row execute function tenantry.next_version();
create trigger next_version before update on tenantry.ai_gateways for each row execute function tenantry.next_version();
create trigger next_version before update on tenantry.dashboard_users for each row execute function tenantry.next_version();
create trigger next_version before update on tenantry.client_users for each row execute function tenantry.next_version();
create trigger next_version before update on tenantry.instances for each row execute function tenantry.next_version();

-- A client goes draft → active → production and may step back one. A declaration states the end and not the way: the stacks' roles may jump.
create function tenantry.check_client_status() returns trigger
language plpgsql
set search_path = pg_catalog
as $$
begin
  if tenantry.caller_kind() not in ('provisioner', 'owner') and (old.status, new.status) not in
      (('draft', 'active'), ('active', 'production'), ('production', 'active'), ('active', 'draft')) then
    raise exception 'a client that is % cannot become %; go by active', old.status, new.status using errcode = 'TN003';
  end if;
  return new;
end
$$;
create trigger check_status before update on tenantry.clients
  for each row when (old.status <> new.status) execute function tenantry.check_client_status();

-- An instance's states, and who may change them: what is being provisioned ends in `running` or `error`; an operation begins a new
-- generation; the service names the generation it works for (`tenantry.generation`), and a late one is refused, so that work begun
-- before a deprovisioning never brings a tenant back.
create function tenantry.check_instance_status() returns trigger
language plpgsql
set search_path = pg_catalog
as $$
declare
  kind constant text := tenantry.caller_kind();
begin
  if tg_op = 'INSERT' then
    if new.status = 'provisioning' then
      new.state_deadline := coalesce(new.state_deadline, now() + interval '30 minutes');
    end if;
    return new;
  end if;
  if kind = 'service' and nullif(current_setting('tenantry.generation', true), '')::bigint is distinct from old.generation then
    raise exception 'this work is for an older generation of the instance; it is at %', old.generation using errcode = 'TN005';
  end if;
  if kind not in ('provisioner', 'owner') and (old.status, new.status) not in (
      ('provisioning', 'running'), ('provisioning', 'error'), ('provisioning', 'stopped'), ('provisioning', 'frozen'),
      ('running', 'provisioning'), ('running', 'frozen'), ('running', 'stopped'), ('running', 'error'),
      ('frozen', 'running'), ('frozen', 'stopped'), ('frozen', 'provisioning'), ('frozen', 'error'),
      ('stopped', 'provisioning'), ('stopped', 'running'), ('stopped', 'error'),
      ('error', 'provisioning'), ('error', 'running'), ('error', 'stopped'), ('error', 'frozen')) then
    raise exception 'an instance that is % cannot become %', old.status, new.status using errcode = 'TN003';
  end if;
  -- The service ends what others have begun; anyone else begins.
  if kind <> 'service' and new.generation = old.generation then
    new.generation := old.generation + 1;
  end if;
  new.frozen_from := case when new.status = 'frozen' then old.status end;
  -- Whoever begins an operation may give it another time.
  if new.status <> 'provisioning' then
    new.state_deadline := null;
  elsif old.status <> 'provisioning' then
    new.state_deadline := coalesce(new.state_deadline, now() + interval '30 minutes');
  end if;
  return new;
end
$$;
create trigger check_status before insert on tenantry.instances
  for each row execute function tenantry.check_instance_status();
create trigger check_status_change before update on tenantry.instances
  for each row when (old.status <> new.status) execute function tenantry.check_instance_status();

-- A user who was invited answers once; whoever rejected may be invited again.
create function tenantry.check_client_user_status() returns trigger
language plpgsql
set search_path = pg_catalog
as $$
begin
  if tenantry.caller_kind() <> 'owner' and (old.status, new.status) not in
      (('invited', 'validated'), ('invited', 'rejected'), ('rejected', 'invited')) then
    raise exception 'a user who is % cannot become %', old.status, new.status using errcode = 'TN003';
  end if;
  return new;
end
$$;
create trigger check_status before update on tenantry.client_users
  for each row when (old.status <> new.status) execute function tenantry.check_client_user_status();

-- Lists go by creation, newest first, or by slug; each within its environment.
create index clients_list on tenantry.clients (environment, created_at desc, id);
create index clients_delete_after on tenantry.clients (delete_after) where delete_after is not null;
create index instances_transient on tenantry.instances (state_deadline) where state_deadline is not null;

-- migrate:down
drop index tenantry.instances_transient;
drop index tenantry.clients_delete_after;
drop index tenantry.clients_list;
drop trigger check_status on tenantry.client_users;
drop function tenantry.check_client_user_status;
drop trigger check_status_change on tenantry.instances;
drop trigger check_status on tenantry.instances;
drop function tenantry.check_instance_status;
drop trigger check_status on tenantry.clients;
drop function tenantry.check_client_status;
drop trigger next_version on tenantry.instances;
drop trigger next_version on tenantry.client_users;
drop trigger next_version on tenantry.dashboard_users;
drop trigger next_version on tenantry.ai_gateways;
drop trigger next_version on tenantry.clients;
drop trigger next_version on tenantry.partners;
alter table tenantry.instances drop column frozen_from, drop column state_cause, drop column state_deadline, drop column generation,
  drop column updated_at, drop column version;
alter table tenantry.client_users drop column updated_at, drop column version;
alter table tenantry.dashboard_users drop column updated_at, drop column version, drop column managed_by;
alter table tenantry.ai_gateways drop column updated_at, drop column created_at, drop column version, drop column managed_by;
alter table tenantry.clients drop column delete_after, drop column updated_at, drop column version, drop column managed_by;
alter table tenantry.partners drop column updated_at, drop column version, drop column managed_by;
drop function tenantry.next_version;
