-- Another deployment of a tenant's stack as it is declared, such as with the platform's new secrets.
alter table tenantry.jobs
  drop constraint jobs_kind_check,
  add constraint jobs_kind_check check (kind in (
    'provision', 'deprovision', 'change_plan', 'freeze', 'resume', 'assign_gateway', 'rotate_token', 'delete_client', 'invalidate',
    'final_backup', 'restore_backup', 'adopt_version', 'redeploy'));
