-- The tables of version 0.1.0. Routines, triggers and policies are in database/routines.

-- Defaults and an index call these two; database/routines has their current form.

-- The caller's environment, from the name of its role.
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

-- Amounts are in micro-units: 1,000,000 are one US dollar, or one credit (domain/billing/money.ts). They lie within ±9·10^15, which JSON numbers hold
-- exactly.
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
  -- Key in the bucket `LOGOS`, and media type. Both are set, or neither.
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
  -- URN of the stack's resource. Another stack that declares the same row is refused. Null if no stack declares it.
  owner text,
  managed_by text not null default 'git' check (managed_by in ('git', 'dashboard')),
  version integer not null default 1,
  updated_at timestamptz not null default now(),
  -- End of a deleted client's grace period, until which it can be restored.
  delete_after timestamptz,
  -- The maintenance window for changes that are not urgent: days of the week, start, length and time zone.
  is_canary boolean not null default false,
  -- ISO days of the week, 1 for Monday.
  maintenance_days smallint[] check (
    maintenance_days <@ array[1, 2, 3, 4, 5, 6, 7]::smallint[] and cardinality(maintenance_days) > 0),
  maintenance_start time check (maintenance_start = date_trunc('minute', maintenance_start)),
  maintenance_hours smallint check (maintenance_hours between 1 and 24),
  maintenance_zone text,
  -- The kind of caller that requested the deletion; `service` if credit was used up.
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
-- Lists are ordered by creation, newest first, or by slug, within an environment.
create index clients_list on tenantry.clients (environment, created_at desc, id);
create index clients_delete_after on tenantry.clients (delete_after) where delete_after is not null;

-- A client's billing records refer to this row, so that they stay when the client is deleted. It keeps the client's last name.
create table tenantry.billing_accounts (
  -- ID of the client.
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
  -- The environment that may bind it; null for any.
  environment text check (environment in ('production', 'staging', 'development')),
  enabled boolean not null default true,
  max_instances integer not null check (max_instances >= 0),
  -- The environment whose stack declares the entry and may change it.
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

-- Container images that tenants may run. They have a digest, because a tag can be moved.
create table tenantry.images (
  id uuid primary key default gen_random_uuid(),
  environment text not null default tenantry.caller_environment()
    check (environment in ('production', 'staging', 'development')),
  reference text not null check (reference ~ '^[^\s@]+@sha256:[0-9a-f]{64}$'),
  -- The gateway application, as the image reports it.
  gateway text not null check (gateway <> ''),
  gateway_version text not null check (gateway_version <> ''),
  note text not null default '',
  -- Whether new tenants get it.
  is_default boolean not null default false,
  -- Since when tenants do not get it any more.
  withdrawn_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  unique (environment, reference),
  constraint images_default_is_not_withdrawn check (not (is_default and withdrawn_at is not null))
);
alter table tenantry.images enable row level security;
create unique index images_default on tenantry.images (environment) where is_default;

-- Bundles of the tenants' Worker. The automation service stores the one of its release.
create table tenantry.worker_bundles (
  id uuid primary key default gen_random_uuid(),
  environment text not null default tenantry.caller_environment()
    check (environment in ('production', 'staging', 'development')),
  content_hash text not null check (content_hash ~ '^[0-9a-f]{64}$'),
  -- Version of Tenantry.
  release text not null,
  -- The bundle as compressed JSON (`automation/catalogue/bundles.ts`).
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
  -- Incremented when an operation begins. Writes for an older generation are refused.
  generation bigint not null default 1,
  -- Deadline of a transient status, and the reason for the status.
  state_deadline timestamptz,
  state_cause text,
  -- The status before a freeze, to which a resume returns.
  frozen_from text,
  -- The gateway's token is replaced when this is incremented.
  token_version integer not null default 1 check (token_version > 0),
  -- Pool entry whose slot the instance holds while it moves to another, so that a failed move can return.
  held_pool_id uuid references tenantry.ai_gateways (id),
  -- The wanted image and Worker bundle. Null for the platform's image and the bundle of the deploying release.
  image_id uuid references tenantry.images (id),
  bundle_id uuid references tenantry.worker_bundles (id),
  -- Whether rollouts skip it.
  is_pinned boolean not null default false,
  -- Versions that the Worker and the container reported last.
  reported_gateway text,
  reported_gateway_version text,
  reported_bundle text,
  reported_at timestamptz,
  -- Since when the gateway has not been started with the wanted version, so that its report is out of date. Null if it has been.
  unstarted_since timestamptz,
  -- Cause of a freeze (`FreezeCause` in database/tenants/freezing.ts), and the kind of caller. A partner root cannot undo the platform's freeze, and
  -- nobody can undo by hand a freeze because of credit.
    frozen_for text check (frozen_for in ('asked', 'credit', 'deletion')),
  frozen_by text,
  constraint instances_ai_gateway_is_the_pool_entrys foreign key (ai_gateway_pool_id, ai_gateway_id)
    references tenantry.ai_gateways (id, gateway_id) on update cascade,
  constraint instances_pooled_gateway_is_named check (ai_gateway_pool_id is null or ai_gateway_id is not null),
  -- An instance has its client's environment.
  constraint instances_client_of_environment foreign key (client_id, environment)
    references tenantry.clients (id, environment),
  constraint instances_transient_state_has_deadline check ((status = 'provisioning') = (state_deadline is not null)),
  constraint instances_client_id_key unique (client_id) include (id, environment, status, worker_name, access_aud)
);
alter table tenantry.instances enable row level security;
create index instances_ai_gateway_pool_id on tenantry.instances (ai_gateway_pool_id);
create index instances_transient on tenantry.instances (state_deadline) where state_deadline is not null;
-- For the health poller's pages and the fan-out each minute.
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
  -- The slug stays when the client is deleted.
  slug text not null,
  -- Generation of the instance.
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
  -- Deadline of the job.
  deadline timestamptz not null default now() + interval '1 hour',
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
-- One deletion job per client at a time.
create unique index jobs_deletion on tenantry.jobs (client_id) where kind = 'delete_client' and ended_at is null;
-- For the removal of old jobs, and for a tenant's jobs by slug.
create index jobs_ended_at on tenantry.jobs (ended_at) where ended_at is not null;
create index jobs_slug on tenantry.jobs (slug, created_at desc);

create table tenantry.credit_pools (
  client_id uuid primary key,
  lifetime_purchased bigint not null default 0,
  lifetime_consumed bigint not null default 0,
  -- Whether the client pays in advance, so that its tenant stops when its credit is used up. The first purchase sets it.
  prepaid boolean not null default false,
  warn_below_micros bigint not null default 10000000 check (warn_below_micros between 0 and 9000000000000000),
  delete_when_exhausted boolean not null default false,
  state text not null default 'ok'
    check (state in ('ok', 'warn', 'grace', 'frozen', 'final_backup', 'deletion_due')),
  state_since timestamptz not null default now(),
  -- When the next state is due.
  state_deadline timestamptz,
  -- The job that makes the final backup. Nothing is deleted before it succeeds.
  final_backup_job uuid references tenantry.jobs (id) on delete set null,
  -- Set with the job that deletes the client. After that, a purchase does not cancel the deletion.
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
-- Pools whose state does not match their credit or settings.
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
  -- The user's identity in Access, if known.
  cf_access_identity jsonb,
  constraint dashboard_users_partner_root_has_partner check ((role = 'PARTNER_ROOT') = (partner_id is not null)),
  constraint dashboard_users_environment_check check (environment in ('production', 'staging', 'development')),
  constraint dashboard_users_environment_email_key unique (environment, email) include (role)
);
alter table tenantry.dashboard_users enable row level security;
create index dashboard_users_list on tenantry.dashboard_users (environment, created_at desc, id);
create index dashboard_users_partner_id on tenantry.dashboard_users (partner_id);

-- People, one row per partner, or for the platform. `client_users` links them to clients.
create table tenantry.users (
  id uuid primary key default gen_random_uuid(),
  environment text not null default tenantry.caller_environment()
    check (environment in ('production', 'staging', 'development')),
  -- Null for users of internal clients.
  partner_id uuid references tenantry.partners (id) on delete cascade,
  email text not null check (email = lower(email)),
  name text not null default '',
  -- The person's identity in Access, recorded when an invitation is accepted.
  cf_access_identity jsonb,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Default role of the person's links to clients.
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
-- For the lookup and the expiry of invitations.
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
  currency text not null default 'USD' check (currency = 'USD'),
  status text not null check (status in ('draft', 'issued', 'paid', 'void')) default 'draft',
  total_micros bigint not null default 0 check (total_micros between -9000000000000000 and 9000000000000000),
  issued_at timestamptz,
  -- When it was paid or voided.
  ended_at timestamptz,
  constraint invoices_client_id_fkey foreign key (client_id) references tenantry.billing_accounts (id),
  constraint invoices_issued check ((status = 'draft') = (issued_at is null)),
  constraint invoices_ended check ((status in ('paid', 'void')) = (ended_at is not null))
);
alter table tenantry.invoices enable row level security;
-- A voided invoice can be replaced by another for its month.
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
  -- `carried`: usage of earlier months that was not invoiced, or was invoiced too high. `credit`: usage paid by credit.
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

-- Mails with their outcome. They never hold an invitation's token, which is created when the mail is sent.
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
  -- The dashboard user who requested it; null for the platform.
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

-- Each attempt, recorded before it is made.
create table tenantry.mail_attempts (
  mail_id uuid not null references tenantry.mails (id) on delete cascade,
  attempt integer not null check (attempt > 0),
  started_at timestamptz not null default now(),
  ended_at timestamptz,
  outcome text check (outcome in ('sent', 'bounced', 'failed')),
  -- The mail server's answer.
  answer text,
  primary key (mail_id, attempt)
);
alter table tenantry.mail_attempts enable row level security;

-- Events for open dashboards, in order, so that a client that was disconnected can catch up.
create table tenantry.events (
  id bigint generated always as identity primary key,
  environment text not null default tenantry.caller_environment()
    check (environment in ('production', 'staging', 'development')),
  -- The partner and client whose users may read it beside platform roots; null for none.
  partner_id uuid references tenantry.partners (id) on delete cascade,
  client_id uuid references tenantry.clients (id) on delete cascade,
  -- `subject.what`, such as `mail.sent`.
  kind text not null check (kind ~ '^[a-z_]+\.[a-z_]+$'),
  data jsonb not null default '{}',
  at timestamptz not null default now(),
  -- When it was pushed to open dashboards. This is kept per row, because IDs are assigned before rows become visible.
  delivered_at timestamptz
);
alter table tenantry.events enable row level security;
create index events_list on tenantry.events (environment, id);
create index events_partner_id on tenantry.events (partner_id, id);
create index events_client_id on tenantry.events (client_id, id);
create index events_undelivered on tenantry.events (environment, id) where delivered_at is null;

-- Every write, with its author and the row before and after. Entries cannot be changed, deleted or inserted by hand.
create table tenantry.audit_log (
  id bigint generated always as identity primary key,
  environment text not null,
  at timestamptz not null default now(),
  -- Email address of a dashboard user, `{project}/{stack}` of a stack, `service`, or the database user.
  actor text not null,
  actor_kind text not null,
  action text not null check (action in ('insert', 'update', 'delete')),
  entity text not null,
  entity_id text not null,
  partner_id uuid,
  client_id uuid,
  before jsonb,
  after jsonb,
  -- IP address and ID of the request.
  source text,
  request_id text
);
alter table tenantry.audit_log enable row level security;
create index audit_log_list on tenantry.audit_log (environment, id desc);
create index audit_log_partner_id on tenantry.audit_log (partner_id, id desc);
create index audit_log_client_id on tenantry.audit_log (client_id, id desc);
create index audit_log_entity on tenantry.audit_log (entity, entity_id, id desc);

-- The first response to a request that creates something, which is repeated for the same idempotency key.
create table tenantry.idempotency_keys (
  environment text not null default tenantry.caller_environment(),
  caller uuid not null references tenantry.dashboard_users (id) on delete cascade,
  key text not null check (length(key) between 1 and 255),
  -- SHA-256 of method, path and body. A different request with the same key is refused.
  request_hash bytea not null,
  status integer,
  body jsonb,
  created_at timestamptz not null default now(),
  primary key (caller, key)
);
alter table tenantry.idempotency_keys enable row level security;
create index idempotency_keys_created_at on tenantry.idempotency_keys (created_at);

-- Changes of credit, signed. A day's consumption is booked once (revision 0), then corrected by the difference.
create table tenantry.credit_entries (
  id uuid primary key default gen_random_uuid(),
  client_id uuid not null references tenantry.billing_accounts (id),
  -- `payment`: for usage that an invoice billed beyond the credit.
  kind text not null check (kind in ('purchase', 'payment', 'consumption', 'correction')),
  amount_micros bigint not null
    check (amount_micros between -9000000000000000 and 9000000000000000 and amount_micros <> 0),
  -- Day (UTC) and number of earlier bookings, for consumption and its corrections.
  day date,
  revision integer check (revision >= 0),
  -- An external reference, so that nothing is booked twice.
  reference text check (length(reference) between 1 and 255),
  note text not null default '',
  -- Milliseconds, since cursors of lists hold no more.
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

-- Usage per client and day (UTC), in the metric's unit (domain/billing/usage-metric.ts).
create table tenantry.usage_daily (
  client_id uuid not null references tenantry.billing_accounts (id),
  day date not null,
  metric text not null check (metric in (
    'ai_queries', 'ai_spend', 'container_activity', 'container_uptime', 'object_storage_bandwidth', 'websocket_sessions')),
  quantity bigint not null check (quantity >= 0),
  -- When the dataset was queried. An older result does not replace a newer one.
  computed_at timestamptz not null,
  primary key (client_id, day, metric)
);
alter table tenantry.usage_daily enable row level security;
-- For the usage of all clients by day.
create index usage_daily_by_day on tenantry.usage_daily (metric, day);

-- The plan of each client by day, so that past days keep their price. The plan at the end of the day counts.
create table tenantry.client_plans (
  client_id uuid not null references tenantry.billing_accounts (id),
  valid_from date not null,
  plan text not null check (plan in ('free', 'basic', 'pro', 'enterprise')),
  -- Whether the plan's flat fee is billed: not for drafts, nor for clients that are being deleted.
  billed boolean not null,
  -- Billed plans of earlier on the day `valid_from`, so that none is free by leaving it before midnight.
    also text[] not null default '{}',
  primary key (client_id, valid_from)
);
alter table tenantry.client_plans enable row level security;

-- Price of `per_units` of a metric on a plan, from a day until the next price. A flat fee is per month.
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

-- Domains of partners.
create table tenantry.partner_domains (
  id uuid primary key default gen_random_uuid(),
  partner_id uuid not null references tenantry.partners (id) on delete cascade,
  -- Lower case. Unique across partners and environments.
  hostname text not null unique check (length(hostname) <= 253 and hostname = lower(hostname)),
  -- When ownership was verified; null until then.
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

-- Problems of an instance that last. The service opens and closes them; people acknowledge them.
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
  -- Email address.
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

-- The account's use of each limited resource kind, as counted last.
create table tenantry.account_capacity (
  environment text not null default tenantry.caller_environment()
    check (environment in ('production', 'staging', 'development')),
  kind text not null check (kind ~ '^[A-Za-z]+$'),
  used double precision not null check (used >= 0),
  most double precision not null check (most >= 0),
  counted_at timestamptz not null default now(),
  -- The share that belongs to neither a platform nor a deployed tenant.
  others double precision not null default 0 check (others >= 0),
  primary key (environment, kind)
);
alter table tenantry.account_capacity enable row level security;

-- Rollouts of an image or Worker bundle, in waves.
create table tenantry.rollouts (
  id uuid primary key default gen_random_uuid(),
  environment text not null default tenantry.caller_environment()
    check (environment in ('production', 'staging', 'development')),
  image_id uuid references tenantry.images (id),
  bundle_id uuid references tenantry.worker_bundles (id),
  -- Percent of the tenants that are changed after each wave. Canaries come first.
  waves smallint[] not null check (cardinality(waves) between 1 and 20 and waves[cardinality(waves)] = 100),
  -- Minutes for which a wave must stay healthy before the next begins.
  soak_minutes integer not null check (soak_minutes between 0 and 10080),
  -- Hours between the notice to a tenant's users and the interruption.
  notice_hours integer not null check (notice_hours between 0 and 336),
  -- Urgent rollouts wait for no notice and no maintenance window.
  is_urgent boolean not null default false,
  status text not null default 'running'
    check (status in ('running', 'paused', 'rolling_back', 'succeeded', 'failed', 'stopped', 'rolled_back')),
  -- The current wave; 0 is the canaries.
  wave smallint not null default 0,
  -- Why it stopped or failed, and what to do.
  cause text,
  requested_by text not null,
  -- The defaults before it, to which a rollback returns.
  former_image_id uuid references tenantry.images (id),
  former_bundle_id uuid references tenantry.worker_bundles (id),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  ended_at timestamptz,
  version integer not null default 1,
  -- When all tenants were changed, so that new tenants get the new version; null before. It stays after a rollback.
    succeeded_at timestamptz,
  constraint rollouts_of_something check (num_nonnulls(image_id, bundle_id) > 0),
  constraint rollouts_ended check ((status in ('succeeded', 'failed', 'stopped', 'rolled_back')) = (ended_at is not null))
);
alter table tenantry.rollouts enable row level security;
-- One rollout at a time.
create unique index rollouts_open on tenantry.rollouts (environment) where ended_at is null;
create index rollouts_list on tenantry.rollouts (environment, created_at desc, id);

create table tenantry.rollout_tenants (
  rollout_id uuid not null references tenantry.rollouts (id) on delete cascade,
  instance_id uuid not null references tenantry.instances (id) on delete cascade,
  wave smallint not null check (wave >= 0),
  status text not null default 'waiting'
    check (status in ('waiting', 'announced', 'changing', 'done', 'failed', 'going_back', 'gone_back', 'stuck', 'skipped')),
  -- The versions before, to which a rollback returns.
  from_image_id uuid references tenantry.images (id),
  from_bundle_id uuid references tenantry.worker_bundles (id),
  -- The backup from before the change.
  backup_id text,
  -- The earliest time of the change.
  not_before timestamptz,
  changed_at timestamptz,
  job_id uuid references tenantry.jobs (id) on delete set null,
  cause text,
  primary key (rollout_id, instance_id)
);
alter table tenantry.rollout_tenants enable row level security;
create index rollout_tenants_instance_id on tenantry.rollout_tenants (instance_id);
create index rollout_tenants_job_id on tenantry.rollout_tenants (job_id) where job_id is not null;

-- Findings of `npm run fleet -- doctor`, by an identity that does not change, so that every machine knows since when each was seen, by this server's
-- clock.
create table tenantry.findings (
  environment text not null default tenantry.caller_environment()
    check (environment in ('production', 'staging', 'development')),
  -- The check that found it. A check that failed leaves its findings as they are.
  kind text not null check (kind ~ '^[a-z_]+$'),
  -- The vendor's ID; for a resource that has only a name, the name with its creation time.
  identity text not null check (identity <> ''),
  first_seen timestamptz not null default now(),
  last_seen timestamptz not null default now() check (last_seen >= first_seen),
  primary key (environment, kind, identity)
);
alter table tenantry.findings enable row level security;

-- SHA-256 of tokens of closed invitations, so that their links can show what became of the invitation.
create table tenantry.past_invitations (
  token_hash bytea primary key,
  client_user_id uuid not null references tenantry.client_users (id) on delete cascade,
  -- Whether it was withdrawn, and neither answered nor replaced.
  withdrawn boolean not null
);
alter table tenantry.past_invitations enable row level security;
create index past_invitations_client_user_id on tenantry.past_invitations (client_user_id);

-- The account's limits, and the resources of a platform and of a tenant, as the platform's stack declares them. A tenant's row claims its
-- resources, and is refused if the account has none left.
create table tenantry.account_limits (
  environment text primary key default tenantry.caller_environment()
    check (environment in ('production', 'staging', 'development')),
  -- The account's limit by resource kind.
  limits jsonb not null,
  -- Resources of a platform without tenants, and of a tenant: {"production": {"platform": {"accessGroups": 3, …}, "tenant": {…}}, …}.
  needs jsonb not null,
  -- Resources of a tenant's containers by plan: {"free": {"containerMemoryMiB": 512, "containerVcpu": 0.125}, …}.
  containers jsonb not null,
  -- A sentence that refusals end with: where else tenants can be created.
  elsewhere text not null default ''
);
alter table tenantry.account_limits enable row level security;

insert into tenantry.prices (environment, plan, metric, unit, per_units, micros, valid_from)
select e.environment, p.plan, m.metric, m.unit, m.per_units,
  -- The free plan costs nothing; its limits bound its use.
  case when m.metric = 'flat_fee' then p.fee when p.plan = 'free' then 0 else m.micros end, date '2000-01-01'
from (values ('production'), ('staging'), ('development')) e (environment),
  (values ('free', 0), ('basic', 29000000), ('pro', 99000000), ('enterprise', 499000000)) p (plan, fee),
  (values
    ('flat_fee', 'months', 1, 0),
    ('ai_queries', 'queries', 1000, 100000),
    -- The providers' prices, passed on unchanged.
    ('ai_spend', 'micros', 1, 1),
    ('container_activity', 'seconds', 3600, 0),
    ('container_uptime', 'seconds', 3600, 20000),
    ('object_storage_bandwidth', 'bytes', 1000000000, 10000),
    ('websocket_sessions', 'sessions', 1000, 10000)) m (metric, unit, per_units, micros);
