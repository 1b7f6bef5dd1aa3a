/** Live events of changes by others: one WebSocket for all pages, which reconnects when it closes. */
import type { QueryClient } from "@tanstack/react-query";
import { LIVE_CLOSED, LIVE_READY, LIVE_RESET, type LiveMessage } from "#workers/contracts/live-messages.ts";
import { Connection } from "./live-connection.ts";
import { Refetcher } from "./refetcher.ts";
import { liveState } from "./stores.ts";

/** Delay between attempts; doubles each time. */
const FIRST_DELAY_MS = 1_000;
const MAX_DELAY_MS = 30_000;
/** After a longer absence, missed events count as late. */
const MAX_MISSED = 3;

/** Tags to refetch, by the event's kind (`subject.what`) or its subject. */
const TAGS_OF: Readonly<Record<string, readonly string[]>> = {
  client: ["clients", "instances", "analytics", "partners"],
  instance: ["instances", "clients", "incidents", "analytics", "AI gateways", "versions"],
  "instance.inbox_replay_ordered": ["inbox"],
  "instance.inbox_drop_ordered": ["inbox"],
  "instance.inbox_exported": [],
  door: ["doors"],
  channel: ["channels"],
  provider_key: ["provider keys"],
  egress: ["egress"],
  egress_secret: ["egress"],
  // One event per resource; what else a job changes is refetched at its end.
  "job.step": ["jobs"],
  job: ["jobs", "instances", "clients", "versions", "AI gateways"],
  mail: ["client users"],
  client_user: ["client users", "users", "service tokens"],
  service_token: ["service tokens"],
  user: ["users", "client users"],
  credit: ["billing", "clients", "instances"],
  invitation: ["client users", "users"],
  members: ["client users", "users"],
  dashboard_users: ["users"],
  capacity: ["capacity"],
  incident: ["incidents", "instances"],
  invoice: ["billing"],
  partner: ["partners", "clients", "analytics"],
  ai_gateway: ["AI gateways"],
  rollout: ["versions"],
};

/** @param isLate whether the event is one of many missed ones, so that it is too late to notify the viewer */
type Listener = (event: LiveMessage, isLate: boolean) => void;
const listeners = new Set<Listener>();

/** Calls the listener for each live event. Returns a function that removes it. */
export function onLiveEvent(listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Connects and stays connected. Returns a function that disconnects. */
export function followEvents(queries: QueryClient): () => void {
  const refetcher = new Refetcher(queries);
  let lastId: number | undefined;
  let delay = FIRST_DELAY_MS;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let connection: Connection | undefined;

  const connect = () => {
    // Undefined once the connection has caught up.
    let missed: LiveMessage[] | undefined = [];
    const onEvent = (event: LiveMessage) => {
      lastId = event.id;
      if (event.kind === LIVE_READY) {
        delay = FIRST_DELAY_MS;
        liveState.set("live");
        notifyListeners(missed ?? []);
        missed = undefined;
      } else if (event.kind === LIVE_RESET) {
        void queries.invalidateQueries();
      } else {
        refetcher.add(TAGS_OF[event.kind] ?? TAGS_OF[event.kind.split(".", 1)[0] ?? ""] ?? []);
        if (missed === undefined) notifyListeners([event]);
        else missed.push(event);
      }
    };
    const onClose = (code?: number) => {
      connection = undefined;
      // Queries reread their interval only when they change, and had none while live.
      if (liveState.set("polling")) void queries.invalidateQueries({ refetchType: "none" });
      // Every other code reconnects: `logInAgain` only ends a long connection, and reads detect an expired login.
      if (code === LIVE_CLOSED.noUser) return;
      timer = setTimeout(connect, delay);
      delay = Math.min(delay * 2, MAX_DELAY_MS);
    };
    connection = new Connection(lastId, onEvent, onClose);
  };
  connect();
  return () => {
    clearTimeout(timer);
    refetcher.stop();
    connection?.end();
  };
}

function notifyListeners(events: readonly LiveMessage[]): void {
  for (const event of events) for (const listener of listeners) listener(event, events.length > MAX_MISSED);
}
