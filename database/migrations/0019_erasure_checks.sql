-- When Cloudflare was read after an erasure, and the resources that it no longer had. Both are null for an erasure of an earlier version.
alter table tenantry.erasures
  add column checked_at timestamptz,
  add column checked_resources jsonb check (jsonb_typeof(checked_resources) = 'array'),
  add constraint erasures_check_is_whole check ((checked_at is null) = (checked_resources is null));
