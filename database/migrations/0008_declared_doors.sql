-- Doors that a stack file declares.
alter table tenantry.doors
  add column managed_by text not null default 'dashboard' check (managed_by in ('git', 'dashboard')),
  -- The URN of the resource.
  add column owner text;
