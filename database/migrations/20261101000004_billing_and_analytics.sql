-- migrate:up
create table tenantry.invoices (
  id uuid primary key default gen_random_uuid(),
  client_id uuid not null references tenantry.clients (id),
  period_start date not null,
  period_end date not null check (period_end > period_start),
  created_at timestamptz not null default now(),
  unique (client_id, period_start)
);

create table tenantry.invoice_line_items (
  id uuid primary key default gen_random_uuid(),
  invoice_id uuid not null references tenantry.invoices (id) on delete cascade,
  description text not null,
  quantity numeric not null,
  unit_price numeric not null
);
create index invoice_line_items_invoice_id on tenantry.invoice_line_items (invoice_id);

create table tenantry.analytics_events (
  id bigint generated always as identity primary key,
  instance_id uuid not null references tenantry.instances (id) on delete cascade,
  observed_at timestamptz not null default now(),
  name text not null,
  attributes jsonb not null default '{}',
  body jsonb
);
create index analytics_events_latest on tenantry.analytics_events (instance_id, name, observed_at desc);

-- migrate:down
drop table tenantry.analytics_events;
drop table tenantry.invoice_line_items;
drop table tenantry.invoices;
