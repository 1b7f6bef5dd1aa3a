create index usage_daily_by_day on tenantry.usage_daily (metric, day);
