-- migrate:up
create table tenantry.ai_gateways (
  id uuid primary key default gen_random_uuid(),
  -- The gateway's id at Cloudflare.
  gateway_id text not null unique,
  -- The one environment that may bind it; null for any.
  environment text check (environment in ('production', 'staging', 'development')),
  enabled boolean not null default true,
  max_instances integer not null check (max_instances >= 0),
  unique (id, gateway_id)
);

create table tenantry.instances (
  id uuid primary key default gen_random_uuid(),
  -- Each client has exactly one instance.
  client_id uuid not null unique references tenantry.clients (id),
  environment text not null check (environment in ('production', 'staging', 'development')),
  status text not null default 'provisioning'
    check (status in ('provisioning', 'running', 'frozen', 'stopped', 'error')),
  managed_by text not null default 'git' check (managed_by in ('git', 'dashboard')),
  worker_name text not null unique,
  access_aud text,
  -- A pooled tenant stores both ids, a dedicated one only the gateway's.
  ai_gateway_id text,
  ai_gateway_pool_id uuid,
  created_at timestamptz not null default now(),
  constraint instances_ai_gateway_is_the_pool_entrys foreign key (ai_gateway_pool_id, ai_gateway_id)
    references tenantry.ai_gateways (id, gateway_id) on update cascade,
  constraint instances_pooled_gateway_is_named check (ai_gateway_pool_id is null or ai_gateway_id is not null)
);
create index instances_ai_gateway_pool_id on tenantry.instances (ai_gateway_pool_id);

-- A pool entry's row lock orders the claims on it, so that two of them cannot both take the last slot. The lock is an
-- update, because a mere lock would not make a repeatable-read transaction notice the claim before its own. It runs with
-- its owner's rights, so that row-level security of the caller cannot hide instances from the count.
create function tenantry.check_ai_gateway_capacity() returns trigger
language plpgsql security definer
set search_path = pg_catalog
as $$
declare
  pool tenantry.ai_gateways;
  bound integer;
begin
  if tg_op = 'UPDATE' and new.ai_gateway_pool_id is not distinct from old.ai_gateway_pool_id
    and new.environment = old.environment then
    return new;
  end if;
  update tenantry.ai_gateways set max_instances = max_instances where id = new.ai_gateway_pool_id returning * into pool;
  select count(*) into bound from tenantry.instances
    where ai_gateway_pool_id = new.ai_gateway_pool_id and id <> new.id;
  if not pool.enabled then
    raise exception 'AI gateway % is disabled; choose another', pool.gateway_id using errcode = 'TN001';
  end if;
  if pool.environment is not null and pool.environment <> new.environment then
    raise exception 'AI gateway % serves %, not %; choose another', pool.gateway_id, pool.environment, new.environment
      using errcode = 'TN001';
  end if;
  if bound >= pool.max_instances then
    raise exception 'no_ai_gateway_capacity: AI gateway % holds % of % instances; plan again or raise max_instances',
      pool.gateway_id, bound, pool.max_instances using errcode = 'TN002';
  end if;
  return new;
end
$$;

create trigger check_ai_gateway_capacity
  before insert or update of ai_gateway_pool_id, environment on tenantry.instances
  for each row when (new.ai_gateway_pool_id is not null)
  execute function tenantry.check_ai_gateway_capacity();

-- The consumer's record of health snapshots (spec: "Optional consumer-side history record").
create table tenantry.instance_health_snapshots (
  instance_id uuid not null references tenantry.instances (id) on delete cascade,
  startup_ok boolean not null,
  readiness_ok boolean not null,
  liveness_ok boolean not null,
  had_backup boolean not null,
  restored boolean not null,
  latency_ms integer not null check (latency_ms >= 0),
  inserted_at timestamptz not null default now()
);
create index instance_health_snapshots_latest on tenantry.instance_health_snapshots (instance_id, inserted_at desc);

-- migrate:down
drop table tenantry.instance_health_snapshots;
drop table tenantry.instances;
drop function tenantry.check_ai_gateway_capacity;
drop table tenantry.ai_gateways;
