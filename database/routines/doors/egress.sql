-- Identifies what an instance's tenant is to receive; null for nothing. It changes with each policy and secret, but not with the encryption of a secret.
create or replace function tenantry.wanted_egress(p_instance_id uuid) returns uuid
language sql stable security definer set search_path = pg_catalog as $$
  select case when w.stated then overlay(overlay(md5(w.whole) placing '8' from 13) placing '8' from 17)::uuid end
  from (
    select i.egress is not null or p.egress is not null or s.ids is not null as stated,
      concat_ws(e'\n', coalesce(p.egress::text, '-'), coalesce(i.egress::text, '-'), s.ids) as whole
    from tenantry.instances i
    join tenantry.clients c on c.id = i.client_id
    left join tenantry.partners p on p.id = c.partner_id
    cross join lateral (
      select string_agg(e.id::text, ' ' order by e.id) as ids from tenantry.egress_secrets e where e.instance_id = i.id) s
    where i.id = p_instance_id) w
$$;
revoke all on function tenantry.wanted_egress (uuid) from public;

-- Requests that tenants receive what they do not have: of one instance, or of a partner's clients.
create or replace function tenantry.request_egress_pushes(p_instance_id uuid, p_partner_id uuid) returns void
language sql security definer set search_path = pg_catalog as $$
  insert into tenantry.jobs (kind, client_id, instance_id, slug, requested_by, environment)
  select 'push_egress', c.id, i.id, c.slug, coalesce(tenantry.acting_person(), 'service'), i.environment
  from tenantry.instances i join tenantry.clients c on c.id = i.client_id
  where (i.id = p_instance_id or c.partner_id = p_partner_id)
    and tenantry.wanted_egress(i.id) is distinct from i.egress_revision
  order by c.slug
$$;
revoke all on function tenantry.request_egress_pushes (uuid, uuid) from public;

create or replace function tenantry.egress_changed() returns trigger language plpgsql security definer set search_path = pg_catalog as $$
begin
  case tg_table_name
    when 'partners' then perform tenantry.request_egress_pushes(null, new.id);
    when 'clients' then
      perform tenantry.request_egress_pushes(i.id, null) from tenantry.instances i where i.client_id = new.id;
    when 'instances' then perform tenantry.request_egress_pushes(new.id, null);
  end case;
  return null;
end
$$;

create or replace trigger egress_changed after update of egress on tenantry.partners
  for each row when (old.egress is distinct from new.egress) execute function tenantry.egress_changed();
create or replace trigger egress_changed after update of partner_id on tenantry.clients
  for each row when (old.partner_id is distinct from new.partner_id) execute function tenantry.egress_changed();
create or replace trigger egress_changed after update of egress on tenantry.instances
  for each row when (old.egress is distinct from new.egress) execute function tenantry.egress_changed();

create policy in_scope on tenantry.egress_secrets using (exists (select from tenantry.instances i where i.id = instance_id));

-- Pushes are no changes, and a secret that is replaced gets another row.
create or replace trigger audit after insert or delete on tenantry.egress_secrets
  for each row execute function tenantry.audit();
