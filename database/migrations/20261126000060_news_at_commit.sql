-- migrate:up
-- News has its place, and asks for its delivery, when its transaction commits. Whoever told some used to wait, from the telling on, for all
-- who had told before, with rows locked that one of those was about to ask for; now nothing is asked for behind that lock.
drop trigger events_in_order on tenantry.events;
drop function tenantry.events_in_order;

create or replace function tenantry.event_told() returns trigger
language plpgsql security definer
set search_path = pg_catalog
as $$
begin
  if new.partner_id is null and new.client_id is not null then
    select c.partner_id into new.partner_id from tenantry.clients c where c.id = new.client_id;
  end if;
  return new;
end
$$;

-- The order of the ids is that of the commits, so that a reader who has seen an id has missed none before it. Each environment has its own:
-- none waits for another's.
create function tenantry.event_committed() returns trigger
language plpgsql security definer
set search_path = pg_catalog
as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('tenantry.events.' || new.environment, 0));
  update tenantry.events set id = default where id = new.id;
  -- One call for all that was told since the last.
  perform tenantry.enqueue(new.environment, 'event', '{}', 'event');
  return null;
end
$$;
create constraint trigger event_committed after insert on tenantry.events
  deferrable initially deferred for each row execute function tenantry.event_committed();

-- migrate:down
drop trigger event_committed on tenantry.events;
drop function tenantry.event_committed;
create or replace function tenantry.event_told() returns trigger
language plpgsql security definer
set search_path = pg_catalog
as $$
begin
  if new.partner_id is null and new.client_id is not null then
    select c.partner_id into new.partner_id from tenantry.clients c where c.id = new.client_id;
  end if;
  perform tenantry.enqueue(new.environment, 'event', '{}', 'event');
  return new;
end
$$;
create function tenantry.events_in_order() returns trigger
language plpgsql
set search_path = pg_catalog
as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('tenantry.events', 0));
  return null;
end
$$;
create trigger events_in_order before insert on tenantry.events
  for each statement execute function tenantry.events_in_order();
