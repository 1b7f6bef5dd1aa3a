-- migrate:up
-- What was pushed to open dashboards. By row and not by a highest id, since ids are given out before their rows are seen.
alter table tenantry.events add column delivered_at timestamptz;
create index events_undelivered on tenantry.events (environment, id) where delivered_at is null;

-- migrate:down
drop index tenantry.events_undelivered;
alter table tenantry.events drop column delivered_at;
