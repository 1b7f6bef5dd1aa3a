-- The vendor sends a bot's messages nowhere, or to another system.
alter table tenantry.channels
  drop constraint channels_fault_check,
  add constraint channels_fault_check check (fault in ('push_failed', 'token_rejected', 'webhook_lost'));
