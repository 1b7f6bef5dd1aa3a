import { type DashboardEvent, findLatestEventId, listEventsAfter } from "#database/work/dashboard-events.ts";
import { LIVE_CLOSED, LIVE_READY, LIVE_RESET, type LiveMessage } from "#workers/contracts/live-messages.ts";
import type { Connection, Origin } from "../http/connection.ts";
import type { Caller } from "../identity/caller.ts";
import { tenantView } from "../identity/tenant-view.ts";
import type { Listener } from "./listener.ts";

/** Listeners that missed more events read everything again. */
const MAX_EVENTS = 1_000;
/** Time until a listener must authenticate again, in milliseconds. */
const LISTEN_MS = 3_600_000;

/**
 * Sends every listener the events committed since its last one, read with its caller's current rights; listeners of deleted users are closed.
 * IDs are in commit order, so that no event is missing or repeated.
 *
 * @throws Error of `pg` if the database does not respond; the connection must not be used again
 */
export async function deliver(connection: Connection, listeners: readonly Listener[], now: number): Promise<void> {
  const byCaller = grouped(listeners, ({ email, slug, serviceToken, isViewer }) =>
    JSON.stringify([email, slug, serviceToken, isViewer]),
  );
  for (const group of byCaller.values()) {
    const caller = group[0] && (await enterAs(connection, group[0].state));
    const known = group.filter((listener) => checkAccess(listener, caller, now));
    if (caller !== undefined && known.length > 0) await sendEvents(connection, caller, known, now);
    await connection.rollback();
  }
}

const ORIGIN: Origin = { source: "", requestId: "live" };

function enterAs(
  connection: Connection,
  { email, slug, serviceToken, isViewer }: Listener["state"],
): Promise<Caller | undefined> {
  if (slug === null) return connection.enter(email, ORIGIN);
  return connection.enterTenant({ slug, email, isViewer, serviceToken: serviceToken ?? undefined }, ORIGIN);
}

/** Closes a listener whose access ended. @returns whether it may listen */
function checkAccess(listener: Listener, caller: Caller | undefined, now: number): boolean {
  const { callerId, since } = listener.state;
  if (caller?.id !== callerId) {
    listener.close(LIVE_CLOSED.noUser, "You are no longer a user of this dashboard.");
    return false;
  }
  if (now - since >= LISTEN_MS) {
    listener.close(LIVE_CLOSED.logInAgain, "Log in again and reconnect.");
    return false;
  }
  return true;
}

async function sendEvents(
  { db }: Connection,
  caller: Caller,
  listeners: readonly Listener[],
  now: number,
): Promise<void> {
  const mark = (kind: string, id: number): LiveMessage => ({
    id,
    kind,
    client_id: null,
    data: {},
    at: new Date(now).toISOString(),
  });
  const scope = { partnerId: caller.partnerId, clientId: caller.tenant?.clientId };
  const toShown = (event: DashboardEvent) => {
    const message = toMessage(event);
    return caller.tenant === undefined ? message : { ...message, data: tenantView(message.data, caller) };
  };
  const byPlace = grouped(listeners, ({ after }) => after);
  for (const [after, group] of byPlace) {
    const position = after ?? (await findLatestEventId(db, scope));
    const events = after === null ? [] : await listEventsAfter(db, scope, after, MAX_EVENTS + 1);
    const isTooMany = events.length > MAX_EVENTS;
    const messages = isTooMany ? [mark(LIVE_RESET, await findLatestEventId(db, scope))] : events.map(toShown);
    for (const listener of group) {
      listener.send(messages);
      if (!listener.state.ready) listener.sendReady(mark(LIVE_READY, listener.state.after ?? position));
    }
  }
}

function grouped<K>(listeners: readonly Listener[], by: (state: Listener["state"]) => K): Map<K, Listener[]> {
  const groups = new Map<K, Listener[]>();
  for (const listener of listeners) {
    const key = by(listener.state);
    groups.set(key, [...(groups.get(key) ?? []), listener]);
  }
  return groups;
}

const toMessage = ({ id, kind, clientId, data, at }: DashboardEvent): LiveMessage => ({
  id,
  kind,
  client_id: clientId,
  data,
  at: at.toISOString(),
});
