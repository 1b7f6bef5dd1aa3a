-- migrate:up
-- A restore of a chosen backup is a job: short work, which runs no engine.
alter table tenantry.jobs drop constraint jobs_kind_check;
alter table tenantry.jobs add constraint jobs_kind_check check (kind in (
  'provision', 'deprovision', 'change_plan', 'freeze', 'resume', 'assign_gateway', 'rotate_token', 'delete_client', 'invalidate',
  'final_backup', 'restore_backup'));

-- migrate:down
delete from tenantry.jobs where kind = 'restore_backup';
alter table tenantry.jobs drop constraint jobs_kind_check;
alter table tenantry.jobs add constraint jobs_kind_check check (kind in (
  'provision', 'deprovision', 'change_plan', 'freeze', 'resume', 'assign_gateway', 'rotate_token', 'delete_client', 'invalidate',
  'final_backup'));
