-- What a client's ADMINs are notified of, and how.

-- The choices of one ADMIN. Kinds without a choice have the defaults of domain/notifications/kinds.ts.
create table tenantry.notification_settings (
  client_user_id uuid primary key references tenantry.client_users (id) on delete cascade,
  -- By kind: `mail` (off, at_once or daily) and `webhook` (whether).
  choices jsonb not null default '{}' constraint notification_settings_choices_check check (jsonb_typeof(choices) = 'object'),
  -- Null without a webhook. URL and signing secret are encrypted (workers/shared/doors/notification-webhook.ts).
  webhook_host text check (length(webhook_host) between 1 and 260),
  credentials bytea check (octet_length(credentials) between 33 and 65536),
  -- Since when each delivery to the webhook has failed, and when it was disabled for that.
  failing_since timestamptz,
  disabled_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  constraint notification_settings_webhook_is_whole check ((webhook_host is null) = (credentials is null)),
  constraint notification_settings_fault_has_webhook check (webhook_host is not null or (failing_since is null and disabled_at is null)),
  constraint notification_settings_disabled_fails check (disabled_at is null or failing_since is not null)
);
alter table tenantry.notification_settings enable row level security;

-- What happened to a client, once.
create table tenantry.notifications (
  id uuid primary key default gen_random_uuid(),
  environment text not null check (environment in ('production', 'staging', 'development')),
  client_id uuid not null references tenantry.clients (id) on delete cascade,
  -- The only recipient; null for all ADMINs.
  client_user_id uuid references tenantry.client_users (id) on delete cascade,
  kind text not null check (kind ~ '^[a-z_]+$'),
  -- Names the occurrence, such as `incident:{id}`.
  subject text not null check (length(subject) between 1 and 200),
  data jsonb not null default '{}',
  occurred_at timestamptz not null default now(),
  -- When its deliveries were created; null before.
  distributed_at timestamptz,
  constraint notifications_client_id_kind_subject_key unique (client_id, kind, subject)
);
create index notifications_undistributed on tenantry.notifications (environment, occurred_at) where distributed_at is null;
create index notifications_occurred_at on tenantry.notifications (occurred_at);
create index notifications_client_user_id on tenantry.notifications (client_user_id) where client_user_id is not null;
alter table tenantry.notifications enable row level security;

-- A notification for one ADMIN by one channel. `waiting`: for the next digest. `dropped`: not wanted any more.
create table tenantry.notification_deliveries (
  id uuid primary key default gen_random_uuid(),
  notification_id uuid not null references tenantry.notifications (id) on delete cascade,
  client_user_id uuid not null references tenantry.client_users (id) on delete cascade,
  channel text not null check (channel in ('mail', 'webhook')),
  state text not null check (state in ('waiting', 'queued', 'sent', 'failed', 'dropped')),
  mail_id uuid references tenantry.mails (id) on delete set null,
  attempts integer not null default 0 check (attempts >= 0),
  -- What the mail server or the webhook answered last.
  answer text,
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  constraint notification_deliveries_once unique (notification_id, client_user_id, channel),
  constraint notification_deliveries_ended check ((state in ('waiting', 'queued')) = (ended_at is null)),
  constraint notification_deliveries_mail_check check (channel = 'mail' or mail_id is null)
);
create index notification_deliveries_client_user_id on tenantry.notification_deliveries (client_user_id, created_at desc, id desc);
create index notification_deliveries_mail_id on tenantry.notification_deliveries (mail_id) where mail_id is not null;
create index notification_deliveries_open on tenantry.notification_deliveries (created_at) where ended_at is null;
alter table tenantry.notification_deliveries enable row level security;

-- Links in mails that end the mails of some kinds for one ADMIN, by the SHA-256 of their token.
create table tenantry.notification_unsubscribes (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  client_user_id uuid not null references tenantry.client_users (id) on delete cascade,
  kinds text[] not null check (cardinality(kinds) > 0),
  created_at timestamptz not null default now()
);
create index notification_unsubscribes_client_user_id on tenantry.notification_unsubscribes (client_user_id);
create index notification_unsubscribes_created_at on tenantry.notification_unsubscribes (created_at);
alter table tenantry.notification_unsubscribes enable row level security;

-- US dollars that a tenant of each plan may spend for models in 30 days, as the platform's stack declares them; null before.
alter table tenantry.account_limits add column ai_spend jsonb check (jsonb_typeof(ai_spend) = 'object');
