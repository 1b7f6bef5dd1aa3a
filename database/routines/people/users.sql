-- An invited user answers once. A user who rejected may be invited again.
create or replace function tenantry.check_client_user_status() returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  if tenantry.caller_kind() <> 'owner' and (old.status, new.status) not in
      (('invited', 'validated'), ('invited', 'rejected'), ('rejected', 'invited')) then
    raise exception 'a user who is % cannot become %; check the user''s current status', old.status, new.status using errcode = 'TN003';
  end if;
  return new;
end
$$;

create or replace trigger check_status before update on tenantry.client_users
  for each row when (old.status <> new.status) execute function tenantry.check_client_user_status();

-- When a client moves to another partner, its users move too.
create or replace function tenantry.users_follow_client() returns trigger
language plpgsql security definer set search_path = pg_catalog as $$
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

create or replace trigger users_follow_client after update of partner_id on tenantry.clients
  for each row when (old.partner_id is distinct from new.partner_id) execute function tenantry.users_follow_client();

-- Requests an update of a tenant's Access group when its members change, one tenant at a time.
create or replace function tenantry.members_changed(p_instance_id uuid) returns void
language plpgsql security definer set search_path = pg_catalog as $$
declare
  changed record;
begin
  select c.slug, i.environment into changed
  from tenantry.instances i join tenantry.clients c on c.id = i.client_id where i.id = p_instance_id;
  if found then
    perform tenantry.enqueue(changed.environment, 'reconcile_members', jsonb_build_object('instance_id', p_instance_id),
      'members:' || p_instance_id, 'tenant:' || changed.slug);
  end if;
end
$$;
revoke all on function tenantry.members_changed (uuid) from public;

create or replace function tenantry.assignment_changed() returns trigger
language plpgsql security definer set search_path = pg_catalog as $$
begin
  perform tenantry.members_changed(case tg_op when 'DELETE' then old.instance_id else new.instance_id end);
  return null;
end
$$;

create or replace trigger assignment_changed after insert or delete on tenantry.client_user_instances
  for each row execute function tenantry.assignment_changed();

create or replace function tenantry.client_user_changed() returns trigger
language plpgsql security definer set search_path = pg_catalog as $$
begin
  perform tenantry.members_changed(a.instance_id) from tenantry.client_user_instances a where a.client_user_id = new.id;
  return null;
end
$$;

create or replace trigger client_user_changed after update of status, role, email on tenantry.client_users
  for each row execute function tenantry.client_user_changed();

-- Requests an update of the dashboard's Access groups, in each environment.
create or replace function tenantry.dashboard_user_changed() returns trigger
language plpgsql security definer set search_path = pg_catalog as $$
begin
  perform tenantry.enqueue(case tg_op when 'DELETE' then old.environment else new.environment end,
    'reconcile_dashboard_users', '{}', 'dashboard_users', 'dashboard_users');
  return null;
end
$$;

create or replace trigger dashboard_user_changed after insert or delete or update of email, role on tenantry.dashboard_users
  for each row execute function tenantry.dashboard_user_changed();

-- Links a client's user to a person, who is created with the user's role if unknown.
create or replace function tenantry.user_of_client_user() returns trigger
language plpgsql security definer set search_path = pg_catalog as $$
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

create or replace trigger user_of_client_user before insert on tenantry.client_users
  for each row execute function tenantry.user_of_client_user();

-- A user can be assigned only to instances of its own client, whatever the caller may see.
create or replace function tenantry.check_assignment() returns trigger language plpgsql security definer set search_path = pg_catalog as $$
begin
  if not exists (
      select from tenantry.client_users u join tenantry.instances i on i.client_id = u.client_id
      where u.id = new.client_user_id and i.id = new.instance_id) then
    raise exception 'a user can be assigned only to instances of the same client; choose one of these' using errcode = 'TN051';
  end if;
  return new;
end
$$;

create or replace trigger check_assignment before insert or update on tenantry.client_user_instances
  for each row execute function tenantry.check_assignment();

create policy own_environment on tenantry.client_users using (exists (select from tenantry.clients c where c.id = client_id)
  -- A BASE_USER sees no other users.
  and (id = (select tenantry.caller_id()) or (select tenantry.caller_kind()) <> 'client_user'));
create policy own_environment on tenantry.client_subdivisions using (exists (select from tenantry.clients c where c.id = client_id));
create policy in_scope on tenantry.dashboard_users using (environment = (select tenantry.caller_environment())
  and ((select tenantry.sees_all()) or partner_id = (select tenantry.caller_partner())));
create policy in_scope on tenantry.client_user_instances using (
  exists (select from tenantry.instances i join tenantry.client_users u on u.client_id = i.client_id
  where i.id = instance_id and u.id = client_user_id));
create policy in_scope on tenantry.client_user_subdivisions using (
  exists (select from tenantry.client_subdivisions s join tenantry.client_users u on u.client_id = s.client_id
  where s.id = client_subdivision_id and u.id = client_user_id));
create policy in_scope on tenantry.users using (environment = (select tenantry.caller_environment())
  and ((select tenantry.sees_all()) or partner_id = (select tenantry.caller_partner())
    or exists (select from tenantry.client_users m where m.user_id = users.id and m.client_id = (select tenantry.caller_client()))));
