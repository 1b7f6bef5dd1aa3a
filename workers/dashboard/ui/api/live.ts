/** News of what others change: one WebSocket for all pages, connected again when it ends. */
import type { QueryClient } from "@tanstack/react-query";
import {
  LIVE_CLOSED,
  LIVE_PING,
  LIVE_PONG,
  LIVE_READY,
  LIVE_RESET,
  type LiveMessage,
  liveMessage,
} from "../../../contracts/live-messages.ts";
import { setLiveState } from "./live-state.ts";
import { sessionOver } from "./session-over.ts";

/** Between two attempts to connect, in milliseconds: twice as long each time. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;
const PING_MS = 30_000;

/** Tags of what is read anew, by the subject of the news (`subject.what`). */
const READ_ANEW: Readonly<Record<string, readonly string[]>> = {
  client: ["clients", "instances", "analytics", "partners"],
  instance: ["instances", "clients", "incidents", "analytics", "AI gateways", "versions"],
  job: ["jobs", "instances", "clients", "versions", "AI gateways"],
  mail: ["client users"],
  client_user: ["client users", "users"],
  user: ["users", "client users"],
  credit: ["billing", "clients", "instances"],
  invitation: ["client users", "users"],
  members: ["client users", "users"],
  dashboard_users: ["users"],
  capacity: ["capacity"],
  incident: ["incidents"],
  partner: ["partners"],
  ai_gateway: ["AI gateways"],
  rollout: ["versions"],
};

type Listener = (news: LiveMessage) => void;
const listeners = new Set<Listener>();

/** Has each piece of news told as it comes. @returns what ends it */
export function listen(listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Connects, and stays connected. @returns what ends it */
export function followNews(queries: QueryClient): () => void {
  let socket: WebSocket | undefined;
  let last: number | undefined;
  let pause = FIRST_PAUSE_MS;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let pinger: ReturnType<typeof setInterval> | undefined;
  let ended = false;

  const take = (text: string) => {
    const parsed = liveMessage.safeParse(json(text));
    if (!parsed.success) return;
    const news = parsed.data;
    last = news.id;
    if (news.kind === LIVE_READY) {
      pause = FIRST_PAUSE_MS;
      setLiveState("live");
    } else if (news.kind === LIVE_RESET) {
      void queries.invalidateQueries();
    } else {
      for (const tag of READ_ANEW[news.kind.split(".", 1)[0] ?? ""] ?? []) {
        void queries.invalidateQueries({ queryKey: [tag] });
      }
      for (const listener of listeners) listener(news);
    }
  };

  const connect = () => {
    const address = new URL("/live", location.href);
    address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
    if (last !== undefined) address.searchParams.set("after", String(last));
    socket = new WebSocket(address);
    socket.addEventListener("open", () => {
      pinger = setInterval(() => socket?.send(LIVE_PING), PING_MS);
    });
    socket.addEventListener("message", ({ data }) => {
      if (typeof data === "string" && data !== LIVE_PONG) take(data);
    });
    socket.addEventListener("close", ({ code }) => {
      clearInterval(pinger);
      if (ended) return;
      // A query asks for its interval when something happens to it, and none had one while news were heard.
      if (setLiveState("polling")) void queries.invalidateQueries({ refetchType: "none" });
      if (code === LIVE_CLOSED.logInAgain) return sessionOver.tell();
      if (code === LIVE_CLOSED.noUser) return;
      timer = setTimeout(connect, pause);
      pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
    });
  };
  connect();
  return () => {
    ended = true;
    clearTimeout(timer);
    clearInterval(pinger);
    socket?.close();
  };
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
