-- Why a door last refused a request, for its owner: the vendor gets the same response for every reason.
alter table tenantry.doors
  add column last_refused_at timestamptz,
  add column last_refusal text constraint doors_last_refusal_is_a_word check (last_refusal ~ '^[A-Za-z_]{1,40}$');
