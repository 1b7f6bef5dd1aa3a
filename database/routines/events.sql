create or replace function tenantry.set_event_partner() returns trigger language plpgsql security definer set search_path = pg_catalog as $$
begin
  if new.partner_id is null and new.client_id is not null then
    select c.partner_id into new.partner_id from tenantry.clients c where c.id = new.client_id;
  end if;
  return new;
end
$$;

create or replace trigger set_event_partner before insert on tenantry.events for each row execute function tenantry.set_event_partner();

-- IDs are in commit order, so that a reader that has seen an ID has missed no earlier one. Each environment has its own order and does not
-- wait for others.
create or replace function tenantry.event_committed() returns trigger language plpgsql security definer set search_path = pg_catalog as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('tenantry.events.' || new.environment, 0));
  update tenantry.events set id = default where id = new.id;
  -- One job delivers all events since the last delivery.
  perform tenantry.enqueue(new.environment, 'event', '{}', 'event');
  return null;
end
$$;

create constraint trigger event_committed after insert on tenantry.events
  deferrable initially deferred for each row execute function tenantry.event_committed();

create policy in_scope on tenantry.events using (environment = (select tenantry.caller_environment())
  and ((select tenantry.sees_all()) or partner_id = (select tenantry.caller_partner())
    or client_id = (select tenantry.caller_client())
      -- Others name users of the client.
      and ((select tenantry.caller_kind()) = 'client_admin' or kind like 'instance.%')));
