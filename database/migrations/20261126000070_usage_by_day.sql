-- migrate:up
-- What all clients used of a metric, day by day, is found without reading every client's books.
create index usage_daily_by_day on tenantry.usage_daily (metric, day);

-- migrate:down
drop index tenantry.usage_daily_by_day;
