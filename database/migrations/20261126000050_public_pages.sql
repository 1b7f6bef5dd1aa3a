-- migrate:up
-- Pages that stand before or beside a gateway: whose look they have, and what became of an invitation.

-- As before, with the partner's looks (workers/contracts/branding.ts).
create or replace function api.resolve_tenant(p_slug text, p_email text default null) returns jsonb
language sql stable security definer
set search_path = pg_catalog
as $$
  with tenant as (
    select c.id as client_id, c.slug, c.billing_plan, c.status as client_status, c.environment,
           i.id as instance_id, i.status as instance_status, i.worker_name, i.access_aud,
           trim_scale(coalesce(p.lifetime_purchased, 0) * 0.000001) as purchased,
           trim_scale(coalesce(p.lifetime_consumed, 0) * 0.000001) as consumed,
           case when r.id is not null then jsonb_build_object(
             'id', r.id, 'name', r.name, 'logo_key', r.logo_key,
             -- Whatever else a stack put there would be carried along with each request.
             'style', jsonb_build_object(
               'display_name', r.style -> 'display_name', 'colours', r.style -> 'colours',
               'support_address', r.style -> 'support_address')) end as partner,
           (select count(*) from tenantry.client_users u where u.client_id = c.id and u.status = 'validated') as seats
    from tenantry.clients c
    join tenantry.instances i on i.client_id = c.id and i.environment = c.environment
    left join tenantry.credit_pools p on p.client_id = c.id
    left join tenantry.partners r on r.id = c.partner_id
    where c.slug = p_slug and c.environment = tenantry.caller_environment()
  )
  select jsonb_build_object(
    'tenant', (
      select jsonb_build_object(
        'client_id', client_id, 'slug', slug, 'billing_plan', billing_plan, 'client_status', client_status,
        'environment', environment,
        'seats', seats, 'credits', jsonb_build_object('purchased', purchased, 'consumed', consumed),
        'instance_id', instance_id, 'instance_status', instance_status,
        'worker_name', worker_name, 'access_aud', access_aud, 'partner', partner)
      from tenant),
    'role', coalesce(
      (select 'ROOT' from tenantry.dashboard_users d
        where d.email = lower(p_email) and d.role = 'ROOT' and d.environment = tenantry.caller_environment()),
      (select u.role
         from tenant t
         join tenantry.client_users u on u.client_id = t.client_id
         join tenantry.client_user_instances a on a.client_user_id = u.id and a.instance_id = t.instance_id
        where u.email = lower(p_email) and u.status = 'validated')))
$$;

-- A tenant's partner is told from the same index as the tenant.
alter table tenantry.clients
  drop constraint clients_environment_slug_key,
  add constraint clients_environment_slug_key unique (environment, slug) include (id, partner_id, billing_plan, status);

-- Tokens of invitations that hold no more, by their SHA-256, so that who has such a link is told what became of it.
create table tenantry.past_invitations (
  token_hash bytea primary key,
  client_user_id uuid not null references tenantry.client_users (id) on delete cascade,
  -- It was ended, and neither answered nor replaced by another.
  withdrawn boolean not null
);
create index past_invitations_client_user_id on tenantry.past_invitations (client_user_id);
-- Nobody reads or writes it but by the functions below.
alter table tenantry.past_invitations enable row level security;

create function tenantry.keep_past_invitation() returns trigger
language plpgsql security definer
set search_path = pg_catalog
as $$
begin
  insert into tenantry.past_invitations (token_hash, client_user_id, withdrawn)
  values (old.token_hash, new.id, new.status = 'invited' and new.token_hash is null and new.token_expires_at <= now())
  on conflict do nothing;
  return null;
end
$$;
create trigger keep_past_invitation after update of token_hash on tenantry.client_users
  for each row when (old.token_hash is not null and new.token_hash is distinct from old.token_hash)
  execute function tenantry.keep_past_invitation();

-- What became of an invitation that is not open, by its token's SHA-256: `accepted`, `rejected`, `expired`, `withdrawn` or `replaced`, and whose
-- it was; null for a token that never was one, or whose user or client goes. Its shape is workers/dashboard/invitations/invitation.ts.
create function dashboard.past_invitation(p_token_hash bytea) returns jsonb
language sql stable security definer
set search_path = pg_catalog
as $$
  select tenantry.invitation_of(u.id) || jsonb_build_object('state', case
    when u.status = 'validated' then 'accepted'
    when u.status = 'rejected' then 'rejected'
    when u.token_hash = p_token_hash then 'expired'
    when p.withdrawn and u.token_hash is null and u.token_expires_at <= now() then 'withdrawn'
    else 'replaced' end)
  from tenantry.client_users u
  join tenantry.clients c on c.id = u.client_id
  left join tenantry.past_invitations p on p.token_hash = p_token_hash and p.client_user_id = u.id
  where u.id in (
      select x.id from tenantry.client_users x where x.token_hash = p_token_hash
      union all
      select y.client_user_id from tenantry.past_invitations y where y.token_hash = p_token_hash)
    and c.delete_after is null and c.environment = tenantry.caller_environment()
  limit 1
$$;
revoke all on function dashboard.past_invitation (bytea) from public;

-- migrate:down
drop function dashboard.past_invitation;
drop trigger keep_past_invitation on tenantry.client_users;
drop function tenantry.keep_past_invitation;
drop table tenantry.past_invitations;
alter table tenantry.clients
  drop constraint clients_environment_slug_key,
  add constraint clients_environment_slug_key unique (environment, slug) include (id, billing_plan, status);

create or replace function api.resolve_tenant(p_slug text, p_email text default null) returns jsonb
language sql stable security definer
set search_path = pg_catalog
as $$
  with tenant as (
    select c.id as client_id, c.slug, c.billing_plan, c.status as client_status, c.environment,
           i.id as instance_id, i.status as instance_status, i.worker_name, i.access_aud,
           trim_scale(coalesce(p.lifetime_purchased, 0) * 0.000001) as purchased,
           trim_scale(coalesce(p.lifetime_consumed, 0) * 0.000001) as consumed,
           (select count(*) from tenantry.client_users u where u.client_id = c.id and u.status = 'validated') as seats
    from tenantry.clients c
    join tenantry.instances i on i.client_id = c.id and i.environment = c.environment
    left join tenantry.credit_pools p on p.client_id = c.id
    where c.slug = p_slug and c.environment = tenantry.caller_environment()
  )
  select jsonb_build_object(
    'tenant', (
      select jsonb_build_object(
        'client_id', client_id, 'slug', slug, 'billing_plan', billing_plan, 'client_status', client_status,
        'environment', environment,
        'seats', seats, 'credits', jsonb_build_object('purchased', purchased, 'consumed', consumed),
        'instance_id', instance_id, 'instance_status', instance_status,
        'worker_name', worker_name, 'access_aud', access_aud)
      from tenant),
    'role', coalesce(
      (select 'ROOT' from tenantry.dashboard_users d
        where d.email = lower(p_email) and d.role = 'ROOT' and d.environment = tenantry.caller_environment()),
      (select u.role
         from tenant t
         join tenantry.client_users u on u.client_id = t.client_id
         join tenantry.client_user_instances a on a.client_user_id = u.id and a.instance_id = t.instance_id
        where u.email = lower(p_email) and u.status = 'validated')))
$$;
