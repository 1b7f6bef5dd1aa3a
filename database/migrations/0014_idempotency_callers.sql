-- Callers are also users of clients. Keys of a removed user end with the others, after a day.
alter table tenantry.idempotency_keys drop constraint idempotency_keys_caller_fkey;
