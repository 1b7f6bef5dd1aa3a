/** News of what others change: one WebSocket for all pages, connected again when it ends. */
import type { QueryClient } from "@tanstack/react-query";
import { LIVE_CLOSED, LIVE_READY, LIVE_RESET, type LiveMessage } from "#workers/contracts/live-messages.ts";
import { Connection } from "./live-connection.ts";
import { setLiveState } from "./live-state.ts";
import { Reread } from "./reread.ts";

/** Between two attempts to connect, in milliseconds: twice as long each time. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;
/** As many that were missed are told one by one, as after a short break of the connection. */
const FEW = 3;

/** Tags of what is read anew, by the news (`subject.what`) or by its subject. */
const READ_ANEW: Readonly<Record<string, readonly string[]>> = {
  client: ["clients", "instances", "analytics", "partners"],
  instance: ["instances", "clients", "incidents", "analytics", "AI gateways", "versions"],
  // One for each resource of a run: what it comes to is told at its end.
  "job.step": ["jobs"],
  job: ["jobs", "instances", "clients", "versions", "AI gateways"],
  mail: ["client users"],
  client_user: ["client users", "users"],
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

/** @param isLate whether it is one of many that were missed: for telling somebody it is too late */
type Listener = (news: LiveMessage, isLate: boolean) => void;
const listeners = new Set<Listener>();

/** Has each piece of news told as it comes. @returns what ends it */
export function listen(listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Connects, and stays connected. @returns what ends it */
export function followNews(queries: QueryClient): () => void {
  const reread = new Reread(queries);
  let last: number | undefined;
  let pause = FIRST_PAUSE_MS;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let connection: Connection | undefined;

  const connect = () => {
    /** What came before this connection had caught up. */
    let missed: LiveMessage[] | undefined = [];
    const take = (news: LiveMessage) => {
      last = news.id;
      if (news.kind === LIVE_READY) {
        pause = FIRST_PAUSE_MS;
        setLiveState("live");
        tell(missed ?? []);
        missed = undefined;
      } else if (news.kind === LIVE_RESET) {
        void queries.invalidateQueries();
      } else {
        reread.tell(READ_ANEW[news.kind] ?? READ_ANEW[news.kind.split(".", 1)[0] ?? ""] ?? []);
        if (missed === undefined) tell([news]);
        else missed.push(news);
      }
    };
    const over = (code?: number) => {
      connection = undefined;
      // A query asks for its interval when something happens to it, and none had one while news were heard.
      if (setLiveState("polling")) void queries.invalidateQueries({ refetchType: "none" });
      // Whether a log-in has ended is told by what is read: one that merely listened for long enough comes again by the same.
      if (code === LIVE_CLOSED.noUser) return;
      timer = setTimeout(connect, pause);
      pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
    };
    connection = new Connection(last, take, over);
  };
  connect();
  return () => {
    clearTimeout(timer);
    reread.stop();
    connection?.end();
  };
}

function tell(news: readonly LiveMessage[]): void {
  for (const one of news) for (const listener of listeners) listener(one, news.length > FEW);
}
