-- What a client may spend on models in 30 days, at most what its plan permits; null: what its plan permits. The tenant's Worker enforces it.
alter table tenantry.clients
  add column ai_spend_cap_micros bigint constraint clients_ai_spend_cap_micros_check check (ai_spend_cap_micros between 0 and 9000000000000000);
