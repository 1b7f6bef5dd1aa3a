-- The location of a partner's logo. It is public: mails and pages before login show it.
create or replace function dashboard.partner_logo(p_partner_id uuid) returns jsonb
language sql stable security definer set search_path = pg_catalog as $$
  select jsonb_build_object('key', p.logo_key, 'type', p.logo_type)
  from tenantry.partners p
  where p.id = p_partner_id and p.environment = tenantry.caller_environment() and p.logo_key is not null
$$;
revoke all on function dashboard.partner_logo (uuid) from public;

create policy in_scope on tenantry.partners using (environment = (select tenantry.caller_environment())
  and ((select tenantry.sees_all()) or id = (select tenantry.caller_partner())
    or id = (select c.partner_id from tenantry.clients c where c.id = (select tenantry.caller_client()))));
create policy in_scope on tenantry.partner_domains using (exists (select from tenantry.partners p where p.id = partner_id));
