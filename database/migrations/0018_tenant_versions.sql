-- Tenants' ADMINs choose the version of their instance, and when it changes.

-- For users of tenants, as plain text.
alter table tenantry.images add column release_notes text not null default ''
  constraint images_release_notes_check check (length(release_notes) <= 20000);

-- Who pinned an instance, and when; null unless it is pinned. A pin of an earlier release has no author: it is a platform root's.
alter table tenantry.instances add column pinned_by text;
alter table tenantry.instances add column pinned_by_kind text;
alter table tenantry.instances add column pinned_at timestamptz;

-- When a job starts at the earliest; null for at once.
alter table tenantry.jobs add column not_before timestamptz;
