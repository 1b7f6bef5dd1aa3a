-- Socket channels have no door. Kinds such as slack and slack-socket are two transports of one messenger, of which a tenant has one channel, and
-- of whose bots each has one channel.
alter table tenantry.channels
  alter column door_id drop not null,
  add column messenger text not null generated always as (split_part(kind, '-', 1)) stored,
  drop constraint channels_instance_id_kind_key,
  drop constraint channels_environment_kind_account_id_key,
  add constraint channels_instance_id_messenger_key unique (instance_id, messenger),
  add constraint channels_environment_messenger_account_id_key unique (environment, messenger, account_id);
