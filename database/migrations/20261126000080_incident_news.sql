-- migrate:up
-- Whoever opens, acknowledges or closes an incident, open dashboards hear of it.
create function tenantry.incident_told() returns trigger
language plpgsql security definer
set search_path = pg_catalog
as $$
begin
  insert into tenantry.events (environment, client_id, kind, data)
  values (new.environment, new.client_id,
    case
      when tg_op = 'INSERT' then 'incident.opened'
      when new.closed_at is distinct from old.closed_at then 'incident.closed'
      else 'incident.acknowledged' end,
    jsonb_build_object('instance_id', new.instance_id, 'kind', new.kind));
  return null;
end
$$;
create trigger opened_told after insert on tenantry.incidents
  for each row when (new.closed_at is null) execute function tenantry.incident_told();
create trigger change_told after update of closed_at, acknowledged_at on tenantry.incidents
  for each row when (old.closed_at is distinct from new.closed_at or old.acknowledged_at is distinct from new.acknowledged_at)
  execute function tenantry.incident_told();

-- migrate:down
drop trigger change_told on tenantry.incidents;
drop trigger opened_told on tenantry.incidents;
drop function tenantry.incident_told;
