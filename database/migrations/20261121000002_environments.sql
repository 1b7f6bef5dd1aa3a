-- migrate:up
-- Environments side by side in one database: each row belongs to one of them, and each role sees and writes those of its own.

-- The environment of whoever asks, by the name of the role (`database/callers/roles.ts`): a REST layer sets it for a call, others log in
-- as theirs. Anyone else, such as the database's owner, counts as production.
create function tenantry.caller_environment() returns text
language sql stable
set search_path = pg_catalog
as $$
  select coalesce(
    substring(
      coalesce(nullif(current_setting('role', true), 'none'), session_user::text)
      from '^tenantry_.*_(staging|development)$'),
    'production')
$$;

-- Who takes traffic: `gateRefusal` of domain/instance-state.ts, whose table is in docs/contract.md.
create function tenantry.takes_traffic(environment text, client_status text, instance_status text) returns boolean
language sql immutable
set search_path = pg_catalog
as $$
  select instance_status not in ('frozen', 'stopped')
    and (environment <> 'production' or client_status in ('active', 'production'))
$$;

-- What is there belongs to the one environment that used the database so far.
create function tenantry.first_environment() returns text
language sql stable
as $$
  select coalesce(
    (select environment from tenantry.instances order by environment = 'production' desc, environment limit 1),
    (select substring(rolname from '(staging|development)$') from pg_roles
      where rolname ~ '^tenantry_provisioner(_staging|_development)?$' and has_schema_privilege(oid, 'tenantry', 'usage')
      order by rolname limit 1),
    'production')
$$;

alter table tenantry.clients add column environment text;
update tenantry.clients c set environment =
  coalesce((select i.environment from tenantry.instances i where i.client_id = c.id), tenantry.first_environment());
alter table tenantry.partners add column environment text;
update tenantry.partners set environment = tenantry.first_environment();
alter table tenantry.dashboard_users add column environment text;
update tenantry.dashboard_users set environment = tenantry.first_environment();
-- The environment whose stack declares the entry, and alone may change it; `environment` says who may bind it.
alter table tenantry.ai_gateways add column declared_by text;
update tenantry.ai_gateways set declared_by = tenantry.first_environment();
drop function tenantry.first_environment;

alter table tenantry.clients
  alter column environment set default tenantry.caller_environment(),
  alter column environment set not null,
  add constraint clients_environment_check check (environment in ('production', 'staging', 'development')),
  drop constraint clients_slug_key,
  add constraint clients_environment_slug_key unique (environment, slug),
  add constraint clients_id_environment_key unique (id, environment),
  -- The same rule as domain/slug.ts, kept where it cannot be passed by.
  drop constraint clients_slug_is_a_tenant_label,
  add constraint clients_slug_is_a_tenant_label check (
    length(slug) <= 59
    and slug collate "C" ~ '^[a-z0-9]([a-z0-9-]*[a-z0-9])?$'
    and slug not like 'xn--%'
    and slug not in ('dash', 'dev-dash', 'staging-dash')
    and slug not like '%-dev'
    and slug not like '%-staging'
  );
alter table tenantry.partners
  alter column environment set default tenantry.caller_environment(),
  alter column environment set not null,
  add constraint partners_environment_check check (environment in ('production', 'staging', 'development')),
  drop constraint partners_slug_key,
  add constraint partners_environment_slug_key unique (environment, slug);
alter table tenantry.dashboard_users
  alter column environment set default tenantry.caller_environment(),
  alter column environment set not null,
  add constraint dashboard_users_environment_check check (environment in ('production', 'staging', 'development')),
  drop constraint dashboard_users_email_key,
  add constraint dashboard_users_environment_email_key unique (environment, email);
alter table tenantry.ai_gateways
  alter column declared_by set default tenantry.caller_environment(),
  alter column declared_by set not null,
  add constraint ai_gateways_declared_by_check check (declared_by in ('production', 'staging', 'development'));
-- An instance is of its client's environment.
alter table tenantry.instances
  add constraint instances_client_of_environment foreign key (client_id, environment)
    references tenantry.clients (id, environment);

-- Owners of tables, superusers and functions of schema `api` are not bound by these.
alter table tenantry.clients enable row level security;
create policy own_environment on tenantry.clients using (environment = (select tenantry.caller_environment()));
alter table tenantry.partners enable row level security;
create policy own_environment on tenantry.partners using (environment = (select tenantry.caller_environment()));
alter table tenantry.dashboard_users enable row level security;
create policy own_environment on tenantry.dashboard_users using (environment = (select tenantry.caller_environment()));
alter table tenantry.instances enable row level security;
create policy own_environment on tenantry.instances using (environment = (select tenantry.caller_environment()));
alter table tenantry.ai_gateways enable row level security;
create policy own_environment on tenantry.ai_gateways using (declared_by = (select tenantry.caller_environment()));
-- Any environment may bind an entry that is meant for it.
create policy readable on tenantry.ai_gateways for select using (true);

alter table tenantry.credit_pools enable row level security;
create policy own_environment on tenantry.credit_pools
  using (exists (select from tenantry.clients c where c.id = client_id));
alter table tenantry.client_users enable row level security;
create policy own_environment on tenantry.client_users
  using (exists (select from tenantry.clients c where c.id = client_id));
alter table tenantry.client_subdivisions enable row level security;
create policy own_environment on tenantry.client_subdivisions
  using (exists (select from tenantry.clients c where c.id = client_id));
alter table tenantry.invoices enable row level security;
create policy own_environment on tenantry.invoices
  using (exists (select from tenantry.clients c where c.id = client_id));
alter table tenantry.client_user_instances enable row level security;
create policy own_environment on tenantry.client_user_instances
  using (exists (select from tenantry.instances i where i.id = instance_id));
alter table tenantry.instance_health_snapshots enable row level security;
create policy own_environment on tenantry.instance_health_snapshots
  using (exists (select from tenantry.instances i where i.id = instance_id));
alter table tenantry.analytics_events enable row level security;
create policy own_environment on tenantry.analytics_events
  using (exists (select from tenantry.instances i where i.id = instance_id));
alter table tenantry.client_user_subdivisions enable row level security;
create policy own_environment on tenantry.client_user_subdivisions
  using (exists (select from tenantry.client_users u where u.id = client_user_id));
alter table tenantry.invoice_line_items enable row level security;
create policy own_environment on tenantry.invoice_line_items
  using (exists (select from tenantry.invoices v where v.id = invoice_id));

-- The caller's environment decides, and no argument, so that one environment's key cannot ask for another's tenants.
create or replace function api.resolve_tenant(p_slug text, p_email text default null) returns jsonb
language sql stable security definer
set search_path = pg_catalog
as $$
  with tenant as (
    select c.id as client_id, c.slug, c.billing_plan, c.status as client_status, c.environment,
           i.id as instance_id, i.status as instance_status, i.worker_name, i.access_aud,
           coalesce(p.lifetime_purchased, 0) as purchased, coalesce(p.lifetime_consumed, 0) as consumed,
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

-- Active is who passes the routing gate, so that whoever takes traffic is metered and backed up.
create or replace function api.active_tenants(p_after uuid default null, p_limit integer default 500) returns jsonb
language sql stable security definer
set search_path = pg_catalog
as $$
  select coalesce(
    jsonb_agg(
      jsonb_build_object('instance_id', id, 'worker_name', worker_name, 'environment', environment) order by id),
    '[]')
  from (
    select i.id, i.worker_name, i.environment
    from tenantry.instances i
    join tenantry.clients c on c.id = i.client_id
    where (p_after is null or i.id > p_after)
      and i.environment = tenantry.caller_environment()
      and tenantry.takes_traffic(i.environment, c.status, i.status)
    order by i.id
    limit least(greatest(p_limit, 1), 1000)
  ) page
$$;

-- migrate:down
create or replace function api.active_tenants(p_after uuid default null, p_limit integer default 500) returns jsonb
language sql stable security definer
set search_path = pg_catalog
as $$
  select coalesce(jsonb_agg(jsonb_build_object('instance_id', id, 'worker_name', worker_name) order by id), '[]')
  from (
    select i.id, i.worker_name
    from tenantry.instances i
    join tenantry.clients c on c.id = i.client_id
    where (p_after is null or i.id > p_after)
      and case when i.environment = 'production'
            then c.status in ('active', 'production') and i.status not in ('frozen', 'stopped')
            else i.status in ('running', 'provisioning')
          end
    order by i.id
    limit least(greatest(p_limit, 1), 1000)
  ) page
$$;
create or replace function api.resolve_tenant(p_slug text, p_email text default null) returns jsonb
language sql stable security definer
set search_path = pg_catalog
as $$
  with tenant as (
    select c.id as client_id, c.slug, c.billing_plan, c.status as client_status,
           i.id as instance_id, i.status as instance_status, i.worker_name, i.access_aud,
           coalesce(p.lifetime_purchased, 0) as purchased, coalesce(p.lifetime_consumed, 0) as consumed,
           (select count(*) from tenantry.client_users u where u.client_id = c.id and u.status = 'validated') as seats
    from tenantry.clients c
    join tenantry.instances i on i.client_id = c.id
    left join tenantry.credit_pools p on p.client_id = c.id
    where c.slug = p_slug
  )
  select jsonb_build_object(
    'tenant', (
      select jsonb_build_object(
        'client_id', client_id, 'slug', slug, 'billing_plan', billing_plan, 'client_status', client_status,
        'seats', seats, 'credits', jsonb_build_object('purchased', purchased, 'consumed', consumed),
        'instance_id', instance_id, 'instance_status', instance_status,
        'worker_name', worker_name, 'access_aud', access_aud)
      from tenant),
    'role', coalesce(
      (select 'ROOT' from tenantry.dashboard_users d where d.email = lower(p_email) and d.role = 'ROOT'),
      (select u.role
         from tenant t
         join tenantry.client_users u on u.client_id = t.client_id
         join tenantry.client_user_instances a on a.client_user_id = u.id and a.instance_id = t.instance_id
        where u.email = lower(p_email) and u.status = 'validated')))
$$;

drop policy own_environment on tenantry.invoice_line_items;
alter table tenantry.invoice_line_items disable row level security;
drop policy own_environment on tenantry.client_user_subdivisions;
alter table tenantry.client_user_subdivisions disable row level security;
drop policy own_environment on tenantry.analytics_events;
alter table tenantry.analytics_events disable row level security;
drop policy own_environment on tenantry.instance_health_snapshots;
alter table tenantry.instance_health_snapshots disable row level security;
drop policy own_environment on tenantry.client_user_instances;
alter table tenantry.client_user_instances disable row level security;
drop policy own_environment on tenantry.invoices;
alter table tenantry.invoices disable row level security;
drop policy own_environment on tenantry.client_subdivisions;
alter table tenantry.client_subdivisions disable row level security;
drop policy own_environment on tenantry.client_users;
alter table tenantry.client_users disable row level security;
drop policy own_environment on tenantry.credit_pools;
alter table tenantry.credit_pools disable row level security;
drop policy readable on tenantry.ai_gateways;
drop policy own_environment on tenantry.ai_gateways;
alter table tenantry.ai_gateways disable row level security;
drop policy own_environment on tenantry.instances;
alter table tenantry.instances disable row level security;
drop policy own_environment on tenantry.dashboard_users;
alter table tenantry.dashboard_users disable row level security;
drop policy own_environment on tenantry.partners;
alter table tenantry.partners disable row level security;
drop policy own_environment on tenantry.clients;
alter table tenantry.clients disable row level security;

alter table tenantry.instances drop constraint instances_client_of_environment;
alter table tenantry.ai_gateways drop column declared_by;
alter table tenantry.dashboard_users drop column environment, add unique (email);
alter table tenantry.partners drop column environment, add unique (slug);
alter table tenantry.clients drop column environment, add unique (slug),
  drop constraint clients_slug_is_a_tenant_label,
  add constraint clients_slug_is_a_tenant_label check (
    length(slug) <= 59
    and slug collate "C" ~ '^[a-z0-9]([a-z0-9-]*[a-z0-9])?$'
    and slug not like 'xn--%'
    and slug not in ('dash', 'dev-dash')
    and slug not like '%-dev'
  );
drop function tenantry.takes_traffic;
drop function tenantry.caller_environment;
