/** Tells listeners what they have not heard, each what its caller may see. */
import { newestNews, newsAfter } from "#database/work/news.ts";
import { LIVE_CLOSED, LIVE_READY, LIVE_RESET, type LiveMessage } from "#workers/contracts/live-messages.ts";
import type { Connection } from "../http/connection.ts";
import type { Caller } from "../identity/caller.ts";
import type { Listener } from "./listener.ts";

/** Most news that one is told one by one at a time; who has missed more reads everything anew. */
const MOST_NEWS = 1_000;
/** How long one may listen before the log-in is asked for again, in milliseconds. */
const LISTEN_MS = 3_600_000;

/**
 * Tells every listener all that was committed since it heard last, read under its caller's rights as they are now: whoever is no user any
 * longer is cut off. The ids come in the order in which they were committed, so that there is no gap and nothing comes twice.
 *
 * @throws Error of `pg` when the database does not answer; the connection is of no use then
 */
export async function deliver(connection: Connection, listeners: readonly Listener[], now: number): Promise<void> {
  const byCaller = grouped(listeners, ({ email }) => email);
  for (const [email, group] of byCaller) {
    const caller = await connection.enter(email, { source: "", requestId: "live" });
    const known = group.filter((listener) => keep(listener, caller, now));
    if (caller !== undefined && known.length > 0) await tellAll(connection, caller, known, now);
    await connection.rollback();
  }
}

/** Cuts off who may not listen any longer. @returns whether it may */
function keep(listener: Listener, caller: Caller | undefined, now: number): boolean {
  const { callerId, since } = listener.state;
  if (caller?.id !== callerId) {
    listener.close(LIVE_CLOSED.noUser, "You are no user of this dashboard any longer.");
    return false;
  }
  if (now - since >= LISTEN_MS) {
    listener.close(LIVE_CLOSED.logInAgain, "Connect again, by your log-in.");
    return false;
  }
  return true;
}

async function tellAll(
  { db }: Connection,
  { partnerId }: Caller,
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
  const byPlace = grouped(listeners, ({ after }) => after);
  for (const [after, group] of byPlace) {
    const place = after ?? (await newestNews(db, partnerId));
    const news = after === null ? [] : await newsAfter(db, partnerId, after, MOST_NEWS + 1);
    const isFar = news.length > MOST_NEWS;
    const messages = isFar ? [mark(LIVE_RESET, await newestNews(db, partnerId))] : news.map(toMessage);
    for (const listener of group) {
      listener.tell(messages);
      if (!listener.state.ready) listener.tellReady(mark(LIVE_READY, listener.state.after ?? place));
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

function toMessage({ id, kind, clientId, data, at }: Awaited<ReturnType<typeof newsAfter>>[number]): LiveMessage {
  return { id, kind, client_id: clientId, data, at: at.toISOString() };
}
