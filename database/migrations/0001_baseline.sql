-- The tables of version 0.1.0. Routines, triggers and policies are in database/routines.

-- Defaults and an index call these two; database/routines has their current form.
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

-- Usage, credits and invoices. Money is counted in micro-units: 1,000,000 are one US dollar, and one credit (domain/billing/money.ts). An amount
-- lies within 9·10^15 of 0, which a number in JSON still holds to the unit.

-- How far a pool's credit reaches: `creditLevel` of domain/billing/credit-state.ts. Who never bought credit is billed by invoices alone.
create function tenantry.credit_level(prepaid boolean, balance_micros bigint, warn_below_micros bigint) returns text
language sql immutable
set search_path = pg_catalog
as $$
  select case
    when not prepaid then 'ok'
    when balance_micros <= 0 then 'used_up'
    when balance_micros < warn_below_micros then 'warn'
    else 'ok'
  end
$$;


create table tenantry.partners (
  id uuid primary key default gen_random_uuid(),
  slug text not null,
  name text not null,
  -- Custom branding: views and logos.
  style jsonb not null default '{}',
  created_at timestamptz not null default now(),
  environment text not null default tenantry.caller_environment(),
  owner text,
  managed_by text not null default 'git' check (managed_by in ('git', 'dashboard')),
  version integer not null default 1,
  updated_at timestamptz not null default now(),
  -- The logo's place in the bucket `LOGOS`; the two are there together or not at all.
  logo_key text,
  logo_type text check (logo_type in ('image/png', 'image/jpeg', 'image/webp', 'image/svg+xml')),
  constraint partners_environment_check check (environment in ('production', 'staging', 'development')),
  constraint partners_environment_slug_key unique (environment, slug),
  constraint partners_logo_is_whole check ((logo_key is null) = (logo_type is null))
);
alter table tenantry.partners enable row level security;
create index partners_list on tenantry.partners (environment, created_at desc, id);

create table tenantry.clients (
  id uuid primary key default gen_random_uuid(),
  slug text not null,
  name text not null,
  -- Null for an internal client.
  partner_id uuid references tenantry.partners (id),
  billing_plan text not null check (billing_plan in ('free', 'basic', 'pro', 'enterprise')),
  status text not null default 'draft' check (status in ('draft', 'active', 'production')),
  created_at timestamptz not null default now(),
  environment text not null default tenantry.caller_environment(),
  -- The stack that has the row, as the URN of its resource: another stack that declares the same is refused. Null for what no stack has.
  owner text,
  managed_by text not null default 'git' check (managed_by in ('git', 'dashboard')),
  version integer not null default 1,
  updated_at timestamptz not null default now(),
  -- Set while a deleted client is still in its time of grace, whose end this is: until then it can be had back.
  delete_after timestamptz,
  -- When a client's tenant may be interrupted by what is not urgent: from a time of day on some days of the week, in its own time zone.
  is_canary boolean not null default false,
  -- ISO days of the week, 1 for Monday.
  maintenance_days smallint[] check (
    maintenance_days <@ array[1, 2, 3, 4, 5, 6, 7]::smallint[] and cardinality(maintenance_days) > 0),
  maintenance_start time check (maintenance_start = date_trunc('minute', maintenance_start)),
  maintenance_hours smallint check (maintenance_hours between 1 and 24),
  maintenance_zone text,
  -- Of one that is being deleted: the kind of caller that asked for it, `service` for credit.
  deletion_by text,
  constraint clients_environment_check check (environment in ('production', 'staging', 'development')),
  constraint clients_id_environment_key unique (id, environment),
  constraint clients_slug_is_a_tenant_label check (
    length(slug) <= 59
    and slug collate "C" ~ '^[a-z0-9]([a-z0-9-]*[a-z0-9])?$'
    and slug not like 'xn--%'
    and slug not in ('dash', 'dev-dash', 'staging-dash')
    and slug not like '%-dev'
    and slug not like '%-staging'
  ),
  constraint clients_maintenance_is_whole check (
    num_nulls(maintenance_days, maintenance_start, maintenance_hours, maintenance_zone) in (0, 4)),
  constraint clients_environment_slug_key unique (environment, slug) include (id, partner_id, billing_plan, status)
);
alter table tenantry.clients enable row level security;
create index clients_partner_id on tenantry.clients (partner_id);
-- Lists go by creation, newest first, or by slug; each within its environment.
create index clients_list on tenantry.clients (environment, created_at desc, id);
create index clients_delete_after on tenantry.clients (delete_after) where delete_after is not null;

-- Whom the books are kept of: a client, and what it was called last when it is gone. Credit, usage, plans and invoices hang on it and not
-- on the client, so that they outlive it.
create table tenantry.billing_accounts (
  -- The client's.
  id uuid primary key,
  environment text not null check (environment in ('production', 'staging', 'development')),
  slug text not null,
  name text not null,
  partner_id uuid references tenantry.partners (id) on delete set null,
  -- When the client was deleted.
  closed_at timestamptz
);
alter table tenantry.billing_accounts enable row level security;
create index billing_accounts_partner_id on tenantry.billing_accounts (partner_id);
create index billing_accounts_closed on tenantry.billing_accounts (environment, closed_at);

create table tenantry.ai_gateways (
  id uuid primary key default gen_random_uuid(),
  -- The gateway's id at Cloudflare.
  gateway_id text not null unique,
  -- The one environment that may bind it; null for any.
  environment text check (environment in ('production', 'staging', 'development')),
  enabled boolean not null default true,
  max_instances integer not null check (max_instances >= 0),
  -- The environment whose stack declares the entry, and alone may change it; `environment` says who may bind it.
  declared_by text not null default tenantry.caller_environment(),
  owner text,
  managed_by text not null default 'git' check (managed_by in ('git', 'dashboard')),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (id, gateway_id),
  constraint ai_gateways_declared_by_check check (declared_by in ('production', 'staging', 'development'))
);
alter table tenantry.ai_gateways enable row level security;

-- Which image and which Worker a tenant runs: what there is, what is wanted of each, what each reports, and how a new one is rolled out.

-- Images of the gateway's container that tenants may run, by digest: a name alone may mean another image tomorrow.
create table tenantry.images (
  id uuid primary key default gen_random_uuid(),
  environment text not null default tenantry.caller_environment()
    check (environment in ('production', 'staging', 'development')),
  reference text not null check (reference ~ '^[^\s@]+@sha256:[0-9a-f]{64}$'),
  -- The gateway that it has, as the image itself tells it to tenants.
  gateway text not null check (gateway <> ''),
  gateway_version text not null check (gateway_version <> ''),
  note text not null default '',
  -- What new tenants get.
  is_default boolean not null default false,
  -- From then on no tenant gets it any more.
  withdrawn_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  unique (environment, reference),
  constraint images_default_is_not_withdrawn check (not (is_default and withdrawn_at is not null))
);
alter table tenantry.images enable row level security;
create unique index images_default on tenantry.images (environment) where is_default;

-- Bundles of the tenants' Worker, kept by the automation service as each release of it brings them.
create table tenantry.worker_bundles (
  id uuid primary key default gen_random_uuid(),
  environment text not null default tenantry.caller_environment()
    check (environment in ('production', 'staging', 'development')),
  content_hash text not null check (content_hash ~ '^[0-9a-f]{64}$'),
  -- Version of the package that it came with.
  release text not null,
  -- JSON of the bundle with its modules, compressed (`automation/catalogue/bundles.ts`).
  content bytea not null,
  is_default boolean not null default false,
  withdrawn_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  unique (environment, content_hash),
  constraint worker_bundles_default_is_not_withdrawn check (not (is_default and withdrawn_at is not null))
);
alter table tenantry.worker_bundles enable row level security;
create unique index worker_bundles_default on tenantry.worker_bundles (environment) where is_default;

create table tenantry.instances (
  id uuid primary key default gen_random_uuid(),
  -- Each client has exactly one instance.
  client_id uuid not null references tenantry.clients (id),
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
  owner text,
  version integer not null default 1,
  updated_at timestamptz not null default now(),
  -- One more with each operation that is begun: who writes for an older one comes too late.
  generation bigint not null default 1,
  -- Until when a transient state may last, and why a state was taken.
  state_deadline timestamptz,
  state_cause text,
  -- What a frozen instance was before: freezing makes nothing run that did not.
  frozen_from text,
  -- Raised by one, the gateway's token is made anew.
  token_version integer not null default 1 check (token_version > 0),
  -- Pool entry that an instance has left and keeps a slot of, until it works with another: a move that fails goes back.
  held_pool_id uuid references tenantry.ai_gateways (id),
  -- What it is wanted to run. Null: the platform's image, the Worker of whoever deploys it.
  image_id uuid references tenantry.images (id),
  bundle_id uuid references tenantry.worker_bundles (id),
  -- Whether roll-outs pass it by.
  is_pinned boolean not null default false,
  -- What its Worker and its container last told of themselves.
  reported_gateway text,
  reported_gateway_version text,
  reported_bundle text,
  reported_at timestamptz,
  -- Since when it has a version that its gateway was not started with: what it reports of its gateway is of before. Null: it was.
  unstarted_since timestamptz,
  -- Who froze an instance or had a client deleted, and for what: a partner root undoes nothing of the platform's, and nobody by hand what
  -- credit did. It is held here, since many ways lead to an instance that takes traffic.
  -- Of a frozen one: what lets it go on (`FreezeCause` of database/tenants/freezing.ts), and the kind of caller that froze it.
    frozen_for text check (frozen_for in ('asked', 'credit', 'deletion')),
  frozen_by text,
  constraint instances_ai_gateway_is_the_pool_entrys foreign key (ai_gateway_pool_id, ai_gateway_id)
    references tenantry.ai_gateways (id, gateway_id) on update cascade,
  constraint instances_pooled_gateway_is_named check (ai_gateway_pool_id is null or ai_gateway_id is not null),
  -- An instance is of its client's environment.
  constraint instances_client_of_environment foreign key (client_id, environment)
    references tenantry.clients (id, environment),
  constraint instances_transient_state_has_deadline check ((status = 'provisioning') = (state_deadline is not null)),
  constraint instances_client_id_key unique (client_id) include (id, environment, status, worker_name, access_aud)
);
alter table tenantry.instances enable row level security;
create index instances_ai_gateway_pool_id on tenantry.instances (ai_gateway_pool_id);
create index instances_transient on tenantry.instances (state_deadline) where state_deadline is not null;
-- Who is polled, a page at a time, and what the minute's fan-out reads.
create index instances_list on tenantry.instances (environment, id);
create index instances_held_pool_id on tenantry.instances (held_pool_id) where held_pool_id is not null;
create index instances_image_id on tenantry.instances (image_id) where image_id is not null;
create index instances_bundle_id on tenantry.instances (bundle_id) where bundle_id is not null;
create index instances_unstarted on tenantry.instances (environment) where unstarted_since is not null;

-- An operation on an instance, from its request to its end.
create table tenantry.jobs (
  id uuid primary key default gen_random_uuid(),
  environment text not null default tenantry.caller_environment()
    check (environment in ('production', 'staging', 'development')),
  kind text not null,
  client_id uuid references tenantry.clients (id) on delete set null,
  instance_id uuid references tenantry.instances (id) on delete set null,
  -- What it is about, for when that is gone.
  slug text not null,
  -- Generation of the instance that the work is for.
  generation bigint,
  status text not null default 'queued' check (status in ('queued', 'running', 'succeeded', 'failed', 'cancelled')),
  payload jsonb not null default '{}',
  -- Why it failed, and what to do.
  cause text,
  attempts integer not null default 0 check (attempts >= 0),
  requested_by text not null,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  ended_at timestamptz,
  -- Until when it may be under way.
  deadline timestamptz not null default now() + interval '1 hour',
  -- Operations that run the engine: work of their own in the queue, bounded apart from mail and other short work, with the share that is done.
  -- Percent.
    progress smallint not null default 0 check (progress between 0 and 100),
  constraint jobs_ended check ((status in ('succeeded', 'failed', 'cancelled')) = (ended_at is not null)),
  constraint jobs_kind_check check (kind in (
    'provision', 'deprovision', 'change_plan', 'freeze', 'resume', 'assign_gateway', 'rotate_token', 'delete_client', 'invalidate',
    'final_backup', 'restore_backup', 'adopt_version'))
);
alter table tenantry.jobs enable row level security;
create index jobs_list on tenantry.jobs (environment, created_at desc, id);
create index jobs_client_id on tenantry.jobs (client_id, created_at desc);
create index jobs_instance_id on tenantry.jobs (instance_id, created_at desc);
create index jobs_open on tenantry.jobs (deadline) where ended_at is null;
-- A client's end: who has a date from which it may be deleted (`delete_after`) goes by one job, or is had back before.

-- One at a time a client, however many ask.
create unique index jobs_deletion on tenantry.jobs (client_id) where kind = 'delete_client' and ended_at is null;
-- What is old is found without a look at the rest, and a tenant's jobs by its slug.
create index jobs_ended_at on tenantry.jobs (ended_at) where ended_at is not null;
create index jobs_slug on tenantry.jobs (slug, created_at desc);

create table tenantry.credit_pools (
  client_id uuid primary key,
  -- Bounded, because NaN and infinity are no numbers in JSON.
  lifetime_purchased bigint not null default 0,
  lifetime_consumed bigint not null default 0,
  -- Whether the client pays ahead, and its tenant stops when its credit is used up; the first purchase sets it.
  prepaid boolean not null default false,
  warn_below_micros bigint not null default 10000000 check (warn_below_micros between 0 and 9000000000000000),
  delete_when_exhausted boolean not null default false,
  state text not null default 'ok'
    check (state in ('ok', 'warn', 'grace', 'frozen', 'final_backup', 'deletion_due')),
  state_since timestamptz not null default now(),
  -- When the next step is due.
  state_deadline timestamptz,
  -- The job that makes the final backup: without its success nothing is deleted.
  final_backup_job uuid references tenantry.jobs (id) on delete set null,
  -- Set once, with the job that deletes the client: from then on a top-up changes nothing by itself.
  deletion_requested_at timestamptz,
  version integer not null default 1,
  updated_at timestamptz not null default now(),
  constraint credit_pools_client_id_fkey foreign key (client_id) references tenantry.billing_accounts (id),
  constraint credit_pools_lifetime_purchased_check check (lifetime_purchased between 0 and 9000000000000000),
  constraint credit_pools_lifetime_consumed_check check (lifetime_consumed between 0 and 9000000000000000),
  constraint credit_pools_state_has_deadline check ((state in ('ok', 'warn')) = (state_deadline is null)),
  constraint credit_pools_deletion_is_due check (
    deletion_requested_at is null or (state = 'deletion_due' and deletion_requested_at >= state_deadline))
);
alter table tenantry.credit_pools enable row level security;
create index credit_pools_deadline on tenantry.credit_pools (state_deadline)
  where state_deadline is not null and deletion_requested_at is null;
create index credit_pools_final_backup_job on tenantry.credit_pools (final_backup_job) where final_backup_job is not null;
-- Pools whose state is not that of their credit or their setting.
create index credit_pools_unsettled on tenantry.credit_pools (client_id)
  where deletion_requested_at is null
    and (
      tenantry.credit_level(prepaid, lifetime_purchased - lifetime_consumed, warn_below_micros)
        <> case when state in ('ok', 'warn') then state else 'used_up' end
      or (state = 'deletion_due' and not delete_when_exhausted));

create table tenantry.dashboard_users (
  id uuid primary key default gen_random_uuid(),
  email text not null check (email = lower(email)),
  name text not null default '',
  role text not null check (role in ('ROOT', 'PARTNER_ROOT')),
  -- The partner whose clients a partner root sees.
  partner_id uuid references tenantry.partners (id) on delete cascade,
  created_at timestamptz not null default now(),
  environment text not null default tenantry.caller_environment(),
  owner text,
  managed_by text not null default 'git' check (managed_by in ('git', 'dashboard')),
  version integer not null default 1,
  updated_at timestamptz not null default now(),
  -- How Access knows a dashboard user, where that was told.
  cf_access_identity jsonb,
  constraint dashboard_users_partner_root_has_partner check ((role = 'PARTNER_ROOT') = (partner_id is not null)),
  constraint dashboard_users_environment_check check (environment in ('production', 'staging', 'development')),
  constraint dashboard_users_environment_email_key unique (environment, email) include (role)
);
alter table tenantry.dashboard_users enable row level security;
create index dashboard_users_list on tenantry.dashboard_users (environment, created_at desc, id);
create index dashboard_users_partner_id on tenantry.dashboard_users (partner_id);

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
  -- What people are made with, how a partner looks, and a pool that is never smaller than what is bound.
  -- The role a person is made with, and is linked to a client with unless told otherwise.
    role text not null default 'BASE_USER' check (role in ('ADMIN', 'BASE_USER')),
  unique nulls not distinct (environment, partner_id, email)
);
alter table tenantry.users enable row level security;
create index users_list on tenantry.users (environment, created_at desc, id);
create index users_partner_id on tenantry.users (partner_id);

create table tenantry.client_users (
  id uuid primary key default gen_random_uuid(),
  client_id uuid not null references tenantry.clients (id) on delete cascade,
  email text not null check (email = lower(email)),
  name text not null default '',
  role text not null check (role in ('ADMIN', 'BASE_USER')),
  status text not null default 'invited' check (status in ('invited', 'validated', 'rejected')),
  validated_at timestamptz,
  cf_access_identity jsonb,
  -- SHA-256 of the invitation token; the token itself is not stored.
  token_hash bytea unique,
  token_expires_at timestamptz,
  created_at timestamptz not null default now(),
  version integer not null default 1,
  updated_at timestamptz not null default now(),
  user_id uuid references tenantry.users (id) on delete cascade not null default gen_random_uuid(),
  constraint client_users_validated_has_time check ((status = 'validated') = (validated_at is not null)),
  constraint client_users_client_id_email_key unique (client_id, email) include (id, role, status)
);
alter table tenantry.client_users enable row level security;
create index client_users_user_id on tenantry.client_users (user_id);
create index client_users_list on tenantry.client_users (client_id, created_at desc, id);
-- What invitations are looked up and swept by.
create index client_users_expiry on tenantry.client_users (token_expires_at) where status = 'invited';

create table tenantry.client_user_instances (
  client_user_id uuid not null references tenantry.client_users (id) on delete cascade,
  instance_id uuid not null references tenantry.instances (id) on delete cascade,
  primary key (client_user_id, instance_id)
);
alter table tenantry.client_user_instances enable row level security;
create index client_user_instances_instance_id on tenantry.client_user_instances (instance_id);

create table tenantry.client_subdivisions (
  id uuid primary key default gen_random_uuid(),
  client_id uuid not null references tenantry.clients (id) on delete cascade,
  name text not null,
  unique (client_id, name)
);
alter table tenantry.client_subdivisions enable row level security;

create table tenantry.client_user_subdivisions (
  client_user_id uuid not null references tenantry.client_users (id) on delete cascade,
  client_subdivision_id uuid not null references tenantry.client_subdivisions (id) on delete cascade,
  primary key (client_user_id, client_subdivision_id)
);
alter table tenantry.client_user_subdivisions enable row level security;
create index client_user_subdivisions_subdivision_id on tenantry.client_user_subdivisions (client_subdivision_id);

create table tenantry.invoices (
  id uuid primary key default gen_random_uuid(),
  client_id uuid not null,
  period_start date not null,
  period_end date not null check (period_end > period_start),
  created_at timestamptz not null default now(),
  -- Invoices. Those that are there were made by hand and count as issued.
  currency text not null default 'USD' check (currency = 'USD'),
  status text not null check (status in ('draft', 'issued', 'paid', 'void')) default 'draft',
  total_micros bigint not null default 0 check (total_micros between -9000000000000000 and 9000000000000000),
  issued_at timestamptz,
  -- When it was paid or made void.
  ended_at timestamptz,
  constraint invoices_client_id_fkey foreign key (client_id) references tenantry.billing_accounts (id),
  constraint invoices_issued check ((status = 'draft') = (issued_at is null)),
  constraint invoices_ended check ((status in ('paid', 'void')) = (ended_at is not null))
);
alter table tenantry.invoices enable row level security;
-- A void one leaves its month to another.
create unique index invoices_period on tenantry.invoices (client_id, period_start) where status <> 'void';
create index invoices_client_id on tenantry.invoices (client_id, period_start desc, id desc);
create index invoices_list on tenantry.invoices (period_start desc, id desc);

create table tenantry.invoice_line_items (
  id uuid primary key default gen_random_uuid(),
  invoice_id uuid not null references tenantry.invoices (id) on delete cascade,
  description text not null,
  quantity bigint not null,
  unit_price_micros bigint not null,
  position integer not null default 0,
  -- `carried`: usage of earlier months that no invoice has yet, or less of it than one asked for. `credit`: what credit paid of the usage.
  kind text not null check (kind in ('flat_fee', 'usage', 'carried', 'credit', 'other')),
  plan text check (plan in ('free', 'basic', 'pro', 'enterprise')),
  metric text,
  per_units bigint not null check (per_units > 0),
  amount_micros bigint not null check (amount_micros between -9000000000000000 and 9000000000000000),
  constraint invoice_line_items_metric_is_of_usage check ((kind = 'usage') = (metric is not null))
);
alter table tenantry.invoice_line_items enable row level security;
create index invoice_line_items_invoice_id on tenantry.invoice_line_items (invoice_id);

create table tenantry.analytics_events (
  id bigint generated always as identity primary key,
  instance_id uuid not null references tenantry.instances (id) on delete cascade,
  observed_at timestamptz not null default now(),
  name text not null,
  attributes jsonb not null default '{}',
  body jsonb
);
alter table tenantry.analytics_events enable row level security;
create index analytics_events_latest on tenantry.analytics_events (instance_id, name, observed_at desc);

create table tenantry.job_events (
  id bigint generated always as identity primary key,
  job_id uuid not null references tenantry.jobs (id) on delete cascade,
  at timestamptz not null default now(),
  -- `queued`, `started`, `step`, `failed`, `succeeded`, …
  kind text not null,
  message text not null default '',
  data jsonb not null default '{}'
);
alter table tenantry.job_events enable row level security;
create index job_events_job_id on tenantry.job_events (job_id, id);

-- Mail, from its request to what became of it. It never holds an invitation's token, which is made when the mail is sent.
create table tenantry.mails (
  id uuid primary key default gen_random_uuid(),
  environment text not null default tenantry.caller_environment()
    check (environment in ('production', 'staging', 'development')),
  kind text not null check (kind ~ '^[a-z_]+$'),
  recipient text not null check (recipient = lower(recipient)),
  client_id uuid references tenantry.clients (id) on delete cascade,
  client_user_id uuid,
  data jsonb not null default '{}',
  status text not null default 'queued' check (status in ('queued', 'sent', 'bounced', 'failed')),
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  -- The dashboard user who asked for it; null for the platform's own.
  requested_by uuid references tenantry.dashboard_users (id) on delete set null,
  constraint mails_ended check ((status = 'queued') = (ended_at is null)),
  constraint mails_client_user_id_fkey
    foreign key (client_user_id) references tenantry.client_users (id) on delete set null
);
alter table tenantry.mails enable row level security;
create index mails_client_user_id on tenantry.mails (client_user_id, created_at desc);
create index mails_client_id on tenantry.mails (client_id, created_at desc);
create index mails_queued on tenantry.mails (created_at) where status = 'queued';
create index mails_requested_by on tenantry.mails (requested_by, created_at) where kind = 'invitation';
create index mails_ended_at on tenantry.mails (ended_at) where ended_at is not null;

-- Every try, written before it is made.
create table tenantry.mail_attempts (
  mail_id uuid not null references tenantry.mails (id) on delete cascade,
  attempt integer not null check (attempt > 0),
  started_at timestamptz not null default now(),
  ended_at timestamptz,
  outcome text check (outcome in ('sent', 'bounced', 'failed')),
  -- What the server said.
  answer text,
  primary key (mail_id, attempt)
);
alter table tenantry.mail_attempts enable row level security;

-- News for open dashboards, in order, for those who were away to catch up on.
create table tenantry.events (
  id bigint generated always as identity primary key,
  environment text not null default tenantry.caller_environment()
    check (environment in ('production', 'staging', 'development')),
  -- Who may hear of it beside platform roots; null for nobody.
  partner_id uuid references tenantry.partners (id) on delete cascade,
  client_id uuid references tenantry.clients (id) on delete cascade,
  -- `subject.what`, such as `mail.sent`.
  kind text not null check (kind ~ '^[a-z_]+\.[a-z_]+$'),
  data jsonb not null default '{}',
  at timestamptz not null default now(),
  -- What was pushed to open dashboards. By row and not by a highest id, since ids are given out before their rows are seen.
  delivered_at timestamptz
);
alter table tenantry.events enable row level security;
create index events_list on tenantry.events (environment, id);
create index events_partner_id on tenantry.events (partner_id, id);
create index events_client_id on tenantry.events (client_id, id);
create index events_undelivered on tenantry.events (environment, id) where delivered_at is null;

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
alter table tenantry.audit_log enable row level security;
create index audit_log_list on tenantry.audit_log (environment, id desc);
create index audit_log_partner_id on tenantry.audit_log (partner_id, id desc);
create index audit_log_client_id on tenantry.audit_log (client_id, id desc);
create index audit_log_entity on tenantry.audit_log (entity, entity_id, id desc);

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
alter table tenantry.idempotency_keys enable row level security;
create index idempotency_keys_created_at on tenantry.idempotency_keys (created_at);

-- Every movement of credit, signed. A day's consumption is booked once (revision 0) and corrected by what it differs.
create table tenantry.credit_entries (
  id uuid primary key default gen_random_uuid(),
  client_id uuid not null references tenantry.billing_accounts (id),
  -- `payment`: of usage that an invoice asked for beyond the credit.
  kind text not null check (kind in ('purchase', 'payment', 'consumption', 'correction')),
  amount_micros bigint not null
    check (amount_micros between -9000000000000000 and 9000000000000000 and amount_micros <> 0),
  -- Of consumption and its corrections: the day in UTC, and how often it was booked before.
  day date,
  revision integer check (revision >= 0),
  -- What it is known by elsewhere, so that nothing is booked twice.
  reference text check (length(reference) between 1 and 255),
  note text not null default '',
  -- To the millisecond, which a page of a list is continued by.
  booked_at timestamptz(3) not null default now(),
  unique (client_id, day, revision),
  unique (client_id, reference),
  constraint credit_entries_day_has_revision check ((day is null) = (revision is null)),
  constraint credit_entries_kind_fits check (case kind
    when 'consumption' then amount_micros < 0 and revision is not distinct from 0
    when 'correction' then revision is distinct from 0
    else amount_micros > 0 and day is null
    end)
);
alter table tenantry.credit_entries enable row level security;
create index credit_entries_list on tenantry.credit_entries (client_id, booked_at desc, id desc);

-- What each client used, a day in UTC, in the metric's unit (domain/billing/usage-metric.ts).
create table tenantry.usage_daily (
  client_id uuid not null references tenantry.billing_accounts (id),
  day date not null,
  metric text not null check (metric in (
    'ai_queries', 'ai_spend', 'container_activity', 'container_uptime', 'object_storage_bandwidth', 'websocket_sessions')),
  quantity bigint not null check (quantity >= 0),
  -- When the dataset was asked; an older answer never replaces a newer one.
  computed_at timestamptz not null,
  primary key (client_id, day, metric)
);
alter table tenantry.usage_daily enable row level security;
-- What all clients used of a metric, day by day, is found without reading every client's books.
create index usage_daily_by_day on tenantry.usage_daily (metric, day);

-- Which plan a client had on which day, so that a past day is priced alike whenever it is asked about: the one at the day's end counts.
create table tenantry.client_plans (
  client_id uuid not null references tenantry.billing_accounts (id),
  valid_from date not null,
  plan text not null check (plan in ('free', 'basic', 'pro', 'enterprise')),
  -- Whether the plan's flat fee is asked for: not of a draft, nor of a client that is being deleted.
  billed boolean not null,
  -- Which plans a day saw besides the one at its end, so that none is had for nothing by leaving it before midnight.
  -- Plans of earlier in the day `valid_from`, as far as their flat fee was asked for.
    also text[] not null default '{}',
  primary key (client_id, valid_from)
);
alter table tenantry.client_plans enable row level security;

-- What `per_units` of a metric cost on a plan, from a day on until the next price; a flat fee is a month's.
create table tenantry.prices (
  id uuid primary key default gen_random_uuid(),
  environment text not null default tenantry.caller_environment()
    check (environment in ('production', 'staging', 'development')),
  plan text not null check (plan in ('free', 'basic', 'pro', 'enterprise')),
  metric text not null check (metric in (
    'flat_fee', 'ai_queries', 'ai_spend', 'container_activity', 'container_uptime', 'object_storage_bandwidth', 'websocket_sessions')),
  unit text not null,
  per_units bigint not null check (per_units between 1 and 9000000000000000),
  micros bigint not null check (micros between 0 and 9000000000000000),
  valid_from date not null,
  created_at timestamptz not null default now(),
  unique (environment, plan, metric, valid_from),
  constraint prices_flat_fee_is_a_months check (metric <> 'flat_fee' or per_units = 1)
);
alter table tenantry.prices enable row level security;

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
alter table tenantry.partner_domains enable row level security;
create index partner_domains_partner_id on tenantry.partner_domains (partner_id, created_at desc, id);

create table tenantry.instance_health_snapshots (
  instance_id uuid not null references tenantry.instances (id) on delete cascade,
  startup_ok boolean not null,
  readiness_ok boolean not null,
  liveness_ok boolean not null,
  had_backup boolean not null,
  restored boolean not null,
  latency_ms integer not null check (latency_ms >= 0),
  inserted_at timestamptz not null default now()
    ) partition by range (inserted_at
);
alter table tenantry.instance_health_snapshots enable row level security;
create index instance_health_snapshots_latest on tenantry.instance_health_snapshots (instance_id, inserted_at desc);

-- What ails an instance for so long that somebody should know: opened and closed by the service, acknowledged by people.
create table tenantry.incidents (
  id uuid primary key default gen_random_uuid(),
  environment text not null default tenantry.caller_environment()
    check (environment in ('production', 'staging', 'development')),
  client_id uuid not null references tenantry.clients (id) on delete cascade,
  instance_id uuid not null references tenantry.instances (id) on delete cascade,
  kind text not null check (kind ~ '^[a-z_]+$'),
  cause text not null,
  -- What to do.
  remedy text not null,
  opened_at timestamptz not null default now(),
  acknowledged_at timestamptz,
  -- E-mail address.
  acknowledged_by text,
  closed_at timestamptz check (closed_at >= opened_at),
  constraint incidents_acknowledged_by_someone check ((acknowledged_at is null) = (acknowledged_by is null))
);
alter table tenantry.incidents enable row level security;
create unique index incidents_open on tenantry.incidents (instance_id, kind) where closed_at is null;
create index incidents_list on tenantry.incidents (environment, opened_at desc, id desc);
create index incidents_open_list on tenantry.incidents (environment, opened_at desc, id desc) where closed_at is null;
create index incidents_client_id on tenantry.incidents (client_id, opened_at desc, id desc);
create index incidents_instance_id on tenantry.incidents (instance_id, opened_at desc, id desc);
create index incidents_closed_at on tenantry.incidents (closed_at) where closed_at is not null;

-- What the account that a platform is on holds of each limited thing, as it was counted last.
create table tenantry.account_capacity (
  environment text not null default tenantry.caller_environment()
    check (environment in ('production', 'staging', 'development')),
  kind text not null check (kind ~ '^[A-Za-z]+$'),
  used double precision not null check (used >= 0),
  most double precision not null check (most >= 0),
  counted_at timestamptz not null default now(),
  -- Of what was counted, what is neither a platform's nor of a tenant that is deployed: others have it in the same account.
  others double precision not null default 0 check (others >= 0),
  primary key (environment, kind)
);
alter table tenantry.account_capacity enable row level security;

-- A way from one version to another, wave after wave.
create table tenantry.rollouts (
  id uuid primary key default gen_random_uuid(),
  environment text not null default tenantry.caller_environment()
    check (environment in ('production', 'staging', 'development')),
  image_id uuid references tenantry.images (id),
  bundle_id uuid references tenantry.worker_bundles (id),
  -- Percent of the tenants that have it after each wave; the canaries come before.
  waves smallint[] not null check (cardinality(waves) between 1 and 20 and waves[cardinality(waves)] = 100),
  -- For how long a wave has to stay healthy before the next begins, in minutes.
  soak_minutes integer not null check (soak_minutes between 0 and 10080),
  -- For how long a tenant's people know before it is interrupted, in hours.
  notice_hours integer not null check (notice_hours between 0 and 336),
  -- Urgent ones wait for no notice and no maintenance window.
  is_urgent boolean not null default false,
  status text not null default 'running'
    check (status in ('running', 'paused', 'rolling_back', 'succeeded', 'failed', 'stopped', 'rolled_back')),
  -- The one under way; 0 are the canaries.
  wave smallint not null default 0,
  -- Why it stopped or failed, and what to do.
  cause text,
  requested_by text not null,
  -- What new tenants got before, for when it is rolled back.
  former_image_id uuid references tenantry.images (id),
  former_bundle_id uuid references tenantry.worker_bundles (id),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  ended_at timestamptz,
  version integer not null default 1,
  -- What of a roll-out is taken back, and whose report is of before its version was changed.
  -- When it was done with all, from when on new tenants get what it brought; null before. It stays when it goes back.
    succeeded_at timestamptz,
  constraint rollouts_of_something check (num_nonnulls(image_id, bundle_id) > 0),
  constraint rollouts_ended check ((status in ('succeeded', 'failed', 'stopped', 'rolled_back')) = (ended_at is not null))
);
alter table tenantry.rollouts enable row level security;
-- One at a time.
create unique index rollouts_open on tenantry.rollouts (environment) where ended_at is null;
create index rollouts_list on tenantry.rollouts (environment, created_at desc, id);

create table tenantry.rollout_tenants (
  rollout_id uuid not null references tenantry.rollouts (id) on delete cascade,
  instance_id uuid not null references tenantry.instances (id) on delete cascade,
  wave smallint not null check (wave >= 0),
  status text not null default 'waiting'
    check (status in ('waiting', 'announced', 'changing', 'done', 'failed', 'going_back', 'gone_back', 'stuck', 'skipped')),
  -- What it ran before, to go back to.
  from_image_id uuid references tenantry.images (id),
  from_bundle_id uuid references tenantry.worker_bundles (id),
  -- The backup of its state of before.
  backup_id text,
  -- From when on it may be changed.
  not_before timestamptz,
  changed_at timestamptz,
  job_id uuid references tenantry.jobs (id) on delete set null,
  cause text,
  primary key (rollout_id, instance_id)
);
alter table tenantry.rollout_tenants enable row level security;
create index rollout_tenants_instance_id on tenantry.rollout_tenants (instance_id);
create index rollout_tenants_job_id on tenantry.rollout_tenants (job_id) where job_id is not null;

-- What `npm run fleet -- doctor` has found, by what never changes of it: so that whoever looks, and wherever, knows since when it was seen, by
-- this server's clock alone.
create table tenantry.findings (
  environment text not null default tenantry.caller_environment()
    check (environment in ('production', 'staging', 'development')),
  -- What it was looked for as; looks that came to nothing of a kind end nothing of it.
  kind text not null check (kind ~ '^[a-z_]+$'),
  -- The vendor's id; of what has only a name, that and when it was made.
  identity text not null check (identity <> ''),
  first_seen timestamptz not null default now(),
  last_seen timestamptz not null default now() check (last_seen >= first_seen),
  primary key (environment, kind, identity)
);
alter table tenantry.findings enable row level security;

-- Tokens of invitations that hold no more, by their SHA-256, so that who has such a link is told what became of it.
create table tenantry.past_invitations (
  token_hash bytea primary key,
  client_user_id uuid not null references tenantry.client_users (id) on delete cascade,
  -- It was ended, and neither answered nor replaced by another.
  withdrawn boolean not null
);
alter table tenantry.past_invitations enable row level security;
create index past_invitations_client_user_id on tenantry.past_invitations (client_user_id);

-- Places of an account are claimed by the rows of tenants: who writes one after another has taken the last place is refused before anything
-- of the tenant is made. What an account may hold, and what a tenant takes of it, the platform's stack says here.
create table tenantry.account_limits (
  environment text primary key default tenantry.caller_environment()
    check (environment in ('production', 'staging', 'development')),
  -- What the account may hold, by kind.
  limits jsonb not null,
  -- What a platform takes without tenants, and what each tenant: {"production": {"platform": {"accessGroups": 3, …}, "tenant": {…}}, …}.
  needs jsonb not null,
  -- What a tenant's containers may have together: {"free": {"containerMemoryMiB": 512, "containerVcpu": 0.125}, …}.
  containers jsonb not null,
  -- Where tenants may be made instead, in a sentence that refusals end with.
  elsewhere text not null default ''
);
alter table tenantry.account_limits enable row level security;

insert into tenantry.prices (environment, plan, metric, unit, per_units, micros, valid_from)
select e.environment, p.plan, m.metric, m.unit, m.per_units,
  -- The free plan costs nothing: its limits bound what it may use.
  case when m.metric = 'flat_fee' then p.fee when p.plan = 'free' then 0 else m.micros end, date '2000-01-01'
from (values ('production'), ('staging'), ('development')) e (environment),
  (values ('free', 0), ('basic', 29000000), ('pro', 99000000), ('enterprise', 499000000)) p (plan, fee),
  (values
    ('flat_fee', 'months', 1, 0),
    ('ai_queries', 'queries', 1000, 100000),
    -- What the providers ask, passed on as it is.
    ('ai_spend', 'micros', 1, 1),
    ('container_activity', 'seconds', 3600, 0),
    ('container_uptime', 'seconds', 3600, 20000),
    ('object_storage_bandwidth', 'bytes', 1000000000, 10000),
    ('websocket_sessions', 'sessions', 1000, 10000)) m (metric, unit, per_units, micros);
