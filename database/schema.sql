create table tenantry.account_capacity (
  environment text default tenantry.caller_environment() not null,
  kind text not null,
  used double precision not null,
  most double precision not null,
  counted_at timestamp with time zone default now() not null,
  others double precision default 0 not null,
  constraint account_capacity_environment_check CHECK ((environment = ANY (ARRAY['production'::text, 'staging'::text, 'development'::text]))),
  constraint account_capacity_kind_check CHECK ((kind ~ '^[A-Za-z]+$'::text)),
  constraint account_capacity_most_check CHECK ((most >= (0)::double precision)),
  constraint account_capacity_others_check CHECK ((others >= (0)::double precision)),
  constraint account_capacity_pkey PRIMARY KEY (environment, kind),
  constraint account_capacity_used_check CHECK ((used >= (0)::double precision))
);
alter table tenantry.account_capacity enable row level security;

create table tenantry.account_limits (
  environment text default tenantry.caller_environment() not null,
  limits jsonb not null,
  needs jsonb not null,
  containers jsonb not null,
  elsewhere text default ''::text not null,
  ai_spend jsonb,
  constraint account_limits_ai_spend_check CHECK ((jsonb_typeof(ai_spend) = 'object'::text)),
  constraint account_limits_environment_check CHECK ((environment = ANY (ARRAY['production'::text, 'staging'::text, 'development'::text]))),
  constraint account_limits_pkey PRIMARY KEY (environment)
);
alter table tenantry.account_limits enable row level security;

create table tenantry.ai_gateways (
  id uuid default gen_random_uuid() not null,
  gateway_id text not null,
  environment text,
  enabled boolean default true not null,
  max_instances integer not null,
  declared_by text default tenantry.caller_environment() not null,
  owner text,
  managed_by text default 'git'::text not null,
  version integer default 1 not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint ai_gateways_declared_by_check CHECK ((declared_by = ANY (ARRAY['production'::text, 'staging'::text, 'development'::text]))),
  constraint ai_gateways_environment_check CHECK ((environment = ANY (ARRAY['production'::text, 'staging'::text, 'development'::text]))),
  constraint ai_gateways_gateway_id_key UNIQUE (gateway_id),
  constraint ai_gateways_id_gateway_id_key UNIQUE (id, gateway_id),
  constraint ai_gateways_managed_by_check CHECK ((managed_by = ANY (ARRAY['git'::text, 'dashboard'::text]))),
  constraint ai_gateways_max_instances_check CHECK ((max_instances >= 0)),
  constraint ai_gateways_pkey PRIMARY KEY (id)
);
alter table tenantry.ai_gateways enable row level security;

create table tenantry.analytics_events (
  id bigint generated always as identity not null,
  instance_id uuid not null,
  observed_at timestamp with time zone default now() not null,
  name text not null,
  attributes jsonb default '{}'::jsonb not null,
  body jsonb,
  constraint analytics_events_instance_id_fkey FOREIGN KEY (instance_id) REFERENCES tenantry.instances(id) ON DELETE CASCADE,
  constraint analytics_events_pkey PRIMARY KEY (id)
);
alter table tenantry.analytics_events enable row level security;

create table tenantry.audit_log (
  id bigint generated always as identity not null,
  environment text not null,
  at timestamp with time zone default now() not null,
  actor text not null,
  actor_kind text not null,
  action text not null,
  entity text not null,
  entity_id text not null,
  partner_id uuid,
  client_id uuid,
  before jsonb,
  after jsonb,
  source text,
  request_id text,
  constraint audit_log_action_check CHECK ((action = ANY (ARRAY['insert'::text, 'update'::text, 'delete'::text]))),
  constraint audit_log_pkey PRIMARY KEY (id)
);
alter table tenantry.audit_log enable row level security;

create table tenantry.billing_accounts (
  id uuid not null,
  environment text not null,
  slug text not null,
  name text not null,
  partner_id uuid,
  closed_at timestamp with time zone,
  constraint billing_accounts_environment_check CHECK ((environment = ANY (ARRAY['production'::text, 'staging'::text, 'development'::text]))),
  constraint billing_accounts_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES tenantry.partners(id) ON DELETE SET NULL,
  constraint billing_accounts_pkey PRIMARY KEY (id)
);
alter table tenantry.billing_accounts enable row level security;

create table tenantry.channels (
  id uuid default gen_random_uuid() not null,
  environment text not null,
  instance_id uuid not null,
  kind text not null,
  door_id uuid,
  account_id text not null,
  account_name text not null,
  credentials bytea not null,
  created_by text not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  token_replaced_at timestamp with time zone,
  checked_at timestamp with time zone default now() not null,
  pushed_at timestamp with time zone,
  connected_at timestamp with time zone,
  fault text,
  last_error text,
  version integer default 1 not null,
  messenger text generated always as (split_part(kind, '-'::text, 1)) stored not null,
  constraint channels_account_id_check CHECK (((length(account_id) >= 1) AND (length(account_id) <= 200))),
  constraint channels_account_name_check CHECK (((length(account_name) >= 1) AND (length(account_name) <= 200))),
  constraint channels_check CHECK (((fault IS NULL) = (last_error IS NULL))),
  constraint channels_credentials_check CHECK (((octet_length(credentials) >= 33) AND (octet_length(credentials) <= 65536))),
  constraint channels_door_id_fkey FOREIGN KEY (door_id) REFERENCES tenantry.doors(id),
  constraint channels_door_id_key UNIQUE (door_id),
  constraint channels_environment_check CHECK ((environment = ANY (ARRAY['production'::text, 'staging'::text, 'development'::text]))),
  constraint channels_environment_messenger_account_id_key UNIQUE (environment, messenger, account_id),
  constraint channels_fault_check CHECK ((fault = ANY (ARRAY['push_failed'::text, 'token_rejected'::text, 'webhook_lost'::text]))),
  constraint channels_instance_id_fkey FOREIGN KEY (instance_id) REFERENCES tenantry.instances(id) ON DELETE CASCADE,
  constraint channels_instance_id_messenger_key UNIQUE (instance_id, messenger),
  constraint channels_kind_is_a_word CHECK ((kind ~ '^[a-z][a-z0-9-]{0,39}$'::text)),
  constraint channels_pkey PRIMARY KEY (id)
);
alter table tenantry.channels enable row level security;

create table tenantry.client_plans (
  client_id uuid not null,
  valid_from date not null,
  plan text not null,
  billed boolean not null,
  also text[] default '{}'::text[] not null,
  constraint client_plans_client_id_fkey FOREIGN KEY (client_id) REFERENCES tenantry.billing_accounts(id),
  constraint client_plans_pkey PRIMARY KEY (client_id, valid_from),
  constraint client_plans_plan_check CHECK ((plan = ANY (ARRAY['free'::text, 'basic'::text, 'pro'::text, 'enterprise'::text])))
);
alter table tenantry.client_plans enable row level security;

create table tenantry.client_subdivisions (
  id uuid default gen_random_uuid() not null,
  client_id uuid not null,
  name text not null,
  constraint client_subdivisions_client_id_fkey FOREIGN KEY (client_id) REFERENCES tenantry.clients(id) ON DELETE CASCADE,
  constraint client_subdivisions_client_id_name_key UNIQUE (client_id, name),
  constraint client_subdivisions_pkey PRIMARY KEY (id)
);
alter table tenantry.client_subdivisions enable row level security;

create table tenantry.client_user_instances (
  client_user_id uuid not null,
  instance_id uuid not null,
  constraint client_user_instances_client_user_id_fkey FOREIGN KEY (client_user_id) REFERENCES tenantry.client_users(id) ON DELETE CASCADE,
  constraint client_user_instances_instance_id_fkey FOREIGN KEY (instance_id) REFERENCES tenantry.instances(id) ON DELETE CASCADE,
  constraint client_user_instances_pkey PRIMARY KEY (client_user_id, instance_id)
);
alter table tenantry.client_user_instances enable row level security;

create table tenantry.client_user_subdivisions (
  client_user_id uuid not null,
  client_subdivision_id uuid not null,
  constraint client_user_subdivisions_client_subdivision_id_fkey FOREIGN KEY (client_subdivision_id) REFERENCES tenantry.client_subdivisions(id) ON DELETE CASCADE,
  constraint client_user_subdivisions_client_user_id_fkey FOREIGN KEY (client_user_id) REFERENCES tenantry.client_users(id) ON DELETE CASCADE,
  constraint client_user_subdivisions_pkey PRIMARY KEY (client_user_id, client_subdivision_id)
);
alter table tenantry.client_user_subdivisions enable row level security;

create table tenantry.client_users (
  id uuid default gen_random_uuid() not null,
  client_id uuid not null,
  email text not null,
  name text default ''::text not null,
  role text not null,
  status text default 'invited'::text not null,
  validated_at timestamp with time zone,
  cf_access_identity jsonb,
  token_hash bytea,
  token_expires_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  version integer default 1 not null,
  updated_at timestamp with time zone default now() not null,
  user_id uuid default gen_random_uuid() not null,
  constraint client_users_client_id_email_key UNIQUE (client_id, email) INCLUDE (id, role, status),
  constraint client_users_client_id_fkey FOREIGN KEY (client_id) REFERENCES tenantry.clients(id) ON DELETE CASCADE,
  constraint client_users_email_check CHECK ((email = lower(email))),
  constraint client_users_pkey PRIMARY KEY (id),
  constraint client_users_role_check CHECK ((role = ANY (ARRAY['ADMIN'::text, 'BASE_USER'::text]))),
  constraint client_users_status_check CHECK ((status = ANY (ARRAY['invited'::text, 'validated'::text, 'rejected'::text]))),
  constraint client_users_token_hash_key UNIQUE (token_hash),
  constraint client_users_user_id_fkey FOREIGN KEY (user_id) REFERENCES tenantry.users(id) ON DELETE CASCADE,
  constraint client_users_validated_has_time CHECK (((status = 'validated'::text) = (validated_at IS NOT NULL)))
);
alter table tenantry.client_users enable row level security;

create table tenantry.clients (
  id uuid default gen_random_uuid() not null,
  slug text not null,
  name text not null,
  partner_id uuid,
  billing_plan text not null,
  status text default 'draft'::text not null,
  created_at timestamp with time zone default now() not null,
  environment text default tenantry.caller_environment() not null,
  owner text,
  managed_by text default 'git'::text not null,
  version integer default 1 not null,
  updated_at timestamp with time zone default now() not null,
  delete_after timestamp with time zone,
  is_canary boolean default false not null,
  maintenance_days smallint[],
  maintenance_start time without time zone,
  maintenance_hours smallint,
  maintenance_zone text,
  deletion_by text,
  ai_spend_cap_micros bigint,
  constraint clients_ai_spend_cap_micros_check CHECK (((ai_spend_cap_micros >= 0) AND (ai_spend_cap_micros <= '9000000000000000'::bigint))),
  constraint clients_billing_plan_check CHECK ((billing_plan = ANY (ARRAY['free'::text, 'basic'::text, 'pro'::text, 'enterprise'::text]))),
  constraint clients_environment_check CHECK ((environment = ANY (ARRAY['production'::text, 'staging'::text, 'development'::text]))),
  constraint clients_environment_slug_key UNIQUE (environment, slug) INCLUDE (id, partner_id, billing_plan, status),
  constraint clients_id_environment_key UNIQUE (id, environment),
  constraint clients_maintenance_days_check CHECK (((maintenance_days <@ ARRAY[(1)::smallint, (2)::smallint, (3)::smallint, (4)::smallint, (5)::smallint, (6)::smallint, (7)::smallint]) AND (cardinality(maintenance_days) > 0))),
  constraint clients_maintenance_hours_check CHECK (((maintenance_hours >= 1) AND (maintenance_hours <= 24))),
  constraint clients_maintenance_is_whole CHECK ((num_nulls(maintenance_days, maintenance_start, maintenance_hours, maintenance_zone) = ANY (ARRAY[0, 4]))),
  constraint clients_maintenance_start_check CHECK (((maintenance_start)::interval = date_trunc('minute'::text, (maintenance_start)::interval))),
  constraint clients_managed_by_check CHECK ((managed_by = ANY (ARRAY['git'::text, 'dashboard'::text]))),
  constraint clients_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES tenantry.partners(id),
  constraint clients_pkey PRIMARY KEY (id),
  constraint clients_slug_is_a_tenant_label CHECK (((length(slug) <= 59) AND ((slug COLLATE "C") ~ '^[a-z0-9]([a-z0-9-]*[a-z0-9])?$'::text) AND (slug !~~ 'xn--%'::text) AND (slug <> ALL (ARRAY['dash'::text, 'dev-dash'::text, 'staging-dash'::text])) AND (slug !~~ '%-dev'::text) AND (slug !~~ '%-staging'::text))),
  constraint clients_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'active'::text, 'production'::text])))
);
alter table tenantry.clients enable row level security;

create table tenantry.credit_entries (
  id uuid default gen_random_uuid() not null,
  client_id uuid not null,
  kind text not null,
  amount_micros bigint not null,
  day date,
  revision integer,
  reference text,
  note text default ''::text not null,
  booked_at timestamp(3) with time zone default now() not null,
  constraint credit_entries_amount_micros_check CHECK ((((amount_micros >= '-9000000000000000'::bigint) AND (amount_micros <= '9000000000000000'::bigint)) AND (amount_micros <> 0))),
  constraint credit_entries_client_id_day_revision_key UNIQUE (client_id, day, revision),
  constraint credit_entries_client_id_fkey FOREIGN KEY (client_id) REFERENCES tenantry.billing_accounts(id),
  constraint credit_entries_client_id_reference_key UNIQUE (client_id, reference),
  constraint credit_entries_day_has_revision CHECK (((day IS NULL) = (revision IS NULL))),
  constraint credit_entries_kind_check CHECK ((kind = ANY (ARRAY['purchase'::text, 'payment'::text, 'consumption'::text, 'correction'::text]))),
  constraint credit_entries_kind_fits CHECK (
CASE kind
    WHEN 'consumption'::text THEN ((amount_micros < 0) AND (NOT (revision IS DISTINCT FROM 0)))
    WHEN 'correction'::text THEN (revision IS DISTINCT FROM 0)
    ELSE ((amount_micros > 0) AND (day IS NULL))
END),
  constraint credit_entries_pkey PRIMARY KEY (id),
  constraint credit_entries_reference_check CHECK (((length(reference) >= 1) AND (length(reference) <= 255))),
  constraint credit_entries_revision_check CHECK ((revision >= 0))
);
alter table tenantry.credit_entries enable row level security;

create table tenantry.credit_pools (
  client_id uuid not null,
  lifetime_purchased bigint default 0 not null,
  lifetime_consumed bigint default 0 not null,
  prepaid boolean default false not null,
  warn_below_micros bigint default 10000000 not null,
  delete_when_exhausted boolean default false not null,
  state text default 'ok'::text not null,
  state_since timestamp with time zone default now() not null,
  state_deadline timestamp with time zone,
  final_backup_job uuid,
  deletion_requested_at timestamp with time zone,
  version integer default 1 not null,
  updated_at timestamp with time zone default now() not null,
  constraint credit_pools_client_id_fkey FOREIGN KEY (client_id) REFERENCES tenantry.billing_accounts(id),
  constraint credit_pools_deletion_is_due CHECK (((deletion_requested_at IS NULL) OR ((state = 'deletion_due'::text) AND (deletion_requested_at >= state_deadline)))),
  constraint credit_pools_final_backup_job_fkey FOREIGN KEY (final_backup_job) REFERENCES tenantry.jobs(id) ON DELETE SET NULL,
  constraint credit_pools_lifetime_consumed_check CHECK (((lifetime_consumed >= 0) AND (lifetime_consumed <= '9000000000000000'::bigint))),
  constraint credit_pools_lifetime_purchased_check CHECK (((lifetime_purchased >= 0) AND (lifetime_purchased <= '9000000000000000'::bigint))),
  constraint credit_pools_pkey PRIMARY KEY (client_id),
  constraint credit_pools_state_check CHECK ((state = ANY (ARRAY['ok'::text, 'warn'::text, 'grace'::text, 'frozen'::text, 'final_backup'::text, 'deletion_due'::text]))),
  constraint credit_pools_state_has_deadline CHECK (((state = ANY (ARRAY['ok'::text, 'warn'::text])) = (state_deadline IS NULL))),
  constraint credit_pools_warn_below_micros_check CHECK (((warn_below_micros >= 0) AND (warn_below_micros <= '9000000000000000'::bigint)))
);
alter table tenantry.credit_pools enable row level security;

create table tenantry.dashboard_users (
  id uuid default gen_random_uuid() not null,
  email text not null,
  name text default ''::text not null,
  role text not null,
  partner_id uuid,
  created_at timestamp with time zone default now() not null,
  environment text default tenantry.caller_environment() not null,
  owner text,
  managed_by text default 'git'::text not null,
  version integer default 1 not null,
  updated_at timestamp with time zone default now() not null,
  cf_access_identity jsonb,
  constraint dashboard_users_email_check CHECK ((email = lower(email))),
  constraint dashboard_users_environment_check CHECK ((environment = ANY (ARRAY['production'::text, 'staging'::text, 'development'::text]))),
  constraint dashboard_users_environment_email_key UNIQUE (environment, email) INCLUDE (role),
  constraint dashboard_users_managed_by_check CHECK ((managed_by = ANY (ARRAY['git'::text, 'dashboard'::text]))),
  constraint dashboard_users_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES tenantry.partners(id) ON DELETE CASCADE,
  constraint dashboard_users_partner_root_has_partner CHECK (((role = 'PARTNER_ROOT'::text) = (partner_id IS NOT NULL))),
  constraint dashboard_users_pkey PRIMARY KEY (id),
  constraint dashboard_users_role_check CHECK ((role = ANY (ARRAY['ROOT'::text, 'PARTNER_ROOT'::text])))
);
alter table tenantry.dashboard_users enable row level security;

create table tenantry.doors (
  id uuid default gen_random_uuid() not null,
  instance_id uuid not null,
  kind text not null,
  name text not null,
  state text default 'active'::text not null,
  key_hash bytea not null,
  key_hint text not null,
  former_key_hash bytea,
  former_key_until timestamp with time zone,
  secrets bytea not null,
  secret_names text[] not null,
  former_secrets bytea,
  former_until timestamp with time zone,
  created_by text not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  rotated_at timestamp with time zone,
  last_used_at timestamp with time zone,
  version integer default 1 not null,
  managed_by text default 'dashboard'::text not null,
  owner text,
  last_refused_at timestamp with time zone,
  last_refusal text,
  constraint doors_check CHECK (((former_key_hash IS NULL) = (former_key_until IS NULL))),
  constraint doors_check1 CHECK (((former_secrets IS NULL) = (former_until IS NULL))),
  constraint doors_former_key_hash_check CHECK ((octet_length(former_key_hash) = 32)),
  constraint doors_former_key_hash_key UNIQUE (former_key_hash),
  constraint doors_former_secrets_check CHECK (((octet_length(former_secrets) >= 33) AND (octet_length(former_secrets) <= 65536))),
  constraint doors_instance_id_fkey FOREIGN KEY (instance_id) REFERENCES tenantry.instances(id) ON DELETE CASCADE,
  constraint doors_instance_id_name_key UNIQUE (instance_id, name),
  constraint doors_key_hash_check CHECK ((octet_length(key_hash) = 32)),
  constraint doors_key_hash_key UNIQUE (key_hash),
  constraint doors_key_hint_check CHECK ((length(key_hint) = 4)),
  constraint doors_kind_is_a_word CHECK ((kind ~ '^[a-z][a-z0-9-]{0,39}$'::text)),
  constraint doors_last_refusal_is_a_word CHECK ((last_refusal ~ '^[A-Za-z_]{1,40}$'::text)),
  constraint doors_managed_by_check CHECK ((managed_by = ANY (ARRAY['git'::text, 'dashboard'::text]))),
  constraint doors_name_is_a_label CHECK (((name ~ '^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$'::text) AND ((kind = 'openclaw'::text) OR (name <> ALL (ARRAY['agent'::text, 'wake'::text]))))),
  constraint doors_pkey PRIMARY KEY (id),
  constraint doors_secrets_check CHECK (((octet_length(secrets) >= 33) AND (octet_length(secrets) <= 65536))),
  constraint doors_state_check CHECK ((state = ANY (ARRAY['active'::text, 'disabled'::text])))
);
alter table tenantry.doors enable row level security;

create table tenantry.egress_secrets (
  id uuid default gen_random_uuid() not null,
  instance_id uuid not null,
  name text not null,
  host text not null,
  header text not null,
  credentials bytea not null,
  created_by text not null,
  created_at timestamp with time zone default now() not null,
  constraint egress_secrets_credentials_check CHECK (((octet_length(credentials) >= 33) AND (octet_length(credentials) <= 65536))),
  constraint egress_secrets_header_check CHECK (((header = lower(header)) AND ((length(header) >= 1) AND (length(header) <= 80)))),
  constraint egress_secrets_host_check CHECK (((host = lower(host)) AND ((length(host) >= 1) AND (length(host) <= 253)))),
  constraint egress_secrets_instance_id_fkey FOREIGN KEY (instance_id) REFERENCES tenantry.instances(id) ON DELETE CASCADE,
  constraint egress_secrets_instance_id_host_header_key UNIQUE (instance_id, host, header),
  constraint egress_secrets_instance_id_name_key UNIQUE (instance_id, name),
  constraint egress_secrets_name_check CHECK (((length(name) >= 1) AND (length(name) <= 80))),
  constraint egress_secrets_pkey PRIMARY KEY (id)
);
alter table tenantry.egress_secrets enable row level security;

create table tenantry.ended_service_tokens (
  access_client_id text not null,
  access_token_id text not null,
  environment text not null,
  ended_at timestamp with time zone default now() not null,
  constraint ended_service_tokens_environment_check CHECK ((environment = ANY (ARRAY['production'::text, 'staging'::text, 'development'::text]))),
  constraint ended_service_tokens_pkey PRIMARY KEY (access_client_id)
);
alter table tenantry.ended_service_tokens enable row level security;

create table tenantry.erasures (
  id uuid default gen_random_uuid() not null,
  environment text default tenantry.caller_environment() not null,
  client_id uuid not null,
  partner_id uuid,
  slug text not null,
  name text not null,
  worker_name text,
  own_ai_gateway text,
  requested_by text not null,
  requested_at timestamp with time zone default now() not null,
  recipients text[] not null,
  began_at timestamp with time zone,
  bucket_objects bigint,
  bucket_bytes bigint,
  rows jsonb default '{}'::jsonb not null,
  erased_at timestamp with time zone,
  checked_at timestamp with time zone,
  checked_resources jsonb,
  constraint erasures_bucket_bytes_check CHECK ((bucket_bytes >= 0)),
  constraint erasures_bucket_is_whole CHECK (((bucket_objects IS NULL) = (bucket_bytes IS NULL))),
  constraint erasures_bucket_objects_check CHECK ((bucket_objects >= 0)),
  constraint erasures_check_is_whole CHECK (((checked_at IS NULL) = (checked_resources IS NULL))),
  constraint erasures_checked_resources_check CHECK ((jsonb_typeof(checked_resources) = 'array'::text)),
  constraint erasures_client_id_key UNIQUE (client_id),
  constraint erasures_environment_check CHECK ((environment = ANY (ARRAY['production'::text, 'staging'::text, 'development'::text]))),
  constraint erasures_pkey PRIMARY KEY (id),
  constraint erasures_recipients_check CHECK (((cardinality(recipients) >= 1) AND (cardinality(recipients) <= 1000))),
  constraint erasures_requested_by_check CHECK (((length(requested_by) >= 1) AND (length(requested_by) <= 320))),
  constraint erasures_rows_check CHECK ((jsonb_typeof(rows) = 'object'::text))
);
alter table tenantry.erasures enable row level security;

create table tenantry.events (
  id bigint generated always as identity not null,
  environment text default tenantry.caller_environment() not null,
  partner_id uuid,
  client_id uuid,
  kind text not null,
  data jsonb default '{}'::jsonb not null,
  at timestamp with time zone default now() not null,
  delivered_at timestamp with time zone,
  constraint events_client_id_fkey FOREIGN KEY (client_id) REFERENCES tenantry.clients(id) ON DELETE CASCADE,
  constraint events_environment_check CHECK ((environment = ANY (ARRAY['production'::text, 'staging'::text, 'development'::text]))),
  constraint events_kind_check CHECK ((kind ~ '^[a-z_]+\.[a-z_]+$'::text)),
  constraint events_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES tenantry.partners(id) ON DELETE CASCADE,
  constraint events_pkey PRIMARY KEY (id)
);
alter table tenantry.events enable row level security;

create table tenantry.findings (
  environment text default tenantry.caller_environment() not null,
  kind text not null,
  identity text not null,
  first_seen timestamp with time zone default now() not null,
  last_seen timestamp with time zone default now() not null,
  constraint findings_check CHECK ((last_seen >= first_seen)),
  constraint findings_environment_check CHECK ((environment = ANY (ARRAY['production'::text, 'staging'::text, 'development'::text]))),
  constraint findings_identity_check CHECK ((identity <> ''::text)),
  constraint findings_kind_check CHECK ((kind ~ '^[a-z_]+$'::text)),
  constraint findings_pkey PRIMARY KEY (environment, kind, identity)
);
alter table tenantry.findings enable row level security;

create table tenantry.idempotency_keys (
  environment text default tenantry.caller_environment() not null,
  caller uuid not null,
  key text not null,
  request_hash bytea not null,
  status integer,
  body jsonb,
  created_at timestamp with time zone default now() not null,
  constraint idempotency_keys_key_check CHECK (((length(key) >= 1) AND (length(key) <= 255))),
  constraint idempotency_keys_pkey PRIMARY KEY (caller, key)
);
alter table tenantry.idempotency_keys enable row level security;

create table tenantry.images (
  id uuid default gen_random_uuid() not null,
  environment text default tenantry.caller_environment() not null,
  reference text not null,
  gateway text not null,
  gateway_version text not null,
  note text default ''::text not null,
  is_default boolean default false not null,
  withdrawn_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  version integer default 1 not null,
  release_notes text default ''::text not null,
  constraint images_default_is_not_withdrawn CHECK ((NOT (is_default AND (withdrawn_at IS NOT NULL)))),
  constraint images_environment_check CHECK ((environment = ANY (ARRAY['production'::text, 'staging'::text, 'development'::text]))),
  constraint images_environment_reference_key UNIQUE (environment, reference),
  constraint images_gateway_check CHECK ((gateway <> ''::text)),
  constraint images_gateway_version_check CHECK ((gateway_version <> ''::text)),
  constraint images_pkey PRIMARY KEY (id),
  constraint images_reference_check CHECK ((reference ~ '^[^\s@]+@sha256:[0-9a-f]{64}$'::text)),
  constraint images_release_notes_check CHECK ((length(release_notes) <= 20000))
);
alter table tenantry.images enable row level security;

create table tenantry.incidents (
  id uuid default gen_random_uuid() not null,
  environment text default tenantry.caller_environment() not null,
  client_id uuid not null,
  instance_id uuid not null,
  kind text not null,
  cause text not null,
  remedy text not null,
  opened_at timestamp with time zone default now() not null,
  acknowledged_at timestamp with time zone,
  acknowledged_by text,
  closed_at timestamp with time zone,
  constraint incidents_acknowledged_by_someone CHECK (((acknowledged_at IS NULL) = (acknowledged_by IS NULL))),
  constraint incidents_check CHECK ((closed_at >= opened_at)),
  constraint incidents_client_id_fkey FOREIGN KEY (client_id) REFERENCES tenantry.clients(id) ON DELETE CASCADE,
  constraint incidents_environment_check CHECK ((environment = ANY (ARRAY['production'::text, 'staging'::text, 'development'::text]))),
  constraint incidents_instance_id_fkey FOREIGN KEY (instance_id) REFERENCES tenantry.instances(id) ON DELETE CASCADE,
  constraint incidents_kind_check CHECK ((kind ~ '^[a-z_]+$'::text)),
  constraint incidents_pkey PRIMARY KEY (id)
);
alter table tenantry.incidents enable row level security;

create table tenantry.instance_health_snapshots (
  instance_id uuid not null,
  startup_ok boolean not null,
  readiness_ok boolean not null,
  liveness_ok boolean not null,
  had_backup boolean not null,
  restored boolean not null,
  latency_ms integer not null,
  inserted_at timestamp with time zone default now() not null,
  constraint instance_health_snapshots_instance_id_fkey FOREIGN KEY (instance_id) REFERENCES tenantry.instances(id) ON DELETE CASCADE,
  constraint instance_health_snapshots_latency_ms_check CHECK ((latency_ms >= 0))
) partition by RANGE (inserted_at);
alter table tenantry.instance_health_snapshots enable row level security;

create table tenantry.instances (
  id uuid default gen_random_uuid() not null,
  client_id uuid not null,
  environment text not null,
  status text default 'provisioning'::text not null,
  managed_by text default 'git'::text not null,
  worker_name text not null,
  access_aud text,
  ai_gateway_id text,
  ai_gateway_pool_id uuid,
  created_at timestamp with time zone default now() not null,
  owner text,
  version integer default 1 not null,
  updated_at timestamp with time zone default now() not null,
  generation bigint default 1 not null,
  state_deadline timestamp with time zone,
  state_cause text,
  frozen_from text,
  token_version integer default 1 not null,
  held_pool_id uuid,
  image_id uuid,
  bundle_id uuid,
  is_pinned boolean default false not null,
  reported_gateway text,
  reported_gateway_version text,
  reported_bundle text,
  reported_at timestamp with time zone,
  unstarted_since timestamp with time zone,
  frozen_for text,
  frozen_by text,
  egress jsonb,
  egress_revision uuid,
  egress_pushed_at timestamp with time zone,
  egress_fault text,
  egress_last_error text,
  pinned_by text,
  pinned_by_kind text,
  pinned_at timestamp with time zone,
  constraint instances_ai_gateway_is_the_pool_entrys FOREIGN KEY (ai_gateway_pool_id, ai_gateway_id) REFERENCES tenantry.ai_gateways(id, gateway_id) ON UPDATE CASCADE,
  constraint instances_bundle_id_fkey FOREIGN KEY (bundle_id) REFERENCES tenantry.worker_bundles(id),
  constraint instances_client_id_fkey FOREIGN KEY (client_id) REFERENCES tenantry.clients(id),
  constraint instances_client_id_key UNIQUE (client_id) INCLUDE (id, environment, status, worker_name, access_aud),
  constraint instances_client_of_environment FOREIGN KEY (client_id, environment) REFERENCES tenantry.clients(id, environment),
  constraint instances_egress_fault_check CHECK ((egress_fault = 'push_failed'::text)),
  constraint instances_egress_fault_has_error CHECK (((egress_fault IS NULL) = (egress_last_error IS NULL))),
  constraint instances_egress_is_a_policy CHECK (((jsonb_typeof(egress) = 'object'::text) AND (egress ? 'mode'::text))),
  constraint instances_environment_check CHECK ((environment = ANY (ARRAY['production'::text, 'staging'::text, 'development'::text]))),
  constraint instances_frozen_for_check CHECK ((frozen_for = ANY (ARRAY['asked'::text, 'credit'::text, 'deletion'::text]))),
  constraint instances_held_pool_id_fkey FOREIGN KEY (held_pool_id) REFERENCES tenantry.ai_gateways(id),
  constraint instances_image_id_fkey FOREIGN KEY (image_id) REFERENCES tenantry.images(id),
  constraint instances_managed_by_check CHECK ((managed_by = ANY (ARRAY['git'::text, 'dashboard'::text]))),
  constraint instances_pkey PRIMARY KEY (id),
  constraint instances_pooled_gateway_is_named CHECK (((ai_gateway_pool_id IS NULL) OR (ai_gateway_id IS NOT NULL))),
  constraint instances_status_check CHECK ((status = ANY (ARRAY['provisioning'::text, 'running'::text, 'frozen'::text, 'stopped'::text, 'error'::text]))),
  constraint instances_token_version_check CHECK ((token_version > 0)),
  constraint instances_transient_state_has_deadline CHECK (((status = 'provisioning'::text) = (state_deadline IS NOT NULL))),
  constraint instances_worker_name_key UNIQUE (worker_name)
);
alter table tenantry.instances enable row level security;

create table tenantry.invoice_line_items (
  id uuid default gen_random_uuid() not null,
  invoice_id uuid not null,
  description text not null,
  quantity bigint not null,
  unit_price_micros bigint not null,
  "position" integer default 0 not null,
  kind text not null,
  plan text,
  metric text,
  per_units bigint not null,
  amount_micros bigint not null,
  constraint invoice_line_items_amount_micros_check CHECK (((amount_micros >= '-9000000000000000'::bigint) AND (amount_micros <= '9000000000000000'::bigint))),
  constraint invoice_line_items_invoice_id_fkey FOREIGN KEY (invoice_id) REFERENCES tenantry.invoices(id) ON DELETE CASCADE,
  constraint invoice_line_items_kind_check CHECK ((kind = ANY (ARRAY['flat_fee'::text, 'usage'::text, 'carried'::text, 'credit'::text, 'other'::text]))),
  constraint invoice_line_items_metric_is_of_usage CHECK (((kind = 'usage'::text) = (metric IS NOT NULL))),
  constraint invoice_line_items_per_units_check CHECK ((per_units > 0)),
  constraint invoice_line_items_pkey PRIMARY KEY (id),
  constraint invoice_line_items_plan_check CHECK ((plan = ANY (ARRAY['free'::text, 'basic'::text, 'pro'::text, 'enterprise'::text])))
);
alter table tenantry.invoice_line_items enable row level security;

create table tenantry.invoices (
  id uuid default gen_random_uuid() not null,
  client_id uuid not null,
  period_start date not null,
  period_end date not null,
  created_at timestamp with time zone default now() not null,
  currency text default 'USD'::text not null,
  status text default 'draft'::text not null,
  total_micros bigint default 0 not null,
  issued_at timestamp with time zone,
  ended_at timestamp with time zone,
  constraint invoices_check CHECK ((period_end > period_start)),
  constraint invoices_client_id_fkey FOREIGN KEY (client_id) REFERENCES tenantry.billing_accounts(id),
  constraint invoices_currency_check CHECK ((currency = 'USD'::text)),
  constraint invoices_ended CHECK (((status = ANY (ARRAY['paid'::text, 'void'::text])) = (ended_at IS NOT NULL))),
  constraint invoices_issued CHECK (((status = 'draft'::text) = (issued_at IS NULL))),
  constraint invoices_pkey PRIMARY KEY (id),
  constraint invoices_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'issued'::text, 'paid'::text, 'void'::text]))),
  constraint invoices_total_micros_check CHECK (((total_micros >= '-9000000000000000'::bigint) AND (total_micros <= '9000000000000000'::bigint)))
);
alter table tenantry.invoices enable row level security;

create table tenantry.job_events (
  id bigint generated always as identity not null,
  job_id uuid not null,
  at timestamp with time zone default now() not null,
  kind text not null,
  message text default ''::text not null,
  data jsonb default '{}'::jsonb not null,
  constraint job_events_job_id_fkey FOREIGN KEY (job_id) REFERENCES tenantry.jobs(id) ON DELETE CASCADE,
  constraint job_events_pkey PRIMARY KEY (id)
);
alter table tenantry.job_events enable row level security;

create table tenantry.jobs (
  id uuid default gen_random_uuid() not null,
  environment text default tenantry.caller_environment() not null,
  kind text not null,
  client_id uuid,
  instance_id uuid,
  slug text not null,
  generation bigint,
  status text default 'queued'::text not null,
  payload jsonb default '{}'::jsonb not null,
  cause text,
  attempts integer default 0 not null,
  requested_by text not null,
  created_at timestamp with time zone default now() not null,
  started_at timestamp with time zone,
  ended_at timestamp with time zone,
  deadline timestamp with time zone default (now() + '01:00:00'::interval) not null,
  progress smallint default 0 not null,
  not_before timestamp with time zone,
  constraint jobs_attempts_check CHECK ((attempts >= 0)),
  constraint jobs_client_id_fkey FOREIGN KEY (client_id) REFERENCES tenantry.clients(id) ON DELETE SET NULL,
  constraint jobs_ended CHECK (((status = ANY (ARRAY['succeeded'::text, 'failed'::text, 'cancelled'::text])) = (ended_at IS NOT NULL))),
  constraint jobs_environment_check CHECK ((environment = ANY (ARRAY['production'::text, 'staging'::text, 'development'::text]))),
  constraint jobs_instance_id_fkey FOREIGN KEY (instance_id) REFERENCES tenantry.instances(id) ON DELETE SET NULL,
  constraint jobs_kind_check CHECK ((kind = ANY (ARRAY['provision'::text, 'deprovision'::text, 'change_plan'::text, 'freeze'::text, 'resume'::text, 'assign_gateway'::text, 'rotate_token'::text, 'delete_client'::text, 'invalidate'::text, 'final_backup'::text, 'restore_backup'::text, 'adopt_version'::text, 'redeploy'::text, 'push_channels'::text, 'push_provider_keys'::text, 'push_egress'::text]))),
  constraint jobs_pkey PRIMARY KEY (id),
  constraint jobs_progress_check CHECK (((progress >= 0) AND (progress <= 100))),
  constraint jobs_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'running'::text, 'succeeded'::text, 'failed'::text, 'cancelled'::text])))
);
alter table tenantry.jobs enable row level security;

create table tenantry.mail_attempts (
  mail_id uuid not null,
  attempt integer not null,
  started_at timestamp with time zone default now() not null,
  ended_at timestamp with time zone,
  outcome text,
  answer text,
  constraint mail_attempts_attempt_check CHECK ((attempt > 0)),
  constraint mail_attempts_mail_id_fkey FOREIGN KEY (mail_id) REFERENCES tenantry.mails(id) ON DELETE CASCADE,
  constraint mail_attempts_outcome_check CHECK ((outcome = ANY (ARRAY['sent'::text, 'bounced'::text, 'failed'::text]))),
  constraint mail_attempts_pkey PRIMARY KEY (mail_id, attempt)
);
alter table tenantry.mail_attempts enable row level security;

create table tenantry.mails (
  id uuid default gen_random_uuid() not null,
  environment text default tenantry.caller_environment() not null,
  kind text not null,
  recipient text not null,
  client_id uuid,
  client_user_id uuid,
  data jsonb default '{}'::jsonb not null,
  status text default 'queued'::text not null,
  created_at timestamp with time zone default now() not null,
  ended_at timestamp with time zone,
  requested_by uuid,
  constraint mails_client_id_fkey FOREIGN KEY (client_id) REFERENCES tenantry.clients(id) ON DELETE CASCADE,
  constraint mails_client_user_id_fkey FOREIGN KEY (client_user_id) REFERENCES tenantry.client_users(id) ON DELETE SET NULL,
  constraint mails_ended CHECK (((status = 'queued'::text) = (ended_at IS NULL))),
  constraint mails_environment_check CHECK ((environment = ANY (ARRAY['production'::text, 'staging'::text, 'development'::text]))),
  constraint mails_kind_check CHECK ((kind ~ '^[a-z_]+$'::text)),
  constraint mails_pkey PRIMARY KEY (id),
  constraint mails_recipient_check CHECK ((recipient = lower(recipient))),
  constraint mails_requested_by_fkey FOREIGN KEY (requested_by) REFERENCES tenantry.dashboard_users(id) ON DELETE SET NULL,
  constraint mails_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'sent'::text, 'bounced'::text, 'failed'::text])))
);
alter table tenantry.mails enable row level security;

create table tenantry.notification_deliveries (
  id uuid default gen_random_uuid() not null,
  notification_id uuid not null,
  client_user_id uuid not null,
  channel text not null,
  state text not null,
  mail_id uuid,
  attempts integer default 0 not null,
  answer text,
  created_at timestamp with time zone default now() not null,
  ended_at timestamp with time zone,
  constraint notification_deliveries_attempts_check CHECK ((attempts >= 0)),
  constraint notification_deliveries_channel_check CHECK ((channel = ANY (ARRAY['mail'::text, 'webhook'::text]))),
  constraint notification_deliveries_client_user_id_fkey FOREIGN KEY (client_user_id) REFERENCES tenantry.client_users(id) ON DELETE CASCADE,
  constraint notification_deliveries_ended CHECK (((state = ANY (ARRAY['waiting'::text, 'queued'::text])) = (ended_at IS NULL))),
  constraint notification_deliveries_mail_check CHECK (((channel = 'mail'::text) OR (mail_id IS NULL))),
  constraint notification_deliveries_mail_id_fkey FOREIGN KEY (mail_id) REFERENCES tenantry.mails(id) ON DELETE SET NULL,
  constraint notification_deliveries_notification_id_fkey FOREIGN KEY (notification_id) REFERENCES tenantry.notifications(id) ON DELETE CASCADE,
  constraint notification_deliveries_once UNIQUE (notification_id, client_user_id, channel),
  constraint notification_deliveries_pkey PRIMARY KEY (id),
  constraint notification_deliveries_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'queued'::text, 'sent'::text, 'failed'::text, 'dropped'::text])))
);
alter table tenantry.notification_deliveries enable row level security;

create table tenantry.notification_settings (
  client_user_id uuid not null,
  choices jsonb default '{}'::jsonb not null,
  webhook_host text,
  credentials bytea,
  failing_since timestamp with time zone,
  disabled_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  version integer default 1 not null,
  constraint notification_settings_choices_check CHECK ((jsonb_typeof(choices) = 'object'::text)),
  constraint notification_settings_client_user_id_fkey FOREIGN KEY (client_user_id) REFERENCES tenantry.client_users(id) ON DELETE CASCADE,
  constraint notification_settings_credentials_check CHECK (((octet_length(credentials) >= 33) AND (octet_length(credentials) <= 65536))),
  constraint notification_settings_disabled_fails CHECK (((disabled_at IS NULL) OR (failing_since IS NOT NULL))),
  constraint notification_settings_fault_has_webhook CHECK (((webhook_host IS NOT NULL) OR ((failing_since IS NULL) AND (disabled_at IS NULL)))),
  constraint notification_settings_pkey PRIMARY KEY (client_user_id),
  constraint notification_settings_webhook_host_check CHECK (((length(webhook_host) >= 1) AND (length(webhook_host) <= 260))),
  constraint notification_settings_webhook_is_whole CHECK (((webhook_host IS NULL) = (credentials IS NULL)))
);
alter table tenantry.notification_settings enable row level security;

create table tenantry.notification_unsubscribes (
  token_hash bytea not null,
  client_user_id uuid not null,
  kinds text[] not null,
  created_at timestamp with time zone default now() not null,
  constraint notification_unsubscribes_client_user_id_fkey FOREIGN KEY (client_user_id) REFERENCES tenantry.client_users(id) ON DELETE CASCADE,
  constraint notification_unsubscribes_kinds_check CHECK ((cardinality(kinds) > 0)),
  constraint notification_unsubscribes_pkey PRIMARY KEY (token_hash),
  constraint notification_unsubscribes_token_hash_check CHECK ((octet_length(token_hash) = 32))
);
alter table tenantry.notification_unsubscribes enable row level security;

create table tenantry.notifications (
  id uuid default gen_random_uuid() not null,
  environment text not null,
  client_id uuid not null,
  client_user_id uuid,
  kind text not null,
  subject text not null,
  data jsonb default '{}'::jsonb not null,
  occurred_at timestamp with time zone default now() not null,
  distributed_at timestamp with time zone,
  constraint notifications_client_id_fkey FOREIGN KEY (client_id) REFERENCES tenantry.clients(id) ON DELETE CASCADE,
  constraint notifications_client_id_kind_subject_key UNIQUE (client_id, kind, subject),
  constraint notifications_client_user_id_fkey FOREIGN KEY (client_user_id) REFERENCES tenantry.client_users(id) ON DELETE CASCADE,
  constraint notifications_environment_check CHECK ((environment = ANY (ARRAY['production'::text, 'staging'::text, 'development'::text]))),
  constraint notifications_kind_check CHECK ((kind ~ '^[a-z_]+$'::text)),
  constraint notifications_pkey PRIMARY KEY (id),
  constraint notifications_subject_check CHECK (((length(subject) >= 1) AND (length(subject) <= 200)))
);
alter table tenantry.notifications enable row level security;

create table tenantry.partner_domains (
  id uuid default gen_random_uuid() not null,
  partner_id uuid not null,
  hostname text not null,
  verified_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  constraint partner_domains_hostname_check CHECK (((length(hostname) <= 253) AND (hostname = lower(hostname)))),
  constraint partner_domains_hostname_key UNIQUE (hostname),
  constraint partner_domains_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES tenantry.partners(id) ON DELETE CASCADE,
  constraint partner_domains_pkey PRIMARY KEY (id)
);
alter table tenantry.partner_domains enable row level security;

create table tenantry.partners (
  id uuid default gen_random_uuid() not null,
  slug text not null,
  name text not null,
  style jsonb default '{}'::jsonb not null,
  created_at timestamp with time zone default now() not null,
  environment text default tenantry.caller_environment() not null,
  owner text,
  managed_by text default 'git'::text not null,
  version integer default 1 not null,
  updated_at timestamp with time zone default now() not null,
  logo_key text,
  logo_type text,
  egress jsonb,
  constraint partners_egress_is_a_policy CHECK (((jsonb_typeof(egress) = 'object'::text) AND (egress ? 'mode'::text))),
  constraint partners_environment_check CHECK ((environment = ANY (ARRAY['production'::text, 'staging'::text, 'development'::text]))),
  constraint partners_environment_slug_key UNIQUE (environment, slug),
  constraint partners_logo_is_whole CHECK (((logo_key IS NULL) = (logo_type IS NULL))),
  constraint partners_logo_type_check CHECK ((logo_type = ANY (ARRAY['image/png'::text, 'image/jpeg'::text, 'image/webp'::text, 'image/svg+xml'::text]))),
  constraint partners_managed_by_check CHECK ((managed_by = ANY (ARRAY['git'::text, 'dashboard'::text]))),
  constraint partners_pkey PRIMARY KEY (id)
);
alter table tenantry.partners enable row level security;

create table tenantry.past_invitations (
  token_hash bytea not null,
  client_user_id uuid not null,
  withdrawn boolean not null,
  constraint past_invitations_client_user_id_fkey FOREIGN KEY (client_user_id) REFERENCES tenantry.client_users(id) ON DELETE CASCADE,
  constraint past_invitations_pkey PRIMARY KEY (token_hash)
);
alter table tenantry.past_invitations enable row level security;

create table tenantry.platform_versions (
  environment text default tenantry.caller_environment() not null,
  version text not null,
  owner text,
  deployed_at timestamp with time zone default now() not null,
  constraint platform_versions_environment_check CHECK ((environment = ANY (ARRAY['production'::text, 'staging'::text, 'development'::text]))),
  constraint platform_versions_pkey PRIMARY KEY (environment),
  constraint platform_versions_version_check CHECK ((version ~ '^\d+\.\d+\.\d+$'::text))
);
alter table tenantry.platform_versions enable row level security;

create table tenantry.prices (
  id uuid default gen_random_uuid() not null,
  environment text default tenantry.caller_environment() not null,
  plan text not null,
  metric text not null,
  unit text not null,
  per_units bigint not null,
  micros bigint not null,
  valid_from date not null,
  created_at timestamp with time zone default now() not null,
  constraint prices_environment_check CHECK ((environment = ANY (ARRAY['production'::text, 'staging'::text, 'development'::text]))),
  constraint prices_environment_plan_metric_valid_from_key UNIQUE (environment, plan, metric, valid_from),
  constraint prices_flat_fee_is_a_months CHECK (((metric <> 'flat_fee'::text) OR (per_units = 1))),
  constraint prices_metric_check CHECK ((metric = ANY (ARRAY['flat_fee'::text, 'ai_queries'::text, 'ai_spend'::text, 'container_activity'::text, 'container_uptime'::text, 'object_storage_bandwidth'::text, 'websocket_sessions'::text]))),
  constraint prices_micros_check CHECK (((micros >= 0) AND (micros <= '9000000000000000'::bigint))),
  constraint prices_per_units_check CHECK (((per_units >= 1) AND (per_units <= '9000000000000000'::bigint))),
  constraint prices_pkey PRIMARY KEY (id),
  constraint prices_plan_check CHECK ((plan = ANY (ARRAY['free'::text, 'basic'::text, 'pro'::text, 'enterprise'::text])))
);
alter table tenantry.prices enable row level security;

create table tenantry.provider_keys (
  id uuid default gen_random_uuid() not null,
  instance_id uuid not null,
  provider text not null,
  credentials bytea not null,
  key_hint text not null,
  created_by text not null,
  created_at timestamp with time zone default now() not null,
  pushed_at timestamp with time zone,
  last_used_at timestamp with time zone,
  fault text,
  last_error text,
  last_error_at timestamp with time zone,
  constraint provider_keys_check CHECK ((((fault IS NULL) = (last_error IS NULL)) AND ((fault IS NULL) = (last_error_at IS NULL)))),
  constraint provider_keys_credentials_check CHECK (((octet_length(credentials) >= 33) AND (octet_length(credentials) <= 65536))),
  constraint provider_keys_fault_check CHECK ((fault = ANY (ARRAY['push_failed'::text, 'rejected'::text, 'quota_exceeded'::text, 'rate_limited'::text]))),
  constraint provider_keys_instance_id_fkey FOREIGN KEY (instance_id) REFERENCES tenantry.instances(id) ON DELETE CASCADE,
  constraint provider_keys_instance_id_provider_key UNIQUE (instance_id, provider),
  constraint provider_keys_key_hint_check CHECK ((length(key_hint) = 4)),
  constraint provider_keys_pkey PRIMARY KEY (id),
  constraint provider_keys_provider_is_a_word CHECK ((provider ~ '^[a-z][a-z0-9-]{0,39}$'::text))
);
alter table tenantry.provider_keys enable row level security;

create table tenantry.restores (
  environment text not null,
  restored_at timestamp with time zone default now() not null,
  dumped_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  constraint restores_environment_check CHECK ((environment = ANY (ARRAY['production'::text, 'staging'::text, 'development'::text]))),
  constraint restores_pkey PRIMARY KEY (environment, restored_at)
);
alter table tenantry.restores enable row level security;

create table tenantry.rollout_tenants (
  rollout_id uuid not null,
  instance_id uuid not null,
  wave smallint not null,
  status text default 'waiting'::text not null,
  from_image_id uuid,
  from_bundle_id uuid,
  backup_id text,
  not_before timestamp with time zone,
  changed_at timestamp with time zone,
  job_id uuid,
  cause text,
  constraint rollout_tenants_from_bundle_id_fkey FOREIGN KEY (from_bundle_id) REFERENCES tenantry.worker_bundles(id),
  constraint rollout_tenants_from_image_id_fkey FOREIGN KEY (from_image_id) REFERENCES tenantry.images(id),
  constraint rollout_tenants_instance_id_fkey FOREIGN KEY (instance_id) REFERENCES tenantry.instances(id) ON DELETE CASCADE,
  constraint rollout_tenants_job_id_fkey FOREIGN KEY (job_id) REFERENCES tenantry.jobs(id) ON DELETE SET NULL,
  constraint rollout_tenants_pkey PRIMARY KEY (rollout_id, instance_id),
  constraint rollout_tenants_rollout_id_fkey FOREIGN KEY (rollout_id) REFERENCES tenantry.rollouts(id) ON DELETE CASCADE,
  constraint rollout_tenants_status_check CHECK ((status = ANY (ARRAY['waiting'::text, 'announced'::text, 'changing'::text, 'done'::text, 'failed'::text, 'going_back'::text, 'gone_back'::text, 'stuck'::text, 'skipped'::text]))),
  constraint rollout_tenants_wave_check CHECK ((wave >= 0))
);
alter table tenantry.rollout_tenants enable row level security;

create table tenantry.rollouts (
  id uuid default gen_random_uuid() not null,
  environment text default tenantry.caller_environment() not null,
  image_id uuid,
  bundle_id uuid,
  waves smallint[] not null,
  soak_minutes integer not null,
  notice_hours integer not null,
  is_urgent boolean default false not null,
  status text default 'running'::text not null,
  wave smallint default 0 not null,
  cause text,
  requested_by text not null,
  former_image_id uuid,
  former_bundle_id uuid,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  ended_at timestamp with time zone,
  version integer default 1 not null,
  succeeded_at timestamp with time zone,
  constraint rollouts_bundle_id_fkey FOREIGN KEY (bundle_id) REFERENCES tenantry.worker_bundles(id),
  constraint rollouts_ended CHECK (((status = ANY (ARRAY['succeeded'::text, 'failed'::text, 'stopped'::text, 'rolled_back'::text])) = (ended_at IS NOT NULL))),
  constraint rollouts_environment_check CHECK ((environment = ANY (ARRAY['production'::text, 'staging'::text, 'development'::text]))),
  constraint rollouts_former_bundle_id_fkey FOREIGN KEY (former_bundle_id) REFERENCES tenantry.worker_bundles(id),
  constraint rollouts_former_image_id_fkey FOREIGN KEY (former_image_id) REFERENCES tenantry.images(id),
  constraint rollouts_image_id_fkey FOREIGN KEY (image_id) REFERENCES tenantry.images(id),
  constraint rollouts_notice_hours_check CHECK (((notice_hours >= 0) AND (notice_hours <= 336))),
  constraint rollouts_of_something CHECK ((num_nonnulls(image_id, bundle_id) > 0)),
  constraint rollouts_pkey PRIMARY KEY (id),
  constraint rollouts_soak_minutes_check CHECK (((soak_minutes >= 0) AND (soak_minutes <= 10080))),
  constraint rollouts_status_check CHECK ((status = ANY (ARRAY['running'::text, 'paused'::text, 'rolling_back'::text, 'succeeded'::text, 'failed'::text, 'stopped'::text, 'rolled_back'::text]))),
  constraint rollouts_waves_check CHECK ((((cardinality(waves) >= 1) AND (cardinality(waves) <= 20)) AND (waves[cardinality(waves)] = 100)))
);
alter table tenantry.rollouts enable row level security;

create table tenantry.schema_version (
  singleton boolean default true not null,
  version text not null,
  compatible_from text not null,
  applied_at timestamp with time zone default now() not null,
  constraint schema_version_compatible_from_check CHECK ((compatible_from ~ '^\d+\.\d+\.\d+$'::text)),
  constraint schema_version_pkey PRIMARY KEY (singleton),
  constraint schema_version_singleton_check CHECK (singleton),
  constraint schema_version_version_check CHECK ((version ~ '^\d+\.\d+\.\d+$'::text))
);
alter table tenantry.schema_version enable row level security;

create table tenantry.service_tokens (
  id uuid default gen_random_uuid() not null,
  environment text not null,
  client_id uuid not null,
  client_user_id uuid not null,
  name text not null,
  role text not null,
  created_by text not null,
  created_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone not null,
  last_used_at timestamp with time zone,
  access_token_id text not null,
  access_client_id text not null,
  constraint service_tokens_access_client_id_check CHECK (((access_client_id = lower(access_client_id)) AND (strpos(access_client_id, '@'::text) = 0))),
  constraint service_tokens_access_client_id_key UNIQUE (access_client_id),
  constraint service_tokens_access_token_id_key UNIQUE (access_token_id),
  constraint service_tokens_client_id_fkey FOREIGN KEY (client_id) REFERENCES tenantry.clients(id) ON DELETE CASCADE,
  constraint service_tokens_client_user_id_fkey FOREIGN KEY (client_user_id) REFERENCES tenantry.client_users(id) ON DELETE CASCADE,
  constraint service_tokens_client_user_id_name_key UNIQUE (client_user_id, name),
  constraint service_tokens_environment_check CHECK ((environment = ANY (ARRAY['production'::text, 'staging'::text, 'development'::text]))),
  constraint service_tokens_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100))),
  constraint service_tokens_pkey PRIMARY KEY (id),
  constraint service_tokens_role_check CHECK ((role = ANY (ARRAY['ADMIN'::text, 'BASE_USER'::text])))
);
alter table tenantry.service_tokens enable row level security;

create table tenantry.usage_daily (
  client_id uuid not null,
  day date not null,
  metric text not null,
  quantity bigint not null,
  computed_at timestamp with time zone not null,
  constraint usage_daily_client_id_fkey FOREIGN KEY (client_id) REFERENCES tenantry.billing_accounts(id),
  constraint usage_daily_metric_check CHECK ((metric = ANY (ARRAY['ai_queries'::text, 'ai_spend'::text, 'container_activity'::text, 'container_uptime'::text, 'object_storage_bandwidth'::text, 'websocket_sessions'::text]))),
  constraint usage_daily_pkey PRIMARY KEY (client_id, day, metric),
  constraint usage_daily_quantity_check CHECK ((quantity >= 0))
);
alter table tenantry.usage_daily enable row level security;

create table tenantry.users (
  id uuid default gen_random_uuid() not null,
  environment text default tenantry.caller_environment() not null,
  partner_id uuid,
  email text not null,
  name text default ''::text not null,
  cf_access_identity jsonb,
  version integer default 1 not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  role text default 'BASE_USER'::text not null,
  constraint users_email_check CHECK ((email = lower(email))),
  constraint users_environment_check CHECK ((environment = ANY (ARRAY['production'::text, 'staging'::text, 'development'::text]))),
  constraint users_environment_partner_id_email_key UNIQUE NULLS NOT DISTINCT (environment, partner_id, email),
  constraint users_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES tenantry.partners(id) ON DELETE CASCADE,
  constraint users_pkey PRIMARY KEY (id),
  constraint users_role_check CHECK ((role = ANY (ARRAY['ADMIN'::text, 'BASE_USER'::text])))
);
alter table tenantry.users enable row level security;

create table tenantry.worker_bundles (
  id uuid default gen_random_uuid() not null,
  environment text default tenantry.caller_environment() not null,
  content_hash text not null,
  release text not null,
  content bytea not null,
  is_default boolean default false not null,
  withdrawn_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  version integer default 1 not null,
  constraint worker_bundles_content_hash_check CHECK ((content_hash ~ '^[0-9a-f]{64}$'::text)),
  constraint worker_bundles_default_is_not_withdrawn CHECK ((NOT (is_default AND (withdrawn_at IS NOT NULL)))),
  constraint worker_bundles_environment_check CHECK ((environment = ANY (ARRAY['production'::text, 'staging'::text, 'development'::text]))),
  constraint worker_bundles_environment_content_hash_key UNIQUE (environment, content_hash),
  constraint worker_bundles_pkey PRIMARY KEY (id)
);
alter table tenantry.worker_bundles enable row level security;

CREATE INDEX analytics_events_latest ON tenantry.analytics_events USING btree (instance_id, name, observed_at DESC);

CREATE INDEX audit_log_client_id ON tenantry.audit_log USING btree (client_id, id DESC);

CREATE INDEX audit_log_entity ON tenantry.audit_log USING btree (entity, entity_id, id DESC);

CREATE INDEX audit_log_list ON tenantry.audit_log USING btree (environment, id DESC);

CREATE INDEX audit_log_partner_id ON tenantry.audit_log USING btree (partner_id, id DESC);

CREATE INDEX billing_accounts_closed ON tenantry.billing_accounts USING btree (environment, closed_at);

CREATE INDEX billing_accounts_partner_id ON tenantry.billing_accounts USING btree (partner_id);

CREATE INDEX client_user_instances_instance_id ON tenantry.client_user_instances USING btree (instance_id);

CREATE INDEX client_user_subdivisions_subdivision_id ON tenantry.client_user_subdivisions USING btree (client_subdivision_id);

CREATE INDEX client_users_expiry ON tenantry.client_users USING btree (token_expires_at) WHERE (status = 'invited'::text);

CREATE INDEX client_users_list ON tenantry.client_users USING btree (client_id, created_at DESC, id);

CREATE INDEX client_users_user_id ON tenantry.client_users USING btree (user_id);

CREATE INDEX clients_delete_after ON tenantry.clients USING btree (delete_after) WHERE (delete_after IS NOT NULL);

CREATE INDEX clients_list ON tenantry.clients USING btree (environment, created_at DESC, id);

CREATE INDEX clients_partner_id ON tenantry.clients USING btree (partner_id);

CREATE INDEX credit_entries_list ON tenantry.credit_entries USING btree (client_id, booked_at DESC, id DESC);

CREATE INDEX credit_pools_deadline ON tenantry.credit_pools USING btree (state_deadline) WHERE ((state_deadline IS NOT NULL) AND (deletion_requested_at IS NULL));

CREATE INDEX credit_pools_final_backup_job ON tenantry.credit_pools USING btree (final_backup_job) WHERE (final_backup_job IS NOT NULL);

CREATE INDEX credit_pools_unsettled ON tenantry.credit_pools USING btree (client_id) WHERE ((deletion_requested_at IS NULL) AND ((tenantry.credit_level(prepaid, (lifetime_purchased - lifetime_consumed), warn_below_micros) <>
CASE
    WHEN (state = ANY (ARRAY['ok'::text, 'warn'::text])) THEN state
    ELSE 'used_up'::text
END) OR ((state = 'deletion_due'::text) AND (NOT delete_when_exhausted))));

CREATE INDEX dashboard_users_list ON tenantry.dashboard_users USING btree (environment, created_at DESC, id);

CREATE INDEX dashboard_users_partner_id ON tenantry.dashboard_users USING btree (partner_id);

CREATE INDEX erasures_requested_at ON tenantry.erasures USING btree (requested_at DESC, id DESC);

CREATE INDEX events_client_id ON tenantry.events USING btree (client_id, id);

CREATE INDEX events_list ON tenantry.events USING btree (environment, id);

CREATE INDEX events_partner_id ON tenantry.events USING btree (partner_id, id);

CREATE INDEX events_undelivered ON tenantry.events USING btree (environment, id) WHERE (delivered_at IS NULL);

CREATE INDEX idempotency_keys_created_at ON tenantry.idempotency_keys USING btree (created_at);

CREATE UNIQUE INDEX images_default ON tenantry.images USING btree (environment) WHERE is_default;

CREATE INDEX incidents_client_id ON tenantry.incidents USING btree (client_id, opened_at DESC, id DESC);

CREATE INDEX incidents_closed_at ON tenantry.incidents USING btree (closed_at) WHERE (closed_at IS NOT NULL);

CREATE INDEX incidents_instance_id ON tenantry.incidents USING btree (instance_id, opened_at DESC, id DESC);

CREATE INDEX incidents_list ON tenantry.incidents USING btree (environment, opened_at DESC, id DESC);

CREATE UNIQUE INDEX incidents_open ON tenantry.incidents USING btree (instance_id, kind) WHERE (closed_at IS NULL);

CREATE INDEX incidents_open_list ON tenantry.incidents USING btree (environment, opened_at DESC, id DESC) WHERE (closed_at IS NULL);

CREATE INDEX instance_health_snapshots_latest ON ONLY tenantry.instance_health_snapshots USING btree (instance_id, inserted_at DESC);

CREATE INDEX instances_ai_gateway_pool_id ON tenantry.instances USING btree (ai_gateway_pool_id);

CREATE INDEX instances_bundle_id ON tenantry.instances USING btree (bundle_id) WHERE (bundle_id IS NOT NULL);

CREATE INDEX instances_held_pool_id ON tenantry.instances USING btree (held_pool_id) WHERE (held_pool_id IS NOT NULL);

CREATE INDEX instances_image_id ON tenantry.instances USING btree (image_id) WHERE (image_id IS NOT NULL);

CREATE INDEX instances_list ON tenantry.instances USING btree (environment, id);

CREATE INDEX instances_transient ON tenantry.instances USING btree (state_deadline) WHERE (state_deadline IS NOT NULL);

CREATE INDEX instances_unstarted ON tenantry.instances USING btree (environment) WHERE (unstarted_since IS NOT NULL);

CREATE INDEX invoice_line_items_invoice_id ON tenantry.invoice_line_items USING btree (invoice_id);

CREATE INDEX invoices_client_id ON tenantry.invoices USING btree (client_id, period_start DESC, id DESC);

CREATE INDEX invoices_list ON tenantry.invoices USING btree (period_start DESC, id DESC);

CREATE UNIQUE INDEX invoices_period ON tenantry.invoices USING btree (client_id, period_start) WHERE (status <> 'void'::text);

CREATE INDEX job_events_job_id ON tenantry.job_events USING btree (job_id, id);

CREATE INDEX jobs_client_id ON tenantry.jobs USING btree (client_id, created_at DESC);

CREATE UNIQUE INDEX jobs_deletion ON tenantry.jobs USING btree (client_id) WHERE ((kind = 'delete_client'::text) AND (ended_at IS NULL));

CREATE INDEX jobs_ended_at ON tenantry.jobs USING btree (ended_at) WHERE (ended_at IS NOT NULL);

CREATE INDEX jobs_instance_id ON tenantry.jobs USING btree (instance_id, created_at DESC);

CREATE INDEX jobs_list ON tenantry.jobs USING btree (environment, created_at DESC, id);

CREATE INDEX jobs_open ON tenantry.jobs USING btree (deadline) WHERE (ended_at IS NULL);

CREATE INDEX jobs_slug ON tenantry.jobs USING btree (slug, created_at DESC);

CREATE INDEX mails_client_id ON tenantry.mails USING btree (client_id, created_at DESC);

CREATE INDEX mails_client_user_id ON tenantry.mails USING btree (client_user_id, created_at DESC);

CREATE INDEX mails_ended_at ON tenantry.mails USING btree (ended_at) WHERE (ended_at IS NOT NULL);

CREATE INDEX mails_queued ON tenantry.mails USING btree (created_at) WHERE (status = 'queued'::text);

CREATE INDEX mails_requested_by ON tenantry.mails USING btree (requested_by, created_at) WHERE (kind = 'invitation'::text);

CREATE INDEX notification_deliveries_client_user_id ON tenantry.notification_deliveries USING btree (client_user_id, created_at DESC, id DESC);

CREATE INDEX notification_deliveries_mail_id ON tenantry.notification_deliveries USING btree (mail_id) WHERE (mail_id IS NOT NULL);

CREATE INDEX notification_deliveries_open ON tenantry.notification_deliveries USING btree (created_at) WHERE (ended_at IS NULL);

CREATE INDEX notification_unsubscribes_client_user_id ON tenantry.notification_unsubscribes USING btree (client_user_id);

CREATE INDEX notification_unsubscribes_created_at ON tenantry.notification_unsubscribes USING btree (created_at);

CREATE INDEX notifications_client_user_id ON tenantry.notifications USING btree (client_user_id) WHERE (client_user_id IS NOT NULL);

CREATE INDEX notifications_occurred_at ON tenantry.notifications USING btree (occurred_at);

CREATE INDEX notifications_undistributed ON tenantry.notifications USING btree (environment, occurred_at) WHERE (distributed_at IS NULL);

CREATE INDEX partner_domains_partner_id ON tenantry.partner_domains USING btree (partner_id, created_at DESC, id);

CREATE INDEX partners_list ON tenantry.partners USING btree (environment, created_at DESC, id);

CREATE INDEX past_invitations_client_user_id ON tenantry.past_invitations USING btree (client_user_id);

CREATE INDEX rollout_tenants_instance_id ON tenantry.rollout_tenants USING btree (instance_id);

CREATE INDEX rollout_tenants_job_id ON tenantry.rollout_tenants USING btree (job_id) WHERE (job_id IS NOT NULL);

CREATE INDEX rollouts_list ON tenantry.rollouts USING btree (environment, created_at DESC, id);

CREATE UNIQUE INDEX rollouts_open ON tenantry.rollouts USING btree (environment) WHERE (ended_at IS NULL);

CREATE INDEX service_tokens_client_id ON tenantry.service_tokens USING btree (client_id, created_at DESC, id DESC);

CREATE INDEX usage_daily_by_day ON tenantry.usage_daily USING btree (metric, day);

CREATE INDEX users_list ON tenantry.users USING btree (environment, created_at DESC, id);

CREATE INDEX users_partner_id ON tenantry.users USING btree (partner_id);

CREATE UNIQUE INDEX worker_bundles_default ON tenantry.worker_bundles USING btree (environment) WHERE is_default;

CREATE OR REPLACE FUNCTION api.active_tenants(p_after uuid DEFAULT NULL::uuid, p_limit integer DEFAULT 500)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
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
$function$
;

CREATE OR REPLACE FUNCTION api.record_door_refusal(p_id uuid, p_reason text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
  update tenantry.doors d set last_refused_at = now(), last_refusal = p_reason
  from tenantry.instances i
  where d.id = p_id and i.id = d.instance_id and i.environment = tenantry.caller_environment()
    and (d.last_refused_at is null or d.last_refused_at < now() - interval '1 minute')
$function$
;

CREATE OR REPLACE FUNCTION api.resolve_door(p_key_hash text)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
  with given as (
    select case when p_key_hash ~ '^[0-9a-f]{64}$' then decode(p_key_hash, 'hex') end as hash
  ), found as (
    select d.id, d.kind, d.name, d.state, c.slug,
      translate(encode(d.secrets, 'base64'), E'\n', '') as secrets,
      case when d.former_until > now() then translate(encode(d.former_secrets, 'base64'), E'\n', '') end as former_secrets
    from given g
    join tenantry.doors d on d.key_hash = g.hash or (d.former_key_hash = g.hash and d.former_key_until > now())
    join tenantry.instances i on i.id = d.instance_id
    join tenantry.clients c on c.id = i.client_id
    where i.environment = tenantry.caller_environment()
    limit 1
  )
  select jsonb_build_object('door', (
    select jsonb_build_object(
      'id', id, 'kind', kind, 'name', name, 'state', state, 'secrets', secrets, 'former_secrets', former_secrets,
      'tenant', api.resolve_tenant(slug) -> 'tenant')
    from found))
$function$
;

CREATE OR REPLACE FUNCTION api.resolve_tenant(p_slug text, p_email text DEFAULT NULL::text)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
  with tenant as (
    select c.id as client_id, c.slug, c.billing_plan, c.status as client_status, c.environment,
           i.id as instance_id, i.status as instance_status, i.worker_name, i.access_aud,
           trim_scale(coalesce(p.lifetime_purchased, 0) * 0.000001) as purchased,
           trim_scale(coalesce(p.lifetime_consumed, 0) * 0.000001) as consumed,
           case when r.id is not null then jsonb_build_object(
             'id', r.id, 'name', r.name, 'logo_key', r.logo_key,
             -- Only these fields: others would be sent with every request.
             'style', jsonb_build_object(
               'display_name', r.style -> 'display_name', 'colours', r.style -> 'colours',
               'support_address', r.style -> 'support_address')) end as partner,
           (select count(*) from tenantry.client_users u where u.client_id = c.id and u.status = 'validated') as seats
    from tenantry.clients c
    join tenantry.instances i on i.client_id = c.id and i.environment = c.environment
    left join tenantry.credit_pools p on p.client_id = c.id
    left join tenantry.partners r on r.id = c.partner_id
    where c.slug = p_slug and c.environment = tenantry.caller_environment()
  ), token as (
    select tenantry.service_token_of(lower(p_email), t.client_id, t.instance_id) as value
    from tenant t where strpos(p_email, '@') = 0
  ), known_token as (
    select value from token where value is not null
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
    'role', case when exists (select from known_token) then (select value ->> 'role' from known_token) else coalesce(
      (select 'ROOT' from tenantry.dashboard_users d
        where d.email = lower(p_email) and d.role = 'ROOT' and d.environment = tenantry.caller_environment()),
      (select u.role
         from tenant t
         join tenantry.client_users u on u.client_id = t.client_id
         join tenantry.client_user_instances a on a.client_user_id = u.id and a.instance_id = t.instance_id
        where u.email = lower(p_email) and u.status = 'validated')) end,
    'token', (select value - 'role' from known_token))
$function$
;

CREATE OR REPLACE FUNCTION api.touch_door(p_id uuid)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
  update tenantry.doors d set last_used_at = now()
  from tenantry.instances i
  where d.id = p_id and i.id = d.instance_id and i.environment = tenantry.caller_environment()
    and (d.last_used_at is null or d.last_used_at < now() - interval '1 minute')
$function$
;

CREATE OR REPLACE FUNCTION api.touch_service_token(p_client_id text)
 RETURNS boolean
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
  with used as (
    update tenantry.service_tokens k set last_used_at = now()
    where k.access_client_id = lower(p_client_id) and k.environment = tenantry.caller_environment()
      and (k.last_used_at is null or k.last_used_at < now() - interval '1 minute')
    returning k.id
  )
  select exists (select from used)
$function$
;

CREATE OR REPLACE FUNCTION dashboard.answer_invitation(p_token_hash bytea, p_accepts boolean, p_instance_ids uuid[], p_access_user_uuid uuid, p_source text, p_request_id text)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
declare
  invited constant uuid := tenantry.invited_by(p_token_hash);
  identity jsonb;
  answered tenantry.client_users;
begin
  if invited is null then
    return null;
  end if;
  -- The name for the audit log, since the user has no role.
  perform set_config('tenantry.person', (select u.email from tenantry.client_users u where u.id = invited), true),
    set_config('tenantry.source', p_source, true), set_config('tenantry.request_id', p_request_id, true);
  if p_accepts then
    if p_instance_ids is not null and (cardinality(p_instance_ids) = 0 or exists (
        select from unnest(p_instance_ids) as wanted (id)
        where not exists (
          select from tenantry.client_user_instances a where a.client_user_id = invited and a.instance_id = wanted.id))) then
      raise exception 'the decision accepts no instance; accept at least one of the instances, or reject the invitation' using errcode = 'TN052';
    end if;
    identity := jsonb_strip_nulls(jsonb_build_object(
      'email', current_setting('tenantry.person'), 'accepted_at', now(), 'source', nullif(p_source, ''),
      'access_user_uuid', p_access_user_uuid));
  end if;
  -- A concurrent second answer waits here and then finds no token.
  update tenantry.client_users u
  set status = case when p_accepts then 'validated' else 'rejected' end,
    validated_at = case when p_accepts then now() end,
    cf_access_identity = identity, token_hash = null, token_expires_at = null
  where u.id = invited and u.token_hash = p_token_hash and u.status = 'invited' and u.token_expires_at > now()
  returning u.* into answered;
  if not found then
    return null;
  end if;
  delete from tenantry.client_user_instances a
  where a.client_user_id = answered.id and (not p_accepts or a.instance_id <> all (p_instance_ids));
  if p_accepts then
    update tenantry.users p set cf_access_identity = identity where p.id = answered.user_id;
  end if;
  insert into tenantry.events (client_id, kind, data)
  values (answered.client_id, case when p_accepts then 'invitation.accepted' else 'invitation.rejected' end,
    jsonb_build_object('client_user_id', answered.id, 'email', answered.email));
  return tenantry.invitation_of(answered.id);
end
$function$
;

CREATE OR REPLACE FUNCTION dashboard.console_person(p_slug text, p_email text, p_token text DEFAULT NULL::text)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
  select jsonb_build_object('id', u.id, 'email', u.email, 'role', u.role) || tenantry.console_tenant(u.client_id)
  from tenantry.console_user(p_slug, p_email, p_token) u
  where u.id is not null
$function$
;

CREATE OR REPLACE FUNCTION dashboard.console_token_fault(p_slug text, p_email text, p_id uuid, p_client_user_id uuid, p_name text, p_role text, p_most integer, p_token text DEFAULT NULL::text)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
  select case
    when u.id is null then 'console_access_ended'
    when c.delete_after is not null then 'client_being_deleted'
    when o.id is null or (o.id <> u.id and u.role <> 'ADMIN') then 'user_not_found'
    when p_role = 'ADMIN' and (o.role <> 'ADMIN' or u.role <> 'ADMIN') then 'service_token_role_too_high'
    when exists (select from tenantry.service_tokens k where k.id = p_id) then 'service_token_exists'
    when exists (select from tenantry.service_tokens k where k.client_user_id = o.id and k.name = p_name) then 'service_token_name_exists'
    when (select count(*) from tenantry.service_tokens k where k.client_id = c.id and k.expires_at > now()) >= p_most
      then 'client_has_max_service_tokens'
  end
  from tenantry.console_user(p_slug, p_email, p_token) u
  left join tenantry.clients c on c.id = u.client_id
  left join tenantry.client_users m on m.id = p_client_user_id and m.client_id = u.client_id
  left join lateral tenantry.console_user(p_slug, m.email) o on true
$function$
;

CREATE OR REPLACE FUNCTION dashboard.console_tokens(p_slug text, p_email text, p_token text DEFAULT NULL::text)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
  select jsonb_build_object(
    'user_id', u.id,
    'client', jsonb_build_object('slug', c.slug, 'name', c.name, 'environment', c.environment),
    'users', (
      select jsonb_agg(jsonb_build_object(
        'id', o.id, 'email', o.email, 'role', case o.id when u.id then u.role else o.role end) order by o.id <> u.id, o.email)
      from tenantry.client_users m cross join lateral tenantry.console_user(p_slug, m.email) o
      where m.client_id = c.id and o.id is not null and (u.role = 'ADMIN' or o.id = u.id)),
    'tokens', coalesce((
      select jsonb_agg(jsonb_build_object(
          'id', k.id, 'client_id', k.client_id, 'client_user_id', k.client_user_id, 'email', o.email, 'name', k.name, 'role', k.role,
          'access_client_id', k.access_client_id, 'created_at', k.created_at, 'expires_at', k.expires_at, 'last_used_at', k.last_used_at,
          'created_by', tenantry.console_author(c.id, k.created_by)) order by k.created_at desc, k.id)
      from tenantry.service_tokens k join tenantry.client_users o on o.id = k.client_user_id
      where k.client_id = c.id and (u.role = 'ADMIN' or o.id = u.id)), '[]'))
  from tenantry.console_user(p_slug, p_email, p_token) u
  join tenantry.clients c on c.id = u.client_id
$function$
;

CREATE OR REPLACE FUNCTION dashboard.create_console_token(p_slug text, p_email text, p_id uuid, p_client_user_id uuid, p_name text, p_role text, p_most integer, p_days integer, p_access_token_id text, p_access_client_id text, p_source text, p_request_id text, p_token text DEFAULT NULL::text)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
declare
  fault text;
  person tenantry.client_users;
begin
  person := tenantry.console_user(p_slug, p_email, p_token);
  -- Of one client, requests that count its tokens run one after another.
  perform from tenantry.clients c where c.id = person.client_id for update;
  perform from tenantry.client_users u where u.id in (person.id, p_client_user_id) order by u.id for update;
  fault := dashboard.console_token_fault(p_slug, p_email, p_id, p_client_user_id, p_name, p_role, p_most, p_token);
  if fault is not null then
    return fault;
  end if;
  perform tenantry.act_as_console_user(person.email, p_source, p_request_id);
  insert into tenantry.service_tokens
    (id, environment, client_id, client_user_id, name, role, created_by, expires_at, access_token_id, access_client_id)
  values (p_id, tenantry.caller_environment(), person.client_id, p_client_user_id, p_name, p_role, person.email,
    now() + p_days * interval '1 day', p_access_token_id, p_access_client_id);
  perform tenantry.console_token_event(p_id, 'service_token.created');
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION dashboard.enter(p_email text, p_source text, p_request_id text)
 RETURNS jsonb
 LANGUAGE sql
 SET search_path TO 'pg_catalog'
AS $function$
  select caller
  from (
    select caller, set_config('tenantry.caller', caller ->> 'id', true), set_config('tenantry.source', p_source, true),
      set_config('tenantry.request_id', p_request_id, true),
      set_config('role', replace(
        regexp_replace(session_user, '_b$', ''), 'dashboard',
        case caller ->> 'role' when 'ROOT' then 'platform_root' else 'partner_root' end), true)
    from dashboard.find_caller(p_email) as found(caller)
    where caller is not null
    offset 0
  ) as entered
$function$
;

CREATE OR REPLACE FUNCTION dashboard.enter_tenant(p_slug text, p_email text, p_access_client_id text, p_is_viewer boolean, p_source text, p_request_id text)
 RETURNS jsonb
 LANGUAGE sql
 SET search_path TO 'pg_catalog'
AS $function$
  select caller
  from (
    select caller, set_config('tenantry.caller', caller ->> 'id', true), set_config('tenantry.source', p_source, true),
      set_config('tenantry.request_id', p_request_id, true),
      case when p_is_viewer then set_config('tenantry.viewed_client', caller ->> 'client_id', true) end,
      case when p_is_viewer then set_config('transaction_read_only', 'on', true) end,
      set_config('role', replace(
        regexp_replace(session_user, '_b$', ''), 'dashboard',
        case caller ->> 'role' when 'ADMIN' then 'client_admin' else 'client_user' end), true)
    from (
      select case
        when p_is_viewer then dashboard.find_viewer(p_slug, p_email)
        else dashboard.find_tenant_caller(p_slug, p_email, p_access_client_id) end
    ) as found(caller)
    where caller is not null
    offset 0
  ) as entered
$function$
;

CREATE OR REPLACE FUNCTION dashboard.find_caller(p_email text)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
  select jsonb_build_object('id', d.id, 'email', d.email, 'name', d.name, 'role', d.role, 'partner_id', d.partner_id)
  from tenantry.dashboard_users d
  where d.environment = tenantry.caller_environment() and d.email = lower(p_email)
$function$
;

CREATE OR REPLACE FUNCTION dashboard.find_tenant_caller(p_slug text, p_email text, p_access_client_id text)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
  select tenantry.console_tenant(u.client_id) || jsonb_build_object(
    'id', u.id, 'email', u.email, 'name', u.name, 'role', u.role,
    'read_only', false, 'admins', case when m.role = 'ADMIN' then tenantry.console_admins(u.client_id) else '[]' end)
  from tenantry.console_user(p_slug, p_email, p_access_client_id) u
  join tenantry.client_users m on m.id = u.id
$function$
;

CREATE OR REPLACE FUNCTION dashboard.find_viewer(p_slug text, p_email text)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
  select tenantry.console_tenant(c.id) || jsonb_build_object(
    'id', d.id, 'email', d.email, 'name', d.name, 'role', 'ADMIN', 'read_only', true, 'admins', tenantry.console_admins(c.id))
  from tenantry.dashboard_users d
  join tenantry.clients c on c.environment = d.environment and c.slug = p_slug
  join tenantry.instances i on i.client_id = c.id
  where d.environment = tenantry.caller_environment() and d.email = lower(p_email) and d.role = 'ROOT'
$function$
;

CREATE OR REPLACE FUNCTION dashboard.invitation(p_token_hash bytea)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
  select tenantry.invitation_of(tenantry.invited_by(p_token_hash))
$function$
;

CREATE OR REPLACE FUNCTION dashboard.notification_subscription(p_token_hash bytea)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
  select jsonb_build_object(
    'kinds', to_jsonb(s.kinds), 'client', jsonb_build_object('name', c.name),
    'partner', case when p.id is not null then jsonb_build_object(
      'id', p.id, 'name', p.name, 'style', p.style, 'logo_key', p.logo_key) end)
  from tenantry.notification_unsubscribes s
  join tenantry.client_users u on u.id = s.client_user_id
  join tenantry.clients c on c.id = u.client_id
  left join tenantry.partners p on p.id = c.partner_id
  where s.token_hash = p_token_hash and c.environment = tenantry.caller_environment()
$function$
;

CREATE OR REPLACE FUNCTION dashboard.partner_logo(p_partner_id uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
  select jsonb_build_object('key', p.logo_key, 'type', p.logo_type)
  from tenantry.partners p
  where p.id = p_partner_id and p.environment = tenantry.caller_environment() and p.logo_key is not null
$function$
;

CREATE OR REPLACE FUNCTION dashboard.past_invitation(p_token_hash bytea)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
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
$function$
;

CREATE OR REPLACE FUNCTION dashboard.revoke_console_token(p_slug text, p_email text, p_id uuid, p_source text, p_request_id text, p_token text DEFAULT NULL::text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
declare
  person constant tenantry.client_users := tenantry.console_user(p_slug, p_email, p_token);
begin
  if person.id is null then
    return null;
  end if;
  perform from tenantry.service_tokens k
  where k.id = p_id and k.client_id = person.client_id and (k.client_user_id = person.id or person.role = 'ADMIN') for update;
  if not found then
    return false;
  end if;
  perform tenantry.act_as_console_user(person.email, p_source, p_request_id);
  perform tenantry.console_token_event(p_id, 'service_token.revoked');
  delete from tenantry.service_tokens k where k.id = p_id;
  return true;
end
$function$
;

CREATE OR REPLACE FUNCTION dashboard.unsubscribe_notifications(p_token_hash bytea, p_source text, p_request_id text)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
declare
  found constant jsonb := dashboard.notification_subscription(p_token_hash);
begin
  if found is null then
    return null;
  end if;
  perform tenantry.act_as_console_user(u.email, p_source, p_request_id)
  from tenantry.notification_unsubscribes s join tenantry.client_users u on u.id = s.client_user_id
  where s.token_hash = p_token_hash;
  insert into tenantry.notification_settings as t (client_user_id, choices)
  select s.client_user_id, tenantry.without_mail('{}', s.kinds, false)
  from tenantry.notification_unsubscribes s where s.token_hash = p_token_hash
  on conflict (client_user_id) do update
  set choices = tenantry.without_mail(
    t.choices, (select s.kinds from tenantry.notification_unsubscribes s where s.token_hash = p_token_hash), t.disabled_at is not null);
  return found;
end
$function$
;

CREATE OR REPLACE FUNCTION tenantry.account_closes()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
begin
  if exists (select from tenantry.invoices v where v.client_id = old.id)
      or exists (select from tenantry.credit_entries e where e.client_id = old.id)
      or exists (select from tenantry.usage_daily u where u.client_id = old.id)
      or exists (select from tenantry.client_plans s where s.client_id = old.id and (s.billed or s.also <> '{}'))
      or exists (select from tenantry.audit_log l where l.client_id = old.id and l.entity = 'instances') then
    update tenantry.billing_accounts a set closed_at = now() where a.id = old.id;
    perform tenantry.note_plan(old.id, old.billing_plan, false, false);
  else
    delete from tenantry.credit_pools p where p.client_id = old.id;
    delete from tenantry.client_plans s where s.client_id = old.id;
    delete from tenantry.billing_accounts a where a.id = old.id;
  end if;
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION tenantry.account_follows_client()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
begin
  insert into tenantry.billing_accounts (id, environment, slug, name, partner_id)
  values (new.id, new.environment, new.slug, new.name, new.partner_id)
  on conflict (id) do update set slug = excluded.slug, name = excluded.name, partner_id = excluded.partner_id;
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION tenantry.account_outgrown()
 RETURNS TABLE(kind text, needed double precision, most double precision)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
  select u.kind, u.claimed + a.others, a.most
  from tenantry.account_use(tenantry.caller_environment()) u
  join tenantry.account_capacity a on a.kind = u.kind and a.environment = tenantry.caller_environment()
  where tenantry.sees_all() and a.counted_at > now() - interval '1 hour' and u.claimed + a.others > greatest(a.most, a.used)
  order by u.kind
$function$
;

CREATE OR REPLACE FUNCTION tenantry.account_use(p_environment text)
 RETURNS TABLE(kind text, claimed double precision, deployed double precision)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
  with tenants as (
    select c.environment, c.billing_plan, i.access_aud is not null as is_deployed,
      coalesce(
        i.ai_gateway_pool_id is null and starts_with(i.ai_gateway_id, 'tenantry-' || left(c.slug, 40)), false) as is_dedicated,
      count(*) as many
    from tenantry.clients c left join tenantry.instances i on i.client_id = c.id
    where i.id is not null or c.managed_by = 'git'
    group by 1, 2, 3, 4
  ), taken (kind, amount, is_deployed) as (
    select n.key, n.value::double precision, true
    from tenantry.account_limits l,
      (select c.environment from tenantry.clients c union select u.environment from tenantry.dashboard_users u) e,
      jsonb_each_text(l.needs -> e.environment -> 'platform') n
    where l.environment = p_environment
    union all
    select n.key, t.many * n.value::double precision, t.is_deployed
    from tenantry.account_limits l, tenants t,
      jsonb_each_text((l.needs -> t.environment -> 'tenant') || (l.containers -> t.billing_plan)) n
    where l.environment = p_environment
    union all
    select 'aiGateways', t.many, t.is_deployed from tenants t where t.is_dedicated
    union all
    select 'aiGateways', count(*), true from tenantry.ai_gateways
  )
  select t.kind, sum(t.amount), coalesce(sum(t.amount) filter (where t.is_deployed), 0) from taken t group by t.kind
$function$
;

CREATE OR REPLACE FUNCTION tenantry.act_as_console_user(p_email text, p_source text, p_request_id text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
  select set_config('tenantry.person', p_email, true),
    set_config('tenantry.source', p_source, true), set_config('tenantry.request_id', p_request_id, true)
$function$
;

CREATE OR REPLACE FUNCTION tenantry.acting_person()
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
  select case
    when tenantry.caller_kind() in ('platform_root', 'partner_root')
      then (select d.email from tenantry.dashboard_users d where d.id = tenantry.caller_id())
    when tenantry.caller_kind() in ('client_admin', 'client_user')
      then (select u.email from tenantry.client_users u where u.id = tenantry.caller_id())
    when tenantry.caller_kind() = 'dashboard' then nullif(current_setting('tenantry.person', true), '')
  end
$function$
;

CREATE OR REPLACE FUNCTION tenantry.assignment_changed()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
begin
  perform tenantry.members_changed(case tg_op when 'DELETE' then old.instance_id else new.instance_id end);
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION tenantry.audit()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
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
$function$
;

CREATE OR REPLACE FUNCTION tenantry.audit_is_append_only()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog'
AS $function$
begin
  raise exception 'audit log entries cannot be changed or deleted' using errcode = 'TN007';
end
$function$
;

CREATE OR REPLACE FUNCTION tenantry.begin_account_claim()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
begin
  perform tenantry.lock_account_limits();
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION tenantry.bound_instances(p_ai_gateway_id uuid)
 RETURNS bigint
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
  select count(*) from tenantry.instances i where p_ai_gateway_id in (i.ai_gateway_pool_id, i.held_pool_id) and tenantry.sees_all()
$function$
;

CREATE OR REPLACE FUNCTION tenantry.bundle_names()
 RETURNS TABLE(id uuid, content_hash text, release text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
  select b.id, b.content_hash, b.release from tenantry.worker_bundles b where b.environment = tenantry.caller_environment()
$function$
;

CREATE OR REPLACE FUNCTION tenantry.caller_client()
 RETURNS uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
  select u.client_id
  from tenantry.client_users u join tenantry.clients c on c.id = u.client_id
  where tenantry.caller_kind() in ('client_admin', 'client_user') and u.id = tenantry.caller_id() and u.status = 'validated'
    and (u.role = 'ADMIN' or tenantry.caller_kind() = 'client_user') and c.environment = tenantry.caller_environment()
  union all
  select c.id
  from tenantry.dashboard_users d join tenantry.clients c on c.environment = d.environment
  where tenantry.caller_kind() = 'client_admin' and current_setting('transaction_read_only') = 'on'
    and d.id = tenantry.caller_id() and d.role = 'ROOT' and d.environment = tenantry.caller_environment()
    and c.id = nullif(current_setting('tenantry.viewed_client', true), '')::uuid
$function$
;

CREATE OR REPLACE FUNCTION tenantry.caller_clients()
 RETURNS uuid[]
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
  select array(
    select c.id from tenantry.clients c
    where c.partner_id = tenantry.caller_partner() and c.environment = tenantry.caller_environment()
    union all
    select tenantry.caller_client() where tenantry.caller_client() is not null)
$function$
;

CREATE OR REPLACE FUNCTION tenantry.caller_environment()
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO 'pg_catalog'
AS $function$
  select coalesce(
    substring(
      coalesce(nullif(current_setting('role', true), 'none'), session_user::text)
      from '^tenantry_.*_(staging|development)(?:_b)?$'),
    'production')
$function$
;

CREATE OR REPLACE FUNCTION tenantry.caller_id()
 RETURNS uuid
 LANGUAGE sql
 STABLE
 SET search_path TO 'pg_catalog'
AS $function$
  select nullif(current_setting('tenantry.caller', true), '')::uuid
$function$
;

CREATE OR REPLACE FUNCTION tenantry.caller_kind()
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO 'pg_catalog'
AS $function$
  select coalesce(
    substring(
      coalesce(nullif(current_setting('role', true), 'none'), session_user::text)
      from '^tenantry_(dispatch|dashboard|provisioner|service|platform_root|partner_root|client_admin|client_user)(?:_staging|_development)?(?:_b)?$'),
    'owner')
$function$
;

CREATE OR REPLACE FUNCTION tenantry.caller_partner()
 RETURNS uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
  select d.partner_id from tenantry.dashboard_users d
  where tenantry.caller_kind() = 'partner_root' and d.id = tenantry.caller_id() and d.role = 'PARTNER_ROOT'
    and d.environment = tenantry.caller_environment()
$function$
;

CREATE OR REPLACE FUNCTION tenantry.cancel_job(p_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
declare
  who constant text := tenantry.acting_person();
begin
  update tenantry.jobs j set status = 'cancelled', ended_at = now(), cause = format('Cancelled by %s.', who)
  where j.id = p_id and j.status = 'queued' and j.environment = tenantry.caller_environment()
    and j.kind not in ('final_backup', 'delete_client', 'redeploy') and not (j.payload ? 'rollout')
    and (tenantry.sees_all() or (
      j.kind not in ('assign_gateway', 'adopt_version')
      and exists (select from tenantry.clients c where c.id = j.client_id and c.partner_id = tenantry.caller_partner()))
      or j.kind in ('adopt_version', 'change_plan', 'restore_backup') and j.client_id = tenantry.caller_client()
      and exists (
        select from tenantry.client_users u where u.client_id = j.client_id and u.role = 'ADMIN' and u.email = j.requested_by));
  if not found then
    return false;
  end if;
  insert into tenantry.job_events (job_id, kind, message) values (p_id, 'cancelled', format('By %s.', who));
  return true;
end
$function$
;

CREATE OR REPLACE FUNCTION tenantry.check_ai_gateway_capacity()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
declare
  pool tenantry.ai_gateways;
  bound integer;
begin
  if tg_op = 'UPDATE' and new.ai_gateway_pool_id is not distinct from old.ai_gateway_pool_id
    and new.environment = old.environment then
    return new;
  end if;
  -- The instance returns to the slot that it still holds.
  if tg_op = 'UPDATE' and new.ai_gateway_pool_id = old.held_pool_id then
    return new;
  end if;
  update tenantry.ai_gateways set max_instances = max_instances where id = new.ai_gateway_pool_id returning * into pool;
  select count(*) into bound from tenantry.instances
    where new.ai_gateway_pool_id in (ai_gateway_pool_id, held_pool_id) and id <> new.id;
  if not pool.enabled then
    raise exception 'AI gateway % is disabled; enable it or choose another', pool.gateway_id using errcode = 'TN001';
  end if;
  if pool.environment is not null and pool.environment <> new.environment then
    raise exception 'AI gateway % is only for %, and the instance is in %; choose another', pool.gateway_id, pool.environment, new.environment
      using errcode = 'TN001';
  end if;
  if bound >= pool.max_instances then
    raise exception 'no_ai_gateway_capacity: AI gateway % holds % of % instances; plan again or raise max_instances',
      pool.gateway_id, bound, pool.max_instances using errcode = 'TN002';
  end if;
  return new;
end
$function$
;

CREATE OR REPLACE FUNCTION tenantry.check_ai_gateway_holds_bound()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
declare
  bound integer;
  elsewhere integer;
begin
  if tenantry.caller_kind() = 'provisioner' then
    return null;
  end if;
  select count(*), count(*) filter (where i.environment <> new.environment) into bound, elsewhere
  from tenantry.instances i where new.id in (i.ai_gateway_pool_id, i.held_pool_id);
  if bound > new.max_instances then
    raise exception 'AI gateway % is in use by % instances; set max_instances to at least that number, or move instances to another AI gateway first',
      new.gateway_id, bound using errcode = 'TN008';
  end if;
  if elsewhere > 0 then
    raise exception 'AI gateway % is in use by % instances of environments other than %; move them to another AI gateway first',
      new.gateway_id, elsewhere, new.environment using errcode = 'TN008';
  end if;
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION tenantry.check_assignment()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
begin
  if not exists (
      select from tenantry.client_users u join tenantry.instances i on i.client_id = u.client_id
      where u.id = new.client_user_id and i.id = new.instance_id) then
    raise exception 'a user can be assigned only to instances of the same client; choose one of these' using errcode = 'TN051';
  end if;
  return new;
end
$function$
;

CREATE OR REPLACE FUNCTION tenantry.check_client_deletion()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
declare
  kind constant text := tenantry.caller_kind();
  pool constant tenantry.credit_pools :=
    (select p from tenantry.credit_pools p where p.client_id = new.id and p.deletion_requested_at is not null);
begin
  if new.delete_after is not null then
    -- A new date does not change who requested the deletion.
    if old.delete_after is null then
      new.deletion_by := case when pool.client_id is null then kind else 'service' end;
    end if;
    -- Only an erasure ends the grace period of an ADMIN early.
    if kind = 'client_admin' and new.delete_after < now() + interval '1 day'
        and not (new.deletion_by = 'client_admin' and exists (select from tenantry.erasures e where e.client_id = new.id)) then
      raise exception 'an ADMIN cannot end this grace period; ask your operator' using errcode = 'TN009';
    end if;
    return new;
  end if;
  if exists (select from tenantry.erasures e where e.client_id = new.id and e.began_at is not null) then
    raise exception 'the client''s data is being erased, and the client cannot be restored; create a new client after it' using errcode = 'TN003';
  end if;
  if kind = 'client_admin' and (old.deletion_by <> 'client_admin' or old.delete_after <= now()) then
    raise exception 'an ADMIN cannot restore this client; ask your operator' using errcode = 'TN009';
  end if;
  if kind = 'partner_root' then
    if old.deletion_by not in ('partner_root', 'client_admin', 'service') then
      raise exception 'the platform deleted this client; ask a platform root to restore it' using errcode = 'TN009';
    end if;
    if tenantry.credit_level(pool.prepaid, pool.lifetime_purchased - pool.lifetime_consumed, pool.warn_below_micros) = 'used_up' then
      raise exception 'the client was deleted because its credit is used up; ask a platform root to book a purchase first' using errcode = 'TN003';
    end if;
  end if;
  new.deletion_by := null;
  return new;
end
$function$
;

CREATE OR REPLACE FUNCTION tenantry.check_client_status()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog'
AS $function$
begin
  if tenantry.caller_kind() not in ('provisioner', 'owner') and (old.status, new.status) not in
      (('draft', 'active'), ('active', 'production'), ('production', 'active'), ('active', 'draft')) then
    raise exception 'a client that is % cannot become %; make it active first', old.status, new.status using errcode = 'TN003';
  end if;
  return new;
end
$function$
;

CREATE OR REPLACE FUNCTION tenantry.check_client_user_status()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog'
AS $function$
begin
  if tenantry.caller_kind() <> 'owner' and (old.status, new.status) not in
      (('invited', 'validated'), ('invited', 'rejected'), ('rejected', 'invited')) then
    raise exception 'a user who is % cannot become %; check the user''s current status', old.status, new.status using errcode = 'TN003';
  end if;
  return new;
end
$function$
;

CREATE OR REPLACE FUNCTION tenantry.check_credit_state()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog'
AS $function$
declare
  level constant text :=
    tenantry.credit_level(new.prepaid, new.lifetime_purchased - new.lifetime_consumed, new.warn_below_micros);
begin
  if old.deletion_requested_at is null and (case
      when new.state in ('ok', 'warn') then new.state = level
      when level <> 'used_up' then false
      when new.state = 'grace' then old.state in ('ok', 'warn')
      when (old.state, new.state) = ('deletion_due', 'final_backup') then not new.delete_when_exhausted
      when new.state_since < old.state_deadline then false
      when (old.state, new.state) = ('final_backup', 'deletion_due') then new.delete_when_exhausted
      else (old.state, new.state) in (('grace', 'frozen'), ('frozen', 'final_backup'))
    end) then
    return new;
  end if;
  raise exception 'a credit balance that is % cannot become % yet; wait for its deadline', old.state, new.state using errcode = 'TN003';
end
$function$
;

CREATE OR REPLACE FUNCTION tenantry.check_incident_change()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog'
AS $function$
begin
  if tenantry.caller_kind() in ('platform_root', 'partner_root') and (
      old.acknowledged_at is not null
      or to_jsonb(new) - 'acknowledged_at' - 'acknowledged_by' is distinct from
        to_jsonb(old) - 'acknowledged_at' - 'acknowledged_by') then
    raise exception 'an incident can be acknowledged only once, and closes by itself; read the incident again' using errcode = 'TN003';
  end if;
  return new;
end
$function$
;

CREATE OR REPLACE FUNCTION tenantry.check_instance_status()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog'
AS $function$
declare
  kind constant text := tenantry.caller_kind();
  before constant text := case when tg_op = 'UPDATE' then old.status end;
begin
  -- `creditPermits` in domain/billing/credit-state.ts, for every change by which the tenant would take traffic.
  if kind in ('platform_root', 'partner_root', 'client_admin') and new.status not in ('frozen', 'stopped')
      and (before is null or before in ('frozen', 'stopped', 'error'))
      and exists (select from tenantry.credit_pools p
        where p.client_id = new.client_id and p.state in ('frozen', 'final_backup', 'deletion_due')) then
    raise exception 'the client''s credit is used up; ask a platform root to book a purchase, or to have the client pay by invoice'
      using errcode = 'TN003';
  end if;
  if tg_op = 'INSERT' then
    if new.status = 'provisioning' then
      new.state_deadline := coalesce(new.state_deadline, now() + interval '30 minutes');
    elsif new.status = 'frozen' then
      new.frozen_for := coalesce(new.frozen_for, 'asked');
      new.frozen_by := kind;
    end if;
    return new;
  end if;
  if kind = 'service' and nullif(current_setting('tenantry.generation', true), '')::bigint is distinct from old.generation then
    raise exception 'another operation on the instance has begun since (generation %); start this one again', old.generation using errcode = 'TN005';
  end if;
  if kind = 'partner_root' and old.status = 'frozen' and old.frozen_for = 'asked' and old.frozen_by not in ('partner_root', 'client_admin') then
    raise exception 'the platform froze this instance; ask a platform root to resume it' using errcode = 'TN009';
  end if;
  -- An ADMIN freezes, and resumes what an ADMIN froze. What froze for credit or a deletion resumes with these.
  if kind = 'client_admin' and not (
      (new.status = 'frozen' and new.frozen_for in ('asked', 'deletion'))
      or (old.status = 'frozen' and old.frozen_for = 'asked' and old.frozen_by = 'client_admin')
      or (old.status = 'frozen' and old.frozen_for in ('credit', 'deletion')
        and exists (select from tenantry.clients c where c.id = new.client_id and c.delete_after is null))) then
    raise exception 'an ADMIN cannot change this instance''s status; ask your operator' using errcode = 'TN009';
  end if;
  if kind not in ('provisioner', 'owner') and (old.status, new.status) not in (
      ('provisioning', 'running'), ('provisioning', 'error'), ('provisioning', 'stopped'), ('provisioning', 'frozen'),
      ('running', 'provisioning'), ('running', 'frozen'), ('running', 'stopped'), ('running', 'error'),
      ('frozen', 'running'), ('frozen', 'stopped'), ('frozen', 'provisioning'), ('frozen', 'error'),
      ('stopped', 'provisioning'), ('stopped', 'running'), ('stopped', 'error'), ('stopped', 'frozen'),
      ('error', 'provisioning'), ('error', 'running'), ('error', 'stopped'), ('error', 'frozen')) then
    raise exception 'an instance that is % cannot become %; check its current status', old.status, new.status using errcode = 'TN003';
  end if;
  -- The service ends operations; other callers begin them.
  if kind <> 'service' and new.generation = old.generation then
    new.generation := old.generation + 1;
  end if;
  if new.status = 'frozen' then
    new.frozen_from := old.status;
    new.frozen_for := coalesce(new.frozen_for, 'asked');
    new.frozen_by := kind;
  else
    new.frozen_from := null;
    new.frozen_for := null;
    new.frozen_by := null;
  end if;
  -- The caller that begins an operation may set its deadline.
  if new.status <> 'provisioning' then
    new.state_deadline := null;
  elsif old.status <> 'provisioning' then
    new.state_deadline := coalesce(new.state_deadline, now() + interval '30 minutes');
  end if;
  return new;
end
$function$
;

CREATE OR REPLACE FUNCTION tenantry.check_invoice()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog'
AS $function$
begin
  if tenantry.caller_kind() <> 'owner' then
    if tg_op = 'DELETE' then
      if old.status <> 'draft' then
        raise exception 'an invoice that is % cannot be deleted', old.status using errcode = 'TN007';
      end if;
      return old;
    end if;
    if old.status <> new.status
        and (old.status, new.status) not in (('draft', 'issued'), ('issued', 'paid'), ('issued', 'void')) then
      raise exception 'an invoice that is % cannot become %; check its current status', old.status, new.status using errcode = 'TN003';
    end if;
    if old.status <> 'draft' and (to_jsonb(new) - 'status' - 'ended_at' <> to_jsonb(old) - 'status' - 'ended_at') then
      raise exception 'an invoice that is % cannot be changed', old.status using errcode = 'TN007';
    end if;
  end if;
  return case tg_op when 'DELETE' then old else new end;
end
$function$
;

CREATE OR REPLACE FUNCTION tenantry.check_invoice_line()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
declare
  of uuid[] := array_remove(
    array[case when tg_op <> 'INSERT' then old.invoice_id end, case when tg_op <> 'DELETE' then new.invoice_id end], null);
begin
  if tenantry.caller_kind() <> 'owner'
      and exists (select from tenantry.invoices v where v.id = any (of) and v.status <> 'draft') then
    raise exception 'the lines of an issued invoice cannot be changed' using errcode = 'TN007';
  end if;
  return case tg_op when 'DELETE' then old else new end;
end
$function$
;

CREATE OR REPLACE FUNCTION tenantry.check_new_slug()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog'
AS $function$
begin
  if not exists (select from tenantry.clients c where c.slug = new.slug and c.environment = new.environment) then
    raise exception 'the slug % is reserved for webhooks; choose another slug', new.slug using errcode = 'TN051';
  end if;
  return new;
end
$function$
;

CREATE OR REPLACE FUNCTION tenantry.check_spending_cap()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
declare
  maximum constant bigint := tenantry.spending_maximum(new.environment, new.billing_plan);
begin
  if new.ai_spend_cap_micros > maximum then
    raise exception 'the plan % permits to spend at most % US dollars in 30 days; choose a lower cap, or change the plan',
      new.billing_plan, round(maximum / 1000000.0, 2) using errcode = 'TN051';
  end if;
  return new;
end
$function$
;

CREATE OR REPLACE FUNCTION tenantry.claim_account(p_environment text, p_managed_by text, p_more jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
declare
  declared tenantry.account_limits;
  taken record;
  counted tenantry.account_capacity;
begin
  select * into declared from tenantry.account_limits l where l.environment = p_environment;
  for taken in
    select u.kind, u.claimed, (declared.limits ->> u.kind)::double precision as most
    from tenantry.account_use(p_environment) u where (p_more ->> u.kind)::double precision > 0 order by u.kind
  loop
    if taken.claimed > taken.most then
      raise exception 'no_account_capacity: the limit limits.% is %, and % would be needed; %raise the limit under tenantry:platform in the platform''s stack if the account''s plan allows more%',
        taken.kind, taken.most, taken.claimed,
        case p_managed_by when 'git' then 'plan again, or ' else 'remove tenants, or ' end,
        case when p_managed_by = 'git' or declared.elsewhere = '' then '' else '. ' || declared.elsewhere end
        using errcode = 'TN030';
    end if;
    -- For clients in Git, the limits already exclude what others use. Counts older than an hour are ignored.
    continue when p_managed_by = 'git';
    select * into counted from tenantry.account_capacity a
      where a.environment = p_environment and a.kind = taken.kind and a.counted_at > now() - interval '1 hour';
    if taken.claimed + counted.others > counted.most then
      raise exception 'no_account_capacity: the account''s limit of % is %, and % would be needed (GET /capacity); remove unused resources, or ask the vendor to raise the limit and set ACCOUNT_LIMITS of the automation service%',
        taken.kind, counted.most, taken.claimed + counted.others,
        case when declared.elsewhere = '' then '' else '. ' || declared.elsewhere end
        using errcode = 'TN030';
    end if;
  end loop;
end
$function$
;

CREATE OR REPLACE FUNCTION tenantry.claim_for_clients()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
begin
  perform tenantry.claim_account(a.environment, 'git', (l.needs -> a.environment -> 'tenant') || (l.containers -> a.billing_plan))
  from (select distinct environment, billing_plan from added where managed_by = 'git') a
  join tenantry.account_limits l on l.environment = a.environment;
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION tenantry.claim_for_instances()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
begin
  perform tenantry.claim_account(
    a.environment, a.managed_by,
    (l.needs -> a.environment -> 'tenant') || (l.containers -> a.billing_plan) || jsonb_build_object('aiGateways', a.is_dedicated::integer))
  from (
    select distinct c.environment, c.managed_by, c.billing_plan,
      coalesce(
        i.ai_gateway_pool_id is null and starts_with(i.ai_gateway_id, 'tenantry-' || left(c.slug, 40)), false) as is_dedicated
    from added i join tenantry.clients c on c.id = i.client_id
  ) a
  join tenantry.account_limits l on l.environment = a.environment;
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION tenantry.claim_for_plan()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
begin
  if pg_trigger_depth() > 1 then
    return null;
  end if;
  perform tenantry.lock_account_limits();
  perform tenantry.claim_account(new.environment, new.managed_by, (
    select jsonb_object_agg(n.key, n.value) from jsonb_each(l.containers -> new.billing_plan) n
    where n.value > l.containers -> old.billing_plan -> n.key))
  from tenantry.account_limits l
  where l.environment = new.environment and exists (select from tenantry.instances i where i.client_id = new.id);
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION tenantry.client_had_back()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
declare
  why constant text := 'The client was restored.';
begin
  with ended as (
    update tenantry.jobs j set status = 'cancelled', ended_at = now(), cause = why
    where j.client_id = new.id and j.kind = 'delete_client' and j.ended_at is null
    returning j.id)
  insert into tenantry.job_events (job_id, kind, message) select id, 'cancelled', why from ended;
  update tenantry.credit_pools p set deletion_requested_at = null, delete_when_exhausted = false
  where p.client_id = new.id and p.deletion_requested_at is not null;
  delete from tenantry.erasures e where e.client_id = new.id;
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION tenantry.client_plan_changed()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
begin
  perform tenantry.note_plan(
    new.id, new.billing_plan, new.status <> 'draft' and new.delete_after is null,
    -- Only `job_settled` restores a plan, at the end of a job that failed.
    tg_op = 'UPDATE' and pg_trigger_depth() > 1 and old.billing_plan <> new.billing_plan);
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION tenantry.client_user_changed()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
begin
  perform tenantry.members_changed(a.instance_id) from tenantry.client_user_instances a where a.client_user_id = new.id;
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION tenantry.console_admins(p_client_id uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
  select coalesce(jsonb_agg(u.email order by u.email), '[]')
  from tenantry.client_users u where u.client_id = p_client_id and u.role = 'ADMIN'
$function$
;

CREATE OR REPLACE FUNCTION tenantry.console_author(p_client_id uuid, p_author text)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
  select case
    when exists (select from tenantry.client_users u where u.client_id = p_client_id and u.email = p_author) then p_author
    else 'operator' end
$function$
;

CREATE OR REPLACE FUNCTION tenantry.console_tenant(p_client_id uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
  select jsonb_build_object(
    'client_id', c.id, 'instance_id', (select i.id from tenantry.instances i where i.client_id = c.id),
    'client', jsonb_build_object('slug', c.slug, 'name', c.name, 'environment', c.environment),
    'partner', case when p.id is not null then jsonb_build_object(
      'id', p.id, 'name', p.name, 'style', p.style, 'logo_key', p.logo_key) end)
  from tenantry.clients c
  left join tenantry.partners p on p.id = c.partner_id
  where c.id = p_client_id
$function$
;

CREATE OR REPLACE FUNCTION tenantry.console_token_event(p_id uuid, p_kind text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
  insert into tenantry.events (client_id, kind, data)
  select k.client_id, p_kind, jsonb_build_object(
    'service_token_id', k.id, 'client_user_id', k.client_user_id, 'email', u.email, 'name', k.name)
  from tenantry.service_tokens k join tenantry.client_users u on u.id = k.client_user_id
  where k.id = p_id
$function$
;

CREATE OR REPLACE FUNCTION tenantry.console_user(p_slug text, p_email text, p_token text DEFAULT NULL::text)
 RETURNS tenantry.client_users
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
  select case when k.role = 'BASE_USER' then jsonb_populate_record(u, jsonb_build_object('role', k.role)) else u end
  from tenantry.clients c
  join tenantry.instances i on i.client_id = c.id and i.environment = c.environment
  join tenantry.client_users u on u.client_id = c.id
  join tenantry.client_user_instances a on a.client_user_id = u.id and a.instance_id = i.id
  left join tenantry.service_tokens k on k.client_user_id = u.id and k.access_client_id = p_token and k.expires_at > now()
  where c.slug = p_slug and c.environment = tenantry.caller_environment() and u.email = lower(p_email) and u.status = 'validated'
    and (p_token is null or k.id is not null)
$function$
;

CREATE OR REPLACE FUNCTION tenantry.content_stays()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog'
AS $function$
begin
  new.content := old.content;
  return new;
end
$function$
;

CREATE OR REPLACE FUNCTION tenantry.credit_booked()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
begin
  insert into tenantry.credit_pools (client_id) values (new.client_id) on conflict (client_id) do nothing;
  update tenantry.credit_pools p set
    lifetime_purchased = p.lifetime_purchased + case when new.day is null and new.amount_micros > 0 then new.amount_micros else 0 end,
    lifetime_consumed = p.lifetime_consumed - case when new.day is null and new.amount_micros > 0 then 0 else new.amount_micros end,
    prepaid = p.prepaid or new.kind = 'purchase'
  where p.client_id = new.client_id;
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION tenantry.credit_level(prepaid boolean, balance_micros bigint, warn_below_micros bigint)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO 'pg_catalog'
AS $function$
  select case
    when not prepaid then 'ok'
    when balance_micros <= 0 then 'used_up'
    when balance_micros < warn_below_micros then 'warn'
    else 'ok'
  end
$function$
;

CREATE OR REPLACE FUNCTION tenantry.credit_sums_are_booked()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog'
AS $function$
begin
  if tenantry.caller_kind() <> 'owner' then
    raise exception 'the totals of a credit balance change only with its ledger entries' using errcode = 'TN007';
  end if;
  return new;
end
$function$
;

CREATE OR REPLACE FUNCTION tenantry.dashboard_user_changed()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
begin
  perform tenantry.enqueue(case tg_op when 'DELETE' then old.environment else new.environment end,
    'reconcile_dashboard_users', '{}', 'dashboard_users', 'dashboard_users');
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION tenantry.delete_client(p_job_id uuid)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
declare
  doomed tenantry.clients;
begin
  select c.* into doomed
  from tenantry.jobs j join tenantry.clients c on c.id = j.client_id
  where j.id = p_job_id and j.kind = 'delete_client' and j.ended_at is null and j.environment = tenantry.caller_environment()
  for update of c;
  if not found then
    return 'gone';
  end if;
  if doomed.delete_after is null or doomed.delete_after > now() then
    return 'had_back';
  end if;
  if exists (select from tenantry.instances i where i.client_id = doomed.id) then
    return 'has_instance';
  end if;
  if doomed.managed_by = 'git' then
    return 'managed_by_git';
  end if;
  update tenantry.erasures e
  set rows = tenantry.greater_counts(e.rows, tenantry.erased_rows(doomed.id)), erased_at = now()
  where e.client_id = doomed.id;
  insert into tenantry.mails (environment, kind, recipient, data)
  select e.environment, 'erasure_certificate', lower(r), jsonb_build_object('erasure_id', e.id)
  from tenantry.erasures e, unnest(e.recipients) as r
  where e.client_id = doomed.id;
  -- These go before the client: the audit log reads the client's partner.
  delete from tenantry.client_users u where u.client_id = doomed.id;
  delete from tenantry.client_subdivisions s where s.client_id = doomed.id;
  delete from tenantry.clients c where c.id = doomed.id;
  insert into tenantry.events (environment, partner_id, kind, data)
  values (doomed.environment, doomed.partner_id, 'client.deleted',
    jsonb_build_object('client_id', doomed.id, 'slug', doomed.slug, 'name', doomed.name));
  return 'deleted';
end
$function$
;

CREATE OR REPLACE FUNCTION tenantry.delivery_queued()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
begin
  perform tenantry.enqueue(
    n.environment, 'notification_webhook', jsonb_build_object('id', new.id), 'notification_webhook:' || new.id)
  from tenantry.notifications n where n.id = new.notification_id;
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION tenantry.drop_old_health_partitions(p_retention interval DEFAULT '30 days'::interval)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog'
 SET lock_timeout TO '5s'
AS $function$
declare
  part text;
  dropped integer := 0;
begin
  if p_retention is null or p_retention < interval '1 day' then
    raise exception 'health history must be kept for at least one day, not for %', p_retention using errcode = '22023';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('tenantry.health_partitions', 0));
  for part in
    select c.relname from pg_inherits h join pg_class c on c.oid = h.inhrelid
    where h.inhparent = 'tenantry.instance_health_snapshots'::regclass
      and to_date(right(c.relname, 8), 'YYYYMMDD') + 1 <= (now() - p_retention) at time zone 'utc'
    order by c.relname
  loop
    execute format('drop table tenantry.%I', part);
    dropped := dropped + 1;
  end loop;
  return dropped;
end
$function$
;

CREATE OR REPLACE FUNCTION tenantry.earlier_clients(p_client_id uuid)
 RETURNS bigint
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
  select count(*)
  from tenantry.clients c
  join tenantry.billing_accounts b on b.environment = c.environment and b.slug = c.slug and b.closed_at is not null
  where c.id = p_client_id
$function$
;

CREATE OR REPLACE FUNCTION tenantry.egress_changed()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
begin
  case tg_table_name
    when 'partners' then perform tenantry.request_egress_pushes(null, new.id);
    when 'clients' then
      perform tenantry.request_egress_pushes(i.id, null) from tenantry.instances i where i.client_id = new.id;
    when 'instances' then perform tenantry.request_egress_pushes(new.id, null);
  end case;
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION tenantry.enqueue(p_environment text, p_task text, p_payload jsonb, p_key text, p_queue text DEFAULT NULL::text, p_priority integer DEFAULT 0, p_run_at timestamp with time zone DEFAULT NULL::timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
declare
  queue_schema constant text := 'graphile_worker' || coalesce('_' || nullif(p_environment, 'production'), '');
begin
  if p_task not in ('job', 'operation', 'mail', 'event', 'reconcile_members', 'reconcile_dashboard_users', 'rollouts',
      'notification', 'notification_webhook') then
    raise exception 'unknown task %', p_task using errcode = 'TN006';
  end if;
  -- An environment that an earlier version deployed has no queue yet. Its new users and notifications wait for the first sweep.
  if p_task in ('reconcile_dashboard_users', 'notification') and to_regnamespace(queue_schema) is null then
    return;
  end if;
  execute format(
    'select %I.add_job(identifier => $1, payload => $2::json, job_key => $3, queue_name => $4, max_attempts => 12, priority => $5, run_at => $6)',
    queue_schema)
  using p_task, p_payload, p_key, p_queue, p_priority, p_run_at;
end
$function$
;

CREATE OR REPLACE FUNCTION tenantry.enqueue_job(p_job tenantry.jobs)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
  select tenantry.enqueue(
    p_job.environment, tenantry.task_of_job(p_job.kind), jsonb_build_object('id', p_job.id), 'job:' || p_job.id,
    'tenant:' || p_job.slug, tenantry.priority_of_job(p_job.payload), p_job.not_before)
$function$
;

CREATE OR REPLACE FUNCTION tenantry.erased_rows(p_client_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
declare
  counts jsonb := '{}';
  found record;
  n bigint;
begin
  for found in
    with recursive doomed as (
      select t.table_name::regclass::oid as id, format('%I = %L', t.key, p_client_id) collate "C" as condition, 0 as depth
      from (values ('tenantry.clients', 'id'), ('tenantry.instances', 'client_id'), ('tenantry.credit_pools', 'client_id'),
        ('tenantry.client_plans', 'client_id')) as t (table_name, key)
      union all
      select f.conrelid, format('%I in (select %I from %s where %s)', a.attname, b.attname, d.id::regclass, d.condition) collate "C", d.depth + 1
      from doomed d
      join pg_constraint f on f.confrelid = d.id and f.contype = 'f' and f.confdeltype = 'c' and f.conparentid = 0
        and cardinality(f.conkey) = 1 and f.conrelid <> d.id
      join pg_attribute a on a.attrelid = f.conrelid and a.attnum = f.conkey[1]
      join pg_attribute b on b.attrelid = f.confrelid and b.attnum = f.confkey[1]
      where d.depth < 4)
    select id::regclass::text as name, string_agg(condition, ' or ') as condition from doomed group by id order by 1
  loop
    execute format('select count(*) from %s where %s', found.name, found.condition) into n;
    counts := counts || jsonb_build_object(split_part(found.name, '.', 2), n);
  end loop;
  return counts;
end
$function$
;

CREATE OR REPLACE FUNCTION tenantry.event_committed()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
begin
  perform pg_advisory_xact_lock(hashtextextended('tenantry.events.' || new.environment, 0));
  update tenantry.events set id = default where id = new.id;
  -- One job delivers all events since the last delivery.
  perform tenantry.enqueue(new.environment, 'event', '{}', 'event');
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION tenantry.grace_period_ended()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
begin
  insert into tenantry.jobs (environment, kind, client_id, slug, requested_by, deadline)
  values (new.environment, 'delete_client', new.id, new.slug, 'service', now() + interval '30 days')
  on conflict (client_id) where kind = 'delete_client' and ended_at is null do nothing;
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION tenantry.greater_counts(p_one jsonb, p_other jsonb)
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO 'pg_catalog'
AS $function$
  select coalesce(jsonb_object_agg(name, n), '{}')
  from (
    select key as name, max(value::bigint) as n
    from (select * from jsonb_each_text(p_one) union all select * from jsonb_each_text(p_other)) as counted
    group by key) as merged
$function$
;

CREATE OR REPLACE FUNCTION tenantry.instance_removed()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
begin
  perform tenantry.enqueue_job(j) from tenantry.jobs j where j.client_id = old.client_id and j.kind = 'delete_client' and j.ended_at is null;
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION tenantry.invalidate_door()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
begin
  insert into tenantry.jobs (kind, client_id, instance_id, slug, requested_by, environment, payload)
  select 'invalidate', c.id, i.id, c.slug,
    coalesce(
      tenantry.acting_person(), regexp_replace(coalesce(new.owner, old.owner), '^urn:pulumi:([^:]+)::([^:]+)::.*$', '\2/\1'), 'service'),
    i.environment,
    jsonb_build_object('doors', (
      select jsonb_agg(distinct encode(h, 'hex'))
      from unnest(array[old.key_hash, old.former_key_hash, new.key_hash, new.former_key_hash]) h where h is not null))
  from tenantry.instances i join tenantry.clients c on c.id = i.client_id
  where i.id = coalesce(new.instance_id, old.instance_id);
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION tenantry.invitation_of(p_client_user_id uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
  select jsonb_build_object(
    'email', u.email, 'name', u.name, 'role', u.role, 'expires_at', u.token_expires_at,
    'client', jsonb_build_object('slug', c.slug, 'name', c.name, 'environment', c.environment),
    'partner', case when p.id is not null then jsonb_build_object(
      'id', p.id, 'name', p.name, 'style', p.style, 'logo_key', p.logo_key) end,
    'instance_ids', coalesce((
      select jsonb_agg(a.instance_id order by a.instance_id)
      from tenantry.client_user_instances a where a.client_user_id = u.id), '[]'))
  from tenantry.client_users u
  join tenantry.clients c on c.id = u.client_id
  left join tenantry.partners p on p.id = c.partner_id
  where u.id = p_client_user_id
$function$
;

CREATE OR REPLACE FUNCTION tenantry.invited_by(p_token_hash bytea)
 RETURNS uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
  select u.id
  from tenantry.client_users u join tenantry.clients c on c.id = u.client_id
  where u.token_hash = p_token_hash and u.status = 'invited' and u.token_expires_at > now()
    and c.delete_after is null and c.environment = tenantry.caller_environment()
$function$
;

CREATE OR REPLACE FUNCTION tenantry.job_queued()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
begin
  insert into tenantry.job_events (job_id, kind) values (new.id, 'queued');
  perform tenantry.enqueue_job(new);
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION tenantry.job_settled()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
begin
  if new.kind = 'assign_gateway' then
    update tenantry.instances i set held_pool_id = null where i.id = new.instance_id and i.held_pool_id is not null;
  elsif new.status <> 'succeeded' then
    update tenantry.clients c set billing_plan = new.payload ->> 'from'
    where c.id = new.client_id and c.billing_plan = new.payload ->> 'to';
  end if;
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION tenantry.keep_past_invitation()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
begin
  insert into tenantry.past_invitations (token_hash, client_user_id, withdrawn)
  values (old.token_hash, new.id, new.status = 'invited' and new.token_hash is null and new.token_expires_at <= now())
  on conflict do nothing;
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION tenantry.ledger_is_append_only()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog'
AS $function$
begin
  raise exception 'ledger entries cannot be changed or deleted; book a correction' using errcode = 'TN007';
end
$function$
;

CREATE OR REPLACE FUNCTION tenantry.limit_client_admin()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog'
AS $function$
declare
  own constant text[] := tg_argv || array['version', 'updated_at'];
begin
  if to_jsonb(new) - own is distinct from to_jsonb(old) - own then
    raise exception 'an ADMIN cannot change this; ask your operator' using errcode = 'insufficient_privilege';
  end if;
  return new;
end
$function$
;

CREATE OR REPLACE FUNCTION tenantry.limit_invitations()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
declare
  oldest timestamptz;
  by_client constant boolean := tenantry.caller_kind() = 'client_admin';
begin
  if by_client then
    new.data := new.data || jsonb_build_object('requested_by', tenantry.caller_id());
  else
    new.requested_by := tenantry.caller_id();
  end if;
  perform pg_advisory_xact_lock(hashtextextended('tenantry.invitations:' || coalesce(new.requested_by, new.client_id), 0));
  select m.created_at into oldest from tenantry.mails m
  where case when by_client then m.client_id = new.client_id and m.data ? 'requested_by' else m.requested_by = new.requested_by end
    and m.kind = 'invitation' and m.created_at > now() - interval '1 hour'
  order by m.created_at desc offset 59 limit 1;
  if found then
    raise exception 'you have sent 60 invitations in the last hour; try again later' using errcode = 'TN050',
      detail = ceil(extract(epoch from oldest + interval '1 hour' - now()))::text;
  end if;
  return new;
end
$function$
;

CREATE OR REPLACE FUNCTION tenantry.lock_account_limits()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
declare
  place text;
begin
  for place in select l.environment from tenantry.account_limits l order by l.environment loop
    update tenantry.account_limits l set limits = l.limits where l.environment = place;
  end loop;
end
$function$
;

CREATE OR REPLACE FUNCTION tenantry.mail_deletion()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
begin
  insert into tenantry.mails (environment, kind, recipient, client_id, client_user_id, data)
  select new.environment, 'deletion_notice', u.email, new.id, u.id, jsonb_build_object(
    'what', case when new.delete_after is null then 'restored' when old.delete_after is null then 'deleted' else 'erased' end,
    'by', tenantry.acting_person(), 'until', coalesce(new.delete_after, old.delete_after))
  from tenantry.client_users u
  where u.client_id = new.id and u.role = 'ADMIN' and u.status = 'validated' and u.id <> tenantry.caller_id();
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION tenantry.mail_queued()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
begin
  perform tenantry.enqueue(new.environment, 'mail', jsonb_build_object('id', new.id), 'mail:' || new.id);
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION tenantry.make_health_partition(p_day date)
 RETURNS boolean
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog'
AS $function$
declare
  name constant text := 'instance_health_snapshots_' || to_char(p_day, 'YYYYMMDD');
begin
  if exists (select from pg_class c where c.relnamespace = 'tenantry'::regnamespace and c.relname = name) then
    return false;
  end if;
  execute format(
    'create table tenantry.%I partition of tenantry.instance_health_snapshots for values from (%L) to (%L)',
    name, to_char(p_day, 'YYYY-MM-DD') || ' 00:00:00+00', to_char(p_day + 1, 'YYYY-MM-DD') || ' 00:00:00+00');
  -- Partitions are read through the parent table only.
  execute format('alter table tenantry.%I enable row level security', name);
  return true;
end
$function$
;

CREATE OR REPLACE FUNCTION tenantry.members_changed(p_instance_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
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
$function$
;

CREATE OR REPLACE FUNCTION tenantry.next_version()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog'
AS $function$
declare
  unversioned constant text[] := array[
    'version', 'updated_at', 'egress_revision', 'egress_pushed_at', 'egress_fault', 'egress_last_error'];
begin
  if to_jsonb(new) - unversioned is distinct from to_jsonb(old) - unversioned then
    new.version := old.version + 1;
    new.updated_at := now();
  end if;
  return new;
end
$function$
;

CREATE OR REPLACE FUNCTION tenantry.note_cap(p_client_id uuid, p_period text, p_used numeric, p_cap numeric, p_data jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
declare
  percent constant integer := case when p_used >= p_cap then 100 when p_used >= p_cap * 0.8 then 80 end;
begin
  if percent is null or exists (
      select from tenantry.notifications n
      where n.client_id = p_client_id and n.kind = 'cap' and n.subject = p_period || ':100') then
    return;
  end if;
  perform tenantry.note_occurrence(p_client_id, 'cap', p_period || ':' || percent, p_data || jsonb_build_object(
    'percent', percent, 'used_micros', round(p_used), 'cap_micros', round(p_cap)));
end
$function$
;

CREATE OR REPLACE FUNCTION tenantry.note_credit_use()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
declare
  balance constant bigint := new.lifetime_purchased - new.lifetime_consumed;
  top_up uuid;
  available bigint;
begin
  select e.id, (
      select sum(b.amount_micros) from tenantry.credit_entries b
      where b.client_id = e.client_id and (b.booked_at, b.id) <= (e.booked_at, e.id))
  into top_up, available
  from tenantry.credit_entries e
  where e.client_id = new.client_id and e.day is null and e.amount_micros > 0
  order by e.booked_at desc, e.id desc limit 1;
  perform tenantry.note_cap(
    new.client_id, 'credit:' || top_up, available - balance, available, jsonb_build_object('of', 'credit'));
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION tenantry.note_erased_rows()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
begin
  update tenantry.erasures e set rows = tenantry.greater_counts(e.rows, tenantry.erased_rows(old.client_id))
  where e.client_id = old.client_id and e.erased_at is null;
  return old;
end
$function$
;

CREATE OR REPLACE FUNCTION tenantry.note_image()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
begin
  perform tenantry.note_occurrence(i.client_id, 'new_version', 'image:' || new.id, jsonb_build_object(
    'what', 'available', 'gateway', new.gateway, 'version', new.gateway_version))
  from tenantry.instances i
  where i.environment = new.environment and i.image_id is distinct from new.id
    and (i.reported_gateway, i.reported_gateway_version) is distinct from (new.gateway, new.gateway_version)
    and i.reported_gateway_version is not null;
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION tenantry.note_incident()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
declare
  about constant text := case new.kind when 'gateway_dead' then 'not_running' else 'backup_failed' end;
begin
  if tg_op = 'INSERT' then
    perform tenantry.note_occurrence(
      new.client_id, about, 'incident:' || new.id, jsonb_build_object('what', 'began', 'since', new.opened_at));
  -- An incident also closes when its instance is frozen or stopped.
  elsif exists (select from tenantry.instances i where i.id = new.instance_id and i.status = 'running') then
    perform tenantry.note_occurrence(
      new.client_id, about, 'incident:' || new.id || ':over',
      jsonb_build_object('what', 'ended', 'since', new.opened_at, 'until', new.closed_at));
  end if;
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION tenantry.note_invoice()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
begin
  if exists (select from tenantry.invoice_line_items l where l.invoice_id = new.id and l.amount_micros <> 0) then
    perform tenantry.note_occurrence(new.client_id, 'invoice', 'invoice:' || new.id, jsonb_build_object(
      'from', new.period_start, 'to', new.period_end - 1, 'total_micros', new.total_micros, 'currency', new.currency));
  end if;
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION tenantry.note_job()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
declare
  subject constant text := 'job:' || new.id;
begin
  if new.kind = 'restore_backup' then
    perform tenantry.note_occurrence(new.client_id, 'restore', subject, jsonb_build_object(
      'succeeded', new.status = 'succeeded', 'backup', new.payload ->> 'backup_id',
      'by', tenantry.console_author(new.client_id, new.requested_by)));
  elsif new.kind = 'final_backup' and new.status = 'failed' then
    perform tenantry.note_occurrence(
      new.client_id, 'backup_failed', subject, jsonb_build_object('what', 'began', 'since', new.ended_at));
  elsif new.kind = 'adopt_version' and new.status = 'succeeded' then
    perform tenantry.note_occurrence(new.client_id, 'new_version', subject, jsonb_build_object(
      'what', 'installed', 'gateway', m.gateway, 'version', m.gateway_version))
    from tenantry.instances i join tenantry.images m on m.id = i.image_id
    where i.id = new.instance_id;
  end if;
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION tenantry.note_model_spending()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
declare
  cap numeric;
  period text;
  begun text;
begin
  select least(c.ai_spend_cap_micros, tenantry.spending_maximum(c.environment, c.billing_plan)) into cap
  from tenantry.clients c where c.id = new.client_id;
  -- Without any permitted spending, nothing is left to be warned of.
  if cap is null or cap = 0 then
    return null;
  end if;
  period := 'ai_spend:' || round(cap) || ':';
  select regexp_replace(n.subject, ':[0-9]+$', '') into begun
  from tenantry.notifications n
  where n.client_id = new.client_id and n.kind = 'cap' and starts_with(n.subject, period) and n.occurred_at > now() - interval '30 days'
  order by n.occurred_at desc limit 1;
  perform tenantry.note_cap(
    new.client_id, coalesce(begun, period || (now() at time zone 'utc')::date), sum(u.quantity), cap, '{"of": "ai_spend"}')
  from tenantry.usage_daily u
  where u.client_id = new.client_id and u.metric = 'ai_spend' and u.day > (now() at time zone 'utc')::date - 30;
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION tenantry.note_occurrence(p_client_id uuid, p_kind text, p_subject text, p_data jsonb, p_client_user_id uuid DEFAULT NULL::uuid)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
  insert into tenantry.notifications (environment, client_id, client_user_id, kind, subject, data)
  select c.environment, c.id, p_client_user_id, p_kind, p_subject, p_data
  from tenantry.clients c where c.id = p_client_id and c.delete_after is null
  on conflict (client_id, kind, subject) do nothing
$function$
;

CREATE OR REPLACE FUNCTION tenantry.note_pin()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog'
AS $function$
declare
  kind constant text := tenantry.caller_kind();
begin
  if kind = 'client_admin' and old.is_pinned and not new.is_pinned and old.pinned_by_kind is distinct from kind then
    raise exception 'your operator pinned this version; ask your operator to unpin it' using errcode = 'TN009';
  end if;
  if not new.is_pinned then
    new.pinned_by := null;
    new.pinned_by_kind := null;
    new.pinned_at := null;
  elsif not old.is_pinned or (kind = 'platform_root' and old.pinned_by_kind = 'client_admin') then
    new.pinned_by := tenantry.acting_person();
    new.pinned_by_kind := kind;
    new.pinned_at := now();
  end if;
  return new;
end
$function$
;

CREATE OR REPLACE FUNCTION tenantry.note_plan(p_client_id uuid, p_plan text, p_billed boolean, p_untaken boolean)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
  insert into tenantry.client_plans as s (client_id, valid_from, plan, billed, also)
  values (p_client_id, (now() at time zone 'utc')::date, p_plan, p_billed, coalesce(
    (select case when p.billed and not p_untaken then array[p.plan] end
      from tenantry.client_plans p
      where p.client_id = p_client_id and p.valid_from < (now() at time zone 'utc')::date
      order by p.valid_from desc limit 1),
    '{}'))
  on conflict (client_id, valid_from) do update set plan = excluded.plan, billed = excluded.billed,
    also = case
      when s.billed and not p_untaken and s.plan <> all (s.also) then s.also || s.plan
      else s.also
    end
$function$
;

CREATE OR REPLACE FUNCTION tenantry.note_service_token()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
begin
  perform tenantry.note_occurrence(new.client_id, 'new_device', 'token:' || new.id, jsonb_build_object(
    'name', new.name, 'role', new.role, 'user', u.email, 'by', tenantry.console_author(new.client_id, new.created_by),
    'mailed', case when u.email <> tenantry.acting_person() then u.id end))
  from tenantry.client_users u where u.id = new.client_user_id;
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION tenantry.notification_mail_ended()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
begin
  update tenantry.notification_deliveries d
  set state = case new.status when 'sent' then 'sent' else 'failed' end, ended_at = new.ended_at,
    attempts = (select count(*) from tenantry.mail_attempts a where a.mail_id = new.id),
    answer = (select a.answer from tenantry.mail_attempts a where a.mail_id = new.id order by a.attempt desc limit 1)
  where d.mail_id = new.id and d.ended_at is null;
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION tenantry.notification_noted()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
begin
  perform tenantry.enqueue(new.environment, 'notification', jsonb_build_object('id', new.id), 'notification:' || new.id);
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION tenantry.offered_images(p_instance_id uuid)
 RETURNS TABLE(id uuid, gateway text, gateway_version text, release_notes text, is_default boolean, created_at timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
  select m.id, m.gateway, m.gateway_version, m.release_notes, m.is_default, m.created_at
  from tenantry.instances i join tenantry.clients c on c.id = i.client_id
  join tenantry.images m on m.environment = i.environment and m.withdrawn_at is null
  where i.id = p_instance_id and c.environment = tenantry.caller_environment()
    and (tenantry.sees_all() or c.partner_id = tenantry.caller_partner() or c.id = tenantry.caller_client())
  order by m.created_at desc, m.id
$function$
;

CREATE OR REPLACE FUNCTION tenantry.plan_fees(p_client_id uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
  select jsonb_build_object(
    'fees', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'plan', p.plan, 'micros', p.micros::text, 'perUnits', p.per_units::text, 'validFrom', p.valid_from)), '[]')
      from tenantry.prices p where p.environment = a.environment and p.metric = 'flat_fee'),
    'plans', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'validFrom', s.valid_from, 'plan', s.plan, 'billed', s.billed, 'also', s.also) order by s.valid_from), '[]')
      from tenantry.client_plans s where s.client_id = a.id),
    'aiSpend', (select l.ai_spend from tenantry.account_limits l where l.environment = a.environment))
  from tenantry.billing_accounts a
  where a.id = p_client_id and a.environment = tenantry.caller_environment()
    and (tenantry.sees_all() or a.partner_id = tenantry.caller_partner() or a.id = tenantry.caller_client())
$function$
;

CREATE OR REPLACE FUNCTION tenantry.planned_change(p_instance_id uuid)
 RETURNS TABLE(rollout_id uuid, not_before timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
  select t.rollout_id, t.not_before
  from tenantry.rollout_tenants t join tenantry.rollouts r on r.id = t.rollout_id
  join tenantry.instances i on i.id = t.instance_id join tenantry.clients c on c.id = i.client_id
  where t.instance_id = p_instance_id and t.status = 'announced' and r.ended_at is null
    and c.environment = tenantry.caller_environment()
    and (tenantry.sees_all() or c.partner_id = tenantry.caller_partner() or c.id = tenantry.caller_client())
$function$
;

CREATE OR REPLACE FUNCTION tenantry.pool_entries()
 RETURNS TABLE(id uuid, gateway_id text, environment text, enabled boolean, max_instances integer, bound bigint)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
  select g.id, g.gateway_id, g.environment, g.enabled, g.max_instances, count(i.id)
  from tenantry.ai_gateways g left join tenantry.instances i on g.id in (i.ai_gateway_pool_id, i.held_pool_id)
  group by g.id
  order by g.gateway_id
$function$
;

CREATE OR REPLACE FUNCTION tenantry.prepare_health_partitions(p_days integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog'
 SET lock_timeout TO '5s'
AS $function$
declare
  today constant date := (now() at time zone 'utc')::date;
  made integer := 0;
begin
  if p_days is null or p_days not between 1 and 60 then
    raise exception 'partitions can be created for 1 to 60 days, not for %', p_days using errcode = '22023';
  end if;
  -- Yesterday is included because a probe that started before midnight is stored after it. Existing partitions need no lock.
  if not exists (
    select from generate_series(-1, p_days - 1) ahead
    where to_regclass('tenantry.instance_health_snapshots_' || to_char(today + ahead, 'YYYYMMDD')) is null) then
    return 0;
  end if;
  perform pg_advisory_xact_lock(hashtextextended('tenantry.health_partitions', 0));
  for ahead in -1 .. p_days - 1 loop
    made := made + tenantry.make_health_partition(today + ahead)::integer;
  end loop;
  return made;
end
$function$
;

CREATE OR REPLACE FUNCTION tenantry.prices_hold_from_today()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog'
AS $function$
declare
  today constant date := (now() at time zone 'utc')::date;
begin
  if tenantry.caller_kind() <> 'owner'
      and ((tg_op <> 'INSERT' and old.valid_from < today) or (tg_op <> 'DELETE' and new.valid_from < today)) then
    raise exception 'prices of past days cannot change; set valid_from to % or later', today using errcode = 'TN003';
  end if;
  return case tg_op when 'DELETE' then old else new end;
end
$function$
;

CREATE OR REPLACE FUNCTION tenantry.priority_of_job(p_payload jsonb)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO 'pg_catalog'
AS $function$
  select case when p_payload ?| array['rollout', 'background'] then 10 else 0 end
$function$
;

CREATE OR REPLACE FUNCTION tenantry.push_again()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
begin
  with channels as (update tenantry.channels h set pushed_at = null where h.instance_id = new.id returning h.id),
    keys as (update tenantry.provider_keys k set pushed_at = null where k.instance_id = new.id returning k.id),
    egress as (
      update tenantry.instances i set egress_revision = null, egress_pushed_at = null
      where i.id = new.id and i.egress_revision is not null returning i.id),
    kinds as (
      select 'push_channels' as kind where exists (select from channels)
      union all select 'push_provider_keys' where exists (select from keys)
        or exists (select from tenantry.clients c where c.id = new.client_id and c.ai_spend_cap_micros is not null)
      union all select 'push_egress' where exists (select from egress) or tenantry.wanted_egress(new.id) is not null)
  insert into tenantry.jobs (kind, client_id, instance_id, slug, requested_by, environment)
  select kinds.kind, c.id, new.id, c.slug, 'service', new.environment
  from kinds join tenantry.clients c on c.id = new.client_id;
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION tenantry.queue_incident_event()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
begin
  insert into tenantry.events (environment, client_id, kind, data)
  values (new.environment, new.client_id,
    case
      when tg_op = 'INSERT' then 'incident.opened'
      when new.closed_at is distinct from old.closed_at then 'incident.closed'
      else 'incident.acknowledged' end,
    jsonb_build_object('instance_id', new.instance_id, 'kind', new.kind));
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION tenantry.record_console_view(p_client_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
begin
  insert into tenantry.audit_log
    (environment, actor, actor_kind, action, entity, entity_id, partner_id, client_id, after, source, request_id)
  select c.environment, tenantry.acting_person(), tenantry.caller_kind(), 'insert', 'console', c.id::text, c.partner_id, c.id,
    jsonb_build_object('view', 'read-only'),
    nullif(current_setting('tenantry.source', true), ''), nullif(current_setting('tenantry.request_id', true), '')
  from tenantry.clients c
  where c.id = p_client_id and c.environment = tenantry.caller_environment() and tenantry.caller_kind() = 'platform_root'
    and tenantry.sees_all();
  return found;
end
$function$
;

CREATE OR REPLACE FUNCTION tenantry.record_inbox_order(p_instance_id uuid, p_order text, p_details jsonb)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
begin
  return tenantry.record_outside_change(p_instance_id, 'inbox', p_details || jsonb_build_object('order', p_order));
end
$function$
;

CREATE OR REPLACE FUNCTION tenantry.record_outside_change(p_instance_id uuid, p_entity text, p_details jsonb)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
begin
  insert into tenantry.audit_log
    (environment, actor, actor_kind, action, entity, entity_id, partner_id, client_id, after, source, request_id)
  select c.environment, tenantry.acting_person(), tenantry.caller_kind(), 'update', p_entity, i.id::text, c.partner_id, c.id,
    p_details,
    nullif(current_setting('tenantry.source', true), ''), nullif(current_setting('tenantry.request_id', true), '')
  from tenantry.instances i join tenantry.clients c on c.id = i.client_id
  where i.id = p_instance_id and c.environment = tenantry.caller_environment()
    and (tenantry.sees_all() or c.partner_id = tenantry.caller_partner()
      or c.id = tenantry.caller_client());
  return found;
end
$function$
;

CREATE OR REPLACE FUNCTION tenantry.record_state_change(p_instance_id uuid, p_details jsonb)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
begin
  return tenantry.record_outside_change(p_instance_id, 'state', p_details);
end
$function$
;

CREATE OR REPLACE FUNCTION tenantry.request_egress_pushes(p_instance_id uuid, p_partner_id uuid)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
  insert into tenantry.jobs (kind, client_id, instance_id, slug, requested_by, environment)
  select 'push_egress', c.id, i.id, c.slug, coalesce(tenantry.acting_person(), 'service'), i.environment
  from tenantry.instances i join tenantry.clients c on c.id = i.client_id
  where (i.id = p_instance_id or c.partner_id = p_partner_id)
    and tenantry.wanted_egress(i.id) is distinct from i.egress_revision
  order by c.slug
$function$
;

CREATE OR REPLACE FUNCTION tenantry.request_test_notification()
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
  select tenantry.note_occurrence(
    u.client_id, 'test', 'user:' || u.id || ':' || to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI'), '{}', u.id)
  from tenantry.client_users u
  where u.id = tenantry.caller_id() and u.client_id = tenantry.caller_client() and tenantry.caller_kind() = 'client_admin'
$function$
;

CREATE OR REPLACE FUNCTION tenantry.rollout_changed()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
begin
  perform tenantry.enqueue(new.environment, 'rollouts', '{}', 'rollouts', 'rollouts');
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION tenantry.sees_all()
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
  select case
    when tenantry.caller_kind() in ('partner_root', 'client_admin', 'client_user') then false
    when tenantry.caller_kind() = 'platform_root' then exists (
      select from tenantry.dashboard_users d
      where d.id = tenantry.caller_id() and d.role = 'ROOT' and d.environment = tenantry.caller_environment())
    else true
  end
$function$
;

CREATE OR REPLACE FUNCTION tenantry.service_token_changed()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
declare
  live constant tenantry.service_tokens := case tg_op when 'DELETE' then old else new end;
  actor constant text := tenantry.acting_person();
begin
  if tg_op = 'DELETE' then
    insert into tenantry.ended_service_tokens (access_client_id, access_token_id, environment)
    values (old.access_client_id, old.access_token_id, old.environment)
    on conflict (access_client_id) do nothing;
  end if;
  perform tenantry.members_changed(i.id) from tenantry.instances i where i.client_id = live.client_id;
  insert into tenantry.mails (environment, kind, recipient, client_id, client_user_id, data)
  select live.environment, 'service_token', u.email, u.client_id, u.id, jsonb_build_object(
    'what', case tg_op when 'DELETE' then 'revoked' else 'created' end, 'name', live.name, 'role', live.role,
    'expires_at', live.expires_at, 'by', case when tenantry.caller_kind() in ('dashboard', 'client_admin') then actor end)
  -- A client that is deleted is gone by now.
  from tenantry.client_users u join tenantry.clients c on c.id = u.client_id
  where u.id = live.client_user_id and u.email <> actor;
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION tenantry.service_token_of(p_access_client_id text, p_client_id uuid, p_instance_id uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
  select case
    when exists (select from tenantry.service_tokens k where k.access_client_id = p_access_client_id)
      or exists (select from tenantry.ended_service_tokens k where k.access_client_id = p_access_client_id)
    then coalesce(
      (select jsonb_build_object('email', u.email, 'expires_at', extract(epoch from k.expires_at),
          -- The lower of both roles.
          'role', case when k.role = 'ADMIN' then u.role else k.role end)
        from tenantry.service_tokens k
        join tenantry.client_users u on u.id = k.client_user_id and u.client_id = k.client_id
        join tenantry.client_user_instances a on a.client_user_id = u.id and a.instance_id = p_instance_id
        where k.access_client_id = p_access_client_id and k.client_id = p_client_id and k.expires_at > now()
          and u.status = 'validated'),
      jsonb_build_object('email', null, 'expires_at', null, 'role', null))
  end
$function$
;

CREATE OR REPLACE FUNCTION tenantry.set_event_partner()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
begin
  if new.partner_id is null and new.client_id is not null then
    select c.partner_id into new.partner_id from tenantry.clients c where c.id = new.client_id;
  end if;
  return new;
end
$function$
;

CREATE OR REPLACE FUNCTION tenantry.slug_is_taken(p_slug text)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
  select exists (
    select from tenantry.clients c where c.environment = tenantry.caller_environment() and c.slug = p_slug)
$function$
;

CREATE OR REPLACE FUNCTION tenantry.spending_cap_changed()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
begin
  insert into tenantry.jobs (kind, client_id, instance_id, slug, requested_by, environment)
  select 'push_provider_keys', new.id, i.id, new.slug, coalesce(tenantry.acting_person(), 'service'), i.environment
  from tenantry.instances i where i.client_id = new.id;
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION tenantry.spending_maximum(p_environment text, p_plan text)
 RETURNS bigint
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
  select round((l.ai_spend ->> p_plan)::numeric * 1000000)::bigint from tenantry.account_limits l where l.environment = p_environment
$function$
;

CREATE OR REPLACE FUNCTION tenantry.takes_traffic(environment text, client_status text, instance_status text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO 'pg_catalog'
AS $function$
  select instance_status not in ('frozen', 'stopped')
    and (environment <> 'production' or client_status in ('active', 'production'))
$function$
;

CREATE OR REPLACE FUNCTION tenantry.task_of_job(p_kind text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO 'pg_catalog'
AS $function$
  select case
    when p_kind in ('provision', 'deprovision', 'change_plan', 'assign_gateway', 'rotate_token', 'adopt_version', 'redeploy') then 'operation'
    else 'job' end
$function$
;

CREATE OR REPLACE FUNCTION tenantry.tenant_counts()
 RETURNS TABLE(environment text, tenants bigint, dedicated bigint)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
  select e.environment, count(c.id) filter (where i.id is not null or c.managed_by = 'git'),
    count(i.id) filter (
      where i.ai_gateway_pool_id is null and starts_with(i.ai_gateway_id, 'tenantry-' || left(c.slug, 40)))
  from (
    select u.environment from tenantry.dashboard_users u
    union
    select c.environment from tenantry.clients c
  ) e
  left join tenantry.clients c on c.environment = e.environment
  left join tenantry.instances i on i.client_id = c.id
  group by e.environment
  order by e.environment
$function$
;

CREATE OR REPLACE FUNCTION tenantry.user_of_client_user()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
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
$function$
;

CREATE OR REPLACE FUNCTION tenantry.users_follow_client()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
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
$function$
;

CREATE OR REPLACE FUNCTION tenantry.version_deployed()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog'
AS $function$
begin
  new.deployed_at := now();
  return new;
end
$function$
;

CREATE OR REPLACE FUNCTION tenantry.wanted_egress(p_instance_id uuid)
 RETURNS uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
  select case when w.stated then overlay(overlay(md5(w.whole) placing '8' from 13) placing '8' from 17)::uuid end
  from (
    select i.egress is not null or p.egress is not null or s.ids is not null as stated,
      concat_ws(e'\n', coalesce(p.egress::text, '-'), coalesce(i.egress::text, '-'), s.ids) as whole
    from tenantry.instances i
    join tenantry.clients c on c.id = i.client_id
    left join tenantry.partners p on p.id = c.partner_id
    cross join lateral (
      select string_agg(e.id::text, ' ' order by e.id) as ids from tenantry.egress_secrets e where e.instance_id = i.id) s
    where i.id = p_instance_id) w
$function$
;

CREATE OR REPLACE FUNCTION tenantry.without_mail(p_choices jsonb, p_kinds text[], p_webhook_too boolean)
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO 'pg_catalog'
AS $function$
  select p_choices || jsonb_object_agg(
    k, coalesce(p_choices -> k, '{}') || '{"mail": "off"}' || case when p_webhook_too then '{"webhook": false}' else '{}' end::jsonb)
  from unnest(p_kinds) as k
$function$
;

CREATE TRIGGER audit AFTER INSERT OR DELETE OR UPDATE ON tenantry.ai_gateways FOR EACH ROW EXECUTE FUNCTION tenantry.audit();

CREATE CONSTRAINT TRIGGER check_ai_gateway_holds_bound AFTER UPDATE OF max_instances, environment ON tenantry.ai_gateways DEFERRABLE INITIALLY IMMEDIATE FOR EACH ROW WHEN (((new.max_instances < old.max_instances) OR (new.environment IS DISTINCT FROM old.environment))) EXECUTE FUNCTION tenantry.check_ai_gateway_holds_bound();

CREATE TRIGGER next_version BEFORE UPDATE ON tenantry.ai_gateways FOR EACH ROW EXECUTE FUNCTION tenantry.next_version();

CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON tenantry.audit_log FOR EACH STATEMENT EXECUTE FUNCTION tenantry.audit_is_append_only();

CREATE TRIGGER audit AFTER INSERT OR DELETE OR UPDATE OF token_replaced_at ON tenantry.channels FOR EACH ROW EXECUTE FUNCTION tenantry.audit();

CREATE TRIGGER next_version BEFORE UPDATE OF token_replaced_at ON tenantry.channels FOR EACH ROW EXECUTE FUNCTION tenantry.next_version();

CREATE TRIGGER audit AFTER INSERT OR DELETE OR UPDATE ON tenantry.client_subdivisions FOR EACH ROW EXECUTE FUNCTION tenantry.audit();

CREATE TRIGGER assignment_changed AFTER INSERT OR DELETE ON tenantry.client_user_instances FOR EACH ROW EXECUTE FUNCTION tenantry.assignment_changed();

CREATE TRIGGER audit AFTER INSERT OR DELETE OR UPDATE ON tenantry.client_user_instances FOR EACH ROW EXECUTE FUNCTION tenantry.audit();

CREATE TRIGGER check_assignment BEFORE INSERT OR UPDATE ON tenantry.client_user_instances FOR EACH ROW EXECUTE FUNCTION tenantry.check_assignment();

CREATE TRIGGER audit AFTER INSERT OR DELETE OR UPDATE ON tenantry.client_user_subdivisions FOR EACH ROW EXECUTE FUNCTION tenantry.audit();

CREATE TRIGGER audit AFTER INSERT OR DELETE OR UPDATE ON tenantry.client_users FOR EACH ROW EXECUTE FUNCTION tenantry.audit();

CREATE TRIGGER check_status BEFORE UPDATE ON tenantry.client_users FOR EACH ROW WHEN ((old.status <> new.status)) EXECUTE FUNCTION tenantry.check_client_user_status();

CREATE TRIGGER client_user_changed AFTER UPDATE OF status, role, email ON tenantry.client_users FOR EACH ROW EXECUTE FUNCTION tenantry.client_user_changed();

CREATE TRIGGER keep_past_invitation AFTER UPDATE OF token_hash ON tenantry.client_users FOR EACH ROW WHEN (((old.token_hash IS NOT NULL) AND (new.token_hash IS DISTINCT FROM old.token_hash))) EXECUTE FUNCTION tenantry.keep_past_invitation();

CREATE TRIGGER next_version BEFORE UPDATE ON tenantry.client_users FOR EACH ROW EXECUTE FUNCTION tenantry.next_version();

CREATE TRIGGER user_of_client_user BEFORE INSERT ON tenantry.client_users FOR EACH ROW EXECUTE FUNCTION tenantry.user_of_client_user();

CREATE TRIGGER account_claim AFTER INSERT ON tenantry.clients REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION tenantry.claim_for_clients();

CREATE TRIGGER account_claim_of_plan AFTER UPDATE OF billing_plan ON tenantry.clients FOR EACH ROW WHEN (((new.managed_by = 'dashboard'::text) AND (new.billing_plan IS DISTINCT FROM old.billing_plan))) EXECUTE FUNCTION tenantry.claim_for_plan();

CREATE TRIGGER account_closes AFTER DELETE ON tenantry.clients FOR EACH ROW EXECUTE FUNCTION tenantry.account_closes();

CREATE TRIGGER account_follows AFTER INSERT OR UPDATE OF slug, name, partner_id ON tenantry.clients FOR EACH ROW EXECUTE FUNCTION tenantry.account_follows_client();

CREATE TRIGGER account_lock BEFORE INSERT ON tenantry.clients FOR EACH STATEMENT EXECUTE FUNCTION tenantry.begin_account_claim();

CREATE TRIGGER audit AFTER INSERT OR DELETE OR UPDATE ON tenantry.clients FOR EACH ROW EXECUTE FUNCTION tenantry.audit();

CREATE TRIGGER check_deletion BEFORE UPDATE OF delete_after ON tenantry.clients FOR EACH ROW WHEN ((old.delete_after IS DISTINCT FROM new.delete_after)) EXECUTE FUNCTION tenantry.check_client_deletion();

CREATE TRIGGER check_new_slug BEFORE INSERT ON tenantry.clients FOR EACH ROW WHEN ((new.slug = 'hooks'::text)) EXECUTE FUNCTION tenantry.check_new_slug();

CREATE TRIGGER check_spending_cap BEFORE UPDATE OF ai_spend_cap_micros ON tenantry.clients FOR EACH ROW WHEN ((new.ai_spend_cap_micros IS DISTINCT FROM old.ai_spend_cap_micros)) EXECUTE FUNCTION tenantry.check_spending_cap();

CREATE TRIGGER check_status BEFORE UPDATE ON tenantry.clients FOR EACH ROW WHEN ((old.status <> new.status)) EXECUTE FUNCTION tenantry.check_client_status();

CREATE TRIGGER egress_changed AFTER UPDATE OF partner_id ON tenantry.clients FOR EACH ROW WHEN ((old.partner_id IS DISTINCT FROM new.partner_id)) EXECUTE FUNCTION tenantry.egress_changed();

CREATE TRIGGER grace_period_ended AFTER UPDATE OF delete_after ON tenantry.clients FOR EACH ROW WHEN (((new.delete_after <= clock_timestamp()) AND (new.delete_after IS DISTINCT FROM old.delete_after))) EXECUTE FUNCTION tenantry.grace_period_ended();

CREATE TRIGGER had_back AFTER UPDATE OF delete_after ON tenantry.clients FOR EACH ROW WHEN (((old.delete_after IS NOT NULL) AND (new.delete_after IS NULL))) EXECUTE FUNCTION tenantry.client_had_back();

CREATE TRIGGER limit_client_admin BEFORE UPDATE ON tenantry.clients FOR EACH ROW WHEN (((tenantry.caller_kind() = 'client_admin'::text) AND (NOT (old.delete_after IS DISTINCT FROM new.delete_after)))) EXECUTE FUNCTION tenantry.limit_client_admin('maintenance_days', 'maintenance_start', 'maintenance_hours', 'maintenance_zone', 'is_canary', 'billing_plan', 'ai_spend_cap_micros');

CREATE TRIGGER limit_client_admin_deletion BEFORE UPDATE ON tenantry.clients FOR EACH ROW WHEN (((tenantry.caller_kind() = 'client_admin'::text) AND (old.delete_after IS DISTINCT FROM new.delete_after))) EXECUTE FUNCTION tenantry.limit_client_admin('delete_after', 'deletion_by');

CREATE TRIGGER mail_deletion AFTER UPDATE OF delete_after ON tenantry.clients FOR EACH ROW WHEN (((tenantry.caller_kind() = 'client_admin'::text) AND (old.delete_after IS DISTINCT FROM new.delete_after))) EXECUTE FUNCTION tenantry.mail_deletion();

CREATE TRIGGER next_version BEFORE UPDATE ON tenantry.clients FOR EACH ROW EXECUTE FUNCTION tenantry.next_version();

CREATE TRIGGER plan_changed AFTER INSERT OR UPDATE OF billing_plan, status, delete_after ON tenantry.clients FOR EACH ROW EXECUTE FUNCTION tenantry.client_plan_changed();

CREATE TRIGGER spending_cap_changed AFTER UPDATE OF ai_spend_cap_micros ON tenantry.clients FOR EACH ROW WHEN ((new.ai_spend_cap_micros IS DISTINCT FROM old.ai_spend_cap_micros)) EXECUTE FUNCTION tenantry.spending_cap_changed();

CREATE TRIGGER users_follow_client AFTER UPDATE OF partner_id ON tenantry.clients FOR EACH ROW WHEN ((old.partner_id IS DISTINCT FROM new.partner_id)) EXECUTE FUNCTION tenantry.users_follow_client();

CREATE TRIGGER append_only BEFORE DELETE OR UPDATE ON tenantry.credit_entries FOR EACH ROW EXECUTE FUNCTION tenantry.ledger_is_append_only();

CREATE TRIGGER append_only_whole BEFORE TRUNCATE ON tenantry.credit_entries FOR EACH STATEMENT EXECUTE FUNCTION tenantry.ledger_is_append_only();

CREATE TRIGGER audit AFTER INSERT OR DELETE OR UPDATE ON tenantry.credit_entries FOR EACH ROW EXECUTE FUNCTION tenantry.audit();

CREATE TRIGGER booked AFTER INSERT ON tenantry.credit_entries FOR EACH ROW EXECUTE FUNCTION tenantry.credit_booked();

CREATE TRIGGER audit AFTER INSERT OR DELETE OR UPDATE ON tenantry.credit_pools FOR EACH ROW EXECUTE FUNCTION tenantry.audit();

CREATE TRIGGER check_state BEFORE UPDATE ON tenantry.credit_pools FOR EACH ROW WHEN ((old.state <> new.state)) EXECUTE FUNCTION tenantry.check_credit_state();

CREATE TRIGGER next_version BEFORE UPDATE ON tenantry.credit_pools FOR EACH ROW EXECUTE FUNCTION tenantry.next_version();

CREATE TRIGGER note_use AFTER UPDATE OF lifetime_consumed ON tenantry.credit_pools FOR EACH ROW WHEN ((new.prepaid AND (new.lifetime_consumed > old.lifetime_consumed))) EXECUTE FUNCTION tenantry.note_credit_use();

CREATE TRIGGER sums_are_booked BEFORE UPDATE ON tenantry.credit_pools FOR EACH ROW WHEN (((pg_trigger_depth() = 0) AND ((new.lifetime_purchased <> old.lifetime_purchased) OR (new.lifetime_consumed <> old.lifetime_consumed)))) EXECUTE FUNCTION tenantry.credit_sums_are_booked();

CREATE TRIGGER sums_are_booked_first BEFORE INSERT ON tenantry.credit_pools FOR EACH ROW WHEN (((pg_trigger_depth() = 0) AND ((new.lifetime_purchased <> 0) OR (new.lifetime_consumed <> 0)))) EXECUTE FUNCTION tenantry.credit_sums_are_booked();

CREATE TRIGGER audit AFTER INSERT OR DELETE OR UPDATE ON tenantry.dashboard_users FOR EACH ROW EXECUTE FUNCTION tenantry.audit();

CREATE TRIGGER dashboard_user_changed AFTER INSERT OR DELETE OR UPDATE OF email, role ON tenantry.dashboard_users FOR EACH ROW EXECUTE FUNCTION tenantry.dashboard_user_changed();

CREATE TRIGGER next_version BEFORE UPDATE ON tenantry.dashboard_users FOR EACH ROW EXECUTE FUNCTION tenantry.next_version();

CREATE TRIGGER audit AFTER INSERT OR DELETE OR UPDATE OF name, state, key_hash, rotated_at ON tenantry.doors FOR EACH ROW EXECUTE FUNCTION tenantry.audit();

CREATE TRIGGER invalidate_door AFTER INSERT OR DELETE OR UPDATE OF name, state, key_hash, rotated_at ON tenantry.doors FOR EACH ROW EXECUTE FUNCTION tenantry.invalidate_door();

CREATE TRIGGER next_version BEFORE UPDATE OF name, state, key_hash, rotated_at ON tenantry.doors FOR EACH ROW EXECUTE FUNCTION tenantry.next_version();

CREATE TRIGGER audit AFTER INSERT OR DELETE ON tenantry.egress_secrets FOR EACH ROW EXECUTE FUNCTION tenantry.audit();

CREATE CONSTRAINT TRIGGER event_committed AFTER INSERT ON tenantry.events DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION tenantry.event_committed();

CREATE TRIGGER set_event_partner BEFORE INSERT ON tenantry.events FOR EACH ROW EXECUTE FUNCTION tenantry.set_event_partner();

CREATE TRIGGER audit AFTER INSERT OR DELETE OR UPDATE ON tenantry.images FOR EACH ROW EXECUTE FUNCTION tenantry.audit();

CREATE TRIGGER next_version BEFORE UPDATE ON tenantry.images FOR EACH ROW EXECUTE FUNCTION tenantry.next_version();

CREATE TRIGGER note_default AFTER UPDATE OF is_default ON tenantry.images FOR EACH ROW WHEN ((new.is_default AND (NOT old.is_default))) EXECUTE FUNCTION tenantry.note_image();

CREATE TRIGGER note_new_default AFTER INSERT ON tenantry.images FOR EACH ROW WHEN (new.is_default) EXECUTE FUNCTION tenantry.note_image();

CREATE TRIGGER audit AFTER INSERT OR DELETE OR UPDATE ON tenantry.incidents FOR EACH ROW EXECUTE FUNCTION tenantry.audit();

CREATE TRIGGER check_change BEFORE UPDATE ON tenantry.incidents FOR EACH ROW EXECUTE FUNCTION tenantry.check_incident_change();

CREATE TRIGGER incident_changed AFTER UPDATE OF closed_at, acknowledged_at ON tenantry.incidents FOR EACH ROW WHEN (((old.closed_at IS DISTINCT FROM new.closed_at) OR (old.acknowledged_at IS DISTINCT FROM new.acknowledged_at))) EXECUTE FUNCTION tenantry.queue_incident_event();

CREATE TRIGGER incident_opened AFTER INSERT ON tenantry.incidents FOR EACH ROW WHEN ((new.closed_at IS NULL)) EXECUTE FUNCTION tenantry.queue_incident_event();

CREATE TRIGGER note_closed AFTER UPDATE OF closed_at ON tenantry.incidents FOR EACH ROW WHEN (((new.kind = ANY (ARRAY['gateway_dead'::text, 'backup_failing'::text])) AND (old.closed_at IS NULL) AND (new.closed_at IS NOT NULL))) EXECUTE FUNCTION tenantry.note_incident();

CREATE TRIGGER note_opened AFTER INSERT ON tenantry.incidents FOR EACH ROW WHEN (((new.kind = ANY (ARRAY['gateway_dead'::text, 'backup_failing'::text])) AND (new.closed_at IS NULL))) EXECUTE FUNCTION tenantry.note_incident();

CREATE TRIGGER account_claim AFTER INSERT ON tenantry.instances REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION tenantry.claim_for_instances();

CREATE TRIGGER account_lock BEFORE INSERT ON tenantry.instances FOR EACH STATEMENT EXECUTE FUNCTION tenantry.begin_account_claim();

CREATE TRIGGER audit AFTER INSERT OR DELETE OR UPDATE ON tenantry.instances FOR EACH ROW EXECUTE FUNCTION tenantry.audit();

CREATE CONSTRAINT TRIGGER check_ai_gateway_capacity AFTER INSERT OR UPDATE OF ai_gateway_pool_id, environment ON tenantry.instances DEFERRABLE INITIALLY IMMEDIATE FOR EACH ROW WHEN ((new.ai_gateway_pool_id IS NOT NULL)) EXECUTE FUNCTION tenantry.check_ai_gateway_capacity();

CREATE TRIGGER check_status BEFORE INSERT ON tenantry.instances FOR EACH ROW EXECUTE FUNCTION tenantry.check_instance_status();

CREATE TRIGGER check_status_change BEFORE UPDATE ON tenantry.instances FOR EACH ROW WHEN ((old.status <> new.status)) EXECUTE FUNCTION tenantry.check_instance_status();

CREATE TRIGGER egress_changed AFTER UPDATE OF egress ON tenantry.instances FOR EACH ROW WHEN ((old.egress IS DISTINCT FROM new.egress)) EXECUTE FUNCTION tenantry.egress_changed();

CREATE TRIGGER instance_removed AFTER DELETE ON tenantry.instances FOR EACH ROW EXECUTE FUNCTION tenantry.instance_removed();

CREATE TRIGGER limit_client_admin BEFORE UPDATE ON tenantry.instances FOR EACH ROW WHEN (((tenantry.caller_kind() = 'client_admin'::text) AND (old.status = new.status) AND ((old.frozen_for IS DISTINCT FROM 'deletion'::text) OR (new.frozen_for IS DISTINCT FROM 'credit'::text)))) EXECUTE FUNCTION tenantry.limit_client_admin('egress', 'is_pinned');

CREATE TRIGGER limit_client_admin_credit BEFORE UPDATE ON tenantry.instances FOR EACH ROW WHEN (((tenantry.caller_kind() = 'client_admin'::text) AND (old.status = new.status) AND (old.frozen_for = 'deletion'::text) AND (new.frozen_for = 'credit'::text))) EXECUTE FUNCTION tenantry.limit_client_admin('state_cause', 'frozen_for', 'frozen_by');

CREATE TRIGGER limit_client_admin_freeze BEFORE UPDATE ON tenantry.instances FOR EACH ROW WHEN (((tenantry.caller_kind() = 'client_admin'::text) AND (old.status <> new.status))) EXECUTE FUNCTION tenantry.limit_client_admin('status', 'state_cause', 'state_deadline', 'generation', 'frozen_for', 'frozen_from', 'frozen_by');

CREATE TRIGGER next_version BEFORE UPDATE ON tenantry.instances FOR EACH ROW EXECUTE FUNCTION tenantry.next_version();

CREATE TRIGGER note_erased_rows BEFORE DELETE ON tenantry.instances FOR EACH ROW EXECUTE FUNCTION tenantry.note_erased_rows();

CREATE TRIGGER note_pin BEFORE UPDATE OF is_pinned ON tenantry.instances FOR EACH ROW EXECUTE FUNCTION tenantry.note_pin();

CREATE TRIGGER push_again AFTER UPDATE OF status ON tenantry.instances FOR EACH ROW WHEN (((new.status = 'running'::text) AND (old.status = ANY (ARRAY['provisioning'::text, 'error'::text])))) EXECUTE FUNCTION tenantry.push_again();

CREATE TRIGGER check_invoice_line BEFORE INSERT OR DELETE OR UPDATE ON tenantry.invoice_line_items FOR EACH ROW EXECUTE FUNCTION tenantry.check_invoice_line();

CREATE TRIGGER audit AFTER INSERT OR DELETE OR UPDATE ON tenantry.invoices FOR EACH ROW EXECUTE FUNCTION tenantry.audit();

CREATE TRIGGER check_invoice BEFORE DELETE OR UPDATE ON tenantry.invoices FOR EACH ROW EXECUTE FUNCTION tenantry.check_invoice();

CREATE TRIGGER note_issued AFTER UPDATE OF status ON tenantry.invoices FOR EACH ROW WHEN (((old.status = 'draft'::text) AND (new.status = 'issued'::text))) EXECUTE FUNCTION tenantry.note_invoice();

CREATE TRIGGER audit AFTER INSERT OR DELETE OR UPDATE ON tenantry.jobs FOR EACH ROW EXECUTE FUNCTION tenantry.audit();

CREATE TRIGGER job_queued AFTER INSERT ON tenantry.jobs FOR EACH ROW EXECUTE FUNCTION tenantry.job_queued();

CREATE TRIGGER note_ended AFTER UPDATE OF ended_at ON tenantry.jobs FOR EACH ROW WHEN (((old.ended_at IS NULL) AND (new.ended_at IS NOT NULL) AND (new.status <> 'cancelled'::text) AND (new.kind = ANY (ARRAY['restore_backup'::text, 'final_backup'::text, 'adopt_version'::text])))) EXECUTE FUNCTION tenantry.note_job();

CREATE TRIGGER settled AFTER UPDATE OF ended_at ON tenantry.jobs FOR EACH ROW WHEN (((old.ended_at IS NULL) AND (new.ended_at IS NOT NULL) AND (new.kind = ANY (ARRAY['assign_gateway'::text, 'change_plan'::text])))) EXECUTE FUNCTION tenantry.job_settled();

CREATE TRIGGER version_adopted AFTER UPDATE OF ended_at ON tenantry.jobs FOR EACH ROW WHEN (((new.kind = 'adopt_version'::text) AND (new.ended_at IS NOT NULL))) EXECUTE FUNCTION tenantry.rollout_changed();

CREATE TRIGGER limit_invitations BEFORE INSERT ON tenantry.mails FOR EACH ROW WHEN (((new.kind = 'invitation'::text) AND (tenantry.caller_id() IS NOT NULL))) EXECUTE FUNCTION tenantry.limit_invitations();

CREATE TRIGGER mail_queued AFTER INSERT ON tenantry.mails FOR EACH ROW EXECUTE FUNCTION tenantry.mail_queued();

CREATE TRIGGER notification_mail_ended AFTER UPDATE OF status ON tenantry.mails FOR EACH ROW WHEN (((new.kind = 'notification'::text) AND (old.status = 'queued'::text) AND (new.status <> 'queued'::text))) EXECUTE FUNCTION tenantry.notification_mail_ended();

CREATE TRIGGER delivery_queued AFTER INSERT ON tenantry.notification_deliveries FOR EACH ROW WHEN ((new.channel = 'webhook'::text)) EXECUTE FUNCTION tenantry.delivery_queued();

CREATE TRIGGER audit AFTER INSERT OR UPDATE OF choices, webhook_host ON tenantry.notification_settings FOR EACH ROW EXECUTE FUNCTION tenantry.audit();

CREATE TRIGGER next_version BEFORE UPDATE OF choices, webhook_host ON tenantry.notification_settings FOR EACH ROW EXECUTE FUNCTION tenantry.next_version();

CREATE TRIGGER notification_noted AFTER INSERT ON tenantry.notifications FOR EACH ROW EXECUTE FUNCTION tenantry.notification_noted();

CREATE TRIGGER audit AFTER INSERT OR DELETE OR UPDATE ON tenantry.partner_domains FOR EACH ROW EXECUTE FUNCTION tenantry.audit();

CREATE TRIGGER audit AFTER INSERT OR DELETE OR UPDATE ON tenantry.partners FOR EACH ROW EXECUTE FUNCTION tenantry.audit();

CREATE TRIGGER egress_changed AFTER UPDATE OF egress ON tenantry.partners FOR EACH ROW WHEN ((old.egress IS DISTINCT FROM new.egress)) EXECUTE FUNCTION tenantry.egress_changed();

CREATE TRIGGER next_version BEFORE UPDATE ON tenantry.partners FOR EACH ROW EXECUTE FUNCTION tenantry.next_version();

CREATE TRIGGER version_deployed BEFORE UPDATE OF version ON tenantry.platform_versions FOR EACH ROW EXECUTE FUNCTION tenantry.version_deployed();

CREATE TRIGGER audit AFTER INSERT OR DELETE OR UPDATE ON tenantry.prices FOR EACH ROW EXECUTE FUNCTION tenantry.audit();

CREATE TRIGGER hold_from_today BEFORE INSERT OR DELETE OR UPDATE ON tenantry.prices FOR EACH ROW EXECUTE FUNCTION tenantry.prices_hold_from_today();

CREATE TRIGGER audit AFTER INSERT OR DELETE ON tenantry.provider_keys FOR EACH ROW EXECUTE FUNCTION tenantry.audit();

CREATE TRIGGER audit AFTER INSERT OR DELETE OR UPDATE ON tenantry.rollouts FOR EACH ROW EXECUTE FUNCTION tenantry.audit();

CREATE TRIGGER next_version BEFORE UPDATE ON tenantry.rollouts FOR EACH ROW EXECUTE FUNCTION tenantry.next_version();

CREATE TRIGGER rollout_changed AFTER INSERT OR UPDATE OF status, wave ON tenantry.rollouts FOR EACH ROW EXECUTE FUNCTION tenantry.rollout_changed();

CREATE TRIGGER audit AFTER INSERT OR DELETE ON tenantry.service_tokens FOR EACH ROW EXECUTE FUNCTION tenantry.audit();

CREATE TRIGGER note_created AFTER INSERT ON tenantry.service_tokens FOR EACH ROW EXECUTE FUNCTION tenantry.note_service_token();

CREATE TRIGGER service_token_changed AFTER INSERT OR DELETE ON tenantry.service_tokens FOR EACH ROW EXECUTE FUNCTION tenantry.service_token_changed();

CREATE TRIGGER note_spending AFTER INSERT OR UPDATE OF quantity ON tenantry.usage_daily FOR EACH ROW WHEN ((new.metric = 'ai_spend'::text)) EXECUTE FUNCTION tenantry.note_model_spending();

CREATE TRIGGER audit AFTER INSERT OR DELETE OR UPDATE ON tenantry.users FOR EACH ROW EXECUTE FUNCTION tenantry.audit();

CREATE TRIGGER next_version BEFORE UPDATE ON tenantry.users FOR EACH ROW EXECUTE FUNCTION tenantry.next_version();

CREATE TRIGGER content_stays BEFORE UPDATE ON tenantry.worker_bundles FOR EACH ROW EXECUTE FUNCTION tenantry.content_stays();

CREATE TRIGGER next_version BEFORE UPDATE ON tenantry.worker_bundles FOR EACH ROW EXECUTE FUNCTION tenantry.next_version();

create policy in_scope on tenantry.account_capacity for all to public using (((environment = ( SELECT tenantry.caller_environment() AS caller_environment)) AND ( SELECT tenantry.sees_all() AS sees_all)));

create policy in_scope on tenantry.account_limits for all to public using (((environment = ( SELECT tenantry.caller_environment() AS caller_environment)) AND ( SELECT tenantry.sees_all() AS sees_all)));

create policy in_scope on tenantry.ai_gateways for all to public using (((declared_by = ( SELECT tenantry.caller_environment() AS caller_environment)) AND ( SELECT tenantry.sees_all() AS sees_all)));

create policy readable on tenantry.ai_gateways for select to public using (( SELECT tenantry.sees_all() AS sees_all));

create policy own_environment on tenantry.analytics_events for all to public using ((EXISTS ( SELECT
   FROM tenantry.instances i
  WHERE (i.id = analytics_events.instance_id))));

create policy in_scope on tenantry.audit_log for all to public using (((environment = ( SELECT tenantry.caller_environment() AS caller_environment)) AND (( SELECT tenantry.sees_all() AS sees_all) OR (partner_id = ( SELECT tenantry.caller_partner() AS caller_partner)) OR (client_id = ( SELECT tenantry.caller_client() AS caller_client)))));

create policy in_scope on tenantry.billing_accounts for all to public using (((environment = ( SELECT tenantry.caller_environment() AS caller_environment)) AND (( SELECT tenantry.sees_all() AS sees_all) OR (partner_id = ( SELECT tenantry.caller_partner() AS caller_partner)) OR (id = ( SELECT tenantry.caller_client() AS caller_client)))));

create policy in_scope on tenantry.channels for all to public using (((environment = ( SELECT tenantry.caller_environment() AS caller_environment)) AND (EXISTS ( SELECT
   FROM tenantry.instances i
  WHERE (i.id = channels.instance_id)))));

create policy in_scope on tenantry.client_plans for all to public using ((EXISTS ( SELECT
   FROM tenantry.billing_accounts a
  WHERE (a.id = client_plans.client_id))));

create policy own_environment on tenantry.client_subdivisions for all to public using ((EXISTS ( SELECT
   FROM tenantry.clients c
  WHERE (c.id = client_subdivisions.client_id))));

create policy in_scope on tenantry.client_user_instances for all to public using ((EXISTS ( SELECT
   FROM (tenantry.instances i
     JOIN tenantry.client_users u ON ((u.client_id = i.client_id)))
  WHERE ((i.id = client_user_instances.instance_id) AND (u.id = client_user_instances.client_user_id)))));

create policy in_scope on tenantry.client_user_subdivisions for all to public using ((EXISTS ( SELECT
   FROM (tenantry.client_subdivisions s
     JOIN tenantry.client_users u ON ((u.client_id = s.client_id)))
  WHERE ((s.id = client_user_subdivisions.client_subdivision_id) AND (u.id = client_user_subdivisions.client_user_id)))));

create policy own_environment on tenantry.client_users for all to public using (((EXISTS ( SELECT
   FROM tenantry.clients c
  WHERE (c.id = client_users.client_id))) AND ((id = ( SELECT tenantry.caller_id() AS caller_id)) OR (( SELECT tenantry.caller_kind() AS caller_kind) <> 'client_user'::text))));

create policy in_scope on tenantry.clients for all to public using (((environment = ( SELECT tenantry.caller_environment() AS caller_environment)) AND (( SELECT tenantry.sees_all() AS sees_all) OR (partner_id = ( SELECT tenantry.caller_partner() AS caller_partner)) OR (id = ( SELECT tenantry.caller_client() AS caller_client)))));

create policy consumption_is_metered on tenantry.credit_entries as restrictive for insert to public with check (((day IS NULL) OR (tenantry.caller_kind() = ANY (ARRAY['service'::text, 'owner'::text]))));

create policy in_scope on tenantry.credit_entries for all to public using ((EXISTS ( SELECT
   FROM tenantry.billing_accounts a
  WHERE (a.id = credit_entries.client_id))));

create policy in_scope on tenantry.credit_pools for all to public using ((EXISTS ( SELECT
   FROM tenantry.billing_accounts a
  WHERE (a.id = credit_pools.client_id))));

create policy in_scope on tenantry.dashboard_users for all to public using (((environment = ( SELECT tenantry.caller_environment() AS caller_environment)) AND (( SELECT tenantry.sees_all() AS sees_all) OR (partner_id = ( SELECT tenantry.caller_partner() AS caller_partner)))));

create policy in_scope on tenantry.doors for all to public using ((EXISTS ( SELECT
   FROM tenantry.instances i
  WHERE (i.id = doors.instance_id))));

create policy in_scope on tenantry.egress_secrets for all to public using ((EXISTS ( SELECT
   FROM tenantry.instances i
  WHERE (i.id = egress_secrets.instance_id))));

create policy own_environment on tenantry.ended_service_tokens for all to public using ((environment = ( SELECT tenantry.caller_environment() AS caller_environment)));

create policy in_scope on tenantry.erasures for all to public using (((environment = ( SELECT tenantry.caller_environment() AS caller_environment)) AND (( SELECT tenantry.sees_all() AS sees_all) OR (partner_id = ( SELECT tenantry.caller_partner() AS caller_partner)) OR (client_id = ( SELECT tenantry.caller_client() AS caller_client)))));

create policy in_scope on tenantry.events for all to public using (((environment = ( SELECT tenantry.caller_environment() AS caller_environment)) AND (( SELECT tenantry.sees_all() AS sees_all) OR (partner_id = ( SELECT tenantry.caller_partner() AS caller_partner)) OR ((client_id = ( SELECT tenantry.caller_client() AS caller_client)) AND ((( SELECT tenantry.caller_kind() AS caller_kind) = 'client_admin'::text) OR (kind ~~ 'instance.%'::text))))));

create policy in_scope on tenantry.findings for all to public using (((environment = ( SELECT tenantry.caller_environment() AS caller_environment)) AND ( SELECT tenantry.sees_all() AS sees_all)));

create policy own_keys on tenantry.idempotency_keys for all to public using (
CASE
    WHEN (tenantry.caller_kind() = ANY (ARRAY['platform_root'::text, 'partner_root'::text, 'client_admin'::text, 'client_user'::text])) THEN (caller = ( SELECT tenantry.caller_id() AS caller_id))
    ELSE (environment = ( SELECT tenantry.caller_environment() AS caller_environment))
END);

create policy in_scope on tenantry.images for all to public using (((environment = ( SELECT tenantry.caller_environment() AS caller_environment)) AND ( SELECT tenantry.sees_all() AS sees_all)));

create policy of_own_tenants on tenantry.images for select to public using ((EXISTS ( SELECT
   FROM tenantry.instances i
  WHERE (i.image_id = images.id))));

create policy in_scope on tenantry.incidents for all to public using (((environment = ( SELECT tenantry.caller_environment() AS caller_environment)) AND (( SELECT tenantry.sees_all() AS sees_all) OR (client_id = ANY (( SELECT tenantry.caller_clients() AS caller_clients)::uuid[])))));

create policy own_environment on tenantry.instance_health_snapshots for all to public using ((EXISTS ( SELECT
   FROM tenantry.instances i
  WHERE (i.id = instance_health_snapshots.instance_id))));

create policy in_scope on tenantry.instances for all to public using (((environment = ( SELECT tenantry.caller_environment() AS caller_environment)) AND (( SELECT tenantry.sees_all() AS sees_all) OR (EXISTS ( SELECT
   FROM tenantry.clients c
  WHERE (c.id = instances.client_id))))));

create policy own_environment on tenantry.invoice_line_items for all to public using ((EXISTS ( SELECT
   FROM tenantry.invoices v
  WHERE (v.id = invoice_line_items.invoice_id))));

create policy in_scope on tenantry.invoices for all to public using ((EXISTS ( SELECT
   FROM tenantry.billing_accounts a
  WHERE (a.id = invoices.client_id))));

create policy in_scope on tenantry.job_events for all to public using ((EXISTS ( SELECT
   FROM tenantry.jobs j
  WHERE (j.id = job_events.job_id))));

create policy in_scope on tenantry.jobs for all to public using (((environment = ( SELECT tenantry.caller_environment() AS caller_environment)) AND (( SELECT tenantry.sees_all() AS sees_all) OR (client_id = ANY (( SELECT tenantry.caller_clients() AS caller_clients)::uuid[])))));

create policy in_scope on tenantry.mail_attempts for all to public using ((EXISTS ( SELECT
   FROM tenantry.mails m
  WHERE (m.id = mail_attempts.mail_id))));

create policy in_scope on tenantry.mails for all to public using (((environment = ( SELECT tenantry.caller_environment() AS caller_environment)) AND (( SELECT tenantry.sees_all() AS sees_all) OR (EXISTS ( SELECT
   FROM tenantry.clients c
  WHERE (c.id = mails.client_id))))));

create policy in_scope on tenantry.notification_deliveries for all to public using ((EXISTS ( SELECT
   FROM tenantry.notifications n
  WHERE (n.id = notification_deliveries.notification_id))));

create policy own_settings on tenantry.notification_settings for all to public using (((EXISTS ( SELECT
   FROM tenantry.client_users u
  WHERE (u.id = notification_settings.client_user_id))) AND ((( SELECT tenantry.caller_kind() AS caller_kind) <> 'client_admin'::text) OR (client_user_id = ( SELECT tenantry.caller_id() AS caller_id)))));

create policy own_environment on tenantry.notification_unsubscribes for all to public using ((EXISTS ( SELECT
   FROM tenantry.client_users u
  WHERE (u.id = notification_unsubscribes.client_user_id))));

create policy in_scope on tenantry.notifications for all to public using (((environment = ( SELECT tenantry.caller_environment() AS caller_environment)) AND (( SELECT tenantry.sees_all() AS sees_all) OR (client_id = ANY (( SELECT tenantry.caller_clients() AS caller_clients)::uuid[])))));

create policy in_scope on tenantry.partner_domains for all to public using ((EXISTS ( SELECT
   FROM tenantry.partners p
  WHERE (p.id = partner_domains.partner_id))));

create policy in_scope on tenantry.partners for all to public using (((environment = ( SELECT tenantry.caller_environment() AS caller_environment)) AND (( SELECT tenantry.sees_all() AS sees_all) OR (id = ( SELECT tenantry.caller_partner() AS caller_partner)) OR (id = ( SELECT c.partner_id
   FROM tenantry.clients c
  WHERE (c.id = ( SELECT tenantry.caller_client() AS caller_client)))))));

create policy in_scope on tenantry.platform_versions for all to public using (((environment = ( SELECT tenantry.caller_environment() AS caller_environment)) AND ( SELECT tenantry.sees_all() AS sees_all)));

create policy in_scope on tenantry.prices for all to public using (((environment = ( SELECT tenantry.caller_environment() AS caller_environment)) AND (( SELECT tenantry.sees_all() AS sees_all) OR (( SELECT tenantry.caller_partner() AS caller_partner) IS NOT NULL))));

create policy in_scope on tenantry.provider_keys for all to public using ((EXISTS ( SELECT
   FROM tenantry.instances i
  WHERE (i.id = provider_keys.instance_id))));

create policy own_environment on tenantry.restores for select to public using ((environment = ( SELECT tenantry.caller_environment() AS caller_environment)));

create policy in_scope on tenantry.rollout_tenants for all to public using ((EXISTS ( SELECT
   FROM tenantry.rollouts r
  WHERE (r.id = rollout_tenants.rollout_id))));

create policy in_scope on tenantry.rollouts for all to public using (((environment = ( SELECT tenantry.caller_environment() AS caller_environment)) AND ( SELECT tenantry.sees_all() AS sees_all)));

create policy readable on tenantry.schema_version for select to public using (true);

create policy in_scope on tenantry.service_tokens for all to public using (((environment = ( SELECT tenantry.caller_environment() AS caller_environment)) AND (EXISTS ( SELECT
   FROM tenantry.client_users u
  WHERE ((u.id = service_tokens.client_user_id) AND (u.client_id = service_tokens.client_id))))));

create policy in_scope on tenantry.usage_daily for all to public using ((EXISTS ( SELECT
   FROM tenantry.billing_accounts a
  WHERE (a.id = usage_daily.client_id))));

create policy in_scope on tenantry.users for all to public using (((environment = ( SELECT tenantry.caller_environment() AS caller_environment)) AND (( SELECT tenantry.sees_all() AS sees_all) OR (partner_id = ( SELECT tenantry.caller_partner() AS caller_partner)) OR (EXISTS ( SELECT
   FROM tenantry.client_users m
  WHERE ((m.user_id = users.id) AND (m.client_id = ( SELECT tenantry.caller_client() AS caller_client))))))));

create policy in_scope on tenantry.worker_bundles for all to public using (((environment = ( SELECT tenantry.caller_environment() AS caller_environment)) AND ( SELECT tenantry.sees_all() AS sees_all)));

grant execute on function tenantry.account_closes() to public;

grant execute on function tenantry.account_follows_client() to public;

grant execute on function tenantry.account_outgrown() to tenantry_platform_root_rights;

grant execute on function tenantry.account_use(text) to tenantry_service_rights;

grant execute on function tenantry.acting_person() to public;

grant execute on function tenantry.assignment_changed() to public;

grant execute on function tenantry.audit() to public;

grant execute on function tenantry.audit_is_append_only() to public;

grant execute on function tenantry.begin_account_claim() to public;

grant execute on function tenantry.bound_instances(uuid) to public;

grant execute on function tenantry.bundle_names() to tenantry_client_admin_rights;

grant execute on function tenantry.bundle_names() to tenantry_client_user_rights;

grant execute on function tenantry.bundle_names() to tenantry_partner_root_rights;

grant execute on function tenantry.bundle_names() to tenantry_platform_root_rights;

grant execute on function tenantry.caller_client() to public;

grant execute on function tenantry.caller_clients() to public;

grant execute on function tenantry.caller_environment() to public;

grant execute on function tenantry.caller_id() to public;

grant execute on function tenantry.caller_kind() to public;

grant execute on function tenantry.caller_partner() to public;

grant execute on function tenantry.cancel_job(uuid) to tenantry_client_admin_rights;

grant execute on function tenantry.cancel_job(uuid) to tenantry_partner_root_rights;

grant execute on function tenantry.cancel_job(uuid) to tenantry_platform_root_rights;

grant execute on function tenantry.check_ai_gateway_capacity() to public;

grant execute on function tenantry.check_ai_gateway_holds_bound() to public;

grant execute on function tenantry.check_assignment() to public;

grant execute on function tenantry.check_client_deletion() to public;

grant execute on function tenantry.check_client_status() to public;

grant execute on function tenantry.check_client_user_status() to public;

grant execute on function tenantry.check_credit_state() to public;

grant execute on function tenantry.check_incident_change() to public;

grant execute on function tenantry.check_instance_status() to public;

grant execute on function tenantry.check_invoice() to public;

grant execute on function tenantry.check_invoice_line() to public;

grant execute on function tenantry.check_new_slug() to public;

grant execute on function tenantry.check_spending_cap() to public;

grant execute on function tenantry.claim_for_clients() to public;

grant execute on function tenantry.claim_for_instances() to public;

grant execute on function tenantry.claim_for_plan() to public;

grant execute on function tenantry.client_had_back() to public;

grant execute on function tenantry.client_plan_changed() to public;

grant execute on function tenantry.client_user_changed() to public;

grant execute on function tenantry.content_stays() to public;

grant execute on function tenantry.credit_booked() to public;

grant execute on function tenantry.credit_level(boolean,bigint,bigint) to public;

grant execute on function tenantry.credit_sums_are_booked() to public;

grant execute on function tenantry.dashboard_user_changed() to public;

grant execute on function tenantry.delete_client(uuid) to tenantry_service_rights;

grant execute on function tenantry.delivery_queued() to public;

grant execute on function tenantry.drop_old_health_partitions(interval) to tenantry_service_rights;

grant execute on function tenantry.earlier_clients(uuid) to tenantry_client_admin_rights;

grant execute on function tenantry.earlier_clients(uuid) to tenantry_partner_root_rights;

grant execute on function tenantry.earlier_clients(uuid) to tenantry_platform_root_rights;

grant execute on function tenantry.egress_changed() to public;

grant execute on function tenantry.event_committed() to public;

grant execute on function tenantry.grace_period_ended() to public;

grant execute on function tenantry.instance_removed() to public;

grant execute on function tenantry.invalidate_door() to public;

grant execute on function tenantry.job_queued() to public;

grant execute on function tenantry.job_settled() to public;

grant execute on function tenantry.keep_past_invitation() to public;

grant execute on function tenantry.ledger_is_append_only() to public;

grant execute on function tenantry.limit_client_admin() to public;

grant execute on function tenantry.limit_invitations() to public;

grant execute on function tenantry.mail_deletion() to public;

grant execute on function tenantry.mail_queued() to public;

grant execute on function tenantry.next_version() to public;

grant execute on function tenantry.note_credit_use() to public;

grant execute on function tenantry.note_erased_rows() to public;

grant execute on function tenantry.note_image() to public;

grant execute on function tenantry.note_incident() to public;

grant execute on function tenantry.note_invoice() to public;

grant execute on function tenantry.note_job() to public;

grant execute on function tenantry.note_model_spending() to public;

grant execute on function tenantry.note_occurrence(uuid,text,text,jsonb,uuid) to tenantry_service_rights;

grant execute on function tenantry.note_pin() to public;

grant execute on function tenantry.note_service_token() to public;

grant execute on function tenantry.notification_mail_ended() to public;

grant execute on function tenantry.notification_noted() to public;

grant execute on function tenantry.offered_images(uuid) to tenantry_client_admin_rights;

grant execute on function tenantry.offered_images(uuid) to tenantry_client_user_rights;

grant execute on function tenantry.offered_images(uuid) to tenantry_partner_root_rights;

grant execute on function tenantry.offered_images(uuid) to tenantry_platform_root_rights;

grant execute on function tenantry.plan_fees(uuid) to tenantry_client_admin_rights;

grant execute on function tenantry.plan_fees(uuid) to tenantry_partner_root_rights;

grant execute on function tenantry.plan_fees(uuid) to tenantry_platform_root_rights;

grant execute on function tenantry.planned_change(uuid) to tenantry_client_admin_rights;

grant execute on function tenantry.planned_change(uuid) to tenantry_client_user_rights;

grant execute on function tenantry.planned_change(uuid) to tenantry_partner_root_rights;

grant execute on function tenantry.planned_change(uuid) to tenantry_platform_root_rights;

grant execute on function tenantry.pool_entries() to tenantry_partner_root_rights;

grant execute on function tenantry.pool_entries() to tenantry_platform_root_rights;

grant execute on function tenantry.prepare_health_partitions(integer) to tenantry_service_rights;

grant execute on function tenantry.prices_hold_from_today() to public;

grant execute on function tenantry.priority_of_job(jsonb) to tenantry_service_rights;

grant execute on function tenantry.push_again() to public;

grant execute on function tenantry.queue_incident_event() to public;

grant execute on function tenantry.record_console_view(uuid) to tenantry_platform_root_rights;

grant execute on function tenantry.record_inbox_order(uuid,text,jsonb) to tenantry_client_admin_rights;

grant execute on function tenantry.record_inbox_order(uuid,text,jsonb) to tenantry_partner_root_rights;

grant execute on function tenantry.record_inbox_order(uuid,text,jsonb) to tenantry_platform_root_rights;

grant execute on function tenantry.record_state_change(uuid,jsonb) to tenantry_client_admin_rights;

grant execute on function tenantry.record_state_change(uuid,jsonb) to tenantry_partner_root_rights;

grant execute on function tenantry.record_state_change(uuid,jsonb) to tenantry_platform_root_rights;

grant execute on function tenantry.request_test_notification() to tenantry_client_admin_rights;

grant execute on function tenantry.rollout_changed() to public;

grant execute on function tenantry.sees_all() to public;

grant execute on function tenantry.service_token_changed() to public;

grant execute on function tenantry.set_event_partner() to public;

grant execute on function tenantry.slug_is_taken(text) to tenantry_partner_root_rights;

grant execute on function tenantry.slug_is_taken(text) to tenantry_platform_root_rights;

grant execute on function tenantry.spending_cap_changed() to public;

grant execute on function tenantry.spending_maximum(text,text) to tenantry_client_admin_rights;

grant execute on function tenantry.spending_maximum(text,text) to tenantry_partner_root_rights;

grant execute on function tenantry.spending_maximum(text,text) to tenantry_platform_root_rights;

grant execute on function tenantry.takes_traffic(text,text,text) to public;

grant execute on function tenantry.task_of_job(text) to tenantry_service_rights;

grant execute on function tenantry.tenant_counts() to public;

grant execute on function tenantry.user_of_client_user() to public;

grant execute on function tenantry.users_follow_client() to public;

grant execute on function tenantry.version_deployed() to public;

grant execute on function tenantry.wanted_egress(uuid) to tenantry_client_admin_rights;

grant execute on function tenantry.wanted_egress(uuid) to tenantry_partner_root_rights;

grant execute on function tenantry.wanted_egress(uuid) to tenantry_platform_root_rights;

grant execute on function tenantry.wanted_egress(uuid) to tenantry_service_rights;

grant usage on schema tenantry to tenantry_client_admin_rights;

grant usage on schema tenantry to tenantry_client_user_rights;

grant usage on schema tenantry to tenantry_partner_root_rights;

grant usage on schema tenantry to tenantry_platform_root_rights;

grant usage on schema tenantry to tenantry_provisioner_rights;

grant usage on schema tenantry to tenantry_service_rights;

grant select on table tenantry.account_capacity to tenantry_platform_root_rights;

grant insert, select, update on table tenantry.account_capacity to tenantry_service_rights;

grant select on table tenantry.account_limits to tenantry_platform_root_rights;

grant delete, insert, select, update on table tenantry.account_limits to tenantry_provisioner_rights;

grant select, update on table tenantry.account_limits to tenantry_service_rights;

grant delete, insert, select, update on table tenantry.ai_gateways to tenantry_platform_root_rights;

grant delete, insert, select, update on table tenantry.ai_gateways to tenantry_provisioner_rights;

grant select on table tenantry.ai_gateways to tenantry_service_rights;

grant select on table tenantry.analytics_events to tenantry_client_admin_rights;

grant select on table tenantry.analytics_events to tenantry_partner_root_rights;

grant select on table tenantry.analytics_events to tenantry_platform_root_rights;

grant delete, insert, select, update on table tenantry.analytics_events to tenantry_service_rights;

grant select on table tenantry.audit_log to tenantry_client_admin_rights;

grant select on table tenantry.audit_log to tenantry_partner_root_rights;

grant select on table tenantry.audit_log to tenantry_platform_root_rights;

grant select on table tenantry.audit_log to tenantry_service_rights;

grant select on table tenantry.billing_accounts to tenantry_client_admin_rights;

grant select on table tenantry.billing_accounts to tenantry_partner_root_rights;

grant select on table tenantry.billing_accounts to tenantry_platform_root_rights;

grant select on table tenantry.billing_accounts to tenantry_provisioner_rights;

grant select on table tenantry.billing_accounts to tenantry_service_rights;

grant delete, insert, select, update on table tenantry.channels to tenantry_client_admin_rights;

grant delete, insert, select, update on table tenantry.channels to tenantry_partner_root_rights;

grant delete, insert, select, update on table tenantry.channels to tenantry_platform_root_rights;

grant select, update on table tenantry.channels to tenantry_service_rights;

grant select on table tenantry.client_plans to tenantry_service_rights;

grant select on table tenantry.client_subdivisions to tenantry_client_admin_rights;

grant delete, insert, select, update on table tenantry.client_subdivisions to tenantry_partner_root_rights;

grant delete, insert, select, update on table tenantry.client_subdivisions to tenantry_platform_root_rights;

grant delete, insert, select, update on table tenantry.client_user_instances to tenantry_client_admin_rights;

grant select on table tenantry.client_user_instances to tenantry_client_user_rights;

grant delete, insert, select, update on table tenantry.client_user_instances to tenantry_partner_root_rights;

grant delete, insert, select, update on table tenantry.client_user_instances to tenantry_platform_root_rights;

grant delete, insert, select, update on table tenantry.client_user_instances to tenantry_service_rights;

grant delete, insert, select, update on table tenantry.client_user_subdivisions to tenantry_client_admin_rights;

grant delete, insert, select, update on table tenantry.client_user_subdivisions to tenantry_partner_root_rights;

grant delete, insert, select, update on table tenantry.client_user_subdivisions to tenantry_platform_root_rights;

grant delete, insert, select, update on table tenantry.client_users to tenantry_client_admin_rights;

grant select on table tenantry.client_users to tenantry_client_user_rights;

grant delete, insert, select, update on table tenantry.client_users to tenantry_partner_root_rights;

grant delete, insert, select, update on table tenantry.client_users to tenantry_platform_root_rights;

grant delete, insert, select, update on table tenantry.client_users to tenantry_service_rights;

grant select, update on table tenantry.clients to tenantry_client_admin_rights;

grant select on table tenantry.clients to tenantry_client_user_rights;

grant delete, insert, select, update on table tenantry.clients to tenantry_partner_root_rights;

grant delete, insert, select, update on table tenantry.clients to tenantry_platform_root_rights;

grant delete, insert, select, update on table tenantry.clients to tenantry_provisioner_rights;

grant select, update on table tenantry.clients to tenantry_service_rights;

grant select on table tenantry.credit_entries to tenantry_client_admin_rights;

grant select on table tenantry.credit_entries to tenantry_partner_root_rights;

grant insert, select on table tenantry.credit_entries to tenantry_platform_root_rights;

grant insert, select on table tenantry.credit_entries to tenantry_service_rights;

grant select on table tenantry.credit_pools to tenantry_client_admin_rights;

grant select on table tenantry.credit_pools to tenantry_partner_root_rights;

grant insert, select, update on table tenantry.credit_pools to tenantry_platform_root_rights;

grant insert, select, update on table tenantry.credit_pools to tenantry_service_rights;

grant select on table tenantry.dashboard_users to tenantry_partner_root_rights;

grant delete, insert, select, update on table tenantry.dashboard_users to tenantry_platform_root_rights;

grant delete, insert, select, update on table tenantry.dashboard_users to tenantry_provisioner_rights;

grant select on table tenantry.dashboard_users to tenantry_service_rights;

grant delete, insert, select, update on table tenantry.doors to tenantry_client_admin_rights;

grant delete, insert, select, update on table tenantry.doors to tenantry_partner_root_rights;

grant delete, insert, select, update on table tenantry.doors to tenantry_platform_root_rights;

grant delete, insert, select, update on table tenantry.doors to tenantry_provisioner_rights;

grant select, update on table tenantry.doors to tenantry_service_rights;

grant delete, insert, select on table tenantry.egress_secrets to tenantry_client_admin_rights;

grant delete, insert, select on table tenantry.egress_secrets to tenantry_partner_root_rights;

grant delete, insert, select on table tenantry.egress_secrets to tenantry_platform_root_rights;

grant select, update on table tenantry.egress_secrets to tenantry_service_rights;

grant delete, select on table tenantry.ended_service_tokens to tenantry_service_rights;

grant insert, select on table tenantry.erasures to tenantry_client_admin_rights;

grant insert, select on table tenantry.erasures to tenantry_partner_root_rights;

grant insert, select on table tenantry.erasures to tenantry_platform_root_rights;

grant select, update on table tenantry.erasures to tenantry_service_rights;

grant insert, select on table tenantry.events to tenantry_client_admin_rights;

grant select on table tenantry.events to tenantry_client_user_rights;

grant insert, select on table tenantry.events to tenantry_partner_root_rights;

grant insert, select on table tenantry.events to tenantry_platform_root_rights;

grant delete, insert, select, update on table tenantry.events to tenantry_service_rights;

grant delete, insert, select, update on table tenantry.findings to tenantry_service_rights;

grant delete, insert, select, update on table tenantry.idempotency_keys to tenantry_client_admin_rights;

grant delete, insert, select, update on table tenantry.idempotency_keys to tenantry_client_user_rights;

grant delete, insert, select, update on table tenantry.idempotency_keys to tenantry_partner_root_rights;

grant delete, insert, select, update on table tenantry.idempotency_keys to tenantry_platform_root_rights;

grant delete, insert, select, update on table tenantry.idempotency_keys to tenantry_service_rights;

grant select on table tenantry.images to tenantry_client_admin_rights;

grant select on table tenantry.images to tenantry_client_user_rights;

grant select on table tenantry.images to tenantry_partner_root_rights;

grant insert, select, update on table tenantry.images to tenantry_platform_root_rights;

grant select on table tenantry.images to tenantry_provisioner_rights;

grant select, update on table tenantry.images to tenantry_service_rights;

grant select on table tenantry.incidents to tenantry_client_admin_rights;

grant select on table tenantry.incidents to tenantry_client_user_rights;

grant select, update on table tenantry.incidents to tenantry_partner_root_rights;

grant select, update on table tenantry.incidents to tenantry_platform_root_rights;

grant delete, insert, select, update on table tenantry.incidents to tenantry_service_rights;

grant select on table tenantry.instance_health_snapshots to tenantry_client_admin_rights;

grant select on table tenantry.instance_health_snapshots to tenantry_client_user_rights;

grant select on table tenantry.instance_health_snapshots to tenantry_partner_root_rights;

grant select on table tenantry.instance_health_snapshots to tenantry_platform_root_rights;

grant delete, insert, select, update on table tenantry.instance_health_snapshots to tenantry_service_rights;

grant select, update on table tenantry.instances to tenantry_client_admin_rights;

grant select on table tenantry.instances to tenantry_client_user_rights;

grant delete, insert, select, update on table tenantry.instances to tenantry_partner_root_rights;

grant delete, insert, select, update on table tenantry.instances to tenantry_platform_root_rights;

grant delete, insert, select, update on table tenantry.instances to tenantry_provisioner_rights;

grant delete, insert, select, update on table tenantry.instances to tenantry_service_rights;

grant select on table tenantry.invoice_line_items to tenantry_client_admin_rights;

grant select on table tenantry.invoice_line_items to tenantry_partner_root_rights;

grant select on table tenantry.invoice_line_items to tenantry_platform_root_rights;

grant delete, insert, select, update on table tenantry.invoice_line_items to tenantry_service_rights;

grant select on table tenantry.invoices to tenantry_client_admin_rights;

grant select on table tenantry.invoices to tenantry_partner_root_rights;

grant select, update on table tenantry.invoices to tenantry_platform_root_rights;

grant delete, insert, select, update on table tenantry.invoices to tenantry_service_rights;

grant select on table tenantry.job_events to tenantry_client_admin_rights;

grant select on table tenantry.job_events to tenantry_partner_root_rights;

grant select on table tenantry.job_events to tenantry_platform_root_rights;

grant delete, insert, select, update on table tenantry.job_events to tenantry_service_rights;

grant insert, select on table tenantry.jobs to tenantry_client_admin_rights;

grant select on table tenantry.jobs to tenantry_client_user_rights;

grant insert, select on table tenantry.jobs to tenantry_partner_root_rights;

grant insert, select on table tenantry.jobs to tenantry_platform_root_rights;

grant select on table tenantry.jobs to tenantry_provisioner_rights;

grant delete, insert, select, update on table tenantry.jobs to tenantry_service_rights;

grant select on table tenantry.mail_attempts to tenantry_client_admin_rights;

grant select on table tenantry.mail_attempts to tenantry_partner_root_rights;

grant select on table tenantry.mail_attempts to tenantry_platform_root_rights;

grant delete, insert, select, update on table tenantry.mail_attempts to tenantry_service_rights;

grant insert, select on table tenantry.mails to tenantry_client_admin_rights;

grant insert, select on table tenantry.mails to tenantry_partner_root_rights;

grant insert, select on table tenantry.mails to tenantry_platform_root_rights;

grant delete, insert, select, update on table tenantry.mails to tenantry_service_rights;

grant select on table tenantry.notification_deliveries to tenantry_client_admin_rights;

grant select on table tenantry.notification_deliveries to tenantry_partner_root_rights;

grant select on table tenantry.notification_deliveries to tenantry_platform_root_rights;

grant delete, insert, select, update on table tenantry.notification_deliveries to tenantry_service_rights;

grant insert, select, update on table tenantry.notification_settings to tenantry_client_admin_rights;

grant select, update on table tenantry.notification_settings to tenantry_service_rights;

grant delete, insert, select on table tenantry.notification_unsubscribes to tenantry_service_rights;

grant select on table tenantry.notifications to tenantry_client_admin_rights;

grant select on table tenantry.notifications to tenantry_partner_root_rights;

grant select on table tenantry.notifications to tenantry_platform_root_rights;

grant delete, insert, select, update on table tenantry.notifications to tenantry_service_rights;

grant select on table tenantry.partner_domains to tenantry_partner_root_rights;

grant delete, insert, select, update on table tenantry.partner_domains to tenantry_platform_root_rights;

grant select on table tenantry.partner_domains to tenantry_service_rights;

grant select on table tenantry.partners to tenantry_client_admin_rights;

grant select on table tenantry.partners to tenantry_client_user_rights;

grant select, update on table tenantry.partners to tenantry_partner_root_rights;

grant delete, insert, select, update on table tenantry.partners to tenantry_platform_root_rights;

grant delete, insert, select, update on table tenantry.partners to tenantry_provisioner_rights;

grant select on table tenantry.partners to tenantry_service_rights;

grant select on table tenantry.platform_versions to tenantry_platform_root_rights;

grant delete, insert, select, update on table tenantry.platform_versions to tenantry_provisioner_rights;

grant select on table tenantry.platform_versions to tenantry_service_rights;

grant select on table tenantry.prices to tenantry_partner_root_rights;

grant delete, insert, select, update on table tenantry.prices to tenantry_platform_root_rights;

grant select on table tenantry.prices to tenantry_service_rights;

grant delete, insert, select on table tenantry.provider_keys to tenantry_client_admin_rights;

grant delete, insert, select on table tenantry.provider_keys to tenantry_partner_root_rights;

grant delete, insert, select on table tenantry.provider_keys to tenantry_platform_root_rights;

grant select, update on table tenantry.provider_keys to tenantry_service_rights;

grant select on table tenantry.restores to tenantry_service_rights;

grant insert, select, update on table tenantry.rollout_tenants to tenantry_platform_root_rights;

grant select on table tenantry.rollout_tenants to tenantry_provisioner_rights;

grant select, update on table tenantry.rollout_tenants to tenantry_service_rights;

grant insert, select, update on table tenantry.rollouts to tenantry_platform_root_rights;

grant select on table tenantry.rollouts to tenantry_provisioner_rights;

grant select, update on table tenantry.rollouts to tenantry_service_rights;

grant select on table tenantry.schema_version to tenantry_platform_root_rights;

grant select on table tenantry.schema_version to tenantry_provisioner_rights;

grant select on table tenantry.schema_version to tenantry_service_rights;

grant delete, insert, select on table tenantry.service_tokens to tenantry_client_admin_rights;

grant delete, insert, select on table tenantry.service_tokens to tenantry_partner_root_rights;

grant delete, insert, select on table tenantry.service_tokens to tenantry_platform_root_rights;

grant delete, select on table tenantry.service_tokens to tenantry_service_rights;

grant select on table tenantry.usage_daily to tenantry_client_admin_rights;

grant select on table tenantry.usage_daily to tenantry_partner_root_rights;

grant select on table tenantry.usage_daily to tenantry_platform_root_rights;

grant insert, select, update on table tenantry.usage_daily to tenantry_service_rights;

grant select on table tenantry.users to tenantry_client_admin_rights;

grant delete, insert, select, update on table tenantry.users to tenantry_partner_root_rights;

grant delete, insert, select, update on table tenantry.users to tenantry_platform_root_rights;

grant select on table tenantry.users to tenantry_service_rights;

grant select, update on table tenantry.worker_bundles to tenantry_platform_root_rights;

grant insert, select, update on table tenantry.worker_bundles to tenantry_service_rights;
